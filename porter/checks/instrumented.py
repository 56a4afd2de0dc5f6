"""Instrumented builds of CUDA programs: the compiler inserts calls at each access, and libsimt.so checks them.

The instrumentation is that of ThreadSanitizer and of some checks of UndefinedBehaviorSanitizer. The functions that it
calls are in `runtime/simt/check/hooks.cpp`; they replace the sanitizers' own libraries. A plugin of g++
(`runtime/simt/check/access_tests.cpp`) replaces most calls by a test.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from porter.base import disk_cache, fs
from porter.base.errors import BuildError
from porter.release import known
from porter.simt import compiler_plugin
from porter.simt.sources import include_dir, runtime_dir
from porter.toolkit import settings as settings_file
from porter.toolkit.cached_folder import made
from porter.toolkit.driver import Driver
from porter.toolkit.inputs import Wanted
from porter.toolkit.settings import ToolkitSettings

FLAGS = (
    *("-fsanitize=thread", "-fsanitize=bounds", "-fsanitize=alignment"),
    # Volatile accesses get functions of their own.
    "--param=tsan-distinguish-volatile=1",
    # The runtime unwinds the stack when it reports: calls at the entry and exit of functions are not needed.
    "--param=tsan-instrument-func-entry-exit=0",
    # Headers of the runtime order memory more strictly if this macro is defined, which would hide races.
    "-U__SANITIZE_THREAD__",
    *("-Wno-tsan", "-fno-omit-frame-pointer"),
    # These functions stay calls, which are wrapped: the compiler's own instructions for them have no instrumentation.
    *("-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset"),
)
"""Options of the host compiler: the instrumentation."""
COMPILE = ("-O1", "-g", "-std=c++17")
"""Options for simtcc."""

WRAPPED = ("memcpy", "memmove", "memset", "malloc", "free")
"""Functions of the C library whose calls in the program go to `__wrap_NAME` in hooks.cpp."""


def build(sources: Sequence[Path], program: Path, options: Sequence[str] = ()) -> Path:
    """Compile and link an instrumented program.

    `options` contains more options of nvcc. Raises BuildError if the compiler fails; its messages are on stderr.
    """
    settings = settings_file.read(made(Wanted("simt", release=known.read().proven("port")[-1])))
    instrumented = [f"-Xcompiler={flag}" for flag in flags(settings.compiler)]
    objects = []
    for number, source in enumerate(sources):
        made_object = program.with_name(f"{program.name}.{number}.o")
        command = [*COMPILE, *instrumented, *options, "-c", str(source), "-o", str(made_object)]
        _driver(settings, command)
        objects.append(str(made_object))
    wrapped = "-Xlinker=" + wrapping().removeprefix("-Wl,")
    linked = [word for word in options if word.startswith(("-l", "-L"))]
    _driver(
        settings, [*objects, str(hooks(settings.compiler)), wrapped, *linked, "-o", str(program)]
    )
    for one in objects:
        Path(one).unlink(missing_ok=True)
    return program


def run(
    program: Path, arguments: Sequence[str], kinds: Sequence[str], report: Path, *, quiet: bool
) -> subprocess.CompletedProcess[bytes]:
    """Run a program under the checks `kinds`. The runtime writes the report.

    The output is not captured; if `quiet`, standard output goes to stderr.
    """
    environment = {
        **os.environ,
        "SIMT_CHECK": ",".join(kinds),
        "SIMT_CHECK_REPORT": str(report),
        "SIMT_CHECK_EXIT_CODE": "0",
    }
    return subprocess.run(
        [os.path.realpath(program), *arguments],
        env=environment,
        stdout=sys.stderr if quiet else None,
        check=False,
    )


def _driver(settings: ToolkitSettings, arguments: Sequence[str]) -> None:
    def say(text: str) -> None:
        # Standard output belongs to the checked program and to the findings.
        sys.stderr.write(text)

    driver = Driver(settings, False, say, say)
    if driver.run(arguments) != 0:
        raise BuildError(
            "the program could not be compiled", help="read the compiler's messages above"
        )


def wrapping() -> str:
    """Option of the linker that passes calls of the functions in WRAPPED to hooks.cpp."""
    return "-Wl," + ",".join(f"--wrap={name}" for name in WRAPPED)


def flags(compiler: Sequence[str]) -> tuple[str, ...]:
    """Options of the host compiler: FLAGS, and the plugin, which is compiled at the first use.

    Without the headers for plugins, all accesses are calls: the checks find the same, in more time.
    """
    headers = compiler_plugin.plugin_headers(compiler)
    if headers is None:
        return FLAGS
    folder = runtime_dir() / "check"
    names = runtime_dir() / "plugin" / "runtime_names.h"
    command = [*compiler, *compiler_plugin.BUILD, "-isystem", str(headers)]
    version = compiler_plugin.built_for(compiler)
    plugin = _compiled(command, folder / "access_tests.cpp", names, ".so", version)
    return (*FLAGS, f"-fplugin={plugin}")


def hooks(compiler: Sequence[str]) -> Path:
    """Object of hooks.cpp, compiled at the first use."""
    source = runtime_dir() / "check" / "hooks.cpp"
    header = include_dir() / "simtrt" / "check_access.h"
    command = [*compiler, "-std=c++17", "-O3", "-fPIC", "-fno-plt", f"-I{include_dir()}", "-c"]
    return _compiled(command, source, header, ".o")


def _compiled(
    command: Sequence[str], source: Path, header: Path, suffix: str, version: str = ""
) -> Path:
    """Result of a compilation, in porter's cache. Its name contains a digest of its inputs.

    `version`: version of the compiler, for a result that works with this version only.
    """
    words = "\0".join([*command, version]).encode()
    key = hashlib.sha256(words + source.read_bytes() + header.read_bytes())
    place = disk_cache.folder() / "checks" / f"{source.stem}-{key.hexdigest()[:16]}{suffix}"
    if place.is_file():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    with fs.waiting_lock(place.with_suffix(".lock")):
        if place.is_file():
            return place
        scratch = place.with_suffix(f".new{suffix}")
        done = subprocess.run(
            [*command, str(source), "-o", str(scratch)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise BuildError(f"{source.name} could not be compiled\n{done.stderr}", str(source))
        scratch.replace(place)
    return place
