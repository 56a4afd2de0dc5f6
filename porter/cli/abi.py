"""`porter abi`: layouts of PyTorch's classes in one release, or their differences between two releases."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from porter.base.errors import SourceError
from porter.cli import console, options

if TYPE_CHECKING:
    from porter.model.class_layout import ReleaseLayouts


@click.command()
@click.argument("a")
@click.argument("b", required=False)
@click.option("--compiler", metavar="CXX", help="C++ compiler; default: $CXX, else g++.")
@options.as_json
def abi(a: str, b: str | None, compiler: str | None, as_json: bool) -> int:
    """Compare the layouts of the PyTorch classes that the backend uses: sizes, offsets, bases and vtables.

    A and B are header trees or releases; missing header trees are fetched. Without B, the command lists the layouts of
    A. Exit code 0: all layouts are equal; 1: some layouts differ.

    \b
    porter abi 2.9.1 2.10.0
    porter abi 2.10.0 --json
    """
    # Imported late: `porter abi --help` does not need these modules.
    from porter.abi.compare import compare
    from porter.report import abi as report

    first, *others = _layouts([a, b] if b else [a], compiler)
    if not others:
        if as_json:
            console.print_json(report.layout_document(first))
        else:
            console.print_lines(report.layout_lines(first))
        return 0
    diff = compare(first, others[0])
    if as_json:
        console.print_json(report.diff_document(diff))
    else:
        console.print_lines(report.diff_lines(diff))
    return int(bool(diff.changes))


def _layouts(names: list[str], compiler: str | None) -> list[ReleaseLayouts]:
    """Layouts of the given releases or header trees, computed in parallel. Warns about headers that do not compile."""
    from concurrent.futures import ThreadPoolExecutor

    from porter.abi import audit
    from porter.toolchain import discovery
    from porter.vendor_repository import release_trees

    for name in names:
        if not name or not Path(name).is_dir():
            release_trees.check_name(name)
    if compiler is None:
        compiler = os.environ.get("CXX") or "g++"
    found = discovery.find_compiler(compiler)
    torches = [discovery.header_torch(_tree(name), sys.executable) for name in names]
    title = f"layouts of PyTorch {' and '.join(torch.release for torch in torches)}"
    with console.progress(title), ThreadPoolExecutor() as pool:
        layouts = list(pool.map(lambda torch: audit.layouts_of(torch, found), torches))
    for one in layouts:
        for header in one.left_out:
            console.warn(f"PyTorch {one.release}: a header is left out: {header}")
    return layouts


def _tree(text: str) -> Path:
    """Path of a header tree. `text` is a folder, or a release, whose header tree is fetched if the cache lacks it.

    Raises SourceError if the folder is not a complete header tree.
    """
    from porter.port import header_tree
    from porter.port.select import release_of
    from porter.vendor_repository import release_trees

    if Path(text).is_dir():
        tree = Path(text).absolute()
        release_of(tree)
        if header_tree.read(tree) is None:
            help = "fetch one: porter release fetch RELEASE-headers"
            raise SourceError("is not a header tree", text, help)
        header_tree.check_whole(tree)
        return tree
    return release_trees.ReleaseTrees().find(
        text.removesuffix(header_tree.SUFFIX) + header_tree.SUFFIX
    )
