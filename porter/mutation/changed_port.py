"""Port made with the mappings of a mutant: only the files that the mutant can affect are rewritten, in memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from porter.mapping.load import Loaded
from porter.model.plan import PortPlan
from porter.model.rewrite_result import Reason, Rewrite
from porter.model.rules import RuleSet
from porter.mutation.baseline import Baseline, words_of
from porter.port import stage
from porter.port.incremental import RuleChange
from porter.port.select import select
from porter.rewrite.rewriter import Rewriter


class ChangedPort(NamedTuple):
    """Port of the files that a mutant can affect. The ports of all other files equal those of the baseline."""

    rules: RuleSet
    plan: PortPlan
    files: Mapping[str, Rewrite]

    def differs(self, baseline: Baseline) -> bool:
        """Test whether a text or a path differs from the baseline's port."""
        return self.plan.moved != baseline.plan.moved or any(
            made.text != baseline.port[path].text for path, made in self.files.items()
        )

    def noticed(self, baseline: Baseline) -> str:
        """First finding about this port that the baseline's port lacks; empty if there is none.

        A finding is undecided residue, or a rule with fewer hits than it expects.
        """
        for path, made in self.files.items():
            for (reason, name), places in (
                _undecided(made) - _undecided(baseline.port[path])
            ).items():
                return f"{reason}: {name} ({places} in {path})"
        return self._unmet(baseline)

    def _unmet(self, baseline: Baseline) -> str:
        """Message about the first rule that has fewer hits than it expects; empty if there is no such rule."""
        hits: Counter[str] = Counter()
        for path, before in baseline.port.items():
            made, rules = before, baseline.rules
            if path in self.files:
                made, rules = self.files[path], self.rules
            for (index, _), count in made.hits.items():
                hits[rules.rules[index].key] += count
        for job in self.plan.jobs:
            hits.update(self.rules.rules[index].key for index in job.path_hits)
        for rule in self.rules.rules:
            if hits[rule.key] < rule.min_hits:
                return f"{rule.key}: {hits[rule.key]} hits, expected {rule.min_hits}"
        return ""

    def words(self, baseline: Baseline) -> tuple[frozenset[str], frozenset[str]]:
        """Two sets: words that the whole port gains, and words that the changed files lose."""
        now = words_of(made.text for made in self.files.values())
        before = words_of(baseline.port[path].text for path in self.files)
        return now - baseline.words, before - now


def port(baseline: Baseline, loaded: Loaded) -> ChangedPort:
    """Port the files that the changed mappings `loaded` can affect.

    Raises MappingError, with a list of all contradictions between the mappings.
    """
    rules = baseline.compile(loaded)
    plan = stage.plan_of(select(baseline.tree, rules.selection), rules)
    change = RuleChange(baseline.rules, rules)
    moved = plan.moved != baseline.plan.moved
    rewriter = Rewriter(rules, plan.moved)
    files = {
        path: rewriter.rewrite(path, raw)
        for path, raw in baseline.raw.items()
        if moved or change.can(path, str(baseline.tree / path))
    }
    return ChangedPort(rules, plan, files)


def _undecided(made: Rewrite) -> Counter[tuple[str, str]]:
    """Maps (reason, name) of a file's unmapped and ambiguous residue to the number of occurrences."""
    undecided = (Reason.UNMAPPED, Reason.AMBIGUOUS)
    left = (one for one in made.residue if one.reason in undecided)
    return Counter({(str(one.reason), one.name): one.places for one in left})
