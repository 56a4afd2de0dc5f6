"""Compares the runtime's headers with mappings/simt, and reports names that only one of the two contains.

    python build_scripts/simt_contract.py                # all API areas, about 20 s
    python build_scripts/simt_contract.py --area blas    # only the given API areas

The rules of mappings/simt with status `supported` promise names and headers. The headers in the `include:` rules of an
API area must declare each promised name of the area. Conversely, every name that these headers declare for programs
must be promised. Each difference is printed on one line, and the exit code is 1 if there is a difference.
`simt_contract.toml`, in this folder, lists exceptions with their reasons, and the API area of each internal header.

clang looks up each name as in a program: `using ::cub::DeviceScan;`. The script needs `libclang` from PyPI and the
headers of a C++ compiler (`g++`).
"""

from __future__ import annotations

import argparse
import fnmatch
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from mapping_tables import cuda_headers
from mapping_tables.cuda_headers import KIND_OF_CURSOR, PRIVATE_NAMESPACE
from mapping_tables.errors import TableError, UsageError
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import Layer, Rule, RuleSet, Status
from porter.simt.build import KERNEL_FLAGS
from porter.simt.sources import include_dir

SETTINGS: dict[str, Any] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
RELEASE = "2.6.0"
"""PyTorch release whose rules are compared with the headers."""
SOURCE = "inventory.cpp"  # Name of the parsed source file in clang's messages (cuda_headers.parse).
DEFINES = [flag.removeprefix("-D") for flag in KERNEL_FLAGS if flag.startswith("-D")]


class Difference(NamedTuple):
    """Name or header that only the runtime's headers contain, or only the mappings."""

    area: str
    name: str
    what: str

    def __str__(self) -> str:
        return f"{self.area}: {self.name}: {self.what}"


def rules() -> RuleSet:
    """Rules of target simt, as `porter run` reads them."""
    return rule_cache.rule_set(MappingLibrary.find(), "simt", RELEASE)


def supported(rule_set: RuleSet) -> list[Rule]:
    """Rules of mappings/simt with status `supported`."""
    return [
        rule
        for rule in rule_set.rules
        if rule.layer is Layer.TARGET and rule.status is Status.SUPPORTED
    ]


def areas(rule_set: RuleSet) -> list[str]:
    """API areas in which at least one supported rule of mappings/simt promises a name.

    The area `pytorch` is none: it has PyTorch's own names.
    """
    found = dict.fromkeys(rule.area for rule in supported(rule_set) if promised_by(rule))
    return [area for area in found if area != "pytorch"]


def promised_by(rule: Rule) -> dict[str, str]:
    """Maps a name in a ported program to the CUDA name that the rule replaces; empty if the rule promises no name."""
    if rule.kind == "names":
        return {new or name: name for name, new in rule.names.items()}
    if rule.kind in ("name", "macro", "qualified"):
        return {rule.replace or rule.match: rule.match}
    return {}


def promised(rule_set: RuleSet, area: str) -> dict[str, str]:
    """Maps each name that the rules of mappings/simt promise for an API area to its CUDA name."""
    return {
        new: name
        for rule in supported(rule_set)
        if rule.area == area
        for new, name in promised_by(rule).items()
    }


def guards(rule_set: RuleSet, area: str) -> dict[str, int]:
    """Guard macros of the profile that the headers of an API area must define, each mapped to its value."""
    return {
        guard.macro: guard.value
        for name, guard in rule_set.profile.guards.items()
        if SETTINGS["guards"].get(name, "runtime") == area
    }


def written(rule_set: RuleSet) -> set[str]:
    """All names that a ported program may contain.

    The result contains the promised names, with their namespaces, and names that launch rules and similar rules insert,
    for example SIMT_LAUNCH and guard macros.
    """
    texts = [
        text
        for rule in rule_set.rules
        if rule.status is Status.SUPPORTED
        # The `match` of a `launch` rule contains the inserted name.
        for text in (rule.match if rule.layer is Layer.TARGET else "", rule.replace or "")
    ]
    names = {name for area in areas(rule_set) for name in promised(rule_set, area)}
    names |= {new for rule in rule_set.rules for new in rule.names.values() if new}
    names |= {guard.macro for guard in rule_set.profile.guards.values()}
    return names | {
        word for text in texts for word in re.findall(r"\w+", re.sub(r"{.*?}", " ", text))
    }


def headers(rule_set: RuleSet, area: str, files: Iterable[str]) -> list[str]:
    """Headers of the runtime that replace CUDA's headers of an API area, or declare replacements of its names.

    A rule with a pattern gives all matching paths in `files`.
    """
    found: dict[str, None] = {}
    for rule in supported(rule_set):
        header = (rule.replace or rule.match) if rule.kind == "include" else rule.shim
        if header and rule.area == area:
            fitting = fnmatch.filter(files, header) if "*" in header else [header]
            found.update(dict.fromkeys(fitting))
    return list(found)


def owner(header: str, area_of: Mapping[str, str]) -> str:
    """API area of a header of the runtime; empty for a public header that no rule names.

    Args:
        area_of: maps each header that an `include:` rule names to its API area.
    """
    for pattern, area in SETTINGS["owners"].items():
        if fnmatch.fnmatch(header, pattern):
            return str(area)
    return area_of.get(header, "runtime" if header.startswith("simtrt/") else "")


def lookups(name: str) -> list[str]:
    """C++ declarations that look up a name. If the name is declared, at least one of the declarations compiles."""
    scope, _, last = name.rpartition("::")
    if not scope:
        return [f"using ::{name};", f"namespace there = ::{name};"]
    member = [f"struct There : ::{scope} {{ using ::{scope}::{last}; }};"] if "::" in scope else []
    return [f"using ::{name};", f"namespace there = ::{name};", *member]


def lookup_source(
    includes: Iterable[str], names: Iterable[str], values: Mapping[str, int]
) -> tuple[str, dict[int, str]]:
    """C++ source that looks up every name and compares macro values, and a map from line numbers to names.

    A name that is a macro is not looked up, because `#ifndef` excludes its line.
    """
    lines = [f"#include <{header}>" for header in includes]
    name_of: dict[int, str] = {}
    for name in names:
        lines.append("#if 1" if "::" in name else f"#ifndef {name}")
        for text in lookups(name):
            lines.append(f"namespace look_up_{len(lines)} {{ {text} }}")
            name_of[len(lines)] = name
        lines.append("#endif")
    for name, value in values.items():
        lines.append(f"static_assert({name} == {value});")
        name_of[len(lines)] = name
    return "\n".join(lines) + "\n", name_of


def check(rule_set: RuleSet, area: str, root: Path | None = None) -> list[Difference]:
    """Differences between the headers of one API area and the mappings, sorted.

    `root` is the folder `include` of the runtime; the default is the checkout's folder.
    """
    root = root or include_dir()
    texts = {
        path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    own = headers(rule_set, area, texts)
    present = [header for header in own if header in texts or header in SETTINGS["host"]]
    names = promised(rule_set, area)
    switches = {name for name in SETTINGS["switches"] if name in names}
    values = guards(rule_set, area)
    source, name_of = lookup_source(present, sorted(names.keys() - switches), values)
    unit = cuda_headers.parse(source, DEFINES, [root, *cuda_headers.system_includes()])

    failed, broken = errors_of(unit, name_of)
    asked = words(r"(?m)^\s*#\s*(?:el)?if(?:n?def)?\b(.*)", texts.values())
    found = [
        Difference(area, header, "the header is missing") for header in own if header not in present
    ]
    found += [Difference(area, place, f"does not compile: {text}") for place, text in broken]
    for name in failed:
        what = f"not {values[name]}" if name in values else f"not declared (for {names[name]})"
        found.append(Difference(area, name, what))
    found += [Difference(area, name, "no header tests the macro") for name in switches - asked]
    found += unpromised(rule_set, area, texts, declarations(unit, root))
    return sorted(set(found))


def errors_of(unit: Any, name_of: Mapping[int, str]) -> tuple[set[str], list[tuple[str, str]]]:
    """Names for which no line compiles, and all errors outside the lines in `name_of` as (file:line, message).

    `name_of` maps the number of a line in the parsed source to the name that the line looks up.
    """
    bad: set[int] = set()
    broken: list[tuple[str, str]] = []
    for error in unit.diagnostics:
        if error.severity < cuda_headers.clang.Diagnostic.Error:
            continue
        file, line = error.location.file, error.location.line
        if file is not None and file.name == SOURCE and line in name_of:
            bad.add(line)
        else:
            place = f"{Path(file.name).name}:{line}" if file else "the headers"
            broken.append((place, error.spelling))
    good = {name for line, name in name_of.items() if line not in bad}
    return set(name_of.values()) - good, broken


def unpromised(
    rule_set: RuleSet,
    area: str,
    texts: Mapping[str, str],
    declared: Iterable[tuple[str, str]],
) -> Iterator[Difference]:
    """Yield a difference for each declared name of an API area that no rule of `mappings/simt` promises.

    `declared` are pairs (header, name). For the area `runtime`, each public header that no rule names is a difference
    too. `texts` maps each header of the runtime to its text.
    """
    area_of = {
        header: other for other in areas(rule_set) for header in headers(rule_set, other, texts)
    }
    known = written(rule_set)
    ended = words(r"(?m)^\s*#\s*undef\b(.*)", texts.values())
    for header, name in declared:
        if owner(header, area_of) == area and name not in ended and not is_known(name, known):
            yield Difference(area, name, f"not in mappings/simt, declared by {header}")
    if area == "runtime":
        for header in texts:
            if "/" not in header and not owner(header, area_of):
                yield Difference(area, header, "no `include:` rule names it")


def words(line: str, texts: Iterable[str]) -> set[str]:
    """Words in group 1 of all matches of the pattern `line` in the texts."""
    return {
        word
        for text in texts
        for found in re.findall(line, text)
        for word in re.findall(r"\w+", found)
    }


def is_known(name: str, known: set[str]) -> bool:
    """Test whether a declared name is in `known`, listed as an exception, or internal.

    A name that CUDA also declares outside all namespaces, for example thrust::sqrt, is promised under the global name.
    """
    return (
        name in known
        or name.rpartition("::")[2] in known
        or any(re.fullmatch(entry["pattern"], name) for entry in SETTINGS["inner"])
        or any(name in entry["names"] for entry in SETTINGS["not_promised"])
    )


def declarations(unit: Any, root: Path) -> Iterator[tuple[str, str]]:
    """Yield (header, qualified name) for each public declaration in the runtime's own headers."""
    files: dict[str, str | None] = {}

    def header_of(cursor: Any) -> str | None:
        file = cursor.location.file
        if file is None:
            return None
        if file.name not in files:
            path = Path(file.name)
            inside = path.is_relative_to(root)
            files[file.name] = path.relative_to(root).as_posix() if inside else None
        return files[file.name]

    def visit(parent: Any, namespace: str) -> Iterator[tuple[str, str]]:
        for cursor in parent.get_children():
            header = header_of(cursor)
            if header is None:
                continue
            what, word = cursor.kind.name, cursor.spelling
            if what in ("LINKAGE_SPEC", "UNEXPOSED_DECL"):  # extern "C" { ... }
                yield from visit(cursor, namespace)
            elif what == "NAMESPACE":
                if cuda_headers.is_transparent(cursor):
                    yield from visit(cursor, namespace)
                elif not PRIVATE_NAMESPACE.fullmatch(word) and word not in SETTINGS["private"]:
                    yield from visit(cursor, f"{namespace}{word}::")
            elif kind := KIND_OF_CURSOR.get(what):
                # Skip operators and forward declarations of types.
                if word.isidentifier() and (kind != "types" or is_complete(cursor)):
                    yield header, word if kind == "macros" else namespace + word
                if what == "ENUM_DECL" and not cursor.is_scoped_enum():
                    for constant in cursor.get_children():
                        yield header, namespace + constant.spelling

    yield from visit(unit.cursor, "")


def is_complete(cursor: Any) -> bool:
    """Test whether a declaration is an alias or the definition of a type; False for a forward declaration."""
    return cursor.kind.name in (
        "TYPEDEF_DECL",
        "TYPE_ALIAS_DECL",
        "TYPE_ALIAS_TEMPLATE_DECL",
    ) or bool(cursor.is_definition())


def compare(options: argparse.Namespace) -> int:
    """Print every difference and return the exit code."""
    cuda_headers.require()
    rule_set = rules()
    known = areas(rule_set)
    for area in options.area or ():
        if area not in known:
            raise UsageError(f"unknown area '{area}'", f"choose one of: {', '.join(known)}")
    chosen = options.area or known
    found = [difference for area in chosen for difference in check(rule_set, area, options.include)]
    for difference in found:
        print(difference)
    if found:
        print(f"{len(found)} difference{'s' * (len(found) > 1)}", file=sys.stderr)
    return int(bool(found))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--area",
        action="append",
        metavar="AREA",
        help="only this API area; may be given several times",
    )
    parser.add_argument(
        "--include", type=Path, metavar="DIR", help="folder of the headers (default: the runtime's)"
    )
    try:
        return compare(parser.parse_args(arguments))
    except TableError as error:
        print(error.told, file=sys.stderr)
        return error.code


if __name__ == "__main__":
    sys.exit(main())
