"""Schema of mappings/pytorch/registration.yaml, as pydantic models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from porter.mapping.schema import Strict, Text


class ExcludedEntry(Strict):
    """Kernels that are not registered."""

    kernel: Text = Field(description="glob of the kernel's name in native_functions.yaml")
    reason: Text


class KernelLibraryEntry(Strict):
    """Kernels that call a vendor library."""

    kernel: Text = Field(description="glob of the kernel's name")
    library: Text = Field(
        description="name of the library in a profile's `libraries`; if it is unsupported, the kernel is not registered"
    )


class StubsEntry(Strict):
    """Dispatch stubs that a kernel calls indirectly, so that its source text does not name them."""

    kernel: Text
    stubs: list[Text]
    reason: Text


class PlacedEntry(Strict):
    """Library that contains a kernel. The entry has precedence over the symbols of libtorch_cpu."""

    kernel: Text = Field(description="glob of the kernel's name")
    origin: Literal["shared", "own"]
    reason: Text


class AsksEntry(Strict):
    """Function of libtorch_cpu that tests for a CUDA device."""

    function: Text = Field(
        description="glob of the function's name; `structured_x::impl` for TORCH_IMPL_FUNC(x)"
    )
    reason: Text = Field(
        description="effect of the test on the device, or the reason why the test is harmless"
    )


class RegistrationFile(Strict):
    """Facts about registrations that torchgen, symbols and sources do not show."""

    exclude: list[ExcludedEntry] = Field([])
    libraries: list[KernelLibraryEntry] = Field([])
    stubs: list[StubsEntry] = Field([])
    placed: list[PlacedEntry] = Field([])
    asks: list[AsksEntry] = Field([])
