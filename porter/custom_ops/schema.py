"""Schema of an `ops.yaml`, as pydantic models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from porter.mapping.schema import Strict, Text, Versioned


class FakeEntry(Strict):
    """Shape and dtype of a result, for the fake kernel."""

    like: Text = Field(description="name of the tensor argument that the result resembles")
    shape: str = Field("", description="sizes of the result, a Python list: `[x.size(0), 2]`")
    dtype: str = Field("", description="torch dtype: `int64`")


class PythonEntry(Strict):
    """Function in a Python file next to the ops.yaml."""

    python: Text = Field(description="`file.py:function`")


class PythonGradientEntry(Strict):
    """Backward pass in Python, for `torch.library.register_autograd`."""

    python: Text = Field(description="`file.py:function`, called with a context and gradients")
    setup: str = Field(
        "", description="`file.py:function` that saves tensors for the backward pass"
    )


class BackwardEntry(Strict):
    """Backward pass by an operator that computes gradients."""

    backward: Text = Field(description="a call of an operator: `scale_backward(grad, factor)`")
    gradients: list[Text] = Field(
        description="arguments whose gradients the operator returns, in the order of its results"
    )


class CustomEntry(Versioned):
    """New operator, not part of PyTorch."""

    text: Text = Field(
        alias="schema", description="operator schema in the syntax of native_functions.yaml"
    )
    kernel: Text | dict[Text, Text] = Field(
        description="qualified name of the C++ function, or one name for each dispatch key"
    )
    fake: FakeEntry | list[FakeEntry] | PythonEntry | None = None
    autograd: Literal["none"] | BackwardEntry | PythonGradientEntry | None = Field(
        None,
        description="backward pass; `none`: no gradients; without the key, a backward pass raises an error",
    )
    functional: str = Field(
        "",
        description="functional operator that computes the same on copies; `made` generates the operator",
    )
    forms: bool = Field(True, description="generate the variants with `out=` and in place")
    expose: bool = Field(True, description="generate a Python function with the operator's name")
    doc: str = ""


class OverrideEntry(Versioned):
    """Operator of PyTorch whose kernel is replaced."""

    op: Text = Field(description="name and overload of the operator: `add.out`")
    kernel: Text
    meta: Literal["upstream", "own"] | None = Field(
        None,
        description="function that computes the result's shape and dtype for a structured kernel: `upstream` is "
        "PyTorch's, `own` is the kernel's",
    )


class LeftOutEntry(Versioned):
    """Operator of PyTorch that is not registered for the device."""

    op: Text
    reason: Text


class OpsFile(Strict):
    """Content of an `ops.yaml`."""

    namespace: Text = Field(description="namespace of the new operators: `torch.ops.<namespace>`")
    binding: Literal["library", "pybind11"] = Field(
        "library",
        description="`library`: operators of PyTorch's dispatcher; `pybind11`: functions of a Python module",
    )
    custom: list[CustomEntry] = Field([])
    override: list[OverrideEntry] = Field([])
    exclude: list[LeftOutEntry] = Field([])
    fallback: list[LeftOutEntry] = Field([])
