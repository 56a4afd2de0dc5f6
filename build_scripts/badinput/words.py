"""Unknown names and unusual words, for options that take no path."""

from __future__ import annotations

from collections.abc import Iterator

from badinput.case import FINDINGS, MAPPING, OK, REFUSED, SOURCE, USAGE, Case, Codes, Swap
from badinput.values import (
    ANSWERED,
    DEVICE_TESTS,
    DIGITS,
    NO_LINES,
    NO_WORDS,
    PORT,
    SAVE,
    VERIFY_STUB,
    shown,
)
from badinput.world import HEADERS, NEWER, RUN, TARGET

WORDS: dict[str, tuple[tuple[str, ...], tuple[str | bytes, ...], Codes]] = {
    "run --target": (
        ("run", "--until", "port", "--pytorch-src", "tree", "--out", "new", "--target"),
        NO_WORDS,
        REFUSED,
    ),
    "port --target": (("port", "ext", "--out", "new", "--target"), NO_WORDS, REFUSED),
    "toolkit --target": (("toolkit", "--target"), NO_WORDS, REFUSED),
    "toolkit --release": (("toolkit", *TARGET, "--release"), NO_WORDS, REFUSED),
    "scan --target": (("scan", "ext", "--target"), NO_WORDS, frozenset({OK, *REFUSED})),
    "doctor --target": (("doctor", "--target"), NO_WORDS, frozenset({OK, FINDINGS, *REFUSED})),
    "mapping check --target": (("mapping", "check", "--target"), NO_WORDS, REFUSED),
    "verify --target": (("verify", "--target"), NO_WORDS, REFUSED),
    "target new NAME": (("target", "new", "--mappings", "mine"), NO_WORDS, REFUSED),
    "target new --repo --workflows": (
        ("target", "new", "acme", "--repo", "mine", "--workflows"),
        ("", "a", "a/b", "a@b", "a/b@", "a/b@c d", "a/b@c\nd", "é/b@c", "x" * 100_000),
        REFUSED,
    ),
    "target new --prefix": (
        ("target", "new", "acme", "--mappings", "mine", "--prefix"),
        ("x" * 100_000, "a\nb", "é", "9", "cuda", b"\xff"),
        REFUSED,
    ),
    "target new --short": (
        ("target", "new", "acme", "--mappings", "mine", "--short"),
        ("A", "a b", "cu", "\x1b"),
        REFUSED,
    ),
    "target new --upper": (
        ("target", "new", "acme", "--mappings", "mine", "--upper"),
        ("a", "A B", "CUDA", "É"),
        REFUSED,
    ),
    "target new --camel": (
        ("target", "new", "acme", "--mappings", "mine", "--camel"),
        ("a", "A-B", "Cuda"),
        REFUSED,
    ),
    "target new --device": (
        ("target", "new", "acme", "--mappings", "mine", "--device"),
        ("A", "cpu", "a\nb"),
        REFUSED,
    ),
    "target new --from": (
        ("target", "new", "acme", "--mappings", "mine", "--from"),
        NO_WORDS,
        frozenset({OK, *REFUSED}),
    ),
    "target new --summary": (
        ("target", "new", "acme", "--mappings", "mine", "--summary"),
        ("\x1b[31mred", "two\nlines", "\x00"[:0], b"\xff\xfe", '"#: {', "x" * 100_000),
        ANSWERED,
    ),
    "check --check": (("check", "ext/setup.py", "--check"), NO_WORDS, REFUSED),
    "mapping import --area": (("mapping", "import", "table.json", "--area"), NO_WORDS, REFUSED),
    "mapping import --source": (
        ("mapping", "import", "table.json", "--area", "runtime", "--source"),
        ("\x1b[31m", b"\xff", "a\nb"),
        ANSWERED,
    ),
    "mapping show NAME": (
        ("mapping", "show", *TARGET, "--"),
        ("", "x" * 100_000, "a\x1b[1m", "::", "a::", "::a", b"\xff", "a\nb", "/", "."),
        ANSWERED,
    ),
    "explain SYMBOL": (
        ("explain", *TARGET),
        (
            "",
            "x" * 300,
            "x" * 100_000,
            "a\x1b[1m",
            "::",
            "a::",
            b"\xff",
            "a\nb",
            ".",
            ".()",
            "a(" * 5000,
        ),
        ANSWERED,
    ),
    "explain FILE:LINE": (
        ("explain", *TARGET),
        (
            "ext/a.cu:0",
            "ext/a.cu:99",
            f"ext/a.cu:{DIGITS}",
            "ext/a.cu:-1",
            "ext/a.cu:x",
            "ext/a.cu:٣",
            ":1",
            "ext:1",
        ),
        REFUSED,
    ),
    "run --until": ((*RUN, "--until"), NO_WORDS, REFUSED),
    "run --kernels": (
        ("run", *TARGET, "--pytorch-src", "tree", "--out", "new", "--until", "port", "--kernels"),
        ("", "[", "**/" * 200, b"\xff"),
        frozenset({OK, *REFUSED}),
    ),
    "port --exclude": (
        (*PORT, "--exclude"),
        ("*", "**", "[", "**/" * 200, "é", b"\xff", "\x1b", ""),
        frozenset({OK, *REFUSED}),
    ),
    "scan --exclude": (
        ("scan", "ext", "--exclude"),
        ("*", "[", "**/" * 200, "[]]", "[!"),
        frozenset({OK, *REFUSED}),
    ),
    "report --reason": (("report", "out/toy/2.6.0", "--reason"), NO_WORDS, REFUSED),
    "report --sort": (("report", "out/toy/2.6.0", "--sort"), NO_WORDS, REFUSED),
    "verify --check": ((*VERIFY_STUB, "--check"), NO_WORDS, REFUSED),
    "verify --sources": ((*VERIFY_STUB, "--check", "race", "--sources"), NO_WORDS, REFUSED),
    "verify --checks": ((*VERIFY_STUB, "--checks"), NO_WORDS, REFUSED),
    "verify --ops": ((*VERIFY_STUB, "--ops"), ("", ",", "x" * 100_000, "\x1b", b"\xff"), REFUSED),
    "verify --again": ((*VERIFY_STUB, "--again"), NO_WORDS, frozenset({USAGE, SOURCE})),
    "device-tests --tests": (
        (*DEVICE_TESTS, "--tests"),
        ("", ",", "::", "a::b::c", "x" * 100_000),
        REFUSED,
    ),
    "device-tests --files": (
        (*DEVICE_TESTS, "--files"),
        ("nothing.py", "../*", "/", "**/" * 200),
        REFUSED,
    ),
    "op new NAME": (
        ("op", "new", "--python", "/bin/false", "--schema", "f(Tensor x) -> Tensor"),
        NO_WORDS,
        REFUSED,
    ),
    "op new --schema": (
        ("op", "new", "mine", "--python", "/bin/false", "--schema"),
        NO_WORDS,
        REFUSED,
    ),
    "compare A": (
        ("compare", "--pytorch-src", "tree", "--mappings", "maps", "toy"),
        NO_WORDS,
        REFUSED,
    ),
    "upgrade --target": (
        ("upgrade", HEADERS, NEWER, "--mappings", "maps", "--target"),
        NO_WORDS,
        REFUSED,
    ),
    "upgrade A": (("upgrade",), ("2.6", "2.6.0", "9.9.9", f"2.{DIGITS}", "²"), frozenset({USAGE})),
    "overlay show NAME": (("overlay", "show", *TARGET), NO_WORDS, REFUSED),
    "overlay drop NAME": (("overlay", "drop", *TARGET), NO_WORDS, REFUSED),
    "overlay rebase NAME": (
        ("overlay", "rebase", "--pytorch-src", "tree", *TARGET),
        tuple(word for word in NO_WORDS if word != "--"),
        REFUSED,
    ),
    "release prove --target": (("release", "prove", "2.6.0", "--target"), NO_WORDS, REFUSED),
    "overlay save --name": ((*SAVE, "--name"), NO_WORDS, REFUSED),
    "overlay save --owner": ((*SAVE, "--owner"), NO_LINES, REFUSED),
    "overlay save --reason": ((*SAVE, "--reason"), NO_LINES, REFUSED),
    "overlay list --target": (("overlay", "list", "--target"), NO_WORDS, REFUSED),
    "an overlay command": (("overlay",), ("nope", "lsit", "\x1b", b"\xff"), frozenset({USAGE})),
    "a release command": (("release",), ("nope", "lsit", "\x1b", b"\xff"), frozenset({USAGE})),
    "a command": (
        (),
        (
            "nope",
            "rnu",
            "\x1b[31m",
            b"\xff",
            "x" * 100_000,
            "two\nlines",
            "-x",
            "--nope",
            "--version=1",
        ),
        frozenset({USAGE}),
    ),
    "a subcommand": (
        ("mapping",),
        ("nope", "chekc", "\x1b", b"\xff", "--nope"),
        frozenset({USAGE}),
    ),
}


def cases() -> Iterator[Case]:
    """Cases with unknown or ambiguous names and words."""
    for name, (before, values, codes) in WORDS.items():
        for value in values:
            yield Case(f"{name} {shown(value)}", (*before, value), codes, help=False)
    for text in (
        DIGITS + ".0",
        "٣.٤",
        "x",
        "",
        "2",
        "9" * 7 + ".0",
        b"\xff\xfe2.6.0",
    ):
        files = {"tree/version.txt": text}
        yield Case(f"version.txt {shown(text)}", RUN, frozenset({SOURCE}), files, help=False)
    for bound in (
        DIGITS,
        "2." + DIGITS,
        "٣",
        "cuda " + DIGITS,
        "cuda",
        "2.",
        "-1",
        "''",
        "",
        "2.6\\n",
    ):
        files = {
            "maps/cuda/runtime.yaml": Swap("  - include", f'  - since: "{bound}"\n    include')
        }
        yield Case(
            f"since {shown(bound)}",
            ("mapping", "check", *TARGET),
            frozenset({MAPPING}),
            files,
            help=False,
        )
