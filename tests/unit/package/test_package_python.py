"""Python package, installed with a stand-in for the binding (tests/support/package_binding.py)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from repository import SUPPORT
from wheel_parts import ACME, STUB, build_folder, install

from porter.abi.torch_layout import layout_of
from porter.model.package import PackageSpec
from porter.package.stage import package
from porter.toolchain.discovery import find_torch

pytestmark = pytest.mark.slow

pytest.importorskip("torch", reason="the package is of no use without torch")
ALONE = """
import importlib.metadata

every = importlib.metadata.entry_points
importlib.metadata.entry_points = lambda **which: [
    point for point in every(**which) if point.group != "torch.backends" or point.name == "torch_acme"
]
"""
"""Content of sitecustomize.py, which hides other backends: a process supports only one, and this machine may have
another.
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of installed packages that contains torch_acme."""
    import torch

    folder = tmp_path_factory.mktemp("package")
    version = torch.__version__.partition("+")[0]
    layout = layout_of(find_torch(sys.executable))
    spec = PackageSpec(ACME, version, torch.compiled_with_cxx11_abi(), layout=layout)
    install(package(spec, build_folder(folder / "lib"), folder / "package").wheel, folder / "site")
    (folder / "site/torch_acme" / STUB).unlink()
    shutil.copy(SUPPORT / "package_binding.py", folder / "site/torch_acme/_C.py")
    (folder / "site/sitecustomize.py").write_text(ALONE)
    return folder / "site"


def run(site: Path, *arguments: str, **environment: str) -> str:
    """Output of Python with the package installed."""
    done = subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(site), **environment},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_behaviour(site: Path) -> None:
    tests = str(SUPPORT / "package_behaviour.py")
    off = {"TORCH_DEVICE_BACKEND_AUTOLOAD": "0"}
    run(site, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, **off)


@pytest.mark.parametrize("first", ["import torch", "import torch_acme"])
def test_either_import_brings_the_other(site: Path, first: str) -> None:
    say = (
        "import sys; print(sys.modules['torch'].acme.__name__, sys.modules['torch_acme'].__name__)"
    )
    assert run(site, "-c", f"{first}\n{say}") == "torch_acme torch_acme\n"


def test_there_is_room_for_one_such_device(site: Path) -> None:
    say = (
        "import torch\n"
        "torch.utils.rename_privateuse1_backend('other')\n"
        "try: import torch_acme\n"
        "except ImportError as error: print(error)\n"
    )
    assert run(site, "-c", say, TORCH_DEVICE_BACKEND_AUTOLOAD="0") == (
        "device 'other' is already registered in this process, and PyTorch supports only one out-of-tree device, "
        "so that 'acme' cannot be registered\n"
        "  help: uninstall one of the two packages, or set TORCH_DEVICE_BACKEND_AUTOLOAD=0 and import one of them\n"
    )


def test_torch_alone_where_autoloading_is_off(site: Path) -> None:
    say = "import sys, torch; print('torch_acme' in sys.modules, hasattr(torch, 'acme'))"
    assert run(site, "-c", say, TORCH_DEVICE_BACKEND_AUTOLOAD="0") == "False False\n"
