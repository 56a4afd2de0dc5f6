"""Macros that a command line defines, under the names that they have in the port."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from porter.base import disk_cache
from porter.base.fingerprint import Answer

if TYPE_CHECKING:
    from porter.model.rules import RuleSet

_MACROS = Answer("macros", ("base", "cpp", "model", "regex", "rewrite", "toolkit"))


def renamed(words: Sequence[str], key: str, rules: Callable[[], RuleSet]) -> list[str]:
    """Options that define macros under their ported names; empty for macros whose names a port keeps.

    `words` are options `-DNAME`, `-DNAME=VALUE` and `-UNAME`. Macros that the rules give a value of their own (guard
    macros) are left out.
    """
    names = sorted({_name(word) for word in words})
    entry = disk_cache.key_of(_MACROS, key, *names)
    known = disk_cache.get(_MACROS, entry)
    if not isinstance(known, dict):
        known = _look_up(names, rules())
        disk_cache.put(_MACROS, entry, known)
    return [
        word[:2] + str(known[name]) + word[2 + len(name) :]
        for word in words
        if (name := _name(word)) in known
    ]


def _name(word: str) -> str:
    return word[2:].partition("=")[0].partition("(")[0]


def _look_up(names: Sequence[str], rules: RuleSet) -> dict[str, str]:
    from porter.rewrite.resolver import Resolver

    resolver = Resolver(rules)
    guards = {guard.macro for guard in rules.profile.guards.values()}
    found: dict[str, str] = {}
    for name in names:
        verdict = resolver.verdict(name)
        if verdict.exact:
            new = verdict.exact[0].replace
        elif verdict.family:
            new = verdict.family.replace
        else:
            new = None
        if new and new != name and new not in guards and new.isidentifier():
            found[name] = new
    return found
