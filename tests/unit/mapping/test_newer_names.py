"""Names that releases newer than the inventory introduced."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from repository import ROOT
from rule_sets import port, rule_set, target_rules

from porter.base.errors import MappingError
from porter.inspect.cuda_usage import ApiDetector
from porter.mapping import api_coverage, inventory, newer_names
from porter.mapping.library import MappingLibrary, shipped
from porter.mapping.resolve_name import UNMAPPED, Decider
from porter.mapping.source_locations import NameLocations
from porter.model.rewrite_result import Reason
from porter.model.rules import RuleSet
from porter.rewrite.source import Source

_NEWER = (
    {"product": "CUDA", "version": "12.8", "areas": {"runtime": ["CUDA_R_4F_E2M1", "cudaNewA"]}},
    {"product": "CUDA", "version": "13.0", "areas": {"runtime": ["cudaNewB"]}},
    {"product": "NCCL", "version": "2.27", "areas": {"nccl": ["ncclNewC"]}},
)
_CUDA_LAYER = ({"family": r"cuda([A-Z]\w*)", "replace": r"{runtime}\1"},)


def _rules(
    toy: Sequence[Mapping[str, Any]] = (),
    *,
    value: int = 12040,
    profile: Mapping[str, Any] | None = None,
    **layers: Sequence[Mapping[str, Any]],
) -> RuleSet:
    """Rule set of a target whose CUDA_VERSION has a value, on a CUDA layer with a family."""
    guards = {"guards": {"CUDA_VERSION": {"macro": "TOY_COMPAT_VERSION", "value": value}}}
    layer = {"cuda": _CUDA_LAYER, "toy": toy, **layers}
    names = {"runtime": ["cudaOld"]}
    return rule_set(layer, profile={**guards, **(profile or {})}, names=names, newer=_NEWER)


def test_a_newer_name_is_unsupported_and_says_which_release_brought_it() -> None:
    (found,) = port("f(cudaNewA);\n", _rules()).residue
    assert found.reason is Reason.UNSUPPORTED
    assert found.note == "CUDA 12.8 introduced it; the target corresponds to CUDA 12.4"


def test_a_name_that_no_release_brought_stays_unmapped() -> None:
    (found,) = port("f(cudaNewZ);\n", _rules()).residue
    assert found.reason is Reason.UNMAPPED


def test_a_library_with_versions_of_its_own() -> None:
    (found,) = port("f(ncclNewC);\n", _rules()).residue
    assert found.reason is Reason.UNSUPPORTED
    assert found.note == "NCCL 2.27 introduced it, and no rule of the target is about it"


def test_the_reason_for_a_missing_library_goes_before() -> None:
    profile = {"libraries": {"nccl": {"unsupported": "no collectives"}}}
    (found,) = port("f(ncclNewC);\n", _rules(profile=profile)).residue
    assert found.note == "no collectives"


@pytest.mark.parametrize("value", [0, 603])
def test_a_number_that_is_no_release_of_cuda_is_not_one_in_the_reason(value: int) -> None:
    (found,) = port("f(cudaNewA);\n", _rules(value=value)).residue
    assert found.note == "CUDA 12.8 introduced it, and no rule of the target is about it"


@pytest.mark.parametrize(
    "rule",
    [
        {"name": "cudaNewA", "replace": "toyOwn"},
        {"names": {"cudaNewA": "toyOwn"}},
        {"family": r"cuda(New\w+)", "replace": "toyOwn"},
    ],
)
@pytest.mark.parametrize("value", [12040, 12080])
def test_a_rule_of_the_target_goes_before(rule: Mapping[str, Any], value: int) -> None:
    rewrite = port("f(cudaNewA);\n", _rules([rule], value=value))
    assert rewrite.text == "f(toyOwn);\n"
    assert not rewrite.residue


def test_a_rule_about_a_call_goes_before() -> None:
    rules = _rules([{"call": "cudaNewA(x)", "replace": "toyOwn(x)"}])
    assert port("cudaNewA(1);\n", rules).text == "toyOwn(1);\n"


def test_a_target_has_the_names_of_the_release_that_it_stands_for() -> None:
    rewrite = port("f(cudaOld, cudaNewA, cudaNewB);\n", _rules(value=12080))
    assert rewrite.text == "f(toyOld, toyNewA, cudaNewB);\n"
    assert [site.note for site in rewrite.residue] == [
        "CUDA 13.0 introduced it; the target corresponds to CUDA 12.8"
    ]


def test_a_list_of_the_targets_own_names_does_not_take_newer_ones_along() -> None:
    rules = _rules(value=12080, profile={"listed": True})
    decisions = {name: Decider(rules).decide(name) for name in ("cudaNewA", "cudaNewB")}
    assert decisions["cudaNewA"].status == UNMAPPED
    assert decisions["cudaNewB"].status == "unsupported"


def test_conditions_are_reported_too() -> None:
    (found,) = port("#ifdef CUDA_R_4F_E2M1\n#endif\n", _rules()).residue
    assert found.reason is Reason.UNSUPPORTED


@pytest.mark.parametrize(
    "data",
    [
        "{",
        "[]",
        '{"releases": [{"product": "CUDA", "version": "new", "areas": {}}]}',
        '{"releases": [{"product": "CUDA", "version": "12.8", "areas": {"runtime": "cudaNewA"}}]}',
    ],
)
def test_a_damaged_table_is_an_error_with_its_place(tmp_path: Path, data: str) -> None:
    (tmp_path / "inventory.json").write_text('{"cuda": "12.4", "areas": {}}')
    (tmp_path / "newer.json").write_text(data)
    with pytest.raises(MappingError, match=r"newer\.json"):
        inventory.read(tmp_path / "inventory.json")


# -- the shipped table


def _shipped() -> inventory.Inventory:
    return inventory.read(shipped() / "cuda" / "inventory.json")


def test_each_name_belongs_to_one_release_and_to_none_of_the_inventory() -> None:
    known = _shipped()
    newer = [n for release in known.newer for names in release.areas.values() for n in names]
    assert not [name for name, count in Counter(newer).items() if count > 1]
    assert not set(newer) & {name for area in known.areas for name in known.names(area)}


def test_releases_are_later_than_the_inventory_and_in_their_order() -> None:
    data = json.loads((shipped() / "cuda" / "newer.json").read_text())
    for product, since in data["since"].items():
        of_product = [r["version"] for r in data["releases"] if r["product"] == product]
        numbers = [tuple(map(int, version.split("."))) for version in [since, *of_product]]
        assert len(numbers) > 1
        assert numbers == sorted(set(numbers))


def test_the_table_is_the_releases_that_the_script_reads() -> None:
    text = (shipped() / "cuda" / "newer.json").read_text(encoding="utf-8")
    data = json.loads(text)
    assert text == json.dumps(data, indent=1) + "\n"
    read = tomllib.loads((ROOT / "build_scripts" / "cuda_newer.toml").read_text(encoding="utf-8"))
    pins = {
        (name, wheel["version"]): wheel["pin"]
        for name, library in read["libraries"].items()
        for wheel in library["wheels"]
    }
    toolkits = [version.rpartition(".")[0] for version in read["toolkits"]]
    for release in data["releases"]:
        if release["product"] == "CUDA":
            assert release["version"] in toolkits
            assert len(release["source"]) == len(set(read["components"].values()))
        else:
            (source,) = release["source"].items()
            assert "==".join(source) == pins[release["product"], release["version"]]


@pytest.mark.parametrize(
    ("name", "release"),
    [
        ("CUBLASLT_MATMUL_DESC_A_SCALE_MODE", "CUDA 12.8"),
        ("CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3", "CUDA 12.8"),
        ("CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F", "CUDA 12.9"),
        ("CUDA_R_4F_E2M1", "CUDA 12.8"),
        ("cuLogsRegisterCallback", "CUDA 12.9"),
        ("cublasLtGroupedMatrixLayoutCreate", "CUDA 13.1"),
        ("ncclCommShrink", "NCCL 2.27"),
    ],
)
def test_release_of_a_name(name: str, release: str) -> None:
    found = [
        f"{one.product} {one.version}"
        for one in _shipped().newer
        if any(name in names for names in one.areas.values())
    ]
    assert found == [release]


@pytest.mark.parametrize("target", ["simt", "musa", "hip", "maca"])
def test_a_name_is_found_at_its_line(target: str) -> None:
    rules = target_rules(target, "2.6.0")
    name = "CUBLASLT_MATMUL_DESC_A_SCALE_MODE"
    decision = Decider(rules).decide(name)
    assert decision.status == "unsupported"
    assert decision.rule
    assert newer_names.is_about_newer(decision.rule)
    place = NameLocations(MappingLibrary.find(), target).of(decision.rule, name)
    lines = (shipped() / place.file).read_text().splitlines()
    assert f'"{name}"' in lines[place.line - 1]


@pytest.mark.parametrize("target", ["simt", "musa", "hip", "maca"])
def test_coverage_counts_newer_names_by_release(target: str) -> None:
    measured = api_coverage.measure(target_rules(target, "2.6.0"), _shipped())
    assert [area.area for area in measured.newer][:4] == [
        "CUDA 12.5",
        "CUDA 12.6",
        "CUDA 12.8",
        "CUDA 12.9",
    ]
    assert not [name for area in measured.newer for name in area.unclassified]
    assert "cuLogsRegisterCallback" not in dict(measured.total.unsupported)


def test_a_scan_knows_the_area_of_a_newer_name() -> None:
    rules = target_rules("simt", "2.6.0")
    source = Source("a.cpp", "f(cuLogsRegisterCallback);\n", rules, {})
    ((site, area),) = ApiDetector(_shipped(), rules.vendor).sites(source)
    assert (site.word, area) == ("cuLogsRegisterCallback", "driver")
