"""Custom operators, built against the installed backend and run on it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples" / "own_ops"
SCHEMAS = (
    "scale(Tensor x, float factor=2.0) -> Tensor",
    "twice_(Tensor(a!) self) -> Tensor(a!)",
    "pair(Tensor x, Tensor? y=None, int[] sizes=[1,2]) -> (Tensor, Tensor)",
    "total(Tensor[] xs, *, str mode='sum') -> Tensor",
    "add_to(Tensor(a!) total, Tensor x) -> ()",
    # Names that what is generated has, too.
    "odd(Tensor handle, float name=1.0, Tensor? history=None, int calls=1, Scalar scalar=1, int device=2) -> Tensor",
)


def porter(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "porter", "op", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def replace(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


def test_the_examples(tmp_path: Path) -> None:
    """Eager, with gradients, compiled, exported; and torch.library.opcheck."""
    shutil.copytree(EXAMPLES, tmp_path / "own_ops", ignore=shutil.ignore_patterns("build"))
    done = porter("test", "own_ops", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b[1-9]\d passed\b", done.stdout)
    # Every operator is called.
    assert "no test calls" not in done.stderr


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """New project, built."""
    folder = tmp_path_factory.mktemp("begun")
    schemas = [word for schema in SCHEMAS for word in ("--schema", schema)]
    done = porter("new", "my_ops", *schemas, folder=folder)
    assert done.returncode == 0, done.stderr
    built = porter("build", "my_ops", "--json", folder=folder)
    assert built.returncode == 0, built.stderr
    return folder / "my_ops"


@pytest.fixture
def project(begun: Path) -> Iterator[Path]:
    """The new project, for changes that are reverted: a copy in another folder would be compiled anew."""
    kept = {place: place.read_bytes() for place in (begun / "ops.yaml", begun / "csrc/kernels.cu")}
    yield begun
    for place, data in kept.items():
        place.write_bytes(data)


def test_a_project_that_was_begun_passes_its_tests(begun: Path) -> None:
    done = porter("test", folder=begun)
    assert done.returncode == 0, done.stdout + done.stderr
    # Four dtypes, graphs with sizes that change and without, and all that opcheck asks.
    assert f"{7 * len(SCHEMAS)} passed" in done.stdout
    assert "warning: no test calls odd.out, pair.out, scale.out, total.out\n" in done.stderr
    # Nothing is made a second time, and the package holds nothing of entries that were there before.
    old = begun / "build/simt/python/my_ops/old.py"
    old.write_text("")
    assert '"made": 0' in porter("build", "--json", folder=begun).stdout
    assert not old.exists()


USE = """
import numpy, plain, pytest, torch
import torch.autograd.forward_ad as forward

x = torch.ones(2, device="simt")
double = torch.compile(lambda x: plain.scale(x + 1) + 1, backend="eager")
assert torch.equal(double(x).cpu(), torch.full((2,), 5.0))
assert plain.twice_(x) is x and plain.calls()["twice_"] == 1
# What is written is known to autograd, and what it cannot follow is refused.
weight = torch.ones(2, device="simt", requires_grad=True)
product = weight * x
plain.twice_(x)
with pytest.raises(RuntimeError, match="modified by an inplace operation"):
    product.sum().backward()
with forward.dual_level(), pytest.raises(NotImplementedError, match="forward-mode"):
    plain.scale(forward.make_dual(x, x))
with pytest.raises(RuntimeError, match="expected tensors on simt, found tensors on cpu"):
    plain.scale(torch.ones(2))
with torch.inference_mode():
    plain.twice_(torch.ones(2, device="simt"))
for number in (2, 2.5, True, 1j, numpy.float32(2.5), numpy.int8(3)):
    plain.odd(x, scalar=number)
for other in ("2", None, 2**70, torch.tensor(2)):
    with pytest.raises(TypeError):
        plain.odd(x, scalar=other)
"""


def test_functions_of_pybind11(tmp_path: Path) -> None:
    schemas = [word for schema in SCHEMAS for word in ("--schema", schema)]
    done = porter("new", "plain", "--binding", "pybind11", *schemas, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    done = porter("test", "plain", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    # Four dtypes, and a tensor that requires grad.
    assert f"{5 * len(SCHEMAS)} passed" in done.stdout
    assert "no test calls" not in done.stderr
    (tmp_path / "use.py").write_text(USE)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "plain/build/simt/python")}
    done = subprocess.run(
        [sys.executable, tmp_path / "use.py"], env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_it_is_typed(begun: Path, tmp_path: Path) -> None:
    use = tmp_path / "use.py"
    use.write_text(
        "import my_ops, torch\n"
        "x = torch.ones(2)\n"
        "reveal_type(my_ops.pair(x, None, [1]))\n"
        "reveal_type(my_ops.total([x], mode='sum', out=x))\n"
        "my_ops.scale(x, factor='two')\n"
    )
    command = [sys.executable, "-m", "mypy", "--no-incremental", "--hide-error-context", str(use)]
    environment = {"MYPYPATH": str(begun / "build" / "simt" / "python"), "PATH": ""}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert re.findall(r'"(tuple\[.*?\]|torch.*?)"', done.stdout) == [
        "tuple[torch._tensor.Tensor, torch._tensor.Tensor]",
        "torch._tensor.Tensor",
    ]
    assert 'has incompatible type "str"; expected "float"' in done.stdout


def test_names_that_the_project_declares_stay(project: Path) -> None:
    """As in `porter port`: a name that resembles CUDA's belongs to the project that declares it."""
    source = project / "csrc/kernels.cu"
    source.write_text(
        source.read_text() + "\nconstexpr int cudaStepsOfOurs = 3, cublasWidth = 4;\n"
    )
    done = porter("build", "my_ops", folder=project.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    ported = project / "build/simt/port/src/kernels.cu"
    assert "constexpr int cudaStepsOfOurs = 3, cublasWidth = 4;" in ported.read_text()


def test_a_kernel_that_is_not_there_is_told_with_the_entry(project: Path) -> None:
    replace(project / "csrc/kernels.cu", "at::Tensor total(", "at::Tensor totals(")
    replace(project / "csrc/kernels.cu", "pair(const at::Tensor & x,", "pair(at::Tensor x,")
    done = porter("build", "my_ops", folder=project.parent)
    assert done.returncode == 6
    wanted = "no source of csrc defines at::Tensor my_ops::total(at::TensorList xs"
    assert re.search(rf"my_ops/ops\.yaml:\d+: {re.escape(wanted)}", done.stderr)
    # One of that name is there, and otherwise.
    assert (
        "help: correct the signature of my_ops::pair(at::Tensor, std::optional<at::Tensor> const&"
        in done.stderr
    )


def test_a_fake_kernel_that_disagrees_is_told_with_the_entry(project: Path) -> None:
    replace(project / "ops.yaml", 'shape: "x.shape"', 'shape: "x.shape[:1]"')
    done = porter("test", "my_ops", folder=project.parent)
    assert done.returncode == 6
    said = "my_ops::scale: the fake kernel gives number of dimensions 1, the real kernel gives 2"
    assert re.search(rf"my_ops/ops\.yaml:\d+: {said}", done.stderr)


def test_what_does_not_compile_is_told_with_the_users_line(project: Path) -> None:
    source = project / "csrc/kernels.cu"
    replace(source, "out[i] = in[i] + in[i];", "out[i] = in[i] + im[i];")
    line = source.read_text()[: source.read_text().index("im[i]")].count("\n") + 1
    done = porter("build", "my_ops", folder=project.parent)
    assert done.returncode == 7
    assert f"error: csrc/kernels.cu:{line}: csrc/kernels.cu could not be built" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (
            ["new", "My-Ops", "--schema", SCHEMAS[0]],
            2,
            "'My-Ops' is not a valid name for a project",
        ),
        (["new", "ops", "--schema", "scale(Tensr x) -> Tensor"], 2, "the schema does not parse"),
        (
            ["new", "json", "--schema", SCHEMAS[0]],
            2,
            "'json' is already used by PyTorch, Python or C++",
        ),
        (["new", "ops", "--schema", "class(Tensor x) -> Tensor"], 2, "'class' is a reserved word"),
        (
            ["new", "ops", "--binding", "pybind11", "--schema", "f.a(Tensor x) -> Tensor"],
            2,
            "an overload or `out` variant must be added in ops.yaml",
        ),
        (["new", "ops", "--schema", "now() -> Tensor"], 2, "it has no tensor to compute from"),
        (["new", "ops", "--schema", "size(Tensor x) -> int"], 2, "its result has the type int"),
        (["build", "nowhere"], 4, "no ops.yaml in this folder"),
        (["build", "nowhere", "--target", "acne"], 2, "acne"),
    ],
)
def test_bad_input(tmp_path: Path, arguments: list[str], code: int, says: str) -> None:
    done = porter(*arguments, folder=tmp_path)
    assert (done.returncode, "Traceback" in done.stderr) == (code, False), done.stderr
    assert says in done.stderr
