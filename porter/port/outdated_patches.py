"""Reasons why a patch no longer applies: upstream made the same change, changed the text, or removed the file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from porter.base import regular_files
from porter.model.rules import Rule, RuleSet
from porter.model.versions import version
from porter.port.nearest_text import nearest


def reasons(tree: Path, rules: RuleSet, broken: Iterable[str], proven: str) -> dict[str, str]:
    """Maps the key of a patch to the reason why the patch no longer applies, with advice for the version bounds.

    Args:
        broken: keys of rules with fewer hits than expected. The result has entries for the patches among these rules.
        proven: newest release whose whole port is proven. If a newer release lacks the text of a patch, upstream has
            changed the text.
    """
    wanted = frozenset(broken)
    found = {}
    for index in rules.of_kind("patch"):
        rule = rules.rules[index]
        if rule.key in wanted and (reason := _reason(tree, rule, rules.release, proven)):
            found[rule.key] = reason
    return found


def _reason(tree: Path, rule: Rule, release: str, proven: str) -> str:
    try:
        text = regular_files.read_bytes(tree / rule.match).decode("latin-1")
    except FileNotFoundError:
        # A patch for a glob names no single file.
        return "" if "*" in rule.match else f"{rule.match} is not in the tree"
    except OSError:
        return ""
    before, after = rule.option("before"), rule.option("after").strip()
    if before in text:
        return ""
    at = text.find(after) if after else -1
    if at >= 0:
        line = text.count("\n", 0, at) + 1
        return f"upstream made this change itself ({rule.match}:{line}): limit the patch with until"
    if version(release) <= version(proven):
        return ""
    line, near = nearest(before, text)
    major, minor = (*release.split("."), "0")[:2]
    return (
        f"upstream changed the text; the most similar text, at {rule.match}:{line}, is {near.strip()!r}; limit the "
        "patch with until: to the last release with the old text, and write a patch with "
        f"since: '{major}.{minor}' for the new text; with --keep-going, porter builds without the patch"
    )
