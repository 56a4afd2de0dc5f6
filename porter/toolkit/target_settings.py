"""Settings of a toolkit, computed from a target's profile and from the installed backend."""

from __future__ import annotations

import os
import shutil
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.builder import flags, guard_macros
from porter.custom_ops import installed
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import Profile, RuleSet
from porter.simt import build as simt_build
from porter.toolchain.discovery import Torch, find_compiler
from porter.toolkit import cuda_libraries
from porter.toolkit.inputs import RUNTIME, Wanted, runtime_folder
from porter.toolkit.settings import FILE, ToolkitSettings

_SYSTEM = ("/usr/include", "/usr/lib/gcc", "/usr/lib/llvm")
_PYTORCH_FOR_NVCC = ("-include", "cfloat")
"""Options of extensions' sources with device code: the standard header that PyTorch's headers include for nvcc only.

`c10/util/complex.h` includes `<thrust/complex.h>` if `__CUDACC__` is defined, and Thrust includes `<cfloat>`. Sources
use `FLT_MAX` without an own include.
"""


def compute(wanted: Wanted, folder: Path, library: MappingLibrary) -> ToolkitSettings:
    """Settings of the toolkit `folder`, in which files for the compiler may be written.

    Raises MappingError for a wrong mapping, BuildError if the compiler or the backend is missing or the runtime of
    `simt` cannot be built.
    """
    # A toolkit's folder `compilers` on PATH contains a `g++`, which is no compiler of the target.
    os.environ["PATH"] = _without_toolkits(os.environ.get("PATH", ""))
    rules = rule_cache.checked_rule_set(library, wanted.target, wanted.release)
    profile = rules.profile
    compiler = find_compiler(wanted.compiler or profile.compiler or "g++").command
    made = _torch(wanted.torch, profile) if wanted.torch else _plain(profile)
    return ToolkitSettings(
        target=wanted.target,
        release=wanted.release,
        cuda=profile.cuda_release,
        # The path is absolute, because PATH may begin with the toolkit's folder `bin`, which contains `c++`.
        compiler=(shutil.which(compiler[0]) or compiler[0], *compiler[1:]),
        folder=str(folder),
        mappings=tuple(os.path.realpath(place) for place in wanted.mappings),
        torch=wanted.torch is not None,
        flags=(*profile.compiler_flags, *made.flags, *_guards(rules, folder), *made.includes),
        host_flags=profile.build.host_flags,
        device_flags=pre_included(profile, for_torch=wanted.torch is not None),
        optimise=profile.build.optimise if wanted.torch else (),
        link=made.link,
        torch_link=made.torch_link,
        libraries=tuple(sorted(cuda_libraries.counterparts(profile))),
        unsupported=cuda_libraries.unsupported(profile),
        outside=(*made.outside, *_SYSTEM, sysconfig.get_path("include"), str(folder)),
        suffixes={cu: new for cu, new in profile.suffixes.items() if cu == "cu" and new != cu},
    )


def pre_included(profile: Profile, *, for_torch: bool) -> tuple[str, ...]:
    """Options that include what CUDA's compiler includes before a source with device code.

    `for_torch`: the source is part of an extension of PyTorch.
    """
    runtime = ("-include", profile.main_header) if profile.main_header else ()
    return (*runtime, *(_PYTORCH_FOR_NVCC if for_torch else ()))


def _without_toolkits(path: str) -> str:
    """Value of PATH without the folders of toolkits."""
    folders = path.split(os.pathsep)
    return os.pathsep.join(one for one in folders if not (Path(one).parent / FILE).is_file())


class _Parts(NamedTuple):
    """Parts of the settings that differ between programs and extensions."""

    flags: tuple[str, ...]
    includes: tuple[str, ...]
    link: tuple[str, ...]
    outside: tuple[str, ...]
    torch_link: tuple[str, ...] = ()


def _plain(profile: Profile) -> _Parts:
    """Parts for plain CUDA programs. The runtime of `simt` is built at the first use."""
    includes = flags.runtime_includes(profile)
    named = tuple(f"-I{place}" for place in includes)
    if profile.build.runtime != "simt":
        return _Parts((), named, flags.runtime_link(profile), includes)
    out = simt_runtime()
    convert = simt_build.conversion_flags(out)
    link = tuple(simt_build.link_flags(out))
    more = tuple(word for word in flags.runtime_link(profile) if word not in link)
    return _Parts(convert.flags, named, (*link, *more), includes)


def simt_runtime() -> Path:
    """Folder with libsimt.so: `$PORTER_SIMT_RUNTIME`, else a build in porter's cache, made at the first use.

    Raises BuildError if the build fails.
    """
    if given := os.environ.get(RUNTIME):
        return Path(os.path.realpath(given))
    out = runtime_folder()
    if not (out / "libsimt.so").is_file():
        simt_build.build(simt_build.Options(out=out))
    return out


def _torch(torch: Torch, profile: Profile) -> _Parts:
    """Parts for extensions of PyTorch, compiled against the installed backend."""
    against = installed.find(torch, profile)
    plugin = against.plugin if against.plugin and against.plugin.is_file() else None
    convert = (f"-fplugin={plugin}",) if plugin and profile.build.runtime == "simt" else ()
    # PyTorch's build of extensions defines the macros of half-precision operators itself.
    macros = (*profile.build.defines, *flags.abi_macros(torch))
    vendor = () if profile.build.runtime == "simt" else flags.runtime_includes(profile)
    includes = (*map(str, against.includes), *vendor)
    return _Parts(
        (
            *convert,
            "-fno-strict-aliasing",
            *(f"-D{macro}" for macro in macros if macro != "NDEBUG"),
        ),
        tuple(f"-I{place}" for place in includes),
        (
            "-Wl,--no-as-needed",
            f"-L{against.lib}",
            *flags.runtime_link(profile),
            "-Wl,--allow-shlib-undefined",
        ),
        (*includes, str(torch.root), str(torch.python_include)),
        (f"-L{against.lib}", f"-ltorch_{profile.lower}_kernels"),
    )


def _guards(rules: RuleSet, folder: Path) -> Sequence[str]:
    """Options that define the guard macros; the runtime of `simt` defines its own."""
    changed = guard_macros.with_header(rules, folder)
    return changed.profile.compiler_flags[len(rules.profile.compiler_flags) :]
