"""Kill processes with all their descendants, which are found in Linux's /proc."""

from __future__ import annotations

import contextlib
import os
import signal

_SUBREAPER = 36
"""PR_SET_CHILD_SUBREAPER of linux/prctl.h."""


def adopt_orphans() -> None:
    """Make this process, not the init process, the new parent of a descendant whose parent has ended."""
    # Imported late: only a command that is terminated needs the module.
    import ctypes

    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def kill(pid: int) -> None:
    """Kill a child of this process and all descendants of the child. The caller must wait for the child (waitpid)."""
    # All processes are stopped before the first one is killed: a stopped process cannot start further processes.
    known = [pid]
    _send(pid, signal.SIGSTOP)
    while new := [one for one in _descendants(pid) if one not in known]:
        for one in new:
            _send(one, signal.SIGSTOP)
        known += new
    for one in known:
        _send(one, signal.SIGKILL)


def kill_children() -> None:
    """Kill all descendants of this process, and wait until they have ended."""
    me = os.getpid()
    while children := [pid for pid, parent in _parents().items() if parent == me]:
        for child in children:
            kill(child)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(child, 0)


def _descendants(pid: int) -> list[int]:
    parents = _parents()
    found = [pid]
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found[1:]


def _parents() -> dict[int, int]:
    """Maps the ID of each process on the machine to the ID of its parent process."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdecimal():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:  # noqa: PTH123
                # The program's name is in parentheses and may contain any character.
                found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
    return found


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, number)
