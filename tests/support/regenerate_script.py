"""build_scripts/regenerate.py as a module."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

from repository import ROOT


def _script() -> ModuleType:
    path = ROOT / "build_scripts" / "regenerate.py"
    spec = importlib.util.spec_from_file_location("regenerate", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["regenerate"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


regenerate = _script()
