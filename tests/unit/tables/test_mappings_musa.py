"""Target `musa`: its rules for CUDA's names, and the script that writes its tables."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from repository import ROOT

import import_musa
from mapping_tables import by_hand
from porter.mapping import compile, document, inventory, load
from porter.mapping.inventory import Inventory
from porter.mapping.library import MappingLibrary
from porter.model.rules import Layer, Rule, RuleSet, Status
from porter.rewrite.rewriter import Rewriter

MUSA = ROOT / "mappings" / "musa"
TABLES = sorted((MUSA / "tables").glob("*.json"))


@pytest.fixture(scope="module")
def names() -> Inventory:
    return inventory.read(ROOT / "mappings" / "cuda" / "inventory.json")


@pytest.fixture(scope="module")
def rules(names: Inventory) -> RuleSet:
    return compile.compile_rules(load.load(MappingLibrary.find(), "musa"), names, "2.6.0")


def decision(rules: RuleSet, name: str) -> tuple[Rule | None, str]:
    """Rule that decides an identifier, and the replacement."""
    for found in rules.exact.get(name, ()):
        return rules.rules[found.rule], found.replace or name
    for family in rules.families:
        if family.fullmatch(name):
            return rules.rules[family.rule], name
    return None, name


def speaks_for_musa(rules: RuleSet, rule: Rule | None) -> bool:
    """Test whether a rule was written for this target, or states that the target lacks the whole library."""
    if rule is None:
        return False
    lacking = {area for area, library in rules.profile.libraries.items() if library.unsupported}
    return rule.layer is Layer.TARGET or rule.area in lacking


def test_every_name_of_cuda_is_decided(rules: RuleSet, names: Inventory) -> None:
    # Version macros are a matter of PyTorch's conditions, and their numbers are the profile's.
    guards = {guard.macro for guard in rules.profile.guards.values()}
    left = [
        f"{area}: {name}"
        for area in names.areas
        for name in names.names(area)
        if not speaks_for_musa(rules, decision(rules, name)[0])
        if decision(rules, name)[1] not in guards
    ]
    assert not left, f"{len(left)} names, as {left[:10]}"


@pytest.mark.parametrize(
    ("name", "becomes"),
    [
        ("cudaMalloc", "musaMalloc"),
        ("cudaErrorNvlinkUncorrectable", "musaErrorMtlinkUncorrectable"),
        ("CUDA_R_16BF", "MUSA_R_16BF"),
        ("make_cudaExtent", "make_musaExtent"),
        ("float4", "float4"),
        ("make_ulonglong2", "make_ulonglong2"),
        ("cuMemCreate", "muMemCreate"),
        ("CUdeviceptr", "MUdeviceptr"),
        ("CUDA_ERROR_OUT_OF_MEMORY", "MUSA_ERROR_OUT_OF_MEMORY"),
        ("cublasSgemm", "mublasSgemm"),
        ("CUBLAS_OP_N", "MUBLAS_OP_N"),
        ("cublasLtMatmul", "mublasLtMatmul"),
        ("CUBLASLT_MATMUL_DESC_FAST_ACCUM", "MUBLASLT_MATMUL_DESC_FAST_ACCUM"),
        ("curandCreateGenerator", "murandCreateGenerator"),
        ("curandStatePhilox4_32_10_t", "murandStatePhilox4_32_10_t"),
        ("curand4", "murand4"),
        ("cufftExecC2C", "mufftExecC2C"),
        ("cusparseSpMM", "musparseSpMM"),
        ("bsrsv2Info_t", "bsrsv2Info_t"),
        ("cusolverDnCungqr", "musolverDnCungqr"),
        ("ncclAllReduce", "mcclAllReduce"),
        ("ncclHalf", "mcclHalf"),
        ("cuptiActivityEnable", "muptiActivityEnable"),
        ("CUPTI_RUNTIME_TRACE_CBID_cudaMemcpy_v3020", "MUPTI_RUNTIME_TRACE_CBID_musaMemcpy_v3020"),
        ("__nv_bfloat16", "__mt_bfloat16"),
        ("__nv_fp8_e4m3", "__mt_fp8_e4m3"),
        ("__shfl_xor_sync", "__shfl_xor_sync"),
        ("atomicAdd", "atomicAdd"),
        ("cuComplex", "muComplex"),
        ("CUDART_PI", "MUSART_PI"),
        ("DeviceReduce", "DeviceReduce"),
        ("CUDA_VERSION", "MUSA_COMPAT_VERSION"),
        ("__CUDACC__", "__MUSACC__"),
    ],
)
def test_a_supported_name(rules: RuleSet, name: str, becomes: str) -> None:
    rule, new = decision(rules, name)
    assert rule and rule.status is Status.SUPPORTED and rule.layer is Layer.TARGET
    assert new == becomes


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("cudaGraphConditionalHandleCreate", "absent from the vendor's table"),
        ("cuTensorMapEncodeTiled", "absent from the vendor's table"),
        ("cublasSgemm_64", "absent from the vendor's table"),
        ("cudnnCreate", "another API"),
        ("nppiAbs_16s_C1R", "another API"),
        ("cusparseLtInit", "structured sparsity"),
        ("nvrtcCompileProgram", "not supported"),
        ("nvtxRangePushA", "no public header"),
        ("ncclCommFinalize", "no call of it"),
        ("WarpMergeSort", "absent from muAlg"),
        ("__cluster_barrier_wait", "no public source"),
    ],
)
def test_an_unsupported_name_says_why(rules: RuleSet, name: str, reason: str) -> None:
    rule, _ = decision(rules, name)
    assert rule and rule.status is Status.UNSUPPORTED and reason in rule.note


@pytest.mark.parametrize(
    "name",
    ["cudaBrandNew", "cuBrandNew", "CU_BRAND_NEW", "cublasBrandNew", "cudnnBrandNew", "ncclNew"],
)
def test_a_name_that_a_newer_cuda_adds_is_not_swallowed(rules: RuleSet, name: str) -> None:
    rule, _ = decision(rules, name)
    assert rule is None or rule.layer is Layer.PYTORCH


def test_a_file_that_calls_many_libraries(rules: RuleSet) -> None:
    before = """\
#include <cublas_v2.h>
#include <cuda_fp16.h>
#include <cub/cub.cuh>
#include <thrust/system/cuda/execution_policy.h>
#if defined(__CUDACC__) && CUDA_VERSION >= 11000
__global__ void k(float4* x) { extern __shared__ char s[]; x[threadIdx.x] = make_float4(0, 0, 0, 0); }
void f(cudaStream_t stream, cublasHandle_t h, unsigned long long id, cudaStreamCaptureStatus status) {
  k<<<1, 32, 0, stream>>>(nullptr);
  cublasSetStream(h, stream);
  cudaStreamGetCaptureInfo(stream, &status, &id);
  thrust::sort(thrust::cuda::par.on(stream), a, b);
}
#endif
"""
    after = """\
#include <mublas.h>
#include <musa_fp16.h>
#include <cub/cub.cuh>
#include <thrust/system/musa/execution_policy.h>
#if defined(__MUSACC__) && MUSA_COMPAT_VERSION >= 11000
__global__ void k(float4* x) { extern __shared__ char s[]; x[threadIdx.x] = make_float4(0, 0, 0, 0); }
void f(musaStream_t stream, mublasHandle_t h, unsigned long long id, musaStreamCaptureStatus status) {
  k<<<1, 32, 0, stream>>>(nullptr);
  mublasSetStream(h, stream);
  musaStreamGetCaptureInfo(stream, &status, &id, nullptr, nullptr, nullptr);
  thrust::sort(thrust::musa::par.on(stream), a, b);
}
#endif
"""
    assert Rewriter(rules, {}).rewrite("x.cu", before.encode()).text == after


def test_guards_do_not_speak_of_cuda(rules: RuleSet) -> None:
    assert rules.profile.guards["CUDA_VERSION"].value == 11040
    assert not [g.macro for g in rules.profile.guards.values() if "CUDA" in g.macro]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_a_table_is_canonical(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    table = json.loads(text)
    assert table["area"] == path.stem
    assert re.search(r"github\.com/MooreThreads: .* [0-9a-f]{7}", table["source"])
    assert text == json.dumps(table, indent=1, ensure_ascii=False) + "\n"
    for rule in table["rules"]:
        assert list(rule["names"]) == sorted(rule["names"])


def test_every_area_has_a_file(names: Inventory) -> None:
    # CUTLASS is no library of CUDA's toolkit.
    others = {"target", "cutlass"}
    assert {path.stem for path in MUSA.glob("*.yaml")} - others == set(names.areas)


def test_the_script_reads_yaml_as_the_loader_does() -> None:
    hand = by_hand.read(MUSA)
    read: set[str] = set()
    for path in MUSA.glob("*.yaml"):
        for rule in document.read(path, path.name).data.get("rules", ()):
            alone = (rule.get("name"), rule.get("macro"), rule.get("qualified"))
            read.update(rule.get("names", ()), filter(None, alone))
            if "family" in rule:
                assert re.compile(rule["family"]) in hand.families
    assert hand.names == read


INVENTORY = {
    "cuda": "12.4",
    "areas": {
        "runtime": {
            "functions": [
                "cudaFree",
                "cudaHandMade",
                "cudaNew",
                "make_cudaPos",
                "usedHere",
                "wait",
            ],
            "types": ["lonely"],
            "macros": ["cudaOddName"],
        },
        "math": {"functions": ["cosf"]},
        "cub": {"types": ["DeviceScan", "DeviceCopy"]},
        "nccl": {"functions": ["ncclSend", "ncclCommSplit"]},
    },
    "namespaces": {"cooperative_groups": ["wait"]},
}
GENERAL = {
    "cudaFree": "musaFree",
    "cudaHandMade": "musaHandMade",
    "cudaOddName": "musaStrangeName",
    "make_cudaPos": "make_musaPos",
    "__nv_cosf": "__mt_cosf",
}
KERNEL = (
    '// lonely\n#include <musa.h>\nvoid f() { usedHere(); wait(); mcclSend(); log("lonely"); }\n'
)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Arguments of the script: small sources and mappings."""
    for name in import_musa.PROJECTS:
        (tmp_path / "sources" / name).mkdir(parents=True)
    table = tmp_path / "sources" / "torch_musa" / import_musa.TABLE
    table.parent.mkdir(parents=True)
    table.write_text(json.dumps(GENERAL))
    kernel = tmp_path / "sources" / "torch_musa" / "torch_musa" / "csrc" / "Kernel.mu"
    kernel.parent.mkdir(parents=True)
    kernel.write_text(KERNEL)
    header = tmp_path / "sources" / "muAlg" / "cub" / "device.cuh"
    header.parent.mkdir()
    header.write_text("struct DeviceScan {};\n")
    mappings = tmp_path / "mappings"
    (mappings / "musa").mkdir(parents=True)
    (mappings / "musa" / "runtime.yaml").write_text("rules:\n  - name: cudaHandMade\n")
    (mappings / "cuda").mkdir()
    (mappings / "cuda" / "inventory.json").write_text(json.dumps(INVENTORY))
    monkeypatch.setattr(import_musa, "BY_TABLE", ("runtime", "math"))
    monkeypatch.setattr(import_musa, "PORTS", {"cub": import_musa.PORTS["cub"]})
    return [str(tmp_path / "sources"), "--mappings", str(mappings)]


def rules_in(path: Path) -> list[dict[str, object]]:
    rules: list[dict[str, object]] = json.loads(path.read_text())["rules"]
    return rules


def test_the_script_decides_by_the_sources(small: list[str]) -> None:
    assert import_musa.main(small) == 0
    tables = Path(small[-1]) / "musa" / "tables"
    assert rules_in(tables / "runtime.json") == [
        {"names": ["cudaFree"], "rename": {"cuda": "musa"}},
        {"names": ["make_cudaPos"], "rename": {"make_cuda": "make_musa"}},
        {"names": {"cudaOddName": "musaStrangeName"}},
        {"names": ["usedHere"]},
        {
            "names": ["cudaNew"],
            "status": "unsupported",
            "note": "absent from the vendor's table (torch_musa 8b583b3)",
        },
        {
            "names": ["lonely", "wait"],
            "status": "unsupported",
            "note": "no public source of the vendor shows it",
        },
    ]
    assert rules_in(tables / "math.json") == [{"names": ["cosf"]}]
    assert [rule["names"] for rule in rules_in(tables / "cub.json")] == [
        ["DeviceScan"],
        ["DeviceCopy"],
    ]
    assert [rule["names"] for rule in rules_in(tables / "nccl.json")] == [
        ["ncclSend"],
        ["ncclCommSplit"],
    ]


def test_the_script_compares(small: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    old = Path(small[-1]) / "musa" / "tables" / "old.json"
    assert import_musa.main([*small, "--check"]) == 1
    assert "runtime.json: differs" in capsys.readouterr().err
    import_musa.main(small)
    assert import_musa.main([*small, "--check"]) == 0
    old.write_text("{}")
    assert import_musa.main([*small, "--check"]) == 1
    import_musa.main(small)
    assert not old.exists()


def test_the_script_says_what_is_missing(
    small: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert import_musa.main([str(tmp_path), *small[1:]]) == 4
    said = capsys.readouterr().err
    assert "lacks torch_musa (8b583b3), muAlg (5ffbaa4)" in said and "\n  help: " in said
    (Path(small[-1]) / "musa" / "runtime.yaml").write_text("rules: [")
    assert import_musa.main(small) == 3
    assert "runtime.yaml: " in capsys.readouterr().err
