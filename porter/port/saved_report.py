"""Reader of the `report.json` of a port on disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from porter.base import regular_files, untrusted
from porter.model.evidence import Collision, Evidence, Replacement
from porter.model.rewrite_result import OF_PROJECTS, Reason
from porter.model.summary import ResidueWord
from porter.port import output
from porter.report.report_query import Report, lines

REPORT = "report.json"
_SCHEMA = 1


def read(folder: Path) -> Report:
    """Read the report in the folder of a port.

    Raises UsageError when the folder is not a port, and SourceError for a missing, unreadable or malformed report.
    """
    if not output.is_port(folder):
        raise output.no_port(folder, "the folder of a port")
    return output.parse(folder / REPORT, "report", _report, output.RUN_AGAIN)


def later_stage(folder: Path, name: str) -> dict[str, Any] | None:
    """Content of a JSON file that a later stage wrote below the folder of a port, for example `build/result.json`.

    None if there is no such file, or if the file is damaged.
    """
    try:
        data = untrusted.json_data(regular_files.read_bytes(folder / name, untrusted.LARGEST))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _report(data: Any) -> Report:
    """Convert plain data to a report. Raises KeyError, TypeError or ValueError for malformed data."""
    schema = untrusted.table(data)["schema"]
    if type(schema) is not int or schema != _SCHEMA:
        shown = untrusted.short(schema)
        raise ValueError(f"schema {shown}; this porter reads schema {_SCHEMA}")
    words = {reason: tuple(map(_word, _words(data["words"], reason))) for reason in Reason}
    evidence = data["evidence"]
    names = tuple(map(_replacement, evidence["names"]))
    collisions = tuple(map(_collision, evidence["collisions"]))
    report = Report(data, words, names, collisions)
    _check_figures(data)
    # Render all lines now, so that a damaged report fails here and not in the middle of the output.
    for _ in lines(report):
        pass
    return report


def _words(words: Any, reason: Reason) -> Any:
    """Words of one reason. A report of an earlier porter lacks the reasons that only projects have."""
    return words.get(reason, ()) if reason in OF_PROJECTS else words[reason]


def _check_figures(data: Any) -> None:
    untrusted.check_strings([data["release"], data["target"]])
    untrusted.check_counts([data["edits"], data["files"]["selected"], *data["residue"].values()])
    for hazard in data["hazards"]:
        untrusted.check_strings([hazard[name] for name in ("name", "first", "note")])
        untrusted.check_counts([hazard[name] for name in ("count", "files")])
    for use in data["rules"]["below_expectation"]:
        untrusted.check_strings([use[name] for name in ("key", "origin")])
        untrusted.check_counts([use[name] for name in ("hits", "wanted")])
    for item in data.get("by_hand", ()):
        untrusted.check_strings([item["path"], *item["renamed"], *item["words"]])


def _replacement(data: Any) -> Replacement:
    made = Replacement(**{**untrusted.table(data), "evidence": Evidence(data["evidence"])})
    untrusted.check_strings([made.name, made.becomes, made.rule])
    untrusted.check_counts([made.places, made.files])
    return made


def _collision(data: Any) -> Collision:
    made = Collision(data["becomes"], tuple(untrusted.array(data["names"])), data["guessed"])
    untrusted.check_strings([made.becomes, *made.names])
    untrusted.check_counts([made.guessed])
    return made


def _word(data: Any) -> ResidueWord:
    word = ResidueWord(**untrusted.table(data))
    untrusted.check_strings([word.name, word.first, word.rule, word.note])
    untrusted.check_counts([word.count, word.files])
    return word
