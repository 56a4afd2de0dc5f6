"""Paths of ported files, and their spellings in includes."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_sets import TARGETS, rule_set, target_rules

from porter.base.errors import MappingError
from porter.base.globs import matches
from porter.model.rules import RuleSet
from porter.port.select import release_of, select
from porter.rewrite.kinds.path import check, renamed, spellings

RULES = rule_set(
    {
        "toy": [
            {"path": "cuda", "part": "folder", "replace": "toy"},
            {"path": r"(\w*)CUDA(\w*)", "part": "stem", "replace": r"\1TOY\2"},
            {"path": r"(\w*)Cuda(\w*)", "part": "stem", "replace": r"\1Toy\2"},
            {"path": "special", "part": "stem", "replace": "other", "only_in": ["c10/**"]},
            {"path": "kept", "part": "folder", "replace": "moved", "not_in": ["c10/**"]},
            {"path": "cu", "part": "suffix", "replace": "ty"},
            {"path": r"h\.in", "part": "suffix", "replace": "h.inn"},
        ]
    }
)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("aten/src/ATen/cuda/CUDAContext.cpp", "aten/src/ATen/toy/TOYContext.cpp"),
        ("c10/cuda/cuda/x.h", "c10/toy/toy/x.h"),
        ("c10/cudax/xcuda/cuda.h", "c10/cudax/xcuda/cuda.h"),
        ("a/PhiloxCudaState.cuh", "a/PhiloxToyState.cuh"),
        ("a/CUDACuda.cu", "a/TOYCuda.ty"),
        ("a/Fill.cu", "a/Fill.ty"),
        ("a/Fill.cu.h", "a/Fill.cu.h"),
        ("a/x.h.in", "a/x.h.inn"),
        ("c10/special.h", "c10/other.h"),
        ("a/special.h", "a/special.h"),
        ("a/kept/x.h", "a/moved/x.h"),
        ("c10/kept/x.h", "c10/kept/x.h"),
        ("CUDA", "TOY"),
    ],
)
def test_each_part_of_a_path_follows_its_rules(old: str, new: str) -> None:
    made, hits = renamed(old, RULES)

    assert made == new
    assert bool(hits) is (old != new)


@pytest.mark.parametrize(
    ("moves", "problem"),
    [
        ({"a/x.cu": "b/x.h", "a/y.cu": "b/x.h"}, "'a/x.cu' and this file both become 'b/x.h'"),
        ({"a/x.cu": "b/X.h", "a/y.cu": "b/x.h"}, "'a/x.cu' and this file both become 'b/x.h'"),
        ({"a/x.cu": "../x.cu"}, "its ported path '../x.cu' leaves the output folder"),
        ({"a/x.cu": "a/../../x.cu"}, "its ported path 'a/../../x.cu' leaves the output folder"),
        ({"a/x.cu": "/x.cu"}, "its ported path '/x.cu' leaves the output folder"),
        ({"a/x.cu": "a//x.cu"}, "its ported path 'a//x.cu' leaves the output folder"),
        ({"a/x.cu": "a/x\0.cu"}, "its ported path 'a/x\0.cu' leaves the output folder"),
    ],
)
def test_paths_that_collide_or_leave_the_port(moves: dict[str, str], problem: str) -> None:
    with pytest.raises(MappingError) as caught:
        check(moves)

    (found,) = caught.value.problems
    assert found.text == problem
    assert found.place == list(moves)[-1]


def test_all_paths_that_collide_are_told_at_once() -> None:
    with pytest.raises(MappingError) as caught:
        check({"a": "x", "b": "x", "c": "../c", "d": "y"})

    assert [problem.place for problem in caught.value.problems] == ["b", "c"]


def test_includes_name_files_from_the_folders_that_pytorch_searches() -> None:
    known = spellings(
        [
            ("aten/src/ATen/cuda/A.h", "aten/src/ATen/toy/A.h"),
            ("c10/cuda/B.h", "c10/toy/B.h"),
            ("torch/csrc/cuda/C.h", "torch/csrc/toy/C.h"),
        ]
    )

    assert known["ATen/cuda/A.h"] == "ATen/toy/A.h"
    assert known["aten/src/ATen/cuda/A.h"] == "aten/src/ATen/toy/A.h"
    assert known["c10/cuda/B.h"] == "c10/toy/B.h"
    assert known["torch/csrc/cuda/C.h"] == "torch/csrc/toy/C.h"
    assert "cuda/A.h" not in known


@pytest.mark.release
@pytest.mark.parametrize("target", TARGETS)
def test_no_two_files_of_a_release_meet(target: str, release_tree: Path) -> None:
    rules: RuleSet = target_rules(target, release_of(release_tree))
    chosen = [file.path for file in select(release_tree, rules.selection)]
    moves = {path: renamed(path, rules)[0] for path in chosen}

    check(moves)
    # A ported file must not stand where an installed header of PyTorch stands which is not ported.
    others = {new for old, new in moves.items() if new != old and (release_tree / new).exists()}
    assert not others - set(chosen), "these would hide files that are not ported"


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("a/*.cu", "a/x.cu", True),
        ("a/*.cu", "a/b/x.cu", False),
        ("a/**", "a/b/x.cu", True),
        ("a/**", "ab/x.cu", False),
        ("**/x.cu", "x.cu", True),
        ("**/x.cu", "a/b/x.cu", True),
        ("**/x.cu", "a/yx.cu", False),
        ("a/**/c/*.h", "a/c/x.h", True),
        ("a/**/c/*.h", "a/b/b/c/x.h", True),
        ("*.cu", "a/b/x.cu", True),
        ("x.c?", "a/x.cc", True),
        ("x.c?", "a/x.c", False),
        ("a/x.h", "a/x.hh", False),
        ("a/[x].h", "a/x.h", False),
        ("a/x.*", "a/x.h.in", True),
    ],
)
def test_globs(glob: str, path: str, expected: bool) -> None:
    assert matches(path, [glob]) is expected
