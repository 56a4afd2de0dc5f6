"""Mutants of a target's mappings: changes of the rules, and of the names in bulk rules, that have hits in a port."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Mapping
from typing import Any

from porter.mapping.load import Loaded, LoadedEntry
from porter.model.mutation import Change, Mutant
from porter.mutation.baseline import Hits
from porter.rewrite.kinds import order

_WORD = re.compile(r"(?<![\\{A-Za-z0-9_])[A-Za-z][A-Za-z0-9_]{2,}(?![A-Za-z0-9_}])")
"""Pattern of a word of at least three characters, other than a placeholder or a reference to a group."""


def mutants(loaded: Loaded, hits: Hits) -> Iterator[Mutant]:
    """Yield the mutants of all entries that have hits, in the order of the files."""
    for index, entry in enumerate(loaded.entries):
        names = getattr(entry.model, "names", None)
        for name in hits.names(index):
            single = isinstance(names, Mapping | list) and name in names
            shown = name if single else hits.title(index)
            for change in Change:
                place = hits.place(index, name if single else "")
                mutant = Mutant(place, entry.kind, shown, change, index, single)
                if _changed(entry, mutant) is not entry:
                    yield mutant
            if not single:
                break


def mutated(loaded: Loaded, mutant: Mutant) -> Loaded:
    """Mappings with the change of a mutant."""
    entries = list(loaded.entries)
    changed = _changed(entries[mutant.entry], mutant)
    entries[mutant.entry : mutant.entry + 1] = [changed] if changed else []
    return dataclasses.replace(loaded, entries=tuple(entries))


def _changed(entry: LoadedEntry, mutant: Mutant) -> LoadedEntry | None:
    """Copy of `entry` with the change of a mutant.

    None if the change deletes the entry; `entry` itself if it has no text to misspell.
    """
    if mutant.single:
        return _with(entry, names=_other_names(entry.model.names, mutant))  # type: ignore[attr-defined]
    if mutant.change is Change.DELETED:
        return None
    field = order.kind(entry.kind).written_field
    text = getattr(entry.model, field, None)
    if isinstance(text, str) and (new := misspelt(text)) != text:
        return _with(entry, **{field: new})
    return entry


def _other_names(names: Mapping[str, str] | list[str], mutant: Mutant) -> Any:
    deleted = mutant.change is Change.DELETED
    if isinstance(names, Mapping):
        changed = {} if deleted else {mutant.name: misspelt(names[mutant.name])}
        return {
            name: new
            for name, new in {**names, **changed}.items()
            if not deleted or name != mutant.name
        }
    changed_name = () if deleted else (misspelt(mutant.name),)
    return [*(name for name in names if name != mutant.name), *changed_name]


def misspelt(text: str) -> str:
    """Copy of `text` whose last word lacks one letter; `text` itself if it has no word of three letters.

    >>> misspelt("musaMalloc")
    'musaMaloc'
    """
    words = list(_WORD.finditer(text))
    if not words:
        return text
    start, end = words[-1].span()
    # The middle of the second half: the beginning is the prefix of the target.
    at = start + (end - start) * 3 // 4
    return text[:at] + text[at + 1 :]


def _with(entry: LoadedEntry, **fields: Any) -> LoadedEntry:
    return dataclasses.replace(entry, model=entry.model.model_copy(update=fields))
