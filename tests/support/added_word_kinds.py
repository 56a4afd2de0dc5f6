"""Program that adds two rule kinds to porter, and prints porter's results for rules of these kinds as JSON.

A rule of the kind `address` replaces a word only where its address is taken (`&f`); a rule of the kind `prefixed`
replaces a list of words. Each kind has a field that no other kind has.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from porter.model.rules import Rule, RuleSet
from porter.rewrite.kind import Key, Mistake, RuleKind
from porter.rewrite.kind_schema import IDENT, ONE_LINE, PREFIX, Field, ListOf
from porter.rewrite.kinds import order
from porter.rewrite.source import Source, WordSite
from porter.rewrite.word_hooks import (
    Fill,
    Listed,
    Names,
    Outcome,
    Passed,
    RulesAbout,
    Uses,
    all_names,
)


def _apply(source: Source, site: WordSite, known: RulesAbout) -> Outcome:
    for index in known[site.word]:
        rule = source.rules.rules[index]
        if source.applies(rule, site.where):
            if source.text[site.start - 1] != "&":
                return Passed(index, "its address is not taken here")
            end = site.start + len(site.word)
            source.hit(index)
            source.edit(site.start - 1, end, f"{rule.option('cast')}&{rule.replace}", index)
            return end
    return None


def _mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    if not rule.option("cast").startswith("("):
        yield Mistake(f"{title}: a cast begins with '('")


ADDRESS = RuleKind(
    name="address",
    summary="The address of a function.",
    fields=(
        Field("address", IDENT),
        Field("replace", ONE_LINE),
        Field("cast", str, default="(void*)"),
    ),
    uses=Uses(apply=_apply, where=lambda rule: "where its address is taken"),
    is_graded=True,
    mistakes=_mistakes,
)


def _read(fields: Mapping[str, Any], fill: Fill) -> Listed:
    return Listed(names={name: fill(fields["prefix"]) + name for name in fields["prefixed"]})


def _keys(rule: Rule) -> Iterator[Key]:
    for name in rule.names:
        yield "name", name


PREFIXED = RuleKind(
    name="prefixed",
    summary="Identifiers that get a prefix.",
    fields=(Field("prefixed", ListOf(IDENT)), Field("prefix", PREFIX)),
    names=Names(resolutions=all_names, is_bulk=True, read=_read),
    is_graded=True,
    keys=_keys,
)

TEXT = "auto p = &cudaCall;\ncudaCall();\ncudaOne(); cudaTwo();\n"
FILES = {"call.cpp": "int* p = &cudaCall;\n", "one.cpp": "cudaOne();\n", "none.cpp": "int a;\n"}


def rules_with(cast: str = "(void*)", prefix: str = "toy_", call: str = "toyCall") -> RuleSet:
    """Rule set with rules of each kind."""
    from rule_sets import rule_set

    listed = {"prefixed": ["cudaOne", "cudaTwo", "cudaThree"], "prefix": prefix}
    used = {"address": "cudaCall", "replace": call, "cast": cast}
    never = {"address": "cudaNever", "replace": "toyNever"}
    return rule_set({"toy": [used, never, listed]})


def _rewritten(folder: Path, other: RuleSet) -> list[str]:
    from porter.port.incremental import RuleChange

    change = RuleChange(rules_with(), other)
    return [name for name in FILES if change.can(name, str(folder / name))]


def _shown(rules: RuleSet) -> dict[str, object]:
    """Results of `porter mapping show` for two names, and of `porter explain` for the names and a file."""
    from porter.inspect.explain import Explainer
    from porter.mapping.resolve_name import Decider
    from porter.report import resolved_names

    decider = Decider(rules)
    explainer = Explainer(rules, {}, lambda rule, name: rule.origin)
    names = {
        name: resolved_names.ShownName(decider.decide(name), "", ())
        for name in ("cudaCall", "cudaOne")
    }
    document = resolved_names.document(names)
    return {
        "mapping show": {name: document[name]["replace"] for name in names},
        "explain symbol": [
            [found.rule.kind, found.becomes, found.where]
            for name in names
            for found in explainer.symbol(name)
        ],
        "explain file": [
            [place.kind, place.rules[0].kind, place.after]
            for place in explainer.file("a.cpp", TEXT.encode()).places
        ],
    }


def _reported(rules: RuleSet) -> dict[str, object]:
    """Names in the report of a port of TEXT: the listed names that never occur, and the replaced names."""
    from rule_sets import port

    from porter.model.manifest import Manifest, PortedFile
    from porter.report.summary import summarise

    made = port(TEXT, rules)
    hits = {(rules.rules[index].key, name): count for (index, name), count in made.hits.items()}
    file = PortedFile("a.cpp", "a.cpp", "", "", "", len(made.edits), hits)
    found = summarise(Manifest("toy", "2.6.0", "", "", {"a.cpp": file}), rules)
    return {
        "listed and never met": list(found.unused_names.values()),
        "replaced": [[one.name, one.becomes, one.places] for one in found.names],
    }


def main(folder: Path) -> dict[str, object]:
    """Maps the name of each result to the result. Test files are written to `folder`."""
    from rule_sets import port

    from porter.base.errors import MappingError
    from porter.mapping.checks import replacements
    from porter.mapping.json_schema import json_schema

    for name, text in FILES.items():
        (folder / name).write_text(text)
    rules = rules_with()
    made = port(TEXT, rules)
    try:
        rules_with(cast="(void*)\x00", call="")
    except MappingError as error:
        refused = error.problems[0].text
    odd = rules_with(cast="void*")
    return {
        "text": made.text,
        "left": [[left.name, left.line, left.note] for left in made.residue],
        **_shown(rules),
        "rewritten for a cast": _rewritten(folder, rules_with(cast="(int*)")),
        "rewritten for a prefix": _rewritten(folder, rules_with(prefix="toy2_")),
        "rewritten for nothing": _rewritten(folder, rules_with()),
        "mistakes": [
            found.problem.text for rule in odd.rules for found in replacements.of_rule(rule)
        ],
        "refused": refused,
        **_reported(rules),
        "in schema": {"AddressEntry", "PrefixedEntry"} <= json_schema()["$defs"].keys(),
    }


if __name__ == "__main__":
    # porter.mapping creates its models from the rule kinds, so the kinds must be added before the first import.
    order.ORDER = (*order.ORDER, ADDRESS, PREFIXED)
    print(json.dumps(main(Path(sys.argv[1]))))
