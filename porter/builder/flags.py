"""What sources are compiled with and libraries linked with."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from porter.base.errors import BuildError
from porter.builder.build_plan import glue_root
from porter.model.build import BuildRules
from porter.model.rules import Profile
from porter.simt.float_conversions import Conversions, prepare
from porter.simt.sources import include_dir
from porter.toolchain.discovery import Compiler, Torch

_CAPABILITIES = {"x86_64": ("AVX2", "AVX512")}
"""Machine -> the CPU capabilities that PyTorch's wheels hold kernels for.

They are arguments of the functions that at::native::DispatchStub looks kernels up with (ATen/native/DispatchStub.h), so
that objects which define others do not link with libtorch_cpu.
"""
_VARIABLE = re.compile(r"\$(\w+|\{\w+\})")


def compile_flags(
    folder: Path,
    profile: Profile,
    rules: BuildRules,
    compiler: Compiler,
    torch: Torch,
) -> tuple[str, ...]:
    """Flags that every C++ source of the build is compiled with.

    The port comes before the installed PyTorch: it has its own form of some of its headers. PyTorch's headers are
    system headers to the compiler, whose warnings and times are of no concern.
    """
    first, *more = _ported_headers(folder)
    return _flags(
        profile,
        compiler,
        torch,
        # Messages name upstream's places, whatever machine the build was made on.
        mapped=(folder, folder / "src"),
        defines=rules.defines,
        includes=(first, glue_root(folder / "backend") / "csrc", *more),
    )


def own_flags(
    folder: Path,
    includes: Sequence[Path],
    defines: Sequence[str],
    profile: Profile,
    compiler: Compiler,
    torch: Torch,
) -> tuple[str, ...]:
    """Flags that operators of the user's own are compiled with, in `folder`."""
    return _flags(profile, compiler, torch, mapped=(folder,), defines=defines, includes=includes)


def _flags(
    profile: Profile,
    compiler: Compiler,
    torch: Torch,
    *,
    mapped: Sequence[Path],
    defines: Sequence[str],
    includes: Sequence[Path],
) -> tuple[str, ...]:
    macros = (
        *defines,
        *profile.build.defines,
        *(f"HAVE_{name}_CPU_DEFINITION" for name in _CAPABILITIES.get(platform.machine(), ())),
        f"_GLIBCXX_USE_CXX11_ABI={int(torch.cxx11_abi)}",
        "NDEBUG",
    )
    return (
        *profile.compiler_flags,
        *profile.build.optimise,
        "-fPIC",
        "-fvisibility=hidden",
        # A symbol of that kind is one for the whole process, whatever library it comes from and hides it.
        *(("-fno-gnu-unique",) if compiler.name.startswith("g++") else ()),
        # Kernels read memory through types of other names, which CUDA's compiler lets them.
        "-fno-strict-aliasing",
        "-w",
        *(f"-ffile-prefix-map={place}/=" for place in (*mapped, torch.root.parent)),
        *(f"-D{macro}" for macro in macros),
        *(f"-I{place}" for place in includes),
        *(f"-I{place}" for place in _runtime_includes(profile)),
        *(word for place in torch.includes for word in ("-isystem", str(place))),
    )


def conversions(
    profile: Profile, compiler: Compiler, folder: Path, packaged: Path | None = None
) -> Conversions:
    """Flags for float-to-integer conversions with CUDA's results, and the plugin they name, kept in `folder`.

    A vendor's compiler converts as its device does. Raises SourceError when the folder cannot be written.
    """
    if profile.build.runtime != "simt":
        return Conversions()
    return prepare(compiler.command, folder, packaged)


def header_folders(folder: Path, profile: Profile) -> tuple[Path, ...]:
    """Where the headers lie that others' kernels are compiled with, in the order of searching; a vendor has its own."""
    own = (include_dir(),) if profile.build.runtime == "simt" else ()
    return (*_ported_headers(folder), *own)


def stub_flags(torch: Torch) -> tuple[str, ...]:
    """What the module's entry is compiled with, which is C and knows nothing of PyTorch."""
    return ("-x", "c", "-O2", "-fPIC", "-fvisibility=hidden", f"-I{torch.python_include}")


def python_flags(torch: Torch) -> tuple[str, ...]:
    """What the binding is compiled with in addition."""
    return (
        "-isystem",
        str(torch.python_include),
        "-DTORCH_API_INCLUDE_EXTENSION_H",
        *(f"-D{define}" for define in _pybind_abi(torch)),
    )


def runtime_link(profile: Profile) -> tuple[str, ...]:
    """The linker's arguments for the vendor runtime; porter's own is found in the build's `lib`."""
    own = ("-lsimt",) if profile.build.runtime == "simt" else ()
    return (*own, *(_expanded(word, profile) for word in profile.build.link))


def torch_link(torch: Torch, *more: str) -> tuple[str, ...]:
    """The linker's arguments for PyTorch's libraries; never libtorch_cuda's.

    What they need in turn is their own affair: it is there when the process has imported torch.
    """
    names = (*more, "torch_cpu", "c10")
    return (f"-L{torch.lib}", *(f"-l{name}" for name in names), "-Wl,--allow-shlib-undefined")


def exports(profile: Profile) -> tuple[str, ...]:
    """What the kernels' library shows of what its sources mark as visible: names of the target's own.

    Mangled names: `4simt` is the namespace `simt`. Nothing else may be shown: libtorch_cuda has the same names.
    """
    space = f"{len(profile.lower)}{profile.lower}"
    return (f"_Z*{space}*", f"_Z*{profile.upper}*", f"torch_{profile.lower}_*", "torch_backend_*")


def version_script(patterns: Sequence[str]) -> str:
    """A linker's version script that shows some symbols and hides the rest."""
    shown = "".join(f"    {pattern};\n" for pattern in patterns)
    return f"{{\n  global:\n{shown}  local:\n    *;\n}};\n"


def _runtime_includes(profile: Profile) -> tuple[str, ...]:
    """Folders of the vendor runtime's headers."""
    own = (str(include_dir()),) if profile.build.runtime == "simt" else ()
    return (*own, *(_expanded(place, profile) for place in profile.build.include))


def _expanded(text: str, profile: Profile) -> str:
    """Text of a profile with `$NAME` replaced from the environment. Raises BuildError for one that is not set."""
    for variable in _VARIABLE.findall(text):
        name = variable.strip("{}")
        if name not in os.environ:
            help = f"set it to where the SDK of {profile.target} is installed"
            raise BuildError(f"${name} is not set", f"{profile.target}/target.yaml", help)
    return os.path.expandvars(text)


def _ported_headers(folder: Path) -> tuple[Path, ...]:
    return (
        folder / "register" / "include",
        glue_root(folder / "backend") / "include",
        folder / "src" / "aten" / "src",
        folder / "src",
    )


def _pybind_abi(torch: Torch) -> tuple[str, ...]:
    """Macros by which pybind11 finds the types that PyTorch's own modules have registered.

    pybind11 (detail/internals.h) keeps them under a name made of compiler, library and ABI, which libtorch_python
    holds as a string: `__pybind11_internals_v4_gcc_libstdcpp_cxxabi1011__`.
    """
    place = torch.lib / "libtorch_python.so"
    try:
        found = re.search(
            rb"__pybind11_internals_v\d+(_[a-z]+)(_[a-z]+)(_cxxabi\d+)", place.read_bytes()
        )
    except OSError as error:
        raise BuildError(f"cannot be read: {error.strerror}", str(place)) from None
    if not found:
        return ()
    names = ("PYBIND11_COMPILER_TYPE", "PYBIND11_STDLIB", "PYBIND11_BUILD_ABI")
    # Quoted for the shell that ninja runs commands with.
    return tuple(
        f'{name}="{value.decode()}"' for name, value in zip(names, found.groups(), strict=True)
    )
