"""`porter target`: the available targets, and the first files of a new one."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from repository import TEST_MAPPINGS
from workshop import UPSTREAM, write_files

from porter.cli.main import call
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.rules import RuleSet
from porter.rewrite.kinds import kernel, order

Result = tuple[int, str, str]
Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.chdir(tmp_path)

    def target(*args: str | Path) -> Result:
        code = call(["target", *map(str, args)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return target


def rules_of(name: str, folder: str = "mine") -> RuleSet:
    return rule_cache.rule_set(MappingLibrary.find([Path(folder)]), name, "2.6.0")


def by_name(run: Run, *args: str | Path) -> dict[str, dict[str, Any]]:
    code, out, _ = run("list", "--json", *args)
    assert code == 0
    return {row["name"]: row for row in json.loads(out)["targets"]}


# -- list


def test_the_shipped_targets(run: Run) -> None:
    rows = by_name(run)
    assert {"simt", "musa", "hip", "maca"} <= rows.keys()
    assert not {"cuda", "pytorch"} & rows.keys()
    assert rows["musa"]["suffixes"] == {"cu": "mu", "cuh": "muh"}
    assert rows["musa"]["warp_size"] == 32
    assert rows["hip"]["warp_size"] == rows["maca"]["warp_size"] == 64
    # What the project promises of its targets: no name of CUDA's headers without an answer.
    for name in ("simt", "musa", "hip", "maca"):
        assert rows[name]["coverage"]["unclassified"] == 0
        assert rows[name]["folder"] == ""
        assert rows[name]["summary"]


def test_the_text_of_the_list(run: Run) -> None:
    code, out, err = run("list", "--mappings", TEST_MAPPINGS)
    assert (code, err) == (0, "")
    head, *rows = [line.split() for line in out.splitlines()]
    assert head == [
        "target",
        "device",
        "warp",
        "mapped",
        "unsupported",
        "unclassified",
        "suffixes",
        "summary",
    ]
    assert [row[0] for row in rows] == sorted(row[0] for row in rows)
    assert "toy" in [row[0] for row in rows]


def test_a_target_of_ones_own(run: Run) -> None:
    assert by_name(run, "--mappings", TEST_MAPPINGS)["toy"]["folder"] == str(TEST_MAPPINGS / "toy")


def test_a_broken_target_does_not_hide_the_others(run: Run, tmp_path: Path) -> None:
    write_files(tmp_path, {"mine/bad/target.yaml": "target: bad\nsumary: typo\n"})
    code, out, err = run("list", "--mappings", "mine", "--json")
    assert code == 0
    rows = {row["name"]: row for row in json.loads(out)["targets"]}
    assert rows["bad"]["broken"].startswith("bad/target.yaml:")
    assert rows["simt"]["broken"] == ""
    assert "warning: target bad cannot be used: bad/target.yaml:" in err


# -- new


def test_a_new_target_ports_at_once(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run("new", "acme", "--mappings", "mine")
    assert (code, err) == (0, "")
    files = ["mine/acme/target.yaml", "mine/acme/launch.yaml"]
    assert out.splitlines()[:2] == files
    assert "porter run --pytorch-src DIR --target acme --mappings mine" in out
    assert len(Path(files[0]).read_text().splitlines()) < 45

    write_files(tmp_path / "pytorch", UPSTREAM)
    command = [
        "run",
        "--until",
        "port",
        "--pytorch-src",
        "pytorch",
        "-t",
        "acme",
        "--mappings",
        "mine",
    ]
    # The made-up tree is too small for what rules expect of PyTorch: the text tells.
    assert call([*command, "--out", "out"]) in (0, 1)
    src = Path("out/acme/2.6.0/src")
    assert "acmeMalloc(&p, n);" in (src / "c10/acme/ACMEMemory.cpp").read_text()
    fill = (src / "aten/src/ATen/native/acme/Fill.cu").read_text()
    assert "fill<<<1, 32, 0, c10::acme::current()>>>(p, n);" in fill
    assert "#include <acme_runtime.h>" in fill


def test_a_new_target_passes_the_check(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    for name, more in (("acme", []), ("bcme", ["--from", "musa"]), ("ccme", ["--from", "simt"])):
        assert run("new", name, "--mappings", "mine", *more)[0] == 0
        assert call(["mapping", "check", "-t", name, "--mappings", "mine"]) == 0
        capsys.readouterr()


def test_the_prefixes_of_a_new_target(run: Run) -> None:
    more = ["--lower", "axon", "--short", "ax", "--device", "npu0", "--summary", "Acme: the SDK"]
    assert run("new", "acme", "--mappings", "mine", *more)[0] == 0
    profile = rules_of("acme").profile
    assert (profile.lower, profile.upper, profile.camel) == ("axon", "AXON", "Axon")
    assert (profile.device, profile.summary) == ("npu0", "Acme: the SDK")
    prefixes = {area: library.lower for area, library in profile.libraries.items()}
    assert (prefixes["runtime"], prefixes["driver"], prefixes["blas"]) == ("axon", "ax", "axblas")
    assert profile.libraries["blaslt"].upper == "AXBLASLT"


def test_a_new_target_shaped_like_another(run: Run) -> None:
    assert run("new", "acme", "--mappings", "mine", "--from", "musa")[0] == 0
    made, like = rules_of("acme").profile, rules_of("musa").profile
    assert made.suffixes == {"cu": "ac", "cuh": "ach"}
    assert made.main_header == "acme_runtime.h"
    assert made.libraries["blas"].lower == "acblas"
    # Where the other vendor has no library, that is an open question and not an answer.
    assert like.libraries["dnn"].unsupported
    assert made.libraries["dnn"].unsupported != like.libraries["dnn"].unsupported
    assert "not known yet" in made.libraries["dnn"].unsupported
    assert made.guards["CUDA_VERSION"].value == like.guards["CUDA_VERSION"].value


def test_launches_shaped_like_anothers(run: Run) -> None:
    assert run("new", "acme", "--mappings", "mine", "--from", "simt")[0] == 0
    rules = rules_of("acme")
    (launch,) = rules.of_kind("launch")
    assert rules.rules[launch].match.startswith("ACME_LAUNCH(")


def test_a_new_target_has_a_rule_of_every_kind_that_asks_for_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = dataclasses.replace(kernel.KIND, first_rule="Statement {UPPER}_BEGIN, or `keep`.")
    kinds = tuple(changed if kind is kernel.KIND else kind for kind in order.ORDER)
    monkeypatch.setattr(order, "ORDER", kinds)
    assert run("new", "acme", "--mappings", "mine")[0] == 0
    text = Path("mine/acme/launch.yaml").read_text()
    assert '  # Statement ACME_BEGIN, or `keep`.\n  - kernel: "keep"\n' in text
    rules = rules_of("acme")
    kept = [rule.kind for rule in rules.rules if rule.match == "keep"]
    assert kept == ["launch", "dynamic_shared", "kernel"]


def test_the_files_in_json(run: Run) -> None:
    code, out, _ = run("new", "acme", "--mappings", "mine", "--json")
    data = json.loads(out)
    assert (code, data["schema"], data["target"]) == (0, 1, "acme")
    assert all(Path(path).is_file() for path in data["files"])


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["Bad"], "'Bad' is not a valid name for a target"),
        (["cuda"], "'cuda' is not a valid name for a target"),
        (["a/b"], "'a/b' is not a valid name for a target"),
        (["xpu"], "device name 'xpu' is reserved by c10"),
        (["acme", "--device", "hip"], "device name 'hip' is reserved by c10"),
        (["acme", "--short", "cu"], "looks like a name of CUDA"),
        (["mycuda"], "looks like a name of CUDA"),
        (["acme", "--upper", "acme"], "--upper 'acme' must begin with a capital"),
        (["acme", "--lower", "a-b"], "--prefix 'a-b' must be small letters"),
        (["musa"], "target 'musa' exists already"),
        (["acme", "--from", "muza"], "unknown target 'muza'"),
    ],
)
def test_what_cannot_be_a_target(run: Run, args: list[str], text: str) -> None:
    code, _, err = run("new", *args, "--mappings", "mine")
    assert code == 2
    assert text in err
    assert not Path("mine").exists()


def test_a_target_is_not_made_twice(run: Run) -> None:
    assert run("new", "acme", "--mappings", "mine")[0] == 0
    before = Path("mine/acme/target.yaml").read_text()
    code, _, err = run("new", "acme", "--mappings", "mine", "--lower", "other")
    assert code == 2
    assert "error: mine/acme: target 'acme' exists already" in err
    assert Path("mine/acme/target.yaml").read_text() == before


def test_where_it_goes_must_be_said(run: Run) -> None:
    code, _, err = run("new", "acme")
    assert code == 2
    assert "--mappings" in err


def test_a_file_is_no_folder_of_mappings(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    code, _, err = run("new", "acme", "--mappings", "mine")
    assert code == 2
    assert "is a file, not a mapping folder" in err
