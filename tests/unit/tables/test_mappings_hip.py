"""Target `hip`: its rules for CUDA's names, and the script that writes its tables."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

import import_hipify
from mapping_tables import by_hand, hip_knowledge, layout
from mapping_tables.rocm import Headers
from porter.mapping import compile, document, inventory, load
from porter.mapping.inventory import Inventory
from porter.mapping.library import MappingLibrary
from porter.mapping.load import Loaded, LoadedEntry
from porter.model.rules import Layer, Rule, RuleSet, Status
from porter.rewrite.rewriter import Rewriter

HIP = ROOT / "mappings" / "hip"
TABLES = sorted((HIP / "tables").glob("*.json"))
LOADED = load.load(MappingLibrary.find(), "hip")
EXAMPLES = [
    entry for entry in LOADED.entries if entry.layer is Layer.TARGET and entry.model.example
]


@pytest.fixture(scope="module")
def names() -> Inventory:
    return inventory.read(ROOT / "mappings" / "cuda" / "inventory.json")


@pytest.fixture(scope="module", params=["1.13.1", "2.6.0"])
def rules(names: Inventory, request: pytest.FixtureRequest) -> RuleSet:
    return compile.compile_rules(LOADED, names, request.param)


def decision(rules: RuleSet, name: str) -> tuple[Rule | None, str]:
    """The target's rule that decides an identifier, and the replacement."""
    for found in rules.exact.get(name, ()):
        rule = rules.rules[found.rule]
        if rule.layer is Layer.TARGET:
            return rule, found.replace or name
    for family in rules.families:
        if rules.rules[family.rule].layer is Layer.TARGET and family.fullmatch(name):
            return rules.rules[family.rule], name
    return None, name


def ported(rules: RuleSet, text: str, path: str = "x.cu") -> str:
    return Rewriter(rules, {}).rewrite(path, text.encode()).text


def test_every_name_of_cuda_is_decided(rules: RuleSet, names: Inventory) -> None:
    left = [
        f"{area}: {name}"
        for area in names.areas
        for name in names.names(area)
        if decision(rules, name)[0] is None
    ]
    assert not left, f"{len(left)} names, as {left[:10]}"


def test_families_only_say_what_is_absent(rules: RuleSet) -> None:
    mine = [rule for rule in rules.rules if rule.kind == "family" and rule.layer is Layer.TARGET]
    assert mine
    assert [rule.match for rule in mine if rule.status is Status.SUPPORTED] == []
    assert {rule.area for rule in mine} == {"cupti", "npp", "nvjitlink"}


@pytest.mark.parametrize("name", ["cudaBrandNew", "cuBrandNew", "CU_BRAND_NEW", "cublasBrandNew"])
def test_a_name_that_a_newer_cuda_adds_is_not_swallowed(rules: RuleSet, name: str) -> None:
    assert decision(rules, name)[0] is None
    after = [found for found in rules.exact.get(name, ()) if found.replace]
    assert not after


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("cudaMalloc", "hipMalloc"),
        ("cudaMallocHost", "hipHostMalloc"),
        ("cudaDeviceProp", "hipDeviceProp_t"),
        ("cudaErrorMemoryAllocation", "hipErrorOutOfMemory"),
        ("cudaDataType_t", "hipDataType"),
        ("CUDA_R_16BF", "HIP_R_16BF"),
        ("CUDA_R_8F_E4M3", "HIP_R_8F_E4M3"),
        ("float4", "float4"),
        ("make_ulonglong2", "make_ulonglong2"),
        ("cuLaunchKernel", "hipModuleLaunchKernel"),
        ("cuMemCreate", "hipMemCreate"),
        ("CUdeviceptr", "hipDeviceptr_t"),
        ("cuuint64_t", "uint64_t"),
        ("cublasSgemm", "hipblasSgemm"),
        ("cublasCgemm", "hipblasCgemm_v2"),
        ("cublasGemmEx", "hipblasGemmEx_v2"),
        ("cublasSgemm_64", "hipblasSgemm_64"),
        ("CUBLAS_GEMM_DEFAULT_TENSOR_OP", "HIPBLAS_GEMM_DEFAULT"),
        ("cublasLtMatmul", "hipblasLtMatmul"),
        ("cudnnCreate", "miopenCreate"),
        ("CUDNN_DATA_FLOAT", "miopenFloat"),
        ("curandCreateGenerator", "hiprandCreateGenerator"),
        ("curand_uniform4", "hiprand_uniform4"),
        ("cufftXtMakePlanMany", "hipfftXtMakePlanMany"),
        ("cusparseSpMM", "hipsparseSpMM"),
        ("cusparseLtMatmul", "hipsparseLtMatmul"),
        ("cusolverDnCgetrf", "hipsolverDnCgetrf"),
        ("ncclAllReduce", "ncclAllReduce"),
        ("nvrtcGetPTX", "hiprtcGetCode"),
        ("nvtxRangePushA", "roctxRangePushA"),
        ("nvtxRangeEnd", "roctxRangeStop"),
        ("__nv_bfloat16", "__hip_bfloat16"),
        ("__nv_fp8_e4m3", "__hip_fp8_e4m3"),
        ("cuDoubleComplex", "hipDoubleComplex"),
        ("CUDART_INF_F", "HIP_INF_F"),
        ("rsqrtf", "rsqrtf"),
        ("atomicAdd", "atomicAdd"),
        ("__syncthreads_or", "__syncthreads_or"),
        ("thread_block_tile", "thread_block_tile"),
        ("__CUDACC__", "__HIPCC__"),
        ("CUB_NAMESPACE_BEGIN", "BEGIN_HIPCUB_NAMESPACE"),
    ],
)
def test_a_supported_name(rules: RuleSet, name: str, becomes: str) -> None:
    rule, new = decision(rules, name)
    assert rule and rule.status is Status.SUPPORTED
    assert new == becomes


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("cudaGraphConditionalHandleCreate", "no conditional nodes"),
        ("cuTensorMapEncodeTiled", "no tensor maps"),
        ("cuMulticastCreate", "no multicast"),
        ("cudaMemcpyAsync_ptsz", "_spt"),
        ("cuMemcpy", "HIPIFY lists no counterpart"),
        ("cublasXtSgemm", "cuBLAS-XT"),
        ("cublasLtGetVersion", "takes a handle"),
        ("cudnnSetPooling2dDescriptor", "no NaN option"),
        ("cudnnConvolutionForward", "Find call"),
        ("cusparseSpSM_solve", "external buffer"),
        ("cusolverMgCreate", "several devices"),
        ("nvrtcGetLTOIR", "LTO IR"),
        ("nvtxDomainCreateA", "no domains"),
        ("nppiAbs_16s_C1R", "no counterpart of NPP"),
        ("cuptiActivityEnable", "roctracer"),
        ("nvJitLinkCreate", "another interface"),
        ("__syncwarp", "in step"),
        ("__shfl_sync", "64-bit masks"),
        ("__vimin3_u32", "video instructions"),
        ("CUSPARSE_VER_MAJOR", "own versions"),
    ],
)
def test_an_unsupported_name_says_why(rules: RuleSet, name: str, reason: str) -> None:
    rule, _ = decision(rules, name)
    assert rule and rule.status is Status.UNSUPPORTED and reason in rule.note


def test_what_replaces_a_name_is_amds(rules: RuleSet) -> None:
    theirs = re.compile(r"(?i)cuda|cublas|cudnn|cufft|curand|cusparse|cusolver|nvrtc|nvtx|^cu[A-Z]")
    kept = [
        (name, found.replace)
        for name, candidates in rules.exact.items()
        for found in candidates
        if found.replace and rules.rules[found.rule].layer is Layer.TARGET
        if theirs.search(found.replace)
    ]
    assert not kept


def alone(entry: LoadedEntry, names: Inventory) -> RuleSet:
    loaded: Loaded = dataclasses.replace(LOADED, entries=(entry,))
    return compile.compile_rules(loaded, names, "")


@pytest.mark.parametrize("entry", EXAMPLES, ids=lambda entry: str(entry.origin))
def test_an_example(entry: LoadedEntry, names: Inventory) -> None:
    rules = alone(entry, names)
    example = rules.rules[0].example
    assert example
    after = example.before if example.after == "unchanged" else example.after
    assert ported(rules, example.before, path="x.h") == after


def test_a_file_that_calls_many_libraries(rules: RuleSet) -> None:
    before = """\
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cub/cub.cuh>
#include <thrust/system/cuda/execution_policy.h>
#if defined(__CUDACC__) && CUDA_VERSION >= 11000
__global__ void k(float4* x) { extern __shared__ char s[]; x[0] = make_float4(0, 0, 0, 0); }
void f(cudaStream_t stream, cublasHandle_t h, cudaEvent_t e) {
  k<<<1, 32, 0, stream>>>(nullptr);
  cublasSetStream(h, stream);
  cudaEventCreate(&e, cudaEventDisableTiming);
  cub::DeviceScan::InclusiveSum(nullptr, n, a, b, c, stream);
  thrust::sort(thrust::cuda::par.on(stream), a, b);
}
#endif
"""
    after = """\
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hip/hip_fp16.h>
#include <hipcub/hipcub.hpp>
#include <thrust/system/hip/execution_policy.h>
#if defined(__HIPCC__) && HIP_COMPAT_VERSION >= 11000
__global__ void k(float4* x) { extern __shared__ char s[]; x[0] = make_float4(0, 0, 0, 0); }
void f(hipStream_t stream, hipblasHandle_t h, hipEvent_t e) {
  k<<<1, 32, 0, stream>>>(nullptr);
  hipblasSetStream(h, stream);
  hipEventCreateWithFlags(&e, hipEventDisableTiming);
  ::hipcub::DeviceScan::InclusiveSum(nullptr, n, a, b, c, stream);
  thrust::sort(thrust::hip::par.on(stream), a, b);
}
#endif
"""
    assert ported(rules, before) == after


def test_ordinary_words_are_left_alone(rules: RuleSet) -> None:
    text = "std::less<int> less; int barrier = reduce(plus, wait); Mutex m; auto none = async;\n"
    rewrite = Rewriter(rules, {}).rewrite("x.h", text.encode())
    assert rewrite.text == text and not rewrite.residue
    rewrite = Rewriter(rules, {}).rewrite("x.h", b"cooperative_groups::inclusive_scan(g, v);\n")
    assert [left.name for left in rewrite.residue] == ["cooperative_groups::inclusive_scan"]


def test_versions_of_cudas_libraries_stay_undefined(rules: RuleSet) -> None:
    text = "#if defined(CUDART_VERSION) && CUSPARSE_VERSION >= 11000\n"
    now = "#if defined(HIP_COMPAT_RUNTIME_VERSION) && HIP_COMPAT_SPARSE_VERSION >= 11000\n"
    assert ported(rules, text, path="x.h") == now
    guards = rules.profile.guards
    assert set(guards) == {"CUDA_VERSION", "__CUDA_ARCH__"}
    assert not [guard.macro for guard in guards.values() if "CUDA" in guard.macro]
    assert "-DUSE_ROCM" in rules.profile.compiler_flags


def test_the_profile(rules: RuleSet, names: Inventory) -> None:
    profile = rules.profile
    assert profile.device == "amdgpu" and profile.warp_size == 64
    assert profile.suffixes == {"cu": "hip"}
    # The build contract of a port contains the flags: a program outside PyTorch uses the operators of __half.
    assert not [flag for flag in profile.compiler_flags if "NO_HALF" in flag]
    assert "__HIP_NO_HALF_OPERATORS__=1" in profile.build.defines
    assert set(profile.libraries) == set(names.areas)
    assert all(library.listed for library in profile.libraries.values())


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_is_canonical(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    table = json.loads(text)
    assert table["area"] == path.stem
    assert re.search(r"ROCm/HIPIFY [0-9a-f]{8} \(\d{4}-\d\d-\d\d\); ROCm/", table["source"])
    assert text == layout.text_of(table)
    for rule in table["rules"]:
        assert list(rule.get("names", ())) == sorted(rule.get("names", ()))


def test_no_name_is_decided_twice() -> None:
    seen: dict[str, str] = dict.fromkeys(by_hand.read(HIP).names, "by hand")
    for path in TABLES:
        for rule in json.loads(path.read_text(encoding="utf-8"))["rules"]:
            for name in (*rule.get("names", ()), *filter(None, [rule.get("qualified")])):
                assert name not in seen, f"{name}: {seen[name]} and {path.stem}"
                seen[name] = path.stem


def test_the_script_reads_yaml_as_the_loader_does() -> None:
    read: set[str] = set()
    for path in HIP.glob("*.yaml"):
        for rule in document.read(path, path.name).data.get("rules", ()):
            alone = (rule.get("name"), rule.get("macro"), rule.get("qualified"))
            read.update(rule.get("names", ()), filter(None, alone))
    assert by_hand.read(HIP).names == read


def test_every_area_has_a_file(names: Inventory) -> None:
    assert {path.stem for path in HIP.glob("*.yaml")} - {
        "target",
        "patches",
        "include_guards",
    } == set(names.areas)


TABLE_OF_HIPIFY = """\
  {"cudaMalloc", {"hipMalloc", "", CONV_MEMORY, API_RUNTIME, SEC::MEMORY}},
  {"cudaGone", {"hipGone", "", CONV_MEMORY, API_RUNTIME, SEC::MEMORY, CUDA_REMOVED}},
  {"cudaPromised", {"hipPromised", "", CONV_MEMORY, API_RUNTIME, SEC::MEMORY}},
  {"cudaLate", {"hipLate", "", CONV_MEMORY, API_RUNTIME, SEC::MEMORY, HIP_UNSUPPORTED}},
  {"cudaNever", {"hipNever", "", CONV_MEMORY, API_RUNTIME, SEC::MEMORY, HIP_UNSUPPORTED}},
"""
HEADER_OF_HIP = """\
// hipPromised and "hipNever" are only spoken of
void hipMalloc(); void hipGone(); void hipLate(); void hipSilent(); struct float4;
#define hipFlag 1
"""
INVENTORY = {
    "cuda": "12.4",
    "areas": {
        "runtime": {
            "functions": [
                "cudaLate",
                "cudaMalloc",
                "cudaNever",
                "cudaPromised",
                "cudaSilent",
                "cudaUnheardOf",
                "cudaHandMade",
                "make_float4",
            ],
            "macros": ["cudaFlag", "CUDART_CB"],
        },
        "npp": {"functions": ["nppiAbs"]},
    },
    "namespaces": {},
}


def clone(folder: Path, files: dict[str, str]) -> None:
    """Git repository with one commit."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    git = ["git", "-C", str(folder), "-c", "user.name=n", "-c", "user.email=e@e"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "--no-verify", "-m", "m"]):
        subprocess.run([*git, *command], check=True)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Small clones and mappings."""
    rocm = tmp_path / "rocm"
    clone(rocm / "HIPIFY", {"src/CUDA2HIP_Runtime_API_functions.cpp": TABLE_OF_HIPIFY})
    clone(rocm / "HIP", {"include/hip/hip_runtime_api.h": HEADER_OF_HIP})
    known = hip_knowledge.read(import_hipify.KNOWLEDGE)
    runtime = dataclasses.replace(
        known.areas["runtime"], headers=(Headers("HIP", r"include/hip/"),)
    )
    known = dataclasses.replace(known, areas={"runtime": runtime})
    monkeypatch.setattr(hip_knowledge, "read", lambda path: known)
    (tmp_path / "mappings" / "cuda").mkdir(parents=True)
    (tmp_path / "mappings" / "cuda" / "inventory.json").write_text(json.dumps(INVENTORY))
    (tmp_path / "mappings" / "hip").mkdir()
    hand = "rules:\n  - name: cudaHandMade\n"
    (tmp_path / "mappings" / "hip" / "runtime.yaml").write_text(hand)
    return tmp_path


def test_the_script_decides_by_the_sources(small: Path) -> None:
    assert import_hipify.main([str(small / "rocm"), "--mappings", str(small / "mappings")]) == 0
    table: dict[str, Any] = json.loads(
        (small / "mappings" / "hip" / "tables" / "runtime.json").read_text()
    )
    both = ["code", "condition"]
    assert table["rules"] == [
        {
            "names": {
                "cudaGone": "hipGone",
                "cudaLate": "hipLate",
                "cudaMalloc": "hipMalloc",
                "cudaSilent": "hipSilent",
            }
        },
        {"names": ["make_float4"]},
        {"in": both, "names": {"cudaFlag": "hipFlag"}},
        {
            "status": "unsupported",
            "note": "HIPIFY lists no counterpart in HIP",
            "names": ["cudaNever"],
        },
        {
            "status": "unsupported",
            "note": "HIPIFY names hipPromised, which ROCm 6.3's headers do not have",
            "names": ["cudaPromised"],
        },
        {
            "status": "unsupported",
            "note": "a macro of NVIDIA's own headers",
            "in": both,
            "names": ["CUDART_CB"],
        },
        {
            "status": "unsupported",
            "note": "neither HIPIFY nor ROCm 6.3's headers have a counterpart in HIP",
            "names": ["cudaUnheardOf"],
        },
    ]
    before = {path: path.read_bytes() for path in small.rglob("*.json")}
    import_hipify.main([str(small / "rocm"), "--mappings", str(small / "mappings")])
    assert before == {path: path.read_bytes() for path in small.rglob("*.json")}


def test_the_script_compares(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [str(small / "rocm"), "--mappings", str(small / "mappings")]
    table = small / "mappings" / "hip" / "tables" / "runtime.json"
    assert import_hipify.main([*arguments, "--check"]) == 1
    assert capsys.readouterr().err == "runtime.json: differs\n"
    assert not table.parent.exists()
    import_hipify.main(arguments)
    assert import_hipify.main([*arguments, "--check"]) == 0
    table.write_text(table.read_text().replace("hipMalloc", "hipMallocs"))
    assert import_hipify.main([*arguments, "--check"]) == 1


def test_an_area_that_nothing_is_known_of_is_an_error(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    areas = {**INVENTORY["areas"], "newlib": {"functions": ["newCall"]}}  # type: ignore[dict-item]
    data = {**INVENTORY, "areas": areas}
    (small / "mappings" / "cuda" / "inventory.json").write_text(json.dumps(data))
    assert import_hipify.main([str(small / "rocm"), "--mappings", str(small / "mappings")]) == 3
    assert "nothing about area newlib" in capsys.readouterr().err


def test_the_script_says_what_is_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [str(tmp_path), "--mappings", str(tmp_path)]
    assert import_hipify.main(arguments) == 4
    assert "create it with build_scripts/cuda_inventory.py" in capsys.readouterr().err
    (tmp_path / "cuda").mkdir()
    (tmp_path / "cuda" / "inventory.json").write_text(json.dumps(INVENTORY))
    assert import_hipify.main(arguments) == 4
    said = capsys.readouterr().err
    assert "no clone of HIPIFY, HIP, clr, " in said
    assert "\n  help: git clone https://github.com/ROCm/HIPIFY" in said


def test_a_folder_that_is_no_clone_is_named(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(small / "rocm" / "HIP" / ".git")
    arguments = [str(small / "rocm"), "--mappings", str(small / "mappings")]
    assert import_hipify.main(arguments) == 4
    assert f"{small / 'rocm' / 'HIP'} must be a git clone" in capsys.readouterr().err
