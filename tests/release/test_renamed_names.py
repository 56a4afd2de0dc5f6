"""A port renames only PyTorch names that the ported files declare, and renames them consistently. Names declared
in other headers must stay, because those headers come from the installed PyTorch.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from rule_sets import TARGETS, target_rules

from porter.cpp.lex import Kind, decode, opaque
from porter.model.rewrite_result import Reason
from porter.model.rules import Layer, RuleSet
from porter.port.select import release_of, select
from porter.rewrite.rewriter import Rewriter
from porter.rewrite.source import WORD, Source

pytestmark = pytest.mark.release

HEADER_FOLDERS = ("aten/src/ATen", "c10", "torch/csrc")
"""Folders whose headers PyTorch installs."""

ACCEPTED = {
    "__CUDACC__": "the compiler defines it",
    "__CUDA_ARCH__": "the compiler defines it",
    "__CUDA__": "the compiler defines it",
    "CUDA_VERSION": "the toolkit's headers define it",
    "NCCL_MAJOR": "NCCL's header defines it",
    "NCCL_MINOR": "NCCL's header defines it",
    "USE_CUDA": "the build defines it",
    "CHECK_NOSPARSE_CONTIGUOUS_CUDA": "gemm_kernel_utils.h stays out with CUTLASS, where a target has none",
    "CHECK_NOSPARSE_LASTCONTIGUOUS_CUDA": "as CHECK_NOSPARSE_CONTIGUOUS_CUDA",
}
"""Names that are renamed although other headers use them and no ported file declares them -> reason."""

DIFFERENT_BY_FILE: Mapping[str, str] = {
    "CUDA": "LazyNVRTC.cpp pastes it into the names of getters, which are renamed; elsewhere it is the device type",
    "__CUDACC__": "a conditional that has a branch for the target keeps it",
}
"""Names with different replacements in different files -> reason why that is correct."""


@dataclass(frozen=True)
class Names:
    """Outcomes for the names in the ported files of one release and target."""

    rules: RuleSet
    selected: frozenset[str]
    fates: Mapping[str, Mapping[str, list[str]]]
    """Name -> outcome (`= reason` if it stays) -> files."""
    of_pytorch: Mapping[str, str]
    """Names that a rule of the layer `pytorch` renames -> the new name."""


@pytest.fixture(scope="module", params=TARGETS)
def names(request: pytest.FixtureRequest, release_tree: Path) -> Names:
    rules = target_rules(request.param, release_of(release_tree))
    selected = [file.path for file in select(release_tree, rules.selection)]
    rewriter = Rewriter(rules, {})
    fates: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    of_pytorch: dict[str, str] = {}
    for path in selected:
        source = rewriter.examine(path, (release_tree / path).read_bytes())
        for edit in source.edits:
            rule = rules.rules[edit.rule] if edit.rule >= 0 else None
            if rule and rule.kind in ("name", "names", "family", "macro"):
                old, new = source.text[edit.start : edit.end], str(edit.parts[0])
                fates[old][new].append(path)
                if rule.layer is Layer.PYTORCH:
                    of_pytorch[old] = new
        for name, reason in staying(source):
            fates[name][f"= {reason}"].append(path)
    assert len(of_pytorch) > 100
    return Names(rules, frozenset(selected), fates, of_pytorch)


def staying(source: Source) -> Iterator[tuple[str, Reason]]:
    """Names in code that stay, with reasons."""
    for left in source.left:
        token = source.at(left.start)
        if left.reason is not Reason.AMBIGUOUS and (token is None or token.kind is Kind.CONDITION):
            yield left.name, left.reason


def test_a_name_becomes_the_same_in_every_file(names: Names) -> None:
    different = {
        name: {new: files[0] for new, files in fates.items()}
        for name, fates in names.fates.items()
        if len(fates) > 1 and name not in DIFFERENT_BY_FILE
    }

    assert not different


def test_what_is_renamed_is_declared_by_a_ported_file(names: Names, release_tree: Path) -> None:
    ported = declared(release_tree, names.selected)
    others = used_by_other_headers(release_tree, names.selected)

    offenders = {
        old: others[old]
        for old, new in names.of_pytorch.items()
        # A new name that the other headers have as well (PrivateUse1 for CUDA) is theirs.
        if old in others and old not in ported and new not in others and old not in ACCEPTED
    }

    assert not offenders


def used_by_other_headers(tree: Path, selected: frozenset[str]) -> dict[str, str]:
    """Words in the code of headers that are not ported -> one such header."""
    found: dict[str, str] = {}
    count = 0
    for folder in HEADER_FOLDERS:
        for path in sorted((tree / folder).rglob("*.h*")):
            relative = path.relative_to(tree).as_posix()
            if path.suffix in (".h", ".hpp") and relative not in selected:
                count += 1
                for word in WORD.findall(code(decode(path.read_bytes()))):
                    found.setdefault(word, relative)
    assert count > 500
    return found


_DECLARATIONS = [
    # class TORCH_API Name, struct ns::Name, enum class Name
    r"\b(?:class|struct|union|enum(?:\s+class)?)\s+(?:[A-Z][A-Z0-9_]*\s+)*(?:\w+::)*(\w+)",
    r"\bnamespace\s+(?:\w+\s*::\s*)*(\w+)",
    r"#\s*define\s+(\w+)",
    r"\busing\s+(\w+)\s*=",
    r"\btypedef\b[^;{}]*?(\w+)\s*;",
    # Type name(
    r"(?:^|[;{}>])\s*(?:(?!return\b|else\b|new\b|throw\b|case\b)\w[\w:]*(?:<[^;{}()]*>)?[\s*&]+)+(\w+)\(",
]


def declared(tree: Path, selected: frozenset[str]) -> set[str]:
    """Names that ported files declare, found by simple regular expressions."""
    found: set[str] = set()
    for path in selected:
        text = code(decode((tree / path).read_bytes()))
        for pattern in _DECLARATIONS:
            found.update(re.findall(pattern, text, re.MULTILINE))
    return found


def code(text: str) -> str:
    """A text without comments, literals, include paths and conditions."""
    out = []
    at = 0
    for token in opaque(text):
        out += [text[at : token.start], token.text if token.kind is Kind.DIRECTIVE else " "]
        at = token.end
    return "".join([*out, text[at:]])
