"""Compiler driver with the command lines of nvcc and g++: ports sources, and calls the target's compiler and linker.

`run` returns an exit code; messages go to the given streams. Every error is a PorterError.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base import disk_cache
from porter.base.errors import BuildError, UsageError
from porter.cpp.lex import encode
from porter.mapping.library import MappingLibrary
from porter.model.project_names import PyTorchNames
from porter.model.rules import RuleSet
from porter.port.state import REWRITTEN
from porter.toolkit import (
    c_sources,
    commands,
    compute_capability,
    device_symbols,
    forced_includes,
    messages,
    modules,
)
from porter.toolkit.command_line import (
    PREPROCESSED,
    Input,
    Request,
    Step,
    read_gxx,
    read_nvcc,
)
from porter.toolkit.nvcc_output import build_system_text, version_text
from porter.toolkit.on_the_fly import Mirror, PortedSource, SourcePorter
from porter.toolkit.records import replace
from porter.toolkit.search_path import SearchPath, mirrored
from porter.toolkit.settings import ToolkitSettings

Say = Callable[[str], None]
_CMAKE_TEST = "CMakeCUDACompilerId.cu"
"""Name of the source that CMake compiles to identify a CUDA compiler."""
_LIBSIMT = "-lsimt"
_HELP = """\
usage: nvcc [options] FILE...

Compiles and links CUDA sources for a target of porter. The command line is nvcc's: -c, -o, -I, -D, -L, -l, -shared,
-rdc=true, -x cu, -Xcompiler, -Xlinker, -ccbin, -M, -MD, -MF, -E, -cuda, -ptx, -cubin, -fatbin, -lib, -run,
--options-file. Options for NVIDIA's GPUs (-arch, -gencode, --ptxas-options) have no effect; --verbose lists them.
"""


class Driver(NamedTuple):
    """One call of the driver."""

    settings: ToolkitSettings
    gxx: bool = False
    """True for the command line of g++, False for nvcc's."""
    out: Say = lambda text: None
    err: Say = lambda text: None

    def run(self, arguments: Sequence[str]) -> int:
        """Carry out a command line and return the exit code of the compiler or linker.

        Raises UsageError for a wrong command line, SourceError for an unreadable source, BuildError when the compiler
        does not start.
        """
        request = read_gxx(arguments) if self.gxx else read_nvcc(arguments)
        if self.gxx and not request.sources and request.step is not Step.LINK:
            return self._plain(arguments)
        if request.step is Step.VERSION:
            self.out(version_text(self.settings.target, self.settings.cuda))
            return 0
        if request.step is Step.HELP:
            self.out(_HELP)
            return 0
        if request.step is Step.ARCHITECTURES:
            self.out("compute_70\n")
            return 0
        if not request.inputs:
            if self.gxx:
                return self._plain(arguments)
            raise UsageError("no input files", help="run nvcc --help")
        self._note_ignored(request)
        return _Steps(self, request, SearchPath(request.options, self.settings.outside)).run()

    def _note_ignored(self, request: Request) -> None:
        if request.verbose:
            target = self.settings.target
            for word in request.ignored:
                self.err(f"nvcc: note: {word} has no effect on target {target}\n")
            for word in commands.dropped(request):
                self.err(
                    f"nvcc: note: {word} is replaced by the C++ standard of the target's headers\n"
                )

    def _plain(self, arguments: Sequence[str]) -> int:
        """Pass a command line without sources to the target's compiler: `-v`, `-dumpversion`, `-print-file-name=x`."""
        return self.call([*self.settings.compiler, *arguments], Request(), None)

    def call(self, command: Sequence[str], request: Request, mirror: Mirror | None) -> int:
        """Run a command, show its messages with the user's paths, and return its exit code."""
        if request.verbose:
            self.err(f"#$ {shlex.join(command)}\n")
        if request.dry_run:
            return 0
        done = _started(command)
        if done.returncode and messages.nvcc_accepts(done.stderr):
            done = _started([*command, "-fpermissive"])
        self.err(messages.shown(done.stderr, mirror))
        if done.returncode and mirror is not None:
            wrong = messages.files_with_errors(done.stderr, mirror)
            self.err(compute_capability.advice(wrong, command))
        return done.returncode if done.returncode >= 0 else 128 - done.returncode


def _started(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Result of a compiler or linker, with its messages in English. Raises BuildError if it does not start."""
    try:
        return subprocess.run(
            command,
            stderr=subprocess.PIPE,
            check=False,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    except OSError as error:
        raise BuildError(f"does not start: {error.strerror}", command[0]) from None


class _Steps:
    """Steps of one request."""

    def __init__(self, driver: Driver, request: Request, search: SearchPath) -> None:
        self.driver = driver
        self.settings = driver.settings
        self.request = request
        library = MappingLibrary.find(tuple(map(Path, self.settings.mappings)))
        digest = library.digest(self.settings.target)

        def rules() -> RuleSet:
            from porter.mapping import rule_cache

            return rule_cache.rule_set(library, self.settings.target, self.settings.release)

        def pytorch() -> PyTorchNames:
            from porter.mapping import pytorch_names

            return pytorch_names.read(library.special("pytorch", pytorch_names.FILE))

        key = f"{digest} {REWRITTEN.code()} {self.settings.target} {self.settings.release}"
        cache = disk_cache.folder() / "toolkit" / "ported"
        macros = [word[2:].partition("=")[0] for word in request.options if word.startswith("-D")]
        self.porter = SourcePorter(
            cache, key, rules, pytorch, search, self.settings.suffixes, macros
        )
        self.search = search
        self.forced = forced_includes.own(request.options, search)
        self.rules = rules
        self.key = key

    def run(self) -> int:
        step = self.request.step
        if step is Step.DEVICE_LINK:
            return self._empty_object()
        if step in (Step.PREPROCESS, Step.DEPENDENCIES):
            return self._preprocess()
        if step in (Step.COMPILE, Step.HOST_CODE, Step.MODULE):
            return self._one_by_one()
        with tempfile.TemporaryDirectory(prefix="porter-") as scratch:
            inputs: list[Input] = []
            for number, one in enumerate(self.request.inputs):
                if not one.language:
                    inputs.append(one)
                    continue
                made = f"{scratch}/{number}-{Path(one.text).stem}.o"
                if code := self._compile(one, made):
                    return code
                inputs.append(Input(made))
            if step is Step.ARCHIVE:
                return self._archive(inputs)
            return self._link(inputs)

    def _one_by_one(self) -> int:
        """Write one file for each source."""
        request = self.request
        if request.output and len(request.sources) > 1:
            raise UsageError("-o needs exactly one source, unless the sources are linked")
        make = {Step.HOST_CODE: self._host_code, Step.MODULE: self._module}.get(
            request.step, self._compile
        )
        for one in request.sources:
            made = request.output or f"{Path(one.text).stem}{request.suffix}"
            if code := make(one, made):
                return code
        return 0

    def _host_code(self, source: Input, made: str) -> int:
        """Write the preprocessed port of a source, which needs no header and no further port."""
        source, ported = self._port(source)
        command = [*self._command(source, ported.mirror), "-E", ported.path, "-o", made]
        return self.driver.call(command, self.request, ported.mirror)

    def _module(self, source: Input, made: str) -> int:
        """Write a shared library, which the driver API of `simt` loads as a module."""
        if _LIBSIMT not in self.settings.link:
            raise UsageError(
                f"target {self.settings.target} has no separate files of device code",
                help="compile to an object (-c) or a shared library (-shared)",
            )
        with tempfile.TemporaryDirectory(prefix="porter-") as scratch:
            object = f"{scratch}/{Path(source.text).stem}.o"
            if code := self._compile(source, object, ("-fPIC",)):
                return code
            symbols = Path(scratch) / "symbols"
            symbols.write_text(modules.SYMBOLS, encoding="utf-8")
            own = ("-shared", "-Wl,-Bsymbolic-functions", f"-Wl,--version-script={symbols}")
            linking = self.request._replace(link=(*self.request.link, *own))
            others = [one for one in self.request.inputs if not one.language]
            command, _ = commands.link_command(
                linking, self.settings, [Input(object), *others], made, always=True
            )
            code = self.driver.call(command, self.request, None)
            if code == 0 and self.request.suffix == ".ptx" and not self.request.dry_run:
                modules.make_text(Path(made))
            return code

    def _port(self, source: Input) -> tuple[Input, PortedSource]:
        """Port of a source, and the source with the language of the port. Raises SourceError."""
        if source.language == PREPROCESSED:
            return source, PortedSource(source.text, Mirror(""))
        ported = self.porter.port(source.text, tuple(self.forced.values()))
        if source.language != "c" or _LIBSIMT not in self.settings.link:
            return source, ported
        headers = c_sources.cuda_headers(ported.outside, self.settings.folder)
        if not headers:
            return source, ported
        place = c_sources.place(ported.path)
        replace(place, encode(c_sources.text(ported.path, source.text, headers)))
        return source._replace(language=c_sources.LANGUAGE), ported._replace(path=place)

    def _compile(self, source: Input, made: str, more: Sequence[str] = ()) -> int:
        depend = self.request.depend if self.request.depend in ("-MD", "-MMD") else ""
        depend_file = self.request.depend_file or str(Path(made).with_suffix(".d"))
        more = [*more, *([depend, "-MF", depend_file] if depend else [])]
        if depend and not any(word.startswith(("-MT", "-MQ")) for word in self.request.options):
            more += ["-MT", made]
        source, ported = self._port(source)
        command = [*self._command(source, ported.mirror), *more, "-c", ported.path, "-o", made]
        code = self.driver.call(command, self.request, ported.mirror)
        if self.request.dry_run or code:
            return code
        if depend:
            self._correct(depend_file, source, ported)
        if self._has_local_device_code(source) and os.path.isfile(made):  # noqa: PTH113
            device_symbols.make_local(made, ported.files)
        return code

    def _has_local_device_code(self, source: Input) -> bool:
        """Test whether no other file uses the device functions of a source. Programs find those of modules by name."""
        is_cuda = source.language == "cu" and _LIBSIMT in self.settings.link
        return is_cuda and not self.request.is_relocatable and self.request.step is not Step.MODULE

    def _command(self, source: Input, mirror: Mirror) -> list[str]:
        flags = commands.compile_flags(self.request, self.settings, source.language)
        folder = os.path.dirname(os.path.abspath(source.text))  # noqa: PTH100, PTH120
        flags = mirrored(flags, mirror.folder, self.search)
        if mirror.folder:
            flags = forced_includes.replaced(flags, self._forced_places(mirror))
        words = [*self.settings.compiler, *flags, *self._renamed_macros()]
        if Path(source.text).name == _CMAKE_TEST:
            # CMake recognises nvcc by the presence of this macro too.
            words += ["-D__CUDACC_VER_BUILD__=0"]
        if not os.path.isabs(source.text):  # noqa: PTH117
            words.append(f"-fmacro-prefix-map={os.getcwd()}/=")  # noqa: PTH109
        # The compiler searches the folder of the user's source last, for files that are not in the mirror, for example
        # the file of a `#include` whose path is a macro.
        words += ["-idirafter", folder]
        if source.language == "c":
            words += ["-x", "c"]
        elif source.language == c_sources.LANGUAGE:
            words += [*c_sources.flags(self.settings.folder), "-x", "c++"]
        elif source.language in ("c++-header", PREPROCESSED):
            words += ["-x", source.language]
        return words

    def _forced_places(self, mirror: Mirror) -> dict[str, str]:
        """Paths of the ported headers that the command line includes, by their paths in the options."""
        options = self.request.options
        own = {path: mirror.place(file) for path, file in self.forced.items()}
        return {**forced_includes.renamed(options, own, self.key, self.rules), **own}

    def _renamed_macros(self) -> list[str]:
        """Definitions of macros under their ported names: `-DWITH_CUDA` may also define `WITH_SIMT`."""
        words = [word for word in self.request.options if word.startswith(("-D", "-U"))]
        if not words:
            return []
        from porter.toolkit.macros import renamed

        return renamed(words, self.key, self.rules)

    def _correct(self, depend_file: str, source: Input, ported: PortedSource) -> None:
        place = Path(depend_file)
        text = messages.depend_text(
            place.read_text(encoding="utf-8", errors="surrogateescape"), ported.mirror
        )
        first = ported.path.removeprefix(ported.mirror.folder)
        text = text.replace(first, source.text) if first != source.text else text
        place.write_text(text, encoding="utf-8", errors="surrogateescape")

    def _preprocess(self) -> int:
        request = self.request
        wanted = ["-E"] if request.step is Step.PREPROCESS else [request.depend]
        made = request.depend_file if wanted[0] != "-E" and request.depend_file else request.output
        for source in request.sources:
            one, ported = self._port(source)
            command = [*self._command(one, ported.mirror), *wanted, ported.path]
            with tempfile.TemporaryDirectory(prefix="porter-") as scratch:
                text = Path(scratch) / "text"
                if code := self.driver.call([*command, "-o", str(text)], request, ported.mirror):
                    return code
                if request.dry_run:
                    continue
                self._correct(str(text), one, ported)
                shown = text.read_text(encoding="utf-8", errors="surrogateescape")
            if made:
                Path(made).write_text(shown, encoding="utf-8", errors="surrogateescape")
            else:
                self.driver.out(shown)
        return 0

    def _empty_object(self) -> int:
        """Write an empty object for `-dlink`, because the host's linker links device code."""
        made = self.request.output or "a_dlink.o"
        command = [*self.settings.compiler, "-x", "c", "-fPIC", "-c", os.devnull, "-o", made]
        return self.driver.call(command, self.request, None)

    def _archive(self, inputs: Sequence[Input]) -> int:
        made = self.request.output or "a.a"
        objects = [one.text for one in inputs if not one.text.startswith("-")]
        return self.driver.call(["ar", "rcs", made, *objects], self.request, None)

    def _link(self, inputs: Sequence[Input]) -> int:
        made = self.request.output or "a.out"
        always = not self.driver.gxx
        command, linked = commands.link_command(
            self.request, self.settings, inputs, made, always=always
        )
        for name, why in linked.left_out:
            self.driver.err(f"nvcc: warning: -l{name} is left out: {why}\n")
        code = self.driver.call(command, self.request, None)
        if self.request.verbose and always:
            # After the command itself: CMake reads the last line that contains the libraries.
            self.driver.err(build_system_text(self.settings, made))
        if code == 0 and self.request.run and not self.request.dry_run:
            return subprocess.run([os.path.abspath(made)], check=False).returncode  # noqa: PTH100
        return code


def main(settings: ToolkitSettings, arguments: Sequence[str], *, gxx: bool) -> int:
    """Run the driver as a program and return the exit code. Errors become messages on stderr."""
    from porter.base.errors import PorterError

    driver = Driver(settings, gxx, _writer(sys.stdout), _writer(sys.stderr))
    try:
        chosen = os.environ.get(compute_capability.VARIABLE, "")
        flags = compute_capability.flags_for(settings.flags, chosen)
        return driver._replace(settings=settings._replace(flags=flags)).run(arguments)
    except PorterError as error:
        driver.err(f"{error}\n")
        return error.code
    except KeyboardInterrupt:
        return 130


def _writer(stream: object) -> Say:
    def say(text: str) -> None:
        if text:
            stream.write(text)  # type: ignore[attr-defined]
            stream.flush()  # type: ignore[attr-defined]

    return say
