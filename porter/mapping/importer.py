"""Import of other tools' tables as porter's tables of names.

A table is a flat JSON object, as in torch_musa (`{"cudaMalloc": "musaMalloc"}`), or a Python module with tables, as in
torch.utils.hipify (`OrderedDict([("cudaMalloc", ("hipMalloc", CONV_MEM, API_RUNTIME))])`). A module is parsed, never
run.

Such tools replace text; porter imports only rules about identifiers and include paths. An entry about different text
becomes no rule: it is returned with the reason.
"""

from __future__ import annotations

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.base import regular_files
from porter.base.errors import MappingError, Problem
from porter.mapping import document

_IDENT = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_CHAIN = re.compile(r"(?:::)?\w+(?:::\w*)+", re.ASCII)
_HEADER = re.compile(r"[\w.+-]+(?:/[\w.+-]+)*\.(?:h|hh|hpp|hxx|cuh|inl|inc|def)", re.ASCII)
_INCLUDE = re.compile(r"#?\s*include\s*[<\"]|<|\"")
"""Beginning of an entry about an include directive, in tables of tools that replace text."""
_USED = "CUDA_TO_HIP_MAPPINGS"
"""List in which torch.utils.hipify names the tables that it applies."""
_UNSUPPORTED = "HIP_UNSUPPORTED"
_UNSUPPORTED_NOTE = f"torch.utils.hipify marks it {_UNSUPPORTED}"


@dataclass(frozen=True)
class ImportedEntry:
    """One entry of an imported table: a name and its replacement, spelled as in the table."""

    old: str
    new: str
    line: int
    flags: frozenset[str] = frozenset()
    """Names of the constants next to the replacement."""


@dataclass(frozen=True)
class UnimportedEntry:
    """Entry without a corresponding rule, with the reason."""

    why: str
    text: str
    """Readable part of the entry."""
    line: int


@dataclass(frozen=True)
class Imported:
    """Sorted content of an imported table, as porter's rules, and the entries that became no rule."""

    names: dict[str, str]
    unsupported: dict[str, list[str]]
    """Maps a reason to the unsupported names with this reason."""
    includes: dict[str, str]
    left: tuple[UnimportedEntry, ...]
    """Entries that became no rule."""

    @property
    def count(self) -> int:
        """Number of entries that became rules."""
        return len(self.names) + sum(map(len, self.unsupported.values())) + len(self.includes)

    def to_text(self, area: str, source: str) -> str:
        """Text of the table in porter's format, one name on each line."""
        rules: list[dict[str, object]] = []
        if self.names:
            rules.append({"names": self.names})
        for note, names in self.unsupported.items():
            rules.append({"names": names, "status": "unsupported", "note": note})
        rules += [{"include": old, "replace": new} for old, new in self.includes.items()]
        data = {"area": area, "source": source, "rules": rules}
        return json.dumps(data, indent=1) + "\n"


def read(path: Path) -> Imported:
    """Read the table in a file with the suffix `.json` or `.py`.

    Raises MappingError when the file is unreadable or malformed, or contains no table.
    """
    if path.suffix == ".json":
        pairs, left = _json_pairs(path)
    elif path.suffix == ".py":
        pairs, left = _python_pairs(path)
    else:
        help = "give a flat JSON object (.json), a module of tables as in torch.utils.hipify (.py), or a header (.h)"
        raise MappingError("is not a table that porter can import", str(path), help)
    return table_of(pairs, left)


def _json_pairs(path: Path) -> tuple[list[ImportedEntry], list[UnimportedEntry]]:
    doc = document.read(path, str(path))
    help = 'expected a flat object: {"cudaMalloc": "musaMalloc"}'
    if not isinstance(doc.data, dict):
        raise MappingError("is not a table of names", str(path), help)
    if isinstance(doc.data.get("rules"), list):
        raise MappingError("is already a mapping of porter", str(path))
    problems = [
        Problem(f"the replacement of '{old}' is not text", f"{path}:{doc.line([old])}", help)
        for old, new in doc.data.items()
        if not isinstance(new, str)
    ]
    if problems:
        raise MappingError(problems)
    return [ImportedEntry(old, new, doc.line([old])) for old, new in doc.data.items()], []


def _python_pairs(path: Path) -> tuple[list[ImportedEntry], list[UnimportedEntry]]:
    pairs: list[ImportedEntry] = []
    left: list[UnimportedEntry] = []
    tables = dict(_tables(_parse(path)))
    used = tables.pop(_USED, None)
    wanted = {item.id for item in used if isinstance(item, ast.Name)} if used else set(tables)
    for name, items in tables.items():
        entries = [_entry(item) for item in items]
        if not any(isinstance(entry, ImportedEntry) for entry in entries):
            continue
        if name not in wanted:
            text = f"{name}, {len(items)} entries"
            left.append(UnimportedEntry(f"the table is not in {_USED}", text, items[0].lineno))
            continue
        for entry in entries:
            (pairs if isinstance(entry, ImportedEntry) else left).append(entry)  # type: ignore[arg-type]
    if not pairs:
        help = 'a table is a dict, or an OrderedDict of ("cudaMalloc", ("hipMalloc", ...))'
        raise MappingError("contains no table of names", str(path), help)
    return pairs, left


def _parse(path: Path) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(regular_files.read_bytes(path), str(path))
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    except SyntaxError as error:
        place = f"{path}:{error.lineno}" if error.lineno else str(path)
        raise MappingError(f"malformed Python: {error.msg}", place) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise MappingError(f"malformed Python: {error}", str(path)) from None


def _tables(module: ast.Module) -> Iterator[tuple[str, list[ast.expr]]]:
    """Yield (name, items) for each variable of the module whose value is a list, a tuple or a dict.

    The items of a dict are pairs of key and value.
    """
    for statement in module.body:
        targets: Iterable[ast.expr] = ()
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, ast.AnnAssign):
            targets = (statement.target,)
        value = getattr(statement, "value", None)
        if isinstance(value, ast.Call) and len(value.args) == 1:
            value = value.args[0]
        if isinstance(value, ast.Dict):
            items: list[ast.expr] = [
                ast.copy_location(ast.Tuple([key, new], ast.Load()), key)
                for key, new in zip(value.keys, value.values, strict=True)
                if key is not None
            ]
        elif isinstance(value, ast.List | ast.Tuple):
            items = value.elts
        else:
            continue
        for target in targets:
            if isinstance(target, ast.Name) and items:
                yield target.id, items


def _entry(item: ast.expr) -> ImportedEntry | UnimportedEntry:
    if isinstance(item, ast.Tuple) and len(item.elts) == 2:
        old, new = item.elts
        flags: list[ast.expr] = []
        if isinstance(new, ast.Tuple) and new.elts:
            new, *flags = new.elts
        if _is_text(old) and _is_text(new):
            names = frozenset(flag.id for flag in flags if isinstance(flag, ast.Name))
            return ImportedEntry(_text(old), _text(new), item.lineno, names)
    text = ast.unparse(item)
    return UnimportedEntry(
        "not a pair of literal texts", text if len(text) < 100 else text[:97] + "...", item.lineno
    )


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def table_of(pairs: list[ImportedEntry], left: list[UnimportedEntry]) -> Imported:
    """Sorted table of the entries `pairs`. Entries that cannot become a rule are appended to the list `left`."""
    names: dict[str, str] = {}
    unsupported: dict[str, str] = {}
    includes: dict[str, str] = {}
    by_old: dict[str, list[ImportedEntry]] = {}
    for pair in pairs:
        plain = _without_include(pair)
        by_old.setdefault(plain.old, []).append(plain)
    for old, alike in by_old.items():
        pair = alike[0]
        says = {(other.new, _UNSUPPORTED in other.flags) for other in alike}
        if len(says) > 1:
            for other in alike:
                left.append(_leftover("the table has two contradictory entries", other))
        elif why := _why_no_rule(pair):
            left.append(_leftover(why, pair))
        elif not _IDENT.fullmatch(old):
            includes[old] = pair.new
        elif _UNSUPPORTED in pair.flags:
            unsupported[old] = _UNSUPPORTED_NOTE
        else:
            names[old] = pair.new
    by_note: dict[str, list[str]] = {}
    for name in sorted(unsupported):
        by_note.setdefault(unsupported[name], []).append(name)
    return Imported(
        dict(sorted(names.items())),
        by_note,
        dict(sorted(includes.items())),
        tuple(sorted(left, key=lambda item: (item.why, item.line))),
    )


def _without_include(pair: ImportedEntry) -> ImportedEntry:
    """Entry without include syntax, if both of its texts begin with the same `#include <` or quote; else unchanged."""
    old, new = _INCLUDE.match(pair.old), _INCLUDE.match(pair.new)
    if not old or not new or old[0] != new[0]:
        return pair
    bare = [text[len(old[0]) :].rstrip('>"') for text in (pair.old, pair.new)]
    return (
        ImportedEntry(bare[0], bare[1], pair.line, pair.flags)
        if _HEADER.fullmatch(bare[0])
        else pair
    )


def _why_no_rule(pair: ImportedEntry) -> str:
    """Reason why an entry cannot become a rule about an identifier or an include path; empty if the entry can."""
    if _IDENT.fullmatch(pair.old):
        is_right = _IDENT.fullmatch(pair.new) or _UNSUPPORTED in pair.flags
        return "" if is_right else "the replacement is not an identifier"
    if _HEADER.fullmatch(pair.old):
        return "" if _HEADER.fullmatch(pair.new) else "the replacement is not an include path"
    if _CHAIN.fullmatch(pair.old):
        return "a qualified name: write a `qualified` rule"
    if "/" in pair.old and re.fullmatch(r"[\w./+-]+", pair.old):
        return "a folder, or a header without a suffix: write an `include` rule"
    return "a piece of text: write a `string` or `patch` rule"


def _leftover(why: str, pair: ImportedEntry) -> UnimportedEntry:
    mark = f" ({_UNSUPPORTED})" if _UNSUPPORTED in pair.flags else ""
    return UnimportedEntry(why, f"{pair.old!r} -> {pair.new!r}{mark}", pair.line)
