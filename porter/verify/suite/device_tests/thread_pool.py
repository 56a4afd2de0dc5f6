"""PyTorch's pool of CPU threads in forked processes."""

from __future__ import annotations

import os

import torch


def renew_after_fork() -> None:
    """Make each process that is forked from this one replace the pool before it starts a thread.

    A child has none of its parent's threads. PyTorch replaces the pool in the child's first call of
    `at::set_num_threads`, without a lock (caffe2/utils/threadpool/pthreadpool-cpp.cc). If threads of the autograd
    engine make the first calls at the same time, the process ends with "Invalid thread pool!".
    """
    os.register_at_fork(after_in_child=lambda: torch.set_num_threads(torch.get_num_threads()))
