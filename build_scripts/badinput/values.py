"""Unusual numbers, names and words for options that take no path."""

from __future__ import annotations

from collections.abc import Iterator

from badinput.case import FINDINGS, MAPPING, OK, REFUSED, SOURCE, USAGE, Case, Codes, Swap
from badinput.world import COMPARED, EDITED, HEADERS, NEWER, RUN, TARGET

DIGITS = "9" * 5000
_NO_NUMBERS = (
    "",
    " ",
    "-1",
    "x",
    "1.5",
    "1e9",
    DIGITS,
    f"-{DIGITS}",
    "²",
    "0x10",
    "1\n2",
    "\x1b[1m",
)
_NO_WORDS = (
    "",
    " ",
    "x" * 300,
    "x" * 100_000,
    "a\nb",
    "a\x1b[31m",
    "../x",
    "/",
    "é",
    b"\xff",
    "a b",
    "--",
    "*",
)
_PORT = ("port", "ext", "--out", "new", *TARGET)
_VERIFY = ("verify", *TARGET, "--python", "/bin/false", "--out", "new")
_DEVICE = (
    "device-tests",
    *TARGET,
    "--python",
    "/bin/false",
    "--out",
    "new",
    "--pytorch-src",
    "tree",
)
_LINES = ("\x1b[31mred", "a\nb", "", b"\xff", "x" * 100_000)
SAVE = ("overlay", "save", EDITED, "--owner", "me", "--reason", "slow", "--mappings", "maps")
_LOOKS: Codes = frozenset({OK, *REFUSED})

NUMBERS: dict[str, tuple[tuple[str, ...], tuple[str | bytes, ...]]] = {
    "run -j": ((*RUN, "-j"), (*_NO_NUMBERS, "0", "4097")),
    "port --jobs": ((*_PORT, "--jobs"), (*_NO_NUMBERS, "0", "4097")),
    "verify --samples": ((*_VERIFY, "--samples"), (*_NO_NUMBERS, "0")),
    "verify --timeout": (
        (*_VERIFY, "--timeout"),
        ("", "x", "0", "-1", "nan", "inf", "1e400", DIGITS),
    ),
    "device-tests --timeout": ((*_DEVICE, "--timeout"), ("", "x", "0", "nan", "-inf", "1e99")),
    "verify --shard": (
        (*_VERIFY, "--shard"),
        (
            "",
            "1",
            "0/2",
            "3/2",
            "1/0",
            "a/b",
            "²/³",
            f"1/{DIGITS}",
            "1/2/3",
            "-1/2",
            "1/2\n",
            "٣/٤",
        ),
    ),
    "device-tests --shard": ((*_DEVICE, "--shard"), ("", "2", "9/8", f"{DIGITS}/1")),
    "diff --limit": (("diff", "out/toy/2.6.0", "out/toy/2.6.0", "--limit"), _NO_NUMBERS),
    "report --limit": (("report", "out/toy/2.6.0", "--limit"), _NO_NUMBERS),
    "simt flags --warp-size": (("simt", "flags", "--warp-size"), (*_NO_NUMBERS, "0", "33")),
    "simt build --jobs": (("simt", "build", "--out", "new", "-j"), (*_NO_NUMBERS, "0")),
    "port --release": (
        (*_PORT, "--release"),
        ("", " ", "x", "2.", ".2", "2..6", "2.6.0\n", DIGITS, "٣.٤", "-1", "²"),
    ),
    "scan --release": (
        ("scan", "ext", "--release"),
        ("", "x", "2.6.0-", f"2.{DIGITS}", "2.6\x1b[0m"),
    ),
    "run --release": (
        ("run", "--until", "port", "--pytorch-src", "tree", *TARGET, "--out", "new", "--release"),
        ("", "x", "2", "2.6.0-", "2.99.0", "1.13.1", DIGITS, "²"),
    ),
    "regenerate --release": (
        ("regenerate", *TARGET, "--release"),
        ("", "x", "2", "2.6.0-", "2.6.0\n", "2.6.0-header", f"2.{DIGITS}", "-headers", "²"),
    ),
    "regenerate --tree": (
        ("regenerate", *TARGET, "--release", "2.6.0", "--tree"),
        ("", "2.6.0", "2.6.0=", "=tree", "x=tree"),
    ),
    "release fetch VERSION": (
        ("release", "fetch"),
        ("", "x", "2", "2.6.0\n", "2.6.0+cpu", f"2.{DIGITS}", "²"),
    ),
    "release show VERSION": (
        ("release", "show"),
        ("", "x", "2", "2.", "2.99.0", "2.6.0\n", "2.6.0+cpu", f"2.{DIGITS}", "٣.٤", "²"),
    ),
    "regenerate -j": (("regenerate", *TARGET, "-j"), (*_NO_NUMBERS, "0", "4097")),
    "release prove -j": (("release", "prove", "2.6.0", *TARGET, "-j"), (*_NO_NUMBERS, "0")),
    "release prove --tree": (
        ("release", "prove", "2.6.0", *TARGET, "--tree"),
        ("", "2.6.0", "2.6.0=", "=tree", "x=tree", "2.6.0-header=tree", "\n=tree"),
    ),
    "release prove RELEASE": (
        ("release", "prove", *TARGET),
        ("", "x", "2", "2.6.0\n", "2.6.0+cpu", f"2.{DIGITS}", "²", "-headers"),
    ),
    "abi A": (("abi", "--compiler", "/bin/false"), ("", "x", "2", "2.6.0\n", "²")),
    "upgrade --limit": ((*COMPARED, "--limit"), _NO_NUMBERS),
    "upgrade -j": ((*COMPARED, "-j"), (*_NO_NUMBERS, "0", "4097")),
    "overlay import --release": (
        (
            "overlay",
            "import",
            "ext",
            "--owner",
            "me",
            *TARGET,
            "--pytorch-src",
            "tree",
            "--release",
        ),
        ("", "x", "2", "2.6.0-", "2.99.0", "1.13.1", DIGITS, "²"),
    ),
    "overlay rebase --release": (
        ("overlay", "rebase", *TARGET, "--pytorch-src", "tree", "--release"),
        ("", "x", "2", "2.6.0-", "2.99.0", "1.13.1", DIGITS, "²"),
    ),
    **{
        f"overlay save --{bound}": (
            (*SAVE, f"--{bound}"),
            ("x", "2", "2.6.0.1", "2.6.0a0", "cuda 12.4", "2.6\n", DIGITS, "²", "-1"),
        )
        for bound in ("since", "until")
    },
    "overlay save --expires": (
        (*SAVE, "--expires"),
        (
            *("x", "2027-02-30", "2027-13-01", "2027-01-01T00:00", "0000-01-01", "20270101"),
            *(
                "\u0662\u0660\u0662\u0667-\u0660\u0661-\u0660\u0661",
                "2027-1-1",
                "2027-01-01\n",
                DIGITS,
                "-1",
            ),
        ),
    ),
    "target new --release": (
        ("target", "new", "acme", "--repo", "mine", "--release"),
        ("", "x", "2", "2.6.0-", "2.6.0\n", f"2.{DIGITS}", "²"),
    ),
    "explain --release": (
        ("explain", "cudaMalloc", *TARGET, "--release"),
        ("x", DIGITS, "2,6", "²"),
    ),
}
WORDS: dict[str, tuple[tuple[str, ...], tuple[str | bytes, ...], Codes]] = {
    "run --target": (
        ("run", "--until", "port", "--pytorch-src", "tree", "--out", "new", "--target"),
        _NO_WORDS,
        REFUSED,
    ),
    "port --target": (("port", "ext", "--out", "new", "--target"), _NO_WORDS, REFUSED),
    "scan --target": (("scan", "ext", "--target"), _NO_WORDS, frozenset({OK, *REFUSED})),
    "doctor --target": (("doctor", "--target"), _NO_WORDS, frozenset({OK, FINDINGS, *REFUSED})),
    "mapping check --target": (("mapping", "check", "--target"), _NO_WORDS, REFUSED),
    "verify --target": (("verify", "--target"), _NO_WORDS, REFUSED),
    "target new NAME": (("target", "new", "--mappings", "mine"), _NO_WORDS, REFUSED),
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
        _NO_WORDS,
        frozenset({OK, *REFUSED}),
    ),
    "target new --summary": (
        ("target", "new", "acme", "--mappings", "mine", "--summary"),
        ("\x1b[31mred", "two\nlines", "\x00"[:0], b"\xff\xfe", '"#: {', "x" * 100_000),
        _LOOKS,
    ),
    "mapping import --area": (("mapping", "import", "table.json", "--area"), _NO_WORDS, REFUSED),
    "mapping import --source": (
        ("mapping", "import", "table.json", "--area", "runtime", "--source"),
        ("\x1b[31m", b"\xff", "a\nb"),
        _LOOKS,
    ),
    "mapping show NAME": (
        ("mapping", "show", *TARGET, "--"),
        ("", "x" * 100_000, "a\x1b[1m", "::", "a::", "::a", b"\xff", "a\nb", "/", "."),
        _LOOKS,
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
        _LOOKS,
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
    "run --until": ((*RUN, "--until"), _NO_WORDS, REFUSED),
    "run --kernels": (
        ("run", *TARGET, "--pytorch-src", "tree", "--out", "new", "--until", "port", "--kernels"),
        ("", "[", "**/" * 200, b"\xff"),
        frozenset({OK, *REFUSED}),
    ),
    "port --exclude": (
        (*_PORT, "--exclude"),
        ("*", "**", "[", "**/" * 200, "é", b"\xff", "\x1b", ""),
        frozenset({OK, *REFUSED}),
    ),
    "scan --exclude": (
        ("scan", "ext", "--exclude"),
        ("*", "[", "**/" * 200, "[]]", "[!"),
        frozenset({OK, *REFUSED}),
    ),
    "report --reason": (("report", "out/toy/2.6.0", "--reason"), _NO_WORDS, REFUSED),
    "report --sort": (("report", "out/toy/2.6.0", "--sort"), _NO_WORDS, REFUSED),
    "verify --checks": ((*_VERIFY, "--checks"), _NO_WORDS, REFUSED),
    "verify --ops": ((*_VERIFY, "--ops"), ("", ",", "x" * 100_000, "\x1b", b"\xff"), REFUSED),
    "verify --again": ((*_VERIFY, "--again"), _NO_WORDS, frozenset({USAGE, SOURCE})),
    "device-tests --tests": (
        (*_DEVICE, "--tests"),
        ("", ",", "::", "a::b::c", "x" * 100_000),
        REFUSED,
    ),
    "device-tests --files": (
        (*_DEVICE, "--files"),
        ("nothing.py", "../*", "/", "**/" * 200),
        REFUSED,
    ),
    "op new NAME": (
        ("op", "new", "--python", "/bin/false", "--schema", "f(Tensor x) -> Tensor"),
        _NO_WORDS,
        REFUSED,
    ),
    "op new --schema": (
        ("op", "new", "mine", "--python", "/bin/false", "--schema"),
        _NO_WORDS,
        REFUSED,
    ),
    "compare A": (
        ("compare", "--pytorch-src", "tree", "--mappings", "maps", "toy"),
        _NO_WORDS,
        REFUSED,
    ),
    "upgrade --target": (
        ("upgrade", HEADERS, NEWER, "--mappings", "maps", "--target"),
        _NO_WORDS,
        REFUSED,
    ),
    "upgrade A": (("upgrade",), ("2.6", "2.6.0", "9.9.9", f"2.{DIGITS}", "²"), frozenset({USAGE})),
    "overlay show NAME": (("overlay", "show", *TARGET), _NO_WORDS, REFUSED),
    "overlay drop NAME": (("overlay", "drop", *TARGET), _NO_WORDS, REFUSED),
    "overlay rebase NAME": (
        ("overlay", "rebase", "--pytorch-src", "tree", *TARGET),
        tuple(word for word in _NO_WORDS if word != "--"),
        REFUSED,
    ),
    "release prove --target": (("release", "prove", "2.6.0", "--target"), _NO_WORDS, REFUSED),
    "overlay save --name": ((*SAVE, "--name"), _NO_WORDS, REFUSED),
    "overlay save --owner": ((*SAVE, "--owner"), _LINES, REFUSED),
    "overlay save --reason": ((*SAVE, "--reason"), _LINES, REFUSED),
    "overlay list --target": (("overlay", "list", "--target"), _NO_WORDS, REFUSED),
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


def numbers() -> Iterator[Case]:
    """Cases with text in place of a number."""
    for name, (before, values) in NUMBERS.items():
        for value in values:
            yield Case(f"{name} {_shown(value)}", (*before, value), frozenset({USAGE}))


def words() -> Iterator[Case]:
    """Cases with unknown or ambiguous names and words."""
    for name, (before, values, codes) in WORDS.items():
        for value in values:
            yield Case(f"{name} {_shown(value)}", (*before, value), codes, help=False)
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
        yield Case(f"version.txt {_shown(text)}", RUN, frozenset({SOURCE}), files, help=False)
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
            f"since {_shown(bound)}",
            ("mapping", "check", *TARGET),
            frozenset({MAPPING}),
            files,
            help=False,
        )


def _shown(value: str | bytes | object) -> str:
    text = repr(value)
    return text if len(text) < 40 else f"{text[:30]}... of {len(text)}"
