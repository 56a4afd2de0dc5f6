"""Results of the stages after the port."""

from __future__ import annotations

from typing import NamedTuple

from porter.model.build import BuildResult
from porter.model.custom_ops import BuiltOps
from porter.model.ops import Registered
from porter.model.package import Packaged


class PipelineResult(NamedTuple):
    """What the stages made; None for one that was not asked for."""

    registered: Registered
    built: BuildResult | None = None
    packaged: Packaged | None = None
    own_ops: BuiltOps | None = None
    """The target's own operators, where it has such."""
