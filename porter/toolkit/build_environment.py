"""Variables of the environment in which the build of an extension runs."""

from __future__ import annotations

import os
import re
from pathlib import Path

from porter.toolchain.discovery import plain

_FROM_SOURCES = re.compile(r"""["']([A-Z][A-Z0-9_]*_FORCE_BUILD)["']""")
"""Variables of packages whose setup.py otherwise downloads a wheel for CUDA (causal-conv1d, mamba-ssm)."""


def with_toolkit(toolkit: Path, upper: str, jobs: int) -> dict[str, str]:
    """Environment in which build systems find the toolkit of the target, whose name in capitals is `upper`."""
    bin = toolkit / "bin"
    return {
        **plain(),
        # The value is the path of the toolkit, so that the backend does not call porter.
        f"TORCH_{upper}_AS_CUDA_TOOLKIT": str(toolkit),
        "CUDA_HOME": str(toolkit),
        "CUDA_PATH": str(toolkit),
        "CUDACXX": str(bin / "nvcc"),
        "CXX": str(bin / "c++"),
        "PATH": f"{bin}{os.pathsep}{os.environ.get('PATH', '')}",
        "FORCE_CUDA": "1",
        "MAX_JOBS": str(jobs),
        "TORCH_CUDA_ARCH_LIST": os.environ.get("TORCH_CUDA_ARCH_LIST") or "7.0",
    }


def from_sources(root: Path) -> dict[str, str]:
    """Variables with which the setup.py of a package compiles its sources, and downloads no wheel."""
    setup = root / "setup.py"
    text = setup.read_text(encoding="utf-8", errors="replace") if setup.is_file() else ""
    return dict.fromkeys(_FROM_SOURCES.findall(text), "TRUE")
