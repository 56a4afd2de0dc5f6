"""Data of a port's page: the texts of all files with their edits, the rules, and the results of later stages."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from porter.base import fs, regular_files, untrusted
from porter.base.errors import MappingError, SourceError, UsageError
from porter.base.fork_pool import share_out
from porter.cpp.lex import decode, encode
from porter.inspect.explain import Explainer, OriginOf
from porter.inspect.locate import moves_of
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.mapping.source_locations import NameLocations
from porter.model.manifest import Manifest, PortedFile
from porter.model.port_page import PortPage, SourceChunk, UsedRule, WordPlaces
from porter.model.rules import RuleSet
from porter.model.verify import WRONG
from porter.port import output, run_history, saved_report
from porter.port.cuda_project import PORTED
from porter.port.state import PortState
from porter.report.pages import port_page, source_text
from porter.report.pages.frame import packed
from porter.verify import results

_CHUNK = 300_000
"""Approximate number of bytes of upstream text in one chunk: the script unpacks a chunk in a few milliseconds."""
_LONGEST = 20_000_000
"""Largest number of bytes of all texts of a page. Further files have no text on the page, so that it stays small."""


class PageWriter(NamedTuple):
    """Page of a port on disk. The texts are read once; the reports and the results of later stages at each writing."""

    folder: Path
    manifest: Manifest
    texts: PortPage

    @classmethod
    def read(
        cls,
        folder: Path,
        rules: RuleSet | None,
        tree: Path | None,
        library: MappingLibrary,
        jobs: int = 1,
    ) -> PageWriter:
        """Read the port in `folder`.

        `rules` is None if the rules that made the port are not available; `tree` is None if the source tree is not
        available. The page then lacks the edits or the upstream texts, and says so. Raises SourceError if the manifest
        is unreadable.
        """
        manifest = output.read_manifest(folder)
        origin_of = NameLocations(library, manifest.target).of
        return cls(folder, manifest, collect(folder, manifest, rules, tree, origin_of, jobs))

    def write(self, place: Path) -> None:
        """Write the page to the file `place`. Raises SourceError if a report is unreadable or `place` unwritable."""
        data = self.texts._replace(
            history=run_history.read(self.folder),
            build=saved_report.later_stage(self.folder, "build/result.json"),
            operators=saved_report.later_stage(self.folder, "register/ops.json"),
            failed=_failed_operators(self.folder / "verify"),
        )
        report = saved_report.read(self.folder)
        fs.write_if_changed(place, port_page.render(report, self.manifest, data))


def of_saved(folder: Path, library: MappingLibrary, tree: Path | None, jobs: int) -> PageWriter:
    """Page of a port that an earlier run made, with the rules of that run or, if these are unknown, the current rules.

    `tree` is the source tree; None for the tree that the run read, if it still exists. Raises SourceError if the
    manifest is unreadable or `tree` is no folder.
    """
    manifest = output.read_manifest(folder)
    state = PortState.read(folder)
    if tree is not None and not tree.is_dir():
        raise SourceError("is not a folder", str(tree), "give the source tree of PyTorch")
    if tree is None and state.tree and Path(state.tree).is_dir():
        tree = Path(state.tree)
    rules = rule_cache.read(state.digest.partition(" ")[0]) if state.digest else None
    if rules is None:
        with contextlib.suppress(MappingError, UsageError):
            rules = rule_cache.rule_set(library, manifest.target, manifest.release)
    return PageWriter.read(folder, rules, tree, library, jobs)


def collect(
    folder: Path,
    manifest: Manifest,
    rules: RuleSet | None,
    tree: Path | None,
    origin_of: OriginOf,
    jobs: int = 1,
) -> PortPage:
    """Rules and texts of the page of the port in `folder`. The arguments are as in `PageWriter.read`."""
    table = _rules(manifest, rules)
    numbers = {rule.key: number for number, rule in enumerate(table)}
    texts = _Texts(folder, manifest, rules, tree, origin_of, numbers)
    chunks, words = texts.packed(jobs)
    notes = []
    if rules is None:
        notes.append(
            "The mappings have changed since the port was made: the page does not show single edits."
        )
    if tree is None:
        notes.append("The source tree is not available: the page does not show upstream's texts.")
    if missing := len(manifest.files) - sum(len(chunk.paths) for chunk in chunks):
        notes.append(
            f"The texts of {missing} files are left out, because the page would be too large."
        )
    return PortPage(table, chunks, words, notes=tuple(notes))


def _failed_operators(folder: Path) -> frozenset[str] | None:
    """Operators with a failed check in a folder of results; None if the folder has no readable results."""
    try:
        _, found = results.read(folder / results.FILE)
    except SourceError:
        return None
    return frozenset(case.op for case, result in found.items() if result.status in WRONG)


def _rules(manifest: Manifest, rules: RuleSet | None) -> tuple[UsedRule, ...]:
    """Rules with hits, and rules without hits that are not part of a table; rules with the most hits come first."""
    places: defaultdict[str, int] = defaultdict(int)
    files: defaultdict[str, set[str]] = defaultdict(set)
    for file in manifest.files.values():
        hits = [(key, count) for (key, _), count in file.hits.items()]
        hits += ((hazard.rule, hazard.places) for hazard in file.hazards)
        for key, count in hits:
            places[key] += count
            files[key].add(file.path)
        for left in file.residue:
            if left.rule:
                files[left.rule].add(file.path)
    made = []
    for rule in rules.rules if rules else ():
        listed = rule.names or rule.origin.file.endswith(".json")
        if rule.key in files or not listed:
            use = (places[rule.key], len(files.get(rule.key, ())), rule.min_hits)
            made.append(
                UsedRule(rule.key, rule.kind, str(rule.origin), str(rule.layer), rule.note, *use)
            )
    known = {rule.key for rule in made}
    for key in files.keys() - known:
        origin, _, about = key.partition(": ")
        made.append(
            UsedRule(key, about.partition(" ")[0], origin, "", "", places[key], len(files[key]), 0)
        )
    return tuple(sorted(made, key=lambda rule: (-rule.places, rule.key)))


class _Texts(NamedTuple):
    """Texts of a port's files. The fields are the data that all files share."""

    folder: Path
    manifest: Manifest
    rules: RuleSet | None
    tree: Path | None
    origin_of: OriginOf
    numbers: Mapping[str, int]
    """Maps the key of a rule to its number on the page."""

    def packed(self, jobs: int) -> tuple[tuple[SourceChunk, ...], tuple[WordPlaces, ...]]:
        """Packed texts of all files, and the lines of residue and hazards, in several processes."""
        pieces = list(self._pieces())
        explainers = self._explainers()

        def work(piece: int) -> tuple[int, str, list[WordPlaces]]:
            data = [self._file(file, explainers) for file in pieces[piece]]
            found = zip(pieces[piece], data, strict=True)
            return piece, packed(data), [words for one in found for words in self._words(*one)]

        with contextlib.closing(share_out(len(pieces), work, jobs)) as results:
            done = sorted(results)
        paths = [tuple(file.path for file in piece) for piece in pieces]
        chunks = tuple(SourceChunk(paths[piece], data) for piece, data, _ in done)
        return chunks, tuple(itertools.chain.from_iterable(words for _, _, words in done))

    def _pieces(self) -> Iterator[list[PortedFile]]:
        total = size = 0
        piece: list[PortedFile] = []
        for _, file in sorted(self.manifest.files.items()):
            with contextlib.suppress(OSError):
                length = (self.folder / "src" / file.to).stat().st_size
                total += length
                if total > _LONGEST:
                    continue
                size += length
            piece.append(file)
            if size > _CHUNK:
                yield piece
                piece, size = [], 0
        if piece:
            yield piece

    def _explainers(self) -> dict[bool, Explainer]:
        """Maps False to the explainer for files of PyTorch, and True to the explainer for files of a CUDA project."""
        if self.rules is None:
            return {}
        kinds = {file.reason == PORTED for file in self.manifest.files.values()}
        return {
            project: Explainer(
                self.rules, moves_of(self.manifest, self.rules, project=project), self.origin_of
            )
            for project in kinds
        }

    def _file(self, file: PortedFile, explainers: Mapping[bool, Explainer]) -> dict[str, Any]:
        ported = _content(self.folder / "src", file.to) or b""
        upstream = _content(self.tree, file.path) if self.tree else None
        if upstream is not None and hashlib.sha256(upstream).hexdigest() != file.sha_in:
            upstream, note = None, "the upstream file has changed since the port was made"
        elif upstream is None:
            note = "the upstream file is not available"
        elif file.reason.startswith("copied: "):
            note = "the file is copied unchanged"
        elif not explainers:
            note = "the mappings have changed since the port was made"
        else:
            made = explainers[file.reason == PORTED].file(file.path, upstream)
            sha = hashlib.sha256(encode(made.ported)).hexdigest()
            if sha == file.sha_out or file.path in self.manifest.overlays:
                return source_text.explained(file, made, decode(ported), self.numbers)
            note = "the mappings have changed since the port was made"
        was = None if upstream is None else decode(upstream)
        return source_text.unexplained(file, was, decode(ported), self.numbers, note)

    def _words(self, file: PortedFile, data: Mapping[str, Any]) -> Iterator[WordPlaces]:
        hazards = {self.numbers.get(hazard.rule): hazard.name for hazard in file.hazards}
        lines: defaultdict[tuple[str, str, str], list[int]] = defaultdict(list)
        for kind, word, rule, line, why in source_text.places_of(data):
            lines[kind, hazards.get(rule, "") if kind == "hazard" else word, why].append(line)
        for (kind, word, why), found in lines.items():
            yield WordPlaces(kind, word, file.to, why, tuple(found))


def _content(root: Path | None, path: str) -> bytes | None:
    """Content of a file below a folder; None if the file is unreadable."""
    if root is None:
        return None
    try:
        return regular_files.read_bytes(untrusted.within(root, path))
    except (OSError, ValueError, SourceError):
        return None
