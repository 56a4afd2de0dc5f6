"""A repeated run rewrites only changed files; its result equals that of a full run."""

from __future__ import annotations

import copy
import json
import os
import re
import shutil
import time
import unittest.mock
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from port_tree import (
    LANDMARKS,
    LAYERS,
    SOURCES,
    arguments,
    cold,
    files,
    make_mappings,
    make_tree,
    many,
    port_of,
    run,
    times,
    write,
)
from rule_sets import rule_set

import porter
from porter.base import fingerprint
from porter.base.errors import Problem
from porter.cli.main import call
from porter.model.plan import PortJob
from porter.port.file import FilePorter, PortedOne
from porter.port.incremental import RuleChange
from porter.port.state import STATE

MORE = {
    # What a family makes of `X_` depends on what becomes of `X`.
    "torch/csrc/cuda/Lazy.cpp": "CUresult lazy() { return cuDeviceGetName_(nullptr, 0, 0); }\n",
    "aten/src/ATen/native/quantized/cuda/Plain.cpp": "int nothing_to_do;\n",
    "aten/src/ATen/native/cuda/Bytes.cu": "cudaMalloc(a);\n// \xe9\xff\n",
}
ALL = {
    path: text
    for path, text in {**LANDMARKS, **SOURCES, **MORE}.items()
    if path.endswith((".h", ".cpp", ".cu", ".cuh"))
}
"""Upstream files of the tree, with their contents."""


class Workshop:
    """Tree, changeable mappings, and a port of the tree."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.tree = make_tree(place / "pytorch", {**SOURCES, **MORE})
        self.mappings = make_mappings(place / "mappings")
        self.out = place / "out"
        self.layers: Any = copy.deepcopy(dict(LAYERS))

    @property
    def port(self) -> Path:
        return port_of(self.out)

    def run(self, *more: str) -> int:
        return run(self.tree, self.out, "--mappings", str(self.mappings), *more)

    def cold(self) -> dict[str, bytes]:
        return cold(self.tree, self.place / "cold", "--mappings", str(self.mappings))

    def rules(self, file: str) -> list[dict[str, Any]]:
        """The rules of a mapping file, to be changed."""
        rules: list[dict[str, Any]] = self.layers[file]["rules"]
        return rules

    def rule(self, kind: str, file: str = "pytorch/names.json") -> dict[str, Any]:
        """The first rule of a kind, to be changed."""
        return next(rule for rule in self.rules(file) if kind in rule)

    def save(self) -> None:
        """Write the mappings as they are now."""
        for name, data in self.layers.items():
            write(self.mappings / name, json.dumps(data, indent=1))

    def rewritten(self, *more: str) -> set[str]:
        """Run again; returns the upstream paths of rewritten files."""
        done: set[str] = set()
        carry_out = FilePorter.carry_out

        def noted(work: FilePorter, job: PortJob) -> PortedOne | Problem:
            done.add(job.path)
            return carry_out(work, job)

        with unittest.mock.patch.object(FilePorter, "carry_out", noted):
            assert self.run(*more) == 0
        return done


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    made = Workshop(tmp_path)
    assert made.run() == 0
    return made


# -- nothing changed


def test_nothing_changed_nothing_written(shop: Workshop) -> None:
    before = times(shop.out)
    inodes = {path: path.stat().st_ino for path in shop.port.rglob("*")}
    assert shop.run() == 0
    after = times(shop.out)
    after.pop("toy/.2.6.0.lock")
    before.pop("toy/.2.6.0.lock")
    assert after == before
    assert {path: path.stat().st_ino for path in shop.port.rglob("*")} == inodes


def test_a_run_says_what_it_wrote(shop: Workshop, capsys: pytest.CaptureFixture[str]) -> None:
    def told() -> dict[str, int]:
        capsys.readouterr()
        assert shop.run("--json") == 0
        counted: dict[str, int] = json.loads(capsys.readouterr().out)["files"]
        return counted

    count = len(ALL)
    assert told() == {"selected": count, "written": 0, "unchanged": count}
    write(shop.tree / "c10/cuda/New.cpp", "int a;")
    assert told() == {"selected": count + 1, "written": count + 1, "unchanged": 0}
    write(shop.tree / "c10/cuda/New.cpp", "int b;")
    assert told() == {"selected": count + 1, "written": 1, "unchanged": count}


def test_a_tree_that_was_touched_or_moved_is_no_other(shop: Workshop, tmp_path: Path) -> None:
    for path in shop.tree.rglob("*"):
        os.utime(path)
    assert shop.rewritten() == set()
    shop.tree = shop.tree.rename(tmp_path / "moved")
    assert shop.rewritten() == set()


# -- the tree changed


def test_only_the_file_that_changed_is_rewritten(shop: Workshop) -> None:
    write(shop.tree / "c10/cuda/CUDAFunctions.cpp", "cudaMalloc(p);\n")
    assert shop.rewritten() == {"c10/cuda/CUDAFunctions.cpp"}
    assert files(shop.port) == shop.cold()


def test_the_same_size_and_the_same_time(shop: Workshop) -> None:
    place = shop.tree / "c10/cuda/CUDAFunctions.cpp"
    status = place.stat()
    write(place, place.read_bytes().replace(b"cudaMalloc", b"cudaFreeee"))
    os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (place.stat().st_size, place.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    assert shop.rewritten() == {"c10/cuda/CUDAFunctions.cpp"}


@pytest.mark.parametrize(("later", "seen"), [(0, True), (3600, False)])
def test_the_same_tick_of_the_clock(shop: Workshop, later: int, seen: bool) -> None:
    """Stamps of files that changed at the time of the run are not trusted, as in git's index. The test simulates
    a coarse clock by writing the new stamps into the state.
    """
    place = shop.tree / "c10/cuda/CUDAFunctions.cpp"
    write(place, place.read_bytes().replace(b"cudaMalloc", b"cudaFreeee"))
    now = place.stat()
    state = json.loads((shop.port / STATE).read_bytes())
    stamps = state["files"]["c10/cuda/CUDAFunctions.cpp"]
    stamps[:3] = [now.st_size, now.st_mtime_ns, now.st_ctime_ns]
    state["made"] += later * 1_000_000_000
    write(shop.port / STATE, json.dumps(state))
    assert shop.rewritten() == ({"c10/cuda/CUDAFunctions.cpp"} if seen else set())


def test_a_change_right_after_the_run_is_seen(shop: Workshop) -> None:
    place = shop.tree / "c10/cuda/CUDAFunctions.cpp"
    for number in range(20):
        write(place, f"cudaMalloc({number:03});\n")
        assert shop.run() == 0
        text = (shop.port / "src/c10/toy/TOYFunctions.cpp").read_text()
        assert text == f"toyMalloc({number:03});\n"


def test_files_come_and_go(shop: Workshop) -> None:
    write(shop.tree / "aten/src/ATen/native/cuda/New.cuh", "cudaMalloc(a);\n")
    (shop.tree / "torch/csrc/cuda/Module.cpp").unlink()
    shutil.rmtree(shop.tree / "aten/src/ATen/native/sparse")
    assert shop.run() == 0
    made = files(shop.port)
    assert made == shop.cold()
    assert "src/aten/src/ATen/native/toy/New.cuh" in made
    assert "src/torch/csrc/toy/Module.cpp" not in made
    assert not (shop.port / "src/aten/src/ATen/native/sparse").exists()


def test_a_file_that_comes_changes_how_others_include_it(shop: Workshop) -> None:
    write(shop.tree / "c10/cuda/CUDAFunctions.cpp", '#include "CUDALate.h"\n')
    assert shop.run() == 0
    write(shop.tree / "c10/cuda/CUDALate.h", "#pragma once\n")
    assert shop.run() == 0
    assert files(shop.port) == shop.cold()
    assert files(shop.port)["src/c10/toy/TOYFunctions.cpp"] == b'#include "TOYLate.h"\n'


# -- the mappings changed: each kind of rule, and the files it can touch


def replaced(
    kind: str, file: str = "pytorch/names.json", **fields: Any
) -> Callable[[Workshop], None]:
    """Edit: replace fields of the first rule of a kind."""
    return lambda shop: shop.rule(kind, file).update(fields)


def added(file: str = "pytorch/names.json", **rule: Any) -> Callable[[Workshop], None]:
    """Edit: add a rule."""
    return lambda shop: shop.rules(file).append(rule)


def removed(kind: str, file: str = "pytorch/names.json") -> Callable[[Workshop], None]:
    """Edit: remove the first rule of a kind."""
    return lambda shop: shop.rules(file).remove(shop.rule(kind, file))


def launches(shop: Workshop) -> None:
    text = (shop.mappings / "toy/launch.yaml").read_text()
    write(shop.mappings / "toy/launch.yaml", text.replace("TOY_LAUNCH", "TOY_GO"))


def shared_memory(shop: Workshop) -> None:
    text = (shop.mappings / "toy/launch.yaml").read_text()
    write(shop.mappings / "toy/launch.yaml", text.replace("toy_dynamic_shared", "toy_shared"))


def no_effect(shop: Workshop) -> None:
    shop.rules("pytorch/names.json").insert(0, {"name": "no_such_word", "replace": "x"})
    shop.rule("call").update(
        expect={"min_hits": 0}, example={"before": "t.is_cuda()", "after": "t.is_toy()"}
    )


EDITS: dict[str, tuple[Callable[[Workshop], Any], str]] = {
    "name added": (added(name="cudaSuccess", replace="toyFine"), r"\bcudaSuccess\b"),
    "name": (replaced("name", replace="other"), r"\bcuda\b"),
    "note of a name": (replaced("name", note="why"), r"\bcuda\b"),
    "names added": (added(names={"cudaSuccess": "a", "threadIdx": "b"}), r"cudaSuccess|threadIdx"),
    "name that lacks support": (
        added(name="cublasHandle_t", status="unsupported", note="none"),
        r"\bcublasHandle_t\b",
    ),
    "name of one folder": (
        added(name="cudaStream_t", replace="s", only_in=["c10/**"]),
        r"cudaStream_t stream",
    ),
    "family of the CUDA layer": (
        replaced("family", "cuda/driver.json", replace=r"drv\1"),
        r"\bcu[A-Z]",
    ),
    "family": (
        lambda shop: shop.rules("pytorch/names.json")[2].update(replace=r"\1OTHER\2"),
        r"CUDA",
    ),
    "family removed": (lambda shop: shop.rules("pytorch/names.json").pop(2), r"CUDA"),
    "name inside of what a family follows": (
        added("pytorch/names.json", name="cuDeviceGetName", replace="got"),
        r"cuDeviceGetName",
    ),
    "macro": (replaced("macro", replace="V"), r"CUDA_VERSION"),
    "value": (replaced("value", replace="V"), r"CUDA_VERSION"),
    "call": (replaced("call", replace=".is_other()"), r"is_cuda"),
    "call removed": (removed("call"), r"is_cuda"),
    "qualified": (replaced("qualified", replace="c10::s"), r"\bc10\b"),
    "include": (
        lambda shop: shop.rules("pytorch/names.json")[8].update(replace="blas.h"),
        r"cublas_v2\.h",
    ),
    "include with a star": (replaced("include", replace="other*"), r"cuda"),
    "path": (replaced("path", replace="elsewhere"), ""),
    "path that leads to the same place": (replaced("path", path="cud[a]"), ""),
    "suffix of paths": (lambda shop: shop.rules("pytorch/names.json")[11].update(replace="x"), ""),
    "string": (replaced("string", replace="t:0"), r'"cuda:0"'),
    "patch": (replaced("patch", after="threadIdx.y < n"), r"__global__ void fill"),
    "patch removed": (removed("patch"), r"__global__ void fill"),
    "hazard": (replaced("hazard", "cuda/hazards.json", note="else"), r"0xffffffff"),
    "hazard added": (
        added("cuda/hazards.json", hazard="idle", pattern=r"nothing\w+", note="n"),
        r"nothing",
    ),
    "launch": (launches, r"<<<"),
    "shared memory": (shared_memory, r"__shared__"),
    "inventory": (
        lambda shop: shop.layers["cuda/inventory.json"]["areas"]["runtime"]["functions"].append(
            "cudaSuccess"
        ),
        r"cudaSuccess",
    ),
    "example, expectation and place in the file": (no_effect, r"no_such_word"),
    "order of families": (
        lambda shop: shop.rules("pytorch/names.json").insert(
            0, shop.rules("pytorch/names.json").pop(2)
        ),
        "",
    ),
    "what a vendor word looks like": (
        lambda shop: write(shop.mappings / "cuda/vendor.yaml", "words: [nothing]\n"),
        "",
    ),
    "profile": (
        lambda shop: write(
            shop.mappings / "toy/target.yaml",
            (shop.mappings / "toy/target.yaml").read_text().replace("device: toy", "device: toi"),
        ),
        "",
    ),
}
"""Change of the mappings -> text in the files that may be rewritten."""


@pytest.mark.parametrize("name", EDITS)
def test_a_changed_rule_rewrites_only_what_it_can_touch(shop: Workshop, name: str) -> None:
    edit, mark = EDITS[name]
    edit(shop)
    shop.save()
    touched = {path for path, text in ALL.items() if re.search(mark, text)}
    if name in ("path", "suffix of paths"):
        assert shop.run() == 0  # files went elsewhere, so that there are no times to compare
    else:
        assert shop.rewritten() == touched
    assert files(shop.port) == shop.cold()


def test_a_word_that_only_a_patch_brings_in(shop: Workshop) -> None:
    shop.rule("patch").update(after="cudaPatched(threadIdx.x) < n")
    shop.save()
    assert shop.run() == 0
    added(name="cudaPatched", replace="toyPatched")(shop)
    shop.save()
    assert shop.rewritten() == {"aten/src/ATen/native/cuda/Fill.cu"}
    assert files(shop.port) == shop.cold()


def test_a_reason_for_the_selection_changes_no_file(shop: Workshop) -> None:
    for folder in shop.layers["pytorch/selection.yaml"]["folders"]:
        folder["reason"] = "another"
    shop.save()
    assert shop.rewritten() == set()
    assert files(shop.port) == shop.cold()
    assert b'"reason":"another"' in (shop.port / "manifest.json").read_bytes()


def test_a_file_that_is_excluded_goes(shop: Workshop) -> None:
    shop.layers["pytorch/selection.yaml"]["exclude"][0]["glob"] = "**/Lazy.cpp"
    shop.save()
    assert shop.run() == 0
    assert files(shop.port) == shop.cold()
    assert not (shop.port / "src/torch/csrc/toy/Lazy.cpp").exists()


def test_another_porter_ports_anew(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(porter, "__version__", "99.0")
    fingerprint._digest.cache_clear()
    assert shop.rewritten() == set(ALL)
    assert json.loads((shop.port / "manifest.json").read_bytes())["porter"] == "99.0"
    assert files(shop.port) == shop.cold()
    monkeypatch.undo()
    fingerprint._digest.cache_clear()


def test_what_comes_out_the_same_keeps_its_time(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rewritten file with equal content keeps its time, so that its object stays up to date."""
    before = times(shop.port / "src")
    added(name="cudaSuccess", replace="toyFine")(shop)
    shop.save()
    monkeypatch.setattr("porter.port.stage.REWRITTEN", SimpleNamespace(code=lambda: "0" * 64))
    assert shop.rewritten() == set(ALL)
    now = times(shop.port / "src")
    changed = {path for path in now if before[path] != now[path]}
    with_it = {path for path, text in ALL.items() if "cudaSuccess" in text}
    assert len(changed) == len(with_it) and 0 < len(changed) < len(ALL)
    assert files(shop.port) == shop.cold()
    assert shop.rewritten() == set()


def test_other_code_ports_anew(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("porter.port.stage.REWRITTEN", SimpleNamespace(code=lambda: "0" * 64))
    assert shop.rewritten() == set(ALL)
    assert shop.rewritten() == set()


def test_without_the_rules_of_last_time_all_is_rewritten(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "empty"))
    assert shop.rewritten() == set()
    added(name="cudaSuccess", replace="toyFine")(shop)
    shop.save()
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "empty, too"))
    assert shop.rewritten() == set(ALL)
    assert files(shop.port) == shop.cold()


def test_a_cache_that_cannot_be_written_is_done_without(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    write(tmp_path / "file", "")
    monkeypatch.setenv("PORTER_CACHE", str(tmp_path / "file" / "cache"))
    assert shop.run() == 0
    assert files(shop.port) == shop.cold()


# -- any edits, in any order

_WORDS = sorted({word for text in ALL.values() for word in re.findall(r"\b[A-Za-z_]\w+\b", text)})
_TEXTS = st.sampled_from(["toyX", "cuda", "cudaMalloc", "cuDeviceGetName", "other_"])
_PATHS = st.lists(st.sampled_from(["c10/**", "*.cu", "**/cuda/*"]), min_size=1, max_size=1)
_RULES = st.one_of(
    st.fixed_dictionaries(
        {"name": st.sampled_from(_WORDS)}, optional={"replace": _TEXTS, "only_in": _PATHS}
    ),
    st.fixed_dictionaries(
        {"family": st.sampled_from([r"cu\w+", r"(\w*)Stream(\w*)", r"CU(\w+)", r"(cu[A-Z]\w*)_"])},
        optional={"replace": _TEXTS, "note": st.just("n")},
    ),
    st.fixed_dictionaries(
        {"macro": st.sampled_from(["CUDA_VERSION", "threadIdx"]), "replace": _TEXTS}
    ),
    st.fixed_dictionaries(
        {
            "include": st.sampled_from(["cuda.h", "c*", "ATen/*", "cusparse.h"]),
            "replace": st.sampled_from(["x.h", "y*"]),
        }
    ),
    st.fixed_dictionaries(
        {
            "string": st.sampled_from([r"cuda", r"^.says", r"\d$"]),
            "replace": st.sampled_from(["", "s"]),
        }
    ),
    st.fixed_dictionaries(
        {
            "hazard": st.sampled_from(["one", "two"]),
            "pattern": st.sampled_from([r"cuda\w+", r"\bif\b"]),
            "note": st.just("n"),
        }
    ),
    st.fixed_dictionaries(
        {
            "patch": st.sampled_from(["**/*.cpp", "**/Loops.cuh"]),
            "before": st.sampled_from(["cuda", "{"]),
            "after": st.sampled_from(["cudaNew", "{ cuDeviceGetName "]),
            "expect": st.just({"min_hits": 0}),
        }
    ),
)
_FILES = st.sampled_from(["pytorch/names.json", "cuda/runtime.json", "toy/more.json"])
_EDITS = st.one_of(
    st.tuples(st.just("add"), _FILES, st.integers(0, 20), _RULES),
    st.tuples(st.just("remove"), _FILES, st.integers(0, 20), st.just({})),
    st.tuples(st.just("move"), _FILES, st.integers(0, 20), st.just({})),
    st.tuples(
        st.just("change"),
        _FILES,
        st.integers(0, 20),
        st.sampled_from(
            [
                {"note": "new"},
                {"replace": "toyNew"},
                {"only_in": ["c10/**"]},
                {"not_in": ["**/*.cu"]},
                {"in": ["code"]},
                {"status": "unsupported", "note": "none"},
            ]
        ),
    ),
    st.tuples(
        st.just("source"),
        st.sampled_from(sorted(ALL)),
        st.just(0),
        st.sampled_from(
            [
                {"text": "cudaMalloc(p); cuDeviceGetName_(q);\n"},
                {"text": "fill<<<1, 2>>>();\n"},
                {},
            ]
        ),
    ),
)


def make_edit(shop: Workshop, edit: tuple[str, str, int, dict[str, Any]]) -> None:
    """Make one edit of the mappings or of the tree; an edit that does not fit has no effect."""
    what, file, index, data = edit
    if what == "source":
        if data:
            write(shop.tree / file, data["text"])
        elif file not in LANDMARKS:
            (shop.tree / file).unlink(missing_ok=True)
        return
    rules = shop.layers.setdefault(file, {"area": "runtime", "rules": []})["rules"]
    if what == "add":
        rules.insert(index % (len(rules) + 1), dict(data))
    elif rules and what == "remove":
        rules.pop(index % len(rules))
    elif rules and what == "move":
        rules.append(rules.pop(index % len(rules)))
    elif rules:
        rules[index % len(rules)].update(data)
    shop.save()


@pytest.mark.slow
@settings(
    max_examples=60,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(steps=st.lists(st.lists(_EDITS, min_size=1, max_size=3), min_size=1, max_size=3))
def test_any_edits_come_to_what_a_cold_run_comes_to(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[list[tuple[str, str, int, dict[str, Any]]]],
) -> None:
    place = tmp_path_factory.mktemp("shop")
    shop = Workshop(place)
    assert shop.run() == 0
    for edits in steps:
        before = files(shop.port)
        for edit in edits:
            make_edit(shop, edit)
        code = shop.run()
        again = call(
            arguments(shop.tree, place / "cold", "--mappings", str(shop.mappings), "--json")
        )
        assert code == again
        assert files(shop.port) == (files(port_of(place / "cold")) if code == 0 else before)
        shutil.rmtree(place / "cold", ignore_errors=True)
    shutil.rmtree(place)


# -- the same bytes


def test_the_same_bytes_whatever_the_jobs_and_the_places(tmp_path: Path) -> None:
    sources = {**SOURCES, **MORE, **many(120, "some")}
    tree = make_tree(tmp_path / "pytorch", sources)
    other = make_tree(
        tmp_path / "a much longer" / "and / other".replace("/", "") / "place", sources
    )
    first = cold(tree, tmp_path / "out")
    assert cold(tree, tmp_path / "out") == first
    for jobs in ("2", "4", "64"):
        assert cold(tree, tmp_path / "out", "-j", jobs) == first
    assert cold(other, tmp_path / "deep" / "er" / "out", "-j", "2") == first


def test_the_same_bytes_from_a_relative_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = make_tree(tmp_path / "pytorch")
    first = cold(tree, tmp_path / "out")
    monkeypatch.chdir(tree)
    assert cold(Path(), tmp_path / "out") == first
    assert cold(Path("../pytorch"), Path("../out")) == first


def test_nothing_in_a_port_names_the_machine(shop: Workshop) -> None:
    for path, data in files(shop.port).items():
        assert str(shop.place).encode() not in data, path
        assert time.strftime("%Y-%m-%d").encode() not in data, path


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (
            "#define GET(D) get##D##Kind\nGET(Odd);\n",
            {"name": "getOddKind", "replace": "a"},
            {"name": "getOddKind", "replace": "b"},
        ),
        (
            "namespace s = n::impl;\ns::State x;\n",
            {"qualified": "n::impl::State", "replace": "m::State"},
            {"qualified": "n::impl::State", "replace": "o::State"},
        ),
    ],
    ids=["pasted", "abbreviated"],
)
def test_a_name_that_a_file_does_not_spell_out_touches_it(
    tmp_path: Path, text: str, old: dict[str, str], new: dict[str, str]
) -> None:
    file = tmp_path / "a.cpp"
    file.write_text(text)
    touch = RuleChange(rule_set({"toy": [old]}), rule_set({"toy": [new]}))
    assert touch.can("a.cpp", str(file))
