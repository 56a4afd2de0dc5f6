"""Where the runtime's sources lie: beside the package in a checkout, inside of it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def runtime_dir() -> Path:
    """The folder that holds the runtime's `include`, `src` and `tests`."""
    inside = _PACKAGE / "_data" / "runtime" / "simt"
    return inside if inside.is_dir() else _PACKAGE.parent / "runtime" / "simt"


def include_dir() -> Path:
    """The folder that programs for `simt` are compiled with."""
    return runtime_dir() / "include"


def library_sources() -> list[Path]:
    """Every source of libsimt.so, in a fixed order."""
    return sorted((runtime_dir() / "src").rglob("*.cpp"))


def test_sources() -> list[Path]:
    """Every source of the runtime's own test program, in a fixed order."""
    return sorted((runtime_dir() / "tests").glob("*.cpp"))


def bench_sources() -> list[Path]:
    """Every source of the program that measures the runtime, in a fixed order."""
    return sorted((runtime_dir() / "bench").glob("*.cpp"))
