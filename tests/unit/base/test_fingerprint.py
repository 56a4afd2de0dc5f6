"""Stored answers depend on exactly the packages whose code computes them."""

from __future__ import annotations

import ast
import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from imports import ROOT, closure, modules, package

from porter.base.fingerprint import Answer

COMPUTED_BY = {
    "porter.builder.steps": ("porter.builder.link_check", "porter.builder.undefined_symbols"),
    # The state compares the fingerprint; these modules make the files that it speaks of.
    "porter.port.state": ("porter.port.file", "porter.port.state"),
    "porter.mapping.rule_cache": (
        "porter.mapping.rule_cache",
        "porter.mapping.compile",
        "porter.mapping.check",
    ),
}
"""Module that declares an answer -> modules whose code computes it; by default the module itself."""


def declared() -> Iterator[tuple[str, Answer]]:
    """Every constant of porter that is an Answer, with the module that defines it."""
    for name, path in sorted(modules().items()):
        text = path.read_text(encoding="utf-8")
        if "Answer(" not in text or name == "porter.base.fingerprint":
            continue
        module = importlib.import_module(name)
        for node in ast.parse(text).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = getattr(module, node.targets[0].id)
                if isinstance(value, Answer):
                    yield name, value


ANSWERS = list(declared())


def test_answers_are_found() -> None:
    kinds = [answer.kind for _, answer in ANSWERS]
    assert {"rules", "checked", "port", "catalogue", "symbols", "stubs"} <= set(kinds)
    assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize(("module", "answer"), ANSWERS, ids=[a.kind for _, a in ANSWERS])
def test_the_packages_are_those_of_the_imported_code(module: str, answer: Answer) -> None:
    used = {package(one) for one in closure(*COMPUTED_BY.get(module, (module,)))} - {""}
    assert set(answer.packages) == used


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy of porter whose modules a test may change."""
    folder = tmp_path_factory.mktemp("code")
    shutil.copytree(ROOT, folder / "porter", ignore=shutil.ignore_patterns("__pycache__", "_data"))
    return folder


def codes(folder: Path) -> dict[str, str]:
    """Kind of answer -> fingerprint, for the porter in a folder."""
    names = sorted({module for module, _ in ANSWERS})
    program = (
        "import importlib\n"
        "from porter.base.fingerprint import Answer\n"
        f"for name in {names}:\n"
        "    for value in vars(importlib.import_module(name)).values():\n"
        "        if isinstance(value, Answer): print(value.kind, value.code())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(line.split() for line in done.stdout.splitlines())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "touched",
    [
        "cpp/lex.py",
        "rewrite/kinds/launch.py",
        "mapping/compile.py",
        "register/program/torchgen_api/replaced.py",
        "port/file.py",
        "inspect/doctor.py",
        "cli/main.py",
        "verify/suite/operators/checks.py",
        "base/elf.py",
    ],
)
def test_a_touched_module_changes_the_answers_of_its_package_alone(
    copy: Path, touched: str
) -> None:
    before = codes(copy)
    status = (copy / "porter" / touched).stat()
    os.utime(copy / "porter" / touched, ns=(status.st_atime_ns, status.st_mtime_ns + 1_000_000))
    after = codes(copy)
    changed = {kind for kind in before if before[kind] != after[kind]}
    folder = touched.partition("/")[0]
    assert changed == {answer.kind for _, answer in ANSWERS if folder in answer.packages}
