"""Most wrong rules of a shipped target are noticed: a sample of the mutants of musa's mappings."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from release_trees import named_releases

pytestmark = [pytest.mark.release, pytest.mark.slow]


def test_sample_of_mutants_is_noticed(tmp_path: Path) -> None:
    tree = named_releases().get("2.6.0")
    if not tree:
        pytest.skip("no tree of 2.6.0 is named; build_scripts/test fetches it")
    words = ["mapping", "mutate", "--target", "musa", "--pytorch-src", str(tree), "--sample", "40"]
    done = subprocess.run(
        [sys.executable, "-m", "porter", *words, "--min-score", "90", "--json"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    results = json.loads(done.stdout)["results"]
    assert len(results) == 40
    # A mutant that survives has a reason: misspelt names of the SDK need the SDK.
    assert all(one["reason"] for one in results)
