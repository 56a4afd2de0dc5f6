"""Lexer: lossless, consistent with its variants and with clang, linear in time."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from property_examples import examples

from porter.cpp.lex import Kind, Token, decode, encode, lex, opaque, tokens

OPAQUE = {
    Kind.COMMENT,
    Kind.STRING,
    Kind.CHAR,
    Kind.INCLUDE,
    Kind.CONDITION,
    Kind.MESSAGE,
    Kind.DIRECTIVE,
    Kind.CHEVRON_OPEN,
}
SOURCES = re.compile(
    r"\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|cu|cuh|m|mm|inl|inc|in|ipp|tcc|def|metal|cl|glsl|glslh)"
)

# Pieces that mean something to a C++ lexer, cut where one meaning ends and another may begin.
FRAGMENTS = [
    *"\"'\\/*#<>()[]{};:,.?=&|+-_RuULx0179eEpP \t\n\r\v\f\0\x80\xe9\xff",
    *("//", "/*", "*/", "\\\n", "\\\r\n", "\\ \n", "\r\n", "<<", ">>", "<<<<", "##"),
    *("<<<", ">>>", "<< <", ">> >", "operator"),
    *('R"', 'R"(', ')"', 'R"x(', ')x"', 'u8R"(', 'LR"x(', 'UR"', 'R""(', ')""', 'R"a b(', 'xR"('),
    *('u8"', 'L"', "u'", "1'000", "0x1'F", "1e+5", "0x1.8p-3", ".5'0", "1'", "'a'", "'\\''"),
    *("#include <a.h>", '#include "a.h"', "#include <", "# include", "#if", "#ifdef X", "#elif"),
    *("#error it's", '#warning "x"', "#define", "#pragma", "#endif", "#else", "#x", "a##if", "##b"),
    *("cuda", "k<T, (n > 1)>", "f<A<B<C>>>(x)", 'operator""_if', "'\\\"", '"\\"', '"\\\\"', "??/"),
]
fragments = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)
bytes_as_text = st.binary(max_size=200).map(decode)


def pieces(text: str) -> list[str]:
    """Kind and text of all tokens except blanks."""
    return [f"{token.kind} {token.text}" for token in lex(text) if token.kind is not Kind.BLANK]


def check(text: str) -> None:
    """Check the properties that hold for every text."""
    found = lex(text)
    assert "".join(token.text for token in found) == text
    at = 0
    for token in found:
        assert token.start == at
        assert token.text
        at = token.end
    assert opaque(text) == [token for token in found if token.kind in OPAQUE]


@settings(max_examples=examples(1000))
@given(fragments)
@example('R"x()y")x"')
@example("'\\'\\'")
@example("x.5'a'")
@example('1u8R"(a)"')
def test_any_mixture_of_fragments_is_kept(text: str) -> None:
    check(text)


@settings(max_examples=examples(300))
@given(bytes_as_text)
def test_any_bytes_are_kept(text: str) -> None:
    check(text)
    assert decode(encode(text)) == text


@given(st.text(max_size=60))
def test_any_text_is_kept(text: str) -> None:
    check(text)


@given(fragments, fragments)
def test_tokens_from_an_offset_are_those_of_the_whole(before: str, after: str) -> None:
    text = before + "\n;" + after
    starts = {token.start for token in lex(text)}
    offset = len(before) + 1
    if offset in starts:
        assert list(tokens(text, offset)) == [t for t in lex(text) if t.start >= offset]


TOKENS = [
    # ISO C++ [lex.phases], [lex.comment]: a splice continues a line's comment; no comment in a comment.
    ("a//b\\\nc\nd", ["IDENT a", "COMMENT //b\\\nc", "IDENT d"]),
    ("/* // */b", ["COMMENT /* // */", "IDENT b"]),
    ("// /*\nb", ["COMMENT // /*", "IDENT b"]),
    ("a/*b", ["IDENT a", "COMMENT /*b"]),
    ("a/b", ["IDENT a", "PUNCT /", "IDENT b"]),
    # [lex.string]: what begins a comment begins none in a string, and the other way round.
    ('"/*" "//"', ['STRING "/*"', 'STRING "//"']),
    ('"a\\"b"', ['STRING "a\\"b"']),
    ('"a\\\\"b', ['STRING "a\\\\"', "IDENT b"]),
    ('"a\\\nb"', ['STRING "a\\\nb"']),
    ('"a\\\r\nb"', ['STRING "a\\\r\nb"']),
    ('u8"x"', ["IDENT u8", 'STRING "x"']),
    ("L'x' '\\'' '\"'", ["IDENT L", "CHAR 'x'", "CHAR '\\''", "CHAR '\"'"]),
    # Raw strings end at their own delimiter, which may hold quotes; escapes mean nothing in them.
    ('R"(a\\)"', ['STRING R"(a\\)"']),
    ('R"x(a)" )x"b', ['STRING R"x(a)" )x"', "IDENT b"]),
    ('R"""(a)")""";', ['STRING R"""(a)")"""', "PUNCT ;"]),
    ('u8R"(\n//\n)"', ["IDENT u8", 'STRING R"(\n//\n)"']),
    ('fooR"(a)"', ["IDENT fooR", 'STRING "(a)"']),
    ('R"(never closed\n', ['STRING R"(never closed\n']),
    # [lex.icon], [lex.fcon]: quotes between digits, signs of exponents.
    ("1'000'000", ["NUMBER 1'000'000"]),
    ("0xFF'FFu", ["NUMBER 0xFF'FFu"]),
    ("1e+5-.5f", ["NUMBER 1e+5", "PUNCT -", "NUMBER .5f"]),
    ("(1,'a')", ["PUNCT (", "NUMBER 1", "PUNCT ,", "CHAR 'a'", "PUNCT )"]),
    # CUDA C++ Programming Guide, "Execution Configuration"; shifts are no part of it.
    ("k<<<1>>>", ["IDENT k", "CHEVRON_OPEN <<<", "NUMBER 1", "CHEVRON_CLOSE >>>"]),
    ("k<< <1>> >", ["IDENT k", "CHEVRON_OPEN << <", "NUMBER 1", "CHEVRON_CLOSE >> >"]),
    ("operator<< <T", ["IDENT operator", "PUNCT <", "PUNCT <", "PUNCT <", "IDENT T"]),
    ("operator<<<T", ["IDENT operator", "PUNCT <", "PUNCT <", "PUNCT <", "IDENT T"]),
    ("a<<b", ["IDENT a", "PUNCT <", "PUNCT <", "IDENT b"]),
    ("<<<<", ["PUNCT <"] * 4),
    # [cpp]: of a directive the name is a token, of a condition the whole line up to a comment, splices included.
    ('#include "a.h"//b', ['INCLUDE #include "a.h"', "COMMENT //b"]),
    ("# include <a/b.h>", ["INCLUDE # include <a/b.h>"]),
    ("#include X", ["DIRECTIVE #include", "IDENT X"]),
    ("#if a \\\n < b // c\n", ["CONDITION #if a \\\n < b ", "COMMENT // c"]),
    ("#elif X/2/*c*/", ["CONDITION #elif X/2", "COMMENT /*c*/"]),
    ("#error it's\nb", ["MESSAGE #error it's", "IDENT b"]),
    ("#define a b", ["DIRECTIVE #define", "IDENT a", "IDENT b"]),
    # [cpp.stringize], [cpp.concat]: in the body of a macro these are operators.
    ("#a", ["PUNCT #", "IDENT a"]),
    ("a##define", ["IDENT a", "PUNCT #", "PUNCT #", "IDENT define"]),
    ("a##if", ["IDENT a", "PUNCT #", "PUNCT #", "IDENT if"]),
    # What is not closed on its line is no literal: text that a condition leaves out may be prose.
    ("don't\n\"x", ["IDENT don", "PUNCT '", "IDENT t", 'PUNCT "', "IDENT x"]),
]


@pytest.mark.parametrize(("text", "expected"), TOKENS)
def test_tokens_of(text: str, expected: list[str]) -> None:
    assert pieces(text) == expected
    check(text)


# -- real sources


def sources(tree: Path) -> list[Path]:
    """C, C++, CUDA and Objective-C files: those of CUDA and c10, which are ported, and every eighth other one."""
    found = [
        path
        for path in sorted(tree.rglob("*"))
        if SOURCES.fullmatch(path.suffix) and path.is_file()
    ]
    assert len(found) > 4000, "a PyTorch tree has thousands"
    ported = {path for path in found if {"cuda", "c10"} & set(path.relative_to(tree).parts)}
    assert len(ported) > 500
    return sorted(ported.union(found[::8]))


@pytest.mark.release
def test_sources_of_a_release_are_kept(release_tree: Path) -> None:
    for path in sources(release_tree):
        raw = path.read_bytes()
        text = decode(raw)
        found = lex(text)
        assert encode("".join(token.text for token in found)) == raw, path
        assert opaque(text) == [token for token in found if token.kind in OPAQUE], path


CLANG_FOLDERS = ["aten/src/ATen/native/cuda", "c10/cuda"]


@pytest.mark.release
def test_comments_and_literals_are_those_that_clang_finds(release_tree: Path) -> None:
    cindex = pytest.importorskip("clang.cindex", reason="libclang is not installed")
    index = cindex.Index.create()
    compared = 0
    for folder in CLANG_FOLDERS:
        for path in sorted((release_tree / folder).rglob("*")):
            if path.suffix in (".cu", ".cuh", ".h", ".cpp"):
                raw = path.read_bytes()
                # clang counts bytes of UTF-8 text: one byte a character keeps offsets equal.
                ours = literals_of_ours(raw.decode("latin-1").encode("ascii", "replace").decode())
                assert ours == literals_of_clang(cindex, index, raw), path
                compared += len(ours)
    assert compared > 5_000  # 9,500 in 1.13.1; the point is that something was compared


def literals_of_ours(text: str) -> set[tuple[int, str]]:
    """End and text of comments and literals outside directives that are not part of a longer token."""
    return {
        (token.end, token.text)
        for token in lex(text)
        if token.kind in (Kind.COMMENT, Kind.STRING, Kind.CHAR) and not is_suffixed(token, text)
    }


def is_suffixed(token: Token, text: str) -> bool:
    """Test for a user-defined suffix, as in `operator""_if`: one literal for clang, two tokens here."""
    return text[token.end : token.end + 1] == "_"


def literals_of_clang(cindex: object, index: object, raw: bytes) -> set[tuple[int, str]]:
    """Likewise for clang's tokens."""
    text = raw.decode("latin-1").encode("ascii", "replace").decode()
    unit = index.parse(  # type: ignore[attr-defined]
        "a.cpp",
        args=["-x", "c++", "-std=c++17", "-nostdinc", "-nostdinc++"],
        unsaved_files=[("a.cpp", text)],
        options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD,  # type: ignore[attr-defined]
    )
    whole = [
        (token.start, token.end)
        for token in lex(text)
        if token.kind in (Kind.INCLUDE, Kind.CONDITION, Kind.MESSAGE)
    ]
    lines = iter([*whole, (len(text) + 1, len(text) + 1)])
    start, end = next(lines)
    found = set()
    for token in unit.get_tokens(extent=unit.cursor.extent):
        at, until = token.extent.start.offset, token.extent.end.offset
        while at >= end:
            start, end = next(lines)
        spelled = text[at:until]
        if start <= at:
            continue
        if token.kind.name == "COMMENT":
            found.add((until, spelled))
        elif token.kind.name == "LITERAL" and spelled[-1] in "\"'":
            # For clang a splice before it, and its encoding prefix, are parts of a literal.
            found.add((until, spelled.lstrip("\\ \t\r\nu8UL")))
    return found


# -- time

HOSTILE: dict[str, Callable[[int], str]] = {
    "string that never ends": lambda n: '"' + "a" * n,
    "strings that never end": lambda n: '"\n' * (n // 2),
    "escaped quotes": lambda n: '"\\' * (n // 2),
    "escaped quotes of characters": lambda n: "'\\" * (n // 2),
    "escapes and line ends": lambda n: '"\\\n\\\\' * (n // 5),
    "quotes": lambda n: '"' * (n - 1),
    "quotes of characters": lambda n: "'" * (n - 1),
    "both quotes": lambda n: "'\"" * (n // 2) + "'",
    "backslashes": lambda n: "\\" * n,
    "splices": lambda n: "\\\n" * (n // 2),
    "backslashes and blanks": lambda n: ("\\" + " " * 999) * (n // 1000),
    "comment that never ends": lambda n: "/*" + " *" * (n // 2),
    "beginnings of comments": lambda n: "/*\n" * (n // 3),
    "slashes": lambda n: "/ " * (n // 2),
    "comment of backslashes": lambda n: "//" + "\\ " * (n // 2),
    "raw string that never ends": lambda n: 'R"(' + ")" * n,
    "raw strings that never end": lambda n: 'R"(' * (n // 3),
    "raw strings with delimiters": lambda n: "".join(f'R"d{i}(' for i in range(n // 9)),
    "raw strings that nearly end": lambda n: 'R"abc(' + ')abc"'[:-1] * (n // 4),
    "raw strings without parentheses": lambda n: 'R"x' * (n // 3),
    "prefixes of raw strings": lambda n: "LR" * (n // 2),
    "less": lambda n: "<" * n,
    "launches": lambda n: "<<< " * (n // 4),
    "greater": lambda n: ">" * n,
    "hashes": lambda n: "#" * n,
    "hashes and blanks": lambda n: ("#" + " " * 999) * (n // 1000),
    "includes that never end": lambda n: "#include <" * (n // 10),
    "includes of strings that never end": lambda n: '#include "' * (n // 10),
    "conditions": lambda n: "#if " * (n // 4),
    "condition of slashes": lambda n: "#if" + "/ " * (n // 2),
    "directives": lambda n: "#define" * (n // 7),
    "digits": lambda n: "1" * n,
    "digits and quotes": lambda n: "1'" * (n // 2),
    "exponents": lambda n: "1e+" * (n // 3),
    "words and digits": lambda n: "a1'" * (n // 3),
    "blanks": lambda n: " " * n,
    "line ends": lambda n: "\r\n" * (n // 2),
    "zeros": lambda n: "\0" * n,
    "bytes": lambda n: "\xff" * n,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize(("lexer", "size"), [(opaque, 1_000_000), (lex, 200_000)])
def test_time_grows_with_length(lexer: Callable[[str], list[Token]], size: int, name: str) -> None:
    small, large = HOSTILE[name](size // 4), HOSTILE[name](size)

    # Four times the text takes four times as long; sixteen times when time is quadratic. The constant is for what takes
    # next to no time at all. A busy machine only ever adds to a time, so that the least of several attempts is compared
    # with the least of several; of the large text no more are needed once one is below the limit.
    limit = 10 * min(seconds(lexer, small) for _ in range(3)) + 0.1
    assert any(seconds(lexer, large) < limit for _ in range(5))


def seconds(lexer: Callable[[str], list[Token]], text: str) -> float:
    """Seconds of processor time, which other processes do not affect."""
    start = time.process_time()
    lexer(text)
    return time.process_time() - start
