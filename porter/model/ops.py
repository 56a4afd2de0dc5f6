"""Operators, as data: the catalogue of a release, and what was decided about each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

KEYS = {
    "CUDA": "PrivateUse1",
    "SparseCUDA": "SparsePrivateUse1",
    "SparseCsrCUDA": "SparseCsrPrivateUse1",
    "QuantizedCUDA": "QuantizedPrivateUse1",
    "NestedTensorCUDA": "NestedTensorPrivateUse1",
}
"""Dispatch key of upstream's registrations -> the key on which the port registers (c10/core/DispatchKey.h)."""


class OpForm(NamedTuple):
    """One operator that PyTorch's dispatcher knows, and the C++ that registers it."""

    name: str
    """With its overload: `add.out`."""
    schema: str
    kind: str
    """`functional`, `inplace`, `out`, `mutable` or `scratch` (torchgen's SchemaKind)."""
    library: str
    """Namespace of the operator: `aten`."""
    header: str
    """Stem of its headers: `ATen/ops/<header>_native.h`."""
    definition: str
    """The wrapper around the kernel, in CUDA's names."""
    registration: str
    """The statement that registers the wrapper, in CUDA's names."""


class Op(NamedTuple):
    """An operator with a kernel for a CUDA key: one entry of native_functions.yaml and key."""

    key: str
    """A key of `KEYS`."""
    name: str
    kernel: str
    """Without namespaces: `abs_out`."""
    namespace: str
    """`at::native`."""
    structured: bool
    forms: tuple[OpForm, ...]
    """A structured kernel serves its functional, in-place and out= forms; any other kernel one."""

    @property
    def symbol(self) -> str:
        """The function that must be there: `at::native::structured_abs_out::impl`."""
        stem = f"structured_{self.kernel}::impl" if self.structured else self.kernel
        return f"{self.namespace}::{stem}"


class Ufunc(NamedTuple):
    """A kernel that torchgen writes itself, from a scalar function (`ufunc_inner_loop`)."""

    name: str
    """`add`: the function's header is `ATen/native/ufunc/add.h`."""
    header: str
    """Stem of the operator's headers."""
    text: str
    """Functors, kernel and its registration, in CUDA's names."""


class Catalogue(NamedTuple):
    """The operators of a release, as its own torchgen reads them."""

    ops: tuple[Op, ...]
    """By key, then in the order of native_functions.yaml."""
    helpers: Mapping[str, str]
    """Key -> functions that the wrappers of the key call, in CUDA's names."""
    ufuncs: tuple[Ufunc, ...]
    direct: Mapping[str, str]
    """Header stem -> inline functions that call the operators' kernels for the device, in CUDA's names."""


class KernelOrigin(StrEnum):
    """Where a kernel is."""

    SHARED = "shared"
    """libtorch_cpu has it, and needs its stubs filled."""
    OWN = "own"
    """The port compiles it."""


class Unregistered(StrEnum):
    """Why an operator is not registered."""

    EXCLUDED = "excluded"
    LIBRARY = "unsupported library"
    BY_HAND = "by hand"
    """The glue registers it."""
    NO_KERNEL = "no kernel"
    NO_STUB = "stub missing"


class DeviceQuery(NamedTuple):
    """A function of libtorch_cpu that asks for CUDA by name, and so takes another branch for the device."""

    function: str
    path: str
    """Upstream path of its file."""
    reason: str = ""
    """Why that is well, or what it comes to; empty where nobody has looked."""


class Decision(NamedTuple):
    """What becomes of one operator."""

    op: Op
    origin: KernelOrigin
    left: Unregistered | None = None
    """None: it is registered."""
    detail: str = ""
    """Why, in words; of a registered operator, what could not be told."""
    asks: tuple[DeviceQuery, ...] = ()
    """Of a registered operator: the functions that its kernel in libtorch_cpu reaches."""


class Tally(NamedTuple):
    """Figures of one key."""

    key: str
    ops: int
    shared: int
    own: int
    registered: int
    left: Mapping[str, int]
    """Reason -> operators."""


def tallies(decisions: tuple[Decision, ...]) -> tuple[Tally, ...]:
    """The figures of every key, in the order of `KEYS`."""
    rows = []
    for key in KEYS:
        of_key = [decision for decision in decisions if decision.op.key == key]
        origins = Counter(decision.origin for decision in of_key)
        left = Counter(str(decision.left) for decision in of_key if decision.left)
        rows.append(
            Tally(
                key,
                len(of_key),
                origins[KernelOrigin.SHARED],
                origins[KernelOrigin.OWN],
                len(of_key) - left.total(),
                dict(sorted(left.items())),
            )
        )
    return tuple(rows)


class Ready(NamedTuple):
    """What must be there before ported sources are compiled."""

    include: Path
    """Folder for the compiler's search path."""
    kernels: tuple[Path, ...]
    """Kernel sources, to be compiled with the port's own."""


class Registered(NamedTuple):
    """What the stage made."""

    sources: tuple[Path, ...]
    """To be compiled and linked."""
    decisions: tuple[Decision, ...]
    tallies: tuple[Tally, ...]
    report: Path
    """ops.json"""
