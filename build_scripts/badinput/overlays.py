"""Invalid overlays, and ports whose hand-made changes cannot be saved."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping

from badinput.case import (
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
    Gone,
    Link,
    Sparse,
    Thing,
)
from badinput.world import EDITED, PORTED_TEXT, RUN, TARGET

_FOLDER = "maps/toy/overlays"
FILE = "c10/cuda/CUDAMemory.cpp"
_OWN = ("--owner", "me@acme.example", "--reason", "slow")
_MAPS = ("--mappings", "maps")
_TREE = ("--pytorch-src", "tree")
SAVE = ("overlay", "save", EDITED, *_OWN, *_MAPS)
IMPORT = ("overlay", "import", "patches", "--owner", "me@acme.example", *_TREE, *TARGET)
READERS: dict[str, tuple[str, ...]] = {
    "overlay list": ("overlay", "list", *TARGET),
    "overlay show": ("overlay", "show", "mine", *TARGET),
    "overlay rebase": ("overlay", "rebase", *_TREE, *TARGET),
    "overlay drop": ("overlay", "drop", "mine", *TARGET),
    "run": RUN,
    "upgrade": ("upgrade", "headers-2.6.0", "headers-2.7.1", *TARGET, "-j", "1"),
}
"""Commands that read the overlays of a target."""
_REFUSED: Codes = frozenset({OVERLAY})
_MAYBE: Codes = frozenset({OK, FINDINGS, OVERLAY})
_HUNK = (
    f"--- {FILE}\n+++ {FILE}\n@@ -2,3 +2,3 @@\n void* take(size_t n) {{\n"
    "-  void* p = nullptr;\n+  void* p = 0;\n   toyMalloc(&p, n);\n"
)


def patch(hunk: str = _HUNK, base: bytes = PORTED_TEXT, **head: str | None) -> str:
    """Text of a patch file. `head` replaces lines of its header; the value None removes a line."""
    values: dict[str, str | None] = {
        "File": FILE,
        "Owner": "me@acme.example",
        "Reason": "slow",
        "Release": "2.6.0",
        "Base": hashlib.sha256(base).hexdigest(),
        **head,
    }
    lines = [f"{key}: {value}\n" for key, value in values.items() if value is not None]
    return "".join(lines) + "\n" + hunk


_BASE = gzip.compress(PORTED_TEXT, mtime=0)
HEADS: dict[str, Mapping[str, str | None]] = {
    "no File": {"File": None},
    "no Owner": {"Owner": None},
    "no Reason": {"Reason": None},
    "no Release": {"Release": None},
    "no Base": {"Base": None},
    "an empty Owner": {"Owner": ""},
    "a File that climbs out": {"File": "../../etc/passwd"},
    "an absolute File": {"File": "/etc/passwd"},
    "a File with control characters": {"File": "a\x1b[31m"},
    "a File of blanks": {"File": "   "},
    "an Owner with control characters": {"Owner": "\x1b[31mred"},
    "a day that does not exist": {"Expires": "2027-02-30"},
    "a month that does not exist": {"Expires": "2027-13-01"},
    "a day that is no date": {"Expires": "tomorrow"},
    "a day in other digits": {"Expires": "\u0662\u0660\u0662\u0667-\u0660\u0661-\u0660\u0661"},
    "a day with a time": {"Expires": "2027-01-01T00:00:00"},
    "the year 0": {"Expires": "0000-01-01"},
    "a Release that is none": {"Release": "x"},
    "a Release of 5000 digits": {"Release": "9" * 5000 + ".0"},
    "a Release with control characters": {"Release": "2.6\x07"},
    "an empty Since": {"Since": ""},
    "a Since that is none": {"Since": "x"},
    "a Since of one number": {"Since": "2"},
    "a Since of four numbers": {"Since": "2.6.0.1"},
    "a Since of CUDA": {"Since": "cuda 12.4"},
    "a Since with a suffix": {"Since": "2.6.0a0"},
    "a Since of 5000 digits": {"Since": "9" * 5000 + ".0"},
    "a Since in other digits": {"Since": "\u0662.\u0666"},
    "a Since with control characters": {"Since": "2.6\x07"},
    "an empty Until": {"Until": ""},
    "an Until that is none": {"Until": "latest"},
    "an Until of 5000 digits": {"Until": "2." + "9" * 5000},
    "a Since after Until": {"Since": "2.7", "Until": "2.6"},
    "a Since after Until of its minor": {"Since": "2.6.1", "Until": "2.6.0"},
    "an Order of 0": {"Order": "0"},
    "an Order that is no number": {"Order": "first"},
    "an Order of 5000 digits": {"Order": "9" * 5000},
    "an Order in other digits": {"Order": "²"},
    "a Base that is no sum": {"Base": "x"},
    "a Base of another text": {"Base": "0" * 64},
    "another key": {"Author": "me"},
}
"""Maps the kind of error to invalid header lines of an overlay."""
PATCHES: dict[str, Thing] = {
    "nothing": "",
    "an empty line": "\n",
    "no header": "\n" + _HUNK,
    "no empty line behind the header": patch().replace("\n\n", "\n"),
    "a header line twice": "Owner: you\n" + patch(),
    "lines that end in CRLF": patch().replace("\n", "\r\n"),
    "not UTF-8": b"Owner: \xff\xfe\n" + patch().encode(),
    "UTF-16": patch().encode("utf-16"),
    "binary": bytes(range(256)) * 40,
    "NUL": "\0" * 4096,
    "no diff": patch("not a diff\n"),
    "an open hunk": patch(_HUNK[: len(_HUNK) // 2]),
    "a hunk of other text": patch(_HUNK.replace("toyMalloc", "toyNope")),
    "a hunk past the end": patch(_HUNK.replace("@@ -2,3 +2,3 @@", "@@ -900,3 +900,3 @@")),
    "a hunk of negative lines": patch(_HUNK.replace("-2,3", "--2,3")),
    "a hunk of 5000 digits": patch(_HUNK.replace("-2,3", f"-{'9' * 5000},3")),
    "hunks that overlap": patch(_HUNK + _HUNK.split("\n", 2)[2]),
    "merge markers": "<<<<<<< ours\n" + patch() + "=======\n>>>>>>> theirs\n",
    "a binary diff": patch("GIT binary patch\nliteral 3\nKcmZQz\n\n"),
    "a named pipe": Fifo(),
    "a folder": Folder(),
    "/dev/zero": Link("/dev/zero"),
    "a link to itself": Link("mine.patch"),
    "a link that leads nowhere": Link("nowhere"),
    "a file without end": Sparse(1 << 40),
    "gone": Gone(),
}
"""Maps the kind of error to content that is not a valid patch file of an overlay."""
BASES: dict[str, Thing] = {
    "nothing": "",
    "text": PORTED_TEXT,
    "cut off": _BASE[:-8],
    "with bytes behind": _BASE + b"x",
    "of another text": gzip.compress(b"int other;\n", mtime=0),
    "of a text of 1 GB": gzip.compress(b"\0" * (1 << 20), mtime=0) * 8,
    "a named pipe": Fifo(),
    "a folder": Folder(),
    "/dev/zero": Link("/dev/zero"),
    "a link to itself": Link("mine.base.gz"),
    "a file without end": Sparse(1 << 40),
    "gone": Gone(),
}
"""Maps the kind of error to content that is not a valid base of an overlay."""
PUT: Mapping[str, Thing] = {f"{_FOLDER}/mine.patch": patch(), f"{_FOLDER}/mine.base.gz": _BASE}
"""Files of a valid overlay: a dict from path to content."""
EDITS: dict[str, tuple[Thing, Codes]] = {
    "UTF-16": ("int a;\n".encode("utf-16"), frozenset({SOURCE})),
    "NUL": (b"int a;\0", frozenset({SOURCE})),
    "not UTF-8": (b"// \xff\xfe\n" + PORTED_TEXT, frozenset({OK})),
    "CRLF": (PORTED_TEXT.replace(b"\n", b"\r\n"), frozenset({OK})),
    "nothing": ("", frozenset({OK})),
    "no line end": (PORTED_TEXT.rstrip(b"\n") + b" // end", frozenset({OK})),
    "merge markers": (
        b"<<<<<<< a\n" + PORTED_TEXT + b"=======\nx\n>>>>>>> b\n",
        frozenset({OK, OVERLAY, SOURCE, USAGE}),
    ),
    "as it was": (PORTED_TEXT, frozenset({USAGE})),
    "a folder": (Folder(), frozenset({USAGE, SOURCE})),
    "a named pipe": (Fifo(), frozenset({USAGE, SOURCE})),
    "/dev/zero": (Link("/dev/zero"), frozenset({USAGE, SOURCE})),
    "a link to itself": (Link("TOYMemory.cpp"), frozenset({USAGE, SOURCE})),
    "a link to another file": (Link("TOYStream.h"), frozenset({OK, USAGE, SOURCE})),
    "a file without end": (Sparse(1 << 40), frozenset({SOURCE})),
    "gone": (Gone(), frozenset({USAGE, SOURCE})),
}
"""Maps the kind of a hand-made change to (changed file, permitted exit codes of saving it)."""
_UPSTREAM_HUNK = _HUNK.replace("toyMalloc", "cudaMalloc")
IMPORTED: dict[str, tuple[Thing, Codes]] = {
    "nothing": ("", frozenset({OVERLAY, SOURCE, USAGE})),
    "no diff": ("just words\n", frozenset({OVERLAY, SOURCE, USAGE})),
    "of another text": (_HUNK.replace("toyMalloc", "cudaNope"), frozenset({OVERLAY})),
    "that climbs out": (
        _UPSTREAM_HUNK.replace(FILE, f"../../{FILE}"),
        frozenset({OK, OVERLAY, SOURCE, USAGE}),
    ),
    "of a file that is not there": (_UPSTREAM_HUNK.replace("Memory", "Nope"), _MAYBE),
    "of a new file": (
        "--- /dev/null\n+++ b/c10/cuda/New.cpp\n@@ -0,0 +1 @@\n+int a;\n",
        _MAYBE,
    ),
    "with an open hunk": (_UPSTREAM_HUNK[:-20], frozenset({OVERLAY, SOURCE, USAGE})),
    "with lines that end in CRLF": (_UPSTREAM_HUNK.replace("\n", "\r\n"), _MAYBE),
    "of binary text": ("diff --git a/x b/x\nGIT binary patch\nliteral 3\nKcmZQz\n\n", _MAYBE),
    "of bytes": (bytes(range(256)) * 40, frozenset({OVERLAY, SOURCE, USAGE})),
    "of control characters": (_UPSTREAM_HUNK.replace(FILE, "a\x1b[31m"), _MAYBE),
    "with merge markers": (
        "<<<<<<< a\n" + _UPSTREAM_HUNK + ">>>>>>> b\n",
        frozenset({OK, OVERLAY, SOURCE, USAGE}),
    ),
    "that is a named pipe": (Fifo(), frozenset({SOURCE, USAGE})),
    "that is a link to itself": (Link("a.patch"), frozenset({SOURCE, USAGE})),
    "that is a file without end": (Sparse(1 << 40), frozenset({SOURCE, OVERLAY, USAGE})),
}
"""Maps the kind of a patch to (its text, permitted exit codes of its import)."""
CONFLICTS: dict[str, Thing] = {
    "nothing": "",
    "still with markers": "<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n",
    "not UTF-8": b"\xff\xfe\n",
    "NUL": "\0" * 64,
    "UTF-16": "int a;".encode("utf-16"),
    "a named pipe": Fifo(),
    "a folder": Folder(),
    "/dev/zero": Link("/dev/zero"),
    "a link to itself": Link("mine.conflict"),
    "a file without end": Sparse(1 << 40),
}
"""Maps the kind of error to the file that the user edited after a conflict."""


SPLITS = (" ", "mine", "../x", "a/b", "a\nb", "\x1b[31m", b"\xff", ".x", "x" * 300, "x" * 100_000)
"""Names that are invalid for the second overlay of a split."""


def cases() -> Iterator[Case]:
    """Cases with invalid overlays, patches and edited files."""
    for name, head in HEADS.items():
        files = {**PUT, f"{_FOLDER}/mine.patch": patch(**head)}
        for reader, args in READERS.items():
            yield Case(f"{reader}, an overlay with {name}", args, _REFUSED, files)
    for name, thing in PATCHES.items():
        files = {**PUT, f"{_FOLDER}/mine.patch": thing}
        for reader, args in READERS.items():
            yield Case(f"{reader}, an overlay that is {name}", args, _REFUSED, files)
    for name, thing in BASES.items():
        files = {**PUT, f"{_FOLDER}/mine.base.gz": thing}
        for reader, args in READERS.items():
            yield Case(f"{reader}, a base that is {name}", args, _REFUSED, files)
    for name, thing in {
        "a file": "x",
        "a named pipe": Fifo(),
        "a link to itself": Link("overlays"),
    }.items():
        for reader, args in READERS.items():
            codes = frozenset({OK, FINDINGS, USAGE, SOURCE, OVERLAY})
            yield Case(f"{reader}, the folder of overlays is {name}", args, codes, {_FOLDER: thing})
    yield from _changed()


def _changed() -> Iterator[Case]:
    for name, (thing, codes) in EDITS.items():
        told = isinstance(thing, (str, bytes, Folder))
        yield Case(f"overlay save, a file that is {name}", SAVE, codes, {EDITED: thing}, help=told)
    for name, (thing, codes) in IMPORTED.items():
        files = {"patches/a.patch": thing}
        told = isinstance(thing, (str, bytes))
        yield Case(f"overlay import, a patch {name}", IMPORT, codes, files, help=told)
    for name, thing in CONFLICTS.items():
        edited, under = f"{_FOLDER}/mine.conflict", f"{_FOLDER}/mine.conflict.gz"
        files = {**_conflict(), edited: thing}
        codes = frozenset({OK, OVERLAY, SOURCE})
        # If the file to edit is missing, a rebase writes the conflict again.
        yield Case(
            f"overlay rebase, a conflict that is {name}",
            READERS["overlay rebase"],
            codes,
            files,
            writes=frozenset({edited} if isinstance(thing, Link) else ()),
        )
        files = {**_conflict(), under: thing}
        yield Case(
            f"overlay rebase, the base of a conflict is {name}",
            READERS["overlay rebase"],
            codes,
            files,
            help=not isinstance(thing, Folder),
            writes=frozenset({under}),
        )
    files = {**PUT, f"{_FOLDER}/mine.patch": patch(Release="2.5.0")}
    for second in SPLITS:
        args = ("overlay", "rebase", "mine", *_TREE, *TARGET, "--split", "--name", second)
        told = f"{second[:9]!r} of length {len(second)}"
        yield Case(f"overlay rebase --split --name {told}", args, REFUSED, files)
    for bound in ({"Since": "2.7"}, {"Until": "2.5"}, {"Release": "2.6.0"}, {"Release": "2.6"}):
        files = {**PUT, f"{_FOLDER}/mine.patch": patch(**{"Release": "2.5.0", **bound})}
        args = ("overlay", "rebase", "mine", *_TREE, *TARGET, "--split")
        yield Case(f"overlay rebase --split of {bound}", args, frozenset({USAGE}), files)
    yield Case("run, an overlay with a conflict", RUN, _REFUSED, _conflict())
    gone = patch(File="c10/cuda/Gone.cpp")
    yield Case(
        "run, an overlay of a file that is not there",
        RUN,
        _REFUSED,
        {**PUT, f"{_FOLDER}/mine.patch": gone},
    )
    twice = {
        **PUT,
        "more/toy/overlays/mine.patch": patch(),
        "more/toy/overlays/mine.base.gz": _BASE,
    }
    yield Case(
        "overlay list, two overlays of one name",
        ("overlay", "list", *TARGET, "--mappings", "more"),
        frozenset({OVERLAY, *REFUSED}),
        twice,
    )


def _conflict() -> dict[str, Thing]:
    """Files of an overlay that conflicts with the case's port."""
    base = PORTED_TEXT.replace(b"void* p = nullptr", b"char* p = nullptr")
    hunk = _HUNK.replace("-  void* p = nullptr", "-  char* p = nullptr")
    return {
        f"{_FOLDER}/mine.patch": patch(hunk, base),
        f"{_FOLDER}/mine.base.gz": gzip.compress(base, mtime=0),
    }
