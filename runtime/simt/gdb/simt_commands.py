"""Commands of gdb for kernels of the runtime `simt`.

    gdb -x runtime/simt/gdb/simt_commands.py ./program

    simt blocks              the blocks that run now: thread of gdb, kernel, block and running thread
    simt thread (x,y,z)      state of a thread of the selected block; of a waiting thread, also its call stack

The commands call functions of the runtime (`runtime/simt/src/kernel/debugger.cpp`) in the stopped program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import gdb  # type: ignore[import-not-found]

SAVED = {
    "x86_64": ("r15", "r14", "r13", "r12", "rbx", "rbp", "rip"),
}
"""Registers on the stack of a waiting thread, from its stack pointer up (simtrt_switch_context in context.cpp)."""
GENERAL = (
    *("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp"),
    *("r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "eflags", "orig_rax", "rip"),
)
"""Registers that a call changes and that gdb restores. simtDebugCall in debugger.cpp restores the others."""
RED_ZONE = 128
"""Bytes below the stack pointer that functions may use (System V ABI, AMD64, 3.2.2)."""


class SimtCommand(gdb.Command):
    """Commands for kernels of the runtime simt: simt blocks, simt thread (x,y,z)."""

    def __init__(self) -> None:
        super().__init__("simt", gdb.COMMAND_DATA, prefix=True)


class SimtBlocks(gdb.Command):
    """List the blocks that run now. The selected thread of gdb is marked."""

    def __init__(self) -> None:
        super().__init__("simt blocks", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        selected = gdb.selected_thread()
        found = False
        with _stopped():
            for thread in sorted(gdb.selected_inferior().threads(), key=lambda one: one.num):
                thread.switch()
                if text := _call("(const char*)", "simtDebugBlock").string():
                    found = True
                    mark = "*" if thread.num == selected.num else " "
                    print(f"{mark} gdb thread {thread.num}: {text}")
            selected.switch()
        if not found:
            print("no block runs")


class SimtThread(gdb.Command):
    """Show the state of a thread of the block that the selected thread of gdb runs: simt thread (x,y,z)."""

    def __init__(self) -> None:
        super().__init__("simt thread", gdb.COMMAND_DATA)

    def invoke(self, argument: str, from_tty: bool) -> None:
        numbers = re.fullmatch(r"\(?\s*(\d+)(?:\s*,\s*(\d+))?(?:\s*,\s*(\d+))?\s*\)?", argument)
        if numbers is None:
            raise gdb.GdbError("give the thread's position in its block: simt thread (1,0,0)")
        x, y, z = (int(number or 0) for number in numbers.groups())
        with _stopped():
            state = _call("(const char*)", "simtDebugThread", x, y, z).string()
            stack = int(_call("(unsigned long)", "simtDebugStack"))
        if not state:
            raise gdb.GdbError(
                f"the selected thread of gdb runs no block with a thread ({x},{y},{z})"
            )
        print(f"thread ({x},{y},{z}) {state}")
        if state == "runs":
            gdb.execute("backtrace")
        elif stack:
            _backtrace_at(stack)


def _call(type: str, function: str, *arguments: int) -> gdb.Value:
    """Result of a function of the runtime, of which gdb knows no types."""
    address = _address(function)
    if "x86-64" in gdb.selected_inferior().architecture().name():
        return gdb.parse_and_eval(f"{type} {_result(address, *arguments)}ul")
    passed = ", ".join(f"{argument}u" for argument in arguments)
    return gdb.parse_and_eval(f"{type} ((void*(*)()) {address}) ({passed})")


def _address(function: str) -> int:
    try:
        return int(gdb.parse_and_eval(f"&{function}"))
    except gdb.error as error:
        raise gdb.GdbError(f"the program has not loaded the runtime simt: {error}") from None


def _result(address: int, *arguments: int) -> int:
    """Result of the function at an address, called by simtDebugCall. See there why gdb does not call it."""
    gdb.newest_frame().select()
    with _no_breakpoints(), _saved_registers(GENERAL) as before:
        used = dict(zip(("rdi", "rsi", "rdx", "rcx"), (address, *arguments), strict=False))
        # A negative number tells Linux that there is no interrupted system call to restart.
        used |= {"rsp": (before["rsp"] - RED_ZONE) & ~63, "orig_rax": -1}
        _run(_address("simtDebugCall"), _address("simtDebugCalled"), used)
        result = int(gdb.newest_frame().read_register("rax"))
        place = before["rsp"] - RED_ZONE - 8
        gdb.selected_inferior().write_memory(place, before["rip"].to_bytes(8, "little"))
        _run(_address("simtDebugReturn"), before["rip"], before | {"rsp": place, "orig_rax": -1})
    return result


def _run(start: int, end: int, registers: dict[str, int]) -> None:
    """Run the selected thread between two addresses. Raises GdbError if it stops elsewhere, for example at a fault."""
    _set_registers(registers | {"rip": start})
    stop = gdb.Breakpoint(f"*{end}", internal=True)
    stop.silent = True
    try:
        gdb.execute("continue", to_string=True)
    finally:
        stop.delete()
    if gdb.newest_frame().pc() != end:
        raise gdb.GdbError("the program stopped in a function of the runtime that a command called")


@contextmanager
def _no_breakpoints() -> Iterator[None]:
    """Context in which the user's breakpoints are disabled."""
    enabled = [one for one in gdb.breakpoints() if one.enabled]
    for one in enabled:
        one.enabled = False
    try:
        yield
    finally:
        for one in enabled:
            one.enabled = True


@contextmanager
def _saved_registers(names: tuple[str, ...]) -> Iterator[dict[str, int]]:
    """Context that gives the values of registers of the newest frame, and restores them at its end."""
    frame = gdb.newest_frame()
    before = {name: int(frame.read_register(name).format_string(format="x"), 16) for name in names}
    try:
        yield before
    finally:
        gdb.newest_frame().select()
        _set_registers(before)


def _set_registers(values: dict[str, int]) -> None:
    for name, value in values.items():
        gdb.execute(f"set ${name} = {value}")


@contextmanager
def _stopped() -> Iterator[None]:
    """Context in which calls of functions run the selected thread only."""
    before = gdb.parameter("scheduler-locking")
    gdb.execute("set scheduler-locking on", to_string=True)
    try:
        yield
    finally:
        gdb.execute(f"set scheduler-locking {before}", to_string=True)


def _backtrace_at(stack: int) -> None:
    """Print the call stack of a waiting thread: its registers are set, and restored afterwards."""
    machine = gdb.selected_inferior().architecture().name()
    saved = SAVED.get("x86_64" if "x86-64" in machine else machine)
    if saved is None:
        print(f"the call stack of a waiting thread is not available on {machine}")
        return
    gdb.newest_frame().select()
    word = gdb.lookup_type("unsigned long")
    with _saved_registers((*saved, "rsp")):
        for number, name in enumerate(saved):
            place = gdb.Value(stack + 8 * number).cast(word.pointer())
            gdb.execute(f"set ${name} = {int(place.dereference())}")
        gdb.execute(f"set $rsp = {stack + 8 * len(saved)}")
        gdb.execute("backtrace")


SimtCommand()
SimtBlocks()
SimtThread()
