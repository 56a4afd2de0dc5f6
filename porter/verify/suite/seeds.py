"""Seeding without queued calls for missing devices."""

from __future__ import annotations

import torch


def without_lazy_seeds() -> None:
    """Make torch.manual_seed queue no calls for missing devices.

    For CUDA and XPU, torch.manual_seed queues calls with their stack as text. The checks seed thousands of samples, and
    these calls took half of the time.
    """
    for other in (torch.cuda, torch.xpu):
        if not other.is_available():
            setattr(other, "manual_seed_all", lambda seed: None)  # noqa: B010  (torch.xpu's is typed otherwise)
