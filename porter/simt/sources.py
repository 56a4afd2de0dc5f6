"""Paths of the sources of the runtime `simt`."""

from __future__ import annotations

from pathlib import Path

from porter.base import resources


def runtime_dir() -> Path:
    """Folder with the runtime's `include`, `src` and `tests`."""
    return resources.folder("runtime") / "simt"


def include_dir() -> Path:
    """Header folder for programs that use the runtime."""
    return runtime_dir() / "include"


def library_sources() -> list[Path]:
    """Sources of libsimt.so, in a fixed order."""
    return sorted((runtime_dir() / "src").rglob("*.cpp"))


def test_sources() -> list[Path]:
    """Sources of the runtime's own test program, in a fixed order."""
    return sorted((runtime_dir() / "tests").glob("*.cpp"))


def plugin_files() -> list[Path]:
    """Sources and headers of the g++ plugin that gives device code CUDA's semantics, in a fixed order."""
    return sorted((runtime_dir() / "plugin").glob("*.*"))


def bench_sources() -> list[Path]:
    """Sources of the benchmark program of the runtime, in a fixed order."""
    return sorted((runtime_dir() / "bench").glob("*.cpp"))
