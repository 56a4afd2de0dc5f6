"""Replacements must form one expression, and replacements of calls may use only the call's arguments."""

from __future__ import annotations

from typing import Any

import pytest
from rule_sets import port, rule_set

from porter.mapping.checks import Finding, replacements
from porter.mapping.checks.code_text import not_one_piece


def found(replace: str, call: str = "cudaCopy(dst, src, n, stream)") -> list[str]:
    rules = rule_set({"toy": [{"call": call, "replace": replace}]})
    (rule,) = (rule for rule in rules.rules if rule.kind == "call")
    findings: list[Finding] = [*replacements.of_rule(rule)]
    assert all(finding.severity == "error" for finding in findings)
    return [finding.problem.text.partition(": ")[2] for finding in findings]


@pytest.mark.parametrize(
    ("replace", "said"),
    [
        ("toyCopy(dst", "leaves a '(' open"),
        ("toyCopy(dst, src, n, stream))", "closes a ')' that is not open"),
        ("toyCopy(dst, src, n, stream]", "closes a ']' that is not open"),
        ("toyCopy(dst, src) // n, stream", "holds a comment"),
        ("toyCopy(dst, src, /* n */ stream)", "holds a comment"),
        ("toyCopy(dst, src, n, stream);", "ends a statement"),
        ('toyCopy(dst, src, n, stream, "open)', "a quote that is not closed"),
        ("toyCopy(dst,\nsrc, n, stream)", "holds a line break"),
        ("#define X", "holds a directive"),
        (
            "toyCopy(dst, src, n, strem)",
            "'strem' of the replacement is not an argument of the call",
        ),
        (
            "toyCopy(dst, src, n, Stream)",
            "'Stream' of the replacement is not an argument of the call",
        ),
        ("toyCopy(dst, src, n, stream, flags)", "'flags' of the replacement is not an argument"),
        ("toyCopy(dst, src, n * 2, stream)", "'n' of the replacement is next to an operator"),
        ("dst.copy(src, n, stream)", "'dst' of the replacement is next to an operator"),
        ("toyCopy(&dst, src, n, stream)", "'dst' of the replacement is next to an operator"),
        ("toyCopy((char*)dst, src, n, stream)", "'dst' of the replacement is next to an"),
    ],
)
def test_what_cannot_be_written_is_an_error(replace: str, said: str) -> None:
    assert said in "\n".join(found(replace))


@pytest.mark.parametrize(
    "replace",
    [
        "toyCopy(dst, src, stream, n)",
        "toyCopy((dst), src, (n) * 2, stream)",
        "toyCopy(dst, src, n, stream, nullptr, sizeof(int), kToyDefault, TOY_FLAG, warpSize)",
        "toyCopy(static_cast<void*>(dst), src, n, ::strem)",
        "toyCopy(dst, src, n, stream, \"strem\", 's', toy::flags, toy::table.flags)",
        "[&] { toyPrepare(stream); return toyCopy(dst, src, n, stream); }()",
        "toy::copy<int>({dst, src}, n, stream)",
    ],
)
def test_what_can_be_written_is_none(replace: str) -> None:
    assert found(replace) == []


def test_a_method_has_a_receiver_that_stays() -> None:
    assert found(".device().is_toy()", ".is_cuda()") == []


@pytest.mark.parametrize(
    "rule",
    [
        {"name": "cudaA", "replace": "toyA // as cudaA"},
        {"names": {"cudaB": "toyB("}},
        {"macro": "CUDA_C", "replace": "TOY_C]"},
        {"value": "CUDA_D", "replace": '"12'},
        {"qualified": "a::b", "replace": "c::d /* was a::b */"},
        {"family": r"cudaX(\w*)", "replace": r"toyX\1;"},
        {"launch": "RUN({kernel}, {grid}, {block}, {shmem}, {stream}, {args}"},
        {"dynamic_shared": "{type}* {name} = shared(); // {type}"},
        {"include": "cuda.h", "replace": "<toy.h>"},
    ],
    ids=lambda rule: next(iter(rule)),
)
def test_every_kind_writes_one_piece_of_code(rule: dict[str, Any]) -> None:
    rules = rule_set({"toy": [rule]})
    (made,) = (one for one in rules.rules if one.origin.file == "toy/case.json")
    (finding,) = replacements.of_rule(made)
    assert finding.severity == "error" and finding.problem.place == "toy/case.json:4"


@pytest.mark.parametrize("text", ["a", "f(x)[1]{}", "')'", '"(" R"x(()x"', "f([] { ; })"])
def test_one_piece(text: str) -> None:
    assert not_one_piece(text) == ""


def test_names_of_arguments_in_literals_are_text() -> None:
    rules = rule_set(
        {"toy": [{"call": "cudaAsk(name, n)", "replace": 'toyAsk("name n", n, name)'}]}
    )
    assert port("cudaAsk(x, y);", rules).text == 'toyAsk("name n", y, x);'
