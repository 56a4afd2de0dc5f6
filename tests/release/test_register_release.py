"""The register stage on real releases: torchgen of the tree, sources of the tree."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from repository import ROOT
from rule_sets import target_rules

from porter.base.errors import RegisterError, SourceError
from porter.cli.main import call
from porter.mapping import registration
from porter.mapping.library import shipped
from porter.model.ops import KEYS, KernelOrigin, Unregistered
from porter.port.select import release_of
from porter.register import catalogue, dispatch_stubs, emit
from porter.register.stage import Inputs, prepare, register
from porter.report import registration as registration_report

BACKEND = ROOT / "backend" / "csrc"
RULES = shipped() / "pytorch" / registration.FILE
OF_2_6_0 = {
    "CUDA": (849, 378),
    "SparseCUDA": (171, 153),
    "SparseCsrCUDA": (139, 128),
    "QuantizedCUDA": (39, 31),
    "NestedTensorCUDA": (98, 90),
}
"""Key -> number of operators, and of operators whose kernel is in libtorch_cpu, by the symbols of PyPI's wheel.
"""


def inputs(tree: Path, **more: tuple[Path, ...]) -> Inputs:
    profile = target_rules("simt", release_of(tree)).profile
    return Inputs(profile, catalogue.in_tree(tree), RULES, tree, **more)


@pytest.mark.release
def test_every_operator_with_a_kernel_is_decided_and_registered_so(
    release_tree: Path, tmp_path: Path
) -> None:
    made = register(inputs(release_tree), None, tmp_path)
    if release_of(release_tree) == "2.6.0":
        # The sources say of every kernel what the symbols say.
        assert {t.key: (t.ops, t.shared) for t in made.tallies} == OF_2_6_0
    assert all(t.ops == t.registered + sum(t.left.values()) for t in made.tallies)
    # Of no shared kernel are the stubs unknown.
    assert [d.op.name for d in made.decisions if d.detail == "its stubs are unknown"] == []

    registered: Counter[tuple[str, str]] = Counter()
    for source in made.sources:
        blocks = re.findall(
            r"TORCH_LIBRARY_IMPL\(\w+, (\w+), m\) \{\n(.*?)\n\}\n", source.read_text(), re.DOTALL
        )
        for key, block in blocks:
            registered.update((key, name) for name in re.findall(r'm\.impl\("([^"]+)"', block))
    assert registered == Counter(
        (KEYS[d.op.key], form.name) for d in made.decisions if not d.left for form in d.op.forms
    )


@pytest.mark.release
def test_a_second_run_writes_nothing(release_tree: Path, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.cu").write_text("#include <ATen/ops/eq_simt_dispatch.h>\n")
    given = inputs(release_tree, ported=(tmp_path / "src",))
    out = tmp_path / "register"

    def run() -> dict[Path, int]:
        prepare(given, out)
        register(given, None, out)
        return {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}

    first = run()
    assert out / "include/ATen/ops/eq_simt_dispatch.h" in first
    assert run() == first
    # What nobody asks for any more is removed.
    (tmp_path / "src" / "a.cu").write_text("\n")
    assert first.keys() - run().keys() == {out / "include/ATen/ops/eq_simt_dispatch.h"}


@pytest.mark.release
def test_without_objects_nothing_of_ones_own_is_registered(
    release_tree: Path, tmp_path: Path
) -> None:
    made = register(inputs(release_tree), [], tmp_path)
    for decision in made.decisions:
        if decision.origin is KernelOrigin.OWN:
            assert decision.left is not None
        if decision.left in (Unregistered.NO_KERNEL, Unregistered.NO_STUB):
            assert decision.detail
    left = {
        d.op.name: d
        for d in made.decisions
        if d.op.key == "CUDA" and d.left is Unregistered.NO_STUB
    }
    assert left["abs.out"].detail.startswith("abs_stub of aten/src/ATen/native/cuda/AbsKernel.cu")
    # A view needs nothing of the device.
    assert "view" in {d.op.name for d in made.decisions if d.op.key == "CUDA" and not d.left}


@pytest.mark.release
def test_torchgen_runs_once_for_a_release(
    release_tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torchgen = catalogue.in_tree(release_tree)
    first = catalogue.read(torchgen)
    monkeypatch.setattr(catalogue, "_asked", lambda *asked: pytest.fail("ran again"))
    assert catalogue.read(torchgen) == first


@pytest.mark.release
def test_stubs_that_the_rules_speak_of_are_those_of_kernels(release_tree: Path) -> None:
    known = catalogue.read(catalogue.in_tree(release_tree))
    needs = dispatch_stubs.read(release_tree, emit.filled_by(known.ufuncs))
    for entry in registration.read(RULES).stubs:
        assert entry.kernel in {op.kernel for op in known.ops}
        # An entry that repeats what the text tells is not needed.
        assert needs.of(entry.kernel) != frozenset(entry.stubs)


@pytest.mark.release
def test_of_every_function_that_asks_for_cuda_by_name_somebody_has_said_why_or_it_is_told(
    release_tree: Path, tmp_path: Path
) -> None:
    # The backend has kernels in place of some that ask.
    backend = ["port", str(BACKEND), "-t", "simt", "--pytorch-names", "--out", str(tmp_path)]
    assert call(backend) == 0
    made = register(inputs(release_tree, ported=(tmp_path / "simt",)), None, tmp_path / "register")
    told = registration_report.asking(made.decisions)
    if release_of(release_tree) == "2.6.0":
        assert told == []
        # And of no function that does not ask.
        asking = {one.function for decision in made.decisions for one in decision.asks}
        assert {entry.function for entry in registration.read(RULES).asks} <= asking
    else:
        # Nobody has looked there: it makes compressed tensors for the CPU, CUDA and meta, and for no other device.
        made_by = ("new_compressed_tensor", "aten/src/ATen/native/sparse/SparseCsrTensor.cpp")
        assert ("PrivateUse1", "to_sparse_csr", *made_by) in told


def test_a_folder_without_torchgen_is_an_error_that_names_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"native_functions\.yaml: does not exist"):
        catalogue.in_tree(tmp_path)


def test_a_torchgen_that_fails_is_shown(tmp_path: Path) -> None:
    for name in ("torchgen/gen.py", "torchgen/__init__.py"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("raise RuntimeError('no such schema')\n")
    native = tmp_path / "torchgen/packaged/ATen/native"
    native.mkdir(parents=True)
    for name in ("native_functions.yaml", "tags.yaml"):
        (native / name).write_text("[]\n")
    with pytest.raises(RegisterError, match="no such schema"):
        catalogue.read(catalogue.in_wheel(tmp_path))
