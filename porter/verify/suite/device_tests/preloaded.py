"""Import of modules that many distributed tests use, in the server from which the ranks of tests are forked.

Test modules count the devices when they are imported, and a process that is forked after a call of the device cannot
use the device. This module therefore answers with the number of devices that the starting process has counted.
"""

import contextlib
import importlib
import os
from unittest import mock

from . import own_name

COUNT, PACKAGE = "DEVICE_TESTS_COUNT", "DEVICE_TESTS_PACKAGE"
"""Environment variables: number of devices, and name of the backend's package."""
MODULES = (
    "torch.testing._internal.common_fsdp",
    "torch.testing._internal.distributed._tensor.common_dtensor",
    "torch.distributed.checkpoint",
    "torch.distributed.fsdp",
    "torch.distributed.tensor.parallel",
    "torch._dynamo",
)
"""Modules that take long to import. Releases without a module import the others."""


def load() -> None:
    """Import the modules. The device remains unused."""
    binding = importlib.import_module(f"{os.environ[PACKAGE]}._C")
    count = int(os.environ[COUNT])
    with mock.patch.object(binding, "device_count", lambda: count):
        own_name.hide()
        for name in MODULES:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)


if COUNT in os.environ:
    load()
