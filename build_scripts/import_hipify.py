"""Make the tables of target hip, `mappings/hip/tables/*.json`, from public facts.

    python build_scripts/import_hipify.py ROCM --mappings mappings

ROCM is a folder of git clones under their projects' names: HIPIFY, whose tables say which HIP name stands for
which CUDA name, and the projects of `HEADERS`, whose headers say which HIP names there are. Only committed files
are read (`HEAD`), so bare clones do. Each table names the commits that it was made from.

A CUDA name is supported when HIPIFY gives it a HIP name and a ROCm header has that name; or, where HIPIFY is silent
or behind, when a ROCm header has the name that the library's own spelling of CUDA names leads to. Every other name of
the CUDA inventory, and of HIPIFY's tables, is unsupported, with the reason. Names that `mappings/hip/*.yaml` treat by
hand are left out.
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

# Which headers of which projects declare an area's HIP names. cub's and thrust's CUDA back ends do not count.
HEADERS: dict[str, tuple[tuple[str, str], ...]] = {
    "runtime": (("HIP", r"include/hip/"), ("clr", r"hipamd/include/hip/")),
    "driver": (("HIP", r"include/hip/"), ("clr", r"hipamd/include/hip/")),
    "math": (("HIP", r"include/hip/"), ("clr", r"hipamd/include/hip/")),
    "intrinsics": (("HIP", r"include/hip/"), ("clr", r"hipamd/include/hip/")),
    "blas": (("hipBLAS", r"library/include/"), ("hipBLAS-common", r"library/include/")),
    "blaslt": (("hipBLASLt", r"library/include/hipblaslt\.h"), ("hipBLAS-common", r"library/include/")),
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

# Areas without a ROCm library: their YAML file says so for whole families.
WITHOUT_TABLE = ("cupti", "npp", "nvjitlink")

# How each library spells CUDA's names; the first that a header has is taken. No entry for the driver's functions:
# `cuX` and `hipX` of one name often take other arguments.
SPELLINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "runtime": ((r"cuda", "hip"), (r"CUDA_", "HIP_")),
    "intrinsics": ((r"__nv_", "__hip_"), (r"__NV_", "__HIP_"), (r"CUDART_", "HIPRT_"), (r"", "")),
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
        (r"cusparse(?=Compute)", "hipsparselt"),
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

# Names that a header has, and that do not do what the CUDA name does.
OTHER_MEANING: dict[str, str] = {
    "cublasLtGetVersion": "hipblasLtGetVersion takes a handle and an address for the result",
    "cusparseSpSM_solve": "hipsparseSpSM_solve also takes the external buffer, which cuSPARSE remembers",
    "CUstreamMemoryBarrier_flags": "HIP's batched memory operations have no barrier",
    "CUstreamMemoryBarrier_flags_enum": "HIP's batched memory operations have no barrier",
} | dict.fromkeys(
    (
        f"CUDA_POINTER_ATTRIBUTE_{name}"
        for name in (
            "ACCESS_FLAGS",
            "ACCESS_FLAGS_enum",
            "P2P_TOKENS",
            "P2P_TOKENS_st",
            "P2P_TOKENS_v1",
        )
    ),
    "HIP has an enumerator of this name, not the type",
)

_MASKED = "HIP declares it under HIP_ENABLE_WARP_SYNC_BUILTINS only, and for 64-bit masks"
OTHER_MEANING |= dict.fromkeys(
    "__activemask __all_sync __any_sync __ballot_sync __match_all_sync __match_any_sync __shfl_sync __shfl_up_sync"
    " __shfl_down_sync __shfl_xor_sync".split(),
    _MASKED,
)

# MIOpen's functions of the same purpose with other parameters: cuDNN 9.1.0's headers against miopen.h.
_FIND = "MIOpen asks for a Find call for the same problem first, and orders the arguments otherwise"
OTHER_MEANING |= (
    dict.fromkeys(
        (
            "cudnnConvolutionForward",
            "cudnnConvolutionBackwardData",
            "cudnnGetConvolutionForwardWorkspaceSize",
            "cudnnGetConvolutionBackwardDataWorkspaceSize",
            "cudnnFindConvolutionForwardAlgorithmEx",
        ),
        _FIND,
    )
    | dict.fromkeys(
        (
            "cudnnGetPooling2dDescriptor",
            "cudnnGetPoolingNdDescriptor",
            "cudnnSetPooling2dDescriptor",
            "cudnnSetPoolingNdDescriptor",
        ),
        "MIOpen's pooling descriptor has no NaN option",
    )
    | dict.fromkeys(
        ("cudnnDropoutForward", "cudnnDropoutBackward"), "MIOpen's dropout takes a noise shape as well"
    )
    | dict.fromkeys(
        ("cudnnGetDropoutDescriptor", "cudnnSetDropoutDescriptor", "cudnnRestoreDropoutDescriptor"),
        "MIOpen's dropout descriptor also holds mask, state evolution and generator",
    )
    | dict.fromkeys(
        ("cudnnGetCTCLossDescriptor", "cudnnSetCTCLossDescriptor"),
        "MIOpen's CTC descriptor also holds the blank label and whether softmax is applied",
    )
    | dict.fromkeys(
        ("cudnnGetLRNDescriptor", "cudnnSetLRNDescriptor"),
        "MIOpen's LRN descriptor also holds the mode",
    )
    | dict.fromkeys(
        ("cudnnGetRNNDescriptor", "cudnnGetRNNDescriptor_v6", "cudnnSetRNNDescriptor_v6"),
        "MIOpen's RNN descriptor does not hold the handle",
    )
    | {"cudnnRNNBackwardWeights": "MIOpen's takes the workspace before the weights"}
)

# Why a name is unsupported: the first pattern found in it gives the reason; `None` stands for any area.
REASONS: tuple[tuple[str | None, str, str], ...] = (
    ("driver", r"^PFN_", "function pointer type of cudaTypedefs.h, for which HIP has no counterpart"),
    (None, r"_pts[zd]$", "entry point of CUDA's per-thread default stream; HIP's end in _spt"),
    (None, r"(?i)egl", "HIP has no EGL interoperability"),
    (None, r"(?i)vdpau", "HIP has no VDPAU interoperability"),
    (None, r"(?i)d3d(9|1[01])", "HIP has no such Direct3D interoperability"),
    (None, r"(?i)nvsci", "NvSci is NVIDIA's own"),
    (None, r"^(cu|cuda)W?GL|GLMap|GLDeviceList", "HIP has no counterpart of this OpenGL interface"),
    (None, r"(?i)cudaocc|^OCC_|_OCC_|PARTITIONED_GC|SHAREDMEM_CARVEOUT", "NVIDIA's occupancy calculator"),
    (None, r"CACHE_PREFER|FUNC_SHMEM", "NVIDIA's occupancy calculator"),
    (None, r"(?i)tensor_?map", "AMD devices have no tensor maps"),
    (None, r"(?i)multicast", "HIP has no multicast objects"),
    (None, r"(?i)green_?ctx|dev_?resource|DevSm|WORKQUEUE", "HIP has no green contexts"),
    (None, r"(?i)coredump", "HIP has no control of core dumps"),
    (None, r"(?i)cluster|GetMaxActiveClusters", "AMD devices have no thread block clusters"),
    (None, r"(?i)conditional|GRAPH_COND", "HIP graphs have no conditional nodes"),
    (None, r"^(cuLibrary|CU_LIBRARY|CUlibrary|cuKernel|CUkernel)", "ROCm 6.3's HIP has no libraries"),
    (None, r"(?i)programmatic|LaunchCompletion|PORT_", "HIP has no programmatic dependent launch"),
    (None, r"(?i)mem_?sync_?domain", "HIP has no memory synchronisation domains"),
    (None, r"(?i)async_?notification|AsyncCallback", "HIP has no asynchronous notifications"),
    (None, r"(?i)exec_?affinity|(?<!S)MPS", "HIP has no MPS execution affinity"),
    (None, r"(?i)async_?engine_?count", "HIP does not report it"),
    (
        "runtime",
        r"cudaCG|LaunchDevice|FireAndForget|TailLaunch|CurrentGraphExec|KernelNodeSet|KernelNodeUpdates|GridDep"
        r"|ParameterBuffer|GraphKernelNodeField|GraphDeviceNode|cudaGraphSetC|DeviceSynchronizeDep",
        "HIP has no launches and graph updates from device code",
    ),
    ("driver", r"^cu(Param|LaunchGrid|FuncSetBlock|FuncSetSharedSize|Launch$)", "launches of CUDA before 4.0"),
    ("blas", r"(?i)cublasxt", "hipBLAS has no counterpart of cuBLAS-XT (host memory, several devices)"),
    ("blas", r"_64$", "hipBLAS has no 64-bit form of it"),
    ("blas", r"^[a-z]{5,6}_?$", "nvBLAS, which replaces the host's BLAS, has no counterpart"),
    ("solver", r"(?i)solverMg|CUDALIBMG", "hipSOLVER does not spread over several devices"),
    ("solver", r"(?i)IRS|Xgesv|solverNorm", "hipSOLVER has no control of iterative refinement"),
    ("sparse", r"(?i)hyb|bsr.*sm2|csrsv$", "hipSPARSE has no counterpart"),
    ("nvrtc", r"(?i)lto|nvvm|optix|optixir", "hipRTC makes neither LTO IR nor OptiX IR"),
    ("nvtx", r"Domain|DOMAIN", "ROC-TX has no domains"),
    ("nvtx", r"(?i)resource|nvtxName", "ROC-TX does not name threads, devices and resources"),
    ("nvtx", r"Ex$|W$|(?i:color|payload|attrib|message)", "ROC-TX takes a plain string only"),
    ("nvtx", r"", "ROC-TX has marks and ranges only"),
    ("rand_device", r"", "internal to cuRAND's kernels; hipRAND's are built otherwise"),
    ("cub", r"Agent|Dispatch|Kernel|Policy|Scaling|ItemsToItems", "CUB's own tuning; hipCUB runs rocPRIM"),
    ("cub", r"Ptx|SmVersion|PTX|Thread(Exit|Trap)|MulAdd|_RZ$", "CUB's access to PTX; hipCUB has none"),
    ("cub", r"CUB_DETAIL|CUB_NS|NAMESPACE", "CUB's own machinery"),
    ("cub", r"", "hipCUB has no counterpart"),
    ("thrust", r"", "rocThrust has no counterpart"),
    ("intrinsics", r"(?i)wmma|bmma", "rocWMMA has other names"),
    ("intrinsics", r"__nv_(tex|surf|isurf|itex|atomic)", "internal to CUDA's headers"),
    ("intrinsics", r"surf|tex", "HIP has no such texture or surface function"),
    ("intrinsics", r"^__v(?!ote)", "AMD devices have no such SIMD-in-a-word instruction, and HIP no function"),
    ("intrinsics", r"_r[duz]$", "HIP rounds to nearest only, unless the compiler is built otherwise"),
    ("intrinsics", r"(?i)mbarrier|pipeline|cp_async|memcpy_async", "AMD devices have no asynchronous barriers"),
    ("intrinsics", r"cvta|__is(Global|Shared|Local|Constant|Grid|Cta)|__st(cg|cs|wb|wt)|__ld", "PTX's own"),
    ("intrinsics", r"^(NV_|__CUDA|_CUDA|__\w+__$)", "macro of CUDA's own headers"),
    (None, r"_(VERSION|VER)(_|$)|_(MAJOR|MINOR|PATCH|BUILD)(_|$)", "version of NVIDIA's library"),
    (None, r"API$|DEPRECATED|_CB$|__$|^__", "macro or type of CUDA's own headers"),
)  # fmt: skip

# Namespaces of the inventory whose names are unsupported by their full name only: as plain words they are common.
NAMESPACES: dict[str, tuple[str, str]] = {
    "cuda": ("intrinsics", "libcu++ is not part of ROCm 6.3"),
    "cuda::device": ("intrinsics", "libcu++ is not part of ROCm 6.3"),
    "cuda::device::experimental": ("intrinsics", "libcu++ is not part of ROCm 6.3"),
    "cuda::ptx": ("intrinsics", "PTX is NVIDIA's own"),
    "nv::target": ("intrinsics", "libcu++'s dispatch on NVIDIA's architectures"),
    "nvcuda::experimental": ("intrinsics", "HIP has no counterpart"),
    "nvcuda::wmma": ("intrinsics", "rocWMMA has other names"),
    "nvcuda::wmma::experimental": ("intrinsics", "rocWMMA has other names"),
    "nvcuda::wmma::experimental::precision": ("intrinsics", "rocWMMA has other names"),
    "nvcuda::wmma::precision": ("intrinsics", "rocWMMA has other names"),
    "cooperative_groups": ("intrinsics", "HIP's cooperative groups lack it"),
    "cub": ("cub", "hipCUB has no counterpart"),
}

_ENTRY = re.compile(
    r'^\s*\{"(?P<cuda>[^"]+)",\s*\{"(?P<hip>[^"]*)",\s*"(?P<roc>[^"]*)",\s*(?P<type>\w+),\s*(?P<api>\w+),'
    r"\s*(?P<section>[^,}]+?)(?:,\s*(?P<flags>[^}]*?))?\s*\}\}",
    re.MULTILINE,
)
_COMMENTS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)
_WORD = re.compile(r"[A-Za-z_]\w*")


class Repository:
    """The committed files of a git clone."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _git(self, *arguments: str) -> str:
        run = subprocess.run(
            ["git", "-C", str(self.path), *arguments], capture_output=True, check=False, text=True, errors="replace"
        )
        if run.returncode:
            raise SystemExit(f"error: {self.path}: git {' '.join(arguments)}: {run.stderr.strip()}")
        return run.stdout

    @cached_property
    def commit(self) -> str:
        """Abbreviated commit and its date: `014177bc (2024-10-24)`."""
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
        """Whether HIPIFY says that the HIP name exists; for cuDNN, that MIOpen's does."""
        if self.api == "API_DNN":
            return bool(self.roc) and not self.flags & {"UNSUPPORTED", "ROC_UNSUPPORTED"}
        return bool(self.hip) and not self.flags & {"UNSUPPORTED", "HIP_UNSUPPORTED"}

    @property
    def name(self) -> str:
        """The ROCm name, be it supported or only proposed."""
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
    """The area of a name that is no longer in CUDA's headers."""
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
        "API_DRIVER": "driver", "API_RUNTIME": "runtime", "API_COMPLEX": "math", "API_BLAS": "blas", "API_DNN": "dnn",
        "API_FFT": "fft", "API_SPARSE": "sparse", "API_SOLVER": "solver", "API_CUB": "cub", "API_RTC": "nvrtc",
    }[entry.api]  # fmt: skip


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
    for prefix, new in SPELLINGS.get(area, ()):
        match = re.match(prefix, name)
        if match and (candidate := new + name[match.end() :]) in words:
            return candidate
    return ""


def hip_name(area: str, name: str, facts: Facts) -> str:
    """The HIP name of a CUDA name, or nothing when HIP has none."""
    if name in OTHER_MEANING:
        return ""
    entry, words = facts.hipify.get(name), facts.words(area)
    if entry and entry.name and set(_WORD.findall(entry.name)) <= words:
        return entry.name
    if entry and entry.supported and area in ("math", "intrinsics") and entry.name == name:
        return name  # declared by the compiler's own headers
    # What CUDA's headers build with macros (make_float4), HIP's do as well.
    made = re.fullmatch(r"make_(\w+\d)", name)
    if made and made[1] in words:
        return name
    if area == "dnn" or (entry and entry.supported):
        return ""
    if area == "runtime" and re.fullmatch(r"[a-z]+\d|dim3", name) and name in words:
        return name
    return spelled(area, name, words)


def reason(area: str, name: str, facts: Facts) -> str:
    """Why HIP has no counterpart of a name."""
    if name in OTHER_MEANING:
        return OTHER_MEANING[name]
    for where, pattern, why in REASONS:
        if where in (None, area) and re.search(pattern, name):
            return why
    entry = facts.hipify.get(name)
    hipify = f"HIPIFY {facts.repository('HIPIFY').commit}"
    if entry and entry.supported:
        return f"{hipify} names {entry.name}, which ROCm 6.3's headers do not have"
    if entry:
        return f"{hipify} lists it as without counterpart"
    return f"neither {hipify} nor ROCm 6.3's headers have a counterpart"


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
    for area, kinds in inventory["areas"].items():
        names = {name for names in kinds.values() for name in names}
        known |= names
        if area not in WITHOUT_TABLE:
            wanted[area] |= names
    for name, entry in facts.hipify.items():
        if name not in known:
            wanted[area_of_entry(name, entry)].add(name)
    return {area: _table(area, names - hand, inside, facts) for area, names in wanted.items()}


def _table(area: str, names: set[str], inside: Mapping[str, set[str]], facts: Facts) -> dict[str, Any]:
    renamed: dict[str, str] = {}
    same: list[str] = []
    full: dict[str, str] = {}
    missing: dict[str, list[str]] = defaultdict(list)
    full_missing: dict[str, str] = {}
    for name in sorted(names):
        new = hip_name(area, name, facts)
        spaces = sorted(space for space in inside.get(name, ()) if space in NAMESPACES)
        if not new and spaces:
            for space in spaces:
                full_missing[f"{space}::{name}"] = NAMESPACES[space][1]
        elif not new:
            missing[reason(area, name, facts)].append(name)
        elif new == name:
            same.append(name)
            if area == "cub" and "cub" in spaces:
                full[f"cub::{name}"] = f"hipcub::{name}"
        else:
            renamed[name] = new
    rules: list[dict[str, Any]] = []
    if renamed:
        rules.append({"names": renamed})
    if same:
        rules.append({"names": same})
    rules += [{"qualified": chain, "replace": new} for chain, new in full.items()]
    rules += [
        {"names": missing[why], "status": "unsupported", "note": why} for why in sorted(missing)
    ]
    rules += [
        {"qualified": chain, "status": "unsupported", "note": why} for chain, why in full_missing.items()
    ]
    return {"area": area, "source": facts.source(area), "rules": rules}


def written(table: Mapping[str, Any]) -> str:
    """The table as JSON with one name to a line."""
    lines = [f'{{"area": {json.dumps(table["area"])},', f' "source": {json.dumps(table["source"])},', ' "rules": [']
    blocks = [_block(rule) for rule in table["rules"]]
    return "\n".join([*lines, ",\n".join(blocks), "]}"]) + "\n"


def _block(rule: Mapping[str, Any]) -> str:
    names = rule.get("names")
    if names is None:
        return "  " + json.dumps(rule)
    rest = "".join(f", {json.dumps(key)}: {json.dumps(value)}" for key, value in rule.items() if key != "names")
    if isinstance(names, dict):
        body = [f"    {json.dumps(name)}: {json.dumps(new)}" for name, new in names.items()]
        return "\n".join(['  {"names": {', ",\n".join(body), f"  }}{rest}}}"])
    body = [f"    {json.dumps(name)}" for name in names]
    return "\n".join(['  {"names": [', ",\n".join(body), f"  ]{rest}}}"])


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the tables and say on stderr how many names each holds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rocm", type=Path, metavar="ROCM", help="folder of clones: HIPIFY, HIP, clr, hipBLAS ...")
    parser.add_argument("--mappings", type=Path, default=Path("mappings"), help="folder of mappings")
    options = parser.parse_args(arguments)
    facts = Facts(options.rocm)
    inventory = json.loads((options.mappings / "cuda" / "inventory.json").read_text(encoding="utf-8"))
    folder = options.mappings / "hip"
    (folder / "tables").mkdir(parents=True, exist_ok=True)
    for area, table in tables(facts, inventory, by_hand(folder)).items():
        (folder / "tables" / f"{area}.json").write_text(written(table), encoding="utf-8")
        supported = sum(len(r.get("names", [""])) for r in table["rules"] if "status" not in r)
        missing = sum(len(r.get("names", [""])) for r in table["rules"] if "status" in r)
        print(f"{area}: {supported} supported, {missing} unsupported", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
