"""Seeding of random generators without the calls that torch.manual_seed queues for missing devices."""

from __future__ import annotations

import torch


def without_lazy_seeds() -> None:
    """Make torch.manual_seed queue no calls for CUDA and XPU devices, which are missing.

    torch.manual_seed stores such a call together with its call stack as text. The checks seed thousands of samples, and
    storing these calls took half of the time.
    """
    for other in (torch.cuda, torch.xpu):
        if not other.is_available():
            setattr(other, "manual_seed_all", lambda seed: None)  # noqa: B010  (torch.xpu's is typed otherwise)
