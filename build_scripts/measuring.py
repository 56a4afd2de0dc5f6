"""Functions for all benchmarks: choice of the Python interpreter and the release, page with results."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = "2.6.0"


def use_own_python() -> None:
    """Restart the script with the Python of the checkout's .venv, unless an environment is active or .venv is
    missing."""
    python = ROOT / ".venv/bin/python"
    there = Path(sys.prefix) == python.parent.parent
    if not os.environ.get("VIRTUAL_ENV") and python.exists() and not there:
        os.execv(python, [str(python), *sys.argv])


def find_tree() -> Path:
    """Source tree of the reference release: from PORTER_TEST_RELEASES, else fetched by fetch_release."""
    for pair in os.environ.get("PORTER_TEST_RELEASES", "").split(":"):
        release, _, place = pair.partition("=")
        if release == RELEASE:
            return Path(place)
    fetch = [sys.executable, str(ROOT / "build_scripts/fetch_release"), RELEASE]
    return Path(subprocess.run(fetch, stdout=subprocess.PIPE, text=True, check=True).stdout.strip())


def machine() -> str:
    """Processor, number of cores and version of Python, for a page with figures."""
    processor = platform.machine()
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            processor = line.partition(":")[2].strip()
            break
    cores = len(os.sched_getaffinity(0))
    return f"{processor}, {cores} cores, Python {platform.python_version()}"


def publish(page: Path | None, head: str, lines: Sequence[str]) -> None:
    """Print a table. If `page` is given (`--markdown`), also write the table below the text `head` to that page."""
    table = "\n".join(lines) + "\n"
    print(table, end="")
    if page is not None:
        page.write_text(f"{head}\n{table}", encoding="utf-8")
