"""Kernels that replace PyTorch's kernels: some come from a user's project, others from the target's `ops.yaml`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch

EXAMPLES = Path(__file__).parents[2] / "examples" / "replaced_ops"


def porter(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "porter", "op", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("replaced") / "replaced_ops"
    shutil.copytree(EXAMPLES, folder, ignore=shutil.ignore_patterns("build"))
    return folder


def test_the_examples(project: Path) -> None:
    done = porter("test", "replaced_ops", folder=project.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no test calls" not in done.stderr
    # PyTorch warns of kernels that come in the place of others, where that was not asked for.
    assert "Overriding a previously registered kernel" not in done.stdout + done.stderr


def test_what_was_replaced_is_listed(project: Path) -> None:
    done = porter("build", "replaced_ops", "--json", folder=project.parent)
    assert done.returncode == 0, done.stderr
    assert "replaced_ops/ops.yaml:17: other variants stay unchanged: nonzero.out" in done.stderr
    said = json.loads(done.stdout)
    assert said["replaced"] == ["flip", "gelu", "gelu.out", "gelu_", "triu", "triu.out", "triu_"]
    assert (said["excluded"], said["fallback"]) == (["mode"], ["nonzero"])


def test_a_kernel_that_is_not_there_is_told_with_the_entry(project: Path) -> None:
    source = project / "csrc/kernels.cu"
    kept = source.read_text()
    source.write_text(kept.replace("at::Tensor flip(const", "at::Tensor flipped(const"))
    try:
        done = porter("build", "replaced_ops", folder=project.parent)
    finally:
        source.write_text(kept)
    assert done.returncode == 6
    wanted = "no source of csrc defines at::Tensor replaced_ops::flip(const at::Tensor & self"
    assert f"replaced_ops/ops.yaml:5: {wanted}" in done.stderr


def test_entries_without_kernels_need_no_sources(tmp_path: Path) -> None:
    project = tmp_path / "excluded_ops"
    project.mkdir()
    text = "namespace: excluded_ops\nexclude:\n  - {op: mode, reason: the test wants an error}\n"
    (project / "ops.yaml").write_text(text)
    done = porter("build", "excluded_ops", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    code = (
        "import torch, excluded_ops\n"
        "try: torch.ones(3, device='simt').mode()\n"
        "except NotImplementedError as error: print(error)\n"
    )
    python = project / "build/simt/python"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(python)},
    )
    assert "the test wants an error" in run.stdout, run.stderr


# -- simt's own


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.complex64, torch.complex128])
@pytest.mark.parametrize("shape", [(5, 5), (2, 3, 4, 4), (0, 0), (3, 0, 0)])
def test_eigenvalues_of_general_matrices(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    torch.manual_seed(0)
    a = torch.randn(shape, dtype=dtype, device="simt")
    torch.simt.reset_metrics()
    values, vectors = torch.linalg.eig(a)
    assert not torch.simt.metrics()
    assert (values.shape, vectors.shape) == (shape[:-1], shape)
    assert vectors.dtype == values.dtype == torch.linalg.eig(a.cpu())[0].dtype
    torch.testing.assert_close(a.to(values.dtype) @ vectors, vectors * values.unsqueeze(-2))
    torch.testing.assert_close(torch.linalg.eigvals(a), values)
    out = (torch.empty(0, dtype=values.dtype, device="simt") for _ in range(2))
    for found, expected in zip(torch.linalg.eig(a, out=tuple(out)), (values, vectors), strict=True):
        assert torch.equal(found, expected)


def test_gradients_go_through_them() -> None:
    torch.manual_seed(1)
    a = torch.randn(4, 4, dtype=torch.float64, device="simt", requires_grad=True)
    assert torch.autograd.gradcheck(lambda a: torch.linalg.eigvals(a).abs(), a)


def test_what_cannot_be_decomposed_is_an_error() -> None:
    a = torch.eye(3, device="simt")
    with pytest.raises(RuntimeError, match=r"torch\.linalg\.eig: input tensor should not contain"):
        torch.linalg.eig(a / 0)
    with pytest.raises(torch.linalg.LinAlgError, match=r"linalg\.eigvals: The algorithm failed"):
        torch.linalg.eigvals(a / 0)
    with pytest.raises(RuntimeError, match="must be batches of square matrices"):
        torch.linalg.eig(a[:2])
    with pytest.raises(RuntimeError, match="eigenvalues"):
        torch.linalg.eigvals(a, out=torch.empty(3, device="simt"))


def test_they_count_their_calls() -> None:
    torch.simt.ops.reset_calls()
    torch.linalg.eig(torch.eye(2, device="simt"))
    assert torch.simt.ops.calls()["aten::linalg_eig"] == 1
