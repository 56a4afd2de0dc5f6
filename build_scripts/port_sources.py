"""Front-end check of ported packages and programs: their sources, against a vendor's SDK or on the host.

    checks = FrontEnd.prepare("hip", work, sdk=sdk, python=python)
    result = checks.check(port, defines, jobs)

`prepare` ports PyTorch itself, because the sources of packages include its headers under the target's names.
`for_programs` needs no PyTorch.
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
from porter.base.fs import write_if_changed
from porter.builder import flags as build_flags
from porter.builder import guard_macros
from porter.builder import stage as build_stage
from porter.builder.build_context import BuildSettings
from porter.mapping import build_sets, rule_cache
from porter.mapping.library import MappingLibrary
from porter.on_host import host_target
from porter.port.output import read_manifest
from porter.toolchain import vendor_sdk
from porter.toolchain.discovery import find_compiler
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
    """Compiler and flags for the extensions of one target's port of PyTorch, or for programs."""

    command: Sequence[str]
    flags: Sequence[str]
    folder: Path
    """Folder in which the compiler runs: some flags contain relative paths."""
    port_options: Sequence[str]
    """Options of `porter port` for the packages or programs."""
    device: Sequence[str] = ()
    """Further flags of programs' sources with device code."""
    host: Sequence[str] = ()
    """Further flags of programs' sources without device code."""

    @classmethod
    def for_programs(cls, target: str, work: Path, *, sdk: Path | None) -> FrontEnd:
        """Compiler's command for programs. Without `sdk`, the target is built on the host.

        Writes the headers with guard macros and for the host into `work`.
        """
        library = MappingLibrary.find(())
        port_options: tuple[str, ...] = ()
        if not sdk:
            folder = work / f"{target}-sdk"
            library = host_target.make(library, target, RELEASE, folder).library
            port_options = ("--mappings", str(folder / "mappings"))
        rules = rule_cache.checked_rule_set(library, target, RELEASE)
        if sdk:
            rules = rules._replace(profile=vendor_sdk.apply(rules.profile, sdk))
        profile = guard_macros.with_header(rules, work).profile
        includes = [f"-I{place}" for place in build_flags.runtime_includes(profile)]
        device = target_settings.pre_included(profile, for_torch=False)
        return cls(
            find_compiler(profile.compiler or "g++").command,
            (*profile.compiler_flags, *includes, "-idirafter", str(_openmp_header(work / "host"))),
            work,
            port_options,
            (*device, *_ONE_PASS) if sdk else device,
            profile.build.host_flags,
        )

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
            return path, self.rejected([*common, str(port / "src" / to)])

        with ThreadPoolExecutor(jobs) as pool:
            results = dict(pool.map(lambda file: compiled(file.path, file.to), files))
        rejected = {path: text for path, text in results.items() if text is not None}
        return Checked(len(results) - len(rejected), rejected)

    def program_command(self, source: Path, words: Sequence[str], *, is_device: bool) -> list[str]:
        """Command for a source of a program. `words`: include folders and macros of the program."""
        more = self.device if is_device else self.host
        return [*self.command, *self.flags, *more, *words, str(source)]

    def rejected(self, command: Sequence[str], limit: float | None = None) -> str | None:
        """Messages of the compiler's front end if it rejects a source, else None.

        Raises subprocess.TimeoutExpired if the compiler exceeds `limit` seconds.
        """
        text = self._messages(command, limit)
        if text and messages.nvcc_accepts(text):
            text = self._messages([*command, "-fpermissive"], limit)
        return text

    def _messages(self, command: Sequence[str], limit: float | None) -> str | None:
        done = subprocess.run(
            [*command, "-fsyntax-only"],
            cwd=self.folder,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit,
        )
        return done.stderr if done.returncode else None


def _openmp_header(folder: Path) -> Path:
    """Write GCC's `omp.h` for clang into `folder`: without the attribute `malloc` with arguments, which is GCC's own.

    nvcc compiles for the host with g++. Clang without libomp has no such header.
    """
    where = ["g++", "-print-file-name=include/omp.h"]
    done = subprocess.run(where, check=True, stdout=subprocess.PIPE, text=True)
    header = Path(done.stdout.strip())
    if header.is_file():
        folder.mkdir(parents=True, exist_ok=True)
        text = re.sub(r"\b__malloc__ \([^()]*\),", "", header.read_text(encoding="utf-8"))
        write_if_changed(folder / "omp.h", text)
    return folder


def include_folders(root: Path) -> list[Path]:
    """Folders of a package that its `#include` directives need, other than the folders of the including files."""
    files = [path for path in root.rglob("*") if path.is_file()]
    by_name: dict[str, list[Path]] = {}
    for path in files:
        by_name.setdefault(path.name, []).append(path)
    found: dict[Path, None] = {}
    for path in files:
        for name in included(path):
            if not (path.parent / name).is_file():
                for header in by_name.get(Path(name).name, ()):
                    if f"/{header}".endswith(f"/{name}"):
                        found[Path(str(header)[: -len(name)])] = None
    return sorted(found)


def included(path: Path) -> Iterator[str]:
    """Names in the `#include` directives of a file."""
    try:
        yield from _INCLUDE.findall(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:  # an image or an archive
        return
