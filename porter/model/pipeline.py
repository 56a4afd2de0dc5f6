"""Results of the stages after the port."""

from __future__ import annotations

from typing import NamedTuple

from porter.model.build import Result
from porter.model.custom_ops import Built as BuiltOps
from porter.model.ops import Registered
from porter.model.package import Packaged


class Made(NamedTuple):
    """What the stages made; None for one that was not asked for."""

    registered: Registered
    built: Result | None = None
    packaged: Packaged | None = None
    own_ops: BuiltOps | None = None
    """The target's own operators, where it has such."""
