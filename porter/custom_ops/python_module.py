"""Python text for an operator: signatures, defaults and fake kernels."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from porter.model.custom_ops import Argument, Custom, FakeResult, PythonFunction, Return, Signature

_TYPES = {
    "Tensor": "torch.Tensor",
    "Scalar": "complex",
    "int": "int",
    "SymInt": "int",
    "float": "float",
    "bool": "bool",
    "str": "str",
    "ScalarType": "torch.dtype",
    "Layout": "torch.layout",
    "MemoryFormat": "torch.memory_format",
    "Device": "torch.device",
    "Generator": "torch.Generator",
}
"""Maps a schema type to a Python type. `complex` accepts every value of a Scalar (PEP 484's numeric tower)."""
_REDUCTIONS = {"Mean": "1", "Sum": "2"}
"""Values of at::Reduction (ATen/core/Reduction.h)."""
_LIST = re.compile(r"(?P<of>[A-Za-z]+\??)\[(?P<count>\d*)\]$")


class OperatorFunction(NamedTuple):
    """Function of the Python package, with the operators that it calls."""

    name: str
    signatures: tuple[Signature, ...]
    """Overloads that do not write to `out`; if there are none, the overloads that write to `out`."""
    out: Signature | None
    """Overload that writes to `out`, if exactly one overload does not write to `out`; else None."""
    doc: str

    @property
    def parameters(self) -> str:
        """Python parameters of the only overload in `signatures`; a parameter `out` is added if `out` is not None."""
        return parameters(self.signatures[0], self.out)

    @property
    def returns(self) -> str:
        return returns(self.signatures[0].returns)

    @property
    def given(self) -> str:
        """Arguments of the call of the operator."""
        return given(self.signatures[0])

    @property
    def out_given(self) -> str:
        """Arguments of the call of the overload that writes to `out`."""
        assert self.out
        outs = [a.name for a in self.out.arguments if a.written and a.keyword_only]
        written = "out" if len(outs) == 1 else "*out"
        values = given(self.signatures[0])
        if len(outs) == 1:
            return ", ".join(filter(None, (values, f"{outs[0]}={written}")))
        named = ", ".join(f"{name}=out[{number}]" for number, name in enumerate(outs))
        return ", ".join(filter(None, (values, named)))


def functions(ops: Sequence[Custom]) -> Iterator[OperatorFunction]:
    """Functions of the Python package: one for each operator name, if an entry with this name has `expose: true`."""
    by_name: dict[str, list[Custom]] = {}
    for op in ops:
        if op.expose:
            by_name.setdefault(op.signature.name, []).append(op)
    for name, listed in sorted(by_name.items()):
        outs = [op.signature for op in listed if writes_out(op.signature)]
        others = [op for op in listed if not writes_out(op.signature)]
        doc = next((op.doc for op in (*others, *listed) if op.doc), "")
        signatures = tuple(op.signature for op in others) or tuple(outs)
        yield OperatorFunction(
            name, signatures, outs[0] if outs and len(others) == 1 else None, doc
        )


def writes_out(signature: Signature) -> bool:
    """True if the operator writes its results to keyword-only arguments: `out`."""
    return any(a.written and a.keyword_only for a in signature.arguments)


def parameters(signature: Signature, out: Signature | None = None) -> str:
    """Parameters of a Python `def`, with types and defaults. With an overload `out`, a parameter `out` is added."""
    positional = [_parameter(a) for a in signature.arguments if not a.keyword_only]
    named = [_parameter(a) for a in signature.arguments if a.keyword_only]
    if out:
        count = sum(a.written and a.keyword_only for a in out.arguments)
        one = "torch.Tensor"
        kind = one if count == 1 else f"tuple[{', '.join([one] * count)}]"
        named.append(f"out: {kind} | None = None")
    return ", ".join([*positional, *(["*", *named] if named else [])])


def given(signature: Signature) -> str:
    """Arguments of a call that passes on every parameter of the enclosing function."""
    return ", ".join(
        f"{a.name}={a.name}" if a.keyword_only else a.name for a in signature.arguments
    )


def returns(listed: Sequence[Return]) -> str:
    """Python type of a call's result."""
    types = [_type(one.type) for one in listed]
    if len(types) == 1:
        return types[0]
    return f"tuple[{', '.join(types)}]" if types else "None"


def fake_results(op: Custom) -> str:
    """Python expression of the results of the fake kernel that is generated for an operator."""
    assert not isinstance(op.fake, PythonFunction)
    fresh = iter(op.fake or ())
    values = [one.alias or _fake(next(fresh)) for one in op.signature.returns]
    return values[0] if len(values) == 1 else f"({', '.join(values)})" if values else "None"


def _fake(fake: FakeResult) -> str:
    dtype = f", dtype=torch.{fake.dtype}" if fake.dtype else ""
    if fake.shape:
        return f"{fake.like}.new_empty({fake.shape}{dtype})"
    return f"torch.empty_like({fake.like}{dtype})"


def _parameter(argument: Argument) -> str:
    text = f"{argument.name}: {_type(argument.type)}"
    if argument.default is None:
        return text
    return f"{text} = {default(argument)}"


def default(argument: Argument) -> str:
    """Default value of an argument in Python."""
    text = argument.default or ""
    try:
        value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        # A name: an attribute of torch (`contiguous_format`), or a reduction, which is a number in Python.
        return _REDUCTIONS.get(text, f"torch.{text}")
    if isinstance(value, list):
        return repr(tuple(value))
    listed = _LIST.fullmatch(argument.type)
    if not listed or value is None:
        return repr(value)
    return repr((value,) * int(listed["count"] or 1))


def _type(text: str) -> str:
    if text.endswith("?"):
        return f"{_type(text[:-1])} | None"
    if found := _LIST.fullmatch(text):
        return f"Sequence[{_type(found['of'])}]"
    return _TYPES.get(text, "object")
