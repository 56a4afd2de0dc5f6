"""Training examples on the device: losses as on the CPU, no fallback, and a picture of both curves."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
TRAIN = Path(__file__).resolve().parents[2] / "examples" / "train"


@pytest.mark.parametrize(("name", "steps"), [("mlp", 40), ("cnn", 20), ("transformer", 5)])
def test_the_device_learns_as_the_cpu_does(name: str, steps: int, tmp_path: Path) -> None:
    picture = tmp_path / f"{name}.png"
    command = [sys.executable, str(TRAIN / f"{name}.py"), "--steps", str(steps)]
    done = subprocess.run(
        [*command, "--picture", str(picture)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ops that fell back to the CPU: none" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_module_keeps_its_parameters_when_it_moves() -> None:
    """An optimizer may be made before the module moves, as with CUDA."""
    module = torch.nn.Linear(3, 4)
    weight = module.weight
    optimizer = torch.optim.SGD(module.parameters(), lr=1.0)
    module(torch.ones(2, 3)).sum().backward()
    for device in ("simt", "cpu", "simt"):
        module.to(device)
        assert module.weight is weight
        assert weight.device.type == weight.grad.device.type == device
    optimizer.zero_grad()
    before = weight.detach().cpu()
    module(torch.ones(2, 3, device="simt")).sum().backward()
    optimizer.step()
    torch.testing.assert_close(before - weight.detach().cpu(), torch.full((4, 3), 2.0))


def test_data_of_another_layout_is_refused() -> None:
    weight = torch.nn.Parameter(torch.ones(3, 3))
    with pytest.raises(RuntimeError, match="incompatible tensor type"):
        weight.data = torch.ones(3, 3, device="simt").to_sparse()
