"""Any mapping is either checked or rejected with a place, never with an internal error."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from mapping_files import write

from porter.base.errors import MappingError
from porter.mapping import document
from porter.mapping.check import check
from porter.mapping.library import MappingLibrary
from porter.mapping.schema import ENTRIES

_WORDS = (
    st.sampled_from(
        ["cudaMalloc", r"cuda([A-Z]\w*)", r"\1", r"x\2", "{lower}", "{nope}", "**/*.cu", "aten/**"]
    )
    | st.sampled_from(
        [
            "supported",
            "unsupported",
            "2.0",
            "cuda 12.4",
            "code",
            "string",
            "f(a, b)",
            ".g()",
            "a::b",
        ]
    )
    | st.sampled_from(
        [
            "cuda*",
            "*",
            "keep",
            "folder",
            "unchanged",
            "inventory",
            "(a+)+",
            "[",
            "é",
            "../x",
            "true",
        ]
    )
    | st.sampled_from(["1", "0", "", "\n", "\0", "\\", "(?i)x", "(?P<n>a)", "#include <x>"])
)
_LEAVES = (
    _WORDS | st.text(max_size=6) | st.integers(-2, 5) | st.booleans() | st.none() | st.floats()
)
_KEYS = st.sampled_from(
    [*ENTRIES, "area", "rules", "replace", "status", "note", "since", "in", "foo"]
)
_TREES = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(_KEYS | st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=10,
)
_REGEXES = st.sampled_from(
    [r"cuda([A-Z]\w*)", r"(\w*)CUDA(\w*)", r"toy\w*", "[a-z]+", r"cu(\w+)|x", "(?i:cuda)x"]
) | st.sampled_from([r"\d{2,3}", r"(?P<n>a)\w*", "a*?", "(a)|b", r"(\w+)", r"a(\w+)"])
_NEW = st.sampled_from(
    [r"toy\1", r"\1", r"\g<0>", r"\g<n>", r"{lower}\1", "X", "cudaFree", "toyMalloc", "..", "a/b"]
) | st.sampled_from(["{kernel}", "f(b, a)", "f(f(a))", "x)))", "a::b", "z::a::b", "x*", "../x"])
_NAMES = st.sampled_from(["cudaMalloc", "cudaFree", "acmeMalloc", "dim3", "X", "CUDA_VERSION"])
_CODE = st.sampled_from(
    ["cudaMalloc(a, b);", "#include <cuda.h>", "#if CUDA_VERSION > 3\n", "k<<<1, 2>>>(x);", "é"]
) | st.sampled_from(
    ["extern __shared__ int a[];", "a/b/cuda.cu", '"cuda"', "unchanged", "a::b::c f(a, b)"]
)
_FIRST: dict[str, st.SearchStrategy[Any]] = {
    "name": _NAMES,
    "names": st.lists(_NAMES, min_size=1) | st.dictionaries(_NAMES, _NEW) | st.just("inventory"),
    "family": _REGEXES,
    "macro": _NAMES,
    "value": _NAMES,
    "qualified": st.sampled_from(["a::b", "a::b::c"]),
    "call": st.sampled_from(["f(a, b)", "f(a, a)", ".g()", "cudaMalloc(a)"]),
    "include": st.sampled_from(["cuda.h", "cuda*", "*", "a*b*", "cuda/*"]),
    "path": _REGEXES,
    "launch": st.sampled_from(["keep", "{kernel}<<<{grid}>>>", "x"])
    | st.just("L({kernel}, {grid}, {block}, {shmem}, {stream}{,args})"),
    "dynamic_shared": st.sampled_from(
        ["keep", "{type} {name}", "extern __shared__ {type} {name}[]"]
    ),
    "kernel": st.sampled_from(["K({kernel});", "x", "{"]),
    "string": _REGEXES,
    "ptx": _REGEXES | st.sampled_from([r"add\.(u32|s32)", "trap", "("]),
    "operator": _REGEXES | st.sampled_from([r"[*/]", r"[-+*/]=", "("]),
    "function": _NAMES,
    "patch": st.sampled_from(["c10/cuda/a.h", "**/*.cu"]),
    "hazard": _NAMES,
}
_MORE: dict[str, st.SearchStrategy[Any]] = {
    "replace": _NEW,
    "operands": _REGEXES | st.sampled_from([r"float[2-4]", "["]),
    "parameters": _REGEXES | st.sampled_from([r"float\*, float", "["]),
    "unless_branch": _REGEXES,
    "rename": st.dictionaries(st.sampled_from(["cuda", "toy", ""]), st.sampled_from(["y", ""])),
    "only_in": st.lists(st.sampled_from(["**/*.cu", "aten/**", "c10/cuda/a.cu", "*", "?"])),
    "not_in": st.lists(st.sampled_from(["**/*.cu", "aten/**", "c10/cuda/a.cu", "*", "?"])),
    "since": st.sampled_from(["2.0", "1.13", "cuda 12.4"]),
    "until": st.sampled_from(["2.0", "1.13", "cuda 12.4"]),
    "in": st.lists(st.sampled_from(["code", "condition", "string", "comment"])),
    "part": st.sampled_from(["folder", "stem", "suffix"]),
    "before": _CODE,
    "after": _CODE,
    "pattern": _REGEXES,
    "shim": st.just("s.h"),
    "follows": st.just("true"),
    "example": st.fixed_dictionaries({"before": _CODE, "after": _CODE}),
}


@st.composite
def _rules_of_some_sense(draw: st.DrawFn) -> dict[str, Any]:
    """Rule with the keys of its kind and plausible values."""
    kind = draw(st.sampled_from(list(ENTRIES)))
    fields = {field.alias or name: field for name, field in ENTRIES[kind].model_fields.items()}
    rule = {kind: draw(_FIRST[kind])}
    for name, field in fields.items():
        if name in _MORE and (field.is_required() or draw(st.integers(0, 3)) == 0):
            rule[name] = draw(_MORE[name])
    return rule


def _looked_at(folder: Path, name: str, text: str) -> str:
    """`fine`, or `refused` with a place for each problem; any other outcome is an exception."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    try:
        check(MappingLibrary((folder,)), "acme")
    except MappingError as error:
        assert error.problems and all(problem.place for problem in error.problems)
        return "refused"
    finally:
        path.unlink()
    return "fine"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("mappings")
    write(root, {})
    return root


@settings(derandomize=True, max_examples=600, deadline=None, database=None)
@given(_TREES, st.sampled_from(["json", "yaml"]), st.sampled_from(["cuda", "pytorch", "acme"]))
def test_any_data_is_a_mapping_or_an_error(
    folder: Path, data: Any, suffix: str, layer: str
) -> None:
    text = json.dumps(data) if suffix == "json" else yaml.safe_dump(data, allow_unicode=True)
    _looked_at(folder, f"{layer}/any.{suffix}", text.encode("utf-8", "replace").decode())


@settings(derandomize=True, max_examples=500, deadline=None, database=None)
@given(st.lists(_rules_of_some_sense(), min_size=1, max_size=4), st.sampled_from(["cuda", "acme"]))
def test_any_rules_can_be_checked_or_are_refused(
    folder: Path, data: list[dict[str, Any]], layer: str
) -> None:
    text = json.dumps({"area": "runtime", "rules": data}, indent=1)
    _looked_at(folder, f"{layer}/any.json", text)


def test_rules_of_some_sense_are_often_fine(folder: Path) -> None:
    # Were they always refused, the test above would say little.
    outcomes = [
        _looked_at(folder, "acme/any.json", rules_text)
        for rules_text in (
            json.dumps({"area": "runtime", "rules": [{kind: first}]})
            for kind, first in (("name", "X"), ("family", "(a)|b"), ("include", "a*b*"))
        )
    ]
    assert outcomes == ["fine"] * 3


@settings(derandomize=True, max_examples=1500, deadline=None, database=None)
@given(
    st.text()
    | st.text(alphabet="[]{}:,-\"'\n ab&*!|>#%@\\\t0?")
    | st.binary().map(lambda raw: raw.decode("latin-1")),
    st.sampled_from(["json", "yaml"]),
)
def test_any_text_is_a_document_or_an_error(text: str, suffix: str) -> None:
    try:
        document.parse(text, f"any.{suffix}")
    except MappingError as error:
        assert error.problems


@settings(derandomize=True, max_examples=300, deadline=None, database=None)
@given(
    st.sampled_from(["acme/target.yaml", "pytorch/selection.yaml", "cuda/vendor.yaml"]),
    st.dictionaries(
        st.sampled_from(["target", "names", "device", "libraries", "suffixes", "main_header"])
        | st.sampled_from(["warp_size", "guards", "compiler", "selection"])
        | st.sampled_from(["summary", "folders", "exclude", "words"]),
        _TREES | st.lists(_REGEXES | _WORDS, max_size=3),
        max_size=3,
    ),
)
def test_any_profile_selection_or_word_list_is_fine_or_an_error(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: dict[str, Any]
) -> None:
    root = tmp_path_factory.mktemp("any")
    write(root, {})
    kept = yaml.safe_load((root / name).read_text(encoding="utf-8"))
    text = yaml.safe_dump({**kept, **data}, allow_unicode=True)
    _looked_at(root, name, text.encode("utf-8", "replace").decode())
