"""Unusual paths for every argument and option that takes a path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from badinput.case import (
    BUILD,
    FINDINGS,
    OK,
    OVERLAY,
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
from badinput.world import EDITED, HEADERS, NEWER, TARGET


class Odd(NamedTuple):
    """Unusual path: missing, not of the expected kind, or with unusual characters."""

    name: str
    path: str | bytes
    thing: Thing | None = None
    """Content of the file at the path; None if there is no file."""
    file: str = ""
    """Path at which the content is written; empty for `odd`."""


LONG = "n" * 300
ODD = (
    Odd("absent", "no/such/place"),
    Odd("empty", ""),
    Odd("a folder", "odd", Folder()),
    Odd("an empty file", "odd", ""),
    Odd("below a file", "file/below"),
    Odd("a named pipe", "odd", Fifo()),
    Odd("a socket", "odd", Socket()),
    Odd("/dev/zero", "odd", Link("/dev/zero")),
    Odd("/dev/null", "/dev/null"),
    Odd("/dev/full", "/dev/full"),
    Odd("a link to itself", "odd", Link("odd")),
    Odd("below a link to itself", "odd/below", Link("odd"), "odd"),
    Odd("a link that leads nowhere", "odd", Link("nowhere/at/all")),
    Odd("a long name", LONG),
    Odd("a long path", "/".join(["n" * 200] * 30)),
    Odd("a line end", "two\nerror: lines"),
    Odd("control characters", "a\x1b[31mb\x07\r"),
    Odd("not UTF-8", b"b\xff\xfe"),
    Odd("characters that turn text around", "a\u202eb\u2066"),
    Odd("a blank", " "),
    Odd("not writable", "/proc/nothing"),
    Odd("a file without end", "odd", Sparse(1 << 40)),
    Odd("a file of NUL bytes", "odd", Sparse(4096)),
    Odd("not text", "odd", bytes(range(256))),
)


class Slot(NamedTuple):
    """Command with one argument that takes a path; all other arguments are valid."""

    name: str
    before: tuple[str, ...]
    after: tuple[str, ...] = ()
    codes: Codes = REFUSED
    end: str = ""
    """Suffix that the path must have for this command."""


WRITES: Codes = frozenset({OK, *REFUSED})
_TREE = ("--pytorch-src", "tree")
_MAPS = ("--mappings", "maps", "--target", "toy")
_RUN = ("run", "--until", "port")
_REGENERATE = ("regenerate", *_MAPS, "--release", "2.6.0", "--tree", "2.6.0=tree")
_EXTENSION = ("--python", "/bin/false", *TARGET, "--out", "new")
_DRY = ("--ops", "nothing", "--python", "/bin/false")
_CHECKED: Codes = frozenset({SOURCE})
_MAYBE: Codes = frozenset({OK, FINDINGS, *REFUSED})
_BUILT: Codes = frozenset({*REFUSED, BUILD})
_MERGED: Codes = frozenset({*REFUSED, OVERLAY})
_OWN = ("--owner", "me", "--reason", "slow", "--mappings", "maps")
_IMPORTED = ("--owner", "me", *TARGET)
_PROVE = ("release", "prove", "2.6.0", "--tree", f"2.6.0={HEADERS}", *TARGET, "-j", "1")
SLOTS = (
    Slot("run --pytorch-src", (*_RUN, *TARGET, "--out", "new", "--pytorch-src")),
    Slot("run --out", (*_RUN, *TARGET, *_TREE, "--out"), codes=WRITES),
    Slot("run --mappings", (*_RUN, *_TREE, "-t", "toy", "--out", "new", "--mappings")),
    Slot("port PATH", ("port", *TARGET, "--out", "new"), codes=REFUSED),
    Slot("port --out", ("port", "ext", *TARGET, "--out"), codes=WRITES),
    Slot("port --mappings", ("port", "ext", "-t", "toy", "--out", "new", "--mappings")),
    Slot("extension build DIR", ("extension", "build", *_EXTENSION), codes=REFUSED),
    Slot(
        "extension build --out",
        ("extension", "build", "ext", "--python", "/bin/false", *TARGET, "--out"),
        codes=REFUSED,
    ),
    Slot(
        "extension build --python",
        ("extension", "build", "ext", *TARGET, "--out", "new", "--python"),
    ),
    Slot("check SOURCES", ("check",), codes=REFUSED),
    Slot("check --suppressions", ("check", "ext/setup.py", "--suppressions"), codes=REFUSED),
    Slot("toolkit --python", ("toolkit", *TARGET, "--torch", "--python")),
    Slot("scan PATH", ("scan",), (*TARGET,)),
    Slot("scan --mappings", ("scan", "ext", "-t", "toy", "--mappings")),
    Slot("explain FILE", ("explain",), TARGET, codes=frozenset({OK, *REFUSED})),
    Slot("explain FILE.cu", ("explain",), TARGET, end=".cu", codes=frozenset({OK, *REFUSED})),
    Slot("explain FILE:LINE", ("explain",), TARGET, end=":3", codes=REFUSED),
    Slot("explain --pytorch-src", ("explain", "nothing.cu", *TARGET, "--pytorch-src")),
    Slot("explain --out", ("explain", "nothing.cu", *TARGET, "--out")),
    Slot("regenerate --locks", (*_REGENERATE, "--locks"), codes=_MAYBE),
    Slot("regenerate --out", (*_REGENERATE, "--update", "--locks", "new", "--out"), codes=WRITES),
    Slot("regenerate --report", (*_REGENERATE, "--locks", "new", "--report"), codes=_MAYBE),
    Slot("regenerate --html", (*_REGENERATE, "--locks", "new", "--html"), codes=_MAYBE),
    Slot("regenerate --summary", (*_REGENERATE, "--locks", "new", "--summary"), codes=_MAYBE),
    Slot("regenerate --mappings", ("regenerate", "-t", "toy", "--release", "2.6.0", "--mappings")),
    Slot(
        "compare --pytorch-src", ("compare", "simt", "toy", "--mappings", "maps", "--pytorch-src")
    ),
    Slot("compare --mappings", ("compare", "simt", "toy", *_TREE, "--mappings")),
    Slot("diff A", ("diff",), ("out/toy/2.6.0",)),
    Slot("diff B", ("diff", "out/toy/2.6.0")),
    Slot("diff --html", ("diff", "out/toy/2.6.0", "out/toy/2.6.0", "--html"), codes=WRITES),
    Slot("diff A.jsonl", ("diff",), ("x.jsonl",), end=".jsonl"),
    Slot("report DIR", ("report",)),
    Slot("report --html", ("report", "out/toy/2.6.0", "--html"), codes=WRITES),
    Slot(
        "report --pytorch-src",
        ("report", "out/toy/2.6.0", "--html", "new", "--pytorch-src"),
        codes=WRITES,
    ),
    Slot("mapping check --mappings", ("mapping", "check", "-t", "toy", "--mappings")),
    Slot("mapping check --html", ("mapping", "check", "-t", "simt", "--html"), codes=WRITES),
    Slot("mapping check --sdk", ("mapping", "check", "-t", "simt", "--sdk")),
    Slot("mapping coverage --mappings", ("mapping", "coverage", "-t", "toy", "--mappings")),
    Slot("mapping show --mappings", ("mapping", "show", "cudaMalloc", "-t", "toy", "--mappings")),
    Slot("mapping import FILE", ("mapping", "import"), ("--area", "runtime")),
    Slot("mapping import FILE.json", ("mapping", "import"), ("--area", "runtime"), end=".json"),
    Slot("mapping import FILE.py", ("mapping", "import"), ("--area", "runtime"), end=".py"),
    Slot("mapping import FILE.h", ("mapping", "import"), ("--area", "runtime"), end=".h"),
    Slot(
        "mapping import --mappings",
        ("mapping", "import", "table.h", "--area", "runtime", "-t", "toy", "--mappings"),
    ),
    Slot(
        "mapping import --out",
        ("mapping", "import", "table.json", "--area", "runtime", "--out"),
        codes=WRITES,
    ),
    Slot("target list --mappings", ("target", "list", "--mappings"), codes=WRITES),
    Slot("target new --repo", ("target", "new", "acme", "--repo"), codes=WRITES),
    Slot("target new --mappings", ("target", "new", "acme", "--mappings"), codes=WRITES),
    Slot("simt build --out", ("simt", "build", "--compiler", "false", "--out"), codes=_BUILT),
    Slot("simt build --compiler", ("simt", "build", "--out", "new", "--compiler"), codes=_BUILT),
    Slot(
        "simt build --launcher",
        ("simt", "build", "--out", "new", "--compiler", "false", "--launcher"),
        codes=_BUILT,
    ),
    Slot("simt flags --out", ("simt", "flags", "--out"), codes=WRITES),
    Slot("doctor --out", ("doctor", *TARGET, "--out"), codes=_MAYBE),
    Slot("doctor --pytorch-src", ("doctor", *TARGET, "--pytorch-src"), codes=_MAYBE),
    Slot("doctor --mappings", ("doctor", "-t", "toy", "--mappings"), codes=_MAYBE),
    Slot("verify --python", ("verify", *TARGET, "--out", "new", "--python"), codes=_CHECKED),
    Slot("verify --out", ("verify", *TARGET, *_DRY, "--out"), codes=_CHECKED | {USAGE}),
    Slot("verify --mappings", ("verify", "-t", "toy", *_DRY, "--mappings")),
    Slot("verify --suppressions", ("verify", *TARGET, *_DRY, "--suppressions"), codes=REFUSED),
    Slot("verify --junit", ("verify", *TARGET, *_DRY, "--junit"), codes=_CHECKED | {USAGE}),
    Slot(
        "device-tests --pytorch-src",
        ("device-tests", *TARGET, "--python", "/bin/false", "--pytorch-src"),
    ),
    Slot(
        "device-tests --out", ("device-tests", *TARGET, *_TREE, "--python", "/bin/false", "--out")
    ),
    Slot(
        "device-tests --python",
        ("device-tests", *TARGET, *_TREE, "--out", "new", "--python"),
    ),
    Slot(
        "op new --out",
        (
            "op",
            "new",
            "mine",
            "--schema",
            "f(Tensor x) -> Tensor",
            "--python",
            "/bin/false",
            "--out",
        ),
    ),
    Slot(
        "op new --python",
        ("op", "new", "mine", "--schema", "f(Tensor x) -> Tensor", "--python"),
    ),
    Slot("op build DIR", ("op", "build"), ("--python", "/bin/false", *TARGET)),
    Slot("op build --python", ("op", "build", "mine", *TARGET, "--python")),
    Slot("op test DIR", ("op", "test"), ("--python", "/bin/false", *TARGET)),
    Slot("abi A", ("abi",), ("--compiler", "/bin/false"), codes=_BUILT),
    Slot("abi B", ("abi", HEADERS), ("--compiler", "/bin/false"), codes=_BUILT),
    Slot("abi --compiler", ("abi", HEADERS, "--compiler"), codes=_BUILT),
    Slot("upgrade A", ("upgrade", *TARGET, "-j", "1"), (NEWER,)),
    Slot("upgrade B", ("upgrade", *TARGET, "-j", "1", HEADERS)),
    Slot("upgrade --mappings", ("upgrade", HEADERS, NEWER, "-t", "toy", "--mappings")),
    Slot("overlay save FILE", ("overlay", "save", *_OWN)),
    Slot("overlay save --pytorch-src", ("overlay", "save", EDITED, *_OWN, "--pytorch-src")),
    Slot("overlay save --mappings", ("overlay", "save", EDITED, *_OWN, "--mappings")),
    Slot("overlay import PATH", ("overlay", "import", *_IMPORTED, *_TREE), codes=_MERGED),
    Slot("overlay import --pytorch-src", ("overlay", "import", "ext", *_IMPORTED, "--pytorch-src")),
    Slot(
        "overlay import --mappings",
        ("overlay", "import", "ext", "-t", "toy", "--owner", "me", *_TREE, "--mappings"),
    ),
    Slot("overlay list --mappings", ("overlay", "list", "-t", "toy", "--mappings")),
    Slot("overlay show --mappings", ("overlay", "show", "mine", "-t", "toy", "--mappings")),
    Slot("overlay drop --mappings", ("overlay", "drop", "mine", "-t", "toy", "--mappings")),
    Slot("overlay rebase --mappings", ("overlay", "rebase", "-t", "toy", *_TREE, "--mappings")),
    Slot("overlay rebase --pytorch-src", ("overlay", "rebase", *TARGET, "--pytorch-src")),
    Slot(
        "release fetch --from-checkout",
        ("release", "fetch", "2.6.0", "--from-checkout"),
    ),
    Slot("release fetch --git", ("release", "fetch", "9.9.9", "--git")),
    Slot("release prove --out", (*_PROVE, "--out"), codes=_MAYBE),
    Slot("release prove --report", (*_PROVE, "--report"), codes=_MAYBE),
    Slot("release prove --mappings", ("release", "prove", "2.6.0", "-t", "toy", "--mappings")),
)


def cases() -> Iterator[Case]:
    """Cases for all combinations of a slot and an unusual path."""
    for slot in SLOTS:
        for odd in ODD:
            end = slot.end.encode() if isinstance(odd.path, bytes) else slot.end
            path = odd.path + end  # type: ignore[operator]
            put = slot.end if slot.end != ":3" else ""
            files = {} if odd.thing is None else {f"{odd.file or 'odd'}{put}": odd.thing}
            args = (*slot.before, path, *slot.after)
            yield Case(f"{slot.name}: {odd.name}", args, slot.codes, files, help=False)
