"""Compute capability for which sources are compiled. On target `simt`, a user selects it, and the runtime reports it.

SIMT_COMPUTE_CAPABILITY=8.0 simtcc gemm.cu    ->  __CUDA_ARCH__ is 800
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from porter.base import regular_files
from porter.base.errors import UsageError

VARIABLE = "SIMT_COMPUTE_CAPABILITY"
_MACRO = "-D__SIMT_ARCH__="
_COMPARED = re.compile(r"\b__CUDA_ARCH__\s*[<>]=?\s*(\d{3,4})\b")


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


def advice(paths: Iterable[str], command: Sequence[str]) -> str:
    """Note for files that do not compile and compare `__CUDA_ARCH__` with a larger number than the macro's value.

    The note names the variable and the lowest such number of the first file; it is empty without such a file.
    """
    value = next((int(w.removeprefix(_MACRO)) for w in command if w.startswith(_MACRO)), None)
    if value is None:
        return ""
    for path in paths:
        larger = [number for number in _compared_numbers(path) if number > value]
        if larger:
            lowest = min(larger)
            return (
                f"{path}: note: porter: the file compares __CUDA_ARCH__ with {lowest}, and the macro is {value}; "
                f"{VARIABLE}={lowest // 100}.{lowest // 10 % 10} selects another compute capability\n"
            )
    return ""


def _compared_numbers(path: str) -> list[int]:
    """Numbers with which a file compares `__CUDA_ARCH__`."""
    try:
        text = regular_files.read_bytes(path).decode("utf-8", "replace")
    except OSError:
        return []
    return [int(number) for number in _COMPARED.findall(text)]
