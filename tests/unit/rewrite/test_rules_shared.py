"""Dynamic shared memory: generated declarations, in every order of specifiers that C++ permits."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_examples import examples
from rule_sets import port, rule_set

from porter.model.rewrite_result import Reason
from porter.rewrite.shared_declarations import declarations, in_parts, static_alignments
from porter.rewrite.source import Source

RULES = rule_set({"toy": [{"dynamic_shared": "{type} (&{name})[] = SHARED({type}|{align})"}]})
SPECIFIERS = ["extern", "__shared__", "alignas(2 * (4 + 4))", "volatile"]


@pytest.mark.parametrize("order", list(permutations(SPECIFIERS)), ids=" ".join)
def test_specifiers_in_any_order(order: tuple[str, ...]) -> None:
    made = port(f"{' '.join(order)} unsigned char buf[];", RULES)

    char = "volatile unsigned char"
    assert made.text == f"{char} (&buf)[] = SHARED({char}|2 * (4 + 4));"
    assert not made.residue


TYPES = st.sampled_from(["float", "unsigned char", "at::Half", "A<B<C>, 3>", "typename T::type"])
ALIGNED = st.sampled_from(
    [
        ("extern __shared__ {type} {name}[];", ""),
        ("extern __shared__ alignas(16) {type} {name}[];", "16"),
        ("extern __shared__ __align__(sizeof(T)) {type} {name}[];", "sizeof(T)"),
        ("alignas(sizeof(double)) extern __shared__ {type} {name}[];", "sizeof(double)"),
        ("extern __shared__ {type} {name}[] __attribute__((aligned(8)));", "8"),
        ("extern __shared__\n  {type}\n  {name} [ ] ;", ""),
        ("extern /* x; */ __shared__ {type} // y[];\n {name}[];", ""),
    ]
)
BEFORE = st.sampled_from(["", "  ", "int x; ", "void f() { ", "x = 3; // extern\n", "f();\n\n"])


@settings(max_examples=examples(200))
@given(st.lists(st.tuples(BEFORE, ALIGNED, TYPES), min_size=1, max_size=3))
def test_declarations_of_any_parts(parts: list[tuple[str, tuple[str, str], str]]) -> None:
    text, expected = "", ""
    for at, (before, (shape, align), type_) in enumerate(parts):
        name = f"buf_{at}"
        text += before + shape.format(type=type_, name=name)
        expected += f"{before}{type_} (&{name})[] = SHARED({type_}|{align});"

    made = port(text, RULES)

    assert "".join(made.text.split()) == "".join(expected.split())
    assert made.text.count("\n") == text.count("\n")
    assert (
        sum(made.hits.values()) == len(parts) == len(declarations(Source("a.cu", text, RULES, {})))
    )


SOUP = st.lists(
    st.sampled_from(
        [
            *("extern ", "__shared__ ", "float ", "buf", "[]", "[", "]", ";", "{", "}", "(", ")"),
            *(
                "alignas(8) ",
                "__attribute__((x))",
                "=",
                ",",
                "\n",
                "\\\n",
                "#define D ",
                "//",
                '"C"',
            ),
            *("/*", "*/", "T<", ">", "static ", "__align__", "#", "extern __shared__ float x[];"),
        ]
    ),
    max_size=30,
).map("".join)


@settings(max_examples=examples(500))
@given(SOUP)
def test_every_declaration_is_ported_or_reported(text: str) -> None:
    source = Source("a.cpp", text, RULES, {})
    found = [*declarations(source), *in_parts(source), *static_alignments(source)]

    made = port(text, RULES)

    reported = sum(left.places for left in made.residue if left.reason is Reason.AMBIGUOUS)
    assert sum(made.hits.values()) + reported == len(found)
    assert made.text.count("\n") == text.count("\n")
