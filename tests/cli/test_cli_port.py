"""`porter port`: any CUDA source, by the command line."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from extension import PORTED_SCALE, files, port_to_toy, write_extension
from repository import TEST_DATA, TEST_MAPPINGS
from workshop import UPSTREAM, write_files

from porter.cpp.lex import decode
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.port.cuda_project import Moves
from porter.port.select import select
from porter.port.stage import plan_of
from porter.rewrite.kinds import include
from porter.rewrite.source import Source

PROGRAMS = TEST_DATA / "cases" / "programs"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `porter port` in its own folder, to `out`; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)

    def port(*args: str | Path) -> tuple[int, str, str]:
        code = port_to_toy(*args)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return port


@pytest.fixture
def extension(tmp_path: Path) -> Path:
    return write_extension(tmp_path / "extension")


# -- what is made


def test_an_extension(run: Run, extension: Path, tmp_path: Path) -> None:
    code, out, err = run("extension")
    assert (code, err) == (0, "")
    made = files(tmp_path / "out/toy/src")
    assert sorted(made) == [
        "csrc/bind.cpp",
        "csrc/cuda_helpers.h",
        "csrc/include/ext/launch.tyh",
        "csrc/include/ext/math.tyh",
        "csrc/scale.ty",
        "ext/__init__.py",
        "ext/weights.bin",
        "setup.py",
    ]
    assert made["csrc/scale.ty"].decode() == PORTED_SCALE
    for untouched in ("setup.py", "ext/__init__.py", "ext/weights.bin", "csrc/bind.cpp"):
        assert made[untouched] == (extension / untouched).read_bytes()
    assert "5 ported, 3 copied unchanged" in out
    line = PORTED_SCALE[: PORTED_SCALE.index("cudaFrobnicate")].count("\n") + 1
    assert f"foreign cudaFrobnicate (csrc/scale.ty:{line})" in out
    assert "scale.cu (renamed), CUDAExtension" in out


def test_the_json_of_an_extension(run: Run, extension: Path) -> None:
    code, out, _ = run("extension", "--json")
    data = json.loads(out)
    assert code == 0
    assert (data["schema"], data["target"], data["release"]) == (1, "toy", "2.6.0")
    assert data["files"] == {
        "selected": 8,
        "ported": 5,
        "copied": 3,
        "written": 8,
        "unchanged": 0,
    }
    assert data["residue"]["unmapped"] == 0
    assert [word["name"] for word in data["words"]["foreign"]] == ["cudaFrobnicate"]
    assert [word["name"] for word in data["words"]["own"]] == ["scale_cuda"]
    # The names of functions stay, so that Python's calls of them are no news.
    assert data["by_hand"] == [
        {"path": "setup.py", "words": ["CUDAExtension"], "renamed": ["scale.cu"]}
    ]
    assert {"path": "ext/weights.bin", "reason": "binary"} in data["copied"]
    report = json.loads(Path("out/toy/report.json").read_text())
    assert report["by_hand"] == data["by_hand"]
    assert "cudaFrobnicate" in Path("out/toy/report.md").read_text()


def test_a_ported_program_runs(run: Run, tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if not compiler:
        pytest.skip("no C++ compiler")
    code, _, _ = run(PROGRAMS / "vector_add.cu")
    assert code == 0
    source = tmp_path / "out/toy/src/vector_add.ty"
    command = [compiler, "-std=c++17", "-Wall", "-Werror", f"-I{PROGRAMS}", "-x", "c++"]
    subprocess.run([*command, str(source), "-o", str(tmp_path / "vector_add")], check=True)
    done = subprocess.run([tmp_path / "vector_add"], capture_output=True, text=True, check=True)
    assert done.stdout == "the sums are right\n"


def test_hazards_and_shared_memory_of_a_program(run: Run) -> None:
    code, out, _ = run(PROGRAMS / "reduce.cu", "--json")
    data = json.loads(out)
    assert code == 0
    found = {hazard["name"]: hazard["count"] for hazard in data["hazards"]}
    # Counted by hand in the program.
    assert found == {"lane_mask": 1, "warp_size": 2, "version_guard": 1}
    text = Path("out/toy/src/reduce.ty").read_text()
    assert "unsigned char* raw = toy_dynamic_shared<unsigned char>();" in text
    assert "TOY_LAUNCH((reduce<float>), (dim3(4)), (dim3(threads)), " in text
    assert text.startswith((PROGRAMS / "reduce.cu").read_text().splitlines()[0])
    assert "#include <toy_runtime.h>" in text


def test_several_paths_keep_their_places(run: Run, extension: Path, tmp_path: Path) -> None:
    assert run("extension/csrc/scale.cu", "extension/csrc/include", "extension/setup.py")[0] == 0
    assert sorted(files(tmp_path / "out/toy/src")) == [
        "csrc/include/ext/launch.tyh",
        "csrc/include/ext/math.tyh",
        "csrc/scale.ty",
        "setup.py",
    ]


def test_names_can_stay(run: Run, extension: Path, tmp_path: Path) -> None:
    assert run("extension", "--keep-names")[0] == 0
    assert sorted(files(tmp_path / "out/toy/src")) == sorted(files(extension))
    text = (tmp_path / "out/toy/src/csrc/scale.cu").read_text()
    assert "#include <ext/math.cuh>" in text
    assert "#include <ATen/toy/TOYContext.h>" in text


def test_names_can_follow_pytorchs_rules(run: Run, tmp_path: Path) -> None:
    project = {
        "csrc/cuda/CUDAThing.cu": '#include "cuda/CUDAThing.cuh"\n#include "CUDAThing.cuh"\n',
        "csrc/cuda/CUDAThing.cuh": "#pragma once\n",
    }
    write_files(tmp_path / "project", project)
    assert run("project", "--pytorch-names")[0] == 0
    made = files(tmp_path / "out/toy/src")
    assert sorted(made) == ["csrc/toy/TOYThing.ty", "csrc/toy/TOYThing.tyh"]
    text = made["csrc/toy/TOYThing.ty"].decode()
    assert '#include "toy/TOYThing.tyh"\n#include "TOYThing.tyh"\n' in text


def test_contradicting_names_are_a_usage_error(run: Run, extension: Path) -> None:
    code, _, err = run("extension", "--keep-names", "--pytorch-names")
    assert code == 2
    assert "--keep-names and --pytorch-names contradict each other" in err


def test_strict_ends_with_findings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "ours.cu").write_text(
        "void cudaOurs();\nvoid f() { cudaOurs(); lib::CudaTheirs(); }\n"
    )
    assert run("ours.cu", "--strict")[0] == 0
    (tmp_path / "open.cu").write_text("#include <nvml_future.h>\n")
    assert run("open.cu", "--out", "other")[0] == 0
    code, out, err = run("open.cu", "--strict", "--out", "other")
    assert code == 1
    assert "1 ported" in out
    assert "error: open.ty:2: unmapped: nvml_future.h" in err


def test_own_names_can_be_renamed(run: Run, tmp_path: Path) -> None:
    (tmp_path / "own.cu").write_text("struct CudaTimer {};\nCudaTimer timer;\n")
    assert run("own.cu")[0] == 0
    place = tmp_path / "out/toy/src/own.ty"
    assert "struct CudaTimer {};\nCudaTimer timer;\n" in place.read_text()
    assert run("own.cu", "--rename-own")[0] == 0
    assert "struct ToyTimer {};\nToyTimer timer;\n" in place.read_text()


def test_a_new_declaration_changes_the_port_of_other_files(run: Run, tmp_path: Path) -> None:
    use = "#include <ATen/ATen.h>\nvoid f(int n) { CUDA_KERNEL_LOOP(i, n) {} }\n"
    write_files(tmp_path / "project", {"use.cu": use, "loop.h": "#pragma once\n"})
    assert run("project")[0] == 0
    place = tmp_path / "out/toy/src/use.ty"
    assert "TOY_KERNEL_LOOP" in place.read_text()
    (tmp_path / "project/loop.h").write_text("#define CUDA_KERNEL_LOOP(i, n) for (;;)\n")
    assert run("project")[0] == 0
    assert "CUDA_KERNEL_LOOP" in place.read_text()


def test_the_release_chooses_among_rules(run: Run, extension: Path) -> None:
    run("extension", "--release", "1.13.1")
    assert "x.device().is_privateuseone()" in Path("out/toy/src/csrc/scale.ty").read_text()
    run("extension", "--release", "2.6.0")
    assert "(x.is_privateuseone()" in Path("out/toy/src/csrc/scale.ty").read_text()


def test_an_unknown_release_is_ported_with_a_warning(run: Run, extension: Path) -> None:
    code, _, err = run("extension", "--release", "2.99.0")
    assert code == 0
    assert "warning: PyTorch 2.99.0 is not a known release" in err


@pytest.mark.parametrize("release", ["two", "2..6", ".", "v2.6.0"])
def test_what_is_no_version(run: Run, extension: Path, release: str) -> None:
    code, _, err = run("extension", "--release", release)
    assert code == 2
    assert f"'{release}' is not a PyTorch version" in err


def test_bytes_lines_and_modes_are_kept(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    raw = b"// caf\xe9 \xff\r\ncudaStream_t s;\r\n\r\nint x; // no newline at the end"
    (folder / "a.cpp").write_bytes(raw)
    (folder / "build.sh").write_text("#!/bin/sh\nnvcc a.cpp\n")
    (folder / "build.sh").chmod(0o755)
    assert run("project")[0] == 0
    made = (tmp_path / "out/toy/src/a.cpp").read_bytes()
    assert made == raw.replace(b"cudaStream_t", b"toyStream_t")
    assert (tmp_path / "out/toy/src/build.sh").stat().st_mode & 0o777 == 0o755


def test_porting_a_port_makes_no_edits(run: Run, extension: Path, tmp_path: Path) -> None:
    assert run("extension")[0] == 0
    code, out, _ = run("out/toy/src", "--json", "--out", "again")
    assert code == 0
    assert json.loads(out)["edits"] == 0
    assert files(tmp_path / "again/toy/src") == files(tmp_path / "out/toy/src")


def test_pytorch_itself_is_the_other_command(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path / "pytorch", UPSTREAM)
    code, _, err = run("pytorch")
    assert code == 0
    assert err.startswith(
        "warning: pytorch is PyTorch's source tree: use `porter run`, which ports"
    )


def test_version_control_stays_behind(run: Run, extension: Path) -> None:
    write_files(extension, {".git/HEAD": "ref: refs/heads/main\n", "csrc/.svn/x.cu": "\n"})
    code, out, _ = run("extension", "--json")
    assert code == 0
    assert [item["path"] for item in json.loads(out)["skipped"]] == [".git", "csrc/.svn"]
    assert not Path("out/toy/src/.git").exists()


def test_files_can_be_left_out(run: Run, extension: Path) -> None:
    code, out, _ = run("extension", "--exclude", "include", "--exclude", "*.cpp", "--json")
    assert code == 0
    data = json.loads(out)
    assert [item["path"] for item in data["skipped"]] == ["csrc/bind.cpp", "csrc/include"]
    assert data["files"]["selected"] == 5


def test_a_source_that_is_no_text_is_copied(run: Run, extension: Path, tmp_path: Path) -> None:
    (extension / "resource.h").write_bytes("#define A 1\n".encode("utf-16"))
    (extension / "blob.inc").write_bytes(b"cuda\x00cuda")
    code, out, err = run("extension", "--json")
    assert code == 0
    assert "warning: resource.h is copied: UTF-16: convert it, iconv -f UTF-16 -t UTF-8\n" in err
    reasons = {item["path"]: item["reason"] for item in json.loads(out)["copied"]}
    assert reasons["resource.h"].startswith("UTF-16")
    assert reasons["blob.inc"].startswith("contains NUL bytes")
    for name in ("resource.h", "blob.inc"):
        assert (tmp_path / "out/toy/src" / name).read_bytes() == (extension / name).read_bytes()


def test_a_project_of_utf16_says_so(run: Run, tmp_path: Path) -> None:
    (tmp_path / "wide").mkdir()
    (tmp_path / "wide" / "a.cu").write_bytes("void f();\n".encode("utf-16"))
    code, _, err = run("wide")
    assert code == 4
    assert "a.cu: UTF-16: convert it, iconv -f UTF-16 -t UTF-8" in err


# -- PyTorch's own headers


@pytest.mark.release
@pytest.mark.parametrize("target", ["toy", "simt", "musa", "hip", "maca"])
def test_pytorchs_headers_are_spelled_as_its_port_spells_them(
    release_tree: Path, target: str
) -> None:
    """The PyTorch tree is absent, so that the names of PyTorch's headers alone determine their new paths."""
    library = MappingLibrary.find([TEST_MAPPINGS])
    release = (release_tree / "version.txt").read_text().strip()[:3]
    rules = rule_cache.rule_set(library, target, {"1.1": "1.13.1"}.get(release, "2.6.0"))
    plan = plan_of(select(release_tree, rules.selection), rules)
    alone = Moves((), rules)
    headers = [path for path in plan.moved if path.endswith((".h", ".cuh"))]
    assert len(headers) > 100
    assert {path: alone[path] for path in headers} == {path: plan.moved[path] for path in headers}


@pytest.mark.release
def test_pytorchs_own_extensions(release_tree: Path, run: Run, tmp_path: Path) -> None:
    """test/cpp_extensions: every include of a ported header refers to an existing file."""
    code, out, _ = run(release_tree / "test/cpp_extensions", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["files"]["ported"] >= 15
    assert "CUDAExtension" in {word for item in data["by_hand"] for word in item["words"]}
    src = tmp_path / "out/toy/src"
    rules = rule_cache.rule_set(MappingLibrary.find([TEST_MAPPINGS]), "toy", "2.6.0")
    upstream = {path.name for path in (release_tree / "test/cpp_extensions").rglob("*")}
    seen = 0
    for file in data["ported"]:
        source = Source(file["to"], decode((src / file["to"]).read_bytes()), rules, {})
        for path, _ in include.included(source):
            if Path(path).with_suffix(".cuh").name in upstream and path.endswith(".tyh"):
                assert ((src / file["to"]).parent / path).is_file()
                seen += 1
    assert seen > 0
