"""Mutants that survive the cheap stages are compiled in the folder of a build on the host."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from mapping_files import rules, write
from workshop import write_files

from porter.base.errors import SourceError
from porter.model.mutation import Change, MutationScore, Result, Stage
from porter.mutation.baseline import baseline_of
from porter.mutation.host_build import COMMANDS, HostBuild, host_build_of
from porter.mutation.run import MutationSettings, run

RULES = """\
- name: cudaMalloc
  replace: acmeMalloc
- name: cudaFree
  replace: acmeFree
"""
TREE = {
    "c10/cuda/a.cpp": "#include <c10/cuda/a.h>\nvoid f(void** p) { cudaMalloc(p, 4); }\n",
    "c10/cuda/a.h": "#include <acme.h>\ninline void g(void* p) { cudaFree(p); }\n",
    "c10/core/b.h": "struct Other;\n",
}
SDK = "int acmeMalloc(void**, unsigned long);\nint acmeFree(void*);\n"


def scored(root: Path, sdk: str = SDK) -> MutationScore:
    library = write(root / "mappings", {"acme/runtime.yaml": rules(RULES)})
    write_files(root / "tree", TREE)
    baseline = baseline_of(library, "acme", root / "tree", "2.6.0")
    folder = root / "build" / "acme" / "2.6.0"
    ported = {job.to: baseline.port[job.path].text for job in baseline.plan.jobs}
    write_files(folder / "src", ported)
    write_files(root / "sdk", {"acme.h": sdk})
    (unit,) = (path for path in ported if path.endswith(".cpp"))
    words = ["g++", f"-I{folder / 'src'}", f"-I{root / 'sdk'}", "-c", str(folder / "src" / unit)]
    entry = {"file": str(folder / "src" / unit), "arguments": [*words, "-o", "a.o"]}
    write_files(folder, {COMMANDS: json.dumps([entry])})
    return run(baseline, MutationSettings(host=HostBuild(folder, baseline)))


def test_compiler_notices_misspelt_names_in_sources_and_headers(tmp_path: Path) -> None:
    score = scored(tmp_path)
    misspelt = {
        one.mutant.name: one for one in score.tested if one.mutant.change is Change.MISSPELT
    }
    assert {one.stage for one in misspelt.values()} == {Stage.COMPILE}
    assert "acmeMaloc" in misspelt["cudaMalloc"].reason
    assert "acmeFee" in misspelt["cudaFree"].reason or "acmeFre" in misspelt["cudaFree"].reason
    assert Stage.COMPILE in score.stages


def test_mutant_that_compiles_survives_and_the_build_is_unchanged(tmp_path: Path) -> None:
    score = scored(tmp_path, f"{SDK}int acmeMaloc(void**, unsigned long);\n")
    (found,) = (
        one
        for one in score.tested
        if one.mutant.name == "cudaMalloc" and one.mutant.change is Change.MISSPELT
    )
    assert found.result is Result.SURVIVED
    folder = tmp_path / "build" / "acme" / "2.6.0"
    assert "acmeMalloc" in next((folder / "src").rglob("*.cpp")).read_text()
    assert not list(folder.glob(".mutant-*"))


def test_folder_without_a_build_is_an_error(tmp_path: Path) -> None:
    library = write(tmp_path / "mappings", {"acme/runtime.yaml": rules(RULES)})
    with pytest.raises(SourceError, match="not the folder of a build on the host"):
        host_build_of(library, "acme", tmp_path / "tree", tmp_path / "2.6.0")
