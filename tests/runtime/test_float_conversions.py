"""Conversions of floating-point numbers to integers on target simt have CUDA's results, for all compilers and
flags. The forms of conversions, and CUDA's results, are those of runtime/simt/tests/test_float_to_integer.cpp.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from simt_programs import libsimt
from tiny_build import PROFILE, Tiny, install_torch

from porter.builder.build_context import BuildContext
from porter.cli.main import call
from porter.package.bundled_runtime import simt_runtime
from porter.simt import compiler_plugin, sources
from porter.toolchain.discovery import find_torch

pytestmark = pytest.mark.slow

PROGRAM = """
#include <cmath>
#include <cstdio>
int main(int count, char**) {
  float x = count * -1.5f;
  std::printf("%u %u %d\\n", (unsigned int)std::floor(x), (unsigned char)(x * -200), (int)std::sqrt((double)x));
}
"""
CUDA = "0 44 -2147483648\n"
"""300 becomes 44 in eight bits; NaN of a double becomes the smallest int."""


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plugin of g++, in a folder whose name contains a blank."""
    if not shutil.which("g++"):
        pytest.skip("no g++")
    found = compiler_plugin.prepare(["g++"], tmp_path_factory.mktemp("plug in"))
    assert not found.warning
    assert found.plugin and found.plugin.is_file()
    assert found.flags == (f"-fplugin={found.plugin}",)
    return found.plugin


@pytest.fixture
def bare(tmp_path: Path) -> list[str]:
    """A g++ whose plugin headers are not installed."""
    return [
        str(_program(tmp_path / "bare-g++", '[ "$1" != -print-file-name=plugin ] || exec true'))
    ]


def _program(place: Path, first: str) -> Path:
    place.write_text(f'#!/bin/sh\n{first}\nexec g++ "$@"\n')
    place.chmod(0o755)
    return place


def output_of(command: list[str], source: Path) -> str:
    """Output of a program that is compiled with a command."""
    program = source.with_suffix("")
    subprocess.run([*command, str(source), "-o", str(program)], check=True)
    return subprocess.run([program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("optimise", ["-O0", "-O2", "-O3 -march=native"])
def test_every_form_with_the_flags_for_programs(
    optimise: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(["simt", "flags", "--out", str(libsimt().parent)]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    tests = sources.runtime_dir() / "tests"
    files = [str(tests / "main.cpp"), str(tests / "test_float_to_integer.cpp")]
    program = tmp_path / "conversions"
    command = ["g++", "-w", *optimise.split(), *shlex.split(told.out), *files, "-o", str(program)]
    subprocess.run(command, check=True)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "0 failed" in done.stdout


def test_a_header_that_is_compiled_beforehand(plugin: Path, tmp_path: Path) -> None:
    header, source = tmp_path / "first.h", tmp_path / "program.cpp"
    header.write_text(PROGRAM)
    source.write_text("// all of it stands in the header\n")
    command = ["g++", "-O1", f"-fplugin={plugin}"]
    compiled = [*command, "-x", "c++-header", str(header), "-o", f"{header}.gch"]
    subprocess.run(compiled, check=True)
    header.write_text("#error the compiled one is not used\n")
    assert output_of([*command, "-include", str(header)], source) == CUDA


def test_conversions_in_headers_of_pytorch(plugin: Path, tmp_path: Path) -> None:
    source = tmp_path / "convert.cpp"
    source.write_text(
        """
#include <c10/util/TypeCast.h>
#include <cstdio>
int main(int count, char**) {
  float x = count * -1e30f;
  double nan = std::sqrt((double)x);
  std::printf("%d %lld ", c10::convert<int>(-x), (long long)c10::convert<int64_t>(x));
  std::printf("%d %d\\n", c10::convert<int>(nan), (int)c10::convert<int16_t>(c10::Half(count * -1.5f)));
}
"""
    )
    torch = find_torch(sys.executable)
    includes = [word for place in torch.includes for word in ("-isystem", str(place))]
    command = ["g++", "-std=c++17", "-O1", f"-fplugin={plugin}", *includes]
    assert output_of(command, source) == "2147483647 -9223372036854775808 -2147483648 -1\n"


def test_the_plugin_is_built_once(plugin: Path) -> None:
    before = plugin.stat().st_mtime_ns
    assert compiler_plugin.prepare(["g++"], plugin.parent).plugin == plugin
    assert plugin.stat().st_mtime_ns == before


def test_the_plugin_is_built_again_for_another_compiler(plugin: Path, tmp_path: Path) -> None:
    other = str(_program(tmp_path / "other-g++", '[ "$1" != -v ] || echo "another version" >&2'))
    compiler_plugin.prepare(["g++"], tmp_path)
    before = (tmp_path / compiler_plugin.PLUGIN).stat().st_ino
    compiler_plugin.prepare([other], tmp_path)
    assert (tmp_path / compiler_plugin.PLUGIN).stat().st_ino != before


def test_plugins_of_two_checkouts_are_equal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The plugin's content is part of ccache's keys."""
    contents = []
    for name in ("one", "another/deeper"):
        checkout = tmp_path / name
        shutil.copytree(sources.runtime_dir() / "plugin", checkout)
        files = sorted(checkout.glob("*.*"))
        monkeypatch.setattr(compiler_plugin, "plugin_files", lambda files=files: files)
        made = compiler_plugin.prepare(["g++"], tmp_path / "made" / name).plugin
        assert made is not None
        contents.append(made.read_bytes())
    assert contents[0] == contents[1]


def test_without_the_headers_a_warning_names_the_package(bare: list[str], tmp_path: Path) -> None:
    found = compiler_plugin.prepare(bare, tmp_path)
    assert found.flags == ()
    assert "the host's results, not CUDA's" in found.warning
    major = subprocess.run(["g++", "-dumpversion"], capture_output=True, text=True, check=True)
    assert f"gcc-{major.stdout.split('.')[0].strip()}-plugin-dev" in found.warning
    assert compiler_plugin.recorded(tmp_path).warning == found.warning


def test_a_plugin_that_was_built_before_is_not_kept_without_the_headers(
    plugin: Path, bare: list[str], tmp_path: Path
) -> None:
    compiler_plugin.prepare(["g++"], tmp_path)
    assert compiler_plugin.prepare(bare, tmp_path).warning
    assert not (tmp_path / compiler_plugin.PLUGIN).exists()


def test_the_plugin_of_a_wheel_serves_where_the_headers_are_missing(
    plugin: Path, bare: list[str], tmp_path: Path
) -> None:
    found = compiler_plugin.prepare(bare, tmp_path / "build", packaged=plugin)
    assert found == compiler_plugin.PluginFlags((f"-fplugin={plugin}",), plugin)
    source = tmp_path / "program.cpp"
    source.write_text(PROGRAM)
    assert output_of([*bare, "-O2", *found.flags], source) == CUDA


def test_the_plugin_of_a_wheel_for_another_compiler(bare: list[str], tmp_path: Path) -> None:
    other = tmp_path / compiler_plugin.PLUGIN
    other.write_bytes(b"not for this one")
    found = compiler_plugin.prepare(bare, tmp_path / "build", packaged=other)
    assert found.flags == ()
    assert found.warning


def test_clang_saturates_by_a_flag_and_the_rest_is_told(tmp_path: Path) -> None:
    clang = _program(tmp_path / "clang++", 'echo "clang version 16.0.6" >&2; exit')
    found = compiler_plugin.prepare([str(clang)], tmp_path)
    assert found.flags == ("-fno-strict-float-cast-overflow",)
    assert "clang's results, not CUDA's" in found.warning


def test_flags_without_a_build_warn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["simt", "flags", "--out", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert "-fplugin" not in told.out
    assert told.err.startswith("warning: out-of-range conversions")
    assert "porter simt build" in told.err


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tiny:
    """Port to a target that uses this runtime, whose library is built already."""

    def put(site: BuildContext, progress: object) -> None:
        place = site.out / "lib" / libsimt().name
        place.parent.mkdir(exist_ok=True)
        shutil.copy2(libsimt(), place)

    monkeypatch.setattr("porter.builder.steps.build_runtime", put)
    profile = PROFILE._replace(build=PROFILE.build._replace(runtime="simt"))
    return Tiny(tmp_path / "acme" / "2.6.0", install_torch(tmp_path / "site"), profile)


def test_a_build_of_a_port_uses_the_plugin(port: Tiny) -> None:
    result = port.build()
    assert result.warnings == ()
    plugin = port.folder / "build" / "runtime" / compiler_plugin.PLUGIN
    commands = json.loads((port.folder / "build" / "compile_commands.json").read_text())
    sources = [one for one in commands if one["file"].endswith((".cu", ".cpp"))]
    assert sources
    relative = f"-fplugin=./runtime/{compiler_plugin.PLUGIN}"
    assert all(relative in one["arguments"] for one in sources)
    # What was compiled with another plugin is compiled anew.
    assert port.build().compiled == 0
    os.utime(plugin)
    assert port.build().compiled > 0


def test_a_build_of_a_port_without_the_plugin_is_recorded(port: Tiny, bare: list[str]) -> None:
    (warning,) = port.build(compiler=bare[0]).warnings
    assert "the host's results, not CUDA's" in warning
    recorded = json.loads((port.folder / "build" / "result.json").read_text())
    assert recorded["warnings"] == [warning]


def test_doctor_names_the_package(
    bare: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CXX", bare[0])
    assert call(["doctor", "-t", "simt"]) == 0
    told = capsys.readouterr().out
    (line,) = [line for line in told.splitlines() if "plugin headers" in line]
    assert line.startswith("warn")
    assert "apt install gcc-" in told


def test_the_wheel_brings_the_plugin_that_was_built(plugin: Path, tmp_path: Path) -> None:
    assert simt_runtime(tmp_path / "libsimt.so", plugin).plugin == plugin
    assert simt_runtime(tmp_path / "libsimt.so", tmp_path / "none.so").plugin is None
