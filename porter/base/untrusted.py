"""Checks of data that another program or person may have written: size, types, and paths.

Output folders, mapping folders and the cache may come from anywhere. Files are read with `regular_files`. The checks
execute no data. A path that passes a check stays inside the folder to which the path is joined.

>>> relative_path("aten/src/ATen/Context.cpp")
'aten/src/ATen/Context.cpp'
>>> relative_path("../etc/passwd")
Traceback (most recent call last):
ValueError: '../etc/passwd' leaves its folder
"""

from __future__ import annotations

import errno
import json
import os
import re
import stat
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NoReturn

LARGEST = 64 << 20
"""Size limit in bytes of a manifest, state, lock file or report. The manifest of a port of PyTorch has 0.7 MB."""
LARGEST_COUNT = (1 << 63) - 1
"""Largest time (ns) or size (bytes): both are signed 64-bit integers (stat(2))."""
_LONGEST_PATH = 4096
_LONGEST_NAME = 255
"""Limits of Linux on a path and on a file name, in bytes: PATH_MAX and NAME_MAX (limits.h)."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_ORDINARY = re.compile(r"[\w+-][\w.+-]*(?:/[\w+-][\w.+-]*)*", re.ASCII)
"""Pattern of nearly all paths; a path that matches needs no further check."""
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def json_data(raw: bytes | str) -> Any:
    """Parse JSON strictly. Raises ValueError.

    Errors: invalid JSON, duplicate keys, NaN, infinities, strings that are not valid Unicode, and nesting that exhausts
    the stack. Exception: the surrogates by which Python's `surrogateescape` represents bytes of file names that
    are not UTF-8 are accepted in every string.
    """
    try:
        data = json.loads(raw, parse_constant=_no_constant, object_pairs_hook=_table)
        if _SURROGATE.search(raw if isinstance(raw, bytes) else raw.encode("utf-8")):
            json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogateescape")
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except UnicodeEncodeError:
        raise ValueError("half of a surrogate pair") from None
    return data


def relative_path(text: Any) -> str:
    """Check that a path is relative, normalised, and free of `..` and control characters, and return the path.

    Raises ValueError.
    """
    if not isinstance(text, str):
        raise ValueError(f"a path must be text, not {kind(text)}")
    if len(text) <= _LONGEST_NAME and _ORDINARY.fullmatch(text):
        return text
    if not text or len(text) > _LONGEST_PATH:
        raise ValueError(f"a path has 1 to {_LONGEST_PATH} characters, not {len(text)}")
    if has_control(text):
        raise ValueError(f"{short(text)} contains a control character")
    if text.startswith("/"):
        raise ValueError(f"{short(text)} is an absolute path")
    parts = text.split("/")
    if ".." in parts:
        raise ValueError(f"{short(text)} leaves its folder")
    if "" in parts or "." in parts:
        raise ValueError(f"{short(text)} is not normalised")
    if len(max(parts, key=len)) > _LONGEST_NAME:
        raise ValueError(f"{short(text)} has a name of more than {_LONGEST_NAME} characters")
    return text


def has_control(text: str) -> bool:
    """Test whether a text holds a control character or a Unicode line separator."""
    return _CONTROL.search(text) is not None


def is_absolute(text: str) -> bool:
    """Test whether a text is a normalised absolute path without control characters."""
    return text.startswith("/") and not has_control(text) and os.path.normpath(text) == text


def within(folder: Path, path: str) -> Path:
    """Join a relative path to a folder.

    Raises ValueError as `relative_path` does, and OSError (ELOOP) when a symbolic link leads outside the folder.
    """
    place = folder / relative_path(path)
    real = os.path.realpath(place)
    if not Path(real).is_relative_to(os.path.realpath(folder)):
        raise OSError(errno.ELOOP, "a link that leaves its folder", str(place))
    return place


def is_real_folder(place: str | Path) -> bool:
    """Test whether a path is a folder; a symbolic link to a folder is not."""
    try:
        return stat.S_ISDIR(os.lstat(place).st_mode)
    except (OSError, ValueError):
        return False


def check_strings(values: Sequence[Any]) -> None:
    """Raise ValueError unless all values are strings."""
    if not {*map(type, values)} <= {str}:
        wrong = next(value for value in values if type(value) is not str)
        raise ValueError(f"{short(wrong)} is not text")


def check_counts(values: Collection[Any], least: int = 0) -> None:
    """Raise ValueError unless all values are integers from `least` to `LARGEST_COUNT`."""
    if {*map(type, values)} <= {int} and (
        not values or least <= min(values) <= max(values) <= LARGEST_COUNT
    ):
        return
    wrong = next(v for v in values if type(v) is not int or not least <= v <= LARGEST_COUNT)
    raise ValueError(f"{short(wrong)} is not a count")


def check_rows(values: Sequence[Any], shape: tuple[type, ...]) -> None:
    """Raise ValueError unless each value is a list whose items have the types in `shape`. Integers must be at least
    -1."""
    if not values:
        return
    if {*map(type, values)} <= {list} and {*map(len, values)} == {len(shape)}:
        columns = [*zip(*values, strict=True)]
        if all({*map(type, column)} <= {of} for column, of in zip(columns, shape, strict=True)):
            for column, of in zip(columns, shape, strict=True):
                if of is int:
                    check_counts(column, least=-1)
            return
    names = ", ".join(one.__name__ for one in shape)
    raise ValueError(f"must be a list of lists of {names}")


def table(value: Any) -> dict[str, Any]:
    """Return `value` if it is a JSON object; raise ValueError otherwise."""
    if type(value) is not dict:
        raise ValueError(f"{short(value)} is not a table")
    return value


def array(value: Any) -> list[Any]:
    """Return `value` if it is a JSON array; raise ValueError otherwise."""
    if type(value) is not list:
        raise ValueError(f"{short(value)} is not a list")
    return value


def kind(value: Any) -> str:
    """Name of the type of a JSON value, for messages."""
    names = {dict: "a table", list: "a list", str: "a text", bool: "a truth value"}
    return "nothing" if value is None else names.get(type(value), "a number")


def short(value: Any) -> str:
    """Text of a JSON value for messages: one line without control characters, at most 60 characters."""
    if isinstance(value, (dict, list)):
        return kind(value)
    shown = ascii(value) if isinstance(value, str) and not value.isprintable() else repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _no_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")


def _table(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise ValueError(f"duplicate key {short(twice)}")
    return data
