"""Fetching a PyTorch release: checkouts, git, the cache, and failures. test_fetch_debian.py tests Debian's source
package.
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from machine import AT_TAG, SCRIPT, Machine, files, write_tree

GIT = shutil.which("git")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Git checkout with the tag v9.9.9; its working tree has later commits."""
    root = write_tree(tmp_path / "pytorch")
    (root / "link").symlink_to("aten/CMakeLists.txt")

    def git(*args: str) -> None:
        who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
        subprocess.run(["git", "-C", root, *who, *args], check=True, capture_output=True)

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "release")
    git("tag", "v9.9.9")
    git("tag", "v9.9.10-rc1")
    (root / "version.txt").write_text("9.10.0a0\n")
    git("commit", "--quiet", "-a", "-m", "development")
    return root


# --- git and checkouts ---


def test_git_tag_is_fetched_into_the_cache(machine: Machine, repository: Path) -> None:
    code, out, err = machine.run("9.9.9", "--git", f"file://{repository}")
    assert (code, out) == (0, f"{machine.tree}\n"), err
    assert files(machine.tree) == AT_TAG
    assert machine.left() == ["pytorch-9.9.9", "pytorch-9.9.9.json"]


def test_checkout_gives_its_tag_and_stays_as_it_is(machine: Machine, repository: Path) -> None:
    def state() -> str:
        argv = ["git", "-C", str(repository), "status", "--porcelain=v2", "--branch"]
        return subprocess.run(argv, check=True, capture_output=True, text=True).stdout

    before = state(), files(repository)
    code, out, _ = machine.run("v9.9.9", "--from-checkout", repository, "--json")
    assert code == 0
    tree = json.loads(out)
    assert tree["schema"] == 1
    assert (tree["release"], tree["source"], tree["version"]) == ("9.9.9", "checkout", "v9.9.9")
    assert tree["digest"].startswith("commit:")
    assert files(Path(tree["path"])) == AT_TAG
    assert (state(), files(repository)) == before


def test_run_from_a_git_hook(machine: Machine, repository: Path) -> None:
    machine.env["GIT_DIR"] = str(machine.root / "another" / ".git")
    assert machine.run("9.9.9", "--from-checkout", repository)[0] == 0
    assert files(machine.tree) == AT_TAG


def test_checkout_without_the_tag_is_used_where_it_stands(
    machine: Machine, repository: Path
) -> None:
    code, out, err = machine.run("9.10.0", "--from-checkout", repository)
    assert (code, out) == (0, f"{repository}\n")
    assert "no tag v9.10.0" in err


@pytest.mark.parametrize("version", ["9.9.9a0", "9.9.9", "9.9.9a0+git0123abc"])
def test_plain_tree_is_used_where_it_stands(machine: Machine, version: str) -> None:
    tree = write_tree(machine.root / "tree", version)
    assert machine.run("9.9.9", "--from-checkout", tree) == (0, f"{tree}\n", "")
    assert not machine.cache.exists()


def test_plain_tree_inside_another_checkout_is_plain(machine: Machine, repository: Path) -> None:
    tree = write_tree(repository / "third_party" / "other", "9.9.8")
    assert machine.run("9.9.8", "--from-checkout", tree)[:2] == (0, f"{tree}\n")
    assert machine.run("9.9.9", "--from-checkout", tree)[0] == 4


def test_a_release_whose_tag_forgot_version_txt(machine: Machine) -> None:
    tree = write_tree(machine.root / "tree", "1.13.0a0")
    assert machine.run("1.13.1", "--from-checkout", tree)[:2] == (0, f"{tree}\n")


def test_plain_tree_of_another_release_is_refused(machine: Machine) -> None:
    tree = write_tree(machine.root / "tree", "9.9.8a0")
    code, out, err = machine.run("9.9.9", "--from-checkout", tree)
    assert (code, out) == (4, "")
    assert f"{tree} holds PyTorch 9.9.8" in err
    assert (
        "error: no source has PyTorch 9.9.9\n  help: to search the other sources: omit --from-checkout"
        in err
    )


def test_unknown_release_names_those_that_are_there(machine: Machine, repository: Path) -> None:
    code, out, err = machine.run("8.8.8", "--git", repository)
    assert (code, out) == (4, "")
    assert err.splitlines() == [
        "error: no source has PyTorch 8.8.8",
        f"  help: git ({repository}) has 9.9.9",
        "        to use a local checkout or source tree: --from-checkout DIR",
        "        to fetch only the headers, from a wheel: --from wheel",
    ]


def test_repository_that_does_not_answer(machine: Machine) -> None:
    code, _, err = machine.run("9.9.9", "--git", machine.root / "nowhere")
    assert code == 4
    assert "does not answer: fatal: " in err
    assert machine.left() == []


def test_git_that_fails_half_way_is_quoted(machine: Machine, repository: Path) -> None:
    machine.program(
        "git",
        f"""
        [[ "$*" != *archive* ]] || {{ echo "fatal: bad object" >&2; exit 128; }}
        exec {GIT} "$@"
        """,
    )
    code, _, err = machine.run("9.9.9", "--git", repository)
    assert code == 4
    assert "  help: fatal: bad object\n" in err
    assert machine.left() == []


# --- the cache ---


def test_second_call_asks_nobody(machine: Machine, repository: Path) -> None:
    machine.run("9.9.9", "--git", repository)
    for name in ("git", "apt-get", "apt-cache", "apt-config"):
        machine.program(name, "exit 100")
    machine.log.unlink(missing_ok=True)
    assert machine.run("9.9.9") == (0, f"{machine.tree}\n", "")
    assert machine.run("9.9.9", "--git", repository) == (0, f"{machine.tree}\n", "")
    assert not machine.log.exists()


def test_a_named_source_is_not_answered_with_another_ones_tree(
    machine: Machine, repository: Path
) -> None:
    machine.run("9.9.9", "--git", f"file://{repository}")
    _, out, err = machine.run("9.9.9", "--from-checkout", repository, "--json")
    assert "fetching" in err
    assert json.loads(out)["source"] == "checkout"
    assert machine.left() == ["pytorch-9.9.9", "pytorch-9.9.9.json"]


@pytest.mark.parametrize("stamp", ["", "{", "[]", '{"schema": 1}', '{"schema": 2}'])
def test_tree_under_a_broken_stamp_is_fetched_again(
    machine: Machine, repository: Path, stamp: str
) -> None:
    machine.run("9.9.9", "--git", repository)
    machine.tree.with_name("pytorch-9.9.9.json").write_text(stamp)
    (machine.tree / "link").unlink()
    assert machine.run("9.9.9", "--git", repository)[0] == 0
    assert files(machine.tree) == AT_TAG


def test_folder_that_is_not_ours_is_left_alone(machine: Machine, repository: Path) -> None:
    mine = write_tree(machine.tree) / "mine.txt"
    mine.write_text("precious")
    code, _, err = machine.run("9.9.9", "--git", repository)
    assert code == 4
    assert "but this program did not write it" in err
    assert mine.read_text() == "precious"


def test_killed_while_unpacking_leaves_no_tree(machine: Machine, repository: Path) -> None:
    machine.program(
        "git",
        f"""
        [[ "$*" == *archive* ]] || exec {GIT} "$@"
        {GIT} "$@" | head -c 3000
        touch {machine.root}/halfway
        exec sleep 10
        """,
    )
    process = machine.start("9.9.9", "--git", repository)
    wait_for(lambda: (machine.root / "halfway").exists())
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.communicate()
    assert not machine.tree.exists()

    (machine.bin / "git").unlink()
    assert machine.run("9.9.9", "--git", repository)[0] == 0
    assert files(machine.tree) == AT_TAG
    assert not list((machine.cache / "releases").glob(".*.part"))


def test_interrupted(machine: Machine) -> None:
    machine.program("git", f"touch {machine.root}/asked; exec sleep 60")
    process = machine.start("9.9.9", "--source", "git")
    wait_for(lambda: (machine.root / "asked").exists())
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "interrupted\n")
    assert process.returncode == 130
    assert not list((machine.cache / "releases").glob(".*.part"))


def test_concurrent_fetches_share_one(machine: Machine, repository: Path) -> None:
    processes = [machine.start("9.9.9", "--git", repository) for _ in range(4)]
    ends = [process.communicate(timeout=60) for process in processes]
    assert [out for out, _ in ends] == [f"{machine.tree}\n"] * 4
    assert sum("fetching" in err for _, err in ends) == 1
    assert files(machine.tree) == AT_TAG


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


# --- the program ---


def test_it_runs_from_anywhere_on_python_alone(machine: Machine) -> None:
    """A copy of the script, run through a link, by an isolated Python without packages."""
    tree = write_tree(machine.root / "tree")
    scripts = machine.root / "clone" / "build_scripts"
    shutil.copytree(SCRIPT.parent / "release_sources", scripts / "release_sources")
    link = machine.root / "link"
    link.symlink_to(shutil.copy(SCRIPT, scripts))

    def run(*args: str) -> tuple[int, str, str]:
        argv = [sys.executable, "-I", "-S", link, *args]
        done = subprocess.run(
            argv, cwd=machine.root, env=machine.env, capture_output=True, text=True
        )
        return done.returncode, done.stdout, done.stderr

    assert run("9.9.9", "--from-checkout", "tree") == (0, f"{tree}\n", "")
    code, told, _ = run("--help")
    assert code == 0
    for said in (
        "a PyTorch release",
        "needs Python 3.11",
        "apt-get",
        "are downloaded",
        "Exit codes",
    ):
        assert said in told


def test_a_reader_that_has_gone_is_no_failure(machine: Machine) -> None:
    tree = write_tree(machine.root / "tree")
    for unbuffered in ("", "1"):
        machine.env["PYTHONUNBUFFERED"] = unbuffered
        process = machine.start("9.9.9", "--from-checkout", tree)
        assert process.stdout and process.stderr
        process.stdout.close()
        assert (process.wait(timeout=60), process.stderr.read()) == (0, "")
        process.stderr.close()


def test_an_old_python_is_told_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = SCRIPT.read_text().replace("sys.version_info", "(3, 10, 12)", 1)
    with pytest.raises(SystemExit) as end:
        exec(compile(text, str(SCRIPT), "exec"), {"__file__": str(SCRIPT), "__name__": "script"})
    assert end.value.code == 2
    assert "\n  help: Python 3.11 or later is needed" in capsys.readouterr().err


# --- usage ---


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "a release is required"),
        (["2.6"], "'2.6' is not a release such as 2.6.0"),
        (["../../x"], "is not a release"),
        (["2.6.0", "--from-checkout", "/no/such"], "no such folder"),
        (["2.6.0", "--source", "checkout"], "needs --from-checkout"),
        (["2.6.0", "--source", "debian", "--git", "x"], "exclude each other"),
        (["2.6.0", "--cache", SCRIPT.parent], "inside the checkout of this project"),
    ],
)
def test_usage_errors(machine: Machine, args: list[str | Path], message: str) -> None:
    code, out, err = machine.run(*args)
    assert (code, out) == (2, "")
    assert message in err
    assert "\n  help: " in err
