"""Reader of one target's layers. It returns validated entries, or raises one exception with the errors of all files."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from porter.base.errors import Problem, did_you_mean
from porter.base.stop_signals import defer_stop_signals
from porter.mapping import rule_regexes, schema
from porter.mapping.document import Document
from porter.mapping.file_problems import FileProblems
from porter.mapping.library import LAYERS, MappingLibrary
from porter.mapping.profile_file import read_profile
from porter.mapping.selection_file import read_selection
from porter.model.rules import (
    Layer,
    Origin,
    Profile,
    Selection,
)
from porter.regex.redos import why_not_linear
from porter.rewrite.kinds import order

_OF_THE_WHOLE = re.compile(r"\(\?(?:[a-zA-Z]+\)|P<)")


@dataclass(frozen=True)
class LoadedEntry:
    """Validated rule whose placeholders are not yet filled."""

    kind: str
    model: schema.RuleEntry
    layer: Layer
    area: str
    origin: Origin
    document: Document


@dataclass(frozen=True)
class Loaded:
    """Content of all mappings of one target."""

    profile: Profile
    entries: tuple[LoadedEntry, ...]
    selection: Selection
    """Upstream files that all targets port."""
    vendor_words: tuple[str, ...]

    @property
    def target_selection(self) -> Selection:
        """Upstream files that this target ports."""
        return Selection(
            (*self.selection.folders, *self.profile.folders),
            (*self.selection.excluded, *self.profile.excluded),
        )


def load(library: MappingLibrary, target: str) -> Loaded:
    """Read all layers of a target. Raises MappingError with every error, UsageError for an unknown target."""
    # pydantic would report an exception during validation, for example after Ctrl-C, as an error in the file.
    with defer_stop_signals():
        return _load(library, target)


def _load(library: MappingLibrary, target: str) -> Loaded:
    problems = FileProblems()
    problems.found.extend(library.unread(target))
    entries: list[LoadedEntry] = []
    for folder, path in library.rule_files(target):
        layer = Layer(folder) if folder in LAYERS else Layer.TARGET
        root = library.base() if folder in LAYERS else library.root_of(target)
        doc = problems.read(path, path.relative_to(root).as_posix())
        if doc:
            entries.extend(_entries(doc, layer, problems))
    profile = read_profile(library, target, problems)
    selection = read_selection(library, problems)
    words = _vendor_words(library, problems)
    problems.stop()
    assert profile and selection is not None
    return Loaded(profile, tuple(entries), selection, words)


def _entries(doc: Document, layer: Layer, problems: FileProblems) -> Iterable[LoadedEntry]:
    if not isinstance(doc.data, dict):
        problems.found.append(
            Problem("a mapping must be a table with 'area' and 'rules'", doc.file)
        )
        return
    known = set(schema.MappingFile.model_fields)
    for key in doc.data.keys() - known:
        help = did_you_mean(key, known)
        problems.found.append(
            Problem(f"unknown key '{key}'", f"{doc.file}:{doc.line([key])}", help)
        )
    area, rules = doc.data.get("area"), doc.data.get("rules", [])
    if not isinstance(area, str) or not area:
        problems.found.append(Problem("the area is missing", f"{doc.file}:1"))
        return
    if not isinstance(rules, list):
        problems.found.append(
            Problem("'rules' must be a list", f"{doc.file}:{doc.line(['rules'])}")
        )
        return
    lines = doc.lines_of_rules() if rules else []
    for index, data in enumerate(rules):
        place = f"{doc.file}:{lines[index]}"
        if not isinstance(data, dict):
            problems.found.append(Problem("a rule must be a table", place))
            continue
        kind = _kind(data, place, problems)
        if not kind:
            continue
        title = f"rule '{_title(kind, data)}'"
        model = problems.validate(schema.ENTRIES[kind], data, doc, ["rules", index], title)
        if model:
            for field, reason in rule_regexes.mistakes(order.kind(kind), model):
                line = doc.line(["rules", index, field])
                problems.found.append(
                    Problem(f"'{field}' of {title}: {reason}", f"{doc.file}:{line}")
                )
            yield LoadedEntry(kind, model, layer, area, Origin(doc.file, lines[index]), doc)


def _kind(data: dict[str, Any], place: str, problems: FileProblems) -> str:
    kinds = [kind for kind in schema.ENTRIES if kind in data]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        problems.found.append(
            Problem(f"a rule must have one kind, not {len(kinds)}: {', '.join(kinds)}", place)
        )
        return ""
    first = next(iter(data), "")
    help = did_you_mean(first, schema.ENTRIES) or f"kinds: {', '.join(schema.ENTRIES)}"
    problems.found.append(Problem(f"the rule has no kind (first key: '{first}')", place, help))
    return ""


def _title(kind: str, data: dict[str, Any]) -> str:
    value = data[kind]
    if isinstance(value, str):
        return value if len(value) <= 60 else value[:57] + "..."
    return kind


def _vendor_words(library: MappingLibrary, problems: FileProblems) -> tuple[str, ...]:
    doc = problems.read(library.special("cuda", "vendor.yaml"), "cuda/vendor.yaml")
    entry = doc and problems.validate(schema.VendorFile, doc.data, doc, [], "the vendor words")
    if not doc or not entry:
        return ()
    for index, word in enumerate(entry.words):
        reason = why_not_linear(word, search=True)
        # The words are joined to one regular expression; flags and named groups of one word would affect the others.
        if not reason and _OF_THE_WHOLE.search(word):
            reason = "global flags and named groups are not allowed"
        if reason:
            place = f"{doc.file}:{doc.line(['words', index])}"
            problems.found.append(Problem(f"the vendor word '{word}': {reason}", place))
    return tuple(entry.words)
