"""Conversion between named tuples and JSON: a list of records becomes one list (a column) for each field.

A few calls into C write, read or check a whole column. For 30,000 names, this is several times faster than one call
for each record. The annotations of the named tuple's fields give the types of the columns. `decode` returns values of
exactly those types or raises ValueError, so the JSON may come from an untrusted source.

>>> from porter.model.rules import Origin
>>> encode(Origin, [Origin("acme/blas.yaml", 3), Origin("acme/fft.yaml", 7)])
[['acme/blas.yaml', 'acme/fft.yaml'], [3, 7]]
>>> decode(Origin, [["acme/blas.yaml"], [3]])
[Origin(file='acme/blas.yaml', line=3)]
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, chain, islice
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from porter.base import fs, regular_files, untrusted

_LARGEST = 512 << 20
"""Size limit of a file in bytes. The file with the symbols of all objects of a build has 100 MB."""
_SCALARS = (str, int, bool, NoneType)


def encode(of: Any, values: Sequence[Any]) -> Any:
    """Convert values of the annotated type `of` to plain data for JSON."""
    return _column(of).encode(values)


def decode(of: Any, data: Any) -> list[Any]:
    """Convert plain data back to values of the annotated type `of`. Raises ValueError for data of another shape."""
    try:
        return _column(of).decode(data)
    except (TypeError, KeyError, OverflowError, RecursionError, re.error) as error:
        raise ValueError(f"not data for {of}: {error}") from None


def read_file(place: Path, of: Any) -> Any:
    """Value of the annotated type `of`, read from a JSON file.

    Raises OSError when the file cannot be read and ValueError when the content has another shape.
    """
    (value,) = decode(of, untrusted.json_data(regular_files.read_bytes(place, _LARGEST)))
    return value


def write_file(place: Path, of: Any, value: Any) -> None:
    """Write a value in the format of `read_file`. The file is replaced atomically. Raises OSError."""
    fs.replace_file(place, json.dumps(encode(of, [value]), separators=(",", ":")).encode())


class _Column(NamedTuple):
    """Converter between values of one annotated type and their column in JSON."""

    encode: Callable[[Sequence[Any]], Any]
    decode: Callable[[Any], list[Any]]


@functools.cache
def _column(of: Any) -> _Column:
    parts = get_args(of)
    if get_origin(of) is UnionType:
        (inner,) = (part for part in parts if part is not NoneType)
        return _scalars({inner, NoneType}) if inner in _SCALARS else _optional(_column(inner))
    if get_origin(of) in (tuple, frozenset):
        return _collections(_column(parts[0]), get_origin(of))
    if get_origin(of) is Mapping:
        return _tables(_column(parts[1]))
    if get_origin(of) is re.Pattern:
        return _patterns()
    if of in _SCALARS:
        return _scalars({of})
    if issubclass(of, StrEnum):
        return _members(of)
    return _records(of)


def _scalars(types: set[type]) -> _Column:
    return _Column(list, functools.partial(_checked, types=types))


def _checked(data: Any, types: set[type]) -> list[Any]:
    if type(data) is not list or not {*map(type, data)} <= types:
        raise ValueError(f"no list of {types}")
    return data


def _texts(data: Any) -> list[str]:
    return _checked(data, {str})


def _lengths(data: Any) -> list[int]:
    if min(_checked(data, {int}), default=0) < 0:
        raise ValueError("a negative length")
    return data  # type: ignore[no-any-return]


def _members(of: type[StrEnum]) -> _Column:
    members = {member.value: member for member in of}
    return _Column(
        lambda values: [member.value for member in values],
        lambda data: [members[value] for value in _texts(data)],
    )


def _patterns() -> _Column:
    return _Column(
        lambda values: [pattern.pattern for pattern in values],
        lambda data: [re.compile(text, re.ASCII) for text in _texts(data)],
    )


def _records(of: Any) -> _Column:
    hints = get_type_hints(of)
    columns = [_column(hints[name]) for name in of._fields]
    make = functools.partial(tuple.__new__, of)

    def encode_all(values: Sequence[Any]) -> Any:
        fields: Iterable[Sequence[Any]] = (
            zip(*values, strict=True) if values else [()] * len(columns)
        )
        return [column.encode(field) for column, field in zip(columns, fields, strict=True)]

    def decode_all(data: Any) -> list[Any]:
        if type(data) is not list:
            raise ValueError("no columns")
        fields = [column.decode(field) for column, field in zip(columns, data, strict=True)]
        return list(map(make, zip(*fields, strict=True)))

    return _Column(encode_all, decode_all)


def _optional(inner: _Column) -> _Column:
    def encode_all(values: Sequence[Any]) -> Any:
        return [
            [value is not None for value in values],
            inner.encode([value for value in values if value is not None]),
        ]

    def decode_all(data: Any) -> list[Any]:
        present, found = data
        flat = inner.decode(found)
        if sum(_checked(present, {bool})) != len(flat):
            raise ValueError("more values than are present, or fewer")
        values = iter(flat)
        return [next(values) if there else None for there in present]

    return _Column(encode_all, decode_all)


def _collections(inner: _Column, make: Callable[[Iterable[Any]], Any]) -> _Column:
    def encode_all(values: Sequence[Any]) -> Any:
        # Sets are sorted, so that equal values give equal text.
        ordered = values if make is tuple else [sorted(value) for value in values]
        return [[*map(len, ordered)], inner.encode([*chain.from_iterable(ordered)])]

    def decode_all(data: Any) -> list[Any]:
        lengths, found = data
        flat = inner.decode(found)
        if {*_lengths(lengths)} <= {1} and make is tuple and len(lengths) == len(flat):
            return list(zip(flat))
        ends = [*accumulate(lengths)]
        if len(flat) != (ends[-1] if ends else 0):
            raise ValueError("more values than lengths, or fewer")
        return [make(flat[end - length : end]) for length, end in zip(lengths, ends, strict=True)]

    return _Column(encode_all, decode_all)


def _tables(inner: _Column) -> _Column:
    def encode_all(values: Sequence[Any]) -> Any:
        return [
            [*map(len, values)],
            [*chain.from_iterable(values)],
            inner.encode([*chain.from_iterable(value.values() for value in values)]),
        ]

    def decode_all(data: Any) -> list[Any]:
        lengths, keys, found = data
        pairs = zip(_texts(keys), inner.decode(found), strict=True)
        tables = [dict(islice(pairs, length)) if length else {} for length in _lengths(lengths)]
        if [*map(len, tables)] != lengths or next(pairs, None):
            raise ValueError("a key is duplicate, or lengths are wrong")
        return tables

    return _Column(encode_all, decode_all)
