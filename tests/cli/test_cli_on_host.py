"""`porter run --on-host`: a vendor's port that is built with the runtime of simt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from release_trees import named_releases

from porter.base.errors import UsageError
from porter.cli.exit_codes import report_error
from porter.cli.main import cli
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.simt.sources import include_dir


@pytest.fixture(scope="module")
def tree() -> Path:
    """Source tree of 2.6.0."""
    found = named_releases().get("2.6.0")
    return found or pytest.skip(
        "PORTER_TEST_RELEASES names no tree of 2.6.0; build_scripts/test does"
    )


@pytest.fixture(scope="module")
def acme(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Mapping folder with a new vendor, as `porter target new` writes it."""
    folder = tmp_path_factory.mktemp("vendor")
    words = ["target", "new", "acme", "--mappings", str(folder)]
    assert CliRunner().invoke(cli, words).exit_code == 0
    return folder


def run(tree: Path, out: Path, *words: str) -> Result:
    command = ["run", "--pytorch-src", str(tree), "--out", str(out), "--until", "register"]
    return CliRunner().invoke(cli, [*command, "--json", *words])


@pytest.fixture(scope="module")
def simt(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Document of simt's own port."""
    done = run(tree, tmp_path_factory.mktemp("simt"))
    assert done.exit_code == 0
    return dict(json.loads(done.stdout))


@pytest.mark.slow
@pytest.mark.parametrize("target", ["musa", "hip", "maca", "acme"])
def test_a_port_has_the_files_and_operators_of_simt_and_the_names_of_the_vendor(
    target: str, tree: Path, simt: dict[str, Any], acme: Path, tmp_path: Path
) -> None:
    done = run(tree, tmp_path, "--target", target, "--on-host", "--mappings", str(acme))
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    of_simt = rule_cache.rule_set(MappingLibrary.find(()), "simt", "2.6.0").profile.folders
    own = sum(len(folder.only) for folder in of_simt)  # sources that no other target ports
    assert document["files"]["selected"] == simt["files"]["selected"] - own
    assert document["residue"].get("unmapped", 0) == 0
    place = tmp_path / "on-host" / target / "2.6.0-sdk"
    facade = json.loads((place / "facade.json").read_text())
    (malloc,) = (name for name, simt in facade["aliases"].items() if simt == "simtMalloc")
    assert malloc == ("mcMalloc" if target == "maca" else f"{target}Malloc")
    source = tmp_path / "on-host" / target / "2.6.0" / "src" / "c10" / target
    allocator = next(source.glob("*CachingAllocator.cpp")).read_text()
    assert f"{malloc}(" in allocator and "simtMalloc" not in allocator
    operators = [key["registered"] for key in document["registered"]]
    expected = [key["registered"] for key in simt["registered"]]
    assert operators == expected


@pytest.mark.slow
def test_headers_and_names_of_the_facade_lead_to_those_of_simt(tree: Path, tmp_path: Path) -> None:
    assert run(tree, tmp_path, "--target", "musa", "--on-host").exit_code == 0
    place = tmp_path / "on-host" / "musa" / "2.6.0-sdk"
    facade = json.loads((place / "facade.json").read_text())
    for path, headers in facade["headers"].items():
        assert (place / "include" / path).is_file()
        assert all((include_dir() / header).is_file() or "." not in header for header in headers)
    # MUSA has one header where CUDA has cublas.h and cublas_v2.h.
    assert facade["headers"]["mublas.h"] == ["simtblas.h", "simtblas_v1.h"]
    assert not set(facade["aliases"]) & set(facade["aliases"].values())
    assert "musa/runtime: launch keep" in facade["unused_rules"]
    assert "nvtxRangePushA" in facade["lacking"]


def test_files_that_the_vendor_deletes_do_not_stay_and_bounds_stay_text(
    acme: Path, tree: Path, tmp_path: Path
) -> None:
    words = ("--target", "acme", "--on-host", "--until", "port", "--mappings", str(acme))
    more = acme / "acme" / "more.yaml"
    more.write_text(
        "area: runtime\nrules:\n  - {include: cuda_extra.h, replace: acme_extra.h, since: 2.10}\n"
    )
    try:
        assert run(tree, tmp_path, *words).exit_code == 0
        derived = tmp_path / "on-host/acme/2.6.0-sdk/mappings/acme/more.json"
        assert json.loads(derived.read_text())["rules"][0]["since"] == "2.10"
    finally:
        more.unlink()
    stale = tmp_path / "on-host/acme/2.6.0-sdk/include/acme_old.h"
    stale.write_text("")
    assert run(tree, tmp_path, *words).exit_code == 0
    assert not derived.exists() and not stale.exists()


def test_names_that_a_vendor_merges_are_listed(tree: Path, tmp_path: Path) -> None:
    words = ("--target", "hip", "--on-host", "--until", "port")
    assert run(tree, tmp_path, *words).exit_code == 0
    facade = json.loads((tmp_path / "on-host" / "hip" / "2.6.0-sdk" / "facade.json").read_text())
    assert "CUDA_SUCCESS" in facade["from_host"]
    assert facade["aliases"]["hipSuccess"] == "simtSuccess"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--target", "simt"), "target simt always runs on the host"),
        (("--target", "musa", "--sdk", "."), "--on-host and --sdk"),
        (("--target", "musa", "--until", "port", "--dry-run"), "--on-host and --dry-run"),
    ],
)
def test_options_that_do_not_go_together(
    words: tuple[str, ...], told: str, tree: Path, tmp_path: Path
) -> None:
    error = run(tree, tmp_path, "--on-host", *words).exception
    assert isinstance(error, UsageError) and report_error(error) == 2
    assert told in str(error)
    assert not any(tmp_path.iterdir())
