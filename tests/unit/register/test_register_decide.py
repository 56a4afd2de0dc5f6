"""Registered operators, reasons for the others, and the generated C++."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from porter.base.errors import MappingError, RegisterError
from porter.mapping import registration
from porter.mapping.registration import RegistrationRules
from porter.model.ops import (
    KEYS,
    Catalogue,
    Decision,
    DeviceQuery,
    KernelOrigin,
    Op,
    OpForm,
    Ufunc,
    Unregistered,
    tallies,
)
from porter.model.rules import Exclusion
from porter.model.rules import Origin as Place
from porter.register import emit, source_scan
from porter.register.decide import BuildFacts, decide
from porter.register.dispatch_stubs import StubNeeds
from porter.register.exported_symbols import ProvidedSymbols
from porter.register.torchgen_names import TargetNaming
from porter.report import registration as registration_report

NAMING = TargetNaming("toy", "TOY")


def form(name: str, kind: str = "functional", kernel: str = "") -> OpForm:
    wrapper = f"wrapper_CUDA__{name.replace('.', '_')}"
    return OpForm(
        name,
        f"{name}(Tensor self) -> Tensor",
        kind,
        "aten",
        name.split(".")[0].rstrip("_"),
        f"Tensor {wrapper}(const Tensor & self) {{ return at::native::{kernel}(self); }}",
        f'm.impl("{name}", TORCH_FN({wrapper}));',
    )


def op(name: str, kernel: str, *forms: OpForm, key: str = "CUDA") -> Op:
    return Op(key, name, kernel, "at::native", bool(forms), forms or (form(name, kernel=kernel),))


ABS = op("abs", "abs_cuda")
SIN = op("sin.out", "sin_out", form("sin"), form("sin_", "inplace"), form("sin.out", "out"))
RNN = op("rnn", "_cudnn_rnn")
CATALOGUE = Catalogue((ABS, SIN, RNN), dict.fromkeys(KEYS, ""), (), {})
NEEDS = StubNeeds(
    {"structured_sin_out::impl": frozenset(["sin_stub"])},
    {"abs_cuda": "native/cuda/Abs.cu"},
    {"sin_stub": "native/cuda/Sin.cu"},
)
FACTS = BuildFacts(
    exported=frozenset(["at::native::structured_sin_out::impl"]),
    provided=ProvidedSymbols(frozenset(["at::native::abs_cuda", "at::native::_cudnn_rnn"]), frozenset(["sin_stub"])),
    needs=NEEDS,
)  # fmt: skip
NOTHING = ProvidedSymbols(frozenset(), frozenset())


def decided(name: str, facts: BuildFacts, said: RegistrationRules | None = None) -> Decision:
    made = decide(CATALOGUE, facts, said or RegistrationRules(), KEYS)
    return next(decision for decision in made if decision.op.name == name)


def test_what_is_there_is_registered_and_told_apart() -> None:
    own = Decision(ABS, KernelOrigin.OWN, files=("native/cuda/Abs.cu",))
    assert decided("abs", FACTS) == own
    shared = Decision(SIN, KernelOrigin.SHARED, files=("native/cuda/Sin.cu",))
    assert decided("sin.out", FACTS) == shared


def test_a_copy_in_the_objects_is_ones_own_and_needs_no_stub() -> None:
    provided = ProvidedSymbols(frozenset([SIN.symbol]), frozenset())
    assert decided("sin.out", FACTS._replace(provided=provided)) == Decision(SIN, KernelOrigin.OWN)


def test_without_its_kernel_an_operator_is_left_out_with_the_file_that_lacks() -> None:
    left = decided("abs", FACTS._replace(provided=NOTHING))
    assert (left.left, left.detail) == (
        Unregistered.NO_KERNEL,
        "at::native::abs_cuda of native/cuda/Abs.cu: not built",
    )
    facts = FACTS._replace(provided=NOTHING, not_built={"native/cuda/Abs.cu": "did not compile"})
    assert decided("abs", facts).detail.endswith("native/cuda/Abs.cu: did not compile")
    glob = Exclusion("native/cuda/A*", "needs tensor cores", Place("target.yaml", 1))
    facts = FACTS._replace(provided=NOTHING, excluded_files=(glob,))
    assert decided("abs", facts).detail.endswith("native/cuda/Abs.cu: needs tensor cores")


def test_without_a_stub_its_kernel_needs_an_operator_is_left_out() -> None:
    left = decided("sin.out", FACTS._replace(provided=NOTHING))
    assert (left.left, left.detail) == (
        Unregistered.NO_STUB,
        "sin_stub of native/cuda/Sin.cu: not built",
    )


def test_stubs_that_are_not_known_keep_nothing_out_but_are_told() -> None:
    known = decided("sin.out", FACTS._replace(provided=NOTHING, needs=None))
    assert (known.left, known.detail) == (None, "its stubs are unknown")


def test_who_asks_for_cuda_by_name_is_told_of_kernels_that_libtorch_has() -> None:
    asks = {
        "structured_sin_out::impl": (DeviceQuery("g", "a.cpp"), DeviceQuery("h", "a.cpp")),
        "abs_cuda": (DeviceQuery("i", "b"),),
    }
    facts = FACTS._replace(needs=NEEDS._replace(asks=asks))
    said = RegistrationRules(asks=(registration.ReviewedQuery("g*", "it is well"),))
    assert decided("sin.out", facts, said).asks == (
        DeviceQuery("g", "a.cpp", "it is well"),
        DeviceQuery("h", "a.cpp"),
    )
    assert decided("abs", facts, said).asks == ()
    made = decide(CATALOGUE, facts, said, KEYS)
    assert registration_report.asking(made) == [("PrivateUse1", "sin.out", "h", "a.cpp")]


def test_rules_exclude_and_correct() -> None:
    said = RegistrationRules(
        exclude=(registration.Excluded("abs_*", "nobody wants it"),),
        stubs=(registration.Stubs("sin_out", (), "the text misleads"),),
    )
    assert decided("abs", FACTS, said)[2:4] == (Unregistered.EXCLUDED, "nobody wants it")
    assert decided("sin.out", FACTS._replace(provided=NOTHING), said).left is None
    placed = RegistrationRules(
        placed=(registration.KernelPlacement("sin_out", "own", "gated by device"),)
    )
    left = decided("sin.out", FACTS, placed)
    assert (left.origin, left.left) == (KernelOrigin.OWN, Unregistered.NO_KERNEL)


def test_a_library_that_the_target_lacks_is_the_reason() -> None:
    said = RegistrationRules(libraries=(registration.KernelLibrary("*cudnn*", "dnn"),))
    assert decided("rnn", FACTS, said).left is None
    left = decided("rnn", FACTS._replace(unsupported={"dnn": "there is none"}), said)
    assert left[2:4] == (Unregistered.LIBRARY, "dnn: there is none")


def test_forms_that_the_glue_registers_are_not_registered_twice() -> None:
    some = dict.fromkeys([("PrivateUse1", "sin.out"), ("SparsePrivateUse1", "sin")], "glue")
    kept = decided("sin.out", FACTS._replace(by_hand=some))
    assert [form.name for form in kept.op.forms] == ["sin", "sin_"]
    every = {("PrivateUse1", form.name): f"by {form.kind}" for form in SIN.forms}
    left = decided("sin.out", FACTS._replace(by_hand=every))
    assert left[2:4] == (Unregistered.BY_HAND, "; ".join(f"by {form.kind}" for form in SIN.forms))
    # Whatever the rules say of PyTorch's kernel.
    said = RegistrationRules(exclude=(registration.Excluded("sin_out", "needs MAGMA"),))
    assert decided("sin.out", FACTS, said).left is Unregistered.EXCLUDED
    assert decided("sin.out", FACTS._replace(by_hand=every), said).left is Unregistered.BY_HAND


def test_without_a_library_the_sources_tell_what_is_shared() -> None:
    assert decided("sin.out", FACTS._replace(exported=None)).origin is KernelOrigin.SHARED
    assert decided("abs", FACTS._replace(exported=None, provided=None)).origin is KernelOrigin.OWN


def test_the_report_counts_everything_once() -> None:
    made = decide(CATALOGUE, FACTS._replace(provided=NOTHING), RegistrationRules(), KEYS)
    head, row, *_ = registration_report.rows(tallies(made))
    assert dict(zip(head, row, strict=True)) == {
        "key": "PrivateUse1",
        "operators": "3",
        "shared": "1",
        "own": "2",
        "registered": "0",
        "no kernel": "2",
        "stub missing": "1",
    }
    assert [entry[1] for entry in registration_report.left_out(made)] == ["abs", "sin.out", "rnn"]
    assert registration_report.as_json(made) == registration_report.as_json(made)


# -- texts


def emitted(*ops: Op) -> dict[str, str]:
    decisions = [Decision(op, KernelOrigin.OWN) for op in ops]
    return emit.registrations(CATALOGUE, decisions, NAMING)


def test_every_form_is_defined_and_registered_on_the_ports_key() -> None:
    sparse = op("abs", "abs_sparse", key="SparseCUDA")
    texts = emitted(ABS, SIN, sparse)
    registered = [
        (key, name)
        for text in texts.values()
        for key, block in re.findall(r"TORCH_LIBRARY_IMPL\(aten, (\w+), m\) \{\n(.*?)\n\}", text, re.S)
        for name in re.findall(r'm\.impl\("([\w.]+)"', block)
    ]  # fmt: skip
    assert sorted(registered) == [
        ("PrivateUse1", "abs"),
        ("PrivateUse1", "sin"),
        ("PrivateUse1", "sin.out"),
        ("PrivateUse1", "sin_"),
        ("SparsePrivateUse1", "abs"),
    ]
    for text in texts.values():
        wrappers = set(re.findall(r"TORCH_FN\((\w+)\)", text))
        assert wrappers == set(re.findall(r"Tensor (wrapper_\w+)\(", text))
        assert "CUDA" not in text


def test_an_operator_that_comes_changes_one_file() -> None:
    names = [f"op{number}" for number in range(40)]
    ops = [op(name, f"{name}_cuda") for name in names]
    before, after = emitted(*ops[:-1]), emitted(*ops)
    assert len(after) == emit.SHARDS["CUDA"]
    assert sum(before.get(name) != text for name, text in after.items()) == 1


@pytest.mark.parametrize(
    "stray",
    ["at::cuda::synchronize();", "c10::CUDAStream s;", "at::native::other_cuda(self);"],
)
def test_a_name_of_cuda_that_nobody_knows_is_an_error(stray: str) -> None:
    odd = ABS._replace(forms=(ABS.forms[0]._replace(definition=stray),))
    with pytest.raises(RegisterError, match="names of CUDA remain"):
        emitted(odd)


def test_a_generated_kernel_is_in_the_targets_names() -> None:
    text = (
        "struct CUDAFunctor_add {}; REGISTER_DISPATCH(add_stub, &add_kernel)\n"
        "void structured_ufunc_add_CUDA::impl() { add_kernel(); }\n"
    )
    naming = TargetNaming("toy", "TOY", "toy_runtime.h", "tuh")
    ((name, made),) = emit.ufunc_kernels([Ufunc("add", "add", text)], naming).items()
    assert name == "UfuncPrivateUse1_add.cu"
    assert "REGISTER_PRIVATEUSE1_DISPATCH(add_stub" in made
    assert made.index("#include <toy_runtime.h>") < made.index(
        "#include <ATen/native/toy/Loops.tuh>"
    )


# -- what sources ask, and what they do


def test_headers_that_ported_sources_include_are_found(tmp_path: Path) -> None:
    source = tmp_path / "a.cu"
    source.write_text("#include <ATen/ops/eq_toy_dispatch.h>\n#include <ATen/ops/eq_native.h>\n")
    assert source_scan.headers([tmp_path], {"eq"}, NAMING) == ["eq"]
    source.write_text("\n#include <ATen/ops/neq_toy_dispatch.h>\n")
    with pytest.raises(RegisterError, match=r"a\.cu:2: operator 'neq' has no kernel for CUDA"):
        source_scan.headers([tmp_path], {"eq"}, NAMING)


def test_sources_with_the_target_s_own_suffix_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.toy").write_text("#include <ATen/ops/eq_toy_dispatch.h>\n")
    assert source_scan.headers([tmp_path], {"eq"}, NAMING, {"toy"}) == ["eq"]
    assert source_scan.headers([tmp_path], {"eq"}, NAMING) == []


def test_what_the_glue_registers_is_found(tmp_path: Path) -> None:
    (tmp_path / "glue.cpp").write_text(
        'TORCH_LIBRARY_IMPL(aten, PrivateUse1, m) {\n  m.impl("sin.out", sin);\n'
        '  m.impl(TORCH_SELECTIVE_NAME("aten::abs"), TORCH_FN(abs));\n}\n'
        'TORCH_LIBRARY_IMPL(other, PrivateUse1, m) {\n  m.impl("cos", cos);\n}\n'
        'TORCH_LIBRARY_IMPL(aten, AutocastPrivateUse1, m) {\n  m.impl("tan", tan);\n}\n'
    )
    assert source_scan.by_hand([tmp_path]).keys() == {
        ("PrivateUse1", "sin.out"),
        ("PrivateUse1", "abs"),
        ("AutocastPrivateUse1", "tan"),
    }


# -- the rules' file


def test_mistakes_in_the_rules_are_told_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / registration.FILE
    path.write_text(
        'exclude:\n  - kernel: "a_*"\n    reasn: x\nplaced:\n  - {kernel: b, origin: mine, reason: c}\n'
    )
    with pytest.raises(MappingError) as caught:
        registration.read(path)
    said = str(caught.value)
    assert f"{registration.FILE}:3: unknown key 'reasn'" in said
    assert "did you mean 'reason'?" in said
    assert f"{registration.FILE}:5: 'origin'" in said


def test_operators_of_a_key_that_the_release_lacks_are_left_out() -> None:
    catalogue = CATALOGUE._replace(keys=("SparsePrivateUse1",))
    decisions = decide(catalogue, FACTS, RegistrationRules(), KEYS)
    assert {one.left for one in decisions} == {Unregistered.NO_KEY}
    assert decisions[0].detail == "c10/core/DispatchKey.h of the release has no PrivateUse1"
