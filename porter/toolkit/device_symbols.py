"""Symbols of device functions and variables, which nvcc makes local to their source without `-rdc=true`.

Headers of CUDA programs define such functions and variables without `inline`, and several sources include these
headers. The target's compiler compiles host and device code in one pass, and makes the symbols global. The driver makes
them local in the object.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from porter.base.errors import BuildError
from porter.cpp.plain_code import without_comments

_DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\r?\n|[^\n])*", re.M)
_MACRO = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)(?:\([^)\n]*\))?[ \t]*((?:\\\r?\n|[^\n])*)")
_WORD = re.compile(r"\w+")
_BRACE = re.compile(r"[{};]")
_ALIGNMENT = re.compile(r"\w*(?:align|attribute|declspec)\w*\s*\((?:[^()]|\([^()]*\))*\)")
_BRACKETS = re.compile(r"\([^()]*\)")
_DEVICE = frozenset(("__device__", "__constant__", "__managed__"))
_HOST = frozenset(("__host__", "__global__", "extern"))
_NO_DECLARATION = frozenset(("using", "typedef", "friend"))
_STRONG = frozenset("TDBRG")
"""Types of global symbols that are defined once in a program, by nm's letters; inline functions are weak."""


def make_local(object: str, sources: Sequence[str]) -> None:
    """Make symbols local in an object. `sources` are the source and its headers.

    A symbol becomes local if all declarations of its name have `__device__`, `__constant__` or `__managed__`, also by a
    macro, and none has `__host__`, `__global__` or `extern`. Raises BuildError if the object cannot be changed.
    """
    symbols = _strong_symbols(object)
    if not symbols:
        return
    found = device_names(_texts(sources), set(symbols.values()))
    local = [symbol for symbol, name in symbols.items() if name in found]
    if local:
        options = [f"--localize-symbol={symbol}" for symbol in local]
        _output(["objcopy", *options, object])


def _strong_symbols(object: str) -> dict[str, str]:
    """Base names of symbols, by their mangled names: `scale` for `float ns::scale<int>(int)`."""
    listed = _output(["nm", "--defined-only", "--extern-only", "--format=posix", object])
    rows = [line.split() for line in listed.splitlines()]
    symbols = [row[0] for row in rows if len(row) > 1 and row[1] in _STRONG]
    if not symbols:
        return {}
    names = _output(["c++filt", *symbols]).splitlines()
    return {symbol: base_name(name) for symbol, name in zip(symbols, names, strict=True)}


def base_name(name: str) -> str:
    """Name without the namespaces, classes, template arguments and parameters of a demangled symbol."""
    for brackets in ("<>", "()"):
        while brackets[0] in name:
            shorter = re.sub(rf"\{brackets[0]}[^{brackets}]*\{brackets[1]}", "", name)
            if shorter == name:
                break
            name = shorter
    words = _WORD.findall(name.removesuffix(" const"))
    return words[-1] if words else name


def _texts(sources: Iterable[str]) -> Iterator[str]:
    for path in sources:
        try:
            text = Path(path).read_text(encoding="latin-1")
        except OSError:
            continue  # a header that was removed since the compilation
        yield text


def device_names(texts: Iterable[str], names: set[str]) -> set[str]:
    """Subset of `names`: their declarations in the texts are all those of device functions and variables."""
    codes = [without_comments(text) for text in texts]
    macros: dict[str, str] = {}
    for text in codes:
        for match in _MACRO.finditer(text):
            # A macro may have several definitions, for several compilers.
            macros[match[1]] = f"{macros.get(match[1], '')} {match[2]}"
    device: set[str] = set()
    host: set[str] = set()
    for text in codes:
        for declaration in _declarations(_DIRECTIVE.sub(";", text)):
            for name in names & set(_WORD.findall(declaration)):
                words = _specifiers(declaration, name)
                if words:
                    expanded = _expanded(words, macros)
                    is_device = bool(expanded & _DEVICE) and not expanded & _HOST
                    (device if is_device else host).add(name)
    return device - host


def _declarations(code: str) -> Iterator[str]:
    """Declarations outside of functions, without bodies and initialisers; of classes, only those with symbols."""
    scopes: list[str] = []
    inside = 0  # braces of a body or an initialiser
    start = 0
    for brace in _BRACE.finditer(code):
        if inside:
            inside += {"{": 1, "}": -1}.get(brace[0], 0)
        else:
            text = code[start : brace.start()]
            words = set(_WORD.findall(text))
            is_member = bool(scopes) and scopes[-1] == "class"
            if words and (not is_member or "(" in text or "static" in words):
                yield text
            if brace[0] == "}" and scopes:
                scopes.pop()
            elif brace[0] == "{":
                scope = _scope(text, words)
                if scope:
                    scopes.append(scope)
                else:
                    inside = 1
        start = brace.end()


def _scope(text: str, words: set[str]) -> str:
    """Kind of the scope that a brace after this text opens; empty for a body, an initialiser and an enumeration."""
    if "(" in _ALIGNMENT.sub("", text) or "enum" in words:
        return ""
    if "namespace" in words or ("extern" in words and "=" not in text):
        return "namespace"
    return "class" if words & {"struct", "class", "union"} else ""


def _specifiers(declaration: str, name: str) -> set[str]:
    """Words before the name that a declaration declares; empty if it declares another name."""
    for match in re.finditer(rf"(?<![\w.>]){re.escape(name)}(?=\s*(?:[(\[=,<]|\Z))", declaration):
        before = declaration[: match.start()]
        # An opening bracket without its end: a parameter.
        outside = before
        while (shorter := _BRACKETS.sub(" ", outside)) != outside:
            outside = shorter
        words = set(_WORD.findall(before))
        if words and "(" not in outside and "=" not in outside and not words & _NO_DECLARATION:
            return words
    return set()


def _expanded(words: set[str], macros: Mapping[str, str]) -> set[str]:
    found = set(words)
    todo = list(words)
    while todo:
        more = set(_WORD.findall(macros.get(todo.pop(), ""))) - found
        found |= more
        todo += more
    return found


def _output(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise BuildError(f"does not start: {error.strerror}", command[0]) from None
    if done.returncode:
        raise BuildError(f"exited with {done.returncode}: {done.stderr.strip()}", command[0])
    return done.stdout
