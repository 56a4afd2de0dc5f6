"""Declarations in C++ headers, in the global namespace and in public namespaces, read with libclang."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from mapping_tables.cuda_rules import RULES, Name, area_of
from mapping_tables.cuda_wheels import Headers
from mapping_tables.errors import TableError

clang: Any
try:
    clang = importlib.import_module("clang.cindex")
except ImportError:  # `require` reports that the package is missing.
    clang = None

# Maps a kind of libclang's cursor to the kind of name in the table. Other cursors are ignored.
KIND_OF_CURSOR = {
    "FUNCTION_DECL": "functions",
    "FUNCTION_TEMPLATE": "functions",
    "STRUCT_DECL": "types",
    "UNION_DECL": "types",
    "CLASS_DECL": "types",
    "CLASS_TEMPLATE": "types",
    "ENUM_DECL": "types",
    "TYPEDEF_DECL": "types",
    "TYPE_ALIAS_DECL": "types",
    "TYPE_ALIAS_TEMPLATE_DECL": "types",
    "ENUM_CONSTANT_DECL": "enumerators",
    "VAR_DECL": "variables",
    "MACRO_DEFINITION": "macros",
}

# Namespaces of internal names, and namespaces that denote a version, which programs omit.
PRIVATE_NAMESPACE = re.compile(
    r"\w*detail\w*|_\w+|std|internal|cuda_cub|cpp|unimplemented|fallback"
)
VERSION_NAMESPACE = re.compile(r"__v?\d+")


def require() -> None:
    """Raise TableError if libclang is missing. Scripts call this function first, before long downloads."""
    if clang is None:
        raise TableError("libclang is missing", f"run {sys.executable} -m pip install libclang")


def system_includes() -> list[str]:
    """Header folders of the machine's C++ compiler. libclang's wheel contains no headers."""
    try:
        command = ["g++", "-E", "-v", "-xc++", "/dev/null"]
        out = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}
        ).stderr
    except (OSError, subprocess.CalledProcessError) as error:
        what = "g++ is needed for the C++ library's headers"
        raise TableError(f"{what}: {error}", "on Debian: apt-get install g++") from error
    return (
        out.partition("#include <...> search starts here:")[2]
        .partition("End of search list")[0]
        .split()
    )


def parse(source: str, defines: Iterable[str] = (), includes: Iterable[Path | str] = ()) -> Any:
    """Translation unit of libclang for the text of a C++ source. Macro definitions are recorded.

    Function bodies are skipped, because they use nvcc's builtin functions. `includes` are header folders.
    """
    places = [argument for place in includes for argument in ("-isystem", str(place))]
    macros = [f"-D{define}" for define in defines]
    return clang.Index.create().parse(
        "inventory.cpp",
        args=["-xc++", "-std=c++17", "-nostdinc", "-ferror-limit=0", "-w", *macros, *places],
        unsaved_files=[("inventory.cpp", source)],
        options=clang.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        | clang.TranslationUnit.PARSE_SKIP_FUNCTION_BODIES,
    )


def complaints(unit: Any) -> list[str]:
    """Errors of the parser, without the harmless errors that `cuda_inventory.toml` lists (`tolerated`)."""
    return [
        f"{error.location.file}:{error.location.line}: {error.spelling}"
        for error in unit.diagnostics
        if error.severity >= clang.Diagnostic.Error
        and not any(re.fullmatch(rule["message"], error.spelling) for rule in RULES["tolerated"])
    ]


def names_of(unit: Any, header_of_file: Callable[[str], str | None]) -> Iterator[Name]:
    """Yield the names that the headers of a translation unit declare in the global and in public namespaces.

    `header_of_file` converts the path of a file to `component/path`; it returns None for a file that is not CUDA's.
    """
    areas: dict[str, str | None] = {}

    def area_of_cursor(cursor: Any) -> str | None:
        file = cursor.location.file
        if file is None:
            return None
        if file.name not in areas:
            header = header_of_file(file.name)
            areas[file.name] = area_of(header) if header else None
        return areas[file.name]

    def visit(parent: Any, namespace: str) -> Iterator[Name]:
        for cursor in parent.get_children():
            area = area_of_cursor(cursor)
            if area is None:
                continue
            what, word = cursor.kind.name, cursor.spelling
            if what in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):  # extern "C" { ... }
                yield from visit(cursor, namespace)
            elif what == "NAMESPACE":
                if is_transparent(cursor):
                    yield from visit(cursor, namespace)
                elif not PRIVATE_NAMESPACE.fullmatch(word):
                    yield from visit(cursor, f"{namespace}::{word}".removeprefix("::"))
            elif kind := KIND_OF_CURSOR.get(what) or kind_of_using(cursor):
                if (
                    word.isidentifier()
                ):  # Operators such as `operator+` and unnamed entities are skipped.
                    defined = kind not in ("types", "variables") or cursor.is_definition()
                    yield Name(word, kind, area, "" if kind == "macros" else namespace, defined)
                if re.fullmatch(RULES["static_functions"], f"{namespace}::{word}"):
                    for member in cursor.get_children():
                        if member.is_static_method() and member.access_specifier.name == "PUBLIC":
                            owner = f"{namespace}::{word}"
                            yield Name(member.spelling, "functions", area, owner, True)
                if what == "ENUM_DECL" and not cursor.is_scoped_enum():
                    for constant in cursor.get_children():
                        if constant.kind.name == "ENUM_CONSTANT_DECL":
                            yield Name(constant.spelling, "enumerators", area, namespace, True)

    yield from visit(unit.cursor, "")


def is_transparent(namespace: Any) -> bool:
    """Test whether programs omit the namespace: it is unnamed, inline, or denotes a version."""
    return (
        not namespace.spelling.isidentifier()
        or VERSION_NAMESPACE.fullmatch(namespace.spelling) is not None
        or bool(clang.conf.lib.clang_Cursor_isInlineNamespace(namespace))
    )


def kind_of_using(cursor: Any) -> str | None:
    """Kind of the entity that a using-declaration names; None for any other cursor."""
    if cursor.kind.name == "USING_DECLARATION":
        for child in cursor.get_children():
            for target in (child.referenced, clang.conf.lib.clang_getOverloadedDecl(child, 0)):
                if target is not None and target.kind.name in KIND_OF_CURSOR:
                    return KIND_OF_CURSOR[target.kind.name]
    return None


def read(headers: Headers, stubs: Path) -> Iterator[Name]:
    """Yield all names that the headers declare with at least one preprocessor setting, and the built-in names.

    `stubs` is a folder into which substitutes for missing headers are written.
    """
    yield from declared(headers, stubs)
    for rule in RULES["built_in"]:
        for name in rule["names"]:
            yield Name(name, rule["kind"], rule["area"], "", True)


def declared(headers: Headers, stubs: Path, cuda: str = RULES["cuda"]) -> Iterator[Name]:
    """Yield all names that the headers of the CUDA release `cuda` declare with at least one preprocessor setting.

    `stubs` is a folder into which substitutes for missing headers are written.
    """
    for unit in parsed_units(headers, stubs, cuda):
        yield from names_of(unit, headers.header_of_file)


def parsed_units(headers: Headers, stubs: Path, cuda: str = RULES["cuda"]) -> Iterator[Any]:
    """Yield the translation units of libclang of the CUDA release `cuda`, for each preprocessor setting.

    `stubs` is a folder into which substitutes for missing headers are written. Raises TableError for errors of the
    parser.
    """
    major, minor = cuda.split(".")
    compiler = {"__CUDACC_VER_MAJOR__": major, "__CUDACC_VER_MINOR__": minor}
    for name, content in RULES["stubs"].items():
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).write_text(content, encoding="utf-8")
    includes: list[Path | str] = [*headers.roots.values(), stubs, *system_includes()]
    for title in headers.units:
        unit = RULES["units"][title]
        own = [header.partition("/")[2] for header in headers.matching(unit["headers"])]
        source = "".join(f"#include <{header}>\n" for header in (*RULES["preamble"], *own))
        for mode in unit["modes"]:
            defines = [_of_compiler(define, compiler) for define in RULES["modes"][mode]]
            parsed = parse(source, defines, includes)
            if errors := complaints(parsed):
                raise TableError(
                    "\n".join((f"{title} ({mode}): {len(errors)} errors", *errors[:10]))
                )
            yield parsed


def _of_compiler(define: str, compiler: Mapping[str, str]) -> str:
    """Macro definition `define`. The value in `compiler`, if there is one for the macro, replaces its value."""
    name = define.partition("=")[0]
    return f"{name}={compiler[name]}" if name in compiler else define
