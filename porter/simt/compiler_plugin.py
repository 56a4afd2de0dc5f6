"""g++ plugin for device code, and the compiler flags that load the plugin.

Conversions of floating-point numbers to integers give CUDA's results (docs/decisions/0008-float-to-integer.md), static
shared memory is placed in memory of the workers (docs/decisions/0010-static-shared-memory.md), kernels are inlined into
the loop over threads (docs/decisions/0017-speed-of-threads.md), and calls of exp, erf and tanh become code that the
compiler can vectorize (docs/decisions/0020-vector-functions.md). The plugin is built from `runtime/simt/plugin`
against the headers of the compiler that loads it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.fs import cannot_write, write_if_changed
from porter.base.json_text import indented
from porter.simt.sources import plugin_files
from porter.toolchain import ccache
from porter.toolchain.discovery import plain

PLUGIN = "simt_compiler.so"
_RECORD = "simt_compiler.json"
BUILD = ("-std=c++17", "-O1", "-fno-rtti", "-fPIC", "-shared", "-w")
"""Options that compile a plugin."""
_CLANG_FLAGS = ("-fno-strict-float-cast-overflow",)
_CLANG = (
    "conversions of floating-point numbers to integers give clang's results, not CUDA's: conversions to 8 and 16 bits "
    "saturate at the bounds of these types, and every NaN gives 0; help: use g++"
)
_HOST = "out-of-range conversions of floating-point numbers to integers give the host's results, not CUDA's"


class PluginFlags(NamedTuple):
    """Result of `prepare` for one compiler: flags that load the plugin, the plugin, and a warning."""

    flags: tuple[str, ...] = ()
    plugin: Path | None = None
    """Path of the plugin that the flags name. Every compiled object depends on this file."""
    warning: str = ""
    """Warning about results that differ from CUDA's, with reason and remedy; empty if all results agree."""

    def flags_in(self, folder: Path, launcher: Sequence[str]) -> tuple[str, ...]:
        """Flags for a compiler that `launcher` runs in `folder`. The path of a plugin below the folder is relative.

        Commands without the path of a checkout let ccache reuse the results of another checkout. Other launchers may
        run compilers in other folders: for these, the path is absolute.
        """
        is_here = not launcher or ccache.is_used(launcher)
        if self.plugin is None or not is_here or not self.plugin.is_relative_to(folder):
            return self.flags
        near = self.plugin.relative_to(folder)
        # A path without a folder would be searched in the compiler's own directory of plugins.
        return tuple(f.replace(f"={self.plugin}", f"=./{near}") for f in self.flags)


def prepare(command: Sequence[str], folder: Path, packaged: Path | None = None) -> PluginFlags:
    """Flags for the compiler `command`. The plugin is built in `folder`, or reused there if it is up to date.

    `packaged` is the plugin of an installed wheel. If no plugin can be built, for example because the compiler's plugin
    headers are missing, `packaged` is used, provided that the compiler can load it. Raises SourceError if the folder
    cannot be written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        key = _key(command)
        if (kept := _kept(folder, key)) is not None:
            return kept
        found = _prepare(command, folder, packaged)
        record = {"key": key, "flags": list(found.flags), "warning": found.warning}
        write_if_changed(folder / _RECORD, indented(record) + "\n")
    except OSError as error:
        raise cannot_write(error, folder) from None
    return found


def recorded(folder: Path) -> PluginFlags:
    """Stored result of `prepare` for the folder of a runtime build.

    Without a stored result: no flags, and a warning.
    """
    try:
        record = json.loads((folder / _RECORD).read_text(encoding="utf-8"))
        plugin = folder / PLUGIN
        flags = tuple(record["flags"])
        return PluginFlags(flags, plugin if plugin.is_file() else None, record["warning"])
    except (OSError, ValueError, KeyError, TypeError):
        text = (
            f"{folder} contains no build of the runtime; help: run porter simt build --out {folder}"
        )
        return PluginFlags(warning=f"{_HOST}: {text}")


def plugin_headers(command: Sequence[str]) -> Path | None:
    """Folder with the headers for plugins of a g++; None if the headers are not installed."""
    done = _run([*command, "-print-file-name=plugin"])
    include = Path(done.stdout.strip()) / "include"
    return include if (include / "gcc-plugin.h").is_file() else None


def headers_package(command: Sequence[str]) -> str:
    """Name of the Debian package with the headers for plugins: `gcc-12-plugin-dev`."""
    major = _run([*command, "-dumpversion"]).stdout.strip().partition(".")[0]
    return f"gcc-{major}-plugin-dev"


def _prepare(command: Sequence[str], folder: Path, packaged: Path | None) -> PluginFlags:
    if _is_clang(command):
        return PluginFlags(_CLANG_FLAGS, warning=_CLANG)
    why = _build(command, folder / PLUGIN)
    if not why:
        return _with_plugin(folder / PLUGIN)
    (folder / PLUGIN).unlink(missing_ok=True)
    if packaged is not None and packaged.is_file() and not _cannot_load(command, packaged):
        return _with_plugin(packaged)
    help = f"install the compiler's plugin headers (Debian: apt install {headers_package(command)})"
    return PluginFlags(warning=f"{_HOST}: {why}; help: {help}, and build again")


def _with_plugin(place: Path) -> PluginFlags:
    return PluginFlags((f"-fplugin={place}",), place)


def _build(command: Sequence[str], place: Path) -> str:
    """Build the plugin. Returns the reason if the build fails, and an empty text if it succeeds."""
    headers = plugin_headers(command)
    if headers is None:
        return "the compiler's plugin headers are not installed"
    # Imported here because a build without changes does not need it.
    import tempfile

    with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
        # GCC identifies a plugin by its file name.
        made = Path(scratch) / place.name
        files = [one for one in plugin_files() if one.suffix == ".cpp"]
        # Without the path of the checkout, plugins of all checkouts are equal, and ccache reuses what they compiled.
        near = f"-ffile-prefix-map={files[0].parent}=."
        done = _run([*command, *BUILD, near, "-isystem", headers, *files, "-o", made])
        why = _first_error(done) or _cannot_load(command, made)
        if not why:
            made.replace(place)
    return why


def _cannot_load(command: Sequence[str], plugin: Path) -> str:
    """Reason why a compiler cannot load a plugin; empty if it can."""
    # `-S`: g++ loads plugins only when it compiles.
    done = _run([*command, f"-fplugin={plugin}", "-x", "c++", "-S", os.devnull, "-o", os.devnull])
    return _first_error(done)


def _first_error(done: subprocess.CompletedProcess[str]) -> str:
    if done.returncode == 0:
        return ""
    said = re.search(r"error: (.*)", done.stderr)
    return f"the plugin does not work: {said[1] if said else f'exit {done.returncode}'}"


def _kept(folder: Path, key: str) -> PluginFlags | None:
    """Result of an earlier run if its plugin was built by the same compiler from the same source; else None."""
    try:
        same = json.loads((folder / _RECORD).read_text(encoding="utf-8"))["key"] == key
    except (OSError, ValueError, KeyError, TypeError):
        return None
    place = folder / PLUGIN
    return _with_plugin(place) if same and place.is_file() else None


def built_for(command: Sequence[str]) -> str:
    """Version and configuration of a compiler. A plugin works only with those for which it was built."""
    return _run([*command, "-v"]).stderr


def _key(command: Sequence[str]) -> str:
    told = "\0".join([*command, *BUILD, built_for(command)])
    parts = [told.encode(), *(one.read_bytes() for one in plugin_files())]
    return hashlib.sha256(b"\0".join(parts)).hexdigest()


def _is_clang(command: Sequence[str]) -> bool:
    return "clang version" in built_for(command)


def _run(command: Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False, env=plain())
    except OSError as error:
        # The compilation that follows reports the problem with the compiler.
        return subprocess.CompletedProcess(command, 127, "", str(error))
