"""Loading of mappings: every error is reported with its place, and no text causes an internal error."""

from __future__ import annotations

import functools
import json
import os
import signal
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from golden import assert_golden
from mapping_files import Case, cases, rules, write
from repository import ROOT, TEST_MAPPINGS

from porter.base.errors import MappingError, UsageError
from porter.cli.main import call
from porter.mapping import document, schema
from porter.mapping.json_schema import json_schema
from porter.mapping.library import OWN_OPS, shipped
from porter.mapping.load import load

SCHEMA = ROOT / "docs" / "mapping.schema.json"
NOT_RULES = {
    "target.yaml": "ProfileFile",
    "selection.yaml": "SelectionFile",
    "build.yaml": "BuildFile",
    "registration.yaml": "RegistrationFile",
    "verify.yaml": "VerifyFile",
    "vendor.yaml": "VendorFile",
}


# -- messages


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_error_texts(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, case.files)
    code = call(["mapping", "check", "--target", "acme", "--mappings", str(tmp_path)])
    # Messages name the folder that --mappings gave.
    said = capsys.readouterr().err.replace(f"{tmp_path}/", "")
    assert_golden(said, case.errors, f"{case.name}.txt")
    assert code == case.code


def test_every_line_that_is_named_is_about_what_is_said(tmp_path: Path) -> None:
    # The golden texts were written by hand; this asks the files themselves.
    named = 0
    for case in cases():
        for line in case.errors.splitlines():
            place, _, said = line.removeprefix("error: ").removeprefix("warning: ").partition(": ")
            file, _, number = place.rpartition(":")
            if line.startswith("unknown key", len(line) - len(said)) and number.isdigit():
                key = said.split("'")[1]
                assert key in case.files[file].split("\n")[int(number) - 1], line
                named += 1
    assert named >= 5


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    library = write(tmp_path, {})
    (tmp_path / "acme" / "latin.yaml").write_bytes(b"area: r\xe9seau\n")
    with pytest.raises(MappingError) as caught:
        load(library, "acme")
    assert [(p.place, p.text) for p in caught.value.problems] == [
        ("acme/latin.yaml", "is not UTF-8: byte 7")
    ]


def test_a_folder_with_the_name_of_a_mapping_is_named(tmp_path: Path) -> None:
    library = write(tmp_path, {})
    (tmp_path / "acme" / "runtime.yaml").mkdir()
    with pytest.raises(MappingError) as caught:
        load(library, "acme")
    assert [p.place for p in caught.value.problems] == ["acme/runtime.yaml"]


def test_missing_base_files_are_mistakes_too(tmp_path: Path) -> None:
    library = write(tmp_path, {})
    (tmp_path / "cuda" / "vendor.yaml").unlink()
    (tmp_path / "pytorch" / "selection.yaml").unlink()
    with pytest.raises(MappingError) as caught:
        load(library, "acme")
    assert [p.place for p in caught.value.problems] == [
        "cuda/vendor.yaml",
        "pytorch/selection.yaml",
    ]


# -- documents


@pytest.mark.parametrize("suffix", ["yaml", "json"])
def test_yaml_and_json_know_the_same_lines(suffix: str) -> None:
    text = """{
 "area": "runtime",
 "rules": [
  {"name": "a",
   "note": "x"}, {"name": "b"},
  {
   "names": {
    "cudaMalloc": "m", "cudaFree":
      "f",
    "dim3": "dim3"
   },
   "only_in": [
    "p",
    "q"
   ]
  },
  {"names": [
   "x", "y",
   "z"
  ], "note": "z"}
 ]
}
"""
    doc = document.parse(text, f"f.{suffix}")
    assert doc.data == json.loads(text)
    assert doc.lines_of_rules() == [4, 5, 6, 17]
    assert doc.line(["area"]) == 2
    assert doc.line(["rules", 0, "note"]) == 5
    assert doc.line(["rules", 2, "only_in", 1]) == 14
    assert doc.line(["rules", 2, "nothing", "here"]) == 6
    assert doc.lines_of_names(2) == {"cudaMalloc": 8, "cudaFree": 8, "dim3": 10}
    assert doc.lines_of_names(3) == {"x": 18, "y": 18, "z": 19}


def test_yaml_scalars_are_text() -> None:
    doc = document.parse("a: no\nb: 2.0\nc: 010\nd: '~'\ne: ''\nf: &x 1e3\ng: *x\n", "f.yaml")
    assert doc.data == {
        "a": "no",
        "b": "2.0",
        "c": "010",
        "d": "~",
        "e": "",
        "f": "1e3",
        "g": "1e3",
    }


@pytest.mark.parametrize("suffix", ["yaml", "json"])
@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_depth_that_would_exhaust_a_stack_is_refused(suffix: str, opened: str, closed: str) -> None:
    with pytest.raises(MappingError, match=r"nested lists|too deeply|nesting depth"):
        document.parse(opened * 100_000 + "1" + closed * 100_000, f"f.{suffix}")
    assert document.parse(opened * 20 + "1" + closed * 20, f"f.{suffix}").data


# -- the schema


def test_the_committed_schema_is_the_models() -> None:
    assert json.loads(SCHEMA.read_text(encoding="utf-8")) == json_schema()


_NO_RULES = frozenset(
    (
        "inventory.json",
        "arguments.json",
        "declared.json",
        "newer.json",
        "operators.json",
        "budget.yaml",
        "releases.yaml",
        "headers.json",
        "layouts.json",
        "declared.json",
    )
)


def _shipped_files() -> list[Any]:
    return [
        pytest.param(path, id=path.relative_to(root).as_posix())
        for root in (shipped(), TEST_MAPPINGS)
        for path in sorted(root.rglob("*"))
        if path.suffix in (".yaml", ".json")
        and path.name not in _NO_RULES
        # Operators of a target's own, which tests of own operators read.
        and OWN_OPS not in path.relative_to(root).parts
    ]


def _typed(data: Any, key: str = "") -> Any:
    """Values as an editor's YAML parser sees them: numbers and booleans where porter reads text."""
    if isinstance(data, dict):
        return {name: _typed(value, name) for name, value in data.items()}
    if isinstance(data, list):
        return [_typed(value, key) for value in data]
    if key in ("min_hits", "warp_size", "value") and data.isdigit():
        return int(data)
    return (
        {"true": True, "false": False}[data] if key in ("listed", "follows", "only_calls") else data
    )


@functools.cache
def _validator(model: str) -> jsonschema.Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    if model:
        schema = {"$ref": f"#/$defs/{model}", "$defs": schema["$defs"]}
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("path", _shipped_files())
def test_shipped_mappings_fit_the_schema(path: Path) -> None:
    data = _typed(document.read(path, path.name).data)
    _validator(NOT_RULES.get(path.name, "")).validate(data)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "cudaMalloc", "repalce": "x"},
        {"name": "2fast"},
        {"name": "cudaMalloc", "replace": ""},
        {"names": {"cudaMalloc": 3}},
        {"name": "cudaMalloc", "in": ["cod"]},
        {"name": "cudaMalloc", "since": "new"},
        {"path": "cuda", "part": "foldr", "replace": "x"},
        {"replace": "x"},
    ],
)
def test_the_schema_refuses_what_porter_refuses(wrong: dict[str, Any], tmp_path: Path) -> None:
    data = {"area": "runtime", "rules": [wrong]}
    with pytest.raises(jsonschema.ValidationError):
        _validator("").validate(data)
    library = write(tmp_path, {"acme/runtime.json": json.dumps(data)})
    with pytest.raises(MappingError):
        load(library, "acme")


def test_ctrl_c_amid_validation_is_no_mistake_of_a_mapping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """pydantic treats an exception in a validator as a validation error; Ctrl-C is deferred until the end."""
    library = write(tmp_path, {"acme/runtime.yaml": rules("  - name: cudaMalloc\n")})
    validate = schema.ENTRIES["name"].model_validate
    checked: list[Any] = []

    def interrupted(data: Any) -> Any:
        signal.raise_signal(signal.SIGINT)
        checked.append(data)
        return validate(data)

    monkeypatch.setattr(schema.ENTRIES["name"], "model_validate", interrupted)
    with pytest.raises(KeyboardInterrupt):
        load(library, "acme")
    assert checked


# -- files that nothing reads


@pytest.mark.parametrize(
    ("name", "help"),
    [
        ("acme/runtime.yml", "rename it to runtime.yaml"),
        ("acme/RUNTIME.YAML", "rename it to RUNTIME.yaml"),
        ("acme/tables/blas.JSON", "rename it to blas.json"),
        ("acme/runtime.yaml.bak", "move it out"),
        ("acme/runtime", "move it out"),
        ("cuda/more.yml", "rename it to more.yaml"),
        ("acme/selection.yaml", "remove it, or give it another name"),
        ("acme/tables/verify.yaml", "move it to acme/verify.yaml"),
        ("pytorch/target.yaml", "remove it, or give it another name"),
    ],
)
def test_a_file_that_nothing_reads_is_an_error(tmp_path: Path, name: str, help: str) -> None:
    library = write(tmp_path, {name: rules("  - {name: cudaFree, replace: acmeFree}\n")})
    with pytest.raises(MappingError) as caught:
        load(library, "acme")
    (problem,) = caught.value.problems
    assert problem.place == name
    assert help in problem.help


def test_a_linked_folder_of_mappings_is_an_error(tmp_path: Path) -> None:
    library = write(tmp_path, {})
    (tmp_path / "acme" / "tables").symlink_to(tmp_path / "cuda", target_is_directory=True)
    with pytest.raises(MappingError, match="is a link to a folder, which porter does not follow"):
        load(library, "acme")


@pytest.mark.parametrize(
    "name", ["README.md", "notes.rst", ".gitignore", ".git/config.yaml", "LICENSE", "blas.yaml~"]
)
def test_documentation_may_lie_beside_mappings(tmp_path: Path, name: str) -> None:
    assert load(write(tmp_path, {f"acme/{name}": "text\n"}), "acme").profile.target == "acme"


def test_own_operators_are_no_rules_and_a_deeper_folder_of_their_name_holds_rules(
    tmp_path: Path,
) -> None:
    one = rules("  - {name: cudaFree, replace: acmeFree}\n")
    files = {
        "acme/ops/ops.yaml": "namespace: x\n",
        "acme/ops/a.cu": "",
        "acme/tables/ops/a.yaml": one,
    }
    assert [entry.origin.file for entry in load(write(tmp_path, files), "acme").entries] == [
        "acme/tables/ops/a.yaml"
    ]


def test_a_profile_of_another_suffix_is_named(tmp_path: Path) -> None:
    library = write(tmp_path, {})
    (tmp_path / "acme/target.yaml").rename(tmp_path / "acme/target.yml")
    with pytest.raises(UsageError) as caught:
        load(library, "acme")
    assert "target.yml is ignored: rename it to target.yaml" in caught.value.problems[0].help


@pytest.mark.parametrize("target", ["../acme", "/acme", "acme/../acme", "", ".", "a\nb"])
def test_a_target_is_a_name_and_no_path(tmp_path: Path, target: str) -> None:
    with pytest.raises(UsageError, match="unknown target"):
        write(tmp_path, {}).root_of(target)


def test_a_fifo_in_the_place_of_a_mapping_is_an_error(tmp_path: Path) -> None:
    library = write(tmp_path, {})
    os.mkfifo(tmp_path / "acme" / "runtime.yaml")
    with pytest.raises(MappingError, match="cannot be read: is a named pipe"):
        load(library, "acme")
    with pytest.raises(MappingError, match="cannot be read: is a named pipe"):
        library.digest("acme")
