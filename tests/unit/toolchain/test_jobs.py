"""Memory that limits the number of parallel compilers."""

from __future__ import annotations

import pytest

from porter.toolchain import jobs


@pytest.mark.parametrize(("machine", "container", "expected"), [(8, None, 8), (8, 3, 3), (2, 3, 2)])
def test_container_limits_the_memory_of_the_machine(
    monkeypatch: pytest.MonkeyPatch, machine: int, container: int | None, expected: int
) -> None:
    monkeypatch.setattr(jobs, "_machine_left", lambda: machine)
    monkeypatch.setattr(jobs, "_cgroup_left", lambda: container)
    assert jobs.available_bytes() == expected
