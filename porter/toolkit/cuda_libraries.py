"""Libraries of CUDA and of PyTorch's CUDA backend, by their names for linkers, and a target's counterparts."""

from __future__ import annotations

from porter.model.rules import Profile

AREAS = {
    "runtime": ("cudart", "cudart_static", "cudadevrt", "culibos"),
    "driver": ("cuda",),
    "blas": ("cublas", "cublas_static"),
    "blaslt": ("cublasLt", "cublasLt_static"),
    "fft": ("cufft", "cufft_static", "cufftw"),
    "rand": ("curand", "curand_static"),
    "sparse": ("cusparse", "cusparse_static"),
    "solver": ("cusolver", "cusolver_static"),
    "nvrtc": ("nvrtc", "nvrtc_static"),
    "nvtx": ("nvToolsExt", "nvtx3interop"),
    "elsewhere": ("nvidia-ml",),
    "nvjitlink": ("nvJitLink",),
    "cupti": ("cupti",),
    "dnn": ("cudnn",),
    "nccl": ("nccl",),
    "sparselt": ("cusparseLt",),
    "npp": (
        "nppc",
        "nppial",
        "nppicc",
        "nppidei",
        "nppif",
        "nppig",
        "nppim",
        "nppist",
        "nppisu",
        "nppitc",
        "npps",
    ),
}
"""Maps an area of a profile's `libraries`, or `elsewhere`, to the names of CUDA's libraries, as in `-lcudart`."""
TORCH = ("c10_cuda", "torch_cuda", "torch_cuda_cpp", "torch_cuda_cu", "torch_cuda_linalg")
"""Names of the libraries of PyTorch's CUDA backend."""


_DRIVERS = "NVML reads NVIDIA's kernel driver"
_NOT_NAMED = "the profile names no library for it under `build: link`"


def counterparts(profile: Profile) -> frozenset[str]:
    """Libraries of CUDA that the target has, by their names for linkers.

    The linker arguments of the target's runtime (`build: link` in the profile) contain the counterparts of all of them.
    """
    return frozenset(
        name for area, names in AREAS.items() if not _lack(area, profile) for name in names
    )


def unsupported(profile: Profile) -> dict[str, str]:
    """Maps each library of CUDA that the target lacks to the reason."""
    return {
        name: why
        for area, names in AREAS.items()
        if (why := _lack(area, profile))
        for name in names
    }


def _lack(area: str, profile: Profile) -> str:
    """Reason why the target lacks the library of an area; empty if the target has it."""
    if area == "elsewhere":
        return "" if profile.build.runtime == "simt" else _DRIVERS
    library = profile.libraries.get(area)
    if library is None or library.unsupported:
        return library.unsupported if library else "the profile names no counterpart"
    linked = {word.casefold() for word in profile.build.link}
    is_part = profile.build.runtime == "simt" or area in ("runtime", "driver", "nvtx")
    return "" if is_part or f"-l{library.lower}".casefold() in linked else _NOT_NAMED
