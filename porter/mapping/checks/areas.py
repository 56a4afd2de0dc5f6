"""Check for unknown areas in a profile's libraries and in rule files."""

from __future__ import annotations

from collections.abc import Iterator

from porter.base.errors import did_you_mean
from porter.mapping.checks import Finding, Target, error, warning
from porter.mapping.compile import AREAS
from porter.model.rules import Layer

CHECK = "area"


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each unknown area in the profile's libraries and in the target's rule files."""
    doc = target.profile_document
    for area in target.loaded.profile.libraries:
        if area not in AREAS:
            place = f"{doc.file}:{doc.line(['libraries', area])}"
            help = did_you_mean(area, AREAS) or f"areas: {', '.join(AREAS)}"
            yield error(CHECK, place, f"unknown area '{area}' of a library", help)
    entries = target.loaded.entries
    known = {*AREAS, *(entry.area for entry in entries if entry.layer is not Layer.TARGET)}
    told = set()
    for entry in entries:
        if entry.area not in known and entry.origin.file not in told:
            told.add(entry.origin.file)
            place = f"{entry.origin.file}:{entry.document.line(['area'])}"
            help = did_you_mean(entry.area, known) or f"areas: {', '.join(sorted(known))}"
            yield warning(CHECK, place, f"unknown area '{entry.area}'", help)
