"""`porter mapping`: output and exit codes of its commands."""

from __future__ import annotations

import importlib.util
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mapping_files import Ran, rules, write
from repository import TEST_MAPPINGS

from porter.cli.main import call
from porter.mapping import importer
from porter.mapping.json_schema import json_schema
from porter.mapping.library import shipped
from porter.mapping.load import load
from porter.simt.sources import include_dir

INVENTORY = json.loads((shipped() / "cuda" / "inventory.json").read_text(encoding="utf-8"))
TARGETS = ["simt", "musa", "hip", "maca"]


# -- check


def test_check_says_that_shipped_mappings_are_clean(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(
        capsys,
        "check",
        "--target",
        "toy",
        "--mappings",
        TEST_MAPPINGS,
        "--target",
        "simt",
        "--json",
    )
    assert (ran.code, ran.err) == (0, "")
    assert list(ran.json["targets"]) == ["toy", "simt"]
    assert ran.json["schema"] == 1 and ran.json["findings"] == []


def test_check_looks_at_all_targets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = {"acme/runtime.yaml": rules("  - name: cudaMalloc\n    replace: acmeMalloc\n")}
    profile = (
        "target: apex\nsummary: another\nnames: {lower: apex, UPPER: APEX, Camel: Apex}\n"
        "device: apex\nlibraries: {runtime: apex}\n"
    )
    broken = rules("  - name: cudaMalloc\n    repalce: apexMalloc\n")
    shared = rules("  - name: CUDA\n    replace: a\n  - name: CUDA\n    replace: b\n", "pytorch")
    files |= {
        "apex/target.yaml": profile,
        "apex/runtime.yaml": broken,
        "pytorch/names.yaml": shared,
    }
    write(tmp_path, files)
    ran = Ran(capsys, "check", "--mappings", tmp_path, "--json", "-t", "acme", "-t", "apex")
    assert ran.code == 3
    # What cannot be loaded does not keep the others from being checked; what both share is told
    # once.
    assert [(f["check"], f["place"]) for f in ran.json["findings"]] == [
        ("load", "apex/runtime.yaml:4"),
        ("duplicate", "pytorch/names.yaml:5"),
    ]
    assert ran.json["targets"]["acme"]["errors"] == 1
    assert ran.err.count("error:") == 2
    everything = Ran(capsys, "check", "--mappings", tmp_path, "--json")
    assert everything.code == 3
    assert {"acme", *TARGETS} == set(everything.json["targets"])


def test_check_of_an_unknown_target(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "check", "--target", "must")
    assert ran.code == 2
    assert ran.err == "error: unknown target 'must'\n  help: did you mean 'musa'?\n"


def test_warnings_alone_are_findings(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = rules("  - name: cudaMalloc\n    replace: a\n  - name: cudaMalloc\n    replace: a\n")
    write(tmp_path, {"acme/runtime.yaml": text})
    ran = Ran(capsys, "check", "--target", "acme", "--mappings", tmp_path)
    assert ran.code == 1
    place = f"{tmp_path}/acme/runtime.yaml:5"
    assert ran.err.startswith(f"warning: {place}: name 'cudaMalloc' has two equal rules\n")
    assert ran.out.split()[-6:] == ["acme", "2", "1", "0", "0", "1"]


# -- coverage


@pytest.mark.parametrize("target", TARGETS)
def test_every_name_of_cuda_is_classified(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "coverage", "--target", target, "--json", "--names")
    assert ran.code == 0
    areas = ran.json["areas"]
    assert ran.json["cuda"] == INVENTORY["cuda"] and ran.json["target"] == target
    for area, kinds in INVENTORY["areas"].items():
        found = areas[area]
        assert found["total"] == len({name for names in kinds.values() for name in names})
        assert found["mapped"] + found["unsupported"] == found["total"]
        assert found["unclassified"] == 0 and found["unclassified_names"] == []
        # Unsupported is said with a reason, always.
        assert sum(reason["names"] for reason in found["reasons"]) == found["unsupported"]
        assert all(reason["reason"].strip() for reason in found["reasons"])
    total = Counter[str]()
    for found in areas.values():
        total.update({key: found[key] for key in ("mapped", "unsupported", "total")})
    assert {key: ran.json["total"][key] for key in total} == total


_COVERED = {
    "cuda/inventory.json": json.dumps(
        {
            "cuda": "12.4",
            "areas": {
                "runtime": {
                    "functions": ["cudaFree", "cudaMalloc", "cudaGraphCreate", "cudaOpen"],
                    "types": ["dim3", "cudaCUDAThing"],
                    "macros": ["cudaMalloc"],
                },
                "cub": {"types": ["Max", "Sum", "Both"]},
            },
            "namespaces": {"cub": ["Max", "Sum", "Both"], "cub::detail": ["Both"]},
        }
    ),
    "pytorch/names.yaml": rules("  - family: (\\w*)CUDA(\\w*)\n    replace: \\1ACME\\2\n", "pytorch"),
    "acme/runtime.yaml": rules(
        "  - names: [cudaFree, cudaMalloc]\n    rename: {cuda: acme}\n"
        "  - name: cudaGraphCreate\n    status: unsupported\n    note: no graphs\n"
        "  - name: dim3\n"
        "  - qualified: cub::Sum\n"
        "  - qualified: cub::Max\n    status: todo\n    note: not yet\n"
        "  - qualified: cub::Both\n"
    ),
}  # fmt: skip


def test_coverage_counts_what_the_rules_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, _COVERED)
    here = ("coverage", "--target", "acme", "--mappings", tmp_path)
    ran = Ran(capsys, *here, "--json", "--names")
    assert ran.code == 1
    runtime, cub = ran.json["areas"]["runtime"], ran.json["areas"]["cub"]
    # A family for PyTorch's names takes cudaCUDAThing, which says nothing about CUDA's API.
    assert runtime == {
        "mapped": 3,
        "guessed": 0,
        "listed": 3,
        "seen": 0,
        "unsupported": 1,
        "unclassified": 2,
        "total": 6,
        "reasons": [{"reason": "no graphs", "names": 1}],
        "unclassified_names": ["cudaOpen", "cudaCUDAThing"],
    }
    # cub::detail::Both is another name than cub::Both, and no rule speaks of it.
    assert (cub["mapped"], cub["unsupported"], cub["unclassified_names"]) == (1, 1, ["Both"])
    ran = Ran(capsys, *here, "--names", "--reasons")
    lines = ran.out.splitlines()
    assert "runtime cudaOpen" in lines and "cub Both" in lines
    assert "       1  no graphs" in lines
    assert [line.split() for line in lines if line.split()[:1] == ["total"]] == [
        ["total", "4", "0", "4", "0", "2", "3", "9"]
    ]


# -- show


def test_show_in_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = (
        '{"area": "runtime",\n "rules": [{"names": {\n'
        '  "cudaFree": "acmeFree",\n  "cudaMalloc": "acmeMalloc"}}]}'
    )
    text = rules(
        "  - macro: CUDA_VERSION\n    replace: ACME_VERSION\n"
        "  - value: CUDA_VERSION\n    replace: ACME_NUMBER\n"
        "  - name: cudaGraphCreate\n    status: todo\n    note: no graphs yet\n"
        "  - family: cudaGet(\\w+)\n    replace: acmeGet\\1\n"
        "  - call: .is_cuda()\n    replace: .is_acme()\n"
        "  - name: dim3\n"
    )
    write(tmp_path, {"acme/runtime.yaml": text, "acme/tables/runtime.json": table})
    names = ["cudaMalloc", "cudaGetDevice", "cudaGraphCreate", "dim3", "CUDA_VERSION", "nothing"]
    ran = Ran(
        capsys, "show", *names, "is_cuda", "--target", "acme", "--mappings", tmp_path, "--json"
    )
    assert ran.code == 0
    said = ran.json
    assert said.pop("schema") == 1
    assert list(said) == [*names, "is_cuda"]
    short = {n: (s["status"], s["replace"], s["rule"], s["note"]) for n, s in said.items()}
    assert short == {
        "cudaMalloc": ("supported", "acmeMalloc", "acme/tables/runtime.json:4", ""),
        "cudaGetDevice": ("supported", "acmeGetDevice", "acme/runtime.yaml:10", ""),
        "cudaGraphCreate": ("todo", None, "acme/runtime.yaml:7", "no graphs yet"),
        "dim3": ("supported", "dim3", "acme/runtime.yaml:14", ""),
        "CUDA_VERSION": ("supported", "ACME_VERSION", "acme/runtime.yaml:3", ""),
        "nothing": ("unmapped", None, None, ""),
        "is_cuda": ("supported", ".is_acme()", "acme/runtime.yaml:12", ""),
    }
    assert said["CUDA_VERSION"]["elsewhere"] == [
        {"kind": "value", "replace": "ACME_NUMBER", "rule": "acme/runtime.yaml:5"}
    ]


def test_show_reads_names_from_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [name for names in INVENTORY["areas"]["runtime"].values() for name in names]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(names) + "\n\n  dim3 \n"))
    ran = Ran(capsys, "show", "--target", "hip", "--json", "-", "cudaNoSuchThing")
    assert ran.code == 0
    assert set(ran.json) == {"schema", *names, "cudaNoSuchThing"}
    # As ROCm's HIP programming guide has it.
    assert ran.json["cudaMalloc"]["replace"] == "hipMalloc"
    file, _, line = ran.json["cudaMalloc"]["rule"].rpartition(":")
    text = (shipped() / file).read_text(encoding="utf-8").split("\n")[int(line) - 1]
    assert text.split() == ['"cudaMalloc":', '"hipMalloc",']


def test_show_of_chains_goes_name_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["at::cuda::getCurrentCUDAStream", "x::y", "simt_only::cudaMalloc"]
    ran = Ran(capsys, "show", *names, "--target", "toy", "--mappings", TEST_MAPPINGS, "--json")
    said = {name: ran.json[name]["replace"] for name in names}
    assert said == {
        "at::cuda::getCurrentCUDAStream": "at::toy::getCurrentTOYStream",
        "x::y": None,
        "simt_only::cudaMalloc": "simt_only::toyMalloc",
    }


def test_show_without_names_shows_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = rules("  - names: [b, a]\n  - family: c\\w+\n  - qualified: d::e\n    replace: f\n")
    write(tmp_path, {"acme/runtime.yaml": text})
    ran = Ran(capsys, "show", "--target", "acme", "--mappings", tmp_path)
    rows = [line.split() for line in ran.out.splitlines()]
    assert rows == [
        ["name", "status", "evidence", "becomes", "rule", "note"],
        ["a", "supported", "listed", "a", "acme/runtime.yaml:3"],
        ["b", "supported", "listed", "b", "acme/runtime.yaml:3"],
        ["d::e", "supported", "listed", "f", "acme/runtime.yaml:5"],
        ["family", "status", "evidence", "becomes", "rule", "note"],
        ["c\\w+", "supported", "guessed", "\\g<0>", "acme/runtime.yaml:4"],
    ]


def test_show_of_nothing_is_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    ran = Ran(capsys, "show", "-")
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert Ran(capsys, "show", "--json", "-").json == {"schema": 1}


# -- schema


def test_schema_is_printed_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    ran = Ran(capsys, "schema")
    assert (ran.code, ran.err, ran.json) == (0, "", json_schema())


# -- import


def _import(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str, text: str, *more: str
) -> Ran:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return Ran(capsys, "import", tmp_path / name, "--area", "runtime", *more)


def test_import_of_a_flat_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(
        {
            "cudaMalloc": "acmeMalloc",
            "cudaFree": "acmeFree",
            "dim3": "dim3",
            "cuda_runtime.h": "acme_runtime.h",
            "cuda/api.cuh": "acme/api.cuh",
            "crt/thing": "crt/acme",
            "#ifdef CUDART_VERSION": "#if 0",
            "at::cuda": "at::acme",
            "cudaStream_t": "acme::Stream",
            "cudaEvent_t": "",
        },
        indent=1,
    )
    ran = _import(capsys, tmp_path, "general.json", text, "--source", "acme's own table")
    assert ran.code == 0
    # A name per line, sorted, ready to be read by porter.
    assert ran.out == (
        '{\n "area": "runtime",\n "source": "acme\'s own table",\n "rules": [\n  {\n   "names": {\n'
        '    "cudaFree": "acmeFree",\n    "cudaMalloc": "acmeMalloc",\n    "dim3": "dim3"\n   }\n  },\n'
        '  {\n   "include": "cuda/api.cuh",\n   "replace": "acme/api.cuh"\n  },\n'
        '  {\n   "include": "cuda_runtime.h",\n   "replace": "acme_runtime.h"\n  }\n ]\n}\n'
    )
    path = tmp_path / "general.json"
    assert ran.err == (
        "5 rules: 3 names, 0 unsupported names, 2 include paths\n"
        "5 entries were not imported:\n"
        "  a folder, or a header without a suffix: write an `include` rule (1)\n"
        f"    {path}:7: 'crt/thing' -> 'crt/acme'\n"
        "  a piece of text: write a `string` or `patch` rule (1)\n"
        f"    {path}:8: '#ifdef CUDART_VERSION' -> '#if 0'\n"
        "  a qualified name: write a `qualified` rule (1)\n"
        f"    {path}:9: 'at::cuda' -> 'at::acme'\n"
        "  the replacement is not an identifier (2)\n"
        f"    {path}:10: 'cudaStream_t' -> 'acme::Stream'\n"
        f"    {path}:11: 'cudaEvent_t' -> ''\n"
    )


def test_an_imported_table_is_a_mapping(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = write(tmp_path, {})
    table = tmp_path / "acme" / "tables" / "runtime.json"
    text = json.dumps({"cudaMalloc": "acmeMalloc", "cuda.h": "acme.h"})
    ran = _import(capsys, tmp_path, "given.json", text, "--out", str(table))
    assert (ran.code, ran.out) == (0, "")
    kinds = [entry.kind for entry in load(library, "acme").entries]
    assert kinds == ["names", "include"]
    assert Ran(capsys, "check", "--target", "acme", "--mappings", tmp_path).code == 0
    said = Ran(capsys, "show", "cudaMalloc", "-t", "acme", "--mappings", tmp_path, "--json").json
    assert said["cudaMalloc"]["replace"] == "acmeMalloc"


_MODULE = """\
import collections, os
open({marker!r}, "w").close()
_HEADER = "a.h" if os.environ.get("X") else "b.h"
UNUSED = {{"std::max": "::max", "cudaUnused": "hipUnused"}}
NAMES = collections.OrderedDict([
    ("cudaMalloc", ("hipMalloc", CONV_MEM, API_RUNTIME)),
    ("cudaGraph", ("hipGraph", CONV_MEM, API_RUNTIME, HIP_UNSUPPORTED)),
    ("cudaTwice", ("hipOne", CONV_MEM)),
    ("include <cuda.h", ("include <hip/hip.h", CONV_INCLUDE)),
    ("nccl.h", (_HEADER, CONV_INCLUDE)),
])
MORE: dict = {{
    "cudaTwice": ("hipTwo", CONV_MEM),
    "cudaMalloc": ("hipMalloc", CONV_TYPE),
    "cudaFree": "hipFree",
    **NAMES,
}}
CUDA_TO_HIP_MAPPINGS = [NAMES, MORE]
"""


def test_import_of_a_module_of_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marker = tmp_path / "it-was-run"
    ran = _import(capsys, tmp_path, "tables.py", _MODULE.format(marker=str(marker)))
    assert ran.code == 0 and not marker.exists()
    assert ran.json["rules"] == [
        {"names": {"cudaFree": "hipFree", "cudaMalloc": "hipMalloc"}},
        {
            "names": ["cudaGraph"],
            "status": "unsupported",
            "note": "torch.utils.hipify marks it HIP_UNSUPPORTED",
        },
        {"include": "cuda.h", "replace": "hip/hip.h"},
    ]
    told = [line.strip().removeprefix(f"{tmp_path}/tables.py:") for line in ran.err.splitlines()]
    assert told == [
        "4 rules: 2 names, 1 unsupported names, 1 include paths",
        "4 entries were not imported:",
        "not a pair of literal texts (1)",
        "10: ('nccl.h', (_HEADER, CONV_INCLUDE))",
        "the table has two contradictory entries (2)",
        "8: 'cudaTwice' -> 'hipOne'",
        "13: 'cudaTwice' -> 'hipTwo'",
        "the table is not in CUDA_TO_HIP_MAPPINGS (1)",
        "4: UNUSED, 2 entries",
    ]


@pytest.mark.parametrize(
    ("name", "text", "code", "said"),
    [
        ("a.json", '{"cudaMalloc": 3}', 3, "a.json:1: the replacement of 'cudaMalloc' is not text"),
        ("a.json", '{"a": "b",\n "a": "c"}', 3, "a.json:2: duplicate key 'a'"),
        ("a.json", "[1]", 3, "a.json: is not a table of names"),
        ("a.json", '{"area": "x", "rules": []}', 3, "a.json: is already a mapping of porter"),
        ("a.json", "{", 3, "a.json:1: malformed JSON"),
        ("a.py", "x = [\n", 3, "a.py:1: malformed Python"),
        ("a.py", "x = 3\n", 3, "a.py: contains no table of names"),
        ("a.py", "x = 'a\0b'\n", 3, "a.py: malformed Python"),
        ("a.py", "(" * 5000, 3, "a.py"),
        ("a.csv", "cudaMalloc,hipMalloc\n", 3, "a.csv: is not a table that porter can import"),
        ("a.h", "#define A B\n", 3, "a.h: contains no name to import"),
    ],
)
def test_import_of_what_is_no_table(
    name: str, text: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = _import(capsys, tmp_path, name, text, "--out", str(tmp_path / "out.json"))
    assert ran.code == code
    assert ran.err.startswith(f"error: {tmp_path}/{said}")
    assert not (tmp_path / "out.json").exists()


WRAPPER = """#ifdef MC
#define cudaMalloc mcMalloc
  #  define cudaFree(p) mcFree(p)
#define mcStream_t cudaStream_t  // the vendor's name comes first
#define cublasCreate mcblasCreate
#define OTHER something
#define cudaError_t cudaError
#endif
"""


def test_import_of_a_wrapper_header(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = _import(capsys, tmp_path, "wrap.h", WRAPPER)
    assert ran.code == 0
    (rule,) = json.loads(ran.out)["rules"]
    assert rule == {"names": {"cudaMalloc": "mcMalloc", "cudaStream_t": "mcStream_t"}}
    path = tmp_path / "wrap.h"
    assert ran.err == (
        "2 rules: 2 names, 0 unsupported names, 0 include paths\n"
        "3 entries were not imported:\n"
        "  a macro with parameters: write a `call` rule (1)\n"
        f"    {path}:3: #  define cudaFree(p) mcFree(p)\n"
        "  a name of area blas (1)\n"
        f"    {path}:5: cublasCreate: mcblasCreate\n"
        "  both names are CUDA's (1)\n"
        f"    {path}:7: #define cudaError_t cudaError\n"
    )


def test_import_of_the_declarations_of_an_sdk(capsys: pytest.CaptureFixture[str]) -> None:
    """Every imported name of simt's own header is a name that simt's mappings list."""
    header = include_dir() / "simt_runtime_api.h"
    ran = Ran(capsys, "import", header, "--area", "runtime", "--target", "simt")
    assert ran.code == 0
    (rule,) = json.loads(ran.out)["rules"]
    text = header.read_text()
    assert len(rule["names"]) > 100
    assert rule["names"]["cudaGetDeviceCount"] == "simtGetDeviceCount"
    assert all(re.search(rf"\b{new}\b", text) for new in rule["names"].values())
    ran = Ran(capsys, "import", header, "--area", "runtime", "--target", "musa")
    assert (
        ran.code == 3 and "give a header that declares replacements by the rules of musa" in ran.err
    )


def test_a_table_has_no_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ran = _import(capsys, tmp_path, "a.json", '{"cudaMalloc": "m"}', "--target", "musa")
    assert ran.code == 2 and "--target is for headers" in ran.err


def test_import_into_places_that_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = json.dumps({"cudaMalloc": "acmeMalloc"})
    ran = _import(capsys, tmp_path, "a.json", text, "--out", str(tmp_path / "a.json"))
    assert ran.code == 2 and (tmp_path / "a.json").read_text() == text
    ran = _import(capsys, tmp_path, "a.json", text, "--out", str(tmp_path / "a.json" / "b.json"))
    assert ran.code == 4 and "cannot be written" in ran.err
    ran = Ran(capsys, "import", tmp_path / "a.json", "--area", "runtme")
    assert ran.err == "error: unknown area 'runtme'\n  help: did you mean 'runtime'?\n"
    assert ran.code == 2
    ran = Ran(capsys, "import", tmp_path / "nowhere.json", "--area", "runtime")
    assert ran.code == 3 and "cannot be read" in ran.err


def _hipify(tree: Path) -> ModuleType:
    """Tables of the module, obtained by running it; the importer, which runs nothing, must agree."""
    folder = tree / "torch" / "utils" / "hipify"
    for name in ("constants", "cuda_to_hip_mappings"):
        path = folder / f"{name}.py"
        spec = importlib.util.spec_from_file_location(f"hipify_under_test.{name}", path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
    return module


@pytest.mark.release
def test_import_accounts_for_every_entry_of_hipify(release_tree: Path) -> None:
    package = ModuleType("hipify_under_test")
    package.__path__ = []
    sys.modules["hipify_under_test"] = package
    sys.modules["hipify_under_test.version"] = ModuleType("hipify_under_test.version")
    try:
        module = _hipify(release_tree)
    except ImportError as error:
        pytest.skip(f"this release's table module cannot be run alone: {error}")
    tables: list[Mapping[str, Any]] = module.CUDA_TO_HIP_MAPPINGS
    path = release_tree / "torch" / "utils" / "hipify" / "cuda_to_hip_mappings.py"
    table = importer.read(path)
    unsupported = {name for names in table.unsupported.values() for name in names}
    left = "\n".join(entry.text for entry in table.left)
    says: dict[str, set[tuple[str, bool]]] = {}
    for entries in tables:
        for old, (new, *flags) in entries.items():
            says.setdefault(old, set()).add((new, module.HIP_UNSUPPORTED in flags))
    assert len(says) > 2000
    for old, outcomes in says.items():
        bare = old.removeprefix("include <").removeprefix('include "')
        if old in table.names:
            assert outcomes == {(table.names[old], False)}, old
        elif old in unsupported:
            assert {is_unsupported for _, is_unsupported in outcomes} == {True}, old
        elif bare in table.includes:
            assert {new.split("include ")[-1].lstrip('<"') for new, _ in outcomes} == {
                table.includes[bare]
            }, old
        else:
            assert repr(old) in left, old


def test_import_overwrites_on_demand_only(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "table.json"
    table.write_text("by hand\n")
    text = json.dumps({"cudaMalloc": "acmeMalloc"})
    ran = _import(capsys, tmp_path, "given.json", text, "--out", str(table))
    assert ran.code == 2 and "exists already" in ran.err and "--force" in ran.err
    assert table.read_text() == "by hand\n"
    for more in (["--force"], []):  # what exists already may be made again
        assert _import(capsys, tmp_path, "given.json", text, "--out", str(table), *more).code == 0
    assert "acmeMalloc" in table.read_text()


def test_headers_are_shown_by_the_rules_about_includes(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("cublas_v2.h", "thrust/sort.h", "c10/cuda/CUDAStream.h", "nothing.h")
    shown = Ran(capsys, "show", *names, "-t", "musa", "--json").json
    assert [shown[name]["replace"] for name in names] == [
        "mublas.h",
        "thrust/sort.h",
        "c10/musa/MUSAStream.h",
        None,
    ]
    assert shown["nothing.h"]["status"] == "unmapped"


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("budget.yaml", "acme:\n  2.6.0: {unmaped: 0}\n", "budget.yaml:2: 'unmaped' has no budget"),
        ("budget.yaml", "acme: [", "budget.yaml:"),
        (
            "budget.yml",
            "acme: {}\n",
            "budget.yml: is ignored: the name of the budget file is budget.yaml",
        ),
        ("acme/verify.yaml", "known:\n  - {ops: [x]}\n", "acme/verify.yaml:2:"),
        ("acme/ops/ops.yaml", "namespace: x\ncustm: []\n", "acme/ops/ops.yaml:2:"),
        ("pytorch/build.yaml", "sets: {core: ['*']}\n", "the set 'host', which is always built"),
        ("pytorch/registration.yaml", "exclud: []\n", "pytorch/registration.yaml:1:"),
    ],
)
def test_check_reads_every_file_of_a_target(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str,
    said: str,
) -> None:
    write(tmp_path, {})
    monkeypatch.setattr("porter.mapping.library.shipped", lambda: tmp_path)
    assert call(["mapping", "check", "--target", "acme"]) == 0
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text(text)
    capsys.readouterr()
    assert call(["mapping", "check", "--target", "acme"]) == 3
    assert said in capsys.readouterr().err
