"""The state table of the runtime API (runtime/simt/tests/api_states.inc) contains every function of the header."""

from __future__ import annotations

import re

from porter.simt.sources import include_dir, runtime_dir

# They leave no error and ask for none, so that no state is theirs.
WITHOUT_STATES = {"GetLastError", "PeekAtLastError", "GetErrorName", "GetErrorString"}


def declared_calls() -> set[str]:
    """Names without "simt" of the functions that simt_runtime_api.h declares."""
    header = (include_dir() / "simt_runtime_api.h").read_text("utf-8")
    declarations = re.findall(r"^SIMTRT_EXPORT [^;]*?\bsimt([A-Z]\w+)\(", header, re.MULTILINE)
    return set(declarations)


def rows() -> dict[str, set[str]]:
    """Calls of the table by block; text in parentheses distinguishes variants of a call."""
    table: dict[str, set[str]] = {}
    block = ""
    for line in (runtime_dir() / "tests" / "api_states.inc").read_text("utf-8").splitlines():
        words = line.split()
        if not words or words[0] in {"#", "code", "states"} or '"' in words[0]:
            continue
        if words[0] == "block":
            block = words[1]
        else:
            table.setdefault(block, set()).add(words[0].split("(")[0])
    return table


def test_every_call_has_its_row() -> None:
    calls = declared_calls() - WITHOUT_STATES
    assert len(calls) > 100
    table = rows()
    assert table["callers"] == calls
    assert table["captures-elsewhere"] == calls
    assert set().union(*table.values()) == calls
