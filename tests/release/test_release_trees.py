"""Header trees, facts of releases, and known releases, as `porter` reads them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from tiny_build import install_torch

from porter.base import disk_cache
from porter.base.errors import Findings, MappingError, SourceError, UsageError
from porter.cli import release_checks as checked
from porter.cli.main import cli
from porter.model.versions import version
from porter.port import header_tree
from porter.port.select import release_of
from porter.release import facts, known, listing
from porter.release.known import ReleaseFacts
from porter.toolchain.discovery import find_torch

SCRIPT = Path(__file__).resolve().parents[2] / "build_scripts" / "release_facts"
MARKER = {
    "schema": 1,
    "kind": "header tree",
    "release": "2.10.0",
    "wheel": "torch-2.10.0-cp314-cp314-manylinux_2_28_x86_64.whl",
    "sha256": "0" * 64,
    "parts": {"c10": 1},
    "files": 4,
    "metadata": {"version": "2.10.0", "requires_python": ">=3.10"},
}
FACTS = ReleaseFacts(str(MARKER["wheel"]), "17", "12.8", ">=3.10", 2)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The header tree of a small release."""
    root = tmp_path / "pytorch-2.10.0-headers"
    files = {
        "version.txt": "2.10.0\n",
        "c10/cuda/CUDAStream.h": "",
        "aten/src/ATen/native/native_functions.yaml": "- func: a() -> ()\n- func: b() -> ()\n",
        "torch/version.py": "__version__ = '2.10.0+cu128'\ncuda: Optional[str] = '12.8'\n",
        "torch/utils/cpp_extension.py": "['-std=c++17'] ['-std=c++17'] ['-std=c++20']\n",
        "header_tree.json": json.dumps(MARKER),
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_a_header_tree_is_told_from_sources(tree: Path) -> None:
    marker = header_tree.read(tree)
    assert marker and (marker.release, marker.parts) == ("2.10.0", {"c10": 1})
    assert release_of(tree) == "2.10.0"
    (tree / "header_tree.json").unlink()
    assert header_tree.read(tree) is None


def test_a_tree_of_two_releases_is_refused(tree: Path) -> None:
    (tree / "version.txt").write_text("2.9.1\n")
    with pytest.raises(SourceError) as raised:
        release_of(tree)
    (problem,) = raised.value.problems
    assert (
        problem.text
        == "is a mixture of two releases: header_tree.json says 2.10.0, version.txt 2.9.1"
    )
    assert problem.place == str(tree)
    assert "porter release fetch 2.10.0-headers" in problem.help


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "{}", '{"kind": "header tree"}', "\udcff"),
        "[" * 100_000,
        json.dumps({**MARKER, "parts": {"c10": "many"}}),
        json.dumps({**MARKER, "parts": []}),
        json.dumps({**MARKER, "metadata": []}),
    ],
)
def test_a_damaged_marker_is_an_error(tree: Path, text: str) -> None:
    (tree / "header_tree.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SourceError, match="damaged"):
        release_of(tree)


def test_a_tree_that_lost_one_file_is_half_a_release(tree: Path) -> None:
    files = sum(path.is_file() for path in tree.rglob("*"))
    marker = {**MARKER, "parts": {"c10": files - len(("header_tree.json", "version.txt"))}}
    (tree / "header_tree.json").write_text(json.dumps(marker))
    header_tree.check_whole(tree)
    (tree / "c10/cuda/CUDAStream.h").unlink()
    with pytest.raises(SourceError, match=f"{files - 1} of {files} files exist"):
        header_tree.check_whole(tree)


def test_a_pipe_in_the_place_of_the_marker_is_not_waited_for(tree: Path) -> None:
    place = tree / "header_tree.json"
    place.unlink()
    subprocess.run(["mkfifo", str(place)], check=True)
    with pytest.raises(SourceError, match="not a regular file"):
        release_of(tree)


def test_facts_are_read_from_the_tree(tree: Path) -> None:
    assert facts.read(tree) == FACTS


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("torch/version.py", "cuda = None\n", "states no CUDA version"),
        ("torch/utils/cpp_extension.py", "", "states no C++ standard"),
        ("header_tree.json", None, "is not a header tree"),
        (
            "header_tree.json",
            json.dumps({**MARKER, "metadata": {}}),
            "states no version of Python",
        ),
    ],
)
def test_a_tree_that_lacks_a_fact(tree: Path, name: str, text: str | None, said: str) -> None:
    (tree / name).unlink()
    if text is not None:
        (tree / name).write_text(text)
    with pytest.raises(SourceError) as raised:
        facts.read(tree)
    assert said in str(raised.value)


def test_a_header_tree_has_nothing_to_package(tree: Path, tmp_path: Path) -> None:
    where = ["--pytorch-src", str(tree), "--out", str(tmp_path / "out")]
    ran = CliRunner().invoke(cli, ["run", *where])
    assert isinstance(ran.exception, SourceError), repr(ran.exception)
    (problem,) = ran.exception.problems
    assert problem.text == "is a header tree, which has no kernels to package"
    assert "--until build" in problem.help
    assert not (tmp_path / "out").exists()


PATCH = """area: runtime
rules:
  - patch: c10/cuda/CUDAStream.h
    before: int stream;
    after: long stream;
  - patch: aten/src/ATen/native/cuda/Sort.cu
    before: int sort;
    after: long sort;
"""


@pytest.mark.parametrize(
    ("header", "is_header_tree", "unmet"),
    [
        ("int stream;", True, []),
        ("int stream;", False, ["Sort.cu"]),
        ("changed;", True, ["CUDAStream.h"]),
        ("changed;", False, ["CUDAStream.h", "Sort.cu"]),
    ],
)
def test_a_patch_of_a_file_that_a_header_tree_lacks_is_no_finding(
    tree: Path, tmp_path: Path, header: str, is_header_tree: bool, unmet: list[str]
) -> None:
    (tree / "c10/cuda/CUDAStream.h").write_text(f"{header}\n")
    if not is_header_tree:
        (tree / "header_tree.json").unlink()
    mappings = tmp_path / "mappings"
    made = CliRunner().invoke(cli, ["target", "new", "acme", "--mappings", str(mappings)])
    assert made.exit_code == 0, made.output
    (mappings / "acme" / "patches.yaml").write_text(PATCH)
    where = ["--pytorch-src", str(tree), "--target", "acme", "--mappings", str(mappings)]
    ran = CliRunner().invoke(
        cli, ["run", *where, "--until", "port", "--no-page", "--out", str(tmp_path / "out")]
    )
    assert ran.exit_code == 0 or isinstance(ran.exception, Findings), repr(ran.exception)
    found = ran.exception.problems if isinstance(ran.exception, Findings) else ()
    assert found or is_header_tree
    own = str([one for one in found if "acme/patches" in one.place])
    assert [name for name in ("CUDAStream.h", "Sort.cu") if name in own] == unmet


@pytest.mark.parametrize("installed", ["2.6.0", "2.6.1"])
def test_an_installed_pytorch_of_the_same_minor_release_serves(
    tmp_path: Path, installed: str
) -> None:
    python = install_torch(tmp_path, version=installed)
    assert find_torch(str(python), "2.6.0").release == installed


@pytest.mark.parametrize("installed", ["2.5.1", "2.60.0", "1.6.0"])
def test_an_installed_pytorch_of_another_minor_release_is_refused(
    tmp_path: Path, installed: str
) -> None:
    python = install_torch(tmp_path, version=installed)
    with pytest.raises(SourceError, match=f"PyTorch {installed}.* is installed, but 2.6.0"):
        find_torch(str(python), "2.6.0")


# --- the file of known releases ---


def entry(release: str, **changed: str) -> str:
    fields = {**FACTS._asdict(), **changed}
    lines = [f"  - release: {release}", "    facts:"]
    return "\n".join([*lines, *(f"      {name}: '{value}'" for name, value in fields.items()), ""])


def written(folder: Path, *entries: str) -> Path:
    place = folder / "releases.yaml"
    place.write_text("releases:\n" + "".join(entries))
    return place


def test_a_release_is_found_by_its_minor_release(tmp_path: Path) -> None:
    releases = known.read(written(tmp_path, entry("2.1.2"), entry("2.10.0")))
    assert [one.release for one in releases.releases] == ["2.1.2", "2.10.0"]
    found = [releases.find(name) for name in ("2.1.0", "2.10.0", "2.10", "2.2.0")]
    assert [one.release if one else None for one in found] == ["2.1.2", "2.10.0", "2.10.0", None]


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ((entry("2.10.0"), entry("2.9.1")), "releases.yaml:9: 2.9.1 does not come after 2.10.0"),
        ((entry("2.9.1"), entry("2.9.1")), "2.9.1 does not come after 2.9.1"),
        ((entry("2.9"),), "'2.9' is not a release of three numbers: '2.6.0'"),
        ((entry("2.9.1", cxx="new"),), "releases.yaml:5: "),
        ((entry("2.9.1", schemas="0"),), "releases.yaml:8: "),
        ((entry("2.9.1", colour="red"),), "unknown key 'colour'"),
        ((entry("2.9.1") + "    proven:\n      - stage: hope\n",), "releases.yaml:10: "),
    ],
)
def test_mistakes_in_the_file_are_told_by_line(
    tmp_path: Path, entries: tuple[str, ...], said: str
) -> None:
    with pytest.raises(MappingError) as raised:
        known.read(written(tmp_path, *entries))
    assert said in str(raised.value)


def test_the_shipped_file_has_each_minor_release_once() -> None:
    releases = known.read().releases
    minors = [version(one.release)[:2] for one in releases]
    assert minors == [(1, 13), *((2, minor) for minor in range(15))]


def test_proofs_of_a_release_come_in_the_order_of_stages() -> None:
    found = known.read().find("2.6.0")
    assert found and found.stages()[0] == "port" and found.stages()[-1] == "verify"
    assert checked.KNOWN_RELEASES == ("1.13.1", "2.6.0")
    text = "\n".join(line.text for line in listing.details(found))
    assert "build_scripts/verify_all" in text


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("2.6.0", ""),
        ("2.10.0", "no port of PyTorch 2.10.0 is proven (proven: 1.13.1, 2.6.0)"),
        ("2.99.0", "the release's C++ standard, CUDA, Python range and schemas are unchecked"),
        ("1.5.0", "PyTorch 1.5.0 is not a known release"),
    ],
)
def test_a_release_without_a_proven_port_is_warned_of(
    release: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    checked.check_release(release)
    told = capsys.readouterr().err
    assert (said in told) if said else not told


def test_the_release_of_a_tree_may_be_told_within_its_minor_release(tree: Path) -> None:
    assert checked.release_to_port(tree, None) == "2.10.0"
    assert checked.release_to_port(tree, "2.10.1") == "2.10.1"
    with pytest.raises(UsageError, match=r"the tree is PyTorch 2.10.0, but --release is 2.9.1"):
        checked.release_to_port(tree, "2.9.1")


# --- build_scripts/release_facts ---


def release_facts(*args: str | Path) -> tuple[int, str, str]:
    argv = [sys.executable, str(SCRIPT), *map(str, args)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode, done.stdout, done.stderr


def test_facts_are_written_and_then_hold(tree: Path, tmp_path: Path) -> None:
    proof = "    proven:\n      - stage: port\n        targets: [simt]\n        command: 'it''s'\n"
    place = written(tmp_path, entry("2.10.0", cuda="1.0") + proof)
    where = ("--trees", tree.parent, "--file", place)
    assert release_facts(*where)[:2] == (1, "2.10.0: cuda is 12.8, not 1.0\n")
    assert release_facts(*where, "--write")[0] == 0
    assert release_facts(*where)[:2] == (0, "1 releases, no difference\n")
    (one,) = known.read(place).releases
    assert (one.facts, one.proven[0].command) == (FACTS, "it's")


def test_facts_without_a_tree_are_not_taken_for_checked(tree: Path, tmp_path: Path) -> None:
    place = written(tmp_path, entry("2.9.1"))
    code, out, _ = release_facts("--trees", tree.parent, "--file", place)
    assert code == 1
    assert (
        out
        == "2.9.1: its header tree is missing, so the facts cannot be checked\n2.10.0: not listed\n"
    )


def test_a_damaged_tree_ends_the_comparison(tree: Path, tmp_path: Path) -> None:
    (tree / "torch" / "version.py").unlink()
    code, _, err = release_facts(
        "--trees", tree.parent, "--file", written(tmp_path, entry("2.9.1"))
    )
    assert code == 4
    assert "torch/version.py: cannot be read" in err


def test_what_is_known_is_kept(tmp_path: Path) -> None:
    place = written(tmp_path, entry("2.9.1"))
    assert known.read(place) == known.read(place)
    assert disk_cache.files(known.RELEASES)
