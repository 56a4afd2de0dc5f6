"""Schema of a target's verify.yaml, as pydantic models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from porter.mapping.schema import Strict, Text

CheckName = Literal["forward", "out", "in-place", "backward", "non-contiguous", "empty", "errors"]


class KnownEntry(Strict):
    """Operators that are expected to fail."""

    ops: list[Text] = Field(min_length=1, description="globs of names in PyTorch's database")
    dtypes: list[Text] = Field(default=["*"], description="globs: `float16`, `complex*`")
    checks: list[CheckName] = Field(
        default=["forward", "out", "in-place", "backward", "non-contiguous", "empty"],
        description="all but `errors`, by default",
    )
    why: Literal["tolerance", "library", "gate", "upstream", "database", "bug"] = Field(
        description="tolerance: right, and rounded otherwise; library: the target lacks it; gate: libtorch "
        "asks for CUDA by name; upstream: wrong on CUDA, too; database: the sample is not for devices; "
        "bug: ours"
    )
    reason: Text


class KnownTestsEntry(Strict):
    """PyTorch tests that are expected to fail."""

    tests: list[Text] = Field(
        min_length=1, description="globs of `file::class::test`: `test_nn.py::TestNN*::test_cudnn*`"
    )
    why: Literal["tolerance", "library", "gate", "upstream", "test", "bug"] = Field(
        description="as of operators; upstream: wrong on CUDA, too, or with what is installed beside PyTorch; "
        "test: it is written for CUDA or the CPU by name"
    )
    reason: Text


class VerifyFile(Strict):
    """`verify.yaml` of a target."""

    known: list[KnownEntry] = Field(default=[], description="operators")
    tests: list[KnownTestsEntry] = Field(
        default=[], description="PyTorch's own tests, of `porter device-tests`"
    )
