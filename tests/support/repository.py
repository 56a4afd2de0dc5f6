"""Folders of this repository that tests read."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
"""Root of the checkout."""

SUPPORT = ROOT / "tests" / "support"
"""Modules that test files import."""

TEST_MAPPINGS = ROOT / "tests" / "mappings"
"""Mapping folder of the target `toy`."""

TEST_DATA = ROOT / "tests" / "data"
"""Folder with golden cases, invalid mappings with their messages, and replacements for porter's test programs."""
