"""The sources of the runtime."""

from __future__ import annotations

from pathlib import Path

from porter.base import resources


def runtime_dir() -> Path:
    """The folder that holds the runtime's `include`, `src` and `tests`."""
    return resources.folder("runtime") / "simt"


def include_dir() -> Path:
    """The folder that programs for `simt` are compiled with."""
    return runtime_dir() / "include"


def library_sources() -> list[Path]:
    """Every source of libsimt.so, in a fixed order."""
    return sorted((runtime_dir() / "src").rglob("*.cpp"))


def test_sources() -> list[Path]:
    """Every source of the runtime's own test program, in a fixed order."""
    return sorted((runtime_dir() / "tests").glob("*.cpp"))


def plugin_files() -> list[Path]:
    """Sources of the plugin for g++ that gives device code CUDA's meaning, and their headers, in a fixed order."""
    return sorted((runtime_dir() / "plugin").glob("*.*"))


def bench_sources() -> list[Path]:
    """Every source of the program that measures the runtime, in a fixed order."""
    return sorted((runtime_dir() / "bench").glob("*.cpp"))
