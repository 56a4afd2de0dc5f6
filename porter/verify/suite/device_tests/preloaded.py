"""Import of modules that many test files use, in the program from which the processes of test files are forked.

Modules count the devices when they are imported, and a process that is forked after a call of the device cannot use the
device. A context therefore answers with the number of devices that a forked process has counted.
"""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
from collections.abc import Iterator, Sequence
from typing import Any
from unittest import mock

GENERIC = (
    "torch.testing._internal.common_device_type",
    "torch.testing._internal.common_methods_invocations",
    "torch.testing._internal.common_modules",
    "torch._dynamo",
)
DISTRIBUTED = (
    "torch.testing._internal.common_fsdp",
    "torch.testing._internal.distributed._tensor.common_dtensor",
    "torch.distributed.checkpoint",
    "torch.distributed.fsdp",
    "torch.distributed.tensor.parallel",
    "torch._dynamo",
)
AS_CUDA = ("torch.testing._internal.common_utils", "torch._dynamo")
"""Modules that take long to import. Releases without a module import the others.

`AS_CUDA` lacks the operator database, whose import uses a device with the name `cuda`.
"""


@contextlib.contextmanager
def unused_device(package: str) -> Iterator[None]:
    """Context in which a count of the devices does not use the device. `package`: name of the backend's package."""
    binding = importlib.import_module(f"{package}._C")
    count = _counted_by_another_process(binding)
    with mock.patch.object(binding, "device_count", lambda: count):
        yield


def load(names: Sequence[str]) -> None:
    """Import modules."""
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)


def _counted_by_another_process(binding: Any) -> int:
    fork = multiprocessing.get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=lambda: sender.send(binding.device_count()))
    process.start()
    sender.close()
    count = int(receiver.recv())
    process.join()
    return count
