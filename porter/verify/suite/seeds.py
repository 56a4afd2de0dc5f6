"""Faster torch.manual_seed: it queues no calls for devices that are missing."""

from __future__ import annotations

import torch


def without_lazy_seeds() -> None:
    """Prevent torch.manual_seed from queuing calls for CUDA and XPU, if these devices are missing.

    torch.manual_seed stores such a call together with the text of its call stack. The checks seed thousands of
    samples, and storing these calls took half of the time.
    """
    for other in (torch.cuda, torch.xpu):
        if not other.is_available():
            setattr(other, "manual_seed_all", lambda seed: None)  # noqa: B010  (torch.xpu's is typed otherwise)
