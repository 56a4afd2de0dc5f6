"""Declarations in headers, found by libclang (PyPI: libclang), with the header folders of g++.

libclang is an optional dependency: `pip install 'porter[sdk]'`.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from porter.base.errors import UsageError
from porter.model.sdk_inventory import SdkName

_KINDS = {
    "FUNCTION_DECL": "function",
    "FUNCTION_TEMPLATE": "function",
    "STRUCT_DECL": "type",
    "UNION_DECL": "type",
    "CLASS_DECL": "type",
    "CLASS_TEMPLATE": "type",
    "ENUM_DECL": "type",
    "TYPEDEF_DECL": "type",
    "TYPE_ALIAS_DECL": "type",
    "TYPE_ALIAS_TEMPLATE_DECL": "type",
    "ENUM_CONSTANT_DECL": "enumerator",
    "VAR_DECL": "variable",
    "MACRO_DEFINITION": "macro",
}
"""Maps the kind of a libclang cursor to the kind of the declared name."""
_TRANSPARENT = ("LINKAGE_SPEC", "UNEXPOSED_DECL")
"""Cursors of `extern "C" { ... }`."""
_POINTERS = ("POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE", "NULLPTR")
_ARRAYS = ("CONSTANTARRAY", "INCOMPLETEARRAY", "VARIABLEARRAY", "DEPENDENTSIZEDARRAY")
_REALS = ("HALF", "FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT128", "FLOAT16", "BFLOAT16")
_INTEGERS = (
    *("BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG"),
    *("UINT128", "CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG", "INT128", "ENUM"),
)


class HeaderNames(NamedTuple):
    """Declarations of one header and of the headers that it includes."""

    names: tuple[SdkName, ...]
    error: str
    """First error of the parser; empty without an error."""


def is_installed() -> bool:
    """Test whether the Python package of libclang is installed."""
    return importlib.util.find_spec("clang") is not None


def require() -> None:
    """Raise UsageError if libclang is not installed."""
    if not is_installed():
        help = "install it: pip install 'porter[sdk]'"
        raise UsageError("libclang is not installed; it reads the headers of an SDK", help=help)


def system_folders(compiler: str = "g++") -> list[str]:
    """Header folders of the machine's C++ compiler, because the package of libclang contains no headers.

    Empty when the compiler cannot be started.
    """
    command = [compiler, "-E", "-v", "-xc++", os.devnull]
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    except OSError:
        return []
    _, _, rest = done.stderr.partition("#include <...> search starts here:")
    return rest.partition("End of search list")[0].split()


def header_names(
    header: str,
    folders: Sequence[Path],
    flags: Sequence[str],
    system: Sequence[str],
    before: Sequence[str] = (),
) -> HeaderNames:
    """Names that `#include <header>` declares in files below `folders`, in the global or a named namespace.

    `flags`: compiler flags that define macros. `system`: header folders of the machine's compiler. `before`: headers
    to include before `header`.
    """
    text = "".join(f"#include <{path}>\n" for path in dict.fromkeys((*before, header)))
    clang = importlib.import_module("clang.cindex")
    includes = [word for folder in (*folders, *system) for word in ("-isystem", str(folder))]
    unit = clang.Index.create().parse(
        "inventory.cpp",
        args=["-xc++", "-std=c++17", "-nostdinc", "-ferror-limit=0", "-w", *flags, *includes],
        unsaved_files=[("inventory.cpp", text)],
        options=clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        | clang.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES,
    )
    errors = [one for one in unit.diagnostics if one.severity >= clang.Diagnostic.Error]
    told = ""
    if errors:
        place = errors[0].location
        told = f"{_below(place.file.name, folders) if place.file else header}:{place.line}: "
        told += errors[0].spelling
    return HeaderNames(tuple(_Walk(folders).names(unit.cursor, "")), told)


class _Walk:
    """Walk through the cursors of a translation unit; it collects the names declared in files below `folders`."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = folders
        self._headers: dict[str, str] = {}

    def names(self, parent: Any, namespace: str) -> Iterator[SdkName]:
        for cursor in parent.get_children():
            place = cursor.location
            header = self._header(place.file.name) if place.file else ""
            if not header:
                continue
            what, word = _kind(cursor), cursor.spelling
            if what in _TRANSPARENT:
                yield from self.names(cursor, namespace)
            elif what == "NAMESPACE":
                yield from self.names(cursor, f"{namespace}::{word}".removeprefix("::"))
            elif kind := _KINDS.get(what):
                if word.isidentifier():
                    scope = "" if kind == "macro" else namespace
                    found = SdkName(word, scope, kind, header, place.line)
                    yield _with_parameters(found, cursor) if kind == "function" else found
                if what == "ENUM_DECL" and not cursor.is_scoped_enum():
                    yield from self.names(cursor, namespace)

    def _header(self, file: str) -> str:
        if file not in self._headers:
            self._headers[file] = _below(file, self._folders)
        return self._headers[file]


def _kind(one: Any) -> str:
    """Name of the kind of a cursor or type; empty for a kind that the Python package does not know."""
    try:
        return str(one.kind.name)
    except ValueError:  # libclang.so is newer than its Python package.
        return ""


def _below(file: str, folders: Sequence[Path]) -> str:
    """Path of a file relative to the first of the folders that contains it; empty if no folder does."""
    for folder in folders:
        if Path(file).is_relative_to(folder):
            return Path(file).relative_to(folder).as_posix()
    return ""


def _with_parameters(found: SdkName, function: Any) -> SdkName:
    given = [one for one in function.get_children() if _kind(one) == "PARM_DECL"]
    types = tuple(one.type.spelling for one in given)
    proto = _kind(function.type) == "FUNCTIONPROTO" and not function.type.is_function_variadic()
    if not proto or any(one.endswith("...") for one in types):
        return found
    kinds = tuple(_parameter_kind(_kind(one.type.get_canonical())) for one in given)
    needed = sum(not any(word.spelling == "=" for word in one.get_tokens()) for one in given)
    return found._replace(parameters=kinds, types=types, required=needed)


def _parameter_kind(kind: str) -> str:
    if kind in _POINTERS or kind in _ARRAYS:
        return "pointer"
    if kind in _INTEGERS:
        return "integer"
    if kind in _REALS:
        return "real"
    return "record" if kind == "RECORD" else "other"
