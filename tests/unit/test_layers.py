"""Packages import only from lower packages, and no modules import each other in a circle."""

from __future__ import annotations

import ast

import pytest
import repository
from imports import ROOT, closure, imported, modules, package

LAYERS = (
    "base",
    "model",
    "regex",
    "cpp",
    "rewrite",
    "mapping",
    "overlay",
    "report",
    "port",
    "release",
    "toolchain",
    "simt",
    "on_host",
    "register",
    "builder",
    "abi",
    "custom_ops",
    "package",
    "toolkit",
    "checks",
    "verify",
    "upgrade",
    "inspect",
    "mutation",
    "vendor_repository",
    "pipeline",
    "cli",
)
"""Packages of porter, lowest first. Each package imports from itself and from earlier ones."""


def test_every_package_has_a_layer() -> None:
    folders = {place.name for place in ROOT.iterdir() if (place / "__init__.py").is_file()}
    assert folders == set(LAYERS)


def test_nothing_lies_beside_the_packages() -> None:
    assert {path.name for path in ROOT.glob("*.py")} == {"__init__.py", "__main__.py"}


@pytest.mark.parametrize("layer", LAYERS)
def test_no_import_points_upward(layer: str) -> None:
    allowed = {*LAYERS[: LAYERS.index(layer) + 1], ""}
    upward = {
        f"{module} imports {other}"
        for module in modules()
        if package(module) == layer
        for other in imported(module)
        if package(other) not in allowed
    }
    assert not upward


@pytest.mark.parametrize("layer", LAYERS)
def test_each_package_says_what_it_is_and_what_it_may_import(layer: str) -> None:
    text = ast.get_docstring(ast.parse((ROOT / layer / "__init__.py").read_text(encoding="utf-8")))
    assert text
    purpose, _, allowed = text.partition("\n\n")
    assert len(purpose.splitlines()) == 1
    below = LAYERS[LAYERS.index(layer) - 1]
    if layer == "base":
        assert allowed == "May import: nothing of porter."
    elif layer == "cli":
        assert allowed == "May import: everything."
    else:
        table = f"`porter.{below}` and the packages below it in the table of docs/architecture.md"
        listed = ", ".join(LAYERS[: LAYERS.index(layer)])
        assert allowed in (f"May import: {table}.", f"May import: {listed}.")


def test_the_page_of_the_architecture_lists_the_packages() -> None:
    page = (repository.ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    for layer in LAYERS:
        text = (ROOT / layer / "__init__.py").read_text(encoding="utf-8")
        purpose = (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
        assert f"| `porter/{layer}` | {purpose} |" in page
    order = [line.split("`")[1] for line in page.splitlines() if line.startswith("| `porter/")]
    assert order[: len(LAYERS)] == [f"porter/{layer}" for layer in reversed(LAYERS)]


def test_no_modules_import_each_other_in_a_circle() -> None:
    circles = {
        module
        for module in modules()
        if any(module in closure(other) for other in imported(module) if other != module)
    }
    assert not circles
