"""Headers of a vendor's SDK that a port includes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from porter.model.rules import Layer, RuleSet, Status


def included(rules: RuleSet, folders: Sequence[Path]) -> list[str]:
    """Include paths, sorted, that the target's `include` rules write and that exist in one of the include folders."""
    written = {
        rule.replace or rule.match
        for rule in map(rules.rules.__getitem__, rules.of_kind("include"))
        if rule.layer is Layer.TARGET and rule.status is Status.SUPPORTED
    }
    return [one for one in sorted(written) if any((folder / one).is_file() for folder in folders)]


def macro_flags(rules: RuleSet) -> list[str]:
    """Flags of the target's compiler that define or undefine macros."""
    return [flag for flag in rules.profile.compiler_flags if flag.startswith(("-D", "-U"))]
