"""`porter scan`: contents of CUDA sources, by the command line."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from repository import TEST_DATA, TEST_MAPPINGS
from workshop import write_files

from porter.cli.main import call
from porter.cpp.lex import Kind, decode, lex
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.port.select import select

PROGRAMS = TEST_DATA / "cases" / "programs"

Scan = Callable[..., dict[str, Any]]


@pytest.fixture
def scan(capsys: pytest.CaptureFixture[str]) -> Scan:
    """Function that runs `porter scan` and returns its JSON document."""

    def run(*args: str | Path) -> dict[str, Any]:
        code = call(["scan", "--mappings", str(TEST_MAPPINGS), "--json", *map(str, args)])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        data: dict[str, Any] = json.loads(captured.out)
        assert data["schema"] == 1
        return data

    return run


def places(areas: dict[str, Any], area: str) -> dict[str, int]:
    return {use["name"]: use["places"] for use in areas[area]["names"]}


def test_a_program(scan: Scan) -> None:
    data = scan(PROGRAMS / "vector_add.cu")
    assert data["target"] is None
    assert data["files"]["total"] == 1
    assert data["files"]["by_suffix"] == {"cu": 1}
    # Counted by hand in the program.
    assert places(data["apis"], "runtime") == {
        "cudaError_t": 1,
        "cudaFree": 3,
        "cudaGetErrorString": 1,
        "cudaGetLastError": 1,
        "cudaMalloc": 3,
        "cudaMemcpy": 3,
        "cudaMemcpyDeviceToHost": 1,
        "cudaMemcpyHostToDevice": 2,
        "cudaSuccess": 1,
    }
    assert places(data["apis"], "intrinsics") == {
        "__global__": 1,
        "blockDim": 1,
        "blockIdx": 1,
        "threadIdx": 1,
    }
    assert set(data["apis"]) == {"runtime", "intrinsics"}
    assert places(data["headers"], "runtime") == {"cuda_runtime.h": 1}
    assert data["launches"]["places"] == 1
    text = (PROGRAMS / "vector_add.cu").read_text()
    line = text[: text.index("<<<")].count("\n") + 1
    assert data["launches"]["first"] == f"vector_add.cu:{line}"
    assert data["dynamic_shared"]["places"] == 0
    assert data["hazards"] == []


def test_hazards_and_shared_memory(scan: Scan) -> None:
    data = scan(PROGRAMS / "reduce.cu")
    found = {hazard["name"]: hazard["places"] for hazard in data["hazards"]}
    assert found == {"lane_mask": 1, "warp_size": 2, "version_guard": 1}
    assert all(hazard["note"] for hazard in data["hazards"])
    assert (data["launches"]["places"], data["dynamic_shared"]["places"]) == (1, 1)
    # The string of printf says `cudaGetLastError says`: it is no call.
    assert places(data["apis"], "runtime")["cudaGetLastError"] == 1


def test_names_count_only_where_they_are_cudas(scan: Scan) -> None:
    data = scan(PROGRAMS / "libraries.cu")
    assert places(data["apis"], "thrust") == {"thrust": 2, "device_vector": 1, "sort": 1}
    assert places(data["apis"], "cub") == {"cub": 1, "DeviceReduce": 1, "Sum": 1}
    # std::sort and std::sqrt are the C++ library's, sqrtf in a kernel is CUDA's.
    assert places(data["apis"], "math") == {"sqrtf": 1}
    assert places(data["apis"], "rand_device") == {
        "curandStatePhilox4_32_10_t": 1,
        "curand_init": 1,
        "curand_uniform": 1,
    }
    assert places(data["apis"], "blas") == {"cublasHandle_t": 1, "cublasIsamax": 1}
    headers = {area: set(places(data["headers"], area)) for area in data["headers"]}
    assert headers == {
        "blas": {"cublas_v2.h"},
        "cub": {"cub/cub.cuh"},
        "rand_device": {"curand_kernel.h"},
        "thrust": {"thrust/device_vector.h", "thrust/sort.h"},
    }


def test_math_of_host_files_is_the_c_librarys(scan: Scan, tmp_path: Path) -> None:
    write_files(tmp_path, {"a.cpp": "float f(float x) { return sqrtf(x); }\ncudaStream_t s;\n"})
    assert set(scan(tmp_path)["apis"]) == {"runtime"}


def test_what_looks_like_cudas_and_is_not(scan: Scan, tmp_path: Path) -> None:
    text = '#include "my_cuda.h"\nvoid f() { myCudaThing(); cudaFrobnicate(); }\n// cudaMalloc\n'
    write_files(tmp_path, {"a.cu": text, "my_cuda.h": "\n"})
    data = scan(tmp_path)
    assert places(data["apis"], "other") == {"myCudaThing": 1, "cudaFrobnicate": 1}
    assert set(data["apis"]) == {"other"}
    assert data["headers"] == {}


def test_with_a_target(scan: Scan, tmp_path: Path) -> None:
    text = """\
#include <cuda_runtime.h>
#include <cudnn.h>
#include <ATen/cuda/CUDAContext.h>
void f(cudnnHandle_t h) {
  cudaFrobnicate();
  cudaFree(0);
  cudaFree(0);
}
"""
    write_files(tmp_path, {"a.cu": text})
    data = scan(tmp_path, "-t", "toy")
    assert data["target"] == "toy"
    none = {"mapped": 0, "kept": 0, "unsupported": 0, "unmapped": 0, "ambiguous": 0}
    assert data["apis"]["runtime"]["fates"] == {**none, "mapped": 2}
    assert data["apis"]["dnn"]["fates"] == {**none, "unsupported": 1}
    # Neither CUDA nor the project declares the name: it stays.
    assert data["apis"]["other"]["fates"] == {**none, "kept": 1}
    assert data["headers"]["runtime"]["fates"] == {**none, "mapped": 1}
    assert data["headers"]["dnn"]["fates"] == {**none, "unsupported": 1}
    assert data["headers"]["pytorch"]["fates"] == {**none, "mapped": 1}


def test_names_that_the_project_declares_stay(scan: Scan, tmp_path: Path) -> None:
    write_files(
        tmp_path,
        {
            "a.cu": "class CUDATimer {};\nCHECK_CUDA(cudaFree(p));\nCUDATimer t;\n",
            "check.cuh": "#define CHECK_CUDA(x) x\n",
        },
    )
    data = scan(tmp_path, "-t", "toy")
    (fates,) = [area["fates"] for name, area in data["apis"].items() if name == "other"]
    assert fates["kept"] == 4 and fates["mapped"] == fates["unmapped"] == 0
    assert data["apis"]["runtime"]["fates"]["mapped"] == 1


def test_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    program = str(PROGRAMS / "reduce.cu")
    assert call(["scan", program, "--mappings", str(TEST_MAPPINGS), "-t", "toy", "--names"]) == 0
    out = capsys.readouterr().out
    fates = " +".join(("mapped", "kept", "unsupported", "unmapped", "ambiguous"))
    assert re.search(rf"^  API +names +places +files +{fates}", out, re.M)
    assert re.search(r"^  extern __shared__ +1 +1 +reduce.cu:7$", out, re.M)
    assert re.search(r"^  lane_mask +1 +1 +reduce.cu:\d+ +a mask of 32 lanes", out, re.M)
    assert re.search(r"^  cudaMallocManaged +2 +1 +2 +0 +0 +0 +0 +reduce.cu:\d+", out, re.M)


def test_a_folder_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["scan", "no/such/place"]) == 4
    assert "error: no/such/place: no such file or folder" in capsys.readouterr().err


def test_an_unknown_target(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["scan", str(PROGRAMS), "-t", "musaa"]) == 2
    assert "did you mean 'musa'?" in capsys.readouterr().err


def test_excluding(scan: Scan) -> None:
    assert scan(PROGRAMS, "--exclude", "vector_*")["files"]["total"] == 3
    assert scan(PROGRAMS)["files"]["total"] == 4


@pytest.mark.release
def test_a_pytorch_tree(scan: Scan, release_tree: Path) -> None:
    """The result equals a separate count, token by token, over the selected files."""
    data = scan(release_tree)
    assert data["pytorch"] is True
    # The made-up target leaves no file out, nor does a scan without a target.
    rules = rule_cache.rule_set(MappingLibrary.find([TEST_MAPPINGS]), "toy", data["release"])
    expected: Counter[str] = Counter()
    files = select(release_tree, rules.selection)
    for file in files:
        for token in lex(decode((release_tree / file.path).read_bytes())):
            if token.kind is Kind.CHEVRON_OPEN or token.text in ("threadIdx", "__syncthreads"):
                expected[token.text] += 1
    assert expected["threadIdx"] > 700
    intrinsics = places(data["apis"], "intrinsics")
    assert data["files"]["total"] == len(files)
    assert data["launches"]["places"] == expected["<<<"]
    assert intrinsics["threadIdx"] == expected["threadIdx"]
    assert intrinsics["__syncthreads"] == expected["__syncthreads"]


REASONS = ("unmapped", "unsupported", "ambiguous")


def test_a_name_with_a_call_rule_in_another_form_is_ambiguous(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "bool f(at::Tensor t) { return t.is_cuda(); }\nauto g = &at::Tensor::is_cuda;\n"
    (tmp_path / "a.cu").write_text(text)
    call(["scan", str(tmp_path), "--target", "hip", "--json"])
    (use,) = json.loads(capsys.readouterr().out)["apis"]["other"]["names"]
    assert (use["fates"]["mapped"], use["fates"]["ambiguous"]) == (1, 1)


@pytest.mark.release
@pytest.mark.parametrize("target", ["toy", "musa"])
def test_a_scan_foretells_the_port(
    scan: Scan,
    release_tree: Path,
    target: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Names that the scan calls unmapped, unsupported or ambiguous are the residue in the port's report."""
    data = scan(release_tree, "-t", target)
    command = [
        "run",
        "--until",
        "port",
        "--pytorch-src",
        str(release_tree),
        "-t",
        target,
        "--out",
        str(tmp_path),
    ]
    call([*command, "--mappings", str(TEST_MAPPINGS), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert data["files"]["total"] == report["files"]["selected"]
    foretold: Counter[str] = Counter()
    for use in (u for kind in ("apis", "headers") for a in data[kind].values() for u in a["names"]):
        foretold[use["name"]] += sum(use["fates"][one] for one in REASONS)
    left: Counter[str] = Counter()
    for reason in REASONS:
        for word in report["words"][reason]:
            left[word["name"]] += word["count"]
    # A qualified name is left as a whole, a scan counts the names in it.
    chains = {part for name in left if "::" in name for part in name.split("::")}
    plain = {name for name in left if "::" not in name} - chains
    assert {name: foretold[name] for name in plain} == {name: left[name] for name in plain}
    assert {name for name, count in foretold.items() if count} - chains <= plain
