"""A build in one checkout uses ccache's results of another."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from porter.simt.compiler_plugin import PluginFlags
from porter.toolchain import ccache
from porter.toolchain.ninja import run_ninja

GRAPH = """\
maps = -ffile-prefix-map={root}/= -fmacro-prefix-map={root}/include/= -fmacro-prefix-map=../../include/=
rule cxx
  command = ccache g++ -I{root}/include $maps -c {root}/a.cpp -o a.o
build a.o: cxx {root}/a.cpp
"""


@pytest.mark.skipif(shutil.which("ccache") is None, reason="ccache is not installed")
def test_a_second_checkout_compiles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CCACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("CCACHE_CONFIGPATH", str(tmp_path / "ccache.conf"))
    for name in ("one", "another/deeper"):
        root = tmp_path / name
        (root / "include").mkdir(parents=True)
        (root / "include/a.h").write_text("inline const char* file() { return __FILE__; }\n")
        (root / "a.cpp").write_text('#include "a.h"\nconst char* here() { return file(); }\n')
        (root / "out/build").mkdir(parents=True)
        (root / "out/build/build.ninja").write_text(GRAPH.format(root=root))
        monkeypatch.chdir(root)
        assert not run_ninja(root / "out/build").failed
        made = (root / "out/build/a.o").read_bytes()
        assert re.findall(rb"[\w./]*a\.h", made) == [b"a.h"]
    counted = subprocess.run(
        ["ccache", "--print-stats"], capture_output=True, text=True, check=True
    ).stdout
    stats = dict(line.split("\t") for line in counted.splitlines())
    assert (stats["cache_miss"], stats["direct_cache_hit"]) == ("1", "1")


def test_settings_of_the_user_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CCACHE_BASEDIR", "/")
    monkeypatch.delenv("CCACHE_COMPILERCHECK", raising=False)
    monkeypatch.setenv("CCACHE_NOHASHDIR", "")
    assert ccache.environment(tmp_path) == {"CCACHE_COMPILERCHECK": "content"}


def test_a_plugin_of_the_build_has_a_relative_path(tmp_path: Path) -> None:
    plugin = tmp_path / "runtime/p.so"
    flags = PluginFlags((f"-fplugin={plugin}",), plugin)
    for launcher in ((), ("ccache",), ("env", "A=b", "ccache")):
        assert flags.flags_in(tmp_path, launcher) == ("-fplugin=./runtime/p.so",)
    assert flags.flags_in(tmp_path / "other", ()) == flags.flags
    # distcc runs the compiler in a folder of its own.
    assert flags.flags_in(tmp_path, ("distcc",)) == flags.flags
