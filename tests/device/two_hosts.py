"""Two machines for tests: network namespaces joined by a virtual cable."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

ADDRESSES = ("10.78.0.1", "10.78.0.2")
INTERFACES = ("simt0", "simt1")


@contextmanager
def two_hosts() -> Iterator[list[list[str]]]:
    """Commands that run a program on one of the machines: `[*command, "program"]`.

    The test is skipped if the system permits no network namespaces.
    """
    missing = [name for name in ("ip", "nsenter", "unshare") if not shutil.which(name)]
    if missing:
        pytest.skip(f"no {' and no '.join(missing)}: two machines need network namespaces")
    if subprocess.run(["unshare", "--net", "true"], capture_output=True).returncode != 0:
        pytest.skip("the system permits no network namespaces")
    # Each namespace exists as long as its process, which waits for the end of its input.
    holders = [
        subprocess.Popen(
            ["unshare", "--net", "sh", "-c", "echo ready; exec cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        for _ in ADDRESSES
    ]
    try:
        for holder in holders:
            assert holder.stdout is not None
            holder.stdout.readline()
        commands = [["nsenter", "--net", f"--target={holder.pid}"] for holder in holders]
        _connect(commands, holders[1].pid)
        yield commands
    finally:
        for holder in holders:
            holder.communicate()


def _connect(commands: list[list[str]], second: int) -> None:
    first, other = INTERFACES
    cable = f"link add {first} type veth peer name {other} netns {second}"
    made = subprocess.run([*commands[0], "ip", *cable.split()], capture_output=True)
    if made.returncode != 0:
        pytest.skip("the system makes no virtual cable between network namespaces")
    for command, interface, address in zip(commands, INTERFACES, ADDRESSES, strict=True):
        subprocess.run([*command, "ip", "link", "set", "lo", "up"], check=True)
        set_address = f"address add {address}/24 dev {interface}"
        subprocess.run([*command, "ip", *set_address.split()], check=True)
        subprocess.run([*command, "ip", "link", "set", interface, "up"], check=True)
