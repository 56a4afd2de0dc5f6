"""Builds and tests of public packages (`build_scripts/try_extensions`): table, sources, environments, selections."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

SCRIPTS = Path(__file__).parents[2] / "build_scripts"
RESULTS = '<testsuites><testsuite tests="9" failures="2" errors="1" skipped="3"/></testsuites>'


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("try_extensions", str(SCRIPTS / "try_extensions"))
    spec = importlib.util.spec_from_loader("try_extensions", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.fixture
def commands(script: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], Any]]:
    """Commands that the script runs, with their environments. None of them is executed."""
    ran: list[tuple[list[str], Any]] = []

    def run(command: list[str], **options: Any) -> None:
        ran.append((command, options.get("env")))
        if "build" in command:
            folder = Path(command[command.index("--out") + 1]) / "vision-1.0+0"
            folder.mkdir(parents=True)
            (folder / "vision.whl").touch()
        report = next((word for word in command if word.startswith("--junitxml=")), "")
        if report:
            Path(report.partition("=")[2]).write_text(RESULTS, encoding="utf-8")

    monkeypatch.setattr(script, "subprocess", SimpleNamespace(run=run))
    return ran


def test_entries_are_packages_with_the_digests_of_the_ported_sdists(script: ModuleType) -> None:
    table = json.loads((SCRIPTS / "extensions.json").read_text(encoding="utf-8"))
    ported = json.loads((SCRIPTS / "ported_packages.json").read_text(encoding="utf-8"))
    packages = [script.Package(**one) for one in table]
    digests = {(one["package"], one["version"]): one.get("sha256", "") for one in ported}
    assert len({one.package for one in packages}) == len(packages)
    for one in packages:
        assert one.sha256 == digests.get((one.package, one.version), "")
        installed = one.selection[0] == "--pyargs" and not one.folders
        assert installed or one.selection[0].split("/")[0] in one.folders


def test_a_package_without_an_sdist_is_built_from_its_checkout(
    script: ModuleType, commands: list[tuple[list[str], Any]], tmp_path: Path
) -> None:
    package = script.Package(
        "vision", "1.0", "https://example.org/vision", environment={"FFMPEG": "0"}
    )
    wheel = script.build(package, tmp_path / "work", tmp_path / "checkouts", "1")
    assert wheel.name == "vision.whl"
    ((command, environment),) = commands
    assert str(tmp_path / "checkouts/vision") in command
    assert environment["FFMPEG"] == "0"
    assert script.build(package, tmp_path / "work", tmp_path / "checkouts", "1") == wheel
    assert len(commands) == 1


def test_tests_see_the_named_folders_and_run_the_selection(
    script: ModuleType, commands: list[tuple[list[str], Any]], tmp_path: Path
) -> None:
    for name in ("tests", "assets", "vision"):
        (tmp_path / "checkouts/vision" / name).mkdir(parents=True)
    package = script.Package(
        *("vision", "1.0", "https://example.org/vision"),
        folders=["tests", "assets"],
        selection=["tests/test_ops.py", "-k", "nms"],
    )
    work = tmp_path / "work"
    result = script.run_tests(package, tmp_path / "vision.whl", work, tmp_path / "checkouts")
    assert result == script.Result(passed=3, failed=3, skipped=3)
    command, environment = commands[-1]
    place = command.index("pytest")
    assert command[place + 2 : place + 5] == ["tests/test_ops.py", "-k", "nms"]
    assert environment["PYTHONPATH"] == str(work / "site")
    assert sorted(one.name for one in (work / "tests/vision").iterdir() if one.is_dir()) == [
        "assets",
        "tests",
    ]


def test_tests_of_an_sdist_are_read_from_the_sdist(
    script: ModuleType, commands: list[tuple[list[str], Any]], tmp_path: Path
) -> None:
    work = tmp_path / "work"
    (tmp_path / "conv-1.0/tests").mkdir(parents=True)
    (tmp_path / "conv-1.0/tests/test_conv.py").touch()
    archive = work / "sdists/conv/conv-1.0"
    shutil.make_archive(str(archive), "gztar", tmp_path, "conv-1.0")
    package = script.Package("conv", "1.0", sha256="0", folders=["tests"], selection=["tests"])
    script.run_tests(package, tmp_path / "conv.whl", work, tmp_path / "checkouts")
    assert (work / "tests/conv/tests/test_conv.py").is_file()
    assert not [command for command, _ in commands if "download" in command]


def test_tests_in_the_wheel_need_no_folder(
    script: ModuleType, commands: list[tuple[list[str], Any]], tmp_path: Path
) -> None:
    one = script.Package(package="pack", version="1", folders=[], selection=["--pyargs", "p.test"])
    assert script.run_tests(one, tmp_path / "p.whl", tmp_path / "work", tmp_path).passed == 3
    assert "p.test" in commands[-1][0]
