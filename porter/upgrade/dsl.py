"""Rows of `porter upgrade` about operators whose CUDA kernels PyTorch overrides in Python (`torch/_native/ops`).

The overrides are registered for CUDA when PyTorch is imported. PrivateUse1 gets none of these kernels; it keeps the C++
kernel as long as upstream has that kernel.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base import regular_files
from porter.base.errors import SourceError
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.upgrade.trees import Tree

_FOLDER = "torch/_native/ops"
_CALL = "register_op_override"


class DslOverride(NamedTuple):
    """Python override of one operator's CUDA kernel."""

    operator: str
    place: str
    """`file:line` of the registration."""


def rows(a: Tree, b: Tree) -> Iterator[UpgradeRow]:
    """Rows about the overrides that only one of the two releases has. Raises SourceError if a file cannot be read."""
    before, after = overrides(a), overrides(b)
    for operator in sorted(after.keys() - before.keys()):
        found = after[operator]
        advice = (
            f"PrivateUse1 keeps the C++ kernel of aten::{operator}: compare its speed and results with those of the"
            " override, or register a kernel of your own"
        )
        yield _row(Change.NEW, operator, "", found.place, found.place, advice)
    for operator in sorted(before.keys() - after.keys()):
        advice = f"nothing: {b.release} no longer has this override"
        place = before[operator].place
        yield _row(Change.GONE, operator, place, "", place, advice)


def overrides(tree: Tree) -> Mapping[str, DslOverride]:
    """Maps the name of each overridden operator of a tree to the override.

    Raises SourceError if a file cannot be read.
    """
    found: dict[str, DslOverride] = {}
    for path in sorted((tree.root / _FOLDER).rglob("*.py")):
        for one in _of_file(tree, path):
            found.setdefault(one.operator, one)
    return found


def _of_file(tree: Tree, path: Path) -> Iterator[DslOverride]:
    try:
        parsed = ast.parse(regular_files.read_text(path))
    except (OSError, ValueError, SyntaxError) as error:
        raise SourceError(f"cannot be read: {error}", str(path)) from None
    inside = path.relative_to(tree.root).as_posix()
    for function in ast.walk(parsed):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and _name(call.func) == _CALL:
                for operator in _operators(call, function):
                    yield DslOverride(operator, f"{inside}:{call.lineno}")


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _operators(call: ast.Call, function: ast.FunctionDef) -> Iterator[str]:
    """Names of the operators that a registration call overrides.

    The call contains the name as a literal, or as the variable of a loop over literals in `function`.
    """
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    texts = [_constant(one) for one in given]
    if "aten" not in texts:
        return
    operator = given[texts.index("aten") + 1]
    if text := _constant(operator):
        yield text
    elif isinstance(operator, ast.Name):
        for loop in ast.walk(function):
            if isinstance(loop, ast.For) and isinstance(loop.iter, ast.Tuple | ast.List):
                yield from _values(loop, operator.id)


def _values(loop: ast.For, variable: str) -> Iterator[str]:
    assert isinstance(loop.iter, ast.Tuple | ast.List)
    names = [_name(one) for one in getattr(loop.target, "elts", [loop.target])]
    if variable not in names:
        return
    for item in loop.iter.elts:
        parts = getattr(item, "elts", [item])
        if text := _constant(parts[names.index(variable)]):
            yield text


def _constant(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _row(
    change: Change, operator: str, before: str, after: str, place: str, advice: str
) -> UpgradeRow:
    effect = Effect.CHECK if change is Change.NEW else Effect.INFORMS
    return UpgradeRow(Subject.DSL, change, effect, operator, before, after, place, advice)
