"""Operators of one's own, as data: what an `ops.yaml` says."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from porter.model.ops import OpForm

DEVICE = "PrivateUse1"
"""The dispatch key of a kernel where an entry names none."""


class Argument(NamedTuple):
    """One argument of an operator."""

    name: str
    type: str
    """As the schema has it: `Tensor`, `Tensor?`, `Tensor[]`, `SymInt`, `float[2]` ..."""
    cpp: str
    """As the dispatcher has it: `const at::Tensor &`."""
    plain_cpp: str
    """As kernels have it, to which sizes are numbers: `int64_t` where the dispatcher has `c10::SymInt`."""
    default: str | None = None
    """As the schema has it; None: there must be one."""
    written: bool = False
    """Whether the operator changes it: `Tensor(a!)`."""
    keyword_only: bool = False
    aliased: bool = False
    """Whether a result is it, or a view of it: `Tensor(a)`."""


class Return(NamedTuple):
    """One result of an operator."""

    type: str
    name: str = ""
    alias: str = ""
    """The argument that it is, where the schema says so."""


class Signature(NamedTuple):
    """A schema, as the release's torchgen reads it."""

    text: str
    """In torchgen's spelling."""
    name: str
    """Without its overload: `scale_`."""
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    cpp: str
    """What the dispatcher returns."""
    plain_cpp: str
    """What kernels return."""

    @property
    def full_name(self) -> str:
        """`scale_`, or `sum.dim` with an overload."""
        return f"{self.name}.{self.overload}" if self.overload else self.name

    @property
    def written(self) -> tuple[Argument, ...]:
        """The arguments that it changes."""
        return tuple(argument for argument in self.arguments if argument.written)


class PythonFunction(NamedTuple):
    """A function in a file of the user's."""

    file: Path
    name: str


class NoGradient(StrEnum):
    """What autograd is told of an operator that has no backward pass."""

    NONE = "none"
    """Its results do not depend on its arguments, as far as gradients go."""
    UNSAID = "unsaid"
    """A backward pass through it is an error."""


class PythonGradient(NamedTuple):
    """What `torch.library.register_autograd` takes."""

    backward: PythonFunction
    setup: PythonFunction | None
    """Keeps what the backward pass needs (`setup_context`)."""


class FakeResult(NamedTuple):
    """What one result looks like, without computing it."""

    like: str
    """The tensor argument whose size, dtype and device it has, as far as nothing else is said."""
    shape: str = ""
    """A list of sizes as Python writes it, of the arguments: `[x.size(0), y.size(1)]`; empty: as `like` has it."""
    dtype: str = ""
    """As `torch` calls it, `int64`; empty: as `like` has it."""


class Backward(NamedTuple):
    """An operator that computes gradients."""

    call: str
    """The operator's name."""
    arguments: tuple[str, ...]
    """Of the operator's call: `grad` (of the first result; `grad1` of the second), arguments, `result`, `result1`."""
    gradients: tuple[str, ...]
    """The arguments that its results are the gradients of, in order."""


class VariantKind(StrEnum):
    """How a form of an operator follows from another that is written."""

    OUT = "out"
    """The other's results are copied to `out`."""
    IN_PLACE = "in place"
    """The other's result is copied to the argument that it came from."""
    FUNCTIONAL = "functional"
    """The other works on copies."""


class Custom(NamedTuple):
    """An operator that PyTorch does not have."""

    signature: Signature
    kernels: Mapping[str, str]
    """Dispatch key -> C++ function, with its namespaces."""
    fake: tuple[FakeResult, ...] | PythonFunction | None
    """One for each result; None where nothing needs to be said: the results are arguments, or there are none."""
    autograd: Backward | PythonGradient | NoGradient
    functional: str
    """The operator that does the same to a copy; empty where there is none."""
    expose: bool
    """Whether Python has a function of its name."""
    doc: str
    place: str
    """file:line"""
    forms: bool = True
    """Whether forms with `out=` and in place are made of it."""
    made: VariantKind | None = None
    """None: it is written."""
    made_of: str = ""


class MetaSource(StrEnum):
    """Who says what the result of a structured operator looks like."""

    UPSTREAM = "upstream"
    OWN = "own"


class Wrapped(NamedTuple):
    """A kernel in the place of PyTorch's, as torchgen wraps it; in CUDA's names."""

    declaration: str
    """Of the function, or of the struct of a structured kernel, without its namespace."""
    defined: str
    """A function as a source has it, with its namespace."""
    functions: tuple[str, ...]
    """What of the struct must be defined: `impl`, `meta`; nothing where it is a function."""
    forms: tuple[OpForm, ...]
    """The operators that it serves."""


class OverloadForms(NamedTuple):
    """An operator among others."""

    others: tuple[str, ...] = ()
    """Its other forms, which stay as they are."""
    composed: bool = False
    """Whether PyTorch composes it of others, whose gradients are all that it has (CompositeImplicitAutograd)."""
    view: bool = False
    """Whether its result is a view, or its tensor becomes another view."""
    generator: bool = False
    """Whether it takes a generator."""


class Override(NamedTuple):
    """An operator of PyTorch's whose kernel is replaced."""

    op: str
    """With its overload: `add.out`."""
    kernel: str
    """C++ function, or struct of a structured kernel without `structured_`, with its namespaces."""
    meta: MetaSource | None
    """None: the kernel is not structured."""
    place: str
    family: OverloadForms = OverloadForms()
    wrapped: Wrapped | None = None
    """None as long as torchgen was not asked."""

    @property
    def serves(self) -> tuple[str, ...]:
        """The operators that the kernel is the kernel of, as far as is known."""
        return tuple(form.name for form in self.wrapped.forms) if self.wrapped else (self.op,)


class ExcludedOp(NamedTuple):
    """An operator of PyTorch's that has no kernel for the device."""

    op: str
    reason: str
    place: str
    family: OverloadForms = OverloadForms()

    @property
    def serves(self) -> tuple[str, ...]:
        """The operator alone."""
        return (self.op,)


class Binding(StrEnum):
    """How Python comes to kernels."""

    LIBRARY = "library"
    """As operators of PyTorch's dispatcher (TORCH_LIBRARY): with gradients and in graphs."""
    PYBIND11 = "pybind11"
    """As functions of a module: eager calls, and nothing else."""


class OwnOps(NamedTuple):
    """All of an `ops.yaml`."""

    namespace: str
    """`torch.ops.<namespace>`."""
    custom: tuple[Custom, ...] = ()
    override: tuple[Override, ...] = ()
    exclude: tuple[ExcludedOp, ...] = ()
    """Raise NotImplementedError on the device."""
    fallback: tuple[ExcludedOp, ...] = ()
    """Run on the CPU."""
    binding: Binding = Binding.LIBRARY
    helpers: str = ""
    """C++ that the wrappers of `override` call, in CUDA's names."""

    @property
    def about_upstream(self) -> tuple[Override | ExcludedOp, ...]:
        """All entries about operators that PyTorch has."""
        return (*self.override, *self.exclude, *self.fallback)


class BuiltOps(NamedTuple):
    """What a build came to."""

    ops: OwnOps
    package: Path
    """The Python package, in the project; the folder it lies in, on `sys.path`, makes it importable."""
    device: str
    """PyTorch's name of the target's device."""
    made: int
    """Objects and libraries that this run made."""
    notes: tuple[str, ...] = ()
    """What the user may not expect of what the entries ask for."""
