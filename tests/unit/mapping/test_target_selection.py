"""Upstream folders that one target ports beside those of all targets (`selection.folders` of target.yaml)."""

from __future__ import annotations

from pathlib import Path

import pytest
from mapping_files import write
from workshop import write_files

from porter.base.errors import MappingError
from porter.mapping import rule_cache
from porter.mapping.load import load
from porter.port.select import select

TARGET = """\
target: acme
summary: a made-up vendor
names: {{lower: acme, UPPER: ACME, Camel: Acme}}
device: acme
libraries: {{runtime: acme, driver: ac}}
selection:
  folders:
    - {{folder: {folder}, suffixes: [cu], only: [Shared.cu], reason: acme has virtual memory}}
"""
TREE = {
    "version.txt": "2.6.0\n",
    "c10/cuda/Stream.h": "",
    "torch/csrc/memory/Shared.cu": "",
    "torch/csrc/memory/Other.cu": "",
}


def test_a_target_ports_files_of_its_own(tmp_path: Path) -> None:
    write_files(tmp_path / "tree", TREE)
    own = {"acme/target.yaml": TARGET.format(folder="torch/csrc/memory")}

    def ported(name: str, files: dict[str, str]) -> list[str]:
        library = write(tmp_path / name, files)
        selection = rule_cache.rule_set(library, "acme", "2.6.0").selection
        return [file.path for file in select(tmp_path / "tree", selection)]

    assert ported("plain", {}) == ["c10/cuda/Stream.h"]
    assert ported("own", own) == ["c10/cuda/Stream.h", "torch/csrc/memory/Shared.cu"]


def test_a_folder_outside_of_the_source_tree_is_an_error_with_its_line(tmp_path: Path) -> None:
    library = write(tmp_path, {"acme/target.yaml": TARGET.format(folder="../memory")})
    with pytest.raises(MappingError) as caught:
        load(library, "acme")
    assert [str(problem) for problem in caught.value.problems] == [
        "error: acme/target.yaml:8: folder '../memory' leaves the source tree"
    ]
