"""Place of the target's main header: once, before all code, and never where it would break a construct."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hypothesis import example, given, settings
from hypothesis import strategies as st
from property_examples import examples
from rule_sets import port, rule_set

from porter.cpp.lex import Kind, lex

RULES = rule_set({})
HEADER = "#include <toy_runtime.h>"
LINES = st.sampled_from(
    [
        "",
        "  ",
        "// comment",
        "// comment \\",
        "/* comment",
        "*/",
        "/* a */ // b",
        "/* a */ int y;",
        "#pragma once",
        "#ifndef A_H",
        "#define A_H",
        "#define M \\",
        "#define N 3 // three",
        "#include <vector>",
        '#include "a.h" /* b',
        "#if X",
        "#endif",
        "#error no",
        "namespace at {",
        "int x;",
        '"string',
        'R"(raw',
        ')";',
        "go(a, \\",
        "\\",
    ]
)
TEXTS = st.builds(
    lambda lines, newline, end: newline.join(lines) + (newline if end else ""),
    st.lists(LINES, max_size=10),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)


@settings(max_examples=examples(1000))
@given(TEXTS)
@example("namespace at {\n#include <x.inc>\n}\n")
@example("#define M \\\n\n#include <x>\n")
@example("// only")
def test_the_header_stands_once_and_before_all_code(text: str) -> None:
    made = port(text, RULES, "a.cu")

    assert made.text.replace(HEADER, "", 1).split() == text.split()
    before, after = made.text.split(HEADER)
    code, conditions = outline(before)
    assert not code, "nothing but comments and directives comes first"
    assert len(conditions) <= 1, "and of conditions the include guard alone"
    assert any(token.kind is Kind.INCLUDE and token.text == HEADER for token in lex(made.text))
    assert after == "" or after[0] in "\r\n"
    assert made.text.count("\n") - text.count("\n") in (0, 1)
    if made.text.count("\n") > text.count("\n"):
        # There was no blank line to make up for it.
        assert not any(blank_lines(after))
    assert port(made.text, RULES, "a.cu").text == made.text


def test_residue_below_the_header_is_on_its_line() -> None:
    """The header moves line 1 down; the removed blank line below it keeps the numbers of all later lines."""
    made = port("cudaFirst();\nint a;\n\nint b;\ncudaLater();\n", RULES, "a.cu")

    lines = made.text.split("\n")
    assert lines[0] == HEADER
    assert [(left.name, left.line) for left in made.residue] == [("cudaFirst", 2), ("cudaLater", 5)]
    assert all(left.name in lines[left.line - 1] for left in made.residue)


def blank_lines(text: str) -> Iterator[str]:
    """Empty lines that are not part of a comment, a literal or a macro."""
    for token in lex(text.partition("\n")[2]):
        if token.kind is Kind.BLANK and "\\" not in token.text:
            yield from re.findall(r"\n\r?\n", token.text)


def outline(text: str) -> tuple[str, list[str]]:
    """Text without comments, directives and blanks; and the lines of includes and conditions."""
    code = ""
    lines = []
    directive = False
    for token in lex(text):
        if token.kind is Kind.BLANK:
            unspliced = token.text.replace("\\\r\n", "").replace("\\\n", "")
            directive = directive and "\n" not in unspliced
        elif directive or token.kind is Kind.COMMENT:
            continue
        elif token.kind in (Kind.INCLUDE, Kind.CONDITION):
            lines.append(token.text)
        elif token.kind is Kind.DIRECTIVE:
            directive = True
        elif token.kind is not Kind.MESSAGE:
            code += token.text
    return code, lines


def test_a_byte_order_mark_stays_first() -> None:
    mark = "\xef\xbb\xbf"
    assert port(f"{mark}int x;\n", RULES, "a.cu").text == f"{mark}{HEADER}\nint x;\n"
    assert (
        port(f"{mark}/* a */\n\nint x;\n", RULES, "a.cu").text
        == f"{mark}/* a */\n{HEADER}\nint x;\n"
    )
