"""Fixtures for all tests (PyTorch trees, a separate cache), and the option --fast."""

from __future__ import annotations

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from property_examples import FAST
from release_trees import RELEASES, named_releases

# Property tests use the same examples in every run, so that a failure can be repeated on every machine.
settings.register_profile(
    "porter", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("porter")

# If a shell starts the tests in the background, the tests and their child processes ignore SIGINT. Some tests send
# SIGINT to porter, so the default handler is restored.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).resolve().parent
FAST_FOLDERS = ("unit", "cli")
"""Folders whose tests --fast runs, except tests marked `slow` or `release`."""
# Tests keep many rule sets in memory; with the default thresholds, garbage collection takes a third of the processor
# time.
gc.set_threshold(50_000, 20, 50)
LEFT_OUT = pytest.StashKey[Counter[str]]()
"""Key in the stash of pytest's configuration: number of deselected tests for each marker."""

UNSET = f"{RELEASES} names no PyTorch tree (as 2.6.0=/path:1.13.1=/path); build_scripts/test does"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast", action="store_true", help="run the quick tests only (docs/testing.md)"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        os.environ[FAST] = "1"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With --fast, ignore test files outside FAST_FOLDERS: tests of the device import PyTorch, which may be missing."""
    if not config.getoption("--fast") or TESTS not in collection_path.parents:
        return None
    return collection_path.relative_to(TESTS).parts[0] not in FAST_FOLDERS or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark tests that read a PyTorch tree; with --fast, deselect tests marked `slow` or `release`."""
    for item in items:
        if {"releases", "release_tree"} & set(getattr(item, "fixturenames", ())):
            item.add_marker("release")
    if not config.getoption("--fast"):
        return
    reasons = {
        item: next((name for name in ("release", "slow") if item.get_closest_marker(name)), "")
        for item in items
    }
    left_out = [item for item, reason in reasons.items() if reason]
    config.stash[LEFT_OUT] = Counter(filter(None, reasons.values()))
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item, reason in reasons.items() if not reason]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send the numbers of deselected tests from a pytest-xdist worker to the main process; each worker deselects tests
    itself."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = dict(session.config.stash.get(LEFT_OUT, Counter()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive the numbers of deselected tests from a worker; all workers send the same numbers."""
    if counts := getattr(node, "workeroutput", {}).get("left_out"):
        node.config.stash[LEFT_OUT] = Counter(counts)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print what failed of build_scripts/check; the folders that --fast omits, and the number of omitted tests for each
    marker."""
    failed = Path(os.environ.get("PORTER_FAILED_CHECKS", os.devnull))
    if failed.exists():
        terminalreporter.write(failed.read_text(), red=True)
    if config.getoption("--fast"):
        folders = sorted(
            place.name
            for place in TESTS.iterdir()
            if [*place.glob("test_*.py")] and place.name not in FAST_FOLDERS
        )
        counts = config.stash.get(LEFT_OUT, Counter[str]())
        marked = ", ".join(f"{count} marked {name}" for name, count in sorted(counts.items()))
        terminalreporter.write_line(
            f"--fast left out: all of {', '.join(folders)}; {marked or 'none marked'}"
        )


@pytest.fixture(scope="session")
def releases() -> dict[str, Path]:
    """Maps each release to its source tree. Without any tree, the test is skipped."""
    return named_releases() or pytest.skip(UNSET)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with the argument `release_tree` once for each source tree; the test id contains the release."""
    if "release_tree" in metafunc.fixturenames:
        trees = [pytest.param(tree, id=release) for release, tree in named_releases().items()]
        skipped = pytest.param(None, id="none", marks=pytest.mark.skip(reason=UNSET))
        metafunc.parametrize("release_tree", trees or [skipped], scope="session")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Separate cache for the session. All processes of pytest-xdist share the cache and its rule sets."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_CACHE", str(cache))
        yield
