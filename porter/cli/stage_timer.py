"""Seconds by stage, for the summary of a run."""

from __future__ import annotations

import time


class Clock:
    """Stopwatch for the stages of a run. `seconds` maps a stage to its duration."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        """Record the time since the previous lap as the time of a stage."""
        now = time.perf_counter()
        self.seconds[stage] = round(now - self._last, 3)
        self._last = now
