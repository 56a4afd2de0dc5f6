"""Launch rules on generated launches, whose expected results are generated as well."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from property_examples import examples
from rule_sets import port, rule_set

from porter.cpp.lex import Kind, lex
from porter.model.rewrite_result import Reason
from porter.rewrite.kinds.launch import well_formed

TOY = rule_set({})
KEEP = rule_set({"toy": [{"launch": "keep"}]})


@dataclass(frozen=True)
class Launch:
    """A launch in the spellings of CUDA and toy."""

    cuda: str
    toy: str


KERNELS = st.sampled_from(
    [
        "go",
        "::go",
        "at::native::go",
        "go<T>",
        "go<T, 4, (n > 1), sizeof(int)>",
        "ns::go<std::pair<A, B<C>>, decltype(x)>",
        "Go<T>::run",
        "Go<T, 2>::template run<U>",
        "obj.go",
        "obj->template go<T, 2>",
        "(*fn)",
        "(pick<T, 2>(n))",
        "pick(a, b)",
        "pick<T>(a < b, c)",
        "fns[i][j(k, l)]",
        "static_cast<void (*)(int, int)>(fn)",
    ]
)
EXPRESSIONS = st.sampled_from(
    [
        "1",
        "grid",
        "dim3(1, 2)",
        "dim3{n, 1}",
        "(n + 31) / 32",
        "ceil_div<int, 4>(n, 2)",
        "n >> 1",
        "sizeof(A<B, C>)",
        "a.b->c[d, e]",
        "f(\"x, y\", ',')",
        "x ? y : z",
        "at::current()",
        "p<A<B<int>>>(1)",
        "T{}",
    ]
)
BEFORE = st.sampled_from(
    ["", "  ", "{ ", "if (x) ", "else ", "return ", "case 2: ", "x; ", "/* a; b, c */ ", "f(y, "]
)
AFTER = st.sampled_from([";", " ;", "; }", ");"])


def launches(arguments: st.SearchStrategy[Launch]) -> st.SearchStrategy[Launch]:
    return st.builds(
        lambda kernel, given, passed: Launch(
            f"{kernel}<<<{', '.join(given)}>>>({', '.join(one.cuda for one in passed)})",
            "TOY_LAUNCH("
            + ", ".join(
                [f"({part})" for part in (kernel, *given, *["0"] * (4 - len(given)))]
                + [one.toy for one in passed]
            )
            + ")",
        ),
        KERNELS,
        st.lists(EXPRESSIONS, min_size=2, max_size=4),
        st.lists(arguments, max_size=3),
    )


ANY_LAUNCH = launches(
    st.recursive(EXPRESSIONS.map(lambda text: Launch(text, text)), launches, max_leaves=3)
)


@settings(max_examples=examples(300))
@given(BEFORE, ANY_LAUNCH, AFTER)
def test_a_launch_of_any_parts(before: str, launch: Launch, after: str) -> None:
    made = port(before + launch.cuda + after, TOY)

    assert made.text == before + launch.toy + after
    assert not made.residue


@pytest.mark.parametrize("before", ["if (x) ", "while (n--) ", "if constexpr (f(x)) ", "else "])
def test_a_condition_does_not_qualify_a_kernel_of_the_global_scope(before: str) -> None:
    launch = "::go<<<1, 1>>>();"
    expected = "TOY_LAUNCH((::go), (1), (1), (0), (0));"

    assert port(before + launch, TOY).text == before + expected
    assert port("decltype(x)" + launch, TOY).text == expected.replace("::", "decltype(x)::")


@pytest.mark.parametrize("spelling", ["k<< <g, b>> >(x)", "k<<  <g, b>>>(x)", "k<<<g, b>> >(x)"])
def test_blanks_in_the_brackets(spelling: str) -> None:
    assert port(spelling, TOY).text == port("k<<<g, b>>>(x)", TOY).text
    assert port(spelling, KEEP).text == "k<<<g, b>>>(x)"


def test_template_arguments_between_brackets_with_blanks() -> None:
    launch = "k<A<B<int>> ><< <f<A<B<C<int>> >>(g), b>> >(x);"
    expected = "TOY_LAUNCH((k<A<B<int>> >), (f<A<B<C<int>> >>(g)), (b), (0), (0), x);"
    assert port(launch, TOY).text == expected


@given(st.lists(st.tuples(BEFORE, ANY_LAUNCH), min_size=1, max_size=4))
def test_launches_of_a_macro_keep_its_lines(statements: list[tuple[str, Launch]]) -> None:
    def body(texts: list[str]) -> str:
        return ("#define ALL " + "; ".join(texts)).replace(" ", " \\\n  ")

    made = port(body([before + launch.cuda for before, launch in statements]), TOY)

    def without_lines(text: str) -> str:
        return text.replace("\\\n", "").replace(" ", "")

    expected = body([before + launch.toy for before, launch in statements])
    assert without_lines(made.text) == without_lines(expected)
    lines = body([before + launch.cuda for before, launch in statements]).count("\n")
    assert made.text.count("\n") == made.text.count("\\\n") == lines


SOUP = st.lists(
    st.sampled_from(
        [
            *(
                "<<<",
                ">>>",
                "<< <",
                ">> >",
                "<",
                ">",
                "(",
                ")",
                "[",
                "]",
                "{",
                "}",
                ",",
                ";",
                "::",
                "->",
                ".",
            ),
            *(
                "k",
                "T",
                "return",
                "template",
                "if",
                "1",
                "'x'",
                '"y"',
                "#if X\n",
                "#else\n",
                "\\\n",
            ),
            *("/* <<< */", "// >>>\n", " ", "\n", "k<<<g, b>>>(x)", "f<T>", "#", "=", "&&"),
        ]
    ),
    max_size=40,
).map("".join)


def brackets(text: str) -> Counter[str]:
    """Number of each bracket in code."""
    return Counter(
        token.text for token in lex(text) if token.kind is Kind.PUNCT and token.text in "()[]{}"
    )


@settings(max_examples=examples(500))
@given(SOUP)
def test_every_launch_is_ported_or_reported(text: str) -> None:
    made = port(text, TOY)

    seen = sum(token.kind is Kind.CHEVRON_OPEN for token in lex(text))
    ported = sum(made.hits.values())
    reported = sum(left.places for left in made.residue if left.reason is Reason.AMBIGUOUS)
    assert ported + reported == seen
    # Each launch brings the parentheses of the template and loses those of its arguments.
    template = brackets("TOY_LAUNCH((k), (g), (b), (m), (s))") - brackets("(x)")
    expected = brackets(text)
    for _ in range(ported):
        expected += template
    assert brackets(made.text) == expected
    assert made.text.count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("template", "good"),
    [
        ("keep", True),
        ("L({kernel}, {grid}, {block}, {shmem}, {stream}{,args})", True),
        ("L<{kernel}>({grid}, {block}, {shmem}, {stream})({args})", True),
        ("L({kernel}, {block}, {grid}, {shmem}, {stream}{,args})", False),
        ("L({kernel}, {grid}, {block}, {shmem}{,args})", False),
        ("L({kernel}, {grid}, {block}, {shmem}, {stream}, {stream}{,args})", False),
        ("L", False),
    ],
)
def test_a_template_names_all_parts_in_the_order_of_the_source(template: str, good: bool) -> None:
    assert well_formed(template) is good
