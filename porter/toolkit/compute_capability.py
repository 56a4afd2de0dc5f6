"""Compute capability for which sources are compiled. On target `simt`, a user selects it, and the runtime reports it.

SIMT_COMPUTE_CAPABILITY=8.0 simtcc gemm.cu    ->  __CUDA_ARCH__ is 800
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from porter.base.errors import UsageError

VARIABLE = "SIMT_COMPUTE_CAPABILITY"
_MACRO = "-D__SIMT_ARCH__="


def flags_for(flags: Sequence[str], value: str) -> tuple[str, ...]:
    """Flags of a toolkit for the variable's value; unchanged if the value is empty or the target has no such macro.

    Raises UsageError if the value is not a number such as `8.0`.
    """
    if not value:
        return tuple(flags)
    match = re.fullmatch(r"([1-9][0-9]?)\.([0-9])", value)
    if not match:
        raise UsageError(
            f"{VARIABLE}={value} is no compute capability", help="write 8.0, for example"
        )
    number = f"{_MACRO}{match[1]}{match[2]}0"
    return tuple(number if word.startswith(_MACRO) else word for word in flags)
