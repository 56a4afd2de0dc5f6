"""Build contract of a port, as JSON and for make, setuptools and CMake."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from workshop import write_files

from porter.cli.main import call

PROJECT = {
    "src/sum.cu": "#include <cublas_v2.h>\n#if CUDA_VERSION >= 12000\n__global__ void k() {}\n#endif\n",
    "CMakeLists.txt": "project(sum LANGUAGES CUDA)\nadd_executable(sum src/sum.cu)\n",
}


@pytest.fixture
def contract(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folder of the contract of a port to hip."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path / "project", PROJECT)
    assert call(["port", "project", "--target", "hip", "--out", "ported"]) == 0
    return tmp_path / "ported/hip/contract"


def test_json_states_flags_files_macros_and_libraries(contract: Path) -> None:
    data = json.loads((contract / "contract.json").read_text())
    assert data["schema"] == 1
    assert data["compiler"] == "hipcc"
    assert data["device_flags"][-2:] == ["-include", "hip/hip_runtime.h"]
    assert "-lhipblas" in data["link"]
    assert data["files"] == {"src/sum.cu": "src/sum.hip"}
    assert data["macros"]["CUDA_VERSION"] == "HIP_COMPAT_VERSION"
    assert "cublas" in data["libraries"]
    assert data["unsupported_libraries"]["cupti"].startswith("ROCm traces with")
    assert "#define HIP_COMPAT_VERSION 603\n" in (contract / "hip_compat.h").read_text()


def test_make_and_setuptools_see_the_same_flags(contract: Path, tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(
        "include ported/hip/contract/contract.mk\nall:\n\t@echo $(HIP_PORT_CXX) $(HIP_PORT_FLAGS) $(HIP_PORT_LIBS)\n"
    )
    said = subprocess.run(
        ["make", "-s"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    data = json.loads((contract / "contract.json").read_text())
    words = said.split()
    assert words[0] == "hipcc"
    assert set(data["device_flags"]) | set(data["link"]) < set(words)
    place: dict[str, object] = {"__file__": str(contract / "contract.py")}
    exec((contract / "contract.py").read_text(), place)
    arguments = place["extension_arguments"]()  # type: ignore[operator]
    assert arguments["extra_link_args"] == data["link"]
    assert arguments["extra_compile_args"][-1] == str(contract / "hip_compat.h")
    (source,) = place["sources"](["src/sum.cu"])  # type: ignore[operator]
    assert Path(source).is_file()


def test_a_second_port_keeps_an_equal_contract(contract: Path) -> None:
    before = {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in contract.iterdir()
    }
    assert call(["port", "project", "--target", "hip", "--out", "ported"]) == 0
    (contract.parents[2] / "project/src/sum.cu").write_text("int x;\n")
    assert call(["port", "project", "--target", "hip", "--out", "ported"]) == 0
    after = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in contract.iterdir()}
    assert before == after
    assert set(after) == {
        "contract.json",
        "contract.mk",
        "contract.py",
        "hip_compat.h",
        "hip_port-config.cmake",
    }
