"""Seeding without queued calls for missing devices."""

from __future__ import annotations

import torch


def without_lazy_seeds() -> None:
    """Seed without queueing a call, with its stack as text, for each kind of device that is missing.

    torch.manual_seed queues such calls for CUDA and for XPU. Samples are seeded by the thousand: the calls took half of
    all time.
    """
    for other in (torch.cuda, torch.xpu):
        if not other.is_available():
            setattr(other, "manual_seed_all", lambda seed: None)  # noqa: B010  (torch.xpu's is typed otherwise)
