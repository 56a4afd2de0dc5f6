"""Findings of the mapping checks; porter's own mappings have none."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest
from mapping_files import rules, write
from repository import TEST_MAPPINGS

from porter.base.globs import matches
from porter.cpp.lex import Kind, tokens
from porter.mapping import document, inventory, rule_examples
from porter.mapping.check import check
from porter.mapping.checks import Finding
from porter.mapping.checks.applicability import selects_nothing
from porter.mapping.checks.dead_rules import _is_wider, _swallows
from porter.mapping.compile import bounds, compile_rules
from porter.mapping.library import MappingLibrary, shipped
from porter.mapping.load import load
from porter.mapping.schema import RuleEntry
from porter.mapping.source_locations import NameLocations
from porter.model.rules import RuleSet, Status
from porter.port.select import select
from porter.regex.samples import samples
from porter.rewrite.rewriter import Rewriter

LIBRARY = MappingLibrary.find((TEST_MAPPINGS,))
TARGETS = ["toy", "simt", "musa", "hip", "maca"]


def rule_set(library: MappingLibrary, target: str, release: str = "") -> RuleSet:
    names = inventory.read(library.special("cuda", "inventory.json"))
    return compile_rules(load(library, target), names, release)


def found(root: Path, text: str, **files: str) -> list[str]:
    """`check line` of each finding for target acme with these rules."""
    library = write(root, {"acme/runtime.yaml": rules(text), **files})
    return [_short(finding) for finding in check(library, "acme").findings]


def _short(finding: Finding) -> str:
    return f"{finding.check} {finding.problem.place.rpartition(':')[2]}"


# -- what is shipped


@pytest.mark.parametrize("target", TARGETS)
def test_shipped_mappings_are_clean(target: str) -> None:
    checked = check(LIBRARY, target)
    assert [str(finding.problem) for finding in checked.findings] == []
    assert checked.rules > 200 and checked.names > 10_000 and checked.examples > 30


@pytest.mark.parametrize("release", ["1.13.1", "2.6.0"])
@pytest.mark.parametrize("target", TARGETS)
def test_what_a_target_writes_is_left_alone_when_it_is_ported_again(
    target: str, release: str
) -> None:
    # The checks look rules up; this ports the words themselves.
    made = rule_set(LIBRARY, target, release)
    words = {found.replace for candidates in made.exact.values() for found in candidates}
    words |= {made.rules[i].replace for found in made.uses["value"].values() for i in found}
    includes = {
        str(rule.replace).replace("*", "x.h")
        for rule in made.rules
        if rule.kind == "include" and rule.replace not in (None, rule.match)
    }
    lines = sorted(f"x = {word};\n#if defined({word})\n#endif\n" for word in words if word)
    text = "".join(lines) + "".join(f"#include <{path}>\n" for path in sorted(includes))
    assert len(lines) > 800
    again = Rewriter(made, {}).rewrite("example.cpp", text.encode())
    assert [text[edit.start : edit.end] for edit in again.edits] == []


@pytest.mark.parametrize("target", TARGETS)
def test_every_name_of_a_table_is_on_its_line(target: str) -> None:
    made = rule_set(LIBRARY, target)
    origins = NameLocations(LIBRARY, target)
    texts: dict[str, list[str]] = {}
    seen = 0
    for rule in made.rules:
        if rule.kind != "names" or rule.match == "inventory":
            continue
        for name in rule.names:
            origin = origins.of(rule, name)
            if origin.file not in texts:
                root = LIBRARY.root_of(target) if rule.layer == "target" else LIBRARY.base()
                texts[origin.file] = (root / origin.file).read_text(encoding="utf-8").split("\n")
            assert re.search(rf"\b{name}\b", texts[origin.file][origin.line - 1]), (name, origin)
            assert origin.line >= rule.origin.line
            seen += 1
    assert seen > {"toy": 20, "maca": 4000}.get(target, 5000)


# -- rules that meet


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("", "", ["duplicate 5"]),
        ("until: '1.13'", "since: '2.0'", []),
        ("until: '2.0'", "since: '2.0.1'", ["duplicate 6"]),
        ("until: '2.0'", "since: '2.1'", []),
        # The inventory's CUDA is 12.4: no rule set takes the first one up.
        ("until: cuda 11.8", "since: '2.0'", ["dead 3"]),
        ("since: cuda 11.8", "since: '2.0'", ["duplicate 6"]),
        ("only_in: ['aten/**']", "only_in: ['c10/**']", []),
        ("only_in: ['**/*.cu']", "only_in: ['**/*.h']", []),
        ("only_in: ['**/*.cu']", "only_in: ['aten/**']", ["duplicate 6"]),
        ("only_in: ['aten/**']", "not_in: ['aten/**']", []),
        ("only_in: ['aten/**']", "", ["duplicate 6"]),
        ("in: [code]", "in: [condition]", []),
        ("in: [code]", "in: [code, condition]", ["duplicate 6"]),
    ],
)
def test_two_rules_are_duplicates_where_they_can_meet(
    one: str, other: str, expected: list[str], tmp_path: Path
) -> None:
    first = "  - name: cudaMalloc\n    replace: a\n" + (f"    {one}\n" if one else "")
    second = "  - name: cudaMalloc\n    replace: b\n" + (f"    {other}\n" if other else "")
    assert sorted(found(tmp_path, first + second)) == sorted(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Layers override each other; only within one is the order of files an accident.
        ("  - family: cuda([A-Z]\\w*)\n    replace: acme_\\1\n", []),
        ("  - value: X\n    replace: a\n  - macro: X\n    replace: b\n", []),
        ("  - call: f(a)\n    replace: g(a)\n  - call: f(a, b)\n    replace: g(b)\n", []),
        ("  - call: f(a)\n    replace: g(a)\n  - call: .f(a)\n    replace: .h(a)\n", []),
        ("  - macro: X\n    replace: a\n  - name: X\n    replace: b\n", ["duplicate 5"]),
        ("  - names: [X, Y]\n  - names: {Y: Y}\n", ["duplicate 4"]),
        (
            "  - qualified: a::b\n    replace: c\n  - qualified: a::b\n    replace: d\n",
            ["duplicate 5"],
        ),
        ("  - string: x\n    replace: a\n  - string: x\n    replace: b\n", ["duplicate 5"]),
        ("  - dynamic_shared: keep\n  - dynamic_shared: keep\n", ["duplicate 4"]),
    ],
)
def test_what_counts_as_the_same_thing(text: str, expected: list[str], tmp_path: Path) -> None:
    base = rules("  - family: cuda([A-Z]\\w*)\n    replace: '{runtime}\\1'\n")
    assert found(tmp_path, text, **{"cuda/runtime.yaml": base}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("  - name: a\n    replace: b\n  - name: b\n    replace: b\n", []),
        ("  - name: a\n    replace: b\n  - name: b\n    status: unsupported\n    note: x\n", []),
        ("  - name: a\n    replace: b::c\n  - qualified: b::c\n    replace: d::c\n", ["chain 3"]),
        ("  - name: a\n    replace: b\n  - value: b\n    replace: c\n", ["chain 3"]),
        ("  - name: a\n    replace: f(b)\n  - name: b\n    replace: c\n", ["chain 3"]),
        ("  - call: f(b)\n    replace: g(b)\n  - name: b\n    replace: c\n", []),
        ("  - call: f(b)\n    replace: f(b, 0)\n", []),
        ("  - call: f(b)\n    replace: g(h(b))\n  - call: h(x)\n    replace: i(x)\n", ["chain 3"]),
        ("  - call: .f()\n    replace: .g().f()\n", ["chain 3"]),
        ("  - family: x(\\w+)\n    replace: y\\1\n  - family: y(\\w+)\n    replace: y\\1\n", []),
        ("  - path: a\n    part: stem\n    replace: aa\n  - path: aa\n    part: stem\n    replace: b\n", ["chain 3"]),
        ("  - path: a\n    part: stem\n    replace: aa\n  - path: aa\n    part: folder\n    replace: b\n", []),
        ("  - string: cuda\n    replace: cuda2\n", ["chain 3"]),
        ("  - string: '\"cuda'\n    replace: '\"acme'\n", []),
        ("  - launch: '{kernel}<<<{grid},{block},{shmem},{stream}>>>({args})'\n", ["chain 3"]),
        # What the target says itself is never made by the layers below.
        ("  - macro: cudaMalloc\n    replace: a\n  - name: acmeMalloc\n    replace: b\n", []),
        ("  - name: acmeMalloc\n    replace: b\n", ["chain 3"]),
        ("  - patch: c10/cuda/a.h\n    before: x\n    after: x y\n", ["chain 3"]),
    ],
)  # fmt: skip
def test_what_counts_as_replaced_again(text: str, expected: list[str], tmp_path: Path) -> None:
    base = rules("  - family: cuda([A-Z]\\w*)\n    replace: '{runtime}\\1'\n")
    got = found(tmp_path, text, **{"cuda/runtime.yaml": base})
    chains = [f.replace("cycle", "chain") for f in got if f.startswith(("chain", "cycle"))]
    assert list(dict.fromkeys(chains)) == expected


# -- what is certain


def test_versions() -> None:
    def span(since: str | None, until: str | None) -> bool:
        model = RuleEntry(since=since, until=until)
        return bounds(model, "").are_empty()

    # 1.13 covers 1.13.1, as docs/mapping-format.md says.
    assert not span("1.13.1", "1.13")
    assert not span("2.0", "2.0")
    assert span("2.1", "2.0")
    assert span("2.0", "1.13")
    assert not span(None, "1.13")
    assert not span("cuda 12.0", "1.13")


_PATHS = [
    "aten/src/ATen/cuda/CUDAContext.cpp",
    "aten/src/ATen/cuda/detail/CUDAHooks.h",
    "aten/src/ATen/native/cuda/Sort.cu",
    "c10/cuda/CUDAStream.h",
    "c10/cuda/impl/CUDAGuardImpl.h",
    "torch/csrc/cuda/nccl.cpp",
]


def _globs_of(path: str) -> list[str]:
    """Globs of all common forms that match a path."""
    folder, _, name = path.rpartition("/")
    top = path.split("/")[0]
    suffix = name.partition(".")[2]
    globs = [path, name, f"*.{suffix}", f"**/{name}", f"**/*.{suffix}", f"{folder}/*", f"{top}/**"]
    globs += [f"{top}/**/*.{suffix}", f"{folder}/{name[:3]}*", f"{folder}/?{name[1:]}", "**"]
    return globs


def test_a_glob_that_matches_a_selected_file_is_never_called_dead() -> None:
    selection = load(LIBRARY, "toy").selection
    for path in _PATHS:
        for glob in _globs_of(path):
            assert matches(path, (glob,)), glob
            assert not selects_nothing(glob, selection.folders, selection.excluded), glob


@pytest.mark.release
def test_no_glob_of_a_real_selected_file_is_called_dead(release_tree: Path) -> None:
    selection = load(LIBRARY, "toy").selection
    for file in select(release_tree, selection)[::7]:
        for glob in _globs_of(file.path):
            assert not selects_nothing(glob, selection.folders, selection.excluded), glob


@pytest.mark.release
def test_no_glob_that_is_called_dead_matches_a_real_file(release_tree: Path) -> None:
    selection = load(LIBRARY, "toy").selection
    paths = [file.path for file in select(release_tree, selection)]
    folders = [
        "aten/src/ATen/hip/**",
        "aten/src/ATen/native/*.cpp",
        "torch/csrc/autograd/*",
        "*.py",
    ]
    dead = [g for g in folders if selects_nothing(g, selection.folders, selection.excluded)]
    assert dead == folders
    assert not any(matches(path, dead) for path in paths)


@pytest.mark.parametrize(
    ("wide", "narrow", "swallows"),
    [
        (r"cuda\w*", r"cudaMalloc\w*", True),
        (r"cuda(\w+)", r"cuda([A-Z]\w*)", True),
        (r"cuda([A-Z]\w*)", r"cudaMem\w*", True),
        (r"cu([A-Z])\w*|cuda\w+", r"cuM\w+|cudaX", True),
        (r"\w*", r"CUDA_\w+|\w+_cuda", True),
        (r"\w+", r"(\w*)CUDA(\w*)", True),
        (r"cuda(\w+)", r"cuda\w*", False),
        (r"cuda([A-Z]\w*)", r"cuda\w+", False),
        (r"cuda[A-Z]\w+", r"cudaM\w*", False),
        (r"cuda\w+x", r"cudaMx", False),
        (r"cuM\w*", r"cuM\w*|cuN\w*", False),
        (r"(\w*)CUDA(\w*)", r"CUDAx", False),
    ],
)
def test_families_that_swallow_others(wide: str, narrow: str, swallows: bool) -> None:
    assert _swallows(wide, narrow) is swallows
    words = {
        "".join(word) for n in (1, 2, 3) for word in product(["cu", "da", "M", "x", "_"], repeat=n)
    }
    words |= {word + "CUDA" + more for word in ("", "x") for more in ("", "x")} | set(
        samples(narrow)
    )
    taken = all(re.fullmatch(wide, w) for w in words if re.fullmatch(narrow, w))
    assert taken or not swallows


def test_includes_that_are_wider_than_others() -> None:
    assert _is_wider("cuda*", "cuda_fp16*")
    assert _is_wider("*", "thrust/*.h")
    assert _is_wider("cub/*.cuh", "cub/device/*_scan.cuh")
    assert not _is_wider("cuda_*", "cuda*")
    assert not _is_wider("cub/*.cuh", "cub/*")
    assert not _is_wider("a*b*", "a*b*c")


def test_a_wider_rule_in_fewer_places_hides_nothing(tmp_path: Path) -> None:
    wide = "  - family: cuda(\\w+)\n    replace: a\\1\n    only_in: ['**/*.cu']\n"
    narrow = "  - family: cudaMem(\\w+)\n    replace: b\\1\n"
    assert found(tmp_path, wide + narrow) == []
    assert found(tmp_path, wide.replace("    only_in: ['**/*.cu']\n", "") + narrow) == ["dead 5"]


@pytest.mark.parametrize(
    "pattern", [r"(\w*)CUDA(\w*)", r"cuda([A-Z]\w*)", r"a(b|c|)d?[0-9]", r"[^a-z]\S", r"x{2,3}\w", r"(?i:ab)"]
)  # fmt: skip
def test_samples_are_matched(pattern: str) -> None:
    texts = samples(pattern)
    assert texts and all(re.fullmatch(pattern, text, re.ASCII) for text in texts)


# -- examples


def test_an_example_is_run_with_its_rule_alone(tmp_path: Path) -> None:
    text = (
        "  - name: cudaMalloc\n    replace: acmeMalloc\n"
        "    example: {before: cudaMalloc(cudaFree), after: acmeMalloc(cudaFree)}\n"
        "  - name: cudaFree\n    replace: acmeFree\n"
        "  - name: cudaSetDevice\n    replace: acme_set\n    shim: acme_shim.h\n"
        "    only_in: [c10/cuda/CUDA*.cpp]\n"
        "    example: {before: cudaSetDevice(0), after: acme_set(0)}\n"
    )
    assert found(tmp_path, text) == []


def test_an_example_of_the_cuda_layer_is_filled_in_by_the_target(tmp_path: Path) -> None:
    base = rules(
        "  - family: cuda([A-Z]\\w*)\n    replace: '{runtime}\\1'\n"
        "    example: {before: cudaMalloc(), after: '{runtime}Malloc()'}\n"
    )
    assert found(tmp_path, "  - launch: keep\n", **{"cuda/runtime.yaml": base}) == []
    wrong = base.replace("'{runtime}Malloc()'", "'{driver}Malloc()'")
    library = write(tmp_path, {"cuda/runtime.yaml": wrong})
    (finding,) = check(library, "acme").findings
    assert (finding.check, finding.problem.place) == ("example", "cuda/runtime.yaml:3")


def test_an_example_of_a_library_that_a_target_lacks_is_passed_over(tmp_path: Path) -> None:
    made = rule_set(LIBRARY, "toy")
    lacking = [r for r in made.rules if r.example and r.area == "dnn"]
    assert lacking and all(rule.status is Status.UNSUPPORTED for rule in lacking)
    assert [rule_examples.run(rule, made) for rule in lacking] == [None] * len(lacking)


# -- rule sets are compiled so that ports can be ported


def test_a_name_that_a_rule_makes_is_no_longer_a_matter_of_families() -> None:
    made = rule_set(LIBRARY, "toy")
    (found,) = made.exact["cudaDevAttrSparseCudaArraySupported"]
    assert found.replace == "toyDevAttrSparseCudaArraySupported"
    once = Rewriter(made, {}).rewrite("a.cpp", b"cudaDevAttrSparseCudaArraySupported;\n")
    assert once.text == "toyDevAttrSparseCudaArraySupported;\n"
    assert Rewriter(made, {}).rewrite("a.cpp", once.text.encode()).edits == ()


def test_a_family_of_the_cuda_layer_speaks_of_inventoried_names_only(tmp_path: Path) -> None:
    # The second family finds all its names taken: it must not turn into one without bounds.
    base = rules(
        "  - family: cuda([A-Z]\\w*)\n    replace: '{runtime}\\1'\n"
        "  - family: cuda(\\w+)\n    replace: '{driver}\\1'\n"
    )
    elsewhere = rules(
        "  - family: nvml\\w+\n    status: unsupported\n    note: none\n", "elsewhere"
    )
    library = write(tmp_path, {"cuda/runtime.yaml": base, "cuda/elsewhere.yaml": elsewhere})
    made = rule_set(library, "acme")
    text = b"cudaMalloc(); cudaNewerThanTheInventory(); nvmlInit();\n"
    result = Rewriter(made, {}).rewrite("a.cpp", text)
    assert result.text == "acmeMalloc(); cudaNewerThanTheInventory(); nvmlInit();\n"
    # An area that the inventory lacks has nothing but its families.
    assert [(r.reason, r.name) for r in result.residue] == [
        ("unmapped", "cudaNewerThanTheInventory"),
        ("unsupported", "nvmlInit"),
    ]


def test_tables_hold_identifiers_only() -> None:
    for path in sorted(shipped().glob("*/tables/*.json")):
        for rule in document.read(path, path.name).data["rules"]:
            for name in rule.get("names", ()):
                assert [token.kind for token in tokens(name)] == [Kind.IDENT], (path, name)
