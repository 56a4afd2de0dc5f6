"""Seams of the backend: the profile selects implementations, porter's and a vendor's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from repository import ROOT

from porter.base.errors import MappingError
from porter.builder.build_plan import glue_units
from porter.cli.main import call
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet
from porter.port import backend_sources

OWN = "namespace at::acme::backend::dnn {}\n"


@pytest.fixture
def mappings(tmp_path: Path) -> Path:
    folder = tmp_path / "mappings"
    assert call(["target", "new", "acme", "--mappings", str(folder)]) == 0
    return folder


def rules_with(mappings: Path, seams: str) -> RuleSet:
    profile = mappings / "acme" / "target.yaml"
    profile.write_text(profile.read_text() + f"\nseams: {seams}\n")
    return rule_cache.rule_set(MappingLibrary.find((mappings,)), "acme", "2.6.0")


@pytest.mark.parametrize(
    ("seams", "built"),
    [
        ("{}", {"columns"}),
        ("{dnn: [host]}", {"host"}),
        ("{dnn: [host, columns]}", {"host", "columns"}),
        ("{dnn: [acmednn, columns]}", {"acmednn", "columns"}),
    ],
)
def test_the_profile_selects_implementations(
    seams: str, built: set[str], mappings: Path, tmp_path: Path
) -> None:
    own = mappings / "acme/seams/dnn/acmednn/Convolution.cpp"
    own.parent.mkdir(parents=True)
    own.write_text(OWN)
    rules = rules_with(mappings, seams)
    backend_sources.port(rules, "", tmp_path / "out/backend")
    backend_sources.copy_vendors(rules, mappings / "acme", tmp_path / "out/seams")
    units = glue_units(tmp_path / "out", rules.profile)
    found = {unit.path.split("/")[-2]: unit for unit in units if "/seams/dnn/" in unit.path}
    assert found.keys() == built
    if "acmednn" in built:
        assert found["acmednn"].source.read_text() == OWN
        assert found["acmednn"].flags == ("-DBACKEND_SEAM_DNN=acmednn",)


def test_a_deleted_source_of_a_vendor_is_not_built(mappings: Path, tmp_path: Path) -> None:
    folder = mappings / "acme/seams/dnn/acmednn"
    folder.mkdir(parents=True)
    (folder / "old.cpp").write_text(OWN)
    rules = rules_with(mappings, "{dnn: [acmednn]}")
    backend_sources.copy_vendors(rules, mappings / "acme", tmp_path / "seams")
    (folder / "old.cpp").rename(folder / "new.cpp")
    backend_sources.copy_vendors(rules, mappings / "acme", tmp_path / "seams")
    assert [place.name for place in (tmp_path / "seams").rglob("*.cpp")] == ["new.cpp"]


@pytest.mark.parametrize(
    ("seams", "told"),
    [
        ("{dmn: [columns]}", "unknown seam 'dmn'"),
        ("{dnn: [columns, nope]}", "implementation 'nope' of seam 'dnn' has no sources"),
        ("{dnn: []}", "at least 1"),
        ("{dnn: columns}", "list"),
    ],
)
def test_wrong_seams(seams: str, told: str, mappings: Path) -> None:
    with pytest.raises(MappingError) as caught:
        rules_with(mappings, seams)
    (problem,) = caught.value.problems
    assert told in problem.text
    lines = (mappings / "acme/target.yaml").read_text().splitlines()
    assert problem.place.startswith("acme/target.yaml:")
    assert int(problem.place.rpartition(":")[2]) == len(lines)


def test_an_implementation_with_the_name_of_one_of_porters(mappings: Path) -> None:
    (mappings / "acme/seams/dnn/columns").mkdir(parents=True)
    with pytest.raises(MappingError) as caught:
        rules_with(mappings, "{dnn: [columns]}")
    assert "in porter and in the mappings" in caught.value.problems[0].text


def test_every_default_exists() -> None:
    from porter.model import seams

    for seam, names in seams.DEFAULTS.items():
        for name in names:
            assert list((ROOT / "backend/seams" / seam / name).glob("*.cpp"))
