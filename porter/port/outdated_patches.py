"""Reasons why patches of a port found nothing: upstream made the change itself, or the file is not in the tree."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from porter.base import regular_files
from porter.model.rules import Rule, RuleSet


def reasons(tree: Path, rules: RuleSet, broken: Iterable[str]) -> dict[str, str]:
    """Key of a patch without hits -> reason why the patch no longer applies.

    `broken`: keys of rules below their expected hits. A patch whose text upstream changed in another way has no entry.
    """
    wanted = frozenset(broken)
    found = {}
    for index in rules.of_kind("patch"):
        rule = rules.rules[index]
        if rule.key in wanted and (reason := _reason(tree, rule)):
            found[rule.key] = reason
    return found


def _reason(tree: Path, rule: Rule) -> str:
    try:
        text = regular_files.read_bytes(tree / rule.match).decode("latin-1")
    except FileNotFoundError:
        # A patch for a glob names no file.
        return "" if "*" in rule.match else f"{rule.match} is not in the tree"
    except OSError:
        return ""
    after = rule.option("after").strip()
    at = text.find(after) if after else -1
    if at < 0 or rule.option("before") in text:
        return ""
    line = text.count("\n", 0, at) + 1
    return f"upstream made this change itself ({rule.match}:{line}): end the patch by until"
