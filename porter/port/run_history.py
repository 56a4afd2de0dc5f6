"""History of an output folder: figures of the last runs, one line of JSON for each run (`history.jsonl`)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from porter.base import fs, regular_files, untrusted
from porter.model.port_page import RunRecord
from porter.model.rewrite_result import Reason
from porter.port.state import HISTORY

_MOST = 100
"""Largest number of runs in a history."""
_LARGEST = 1 << 20
"""Largest accepted size of a history in bytes."""


def read(folder: Path) -> tuple[RunRecord, ...]:
    """Runs on an output folder, oldest first. Damaged lines, and lines with other fields, are left out."""
    try:
        text = regular_files.read_text(folder / HISTORY, _LARGEST)
    except (OSError, UnicodeDecodeError):
        return ()
    found = (_record(line) for line in text.splitlines())
    return tuple(record for record in found if record)[-_MOST:]


def add(folder: Path, record: RunRecord, *, again: bool = False) -> None:
    """Append a run to the history of an output folder. With `again`, the run replaces the last one in the history.

    Raises SourceError if the folder cannot be written.
    """
    before = read(folder)
    records = (*(before[:-1] if again else before), record)[-_MOST:]
    text = "".join(json.dumps(one._asdict()) + "\n" for one in records)
    try:
        fs.replace_file(folder / HISTORY, text.encode())
    except OSError as error:
        raise fs.cannot_write(error, folder / HISTORY) from None


def _record(line: str) -> RunRecord | None:
    try:
        record = RunRecord(**untrusted.table(untrusted.json_data(line)))
        untrusted.check_strings([record.time, record.porter, record.mappings])
        figures = [record.files, record.edits, record.hazards, record.dead, record.failed or 0]
        untrusted.check_counts([*figures, *_by_reason(record.residue)])
        seconds = _seconds(record.seconds)
    except (KeyError, TypeError, ValueError):
        return None
    return record._replace(seconds=seconds)


def _by_reason(residue: Mapping[str, Any]) -> Sequence[Any]:
    return [untrusted.table(residue)[reason] for reason in Reason]


def _seconds(stages: Any) -> dict[str, float]:
    return {str(stage): float(value) for stage, value in untrusted.table(stages).items()}
