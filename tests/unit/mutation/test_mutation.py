"""Mutants of a small mapping: which stage notices which change, and changes without an effect."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from mapping_files import rules, write
from workshop import write_files

from porter.mapping import sdk
from porter.model.mutation import Change, MutantResult, MutationScore, Result, Stage
from porter.mutation import mutants
from porter.mutation.baseline import baseline_of
from porter.mutation.run import MutationSettings, run
from porter.report import mutation as report

RULES = """\
- name: cudaMalloc
  replace: acmeMalloc
- name: cudaFree
  replace: acmeFree
- name: cudaUnused
  replace: acmeUnused
- include: cuda_runtime.h
  replace: acme_runtime.h
- patch: c10/cuda/a.cpp
  before: return 1
  after: return two
  expect: {min_hits: 1}
"""
PYTORCH = """\
area: pytorch
rules:
- name: CUDAThing
  replace: AcmeThing
"""
FAMILY = """\
area: runtime
rules:
- family: cuda(\\w+)
  replace: '{lower}\\1'
"""
SOURCE = """\
#include <cuda_runtime.h>
struct CUDAThing { void* p; };
int f(CUDAThing& t) { cudaMalloc(&t.p, 4); cudaFree(t.p); return 1; }
"""


@pytest.fixture
def score(tmp_path: Path) -> MutationScore:
    return scored(tmp_path)


def scored(
    root: Path, *, headers: str = "", sample: int | None = None, family: bool = False
) -> MutationScore:
    files = {"acme/runtime.yaml": rules(RULES), "pytorch/names.yaml": PYTORCH}
    if family:
        files["cuda/runtime.yaml"] = FAMILY
    library = write(root / "mappings", files)
    write_files(root / "tree", {"c10/cuda/a.cpp": SOURCE, "c10/core/b.h": "struct Other;\n"})
    found = None
    if headers:
        write_files(root / "sdk", {"acme_runtime.h": headers})
        found = sdk.read([root / "sdk"])
    baseline = baseline_of(library, "acme", root / "tree", "2.6.0")
    return run(baseline, MutationSettings(sdk=found, sample=sample, jobs=2))


def of(score: MutationScore, name: str, change: Change) -> MutantResult:
    (found,) = (
        one for one in score.tested if one.mutant.name == name and one.mutant.change is change
    )
    return found


def test_rules_with_hits_are_deleted_and_misspelt(score: MutationScore) -> None:
    names = {one.mutant.name for one in score.tested}
    assert names == {"cudaMalloc", "cudaFree", "cuda_runtime.h", "c10/cuda/a.cpp", "CUDAThing"}
    assert len(score.tested) == score.all_mutants == 2 * len(names)
    assert of(score, "cudaFree", Change.DELETED).mutant.place == "acme/runtime.yaml:5"


def test_deleted_name_is_noticed_by_the_port(score: MutationScore) -> None:
    tested = of(score, "cudaMalloc", Change.DELETED)
    assert (tested.result, tested.stage) == (Result.NOTICED, Stage.PORT)
    assert tested.reason == "unmapped: cudaMalloc (1 in c10/cuda/a.cpp)"


def test_misspelt_name_survives_without_the_sdk(tmp_path: Path) -> None:
    tested = of(scored(tmp_path / "a"), "cudaMalloc", Change.MISSPELT)
    assert tested.result is Result.SURVIVED and "acmeMaloc for acmeMalloc" in tested.reason
    tested = of(
        scored(tmp_path / "b", headers="void acmeMalloc(); void acmeFree();"),
        "cudaMalloc",
        Change.MISSPELT,
    )
    assert (tested.result, tested.stage) == (Result.NOTICED, Stage.SDK)


def test_name_of_the_port_itself_may_have_any_spelling(score: MutationScore) -> None:
    assert of(score, "CUDAThing", Change.MISSPELT).result is Result.EQUIVALENT


def test_rule_that_another_rule_repeats_is_equivalent(tmp_path: Path) -> None:
    tested = of(scored(tmp_path, family=True), "cudaMalloc", Change.DELETED)
    assert tested.result is Result.EQUIVALENT


def test_score_counts_noticed_and_surviving_mutants(score: MutationScore) -> None:
    counted = score.results
    noticed, survived = counted[Result.NOTICED], counted[Result.SURVIVED]
    assert noticed and survived and score.score == noticed / (noticed + survived)
    assert len(report.document(score)["results"]) == len(score.tested)
    page = report.markdown(score)
    for one in score.with_result(Result.SURVIVED):
        assert f"| {one.mutant.place} | {one.mutant.kind} |" in page


def test_text_of_a_patch_is_listed_and_does_not_count_without_a_compiler(
    score: MutationScore,
) -> None:
    untested = score.with_result(Result.UNTESTED)
    assert [(one.mutant.name, one.mutant.change) for one in untested] == [
        ("c10/cuda/a.cpp", Change.DELETED),
        ("c10/cuda/a.cpp", Change.MISSPELT),
    ]
    assert sum(score.results.values()) == 10 and report.document(score)["untested"] == 2
    page = report.markdown(score)
    assert "## Mutants that only a compiler can notice" in page
    assert all(one.reason in page for one in untested)


def test_sample_is_the_same_in_every_run(tmp_path: Path) -> None:
    first, second = (scored(tmp_path / name, sample=3) for name in "ab")
    assert len(first.tested) == 3 and first.all_mutants == 10
    assert [one.mutant for one in first.tested] == [one.mutant for one in second.tested]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("acmeMalloc", "acmeMaloc"),
        ("{lower}\\1", "{lower}\\1"),
        ("ATen/{lower}/Thing.h", "ATen/{lower}/Thig.h"),
        ("at::acme", "at::acm"),
        ("x", "x"),
    ],
)
def test_misspelling_keeps_placeholders(text: str, wrong: str) -> None:
    assert mutants.misspelt(text) == wrong


def test_example_of_the_docstring() -> None:
    assert not doctest.testmod(mutants).failed
