"""Schema of mappings/pytorch/releases.yaml, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from porter.mapping.schema import WORDING, Strict, Text

_RELEASE = r"^[0-9]{1,6}\.[0-9]{1,6}\.[0-9]{1,6}$"
_STANDARD = r"^[0-9]{2}$"
_CUDA = r"^[0-9]{1,6}\.[0-9]{1,6}$"
WORDING |= {
    _RELEASE: "a release of three numbers: '2.6.0'",
    _STANDARD: "two digits: '17'",
    _CUDA: "a version of CUDA: '12.4'",
}


class FactsEntry(Strict):
    """Facts of a release, read from the header tree of its wheel by build_scripts/release_facts."""

    wheel: Text = Field(description="file name of the wheel")
    cxx: Annotated[str, StringConstraints(pattern=_STANDARD)] = Field(
        description="C++ standard: the -std=c++N that torch/utils/cpp_extension.py names most often"
    )
    cuda: Annotated[str, StringConstraints(pattern=_CUDA)] = Field(
        description="CUDA that the wheel was built with: torch/version.py"
    )
    python: Text = Field(description="Requires-Python of the wheel's METADATA")
    schemas: Annotated[int, Field(ge=1)] = Field(
        description="operators that native_functions.yaml declares"
    )


class ProofEntry(Strict):
    """Stage that succeeded for a release, and the command that repeats the stage."""

    stage: Literal["port", "headers", "register", "compile", "backend", "wheel", "verify"]
    targets: list[Text] = Field(min_length=1)
    command: Text


class ReleaseEntry(Strict):
    """Newest known release of one minor version of PyTorch."""

    release: Annotated[str, StringConstraints(pattern=_RELEASE)]
    facts: FactsEntry
    proven: list[ProofEntry] = Field([])


class ReleasesFile(Strict):
    """All known releases, oldest first."""

    releases: list[ReleaseEntry] = Field(min_length=1)
