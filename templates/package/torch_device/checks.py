"""Checks of the kernels that a part of a program launches, on runtimes that have checkers.

    with torch.<device>.check("race", "memory") as checked:
        loss = model(x).sum()
        loss.backward()
    for finding in checked.findings:
        print(finding)

A runtime `lib<name>.so` with checkers defines the C functions `<name>CheckBegin`, `<name>CheckEnd`,
`<name>CheckSetNote` and `<name>CheckSetSchedule`. A header of porter, `src/check/session.h`, documents them.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import itertools
import json
import re
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any, NamedTuple

import torch
from torch.utils._pytree import tree_flatten

from . import _C
from ._build import DEVICE
from ._lazy import _lazy_init
from ._libraries import open_library, runtime_library
from .devices import synchronize
from .memory import caching_allocator_enable

KINDS = ("memory", "race", "sync", "init", "host")
"""Kinds of findings."""
REPORTS = ("print", "raise", "none")
ORDERS = ("reverse", *(f"random:{seed}" for seed in range(1, 5)))
"""Orders of a block's threads that `check_schedule` compares with the usual order."""
_DEEPEST = 40
"""Largest number of Python frames that are stored for a launch."""
_OWN_FILES = ("torch/_ops.py", __file__)
"""Ends of the names of files whose frames are no part of the program."""
_CALLS_OF_BACKWARD = ("torch/autograd/graph.py", "torch/autograd/__init__.py")
"""Ends of the names of files that call autograd's engine."""
_STACK_OF_NODE = "traceback_"
"""Key under which PyTorch's anomaly detection stores the stack in a node's metadata, as formatted entries."""
_ENTRY = re.compile(r'  File "(.*)", line (\d+), in (.*)')


class Frame(NamedTuple):
    """Line of source code on a call stack."""

    file: str
    line: int
    function: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file or "unknown line"
        return f"{place} in {self.function}" if self.function else place


class Place(NamedTuple):
    """One side of a finding: an access, a call, an allocation."""

    what: str
    """`write of 4 bytes`, `allocated`."""
    who: str
    """`kernel sum, block (0,0,0), thread (1,0,0)`, `the host`; empty if unknown."""
    frames: tuple[Frame, ...]
    """Lines of C++ code, innermost first. Empty for code without debug information."""
    operator: str
    """Operator that launched the kernel: `aten::sum.dim_IntList`; empty for launches outside of operators."""
    stack: tuple[Frame, ...]
    """Lines of Python code that called the operator, innermost first. In backward: of the forward operator."""
    node: str = ""
    """Node of autograd that launched the kernel in backward: `MulBackward0`; empty outside of backward."""


class Finding(NamedTuple):
    """Fault. `count` is the number of its occurrences."""

    kind: str
    """One of KINDS."""
    type: str
    """Type of the fault within the kind: `shared` for a race in shared memory."""
    text: str
    object: str
    """Memory that the finding concerns; empty if there is none."""
    count: int
    places: tuple[Place, ...]

    def __str__(self) -> str:
        lines = [f"{self.kind} ({self.type}): {self.text}"]
        for place in self.places:
            lines.append(f"  {place.what} by {place.who}" if place.who else f"  {place.what}")
            lines += [f"    at {frame}" for frame in place.frames]
            if place.operator:
                node = f" in backward ({place.node})" if place.node else ""
                lines.append(f"    launched by {place.operator}{node}")
            lines += [f"      called at {frame}" for frame in place.stack]
        if self.object:
            lines.append(f"  {self.object}")
        if self.count > 1:
            lines.append(f"  {self.count} times in all")
        return "\n".join(lines)


class CheckError(RuntimeError):
    """Exception of `check(..., report="raise")`. `findings` contains the findings."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__("\n".join(["the checks have findings", *map(str, findings)]))
        self.findings = findings


class Checked:
    """Result of `check`. `findings` is empty until the block ends."""

    findings: tuple[Finding, ...] = ()
    launches: tuple[tuple[str, int], ...] = ()
    """Places that launched kernels: path of the library, and offset of the code in the library."""


@contextlib.contextmanager
def check(*kinds: str, report: str = "print") -> Iterator[Checked]:
    """Context manager that checks the kernels, copies and frees inside of the block. Default: all kinds.

    `report`: `print` prints the findings to stderr after the block, `raise` raises CheckError, `none` does neither.
    Kinds that concern accesses of kernels need instrumented kernels. Blocks of memory come directly from the device
    inside of the block, not from PyTorch's cache, so that the checks see each tensor's bounds.

    Raises ValueError for an unknown kind, NotImplementedError on a runtime without checks, RuntimeError if checks are
    already active, for example because an environment variable of the runtime selects them for the whole process.
    """
    if wrong := [kind for kind in kinds if kind not in KINDS]:
        raise ValueError(f"unknown kind '{wrong[0]}': choose from {', '.join(KINDS)}")
    if report not in REPORTS:
        raise ValueError(f"unknown report '{report}': choose from {', '.join(REPORTS)}")
    runtime = _runtime()
    _lazy_init()
    if reason := runtime.begin(",".join(kinds or KINDS).encode()):
        raise RuntimeError(f"no check begins: {reason.decode()}")
    checked = Checked()
    launches = _Launches(runtime)
    try:
        with _uncached(), _nodes_with_stacks(), launches:
            yield checked
    finally:
        text = runtime.end()
        data = json.loads(text)
        checked.findings = tuple(launches.finding(one) for one in data["findings"])
        checked.launches = tuple((one["module"], one["offset"]) for one in data["launches"])
        if report == "print":
            for finding in checked.findings:
                print(finding, file=sys.stderr)
    if report == "raise" and checked.findings:
        raise CheckError(checked.findings)


def check_schedule(function: Callable[[], Any]) -> str:
    """Compare the results of `function` in other orders of the threads of a block with those in the usual order.

    Returns the first order with other results, as `schedule` takes it; an empty text if no order changes the results,
    or if two runs in the usual order differ. `function` is called without arguments and returns tensors, in any
    structure. It must not modify its inputs.
    """
    _lazy_init()
    expected = _results(function)
    if not _equal(expected, _results(function)):
        return ""
    for order in ORDERS:
        with schedule(order):
            found = _results(function)
        if not _equal(expected, found):
            return order
    return ""


@contextlib.contextmanager
def schedule(order: str) -> Iterator[None]:
    """Context in which the threads of a block begin in another order: `reverse`, or `random:SEED`.

    Raises ValueError for any other text.
    """
    runtime = _runtime()
    _lazy_init()
    if reason := runtime.set_schedule(order.encode()):
        raise ValueError(reason.decode())
    try:
        yield
    finally:
        runtime.set_schedule(b"")


class _Launch(NamedTuple):
    """Call of an operator, as in Place."""

    operator: str
    stack: tuple[Frame, ...]
    node: str


class _Launches:
    """Context that notes the running operator and its Python stack for the runtime, in each thread."""

    def __init__(self, runtime: _Runtime) -> None:
        self.runtime = runtime
        self.numbers: dict[_Launch, int] = {}
        self.next = itertools.count(1)

    def __enter__(self) -> None:
        self.handle = _C.observe_operators(self._number, self.runtime.set_note)

    def __exit__(self, *_: object) -> None:
        _C.stop_observing_operators(self.handle)

    def _number(self, operator: str) -> int:
        """Number of the call of an operator that begins in the calling thread."""
        launch = _Launch(operator, *_place(sys._getframe().f_back))
        # Without a lock: a destructor that the garbage collector calls here may run an operator.
        return self.numbers.setdefault(launch, next(self.next))

    def finding(self, data: dict[str, Any]) -> Finding:
        """Finding in the runtime's report."""
        notes = {number: launch for launch, number in self.numbers.items()}
        places = []
        for place in data["places"]:
            launch = notes.get(place["note"], _Launch("", (), ""))
            frames = tuple(Frame(**frame) for frame in place["frames"])
            places.append(Place(place["what"], place["who"], frames, *launch))
        facts = (data[key] for key in ("kind", "type", "text", "object", "count"))
        return Finding(*facts, tuple(places))


def _place(frame: FrameType | None) -> tuple[tuple[Frame, ...], str]:
    """Python stack of the program in this thread, and name of the node that autograd executes.

    In backward, the stack consists of the lines of a Python function of autograd, if one runs, and of the lines of the
    operator that made the node. They are unknown for a node from before the block. In PyTorch 1, no node is known.
    """
    current = getattr(torch._C, "_current_autograd_node", None)
    node = current() if current is not None else None
    stack = _stack(frame)
    if node is None:
        return stack, ""
    begins = (at for at, one in enumerate(stack) if one.file.endswith(_CALLS_OF_BACKWARD))
    entries = node.metadata.get(_STACK_OF_NODE, ())
    forward = [
        Frame(match[1], int(match[2]), match[3])
        for entry in reversed(entries)
        if (match := _ENTRY.match(entry))
    ]
    inner = stack[: next(begins, len(stack))]
    return (*inner, *(one for one in forward if not one.file.endswith(_OWN_FILES))), node.name()


def _stack(frame: FrameType | None) -> tuple[Frame, ...]:
    """Frames of the program, without those of PyTorch's dispatcher and of this package."""
    found: list[Frame] = []
    while frame is not None and len(found) < _DEEPEST:
        code = frame.f_code
        if not code.co_filename.endswith(_OWN_FILES):
            found.append(Frame(code.co_filename, frame.f_lineno, code.co_name))
        frame = frame.f_back
    return tuple(found)


@contextlib.contextmanager
def _nodes_with_stacks() -> Iterator[None]:
    """Context in which each new node of autograd stores its Python stack: anomaly detection without checks for NaN."""
    enabled, checks_nan = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
    torch.autograd.set_detect_anomaly(True, check_nan=enabled and checks_nan)
    try:
        yield
    finally:
        torch.autograd.set_detect_anomaly(enabled, checks_nan)


class _Runtime(NamedTuple):
    """Functions of the runtime."""

    begin: Callable[[bytes], bytes | None]
    end: Callable[[], bytes]
    set_note: int
    """Address of the function."""
    set_schedule: Callable[[bytes], bytes | None]


@functools.cache
def _runtime() -> _Runtime:
    name = runtime_library()
    library = open_library(name) if name else None
    if library is None or not hasattr(library, f"{name}CheckBegin"):
        raise NotImplementedError(f"the runtime of device '{DEVICE}' has no checks")
    text = ctypes.c_char_p
    return _Runtime(
        ctypes.CFUNCTYPE(text, text)((f"{name}CheckBegin", library)),
        ctypes.CFUNCTYPE(text)((f"{name}CheckEnd", library)),
        ctypes.cast(getattr(library, f"{name}CheckSetNote"), ctypes.c_void_p).value or 0,
        ctypes.CFUNCTYPE(text, text)((f"{name}CheckSetSchedule", library)),
    )


@contextlib.contextmanager
def _uncached() -> Iterator[None]:
    """Context in which each block of memory is an allocation of its own. Before PyTorch 2.6: no effect."""
    try:
        caching_allocator_enable(False)
    except NotImplementedError:
        yield
        return
    try:
        yield
    finally:
        caching_allocator_enable(True)


def _results(function: Callable[[], Any]) -> list[Any]:
    found = function()
    synchronize()
    return [
        leaf.detach().cpu() if isinstance(leaf, torch.Tensor) else leaf
        for leaf in tree_flatten(found)[0]
    ]


def _equal(one: list[Any], other: list[Any]) -> bool:
    if len(one) != len(other):
        return False
    return all(
        _equal_bits(mine, its) if isinstance(mine, torch.Tensor) else mine == its
        for mine, its in zip(one, other, strict=True)
    )


def _equal_bits(one: torch.Tensor, other: torch.Tensor) -> bool:
    """True if dtype, shape and all bits are equal; NaN is equal to itself."""
    if one.dtype != other.dtype or one.shape != other.shape:
        return False
    if one.layout != torch.strided:
        one, other = one.to_dense(), other.to_dense()
    return bool(
        torch.equal(
            one.contiguous().flatten().view(torch.uint8),
            other.contiguous().flatten().view(torch.uint8),
        )
    )
