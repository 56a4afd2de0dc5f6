"""Text in place of numbers, for options that take no path."""

from __future__ import annotations

from collections.abc import Iterator

from badinput.case import USAGE, Case
from badinput.values import DEVICE_TESTS, DIGITS, NO_NUMBERS, PORT, SAVE, VERIFY_STUB, shown
from badinput.world import COMPARED, RUN, TARGET

NUMBERS: dict[str, tuple[tuple[str, ...], tuple[str | bytes, ...]]] = {
    "run -j": ((*RUN, "-j"), (*NO_NUMBERS, "0", "4097")),
    "port --jobs": ((*PORT, "--jobs"), (*NO_NUMBERS, "0", "4097")),
    "extension build --jobs": (
        ("extension", "build", "ext", "--out", "new", *TARGET, "--python", "/bin/false", "-j"),
        (*NO_NUMBERS, "0", "4097"),
    ),
    "verify --samples": ((*VERIFY_STUB, "--samples"), (*NO_NUMBERS, "0")),
    "verify --timeout": (
        (*VERIFY_STUB, "--timeout"),
        ("", "x", "0", "-1", "nan", "inf", "1e400", DIGITS),
    ),
    "device-tests --timeout": ((*DEVICE_TESTS, "--timeout"), ("", "x", "0", "nan", "-inf", "1e99")),
    "verify --shard": (
        (*VERIFY_STUB, "--shard"),
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
    "device-tests --shard": ((*DEVICE_TESTS, "--shard"), ("", "2", "9/8", f"{DIGITS}/1")),
    "diff --limit": (("diff", "out/toy/2.6.0", "out/toy/2.6.0", "--limit"), NO_NUMBERS),
    "report --limit": (("report", "out/toy/2.6.0", "--limit"), NO_NUMBERS),
    "simt flags --warp-size": (("simt", "flags", "--warp-size"), (*NO_NUMBERS, "0", "33")),
    "simt build --jobs": (("simt", "build", "--out", "new", "-j"), (*NO_NUMBERS, "0")),
    "port --release": (
        (*PORT, "--release"),
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
    "regenerate -j": (("regenerate", *TARGET, "-j"), (*NO_NUMBERS, "0", "4097")),
    "release prove -j": (("release", "prove", "2.6.0", *TARGET, "-j"), (*NO_NUMBERS, "0")),
    "release prove --tree": (
        ("release", "prove", "2.6.0", *TARGET, "--tree"),
        ("", "2.6.0", "2.6.0=", "=tree", "x=tree", "2.6.0-header=tree", "\n=tree"),
    ),
    "release prove RELEASE": (
        ("release", "prove", *TARGET),
        ("", "x", "2", "2.6.0\n", "2.6.0+cpu", f"2.{DIGITS}", "²", "-headers"),
    ),
    "abi A": (("abi", "--compiler", "/bin/false"), ("", "x", "2", "2.6.0\n", "²")),
    "upgrade --limit": ((*COMPARED, "--limit"), NO_NUMBERS),
    "upgrade -j": ((*COMPARED, "-j"), (*NO_NUMBERS, "0", "4097")),
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


def cases() -> Iterator[Case]:
    """Cases with text in place of a number."""
    for name, (before, values) in NUMBERS.items():
        for value in values:
            yield Case(f"{name} {shown(value)}", (*before, value), frozenset({USAGE}))
