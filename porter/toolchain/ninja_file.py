"""Writer of a build's ninja files and of compile_commands.json, which editors read.

`build.ninja` contains all objects that are known in advance. It includes `libraries.ninja`, which is written later and
contains the objects of the registrations and the libraries. Both files share one ninja log.
"""

from __future__ import annotations

import io
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ninja.ninja_syntax import Writer

from porter.base.json_text import indented
from porter.model.build import PYTHON, STUB, CompileUnit, SharedLibrary
from porter.toolchain import ccache, precompiled
from porter.toolchain.jobs import Jobs

GRAPH = "build.ninja"
LIBRARIES = "libraries.ninja"
OBJECTS = "objects"
"""Target that consists of every object in `build.ninja`."""


class Commands(NamedTuple):
    """Compiler, launcher and flags."""

    compiler: tuple[str, ...]
    launcher: tuple[str, ...]
    flags: tuple[str, ...]
    """Flags of every C++ source."""
    host: tuple[str, ...] = ()
    """Additional flags of sources that CUDA's build compiles with the host compiler."""
    python: tuple[str, ...] = ()
    """Additional flags of the binding's sources."""
    stub: tuple[str, ...] = ()
    """All flags of the entry point of the Python module, a C source."""

    def compile(self, unit: CompileUnit) -> list[str]:
        """Command, without launcher, that compiles a unit in the build folder."""
        if unit.set == STUB:
            flags = self.stub
        else:
            host = self.host if unit.on_host else ()
            python = self.python if unit.set == PYTHON else ()
            flags = (*self.flags, *host, *python, *unit.flags)
        return [*self.compiler, *flags, "-c", str(unit.source), "-o", unit.object]


def objects_graph(
    units: Sequence[CompileUnit],
    commands: Commands,
    jobs: Jobs,
    depends: Sequence[Path],
    header: Path | None = None,
) -> str:
    """Text of `build.ninja`.

    All objects are out of date when one of the files in `depends` is newer. `header` is precompiled once and included
    first by the units for which `precompiled.uses_header` is true.
    """
    text, ninja = _writer()
    ninja.variable("ninja_required_version", "1.8")
    ninja.variable("launcher", shell_words(commands.launcher))
    ninja.variable("cxx", shell_words(commands.compiler))
    ninja.variable("flags", shell_words(commands.flags))
    ninja.variable("host", shell_words(commands.host))
    ninja.variable("python", shell_words(commands.python))
    ninja.pool("heavy", jobs.heavy)
    compiling = "$launcher $cxx $flags $more -MMD -MF $out.d -c $in -o $out"
    ninja.rule("cxx", compiling, depfile="$out.d", deps="gcc", description="$path")
    ninja.rule("c", _stub_command(commands), description="$path")
    ninja.rule(
        "link",
        "$cxx -shared -fPIC -o $out @$out.rsp $libraries",
        rspfile="$out.rsp",
        rspfile_content="$in",
        description="$out",
    )
    if header:
        _header(ninja, header, depends, summed=ccache.is_used(commands.launcher))
    for unit in units:
        _object(ninja, unit, depends, header if precompiled.uses_header(unit) else None)
    ninja.build([OBJECTS], "phony", [path_word(unit.object) for unit in units])
    ninja.include(LIBRARIES)
    return text.getvalue()


def libraries_graph(
    registrations: Sequence[CompileUnit],
    libraries: Sequence[SharedLibrary],
    scripts: Mapping[str, Path],
    depends: Sequence[Path],
) -> str:
    """Text of `libraries.ninja`. `scripts` maps the name of a library to its version script.

    The objects of the registrations are out of date when one of the files in `depends` is newer.
    """
    text, ninja = _writer()
    for unit in registrations:
        _object(ninja, unit, depends)
    for library in libraries:
        script = scripts[library.name]
        names = [
            f"-Wl,-soname,{Path(library.name).name}",
            f"-Wl,--version-script={script}",
            "-Wl,-Bsymbolic",
            *(("-Wl,-z,defs",) if library.complete else ()),
            # Each library finds the others in its own folder. The process has loaded PyTorch's libraries before.
            "-Wl,-rpath,$ORIGIN:$ORIGIN/lib",
            "-Wl,--build-id=none",
            "-Wl,--strip-debug",
            *library.needs,
            *library.link,
        ]
        ninja.build(
            [library.name],
            "link",
            [path_word(unit.object) for unit in library.units],
            implicit=[*library.needs, path_word(script)],
            variables={"libraries": shell_words(names)},
        )
    ninja.default([library.name for library in libraries])
    return text.getvalue()


def compile_commands(units: Sequence[CompileUnit], commands: Commands, folder: Path) -> str:
    """Text of compile_commands.json (clang's JSON compilation database)."""
    entries = [
        {
            "directory": str(folder),
            "file": str(unit.source),
            "output": unit.object,
            "arguments": commands.compile(unit),
        }
        for unit in units
    ]
    return indented(entries) + "\n"


def _writer() -> tuple[io.StringIO, Writer]:
    text = io.StringIO()
    ninja = Writer(text, width=1 << 30)  # type: ignore[arg-type]  # declared as a file; any text stream works
    ninja.comment("Generated by porter (porter/toolchain/ninja_file.py). Do not edit.")
    return text, ninja


def _header(ninja: Writer, header: Path, depends: Sequence[Path], *, summed: bool) -> None:
    making = "$cxx $flags -x c++-header"
    compiling = f"{making} -MMD -MF $out.d -c $in -o $out"
    summing = f" && {making} -E -P $in | sha256sum > $out.sum" if summed else ""
    command = compiling + summing
    ninja.rule("header", command, depfile="$out.d", deps="gcc", description="$path")
    ninja.build(
        [path_word(precompiled.compiled(header))],
        "header",
        [path_word(header)],
        implicit=[path_word(place) for place in depends],
        variables={"path": header.name},
    )


def _object(
    ninja: Writer, unit: CompileUnit, depends: Sequence[Path], header: Path | None = None
) -> None:
    more = ["$host"] if unit.on_host else []
    if header:
        # -fpch-preprocess: preprocessed text, which ccache reads, then refers to the precompiled header too.
        more.append(shell_words(["-include", str(header), "-fpch-preprocess"]))
        depends = [*depends, precompiled.compiled(header)]
    if unit.set == PYTHON:
        more.append("$python")
    if unit.flags:
        more.append(shell_words(unit.flags))
    variables = {"path": unit.path, "more": " ".join(more)}
    if unit.heavy:
        variables["pool"] = "heavy"
    ninja.build(
        [path_word(unit.object)],
        "c" if unit.set == STUB else "cxx",
        [path_word(unit.source)],
        implicit=[path_word(place) for place in depends],
        variables=variables,
    )


def _stub_command(commands: Commands) -> str:
    unit = CompileUnit(Path("IN"), "OUT", "", STUB)
    words = {"IN": "$in", "OUT": "$out"}
    return " ".join(words.get(word) or shell_words([word]) for word in commands.compile(unit))


def path_word(place: Path | str) -> str:
    """Path for a statement of ninja: this function escapes `$`, and ninja's Writer escapes all other characters."""
    return str(place).replace("$", "$$")


def shell_words(words: Sequence[str]) -> str:
    """Words quoted for the shell that runs ninja's commands, with `$` escaped for ninja."""
    return shlex.join(words).replace("$", "$$")
