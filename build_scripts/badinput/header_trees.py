"""Header trees and wheels that are incomplete, or that mix files of two releases."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping

from badinput.case import (
    BUILD,
    FINDINGS,
    OK,
    SOURCE,
    USAGE,
    Case,
    Codes,
    Fifo,
    Folder,
    Gone,
    Link,
    Sparse,
    Swap,
    Thing,
)
from badinput.world import COMPARED, HEADERS, NEWER, TARGET, header_tree, wheel_files

_MARKER = "header_tree.json"
_ANSWERED: Codes = frozenset({OK, FINDINGS, SOURCE})
_OUTSIDE: Codes = frozenset({OK, SOURCE})
"""Permitted exit codes for a tree with a file whose path leads outside the tree. Such a file may be ignored."""
_BUILT: Codes = frozenset({SOURCE, BUILD})
READERS: dict[str, tuple[tuple[str, ...], Codes]] = {
    "run": (
        ("run", "--until", "port", "--pytorch-src", NEWER, "--out", "new", *TARGET),
        frozenset({SOURCE}),
    ),
    "upgrade": (COMPARED, frozenset({SOURCE})),
    "abi": (("abi", NEWER, "--compiler", "g++"), _BUILT),
    "regenerate": (
        ("regenerate", *TARGET, "--release", "2.7.1-headers", "--tree", f"2.7.1-headers={NEWER}"),
        frozenset({SOURCE}),
    ),
    "release prove": (
        ("release", "prove", "2.7.1", "--tree", f"2.7.1={NEWER}", *TARGET),
        frozenset({SOURCE}),
    ),
}
"""Commands that read the header tree NEWER: maps a name to (arguments, permitted exit codes for an incomplete tree)."""
HALVES: dict[str, Mapping[str, Thing]] = {
    "version.txt of another release": {f"{NEWER}/version.txt": "2.6.0\n"},
    "version.txt of the next patch release": {f"{NEWER}/version.txt": "2.7.2\n"},
    "the marker of another release": {f"{NEWER}/{_MARKER}": header_tree("2.6.0")[_MARKER]},
    "version.txt missing": {f"{NEWER}/version.txt": Gone()},
    "a stream missing": {f"{NEWER}/c10/cuda/CUDAStream.h": Gone()},
    "a stream that is a named pipe": {f"{NEWER}/c10/cuda/CUDAStream.h": Fifo()},
    "declarations missing": {f"{NEWER}/aten/src/ATen/native/native_functions.yaml": Gone()},
    "declarations that are a folder": {
        f"{NEWER}/aten/src/ATen/native/native_functions.yaml": Folder()
    },
}
"""Maps the kind of error to the files of a header tree that is incomplete or mixes two releases.

Every command that reads such a tree reports an error.
"""
MARKERS: dict[str, Thing] = {
    "nothing": "",
    "null": "null",
    "a list": "[]",
    "a text": '"x"',
    "an open table": "{",
    "deep lists": "[" * 100_000,
    "deep and closed": "[" * 5000 + "]" * 5000,
    "a number without end": "[" + "9" * 5000 + "]",
    "not UTF-8": b"\xff\xfe\x00",
    "NUL": "\0" * 100,
    "of another kind": Swap('"header tree"', '"fork"'),
    "of no release": Swap('"2.7.1"', "null"),
    "of a release with control characters": Swap('"2.7.1"', '"\\u001b[31m"'),
    "of parts that are no numbers": Swap('"parts": {', '"parts": {"aten": "many", '),
    "of parts that are a list": Swap('"parts": {', '"parts": [], "x": {'),
    "a folder": Folder(),
    "a named pipe": Fifo(),
    "/dev/zero": Link("/dev/zero"),
    "a link to itself": Link(_MARKER),
    "a file without end": Sparse(1 << 40),
}
"""Maps the kind of error to the content of a header tree's marker."""
DECLARATIONS: dict[str, Thing] = {
    "nothing": "",
    "null": "null",
    "no list": "a: b\n",
    "an open list": "[",
    "deep lists": "[" * 20_000,
    "no function": "- func: nope(\n",
    "not text": bytes(range(256)),
    "an alias that refers to itself": "- &a [*a]\n",
    "of a Python object": "- !!python/object/apply:os.system ['touch hacked']\n",
}
"""Maps the kind of error to the content of native_functions.yaml."""
TEXTS: dict[str, Thing] = {
    "a named pipe": Fifo(),
    "a folder": Folder(),
    "a link to itself": Link("CUDAStream.h"),
    "a link that leads nowhere": Link("nowhere"),
    "a file without end": Sparse(1 << 40),
    "/dev/zero": Link("/dev/zero"),
    "UTF-16": "struct A {};".encode("utf-16"),
    "not UTF-8": b"// \xff\xfe\nstruct A {};\n",
    "open brackets": "namespace a {" * 5000,
    "an open comment": "/* struct A {};",
    "an open text": 'static const char* a = "',
    "directives that do not end": "#if 1\n" * 2000 + "#define A \\",
    "one line of 1 MB": "struct A { int a; }; " * 50_000,
}
"""Maps the kind of error to the content of a header that `porter upgrade` compares."""


def cases() -> Iterator[Case]:
    """Cases with damaged header trees, and with wheels that cannot become header trees."""
    for reader, (args, codes) in READERS.items():
        for name, files in HALVES.items():
            yield Case(f"{reader}, a header tree with {name}", args, codes, files, help=False)
        for name, thing in MARKERS.items():
            files = {f"{NEWER}/{_MARKER}": thing}
            yield Case(f"{reader}, the marker is {name}", args, codes, files, help=False)
    yield from _compared()
    yield from _named()
    yield from _wheels()


def _compared() -> Iterator[Case]:
    for name, thing in {**DECLARATIONS, **TEXTS}.items():
        place = f"{NEWER}/aten/src/ATen/native/native_functions.yaml"
        files = {place: thing}
        yield Case(f"upgrade, declarations are {name}", COMPARED, _ANSWERED, files, help=False)
    for name, thing in TEXTS.items():
        for header in ("c10/util/Added.h", "aten/src/ATen/Context.h", "torch/csrc/Device.h"):
            files = {f"{NEWER}/{header}": thing}
            yield Case(f"upgrade, {header} is {name}", COMPARED, _ANSWERED, files, help=False)
    half = f"{NEWER}/c10/core/Storage.h"
    help = "fetch it again"
    yield Case("upgrade, a file missing", COMPARED, frozenset({SOURCE}), {half: Gone()}, says=help)
    yield Case(
        "upgrade, torch/version.py of another release",
        COMPARED,
        frozenset({SOURCE}),
        {f"{NEWER}/torch/version.py": "__version__ = '2.8.0+cu128'\n"},
        says=help,
    )


def _named() -> Iterator[Case]:
    """Cases with one tree given twice, with folders that are not header trees, and with unusable options."""
    same = frozenset({SOURCE})
    yield Case("upgrade of a tree with itself", ("upgrade", NEWER, NEWER, *TARGET), same)
    yield Case("upgrade of a port", ("upgrade", "out/toy/2.6.0", NEWER, *TARGET), same)
    yield Case("upgrade to a port", ("upgrade", HEADERS, "out/toy/2.6.0", *TARGET), same)
    forms = ("--json", "--markdown")
    yield Case(f"upgrade {' '.join(forms)}", (*COMPARED, *forms), frozenset({USAGE}))
    yield Case("upgrade --html of a folder", (*COMPARED, "--html", "."), frozenset({USAGE}))
    yield Case("abi of a source tree", ("abi", "tree"), _BUILT)
    yield Case("abi of a port", ("abi", "out/toy/2.6.0"), _BUILT)
    for compiler in ("", " ", "no/such", "/bin/false", "/bin/true", "'", "g++ --nope", "cat"):
        args = ("abi", HEADERS, "--compiler", compiler)
        yield Case(f"abi --compiler {compiler!r}", args, frozenset({USAGE, SOURCE, BUILD}))


def _wheels() -> Iterator[Case]:
    plain = "torch-9.9.9-cp312-cp312-manylinux_2_28_x86_64.whl"
    whole = _packed(wheel_files("9.9.9"))
    no_headers = {k: v for k, v in wheel_files("9.9.9").items() if "include" not in k}
    climbing = {**wheel_files("9.9.9"), "torch/include/c10/../../../../evil.h": "// outside\n"}
    wheels: dict[str, tuple[str, Thing]] = {
        "no wheel": ("readme.txt", "x"),
        "of Windows": ("torch-9.9.9-cp312-cp312-win_amd64.whl", whole),
        "of macOS": ("torch-9.9.9-cp312-none-macosx_11_0_arm64.whl", whole),
        "of another release": ("torch-9.9.8-cp312-cp312-manylinux_2_28_x86_64.whl", whole),
        "of another release than it says": (plain, _packed(wheel_files("9.9.8"))),
        "without headers": (plain, _packed(no_headers)),
        "without RECORD": (plain, _packed(wheel_files("9.9.9"), record=False)),
        "without METADATA": (plain, _packed(wheel_files("9.9.9"), metadata=False)),
        "cut off": (plain, whole[: len(whole) // 2]),
        "with another byte": (plain, whole.replace(b"// a stream", b"// a Stream", 1)),
        "that climbs out": (plain, _packed(climbing)),
        "that is empty": (plain, ""),
        "that is text": (plain, "not a wheel\n"),
        "that is a folder": (plain, Folder()),
        "that is a named pipe": (plain, Fifo()),
        "that is a link to itself": (plain, Link(plain)),
        "that is a file without end": (plain, Sparse(1 << 40)),
    }
    env = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "wheels", "PORTER_CACHE": "cache"}
    for name, (file, thing) in wheels.items():
        files = {f"wheels/{file}": thing}
        args = ("release", "fetch", "9.9.9-headers")
        codes = _OUTSIDE if "climbs" in name else frozenset({SOURCE})
        yield Case(
            f"release fetch, a wheel {name}",
            args,
            codes,
            files,
            env,
            help=not isinstance(thing, Link),
        )
    for reader, args in (
        ("abi", ("abi", "9.9.9")),
        ("regenerate", ("regenerate", *TARGET, "--release", "9.9.9-headers")),
        ("release prove", ("release", "prove", "9.9.9", *TARGET)),
    ):
        yield Case(f"{reader} of a release without a wheel", args, frozenset({SOURCE}), {}, env)


def _packed(files: Mapping[str, str], record: bool = True, metadata: bool = True) -> bytes:
    """Content of a wheel with the given files, without compression."""
    kept = dict(files)
    for name in files:
        if (name.endswith("/RECORD") and not record) or (
            name.endswith("/METADATA") and not metadata
        ):
            del kept[name]
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in kept.items():
            archive.writestr(zipfile.ZipInfo(name), text)
    return made.getvalue()
