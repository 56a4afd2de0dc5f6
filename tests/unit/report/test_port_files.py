"""Operators with failed checks, by the files of their kernels."""

from __future__ import annotations

from porter.model.port_page import PortPage
from porter.report.pages.port_files import failed_operators

OPS = {
    "ops": [
        {"op": "mul.out", "files": ["native/cuda/BinaryMul.cu"]},
        {"op": "mul.Tensor", "files": ["native/sparse/cuda/Mul.cu"]},
        {"op": "linalg_eig", "files": ["native/cuda/LinearAlgebra.cpp"]},
        {"op": "norm.out", "files": ["native/cuda/Norm.cu"]},
        {"op": "gelu.out", "files": ["native/cuda/Gelu.cu"]},
        {"op": "damaged", "files": "no list"},
    ]
}


def failed(*names: str) -> dict[str, set[str]]:
    return failed_operators(PortPage((), (), (), operators=OPS, failed=frozenset(names)))


def test_names_of_the_database_are_names_of_the_dispatcher() -> None:
    assert failed("linalg.eig", "nn.functional.gelu", "norm.nuc") == {
        "native/cuda/LinearAlgebra.cpp": {"linalg.eig"},
        "native/cuda/Gelu.cu": {"nn.functional.gelu"},
        "native/cuda/Norm.cu": {"norm.nuc"},
    }


def test_each_file_of_an_operator_counts() -> None:
    assert failed("mul") == {
        "native/cuda/BinaryMul.cu": {"mul"},
        "native/sparse/cuda/Mul.cu": {"mul"},
    }


def test_operators_without_a_kernel_and_damaged_data_have_no_file() -> None:
    assert failed("nn.functional.conv2d", "damaged") == {}
