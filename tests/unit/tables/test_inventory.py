"""The committed table of CUDA's names, and the function that reads names from a header."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT

import cuda_inventory
from mapping_tables import cuda_headers, cuda_rules
from mapping_tables.cuda_rules import Name

KINDS = ["functions", "types", "enumerators", "variables", "macros"]

# area -> (known names, the least number of names that an area of CUDA 12.4 can have)
KNOWN: dict[str, tuple[dict[str, str], int]] = {
    "runtime": (
        {
            "functions": "cudaMalloc cudaMemcpyAsync cudaLaunchKernel cudaMemcpyToSymbol "
            "make_float4 cudaProfilerStart cudaOccupancyMaxPotentialBlockSize",
            "types": "cudaStream_t cudaError_t cudaDeviceProp float4 dim3 cudaDataType",
            "enumerators": "cudaErrorMemoryAllocation cudaSuccess CUDA_R_16BF",
            "macros": "CUDART_VERSION cudaStreamNonBlocking cudaStreamPerThread",
        },
        1500,
    ),
    "driver": (
        {
            "functions": "cuLaunchKernel cuMemAlloc_v2 cuMemAlloc cuGetProcAddress_v2",
            "types": "CUdeviceptr CUcontext CUstream_st PFN_cuInit_v2000",
            "enumerators": "CUDA_SUCCESS CU_DEVICE_ATTRIBUTE_WARP_SIZE",
            "macros": "CUDA_VERSION CU_TRSF_READ_AS_INTEGER PFN_cuInit",
        },
        3000,
    ),
    "blas": (
        {
            "functions": "cublasSgemm_v2 cublasSgemm cublasGemmEx cublasSgemm_v2_64 cublasXtSgemm",
            "types": "cublasHandle_t",
            "enumerators": "CUBLAS_STATUS_SUCCESS CUBLAS_OP_N",
            "macros": "CUBLAS_VERSION cublasCreate",
        },
        900,
    ),
    "blaslt": (
        {
            "functions": "cublasLtMatmul",
            "types": "cublasLtMatmulAlgo_t",
            "enumerators": "CUBLASLT_EPILOGUE_RELU_BIAS",
        },
        300,
    ),
    "dnn": (
        {
            "functions": "cudnnConvolutionForward cudnnBackendExecute cudnnRNNForward",
            "types": "cudnnTensorDescriptor_t",
            "enumerators": "CUDNN_STATUS_SUCCESS CUDNN_DATA_BFLOAT16",
            "macros": "CUDNN_VERSION",
        },
        1000,
    ),
    "rand": ({"functions": "curandGenerateUniform", "types": "curandGenerator_t"}, 100),
    "rand_device": (
        {
            "functions": "curand_uniform4 curand_init curand_normal4 curand4",
            "types": "curandStatePhilox4_32_10_t curandState",
        },
        80,
    ),
    "fft": ({"functions": "cufftExecC2C cufftXtExec", "types": "cufftHandle"}, 150),
    "sparse": ({"functions": "cusparseSpMM", "types": "cusparseSpMatDescr_t"}, 600),
    "sparselt": ({"functions": "cusparseLtMatmul", "types": "cusparseLtHandle_t"}, 70),
    "solver": ({"functions": "cusolverDnSgetrf cusolverDnXsyevd", "types": "syevjInfo_t"}, 700),
    "nccl": ({"functions": "ncclAllReduce", "types": "ncclComm_t", "macros": "NCCL_MAJOR"}, 110),
    "nvrtc": ({"functions": "nvrtcCompileProgram nvrtcGetTypeName"}, 35),
    "nvjitlink": ({"functions": "nvJitLinkCreate"}, 40),
    "cupti": ({"functions": "cuptiActivityEnable", "types": "CUpti_ActivityKernel9"}, 4500),
    "nvtx": ({"functions": "nvtxRangePushA nvtxMarkA", "macros": "nvtxRangePush"}, 180),
    "npp": ({"functions": "nppiResize_8u_C1R", "types": "NppiSize"}, 12000),
    "math": (
        {
            "functions": "rsqrtf max fma expf isnan cuCmul",
            "types": "cuComplex",
            "macros": "CUDART_INF_F CUDART_PI",
        },
        280,
    ),
    "intrinsics": (
        {
            "functions": "__shfl_xor_sync __shfl atomicAdd atomicCAS_system __syncthreads __expf "
            "__ldg __float2half __hadd2 __nv_cvt_float_to_fp8 this_thread_block tiled_partition "
            "load_matrix_sync memcpy_async tex2D __ballot_sync __syncwarp clock64",
            "types": "__half __nv_bfloat16 __nv_fp8_e4m3 thread_block fragment atomic thread_scope",
            "enumerators": "thread_scope_device __NV_SATFINITE",
            "variables": "threadIdx blockIdx blockDim gridDim warpSize",
            "macros": "__launch_bounds__ __global__ __shared__ __CUDA_ARCH__ NV_IF_TARGET",
        },
        1000,
    ),
    "cub": (
        {
            "types": "DeviceReduce BlockReduce WarpScan DoubleBuffer DeviceRadixSort",
            "functions": "ShuffleDown LaneId SortPairs InclusiveSum",
            "enumerators": "BLOCK_REDUCE_WARP_REDUCTIONS",
            "macros": "CUB_VERSION CUB_NS_QUALIFIER",
        },
        320,
    ),
    "thrust": (
        {
            "functions": "sort_by_key unique_by_key make_zip_iterator raw_pointer_cast",
            "types": "device_ptr counting_iterator tuple device_vector",
            "variables": "par device seq",
            "macros": "THRUST_VERSION",
        },
        550,
    ),
}


@pytest.fixture(scope="module")
def table() -> dict[str, Any]:
    path = ROOT / "mappings" / "cuda" / "inventory.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def test_header_of_the_table(table: dict[str, Any]) -> None:
    assert (table["schema"], table["cuda"]) == (1, "12.4")
    assert table["source"]["nvidia-cuda-runtime-cu12"] == "12.4.127"
    assert list(table) == ["schema", "cuda", "source", "areas", "namespaces"]


def test_areas_and_kinds(table: dict[str, Any]) -> None:
    assert table["areas"].keys() == KNOWN.keys()
    for area, kinds in table["areas"].items():
        assert list(kinds) == KINDS, area


@pytest.mark.parametrize("area", KNOWN)
def test_known_names(table: dict[str, Any], area: str) -> None:
    known, least = KNOWN[area]
    for kind, names in known.items():
        assert set(names.split()) - set(table["areas"][area][kind]) == set(), (area, kind)
    assert sum(map(len, table["areas"][area].values())) >= least


def test_lists_are_sorted_and_unique(table: dict[str, Any]) -> None:
    lists = {(a, k): names for a, kinds in table["areas"].items() for k, names in kinds.items()}
    lists |= {("namespaces", n): names for n, names in table["namespaces"].items()}
    for where, names in lists.items():
        assert names == sorted(set(names)), where
    assert list(table["namespaces"]) == sorted(table["namespaces"])


def test_no_name_stands_twice(table: dict[str, Any]) -> None:
    places: dict[str, tuple[str, str]] = {}
    for area, kinds in table["areas"].items():
        for kind, names in kinds.items():
            for name in names:
                assert name.isidentifier(), name
                assert name not in places, (name, places[name], (area, kind))
                places[name] = (area, kind)
    assert {name for names in table["namespaces"].values() for name in names} <= places.keys()


def test_names_that_need_their_namespace(table: dict[str, Any]) -> None:
    namespaces = table["namespaces"]
    assert "sort_by_key" in namespaces["thrust"]
    assert "DeviceReduce" in namespaces["cub"]
    assert "SortPairs" in namespaces["cub::DeviceRadixSort"]
    assert "this_thread_block" in namespaces["cooperative_groups"]
    assert "fragment" in namespaces["nvcuda::wmma"]
    assert "par" in namespaces["thrust::cuda"]
    # Both `max` and `thrust::max` exist, so a bare `max` is CUDA's.
    assert not any("max" in names for names in namespaces.values())


def test_plumbing_is_left_out(table: dict[str, Any]) -> None:
    every = {n for kinds in table["areas"].values() for names in kinds.values() for n in names}
    for name in (
        "__CUDA_INCLUDE_COMPILER_INTERNAL_HEADERS__",
        "_CG_BEGIN_NAMESPACE",
        "__cudaPushCallConfiguration",
        "__internal_device_hadd",
        "__iAtomicAdd",
        "_curand_uniform",
        "printf",
        "any",
        "CUBLAS_V2_H_",
    ):
        assert name not in every


def test_the_table_is_written_as_the_script_writes_it(table: dict[str, Any]) -> None:
    text = (ROOT / "mappings" / "cuda" / "inventory.json").read_text(encoding="utf-8")
    assert text == json.dumps(table, indent=1) + "\n"


def test_the_rules_and_the_table_agree(table: dict[str, Any]) -> None:
    rules = cuda_rules.RULES
    assert table["source"] == rules["pins"]
    assert list(table["areas"]) == rules["areas"]
    assert {rule.get("area") for rule in rules["headers"]} - {None} == set(rules["areas"])
    for rule in rules["headers"]:
        assert ("area" in rule) != ("why" in rule), rule
    for rule in rules["not_api"]:
        assert rule["why"], rule
    for rule in rules["built_in"]:
        listed = table["areas"][rule["area"]][rule["kind"]]
        assert set(rule["names"]) <= set(listed), rule
    for unit in rules["units"].values():
        assert set(unit["modes"]) <= rules["modes"].keys()


def test_areas_of_headers() -> None:
    assert cuda_rules.area_of("cuda_runtime/cuda_runtime_api.h") == "runtime"
    assert cuda_rules.area_of("cuda_runtime/cuda.h") == "driver"
    assert cuda_rules.area_of("cuda_runtime/cooperative_groups/details/info.h") == "intrinsics"
    assert cuda_rules.area_of("cublas/cublasLt.h") == "blaslt"
    assert cuda_rules.area_of("cuda_cccl/cub/agent/agent_reduce.cuh") is None


HEADER = """
#define DEMO_VERSION 3
#define demoTwice(x) demoTwice_v2(x)
#define DEMO_H_
extern "C" {
  struct demoHandle_st;
  typedef struct demoHandle_st *demoHandle_t;
  enum demoStatus { DEMO_OK = 0, DEMO_BAD };
  typedef enum { DEMO_LATE } demoPlan_t;
  int demoTwice_v2(int);
  inline int demoInline() { return undeclared_builtin(); }
}
extern int demoCounter;
template <typename T> T demoMax(T a, T b);
struct demoBox { int field; void method(); demoBox operator+(const demoBox &) const; };
demoBox operator-(demoBox, demoBox);
enum class demoScoped { inner };
namespace cub {
  inline namespace V_300 { template <typename T> struct DeviceDemo; }
  struct DeviceSet { static int Run(); template <typename T> static int Each(T); int method(); };
  struct Other { static int not_listed(); };
  namespace detail { void hidden(); }
  namespace { int unnamed(); }
}
namespace thrust { using cub::DeviceDemo; using ::demoTwice_v2; using ::DEMO_OK; }
"""


@pytest.fixture(scope="module")
def demo() -> list[Any]:
    if cuda_headers.clang is None:
        pytest.skip("libclang is not installed: pip install libclang")
    unit = cuda_headers.parse(HEADER, ["UNUSED"])
    # Bodies are skipped, so the unknown builtin is no error.
    assert cuda_headers.complaints(unit) == []
    headers = {"inventory.cpp": "nccl/demo.h"}
    return list(cuda_headers.names_of(unit, headers.get))


def test_names_of_a_header(demo: list[Any]) -> None:
    # As a set: libclang gives demoPlan_t twice, as the enum's own name and as the typedef.
    assert {(entry.kind, entry.namespace, entry.name) for entry in demo} == (
        {
            ("macros", "", "DEMO_VERSION"),
            ("macros", "", "demoTwice"),
            ("macros", "", "DEMO_H_"),
            ("types", "", "demoHandle_st"),
            ("types", "", "demoHandle_t"),
            ("types", "", "demoStatus"),
            ("enumerators", "", "DEMO_OK"),
            ("enumerators", "", "DEMO_BAD"),
            ("enumerators", "", "DEMO_LATE"),
            ("types", "", "demoPlan_t"),
            ("functions", "", "demoTwice_v2"),
            ("functions", "", "demoInline"),
            ("variables", "", "demoCounter"),
            ("functions", "", "demoMax"),
            ("types", "", "demoBox"),
            ("types", "", "demoScoped"),
            ("types", "cub", "DeviceDemo"),
            ("types", "cub", "DeviceSet"),
            ("types", "cub", "Other"),
            ("functions", "cub::DeviceSet", "Run"),
            ("functions", "cub::DeviceSet", "Each"),
            ("functions", "cub", "unnamed"),
            ("types", "thrust", "DeviceDemo"),
            ("functions", "thrust", "demoTwice_v2"),
            ("enumerators", "thrust", "DEMO_OK"),
        }
    )
    assert {entry.area for entry in demo} == {"nccl"}
    assert [entry.name for entry in demo if not entry.defined and entry.namespace == ""] == [
        "demoHandle_st",
        "demoCounter",
    ]


def test_names_become_a_table(demo: list[Any]) -> None:
    table = cuda_inventory.table_of(demo)
    nccl = table["areas"]["nccl"]
    assert nccl["macros"] == ["DEMO_VERSION", "demoTwice"]  # the include guard is left out
    assert table["namespaces"] == {
        "cub": ["DeviceDemo", "DeviceSet", "Other", "unnamed"],
        "cub::DeviceSet": ["Each", "Run"],
        "thrust": ["DeviceDemo"],  # the others are global too
    }
    assert cuda_inventory.difference(table, table) == ["only its layout differs"]
    fewer = json.loads(json.dumps(table))
    fewer["areas"]["nccl"]["macros"].remove("demoTwice")
    assert cuda_inventory.difference(fewer, table) == ["nccl macros: +1 (demoTwice)"]


def test_one_name_in_several_headers() -> None:
    def area(*entries: tuple[str, str, str, bool]) -> tuple[str, str]:
        made = cuda_inventory.table_of(Name("demo", *entry) for entry in entries)
        ((where, kind),) = [
            (a, k) for a, kinds in made["areas"].items() for k, names in kinds.items() if names
        ]
        return where, kind

    # kind, area, namespace, defined
    assert area(("types", "cupti", "", False), ("types", "nvtx", "", True)) == ("nvtx", "types")
    assert area(("types", "nvtx", "", True), ("types", "cupti", "", True)) == ("cupti", "types")
    assert area(("functions", "math", "thrust", True), ("functions", "thrust", "", True)) == (
        "thrust",
        "functions",
    )
    assert area(("macros", "blas", "", True), ("functions", "blas", "", True)) == (
        "blas",
        "functions",
    )


def test_missing_inputs_are_said(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cuda_headers, "clang", object())  # neither case comes as far as parsing
    for option, message in (("--headers", "no headers of"), ("--wheels", "no wheel of")):
        assert cuda_inventory.main([option, str(tmp_path), "--check"]) == 4
        said = capsys.readouterr().err
        assert message in said and "\n  help: " in said
