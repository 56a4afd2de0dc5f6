"""CUDA programs below a folder, and the compilations that their Makefiles print.

>>> compilations("nvcc -I../common -DN=4 -c main.cu -o main.o", Path("/set/sum"))  # doctest: +SKIP
[Compilation(source=PosixPath('/set/sum/main.cu'), words=('-I/set/common', '-DN=4'))]
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

_COMPILER = re.compile(r"(?:nvcc|nvc\+\+|g\+\+|c\+\+|clang\+\+|icpc|icpx|mpicxx|mpic\+\+)(?:-\d+)?")
_DIRECTORY = re.compile(r"(?:\w*make)(?:\[\d+\])?: (Entering|Leaving) directory ['`](.*)'")
_LANGUAGE = re.compile(
    r"\bLANGUAGES\b[^)]*\bCUDA\b|enable_language\(\s*CUDA|find_package\(\s*CUDA", re.I
)
_LIMIT = 60
"""Seconds for `make -n`, which runs the commands in the Makefile's variables."""
_MAKEFILES = ("Makefile", "makefile")
_NEWER = re.compile(r"-{1,2}std[= ](?:c|gnu)\+\+2\w")
"""C++20 and later. The targets' flags select C++17, which older sources must accept, too."""
_PATH_OPTIONS = ("-I", "-isystem", "-include")
_SOURCES = (".cu", ".cpp", ".cc", ".cxx", ".C")
_LONG_NAMES = {
    "--define-macro": "-D",
    "--include-path": "-I",
    "--pre-include": "-include",
    "--system-include": "-isystem",
    "--undefine-macro": "-U",
}


class Program(NamedTuple):
    """Program below the given folder."""

    name: str
    """Path below the folder, without the suffix of a source."""
    kind: str
    """make, cmake or source."""
    place: Path


class Compilation(NamedTuple):
    """Compilation of one source by a Makefile."""

    source: Path
    words: tuple[str, ...]
    """Options for include folders (absolute paths), macros, included headers, and a standard after C++17."""


def programs(root: Path) -> Iterator[Program]:
    """Programs below a folder, in the order of their paths."""
    for folder, folders, files in os.walk(root):
        folders.sort()
        place = Path(folder)
        name = place.relative_to(root).as_posix()
        makefile = next((one for one in _MAKEFILES if one in files), None)
        if "CMakeLists.txt" in files and _LANGUAGE.search(read(place / "CMakeLists.txt")):
            if "add_executable" in read(place / "CMakeLists.txt"):
                yield Program(name, "cmake", place)
                folders.clear()
        elif makefile and (any(one.endswith(".cu") for one in files) or _is_one_program(place)):
            yield Program(name, "make", place)
            folders.clear()
        elif not makefile:
            for one in sorted(files):
                if one.endswith(".cu") and re.search(r"\bmain\s*\(", read(place / one)):
                    source = place / one
                    yield Program(
                        source.relative_to(root).with_suffix("").as_posix(), "source", source
                    )


def printed_by_make(folder: Path) -> list[Compilation]:
    """Compilations that `make` would run in a folder; empty without a Makefile."""
    if not any((folder / name).is_file() for name in _MAKEFILES):
        return []
    try:
        done = subprocess.run(
            ["make", "--dry-run", "--always-make", "--keep-going", "--print-directory"],
            cwd=folder,
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return []
    return compilations(done.stdout.decode(errors="replace"), folder)


def compilations(printed: str, folder: Path) -> list[Compilation]:
    """Compilations in the output of `make --dry-run --print-directory`: the first one of each existing source."""
    found: dict[Path, Compilation] = {}
    folders = [folder]
    for line in printed.replace("\\\n", " ").splitlines():
        if match := _DIRECTORY.fullmatch(line):
            folders = [*folders, Path(match[2])] if match[1] == "Entering" else folders[:-1]
            continue
        here = folders[-1] if folders else folder
        for command in _commands(line):
            if command[0] == "cd" and len(command) > 1:
                here = _place(here, command[1])
            elif _COMPILER.fullmatch(Path(command[0]).name):
                sources, words = _parsed(command[1:], here)
                for source in sources:
                    found.setdefault(source, Compilation(source, words))
    return list(found.values())


def read(place: Path) -> str:
    """Text of a file; bytes that are not UTF-8 are replaced."""
    return place.read_text(encoding="utf-8", errors="replace")


def _is_one_program(folder: Path) -> bool:
    """Test whether the Makefile of a folder is the only one for the CUDA sources below."""
    below = [name for _, _, files in os.walk(folder) for name in files]
    makefiles = sum(name in _MAKEFILES for name in below)
    return makefiles == 1 and any(name.endswith(".cu") for name in below)


def _commands(line: str) -> Iterator[list[str]]:
    """Words of each command of a line of a shell, without assignments of variables before the command."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=";&|<>()")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:  # a quotation mark without its counterpart
        return
    command: list[str] = []
    for word in [*words, ";"]:
        if word and not word.strip(";&|()"):
            if command:
                yield command
            command = []
        elif command or not re.match(r"\w+=", word):
            command.append(word)


def _parsed(words: Sequence[str], here: Path) -> tuple[list[Path], tuple[str, ...]]:
    """Existing sources and kept options of a compiler's command line."""
    sources: list[Path] = []
    kept: list[str] = []
    rest = iter(words)
    for given in rest:
        name, equals, value = given.partition("=")
        word = f"{_LONG_NAMES[name]}{value}" if equals and name in _LONG_NAMES else given
        word = _LONG_NAMES.get(word, word)
        path = next((one for one in _PATH_OPTIONS if word.startswith(one)), None)
        if word in ("-o", "-x", "-Xcompiler", "-Xlinker", "-Xptxas", "-gencode", "-MF", "-MT"):
            next(rest, None)
        elif path == "-include" and word != "-include":
            continue
        elif path:
            folder = word.removeprefix(path).removeprefix("=") or next(rest, ".")
            kept += (
                [path, str(_place(here, folder))] if path != "-I" else [f"-I{_place(here, folder)}"]
            )
        elif word in ("-D", "-U"):
            kept.append(word + next(rest, ""))
        elif word.startswith(("-D", "-U")) or _NEWER.fullmatch(word):
            kept.append(word.replace("--std", "-std"))
        elif word.endswith(_SOURCES) and not word.startswith("-"):
            sources.append(_place(here, word))
    return [one for one in sources if one.is_file()], tuple(kept)


def _place(here: Path, path: str) -> Path:
    return Path(os.path.normpath(here / path))
