"""Target simt: its mappings decide every name of CUDA, and specify its runtime."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from repository import ROOT

import simt_tables
from mapping_tables import command, inventory, simt_decisions, simt_plan
from mapping_tables.cpp_words import chains
from mapping_tables.errors import PlanError
from mapping_tables.inventory import Inventory
from mapping_tables.simt_decisions import Decisions
from porter.mapping.library import MappingLibrary

FOLDER = ROOT / "mappings" / "simt"
INVENTORY = json.loads((ROOT / "mappings" / "cuda" / "inventory.json").read_text("utf-8"))

BRANDS = re.compile(r"(?i)cuda|cublas|cudnn|cufft|curand|cusparse|cusolver|nvrtc|nvtx|nccl")
KEPT_NAMESPACES = ("cub::", "thrust::", "cooperative_groups::", "cuda::", "nvcuda")


PLAN = simt_plan.read(FOLDER / "plan.toml")
DECISIONS = simt_decisions.decide(PLAN, inventory.read(command.MAPPINGS))
PROFILE = yaml.safe_load((FOLDER / "target.yaml").read_text("utf-8"))


def _rules() -> list[tuple[str, dict[str, Any]]]:
    """(file, rule) of every mapping of the target."""
    files = MappingLibrary.find().rule_files("simt")
    return [
        (path.relative_to(FOLDER).as_posix(), rule)
        for layer, path in files
        if layer == "simt"
        for rule in yaml.load(path.read_text("utf-8"), Loader=yaml.CSafeLoader)["rules"]
    ]


RULES = _rules()


def _guard_macro(placeholder: re.Match[str]) -> str:
    return str(PROFILE["guards"][placeholder[1]]["macro"])


def _exact(rules: list[tuple[str, dict[str, Any]]]) -> list[tuple[str, str, str, str]]:
    """(name, replacement, status, file) for each name with an exact rule."""
    found = []
    for file, rule in rules:
        status = rule.get("status", "supported")
        for kind in ("name", "macro", "qualified"):
            if kind in rule:
                new = rule.get("replace", rule[kind])
                found.append(
                    (rule[kind], re.sub(r"{guard_(\w+)}", _guard_macro, new), status, file)
                )
        names = rule.get("names", ())
        for name in names:
            new = names[name] if isinstance(names, dict) else name
            found.append((name, new, status, file))
    return found


EXACT = _exact(RULES)
STATUS = {name: status for name, _, status, _ in EXACT}


def _inventory_names(area: str) -> set[str]:
    return {name for names in INVENTORY["areas"][area].values() for name in names}


def _guarded_for_all_targets() -> set[str]:
    """Compiler and version macros that mappings/pytorch renames to the macros in a profile's guards."""
    files = (ROOT / "mappings" / "pytorch").glob("*.yaml")
    documents = [yaml.safe_load(path.read_text("utf-8")) for path in files]
    rules = [rule for document in documents for rule in document.get("rules", [])]
    return {rule["macro"] for rule in rules if "macro" in rule and "{" in rule.get("replace", "")}


# -- completeness


def test_the_plan_decides_every_name_once() -> None:
    assert DECISIONS.problems == ()


def test_the_tables_are_what_the_plan_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert simt_tables.main(["--check"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize("area", sorted(INVENTORY["areas"]))
def test_every_name_is_classified(area: str) -> None:
    spaces: dict[str, list[str]] = {}
    for space, names in INVENTORY["namespaces"].items():
        for name in names:
            spaces.setdefault(name, []).append(f"{space}::{name}")
    families = [re.compile(rule["family"], re.ASCII) for _, rule in RULES if "family" in rule]
    elsewhere = _guarded_for_all_targets()
    unclassified = [
        name
        for name in _inventory_names(area) - elsewhere
        if name not in STATUS
        and not (name in spaces and all(full in STATUS for full in spaces[name]))
        and not any(family.fullmatch(name) for family in families)
    ]
    assert sorted(unclassified) == []


def test_no_name_is_decided_twice() -> None:
    files: dict[str, list[str]] = {}
    everywhere = [
        (file, rule) for file, rule in RULES if not rule.get("only_in") and not rule.get("not_in")
    ]
    for name, _, _, file in _exact(everywhere):
        files.setdefault(name, []).append(file)
    assert {name: found for name, found in files.items() if len(found) > 1} == {}


def test_what_is_lacking_has_a_reason() -> None:
    for file, rule in RULES:
        if rule.get("status", "supported") != "supported":
            assert len(rule["note"]) > 15, (file, rule)


def test_every_area_has_a_library() -> None:
    assert set(PROFILE["libraries"]) == set(INVENTORY["areas"])


# -- the contract


def test_new_names_are_identifiers_without_a_brand() -> None:
    for name, new, status, file in EXACT:
        if status == "supported" and not name.startswith(KEPT_NAMESPACES):
            assert re.fullmatch(r"[A-Za-z_]\w*", new), (file, name, new)
            assert not BRANDS.search(new), (file, name, new)


def test_two_names_become_one_only_when_they_are_one() -> None:
    sources: dict[str, set[str]] = {}
    for name, new, status, _ in EXACT:
        if status == "supported" and not new.endswith("_H"):  # include guards
            sources.setdefault(new, set()).add(name)
    aliases = {
        **{
            f"simtDevice{call}": {f"cudaDevice{call}", f"cudaThread{old}"}
            for old, call in [("Exit", "Reset"), ("Synchronize", "Synchronize")]
            + [
                (same, same)
                for same in ("GetCacheConfig", "SetCacheConfig", "GetLimit", "SetLimit")
            ]
        },
    }
    for new, names in sources.items():
        plain = {re.sub(r"_v[23](?=(_64)?$)", "", name) for name in names}
        assert len(plain) == 1 or aliases.get(new) == names, (new, names)


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("cudaMalloc", "simtMalloc"),
        ("cudaMemcpyHostToDevice", "simtMemcpyHostToDevice"),
        ("CUDA_R_16BF", "SIMT_R_16BF"),
        ("make_cudaExtent", "make_simtExtent"),
        ("make_float4", "make_float4"),
        ("__shfl_xor_sync", "__shfl_xor_sync"),
        ("CUdeviceptr", "simtDrvDeviceptr"),
        ("cuCtxGetCurrent", "simtDrvCtxGetCurrent"),
        ("CUDA_ERROR_OUT_OF_MEMORY", "SIMT_DRV_ERROR_OUT_OF_MEMORY"),
        ("cublasSgemm_v2", "simtblasSgemm"),
        ("CUBLAS_OP_N", "SIMTBLAS_OP_N"),
        ("cublasLtMatmul", "simtblasLtMatmul"),
        ("curand_uniform4", "simtrand_uniform4"),
        ("curand", "simtrand"),
        ("cuDoubleComplex", "simtDoubleComplex"),
        ("CUDART_PI_F", "SIMTRT_PI_F"),
        ("nvtxRangePushA", "simttxRangePushA"),
    ],
)
def test_names(name: str, new: str) -> None:
    assert [(got, status) for found, got, status, _ in EXACT if found == name] == [
        (new, "supported")
    ]


@pytest.mark.parametrize(
    "names",
    [
        "cudaMalloc cudaFree",
        "cudaMallocHost cudaHostAlloc cudaFreeHost",
        "cudaMallocAsync cudaMallocFromPoolAsync cudaFreeAsync",
        "cudaMallocManaged cudaMemPrefetchAsync cudaMemAdvise",
        "cudaHostRegister cudaHostUnregister",
        "cudaMemcpy cudaMemcpyAsync cudaMemcpy2D cudaMemcpy2DAsync cudaMemcpyPeer cudaMemcpyPeerAsync",
        "cudaMemcpyToSymbol cudaMemcpyFromSymbol cudaGetSymbolAddress cudaGetSymbolSize",
        "cudaMemset cudaMemsetAsync cudaMemset2D",
        "cudaStreamCreate cudaStreamCreateWithFlags cudaStreamDestroy cudaStreamQuery",
        "cudaEventCreate cudaEventRecord cudaEventElapsedTime cudaEventDestroy",
        "cudaStreamBeginCapture cudaStreamEndCapture cudaGraphInstantiate cudaGraphLaunch cudaGraphDestroy",
        "cudaDeviceEnablePeerAccess cudaDeviceDisablePeerAccess cudaDeviceCanAccessPeer",
        "cudaOccupancyMaxPotentialBlockSize cudaOccupancyMaxActiveBlocksPerMultiprocessor",
        "atomicAdd atomicCAS atomicExch atomicMin atomicMax atomicAdd_block",
        "__syncthreads __syncthreads_count __syncwarp __ballot_sync __match_any_sync __shfl_sync",
        "cooperative_groups::this_grid cooperative_groups::tiled_partition cooperative_groups::reduce",
        "__float2half __half2float __hadd2 __float2bfloat16 __nv_bfloat162",
        "cublasCreate cublasDestroy cublasSetStream cublasSgemm cublasSaxpy cublasSetMatrix",
        "curandCreateGenerator curandDestroyGenerator curandGenerateUniform curandGenerateNormal",
        "curand_init curand_uniform curand_normal2_double curandState curandStatePhilox4_32_10_t",
        "thrust::device_vector thrust::sort thrust::reduce thrust::cuda::par thrust::raw_pointer_cast",
        "cub::BlockReduce cub::WarpScan cub::DeviceRadixSort cub::DeviceScan::ExclusiveSum",
        "rsqrtf norm3d erfcinvf sincospi cyl_bessel_i0 fma",
    ],
)
def test_what_belongs_together_is_there_together(names: str) -> None:
    assert {
        name: STATUS.get(name) for name in names.split() if STATUS.get(name) != "supported"
    } == {}


@pytest.mark.parametrize(
    "prefix",
    [
        "cudaError[A-Z]", "cudaDevAttr", "cudaMemoryType[A-Z]", "cudaLimit[A-Z]", "cudaStreamCapture(Mode|Status)",
        "cudaMemPoolAttr[A-Z]", "cudaFuncAttribute[A-Z]", "cudaGraphNodeType[A-Z]", "CUDA_[RC]_", "CUDA_ERROR_",
        "CUBLAS_STATUS_", "CUBLAS_COMPUTE_", "CUBLASLT_EPILOGUE_", "CUBLASLT_MATMUL_DESC_", "CURAND_STATUS_",
        "CURAND_RNG_", "CUSPARSE_STATUS_", "CUSOLVER_STATUS_",
    ],
)  # fmt: skip
def test_an_enumeration_is_there_whole(prefix: str) -> None:
    names = {
        name
        for kinds in INVENTORY["areas"].values()
        for name in kinds["enumerators"]
        if re.match(prefix, name)
    }
    assert len(names) > 3
    assert {STATUS[name] for name in names} == {"supported"}


HEADERS = """
cuda.h cuda_runtime.h cuda_runtime_api.h cuda_fp16.h cuda_bf16.h cuda_fp8.h cuComplex.h
cuda_profiler_api.h vector_types.h library_types.h math_constants.h cooperative_groups.h
cooperative_groups/reduce.h device_launch_parameters.h sm_30_intrinsics.h cublas_v2.h
cublasLt.h curand.h curand_kernel.h curand_philox4x32_x.h cusparse.h cusolverDn.h
cusolver_common.h cufft.h cufftXt.h cudalibxt.h nvToolsExt.h nvtx3/nvtx3.hpp cub/cub.cuh cub/block/block_reduce.cuh
thrust/sort.h thrust/system/cuda/execution_policy.h
mma.h cuda_pipeline.h cuda_awbarrier_primitives.h cooperative_groups/memcpy_async.h cuda/barrier cuda/std/tuple
"""


@pytest.mark.parametrize("header", HEADERS.split())
def test_headers(header: str) -> None:
    assert _include(header).get("status", "supported") == "supported"
    new = _include(header).get("replace", header)
    assert new.startswith(("simt", "cub/", "thrust/", "cuda/"))


@pytest.mark.parametrize(
    "header",
    [
        "cufftw.h",
        "cudnn.h",
        "npp.h",
        "cupti_pcsampling.h",
        "cuda/std/mdspan",
    ],
)
def test_headers_that_are_not_there(header: str) -> None:
    assert _include(header)["status"] in ("unsupported", "todo")


def _include(header: str) -> dict[str, Any]:
    """Rule that decides an include: files by name, rules in order, first match."""
    for _, rule in RULES:
        pattern = rule.get("include")
        if pattern and re.fullmatch("(.*)".join(map(re.escape, pattern.split("*"))), header):
            return rule
    raise AssertionError(f"no rule for {header}")


# -- profile and templates


def test_guards_have_own_macros_and_cudas_numbers() -> None:
    guards = PROFILE["guards"]
    for name, guard in guards.items():
        assert not BRANDS.search(guard["macro"]), name
    assert guards["CUDA_VERSION"]["value"] == 12040
    assert guards["__CUDA_ARCH__"]["value"] == 700
    assert f"-D{guards['__CUDA_ARCH__']['macro']}=700" in PROFILE["compiler"]["flags"]


def _template(kind: str) -> str:
    (template,) = [rule[kind] for _, rule in RULES if kind in rule]
    assert isinstance(template, str)
    return template


PROGRAM = r"""
#include <cstdio>
#include <type_traits>

namespace runtime {
alignas(1024) char pool[4096];
template <class T> T (&dynamic_shared())[] { return *reinterpret_cast<T (*)[]>(pool); }
struct Dim { Dim(unsigned x = 1, unsigned y = 1) : x(x), y(y) {} unsigned x, y; };
template <class F> void launch(Dim grid, Dim block, unsigned long, void *, F f) {
  for (unsigned i = 0; i < grid.x * grid.y * block.x; ++i) f();
}
}
#define SIMT_DYNAMIC_SHARED(...) (::runtime::dynamic_shared<__VA_ARGS__>())
#define SIMT_LAUNCH(kernel, grid, block, shmem, stream, ...) \
  ::runtime::launch(grid, block, shmem, stream, [=] { kernel(__VA_ARGS__); })

template <class A, class B> struct Pair { A a; B b; };
int launches = 0;

template <class T, int N> void fill(T value) {
  @PAIRS@;
  @BYTES@;
  pairs[1].a = value;
  auto *first = reinterpret_cast<Pair<T, int> *>(&bytes);  // as PyTorch's layer_norm does
  if ((void *)first == (void *)pairs && first[1].a == value) launches += N;
}
void nothing() { ++launches; }

int main() {
  @FILL@;
  @NOTHING@;
  std::printf("%d\n", launches);
}
"""


@pytest.mark.skipif(not shutil.which("g++"), reason="needs g++")
def test_launches_and_shared_memory_are_valid_cpp(tmp_path: Path) -> None:
    shared, launch = _template("dynamic_shared").replace("{scope}", ""), _template("launch")
    values = {
        "PAIRS": shared.replace("{type}", "Pair<T, int>").replace("{name}", "pairs"),
        "BYTES": shared.replace("{type}", "unsigned char").replace("{name}", "bytes"),
    }
    for name, kernel, args in (
        ("FILL", "fill<float, 3>", ", 2.5f"),
        ("NOTHING", "nothing", ""),
    ):
        fields = {"kernel": kernel, "grid": "runtime::Dim(2, 2)", "block": "5", "shmem": "0"}
        text = launch.replace("{,args}", args).replace("{stream}", "nullptr")
        for field, value in fields.items():
            text = text.replace(f"{{{field}}}", value)
        values[name] = text
    program = PROGRAM
    for name, value in values.items():
        program = program.replace(f"@{name}@", value)
    source = tmp_path / "program.cpp"
    source.write_text(program, "utf-8")
    flags = ["-std=c++17", "-Wall", "-Werror"]
    subprocess.run(["g++", *flags, "-o", tmp_path / "program", source], check=True)
    out = subprocess.run([tmp_path / "program"], capture_output=True, text=True, check=True)
    assert out.stdout == "80\n"  # 20 threads of each kernel, 3 + 1 a thread


# -- the script


def _decide(plan: str, names: list[str], tmp_path: Path) -> Decisions:
    path = tmp_path / "plan.toml"
    path.write_text(plan, "utf-8")
    areas = {"runtime": {"functions": tuple(names)}, "thrust": {"functions": ("sort",)}}
    known = Inventory("12.4", areas, namespaces={"thrust": ("sort",)})
    return simt_decisions.decide(simt_plan.read(path), known)


SMALL = """
absent = []
by_hand = ["cudaOdd"]
[area.runtime]
rename = [['cuda(\\w)(\\w*)', 'simt\\^1\\2']]
[[area.runtime.group]]
names = ['cuda(malloc|Free)', 'cudaOld']
[area.thrust]
[namespace.thrust]
area = "thrust"
[[namespace.thrust.group]]
names = ['\\w+']
"""


def test_a_plan_decides(tmp_path: Path) -> None:
    names = ["cudaFree", "cudaOdd", "cudaOld", "cudamalloc"]
    decisions = _decide(SMALL, names, tmp_path)
    assert decisions.problems == ()
    assert {d.name: d.target for d in decisions.decided} == {
        "cudaFree": "simtFree",
        "cudaOld": "simtOld",
        "cudamalloc": "simtMalloc",
        "thrust::sort": "thrust::sort",
    }


def test_a_new_name_and_a_dead_pattern_are_errors(tmp_path: Path) -> None:
    decisions = _decide(SMALL, ["cudaFree", "cudaNew", "cudaOdd"], tmp_path)
    assert decisions.problems == (
        "cudaNew (runtime): no group of the plan matches",
        "area.runtime group 1: 'cudaOld' decides no name",
    )


def test_two_names_that_become_one_are_an_error(tmp_path: Path) -> None:
    names = ["cudaFree", "cudaMalloc", "cudaOdd", "cudaOld", "cudamalloc"]
    plan = SMALL.replace("'cuda(malloc|Free)'", "'cuda(malloc|Malloc|Free)'")
    problems = _decide(plan, names, tmp_path).problems
    assert problems == ("simtMalloc: the new name of cudaMalloc and of cudamalloc",)


def test_a_bad_expression_is_named(tmp_path: Path) -> None:
    with pytest.raises(PlanError, match=r"area\.runtime: 'cuda\(' is no regular"):
        _decide(SMALL.replace("'cudaOld'", "'cuda('"), [], tmp_path)


def test_words_leave_out_comments_literals_and_includes() -> None:
    text = '#include <cuda.h>\ncub::Sum /* cudaA */ x = f("cudaB"); // cudaC\ncudaD\n::  e;'
    assert chains(text) == {
        "cub", "Sum", "cub::Sum", "x", "f", "cudaD", "e", "cudaD::e",
    }  # fmt: skip


# -- PyTorch


@pytest.mark.release
def test_pytorch_finds_what_it_uses(release_tree: Path) -> None:
    absent = {"dnn", "nccl", "sparselt"}
    lacking = {
        d.name for d, _ in simt_tables.left_out(DECISIONS, release_tree) if d.area not in absent
    }
    # The tensor memory accelerator, which RowwiseScaledMM.cu needs beside cutlass.
    assert {name for name in lacking if not re.match(r"cuTensorMap|CUtensorMap", name)} == set()
