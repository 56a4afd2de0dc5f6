"""Make the tables of target hip, `mappings/hip/tables/*.json`, from public facts.

    python build_scripts/import_hipify.py ROCM --mappings mappings

ROCM is a folder of git clones under their projects' names: HIPIFY, whose tables say which HIP name
stands for which CUDA name, and the projects of `HEADERS`, whose headers say which names ROCm has.
Only committed files are read (`HEAD`), so bare clones do. Each table names its commits.

A CUDA name is supported when HIPIFY gives it a ROCm name that a header has; or, where HIPIFY is
silent or behind, when a header has the name that the library's own spelling of CUDA's leads to.
Every other name of the inventory and of HIPIFY's tables is unsupported, with the reason. Names that
`mappings/hip/*.yaml` treat by hand are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

_HIP = (("HIP", r"include/hip/"), ("clr", r"hipamd/include/hip/"))

HEADERS: dict[str, tuple[tuple[str, str], ...]] = {
    "runtime": _HIP,
    "driver": _HIP,
    "math": _HIP,
    "intrinsics": _HIP,
    "blas": (("hipBLAS", r"library/include/"), ("hipBLAS-common", r"library/include/")),
    "blaslt": (
        ("hipBLASLt", r"library/include/hipblaslt\.h"),
        ("hipBLAS-common", r"library/include/"),
    ),
    "dnn": (("MIOpen", r"include/miopen/miopen\.h"),),
    "rand": (("hipRAND", r"library/include/hiprand/hiprand(_rocm)?\.h"),),
    "rand_device": (
        ("hipRAND", r"library/include/hiprand/hiprand_(kernel|kernel_rocm|mtgp32_host)\.h"),
        ("rocRAND", r"library/include/rocrand/rocrand_(?!.*precomputed)\w+\.h"),
    ),
    "fft": (("hipFFT", r"library/include/hipfft/"),),
    "sparse": (("hipSPARSE", r"library/include/"),),
    "sparselt": (("hipSPARSELt", r"library/include/"),),
    "solver": (("hipSOLVER", r"library/include/"),),
    "nccl": (("rccl", r"src/nccl\.h\.in|src/include/nccl_net\.h"),),
    "nvrtc": (("HIP", r"include/hip/hiprtc\.h"),),
    "nvtx": (("roctracer", r"inc/roctx\.h"),),
    "cub": (("hipCUB", r"hipcub/include/hipcub/(?!backend/cub/)"),),
    "thrust": (("rocThrust", r"thrust/(?!cmake|system/(cuda|tbb|omp)/)"),),
}
"""Area -> project and regular expression for the paths of the headers that declare its ROCm names."""

WITHOUT_TABLE = ("cupti", "npp", "nvjitlink")
"""Areas without a ROCm library: their YAML files say so for whole families."""

LIBRARY_OF_AREA = {
    "runtime": "HIP", "driver": "HIP", "math": "HIP", "intrinsics": "HIP", "blas": "hipBLAS",
    "blaslt": "hipBLASLt", "dnn": "MIOpen", "rand": "hipRAND", "rand_device": "hipRAND",
    "fft": "hipFFT", "sparse": "hipSPARSE", "sparselt": "hipSPARSELt", "solver": "hipSOLVER",
    "nccl": "RCCL", "nvrtc": "hipRTC", "nvtx": "ROC-TX", "cub": "hipCUB", "thrust": "rocThrust",
}  # fmt: skip

SPELLINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "runtime": ((r"cuda", "hip"), (r"CUDA_", "HIP_")),
    "intrinsics": (
        (r"__nv_", "__hip_"),
        (r"__NV_", "__HIP_"),
        (r"__CUDA_", "__HIP_"),
        (r"__CUDACC_", "__HIPCC_"),
        (r"CUDART_", "HIPRT_"),
        (r"", ""),
    ),
    "math": ((r"", ""),),
    "blas": ((r"cublas", "hipblas"), (r"CUBLAS", "HIPBLAS")),
    "blaslt": ((r"cublasLt", "hipblasLt"), (r"CUBLASLT", "HIPBLASLT")),
    "rand": ((r"curand", "hiprand"), (r"CURAND", "HIPRAND")),
    "rand_device": ((r"curand", "hiprand"), (r"(?=skipahead|blockDim|threadIdx)", "")),
    "fft": ((r"cufft", "hipfft"), (r"CUFFT", "HIPFFT"), (r"cuda(?=\w*Xt)", "hip")),
    "sparse": ((r"cusparse", "hipsparse"), (r"CUSPARSE", "HIPSPARSE")),
    "sparselt": (
        (r"cusparseLt", "hipsparseLt"),
        (r"cusparseLt", "hipsparselt"),
        (r"CUSPARSELT_", "HIPSPARSELT_"),
        (r"CUSPARSE_(?=COMPUTE)", "HIPSPARSELT_"),
    ),
    "solver": ((r"cusolver", "hipsolver"), (r"CUSOLVER", "HIPSOLVER")),
    "nccl": ((r"", ""),),
    "nvrtc": ((r"nvrtc", "hiprtc"), (r"NVRTC", "HIPRTC")),
    "nvtx": ((r"nvtx", "roctx"),),
    "cub": ((r"CUB_", "HIPCUB_"), (r"", "")),
    "thrust": ((r"", ""),),
}
"""Area -> prefix of CUDA's names (a regular expression) and what stands in its place.

The first that gives a name of a header is taken. None for the driver: `cuX` and `hipX` of one X
often take other arguments.
"""

_MASKED = "HIP declares it under HIP_ENABLE_WARP_SYNC_BUILTINS only, and for 64-bit masks"
_BARRIER = "HIP's batched memory operations have no barrier"
_TYPE = "HIP has an enumerator of this name, not the type"
# MIOpen's functions of one purpose with cuDNN's and other parameters: cuDNN 9.1.0 against miopen.h.
_FIND = "MIOpen asks for a Find call for the problem first, and orders the arguments otherwise"
_POOLING = "MIOpen's pooling descriptor has no NaN option"
_DROPOUT = "MIOpen's dropout descriptor also holds mask, state evolution and generator"
_NOISE = "MIOpen's dropout takes a noise shape as well"
_CTC = "MIOpen's CTC descriptor also holds the blank label and whether softmax is applied"
_RNN = "MIOpen's RNN descriptor is set and read without the handle"

OTHER_MEANING: dict[str, str] = {
    "__activemask": _MASKED,
    "__all_sync": _MASKED,
    "__any_sync": _MASKED,
    "__ballot_sync": _MASKED,
    "__match_all_sync": _MASKED,
    "__match_any_sync": _MASKED,
    "__shfl_sync": _MASKED,
    "__shfl_up_sync": _MASKED,
    "__shfl_down_sync": _MASKED,
    "__shfl_xor_sync": _MASKED,
    "CUstreamMemoryBarrier_flags": _BARRIER,
    "CUstreamMemoryBarrier_flags_enum": _BARRIER,
    "CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS": _TYPE,
    "CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS_enum": _TYPE,
    "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS": _TYPE,
    "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_st": _TYPE,
    "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS_v1": _TYPE,
    "Equals": "hipCUB has no counterpart",
    "cublasLtGetVersion": "hipblasLtGetVersion takes a handle and an address for the result",
    "cusparseSpSM_solve": "hipsparseSpSM_solve takes the external buffer as well",
    "cudnnConvolutionForward": _FIND,
    "cudnnConvolutionBackwardData": _FIND,
    "cudnnGetConvolutionForwardWorkspaceSize": _FIND,
    "cudnnGetConvolutionBackwardDataWorkspaceSize": _FIND,
    "cudnnFindConvolutionForwardAlgorithmEx": _FIND,
    "cudnnGetPooling2dDescriptor": _POOLING,
    "cudnnGetPoolingNdDescriptor": _POOLING,
    "cudnnSetPooling2dDescriptor": _POOLING,
    "cudnnSetPoolingNdDescriptor": _POOLING,
    "cudnnGetDropoutDescriptor": _DROPOUT,
    "cudnnSetDropoutDescriptor": _DROPOUT,
    "cudnnRestoreDropoutDescriptor": _DROPOUT,
    "cudnnDropoutForward": _NOISE,
    "cudnnDropoutBackward": _NOISE,
    "cudnnGetCTCLossDescriptor": _CTC,
    "cudnnSetCTCLossDescriptor": _CTC,
    "cudnnGetLRNDescriptor": "MIOpen's LRN descriptor also holds the mode",
    "cudnnSetLRNDescriptor": "MIOpen's LRN descriptor also holds the mode",
    "cudnnGetRNNDescriptor": _RNN,
    "cudnnGetRNNDescriptor_v6": _RNN,
    "cudnnSetRNNDescriptor_v6": _RNN,
    "cudnnRNNBackwardWeights": "MIOpen's takes the workspace in another place",
    "cudnnSoftmaxForward": "MIOpen's takes algorithm and mode last; calls are rewritten",
    "cudnnSoftmaxBackward": "MIOpen's takes algorithm and mode last; calls are rewritten",
}
"""Names whose ROCm namesake is something else, and what the difference is."""

_HIP_AREAS = ("runtime", "driver")
_OCCUPANCY = "cuda_occupancy.h computes with the resources of NVIDIA's devices"
_ROUNDING = "HIP's compiler declares it with OCML_BASIC_ROUNDED_OPERATIONS only"
_SIMD = "HIP has no video instructions on packed integers"
_DEVICE_LAUNCH = "HIP has no launches, and no updates of graphs, from device code"
_TEXT = "ROC-TX takes a plain C string only"

REASONS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("driver",), r"^PFN_", "function pointer types of cudaTypedefs.h: HIP has no such header"),
    (_HIP_AREAS, r"_pt(sz|ds)$", "CUDA's headers choose these entry points; HIP's end in _spt"),
    (_HIP_AREAS, r"(?i)egl", "HIP has no EGL interoperability"),
    (_HIP_AREAS, r"(?i)vdpau", "HIP has no VDPAU interoperability"),
    (_HIP_AREAS, r"(?i)d3d(9|1[012])", "HIP has no such Direct3D interoperability"),
    (_HIP_AREAS, r"(?i)nvsci", "NvSci is NVIDIA's own"),
    (_HIP_AREAS, r"^(cu|cuda|CU)W?GL", "HIP has no counterpart of this OpenGL interface"),
    (("runtime",), r"(?i)cudaocc|_OCC_|OCC_LIMIT|PARTITIONED_GC|SHAREDMEM_CARV", _OCCUPANCY),
    (("runtime",), r"CACHE_PREFER|FUNC_SHMEM", _OCCUPANCY),
    (_HIP_AREAS, r"(?i)tensor_?map", "AMD devices have no tensor maps"),
    (_HIP_AREAS, r"(?i)multicast", "HIP has no multicast objects"),
    (_HIP_AREAS, r"(?i)green_?ctx|dev_?resource|DevSm", "HIP has no green contexts"),
    (_HIP_AREAS, r"(?i)coredump", "HIP has no control of core dumps"),
    (_HIP_AREAS, r"(?i)cluster", "AMD devices have no thread block clusters"),
    (_HIP_AREAS, r"(?i)conditional|GRAPH_COND|SetCond", "HIP graphs have no conditional nodes"),
    (("driver",), r"(?i)^cu(_|)library|^cukernel", "ROCm 6.3's HIP has no context-free libraries"),
    (_HIP_AREAS, r"(?i)programmatic|launch_?completion", "HIP has no programmatic launch"),
    (_HIP_AREAS, r"(?i)mem_?sync_?domain", "HIP has no memory synchronisation domains"),
    (_HIP_AREAS, r"(?i)async_?(notific|callback)", "HIP has no asynchronous notifications"),
    (_HIP_AREAS, r"(?i)exec_?affinity|_MPS_|Mps", "the multi-process service is NVIDIA's own"),
    (("runtime",), r"cudaCG|LaunchDevice|FireAndForget|TailLaunch|CurrentGraphEx", _DEVICE_LAUNCH),
    (("runtime",), r"KernelNodeSet|KernelNodeUpd|GridDep|ParameterBuffer", _DEVICE_LAUNCH),
    (("runtime",), r"GraphKernelNodeField|GraphDeviceNode|DeviceSynchronizeDep", _DEVICE_LAUNCH),
    (("driver",), r"^cu(Param|LaunchGrid|FuncSet(Block|SharedSize)|Launch$)", "before CUDA 4.0"),
    (("blas",), r"(?i)cublasxt", "hipBLAS has no counterpart of cuBLAS-XT"),
    (("solver",), r"(?i)solverMg|LIBMG|LibMg", "hipSOLVER does not spread over several devices"),
    (("solver",), r"(?i)IRS", "hipSOLVER has no control of iterative refinement"),
    (("nvrtc",), r"(?i)lto|nvvm|optix", "hipRTC makes neither LTO IR, NVVM IR nor OptiX IR"),
    (("nvtx",), r"(?i)domain", "ROC-TX has no domains"),
    (("nvtx",), r"(?i)resource|nvtxName|Sync", "ROC-TX does not name threads and resources"),
    (("nvtx",), r"Ex$|W$|(?i:color|payload|attrib|message|string)", _TEXT),
    (("nvtx",), r"", "ROC-TX has marks and ranges only"),
    (("rand_device",), r"", "internal to cuRAND's kernels; hipRAND's are built otherwise"),
    (("cub",), r"Agent|Dispatch|Kernel|Policy|Scaling|ItemsToItems", "CUB's own tuning"),
    (("cub",), r"Ptx|SmVersion|PTX|Thread(Exit|Trap)|_RZ$", "CUB's own access to PTX"),
    (("intrinsics",), r"(?i)wmma|bmma|mma_sync|matrix_sync", "rocWMMA has other names"),
    (("intrinsics",), r"^__v", _SIMD),
    (("intrinsics",), r"^__\w+_r[duz]$", _ROUNDING),
    (("intrinsics",), r"(?i)cluster", "AMD devices have no thread block clusters"),
    (("intrinsics",), r"(?i)mbarrier|awbarrier", "AMD devices have no asynchronous barriers"),
    (("intrinsics",), r"(?i)pipeline|cp_async|memcpy_async", "HIP has no asynchronous copies"),
    (("intrinsics",), r"cvta|__is(Gl|Sh|Lo|Co|Gr|Ct)", "HIP does not convert address spaces"),
    (("intrinsics",), r"__st(cg|cs|wb|wt)|__ld(cv|lu)", "HIP has no such cache operators"),
    (("intrinsics",), r"^__syncwarp$", "HIP has none; a wavefront runs in step"),
    (("intrinsics",), r"^__reduce_\w+_sync$", "HIP has no warp reductions"),
    (("intrinsics",), r"^NV_", "libcu++'s dispatch on NVIDIA's architectures"),
)
"""Areas, a pattern that is found in a name, and why such a name is unsupported; the first decides."""

NAMESPACES: dict[str, str] = {
    "cuda": "libcu++ is not part of ROCm 6.3",
    "cuda::device": "libcu++ is not part of ROCm 6.3",
    "cuda::device::experimental": "libcu++ is not part of ROCm 6.3",
    "cuda::ptx": "PTX is NVIDIA's own",
    "nv::target": "libcu++'s dispatch on NVIDIA's architectures",
    "nvcuda::experimental": "HIP has no asynchronous barriers and copies",
    "nvcuda::wmma": "rocWMMA has other names",
    "nvcuda::wmma::experimental": "rocWMMA has other names",
    "nvcuda::wmma::experimental::precision": "rocWMMA has other names",
    "nvcuda::wmma::precision": "rocWMMA has other names",
    "cooperative_groups": "HIP's cooperative groups lack it",
    "cub": "hipCUB has no counterpart",
}
"""Why what HIP lacks of a namespace is unsupported."""

PROPER_NAME = re.compile(
    r"__|\w*(async|mbarrier|bmma|mma_sync|matrix_sync|cluster)|[A-Z]+_[A-Z_]+$|[A-Z][a-z]+[A-Z]\w+$"
)
COMMON_NAMES = {
    "ArrayWrapper",
    "CurrentDevice",
    "DeviceCount",
    "EmptyKernel",
    "EnableIf",
    "KernelConfig",
    "SwitchDevice",
    "SyncStream",
    "ValueCache",
    "async",
}
"""A member of a namespace is unsupported as a word of its own when it looks like a proper name and
is none of the common ones (`ValueCache` and `async` are PyTorch's as well); else by its full name."""

_ENTRY = re.compile(
    r'^\s*\{"(?P<cuda>[^"]+)",\s*\{"(?P<hip>[^"]*)",\s*"(?P<roc>[^"]*)",\s*(?P<type>\w+),'
    r"\s*(?P<api>\w+),\s*(?P<section>[^,}]+?)(?:,\s*(?P<flags>[^}]*?))?\s*\}\}",
    re.MULTILINE,
)
_COMMENTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")
_VERSION = re.compile(r"_(CPP_)?(VERSION(_CODE)?|VER_\w+|VER|MAJOR|MINOR|PATCH|PATCHLEVEL|BUILD)$")


class Repository:
    """The committed files of a git clone."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.path), *arguments]
        run = subprocess.run(command, capture_output=True, check=False)
        if run.returncode:
            message = run.stderr.decode(errors="replace").strip()
            raise SystemExit(f"error: {' '.join(command)}: {message}")
        return run.stdout.decode("utf-8", errors="replace")

    @cached_property
    def commit(self) -> str:
        """Commit and its date: `014177bc (2024-10-24)`."""
        return self._git("log", "-1", "--abbrev=8", "--format=%h (%cs)").strip()

    def texts(self, pattern: str) -> Iterable[str]:
        """The files whose path begins with a match of the pattern."""
        for path in self._git("ls-tree", "-r", "--name-only", "HEAD").splitlines():
            if re.match(pattern, path):
                yield self._git("show", f"HEAD:{path}")


@dataclass(frozen=True)
class Entry:
    """One line of HIPIFY's tables."""

    api: str
    hip: str
    roc: str
    flags: frozenset[str]

    @property
    def supported(self) -> bool:
        """Whether HIPIFY says that the ROCm name exists."""
        if self.api == "API_DNN":
            return bool(self.roc) and not self.flags & {"UNSUPPORTED", "ROC_UNSUPPORTED"}
        return bool(self.hip) and not self.flags & {"UNSUPPORTED", "HIP_UNSUPPORTED"}

    @property
    def name(self) -> str:
        """The ROCm name: MIOpen's for cuDNN, HIP's else; supported, or only proposed."""
        return self.roc if self.api == "API_DNN" else self.hip


def hipify_tables(hipify: Repository) -> dict[str, Entry]:
    """CUDA name -> what HIPIFY says of it."""
    found: dict[str, Entry] = {}
    for text in hipify.texts(r"src/CUDA2HIP_\w+_(functions|types)\.cpp"):
        for match in _ENTRY.finditer(text):
            flags = frozenset(re.findall(r"[A-Z]\w+", match["flags"] or ""))
            entry = Entry(match["api"], match["hip"], match["roc"], flags)
            if match["api"] != "API_CAFFE2" and re.fullmatch(_WORD, match["cuda"]):
                found.setdefault(match["cuda"], entry)
    return found


def area_of_entry(name: str, entry: Entry) -> str:
    """The area of a name that is not, or no longer, in CUDA's headers."""
    if re.match(r"cublasLt|CUBLASLT", name):
        return "blaslt"
    if entry.api == "API_BLAS" and re.match(r"cuda|CUDA_|library", name):
        return "runtime"
    if entry.api == "API_RAND":
        return "rand_device" if re.match(r"curand(_|State|4)|skip", name) else "rand"
    if entry.api == "API_RUNTIME" and re.match(r"CUDART_", name):
        return "math"
    if entry.api == "API_RUNTIME" and not re.match(r"cuda|CUDA|make_|\w+\d$|CU", name):
        return "intrinsics"
    return {
        "API_DRIVER": "driver",
        "API_RUNTIME": "runtime",
        "API_COMPLEX": "math",
        "API_BLAS": "blas",
        "API_DNN": "dnn",
        "API_FFT": "fft",
        "API_SPARSE": "sparse",
        "API_SOLVER": "solver",
        "API_CUB": "cub",
        "API_RTC": "nvrtc",
    }[entry.api]


class Facts:
    """HIPIFY's tables and the words of ROCm's headers."""

    def __init__(self, rocm: Path) -> None:
        self._rocm = rocm
        self._repositories: dict[str, Repository] = {}
        self._words: dict[str, frozenset[str]] = {}
        self.hipify = hipify_tables(self.repository("HIPIFY"))

    def repository(self, project: str) -> Repository:
        """A project's clone."""
        path = self._rocm / project
        if not path.exists():
            raise SystemExit(f"error: {self._rocm}: no clone of {project}")
        return self._repositories.setdefault(project, Repository(path))

    def words(self, area: str) -> frozenset[str]:
        """Every word outside comments and strings of an area's headers."""
        if area not in self._words:
            found: set[str] = set()
            for project, pattern in HEADERS[area]:
                for text in self.repository(project).texts(pattern):
                    found.update(_WORD.findall(_COMMENTS.sub(" ", text)))
            self._words[area] = frozenset(found)
        return self._words[area]

    def source(self, area: str) -> str:
        """Where an area's facts come from."""
        projects = ["HIPIFY", *(project for project, _ in HEADERS[area])]
        return "; ".join(f"ROCm/{name} {self.repository(name).commit}" for name in projects)


def spelled(area: str, name: str, words: frozenset[str]) -> str:
    """The ROCm name that the library's spelling leads to, or nothing."""
    if _VERSION.search(name) and area not in ("nccl", "thrust"):
        return ""  # of one name, and not of one meaning
    for prefix, new in SPELLINGS.get(area, ()):
        match = re.match(prefix, name)
        if match and (candidate := new + name[match.end() :]) in words:
            return candidate
    return ""


def rocm_name(area: str, name: str, facts: Facts) -> str:
    """The ROCm name of a CUDA name, or nothing when there is none."""
    if name in OTHER_MEANING:
        return ""
    entry, words = facts.hipify.get(name), facts.words(area)
    if entry and entry.name and set(_WORD.findall(entry.name)) <= words:
        return entry.name
    if entry and entry.supported and area in ("math", "intrinsics") and entry.name == name:
        return name  # declared by the compiler's own headers
    made = re.fullmatch(r"make_(\w+\d)", name)
    if made and made[1] in words:
        return name  # HIP's headers make these with macros
    if area == "dnn" or (entry and entry.supported):
        return ""
    if area == "runtime" and re.fullmatch(r"[a-z]+\d|dim3", name) and name in words:
        return name
    return spelled(area, name, words)


def reason(area: str, name: str, is_macro: bool, facts: Facts) -> str:
    """Why ROCm has no counterpart of a name."""
    if name in OTHER_MEANING:
        return OTHER_MEANING[name]
    for areas, pattern, why in REASONS:
        if area in areas and re.search(pattern, name):
            return why
    if is_macro and _VERSION.search(name):
        return f"{LIBRARY_OF_AREA[area]} counts its own versions"
    entry = facts.hipify.get(name)
    if entry and entry.supported:
        return f"HIPIFY names {entry.name}, which ROCm 6.3's headers do not have"
    if entry:
        return f"HIPIFY lists no counterpart in {LIBRARY_OF_AREA[area]}"
    if is_macro and re.fullmatch(r"[A-Z0-9_]+|__\w+", name):
        return "a macro of NVIDIA's own headers"
    return f"neither HIPIFY nor ROCm 6.3's headers have a counterpart in {LIBRARY_OF_AREA[area]}"


def by_hand(folder: Path) -> set[str]:
    """Names that the YAML files treat by themselves."""
    found: set[str] = set()
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        found.update(re.findall(r"^ *- (?:name|macro): (\w+)", text, re.MULTILINE))
        for names in re.findall(r"^ *- names: [\[{]([^\]}]*)[\]}]", text, re.MULTILINE):
            found.update(word.split(":")[0].strip() for word in names.split(",") if word.strip())
    return found


def tables(facts: Facts, inventory: Mapping[str, Any], hand: set[str]) -> dict[str, dict[str, Any]]:
    """area -> the table."""
    inside: dict[str, set[str]] = defaultdict(set)
    for namespace, names in inventory["namespaces"].items():
        for name in names:
            inside[name].add(namespace)
    wanted: dict[str, set[str]] = {area: set() for area in HEADERS}
    known: set[str] = set()
    macros: set[str] = set()
    for area, kinds in inventory["areas"].items():
        known.update(name for names in kinds.values() for name in names)
        macros.update(kinds.get("macros", ()))
        if area not in WITHOUT_TABLE:
            wanted[area].update(name for names in kinds.values() for name in names)
    for name, entry in facts.hipify.items():
        area = area_of_entry(name, entry)
        # Device functions of old that are ordinary words (`saturate`) say nothing about CUDA.
        if name not in known and (area != "intrinsics" or entry.supported or name[:2] == "__"):
            wanted[area].add(name)
    return {
        area: _table(area, sorted(names - hand), inside, macros, facts)
        for area, names in wanted.items()
    }


def _table(
    area: str,
    names: Sequence[str],
    inside: Mapping[str, set[str]],
    macros: set[str],
    facts: Facts,
) -> dict[str, Any]:
    # Keyed by what the rules of one block have in common: is it about macros, and why unsupported.
    renamed: dict[bool, dict[str, str]] = {False: {}, True: {}}
    same: dict[bool, list[str]] = {False: [], True: []}
    missing: dict[tuple[str, bool], list[str]] = defaultdict(list)
    common: list[str] = []
    chains: list[dict[str, str]] = []
    for name in names:
        new, is_macro = rocm_name(area, name, facts), name in macros
        spaces = sorted(inside.get(name, set()) & NAMESPACES.keys())
        proper = PROPER_NAME.match(name) and name not in COMMON_NAMES
        if not new and spaces and not proper:
            common.append(name)
            for space in spaces:
                note = NAMESPACES[space]
                chain = f"{space}::{name}"
                chains.append({"qualified": chain, "status": "unsupported", "note": note})
        elif not new and spaces and area != "cub":
            missing[NAMESPACES[spaces[0]], is_macro].append(name)
        elif not new:
            missing[reason(area, name, is_macro, facts), is_macro].append(name)
        elif new == name:
            same[is_macro].append(name)
            if "cub" in spaces:
                chains.append({"qualified": f"cub::{name}", "replace": f"::hipcub::{name}"})
        else:
            renamed[is_macro][name] = new
    rules: list[dict[str, Any]] = []
    for is_macro in (False, True):
        where = {"in": ["code", "condition"]} if is_macro else {}
        rules += [
            {"names": found[is_macro], **where} for found in (renamed, same) if found[is_macro]
        ]
    if common:
        note = "ordinary words, which stay; the members of CUDA's namespaces have rules below"
        rules.append({"names": common, "note": note})
    for (why, is_macro), found in sorted(missing.items()):
        where = {"in": ["code", "condition"]} if is_macro else {}
        rules.append({"names": found, "status": "unsupported", "note": why, **where})
    return {"area": area, "source": facts.source(area), "rules": rules + chains}


def written(table: Mapping[str, Any]) -> str:
    """The table as JSON with one name to a line."""
    head = ", ".join(f"{json.dumps(key)}: {json.dumps(table[key])}" for key in ("area", "source"))
    blocks = ",\n".join(_block(rule) for rule in table["rules"])
    return f'{{{head}, "rules": [\n{blocks}\n]}}\n'


def _block(rule: Mapping[str, Any]) -> str:
    names = rule.get("names")
    if names is None:
        return json.dumps(rule)
    rest = "".join(
        f", {json.dumps(key)}: {json.dumps(rule[key])}" for key in rule if key != "names"
    )
    if isinstance(names, dict):
        lines = [f"  {json.dumps(name)}: {json.dumps(new)}" for name, new in names.items()]
        return '{"names": {\n' + ",\n".join(lines) + "\n}" + rest + "}"
    return (
        '{"names": [\n' + ",\n".join(f"  {json.dumps(name)}" for name in names) + "\n]" + rest + "}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables, and say on stderr how many names each holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rocm", type=Path, metavar="ROCM", help="folder of clones: HIPIFY, HIP ...")
    parser.add_argument("--mappings", type=Path, default=Path("mappings"), metavar="DIR")
    options = parser.parse_args(arguments)
    inventory_file = options.mappings / "cuda" / "inventory.json"
    inventory = json.loads(inventory_file.read_text(encoding="utf-8"))
    folder = options.mappings / "hip"
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    facts = Facts(options.rocm)
    for area, table in tables(facts, inventory, by_hand(folder)).items():
        (folder / "tables" / f"{area}.json").write_text(written(table), encoding="utf-8")
        bulk = [rule for rule in table["rules"] if "names" in rule]
        unsupported = sum(len(rule["names"]) for rule in bulk if "status" in rule)
        supported = sum(len(rule["names"]) for rule in bulk) - unsupported
        print(f"{area}: {supported} supported, {unsupported} unsupported", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
