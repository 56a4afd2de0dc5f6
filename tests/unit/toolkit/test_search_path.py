"""Files that the includes of a compilation denote, and those among them that are ported."""

from __future__ import annotations

from pathlib import Path

from workshop import write_files

from porter.toolkit.search_path import Include, SearchPath


def test_pybind11_is_not_ported_wherever_it_is(tmp_path: Path) -> None:
    # PyTorch's headers include it, too: with a port beside it, a compilation would have every definition twice.
    write_files(
        tmp_path,
        {
            "site/pybind11/include/pybind11/pybind11.h": "",
            "site/pybind11/include/pybind11/detail/common.h": "",
            "site/pybind11/include/other.h": "",
            "pybind11/bindings.h": "",
        },
    )
    folder = tmp_path / "site/pybind11/include"
    search = SearchPath([f"-I{folder}"], [])
    for name in ("pybind11/pybind11.h", "pybind11/detail/common.h"):
        assert search.find(Include(name, quoted=False), str(tmp_path)) == ""
    assert search.find(Include("other.h", quoted=False), str(tmp_path)) == f"{folder}/other.h"
    # A folder of the project with this name is not the library.
    own = tmp_path / "pybind11"
    assert search.find(Include("bindings.h", quoted=True), str(own)) == f"{own}/bindings.h"
