"""Report of a built extension: the report of the port, the wheel's libraries, and Python lines that mention CUDA."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from porter.model.extension import BuiltExtension
from porter.report import cuda_project_report
from porter.report.port_report import cell
from porter.report.tables import Line, Table, aligned

_SHOWN = 10


def document(built: BuiltExtension) -> dict[str, Any]:
    """Plain data of the report."""
    port = cuda_project_report.document(built.manifest, built.summary, built.by_hand)
    return {**built.document(), "port": port}


def write(folder: Path, built: BuiltExtension) -> None:
    """Write `report.json` and `report.md` into a folder."""
    text = json.dumps({"schema": 1, **document(built)}, indent=1)
    (folder / "report.json").write_text(text + "\n", encoding="utf-8")
    (folder / "report.md").write_text("\n".join(_markdown(built)) + "\n", encoding="utf-8")


def _markdown(built: BuiltExtension) -> Iterator[str]:
    yield f"# {built.package} for {built.target}"
    yield ""
    yield f"Wheel: `{built.wheel.name}`."
    yield ""
    yield "| library | uses the device |"
    yield "|---|---|"
    for one in built.libraries:
        yield f"| {cell(one.path)} | {'yes' if one.uses_device else 'no'} |"
    yield ""
    yield "## Python lines that mention CUDA"
    yield ""
    if not built.python_lines:
        yield "None."
    else:
        yield "Such code may not recognise the device, and then use the CPU."
        yield ""
        yield "| line | text |"
        yield "|---|---|"
        for line in built.python_lines:
            yield f"| {cell(f'{line.path}:{line.line}')} | {cell(line.text)} |"
    yield ""
    report = cuda_project_report.markdown(built.manifest, built.summary, built.by_hand)
    yield report.replace("\n## ", "\n### ").replace("# Port to", "## Port to", 1).rstrip()


def lines(built: BuiltExtension) -> Iterator[Line]:
    """Lines for a terminal."""
    residue = sum(len(words) for words in built.summary.residue.values())
    yield Line(f"package  {built.package}, for {built.target}")
    yield Line(f"port     {built.summary.edits} edits, {residue} vendor words left")
    yield Line(
        f"seconds  {', '.join(f'{name} {value:.1f}' for name, value in built.seconds.items())}"
    )
    rows = [(one.path, "yes" if one.uses_device else "no") for one in built.libraries]
    yield Line("")
    yield from aligned(Table("", ("library", "uses the device"), tuple(rows)), _SHOWN)
    if built.python_lines:
        yield Line("")
        asks = [(f"{one.path}:{one.line}", one.text) for one in built.python_lines]
        yield from aligned(Table("", ("mentions CUDA", "text"), tuple(asks)), _SHOWN)
    yield Line("")
    yield Line(f"wheel    {built.wheel}")
    yield Line(f"report   {built.wheel.parent / 'report.md'}")
