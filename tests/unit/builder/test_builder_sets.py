"""`pytorch/build.yaml`: errors in the file are reported, and its globs match the releases."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_build import PROFILE

from porter.base.errors import MappingError, UsageError
from porter.base.globs import matches
from porter.builder.build_plan import plan_of
from porter.mapping import build_sets, document, rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.build import HOST
from porter.model.manifest import Manifest, PortedFile
from porter.model.rules import Exclusion, Origin, TargetBuild
from porter.port.select import release_of, select
from porter.port.stage import plan_of as port_plan

TEXT = """\
sets:
  host: [c10/cuda/*.cpp]
  core:
    - Abs.cu
not_built:
  - glob: jiterator.cu
    reason: compiles at run time
defines: ["__{UPPER}_NO_HALF__"]
"""


def test_a_profile_adds_to_sets_and_to_what_is_not_built() -> None:
    more = Exclusion("Fft.cu", "no such library", Origin("acme/target.yaml", 9))
    build = TargetBuild(sets={"core": ("Mul.cu",), "own": ("Own.cu",)}, not_built=(more,))
    rules = build_sets.parse(document.parse(TEXT, "build.yaml"), PROFILE._replace(build=build))
    assert rules.sets == {
        "host": ("c10/cuda/*.cpp",),
        "core": ("Abs.cu", "Mul.cu"),
        "own": ("Own.cu",),
    }
    assert [left.glob for left in rules.not_built] == ["jiterator.cu", "Fft.cu"]
    assert rules.not_built[0].origin == Origin("build.yaml", 6)
    assert rules.defines == ("__ACME_NO_HALF__",)


@pytest.mark.parametrize(
    ("change", "place", "says"),
    [
        (("not_built", "not_build"), "build.yaml:5", "not_build"),
        (("reason", "why"), "build.yaml:6", "reason"),
        (("  host:", "  hosts:"), "build.yaml:1", "'host'"),
        (("  core:", "  all:"), "build.yaml:3", "'all'"),
    ],
)
def test_a_mistake_is_told_with_its_line(change: tuple[str, str], place: str, says: str) -> None:
    with pytest.raises(MappingError) as raised:
        build_sets.parse(document.parse(TEXT.replace(*change), "build.yaml"), PROFILE)
    found = {problem.place: problem.text for problem in raised.value.problems}
    assert says in found[place]


def test_kernels_are_named_by_set_or_by_glob() -> None:
    rules = build_sets.parse(document.parse(TEXT, "build.yaml"), PROFILE)
    assert build_sets.chosen(rules, "all") is None
    assert build_sets.chosen(rules, "core") == ("Abs.cu",)
    assert build_sets.chosen(rules, "core, native/**/Mul*.cu") == ("Abs.cu", "native/**/Mul*.cu")
    with pytest.raises(UsageError) as raised:
        build_sets.chosen(rules, "cores")
    assert raised.value.problems[0].help == "did you mean 'core'?"
    with pytest.raises(UsageError):
        build_sets.chosen(rules, ",")


@pytest.mark.release
def test_every_source_of_a_port_is_built_or_listed_with_a_reason(release_tree: Path) -> None:
    library = MappingLibrary.find()
    release = release_of(release_tree)
    rules = rule_cache.rule_set(library, "simt", release)
    port = port_plan(select(release_tree, rules.selection), rules)
    files = {job.path: PortedFile(job.path, job.to, "", "", "", 0) for job in port.jobs}
    manifest = Manifest("simt", release, "", "", files)
    built = build_sets.read(library, rules.profile)
    core = plan_of(
        release_tree, manifest, built, rules.profile, build_sets.chosen(built, "core"), "core"
    )
    every = plan_of(release_tree, manifest, built, rules.profile, None, "all")
    for plan in (core, every):
        mentioned = [unit.path for unit in plan.units] + [left.path for left in plan.not_built]
        sources = [path for path in files if path.endswith((".cu", ".cpp"))]
        assert sorted(mentioned) == sorted(sources)
        assert all(left.reason for left in plan.not_built)
    assert {unit.path for unit in core.units} < {unit.path for unit in every.units}
    assert {unit.object for unit in every.units if unit.set == HOST} == {
        unit.object for unit in core.units if unit.set == HOST
    }
    if release == "2.6.0":
        # The lists are written for it; a glob that finds nothing there is a mistake.
        globs = [glob for own in built.sets.values() for glob in own]
        listed = (*built.not_built, *built.flags)
        globs += [*built.heavy, *(entry.glob for entry in listed)]
        idle = [glob for glob in globs if not any(matches(path, [glob]) for path in files)]
        assert idle == []
