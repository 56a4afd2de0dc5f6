"""Content of the page `report.html` of a port that `report.json` and `manifest.json` do not contain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class RunRecord(NamedTuple):
    """Figures of one run of porter on an output folder."""

    time: str
    """Start of the run, UTC: `2026-03-01T12:00:00Z`."""
    porter: str
    mappings: str
    """Beginning of the digest of the mapping files."""
    files: int
    edits: int
    residue: Mapping[str, int]
    """Maps a reason to the number of places."""
    hazards: int
    dead: int
    """Number of rules without hits."""
    failed: int | None
    """Number of sources that are not built because of an error; None if nothing was compiled."""
    seconds: Mapping[str, float]
    """Maps a stage to its wall-clock seconds."""


class WordPlaces(NamedTuple):
    """Lines of one word of residue, or of one hazard, in one file."""

    kind: str
    """`left` or `hazard`."""
    word: str
    path: str
    """Ported path."""
    why: str
    """Reason and note; empty for a hazard."""
    lines: tuple[int, ...]
    """Ported lines."""


class SourceChunk(NamedTuple):
    """Texts of some files, packed for the page."""

    paths: tuple[str, ...]
    """Upstream paths of the files, in the order of the packed list."""
    data: str


class UsedRule(NamedTuple):
    """Rule with its hits in a port."""

    key: str
    kind: str
    origin: str
    """`file:line` in the mappings."""
    layer: str
    note: str
    places: int
    files: int
    wanted: int
    """Smallest number of hits that the rule expects."""


class PortPage(NamedTuple):
    """Data of the page in addition to the report and the manifest."""

    rules: tuple[UsedRule, ...]
    """Rules with hits, rules without hits, and rules of the places; the index is the rule's number on the page."""
    chunks: tuple[SourceChunk, ...]
    words: tuple[WordPlaces, ...]
    history: tuple[RunRecord, ...] = ()
    """Runs on the output folder, oldest first."""
    build: Mapping[str, Any] | None = None
    """Content of `build/result.json`."""
    operators: Mapping[str, Any] | None = None
    """Content of `register/ops.json`."""
    failed: frozenset[str] | None = None
    """Names in PyTorch's operator database of the operators for which a check of `porter verify` failed; None if there
    are no results of checks."""
    notes: tuple[str, ...] = ()
    """Sentences about data that the page lacks."""
