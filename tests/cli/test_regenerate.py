"""`porter regenerate`: new ports, compared with their lock files."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import ROOT, TEST_MAPPINGS
from workshop import Workshop

from porter.base.errors import Interrupted
from porter.cli.main import call
from porter.vendor_repository import regenerate, release_trees

Text = pytest.CaptureFixture[str]
LOCK = "toy-2.6.0.lock.json"


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    made = Workshop(tmp_path)
    monkeypatch.setenv("PORTER_TREES", f"2.6.0={made.tree}")
    return made


def run(shop: Workshop, *options: str) -> int:
    """Run the command on the workshop's files; returns its exit code."""
    places = ["--mappings", str(shop.mappings), "--locks", str(shop.folder / "locks"), "-j", "1"]
    return call(["regenerate", *places, *options])


def locked(shop: Workshop, capsys: Text) -> Path:
    """Present lock file of the port."""
    assert run(shop, "--target", "toy", "--release", "2.6.0", "--update") == 0
    capsys.readouterr()
    return shop.folder / "locks" / LOCK


def test_a_missing_lock_is_drift(shop: Workshop, capsys: Text) -> None:
    assert run(shop, "--target", "toy", "--release", "2.6.0") == 1
    told = capsys.readouterr()
    assert told.out.startswith("toy 2.6.0: has no lock (3 files, ")
    assert "porter regenerate --target toy --release 2.6.0 --update" in told.err
    assert not (shop.folder / "locks").exists()


def test_update_makes_locks_that_hold(shop: Workshop, capsys: Text) -> None:
    lock = locked(shop, capsys)
    before = lock.read_bytes()
    # What there are locks of is what is made when nothing is named.
    assert run(shop) == 0
    assert capsys.readouterr().out.startswith("toy 2.6.0: as locked (3 files, ")
    assert run(shop, "--update") == 0
    assert lock.read_bytes() == before
    # The locks agree with what `porter diff` compares.
    port = shop.port("out")
    assert subprocess.run([sys.executable, "-m", "porter", "diff", lock, port]).returncode == 0


def test_drift_is_told_and_reported(shop: Workshop, capsys: Text) -> None:
    lock = locked(shop, capsys)
    before = lock.read_bytes()
    shop.edit(shop.mappings / "toy/launch.yaml", "TOY_LAUNCH", "TOY_START")
    report = shop.folder / "drift.md"
    assert run(shop, "--report", str(report)) == 1
    told = capsys.readouterr()
    assert told.out.startswith("toy 2.6.0: differs from its lock (3 files, ")
    assert "Rules that stopped matching (1)" in told.out
    assert re.search(
        r"^  rules +\d+ +\d+  aten/src/ATen/native/toy/Fill.ty$", told.out, re.MULTILINE
    )
    text = report.read_text()
    assert "| toy | 2.6.0 | 3 | 17 | differs from its lock |" in text
    assert f"## toy 2.6.0\n\na is `{LOCK}`, b is the new port.\n" in text
    assert "### Rules that stopped matching (1)" in text
    assert re.search(
        r"^\| rules \| \d+ \| \d+ \| aten/src/ATen/native/toy/Fill.ty \|$", text, re.MULTILINE
    )
    assert lock.read_bytes() == before
    # The drift is accepted.
    assert run(shop, "--update") == 0
    assert "the lock file was rewritten" in capsys.readouterr().out
    assert lock.read_bytes() != before
    assert run(shop) == 0


def test_the_page_and_the_summary_have_the_worst_rows(shop: Workshop, capsys: Text) -> None:
    locked(shop, capsys)
    shop.edit(shop.mappings / "toy/launch.yaml", "TOY_LAUNCH", "TOY_START")
    (shop.tree / "c10/cuda/Strange.cpp").write_text("void g() { cudaStrange(1); }\n")
    page, summary = shop.folder / "drift.html", shop.folder / "summary.md"
    summary.write_text("# Before\n")
    assert run(shop, "--html", str(page), "--summary", str(summary)) == 1
    text = summary.read_text()
    assert text.startswith("# Before\n## Ports and their lock files\n")
    *_, first, second, third = text.splitlines()
    assert (
        "unmapped: 1 place left" in first
        and "Left, new in b: unmapped (1): 0 1 cudaStrange" in second
    )
    assert "Rules that stopped matching (1)" in third
    made = page.read_text()
    assert "Rules that stopped matching (1)" in made and "unmapped: 1 place left" in made
    assert 'href="#toy-2.6.0"' in made


def test_a_report_is_written_without_drift_too(shop: Workshop, capsys: Text) -> None:
    locked(shop, capsys)
    report = shop.folder / "drift.md"
    assert run(shop, "--report", str(report)) == 0
    assert report.read_text().endswith("| toy | 2.6.0 | 3 | 17 | as locked |\n")


def test_a_lock_laid_out_in_another_way(shop: Workshop, capsys: Text) -> None:
    lock = locked(shop, capsys)
    before = lock.read_bytes()
    lock.write_text(json.dumps(json.loads(before)))
    assert run(shop) == 1
    assert "equals its lock file, whose layout is outdated" in capsys.readouterr().out
    assert run(shop, "--update") == 0
    assert lock.read_bytes() == before


def test_findings_are_told(shop: Workshop, capsys: Text) -> None:
    (shop.tree / "c10/cuda/Strange.cpp").write_text("void g() { cudaStrange(1); }\n")
    (shop.mappings / "budget.yaml").write_text("toy: {2.6.0: {unmapped: 0}}\n")
    report = shop.folder / "drift.md"
    options = ("--target", "toy", "--release", "2.6.0", "--report", str(report))
    # A lock is written even so: it holds what comes out. The finding is not accepted by that.
    assert run(shop, *options, "--update") == 1
    message = (
        f"error: {shop.mappings}/budget.yaml:1: unmapped: 1 place left in the port of PyTorch 2.6.0, "
        "0 accepted"
    )
    assert message in capsys.readouterr().err
    assert message in report.read_text()
    assert run(shop) == 1
    told = capsys.readouterr()
    assert told.out.startswith("toy 2.6.0: as locked")
    assert message in told.err


def test_undecided_text_without_a_budget_is_a_finding(shop: Workshop, capsys: Text) -> None:
    (shop.tree / "c10/cuda/Strange.cpp").write_text("void g() { cudaStrange(1); }\n")
    options = ("--target", "toy", "--release", "2.6.0", "--update")
    assert run(shop, *options) == 1
    told = capsys.readouterr().err
    assert "unmapped: 1 place left in the port of PyTorch 2.6.0, which has no budget" in told
    accepted = "toy: {2.6.0: {unmapped: 1, ambiguous: 0}}"
    assert f"or accept them: {accepted}" in told
    (shop.mappings / "budget.yaml").write_text(f"{accepted}\n")
    assert run(shop, *options) == 0


def test_mappings_are_checked_first(shop: Workshop, capsys: Text) -> None:
    locked(shop, capsys)
    (shop.mappings / "toy/mine.yaml").write_text(
        "area: runtime\nrules:\n" + "  - {name: cudaFree, replace: toyFree}\n" * 2
    )
    assert run(shop, "--json") == 1
    told = capsys.readouterr()
    assert "warning: " in told.err and "name 'cudaFree' has two equal rules" in told.err
    document = json.loads(told.out)
    assert document["schema"] == 1
    (warning,) = document["mapping_check"]["toy"]["warnings"]
    assert warning["text"] == "name 'cudaFree' has two equal rules"
    (made,) = document["ports"]
    assert (made["target"], made["release"], made["files"]) == ("toy", "2.6.0", 3)
    assert made["state"] == "drift" and not made["updated"] and made["drift"]["rules"]


def test_a_port_that_fails_does_not_stop_the_others(
    shop: Workshop, capsys: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked(shop, capsys)
    shutil.copytree(shop.mappings / "toy", shop.mappings / "acme")
    shop.edit(shop.mappings / "acme/target.yaml", "target: toy", "target: acne")
    (shop.folder / "report.md").write_text("old")
    report = ("--report", str(shop.folder / "report.md"))
    assert run(shop, "--target", "acme", "--target", "toy", "--release", "2.6.0", *report) == 3
    told = capsys.readouterr()
    assert told.out.splitlines()[0] == "acme 2.6.0: could not be ported"
    assert told.out.splitlines()[1].startswith("toy 2.6.0: as locked")
    assert "'target' is 'acne' but the folder is 'acme'" in told.err
    text = (shop.folder / "report.md").read_text()
    assert "| acme | 2.6.0 | | | could not be ported |" in text
    assert "'target' is 'acne'" in text


def test_a_broken_lock(shop: Workshop, capsys: Text) -> None:
    lock = locked(shop, capsys)
    before = lock.read_text()
    lock.write_text(before.replace('"files"', "<<<<<<< mine", 1))
    assert run(shop) == 4
    told = capsys.readouterr()
    assert f"{lock}:5: is not a lock file" in told.err
    assert "run `porter regenerate --update`" in told.err
    assert run(shop, "--update") == 0
    assert lock.read_text() == before


def test_every_combination_of_what_is_locked(shop: Workshop, capsys: Text) -> None:
    lock = locked(shop, capsys)
    # Another target is locked for another release: each then misses a lock.
    other = lock.with_name("acme-1.13.1.lock.json")
    shutil.copy(lock, other)
    shutil.copy(lock, lock.with_name("acme-x-2.10.0-headers.lock.json"))
    assert regenerate.locked_ports(lock.parent) == (
        ["acme", "acme-x", "toy"],
        ["1.13.1", "2.6.0", "2.10.0-headers"],
    )
    assert regenerate.locked_ports(shop.folder / "none") == ([], [])


def test_the_ports_can_be_kept(shop: Workshop, capsys: Text) -> None:
    locked(shop, capsys)
    assert run(shop, "--out", str(shop.folder / "kept")) == 0
    assert (shop.folder / "kept/toy/2.6.0/src/c10/toy/TOYMemory.cpp").is_file()


@pytest.mark.parametrize(
    ("options", "trees", "code", "message"),
    [
        (["--target", "tyo"], None, 2, "error: unknown target 'tyo'\n  help: did you mean 'toy'?"),
        (["--mappings", "/nowhere"], None, 2, "error: /nowhere: the mapping folder does not exist"),
        (
            ["--release", "v2"],
            None,
            2,
            "error: 'v2' is not a PyTorch release\n  help: write a release, for example 2.6.0",
        ),
        (
            ["--target", "toy"],
            "2.6.0",
            2,
            "'2.6.0' is not RELEASE=DIR, for example 2.6.0=/path/to/pytorch",
        ),
        (["--target", "toy"], "2.6.0=/nowhere", 4, "error: /nowhere: no such folder"),
        (["--release", "2.5.0"], "2.5.0={tree}", 4, "{tree}: contains PyTorch 2.6.0, not 2.5.0"),
        (
            ["--report", "/dev/null/report.md"],
            None,
            4,
            "error: /dev/null: cannot be written",
        ),
    ],
)
def test_bad_input(
    shop: Workshop,
    capsys: Text,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    trees: str | None,
    code: int,
    message: str,
) -> None:
    locked(shop, capsys)
    if trees is not None:
        monkeypatch.setenv("PORTER_TREES", trees.format(tree=shop.tree))
    assert run(shop, *options) == code
    assert message.format(tree=shop.tree) in capsys.readouterr().err


def test_releases_are_fetched(
    shop: Workshop, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without given trees, the script runs fetch_release; here a stand-in with one release."""
    monkeypatch.delenv("PORTER_TREES")
    fetch = shop.folder / "fetch_release"
    monkeypatch.setattr(release_trees, "fetch_program", lambda: fetch)
    fetch.write_text(
        "import sys\n"
        "if sys.argv[1:] != ['2.6.0']:\n"
        "    sys.exit('error: no such release')\n"
        f"print({str(shop.tree)!r})\n"
    )
    releases = ("--release", "2.5.0", "--release", "2.6.0")
    assert run(shop, "--target", "toy", *releases, "--update") == 4
    told = capfd.readouterr()
    assert told.out.splitlines()[0] == "toy 2.5.0: could not be ported"
    assert told.out.splitlines()[1].startswith("toy 2.6.0: had no lock file; porter wrote one")
    assert "error: no such release\nerror: PyTorch 2.5.0 is not available" in told.err
    assert os.listdir(shop.folder / "locks") == [LOCK]


def test_ctrl_c_ends_it(shop: Workshop, capsys: Text, monkeypatch: pytest.MonkeyPatch) -> None:
    lock = locked(shop, capsys)
    before = lock.read_bytes()
    shop.edit(shop.mappings / "toy/launch.yaml", "TOY_LAUNCH", "TOY_START")

    def stopped(*_: object, **__: object) -> None:
        raise Interrupted("stopped; the previous port is intact")

    monkeypatch.setattr(regenerate, "port", stopped)
    assert run(shop, "--target", "toy", "--target", "simt", "--release", "2.6.0", "--update") == 130
    told = capsys.readouterr()
    assert (told.out, told.err.count("stopped")) == ("", 1)
    assert lock.read_bytes() == before
    assert os.listdir(lock.parent) == [LOCK]


def test_from_a_shell(shop: Workshop) -> None:
    """The script for CI, in another working folder and with relative paths."""
    command = [str(ROOT / "build_scripts" / "regenerate"), "--mappings", "mappings"]
    command += ["--target", "toy", "--release", "2.6.0", "--locks", "locks", "--report", "drift.md"]
    first = subprocess.run(command, cwd=shop.folder, capture_output=True, text=True)
    assert (first.returncode, first.stdout.split(" (")[0]) == (1, "toy 2.6.0: has no lock")
    assert (shop.folder / "drift.md").is_file()
    update = subprocess.run([*command, "--update"], cwd=shop.folder, capture_output=True)
    assert update.returncode == 0
    again = subprocess.run(command, cwd=shop.folder, capture_output=True, text=True)
    assert (again.returncode, again.stderr) == (0, "")


@pytest.mark.release
def test_a_real_release(
    release_tree: Path, tmp_path: Path, capsys: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    from porter.port.select import release_of

    release = release_of(release_tree)
    monkeypatch.setenv("PORTER_TREES", f"{release}={release_tree}")
    places = ["--mappings", str(TEST_MAPPINGS), "--locks", str(tmp_path), "-j", "2"]
    places += ["--target", "toy", "--release", release]
    assert call(["regenerate", *places, "--update"]) == 0
    assert os.listdir(tmp_path) == [f"toy-{release}.lock.json"]
    assert call(["regenerate", *places]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith(f"toy {release}: as locked")


def test_a_release_is_fetched_by_a_command(
    shop: Workshop, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    program = shop.folder / "fetch_release"
    program.write_text("import sys\nprint(*sys.argv[1:])\nsys.exit(4)\n")
    monkeypatch.setattr(release_trees, "fetch_program", lambda: program)
    assert call(["release", "fetch", "2.14.1-headers"]) == 4
    assert capfd.readouterr().out == "2.14.1 --from wheel\n"
    assert call(["release", "fetch", "2.6.0", "--from-checkout", "tree"]) == 4
    assert capfd.readouterr().out == "2.6.0 --from-checkout tree\n"
    assert call(["release", "fetch", "newest"]) == 2
