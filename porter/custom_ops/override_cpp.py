"""Template values for the C++ of kernels that override PyTorch's kernels.

torchgen generates wrappers for CUDA (device check, guard, variants of a structured kernel). This module puts the
target's names into these wrappers; the template `Replace.cpp` adds call counters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from porter.custom_ops import cpp
from porter.model.custom_ops import Custom, Override, OwnOps, Wrapped
from porter.register import emit as register_emit
from porter.register.torchgen_names import TargetNaming, check, in_names

_REGISTERED = re.compile(r'm\.impl\(\s*"(?P<op>[\w.]+)",\s*TORCH_FN\((?P<wrapper>\w+)\)\s*\)')


_OF_CUDA = re.compile(r"\b\w*cuda\w*\b")


class Declared(NamedTuple):
    """Declaration of a kernel that the user defines."""

    namespace: str
    op: str
    text: str


class RegisteredWrapper(NamedTuple):
    """Wrapper function, and the operator for which it is registered."""

    op: str
    wrapper: str


class RequiredFunction(NamedTuple):
    """Function that the user's sources must define."""

    called: str
    """Qualified name followed by `(`."""
    text: str
    """Declaration of the function."""
    place: str


def is_needed(ops: OwnOps) -> bool:
    """True if an entry overrides or excludes an operator of PyTorch, or makes it run on the CPU."""
    return bool(ops.about_upstream)


def wanted(ops: OwnOps) -> Iterator[RequiredFunction]:
    """Functions that the entries require from the user's sources."""
    for op in ops.custom:
        yield from _of_custom(op)
    for entry in ops.override:
        yield from _of_override(entry)


def _of_custom(op: Custom) -> Iterator[RequiredFunction]:
    for kernel in cpp.kernels(op):
        called = f"{kernel.namespace}::{kernel.name}("
        yield RequiredFunction(called, f"{kernel.returns} {called}{kernel.arguments})", op.place)


def _of_override(entry: Override) -> Iterator[RequiredFunction]:
    wrapped = _wrapped(entry)
    namespace, _, name = entry.kernel.rpartition("::")
    if not wrapped.functions:
        yield RequiredFunction(f"{entry.kernel}(", wrapped.defined, entry.place)
    for function in wrapped.functions:
        called = f"{namespace}::structured_{name}::{function}("
        arguments = re.search(rf"void {function}\((.*)\);", wrapped.declaration)
        assert arguments
        yield RequiredFunction(called, f"void {called}{arguments[1]})", entry.place)


def declarations(ops: OwnOps) -> Iterator[Declared]:
    """Declarations of the kernels in the generated header."""
    seen = set()
    for entry in ops.override:
        # Without TORCH_API, the library does not export the kernels.
        text = _wrapped(entry).declaration.replace("TORCH_API ", "")
        namespace = entry.kernel.rpartition("::")[0]
        # One function may serve several operators.
        if (namespace, text) not in seen:
            yield Declared(namespace, entry.op, text)
        seen.add((namespace, text))


def declaring(ops: OwnOps) -> Iterator[str]:
    """Headers that the C++ of `declarations` needs."""
    stems = {form.header for one in ops.override if one.meta for form in _wrapped(one).forms[:1]}
    if stems:
        yield "ATen/TensorIterator.h"
        yield "ATen/TensorMeta.h"
    yield from (f"ATen/ops/{stem}_meta.h" for stem in sorted(stems))


def values(ops: OwnOps, naming: TargetNaming) -> dict[str, Any]:
    """Variables for the template `Replace.cpp`. Raises RegisterError when torchgen's text contains unknown names."""
    forms = [form for entry in ops.override for form in _wrapped(entry).forms]
    definitions = "\n".join(form.definition for form in forms)
    text = in_names("\n".join((ops.helpers, definitions)), naming) if forms else ""
    stems = sorted({form.header for form in forms})
    own = {entry.kernel.rpartition("::")[2] for entry in ops.override}
    # Names of arguments of PyTorch's operators may contain `cuda`: `cuda_enabled`.
    own.update(word for form in forms for word in _OF_CUDA.findall(form.schema))
    check(text, own, stems, "override")
    registrations = in_names("\n".join(form.registration for form in forms), naming)
    for name in ("empty_strided", "empty"):
        # The backend exports neither empty_cuda nor empty_strided_cuda, because a CUDA build of PyTorch has functions
        # with these names.
        text = text.replace(f"at::detail::{name}_cuda(", f"{name}_here(")
    return {
        "wrappers": text,
        "includes": register_emit.headers(definitions, stems, naming),
        "counted": [
            RegisteredWrapper(**found.groupdict()) for found in _REGISTERED.finditer(registrations)
        ],
        "refused": ops.exclude,
        "on_cpu": ops.fallback,
        "lower": naming.lower,
    }


def replaced(ops: OwnOps) -> dict[str, str]:
    """Maps each PyTorch operator that an entry concerns to a text for ops.json: replaced, left out, or on the CPU."""
    found = {name: f"replaced by {entry.kernel}" for entry in ops.override for name in entry.serves}
    found |= {entry.op: f"left out: {entry.reason}" for entry in ops.exclude}
    return found | {entry.op: f"runs on the CPU: {entry.reason}" for entry in ops.fallback}


def notes(ops: OwnOps) -> Iterator[str]:
    """Notes for the user about effects of the entries."""
    said = {name for one in ops.about_upstream for name in (one.op, *one.serves)}
    for entry in ops.about_upstream:
        if others := [name for name in entry.family.others if name not in said]:
            yield f"{entry.place}: other variants stay unchanged: {', '.join(others)}"
        if entry.family.composed:
            yield (
                f"{entry.place}: {entry.op} loses its gradients: PyTorch computes {entry.op} with other operators, and "
                "only these define gradients"
            )
        if entry.family.generator and entry in ops.fallback:
            yield f"{entry.place}: on the CPU, {entry.op} does not accept a generator of the device"


def _wrapped(entry: Override) -> Wrapped:
    assert entry.wrapped, "torchgen has not run"
    return entry.wrapped
