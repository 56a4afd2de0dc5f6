"""Unusual environments: closed or full streams, missing folders, useless values of variables, signals."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping

from badinput.case import (
    FINDINGS,
    INTERRUPTED,
    OK,
    REFUSED,
    SOURCE,
    Case,
    Codes,
    Fifo,
    Folder,
    Link,
)
from badinput.world import PORT, RUN, TARGET

_PORT = "out/toy/2.6.0"
WORKS: dict[str, tuple[str, ...]] = {
    "run": RUN,
    "run --json": (*RUN, "--json"),
    "port": PORT,
    "scan": ("scan", "ext", *TARGET),
    "explain": ("explain", "cudaMalloc", *TARGET),
    "explain FILE": ("explain", "ext/a.cu", *TARGET),
    "diff": ("diff", _PORT, _PORT),
    "report": ("report", _PORT),
    "regenerate": ("regenerate", *TARGET, "--release", "2.6.0", "--tree", "2.6.0=tree"),
    "mapping check": ("mapping", "check", *TARGET),
    "mapping show": ("mapping", "show", *TARGET, "cudaMalloc"),
    "mapping schema": ("mapping", "schema"),
    "mapping coverage": ("mapping", "coverage", *TARGET),
    "mapping import": ("mapping", "import", "table.json", "--area", "runtime"),
    "target list": ("target", "list", "--mappings", "maps"),
    "target new": ("target", "new", "acme", "--mappings", "maps"),
    "release list": ("release", "list"),
    "release show": ("release", "show", "2.6.0"),
    "simt flags": ("simt", "flags"),
    "doctor": ("doctor", *TARGET),
    "--help": ("--help",),
    "--version": ("--version",),
    "run --help": ("run", "--help"),
}
"""Maps a name to the arguments of a command that succeeds and changes no files."""
_FINE: Codes = frozenset({OK, FINDINGS})
ENVIRONMENTS: dict[str, Mapping[str, str | None]] = {
    "no HOME": {"HOME": None, "XDG_CACHE_HOME": None},
    "HOME is a file": {"HOME": "file", "XDG_CACHE_HOME": None, "PORTER_CACHE": None},
    "the cache is a file": {"PORTER_CACHE": "file"},
    "the cache is below a file": {"PORTER_CACHE": "file/below"},
    "the cache is a link to itself": {"PORTER_CACHE": "loop"},
    "the cache has a long name": {"PORTER_CACHE": "n" * 300},
    "the cache cannot be written": {"PORTER_CACHE": "/proc/nothing"},
    "an empty PORTER_CACHE": {"PORTER_CACHE": "", "HOME": ".", "XDG_CACHE_HOME": None},
    "TMPDIR is absent": {"TMPDIR": "no/such/place"},
    "one column": {"COLUMNS": "1"},
    "columns are no number": {"COLUMNS": "x", "LINES": "-1"},
    "a dumb terminal": {"TERM": "dumb"},
    "no terminal's name": {"TERM": None},
    "no PATH": {"PATH": None},
    "an empty PATH": {"PATH": ""},
    "CXX is odd": {"CXX": "no 'such"},
    "CXX is blank": {"CXX": " "},
    "PORTER_MAPPINGS is absent": {"PORTER_MAPPINGS": "no/such/place"},
}
FRESH: dict[str, Mapping[str, str | None]] = {
    "LANG=C": {"LANG": "C", "LC_ALL": "C"},
    "ASCII": {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "POSIX"},
    "an unknown encoding of the locale": {"LANG": "xx_YY.nope", "LC_ALL": None},
    "no environment": {"HOME": None, "LANG": None, "LC_ALL": None, "TERM": None},
    "Latin-1 streams": {"PYTHONIOENCODING": "latin-1"},
}
_LOOPS = {"loop": Link("loop")}


def streams() -> Iterator[Case]:
    """Cases in which standard streams are closed, full, or have no reader."""
    for name, args in WORKS.items():
        fine = _FINE
        yield Case(f"{name} >&-", args, fine, stdout="closed")
        yield Case(f"{name} 2>&-", args, fine, stderr="closed")
        yield Case(f"{name} <&-", args, fine, stdin="closed")
        yield Case(
            f"{name} >&- 2>&- <&-", args, fine, stdin="closed", stdout="closed", stderr="closed"
        )
        yield Case(
            f"{name} >/dev/full",
            args,
            frozenset({SOURCE}),
            stdout="/dev/full",
            says="stdout",
        )
        yield Case(f"{name} 2>/dev/full", args, fine, stderr="/dev/full")
        yield Case(
            f"{name} in a folder that is gone",
            args,
            frozenset({OK, FINDINGS, *REFUSED}),
            gone=True,
            help=False,
        )
    for name in ("run", "explain", "--version"):
        yield Case(f"{name} >&-, fresh", WORKS[name], _FINE, stdout="closed", fresh=True)
        yield Case(f"{name} 2>&-, fresh", WORKS[name], _FINE, stderr="closed", fresh=True)
        yield Case(
            f"{name} >/dev/full, fresh",
            WORKS[name],
            frozenset({SOURCE}),
            stdout="/dev/full",
            fresh=True,
        )
        yield Case(
            f"{name} >&- 2>&- <&-, fresh",
            WORKS[name],
            _FINE,
            stdin="closed",
            stdout="closed",
            stderr="closed",
            fresh=True,
        )
    for name, text in (
        ("nothing", ""),
        ("no UTF-8", "\udcff\udcfe"),
        ("control characters", "cudaX\x1b[31m\n"),
        ("a long line", "x" * 1_000_000),
        ("NUL", "a\0b"),
    ):
        yield Case(
            f"names from a stdin of {name}",
            ("mapping", "show", *TARGET, "-"),
            frozenset({OK, *REFUSED}),
            stdin=f"={text}",
        )
    for place in ("/dev/zero", "/dev/full"):
        yield Case(
            f"names from {place}",
            ("mapping", "show", *TARGET, "-"),
            frozenset({OK, *REFUSED}),
            stdin=place,
            help=False,
        )
    yield Case("an error >/dev/full", ("run", "--nope"), frozenset({2}), stdout="/dev/full")
    yield Case("an error 2>/dev/full", ("run", "--nope"), frozenset({2}), stderr="/dev/full")
    yield Case("an error 2>&-", ("run", "--nope"), frozenset({2}), stderr="closed")


def environments() -> Iterator[Case]:
    """Cases in which environment variables have useless values."""
    for title, env in ENVIRONMENTS.items():
        for name in (
            "run",
            "port",
            "scan",
            "explain",
            "mapping check",
            "target list",
            "doctor",
            "simt flags",
        ):
            codes = _FINE | REFUSED if "MAPPINGS" in title or "TMPDIR" in title else _FINE
            yield Case(f"{name}, {title}", WORKS[name], codes, _LOOPS, env, help=False)
    for title, env in FRESH.items():
        for name in ("run", "scan", "doctor"):
            yield Case(
                f"{name}, {title}",
                WORKS[name],
                _FINE | {SOURCE},
                {"ext/\u00e9.cu": "cudaFree(p);\n"},
                env,
                fresh=True,
            )
    for thing, title in (
        (Fifo(), "a named pipe"),
        (Folder(), "a folder"),
        (Link("lock"), "a link to itself"),
    ):
        yield Case(
            f"run, the lock is {title}",
            RUN,
            frozenset({OK, SOURCE}),
            {"out/toy/.2.6.0.lock": thing},
            help=False,
        )
        yield Case(
            f"run, the staging folder is {title}",
            RUN,
            frozenset({OK, SOURCE}),
            {"out/toy/.2.6.0.staging": thing},
            help=False,
        )
        yield Case(
            f"run, the port is {title}",
            RUN,
            frozenset({OK, SOURCE}),
            {"new/toy/2.6.0": thing},
            help=False,
        )


def signals() -> Iterator[Case]:
    """Cases that send Ctrl-C at different times."""
    tables = {"maps/toy/more.yaml": "area: runtime\nrules: []\n"}
    for name in ("run", "port", "scan", "mapping check", "target list", "explain FILE"):
        for step in range(6):
            yield Case(
                f"{name}, Ctrl-C after {step * 30} ms",
                WORKS[name],
                frozenset({OK, FINDINGS, INTERRUPTED}),
                tables,
                help=False,
                signal=signal.SIGINT,
                after=step * 0.03,
            )
