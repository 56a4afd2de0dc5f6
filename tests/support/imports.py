"""Imports between porter's modules, read from their source."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import porter

ROOT = Path(porter.__file__).parent


@functools.cache
def modules() -> dict[str, Path]:
    """Maps the dotted name of each module and package of porter to its file."""
    found = {}
    for path in ROOT.rglob("*.py"):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@functools.cache
def imported(module: str) -> frozenset[str]:
    """Modules of porter that a module imports anywhere, including inside functions."""
    return frozenset(_imported(module, ast.parse(modules()[module].read_text(encoding="utf-8"))))


def _imported(module: str, tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules())
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")[: -node.level]
                base = ".".join((*above, base) if base else above)
            for alias in node.names:
                for name in (f"{base}.{alias.name}", base):
                    if name in modules():
                        yield name
                        break


def closure(*roots: str) -> frozenset[str]:
    """The given modules, and all modules of porter that they import directly or indirectly."""
    found: set[str] = set()
    todo = list(roots)
    while todo:
        if (module := todo.pop()) not in found:
            found.add(module)
            todo += imported(module)
    return frozenset(found)


def package(module: str) -> str:
    """Package directly below porter that contains a module; empty for porter itself."""
    return module.split(".")[1] if "." in module else ""
