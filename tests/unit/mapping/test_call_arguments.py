"""`call` rules are compared with the numbers of arguments of CUDA's functions, and of the SDK's functions."""

from __future__ import annotations

from pathlib import Path

import pytest
from mapping_files import rules, write

from porter.base.errors import MappingError
from porter.inspect import sdk_call_rules
from porter.inspect.sdk_call_rules import written_calls
from porter.inspect.sdk_functions import accepted_counts
from porter.mapping import argument_counts, inventory
from porter.mapping.check import check
from porter.mapping.checks import Severity
from porter.mapping.compile import compile_rules
from porter.mapping.library import MappingLibrary, shipped
from porter.mapping.load import load
from porter.model.rules import RuleSet
from porter.model.sdk_inventory import SdkName

TABLE = (shipped() / "cuda" / "arguments.json").read_text(encoding="utf-8")
COPY = "cudaMemcpyAsync(dst, src, n, kind, stream)"


def library(root: Path, text: str, guards: str = "") -> MappingLibrary:
    profile = (
        "target: acme\nsummary: a made-up vendor\nnames: {lower: acme, UPPER: ACME, Camel: Acme}\n"
        f"device: acme\nlibraries: {{runtime: acme}}\n{guards}"
    )
    files = {"acme/runtime.yaml": rules(text), "acme/target.yaml": profile}
    return write(root, {**files, "cuda/arguments.json": TABLE})


def errors(root: Path, match: str, guards: str = "") -> list[str]:
    replace = f"acmeCall({match.partition('(')[2]}"
    found = check(library(root, f"  - {{call: '{match}', replace: '{replace}'}}\n", guards), "acme")
    assert all(one.check == "arguments" for one in found.findings)
    return [f"{one.severity}: {one.problem.text}" for one in found.findings]


@pytest.mark.parametrize(
    ("match", "counts"),
    [
        (COPY, ""),
        ("cudaMemcpyAsync(dst, src, n, kind)", ""),  # the stream has a default value
        ("cudaMemcpyAsync(dst, src, n)", "4 or 5 arguments, not 3"),
        ("cudaMalloc(p, n, flags)", "2 arguments, not 3"),
        ("cudaFree()", "1 argument, not 0"),
        ("cudaMemcpyToSymbol(symbol, src)", "3, 4 or 5 arguments, not 2"),
        ("cublasCreate(handle, flags)", "1 argument, not 2"),  # a macro for cublasCreate_v2
        ("curand_init(seed, state)", "3 or 4 arguments, not 2"),
        ("someoneElses(a)", ""),
        (".cudaFree()", ""),
    ],
)
def test_a_call_that_cuda_does_not_allow_is_an_error(
    match: str, counts: str, tmp_path: Path
) -> None:
    expected = f"error: call '{match}': the function of CUDA 12.4 has {counts}"
    assert errors(tmp_path, match) == ([expected] if counts else [])


def test_a_target_of_another_cuda_release_gets_a_warning(tmp_path: Path) -> None:
    match = "cuCtxCreate(context, params, flags, device)"  # the form of CUDA 13
    expected = [f"warning: call '{match}': the function of CUDA 12.4 has 3 arguments, not 4"]
    guards = "guards: {CUDA_VERSION: {macro: ACME_COMPAT_VERSION, value: 13000}}\n"
    assert errors(tmp_path / "newer", match, guards) == expected
    assert errors(tmp_path / "same", match, guards.replace("13000", "12010"))[0].startswith("error")


def test_a_malformed_table_is_an_error(tmp_path: Path) -> None:
    for text in ("[]", '{"functions": {"two": ["f"]}, "cuda": "12.4"}', '{"functions": 1}', "{"):
        found = library(tmp_path, "  []\n")
        (tmp_path / "cuda" / "arguments.json").write_text(text)
        with pytest.raises(MappingError, match="is not a table of argument counts"):
            argument_counts.read(found)


# -- with an SDK


def rule_set(root: Path, replace: str, match: str = COPY) -> RuleSet:
    found = library(root, f"  - call: {match}\n    replace: '{replace}'\n")
    names = inventory.read(found.special("cuda", "inventory.json"))
    return compile_rules(load(found, "acme"), names, "")


def function(text: str, name: str, kinds: str, types: str) -> dict[str, list[SdkName]]:
    types_of = tuple(types.split(", "))
    found = SdkName(name, "", "function", text, 1, tuple(kinds.split()), types_of, len(types_of))
    return {name: [found]}


CUDA = function(
    "cuda",
    "cudaMemcpyAsync",
    "pointer pointer integer integer pointer",
    "void *, const void *, size_t, simtMemcpyKind, simtStream_t",
)
SDK = "int acmeCopy(void* dst, const void* src, long n, acmeStream_t stream, int kind = 0);"


@pytest.mark.parametrize(
    ("replace", "given"),
    [
        ("acmeCopy(dst, src, n, stream, kind)", 0),
        ("acmeCopy(dst, src, n, stream)", 0),
        ("acmeCopy(dst, src, n)", 3),
        ("acmeCheck(acmeCopy(dst, f(src, n), stream))", 3),
        ("acmeCopy(dst, src, n, stream, kind, 0)", 6),
        ("object->acmeCopy(dst)", 0),
        ("acme::acmeCopy(dst)", 0),
    ],
)
def test_a_replacement_with_another_number_of_arguments(
    replace: str, given: int, tmp_path: Path
) -> None:
    theirs = accepted_counts([SDK])
    found = [*sdk_call_rules.wrong_counts(rule_set(tmp_path, replace), theirs)]
    expected = (
        f"call '{COPY}' writes {given} arguments, and 'acmeCopy' of the SDK has 4 or 5 parameters"
    )
    assert [one.problem.text for one in found] == ([expected] if given else [])
    assert all(one.severity is Severity.ERROR for one in found)
    assert [one.problem.place for one in found] == ["acme/runtime.yaml:3"] * len(found)


@pytest.mark.parametrize(
    ("replace", "is_wrong"),
    [
        ("acmeCopy(dst, src, n, stream, kind)", False),
        ("acmeCopy(dst, src, n, kind, stream)", True),  # the order of CUDA's arguments
        ("acmeCopy(dst, src, n, nullptr, 0)", False),
        ("acmeCopy(dst, src, n, 1, kind)", True),
        ("acmeCopy(n, src, dst, stream, kind)", True),
        ("acmeCopy(&dst, (src), (size_t)(n), stream, ACME_KIND)", False),
        ("acmeCopy(dst, src, 1.5, stream, kind)", True),
    ],
)
def test_a_replacement_with_arguments_of_other_kinds(
    replace: str, is_wrong: bool, tmp_path: Path
) -> None:
    kinds = "pointer pointer integer pointer integer"
    types = "void *, const void *, long, acmeStream_t, int"
    theirs = function("sdk", "acmeCopy", kinds, types)
    found = [*sdk_call_rules.wrong_kinds(rule_set(tmp_path, replace), CUDA, theirs, {})]
    expected = f"call '{COPY}' writes {replace}, and 'acmeCopy' of the SDK has ({types})"
    assert [one.problem.text for one in found] == ([expected] if is_wrong else [])


def test_a_handle_may_be_an_integer_in_the_sdk(tmp_path: Path) -> None:
    types = "void *, const void *, long, acmeStream_t, int"
    theirs = function("sdk", "acmeCopy", "pointer pointer integer integer integer", types)
    rules = rule_set(tmp_path, "acmeCopy(dst, src, n, stream, kind)")
    assert len([*sdk_call_rules.wrong_kinds(rules, CUDA, theirs, {})]) == 1
    renamed = {"simtStream_t": "acmeStream_t"}
    assert not [*sdk_call_rules.wrong_kinds(rules, CUDA, theirs, renamed)]


def test_calls_in_a_replacement() -> None:
    text = "acmeCheck(acmeCopy(dst, (void*)(src), sizeof(T)), ::acmeLast(), p.f(x), std::max(a, b))"
    assert [(one.name, len(one.arguments)) for one in written_calls(text)] == [
        ("acmeCheck", 4),
        ("acmeCopy", 3),
        ("sizeof", 1),
        ("acmeLast", 0),
    ]
