"""Toolkit folder: a `CUDA_HOME` for one target, with the driver as `bin/nvcc`, and with CUDA's libraries by name.

bin/nvcc, bin/c++         the driver, with the command lines of nvcc and g++
compilers/g++             the same driver under the names that build files use, for PATH
include/cuda_runtime.h    headers with CUDA's names that include the target's headers
lib64/libcudart.so        linker scripts that name the target's libraries
lib64/libsimt.so          links to the target's libraries, so that programs find these in CUDA's folder
lib64/libcudart.so.12     CUDA's functions by name, for programs that load libraries themselves
lib64/cmake               CMake packages of CUDA's C++ libraries
lib64/stubs               the linker scripts again
toolkit.json              the driver's settings
contents.json             sizes of the files
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import porter
from porter.base.fs import cannot_write, waiting_lock
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import Layer, RuleSet, Status
from porter.toolkit import cmake_packages, folder_contents, loadable_libraries, target_settings
from porter.toolkit import settings as settings_file
from porter.toolkit.inputs import Wanted
from porter.toolkit.settings import ToolkitSettings

_RUNTIME = "libsimt.so"
_OF_TORCH = ("ATen/", "c10/", "torch/", "caffe2/")
_PROGRAMS = {"bin": ("nvcc", "c++"), "compilers": ("nvcc", "g++", "c++", "gcc", "cc")}
"""Names of the driver in each folder. `bin` has no `g++`, because porter looks for the target's compiler on PATH."""
_PROGRAM = "import sys; sys.path.insert(0, {root!r}); from porter.toolkit.program import run; run({folder!r}, {gxx})"


def write(folder: Path, wanted: Wanted, library: MappingLibrary) -> None:
    """Write a toolkit folder. A whole folder that another process has just written is kept.

    Raises the errors of `target_settings.compute`, and SourceError if the folder cannot be written.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        # Without the lock, a process would replace the folder from which the compilers of another process read.
        with waiting_lock(folder.with_name(f".{folder.name}.lock")):
            if not folder_contents.is_whole(folder):
                _replace(folder, wanted, library)
    except OSError as error:
        raise cannot_write(error, folder) from None


def _replace(folder: Path, wanted: Wanted, library: MappingLibrary) -> None:
    settings = target_settings.compute(wanted, folder, library)
    rules = rule_cache.rule_set(library, wanted.target, wanted.release)
    scratch = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=folder.parent))
    try:
        scratch.chmod(0o755)
        _fill(scratch, folder, settings, rules)
        with contextlib.suppress(OSError):
            # The computation of the settings may have written guard_macros.h into the folder.
            for name in os.listdir(folder):
                (scratch / name).exists() or shutil.copy2(folder / name, scratch / name)
            shutil.rmtree(folder)
        folder_contents.record(scratch)
        scratch.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _fill(scratch: Path, folder: Path, settings: ToolkitSettings, rules: RuleSet) -> None:
    # CMake recognises a toolkit by the folder nvvm/libdevice, which is empty here.
    for part in (*_PROGRAMS, "include", "lib64", "nvvm/libdevice"):
        (scratch / part).mkdir(parents=True)
    for part, names in _PROGRAMS.items():
        for name in names:
            program = scratch / part / name
            program.write_text(_script(folder, gxx=name != "nvcc"), encoding="utf-8")
            program.chmod(0o755)
    for name, header in _headers(rules):
        place = scratch / "include" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"#pragma once\n#include <{header}>\n", encoding="utf-8")
    words = " ".join(_linkable(settings))
    for name in settings.libraries:
        for file in (f"lib{name}.so", f"lib{name}.a"):
            text = f"/* GNU ld script: {name} on target {settings.target} */\nINPUT({words})\n"
            (scratch / "lib64" / file).write_text(text, encoding="utf-8")
    for name, text in cmake_packages.files(rules):
        place = scratch / "lib64/cmake" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    for library in map(Path, _linkable(settings)):
        if library.is_absolute():
            (scratch / "lib64" / library.name).symlink_to(library)
            if library.name == _RUNTIME:
                loadable_libraries.write(scratch / "lib64", rules, library, settings.compiler)
    (scratch / "lib64/stubs").symlink_to(".")
    (scratch / "lib").symlink_to("lib64")
    version = {
        "cuda": {"name": f"porter, target {settings.target}", "version": f"{settings.cuda}.0"}
    }
    (scratch / "version.json").write_text(json.dumps(version, indent=1) + "\n", encoding="utf-8")
    (scratch / settings_file.FILE).write_text(settings_file.write_text(settings), encoding="utf-8")


def _script(folder: Path, *, gxx: bool) -> str:
    root = str(Path(porter.__file__).resolve().parent.parent)
    program = _PROGRAM.format(root=root, folder=str(folder), gxx=gxx)
    # -P: Python does not search the current folder for modules.
    return f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -c {shlex.quote(program)} "$@"\n'


def _headers(rules: RuleSet) -> Iterator[tuple[str, str]]:
    """Pairs of a CUDA header and the target's header, from the rules about exactly one include path.

    A rule of the target that names no counterpart is stronger than a rule for all targets.
    """
    found: dict[str, str] = {}
    about = [rules.rules[index] for index in rules.of_kind("include")]
    lacking = {
        rule.match
        for rule in about
        if rule.layer is Layer.TARGET and rule.status is not Status.SUPPORTED and not rule.only_in
    }
    for rule in about:
        name = rule.match
        if name in lacking:
            continue
        is_plain = "*" not in name and not name.startswith(_OF_TORCH) and not rule.only_in
        if rule.status is Status.SUPPORTED and rule.replace and is_plain and rule.replace != name:
            found.setdefault(name, rule.replace)
    yield from sorted(found.items())


def _linkable(settings: ToolkitSettings) -> Iterator[str]:
    """Libraries of a linker script, by absolute path if the settings state their folder."""
    folders = [word[2:] for word in settings.link if word.startswith("-L")]
    for word in settings.link:
        if word.startswith("-l"):
            places = [f"{folder}/lib{word[2:]}.so" for folder in folders]
            yield next((place for place in places if os.path.exists(place)), word)  # noqa: PTH110
