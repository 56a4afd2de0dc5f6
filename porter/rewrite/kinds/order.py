"""All rule kinds, in the order in which they are applied to a file."""

from __future__ import annotations

from porter.rewrite.kind import RuleKind
from porter.rewrite.kinds import (
    call,
    dynamic_shared,
    family,
    function,
    hazard,
    include,
    kernel,
    launch,
    macro,
    name,
    names,
    operator,
    patch,
    path,
    ptx,
    qualified,
    string,
    value,
)

ORDER: tuple[RuleKind, ...] = (
    patch.KIND,
    include.KIND,
    launch.KIND,
    dynamic_shared.KIND,
    kernel.KIND,
    ptx.KIND,
    operator.KIND,
    function.KIND,
    value.KIND,
    qualified.KIND,
    call.KIND,
    name.KIND,
    macro.KIND,
    names.KIND,
    family.KIND,
    string.KIND,
    path.KIND,
    hazard.KIND,
)


def kind(name: str) -> RuleKind:
    """Rule kind with the given name. Raises KeyError for an unknown name."""
    for one in ORDER:
        if one.name == name:
            return one
    raise KeyError(name)


def kinds() -> dict[str, RuleKind]:
    """Maps the name of each rule kind to the kind."""
    return {one.name: one for one in ORDER}
