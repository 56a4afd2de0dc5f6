"""Golden cases of whole projects: files, the expected port, and the residue of all files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from rule_sets import target_rules
from workshop import write_files

from porter.mapping import pytorch_names
from porter.mapping.library import shipped
from porter.model.rewrite_result import Reason
from porter.port import cuda_project
from porter.port.project_names import collect
from porter.port.source_tree import gather
from porter.rewrite.rewriter import Rewriter

_PART = re.compile(r"^--- (input \S+|output \S+|left)\n", re.MULTILINE)
_FLAGS: Mapping[str, Any] = {"target": "toy", "rename_own": "false"}


@dataclass(frozen=True)
class ProjectCase:
    """Golden case from a file of tests/data/projects.

    The flags, in YAML, state the target and `rename_own`. The parts `--- input PATH` are the files of the project, the
    parts `--- output PATH` the expected ported files. The part `--- left` lists the residue of all files as lines
    `REASON WORD`, without residue that is intended.
    """

    flags: Mapping[str, Any]
    inputs: Mapping[str, str]
    outputs: Mapping[str, str]
    left: list[str]


@dataclass(frozen=True)
class PortedProject:
    """Port of a project: text by ported path, and residue of all files as lines `REASON WORD`."""

    texts: Mapping[str, str]
    left: list[str]


def read_project_case(path: Path) -> ProjectCase:
    """Read a golden case. Raises ValueError for an unknown flag."""
    head, *rest = _PART.split(path.read_text())
    flags = {**_FLAGS, **(yaml.load(head, yaml.BaseLoader) or {})}
    if unknown := flags.keys() - _FLAGS.keys():
        raise ValueError(f"{path.name}: unknown flags {sorted(unknown)}")
    parts = dict(zip(rest[::2], rest[1::2], strict=True))
    chosen = {
        kind: {key.split()[1]: text for key, text in parts.items() if key.startswith(kind)}
        for kind in ("input ", "output ")
    }
    left = parts.get("left", "").splitlines()
    return ProjectCase(flags, chosen["input "], chosen["output "], left)


def port_project(case: ProjectCase, folder: Path) -> PortedProject:
    """Port the files of a case, which are written into `folder`."""
    write_files(folder, case.inputs)
    rules = target_rules(case.flags["target"], "2.6.0")
    table = pytorch_names.read(shipped() / "pytorch" / pytorch_names.FILE)
    project = gather([folder])
    names = collect(project, rules, table, rename=case.flags["rename_own"] == "true")
    plan = cuda_project.plan_of(project, rules)
    rewriter = Rewriter(rules, plan.moved, names)
    texts, left = {}, set()
    for job in plan.jobs:
        if not job.copied:
            made = rewriter.rewrite(job.path, (folder / job.path).read_bytes())
            texts[job.to] = made.text
            left |= {
                f"{item.reason} {item.name}"
                for item in made.residue
                if item.reason is not Reason.INTENDED
            }
    return PortedProject(texts, sorted(left))
