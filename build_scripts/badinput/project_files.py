"""Invalid project files (`porter.toml`), and repositories that cannot be created in the given folder."""

from __future__ import annotations

from collections.abc import Iterator

from badinput.case import (
    FINDINGS,
    OK,
    REFUSED,
    SOURCE,
    USAGE,
    Case,
    Codes,
    Fifo,
    Folder,
    Link,
    Socket,
    Sparse,
    Thing,
)
from badinput.world import TARGET

READERS: dict[str, tuple[str, ...]] = {
    "mapping check": ("mapping", "check"),
    "mapping show": ("mapping", "show", "cudaMalloc"),
    "target list": ("target", "list"),
    "target new": ("target", "new", "acme"),
    "regenerate": ("regenerate", "--tree", "2.6.0=tree"),
    "run": ("run", "--until", "port", "--pytorch-src", "tree"),
    "port": ("port", "ext", "--out", "new"),
    "overlay list": ("overlay", "list"),
    "upgrade": ("upgrade", "headers-2.6.0", "headers-2.7.1"),
    "doctor": ("doctor",),
}
"""Commands that read defaults from the project file: maps a name to the arguments."""
BROKEN: dict[str, Thing] = {
    "no TOML": "targets = [",
    "a value without a key": "= 1\n",
    "a key twice": 'out = "a"\nout = "b"\n',
    "JSON": '{"targets": ["toy"]}',
    "YAML": "targets:\n  - toy\n",
    "merge markers": '<<<<<<< a\ntargets = ["toy"]\n=======\ntargets = []\n>>>>>>> b\n',
    "deep lists": "targets = " + "[" * 5000,
    "deep and closed": "targets = " + "[" * 5000 + "]" * 5000,
    "a number without end": f"out = {'9' * 5000}",
    "a day that does not exist": "out = 2027-02-30\n",
    "not UTF-8": b'targets = ["\xff"]\n',
    "UTF-16": 'targets = ["toy"]\n'.encode("utf-16"),
    "NUL": "\0" * 100,
    "binary": bytes(range(256)),
    "another key": 'target = "toy"\n',
    "a key with control characters": '"\\u001b[31m" = 1\n',
    "a table": '[targets]\nname = "toy"\n',
    "targets that are a text": 'targets = "toy"\n',
    "targets that are numbers": "targets = [1]\n",
    "targets that are empty texts": 'targets = [""]\n',
    "targets with control characters": 'targets = ["\\u001b[31m"]\n',
    "mappings that are a number": "mappings = 1\n",
    "mappings that are lists": 'mappings = [["maps"]]\n',
    "mappings with NUL": 'mappings = ["\\u0000"]\n',
    "releases that are none": 'releases = ["newest"]\n',
    "releases that are numbers": "releases = [2.6]\n",
    "releases that climb out": 'releases = ["../2.6.0"]\n',
    "releases of 5000 digits": f'releases = ["2.{"9" * 5000}"]\n',
    "locks that are a list": 'locks = ["locks"]\n',
    "locks that are empty": 'locks = ""\n',
    "out that is a number": "out = 1\n",
    "out with control characters": 'out = "a\\u001bb"\n',
    "a folder": Folder(),
    "a named pipe": Fifo(),
    "a socket": Socket(),
    "/dev/zero": Link("/dev/zero"),
    "a link to itself": Link("porter.toml"),
    "a link that leads nowhere": Link("nowhere"),
    "a file without end": Sparse(1 << 40),
}
"""Maps the kind of error to the content of an invalid project file. Every command reports the error with the file."""
MISPLACED = {
    "mappings that are not there": 'mappings = ["nope"]\n',
    "mappings that are a file": 'mappings = ["file"]\n',
    "a target that is not there": 'targets = ["nope"]\nmappings = ["maps"]\n',
    "a target that climbs out": 'targets = ["../x"]\nmappings = ["maps"]\n',
    "a target with a long name": f'targets = ["{"x" * 300}"]\nmappings = ["maps"]\n',
    "out that is a file": 'targets = ["toy"]\nmappings = ["maps"]\nout = "file"\n',
    "out that is below a file": 'targets = ["toy"]\nmappings = ["maps"]\nout = "file/below"\n',
    "locks that are a file": 'targets = ["toy"]\nmappings = ["maps"]\nlocks = "file"\n',
    "a long out": f'targets = ["toy"]\nmappings = ["maps"]\nout = "{"x" * 300}"\n',
}
"""Maps the kind of error to a well-formed project file that refers to missing files."""
_MAYBE: Codes = frozenset({OK, FINDINGS, *REFUSED})
_REPOSITORY = ("target", "new", "acme", "--repo", "mine")


def cases() -> Iterator[Case]:
    """Cases for all combinations of an invalid project file and a command, and with invalid repositories and locks."""
    for name, thing in BROKEN.items():
        for reader, args in READERS.items():
            title = f"{reader}, porter.toml is {name}"
            files = {"porter.toml": thing}
            yield Case(title, args, frozenset({USAGE}), files, says=r"porter\.toml")
    for name, text in MISPLACED.items():
        for reader, args in READERS.items():
            title = f"{reader}, porter.toml has {name}"
            yield Case(title, args, _MAYBE, {"porter.toml": text}, help=False)
    yield Case(
        "regenerate, a project file for another release",
        ("regenerate",),
        frozenset({USAGE, SOURCE}),
        {"porter.toml": 'targets = ["toy"]\nmappings = ["maps"]\nreleases = ["2.6"]\n'},
        {"PORTER_TREES": "2.6=headers-2.7.1"},
        help=False,
    )
    yield from _repositories()
    yield from _locks()


def _repositories() -> Iterator[Case]:
    for name, files in {
        "a project file": {"mine/porter.toml": "by hand\n"},
        "a project file that is a link to itself": {"mine/porter.toml": Link("porter.toml")},
        "a workflow": {"mine/.github/workflows/port.yml": "by hand\n"},
        "a README": {"mine/README.md": "by hand\n"},
        "mappings that are a file": {"mine/mappings": "x"},
        "mappings that are a link to itself": {"mine/mappings": Link("mappings")},
        "locks that are a file": {"mine/locks": "x"},
        "the target": {"mine/mappings/acme/target.yaml": "target: acme\n"},
    }.items():
        title = f"target new --repo, the folder holds {name}"
        yield Case(title, _REPOSITORY, frozenset({OK, *REFUSED}), files, help=False)


def _locks() -> Iterator[Case]:
    """Cases with invalid lock files."""
    args = ("regenerate", *TARGET, "--release", "2.6.0", "--tree", "2.6.0=tree", "--locks", "locks")
    things: dict[str, Thing] = {
        "nothing": "",
        "null": "null",
        "a list": "[]",
        "an open table": "{",
        "a table": "{}",
        "deep lists": "[" * 100_000,
        "not UTF-8": b"\xff",
        "merge markers": "<<<<<<< a\n{}\n=======\n{}\n>>>>>>> b\n",
        "a folder": Folder(),
        "a named pipe": Fifo(),
        "/dev/zero": Link("/dev/zero"),
        "a link to itself": Link("toy-2.6.0.lock.json"),
        "a file without end": Sparse(1 << 40),
    }
    for name, thing in things.items():
        for more in ((), ("--update",)):
            title = f"regenerate {' '.join(more)}, the lock is {name}"
            files = {"locks/toy-2.6.0.lock.json": thing}
            yield Case(title, (*args, *more), _MAYBE, files, help=False)
