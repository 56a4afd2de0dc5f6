"""Call rules on generated calls, whose expected results are generated as well."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_examples import examples
from rule_sets import port, rule_set

from porter.cpp.lex import Kind, lex
from porter.cpp.region import Region
from porter.model.rewrite_result import Reason
from porter.rewrite.brackets import arguments

PARTS = st.sampled_from(
    [
        "x",
        "1'000",
        '"a, (b"',
        "','",
        "a.b->c",
        "f()",
        "std::vector<int, A<B>>{1, 2}",
        "is_same<A, B>::value",
        "max<int, 2>(a, b)",
        "a < b",
        "a >> 2",
        "[=](int i, int j) { return i, j; }",
        "{1, {2, 3}}",
        "(a, b)",
        "/* , */ y",
        "go<<<1, 2>>>(z, w)",
        "T(int, float)",
    ]
)
GAPS = st.sampled_from(["", " ", "\n  ", "  // , )\n  ", " /* ( */ ", " \\\n"])


@settings(max_examples=examples(300))
@given(st.lists(st.tuples(GAPS, PARTS, GAPS), min_size=1, max_size=5))
def test_arguments_are_those_that_were_written(parts: list[tuple[str, str, str]]) -> None:
    text = "f(" + ",".join(before + part + after for before, part, after in parts) + ") + g(1, 2)"

    found = arguments(Region(text, 1), 1)

    assert found
    spans, close = found
    # Comments beside an argument stay with it, blanks do not.
    assert [bare(text[start:end]) for start, end in spans] == [bare(part) for _, part, _ in parts]
    assert all(text[start:end].strip(" ") == text[start:end] for start, end in spans)
    assert text[close:] == ") + g(1, 2)"


def bare(text: str) -> str:
    """Text without comments and blanks."""
    return "".join(t.text for t in lex(text) if t.kind not in (Kind.BLANK, Kind.COMMENT))


@given(st.lists(st.tuples(GAPS, PARTS, GAPS), min_size=4, max_size=4), st.permutations("abcd"))
def test_arguments_change_places(parts: list[tuple[str, str, str]], order: list[str]) -> None:
    rules = rule_set(
        {
            "toy": [
                {"call": "cudaCall(a, b, c, d)", "replace": f"toyCall({', '.join(order)})"},
                {"launch": "keep"},
            ]
        }
    )
    text = "cudaCall(" + ",".join("".join(part) for part in parts) + ");\nnext();"

    made = port(text, rules)

    by_name = dict(zip("abcd", (part for _, part, _ in parts), strict=True))
    expected = f"toyCall({','.join(by_name[name] for name in order)});next();"
    assert bare(made.text) == bare(expected)
    assert made.text.count("\n") == text.count("\n")
    comments = [t.text for t in lex(text) if t.kind is Kind.COMMENT]
    assert sorted(t.text for t in lex(made.text) if t.kind is Kind.COMMENT) == sorted(comments)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()", []),
        ("( )", []),
        ("(/* none */)", []),
        ("(a)", ["a"]),
        ("( a , b )", ["a", "b"]),
        ("(a,)", ["a", ""]),
        ("(,)", ["", ""]),
        ("(a < b, c > d)", ["a < b", "c > d"]),
        ("(a < b, c)", ["a < b", "c"]),
        ("(x<a, b>(c))", ["x<a, b>(c)"]),
        ("(x<a, y<b, c>>::z)", ["x<a, y<b, c>>::z"]),
        ("(x<a, y<b, z<c, d>>>(e), f)", ["x<a, y<b, z<c, d>>>(e)", "f"]),
        ("(1 << a, b >> 2)", ["1 << a", "b >> 2"]),
        ("(a->b, c)", ["a->b", "c"]),
        ("(a ? b < c : d, e > (f))", ["a ? b < c : d", "e > (f)"]),
        ("(a <= b, c >= (d))", ["a <= b", "c >= (d)"]),
        ("(a // b, c)\n  , d)", ["a // b, c)\n", "d"]),
    ],
)
def test_arguments_of(text: str, expected: list[str]) -> None:
    found = arguments(Region(text, 0), 0)

    assert found
    assert [text[start:end] for start, end in found[0]] == expected
    assert found[1] == len(text) - 1


@pytest.mark.parametrize(
    "text", ["(a", "(a, (b)", "(a[)", "(\n#if X\na\n#endif\n)", "(a\n#else\n)"]
)
def test_arguments_that_cannot_be_told(text: str) -> None:
    assert arguments(Region(text, 0), 0) is None


SOUP = st.lists(
    st.sampled_from(
        [
            *("cudaA", "cudaA(", ".cudaA", "(", ")", "[", "]", "{", "}", ",", "<", ">", ";", "::"),
            *(
                "x",
                "1",
                "'",
                '"',
                "//",
                "/*",
                "*/",
                "\n",
                " ",
                "\\\n",
                "#if",
                "<<<",
                ">>>",
                "-",
                "=",
            ),
        ]
    ),
    max_size=40,
).map("".join)


@settings(max_examples=examples(500))
@given(SOUP)
def test_every_use_is_ported_or_reported(text: str) -> None:
    rules = rule_set({"toy": [{"call": "cudaA(x)", "replace": "toyA(x)"}, {"launch": "keep"}]})

    made = port(text, rules)

    uses = sum(
        len(re.findall(r"(?<!\w)cudaA(?!\w)", token.text))
        for token in lex(text)
        # To C++ `1.cudaA` is a number; it is reported all the same.
        if token.kind in (Kind.IDENT, Kind.CONDITION, Kind.NUMBER)
    )
    ported = sum(
        count for (rule, _), count in made.hits.items() if rules.rules[rule].kind == "call"
    )
    reported = sum(
        left.places
        for left in made.residue
        if left.name == "cudaA" and left.reason is not Reason.IN_STRING
    )
    assert ported + reported == uses
    assert made.text.count("\n") == text.count("\n")
