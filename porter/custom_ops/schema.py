"""Schema of an `ops.yaml`, as pydantic models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from porter.mapping.schema import Strict, Text, Versioned


class FakeEntry(Strict):
    """Shape and dtype of a result, for the fake kernel."""

    like: Text = Field(description="the tensor argument that it is like")
    shape: str = Field("", description="its sizes, as Python writes them: `[x.size(0), 2]`")
    dtype: str = Field("", description="as torch calls it: `int64`")


class PythonEntry(Strict):
    """A function in a Python file next to the ops.yaml."""

    python: Text = Field(description="`file.py:function`")


class PythonGradientEntry(Strict):
    """A backward pass in Python, as `torch.library.register_autograd` takes it."""

    python: Text = Field(description="`file.py:function`, called with a context and gradients")
    setup: str = Field("", description="`file.py:function` that keeps what it needs")


class BackwardEntry(Strict):
    """An operator that computes gradients."""

    backward: Text = Field(description="a call of an operator: `scale_backward(grad, factor)`")
    gradients: list[Text] = Field(description="the arguments that its results are gradients of")


class CustomEntry(Versioned):
    """New operator, not part of PyTorch."""

    text: Text = Field(alias="schema", description="as native_functions.yaml has them")
    kernel: Text | dict[Text, Text] = Field(
        description="C++ function with its namespaces; by dispatch key where there are several"
    )
    fake: FakeEntry | list[FakeEntry] | PythonEntry | None = None
    autograd: Literal["none"] | BackwardEntry | PythonGradientEntry | None = Field(
        None, description="`none`: no gradients; nothing: a backward pass is an error"
    )
    functional: str = Field(
        "", description="the operator that does the same to a copy, or `made`: it is made"
    )
    forms: bool = Field(True, description="whether forms with `out=` and in place are made of it")
    expose: bool = Field(True, description="whether Python has a function of its name")
    doc: str = ""


class OverrideEntry(Versioned):
    """Operator of PyTorch whose kernel is replaced."""

    op: Text = Field(description="name and overload: `add.out`")
    kernel: Text
    meta: Literal["upstream", "own"] | None = Field(
        None, description="of a structured kernel: whose computation of the result's looks"
    )


class LeftOutEntry(Versioned):
    """Operator of PyTorch that is not registered for the device."""

    op: Text
    reason: Text


class OpsFile(Strict):
    """Content of an `ops.yaml`."""

    namespace: Text = Field(description="of the new operators: `torch.ops.<namespace>`")
    binding: Literal["library", "pybind11"] = Field(
        "library", description="as operators of PyTorch's dispatcher, or as plain functions"
    )
    custom: list[CustomEntry] = Field([])
    override: list[OverrideEntry] = Field([])
    exclude: list[LeftOutEntry] = Field([])
    fallback: list[LeftOutEntry] = Field([])
