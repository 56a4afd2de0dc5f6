"""Life cycle of processes that use target `simt`: programs that exit, fork, fault or receive signals at critical
moments. Each case of `runtime/simt/tests/process` runs in its own process; a case about a race runs twenty times.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from repository import ROOT

from porter.simt.build import Options, build, link_flags, program_flags
from porter.simt.sources import runtime_dir

PROGRAMS = ROOT / "runtime" / "simt" / "tests" / "process"
OPTIONS = Options(out=ROOT / "build" / "simt")
ROUNDS = 20
LIMIT = 30
"""Time limit in seconds; a longer run counts as a hang."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("g++") is None, reason="no g++"),
]


@pytest.fixture(scope="module")
def library() -> Path:
    return build(OPTIONS)


@pytest.fixture(scope="module")
def programs(library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the compiled programs."""
    out = tmp_path_factory.mktemp("programs")
    for name in ("exits", "forks", "faults", "signals", "interprocess", "visible"):
        flags = [*program_flags(), "-O1", "-Wno-terminate", "-Wno-infinite-recursion"]
        source = [*flags, str(PROGRAMS / f"{name}.cpp"), "-o", str(out / name)]
        subprocess.run(["g++", *source, *link_flags(library.parent)], check=True)
    return out


def test_thread_local_memory_fits_into_a_running_program(library: Path) -> None:
    # glibc keeps 1,664 bytes for all libraries that are loaded late and use the initial-exec model (glibc's manual,
    # tunable rtld.optional_static_tls); PyTorch's libraries need a part.
    headers = subprocess.run(
        ["readelf", "-lW", library], capture_output=True, text=True, check=True
    ).stdout
    segment = next(line.split() for line in headers.splitlines() if line.split()[:1] == ["TLS"])
    assert int(segment[5], 16) <= 1024


def run(
    program: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a program to its end. Raises subprocess.TimeoutExpired for a hang."""
    return subprocess.run(
        [program, *arguments],
        env={**os.environ, "SIMT_NUM_THREADS": "3", **(environment or {})},
        capture_output=True,
        text=True,
        errors="replace",
        timeout=LIMIT,
        check=False,
    )


def check_status(program: Path, case: str, status: int, rounds: int = 1) -> None:
    for _ in range(rounds):
        done = run(program, case)
        assert done.returncode == status, done.stdout[-2000:] + done.stderr[-2000:]


EXITS = {
    "spins": 3,
    "spins politely": 3,
    "spins at a barrier": 3,
    "allocates for ever": 3,
    "spins together": 3,
    "exits from another thread": 3,
    "threads wait for ever": 3,
    "exits in a host function": 3,
    "leaves a host function waiting": 3,
    "multiplies": 3,
    "copies": 3,
    "frees in a static destructor": 3,
    "has handlers of exit": 3,
    "has thread-local destructors": 3,
    "exits quickly": 3,
    "exits at once": 3,
    "aborts in a host function": -signal.SIGABRT,
    "calls while it ends": 3,
    "many threads": 3,
}
FORKS = (
    "before use",
    "after use",
    "while a kernel runs",
    "in a host function",
    "while threads call",
    "while the first call is made",
    "starts programs",
)
FAULTS = (
    "null",
    "not canonical",
    "abort",
    "terminate",
    "printf",
    "fputs",
    "memcpy",
    "assert",
    "recursion",
    "division",
    "thrust",
    "thrust, many pieces",
    "thrust, recursion",
    "thrust, terminate",
    "thrust, sort",
    "cub",
    "copy",
    "writes just past",
    "writes far past",
)
SIGNALS = {
    "handler before": 0,
    "handler after": 0,
    "handler on a stack of its own": 0,
    "handler that jumps": 0,
    "plain handler that jumps": 0,
    "handler that passes on": 0,
    "handler that passes on the program's fault": -signal.SIGSEGV,
    "handler that exits": 7,
    "handler that faults": -signal.SIGSEGV,
    "fault of the program": -signal.SIGSEGV,
    "abort of the program": -signal.SIGABRT,
    "sent signal": -signal.SIGSEGV,
    "ignored signal": 0,
    "signals while kernels run": 0,
    "signals while threads start": 0,
}


INTERPROCESS = (
    "memory",
    "opened twice",
    "other ordinals",
    "device is not visible",
    "exporter is killed",
    "exporter frees",
    "events",
    "recorder is killed",
    "recorder has a fault",
    "ends while it waits",
)


@pytest.mark.parametrize(("case", "status"), EXITS.items(), ids=EXITS)
def test_a_process_exits_at_any_moment(programs: Path, case: str, status: int) -> None:
    check_status(programs / "exits", case, status, ROUNDS)


@pytest.mark.parametrize("case", FORKS)
def test_a_process_forks_at_any_moment(programs: Path, case: str) -> None:
    check_status(programs / "forks", case, 0, ROUNDS)


@pytest.mark.parametrize("case", INTERPROCESS)
def test_processes_share_memory_and_events(programs: Path, case: str) -> None:
    check_status(programs / "interprocess", case, 0, 3)


VISIBLE: dict[str | None, tuple[str, ...]] = {
    None: ("0", "1", "2", "3"),
    "": ("simtErrorNoDevice",),
    "2": ("2",),
    "3,0": ("3", "0"),
    "1, 2 ,0": ("1", "2", "0"),
    # The first invalid entry ends the list.
    "1,7,2": ("1",),
    "-1": ("simtErrorNoDevice",),
    "1,-1,2": ("1",),
    "none": ("simtErrorNoDevice",),
    # A device that occurs twice.
    "1,1": ("simtErrorNoDevice",),
    # UUIDs, and beginnings of UUIDs; the last one belongs to all four devices.
    "GPU-73696d74-0000-0000-0000-000000000002,1": ("2", "1"),
    "GPU-73696d74": ("simtErrorNoDevice",),
}
"""Maps values of SIMT_VISIBLE_DEVICES to the numbers of the devices, of four, that a process sees.

CUDA C++ Programming Guide, "CUDA Environment Variables".
"""


@pytest.mark.parametrize(("value", "devices"), VISIBLE.items(), ids=map(str, VISIBLE))
def test_visible_devices(programs: Path, value: str | None, devices: tuple[str, ...]) -> None:
    chosen = {} if value is None else {"SIMT_VISIBLE_DEVICES": value}
    done = run(programs / "visible", environment={"SIMT_DEVICE_COUNT": "4", **chosen})
    assert tuple(done.stdout.split("\n")[:-1]) == devices


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_leaves_the_process_alive(programs: Path, case: str) -> None:
    check_status(programs / "faults", case, 0, 3)


@pytest.mark.parametrize(("case", "status"), SIGNALS.items(), ids=SIGNALS)
def test_handlers_of_the_program_work_beside_the_runtime(
    programs: Path, case: str, status: int
) -> None:
    check_status(programs / "signals", case, status, 3)


def test_every_case_is_run(programs: Path) -> None:
    """Every case has a test; interrupts and exit statuses of faults have separate tests."""
    own = {
        "signals": {"waits for ever", "waits with a handler that exits"},
        "faults": {"faults", "faults and fails", "works"},
    }
    for name, cases in (
        ("exits", EXITS),
        ("forks", FORKS),
        ("faults", FAULTS),
        ("signals", SIGNALS),
        ("interprocess", INTERPROCESS),
    ):
        listed = set(run(programs / name).stdout.splitlines())
        assert listed == {*cases, *own.get(name, ())}


@pytest.mark.parametrize(
    ("case", "status"),
    [("waits for ever", -signal.SIGINT), ("waits with a handler that exits", 6)],
    ids=["no handler", "a handler that exits"],
)
def test_an_interrupt_ends_a_wait(programs: Path, case: str, status: int) -> None:
    for _ in range(5):
        with subprocess.Popen(
            [programs / "signals", case],
            stdout=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        ) as process:
            assert process.stdout is not None and process.stdout.readline() == b"waits\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=LIMIT) == status


@pytest.mark.parametrize(
    ("case", "wanted", "status"),
    [
        ("faults", None, 0),
        ("faults", "0", 0),
        ("faults", "99", 99),
        ("faults and fails", "99", 4),
        ("works", "99", 0),
    ],
)
def test_the_exit_status_can_tell_of_a_fault(
    programs: Path, case: str, wanted: str | None, status: int
) -> None:
    environment = {} if wanted is None else {"SIMT_FAULT_EXIT_CODE": wanted}
    done = run(programs / "faults", case, environment=environment)
    assert done.returncode == status, done.stderr


PYTHON = {
    "ends while kernels run": """
        stream = ctypes.c_void_p()
        check(simt.simtStreamCreate(ctypes.byref(stream)))
        for _ in range(50):
            check(simt.simtMemsetAsync(memory, 1, ctypes.c_size_t(size), stream))
        status(3)
    """,
    "daemon threads": """
        import threading
        def work():
            while True:
                simt.simtMemsetAsync(memory, 1, ctypes.c_size_t(size), None)
                simt.simtDeviceSynchronize()
        for _ in range(4):
            threading.Thread(target=work, daemon=True).start()
        time.sleep(0.02)
        status(3)
    """,
    "os._exit": """
        simt.simtMemsetAsync(memory, 1, ctypes.c_size_t(size), None)
        os._exit(3)
    """,
    "fork": """
        child = os.fork()
        if child == 0:
            status(3 if simt.simtDeviceSynchronize() == 3 else 1)
        status(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """,
    "multiprocessing": """
        import multiprocessing
        process = multiprocessing.get_context("fork").Process(
            target=lambda: sys.exit(simt.simtDeviceSynchronize())
        )
        process.start()
        process.join()
        status(process.exitcode)
    """,
    "an uncaught exception": """
        sys.excepthook = lambda *_: None
        simt.simtMemsetAsync(memory, 1, ctypes.c_size_t(size), None)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        atexit.register(lambda: os._exit(3))
        raise RuntimeError
    """,
    "a handler of atexit": """
        atexit.register(lambda: check(simt.simtDeviceSynchronize()))
        simt.simtMemsetAsync(memory, 1, ctypes.c_size_t(size), None)
        status(3)
    """,
    "the library is closed": """
        simt.simtMemsetAsync(memory, 1, ctypes.c_size_t(size), None)
        import _ctypes
        _ctypes.dlclose(simt._handle)
        status(3)
    """,
}


@pytest.mark.parametrize("body", PYTHON.values(), ids=PYTHON)
def test_an_interpreter_ends_at_any_moment(library: Path, body: str) -> None:
    head = f"""
        import atexit, ctypes, os, sys, time
        simt = ctypes.CDLL({str(library)!r})
        def check(error):
            assert error == 0, error
        status = sys.exit
        size = 8 << 20
        memory = ctypes.c_void_p()
        check(simt.simtMalloc(ctypes.byref(memory), ctypes.c_size_t(size)))
    """
    program = textwrap.dedent(head) + textwrap.dedent(body)
    for _ in range(ROUNDS):
        done = run(Path(sys.executable), "-c", program)
        assert done.returncode == 3, done.stderr


def workers_of(programs: Path, environment: Mapping[str, str], command: list[str]) -> int:
    """Number of threads of a waiting program, minus the threads of a program with one worker."""
    counts = []
    for more in (dict(environment), {"SIMT_NUM_THREADS": "1"}):
        with subprocess.Popen(
            [*command, programs / "signals", "waits for ever"],
            stdout=subprocess.PIPE,
            env={**os.environ, **more},
        ) as process:
            assert process.stdout is not None and process.stdout.readline() == b"waits\n"
            time.sleep(0.1)
            counts.append(len(list(Path(f"/proc/{process.pid}/task").iterdir())))
            process.kill()
    return counts[0] - counts[1] + 1


def test_workers_are_as_many_as_the_affinity_allows(programs: Path) -> None:
    assert workers_of(programs, {}, ["taskset", "-c", "0"]) == 1
    assert workers_of(programs, {"SIMT_NUM_THREADS": "5"}, []) == 5


MOUNTS = {
    1: "32 31 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n",
    2: "31 23 0:27 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n",
}


@pytest.fixture(scope="module")
def quota_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("quota") / "quota"
    source = runtime_dir() / "src"
    inputs = [PROGRAMS / "quota.cpp", source / "process" / "processors.cpp"]
    subprocess.run(["g++", "-std=c++17", f"-I{source}", *inputs, "-o", out], check=True)
    return out


@pytest.mark.parametrize(
    ("mounts", "group", "files", "expected"),
    [
        (MOUNTS[2], "0::/\n", {}, "0"),
        (MOUNTS[2], "0::/\n", {"cpu.max": "max 100000"}, "0"),
        (MOUNTS[2], "0::/a/b\n", {"a/b/cpu.max": "150000 100000"}, "1.5"),
        (
            MOUNTS[2],
            "0::/a/b\n",
            {"a/cpu.max": "200000 100000", "a/b/cpu.max": "800000 100000"},
            "2",
        ),
        (
            MOUNTS[1],
            "4:cpu,cpuacct:/c\n0::/\n",
            {"cpu/c/cpu.cfs_quota_us": "300000", "cpu/c/cpu.cfs_period_us": "100000"},
            "3",
        ),
        (
            MOUNTS[1],
            "4:cpu,cpuacct:/c\n",
            {"cpu/c/cpu.cfs_quota_us": "-1", "cpu/c/cpu.cfs_period_us": "100000"},
            "0",
        ),
        # A container sees its own group at the mount point, by the path that it has outside.
        (
            MOUNTS[2].replace(" / /sys", " /docker/x /sys"),
            "0::/docker/x\n",
            {"cpu.max": "400000 100000"},
            "4",
        ),
        ("", "", {}, "0"),
    ],
)
def test_quotas_of_control_groups(
    quota_program: Path,
    tmp_path: Path,
    mounts: str,
    group: str,
    files: dict[str, str],
    expected: str,
) -> None:
    own = tmp_path / "proc" / "self"
    own.mkdir(parents=True)
    (own / "mountinfo").write_text(mounts)
    (own / "cgroup").write_text(group)
    for name, text in files.items():
        path = tmp_path / "sys" / "fs" / "cgroup" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    assert run(quota_program, str(tmp_path)).stdout.strip() == expected
