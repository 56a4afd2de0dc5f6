"""Contents of an ops.yaml, and all its possible errors with their lines."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from porter.base.errors import MappingError
from porter.custom_ops.read import FILE, read
from porter.model.custom_ops import (
    Backward,
    FakeResult,
    MetaSource,
    OwnOps,
    PythonFunction,
    VariantKind,
)
from porter.register import catalogue

KNOWN = ("add.out", "gelu", "abs.out", "sgn", "sgn.out", "sgn_", "nonzero", "view")
GOOD = """\
namespace: acme
custom:
  - schema: scale(Tensor self, float factor=2.0) -> Tensor
    kernel: acme::scale
    fake: {like: self}
    autograd: {backward: "scale_backward(grad, factor)", gradients: [self]}
    doc: Every element times a factor.
  - schema: scale_backward(Tensor grad, float factor) -> Tensor
    kernel: acme::scale_backward
    fake: {like: grad}
    expose: no
  - schema: scale_(Tensor(a!) self, float factor) -> Tensor(a!)
    kernel: {PrivateUse1: acme::scale_, CPU: acme::scale_cpu_}
    functional: scale
  - schema: pairs(Tensor x, Tensor? y, SymInt n) -> (Tensor, Tensor)
    kernel: acme::pairs
    fake: [{like: x, shape: "[x.size(0), n]"}, {like: x, shape: "[n]", dtype: int64}]
  - schema: rows(Tensor x) -> Tensor
    kernel: acme::rows
    fake: {python: "fakes.py:rows"}
override:
  - {op: gelu, kernel: "acme::gelu"}
  - {op: sgn.out, kernel: "acme::sgn_out", meta: upstream}
exclude:
  - {op: nonzero, reason: the device has no order}
fallback:
  - {op: add.out, reason: the CPU is faster}
"""


@pytest.fixture
def torchgen(release_tree: Path) -> catalogue.TorchgenSource:
    return catalogue.in_tree(release_tree)


def parsed(folder: Path, torchgen: catalogue.TorchgenSource, text: str) -> OwnOps:
    (folder / "fakes.py").write_text("def rows(x):\n    return x\n")
    (folder / FILE).write_text(text)
    with contextlib.chdir(folder):
        return read(Path(FILE), torchgen, KNOWN)


@pytest.mark.release
def test_everything_that_a_file_may_say(tmp_path: Path, torchgen: catalogue.TorchgenSource) -> None:
    ops = parsed(tmp_path, torchgen, GOOD)
    scale, backward, scale_, pairs, rows, *made = ops.custom
    assert ops.namespace == "acme"
    assert [(a.name, a.type, a.default) for a in scale.signature.arguments] == [
        ("self", "Tensor", None),
        ("factor", "float", "2.0"),
    ]
    assert scale.kernels == {"PrivateUse1": "acme::scale"}
    assert scale.autograd == Backward("scale_backward", ("grad", "factor"), ("self",))
    assert (scale.expose, backward.expose) == (True, False)
    assert scale.place == f"{FILE}:3"
    # What changes its argument gives nothing new that could look like anything.
    assert (scale_.signature.name, scale_.fake, scale_.functional) == ("scale_", None, "scale")
    assert [argument.name for argument in scale_.signature.written] == ["self"]
    assert pairs.fake == (FakeResult("x", "[x.size(0), n]"), FakeResult("x", "[n]", "int64"))
    assert rows.fake == PythonFunction(Path("fakes.py"), "rows")
    # The form in place is written; what is not exposed has no other forms.
    assert [(one.signature.full_name, one.made, one.made_of) for one in made] == [
        ("scale.out", VariantKind.OUT, "scale"),
        ("pairs.out", VariantKind.OUT, "pairs"),
        ("rows.out", VariantKind.OUT, "rows"),
    ]
    assert [(one.op, one.meta) for one in ops.override] == [
        ("gelu", None),
        ("sgn.out", MetaSource.UPSTREAM),
    ]
    assert [one.op for one in (*ops.exclude, *ops.fallback)] == ["nonzero", "add.out"]


MISTAKES = [
    ("float factor=2.0) -> Tensor", "flaot factor) -> Tensor", 3, "does not parse: unrecognized type flaot"),
    ("float factor=2.0", "float self=2.0", 3, "duplicate argument 'self'"),
    ("fake: {like: self}", "fake: {like: slef}", 5, "'slef' is not a tensor argument"),
    ("fake: {like: self}", "autogard: none", 5, "unknown key 'autogard'"),
    ("    fake: {like: grad}\n", "", 8, "the entry does not describe the result of 'scale_backward'"),
    ("scale_backward(grad, factor)", "scale_bakward(grad, factor)", 6, "'scale_bakward' is not an operator"),
    ("scale_backward(grad, factor)", "scale_backward(grad, fator)", 6, "'fator' is not an argument of 'scale'"),
    ("gradients: [self]", "gradients: [self, factor]", 6, "results of 'scale_backward' is 1, but `gradients` names 2"),
    ("functional: scale", "functional: scales", 14, "'scales' is not an operator of this file"),
    ('shape: "[x.size(0), n]"', 'shape: "[x.size(0), m]"', 17, "'m' is not an argument of 'pairs'"),
    ('shape: "[x.size(0), n]"', 'shape: "[x.size(0), "', 17, "the shape is not a Python expression: [x.size(0),"),
    ("dtype: int64}]", "dtype: int64}, {like: x}]", 17, "'pairs' has 2 new results, but 3 are described"),
    ("acme::pairs", "pairs", 16, "'pairs' is not a C++ function with its namespace"),
    ("CPU: acme::scale_cpu_", "CPUU: acme::scale_cpu_", 13, "'CPUU' is not a dispatch key for a kernel"),
    ("rows(Tensor x) -> Tensor", "rows(Tensor(a) x) -> Tensor(a)", 18, "the result is a view of 'x'"),
    ("Tensor x, Tensor? y", "Tensor x_, Tensor? y", 15, "'x_' ends in _"),
    ("float factor=2.0) -> Tensor", "float factor=2.0) -> int", 6, "gradient of a result of type int"),
    ("-> Tensor(a!)", "-> ()", 12, "the schema does not parse"),
    ("namespace: acme", "namespace: my-ops", 1, "'my-ops' cannot be a namespace"),
    ("Tensor x, Tensor? y", "Tensor x, Tensor? lambda", 15, "'lambda' is a reserved word"),
    ("Tensor x, Tensor? y", "Tensor x, Tensor?[] y", 15, "'y' is a list of optional tensors"),
    ("(grad, factor)", "(grad1, factor)", 6, "'grad1' does not exist: the number of results of 'scale' is 1"),
    ("self, float factor=2.0", "self, str? factor=None", 6, "'factor' is a str?, which autograd cannot save"),
    ("-> (Tensor, Tensor)", "-> (Tensor, Tensor[])", 17, "`like` describes only results of type Tensor"),
    ("fakes.py:rows", "fakes.py:row", 20, "fakes.py has no function 'row'"),
    ("fakes.py:rows", "fake.py:rows", 20, "fake.py cannot be read: No such file or directory"),
    ("op: gelu", "op: gleu", 22, "PyTorch has no operator 'gleu'"),
    ("op: nonzero", "op: gelu", 25, f"two entries for 'gelu'; the first is at {FILE}:22"),
    ("op: sgn.out", "op: sgn", 23, "'sgn' has no kernel of its own: it uses the kernel of another form"),
    ("op: sgn.out", "op: abs.out", 23, "'abs.out' is not structured"),
    ("op: nonzero", "op: sgn_", 25, f"'sgn_' has another entry at {FILE}:23"),
    ("acme::gelu", "gelu", 22, "'gelu' is not a C++ function with its namespace"),
    ("op: gelu", "op: add", 22, "PyTorch has no operator 'add'"),
    ("op: add.out, reason: the CPU is faster", "op: view, reason: x", 27, "'view' returns a view"),
    ("acme::gelu", "acme::gelu_symint", 22, "'gelu' has no SymInt arguments"),
    ("acme::gelu", "acme::class", 22, "'class' is a reserved word in C++"),
    ("namespace: acme", "namespace: torch", 1, "'torch' is already used by PyTorch, Python or C++"),
    ("Tensor x, Tensor? y", "Tensor x, Tensor? int", 15, "'int' is a reserved word"),
    ("rows(Tensor x) -> Tensor", "rows(Tensor x) -> str", 18, "a result of type str is not supported"),
    ("schema: rows(Tensor x)", "schema: scale(Tensor x)", 18, f"two entries for 'scale'; the first is at {FILE}:3"),
]  # fmt: skip


@pytest.mark.release
@pytest.mark.parametrize(("good", "bad", "line", "says"), MISTAKES)
def test_mistakes_are_told_with_their_lines(
    tmp_path: Path, torchgen: catalogue.TorchgenSource, good: str, bad: str, line: int, says: str
) -> None:
    assert GOOD.count(good) == 1
    with pytest.raises(MappingError) as caught:
        parsed(tmp_path, torchgen, GOOD.replace(good, bad))
    found = [(problem.place, problem.text) for problem in caught.value.problems]
    assert any(place == f"{FILE}:{line}" and says in text for place, text in found), found


@pytest.mark.release
def test_forms_that_follow_from_one(tmp_path: Path, torchgen: catalogue.TorchgenSource) -> None:
    text = """\
namespace: acme
custom:
  - schema: scale(Tensor self, *, float factor=2.0, int[2] by=[1,2]) -> Tensor
    kernel: acme::scale
    fake: {like: self}
  - schema: split(Tensor self, SymInt n=2) -> (Tensor low, Tensor high)
    kernel: acme::split
    fake: [{like: self}, {like: self}]
  - schema: add.Scalar(Tensor self, Scalar other) -> Tensor
    kernel: acme::add
    fake: {like: self}
  - schema: fill_(Tensor(a!) self, Tensor? value=None) -> Tensor(a!)
    kernel: acme::fill
    functional: made
  - schema: swap(Tensor(a!) x, Tensor(b!) y) -> ()
    kernel: acme::swap
    functional: made
  - schema: taken(Tensor x, Tensor out) -> Tensor
    kernel: acme::taken
    fake: {like: x}
  - schema: alone(Tensor self) -> Tensor
    kernel: acme::alone
    fake: {like: self}
    forms: no
"""
    made = [one.signature.text for one in parsed(tmp_path, torchgen, text).custom if one.made]
    assert made == [
        "scale.out(Tensor self, *, float factor=2.0, int[2] by=[1,2], Tensor(a!) out) -> Tensor(a!)",
        "scale_(Tensor(a!) self, *, float factor=2.0, int[2] by=[1,2]) -> Tensor(a!)",
        "split.out(Tensor self, SymInt n=2, *, Tensor(a!) low, Tensor(b!) high) -> (Tensor(a!), Tensor(b!))",
        "add.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)",
        "fill(Tensor self, Tensor? value=None) -> Tensor",
        "swap_functional(Tensor x, Tensor y) -> (Tensor, Tensor)",
    ]


@pytest.mark.release
def test_functions_have_nothing_that_takes_the_dispatcher(
    tmp_path: Path, torchgen: catalogue.TorchgenSource
) -> None:
    with pytest.raises(MappingError) as caught:
        parsed(tmp_path, torchgen, GOOD.replace("namespace", "binding: pybind11\nnamespace"))
    found = [(problem.place, problem.text.split()[0]) for problem in caught.value.problems]
    assert found == [
        (f"{FILE}:6", "'fake'"),
        (f"{FILE}:7", "'autograd'"),
        (f"{FILE}:11", "'fake'"),
        (f"{FILE}:14", "'kernel'"),
        (f"{FILE}:15", "'functional'"),
        (f"{FILE}:18", "'fake'"),
        (f"{FILE}:21", "'fake'"),
        (f"{FILE}:22", "'override'"),
        (f"{FILE}:25", "'exclude'"),
        (f"{FILE}:27", "'fallback'"),
    ]
    text = """\
binding: pybind11
namespace: acme
custom:
  - {schema: "f(Tensor x) -> Tensor", kernel: "acme::f"}
  - {schema: "g(Tensor x, Layout? y) -> Tensor", kernel: "acme::g"}
"""
    with pytest.raises(MappingError, match=r"ops\.yaml:5: pybind11 does not support Layout"):
        parsed(tmp_path, torchgen, text)
    ops = parsed(tmp_path, torchgen, text.replace("Layout?", "int?"))
    # No forms are made of it.
    assert [op.signature.full_name for op in ops.custom] == ["f", "g"]


@pytest.mark.release
def test_entries_may_stand_in_one_line(tmp_path: Path, torchgen: catalogue.TorchgenSource) -> None:
    entries = "exclude: [{op: gelu, reason: a}, {op: nonzero, reason: b}]\nfallback: [{op: sgn, reason: c}]"
    ops = parsed(tmp_path, torchgen, f"namespace: acme\n{entries}\n")
    assert [(one.op, one.reason) for one in ops.about_upstream] == [
        ("gelu", "a"),
        ("nonzero", "b"),
        ("sgn", "c"),
    ]
    # Each has the family of its own operator.
    assert [set(one.family.others) for one in ops.fallback] == [{"sgn_", "sgn.out"}]


@pytest.mark.release
def test_all_mistakes_are_told_at_once(tmp_path: Path, torchgen: catalogue.TorchgenSource) -> None:
    text = GOOD.replace("like: self", "like: slef").replace("gelu,", "gleu,")
    with pytest.raises(MappingError) as caught:
        parsed(tmp_path, torchgen, text)
    assert [problem.help for problem in caught.value.problems] == [
        "did you mean 'self'?",
        "did you mean 'gelu'?",
    ]
