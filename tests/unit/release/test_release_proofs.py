"""Proofs in releases.yaml and on the page of releases."""

from __future__ import annotations

from pathlib import Path

from porter.model.proof import Proof
from porter.release import known, matrix, rendering
from porter.release.known import KnownReleases

FINE = Proof("2.8.0", "simt", 195, 2645, 30, 0, 0, operators=1309, registered=1242)


def shown(releases: KnownReleases, release: str) -> dict[str, tuple[str, ...]]:
    found = releases.find(release)
    assert found
    return {proof.stage: proof.targets for proof in found.proven}


def test_the_shipped_file_is_what_rendering_writes(tmp_path: Path) -> None:
    releases = known.read()
    assert rendering.text(releases) == known.shipped().read_text(encoding="utf-8")


def test_a_proof_is_added_to_its_release_alone() -> None:
    bare = KnownReleases(tuple(one._replace(proven=()) for one in known.read().releases))
    proven = rendering.with_proofs(bare, [FINE, FINE._replace(target="hip")])
    assert shown(proven, "2.8.0") == {"headers": ("simt", "hip"), "register": ("simt", "hip")}
    assert not shown(proven, "2.7.1")


def test_what_is_no_longer_shown_is_taken_away() -> None:
    before = rendering.with_proofs(known.read(), [FINE, FINE._replace(target="hip")])
    after = rendering.with_proofs(before, [FINE._replace(unmapped=1)])
    assert "simt" not in shown(after, "2.8.0")["headers"]
    assert "hip" in shown(after, "2.8.0")["headers"]
    assert "simt" in shown(after, "2.8.0")["register"]


def test_a_run_that_compiles_nothing_says_nothing_of_compiling() -> None:
    compiled = rendering.with_proofs(known.read(), [FINE._replace(compiled=8, sources=8)])
    assert "simt" in shown(compiled, "2.8.0")["compile"]
    assert shown(rendering.with_proofs(compiled, [FINE]), "2.8.0") == shown(compiled, "2.8.0")
    broken = FINE._replace(compiled=7, sources=8)
    assert "compile" not in shown(rendering.with_proofs(compiled, [broken]), "2.8.0")


def test_the_page_lists_releases_by_their_numbers() -> None:
    page = matrix.page(known.read().releases, [FINE._replace(release="2.10.0"), FINE])
    assert page.index("| 2.8.0 | simt | 195 | 2645 | 0 | 0 | 30 | 1309 | 1242 |") < page.index(
        "| 2.10.0 | simt |"
    )
