"""Fields of a rule in mapping files, as plain data. `porter.mapping.schema` makes pydantic models from this data."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

IDENTIFIER = r"[A-Za-z_][A-Za-z0-9_]*"


class TextOf(NamedTuple):
    """Type of a field: a text that a regular expression matches as a whole."""

    pattern: str
    wording: str
    """Description of the valid texts, for the message `'x' is not <wording>`."""


class Choice(NamedTuple):
    """Type of a field: one of the given texts."""

    values: tuple[str, ...]


class ListOf(NamedTuple):
    """Type of a field: a list of texts."""

    item: TextOf


class TableOf(NamedTuple):
    """Type of a field: a table from text to text."""

    key: TextOf
    value: TextOf


class OneOf(NamedTuple):
    """Type of a field: a value of one of several types."""

    types: tuple[FieldType, ...]


FieldType = TextOf | Choice | ListOf | TableOf | OneOf | type[bool] | type[str]

_ASCII = "ASCII without control characters, as all text that is written must be"
# Text for sources must be ASCII: porter reads sources as bytes, and ASCII has the same bytes in every encoding.
_WRITTEN = r"[\t\n\f\r\x20-\x7e]"

IDENT = TextOf(IDENTIFIER, "an identifier")
TEXT = TextOf(r"[^\x00-\x08\x0b-\x1f\x7f]+", "text without control characters")
WRITTEN = TextOf(f"{_WRITTEN}+", _ASCII)
WRITTEN_OR_NOT = TextOf(f"{_WRITTEN}*", _ASCII)
# Replacements have no line breaks, so that a port keeps upstream's line numbers, to which compiler messages refer.
ONE_LINE = TextOf(r"[\t\x20-\x7e]+", f"one line of {_ASCII}")
HEADER = TextOf(r"[A-Za-z0-9_.+{}/-]+", "a header as in an include, without its brackets")
PREFIX = TextOf(f"({IDENTIFIER})?", "the beginning of an identifier")


class Regex(Enum):
    """Use of a regular expression by a rule."""

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
    """Value of an absent field. If `default` is None and `optional` is False, the field is required."""
    description: str = ""
    regex: Regex | None = None
    """Use of the field's text as a regular expression; None if the text is no regular expression.

    porter accepts only regular expressions with linear run time.
    """


REPLACE = Field("replace", ONE_LINE, optional=True)
SHIM = Field("shim", HEADER, optional=True, description="header that declares the replacement")
