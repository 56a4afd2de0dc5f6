"""Check that the profile's main header and the header that replaces `<cuda_runtime.h>` are the same.

The port includes the main header in kernels, and the second header where upstream includes `<cuda_runtime.h>`.
"""

from __future__ import annotations

from collections.abc import Iterator

from porter.mapping.checks import Finding, Target, warning
from porter.mapping.resolve_name import Decider

CHECK = "main_header"
_CUDA = "cuda_runtime.h"


def find(target: Target) -> Iterator[Finding]:
    """Yield a finding if the main header is not the header that replaces `<cuda_runtime.h>`."""
    profile, doc = target.loaded.profile, target.profile_document
    if not profile.main_header:
        return
    found = Decider(target.rules).decide(_CUDA)
    if not found.rule or (found.replace or _CUDA) == profile.main_header:
        return
    becomes = f"becomes '{found.replace}'" if found.replace else "has no counterpart"
    text = (
        f"the main header is '{profile.main_header}', but '{_CUDA}' {becomes} ({found.rule.origin})"
    )
    help = f"add a rule `include: {_CUDA}` with `replace: {profile.main_header}`, or correct main_header"
    yield warning(CHECK, f"{doc.file}:{doc.line(['main_header'])}", text, help)
