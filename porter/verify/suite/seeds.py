"""Seeding, without what it costs where devices are missing."""

from __future__ import annotations

import torch


def without_lazy_seeds() -> None:
    """Seeding does not queue a call, with its stack as text, for each device that is not there.

    torch.manual_seed does, for CUDA and for XPU; samples are seeded by the thousand, and it was half of all time.
    """
    for other in (torch.cuda, torch.xpu):
        if not other.is_available():
            setattr(other, "manual_seed_all", lambda seed: None)  # noqa: B010  (torch.xpu's is typed otherwise)
