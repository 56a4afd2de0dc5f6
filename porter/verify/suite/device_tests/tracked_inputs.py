"""Tests without the record of the sample that they compute."""

from __future__ import annotations

from torch.testing._internal import common_utils


def without_tracked_inputs() -> None:
    """Prevent PyTorch from recording, for each test of an operator, the sample that the test computes.

    PyTorch finds the running test by `inspect.stack`, which reads the sources of all callers: a fifth of the time of
    short tests. The record only appears in messages that `PYTORCH_PRINT_REPRO_ON_FAILURE=0` switches off. Some releases
    record nothing.
    """
    if hasattr(common_utils, "extract_test_fn"):
        setattr(common_utils, "extract_test_fn", lambda: None)  # noqa: B010  (its type is another)
