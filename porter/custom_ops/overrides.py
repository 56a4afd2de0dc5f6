"""Entries of an `ops.yaml` about PyTorch's operators: torchgen's data, and contradictions between entries."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from porter.base.errors import Problem, did_you_mean
from porter.model.custom_ops import ExcludedOp, Override, OwnOps
from porter.register import catalogue
from porter.register.catalogue import TorchgenSource


def looked_up(
    ops: OwnOps, torchgen: TorchgenSource, known: Collection[str]
) -> tuple[OwnOps, list[Problem]]:
    """Look up the entries' operators in torchgen. Returns `ops` with torchgen's data, and problems of the entries.

    `known`: names of PyTorch's operators, with overloads. Raises RegisterError when torchgen fails.
    """
    problems = [
        Problem(f"PyTorch has no operator '{one.op}'", one.place, _help_for(one.op, known))
        for one in ops.about_upstream
        if one.op not in known
    ]
    there = ops._replace(
        override=tuple(one for one in ops.override if one.op in known),
        exclude=tuple(one for one in ops.exclude if one.op in known),
        fallback=tuple(one for one in ops.fallback if one.op in known),
    )
    said = catalogue.replaced(torchgen, there.about_upstream)
    found = iter(said.found)
    override = []
    for entry in there.override:
        family, wrapped = next(found)
        if isinstance(wrapped, catalogue.RefusedOverride):
            problems.append(Problem(wrapped.text, entry.place, wrapped.help))
        else:
            override.append(entry._replace(family=family, wrapped=wrapped))
    ops = there._replace(
        override=tuple(override),
        exclude=tuple(entry._replace(family=next(found)[0]) for entry in there.exclude),
        fallback=tuple(entry._replace(family=next(found)[0]) for entry in there.fallback),
        helpers=said.helpers,
    )
    return ops, [*problems, *_served_twice(ops), *_structs(ops.override), *_views(ops.fallback)]


def _help_for(name: str, known: Collection[str]) -> str:
    """Advice for the name of an operator that PyTorch does not have."""
    if (bare := name.removeprefix("aten::")) != name and bare in known:
        return f"write the name without its namespace: {bare}"
    overloads = sorted(other for other in known if other.startswith(f"{name}."))
    return f"name an overload: {', '.join(overloads)}" if overloads else did_you_mean(name, known)


def _served_twice(ops: OwnOps) -> Iterator[Problem]:
    """Problems of operators for which two entries with different `op` apply; `read` reports entries with equal `op`."""
    by: dict[str, Override | ExcludedOp] = {}
    for entry in ops.about_upstream:
        for name in entry.serves:
            first = by.setdefault(name, entry)
            if first.op != entry.op:
                text = f"'{name}' has another entry at {first.place}"
                yield Problem(text, entry.place)


def _structs(entries: Sequence[Override]) -> Iterator[Problem]:
    """Problems of structured kernels that several entries name. A structured kernel belongs to one operator only."""
    by: dict[str, Override] = {}
    for entry in entries:
        if entry.meta:
            first = by.setdefault(entry.kernel, entry)
            if first is not entry:
                text = f"'{entry.kernel}' is already the kernel of {first.op} ({first.place})"
                yield Problem(text, entry.place)


def _views(entries: Sequence[ExcludedOp]) -> Iterator[Problem]:
    for entry in entries:
        if entry.family.view:
            text = f"'{entry.op}' returns a view, which a CPU fallback cannot return"
            yield Problem(text, entry.place)
