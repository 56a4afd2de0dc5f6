"""Look-up of the rules about a word: exact names, families, rules about uses, and the pattern of vendor names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from porter.model.rules import Layer, Resolution, Rule, RuleSet, Status, TokenClass
from porter.regex.template_expand import expand
from porter.rewrite.kinds import order
from porter.rewrite.name_owner import NameOwners
from porter.rewrite.word_hooks import Names, RulesAbout, Uses

CODE = frozenset({TokenClass.CODE, TokenClass.CONDITION})
"""Token classes in which every identifier is looked up."""


class Verdict(NamedTuple):
    """All rules about one word, independent of the file."""

    exact: tuple[Resolution, ...]
    """Rules that list the word, strongest first. Several rules are possible, because rules can be limited to files."""
    family: Resolution | None
    """First `family` rule whose pattern matches the word."""
    uses: tuple[tuple[Uses, RulesAbout], ...]
    """Rules about uses of the word, or about qualified names that begin with the word, grouped by rule kind."""
    vendor: bool
    """True if the word matches the pattern of vendor names."""
    matters: bool
    """False if the word never needs an edit or a report."""
    owned: bool = False
    """True if CUDA does not declare the word, so that the owner of the word at each place decides about the rules."""


class Resolver:
    """Finds the rules about a word in a rule set. Results are stored, so that each word is examined once.

    `owners` finds the owners of the words of a project; None for PyTorch, whose words all belong to CUDA or PyTorch.
    """

    def __init__(self, rules: RuleSet, owners: NameOwners | None = None) -> None:
        self.rules = rules
        self.owners = owners
        self._known: dict[str, Verdict] = {}
        self._mattering: set[str] = set()
        self._vendor: set[str] = set()
        self._seen: set[str] = set()
        self._names = {kind.name: kind.names for kind in order.ORDER if kind.names}
        bulk = {name for name, hooks in self._names.items() if hooks.is_bulk}
        self._bulk = {index for kind in bulk for index in rules.of_kind(kind)}
        self._uses = _by_word(rules)
        self._listed = {*rules.exact, *self._uses}
        self.plain: set[str] = set()
        """Words without rules about uses: the decision about such a word in code does not depend on other tokens."""
        self._families_of: dict[str, list[int]] = {}
        for place, family in enumerate(rules.families):
            for text in family.texts or [""]:
                self._families_of.setdefault(text, []).append(place)
        self.common = min(filter(str.isidentifier, rules.texts or ()), key=len, default="")
        """Lower-case text that most vendor words contain; empty if there is none."""
        self.classes = CODE.union(
            *(rule.classes for rule in rules.rules if rule.kind in self._names)
        )
        """Token classes in which identifiers are looked up: code, conditions, and the classes of rules about names."""
        self._may_match = _any_in(rules.texts)
        self.holds = [kind.uses.hold(rules) for kind in order.ORDER if kind.uses and kind.uses.hold]
        """Functions from a file to spans of abbreviated qualified names, in which words are not looked up."""

    def verdict(self, word: str) -> Verdict:
        """Rules about one word."""
        made = self._known.get(word)
        if made is None:
            made = self._known[word] = self._decide(word)
            if made.matters:
                self._mattering.add(word)
                if not made.uses and not made.owned:
                    self.plain.add(word)
            if made.vendor:
                self._vendor.add(word)
        return made

    def mattering(self, words: set[str]) -> set[str]:
        """Return the words that a rule changes or that must be reported."""
        self.learn(words)
        return words & self._mattering

    def vendor(self, words: set[str]) -> set[str]:
        """Return the words that match the pattern of vendor names."""
        self.learn(words)
        return words & self._vendor

    def is_vendor(self, word: str) -> bool:
        """Test whether a word matches the pattern of vendor names."""
        return word in self._vendor if word in self._seen else self.verdict(word).vendor

    def may_hold_vendor(self, text: str) -> bool:
        """Test whether a text can contain a vendor word. False is certain; most texts then need no look-up of words."""
        return bool(self._may_match.search(text.lower()))

    def learn(self, words: set[str]) -> set[str]:
        """Look up the rules about new words of a file: words that were in no earlier file. Returns the new words."""
        new = words - self._seen
        self._seen |= new
        for word in self._suspects(new) | (new & self._listed):
            self.verdict(word)
        return new

    def _suspects(self, words: set[str]) -> set[str]:
        """Return the words that may match a `family` rule or the pattern of vendor names. Most words do not."""
        text = f" {' '.join(words)} "
        found = set()
        for match in self._may_match.finditer(text.lower()):
            first = text.rfind(" ", 0, match.end()) + 1
            found.add(text[first : text.find(" ", first)])
        return {word for word in found if word and word[0] > "9"}

    def family(self, word: str) -> Resolution | None:
        """Replacement of a word by the first `family` rule whose pattern matches; None if no pattern matches."""
        folded = word.lower()
        places = {p for text, found in self._families_of.items() if text in folded for p in found}
        for place in sorted(places):
            family = self.rules.families[place]
            if match := family.fullmatch(word):
                rule = self.rules.rules[family.rule]
                new = None
                if rule.replace is not None and rule.status is Status.SUPPORTED:
                    new = expand(match, rule.replace)
                    if rule.option("follows"):
                        new = new.replace(match[1], self._plain(match[1]))
                return Resolution(family.rule, None if new == word else new)
        return None

    def _plain(self, name: str) -> str:
        """Replacement of a word by the strongest rule that applies to all files; the word itself if it stays."""
        verdict = self.verdict(name)
        rules = self.rules.rules
        everywhere = (
            one for one in verdict.exact if not (rules[one.rule].only_in or rules[one.rule].not_in)
        )
        found = next(everywhere, verdict.family)
        return found.replace or name if found else name

    def _decide(self, word: str) -> Verdict:
        rules = self.rules
        exact = rules.exact.get(word, ())
        family = self.family(word)
        uses = self._uses.get(word, ())
        vendor = bool(rules.vendor.search(word))
        if not (vendor or exact or family or uses):
            return _NOTHING
        if family and rules.rules[family.rule].layer is Layer.TARGET:
            # A `family` rule of the layer CUDA was converted to a list of names. It remains weaker than a target's
            # `family` rule.
            bounded = tuple(one for one in exact if self._hooks(one.rule).by_pattern)
            exact = (*(one for one in exact if one not in bounded), family, *bounded)
        decided = (*exact, family) if family else exact
        acts = any(
            found.replace is not None or rules.rules[found.rule].status is not Status.SUPPORTED
            for found in decided
        )
        counted = any(found.rule not in self._bulk for found in exact)
        matters = bool(vendor or acts or counted or uses)
        about = [index for _, known in uses for index in known.get(word, ())]
        owned = self.owners is not None and not self.owners.is_cudas(word, exact, family, about)
        return Verdict(exact, family, uses, vendor, matters, owned)

    def _hooks(self, index: int) -> Names:
        return self._names[self.rules.rules[index].kind]

    def bulk_name(self, index: int, word: str) -> str:
        """Name under which hits of the rule `index` are counted: the word for a bulk rule, else empty."""
        return word if index in self._bulk else ""

    def is_listed(self, rule: Rule) -> bool:
        """Test whether the mapping lists every word to which a rule applies."""
        return self._names[rule.kind].is_listed(rule)


def _by_word(rules: RuleSet) -> dict[str, tuple[tuple[Uses, RulesAbout], ...]]:
    """Maps a word to the rules about its uses, grouped by rule kind in the order of `ORDER`.

    A rule about a qualified name belongs to the first word of this name.
    """
    found: dict[str, list[tuple[Uses, dict[str, tuple[int, ...]]]]] = {}
    for kind in order.ORDER:
        for about, indexes in rules.uses.get(kind.name, {}).items() if kind.uses else ():
            assert kind.uses
            known = found.setdefault(about.partition("::")[0], [])
            if not known or known[-1][0] is not kind.uses:
                known.append((kind.uses, {}))
            known[-1][1][about] = indexes
    return {word: tuple(known) for word, known in found.items()}


_NOTHING = Verdict((), None, (), vendor=False, matters=False)
"""Result for the many words to which no rule applies."""


def _any_in(texts: Iterable[str] | None) -> re.Pattern[str]:
    """Regular expression that matches any of the texts. For None, it matches everywhere; for no texts, nowhere."""
    return re.compile("" if texts is None else "|".join(map(re.escape, texts)) or r"(?!)")
