"""PyTorch reported as built for CUDA, for programs that test the build and not the devices."""

from __future__ import annotations

import torch


def report() -> None:
    """Make `torch.backends.cuda.is_built()`, and its older name `torch.has_cuda`, true."""
    torch.backends.cuda.is_built = lambda: True
    functions = getattr(torch, "_deprecated_attrs", {})
    if "has_cuda" in functions:
        # Newer releases compute `torch.has_cuda` by the function that this table got when torch was imported.
        functions["has_cuda"] = torch.backends.cuda.is_built
    else:
        torch.has_cuda = True  # type: ignore[attr-defined,unused-ignore]
