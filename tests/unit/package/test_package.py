"""Package stage: contents of the tree and the wheel, rebuilds, and errors."""

from __future__ import annotations

import base64
import csv
import hashlib
import importlib.metadata
import os
import re
import subprocess
import zipfile
from pathlib import Path

import pytest
from wheel_parts import ACME, STUB, build_folder, install, shared_object

import porter
from porter.base.errors import BuildError
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.package import Packaged, PackageSpec, Preload, Runtime
from porter.package.shipped_headers import headers
from porter.package.stage import package

VERSION = f"2.6.0+porter{porter.__version__}"


@pytest.fixture
def libraries(tmp_path: Path) -> Path:
    return build_folder(tmp_path / "lib")


@pytest.fixture
def spec(tmp_path: Path) -> PackageSpec:
    runtime = shared_object(tmp_path / "vendor" / "libacme.so", "-Wl,-rpath,/somewhere/blas")
    notice = tmp_path / "NOTICE"
    notice.write_text("whose this is\n")
    header = tmp_path / "Stream.h"
    header.write_text("#pragma once\n")
    preload = (Preload("acme_blas", "lib/libacmeblas.so"),)
    brought = Runtime((runtime,), preload, ("acme-blas>=1",))
    headers = {"c10/acme/AcmeStream.h": header}
    return PackageSpec(ACME, "2.6.0", False, brought, (notice,), headers)


def contents(tree: Path) -> dict[str, bytes]:
    return {
        path.relative_to(tree).as_posix(): path.read_bytes()
        for path in tree.rglob("*")
        if path.is_file()
    }


def test_the_wheel_holds_the_package_and_the_libraries(
    spec: PackageSpec, libraries: Path, tmp_path: Path
) -> None:
    done = package(spec, libraries, tmp_path / "package")
    assert done.written
    assert done.wheel == (
        tmp_path / "package/dist" / f"torch_acme-{VERSION}-cp311-cp311-linux_x86_64.whl"
    )
    with zipfile.ZipFile(done.wheel) as wheel:
        names = set(wheel.namelist())
        metadata = wheel.read(f"torch_acme-{VERSION}.dist-info/METADATA").decode()
    assert names >= {
        "torch_acme/__init__.py",
        "torch_acme/_build.py",
        "torch_acme/py.typed",
        f"torch_acme/{STUB}",
        "torch_acme/include/c10/acme/AcmeStream.h",
        "torch_acme/lib/libacme.so",
        "torch_acme/lib/libtorch_acme_kernels.so",
        "torch_acme/lib/libtorch_acme_python.so",
        f"torch_acme-{VERSION}.dist-info/licenses/NOTICE",
    }
    assert not [name for name in names if name.endswith(".jinja")]
    head = metadata.partition("\n\n")[0].splitlines()
    assert [line for line in head if line.startswith("Requires")] == [
        "Requires-Python: ==3.11.*",
        "Requires-Dist: torch==2.6.0",
        "Requires-Dist: acme-blas>=1",
    ]
    assert names == set(contents(done.tree)) | {f"torch_acme-{VERSION}.dist-info/RECORD"}


def test_headers_of_the_folders_that_come_first(tmp_path: Path) -> None:
    files = ("first/ATen/Own.h", "first/ATen/Both.h", "second/ATen/Both.h", "second/c10/Loops.muh")
    others = (
        "second/c10/Loops.mu",
        "second/inner/ATen/Inner.inc",
        "second/cuda/atomic",
        "second/LICENSE",
    )
    for file in (*files, *others):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text(f"// {file}\n")
    folders = [tmp_path / name for name in ("first", "second/inner", "second", "absent")]
    assert headers(folders, "muh") == {
        "ATen/Both.h": tmp_path / "first/ATen/Both.h",
        "ATen/Inner.inc": tmp_path / "second/inner/ATen/Inner.inc",
        "ATen/Own.h": tmp_path / "first/ATen/Own.h",
        "c10/Loops.muh": tmp_path / "second/c10/Loops.muh",
        "cuda/atomic": tmp_path / "second/cuda/atomic",
    }


def test_operators_of_the_targets_own_come_along(
    spec: PackageSpec, libraries: Path, tmp_path: Path
) -> None:
    ops = tmp_path / "acme_ops"
    ops.mkdir()
    (ops / "__init__.py").write_text("name = __name__\n")
    shared_object(ops / "libacme_ops_ops.so")
    done = package(spec._replace(own_ops=ops), libraries, tmp_path / "package")
    assert {"torch_acme/ops/__init__.py", "torch_acme/ops/libacme_ops_ops.so"} <= contents(
        done.tree
    ).keys()
    assert "OWN_OPS: Final = True" in (done.tree / "torch_acme/_build.py").read_text()
    # Without them it is another wheel.
    done = package(spec, libraries, tmp_path / "package")
    assert done.written
    assert not (done.tree / "torch_acme/ops").exists()
    assert "OWN_OPS: Final = False" in (done.tree / "torch_acme/_build.py").read_text()


def test_only_the_vendor_is_named(spec: PackageSpec, libraries: Path, tmp_path: Path) -> None:
    tree = package(spec, libraries, tmp_path / "package").tree
    texts = {name: data for name, data in contents(tree).items() if not name.endswith(".so")}
    assert not [name for name, data in texts.items() if re.search(rb"(?i)simt|\{\{|\{%", data)]
    assert not [name for name, data in texts.items() if str(tmp_path).encode() in data]


def test_libraries_name_no_folder_of_this_machine(
    spec: PackageSpec, libraries: Path, tmp_path: Path
) -> None:
    tree = package(spec, libraries, tmp_path / "package").tree
    found = list(tree.rglob("*.so"))
    assert len(found) == 4
    for library in found:
        assert b"/somewhere" not in _dynamic(library)
    # For programs without Python, which does not load PyTorch's libraries first.
    assert b"[$ORIGIN:$ORIGIN/../../torch/lib:$ORIGIN/../../acme_blas/lib]" in _dynamic(
        tree / "torch_acme/lib/libtorch_acme_python.so"
    )


def _dynamic(library: Path) -> bytes:
    done = subprocess.run(["readelf", "-d", str(library)], check=True, capture_output=True)
    return done.stdout


def test_pip_installs_it_as_recorded(spec: PackageSpec, libraries: Path, tmp_path: Path) -> None:
    wheel = package(spec, libraries, tmp_path / "package").wheel
    site = tmp_path / "site"
    install(wheel, site)
    (found,) = importlib.metadata.distributions(path=[str(site)])
    assert (found.name, found.version) == ("torch_acme", VERSION)
    (entry,) = found.entry_points
    assert (entry.group, entry.value) == ("torch.backends", "torch_acme:_autoload")
    recorded = 0
    for name, digest, size in csv.reader((found.read_text("RECORD") or "").splitlines()):
        data = (site / name).read_bytes()
        if digest:
            kind, _, value = digest.partition("=")
            hashed = base64.urlsafe_b64encode(hashlib.new(kind, data).digest())
            assert hashed.rstrip(b"=").decode() == value, name
            assert int(size) == len(data)
            recorded += 1
    assert recorded > len(list((site / "torch_acme").glob("*.py")))


def test_equal_inputs_give_equal_bytes(spec: PackageSpec, libraries: Path, tmp_path: Path) -> None:
    one = package(spec, libraries, tmp_path / "one")
    before = os.umask(0o077)
    try:
        other = package(spec, libraries, tmp_path / "other")
    finally:
        os.umask(before)
    assert one.wheel.read_bytes() == other.wheel.read_bytes()


def test_it_is_made_anew_only_when_something_changed(
    spec: PackageSpec, libraries: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "package"

    def again(given: PackageSpec = spec) -> Packaged:
        return package(given, libraries, folder)

    first = again()
    stamp = first.wheel.stat().st_mtime_ns
    second = again()
    assert not second.written and second.wheel == first.wheel and second.tree == first.tree
    assert second.wheel.stat().st_mtime_ns == stamp
    shared_object(libraries / "libtorch_acme_kernels.so", "-Wl,-rpath,/another/place")
    assert again().written
    assert not again().written
    assert again(spec._replace(cxx11_abi=True)).written
    assert b"CXX11_ABI: Final = True" in (first.tree / "torch_acme/_build.py").read_bytes()
    first.wheel.unlink()
    assert again().written


@pytest.mark.parametrize("missing", ["libtorch_acme_python.so", STUB])
def test_a_build_that_is_not_finished(
    missing: str, spec: PackageSpec, libraries: Path, tmp_path: Path
) -> None:
    done = package(spec, libraries, tmp_path / "package")
    whole = contents(done.tree)
    (libraries / missing).unlink()
    with pytest.raises(BuildError) as error:
        package(spec, libraries, tmp_path / "package")
    assert missing in str(error.value) or "found: none" in str(error.value)
    assert contents(done.tree) == whole and done.wheel.is_file()


def test_a_file_that_is_no_library(spec: PackageSpec, libraries: Path, tmp_path: Path) -> None:
    (libraries / "libtorch_acme_kernels.so").write_text("no library")
    with pytest.raises(BuildError) as error:
        package(spec, libraries, tmp_path / "package")
    assert error.value.problems[0].place == str(libraries / "libtorch_acme_kernels.so")
    assert not (tmp_path / "package").exists()


def test_simt_brings_its_runtime(tmp_path: Path) -> None:
    from porter.package.bundled_runtime import simt_runtime

    profile = rule_cache.rule_set(MappingLibrary.find(), "simt", "2.6.0").profile
    plugin = shared_object(tmp_path / "simt_compiler.so")
    runtime = simt_runtime(shared_object(tmp_path / "libsimt.so"), plugin)
    spec = PackageSpec(profile, "2.6.0", False, runtime)
    done = package(spec, build_folder(tmp_path / "lib", "simt"), tmp_path / "package")
    assert (done.tree / "torch_simt/lib/libsimt.so").is_file()
    packaged = done.tree / "torch_simt" / "plugin" / plugin.name
    assert packaged.read_bytes() == plugin.read_bytes()
    metadata = (done.tree / f"torch_simt-{VERSION}.dist-info/METADATA").read_text()
    assert "Requires-Dist: scipy-openblas32>=" in metadata
    assert '("scipy_openblas32", "lib/libscipy_openblas.so")' in (
        done.tree / "torch_simt/_build.py"
    ).read_text(encoding="utf-8")
