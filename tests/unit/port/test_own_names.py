"""PyTorch's own names are distinguished from CUDA's."""

from __future__ import annotations

from pathlib import Path

from port_tree import write

from porter.port.own_names import declared


def test_only_what_a_file_defines_is_its_own(tmp_path: Path) -> None:
    write(tmp_path / "c10/a.h", "#include <cublas.h>\nvoid f() { cublasNew(); }\n")
    write(
        tmp_path / "c10/b.h",
        "\n#define CUB_V9_PLUS() true\ninline int cublasOpFromChar(char c) { return c; }\n",
    )
    words = ["cublasNew", "CUB_V9_PLUS", "cublasOpFromChar"]
    assert declared(tmp_path, ["c10/a.h", "c10/b.h", "c10/gone.h"], words) == {
        "CUB_V9_PLUS": "c10/b.h:2",
        "cublasOpFromChar": "c10/b.h:3",
    }
    assert declared(tmp_path, ["c10/b.h"], []) == {}
