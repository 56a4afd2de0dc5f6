"""Custom operators (`ops.yaml`) as data: new operators, and kernels that replace PyTorch's kernels."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from porter.model.ops import OpForm

DEVICE = "PrivateUse1"
"""Default dispatch key of a kernel."""


class Argument(NamedTuple):
    """One argument of an operator."""

    name: str
    type: str
    """Type in the schema: `Tensor`, `Tensor?`, `Tensor[]`, `SymInt`, `float[2]` ..."""
    cpp: str
    """C++ type in the dispatcher: `const at::Tensor &`."""
    plain_cpp: str
    """C++ type in kernels, where sizes are plain numbers: `int64_t` instead of the dispatcher's `c10::SymInt`."""
    default: str | None = None
    """Default value, as text of the schema; None when the caller must give the argument."""
    written: bool = False
    """True when the operator changes the argument: `Tensor(a!)`."""
    keyword_only: bool = False
    aliased: bool = False
    """True when a result is the argument itself or a view of the argument: `Tensor(a)`."""


class Return(NamedTuple):
    """One result of an operator."""

    type: str
    name: str = ""
    alias: str = ""
    """Name of the argument that the schema marks as this result (`a!` in both); empty for a new value."""


class Signature(NamedTuple):
    """Schema of an operator, as the release's torchgen parses it."""

    text: str
    """Schema in torchgen's spelling."""
    name: str
    """Name without overload: `scale_`."""
    overload: str
    arguments: tuple[Argument, ...]
    returns: tuple[Return, ...]
    cpp: str
    """C++ return type in the dispatcher."""
    plain_cpp: str
    """C++ return type of kernels."""

    @property
    def full_name(self) -> str:
        """Name with overload, if there is one: `scale_`, `sum.dim`."""
        return f"{self.name}.{self.overload}" if self.overload else self.name

    @property
    def written(self) -> tuple[Argument, ...]:
        """Arguments that the operator changes."""
        return tuple(argument for argument in self.arguments if argument.written)


class PythonFunction(NamedTuple):
    """Python function in a file of the user."""

    file: Path
    name: str


class NoGradient(StrEnum):
    """Behaviour in autograd of an operator without a backward pass."""

    NONE = "none"
    """The results have no gradient: they do not depend differentiably on the arguments."""
    UNSAID = "unsaid"
    """The entry in `ops.yaml` declares no gradient: a backward pass through the operator is an error."""


class PythonGradient(NamedTuple):
    """Arguments of `torch.library.register_autograd`."""

    backward: PythonFunction
    setup: PythonFunction | None
    """Function that saves values for the backward pass (`setup_context`)."""


class FakeResult(NamedTuple):
    """Size, dtype and device of one result, known without computing the result."""

    like: str
    """Tensor argument from which the result takes size, dtype and device, unless `shape` or `dtype` is given."""
    shape: str = ""
    """Python list of sizes, computed from the arguments: `[x.size(0), y.size(1)]`; empty: the size of `like`."""
    dtype: str = ""
    """Name of the dtype in `torch`: `int64`; empty: the dtype of `like`."""


class Backward(NamedTuple):
    """Call of an operator that computes the gradients."""

    call: str
    """Name of the operator."""
    arguments: tuple[str, ...]
    """Arguments of the call: gradients of the forward results (`grad`, `grad1` ...), forward arguments by name, and
    forward results (`result`, `result1` ...)."""
    gradients: tuple[str, ...]
    """Names of the forward arguments whose gradients the operator returns, in order."""


class VariantKind(StrEnum):
    """Method by which porter derives a variant of an operator from the variant that the user wrote."""

    OUT = "out"
    """Run the user's variant and copy its results to `out`."""
    IN_PLACE = "in place"
    """Run the user's variant and copy its result to the argument from which the result was computed."""
    FUNCTIONAL = "functional"
    """Run the user's in-place variant on copies of the arguments."""


class Custom(NamedTuple):
    """New operator, not part of PyTorch."""

    signature: Signature
    kernels: Mapping[str, str]
    """Maps a dispatch key to the name of a C++ function, with namespaces."""
    fake: tuple[FakeResult, ...] | PythonFunction | None
    """Fake kernel: one description for each result, or a Python function. None when the operator has no results or
    returns only arguments."""
    autograd: Backward | PythonGradient | NoGradient
    functional: str
    """Name of the operator that returns a changed copy instead of changing an argument; empty if there is none."""
    expose: bool
    """True when the generated Python package has a function with the operator's name."""
    doc: str
    place: str
    """`file:line` of the entry in `ops.yaml`."""
    forms: bool = True
    """True when `out=` and in-place variants are generated from the operator."""
    made: VariantKind | None = None
    """Kind of a generated variant; None: the user wrote the operator."""
    made_of: str = ""
    """Name of the operator from which a variant is generated."""


class MetaSource(StrEnum):
    """Author of a structured operator's meta function: PyTorch or the user."""

    UPSTREAM = "upstream"
    OWN = "own"


class Wrapped(NamedTuple):
    """Replacement kernel with the wrappers that torchgen generates; all text uses CUDA's names."""

    declaration: str
    """Declaration of the function, or of the struct of a structured kernel, without namespace."""
    defined: str
    """Head of the function's definition, with namespace."""
    functions: tuple[str, ...]
    """Member functions of the struct that must be defined: `impl`, `meta`; empty for a plain function."""
    forms: tuple[OpForm, ...]
    """Operators that call the kernel."""


class OverloadForms(NamedTuple):
    """Properties of a PyTorch operator that an entry in `ops.yaml` names, and names of its variants."""

    others: tuple[str, ...] = ()
    """Names of variants (functional, in-place, `out=`) that keep their kernels."""
    composed: bool = False
    """True when PyTorch implements the operator, and its gradient, by calls of other operators
    (CompositeImplicitAutograd)."""
    view: bool = False
    """True when the result is a view, or the operator turns its tensor into another view."""
    generator: bool = False
    """True when the operator takes a random number generator."""


class Override(NamedTuple):
    """Operator of PyTorch with a replacement kernel."""

    op: str
    """Name with overload: `add.out`."""
    kernel: str
    """Name of the C++ function, with namespaces; for a structured kernel, of its struct without `structured_`."""
    meta: MetaSource | None
    """Author of the meta function; None if the kernel is not structured."""
    place: str
    """`file:line` of the entry in `ops.yaml`."""
    family: OverloadForms = OverloadForms()
    wrapped: Wrapped | None = None
    """Kernel with torchgen's wrappers; None before torchgen has run."""

    @property
    def serves(self) -> tuple[str, ...]:
        """Names of the operators that call the kernel; before torchgen has run, only `op`."""
        return tuple(form.name for form in self.wrapped.forms) if self.wrapped else (self.op,)


class ExcludedOp(NamedTuple):
    """Operator of PyTorch that gets no kernel for the device."""

    op: str
    reason: str
    place: str
    """`file:line` of the entry in `ops.yaml`."""
    family: OverloadForms = OverloadForms()

    @property
    def serves(self) -> tuple[str, ...]:
        """Tuple of the single item `op`: the entry concerns no further operators."""
        return (self.op,)


class Binding(StrEnum):
    """Method by which Python calls the kernels."""

    LIBRARY = "library"
    """Operators of PyTorch's dispatcher (TORCH_LIBRARY), which support autograd and `torch.compile`."""
    PYBIND11 = "pybind11"
    """Functions of a pybind11 module, which support eager calls only."""


class OwnOps(NamedTuple):
    """Content of an `ops.yaml`."""

    namespace: str
    """`torch.ops.<namespace>`."""
    custom: tuple[Custom, ...] = ()
    override: tuple[Override, ...] = ()
    exclude: tuple[ExcludedOp, ...] = ()
    """Operators that raise NotImplementedError on the device."""
    fallback: tuple[ExcludedOp, ...] = ()
    """Operators that run on the CPU."""
    binding: Binding = Binding.LIBRARY
    helpers: str = ""
    """C++ functions that the wrappers of `override` call, in CUDA's names."""

    @property
    def about_upstream(self) -> tuple[Override | ExcludedOp, ...]:
        """All entries about operators of PyTorch: `override`, `exclude` and `fallback`."""
        return (*self.override, *self.exclude, *self.fallback)


class BuiltOps(NamedTuple):
    """Custom operators and the Python package into which they were built."""

    ops: OwnOps
    package: Path
    """Folder of the Python package; the package is importable when the parent folder is on `sys.path`."""
    device: str
    """PyTorch's name of the target's device."""
    made: int
    """Number of objects and libraries built by this run."""
    notes: tuple[str, ...] = ()
    """Notes for the user about unexpected effects of entries in `ops.yaml`."""
