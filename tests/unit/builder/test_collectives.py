"""Library of collectives: built from its own source set if the target's profile has the library nccl."""

from __future__ import annotations

from pathlib import Path

import pytest

from porter.builder.build_plan import collectives_flags, plan_of
from porter.mapping import build_sets, document, rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.build import DISTRIBUTED
from porter.model.manifest import Manifest, PortedFile
from porter.model.rules import Profile

TEXT = """\
sets: {host: [Host.cpp], distributed: [c10d/*]}
"""
SOURCES = ("Host.cpp", "c10d/Group.cpp")


def profile(nccl: str | None) -> Profile:
    """Profile of target simt with another library of collectives; None: an unsupported one."""
    given = rule_cache.rule_set(MappingLibrary.find(), "simt", "2.6.0").profile
    library = given.libraries["nccl"]
    changed = library._replace(unsupported="" if nccl else "the SDK has none")
    return given._replace(libraries={**given.libraries, "nccl": changed})


@pytest.mark.parametrize("kernels", [None, ("Abs.cu",)])
def test_collectives_are_built_whatever_kernels_are_selected(
    tmp_path: Path, kernels: tuple[str, ...] | None
) -> None:
    own = profile("simtccl")
    rules = build_sets.parse(document.parse(TEXT, "build.yaml"), own)
    files = {path: PortedFile(path, path, "", "", "", 0) for path in (*SOURCES, "Abs.cu")}
    plan = plan_of(tmp_path, Manifest("simt", "2.6.0", "", "", files), rules, own, kernels, "")
    group = next(unit for unit in plan.units if unit.path == "c10d/Group.cpp")
    assert group.set == DISTRIBUTED
    assert "-DUSE_C10D_NCCL" in group.flags
    assert '-DBACKEND_COLLECTIVES="simtccl"' in group.flags


def test_a_target_without_the_library_lists_the_sources_with_its_reason(tmp_path: Path) -> None:
    own = profile(None)
    rules = build_sets.parse(document.parse(TEXT, "build.yaml"), own)
    files = {path: PortedFile(path, path, "", "", "", 0) for path in SOURCES}
    plan = plan_of(tmp_path, Manifest("simt", "2.6.0", "", "", files), rules, own, None, "all")
    assert [unit.path for unit in plan.units] == ["Host.cpp"]
    assert [(one.path, one.reason) for one in plan.not_built] == [
        ("c10d/Group.cpp", "the SDK has none")
    ]
    assert collectives_flags(own) == ()
