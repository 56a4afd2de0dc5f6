"""Restart of workers by torchrun on one machine.

The workers of all attempts share the agent's store, and PyTorch uses the same keys in each attempt: a restarted worker
may read the values of the attempt before, such as the id of a communicator whose ranks have ended. Here, the keys of
each restart begin with its number.
"""

from __future__ import annotations

import os
import sys
from typing import Any

from . import _C


def separate_attempts() -> None:
    """Make `init_process_group` of a restarted worker use a store without keys of earlier attempts."""
    # The package torch.distributed has a function of the same name as this module.
    module: Any = sys.modules.get("torch.distributed.rendezvous")
    original = getattr(module, "_create_c10d_store", None)
    if original is None:
        return

    def create(*args: Any, **options: Any) -> Any:
        store = original(*args, **options)
        attempt = restarts_with_shared_store()
        return _C.AttemptStore(store, f"/attempt_{attempt}") if attempt else store

    module._create_c10d_store = create


def restarts_with_shared_store() -> int:
    """Number of restarts of this worker, if all ranks know the same number and use the agent's store; else 0.

    Agents on several machines count restarts separately, so that the number would not be the same for all ranks.
    """
    variables = os.environ
    if variables.get("TORCHELASTIC_USE_AGENT_STORE") != "True":
        return 0
    if variables.get("GROUP_WORLD_SIZE") != "1":
        return 0
    return int(variables.get("TORCHELASTIC_RESTART_COUNT", "0"))
