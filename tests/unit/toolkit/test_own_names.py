"""Names that a program or its command line declares keep their names while the driver compiles, as in a port."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from workshop import write_files

from porter.mapping import pytorch_names, rule_cache
from porter.mapping.library import MappingLibrary
from porter.toolkit.on_the_fly import SourcePorter
from porter.toolkit.search_path import SearchPath

SOURCES = {
    "a.cu": """\
#include "cudaCheck.h"
#ifdef WITH_CUDA
struct CudaTimer { cudaEvent_t begin; };
void f(CudaTimer& t, cv::cuda::GpuMat& m) { CUDA_CHECK(cudaEventRecord(t.begin)); }
#endif
""",
    "cudaCheck.h": "#define CUDA_CHECK(x) check(x == cudaSuccess)\n",
    "b.cu": '#include "cudaCheck.h"\nvoid g() { CUDA_CHECK(cudaFree(0)); }\n',
}


@pytest.fixture
def porter(tmp_path: Path) -> SourcePorter:
    return _porter(tmp_path)


def _porter(folder: Path, *options: str) -> SourcePorter:
    library = MappingLibrary.find(())
    return SourcePorter(
        folder / "cache",
        "key",
        lambda: rule_cache.rule_set(library, "simt", "2.6.0"),
        lambda: pytorch_names.read(library.special("pytorch", pytorch_names.FILE)),
        SearchPath(options, ()),
        {},
        ["WITH_CUDA"],
    )


def test_names_of_the_program_stay(tmp_path: Path, porter: SourcePorter) -> None:
    write_files(tmp_path, SOURCES)
    ported = porter.port(str(tmp_path / "a.cu"))
    text = Path(ported.path).read_text()
    for stays in ("#ifdef WITH_CUDA", "struct CudaTimer {", "cv::cuda::GpuMat& m", "CUDA_CHECK("):
        assert stays in text
    assert "simtEvent_t begin" in text
    assert "simtEventRecord(t.begin)" in text
    (note,) = ported.mirror.notes(str(tmp_path / "a.cu"))[4][:1]
    assert note.startswith("porter: cuda is foreign: neither the project")
    header = Path(ported.mirror.place(str(tmp_path / "cudaCheck.h"))).read_text()
    assert "#define CUDA_CHECK(x) check(x == simtSuccess)" in header


def test_a_new_declaration_is_noticed(tmp_path: Path) -> None:
    write_files(tmp_path, SOURCES)
    before = _porter(tmp_path).port(str(tmp_path / "b.cu"))
    assert _porter(tmp_path).port(str(tmp_path / "b.cu")) == before
    assert "simtFree(0)" in Path(before.path).read_text()
    # The header declares a type with a name of the runtime's form.
    write_files(tmp_path, {"cudaCheck.h": f"{SOURCES['cudaCheck.h']}struct cudaPoolX {{}};\n"})
    write_files(tmp_path, {"b.cu": f"{SOURCES['b.cu']}cudaPoolX pool;\n"})
    after = _porter(tmp_path).port(str(tmp_path / "b.cu"))
    assert after.mirror != before.mirror
    assert "cudaPoolX pool;" in Path(after.path).read_text()


def test_a_port_that_nothing_changed_needs_no_rules(tmp_path: Path, porter: SourcePorter) -> None:
    write_files(tmp_path, SOURCES)
    before = porter.port(str(tmp_path / "a.cu"))

    def fail() -> None:
        raise AssertionError("rules are computed")

    again = _porter(tmp_path)
    again._rules = fail  # type: ignore[assignment]
    assert again.port(str(tmp_path / "a.cu")) == before
    Path(before.path).write_text("damaged")
    assert "simtEvent_t" in Path(_porter(tmp_path).port(str(tmp_path / "a.cu")).path).read_text()


def test_mirrors_that_nobody_uses_are_removed(tmp_path: Path, porter: SourcePorter) -> None:
    write_files(tmp_path, SOURCES)
    old, recent = tmp_path / "cache/old", tmp_path / "cache/recent"
    write_files(tmp_path, {"cache/old/a.cu": "", "cache/recent/a.cu": ""})
    os.utime(old, (0, 0))
    porter.port(str(tmp_path / "a.cu"))
    assert (old.exists(), recent.exists()) == (False, True)
