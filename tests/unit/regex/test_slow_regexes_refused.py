"""Regular expressions that are rejected, because Python's engine might take exponential time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from porter.mapping import document
from porter.mapping.library import shipped
from porter.regex.redos import why_not_linear
from porter.rewrite.kind_schema import Regex
from porter.rewrite.kinds.order import ORDER


@pytest.mark.parametrize(
    "pattern",
    [
        r"(a+)+b",
        r"(a*)*b",
        r"(a|a)*b",
        r"(a|ab|b)*c",
        r"(\w+\w+)+x",
        r"(?:a{1,3}){1,20}b",
        r"(?:(?:ab)+)+c",
        r"(aa|a)*0",
    ],
)
def test_exponential(pattern: str) -> None:
    reason = why_not_linear(pattern)
    assert reason.startswith("runs in exponential time")
    # And so it does: the text that is named makes each step cost more than the last.
    text = reason.split("'")[1]
    assert re.fullmatch(rf"(?:{pattern})", text + "!") is None


@pytest.mark.parametrize(
    ("pattern", "search"),
    [
        (r"(\w*)(\w*)x", False),
        (r"\w*\w*\w*x", False),
        (r"\w*(\w*)(_\w*)x", False),
        (r"a*ab*a*c", False),
        (r"(?:x\w*y)?\w*z", False),
        (r"a*+a*+b", False),
        (r"\s*x", True),
        (r"foo\w*\s*=", True),
        (r"\bfoo\b[^;]*bar", True),
        (r".*x", True),
    ],
)
def test_quadratic(pattern: str, search: bool) -> None:
    assert why_not_linear(pattern, search=search).startswith("runs in quadratic time")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        (r"(a)\1", "back-references do not run in linear time"),
        (r"(a)?(?(1)b|c)", "back-references do not run in linear time"),
        (r"a(?=b)", "look-around is not allowed"),
        (r"(?<!a)b", "look-around is not allowed"),
        (
            r"(?:a?){30}",
            "a counted repeat (`{m,n}`) of an expression that can match the empty text",
        ),
        (
            r"(?:a?){20,}",
            "a counted repeat (`{m,n}`) of an expression that can match the empty text",
        ),
        ("a?" * 30, "has more than 12 alternatives or optional parts in a row"),
        (r"\w{0,40}\w{0,40}\w{0,40}x", "has more than two successive repeats"),
    ],
)
def test_other_reasons(pattern: str, reason: str) -> None:
    assert why_not_linear(pattern).startswith(reason)


@pytest.mark.parametrize(
    "pattern",
    [
        "(",
        "[",
        "a{1,99999999999}",
        "(?L)a",
        "(?u)a",
        "*",
        "(?P<1>a)",
        r"\8",
        "(" * 150,
        "(?i)a(?-i)",
    ],
)
def test_malformed(pattern: str) -> None:
    assert why_not_linear(pattern).startswith("malformed regular expression: ")


@pytest.mark.parametrize(
    ("pattern", "search"),
    [
        (r"cuda([A-Z]\w*)", False),
        (r"(\w*)CUDA(\w*)", False),
        (r"\w*(?:cudnn|CuDNN|CUDNN)\w*", False),
        (r"\w*_cuda_\w*|cuda_\w+|\w+_cuda|\w+_cuda[a-z]\w*", False),
        (r"u?(char|short|int|long|longlong)[1-4]|(float|double)[1-4]|dim3", False),
        (r"\w+\s+\w+", False),
        (r"(?:[A-Z][a-z]*)+", False),
        (r"(ab|cd)*e", False),
        # The engine reads alternatives of one character as a set.
        (r"(?:\w|_)+x", False),
        (r"([a-z]|[m-z])*0", False),
        (r"", False),
        (r"\basm\b", True),
        (r"\bfoo\w*\s*=", True),
        (r"foo\w{0,40}\s*=", True),
        (r"__(shfl|ballot|any|all)\w*", True),
        (r"#\s*include\s*<", True),
        (r"^\s*x", True),
        (r"//.*", True),
    ],
)
def test_linear(pattern: str, search: bool) -> None:
    assert why_not_linear(pattern, search=search) == ""


def _shipped_patterns() -> list[tuple[str, bool]]:
    found = []
    for path in sorted(shipped().rglob("*.yaml")):
        data = document.read(path, path.name).data
        rules = data.get("rules", []) if isinstance(data, dict) else []
        found += [
            (rule[field.name], field.regex is Regex.SEARCHED)
            for rule in rules
            for kind in ORDER
            for field in kind.fields
            if kind.name in rule and field.regex and field.name in rule
        ]
        found += [(word, True) for word in data.get("words", [])]
    return found


def test_all_shipped_patterns_are_linear() -> None:
    patterns = _shipped_patterns()
    assert len(patterns) > 100
    assert [p for p, search in patterns if why_not_linear(p, search=search)] == []


def _seconds(run: Callable[[], object]) -> float:
    best = 1.0
    for _ in range(3):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def _growth(pattern: str, text: str, search: bool, length: int) -> float:
    """Ratio of the engine's times for a text and a text of a quarter of its length."""
    known = re.compile(pattern, re.ASCII)
    match = (lambda t: list(known.finditer(t))) if search else known.fullmatch
    size = length // len(text)
    # An end that fits nothing, where a text may hold anything: only what fails is tried in all
    # ways.
    short, long = (text * size * times + ("!" if search else "_") for times in (1, 4))
    return _seconds(lambda: match(long)) / _seconds(lambda: match(short))


@pytest.mark.parametrize(
    ("pattern", "text", "search"),
    [
        (r"(\w*)(\w*)x", "a", False),
        (r"foo\w*\s*=", "foo", True),
        (r"\s*x", " ", True),
    ],
)
def test_what_is_refused_as_quadratic_is_so(pattern: str, text: str, search: bool) -> None:
    assert why_not_linear(pattern, search=search)
    assert _growth(pattern, text, search, 3000) > 8


def test_what_is_shipped_takes_linear_time() -> None:
    words = ["cuda", "CUDA", "Cuda", "warpsize", "asm ", "threadIdx.x ", "0x", "_cuda_", "thrust"]
    for pattern, search in _shipped_patterns():
        for word in words:
            length = 3000 if search else 20_000
            # Measured again before it is believed: other work on the machine has its moments.
            grows = (_growth(pattern, word, search, length) for _ in range(4))
            assert any(growth < 9 for growth in grows), (pattern, word)


def test_the_mended_hazard_still_finds_what_it_is_for() -> None:
    path = Path(shipped() / "cuda" / "hazards.yaml")
    rules = {rule["hazard"]: rule for rule in document.read(path, path.name).data["rules"]}
    pattern = re.compile(rules["warp_size"]["pattern"], re.ASCII)
    for code in ("kWarpSize == 32", "C10_WARP_SIZE=32", "warp_size_log == 32", "lane_id & 31"):
        assert pattern.search(code), code
    assert not pattern.search("kWarpSize == 64")
