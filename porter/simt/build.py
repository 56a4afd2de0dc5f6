"""Builds libsimt.so, and the runtime's own test program, with ninja.

    from porter.simt.build import Options, build
    library = build(Options(out=Path("build/simt")))

The build graph is written to `build.ninja` in the folder `out`; only changed sources are compiled again. The error for
a failed command contains the command and the compiler's message.
"""

from __future__ import annotations

import io
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from porter.base.errors import BuildError, UsageError
from porter.base.fs import write_if_changed
from porter.simt import compiler_plugin
from porter.simt.compiler_plugin import PluginFlags
from porter.simt.openblas import find_blas
from porter.simt.sources import (
    bench_sources,
    include_dir,
    library_sources,
    runtime_dir,
    test_sources,
)
from porter.toolchain.discovery import default_launcher, words_of
from porter.toolchain.ninja import Progress, locked, ninja_command, run_ninja

if TYPE_CHECKING:
    from ninja.ninja_syntax import Writer

Sanitizer = Literal["address", "thread"]

WARNINGS = ("-Wall", "-Wextra")
KERNEL_FLAGS = (
    "-std=c++17",
    "-D__SIMTCC__=1",
    "-D__SIMT_ARCH__=700",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
)
"""Compiler flags of programs for `simt`, the same as in the profile `mappings/simt/target.yaml`.

`-fno-strict-aliasing`: device code reads memory through pointers to other types (eight half values as a `uint4`), which
CUDA's compiler permits. `-ffp-contract=off`: loops compiled for several processors have the same results on all.
"""


@dataclass(frozen=True)
class Options:
    """Options of a build of the runtime `simt`."""

    out: Path
    compiler: str = "g++"
    warp_size: int = 32
    """Number of lanes in a warp: 32 or 64."""
    sanitizer: Sanitizer | None = None
    debug: bool = False
    """True to compile without optimisation and with all assertions."""
    tests: bool = False
    """True to build the runtime's test program too."""
    without_tests: frozenset[str] = frozenset()
    """File names of test sources that the test program leaves out: `{"test_fft.cpp"}`."""
    bench: bool = False
    """True to build the program for `build_scripts/bench_runtime` too."""
    jobs: int | None = None
    """Number of parallel compilers; by default the number of processors."""
    launcher: str | None = None
    """Program that starts the compiler, for example `ccache`; by default ccache if it is installed."""

    @property
    def library(self) -> Path:
        return self.out / "libsimt.so"

    @property
    def test_program(self) -> Path:
        return self.out / "simt_tests"

    @property
    def bench_program(self) -> Path:
        return self.out / "simt_bench"


def program_flags(warp_size: int = 32) -> list[str]:
    """Compiler flags of a ported program. The runtime's header precedes the source, as CUDA's does for nvcc.

    `-x c++` makes the compiler accept a file with any suffix.
    """
    width = [f"-DSIMT_WARP_SIZE={warp_size}"] if warp_size != 32 else []
    own = [f"-I{include_dir()}", "-include", "simt_runtime.h"]
    return [*KERNEL_FLAGS, *width, *own, "-x", "c++"]


def conversion_flags(out: Path) -> PluginFlags:
    """Additional compiler flags of a ported program: they load the plugin that was built with the runtime in `out`."""
    return compiler_plugin.recorded(out)


def link_flags(out: Path) -> list[str]:
    """Linker flags of a ported program. They add the folder of libsimt.so in `out` to the run-time search path.

    The program exports its symbols, so that fault reports can name its kernels.
    """
    library = ["-Wl,--no-as-needed", f"-L{out}", "-lsimt", f"-Wl,-rpath,{out}"]
    return [*library, "-rdynamic", "-pthread"]


def compile_flags(options: Options) -> list[str]:
    """Compiler flags that must be the same for the library and for every program that uses it."""
    flags = [*KERNEL_FLAGS, *WARNINGS, "-fPIC", "-g1"]
    if options.debug:
        flags += ["-O0", "-D_GLIBCXX_ASSERTIONS"]
    else:
        # -O1 with a sanitizer: -O2 takes much time to compile, and programs with sanitizers are always slow.
        flags.append("-O1" if options.sanitizer else "-O2")
    if options.warp_size != 32:
        flags.append(f"-DSIMT_WARP_SIZE={options.warp_size}")
    if options.sanitizer is not None:
        flags += [f"-fsanitize={options.sanitizer}", "-fno-omit-frame-pointer"]
    return flags


def _graph(options: Options, convert: PluginFlags) -> str:
    from ninja.ninja_syntax import Writer

    from porter.toolchain.ninja_file import path_word, shell_words

    blas = find_blas()
    launcher = words_of(default_launcher(options.launcher), "--launcher")
    compiler = words_of(options.compiler, "--compiler")
    if not compiler:
        raise UsageError("--compiler names no command", help="give a command: --compiler g++")
    includes = [f"-I{include_dir()}", "-iquote", str(runtime_dir() / "src")]
    text = io.StringIO()
    ninja = Writer(text, width=1 << 30)  # type: ignore[arg-type]  # declared as a file; any text stream works
    ninja.comment("Generated by porter (porter/simt/build.py). Do not edit.")
    ninja.variable("ninja_required_version", "1.8")
    ninja.variable("cxx", shell_words([*launcher, *compiler]))
    ninja.variable("flags", shell_words(compile_flags(options)))
    ninja.variable("convert", shell_words(convert.flags_in(options.out, launcher)))
    ninja.variable("includes", shell_words(includes))
    ninja.rule(
        "cxx",
        "$cxx -MMD -MF $out.d $flags $convert $more $includes -x c++ -c $in -o $out",
        depfile="$out.d",
        deps="gcc",
        description="compile $in",
    )
    ninja.rule("link", "$cxx $flags $in $libraries -o $out", description="link $out")
    more = ["-fvisibility=hidden", *(f"-D{define}" for define in blas.defines)]
    tools = [path_word(convert.plugin)] if convert.plugin else []
    flags = {"more": shell_words(more)}
    objects = [_compile(ninja, source, flags, tools) for source in library_sources()]
    libraries = [
        "-shared",
        "-Wl,-soname,libsimt.so",
        "-Wl,--no-undefined",
        # -z nodelete: the library's threads run until the process ends, so the library must not be unloaded.
        "-Wl,-z,nodelete",
        *blas.link,
        "-ldl",
        "-pthread",
    ]
    ninja.build(
        [options.library.name], "link", objects, variables={"libraries": shell_words(libraries)}
    )
    ninja.default(options.library.name)
    if options.tests:
        # -O1, as for the kernels of a port, shortens compilation by a quarter.
        optimise = {} if options.debug else {"more": "-O1"}
        sources = [path for path in test_sources() if path.name not in options.without_tests]
        _program(ninja, options, options.test_program, sources, optimise, (), tools)
    if options.bench:
        defines = {"more": shell_words([f"-D{define}" for define in blas.defines])}
        _program(ninja, options, options.bench_program, bench_sources(), defines, blas.link, tools)
    return text.getvalue()


def _program(
    ninja: Writer,
    options: Options,
    program: Path,
    sources: list[Path],
    variables: dict[str, str],
    link: tuple[str, ...],
    tools: list[str],
) -> None:
    """Write the ninja statements that compile and link a program.

    The program exports its symbols, so that fault reports can name its kernels.
    """
    from porter.toolchain.ninja_file import shell_words

    objects = [_compile(ninja, source, variables, tools) for source in sources]
    libraries = ["-rdynamic", "-L.", "-lsimt", "-Wl,-rpath,$ORIGIN", *link, "-pthread", "-ldl"]
    ninja.build(
        [program.name],
        "link",
        objects,
        implicit=[options.library.name],
        variables={"libraries": shell_words(libraries)},
    )
    ninja.default(program.name)


def _compile(ninja: Writer, source: Path, variables: dict[str, str], tools: list[str]) -> str:
    """Write the ninja statement of one object and return the object's path, which follows from the source's path.

    The object is out of date if one of `tools` is newer.
    """
    from porter.toolchain.ninja_file import path_word

    out = source.relative_to(runtime_dir()).with_suffix(".o").as_posix()
    ninja.build([out], "cxx", [path_word(source)], implicit=tools, variables=variables)
    return out


def build(options: Options, progress: Progress | None = None) -> Path:
    """Bring the build up to date and return the path of libsimt.so.

    Raises BuildError, with the messages of the failed commands, if the compiler or the linker fails.
    """
    with locked(options.out):
        convert = compiler_plugin.prepare(words_of(options.compiler, "--compiler"), options.out)
        write_if_changed(options.out / "build.ninja", _graph(options, convert))
        outcome = run_ninja(options.out, jobs=options.jobs, progress=progress)
    if outcome.code != 0:
        said = [f"FAILED: {one.output}\n{one.command}\n{one.said}" for one in outcome.failed]
        again = shlex.join(ninja_command(options.out, "-v"))
        raise BuildError(
            "\n".join(["libsimt.so could not be built", *said, outcome.said]).rstrip(),
            place=str(options.out / "build.ninja"),
            help=f"for more output, run {again}",
        )
    return options.library
