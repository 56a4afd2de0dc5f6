"""Program that adds a rule kind, `pragma`, to porter, and prints porter's results for rules of this kind as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from porter.model.rules import Rule
from porter.rewrite.kind import Mistake, RuleKind, VendorWords
from porter.rewrite.kind_schema import IDENT, ONE_LINE, Field
from porter.rewrite.kinds import order
from porter.rewrite.source import Source


def apply(source: Source, words: VendorWords) -> None:
    """Replace the word after the first `#pragma` that a rule matches."""
    for index in source.rules.of_kind("pragma"):
        rule = source.rules.rules[index]
        before = f"#pragma {rule.match}"
        start = source.text.find(before)
        if start >= 0 and source.applies(rule):
            source.hit(index)
            source.edit(start, start + len(before), f"#pragma {rule.replace}", index)


def mistakes(rule: Rule, title: str) -> Iterator[Mistake]:
    """Yield a mistake for an invalid replacement."""
    if rule.replace == "nothing":
        yield Mistake(f"{title} means nothing")


KIND = RuleKind(
    name="pragma",
    summary="A pragma.",
    fields=(Field("pragma", IDENT), Field("replace", ONE_LINE)),
    apply=apply,
    can_affect=lambda rule, path, text: "#pragma" in text,
    mistakes=mistakes,
)
TEXT = "int a;\n#pragma old\n"


def main(folder: Path) -> dict[str, object]:
    """Maps the name of each result to the result. Test files are written to `folder`."""
    from rule_sets import port, rule_set

    from porter.base.errors import MappingError
    from porter.inspect.explain import Explainer
    from porter.mapping.checks import replacements
    from porter.mapping.json_schema import json_schema
    from porter.port.incremental import RuleChange

    rules = rule_set({"toy": [{"pragma": "old", "replace": "new"}]})
    other = rule_set({"toy": [{"pragma": "old", "replace": "newer"}]})
    odd = rule_set({"toy": [{"pragma": "old", "replace": "nothing"}]})
    try:
        rule_set({"toy": [{"pragma": "old"}]})
    except MappingError as error:
        refused = error.problems[0].text
    (index,) = rules.of_kind("pragma")
    made = port(TEXT, rules)
    files = {"with.cpp": TEXT, "without.cpp": "int a;\n"}
    for name, text in files.items():
        (folder / name).write_text(text)
    change = RuleChange(rules, other)
    places = Explainer(rules, {}, lambda rule, name: rule.origin).file("a.cpp", TEXT.encode())
    return {
        "text": made.text,
        "hits": made.hits.get((index, "")),
        "explained": [f"{place.kind} {place.rules[0].kind}" for place in places.places],
        "mistakes": [
            found.problem.text for rule in odd.rules for found in replacements.of_rule(rule)
        ],
        "refused": refused,
        "rewritten": [name for name in files if change.can(name, str(folder / name))],
        "in schema": "PragmaEntry" in json_schema()["$defs"],
    }


if __name__ == "__main__":
    # porter.mapping creates its models from the rule kinds, so the kind must be added before the first import.
    order.ORDER = (*order.ORDER, KIND)
    print(json.dumps(main(Path(sys.argv[1]))))
