"""Library of a port's kernels in which some sources are compiled with instrumentation.

    library = KernelLibrary.of(Path("generated/simt/2.6.0"), "instrumented")
    library.make(["aten/src/ATen/native/cuda/SortStable.cu"], jobs=2)

The library replaces the kernels' library of the installed wheel, if the environment variable `TORCH_<UPPER>_KERNELS`
contains its path. Objects of other sources come from the build of the port. The linker's map tells which object
contains an address.
"""

from __future__ import annotations

import bisect
import io
import json
import os
import re
import shlex
import subprocess
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ninja.ninja_syntax import Writer

from porter.base.errors import BuildError, SourceError, UsageError
from porter.base.fs import write_if_changed
from porter.base.globs import matches
from porter.checks import instrumented
from porter.port.output import read_manifest
from porter.toolchain.discovery import default_launcher
from porter.toolchain.ninja import Progress, locked, ninja_command, run_ninja
from porter.toolchain.ninja_file import path_word, shell_words

FOLDER = "check"
"""Folder of the instrumented build, beside the folder `build` of the port."""
_HELP = "build the port first: porter run --target simt --until build"
_TEXT = re.compile(r" \.text\S*\s+0x([0-9a-f]+)\s+0x([0-9a-f]+)\s+(\S+)")
"""Code section in a map of GNU ld: address, size, object. Long names of sections end with a newline."""


class _Build(NamedTuple):
    """Compile commands and link command of a port's build, as ninja runs them in `folder`."""

    folder: Path
    compile: dict[str, list[str]]
    """Maps an object's path to the command that compiles the object."""
    link: list[str]
    """Command that links the library of the kernels."""


class KernelLibrary(NamedTuple):
    """Instrumented library of the port in `port`."""

    port: Path
    name: str
    """Name of the library's folder in the folder `check`."""
    build: _Build
    sources: dict[str, str]
    """Maps the upstream path of a kernel's source, or the path below the port, to its object in the build folder."""

    @classmethod
    def of(cls, port: Path, name: str) -> KernelLibrary:
        """Library of a built port. Raises SourceError if the folder contains no build."""
        manifest = read_manifest(port)
        build = _read_build(port / "build")
        paths = {f"obj/src/{file.to}.o": file.path for file in manifest.files.values()}
        objects = [
            word for word in build.link if word.startswith("obj/") and word.endswith(".cu.o")
        ]
        # The rest are kernels that torchgen has generated: they have no upstream path.
        sources = {paths.get(made, _below_port(made)): made for made in objects}
        return cls(Path(os.path.realpath(port)), name, build, sources)

    @property
    def folder(self) -> Path:
        return self.port / FOLDER / self.name

    @property
    def path(self) -> Path:
        """Path of the library, which may be missing."""
        return self.folder / "lib" / Path(self._linked_name()).name

    def ported(self, source: str) -> Path:
        """Path of the ported copy of a source."""
        return self.port / _below_port(self.sources[source])

    def matching(self, globs: Sequence[str]) -> list[str]:
        """Sources whose upstream paths match. Raises UsageError for a glob without a match."""
        for glob in globs:
            if not any(matches(path, [glob]) for path in self.sources):
                help = "give globs of upstream paths of kernels: aten/src/ATen/native/cuda/Sort*.cu"
                raise UsageError(f"--sources: '{glob}' matches no source of the build", help=help)
        return sorted(path for path in self.sources if matches(path, globs))

    def make(self, sources: Iterable[str], jobs: int, progress: Progress | None = None) -> Path:
        """Compile `sources` with instrumentation, and link the library. Unchanged objects are kept.

        Raises BuildError if the compiler or the linker fails, Interrupted on Ctrl-C.
        """
        with locked(self.folder):
            write_if_changed(self.folder / "build.ninja", self._graph(sorted(sources)))
            outcome = run_ninja(self.folder, jobs=jobs, progress=progress)
        if outcome.code != 0:
            first = outcome.failed[0] if outcome.failed else None
            text = (
                f"{first.output}\n{first.said}\ncommand: {first.command}" if first else outcome.said
            )
            raise BuildError(f"the instrumented kernels could not be built: {text}", _HELP)
        return self.path

    def sources_at(self) -> Callable[[Iterable[int]], list[str]]:
        """Function that returns the sources whose objects contain offsets of the library, which must have been made."""
        by_object = {made: path for path, made in self.sources.items()}
        code = sorted(_read_map(self.path.with_suffix(".map")))
        begins = [begin for begin, _, _ in code]

        def at(offsets: Iterable[int]) -> list[str]:
            found = set()
            for offset in offsets:
                begin, size, made = code[bisect.bisect_right(begins, offset) - 1]
                if begin <= offset < begin + size:
                    # Objects in the folder of the instrumented build have the same relative paths.
                    found.add(made.removeprefix(f"{self.folder}/"))
            return sorted(by_object[made] for made in found if made in by_object)

        return at

    def upstream_paths(self) -> Callable[[str], str]:
        """Function that returns the upstream path of a file in debug information, or the path below the port."""
        ported = {file.to: file.path for file in read_manifest(self.port).files.values()}
        port = self.build.folder.parent

        def upstream(file: str) -> str:
            # The commands of the build have paths relative to its folder. Debug information may begin with that folder.
            inside = file.removeprefix(f"{self.build.folder}/")
            known = os.path.normpath(self.build.folder / file).removeprefix(f"{port}/src/")
            return ported.get(known, inside)

        return upstream

    def _linked_name(self) -> str:
        return self.build.link[self.build.link.index("-o") + 1]

    def _graph(self, sources: Sequence[str]) -> str:
        """Text of build.ninja. The commands run in the build folder of the port, as its own commands do."""
        text = io.StringIO()
        ninja = Writer(text, width=1 << 30)  # type: ignore[arg-type]  # declared as a file; any text stream works
        ninja.comment("Generated by porter (porter/checks/kernel_library.py). Do not edit.")
        inside = f"cd {shlex.quote(str(self.build.folder))} && ".replace("$", "$$")
        launcher = shell_words(shlex.split(default_launcher(None)))
        ninja.rule(
            "compile",
            f"{inside}{launcher} $words -MMD -MF $to.d -o $to",
            depfile="$to.d",
            deps="gcc",
            description="$path",
        )
        ninja.rule(
            "link",
            f"{inside}$words -o $to @$to.rsp",
            rspfile="$to.rsp",
            rspfile_content="$objects",
            description="$to",
        )
        made = [self.sources[path] for path in sources]
        for path, one in zip(sources, made, strict=True):
            command = _compiling(self.build.compile[one], self.build.folder.parent)
            to = path_word(self.folder / one)
            variables = {"words": shell_words(command), "to": to, "path": path}
            ninja.build([to], "compile", [path_word(_source_of(command))], variables=variables)
        self._link_step(ninja, made)
        return text.getvalue()

    def _link_step(self, ninja: Writer, made: Sequence[str]) -> None:
        """Instrumented objects come first: of equal inline functions, the linker takes the first."""
        is_object = [word.startswith("obj/") for word in self.build.link]
        kept = [w for w, is_one in zip(self.build.link, is_object, strict=True) if is_one]
        first = [str(self.folder / one) for one in made]
        rest = [str(self.build.folder / one) for one in kept if one not in set(made)]
        hooks = instrumented.hooks(self.build.link[:1])
        words = [w for w, is_one in zip(self.build.link, is_object, strict=True) if not is_one]
        at = words.index("-o")
        command = [
            *words[:at],
            *(word for word in words[at + 2 :] if word != "-Wl,--strip-debug"),
            instrumented.wrapping(),
            f"-Wl,-Map={self.path.with_suffix('.map')}",
        ]
        # Libraries must follow the objects that need them, so they go to the end of the response file.
        libraries = [word for word in command if word.startswith(("-L", "-l"))]
        command = [word for word in command if word not in libraries]
        objects = [*first, *rest, str(hooks), *libraries]
        to = path_word(self.path)
        variables = {"words": shell_words(command), "to": to, "objects": shell_words(objects)}
        ninja.build(
            [to],
            "link",
            [path_word(word) for word in (*first, *rest, str(hooks))],
            variables=variables,
        )
        ninja.default([to])


def _compiling(command: Sequence[str], port: Path) -> list[str]:
    """Command with instrumentation, without its output. Debug information contains the paths of the port's files.

    SIMT_UPSTREAM_LOOPS: the checks shall see PyTorch's own kernels, not the loops of `mappings/simt/loops.yaml`.
    """
    at = command.index("-o")
    kept = [word for word in (*command[:at], *command[at + 2 :]) if word != "-ftree-vectorize"]
    source = kept.index("-c")
    debug = ("-g1", f"-fdebug-prefix-map={port}/={port}/")
    return [
        *kept[:source],
        *instrumented.flags(command[:1]),
        *debug,
        "-DSIMT_UPSTREAM_LOOPS",
        *kept[source:],
    ]


def _below_port(made: str) -> str:
    """Path of an object's source below the port."""
    return made.removeprefix("obj/").removesuffix(".o")


def _source_of(command: Sequence[str]) -> str:
    return command[command.index("-c") + 1]


def _read_build(folder: Path) -> _Build:
    try:
        entries: list[dict[str, Any]] = json.loads(
            (folder / "compile_commands.json").read_text("utf-8")
        )
        compile = {entry["output"]: list(entry["arguments"]) for entry in entries}
    except (OSError, ValueError, KeyError, TypeError):
        raise SourceError("the port is not built", str(folder), _HELP) from None
    listed = subprocess.run(
        ninja_command(folder, "-t", "compdb", "-x", "link"),
        capture_output=True,
        text=True,
        check=False,
    )
    # ninja prints the folder first.
    _, bracket, text = listed.stdout.partition("[")
    links = json.loads(bracket + text) if listed.returncode == 0 and bracket else []
    for entry in links:
        if entry["output"].endswith("_kernels.so"):
            return _Build(Path(os.path.realpath(folder)), compile, shlex.split(entry["command"]))
    raise SourceError("the port is not linked", str(folder), _HELP)


def _read_map(place: Path) -> Iterable[tuple[int, int, str]]:
    """Code sections of a linked library: address, size and object."""
    before = ""
    with place.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            # The name of a long section has a line of its own.
            if line.startswith(" .text") and len(line.split()) == 1:
                before = line.rstrip("\n")
                continue
            if found := _TEXT.match(before + line):
                address, size, made = int(found[1], 16), int(found[2], 16), found[3]
                if address and size:
                    yield address, size, re.sub(r"^.*/(?=obj/)", "", made)
            before = ""
