"""Kernels that replace PyTorch's: their entries in an ops.yaml, and the C++ that registers them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.custom_ops import build, emit, override_cpp
from porter.custom_ops.read import FILE, read
from porter.mapping.library import MappingLibrary
from porter.model.custom_ops import OwnOps
from porter.port.select import release_of
from porter.register import catalogue
from porter.register.torchgen_names import TargetNaming

NAMING = TargetNaming("toy", "TOY")
OPS = """\
namespace: acme
override:
  - {op: flip, kernel: "acme::flip"}
  - {op: gelu.out, kernel: "acme::gelu_out", meta: upstream}
  - {op: avg_pool2d.out, kernel: "acme::pool_out", meta: own}
  - {op: add.Tensor, kernel: "acme::add"}
  - {op: linear, kernel: "acme::linear"}
  - {op: relu, kernel: "acme::relu", until: "1.12"}
exclude:
  - {op: mode, reason: "it is \\"slow\\""}
fallback:
  - {op: nonzero, reason: the device would wait}
"""
pytestmark = pytest.mark.release


@pytest.fixture
def torchgen(release_tree: Path) -> catalogue.TorchgenSource:
    return catalogue.in_tree(release_tree)


@pytest.fixture
def ops(tmp_path: Path, release_tree: Path, torchgen: catalogue.TorchgenSource) -> OwnOps:
    (tmp_path / FILE).write_text(OPS)
    known = catalogue.names(torchgen)
    return read(tmp_path / FILE, torchgen, known, release_of(release_tree))


def test_what_an_entry_serves(ops: OwnOps) -> None:
    served = {
        one.op: [form.name for form in one.wrapped.forms] for one in ops.override if one.wrapped
    }
    assert served == {
        "flip": ["flip"],
        "gelu.out": ["gelu", "gelu.out", "gelu_"],
        "avg_pool2d.out": ["avg_pool2d", "avg_pool2d.out"],
        "add.Tensor": ["add.Tensor"],
        "linear": ["linear"],
    }


def test_functions_to_be_defined(ops: OwnOps) -> None:
    called = [one.called for one in override_cpp.wanted(ops)]
    assert called == [
        "acme::flip(",
        "acme::structured_gelu_out::impl(",
        "acme::structured_pool_out::meta(",
        "acme::structured_pool_out::impl(",
        "acme::add(",
        "acme::linear(",
    ]
    texts = [one.text for one in override_cpp.wanted(ops)]
    # As a source has them: with the namespace, without defaults.
    assert texts[0] == "at::Tensor acme::flip(const at::Tensor & self, at::IntArrayRef dims)"
    assert texts[4].endswith("const at::Tensor & other, const at::Scalar & alpha)")
    assert "=" not in "".join(texts)


def test_one_function_may_serve_several_operators(
    tmp_path: Path, torchgen: catalogue.TorchgenSource
) -> None:
    entries = "".join(f'  - {{op: {op}, kernel: "acme::arg"}}\n' for op in ("argmax", "argmin"))
    (tmp_path / FILE).write_text(f"namespace: acme\noverride:\n{entries}")
    known = catalogue.names(torchgen)
    header = emit.cpp_files(read(tmp_path / FILE, torchgen, known), FILE, NAMING)["kernels.h"]
    # Its defaults may be said once.
    assert header.count("arg(const at::Tensor & self") == 1


def test_what_nobody_may_expect_is_said(ops: OwnOps) -> None:
    notes = [note.partition(": ")[2] for note in override_cpp.notes(ops)]
    assert notes == [
        "other variants stay unchanged: add.out, add_.Tensor",
        "linear loses its gradients: PyTorch computes linear with other operators, and only these define gradients",
        "other variants stay unchanged: nonzero.out",
    ]


def test_the_header_declares_kernels_as_pytorch_does(ops: OwnOps) -> None:
    header = emit.cpp_files(ops, FILE, NAMING)["kernels.h"]
    assert "struct structured_gelu_out : public at::meta::structured_gelu {" in header
    # It says itself what its result looks like.
    assert "struct structured_pool_out : public at::impl::MetaBase {\nvoid meta(" in header
    assert "#include <ATen/ops/gelu_meta.h>" in header
    assert "TORCH_API" not in header


def test_everything_is_registered_once_for_the_device(ops: OwnOps) -> None:
    text = emit.cpp_files(ops, FILE, NAMING)["Replace.cpp"]
    registered = re.findall(r'm\.impl\("([\w.]+)"', text)
    assert sorted(registered) == sorted(
        [
            *("flip", "gelu", "gelu.out", "gelu_", "avg_pool2d", "avg_pool2d.out", "add.Tensor"),
            *("linear", "mode", "nonzero"),
        ]
    )
    assert not re.search("cuda|CUDA", text)
    assert "c10::toy::OptionalTOYGuard guard_;" in text
    assert '"aten::mode is left out on this device: ", "it is \\"slow\\"")' in text
    assert "&toy::backend::run_on_cpu>" in text
    # Counted, all of those that have a kernel.
    assert len(re.findall(r"counted\.insert", text)) == 8


def test_without_such_entries_nothing_is_made_of_them(
    tmp_path: Path, torchgen: catalogue.TorchgenSource
) -> None:
    (tmp_path / FILE).write_text("namespace: acme\n")
    files = emit.cpp_files(read(tmp_path / FILE, torchgen, ()), FILE, NAMING)
    assert "Replace.cpp" not in files
    assert "replaced" not in files["Register.cpp"]


def test_the_operators_of_a_target_are_no_rules_and_leave_pytorchs_out(
    release_tree: Path, torchgen: catalogue.TorchgenSource
) -> None:
    library = MappingLibrary.find()
    assert not any("ops" in path.parts[-2:] for _, path in library.rule_files("simt"))
    own = build.own(library, "simt", torchgen, release_of(release_tree))
    assert own
    assert override_cpp.replaced(own)["linalg_eig"] == "replaced by simt_ops::eig"
    assert build.own(library, "hip", torchgen, release_of(release_tree)) is None
