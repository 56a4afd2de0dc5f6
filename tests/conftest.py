"""Fixtures of all tests: real PyTorch trees, and a cache that is not the user's."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# The same examples in every run: a test that fails does so for everybody.
settings.register_profile(
    "porter", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("porter")

# A shell that starts the tests in the background lets them, and all they start, ignore Ctrl-C, which some are about.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

RELEASES = "PORTER_TEST_RELEASES"
UNSET = f"{RELEASES} names no PyTorch tree (as 2.6.0=/path:1.13.1=/path); build_scripts/test does"


def named_releases() -> dict[str, Path]:
    """Release -> source tree, of PORTER_TEST_RELEASES, in its order."""
    entries = filter(None, os.environ.get(RELEASES, "").split(os.pathsep))
    trees = {release: Path(place) for release, _, place in (e.partition("=") for e in entries)}
    for release, tree in trees.items():
        # A tree that is asked for and is not there is a mistake, and no reason to skip.
        assert (tree / "version.txt").is_file(), f"{RELEASES}: no PyTorch {release} in '{tree}'"
    return trees


@pytest.fixture(scope="session")
def releases() -> dict[str, Path]:
    """Release -> source tree; the test is skipped when there is none."""
    return named_releases() or pytest.skip(UNSET)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes `release_tree` runs once for each tree, under the name of its release."""
    if "release_tree" in metafunc.fixturenames:
        trees = [pytest.param(tree, id=release) for release, tree in named_releases().items()]
        skipped = pytest.param(None, id="none", marks=pytest.mark.skip(reason=UNSET))
        metafunc.parametrize("release_tree", trees or [skipped], scope="session")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Rule sets compiled by tests are kept for the session, and apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PORTER_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield
