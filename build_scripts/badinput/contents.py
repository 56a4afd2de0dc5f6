"""Sources, ports and results with unexpected contents."""

from __future__ import annotations

import json
from collections.abc import Iterator

from badinput.case import (
    FINDINGS,
    MAPPING,
    OK,
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
from badinput.world import PORT, RUN, TARGET

_PORT = "out/toy/2.6.0"
_OK: Codes = frozenset({OK})
_COPIED: Codes = frozenset({OK, SOURCE})
"""Permitted exit codes for binary files. `porter port` copies them unchanged; `porter run` reports an error."""
_MAYBE: Codes = frozenset({OK, FINDINGS, *REFUSED})
JUNK: dict[str, Thing] = {
    "nothing": "",
    "null": "null",
    "a number": "1",
    "a list": "[]",
    "a text": '"text"',
    "a table": "{}",
    "an open table": "{",
    "deep lists": "[" * 100_000,
    "deep and closed": "[" * 5000 + "]" * 5000,
    "numbers without end": "[" + "9" * 5000 + "]",
    "no UTF-8": b"\xff\xfe\x00",
    "NUL": "\0" * 100,
    "not a number": "NaN",
    "control characters": '{"\x1b[31m": 1}',
    "a schema of text": '{"schema": "x"}',
    "a schema of tomorrow": '{"schema": 999}',
    "a folder": Folder(),
    "a named pipe": Fifo(),
    "/dev/zero": Link("/dev/zero"),
    "a link to itself": Link("manifest.json"),
    "a file without end": Sparse(1 << 40),
    "gone": Gone(),
}
FILES = ("manifest.json", "report.json", ".state.json")
READERS: dict[str, tuple[str, ...]] = {
    "report": ("report", _PORT),
    "diff": ("diff", _PORT, _PORT),
    "run": RUN,
    "explain": ("explain", f"{_PORT}/src/c10/toy/TOYStream.h", *TARGET),
    "doctor": ("doctor", *TARGET, "--out", "out"),
}
SOURCES: dict[str, tuple[Thing, Codes]] = {
    "UTF-16": ("void f() { cudaFree(p); }".encode("utf-16"), _COPIED),
    "UTF-32": ("void f() { cudaFree(p); }".encode("utf-32"), _COPIED),
    "NUL": (b"void f();\0", _COPIED),
    "a named pipe": (Fifo(), _OK),
    "/dev/zero": (Link("/dev/zero"), frozenset({SOURCE})),
    "a link to itself": (Link("a.cu"), _OK),
    "a link out of the project": (Link("/etc/passwd"), frozenset({SOURCE})),
    "a file without end": (Sparse(1 << 40), _OK),
    "nothing": ("", _OK),
    "an open comment": ("/* cudaFree", _OK),
    "an open text": ('"cudaFree', _OK),
    "an open raw text": ('R"x(cudaFree', _OK),
    "open brackets": ("(" * 20_000, _OK),
    "open launches": ("k<<<" * 500, _OK),
    "no UTF-8": (b"// \xff\xfe\ncudaFree(p);\n", _OK),
    "control characters": ("// \x1b[31m\ncudaFree(p);\x0c\n", _OK),
    "one line of 1 MB": ("cudaFree(p); " * 80_000, _OK),
    "line ends of all kinds": ("cudaFree(a);\r\ncudaFree(b);\rcudaFree(c);\n", _OK),
    "directives that do not end": ("#if 1\n" * 2000 + "#define A \\", _OK),
}
NAMES = (
    "a\nb.cu",
    "a\x1b[31mb.cu",
    "a\tb.cu",
    " .cu",
    "-x.cu",
    "a'b\".cu",
    "$(x).cu",
    "é.cu",
    "a\u202eb.cu",
    "x" * 250 + ".cu",
)
RESULTS = (
    "",
    "{}",
    "[]",
    "null",
    "not JSON",
    '{"format": 1}',
    '{"format": "x"}',
    "[" * 10_000,
    '{"format": 1, "package": 1, "torch": 2, "build": 3, "program": 4, "samples": 5}\n{"op": 1}\n',
)


def ports() -> Iterator[Case]:
    """Cases with ports whose files were damaged after the port."""
    for file in FILES:
        for name, thing in JUNK.items():
            for reader, args in READERS.items():
                title = f"{reader}, {file} is {name}"
                yield Case(title, args, _MAYBE, {f"{_PORT}/{file}": thing}, help=False)
    for name, thing in JUNK.items():
        yield Case(
            f"a lock file that is {name}",
            ("diff", "a.lock.json", _PORT),
            frozenset(REFUSED),
            {"a.lock.json": thing},
            help=False,
        )
    for text in RESULTS:
        yield Case(
            f"results that are {text[:30]!r}",
            ("diff", "a.jsonl", "b.jsonl"),
            _MAYBE,
            {"a.jsonl": text, "b.jsonl": text},
            help=False,
        )
    for key in ("files", "target", "release", "schema"):
        for value in (None, [], "x\x1b", -1, {"a": [1]}):
            text = json.dumps(
                {
                    "schema": 1,
                    "target": "toy",
                    "release": "2.6.0",
                    "mappings": "x",
                    "porter": "y",
                    "files": {},
                    key: value,
                }
            )
            yield Case(
                f"report, {key} of the manifest is {value!r}",
                ("diff", _PORT, _PORT),
                _MAYBE,
                {f"{_PORT}/manifest.json": text},
                help=False,
            )
    text = '{"cudaMalloc": 1}'
    for what in (text, "[]", "{", '{"a": {"b": "c"}}', '{"rules": []}', "null", "{}" * 2):
        yield Case(
            f"import of {what}",
            ("mapping", "import", "x.json", "--area", "runtime"),
            frozenset({MAPPING}),
            {"x.json": what},
            help=False,
        )
    for what in (
        "(",
        "x = ",
        "\0",
        "# coding: nope\n",
        "(" * 5000,
        "x = [" * 200,
        "import os\nos.remove('table.json')\n",
        b"\xff",
        "a = {**b}",
    ):
        yield Case(
            f"import of Python {what[:20]!r}",
            ("mapping", "import", "x.py", "--area", "runtime"),
            frozenset({MAPPING}),
            {"x.py": what},
            help=False,
        )
    yield Case(
        "import over a table",
        ("mapping", "import", "table.json", "--area", "runtime", "--out", "mine.json"),
        frozenset({USAGE}),
        {"mine.json": "by hand\n"},
    )


def sources() -> Iterator[Case]:
    """Cases with CUDA sources that are unusual or are not text."""
    for name, (thing, codes) in SOURCES.items():
        yield Case(f"port: a.cu is {name}", PORT, codes, {"ext/a.cu": thing}, help=False)
        yield Case(
            f"scan: a.cu is {name}",
            ("scan", "ext", *TARGET),
            codes,
            {"ext/a.cu": thing},
            help=False,
        )
        yield Case(
            f"explain: a.cu is {name}",
            ("explain", "ext/a.cu", *TARGET),
            frozenset({OK, *REFUSED}),
            {"ext/a.cu": thing},
            help=False,
        )
        place = "tree/aten/src/ATen/native/cuda/a.cu"
        yield Case(f"run: a.cu is {name}", RUN, codes, {place: thing}, help=False)
    for name in NAMES:
        text = "void f() { cudaFree(p); cudaNope(); }\n"
        yield Case(
            f"port: a file called {name[:20]!r}",
            PORT,
            frozenset({OK, SOURCE}),
            {f"ext/{name}": text},
            help=False,
        )
        yield Case(
            f"scan: a file called {name[:20]!r}",
            ("scan", "ext", *TARGET),
            frozenset({OK, SOURCE}),
            {f"ext/{name}": text},
            help=False,
        )
        yield Case(
            f"explain: a file called {name[:20]!r}",
            ("explain", *TARGET, "--", f"ext/{name}"),
            frozenset({OK, SOURCE}),
            {f"ext/{name}": text},
            help=False,
        )
        yield Case(
            f"run: a file called {name[:20]!r}",
            RUN,
            frozenset({OK, FINDINGS, SOURCE}),
            {f"tree/aten/src/ATen/native/cuda/{name}": text},
            help=False,
        )
    for place in ("ext", "ext/a.cu"):
        yield Case(
            f"port into {place}",
            ("port", "ext", *TARGET, "--out", place),
            frozenset({SOURCE}),
            help=False,
        )
    yield Case(
        "port of nothing",
        ("port", "none", *TARGET, "--out", "new"),
        frozenset({SOURCE}),
        {"none/readme.txt": "x"},
        help=False,
    )
    for name in (
        "c10/cuda/CUDAStream.h",
        "version.txt",
        "aten/src/ATen/native/native_functions.yaml",
    ):
        for kind, thing in (
            ("gone", Gone()),
            ("a named pipe", Fifo()),
            ("a folder", Folder()),
            ("/dev/zero", Link("/dev/zero")),
        ):
            yield Case(
                f"run: {name} is {kind}",
                RUN,
                frozenset({SOURCE}),
                {f"tree/{name}": thing},
                help=False,
            )
