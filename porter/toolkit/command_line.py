"""Command lines of nvcc and of g++, as one request: the files, the step to end with, and the compiler's options."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import UsageError, did_you_mean
from porter.toolkit.nvcc_options import HOST_PREFIXES, JOINED, OPTIONS, Option, Use

DEVICE_SUFFIXES = frozenset((".cu",))
HOST_SUFFIXES = frozenset((".cpp", ".cc", ".cxx", ".c++", ".C", ".cp"))
C_SUFFIXES = frozenset((".c",))
PREPROCESSED = "c++-cpp-output"
"""Language of a preprocessed C++ source (`.ii`), by g++'s name."""
_DEPENDENCIES = {"-M": "-M", "-MM": "-MM", "-MD": "-MD", "-MMD": "-MMD"}
_LANGUAGES = {
    "cu": "cu",
    "cuda": "cu",
    "c++": "c++",
    "c": "c",
    "none": "",
    "c++-header": "c++-header",
}
_GXX_VALUES = frozenset(
    (
        *(
            "-I",
            "-isystem",
            "-iquote",
            "-idirafter",
            "-include",
            "-imacros",
            "-D",
            "-U",
            "-L",
            "-l",
        ),
        *("-MF", "-MT", "-MQ", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-T", "-u", "-z", "-e"),
        *("--param", "-isysroot", "-B", "-iprefix", "-aux-info"),
    )
)
"""Options of g++ whose value may be the next argument."""
_ESCAPE = re.compile(r"\\(.)", re.S)
_OF_SHLEX = "\\\"' \t\n"
"""Characters whose escapes shlex treats."""
_DEEPEST = 8
"""Largest depth of option files that name option files."""


class Step(StrEnum):
    """Last step of a command."""

    LINK = "link"
    COMPILE = "compile"
    PREPROCESS = "preprocess"
    DEPENDENCIES = "dependencies"
    HOST_CODE = "host-code"
    """A preprocessed C++ source for each source (`-cuda`)."""
    MODULE = "module"
    """A file for `cuModuleLoad` for each source (`-ptx`, `-cubin`, `-fatbin`)."""
    DEVICE_LINK = "device-link"
    ARCHIVE = "archive"
    VERSION = "version"
    HELP = "help"
    ARCHITECTURES = "architectures"


class Input(NamedTuple):
    """Input file, or a linker argument between the input files, whose position matters."""

    text: str
    """Path, or linker argument (`-lm`, `-Wl,--as-needed`)."""
    language: str = ""
    """`cu`, `c++`, `c`, `c++-header` or PREPROCESSED for a source.

    Empty for an object, a library and a linker argument.
    """


class Request(NamedTuple):
    """Command line of nvcc or g++ after reading."""

    step: Step = Step.LINK
    inputs: tuple[Input, ...] = ()
    output: str = ""
    """Value of `-o`; empty if not given."""
    suffix: str = ""
    """Suffix of the files that the step writes if `-o` is not given; empty for the steps LINK and ARCHIVE."""
    options: tuple[str, ...] = ()
    """Options for the target's compiler, in order: macros, include folders, `-O2`, `-fPIC`."""
    link: tuple[str, ...] = ()
    """Options for linking only, in order: `-L`, `-Xlinker`, `-shared`."""
    depend: str = ""
    """Dependency option, `-MD` or `-MMD`, or, with the step DEPENDENCIES, `-M` or `-MM`; empty if none is given."""
    depend_file: str = ""
    """Value of `-MF`; empty if not given."""
    device_debug: bool = False
    is_relocatable: bool = False
    """True if device code of several files is linked (`-rdc=true`, `-dc`)."""
    verbose: bool = False
    dry_run: bool = False
    run: bool = False
    ignored: tuple[str, ...] = ()
    """Options without effect on the target."""

    @property
    def sources(self) -> tuple[Input, ...]:
        return tuple(one for one in self.inputs if one.language)


def language_of(path: str) -> str:
    """Language of a file by its suffix: `cu`, `c++`, `c` or PREPROCESSED; empty for other files."""
    suffix = Path(path).suffix
    if suffix in DEVICE_SUFFIXES:
        return "cu"
    if suffix in HOST_SUFFIXES:
        return "c++"
    if suffix == ".ii":
        return PREPROCESSED
    return "c" if suffix in C_SUFFIXES else ""


def expanded(arguments: Iterable[str], depth: int = 0) -> list[str]:
    """Arguments with the content of option files: `@FILE`, `--options-file FILE`. Raises UsageError."""
    found: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word in ("--options-file", "-optf"):
            files = next(rest, "")
        elif word.startswith(("--options-file=", "-optf=")):
            files = word.partition("=")[2]
        elif word.startswith("@") and Path(word[1:]).is_file():
            files = word[1:]
        else:
            found.append(word)
            continue
        for file in files.split(","):
            if depth >= _DEEPEST:
                raise UsageError("option files name each other", file)
            try:
                words = shlex.split(_unescaped(Path(file).read_text(encoding="utf-8")))
            except (OSError, ValueError) as error:
                why = error.strerror if isinstance(error, OSError) else str(error)
                raise UsageError(f"the option file cannot be read: {why}", file) from None
            found += expanded(words, depth + 1)
    return found


def _unescaped(text: str) -> str:
    """Text of an option file without the backslashes that gcc removes between double quotes, and shlex does not."""
    return _ESCAPE.sub(lambda found: found[0] if found[1] in _OF_SHLEX else found[1], text)


class _Reader:
    """Collects the parts of a request."""

    def __init__(self) -> None:
        self.request = Request()
        self.inputs: list[Input] = []
        self.options: list[str] = []
        self.link: list[str] = []
        self.ignored: list[str] = []
        self.language = ""

    def input(self, path: str) -> None:
        language = self.language or language_of(path)
        self.inputs.append(Input(path, language))

    def host(self, name: str, value: str | None) -> None:
        """Record an option of g++."""
        if name in ("-l",):
            self.inputs.append(Input(f"-l{value}"))
        elif name in ("-L",):
            self.link.append(f"-L{value}")
        elif name == "-shared":
            self.link.append(name)
        elif name == "-pthread":
            self.link.append(name)
            self.options.append(name)
        elif name == "-MF":
            self.set(depend_file=value or "")
        elif name == "-std":
            self.options.append(f"-std={value}")
        elif value is None:
            self.options.append(name)
        elif len(name) == 2:
            self.options.append(name + value)
        else:
            self.options += [name, value]

    def gcc(self, word: str) -> None:
        """Record an option of g++ in one word: for the linker, for the compiler, or for both."""
        if word.startswith("-Wl,"):
            self.inputs.append(Input(word))
        elif word in ("-static", "-rdynamic", "-s", "-shared", "-nostdlib", "-no-pie", "-pie"):
            self.link.append(word)
        elif word == "-v":
            self.options.append(word)
            self.link.append(word)
        elif word.startswith(("-f", "-m", "-pthread", "-g", "-O")):
            self.options.append(word)
            if word.startswith(("-fsanitize", "-fopenmp", "-pthread", "-m", "-flto", "-fuse-ld")):
                self.link.append(word)
        else:
            self.options.append(word)

    def set(self, **values: object) -> None:
        self.request = self.request._replace(**values)  # type: ignore[arg-type]

    def made(self) -> Request:
        return self.request._replace(
            inputs=tuple(self.inputs),
            options=tuple(self.options),
            link=tuple(self.link),
            ignored=tuple(self.ignored),
        )


def read_nvcc(arguments: Sequence[str]) -> Request:
    """Request of a command line of nvcc. Raises UsageError for unknown options and for missing values."""
    words = expanded(arguments)
    forward = any(w.lstrip("-") == "forward-unknown-to-host-compiler" for w in words)
    reader = _Reader()
    rest = iter(words)
    for word in rest:
        if not word.startswith("-") or word == "-":
            reader.input(word)
            continue
        name, option, value = _split(word)
        if option is None:
            if forward or (word.startswith(HOST_PREFIXES) and not word.startswith("--")):
                reader.gcc(word)
                continue
            raise UsageError(f"unknown option '{word}'", help=did_you_mean(name, OPTIONS))
        if option.value and value is None:
            value = next(rest, None)
            if value is None:
                raise UsageError(f"option '{word}' needs a value")
        _apply(reader, option, word, value)
    return reader.made()


def _split(word: str) -> tuple[str, Option | None, str | None]:
    """Name, entry and value of an option in one word; the entry is None for an unknown option."""
    if option := OPTIONS.get(word):
        return word, option, None
    name, equal, value = word.partition("=")
    if equal and (option := OPTIONS.get(name)):
        return name, option, value if option.value else None
    for name in JOINED:
        if word.startswith(name) and not word.startswith("--"):
            return name, OPTIONS[name], word[len(name) :]
    return word.partition("=")[0], None, None


def _apply(reader: _Reader, option: Option, word: str, value: str | None) -> None:
    if option.use is Use.HOST:
        # Several values of one option may be separated by commas, except in macros.
        one_by_one = option.name in ("-I", "-isystem", "-include", "-L", "-l")
        for part in value.split(",") if value is not None and one_by_one else (value,):
            reader.host(option.name, part)
    elif option.use is Use.COMPILER:
        for part in (value or "").split(","):
            for word in _unquoted(part):
                reader.gcc(word)
    elif option.use is Use.LINKER:
        for part in (value or "").split(","):
            reader.inputs += [Input("-Xlinker"), Input(part)]
    elif option.use is Use.IGNORED:
        reader.ignored.append(word if value is None or "=" in word else f"{word} {value}")
    elif option.use is Use.REFUSED:
        raise UsageError(
            f"option '{word}': the target has no separate files of device code",
            help="compile to an object (-c) or a shared library (-shared)",
        )
    else:
        _own(reader, option.name, value or "")


def _unquoted(part: str) -> list[str]:
    """Words of a value of `-Xcompiler`, split as by a shell: nvcc passes the value to a shell."""
    try:
        return shlex.split(part)
    except ValueError:
        return [part]


_STEPS = {
    "-c": Step.COMPILE,
    "-dc": Step.COMPILE,
    "-dw": Step.COMPILE,
    "-dlink": Step.DEVICE_LINK,
    "-link": Step.LINK,
    "-lib": Step.ARCHIVE,
    "-E": Step.PREPROCESS,
    "-cuda": Step.HOST_CODE,
    "-ptx": Step.MODULE,
    "-cubin": Step.MODULE,
    "-fatbin": Step.MODULE,
    "-V": Step.VERSION,
    "-h": Step.HELP,
    "--list-gpu-arch": Step.ARCHITECTURES,
    "--list-gpu-code": Step.ARCHITECTURES,
}
_SUFFIXES = {
    "-c": ".o",
    "-dc": ".o",
    "-dw": ".o",
    "-cuda": ".cu.cpp.ii",
    "-ptx": ".ptx",
    "-cubin": ".cubin",
    "-fatbin": ".fatbin",
}


def _own(reader: _Reader, name: str, value: str) -> None:
    if name in _STEPS:
        reader.set(step=_STEPS[name], suffix=_SUFFIXES.get(name, ""))
        if name == "-dc":
            reader.set(is_relocatable=True)
    elif name == "-rdc":
        reader.set(is_relocatable=value == "true")
    elif name in _DEPENDENCIES:
        reader.set(depend=name)
        if name in ("-M", "-MM"):
            reader.set(step=Step.DEPENDENCIES)
    elif name == "-o":
        reader.set(output=value)
    elif name == "-x":
        if value not in _LANGUAGES:
            raise UsageError(f"option '-x': unknown language '{value}'", help="use cu, c++ or c")
        reader.language = _LANGUAGES[value]
    elif name == "-g":
        reader.options.append("-g")
    elif name == "-G":
        reader.set(device_debug=True)
        reader.options.append("-g")
    elif name == "-v":
        reader.set(verbose=True)
    elif name == "-dryrun":
        reader.set(dry_run=True, verbose=True)
    elif name == "-run":
        reader.set(run=True)


def read_gxx(arguments: Sequence[str]) -> Request:
    """Request of a command line of g++. Raises UsageError for a missing value."""
    reader = _Reader()
    rest = iter(expanded(arguments))
    for word in rest:
        if not word.startswith("-") or word == "-":
            reader.input(word)
        elif word in ("-c", "-E") or word in _DEPENDENCIES:
            _own(reader, word, "")
        elif word in ("-o", "-x") or word in _GXX_VALUES:
            value = next(rest, None)
            if value is None:
                raise UsageError(f"option '{word}' needs a value")
            _gxx_value(reader, word, value)
        elif word.startswith(("-o", "-x")):
            _gxx_value(reader, word[:2], word[2:])
        elif word.startswith(("-L", "-l")):
            reader.host(word[:2], word[2:])
        elif word.startswith("-MF"):
            reader.host("-MF", word[3:])
        elif word == "-shared":
            reader.link.append(word)
        else:
            reader.gcc(word)
    return reader.made()


def _gxx_value(reader: _Reader, name: str, value: str) -> None:
    if name in ("-o", "-x"):
        _own(reader, name, value)
    elif name == "-Xlinker":
        reader.inputs += [Input(name), Input(value)]
    elif name in ("-T", "-u", "-z", "-e"):
        reader.link += [name, value]
    else:
        reader.host(name, value)
