"""Threads of forked processes use PyTorch's pool of threads at once, as those of the autograd engine do."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from porter.verify.worker_process import SUITE

PROGRAM = """\
import ctypes, os, torch
from device_tests import thread_pool

thread_pool.renew_after_fork()
torch.set_num_threads(4)
torch.get_num_threads()
begin_thread = ctypes.CDLL("libtorch_cpu.so")["_ZN2at16init_num_threadsEv"]  # at::init_num_threads()
system = ctypes.CDLL(None)


def use_pool():
    threads = [ctypes.c_ulong() for _ in range(16)]
    for thread in threads:
        system.pthread_create(ctypes.byref(thread), None, begin_thread, None)
    for thread in threads:
        system.pthread_join(thread, None)


def ended_well():
    child = os.fork()
    if not child:
        use_pool()
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


print(sum(ended_well() for _ in range(20)))
"""


def test_forked_processes_renew_the_pool_before_they_start_threads() -> None:
    """16 threads use the pool at once in each of 20 processes. Without the renewal, most of the processes abort."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "PYTHONPATH": str(SUITE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["20"]
