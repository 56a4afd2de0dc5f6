"""The table of names that CUDA 12.4's headers declare: `mappings/cuda/inventory.json`.

    python build_scripts/cuda_inventory.py                  # pip downloads the wheels, 2 GB
    python build_scripts/cuda_inventory.py --wheels DIR     # the wheels are there already
    python build_scripts/cuda_inventory.py --headers DIR    # and are unpacked already
    python build_scripts/cuda_inventory.py --check          # only compare, exit 1 on a difference

It has functions, types, enumerators, variables and macros, sorted into areas by the rules of
`cuda_inventory.toml`, beside this file. Only names are kept: no text of a header, no signatures, no
fields. Needs `libclang` from PyPI and a C++ compiler's own headers (`g++`); takes about a minute.

In the table each name stands in one area under one kind. `namespaces` lists the names that are only
declared in a namespace, under each namespace that has them: a bare `sort` is not Thrust's.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

clang: Any
try:
    clang = importlib.import_module("clang.cindex")
except ImportError:  # so that a caller can say what is missing
    clang = None

HERE = Path(__file__).resolve().parent
TABLE = HERE.parent / "mappings" / "cuda" / "inventory.json"
RULES: dict[str, Any] = tomllib.loads((HERE / "cuda_inventory.toml").read_text(encoding="utf-8"))

# One name has one kind: the first of these that its area gives it, outside of a class if it can.
KINDS = ("functions", "types", "enumerators", "variables", "macros")

# The kinds of libclang's cursors that count.
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

# Namespaces that are not for callers, and those that only carry a version, which callers leave out.
PRIVATE_NAMESPACE = re.compile(
    r"\w*detail\w*|_\w+|std|internal|cuda_cub|cpp|unimplemented|fallback"
)
VERSION_NAMESPACE = re.compile(r"__v?\d+")


class InventoryError(Exception):
    """The inputs do not give the table; the message says what is missing or unreadable."""


@dataclass(frozen=True)
class Name:
    """One declaration that a header makes."""

    name: str
    kind: str
    area: str
    namespace: str  # "" for the global one and for macros
    defined: bool  # False for `struct s;` and `extern int v;`, which may stand in anyone's header


class Headers:
    """The unpacked headers of all wheels.

    They lie under `<root>/nvidia/<component>/include` or `<root>/<component>/include`.
    """

    def __init__(self, root: Path) -> None:
        found = sorted((*root.glob("nvidia/*/include"), *root.glob("*/include")))
        self.roots = {path.parent.name: path.resolve() for path in found}
        needed = {"cuda_nvcc"}  # `crt/`, which the runtime's headers include
        needed |= {
            glob.strip("!").split("/")[0]
            for unit in RULES["units"].values()
            for glob in unit["headers"]
        }
        if missing := sorted(needed - self.roots.keys()):
            raise InventoryError(f"no headers of {', '.join(missing)} under {root}")

    def matching(self, globs: Iterable[str]) -> list[str]:
        """Headers as `component/path`, in the order of the globs."""
        found: dict[str, None] = {}
        for glob in globs:
            component, _, pattern = glob.removeprefix("!").partition("/")
            for path in sorted(self.roots[component].glob(pattern)):
                header = f"{component}/{path.relative_to(self.roots[component]).as_posix()}"
                if glob.startswith("!"):
                    found.pop(header, None)
                elif path.is_file():
                    found[header] = None
        return list(found)

    def header_of_file(self, file: str) -> str | None:
        """A file's path as `component/path`; None for a file that is not from the wheels."""
        path = Path(file).resolve()
        for component, root in self.roots.items():
            if path.is_relative_to(root):
                return f"{component}/{path.relative_to(root).as_posix()}"
        return None


def area_of(header: str) -> str | None:
    """The area of a header given as `component/path`; None when nothing in it is an API."""
    for rule in RULES["headers"]:
        if fnmatchcase(header, rule["glob"]):
            return str(rule["area"]) if "area" in rule else None
    return None


def why_dropped(entry: Name) -> str | None:
    """The reason that keeps a name out of the table, or None."""
    name = f"{entry.namespace}::{entry.name}".removeprefix("::")
    for rule in RULES["not_api"]:
        applies = fnmatchcase(f"{entry.area}/{entry.kind}", rule["in"])
        if applies and any(re.fullmatch(pattern, name) for pattern in rule["names"]):
            return str(rule["why"])
    return None


def system_includes() -> list[str]:
    """Where the machine's C++ compiler finds its headers; libclang's wheel carries none."""
    try:
        command = ["g++", "-E", "-v", "-xc++", "/dev/null"]
        out = subprocess.run(
            command, capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}
        ).stderr
    except (OSError, subprocess.CalledProcessError) as error:
        raise InventoryError(f"g++ is needed for the C++ library's headers: {error}") from error
    return (
        out.partition("#include <...> search starts here:")[2]
        .partition("End of search list")[0]
        .split()
    )


def parse(source: str, defines: Iterable[str] = (), includes: Iterable[Path | str] = ()) -> Any:
    """A translation unit with its macros, without function bodies: those need nvcc's builtins."""
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
    """What the parser could not read, save what is known to lose no name."""
    return [
        f"{error.location.file}:{error.location.line}: {error.spelling}"
        for error in unit.diagnostics
        if error.severity >= clang.Diagnostic.Error
        and not any(re.fullmatch(rule["message"], error.spelling) for rule in RULES["tolerated"])
    ]


def names_of(unit: Any, header_of_file: Callable[[str], str | None]) -> Iterator[Name]:
    """What the headers of one translation unit declare, in the global and in public namespaces.

    `header_of_file` turns a file's path into `component/path`, or None for files of others.
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
                if word.isidentifier():  # not `operator+`, not unnamed
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
    """Whether callers leave the namespace out: it is unnamed, inline, or carries a version."""
    return (
        not namespace.spelling.isidentifier()
        or VERSION_NAMESPACE.fullmatch(namespace.spelling) is not None
        or bool(clang.conf.lib.clang_Cursor_isInlineNamespace(namespace))
    )


def kind_of_using(cursor: Any) -> str | None:
    """The kind of what a using-declaration names; None for any other cursor."""
    if cursor.kind.name == "USING_DECLARATION":
        for child in cursor.get_children():
            for target in (child.referenced, clang.conf.lib.clang_getOverloadedDecl(child, 0)):
                if target is not None and target.kind.name in KIND_OF_CURSOR:
                    return KIND_OF_CURSOR[target.kind.name]
    return None


def read(headers: Headers, stubs: Path) -> Iterator[Name]:
    """Every name that the headers declare under any of the settings, and the built-in ones."""
    for name, content in RULES["stubs"].items():
        (stubs / name).parent.mkdir(parents=True, exist_ok=True)
        (stubs / name).write_text(content, encoding="utf-8")
    includes: list[Path | str] = [*headers.roots.values(), stubs, *system_includes()]
    for title, unit in RULES["units"].items():
        own = [header.partition("/")[2] for header in headers.matching(unit["headers"])]
        source = "".join(f"#include <{header}>\n" for header in (*RULES["preamble"], *own))
        for mode in unit["modes"]:
            parsed = parse(source, RULES["modes"][mode], includes)
            if errors := complaints(parsed):
                raise InventoryError(
                    "\n".join((f"{title} ({mode}): {len(errors)} errors", *errors[:10]))
                )
            yield from names_of(parsed, headers.header_of_file)
    for rule in RULES["built_in"]:
        for name in rule["names"]:
            yield Name(name, rule["kind"], rule["area"], "", True)


def table_of(names: Iterable[Name]) -> dict[str, Any]:
    """The committed table: each name in one area under one kind, and which need a namespace."""
    order: list[str] = RULES["areas"]
    by_name: dict[str, list[Name]] = defaultdict(list)
    for entry in dict.fromkeys(names):
        if not why_dropped(entry):
            by_name[entry.name].append(entry)
    areas: dict[str, dict[str, list[str]]] = {area: {kind: [] for kind in KINDS} for area in order}
    namespaces: dict[str, list[str]] = defaultdict(list)
    for name, entries in sorted(by_name.items()):
        area = min(
            entries, key=lambda e: (e.namespace != "", not e.defined, order.index(e.area))
        ).area
        here = [entry for entry in entries if entry.area == area]
        kind = min((e.namespace.count("::"), KINDS.index(e.kind)) for e in here)[1]
        areas[area][KINDS[kind]].append(name)
        places = {entry.namespace for entry in entries}
        for namespace in places if "" not in places else ():
            namespaces[namespace].append(name)
    return {
        "schema": 1,
        "cuda": RULES["cuda"],
        "source": RULES["pins"],
        "areas": areas,
        "namespaces": dict(sorted(namespaces.items())),
    }


def difference(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """What changed between two tables, a line for each area and kind."""
    lines = [f"{key} differs" for key in new if key != "areas" and old.get(key) != new[key]]
    for area, kinds in new["areas"].items():
        for kind, names in kinds.items():
            before, after = set(old.get("areas", {}).get(area, {}).get(kind, ())), set(names)
            for sign, changed in (("+", after - before), ("-", before - after)):
                if changed:
                    shown = ", ".join(sorted(changed)[:5]) + (", ..." if len(changed) > 5 else "")
                    lines.append(f"{area} {kind}: {sign}{len(changed)} ({shown})")
    return lines or ["only its layout differs"]


def download(to: Path) -> None:
    """Downloads the pinned wheels with pip, which takes no less than a whole wheel."""
    wanted = [f"{project}=={version}" for project, version in RULES["pins"].items()]
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--no-deps",
        "--only-binary=:all:",
        "--dest",
        str(to),
    ]
    if subprocess.run(
        [*pip, "--platform", "manylinux2014_x86_64", *wanted], check=False
    ).returncode:
        raise InventoryError(
            "pip could not download the pinned wheels; pass --wheels DIR if they are somewhere"
        )


def unpack(wheels: Path, to: Path) -> None:
    """Unpacks the headers of the pinned wheels, and nothing else of them."""
    for project, version in RULES["pins"].items():
        found = sorted(wheels.glob(f"{project.replace('-', '_')}-{version}-*.whl"))
        if not found:
            raise InventoryError(f"no wheel of {project} {version} in {wheels}")
        with zipfile.ZipFile(found[0]) as wheel:
            wheel.extractall(to, [name for name in wheel.namelist() if "/include/" in name])


def run(arguments: argparse.Namespace, scratch: Path) -> int:
    """Makes the table, then writes it or compares it; the exit code."""
    headers = arguments.headers
    if headers is None:
        wheels = arguments.wheels
        if wheels is None:
            wheels = scratch / "wheels"
            download(wheels)
        headers = scratch / "headers"
        unpack(wheels, headers)
    table = table_of(read(Headers(headers), scratch / "stubs"))
    text = json.dumps(table, indent=1) + "\n"
    if not arguments.check:
        arguments.out.write_text(text, encoding="utf-8")
        for area, kinds in table["areas"].items():
            print(f"{area:11}", *(f"{kind} {len(names)}" for kind, names in kinds.items()))
        return 0
    old = arguments.out.read_text(encoding="utf-8") if arguments.out.exists() else "{}"
    if old == text:
        return 0
    print(f"{arguments.out} is not what the headers give (+ new, - gone):", file=sys.stderr)
    print(*difference(json.loads(old), table), sep="\n", file=sys.stderr)
    return 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Make the table of names that CUDA's headers declare."
    )
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--wheels",
        type=Path,
        metavar="DIR",
        help="the pinned wheels; without it pip downloads them",
    )
    source.add_argument("--headers", type=Path, metavar="DIR", help="the pinned wheels, unpacked")
    parser.add_argument(
        "--out",
        type=Path,
        default=TABLE,
        metavar="FILE",
        help="default: mappings/cuda/inventory.json",
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 when FILE differs"
    )
    arguments = parser.parse_args()
    try:
        if clang is None:
            raise InventoryError("libclang is missing: pip install libclang")
        with tempfile.TemporaryDirectory() as scratch:
            return run(arguments, Path(scratch))
    except InventoryError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
