"""Commands that write a port reject mappings in which `porter mapping check` finds an error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from workshop import Workshop, write_files

from porter.base import disk_cache
from porter.cli.main import call
from porter.mapping import check, rule_cache
from porter.mapping.library import MappingLibrary
from porter.package import libraries

Text = pytest.CaptureFixture[str]

WRONG = {
    "a replacement that is replaced again": (
        "  - {name: cudaMalloc, replace: cudaFree}\n",
        "a rule would replace the replacement again",
    ),
    "two rules that contradict each other": (
        "  - {name: cudaFree, replace: toyFree}\n  - {name: cudaFree, replace: toyRelease}\n",
        "has two contradictory rules in one layer",
    ),
    "an example that does not hold": (
        "  - name: cudaFree\n"
        "    replace: toyFree\n"
        "    example: {before: cudaFree(p);, after: toyRelease(p);}\n",
        "the example becomes",
    ),
    "versions that exclude each other": (
        "  - {name: cudaFree, replace: toyFree, since: '2.5', until: '2.4'}\n",
        "never applies",
    ),
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    made = Workshop(tmp_path)
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PORTER_TREES", f"2.6.0={made.tree}")
    write_files(tmp_path, {"vector.cu": "void f() { cudaFree(0); }\n"})
    return made


def run(shop: Workshop) -> int:
    return shop.run("out")


def port(shop: Workshop) -> int:
    places = ["--out", str(shop.folder / "out"), "--mappings", str(shop.mappings)]
    return call(["port", str(shop.folder / "vector.cu"), "-t", "toy", "-j", "1", *places])


def regenerate_all(shop: Workshop) -> int:
    places = ["--mappings", str(shop.mappings), "--locks", str(shop.folder / "locks"), "-j", "1"]
    return call(["regenerate", *places, "--target", "toy", "--release", "2.6.0", "--update"])


@pytest.mark.parametrize("command", [run, port, regenerate_all])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_port_by_wrong_rules_is_refused(
    shop: Workshop, capsys: Text, command: Callable[[Workshop], int], wrong: str
) -> None:
    lines, message = WRONG[wrong]
    write_files(shop.mappings, {"toy/mine.yaml": f"area: runtime\nrules:\n{lines}"})
    places = ["--mappings", str(shop.mappings)]
    assert call(["mapping", "check", "-t", "toy", *places]) == 3
    checked = capsys.readouterr().err
    for _ in range(2):  # the refusal is no answer that is kept
        assert command(shop) == 3
        told = capsys.readouterr().err
        assert message in told
        assert "toy/mine.yaml:" in told
        for line in told.splitlines():
            assert line.rpartition("mappings/toy/mine.yaml:")[2].removeprefix("error: ") in checked
    assert not (shop.folder / "out").exists()
    assert not list(shop.folder.glob("locks/*"))


@pytest.mark.parametrize("command", [run, port, regenerate_all])
def test_warnings_do_not_stop_a_port(
    shop: Workshop, command: Callable[[Workshop], int], capsys: Text
) -> None:
    twice = "  - {name: cudaFree, replace: toyFree}\n" * 2
    write_files(shop.mappings, {"toy/mine.yaml": f"area: runtime\nrules:\n{twice}"})
    assert call(["mapping", "check", "-t", "toy", "--mappings", str(shop.mappings)]) == 1
    assert "has two equal rules" in capsys.readouterr().err
    # As in `porter mapping check`, warnings are findings.
    assert command(shop) == (1 if command is regenerate_all else 0)
    assert (shop.folder / "out").exists() or (shop.folder / "locks").exists()


@pytest.mark.parametrize("command", [run, port, regenerate_all])
def test_a_file_that_nothing_reads_stops_a_port(
    shop: Workshop, command: Callable[[Workshop], int], capsys: Text
) -> None:
    assert command(shop) == 0
    capsys.readouterr()
    write_files(shop.mappings, {"toy/mine.yml": "area: runtime\nrules: []\n"})
    assert command(shop) == 3
    told = capsys.readouterr().err
    assert "toy/mine.yml: is ignored: names of mappings end in .yaml or .json" in told
    assert "help: rename it to mine.yaml" in told


def test_rules_are_checked_once_for_a_content(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []
    check_all = check.check

    def counted(
        library: MappingLibrary, target: str, loaded: check.Loaded | None = None
    ) -> check.MappingCheck:
        looked.append(target)
        return check_all(library, target, loaded)

    monkeypatch.setattr(check, "check", counted)
    for _ in range(3):
        assert run(shop) == 0
    assert len(looked) == 1
    write_files(shop.mappings, {"toy/more.yaml": "area: runtime\nrules: []\n"})
    assert run(shop) == 0
    assert len(looked) == 2


def test_a_rule_set_that_is_only_shown_is_not_taken_for_checked(shop: Workshop) -> None:
    lines = WRONG["a replacement that is replaced again"][0]
    write_files(shop.mappings, {"toy/mine.yaml": f"area: runtime\nrules:\n{lines}"})
    library = MappingLibrary.find([shop.mappings])
    digest = rule_cache.rule_set(library, "toy", "2.6.0").digest
    assert rule_cache.read(digest) is not None
    assert disk_cache.get(rule_cache.CHECKED, digest) is None
    assert run(shop) == 3


def test_a_program_that_the_wheel_needs_is_looked_for_before_the_build(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, capsys: Text
) -> None:
    monkeypatch.setattr(libraries.shutil, "which", lambda *_, **__: None)
    assert shop.run("out", "--until", "package") == 7
    assert "the program patchelf is not installed" in capsys.readouterr().err
    assert not (shop.folder / "out").exists()
