"""Line numbers of names in mapping tables.

A `names` rule has thousands of names and stores only its first line. A table is read again when the line of a name is
needed.
"""

from __future__ import annotations

from porter.mapping import document, newer_names
from porter.mapping.document import Document
from porter.mapping.library import LAYERS, MappingLibrary
from porter.model.rules import Layer, Origin, Rule
from porter.rewrite.kinds import order


class NameLocations:
    """Finds the line of each name in one target's mappings."""

    def __init__(self, library: MappingLibrary, target: str) -> None:
        self._library = library
        self._target = target
        self._lines: dict[Origin, dict[str, int]] = {}
        """Maps the origin of a rule to the line numbers of the rule's names."""

    def of(self, rule: Rule, name: str) -> Origin:
        """File and line of a name in a `names` rule; file and line of the rule if it does not list the name.

        Raises MappingError when the table is no longer readable.
        """
        names = order.kind(rule.kind).names
        if not names or not names.is_bulk or not names.is_listed(rule):
            return rule.origin
        if rule.origin not in self._lines:
            self._read(rule)
        line = self._lines.get(rule.origin, {}).get(name, rule.origin.line)
        return Origin(rule.origin.file, line)

    def _read(self, rule: Rule) -> None:
        folder = self._target if rule.layer is Layer.TARGET else str(rule.layer)
        root = self._library.base() if folder in LAYERS else self._library.root_of(folder)
        if newer_names.is_about_newer(rule):
            self._lines[rule.origin] = newer_names.lines_of_names(root / rule.origin.file)
            return
        for origin, lines in _bulk_rules(document.read(root / rule.origin.file, rule.origin.file)):
            # Rules on one line share an origin, but no names.
            self._lines.setdefault(origin, {}).update(lines)


def _bulk_rules(doc: Document) -> list[tuple[Origin, dict[str, int]]]:
    return [
        (Origin(doc.file, line), doc.lines_of_names(index))
        for index, line in enumerate(doc.lines_of_rules())
        if isinstance(doc.data["rules"][index].get("names"), dict | list)
    ]
