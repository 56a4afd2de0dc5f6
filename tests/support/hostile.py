"""Hostile values, and variants of a document with a hostile value in one field."""

from __future__ import annotations

import copy
import itertools
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any


class Touch:
    """Object whose pickle creates a file when it is loaded."""

    def __init__(self, canary: Path) -> None:
        self.canary = canary

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[str]]:
        return os.system, (f"touch '{self.canary}'",)


def values(canary: Path, outside: Path) -> list[Any]:
    """Hostile values for any field. A value creates the file `canary` if it is executed. Some values are paths in the
    folder `outside`; a test checks that nothing is written there."""
    deep: Any = "x"
    for _ in range(200):
        deep = [deep]
    return [
        str(outside / "file"),
        f"../../../../../../../../../..{outside}/file",
        f"{outside}/evil.pickle",
        "..",
        ".",
        "",
        "a//b",
        "a/../../b",
        "x" * 10_000,
        "/".join(["d"] * 3_000),
        "a\0b",
        "a\nb",
        "\x1b[2J\x1b]0;title\x07",
        "\u202e\u2028",
        "\ud800",
        "\udcff",
        f"$(touch '{canary}')",
        f"`touch '{canary}'`; touch '{canary}'",
        f"a $ b | c : d || e\n  command = touch '{canary}'",
        f"!!python/object/apply:os.system ['touch {canary}']",
        "{0.__class__.__mro__}",
        "%s%n",
        "0" * 64,
        None,
        True,
        0,
        -1,
        1 << 63,
        10**400,
        1.5,
        1e308,
        [],
        {},
        [None],
        [[1, "a", 2]],
        {"a": {"b": "c"}},
        deep,
    ]


def raw_texts(canary: Path) -> dict[str, bytes]:
    """Maps a description to the content that replaces a whole JSON or YAML file."""
    return {
        "empty": b"",
        "a pickle": pickle.dumps(Touch(canary)),
        "an old pickle": pickle.dumps(Touch(canary), 0),
        "deep lists": b"[" * 100_000,
        "deep tables": b'{"a":' * 100_000,
        "NaN": b'{"schema": NaN}',
        "a key twice": b'{"schema": 1, "schema": 1}',
        "a huge number": b'{"schema": ' + b"9" * 10_000 + b"}",
        "no UTF-8": b"\xff\xfe{}",
        "a zero byte": b"\0",
        "a word": b"null",
        "a YAML object": f"!!python/object/apply:os.system ['touch {canary}']\n".encode(),
    }


def special_files(place: Path, outside: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Pairs of a description and a function that creates a special file of this kind at `place`."""
    yield "a fifo", lambda: os.mkfifo(place)
    yield "a folder", place.mkdir
    yield "a link to a device", lambda: place.symlink_to("/dev/zero")
    yield "a link to itself", lambda: place.symlink_to(place.name)
    yield "a link to nowhere", lambda: place.symlink_to(outside / "nowhere")
    yield "a huge file", lambda: (place.touch(), os.truncate(place, 1 << 40))[0]  # type: ignore[func-returns-value]


def changed(document: Any, hostile: list[Any], each: int) -> Iterator[tuple[str, Any]]:
    """Variants of a document, each with one changed field, as pairs of a description and the changed document.

    For every field there are `each` variants with hostile values, and one without the field. For every table there are
    `each` variants in which a hostile text replaces the first key. The fields take the hostile values in turn, so that
    all values are used.
    """
    turn = itertools.cycle(hostile)
    for path in _fields(document):
        for _ in range(each):
            value = next(turn)
            made = copy.deepcopy(document)
            yield f"{path} = {_shown(value)}", _put(made, path, value)
        yield f"{path} gone", _put(copy.deepcopy(document), path, _GONE)
    for path in _tables(document):
        for _ in range(each):
            key = next(value for value in turn if isinstance(value, str))
            yield f"{path} key {_shown(key)}", _rename(copy.deepcopy(document), path, key)


_GONE = object()
Path_ = tuple[str | int, ...]


def _fields(data: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Paths of all fields in a document. Of a list or of a table with more than 20 keys, only the first item."""
    if path:
        yield path
    if isinstance(data, dict):
        many = len(data) > 20
        for key in itertools.islice(data, 1 if many else None):
            yield from _fields(data[key], (*path, key))
    elif isinstance(data, list) and data:
        yield from _fields(data[0], (*path, 0))


def _tables(data: Any, path: Path_ = ()) -> Iterator[Path_]:
    for field in [path, *_fields(data)]:
        found = _get(data, field)
        if isinstance(found, dict) and found:
            yield field


def _get(data: Any, path: Path_) -> Any:
    for step in path:
        data = data[step]
    return data


def _put(data: Any, path: Path_, value: Any) -> Any:
    holder = _get(data, path[:-1])
    if value is _GONE:
        del holder[path[-1]]
    else:
        holder[path[-1]] = value
    return data


def _rename(data: Any, path: Path_, key: str) -> Any:
    table = _get(data, path)
    first = next(iter(table))
    table[key] = table.pop(first)
    return data


def _shown(value: Any) -> str:
    return ascii(value)[:40]
