"""Check for `call` rules about calls that CUDA's functions do not allow."""

from __future__ import annotations

from collections.abc import Iterator

from porter.mapping.argument_counts import shown
from porter.mapping.checks import Finding, Target, error, title, warning
from porter.mapping.newer_names import cuda_release
from porter.model.rules import Layer
from porter.rewrite.kinds import call

CHECK = "arguments"


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding for each `call` rule whose number of arguments no overload of CUDA's function accepts.

    Such a rule matches no call. The finding is a warning if the target corresponds to another major release of CUDA
    than the table of arguments, because the function may have other parameters there.
    """
    known = target.arguments
    release = cuda_release(target.loaded.profile)
    is_same = not release or release.partition(".")[0] == known.cuda.partition(".")[0]
    for index in target.rules.of_kind("call"):
        rule = target.rules.rules[index]
        counts = known.functions.get(rule.match.partition("(")[0])
        given = len(call.parameters(rule.match))
        if rule.layer is Layer.PYTORCH or not counts or given in counts:
            continue
        text = (
            f"{title(rule)}: the function of CUDA {known.cuda} has {shown(counts)}"
            f" argument{'' if counts == {1} else 's'}, not {given}"
        )
        help = "write one name for each argument of CUDA's function"
        yield (error if is_same else warning)(CHECK, rule.origin, text, help)
