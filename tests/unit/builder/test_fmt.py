"""Functions of {fmt} that the backend has for PyTorch's sources, as {fmt} documents them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from repository import ROOT

CALLS = r"""
#include <fmt/printf.h>
#include <iostream>

int main() {
  std::cout << fmt::format("({:.4f}, {:.4f})", 1.5, 2.0f) << '\n'
            << fmt::format("{} of {}: {}", 1, "three", 2.5) << '\n'
            << fmt::format("no field") << '\n'
            << fmt::sprintf("%d %s", 1, std::string("text")) << '\n';
}
"""


def test_fields_and_specs_are_written(tmp_path: Path) -> None:
    (tmp_path / "calls.cpp").write_text(CALLS)
    include = ROOT / "backend" / "include"
    program = tmp_path / "calls"
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{include}"]
    subprocess.run(["g++", *flags, str(tmp_path / "calls.cpp"), "-o", str(program)], check=True)
    said = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["(1.5000, 2.0000)", "1 of three: 2.5", "no field", "1 text"]
