"""Schema of a target's verify.yaml, as pydantic models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from porter.mapping.schema import Strict, Text

CheckName = Literal["forward", "out", "in-place", "backward", "non-contiguous", "empty", "errors"]


class KnownEntry(Strict):
    """Operators that are expected to fail."""

    ops: list[Text] = Field(
        min_length=1, description="globs of names in PyTorch's operator database (OpInfo)"
    )
    dtypes: list[Text] = Field(default=["*"], description="globs of dtypes: `float16`, `complex*`")
    checks: list[CheckName] = Field(
        default=["forward", "out", "in-place", "backward", "non-contiguous", "empty"],
        description="checks that fail; by default all except `errors`",
    )
    why: Literal["tolerance", "library", "gate", "upstream", "database", "bug"] = Field(
        description="cause. tolerance: correct apart from rounding; library: the target lacks a library; gate: "
        "libtorch compares the device type with CUDA; upstream: fails on CUDA as well; database: the sample does not "
        "suit devices; bug: an error of the port"
    )
    reason: Text


class KnownTestsEntry(Strict):
    """PyTorch tests that are expected to fail."""

    tests: list[Text] = Field(
        min_length=1, description="globs of `file::class::test`: `test_nn.py::TestNN*::test_cudnn*`"
    )
    why: Literal["tolerance", "library", "gate", "upstream", "test", "bug"] = Field(
        description="cause, as for operators. upstream: fails on CUDA as well, or with the installed packages; "
        "test: the test is written for CUDA or the CPU only"
    )
    reason: Text


class VerifyFile(Strict):
    """Content of a target's verify.yaml: expected failures."""

    known: list[KnownEntry] = Field(default=[], description="operators of `porter verify`")
    tests: list[KnownTestsEntry] = Field(
        default=[], description="PyTorch's own tests, run by `porter device-tests`"
    )
