"""Proofs of releases: results of porting their header trees and of generating registrations.

    for proof in prove(settings):          # in order of completion, from several processes
        ...

On request, the registrations and the backend are also compiled. A finished proof without a failure is stored under a
hash of the tree, the mappings and porter's code, so that a stopped run can be resumed.
"""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from porter.base import columnar_json, disk_cache
from porter.base.errors import Interrupted, PorterError
from porter.base.fingerprint import Answer
from porter.base.fork_pool import share_out
from porter.builder.build_context import BuildSettings
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.pipeline import PipelineResult
from porter.model.proof import Proof
from porter.model.rewrite_result import Reason
from porter.model.summary import Summary
from porter.pipeline import stages
from porter.port import header_tree, own_names
from porter.port.select import release_of
from porter.port.stage import PortSettings, ReportInputs
from porter.release import known
from porter.report.summary import summarise

PROOFS = Answer(
    "proofs",
    (
        *(
            "abi",
            "base",
            "builder",
            "cpp",
            "custom_ops",
            "mapping",
            "model",
            "overlay",
            "package",
            "pipeline",
        ),
        *("port", "regex", "register", "release", "report", "rewrite", "simt", "toolchain"),
    ),
)
_SHOWN = 5
"""Largest number of names that a proof lists for each reason."""


@dataclass(frozen=True)
class ProveSettings:
    """Header trees and targets to prove, and options of the run."""

    library: MappingLibrary
    trees: Sequence[Path]
    """Header trees."""
    targets: Sequence[str]
    compiles: bool = False
    """True to compile also the registrations and the backend, for targets whose runtime is simt."""
    jobs: int = 1
    again: bool = False
    """True to repeat stored proofs."""
    out: Path | None = None
    """Folder that keeps ports and registrations; None for a temporary folder."""

    @property
    def compilers(self) -> int:
        """Number of compiler processes for each proof. Proofs run in parallel and share the number `jobs`."""
        return max(1, self.jobs // (len(self.trees) * len(self.targets)))


def prove(settings: ProveSettings) -> Generator[Proof, None, None]:
    """Generate the proofs of all trees for all targets. The failure of one proof does not stop the others.

    Raises KeyboardInterrupt on Ctrl-C; finished proofs stay stored. A caller that stops early must close the generator,
    which then ends the processes and removes temporary files.
    """
    work = [(tree, target) for tree in settings.trees for target in settings.targets]

    def one(piece: int) -> Proof:
        return _stored(*work[piece], settings)

    with contextlib.closing(share_out(len(work), one, settings.jobs)) as proofs:
        yield from proofs


def _stored(tree: Path, target: str, settings: ProveSettings) -> Proof:
    """Proof of a tree for a target: the stored proof if there is one, else a new proof.

    Only a proof without a failure is stored. With `settings.again` or `settings.out`, the proof is always new.
    """
    marker = header_tree.read(tree)
    compiles = (
        settings.compiles
        and known.can_be_built(release_of(tree))
        and _compiles_on_host(settings.library, target)
    )
    inputs = (str(marker), settings.library.digest(target), target, str(compiles))
    key = disk_cache.key_of(PROOFS, *inputs)
    if not settings.again and not settings.out:
        with contextlib.suppress(ValueError, TypeError):
            (found,) = columnar_json.decode(Proof, disk_cache.get(PROOFS, key))
            return found  # type: ignore[no-any-return]
    proof = _made(tree, target, compiles, settings)
    if proof.fine:
        disk_cache.put(PROOFS, key, columnar_json.encode(Proof, [proof]))
    return proof


def _compiles_on_host(library: MappingLibrary, target: str) -> bool:
    newest = known.read().newest.release
    return rule_cache.checked_rule_set(library, target, newest).profile.build.runtime == "simt"


def _made(tree: Path, target: str, compiles: bool, settings: ProveSettings) -> Proof:
    started = time.perf_counter()
    proof = Proof(tree.name, target)
    try:
        release = release_of(tree)
        proof = proof._replace(release=release)
        with _place_for(settings.out) as out:
            for make in (_ported, _registered, *((_compiled,) if compiles else ())):
                proof = make(proof, tree, out / target / header_tree.named(tree, release), settings)
    except Interrupted:
        raise
    except PorterError as error:
        problems = tuple(str(problem) for problem in error.problems)
        proof = proof._replace(problems=(*proof.problems, *problems), code=error.code)
    return proof._replace(milliseconds=round(1000 * (time.perf_counter() - started)))


_Step = Callable[[Proof, Path, Path, ProveSettings], Proof]


def _ported(proof: Proof, tree: Path, folder: Path, settings: ProveSettings) -> Proof:
    library = settings.library
    rules = header_tree.fitted(
        rule_cache.checked_rule_set(library, proof.target, proof.release), tree
    )
    ported = stages.port(
        tree, rules, library.digest(proof.target), folder, PortSettings(), ReportInputs()
    )
    summary = ported.summary or summarise(ported.manifest, rules)
    unmapped = [word.name for word in summary.residue.get(Reason.UNMAPPED, ())]
    own = own_names.declared(tree, ported.manifest.files, unmapped)
    return proof._replace(
        headers=summary.selected,
        edits=summary.edits,
        unsupported=summary.places(Reason.UNSUPPORTED),
        unmapped=summary.places(Reason.UNMAPPED),
        ambiguous=summary.places(Reason.AMBIGUOUS),
        problems=tuple(_undecided(summary, own)),
    )


def _undecided(summary: Summary, own: Mapping[str, str]) -> Iterator[str]:
    """Yield a line for each of the first undecided names, and for each rule with fewer hits than expected.

    `own` maps a name that PyTorch itself defines to `path:line` in the file with the definition.
    """
    for reason in (Reason.UNMAPPED, Reason.AMBIGUOUS):
        words = summary.residue.get(reason, ())
        for word in words[:_SHOWN]:
            whose = (
                f", a name that PyTorch itself declares ({own[word.name]})"
                if word.name in own
                else ""
            )
            yield f"{word.first}: '{word.name}' is {reason}{whose}"
        if len(words) > _SHOWN:
            yield f"{len(words) - _SHOWN} more names are {reason}"
    for rule in summary.broken:
        yield f"{rule.origin}: {rule.key} matched {rule.hits} times, expected {rule.wanted}"


def _registered(proof: Proof, tree: Path, folder: Path, settings: ProveSettings) -> Proof:
    tallies = _run(proof, tree, folder, settings, "register").registered.tallies
    return proof._replace(
        operators=sum(tally.ops for tally in tallies),
        registered=sum(tally.registered for tally in tallies),
    )


def _compiled(proof: Proof, tree: Path, folder: Path, settings: ProveSettings) -> Proof:
    built = _run(proof, tree, folder, settings, "build").built
    assert built, "a header build has a result"
    broken = tuple(f"{failed.path}: {failed.text.splitlines()[0]}" for failed in built.failed)
    return proof._replace(
        sources=len(built.built) + len(broken),
        compiled=len(built.built),
        problems=(*proof.problems, *broken),
    )


def _run(
    proof: Proof, tree: Path, folder: Path, settings: ProveSettings, until: str
) -> PipelineResult:
    rules = rule_cache.checked_rule_set(settings.library, proof.target, proof.release)
    inputs = stages.PipelineInputs(
        tree,
        folder,
        header_tree.fitted(rules, tree),
        settings.library,
        PortSettings(),
        BuildSettings(jobs=settings.compilers, keep_going=True, header_tree=tree),
        lambda done, total, last: None,
    )
    return stages.run(inputs, until)


@contextlib.contextmanager
def _place_for(out: Path | None) -> Iterator[Path]:
    """Context manager for the folder `out`, or for a temporary folder if `out` is None."""
    if out:
        yield out
        return
    with tempfile.TemporaryDirectory(prefix="porter-prove-") as work:
        yield Path(work)
