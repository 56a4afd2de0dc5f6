"""Profiles and mappings that are malformed, incomplete or contradictory."""

from __future__ import annotations

from collections.abc import Iterator

from badinput.case import (
    FINDINGS,
    MAPPING,
    OK,
    Case,
    Codes,
    Fifo,
    Folder,
    Link,
    Socket,
    Sparse,
    Swap,
    Thing,
)
from badinput.world import RUN, TARGET

_CHECK = ("mapping", "check", *TARGET)
_WRONG: Codes = frozenset({MAPPING})
PROFILE = {
    "target": "toy",
    "summary": "a toy",
    "names": "{lower: toy, UPPER: TOY, Camel: Toy}",
    "device": "toy",
    "listed": "false",
    "libraries": "{runtime: toy, driver: ty, fft: tyfft}",
    "suffixes": "{cu: ty, cuh: tyh}",
    "main_header": "{include: toy_runtime.h, insert_into: [cu]}",
    "warp_size": "32",
    "guards": "{CUDA_VERSION: {macro: TOY_VERSION, value: 12040}}",
    "compiler": "{command: toycc, flags: [-O2]}",
    "capabilities": "{graphs: 'yes'}",
    "selection": "{exclude: [{glob: 'a/**', reason: none}]}",
    "build": "{defines: [A=1], link: [-ltoy]}",
}
EMPTY = {
    **dict.fromkeys(PROFILE, ("", "null", "~")),
    "names": (
        "",
        "{lower: , UPPER: TOY, Camel: Toy}",
        "{lower: toy, UPPER: null, Camel: Toy}",
        "{lower: '', UPPER: TOY, Camel: Toy}",
    ),
    "libraries": (
        "",
        "{fft: }",
        "{fft: ~}",
        "{fft: ''}",
        "{fft: {}}",
        "{fft: {lower: }}",
        "{fft: {lower: ''}}",
        "{fft: {unsupported: }}",
        "{fft: {unsupported: ''}}",
        "{fft: {lower: a, upper: }}",
        "{fft: {listed: true}}",
    ),
    "suffixes": ("", "{cu: }", "{cu: ''}", "{'': x}"),
    "main_header": (
        "",
        "{include: }",
        "{include: ''}",
        "{include: a.h, insert_into: }",
        "{include: a.h, insert_into: ['']}",
    ),
    "guards": (
        "",
        "{CUDA_VERSION: }",
        "{CUDA_VERSION: {macro: , value: 1}}",
        "{CUDA_VERSION: {macro: A, value: }}",
    ),
    "compiler": (
        "",
        "{command: }",
        "{command: ''}",
        "{command: a, flags: }",
        "{command: a, flags: ['']}",
        "{command: a, flags: [~]}",
    ),
    "capabilities": ("", "{graphs: }", "{graphs: null}"),
    "selection": ("", "{exclude: }", "{exclude: [{glob: , reason: a}]}", "{exclude: [~]}"),
    "build": ("", "{defines: }", "{defines: ['']}", "{link: [~]}", "{sets: {core: }}"),
}
ODD = {
    "target": ("acme", "[toy]", "Toy", '"a\\nb"', '"\\e[31m"', "é", "'a b'"),
    "summary": ("[a]", "{a: b}"),
    "names": (
        "toy",
        "[toy]",
        "{lower: toy}",
        "{lower: Toy, UPPER: TOY, Camel: Toy}",
        '{lower: "a\\n", UPPER: TOY, Camel: Toy}',
        "{lower: toy, UPPER: TOY, Camel: Toy, More: x}",
    ),
    "device": ("cpu", "Toy", "'a b'", '"toy\\n"'),
    "listed": ("perhaps", "2", "[]"),
    "libraries": (
        "toy",
        "[toy]",
        "{fft: a b}",
        '{fft: "a\\nb"}',
        "{fft: 9a}",
        "{fft: {lower: a, unsupported: b}}",
        "{fft: {lwer: a}}",
        "{fft: [a]}",
        "{ftt: a}",
    ),
    "suffixes": (
        "cu",
        '{cu: "t\\ny"}',
        '{cu: "t\\ty"}',
        "{cu: t/y}",
        "{cu: é}",
        "{cu: ../x}",
        "{nope: x}",
        "{cu: .ty}",
        "{cu: 't y'}",
        "{cu: [a]}",
    ),
    "main_header": (
        "a.h",
        '{include: "a\\nb.h"}',
        "{include: a.h, insert_into: [nope]}",
        "{include: a.h, insert_into: cu}",
        "{include: <a.h>}",
        "{include: 'a\"b.h'}",
        "{insert_into: [cu]}",
        "{include: 'a b>.h'}",
    ),
    "warp_size": ("0", "-1", "x", "1.5", "9" * 5000, "[]", "1000000"),
    "guards": (
        "[A]",
        "{CUDA_VERSION: 12}",
        "{CUDA VERSION: {macro: A, value: 1}}",
        "{CUDA_VERSION: {macro: A B, value: 1}}",
        "{CUDA_VERSION: {macro: A, value: x}}",
        "{CUDA_VERSION: {macro: A, value: " + "9" * 5000 + "}}",
    ),
    "compiler": (
        "toycc",
        "{cmd: a}",
        "{command: [a]}",
        '{command: "a\\0b"}',
        "{command: a, flags: -O2}",
    ),
    "capabilities": ("[a]", "{a: [b]}"),
    "selection": (
        "[a]",
        "{exclude: a}",
        "{exclude: [{glob: a}]}",
        '{exclude: [{glob: "a\\0b", reason: c}]}',
    ),
    "build": ("[a]", "{runtime: nope}", "{flags: [{glob: a}]}", "{sets: {A: [b]}}"),
}
LINES = {
    "nothing": "",
    "null": "~\n",
    "a list": "- a\n",
    "a text": "text\n",
    "two documents": "area: runtime\n---\narea: runtime\n",
    "a tab": "area: runtime\n\trules: []\n",
    "an open quote": "area: 'runtime\n",
    "an open bracket": "area: [\n",
    "an unknown key": "area: runtime\nrlues: []\n",
    "no area": "rules: []\n",
    "an empty area": "area:\nrules: []\n",
    "empty rules": "area: runtime\nrules:\n",
    "rules as a table": "area: runtime\nrules: {a: b}\n",
    "an empty rule": "area: runtime\nrules:\n  -\n",
    "a null rule": "area: runtime\nrules: [null]\n",
    "a key twice": "area: runtime\narea: runtime\nrules: []\n",
    "an alias of a list": "area: &a [x]\nrules: *a\n",
    "an alias of nothing": "area: *nope\n",
    "a tag": "area: !!python/object:os.system x\nrules: [!!binary x]\n",
    "deep lists": "area: runtime\nrules: " + "[" * 3000 + "]" * 3000 + "\n",
    "deep tables": "area: runtime\nrules: " + "{a: " * 3000 + "}" * 3000 + "\n",
    "half of a pair": 'area: "\\ud800"\n',
    "control characters": "area: \x01\n",
    "a line of 1 MB": "area: " + "x" * 1_000_000 + "\n",
    "no UTF-8": b"area: \xff\n",
    "UTF-16": "area: runtime\n".encode("utf-16"),
    "UTF-32": "area: runtime\n".encode("utf-32"),
    "NUL": "area: a\0b\n",
    "a byte order mark alone": b"\xef\xbb\xbf",
}
RULES = (
    "{name: }",
    "{name: ''}",
    "{name: a b}",
    '{name: "a\\nb"}',
    "{name: cudaX, replace: }",
    "{name: cudaX, replace: ~}",
    "{name: cudaX, replace: ''}",
    "{name: cudaX, replace: é}",
    '{name: cudaX, replace: "a\\nb"}',
    '{name: cudaX, replace: "\\e[1m"}',
    "{name: cudaX, replace: a, shim: }",
    '{name: cudaX, replace: a, shim: "a\\nb.h"}',
    "{name: cudaX, replace: a, shim: '<a.h>'}",
    "{name: cudaX, replace: a, shim: ''}",
    "{name: cudaX, status: nope}",
    "{name: cudaX, status: unsupported}",
    "{name: cudaX, status: }",
    "{name: cudaX, replace: a, note: }",
    "{name: cudaX, replace: a, only_in: }",
    "{name: cudaX, replace: a, only_in: [~]}",
    "{name: cudaX, replace: a, in: [nope]}",
    "{name: cudaX, replace: a, in: }",
    "{name: cudaX, replace: a, example: }",
    "{name: cudaX, replace: a, example: {before: a}}",
    "{name: cudaX, replace: a, expect: }",
    "{name: cudaX, replace: a, expect: {min_hits: -1}}",
    "{name: cudaX, replace: a, expect: {min_hits: }}",
    "{name: cudaX, replace: '{nope}'}",
    "{names: }",
    "{names: nope}",
    "{names: {cudaX: }}",
    "{names: {cudaX: ~}}",
    "{names: {a b: c}}",
    "{names: [cudaX, ~]}",
    "{names: [cudaX], rename: }",
    "{names: [cudaX], rename: {cuda: }}",
    "{family: }",
    "{family: '('}",
    "{family: '(a+)+b'}",
    "{family: '(?P<a>x)\\2'}",
    "{macro: , replace: a}",
    "{value: cudaX}",
    "{value: cudaX, replace: }",
    "{qualified: a}",
    "{qualified: 'a::', replace: b}",
    "{call: f, replace: a}",
    "{call: 'f(', replace: a}",
    "{call: 'f(a, )', replace: b}",
    "{call: , replace: a}",
    "{call: 'f(a)', replace: }",
    "{include: , replace: a.h}",
    "{include: a.h, replace: }",
    "{path: a, part: nope, replace: b}",
    "{path: a, part: stem}",
    "{launch: }",
    "{launch: '{nope}'}",
    "{dynamic_shared: }",
    "{string: , replace: a}",
    "{string: a, replace: }",
    "{patch: a, before: , after: b}",
    "{patch: a, before: b, after: }",
    "{patch: , before: a, after: b}",
    "{hazard: a, pattern: }",
    "{hazard: a, pattern: '['}",
    "{hazard: a}",
    "{nmae: a}",
    "{}",
    "{name: a, call: 'b()'}",
    "{name: cudaX, replace: a, since: }",
    "{name: cudaX, replace: a, until: ~}",
    "text",
    "[a]",
)
_THINGS: dict[str, Thing] = {
    "a folder": Folder(),
    "a named pipe": Fifo(),
    "/dev/zero": Link("/dev/zero"),
    "a link to itself": Link("here"),
    "a socket": Socket(),
    "a file without end": Sparse(1 << 40),
    "a link that leads nowhere": Link("no/where"),
    "/dev/stdin": Link("/dev/stdin"),
}


def values() -> Iterator[Case]:
    """Cases with profiles in which one value is empty or unusual."""
    for kind, table, says in (("empty", EMPTY, ""), ("odd", ODD, "")):
        for key, wrong in table.items():
            for value in wrong:
                text = "".join(
                    f"{name}: {value if name == key else good}\n" for name, good in PROFILE.items()
                )
                title = f"profile, {kind} {key}: {value[:50]!r}"
                yield Case(
                    title,
                    _CHECK,
                    _WRONG,
                    {"maps/toy/target.yaml": text},
                    says=says,
                    help=kind == "empty",
                )
    for key in ("target", "summary", "names", "device"):
        text = "".join(f"{name}: {good}\n" for name, good in PROFILE.items() if name != key)
        yield Case(
            f"profile without {key}", _CHECK, _WRONG, {"maps/toy/target.yaml": text}, help=False
        )


def files() -> Iterator[Case]:
    """Cases with files that are not mappings, and with invalid rules."""
    for name, text in LINES.items():
        codes = _WRONG | {OK} if name == "a line of 1 MB" else _WRONG
        yield Case(
            f"a mapping that is {name}", _CHECK, codes, {"maps/toy/odd.yaml": text}, help=False
        )
        yield Case(
            f"a profile that is {name}", _CHECK, _WRONG, {"maps/toy/target.yaml": text}, help=False
        )
        yield Case(
            f"a JSON mapping that is {name}",
            _CHECK,
            _WRONG,
            {"maps/toy/odd.json": text},
            help=False,
        )
    for rule in RULES:
        text = f"area: runtime\nrules:\n  - {rule}\n"
        yield Case(f"the rule {rule}", _CHECK, _WRONG, {"maps/toy/odd.yaml": text}, help=False)
        yield Case(
            f"a port by the rule {rule}", RUN, _WRONG, {"maps/toy/odd.yaml": text}, help=False
        )
    for name, thing in _THINGS.items():
        for place in (
            "toy/odd.yaml",
            "toy/odd.json",
            "toy/target.yaml",
            "cuda/runtime.yaml",
            "cuda/inventory.json",
            "pytorch/selection.yaml",
        ):
            codes = (
                frozenset({OK, FINDINGS, 2, MAPPING})
                if name == "a folder"
                else frozenset({2, MAPPING})
            )
            title = f"{name} at maps/{place}"
            yield Case(title, _CHECK, codes, {f"maps/{place}": thing}, help=False)
    yield Case("a second inventory", _CHECK, _WRONG, {"maps/cuda/inventory.json": "[]"}, help=False)
    yield Case(
        "an inventory of numbers",
        _CHECK,
        _WRONG,
        {"maps/cuda/inventory.json": '{"cuda": 1, "areas": {"a": 2}}'},
        help=False,
    )
    yield Case(
        "a selection that leaves the tree",
        RUN,
        _WRONG,
        {"maps/pytorch/selection.yaml": Swap("c10/cuda", "../c10")},
        help=False,
    )
