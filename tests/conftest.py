"""Fixtures of all tests: real PyTorch trees, and a separate cache; the option --fast."""

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

# The same examples in every run: a test that fails does so for everybody.
settings.register_profile(
    "porter", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("porter")

# A shell that starts the tests in the background lets them, and all they start, ignore Ctrl-C, which some are about.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).resolve().parent
FAST_FOLDERS = ("unit", "cli")
"""Folders whose tests --fast runs, except tests marked `slow` or `release`."""
# Tests hold many rule sets; with default thresholds, the collector takes a third of the processor time.
gc.set_threshold(50_000, 20, 50)
LEFT_OUT = pytest.StashKey[Counter[str]]()

UNSET = f"{RELEASES} names no PyTorch tree (as 2.6.0=/path:1.13.1=/path); build_scripts/test does"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fast", action="store_true", help="the tests of every edit (docs/testing.md)"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--fast"):
        os.environ[FAST] = "1"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With --fast, do not import test files of other folders: tests of the device need PyTorch."""
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
    """Send the counts of a pytest-xdist worker, which deselects tests itself."""
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left_out"] = dict(session.config.stash.get(LEFT_OUT, Counter()))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive the counts of a worker; all workers have the same."""
    if counts := getattr(node, "workeroutput", {}).get("left_out"):
        node.config.stash[LEFT_OUT] = Counter(counts)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the tests that --fast omits."""
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
    """Release -> source tree; the test is skipped when there is none."""
    return named_releases() or pytest.skip(UNSET)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test with the argument `release_tree` once for each tree, under the name of its release."""
    if "release_tree" in metafunc.fixturenames:
        trees = [pytest.param(tree, id=release) for release, tree in named_releases().items()]
        skipped = pytest.param(None, id="none", marks=pytest.mark.skip(reason=UNSET))
        metafunc.parametrize("release_tree", trees or [skipped], scope="session")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Separate cache for the session, with the rule sets that tests compile. All processes of pytest-xdist share it."""
    base = tmp_path_factory.getbasetemp()
    cache = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "cache"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_CACHE", str(cache))
        yield
