"""Front-end check of ported packages: their sources, against a vendor's SDK or on the host.

    checks = FrontEnd.prepare("hip", work, sdk=sdk, python=python)
    result = checks.check(port, defines, jobs)

`prepare` ports PyTorch itself, because the sources of the packages include its headers under the target's names.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from measuring import RELEASE, find_tree
from porter.builder import guard_macros
from porter.builder import stage as build_stage
from porter.builder.build_context import BuildSettings
from porter.mapping import build_sets, rule_cache
from porter.mapping.library import MappingLibrary
from porter.port.output import read_manifest
from porter.toolchain import vendor_sdk
from porter.toolkit import messages, target_settings

_ONE_PASS = ("--offload-device-only", "--no-offload-arch=all", "--offload-arch=gfx90a")
"""Flags for one pass of clang instead of three. The pass for a device also checks the functions of the host."""
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.M)
_PYBIND11 = ("TORCH_EXTENSION_NAME=extension", "TORCH_API_INCLUDE_EXTENSION_H")
"""Macros that torch.utils.cpp_extension defines for each extension."""


class Checked(NamedTuple):
    """Results of the compiler for the sources of one port."""

    accepted: int
    messages: dict[str, str]
    """Maps each rejected source to the compiler's messages."""


class FrontEnd(NamedTuple):
    """Compiler and flags for the extensions of one target's port of PyTorch."""

    command: Sequence[str]
    flags: Sequence[str]
    folder: Path
    """Folder in which the compiler runs: some flags contain relative paths."""
    port_options: Sequence[str]
    """Options of `porter port` for the packages."""

    @classmethod
    def prepare(cls, target: str, work: Path, *, sdk: Path | None, python: str) -> FrontEnd:
        """Port PyTorch to a target, and return the compiler's command. Without `sdk`, the target is built on the host.

        `python` is an interpreter with PyTorch.
        """
        words = [sys.executable, "-m", "porter", "run", "--pytorch-src", str(find_tree())]
        words += ["--target", target, "--until", "register", "--no-page", "--out", str(work)]
        port_options = () if sdk else ("--on-host",)
        subprocess.run([*words, *port_options], stdout=sys.stderr, check=True)
        folder = (work if sdk else work / "on-host") / target / RELEASE
        library = MappingLibrary.find(() if sdk else (Path(f"{folder}-sdk/mappings"),))
        rules = rule_cache.checked_rule_set(library, target, RELEASE)
        if sdk:
            rules = rules._replace(profile=vendor_sdk.apply(rules.profile, sdk))
        profile = guard_macros.with_header(rules, folder / "build").profile
        settings = BuildSettings(compiler=profile.compiler, python=python, launcher="")
        sets = build_sets.read(library, profile)
        with build_stage.opened(folder, profile, sets, settings) as build:
            commands, place = build.context.commands, build.context.out
        more = _ONE_PASS if sdk else target_settings.pre_included(profile, for_torch=True)
        flags = (*commands.flags, *commands.python, *more)
        return cls(commands.compiler, flags, place, port_options)

    def check(self, port: Path, defines: Iterable[str], jobs: int) -> Checked:
        """Front-end check of a port's CUDA sources."""
        files = [file for file in read_manifest(port).files.values() if file.path.endswith(".cu")]
        places = [f"-I{folder}" for folder in include_folders(port / "src")]
        macros = [f"-D{macro}" for macro in (*_PYBIND11, *defines)]
        common = [*self.command, *places, *self.flags, *macros]

        def compiled(path: str, to: str) -> tuple[str, str | None]:
            command = [*common, "-fsyntax-only", str(port / "src" / to)]
            text = self._rejected(command)
            if text and messages.nvcc_accepts(text):
                text = self._rejected([*command, "-fpermissive"])
            return path, text

        with ThreadPoolExecutor(jobs) as pool:
            results = dict(pool.map(lambda file: compiled(file.path, file.to), files))
        rejected = {path: text for path, text in results.items() if text is not None}
        return Checked(len(results) - len(rejected), rejected)

    def _rejected(self, command: Sequence[str]) -> str | None:
        """Messages of the compiler if it rejects a source, else None."""
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
            capture_output=True,
            text=True,
        )
        return done.stderr if done.returncode else None


def include_folders(root: Path) -> list[Path]:
    """Folders of a package that its `#include` directives need, other than the folders of the including files."""
    files = [path for path in root.rglob("*") if path.is_file()]
    by_name: dict[str, list[Path]] = {}
    for path in files:
        by_name.setdefault(path.name, []).append(path)
    found: dict[Path, None] = {}
    for path in files:
        for name in _included(path):
            if not (path.parent / name).is_file():
                for header in by_name.get(Path(name).name, ()):
                    if f"/{header}".endswith(f"/{name}"):
                        found[Path(str(header)[: -len(name)])] = None
    return sorted(found)


def _included(path: Path) -> Iterator[str]:
    try:
        yield from _INCLUDE.findall(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:  # an image or an archive
        return
