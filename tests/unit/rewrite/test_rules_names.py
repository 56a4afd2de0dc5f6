"""Rules for names, compared with a plain implementation of the mapping format, and with the families of porter's
mappings.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from property_examples import examples
from rule_sets import TARGETS, port, rule_set, target_rules

from porter.base.globs import matches
from porter.cpp.lex import Kind, decode, lex
from porter.model.rewrite_result import Reason
from porter.model.rules import Layer, RuleSet, Status
from porter.rewrite.resolver import Resolver
from porter.rewrite.rewriter import Rewriter
from porter.rewrite.source import WORD, Source

EXACT = {"cudaMalloc": "toyMalloc", "cudaFree": "toyRelease", "plain": "changed", "CUDA_A": "TOY_A"}
FAMILIES = [(r"cuda([A-Z]\w*)_t", r"toy\1_type"), (r"(\w*)Cuda(\w*)", r"\1Toy\2")]
MACROS = {"USE_CUDA": "USE_TOY", "CUDA_A": "TOY_A"}
RULES = rule_set(
    {
        "toy": [
            *({"name": name, "replace": new} for name, new in EXACT.items() if name not in MACROS),
            *({"macro": name, "replace": new} for name, new in MACROS.items()),
            *({"family": match, "replace": new} for match, new in FAMILIES),
            {"launch": "keep"},
        ]
    }
)
SOUP = st.lists(
    st.sampled_from(
        [
            *EXACT,
            *MACROS,
            *("cudaStream_t", "getCudaX", "PhiloxCuda", "cudaMallocs", "_plain", "plain1", "cudaX"),
            *(" ", "\n", "\\\n", "::", ".", "(", ")", "1", "1'0", "'", '"', "//", "/*", "*/", "R"),
            *(
                "#if ",
                "#ifdef ",
                "#define ",
                "#error ",
                "#include <",
                ">",
                '"x"',
                "'y'",
                'R"(',
                ')"',
            ),
            *("\xe9", "\0", "##", "#", "0x", "<", "u8", "\t", ";"),
        ]
    ),
    max_size=40,
).map("".join)


def expected(text: str) -> str:
    """Text with each identifier in code, and each identifier in a condition with a macro rule, replaced."""

    def in_condition(match: re.Match[str]) -> str:
        return MACROS.get(match[0], match[0])

    def in_code(word: str) -> str:
        for pattern, new in FAMILIES:
            if word not in EXACT and word not in MACROS and (m := re.fullmatch(pattern, word)):
                return m.expand(new)
        return {**EXACT, **MACROS}.get(word, word)

    return "".join(
        re.sub(r"(?<!\w)[A-Za-z_]\w*", in_condition, token.text, flags=re.ASCII)
        if token.kind is Kind.CONDITION
        else in_code(token.text)
        if token.kind is Kind.IDENT
        else token.text
        for token in lex(text)
    )


@settings(max_examples=examples(500))
@given(SOUP)
def test_names_are_replaced_where_they_are_identifiers(text: str) -> None:
    # For the preprocessor all of 1'plain and 1.plain is one number, which is none.
    numbers = [token.text for token in lex(text) if token.kind is Kind.NUMBER]
    assume(not any(re.search(r"['.][A-Za-z_]{4}", number) for number in numbers))

    made = port(text, RULES)

    if not any(left.reason is Reason.AMBIGUOUS for left in made.residue):
        assert made.text == expected(text)


@settings(max_examples=examples(300))
@given(SOUP)
def test_every_vendor_word_is_ported_or_reported(text: str) -> None:
    made = port(text, RULES)

    reported = {left.name for left in made.residue}
    for token in lex(text):
        if token.kind is Kind.IDENT and RULES.vendor.search(token.text):
            assert token.text in reported or expected(token.text) != token.text


# -- what makes the look-up fast must not change what it finds

WORDS = st.lists(
    st.sampled_from(
        [
            *("cuda", "Cuda", "CUDA", "cu", "CU", "_", "X", "x", "1", "nv", "nccl", "NCCL", "cub"),
            *("Malloc", "_t", "Stream", "dnn", "DNN", "blas", "BLAS", "rtc", "RTC", "thrust", "Lt"),
            *("is", "get", "tx", "pti", "make_float4", "HIPCUB", "_cub", "__", "bfloat16", "R"),
        ]
    ),
    min_size=1,
    max_size=5,
).map("".join)


FILE = "no/such/file.cpp"
"""Path outside of all folders to which rules are limited."""


def plainly(word: str, rules: RuleSet) -> tuple[str | None, bool]:
    """Expected replacement of a word in FILE (None: it stays), and True for a vendor word."""
    families = [
        (rules.rules[family.rule], match)
        for family in rules.families
        if (match := family.fullmatch(word))
    ]
    candidates = [(rules.rules[one.rule], one.replace) for one in rules.exact.get(word, ())]
    for rule, match in families[:1]:
        new = match.expand(rule.replace) if rule.replace is not None else None
        made = (rule, None if new == word or rule.status is not Status.SUPPORTED else new)
        if rule.layer is Layer.TARGET:
            bounded = [one for one in candidates if one[0].kind == "family"]
            candidates = [*(one for one in candidates if one not in bounded), made, *bounded]
        else:
            candidates.append(made)
    for rule, new in candidates:
        here = matches(FILE, rule.only_in or ("**",)) and not matches(FILE, rule.not_in)
        if here and "code" in rule.classes:
            return new, bool(rules.vendor.search(word))
    return None, bool(rules.vendor.search(word))


def check_words(words: set[str], rules: RuleSet) -> None:
    """Check the result of each word, alone in a text, against the plain implementation."""
    rewriter = Rewriter(rules, {})
    follows = {rule.match for rule in rules.rules if rule.option("follows")}
    for word in words:
        if any(re.fullmatch(match, word) for match in follows):
            continue
        if any(word == about.split("::")[0] for table in rules.uses.values() for about in table):
            continue
        new, vendor = plainly(word, rules)
        made = rewriter.rewrite(FILE, word.encode())
        assert made.text == (new or word), word
        assert any(left.name == word for left in made.residue) or new or not vendor, word


def test_a_name_that_follows_another_one_ignores_rules_for_some_files() -> None:
    driver = [
        {"name": "cuCreate", "replace": "toyCreate", "not_in": ["c10/**"]},
        {"name": "cuCreate", "only_in": ["c10/**"], "status": "todo", "note": "none"},
        {"name": "cuFree", "replace": "toyFree"},
    ]
    follows = {"family": r"(cu[A-Z]\w*)_", "replace": r"\1_", "follows": True}
    rules = rule_set({"toy": driver, "pytorch": [follows]})
    text = "cuCreate(0); cuCreate_(1); cuFree(2); cuFree_(3);"
    inside = port(text, rules, "c10/cuda/driver_api.cpp").text
    assert inside == "cuCreate(0); cuCreate_(1); toyFree(2); toyFree_(3);"


@pytest.mark.parametrize("target", TARGETS)
def test_words_come_out_as_the_rules_say(target: str) -> None:
    rules = target_rules(target, "2.6.0")

    @settings(max_examples=examples(300))
    @given(WORDS)
    def check(word: str) -> None:
        if WORD.fullmatch(word):
            check_words({word}, rules)

    check()


@pytest.mark.release
@pytest.mark.parametrize("target", TARGETS)
def test_words_of_a_release_come_out_as_the_rules_say(target: str, release_tree: Path) -> None:
    rules = target_rules(target, "2.6.0")
    text = "\n".join(
        decode(path.read_bytes())
        for folder in ("aten/src/ATen/cuda", "c10/cuda", "torch/csrc/cuda")
        for path in sorted((release_tree / folder).rglob("*.[hc]*"))
    )

    check_words(set(WORD.findall(text)), rules)


def test_what_a_word_means_is_learnt_once() -> None:
    """A word that the first file contains in a comment is handled correctly in the second file."""
    rules = rule_set({"toy": [{"name": "cudaA", "replace": "toyA"}]})
    resolver = Resolver(rules)
    source = Source("a.cpp", "// cudaA x", rules, {})

    assert resolver.mattering(source.words) == {"cudaA"}
    assert resolver.mattering({"cudaA", "x", "cudaB"}) == {"cudaA", "cudaB"}
    assert resolver.vendor({"x", "cudaB"}) == {"cudaB"}


def test_names_of_the_standard_library_are_not_cudas() -> None:
    entries = [{"name": "less", "replace": "toyLess"}, {"name": "cudaFree", "replace": "toyFree"}]
    text = "std::less<int> a; less<int> b; ::std::less<> c; cg::less<int> d; std::cudaFree e;\n"
    wanted = text.replace(" less", " toyLess").replace("cg::less", "cg::toyLess")
    made = port(text, rule_set({"toy": entries}))
    assert made.text == wanted.replace("cudaFree", "toyFree")
