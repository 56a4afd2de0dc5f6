"""Declarations of given words in one file, found by the tokens beside each occurrence.

    enum class Where { CPU, CUDA };         CUDA is an enumerator
    #define CUDA_CHECK(x) check(x)          CUDA_CHECK is a macro
    struct CudaTimer { float cudaMs; };     CudaTimer is a type, cudaMs a variable

The search needs no grammar and no headers. A declaration that a macro makes is not found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from porter.model.project_names import NameKind
from porter.rewrite.brackets import code_start
from porter.rewrite.declarations import NO_TYPES, is_declared, is_type
from porter.rewrite.kinds.qualified import scopes_of
from porter.rewrite.source import WORD, Source

PYTORCH_ROOTS = frozenset(["at", "c10", "torch", "caffe2"])
"""Top-level namespaces of PyTorch. A namespace `cuda` inside one of these belongs to PyTorch."""
_REACH = 600
"""Largest distance, in characters, between the beginning of a declaration and the declared name."""
_ENUM = re.compile(r"\benum\b[^;{}()]*\{([^{}]*)\}")
_ATTRIBUTE = r"(?:\[\[[^\]]*\]\]|[A-Z_]\w*(?:\([^()]*\))?)\s+"
_KEY = r"\b(?:class|struct|union|enum(?:\s+(?:class|struct))?)\s+"
_SCOPE = re.compile(
    rf"\bnamespace\s+([A-Za-z_][\w:]*)\s*\{{|{_KEY}(?:{_ATTRIBUTE})*([A-Za-z_]\w*)\s*"
    r"(?:final\b\s*)?(?:<[^;{}]*>\s*)?(?::(?!:)[^;{}]*)?\{",
    re.ASCII,
)
_TYPE = re.compile(rf"{_KEY}(?:{_ATTRIBUTE})*\Z", re.ASCII)
_NAMESPACE = re.compile(r"\bnamespace\s+((?:\w+\s*::\s*)*)\Z", re.ASCII)
_REST_OF_NAMESPACE = re.compile(r"(?:::\s*\w+\s*)*\{", re.ASCII)
_NO_VARIABLE = frozenset(
    [
        *("namespace", "using", "class", "struct", "union", "enum", "operator", "defined"),
        *("const", "volatile", "constexpr", "static", "inline", "extern", "mutable", "register"),
        *("public", "private", "protected", "virtual", "friend", "default", "template"),
        *("if", "while", "for", "switch", "typename", "concept", "requires", "final", "override"),
    ]
)
"""Words that cannot end a type. A name after one of them is not a variable, except in the parameters of a template."""
_PARAMETERS = re.compile(r"[ \t]+\w+\(([^()]*)\)")
_POINTER = re.compile(r"(\w+)[\s*&]*\(\s*(?:\w+\s*::\s*)*[*&]\s*\Z", re.ASCII)
_TYPED = re.compile(
    r"[(,<]\s*(?:const\s+)?[A-Za-z_][\w:]*(?:<[^;()]*>)?(?:\s+const)?(?:[*&]+\s+|\s+[*&]+)\Z"
)
"""Beginning of a parameter, up to the name. The blank is on one side of `*`: `T* x` or `T *x`, but not `a * b`."""
_BODY = re.compile(r"(?:(?:const|noexcept|override|final|mutable)\b\s*|->[^;{}]*|:(?!:)[^;{}]*)*\{")
_DECLARATORS = re.compile(
    r"\s*(?:[a-z_]+\s+)*[A-Za-z_][\w:]*(?:<[^;=]*>)?[\s*&]+[A-Za-z_]\w*\s*[=,\[({]", re.ASCII
)


class DeclaredWord(NamedTuple):
    """One declaration of a word in a file."""

    word: str
    kind: NameKind
    start: int
    """Offset of the declared word."""
    is_definition: bool = False
    """True for a function with a body, and for a macro."""


class _Beside(NamedTuple):
    """Code directly before and after one occurrence of a word."""

    before: int
    """Offset of the end of the code before the word."""
    last: str
    """Word directly before the occurrence; empty if other code, or a directive on an earlier line, precedes it."""
    ends: str
    """Last character before the occurrence; empty at the beginning of a file and after a directive."""
    after: int
    """Offset of the first code after the word."""
    follows: str
    """Character at `after`; empty at the end of a file or of a macro."""


def declared_words(source: Source, words: Iterable[str]) -> Iterator[DeclaredWord]:
    """Yield the declarations of the given words in a file, for each word in the order of the text."""
    enums = _enums(source)
    for word in words:
        for start in source.places(word):
            if source.at(start) is None and (found := _declared(source, word, start, enums)):
                yield found


def declared_scopes(source: Source) -> set[str]:
    """Names of the namespaces, classes and enumerations that a file declares, without qualifiers."""
    found: set[str] = set()
    for match in _SCOPE.finditer(source.text):
        if source.at(match.start()) is None:
            found.update((match[1] or match[2]).split("::"))
    return found - PYTORCH_ROOTS - {""}


def enclosing_root(source: Source, start: int) -> str:
    """First part of the qualified name of the namespace block around an offset; empty outside namespace blocks."""
    size = len(source.text)
    opened = scopes_of(source).opened
    around = [
        parts
        for parts, scopes in opened.items()
        if parts and any(first <= start < last < size for first, last in scopes)
    ]
    return max(around, key=len)[0] if around else ""


def _enums(source: Source) -> list[tuple[int, int]]:
    if "enum" not in source.runs:
        return []
    found = _ENUM.finditer(source.text)
    return [match.span(1) for match in found if source.at(match.start()) is None]


def _declared(
    source: Source, word: str, start: int, enums: list[tuple[int, int]]
) -> DeclaredWord | None:
    """Declaration of the word at an offset in code; None for a use of the word."""
    directive = source.directive(start)
    if directive is not None:
        if not directive.text.endswith(("define", "define01")):
            return None
        if source.after(directive.end) == start:
            return DeclaredWord(word, NameKind.MACRO, start, is_definition=True)
        given = _PARAMETERS.match(source.text, directive.end)
        if given and given.start(1) <= start < given.end(1):
            return DeclaredWord(word, NameKind.VARIABLE, start)
    beside = _beside(source, word, start, in_macro=directive is not None)
    if source.text.startswith("::", beside.after) or beside.ends == ".":
        return _namespace(source, word, start, beside)
    if source.text.endswith(("->", "::"), 0, beside.before) and beside.ends:
        return _namespace(source, word, start, beside)
    index = bisect_right(enums, (start, len(source.text))) - 1
    in_enum = index >= 0 and start < enums[index][1]
    if in_enum and beside.ends in ("{", ",", "") and beside.follows in (",", "=", "}"):
        return DeclaredWord(word, NameKind.ENUMERATOR, start)
    if beside.last == "namespace":
        return _namespace(source, word, start, beside)
    if beside.last == "using" and beside.follows == "=":
        return DeclaredWord(word, NameKind.TYPE, start)
    opens = beside.follows in ("{", ":") or source.text.startswith("final", beside.after)
    if opens and _TYPE.search(_statement(source, start)):
        return DeclaredWord(word, NameKind.TYPE, start)
    if beside.follows == "(":
        return _function(source, word, start, beside)
    return _variable(source, word, start, beside)


def _beside(source: Source, word: str, start: int, *, in_macro: bool) -> _Beside:
    text, before, after = source.text, source.before(start), source.after(start + len(word))
    follows, last = text[after : after + 1], _last_word(text, before)
    if in_macro and after > source.line_end(start):
        follows = ""
    previous = source.directive(before - 1) if before else None
    begins = previous is not None and (
        source.line_start(before - 1) != source.line_start(start)
        or source.after(previous.end) == before - len(last)
    )
    if begins or not before:
        return _Beside(before, "", "", after, follows)
    return _Beside(before, last, text[before - 1], after, follows)


def _last_word(text: str, end: int) -> str:
    start = end
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:end]


def _statement(source: Source, start: int) -> str:
    """Text from the beginning of the statement to an offset."""
    return source.text[code_start(source, ";{}", start, _REACH) : start]


def _namespace(source: Source, word: str, start: int, beside: _Beside) -> DeclaredWord | None:
    """Declaration of a namespace: `namespace a::word {`, `namespace word = b;`. None for any other use."""
    match = _NAMESPACE.search(_statement(source, start))
    rest = source.text[beside.after : beside.after + 200]
    if not match or not (_REST_OF_NAMESPACE.match(rest) or rest.startswith("=")):
        return None
    outer = match[1].partition("::")[0].strip()
    root = enclosing_root(source, start) or outer
    return None if root in PYTORCH_ROOTS else DeclaredWord(word, NameKind.NAMESPACE, start)


def _function(source: Source, word: str, start: int, beside: _Beside) -> DeclaredWord | None:
    if not beside.ends or beside.last in (
        "operator",
        "using",
        "defined",
        "if",
        "while",
        "for",
        "switch",
    ):
        return None
    region = source.region(beside.after)
    first = region.index(beside.after)
    last = region.close(first) if first is not None else None
    if last is None or not is_declared(source, start, close := region.tokens[last].start):
        return None
    then = source.after(close + 1)
    body = _BODY.match(source.text, then, then + 400)
    return DeclaredWord(word, NameKind.FUNCTION, start, is_definition=bool(body))


def _variable(source: Source, word: str, start: int, beside: _Beside) -> DeclaredWord | None:
    """Declaration of a variable, parameter, data member, or of a type by `typedef`."""
    statement, follows = _statement(source, start), beside.follows
    is_typedef = bool(re.search(r"\btypedef\b", statement))
    found = DeclaredWord(word, NameKind.TYPE if is_typedef else NameKind.VARIABLE, start)
    if beside.ends == "}":
        # `typedef struct {...} word;` or `struct {...} word;`
        return found if follows == ";" else None
    if is_typedef and follows in (";", ",", "["):
        return found
    if follows == ")" and (pointer := _POINTER.search(statement)):
        called = source.after(beside.after + 1)
        takes = source.text.startswith("(", called) and pointer[1] not in NO_TYPES
        return found if takes else None
    in_template = follows == ">" and "template" in statement
    if not in_template and follows not in tuple("=;,)[{:"):
        return None
    if source.text.startswith("==", beside.after):
        return None
    if beside.last in ("class", "typename") and (in_template or follows in (",", "=")):
        return found
    if beside.last:
        typed = beside.last not in _NO_VARIABLE | NO_TYPES and not beside.last[0].isdigit()
        return found if typed else None
    if beside.ends in ("*", "&", ">", "]"):
        typed = is_type(source, beside.before) or bool(_TYPED.search(statement))
        return found if typed or (beside.ends == ">" and _closes_type(statement)) else None
    if beside.ends == "," and _is_declarator(statement):
        return found
    return None


def _closes_type(statement: str) -> bool:
    """Test whether a statement ends with the `>` of a parameter's type: `f(std::vector<int> `."""
    return bool(re.search(r"[(,]\s*(?:const\s+)?[A-Za-z_][\w:]*<[^;()]*>\s*\Z", statement))


def _is_declarator(statement: str) -> bool:
    """Test whether the word after `statement` is another variable of the same declaration: `int a = 1, word;`."""
    if statement.count("(") != statement.count(")") or statement.count("[") != statement.count("]"):
        return False
    first = WORD.search(statement)
    return bool(first and first[0] not in NO_TYPES and _DECLARATORS.match(statement))
