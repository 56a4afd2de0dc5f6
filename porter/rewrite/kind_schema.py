"""Fields of a rule in mapping files, as plain data: `porter.mapping.schema` makes models of them."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"


class TextOf(NamedTuple):
    """Text that a regular expression matches as a whole."""

    pattern: str
    wording: str
    """Description of the valid text, for the message `'x' is not <wording>`."""


class Choice(NamedTuple):
    """One of the given texts."""

    values: tuple[str, ...]


class ListOf(NamedTuple):
    """List of texts."""

    item: TextOf


class TableOf(NamedTuple):
    """Table of texts."""

    key: TextOf
    value: TextOf


class OneOf(NamedTuple):
    """Value of one of several types."""

    types: tuple[FieldType, ...]


FieldType = TextOf | Choice | ListOf | TableOf | OneOf | type[bool] | type[str]

_ASCII = "ASCII without control characters, as all text that is written must be"
# Text in sources, which are read as bytes: it must have the same bytes in every encoding.
_WRITTEN = r"[\t\n\f\r\x20-\x7e]"

IDENT = TextOf(IDENTIFIER, "an identifier")
TEXT = TextOf(r"[^\x00-\x08\x0b-\x1f\x7f]+", "text without control characters")
WRITTEN = TextOf(f"{_WRITTEN}+", _ASCII)
WRITTEN_OR_NOT = TextOf(f"{_WRITTEN}*", _ASCII)
# A port keeps the line numbers of upstream: messages of compilers point to them.
ONE_LINE = TextOf(r"[\t\x20-\x7e]+", f"one line of {_ASCII}")
HEADER = TextOf(r"[A-Za-z0-9_.+{}/-]+", "a header as in an include, without its brackets")
PREFIX = TextOf(f"({IDENTIFIER})?", "the beginning of an identifier")


class Regex(Enum):
    """Way in which a regular expression is applied."""

    WHOLE = auto()
    """The expression matches a whole text."""
    SEARCHED = auto()
    """The expression is searched in a text."""


class Field(NamedTuple):
    """One field of a rule."""

    name: str
    type: FieldType
    optional: bool = False
    """True if the field may be absent or null."""
    default: object = None
    """Value of an absent field; None without `optional`: the field is required."""
    description: str = ""
    regex: Regex | None = None
    """The text is a regular expression: porter checks that it runs in linear time."""


REPLACE = Field("replace", ONE_LINE, optional=True)
SHIM = Field("shim", HEADER, optional=True, description="header that declares the replacement")
