"""Processes that exit, fork or are interrupted at critical moments end in time, without a crash or a hang. A
program runs several times, because a failure depends on timing. PORTER_REPEAT sets the number of runs (5).
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

_TIMES = int(os.environ.get("PORTER_REPEAT", "5"))
_AT_ONCE = 5
_LIMIT = 60.0
"""Time limit of a program in seconds."""
_BUSY = """
    import torch, os, sys, threading, time, signal
    x = torch.randn(300, 300, device="simt")
    def work(times=20):
        y = x
        for _ in range(times):
            y = torch.mm(y, x).softmax(1)
        return y
"""
"""Program in which OpenBLAS multiplies matrices on the runtime's workers, and softmax uses barriers."""


def _start(body: str) -> subprocess.Popen[str]:
    program = textwrap.dedent(_BUSY) + textwrap.dedent(body)
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )


def _ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit status and output; fails when the process hangs."""
    try:
        out, err = process.communicate(timeout=_LIMIT)
    except subprocess.TimeoutExpired:
        process.kill()
        _, err = process.communicate()
        pytest.fail(f"the process hangs: {err[-2000:]}")
    return process.returncode, out, err


def _repeat(body: str, codes: Sequence[int] = (0,), times: int = _TIMES) -> list[tuple[str, str]]:
    """Output of each run of a program, which must end with one of the exit codes."""
    outputs = []
    for first in range(0, times, _AT_ONCE):
        batch = [_start(body) for _ in range(min(_AT_ONCE, times - first))]
        for process in batch:
            code, out, err = _ended(process)
            assert code in codes, f"ended with {code}: {err[-2000:]}"
            outputs.append((out, err))
    return outputs


@pytest.mark.parametrize(
    "end",
    [
        pytest.param("", id="end of the program"),
        pytest.param("sys.exit(0)", id="sys.exit"),
        pytest.param("os._exit(0)", id="os._exit"),
        pytest.param(
            "threading.Thread(target=lambda: os._exit(0)).start(); work(1000)", id="thread exits"
        ),
        pytest.param(
            "threading.Thread(target=work, args=(10_000,), daemon=True).start(); time.sleep(0.05)",
            id="daemon thread works on",
        ),
        pytest.param(
            "import atexit; atexit.register(lambda: work(2).cpu())", id="device used at exit"
        ),
        pytest.param(
            "class Late:\n    def __del__(self): work(1)\nkept = Late()",
            id="device used by __del__",
        ),
    ],
)
def test_a_process_may_end_while_kernels_run(end: str) -> None:
    _repeat("work()\n" + end)


def test_an_exception_ends_a_process_with_its_traceback() -> None:
    for _, err in _repeat("work()\nraise SystemError('on purpose')", codes=[1]):
        assert "SystemError: on purpose" in err


_FORKED = """
    {before}
    pid = os.fork()
    if pid == 0:
        try:
            {child}
        except RuntimeError as error:
            print("refused:", error, flush=True)
            os._exit(3)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
    print(float(work(1).sum().cpu()) > 0)
"""


@pytest.mark.parametrize(
    "child",
    ["x + 1", "x.cpu()", "torch.ones(2, device='simt')", "torch.simt.synchronize()"],
)
@pytest.mark.parametrize("before", ["work().cpu()", "work(200)"], ids=["idle", "busy"])
def test_a_forked_child_is_refused_the_device(before: str, child: str) -> None:
    for out, _ in _repeat(_FORKED.format(before=before, child=child)):
        # The package refuses the first use; a tensor of the parent gets the runtime's error, as with CUDA.
        assert out.startswith("refused:"), out
        assert "forked subprocess" in out or "initialization error" in out, out
        assert out.splitlines()[-2:] == ["3", "True"]


def test_a_forked_child_may_seed_all_devices() -> None:
    """As with CUDA; the workers of transformers' Trainer do this."""
    seeds = "torch.manual_seed(3); torch.simt.manual_seed(3); torch.simt.manual_seed_all(3)"
    for out, _ in _repeat(_FORKED.format(before="work().cpu()", child=seeds)):
        assert out.splitlines()[-2:] == ["0", "True"]


def test_a_child_forked_before_the_device_is_used_can_use_it() -> None:
    program = """
        import torch, os
        pid = os.fork()
        code = 0 if torch.ones(3, device="simt").sum().item() == 3 else 1
        if pid == 0:
            os._exit(code)
        print(code, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=_LIMIT,
        check=False,
    )
    assert done.stdout == "0 0\n", done.stderr


def test_workers_of_a_data_loader_that_touch_the_device_are_refused() -> None:
    program = """
        class Items(torch.utils.data.Dataset):
            def __len__(self): return 4
            def __getitem__(self, index): return (x[index] + 1).cpu()
        work(3)
        try:
            list(torch.utils.data.DataLoader(Items(), num_workers=2))
        except RuntimeError as error:
            print("refused" if "initialization error" in str(error) else error)
    """
    for out, _ in _repeat(program):
        assert out == "refused\n"


def test_workers_of_a_data_loader_may_live_beside_the_device() -> None:
    program = """
        work(3)
        loader = torch.utils.data.DataLoader(torch.arange(8.0), num_workers=2, batch_size=2)
        print(sum((batch.to("simt") + 1).sum().item() for batch in loader))
    """
    for out, _ in _repeat(program):
        assert out == "36.0\n"


def test_spawned_processes_use_the_device() -> None:
    program = """
        import concurrent.futures, multiprocessing
        if __name__ == "__main__":
            print(work(1).shape)
            context = multiprocessing.get_context("spawn")
            with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
                print(list(pool.map(pow, [2, 3], [2, 2])))
    """
    for out, _ in _repeat(program, times=2):
        assert out.endswith("[4, 9]\n")


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_busy_process(sent: signal.Signals) -> None:
    for delay in (0.0, 0.05, 0.2):
        process = _start("print('ready', flush=True)\nwhile True: work(50).sum().item()")
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay)
        process.send_signal(sent)
        code, _, err = _ended(process)
        # Python turns SIGINT into KeyboardInterrupt, and then ends by the signal or with 130.
        assert code in (-sent, 128 + sent, 1), f"{code}: {err[-1000:]}"
        assert "Segmentation" not in err and "terminate called" not in err


def test_a_process_goes_on_after_ctrl_c() -> None:
    program = """
        print('ready', flush=True)
        try:
            while True:
                work(50).sum().item()
        except KeyboardInterrupt:
            pass
        print(float(work(1).sum().cpu()) > 0)
    """
    for _ in range(3):
        process = _start(program)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        code, out, err = _ended(process)
        assert (code, out) == (0, "True\n"), err[-1000:]


def test_many_threads_come_and_go() -> None:
    program = """
        def one(found):
            with torch.simt.stream(torch.simt.Stream()):
                found.append(work(1).sum().item())
        found = []
        for _ in range(8):
            threads = [threading.Thread(target=one, args=(found,)) for _ in range(25)]
            for thread in threads: thread.start()
            for thread in threads: thread.join()
        print(len(found))
    """
    for out, _ in _repeat(program, times=2):
        assert out == "200\n"


def test_faulthandler_lives_beside_the_runtime() -> None:
    program = """
        import faulthandler
        faulthandler.enable()
        print(work(1).shape[0])
        import ctypes
        sys.stdout.flush()
        ctypes.string_at(0)
    """
    for out, err in _repeat(program, codes=[-signal.SIGSEGV]):
        assert out == "300\n"
        assert "Fatal Python error: Segmentation fault" in err
