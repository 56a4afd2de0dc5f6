"""Signatures of C++ functions as text: return type, types of parameters and qualifiers, without names of parameters.

>>> function_signature("virtual void setDevice(DeviceIndex index = 0) const", "setDevice")
'void(DeviceIndex)const'
"""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"[(){}]")
_QUALIFIERS = re.compile(
    r"(?:\s|const\b|override\b|final\b|noexcept\b|volatile\b|&|mutable\b|C10_\w+\b|->.*|=\s*(?:0|default|delete)\s*"
    r"|:(?!:).*|__attribute__\b|requires\b.*|try\b)*",
    re.DOTALL,
)
_BEFORE_PAREN = re.compile(r"(operator\s*(?:\(\s*\)|\[\s*\]|[^\s\w(]+|\s[\w:\s*&<>]+)|~?\w+)\s*$")
_CALL_OPERATOR = re.compile(r"\boperator\s*$")
_ASSIGNED = re.compile(r"(?<![=!<>])=(?!=)")
_NO_NAMES = frozenset(
    ["noexcept", "decltype", "alignas", "__attribute__", "requires", "__declspec", "throw"]
)
_ATTRIBUTE = re.compile(
    r"\b(?:[A-Z][A-Z0-9_]*_(?:API|PRIVATE|EXPORT|IMPORT|HIDDEN|EAGER)"
    r"|C10_(?:ALWAYS_INLINE\w*|UNUSED|NOINLINE|HOST_DEVICE|DEVICE|HOST|NODISCARD|COLD|EXPORT|LIFETIME_BOUND)"
    r"|inline|virtual|static|extern|explicit|friend|override|final|constexpr|mutable"
    r"|__host__|__device__|__forceinline__|__inline__)\b"
    r"|\[\[[^\]]*\]\]|\b[A-Z][A-Z0-9_]+\([^()]*\)"
)
_NAMED = re.compile(r"(.*[\w>*&\]:])?(?:\s+|(?<=[*&>]))(\w+)", re.DOTALL)
_PART_OF_TYPE = frozenset(["const", "struct", "typename", "enum"])
_SIZES = frozenset(["unsigned", "signed", "long", "short"])
_BUILTIN = frozenset(["int", "long", "char", "short", "double"])


def function_signature(text: str, name: str) -> str:
    """Signature of the function `name` that `text` declares; `text` on one line when no parameters are found."""
    found = parameters(text)
    if found is None:
        return one_line(text)
    start, end = found
    head = _ATTRIBUTE.sub(" ", text[:start]).strip()
    head = re.sub(rf"{re.escape(name)}\s*$", "", head).strip()
    after = text[end:].split("{")[0]
    tail = " ".join(word for word in ("const", "noexcept") if re.search(rf"\b{word}\b", after))
    types = ",".join(_type_of(part) for part in split_arguments(text[start + 1 : end]) if part)
    return _tight(f"{head} ({types}) {tail}")


def parameters(text: str) -> tuple[int, int] | None:
    """Offsets of the `(` and the `)` around the parameters of a declared function; None if `text` declares none."""
    at = 0
    found = None
    while (start := text.find("(", at)) >= 0:
        end = closing(text, start + 1)
        if _CALL_OPERATOR.search(text[:start]) and not text[start + 1 : end - 1].strip():
            at = end
            continue
        before = _BEFORE_PAREN.search(text[:start])
        if before and before[1] not in _NO_NAMES:
            if _ASSIGNED.search(text[at : before.start()]):
                # The value of a variable.
                return found
            if _QUALIFIERS.fullmatch(text[end:].split("{")[0]):
                return start, end - 1
        at = end
    return found


def function_name(text: str, start: int) -> str:
    """Name before the parenthesis at offset `start`; empty when no name precedes it."""
    before = _BEFORE_PAREN.search(text[:start])
    return one_line(before[1]) if before else ""


def least_parameters(text: str) -> list[str]:
    """Types of the parameters without a default value; empty when the text declares no function."""
    found = parameters(text)
    given = split_arguments(text[found[0] + 1 : found[1]]) if found else []
    return [_type_of(one) for one in given if one and without_value(one) == one]


def split_arguments(text: str) -> list[str]:
    """Arguments or parameters in `text`, split at the commas outside all brackets, without surrounding blanks."""
    parts, depth, start = [], 0, 0
    for at, char in enumerate(text):
        if char in "([{<":
            depth += 1
        elif char in ")]}" or (char == ">" and text[at - 1 : at] != "-"):
            depth -= 1
        elif char == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*parts, last] if last or parts else []


def closing(code: str, at: int) -> int:
    """Offset after the bracket that closes the bracket just before `at`; the end of the text if it stays open."""
    depth = 1
    for match in _BRACKETS.finditer(code, at):
        depth += 1 if match[0] in "({" else -1
        if depth == 0:
            return match.end()
    return len(code)


def one_line(text: str) -> str:
    """Text in which one blank replaces each run of white space."""
    return " ".join(text.split())


def without_value(text: str) -> str:
    """Declaration of a variable or parameter without its value."""
    return _ASSIGNED.split(text, maxsplit=1)[0]


def _type_of(parameter: str) -> str:
    """Type of a parameter, without its name and its default value."""
    declared = without_value(parameter).strip()
    named = _NAMED.fullmatch(declared)
    if named and named[1]:
        last = named[1].split()[-1]
        is_type = last in _PART_OF_TYPE or (last in _SIZES and named[2] in _BUILTIN)
        declared = declared if is_type else named[1]
    return _tight(_ATTRIBUTE.sub(" ", declared))


def _tight(text: str) -> str:
    """Text without blanks beside punctuation, and without `::` at the beginning of names."""
    text = re.sub(r"\s*([^\w\s])\s*", r"\1", one_line(text))
    return re.sub(r"(?<![\w>])::(?=\w)", "", text)
