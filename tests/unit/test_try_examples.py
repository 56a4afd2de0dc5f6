"""Runs of PyTorch's examples (`build_scripts/try_examples`): table, selection, data, time limit, use of the device."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import shlex
import struct
import tarfile
import zlib
from pathlib import Path
from types import ModuleType

import pytest

import as_cuda_run
import example_data

SCRIPTS = Path(__file__).parents[2] / "build_scripts"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("try_examples", str(SCRIPTS / "try_examples"))
    spec = importlib.util.spec_from_loader("try_examples", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def test_entries_are_different_runs(script: ModuleType) -> None:
    entries = script.examples()
    rows = [(one.program, one.arguments) for one in entries]
    assert len(set(rows)) == len(rows)
    for one in entries:
        assert all(shlex.split(line)[0].endswith(".py") for line in one.run)
        assert not (one.on_cpu and one.devices > 1)


def test_a_pattern_selects_programs_and_folders(script: ModuleType) -> None:
    known = [
        script.Example("mnist", ["main.py --epochs 1"]),
        script.Example("distributed/ddp", ["example.py"], devices=2, torchrun=True),
        script.Example("timm", ["train.py"]),
    ]

    def names(*patterns: str, with_timm: bool = True) -> list[str]:
        chosen = script.selected(known, patterns, with_timm=with_timm)
        return [one.program for one in chosen]

    assert names("*", with_timm=False) == ["mnist/main.py", "distributed/ddp/example.py"]
    assert names("mnist") == names("mnist*") == names("mnist/*epochs*") == ["mnist/main.py"]
    assert names("timm") == ["timm/train.py"]
    assert names("absent") == []
    assert names("timm", "mnist") == ["mnist/main.py", "timm/train.py"]


def test_a_program_may_need_a_newer_pytorch(script: ModuleType) -> None:
    assert script.older("2.6.0+cu124", "2.8")
    assert script.older("2.9.1", "2.10")
    assert not script.older("2.6.0+cu124", "2.6")
    assert not script.older("2.14.1", "2.8")


def test_torchrun_starts_a_process_for_each_device(script: ModuleType) -> None:
    one = script.Example("distributed/ddp", ["example.py 'a b'"], devices=2, torchrun=True)
    (command,) = one.commands()
    assert command[:2] == ["-m", "torch.distributed.run"]
    assert command[-3:] == ["--nproc_per_node=2", "example.py", "a b"]
    assert one.arguments == "`'a b'`, torchrun, 2 devices"
    assert script.Example("mnist", ["main.py"]).arguments == ""


def test_images_of_mnist_have_the_format_idx(tmp_path: Path) -> None:
    example_data.mnist(tmp_path, training=20, test=10)
    folder = tmp_path / "MNIST/raw"
    images = (folder / "train-images-idx3-ubyte").read_bytes()
    assert struct.unpack(">4I", images[:16]) == (2051, 20, 28, 28)
    assert len(images) == 16 + 20 * 28 * 28
    labels = (folder / "t10k-labels-idx1-ubyte").read_bytes()
    assert struct.unpack(">2I", labels[:8]) == (2049, 10)
    assert labels[8:] == bytes(range(10))


def test_image_is_a_png(tmp_path: Path) -> None:
    example_data.png(tmp_path / "one.png", 6, 4, seed=1)
    data = (tmp_path / "one.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    length, kind, width, height = struct.unpack(">I4sII", data[8:24])
    assert (length, kind, width, height) == (13, b"IHDR", 6, 4)
    place = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[place - 4 : place])
    assert len(zlib.decompress(data[place + 4 : place + 4 + length])) == 4 * (1 + 3 * 6)


def test_citations_name_papers(tmp_path: Path) -> None:
    example_data.cora(tmp_path, papers=30)
    lines = (tmp_path / "cora/cora.content").read_text().splitlines()
    papers = {line.split("\t")[0] for line in lines}
    assert len(papers) == 30
    assert len({len(line.split("\t")) for line in lines}) == 1
    for line in (tmp_path / "cora/cora.cites").read_text().splitlines():
        assert set(line.split("\t")) <= papers
    with tarfile.open(tmp_path / "cora.tgz") as archive:
        assert "cora/cora.cites" in archive.getnames()


def test_use_of_the_device_is_the_sum_over_the_processes() -> None:
    records = [
        {"allocations": 3, "on_cpu": {"aten::a": 1}},
        {"allocations": 4, "on_cpu": {"aten::a": 2, "aten::b": 1}},
    ]
    lines = "".join(json.dumps(one) + "\n" for one in records)
    assert as_cuda_run.device_use(lines) == (7, {"aten::a": 3, "aten::b": 1})
    assert as_cuda_run.device_use("") == (0, {})


TORCH = """
class cuda:
    is_initialized = staticmethod(lambda: True)
    device_count = staticmethod(lambda: 2)
    memory_stats = staticmethod(lambda device: {"allocation.all.allocated": 5})
class simt:
    metrics = staticmethod(lambda: {"aten::a": 1})
"""
"""Stand-in for the module torch."""


def outcome(
    folder: Path, *programs: str, limit: float = 60, uses_device: bool = True
) -> as_cuda_run.Outcome:
    (folder / "torch.py").write_text(TORCH)
    for number, program in enumerate(programs):
        (folder / f"{number}.py").write_text(program)
    commands = [[f"{number}.py"] for number in range(len(programs))]
    return as_cuda_run.run(
        commands, path=[folder], folder=folder, limit=limit, uses_device=uses_device
    )


def test_a_program_that_uses_the_device_passes(tmp_path: Path) -> None:
    found = outcome(tmp_path, "import torch")
    assert found.passed and found.on_cpu == {"aten::a": 1}


def test_a_process_of_multiprocessing_uses_the_device(tmp_path: Path) -> None:
    program = (
        "from multiprocessing import get_context\n"
        "def use():\n    import torch\n"
        "if __name__ == '__main__':\n"
        "    process = get_context('spawn').Process(target=use)\n"
        "    process.start(); process.join()\n"
    )
    assert outcome(tmp_path, program).passed


def test_a_program_without_use_of_the_device_fails(tmp_path: Path) -> None:
    found = outcome(tmp_path, "print('done')")
    assert found.result == "did not use the device" and found.output == "done\n"
    assert outcome(tmp_path, "print('done')", uses_device=False).passed


def test_one_failed_command_of_two_is_a_failure(tmp_path: Path) -> None:
    found = outcome(tmp_path, "import torch", "import torch; raise SystemExit(3)")
    assert found.result == "exit code 3"


def test_a_program_ends_at_the_time_limit(tmp_path: Path) -> None:
    program = "import subprocess; subprocess.run(['sleep', '100'])"
    found = outcome(tmp_path, program, limit=0.5)
    assert found.result.startswith("time limit") and found.seconds < 50
