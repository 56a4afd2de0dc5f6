"""C++ of the backend (backend/csrc) is ported to every target, and its binding matches its README."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from repository import ROOT

from porter.cli.main import call
from porter.mapping.library import MappingLibrary
from porter.mapping.rule_cache import rule_set
from porter.port import backend_sources
from porter.port.stage import check_alone

SOURCES = ROOT / "backend" / "csrc"
BINDING = SOURCES / "python"
LEFT = ("unmapped", "unsupported", "ambiguous", "in_string")


def text_of(folder: Path, suffix: str) -> str:
    return "\n".join(path.read_text() for path in sorted(folder.glob(f"*{suffix}")))


@pytest.mark.parametrize("target", MappingLibrary.find().targets())
def test_it_ports_with_nothing_left_to_do(
    target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    sources = (str(SOURCES), str(ROOT / "backend" / "seams"))
    arguments = ["port", *sources, "-t", target, "--pytorch-names", "--json", "--out", str(out)]
    assert call(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert {word: report["residue"][word] for word in LEFT} == dict.fromkeys(LEFT, 0)
    hooks = (out / target / "src" / "csrc" / "Hooks.cpp").read_text()
    assert not re.findall(r"c10::cuda|kCUDA|CUDACachingAllocator|cudaPointerGet", hooks)


@pytest.mark.parametrize("target", MappingLibrary.find().targets())
def test_what_needs_a_library_is_ported_where_the_target_has_it(
    target: str, tmp_path: Path
) -> None:
    library = MappingLibrary.find()
    rules = rule_set(library, target, "2.6.0")
    ported = backend_sources.port(rules, library.digest(target), tmp_path).manifest.files.values()
    parts = {file.path for file in ported if file.path.startswith("with/cupti/")}
    assert bool(parts) != bool(rules.profile.libraries["cupti"].unsupported)
    left = [
        (file.path, left.name) for file in ported for left in file.residue if left.reason in LEFT
    ]
    assert left == []


def test_it_lies_in_the_port_that_it_belongs_to(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text("{}")
    library = MappingLibrary.find()
    rules = rule_set(library, "musa", "2.6.0")
    for _ in range(2):
        backend_sources.port(rules, library.digest("musa"), tmp_path / "backend")
    check_alone(tmp_path)


def test_readme_lists_what_the_binding_exports() -> None:
    code = text_of(BINDING, ".cpp")
    exported = set(re.findall(r'module\.def\(\s*"(\w+)"', code))
    exported |= set(re.findall(r'py::class_<[^>]+>+\(module, "(\w+)"', code))
    readme = (BINDING / "README.md").read_text()
    rows = [line.split("|")[1] for line in readme.splitlines() if line.startswith("|")]
    listed = set(re.findall(r"`(\w+)(?:\(|`)", "\n".join(rows))) | {
        "DeviceProperties",
        "DeviceUuid",
    }
    assert listed == exported


def test_properties_are_those_of_the_readme() -> None:
    code = (BINDING / "Device.cpp").read_text()
    fields = re.findall(r'\.def_readonly\("(\w+)"', code)
    readme = (BINDING / "README.md").read_text()
    paragraphs = re.findall(r"^`Device\w+` \(read-only\):(.*?)\n\n", readme, re.S | re.M)
    assert len(paragraphs) == 2
    named = set(re.findall(r"`(\w+)`", "".join(paragraphs)))
    assert named == {*fields, "DeviceUuid", "repr", "str"}


def test_the_binding_reaches_all_that_the_kernels_library_shows() -> None:
    shown = re.findall(r"^BACKEND_API .*?(\w+)\(", (SOURCES / "Backend.h").read_text(), re.M)
    binding = text_of(BINDING, ".cpp")
    assert shown
    assert [name for name in shown if not re.search(rf"\b{name}\b", binding)] == []


def test_every_op_by_hand_stands_once() -> None:
    code = text_of(SOURCES, ".cpp")
    blocks = re.findall(r"TORCH_LIBRARY_IMPL\((\w+), (\w+), m\) \{([^}]*)\}", code)
    ops = [
        (space, key, name)
        for space, key, block in blocks
        for name in re.findall(r'm\.impl\("([\w.]+)"', block)
    ]
    assert ("aten", "CUDA", "_copy_from") in ops
    assert len(ops) == len(set(ops))
