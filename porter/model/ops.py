"""Operators as data: the catalogue of a release, and the registration decision for each operator."""

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
"""Maps a dispatch key of upstream's registrations to the port's key (c10/core/DispatchKey.h)."""


class OpForm(NamedTuple):
    """Operator of PyTorch's dispatcher, with the C++ text of its registration."""

    name: str
    """Name with overload: `add.out`."""
    schema: str
    kind: str
    """`functional`, `inplace`, `out`, `mutable` or `scratch` (torchgen's SchemaKind)."""
    library: str
    """Namespace of the operator: `aten`."""
    header: str
    """Common part of the names of the operator's headers: `ATen/ops/<header>_native.h`."""
    definition: str
    """Definition of the wrapper around the kernel, in CUDA's names."""
    registration: str
    """Statement that registers the wrapper, in CUDA's names."""


class Op(NamedTuple):
    """Entry of native_functions.yaml with a kernel for one of CUDA's dispatch keys."""

    key: str
    """A key of `KEYS`."""
    name: str
    kernel: str
    """Name of the kernel without namespaces: `abs_out`."""
    namespace: str
    """Namespace of the kernel: `at::native`."""
    structured: bool
    forms: tuple[OpForm, ...]
    """Operators that call the kernel: functional, in-place and out= forms for a structured kernel, else one form."""

    @property
    def symbol(self) -> str:
        """Qualified name of the kernel's C++ function: `at::native::structured_abs_out::impl`."""
        stem = f"structured_{self.kernel}::impl" if self.structured else self.kernel
        return f"{self.namespace}::{stem}"


class Ufunc(NamedTuple):
    """Kernel that torchgen generates from a scalar function (`ufunc_inner_loop`)."""

    name: str
    """Name of the scalar function; the header of `add` is `ATen/native/ufunc/add.h`."""
    header: str
    """Common part of the names of the operator's headers: `ATen/ops/<header>_native.h`."""
    text: str
    """C++ of the functors, the kernel and the kernel's registration, in CUDA's names."""


class DeclaredKernel(NamedTuple):
    """CUDA kernel of an operator."""

    key: str
    """A key of `KEYS`."""
    kernel: str
    """Name of the kernel without namespaces: `abs_out`."""
    declaration: str
    """C++ declaration of the kernel, as torchgen writes it."""


class DeclaredOperator(NamedTuple):
    """Operator of native_functions.yaml with its C++ declarations."""

    name: str
    """Name with overload: `add.out`."""
    schema: str
    declaration: str
    """C++ declaration of a function that can be registered for the operator."""
    structured: bool
    kernels: tuple[DeclaredKernel, ...]


class Catalogue(NamedTuple):
    """Operators of a release, as the release's own torchgen reads them."""

    ops: tuple[Op, ...]
    """Operators sorted by dispatch key, then in the order of native_functions.yaml."""
    helpers: Mapping[str, str]
    """Maps a dispatch key to the C++ functions that the wrappers for this key call, in CUDA's names."""
    ufuncs: tuple[Ufunc, ...]
    direct: Mapping[str, str]
    """Maps the stem of a header (`eq` for `eq_cuda_dispatch.h`) to inline C++ functions, in CUDA's names.

    Each function calls the device's kernel of an operator directly.
    """
    keys: tuple[str, ...] = tuple(KEYS.values())
    """Dispatch keys for PrivateUse1 that the release has. PyTorch before 2.3 has no SparseCsrPrivateUse1."""


class KernelOrigin(StrEnum):
    """Library that provides a kernel."""

    SHARED = "shared"
    """libtorch_cpu contains the kernel. The port must set the DispatchStubs that the kernel calls."""
    OWN = "own"
    """The port compiles the kernel."""


class Unregistered(StrEnum):
    """Reason why an operator is not registered."""

    EXCLUDED = "excluded"
    LIBRARY = "unsupported library"
    BY_HAND = "by hand"
    """The backend's handwritten sources register the operator."""
    NO_KERNEL = "no kernel"
    NO_STUB = "stub missing"
    NO_KEY = "no dispatch key"
    """The release has no counterpart of the dispatch key for PrivateUse1."""


class DeviceQuery(NamedTuple):
    """Function of libtorch_cpu that compares the device type with CUDA, and treats other devices differently."""

    function: str
    path: str
    """Upstream path of the function's file."""
    reason: str = ""
    """Explanation of the effect on the device; empty when the function has not been reviewed."""


class Decision(NamedTuple):
    """Registration decision for one operator."""

    op: Op
    origin: KernelOrigin
    left: Unregistered | None = None
    """Reason why the operator is not registered; None for a registered operator."""
    detail: str = ""
    """Explanation of `left`; for a registered operator, facts that could not be determined."""
    asks: tuple[DeviceQuery, ...] = ()
    """Device queries that the kernel calls, directly or indirectly. Only for a registered operator whose kernel is in
    libtorch_cpu."""
    files: tuple[str, ...] = ()
    """Upstream paths of the device code: the file of the kernel, or the files of the stubs that it calls."""


class Tally(NamedTuple):
    """Numbers of operators for one dispatch key."""

    key: str
    ops: int
    shared: int
    own: int
    registered: int
    left: Mapping[str, int]
    """Maps a reason to the number of operators that are not registered for this reason."""


def tallies(decisions: tuple[Decision, ...]) -> tuple[Tally, ...]:
    """Tally of each dispatch key, in the order of `KEYS`."""
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
    """Generated files that are needed to compile the ported sources."""

    include: Path
    """Folder of generated headers, for the compiler's search path."""
    kernels: tuple[Path, ...]
    """Generated kernel sources, compiled together with the ported sources."""


class Registered(NamedTuple):
    """Registration sources that the register stage generated, and its decisions."""

    sources: tuple[Path, ...]
    """Generated sources with the registrations."""
    decisions: tuple[Decision, ...]
    tallies: tuple[Tally, ...]
    report: Path
    """Path of `ops.json`."""
