"""Manual decisions about registrations: mappings/pytorch/registration.yaml.

The file states facts that torchgen, symbols and sources do not show: kernels that must not be registered, kernels
that call a vendor's library, dispatch stubs that a kernel calls without naming them, and the effect of functions
that test for a CUDA device.
"""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from porter.base.fingerprint import Answer
from porter.mapping import checked_file

REGISTRATION = Answer("registration", ("base", "cpp", "mapping", "model", "regex", "rewrite"))

FILE = "registration.yaml"
"""Name of the file in the mapping folder `pytorch`."""


class Excluded(NamedTuple):
    """Kernels that are not registered, with the reason."""

    kernel: str
    """Glob of the kernel's name."""
    reason: str


class KernelLibrary(NamedTuple):
    """Kernels that call a vendor library which a target may lack."""

    kernel: str
    """Glob of the kernel's name."""
    library: str
    """Name of the library in the profile: `dnn`."""


class Stubs(NamedTuple):
    """Dispatch stubs that a kernel calls indirectly: the kernel's source text does not name them."""

    kernel: str
    stubs: tuple[str, ...]
    reason: str


class KernelPlacement(NamedTuple):
    """Library that contains a kernel, stated by hand. The entry has precedence over the symbols of libtorch_cpu."""

    kernel: str
    """Glob of the kernel's name."""
    origin: str
    """`shared`: libtorch_cpu contains the kernel; `own`: the backend's own libraries contain the kernel."""
    reason: str


class ReviewedQuery(NamedTuple):
    """Function of libtorch_cpu that tests for a CUDA device, with the result of a review."""

    function: str
    """Glob of the function's name."""
    reason: str
    """Effect of the test on the device, or the reason why the test is harmless."""


class RegistrationRules(NamedTuple):
    """Content of registration.yaml. If several entries match a kernel, the first entry applies."""

    exclude: tuple[Excluded, ...] = ()
    libraries: tuple[KernelLibrary, ...] = ()
    stubs: tuple[Stubs, ...] = ()
    placed: tuple[KernelPlacement, ...] = ()
    asks: tuple[ReviewedQuery, ...] = ()

    def excluded(self, kernel: str) -> str | None:
        """Reason to leave a kernel unregistered; None if the kernel may be registered."""
        return next((e.reason for e in self.exclude if fnmatchcase(kernel, e.kernel)), None)

    def library_of(self, kernel: str) -> str | None:
        """Name of the vendor library that a kernel calls, such as `dnn`; None if no entry states a library."""
        return next((e.library for e in self.libraries if fnmatchcase(kernel, e.kernel)), None)

    def stubs_of(self, kernel: str) -> frozenset[str] | None:
        """Dispatch stubs that an entry states for a kernel. None without an entry: the kernel's source names them."""
        return next((frozenset(e.stubs) for e in self.stubs if e.kernel == kernel), None)

    def origin_of(self, kernel: str) -> str | None:
        """Library that contains a kernel: `shared` or `own`. None without an entry: libtorch_cpu's symbols decide."""
        return next((e.origin for e in self.placed if fnmatchcase(kernel, e.kernel)), None)

    def review_of(self, function: str) -> str:
        """Reason that an entry states for a function of libtorch_cpu that tests for CUDA; empty without an entry."""
        return next((e.reason for e in self.asks if fnmatchcase(function, e.function)), "")


def read(path: Path) -> RegistrationRules:
    """Read the registration rules in a file. Raises MappingError with every error in the file."""
    return checked_file.read(path, REGISTRATION, RegistrationRules, _checked)


def _checked(path: Path) -> RegistrationRules:
    # Imported late: loading this module and pydantic takes longer than a whole run without changes.
    from porter.mapping.registration_schema import RegistrationFile

    data, _ = checked_file.validated(path, RegistrationFile, "the registration rules")
    return RegistrationRules(
        tuple(Excluded(**entry) for entry in data["exclude"]),
        tuple(KernelLibrary(**entry) for entry in data["libraries"]),
        tuple(Stubs(e["kernel"], tuple(e["stubs"]), e["reason"]) for e in data["stubs"]),
        tuple(KernelPlacement(**entry) for entry in data["placed"]),
        tuple(ReviewedQuery(**entry) for entry in data["asks"]),
    )
