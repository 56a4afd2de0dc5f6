"""Variants that are generated from a declared operator: with `out=`, in place, and functional.

    scale(Tensor self, float factor) -> Tensor
    scale.out(Tensor self, float factor, *, Tensor(a!) out) -> Tensor(a!)      copies the result to `out`
    scale_(Tensor(a!) self, float factor) -> Tensor(a!)                        copies the result to `self`

For an operator that writes to its arguments, `functional: made` generates a variant that works on copies of the
arguments.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porter.model.custom_ops import (
    Argument,
    Custom,
    FakeResult,
    NoGradient,
    Return,
    Signature,
    VariantKind,
)


class VariantRequest(NamedTuple):
    """Variant to generate: schema text, kind, and source operator."""

    text: str
    made: VariantKind
    of: Custom


def wanted(ops: Sequence[Custom]) -> Iterator[VariantRequest]:
    """Variants to generate: all possible variants of `ops`, except variants that the ops.yaml itself declares."""
    written = {op.signature.full_name for op in ops}
    for op in ops:
        for one in _forms(op):
            if one.text.partition("(")[0] not in written:
                yield one


def custom(form: VariantRequest, signature: Signature) -> Custom:
    """Operator for a requested variant; `signature` is the parsed schema of the variant."""
    fresh = [one for one in signature.returns if not one.alias]
    changed = [argument.name for argument in form.of.signature.written]
    fake = tuple(FakeResult(name) for name in changed[: len(fresh)]) or None
    functional = form.of.signature.full_name if form.made is VariantKind.OUT else ""
    doc = {
        VariantKind.OUT: f"As `{form.of.signature.name}`, with its result in `out`.",
        VariantKind.IN_PLACE: f"As `{form.of.signature.name}`, in place.",
        VariantKind.FUNCTIONAL: f"As `{form.of.signature.name}`, on a copy.",
    }[form.made]
    return Custom(
        signature,
        kernels={},
        fake=fake,
        autograd=NoGradient.UNSAID,
        functional=functional,
        expose=form.of.expose,
        doc=doc,
        place=form.of.place,
        made=form.made,
        made_of=form.of.signature.full_name,
    )


def functional_name(signature: Signature) -> str:
    """Name of the functional variant, which does not modify its arguments."""
    name = signature.name
    return name[:-1] if name.endswith("_") else f"{name}_functional"


def _forms(op: Custom) -> Iterator[VariantRequest]:
    signature = op.signature
    tensors = bool(signature.returns) and all(one.type == "Tensor" for one in signature.returns)
    fresh = not signature.written and not any(one.alias for one in signature.returns)
    taken = {argument.name for argument in signature.arguments}
    if op.forms and tensors and fresh:
        if not taken.intersection(_outs(signature)) and "out" not in taken:
            yield VariantRequest(_out(signature), VariantKind.OUT, op)
        first = signature.arguments[0]
        like_itself = op.fake == (FakeResult("self"),)
        if (
            first.name == "self"
            and first.type == "Tensor"
            and like_itself
            and not signature.overload
        ):
            yield VariantRequest(_in_place(signature), VariantKind.IN_PLACE, op)
    if op.functional and op.functional == functional_name(signature):
        yield VariantRequest(_functional(signature, op.functional), VariantKind.FUNCTIONAL, op)


def _outs(signature: Signature) -> list[str]:
    """Names of the arguments that receive the results."""
    if len(signature.returns) == 1:
        return ["out"]
    return [one.name or f"out{n}" for n, one in enumerate(signature.returns)]


def _out(signature: Signature) -> str:
    count = len(signature.returns)
    names = _outs(signature)
    marks = [f"Tensor({letter}!)" for letter in string.ascii_lowercase[:count]]
    outs = [f"{mark} {name}" for mark, name in zip(marks, names, strict=True)]
    overload = f"{signature.overload}_out" if signature.overload else "out"
    arguments = _arguments(signature, (), outs)
    returned = marks[0] if count == 1 else f"({', '.join(marks)})"
    return f"{signature.name}.{overload}({arguments}) -> {returned}"


def _in_place(signature: Signature) -> str:
    return f"{signature.name}_({_arguments(signature, ('self',))}) -> Tensor(a!)"


def _functional(signature: Signature, name: str) -> str:
    returned: list[Return | Argument] = [one for one in signature.returns if not one.alias]
    returned += signature.written
    types = [one.type for one in returned]
    return f"{name}({_arguments(signature)}) -> {types[0] if len(types) == 1 else '(' + ', '.join(types) + ')'}"


def _arguments(signature: Signature, written: Sequence[str] = (), more: Sequence[str] = ()) -> str:
    positional = [_argument(a, written) for a in signature.arguments if not a.keyword_only]
    named = [_argument(a, written) for a in signature.arguments if a.keyword_only]
    named += more
    return ", ".join([*positional, *(["*", *named] if named else [])])


def _argument(argument: Argument, written: Sequence[str]) -> str:
    kind = "Tensor(a!)" if argument.name in written else argument.type
    default = "" if argument.default is None else f"={argument.default}"
    return f"{kind} {argument.name}{default}"
