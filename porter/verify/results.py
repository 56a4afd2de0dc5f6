"""Journal of results. Each result is stored as one line when it arrives, so that a stopped run can be resumed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from porter.base import regular_files, untrusted
from porter.base.errors import SourceError
from porter.base.fs import cannot_write, refuse_links, replace_file
from porter.model.verify import STATUSES, Case, CheckResult, Setting

FILE = "results.jsonl"
BEFORE = "before.jsonl"
"""Name of the file with results from earlier conditions, for comparison."""
_FORMAT = 1
_LARGEST = 512 << 20
"""Largest accepted size of a journal in bytes; the journal of all PyTorch device tests has 20 MB."""
_FOREVER = 1e9


def read(place: Path) -> tuple[Setting, dict[Case, CheckResult]]:
    """Conditions of the run, and the last result of each case. Raises SourceError for a file that is not a journal."""
    try:
        lines = regular_files.read_text(place, _LARGEST).splitlines()
    except UnicodeDecodeError:
        raise SourceError("cannot be read: the file is not UTF-8 text", str(place)) from None
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", str(place)) from None
    try:
        setting = _setting(lines[0] if lines else "")
    except (TypeError, ValueError, KeyError):
        help = "give a results.jsonl that porter verify or porter device-tests wrote"
        raise SourceError("the file contains no results", str(place), help) from None
    return setting, {result.case: result for result in map(_result, lines[1:]) if result}


class Journal:
    """Journal in a folder: results of runs under equal conditions (`Setting`)."""

    def __init__(self, folder: Path, setting: Setting) -> None:
        """Read the stored results if their conditions equal `setting`; otherwise move them to `before.jsonl`.

        Raises SourceError if the folder cannot be written.
        """
        self.place = folder / FILE
        self.known: dict[Case, CheckResult] = {}
        try:
            refuse_links(folder.parent, (folder.name,))
            folder.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(SourceError):
                before, known = read(self.place)
                if before == setting:
                    self.known = known
                elif known:
                    self.place.replace(folder / BEFORE)
            self.file = self._begin(setting, self.known.values())
        except OSError as error:
            raise cannot_write(error, folder) from None

    def add(self, result: CheckResult) -> None:
        """Append a result. A result is not lost if this process is killed after the function has returned."""
        self.known[result.case] = result
        try:
            self.file.write(_line(result))
            self.file.flush()
        except OSError as error:
            raise cannot_write(error, self.place) from None

    def close(self) -> None:
        """Close the file."""
        self.file.close()

    def _begin(self, setting: Setting, known: Iterable[CheckResult]) -> IO[str]:
        """Write the file again, with only one line for each case. Returns the file, open for more results."""
        head = json.dumps({"format": _FORMAT, **setting._asdict()}) + "\n"
        replace_file(self.place, "".join((head, *map(_line, known))).encode())
        return self.place.open("a", encoding="utf-8")


def _line(result: CheckResult) -> str:
    return json.dumps([*result.case, result.status, result.note, result.seconds]) + "\n"


def _setting(line: str) -> Setting:
    """Conditions of the run, read from the first line of a journal.

    Raises ValueError, KeyError or TypeError for a line that contains no conditions.
    """
    head = untrusted.table(untrusted.json_data(line))
    if head.pop("format") != _FORMAT:
        raise ValueError("another format")
    setting = Setting(**head)
    untrusted.check_counts((setting.samples,))
    untrusted.check_strings([value for name, value in head.items() if name != "samples"])
    return setting


def _result(line: str) -> CheckResult | None:
    """Result in a line. None for an invalid line, for example a line that a killed run left unfinished."""
    try:
        values = untrusted.array(untrusted.json_data(line))
        op, dtype, check, status, note, seconds = values
        untrusted.check_strings(values[:5])
    except ValueError:
        return None
    if status not in STATUSES or type(seconds) not in (int, float) or not 0 <= seconds < _FOREVER:
        return None
    return CheckResult(Case(op, dtype, check), status, note, float(seconds))
