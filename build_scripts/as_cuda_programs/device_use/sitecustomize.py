"""Record of the device's use: Python imports this module at its start, if the folder is on PYTHONPATH.

At its end, each process that initialised the device appends a line of JSON to the file that PROGRAM_DEVICE_USE names.
"""

import atexit
import json
import os
import sys
from multiprocessing import process

_PROCESS = os.getpid()


def _record() -> None:
    torch = sys.modules.get("torch")
    file = os.environ.get("PROGRAM_DEVICE_USE")
    # A forked process (a worker of DataLoader) has its parent's counters.
    if not file or torch is None or os.getpid() != _PROCESS or not torch.cuda.is_initialized():
        return
    allocations = sum(
        torch.cuda.memory_stats(device).get("allocation.all.allocated", 0)
        for device in range(torch.cuda.device_count())
    )
    record = {"allocations": allocations, "on_cpu": torch.simt.metrics()}
    with open(file, "a", encoding="utf-8") as lines:  # noqa: PTH123 - pathlib would slow each start of Python
        lines.write(json.dumps(record) + "\n")


def _record_after(original):
    """Processes of multiprocessing end without functions of atexit."""

    def bootstrap(self, *arguments, **options):
        status = original(self, *arguments, **options)
        _record()
        return status

    return bootstrap


if os.environ.get("PROGRAM_DEVICE_USE"):
    atexit.register(_record)
    process.BaseProcess._bootstrap = _record_after(process.BaseProcess._bootstrap)
