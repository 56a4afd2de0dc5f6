"""Upstream files to port: `pytorch/selection.yaml`, and the entries of a target's profile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from porter.base.errors import Problem
from porter.mapping import schema
from porter.mapping.document import Document
from porter.mapping.file_problems import FileProblems
from porter.mapping.library import MappingLibrary
from porter.model.rules import (
    Exclusion,
    Folder,
    Origin,
    Selection,
)


def exclusions(entries: list[Any], doc: Document, path: list[str | int]) -> tuple[Exclusion, ...]:
    return tuple(
        Exclusion(entry.glob, entry.reason, Origin(doc.file, doc.line([*path, index])))
        for index, entry in enumerate(entries)
    )


def folders(
    entries: Sequence[schema.FolderEntry],
    doc: Document,
    path: list[str | int],
    problems: FileProblems,
) -> tuple[Folder, ...]:
    folders = tuple(
        Folder(
            entry.folder.rstrip("/"),
            tuple(entry.suffixes),
            entry.reason,
            Origin(doc.file, doc.line([*path, index])),
            tuple(entry.only),
        )
        for index, entry in enumerate(entries)
    )
    for found in folders:
        if found.folder.startswith("/") or ".." in found.folder.split("/"):
            text = f"folder '{found.folder}' leaves the source tree"
            problems.found.append(Problem(text, str(found.origin)))
    return folders


def read_selection(library: MappingLibrary, problems: FileProblems) -> Selection | None:
    doc = problems.read(library.special("pytorch", "selection.yaml"), "pytorch/selection.yaml")
    entry = doc and problems.validate(schema.SelectionFile, doc.data, doc, [], "the selection")
    if not doc or not entry:
        return None
    chosen = folders(entry.folders, doc, ["folders"], problems)
    return Selection(chosen, exclusions(entry.exclude, doc, ["exclude"]))
