"""A vendor's library of neural network layers with one group: it computes its layers, and others compute the rest."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from process import run
from repository import ROOT

from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.port import backend_sources

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

EXAMPLE = ROOT / "examples/dnn_library/BatchNorm.cpp"
PROGRAM = """
import ctypes, torch, torch_simt
ctypes.CDLL(%r)
dnn = torch.simt.dnn
assert dnn.libraries() == ["columns", "host", "simtdnn"]
assert dnn.groups("simtdnn") == ["batch_norm"]

def computed(kind, library, layer, *shape):
    torch.manual_seed(0)
    given = torch.randn(*shape)
    results = []
    for device in ("cpu", "simt"):
        torch.manual_seed(1)
        module = layer().to(device)
        leaf = given.detach().to(device).requires_grad_()
        before = dnn.calls()[kind].get(library)
        result = module(leaf)
        result = result[0] if isinstance(result, tuple) else result
        (result * torch.linspace(0.5, 1.5, result.numel()).to(device).reshape(result.shape)).sum().backward()
        after = dnn.calls()[kind].get(library)
        found = [result, leaf.grad, *(p.grad for p in module.parameters()), *module.buffers()]
        results.append([tensor.detach().cpu() for tensor in found])
    assert after == before + 1, (kind, library, before, after)
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-4)

with dnn.use("simtdnn"):
    computed("batch_norm", "simtdnn", lambda: torch.nn.BatchNorm2d(3), 4, 3, 5, 2)
    computed("batch_norm", "simtdnn", lambda: torch.nn.BatchNorm1d(3, momentum=None), 4, 3)
    computed("batch_norm", "pytorch", lambda: torch.nn.BatchNorm2d(3, affine=False), 4, 3, 5, 2)
    computed("batch_norm", "pytorch", lambda: torch.nn.BatchNorm2d(3).eval(), 4, 3, 5, 2)
    computed("convolution", "columns", lambda: torch.nn.Conv2d(3, 2, 3), 4, 3, 5, 5)
    computed("recurrent", "pytorch", lambda: torch.nn.GRU(3, 2), 4, 2, 3)
    computed("attention", "pytorch", lambda: torch.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0), 3, 2, 4)
print("passed")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, built for target simt as a library that a program loads after the backend."""
    folder = tmp_path_factory.mktemp("dnn")
    rules = rule_cache.rule_set(MappingLibrary.find(()), "simt", "2.6.0")
    backend_sources.port(rules, "", folder / "backend")
    source = folder / "BatchNorm.cpp"
    source.write_text(EXAMPLE.read_text().replace("acme", "simt"))
    import torch_simt
    from torch.utils import cpp_extension

    kernels = Path(torch_simt.__file__).parent / "lib/libtorch_simt_kernels.so"
    command = [
        *("g++", "-std=c++17", "-O1", "-shared", "-fPIC", "-fvisibility=hidden"),
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch._C._GLIBCXX_USE_CXX11_ABI)}",
        *(f"-I{place}" for place in (folder / "backend/src/csrc", *cpp_extension.include_paths())),
        *(str(source), "-o", str(folder / "dnn.so"), str(kernels)),
        *(f"-L{place}" for place in cpp_extension.library_paths()),
        *("-ltorch_cpu", "-lc10", "-Wl,--allow-shlib-undefined"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "dnn.so"


@pytest.mark.slow
def test_the_example_computes_batch_normalization_only(built: Path) -> None:
    assert run(PROGRAM % str(built)).strip() == "passed"
