"""Results of the stages after the port: register, build and package."""

from __future__ import annotations

from typing import NamedTuple

from porter.model.build import BuildResult
from porter.model.custom_ops import BuiltOps
from porter.model.ops import Registered
from porter.model.package import Packaged


class PipelineResult(NamedTuple):
    """Results of the register, build and package stages; None for a stage that was not requested."""

    registered: Registered
    built: BuildResult | None = None
    packaged: Packaged | None = None
    own_ops: BuiltOps | None = None
    """Build of the target's own operators; None when the target has none."""
