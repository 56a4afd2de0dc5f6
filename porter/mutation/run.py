"""Test of mutants. Each mutant runs through the stages check, port, SDK and compile until one stage notices it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from porter.base.errors import PorterError
from porter.base.fork_pool import share_out
from porter.mapping.sdk import Sdk
from porter.model.mutation import Mutant, MutantResult, MutationScore, Result, Stage
from porter.model.rules import Layer
from porter.mutation.baseline import Baseline, Hits
from porter.mutation.changed_port import ChangedPort, port
from porter.mutation.host_build import HostBuild
from porter.mutation.mutants import mutants, mutated

Progress = Callable[[int, int], None]
"""Callback with the number of tested mutants and the number of all mutants."""
_PIECE = 8
"""Number of mutants that a worker process takes at once."""


class MutationSettings(NamedTuple):
    """Settings of a mutation test."""

    sdk: Sdk | None = None
    """Headers of the vendor's SDK; None to leave out the stage `sdk`."""
    host: HostBuild | None = None
    """Build on the host; None to leave out the stage `compile`."""
    sample: int | None = None
    """Number of mutants to test, chosen at random with a fixed seed; None for all."""
    jobs: int = 1
    progress: Progress = lambda done, total: None


def run(baseline: Baseline, settings: MutationSettings) -> MutationScore:
    """Test the mutants of a target's mappings. The results have the order of the mapping files."""
    every = list(mutants(baseline.loaded, Hits(baseline)))
    chosen = _sample(every, settings.sample)
    pieces = -(-len(chosen) // _PIECE)
    # Computed before the workers start, which then share the words.
    _ = baseline.words, baseline.outside

    def one(piece: int) -> list[tuple[int, MutantResult]]:
        places = range(piece, len(chosen), pieces)
        return [(at, _test(baseline, chosen[at], settings)) for at in places]

    done: dict[int, MutantResult] = {}
    settings.progress(0, len(chosen))
    with contextlib.closing(share_out(pieces, one, settings.jobs)) as results:
        for result in results:
            done.update(result)
            settings.progress(len(done), len(chosen))
    rules = baseline.rules
    stages = [Stage.CHECK, Stage.PORT]
    stages += [Stage.SDK] if settings.sdk else []
    stages += [Stage.COMPILE] if settings.host else []
    tested = tuple(done[at] for at in range(len(chosen)))
    return MutationScore(rules.target, rules.release, tested, len(every), tuple(stages))


def _sample(every: Sequence[Mutant], count: int | None) -> list[Mutant]:
    if count is None or count >= len(every):
        return list(every)
    # The same sample in every run.
    places = random.Random(0).sample(range(len(every)), count)
    return [every[at] for at in sorted(places)]


def _test(baseline: Baseline, mutant: Mutant, settings: MutationSettings) -> MutantResult:
    loaded = mutated(baseline.loaded, mutant)
    try:
        new = sorted(baseline.check(loaded) - baseline.findings, key=lambda one: str(one.problem))
        if new:
            return MutantResult(mutant, Result.NOTICED, Stage.CHECK, new[0].problem.text)
        changed = port(baseline, loaded)
    except PorterError as error:
        return MutantResult(mutant, Result.NOTICED, Stage.CHECK, error.problems[0].text)
    if reason := changed.noticed(baseline):
        return MutantResult(mutant, Result.NOTICED, Stage.PORT, reason)
    if not changed.differs(baseline):
        return MutantResult(
            mutant, Result.EQUIVALENT, None, "the port is unchanged: another rule decides"
        )
    result = _by_words(baseline, mutant, changed, settings.sdk)
    if result.result is not Result.SURVIVED:
        return result
    if settings.host is None:
        return result._replace(result=Result.UNTESTED) if mutant.kind == "patch" else result
    message = settings.host.error(baseline, mutant)
    return MutantResult(mutant, Result.NOTICED, Stage.COMPILE, message) if message else result


def _by_words(
    baseline: Baseline, mutant: Mutant, changed: ChangedPort, sdk: Sdk | None
) -> MutantResult:
    """Result of a mutant that changes the port, decided by the words that the port gains and loses."""
    added, lost = changed.words(baseline)
    layer = baseline.loaded.entries[mutant.entry].layer
    if layer is Layer.PYTORCH and lost and not lost & baseline.outside:
        reason = "a name of the port itself is spelt in another way at every place"
        return MutantResult(mutant, Result.EQUIVALENT, None, f"{reason}: {_some(added)}")
    unknown = added - baseline.outside
    if sdk and (lacking := [word for word in sorted(unknown) if not sdk.has([word])]):
        reason = f"'{lacking[0]}' is in no header of the SDK"
        return MutantResult(mutant, Result.NOTICED, Stage.SDK, reason)
    return MutantResult(mutant, Result.SURVIVED, None, _why(mutant, added, lost))


def _why(mutant: Mutant, added: frozenset[str], lost: frozenset[str]) -> str:
    """Reason why no stage notices a mutant. `added` and `lost`: words that the port gains and loses."""
    if not added and not lost:
        return "the changed text consists of names that the port has elsewhere: a compiler or a test decides"
    if mutant.kind == "patch":
        return "the text of a patch: a compiler or a test decides"
    return f"the port has {_some(added) or 'no new name'} for {_some(lost) or 'no name'}: the SDK decides"


def _some(words: frozenset[str]) -> str:
    return ", ".join(sorted(words)[:3])
