"""Flags of compilers and linkers."""

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
from porter.simt.compiler_plugin import PluginFlags, prepare
from porter.simt.sources import include_dir
from porter.toolchain.discovery import OLDEST_STANDARD, Compiler, Torch

_CAPABILITIES = {"x86_64": ("AVX2", "AVX512")}
"""Maps a machine to the CPU capabilities for which PyTorch's wheels contain kernels.

The look-up functions of at::native::DispatchStub have one parameter for each capability (ATen/native/DispatchStub.h).
Therefore an object compiled for a different set of capabilities does not link with libtorch_cpu.
"""
_VARIABLE = re.compile(r"\$(\w+|\{\w+\})")


def compile_flags(
    folder: Path,
    profile: Profile,
    rules: BuildRules,
    compiler: Compiler,
    torch: Torch,
) -> tuple[str, ...]:
    """Flags of every C++ source of the build.

    The port's headers precede those of the installed PyTorch, because the port replaces some of them. PyTorch's headers
    are system headers: the compiler reports no warnings for them, and ninja does not track them.
    """
    first, *more = _ported_headers(folder)
    return _flags(
        profile,
        compiler,
        torch,
        # Without these prefixes, messages of the libraries contain upstream's paths and are the same on every machine.
        mapped=(folder, folder / "src"),
        build=folder / "build",
        defines=rules.defines,
        includes=(first, glue_root(folder / "backend") / "csrc", *more),
    )


def abi_macros(torch: Torch) -> tuple[str, ...]:
    """Macros on which the ABI of PyTorch's libraries depends."""
    return (
        *(f"HAVE_{name}_CPU_DEFINITION" for name in _CAPABILITIES.get(platform.machine(), ())),
        f"_GLIBCXX_USE_CXX11_ABI={int(torch.cxx11_abi)}",
        "NDEBUG",
    )


def own_flags(
    folder: Path,
    includes: Sequence[Path],
    defines: Sequence[str],
    profile: Profile,
    compiler: Compiler,
    torch: Torch,
) -> tuple[str, ...]:
    """Flags of custom operators' sources. `folder` is the build folder, `defines` the macros to define."""
    return _flags(
        profile,
        compiler,
        torch,
        mapped=(folder,),
        build=folder,
        defines=defines,
        includes=includes,
    )


def _flags(
    profile: Profile,
    compiler: Compiler,
    torch: Torch,
    *,
    mapped: Sequence[Path],
    build: Path,
    defines: Sequence[str],
    includes: Sequence[Path],
) -> tuple[str, ...]:
    macros = (
        *defines,
        *profile.build.defines,
        *abi_macros(torch),
    )
    runtime = (include_dir(),) if profile.build.runtime == "simt" else ()
    named = (*mapped, torch.root.parent)
    return (
        *profile.compiler_flags,
        # The last -std counts: a release may need a newer standard than the profile states.
        *((f"-std=c++{torch.cxx}",) if torch.cxx > OLDEST_STANDARD else ()),
        # -O0 for a header tree: its objects only show that the sources compile, and are never linked.
        *(profile.build.optimise if torch.has_libraries else ("-O0",)),
        "-fPIC",
        "-fvisibility=hidden",
        # The loader shares a GNU-unique symbol in the whole process, even if the library hides it.
        *(("-fno-gnu-unique",) if compiler.name.startswith("g++") else ()),
        # Kernels read memory through pointers to other types, which CUDA's compiler permits.
        "-fno-strict-aliasing",
        "-w",
        *(f"-ffile-prefix-map={place}/=" for place in named),
        # Headers that launch kernels contain __FILE__. Debug information keeps the whole paths, by which the checkers
        # recognise the runtime's own headers.
        *(f"-fmacro-prefix-map={place}/=" for place in runtime),
        # ccache passes paths relative to the build folder (porter/toolchain/ccache.py).
        *(f"-fmacro-prefix-map={os.path.relpath(place, build)}/=" for place in (*named, *runtime)),
        *(f"-D{macro}" for macro in macros),
        *(f"-I{place}" for place in includes),
        *(f"-I{place}" for place in runtime_includes(profile)),
        *(word for place in torch.includes for word in ("-isystem", str(place))),
    )


def conversions(
    profile: Profile, compiler: Compiler, folder: Path, packaged: Path | None = None
) -> PluginFlags:
    """Flags that load a compiler plugin, which makes float-to-integer conversions give CUDA's results.

    No flags for a target whose runtime is not `simt`. The plugin is built in `folder`; `packaged` is the plugin of an
    installed wheel. Raises SourceError when the folder cannot be written.
    """
    if profile.build.runtime != "simt":
        return PluginFlags()
    return prepare(compiler.command, folder, packaged)


def header_folders(folder: Path, profile: Profile) -> tuple[Path, ...]:
    """Header folders for custom kernels, in search order, without the headers of the vendor's SDK.

    Kernels that run on the runtime `simt` also need the runtime's headers and, with --on-host, the facade's headers.
    """
    if profile.build.runtime != "simt":
        return _ported_headers(folder)
    return (*_ported_headers(folder), include_dir(), *map(Path, profile.build.include))


def stub_flags(torch: Torch) -> tuple[str, ...]:
    """Flags of `stub.c`, the entry point of the Python module: a C source that includes no header of PyTorch."""
    return ("-x", "c", "-O2", "-fPIC", "-fvisibility=hidden", f"-I{torch.python_include}")


def python_flags(torch: Torch) -> tuple[str, ...]:
    """Additional flags of the Python binding."""
    return (
        "-isystem",
        str(torch.python_include),
        "-DTORCH_API_INCLUDE_EXTENSION_H",
        *(f"-D{define}" for define in _pybind_abi(torch)),
    )


def runtime_link(profile: Profile) -> tuple[str, ...]:
    """Linker arguments for the runtime of the target. The caller adds the folder of libsimt.so."""
    own = ("-lsimt",) if profile.build.runtime == "simt" else ()
    return (*own, *(_expanded(word, profile) for word in profile.build.link))


def torch_link(torch: Torch, *more: str) -> tuple[str, ...]:
    """Linker arguments for PyTorch's libraries without libtorch_cuda; `more` names further libraries.

    The linker does not resolve dependencies of PyTorch's libraries: the process loads them when it imports torch.
    """
    names = (*more, "torch_cpu", "c10")
    return (f"-L{torch.lib}", *(f"-l{name}" for name in names), "-Wl,--allow-shlib-undefined")


def exports(profile: Profile) -> tuple[str, ...]:
    """Patterns of the mangled symbols that the kernels' library exports: symbols that contain the target's name.

    `4simt` is the mangled namespace `simt`. All other symbols are hidden, because libtorch_cuda exports symbols with
    the same names.
    """
    space = f"{len(profile.lower)}{profile.lower}"
    return (f"_Z*{space}*", f"_Z*{profile.upper}*", f"torch_{profile.lower}_*", "torch_backend_*")


def version_script(patterns: Sequence[str]) -> str:
    """Text of a linker version script that exports the symbols that match `patterns` and hides all others."""
    shown = "".join(f"    {pattern};\n" for pattern in patterns)
    return f"{{\n  global:\n{shown}  local:\n    *;\n}};\n"


def runtime_includes(profile: Profile) -> tuple[str, ...]:
    """Folders of the vendor runtime's headers."""
    own = (str(include_dir()),) if profile.build.runtime == "simt" else ()
    return (*own, *(_expanded(place, profile) for place in profile.build.include))


def _expanded(text: str, profile: Profile) -> str:
    """Text of a profile with environment variables `$NAME` expanded. Raises BuildError for an unset variable."""
    for variable in _VARIABLE.findall(text):
        name = variable.strip("{}")
        if name not in os.environ:
            help = f"set {name} to the folder of the SDK for {profile.target}"
            raise BuildError(
                f"the environment variable {name} is not set", f"{profile.target}/target.yaml", help
            )
    return os.path.expandvars(text)


def _ported_headers(folder: Path) -> tuple[Path, ...]:
    return (
        folder / "register" / "include",
        glue_root(folder / "backend") / "include",
        folder / "src" / "aten" / "src",
        folder / "src",
    )


def _pybind_abi(torch: Torch) -> tuple[str, ...]:
    """Macros that make pybind11 share registered types with PyTorch's own modules; empty if the name is not found.

    pybind11 (detail/internals.h) stores types under a name made of compiler, standard library and ABI. libtorch_python
    contains this name as a string: `__pybind11_internals_v4_gcc_libstdcpp_cxxabi1011__`.
    """
    if not torch.has_libraries:
        return ()
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
    # Each value is a string literal in C++; the quotes belong to the literal.
    return tuple(
        f'{name}="{value.decode()}"' for name, value in zip(names, found.groups(), strict=True)
    )
