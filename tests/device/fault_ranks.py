"""Program of one rank of tests/device/test_distributed_faults.py.

    python fault_ranks.py RANK RANKS URL CASE

In each case, the last rank fails or differs from the first one. The program ends with the rank's error.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from datetime import timedelta

import torch
import torch.distributed as dist

RANK, RANKS, URL, CASE = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
DEVICE = torch.device("cuda" if "TORCH_SIMT_AS_CUDA" in os.environ else "simt", RANK)
IS_LAST = RANK == RANKS - 1
LARGE = 1 << 24
"""Elements of a tensor that takes longer than a kill, and is larger than the channels between two ranks."""


TIMEOUT = timedelta(seconds=int(os.environ.get("TEST_TIMEOUT", "10")))
"""Timeout of process groups."""


def join(ranks: int = RANKS, device: torch.device | None = None) -> None:
    """Join the process group. With a device, communicators of later groups are splits; PyTorch requires 'cuda'."""
    dist.init_process_group(
        init_method=URL, rank=RANK, world_size=ranks, timeout=TIMEOUT, device_id=device
    )


def kill_this_process(seconds: float = 0.0) -> None:
    """Kill the process by SIGKILL, now or later."""
    threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGKILL)).start()
    if not seconds:
        time.sleep(60)


def reduce(value: torch.Tensor) -> None:
    """Reduce a tensor, and wait for the result."""
    dist.all_reduce(value)
    value[0].item()


def killed_before_init() -> None:
    if IS_LAST:
        kill_this_process()
    join()


def killed_before_communicator() -> None:
    """The rank ends between the rendezvous of PyTorch and that of the library of collectives."""
    join()
    if IS_LAST:
        kill_this_process()
    reduce(torch.ones(4, device=DEVICE))


def first_killed_before_communicator() -> None:
    """The rank that makes the communicator's unique id ends. URL is a file, which no process serves."""
    join()
    if RANK == 0:
        kill_this_process()
    reduce(torch.ones(4, device=DEVICE))


def killed_before_first_message() -> None:
    """The rank ends before it joins the communicator of a pair of ranks."""
    join()
    if IS_LAST:
        kill_this_process()
    dist.send(torch.ones(4, device=DEVICE), RANKS - 1)


def never_joins() -> None:
    """The rank lives, and calls nothing."""
    join()
    if IS_LAST:
        time.sleep(600)
    reduce(torch.ones(4, device=DEVICE))


def killed_before_split() -> None:
    """The rank ends before it takes part in the split of the communicator."""
    join(device=DEVICE)
    if IS_LAST:
        kill_this_process()
    dist.new_group(timeout=TIMEOUT)


def never_splits() -> None:
    """The rank lives, and makes no group. Rank 0 is in the new group alone."""
    join(device=DEVICE)
    if IS_LAST:
        time.sleep(600)
    dist.new_group([0], timeout=TIMEOUT)


def killed_during_collective() -> None:
    join()
    value = torch.ones(LARGE, device=DEVICE)
    reduce(value)
    if IS_LAST:
        kill_this_process(0.5)
    while True:
        reduce(value)


def killed_during_finalize() -> None:
    """The rank ends while it leaves, because the first rank has not received its second message."""
    join()
    value = torch.ones(LARGE, device=DEVICE)
    reduce(value)
    messages = 2 if IS_LAST else 1
    peer = 0 if IS_LAST else RANKS - 1
    for _ in range(messages):
        dist.batch_isend_irecv([dist.P2POp(dist.isend if IS_LAST else dist.irecv, value, peer)])
    if IS_LAST:
        kill_this_process(1)
        dist.destroy_process_group()
        raise SystemExit("the rank has left before it was killed")
    time.sleep(3)
    dist.batch_isend_irecv([dist.P2POp(dist.irecv, value, peer)])
    dist.destroy_process_group()


def different_types() -> None:
    join()
    reduce(torch.ones(4, dtype=torch.float64 if IS_LAST else torch.float32, device=DEVICE))


def different_numbers_of_ranks(late: bool) -> None:
    join(RANKS + 1 if IS_LAST else RANKS)
    time.sleep(2 * late)
    reduce(torch.ones(4, device=DEVICE))


def different_numbers_of_ranks_last_is_late() -> None:
    different_numbers_of_ranks(IS_LAST)


def different_numbers_of_ranks_first_is_late() -> None:
    different_numbers_of_ranks(not IS_LAST)


if __name__ == "__main__":
    torch.get_device_module(DEVICE).set_device(DEVICE)
    globals()[CASE]()
    sys.exit("no error")
