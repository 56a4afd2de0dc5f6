"""Rows of `porter upgrade` about operators: schemas of native_functions.yaml that are new, removed or changed.

Schemas are compared as C++ declarations.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from porter.model.ops import KEYS, DeclaredKernel, DeclaredOperator
from porter.model.upgrade import Change, Effect, Subject, UpgradeRow
from porter.register import catalogue
from porter.upgrade import calls
from porter.upgrade.mentions import BackendFile
from porter.upgrade.trees import Tree

_FILE = "aten/src/ATen/native/native_functions.yaml"
_REGISTERED = re.compile(r"\bimpl\(\s*(?:TORCH_SELECTIVE_NAME\()?\"(?:aten::)?([\w.]+)\"")
_FUNCTION = re.compile(r"^- func: ([\w.]+)\(", re.M)


def rows(a: Tree, b: Tree, files: Iterable[BackendFile]) -> Iterator[UpgradeRow]:
    """Rows about all operators whose schema or CUDA kernels differ between the trees.

    A row names the line of `files` that registers the operator, if there is one. Raises SourceError if a tree has no
    torchgen, RegisterError if torchgen fails.
    """
    before, after = _operators(a), _operators(b)
    places = {**_places(a), **_places(b), **_registered(files)}
    for name in sorted(before.keys() | after.keys()):
        old, new = before.get(name), after.get(name)
        place = places.get(name) or places.get(name.partition(".")[0], _FILE)
        if old and new:
            yield from _changed(old, new, place)
        elif new:
            yield _new(new, place)
        elif old:
            yield _gone(old, place)


def _operators(tree: Tree) -> Mapping[str, DeclaredOperator]:
    return {one.name: one for one in catalogue.declared(catalogue.in_tree(tree.root))}


def _places(tree: Tree) -> dict[str, str]:
    """Maps an operator to `file:line` of its declaration in native_functions.yaml."""
    text = tree.text(_FILE)
    line, at, found = 1, 0, {}
    for match in _FUNCTION.finditer(text):
        line += text.count("\n", at, match.start())
        at = match.start()
        found[match[1]] = f"{_FILE}:{line}"
    return found


def _registered(files: Iterable[BackendFile]) -> dict[str, str]:
    """Maps an operator to `file:line` of its first registration in the backend's sources."""
    found: dict[str, str] = {}
    for file in files:
        for match in _REGISTERED.finditer(file.text):
            line = file.text.count("\n", 0, match.start()) + 1
            found.setdefault(match[1], f"{file.path}:{line}")
    return found


def _new(operator: DeclaredOperator, place: str) -> UpgradeRow:
    if operator.kernels:
        advice = f"register it on {_keys(operator)}: a CUDA kernel exists ({_kernels(operator)})"
    else:
        advice = "nothing: it has no CUDA kernel; a composite kernel or the fallback to the CPU computes it"
    effect = Effect.CHECK if operator.kernels else Effect.INFORMS
    text = f"{operator.declaration};"
    return UpgradeRow(Subject.SCHEMA, Change.NEW, effect, operator.name, "", text, place, advice)


def _gone(operator: DeclaredOperator, place: str) -> UpgradeRow:
    registered = f" (registrations on {_keys(operator)} fail when the library is loaded)"
    advice = f"remove kernels and registrations of aten::{operator.name}"
    advice += registered if operator.kernels else ""
    effect = Effect.BREAKS if operator.kernels else Effect.INFORMS
    text = f"{operator.declaration};"
    return UpgradeRow(Subject.SCHEMA, Change.GONE, effect, operator.name, text, "", place, advice)


def _changed(old: DeclaredOperator, new: DeclaredOperator, place: str) -> Iterator[UpgradeRow]:
    if _types(old.declaration) != _types(new.declaration):
        # Upstream provides a composite kernel. Only a vendor that overrides this kernel must adapt its own.
        effect = Effect.BREAKS if old.kernels or new.kernels else Effect.INFORMS
        yield UpgradeRow(
            Subject.SCHEMA,
            Change.CHANGED,
            effect,
            new.name,
            f"{old.declaration};",
            f"{new.declaration};",
            place,
            f"change the declaration of every function registered for aten::{new.name}",
        )
    elif old.schema != new.schema:
        advice = "the C++ types are the same: check names, defaults and aliases of arguments"
        yield UpgradeRow(
            Subject.SCHEMA,
            Change.CHANGED,
            Effect.CHECK if old.kernels or new.kernels else Effect.INFORMS,
            new.name,
            old.schema,
            new.schema,
            place,
            advice,
        )
    yield from _kernel_rows(old, new, place)


def _kernel_rows(old: DeclaredOperator, new: DeclaredOperator, place: str) -> Iterator[UpgradeRow]:
    was = {kernel.key: kernel for kernel in old.kernels}
    now = {kernel.key: kernel for kernel in new.kernels}
    for key in sorted(was.keys() | now.keys()):
        a, b = was.get(key), now.get(key)
        same_types = bool(a and b) and _types(_kernel(a)) == _types(_kernel(b))
        if a and b and a.kernel == b.kernel and (same_types or old.declaration != new.declaration):
            continue
        if a and b and same_types:
            change, effect = Change.CHANGED, Effect.CHECK
            advice = f"the CUDA kernel has another name: port {b.kernel}"
        elif a and b:
            change, effect = Change.CHANGED, Effect.BREAKS
            advice = f"change the declaration of the kernel for {KEYS[key]}"
        elif b:
            change, effect = Change.NEW, Effect.CHECK
            advice = f"register it on {KEYS[key]}: CUDA has a kernel of its own now"
        else:
            change, effect = Change.GONE, Effect.CHECK
            advice = f"remove the kernel for {KEYS[key]}, or keep it as your own: CUDA no longer has such a kernel"
        name = f"{new.name} [{KEYS[key]}]"
        yield UpgradeRow(
            Subject.SCHEMA, change, effect, name, _kernel(a), _kernel(b), place, advice
        )


def _types(declaration: str) -> str:
    """Types in a declaration, without the names of the function and of its parameters."""
    return re.sub(r"\w+\(|(?<=[\s&*])\w+(?=[,)])", "(", calls.normal(declaration))


def _kernel(kernel: DeclaredKernel | None) -> str:
    return f"{kernel.declaration};" if kernel else ""


def _keys(operator: DeclaredOperator) -> str:
    return ", ".join(KEYS[kernel.key] for kernel in operator.kernels)


def _kernels(operator: DeclaredOperator) -> str:
    return ", ".join(kernel.kernel for kernel in operator.kernels)
