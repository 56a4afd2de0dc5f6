"""Owner of a word in a project: CUDA, PyTorch, the project itself, or none of them.

    at::cuda::CUDAGuard g;      PyTorch's: ported
    cv::cuda::GpuMat m;         foreign: stays
    #ifdef WITH_CUDA            the project's, if its setup.py defines WITH_CUDA: stays
    cudaMalloc(&p, n);          CUDA's: ported

Names that CUDA's headers declare are ported, except names in CUDA's namespaces (`cub::Sum`) that the project declares
too, and names of libcu++ without a rule. All other words are ported only if PyTorch's headers declare them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum

from porter.model.project_names import NameKind, ProjectNames
from porter.model.rewrite_result import Reason
from porter.model.rules import Layer, Resolution, Rule, RuleSet, Status, TokenClass
from porter.rewrite.declared_words import PYTORCH_ROOTS, declared_words, enclosing_root
from porter.rewrite.kinds.qualified import qualifiers, scopes_of
from porter.rewrite.source import WORD, Source, WordSite

_CUDA = "cuda"
_NAMESPACED = frozenset(["cub", "thrust"])
"""API areas whose names are in a namespace, except macros and names with the name of the library."""
_CUDA_ROOTS = frozenset(["cub", "thrust", "cooperative_groups", "nvcuda"])
"""Top-level namespaces of CUDA's headers, except `cuda`."""
_CUDA_NAMESPACES = frozenset(["cooperative_groups", "nvcuda", "nvstd", "nvtx3"])
"""Namespaces of CUDA's headers; a namespace without a rule has no counterpart."""
_MACRO_OF_PYTORCH = re.compile(r"\b(?:TORCH|AT|C10)_[A-Z_]+\s*\([^()]*\Z")
_REACH = 120
_BOTH = "the project and PyTorch both declare it"
_NAMESPACE = "CUDA's namespace has no counterpart in this mapping"
_LIBCUDACXX = "libcu++, CUDA's C++ library, has no counterpart in this mapping"
_DEFINED = "the project itself defines this name of CUDA's headers"
_REWRITTEN = f"{_DEFINED}; rules rewrite calls of CUDA's function"
_UNKNOWN = "neither the project nor the headers of CUDA and PyTorch declare it"


class Owner(StrEnum):
    """Library or project that declares a word at one place."""

    CUDA = "CUDA"
    LIBCUDACXX = "libcu++"
    """Name of CUDA's namespace `cuda` that no rule supports."""
    PYTORCH = "PyTorch"
    PROJECT = "project"
    BOTH = "project and PyTorch"
    """Call of a member function that both declare: tokens do not show the type of the object."""
    FOREIGN = "foreign"


class NameOwners:
    """Finds the owners of the words of one project."""

    def __init__(self, rules: RuleSet, names: ProjectNames) -> None:
        self._rules = rules
        self.names = names

    def is_cudas(
        self,
        word: str,
        exact: Iterable[Resolution],
        family: Resolution | None,
        about: Iterable[int],
    ) -> bool:
        """Test whether CUDA's headers or compiler declare a word.

        `exact`, `family` and `about` are the rules about the word: rules that list it, the family that matches it, and
        rules about its uses.
        """
        rules = self._rules.rules
        listed = [rules[one.rule] for one in exact] + [rules[index] for index in about]
        about_cuda = [rule for rule in listed if is_about_cuda(rule)]
        if word in self.names.own and self._is_namespaced(word, about_cuda):
            return False
        if about_cuda or word in self._rules.undecided:
            return True
        if listed and word.startswith("__"):
            return True  # Such words are reserved for the compiler.
        by_family = family is not None and rules[family.rule].layer is Layer.CUDA
        return by_family and word not in self.names.own

    def _is_namespaced(self, word: str, rules: Sequence[Rule]) -> bool:
        """Test whether CUDA declares a word only inside a namespace. A project may then declare the same word."""
        if word in self._rules.namespaced:
            return True
        areas = {rule.area for rule in rules}
        return bool(areas) and areas <= _NAMESPACED and not self._rules.vendor.search(word)

    def keeps(self, source: Source, site: WordSite, found: Sequence[Resolution]) -> bool:
        """Record the result for a word that belongs neither to CUDA nor to PyTorch: residue, or an edit (a new name).

        `found` are the rules about the word. Returns False, without an edit and residue, for a word of CUDA or PyTorch,
        which the rules decide.
        """
        word = site.word
        owner = self.at(source, site)
        if owner in (Owner.CUDA, Owner.PYTORCH):
            return False
        if owner is Owner.PROJECT and (new := self.names.renamed.get(word)):
            rule = next(one.rule for one in found if one.replace == new)
            bulk = self._rules.rules[rule].match != word
            source.hit(rule, word if bulk else "")
            source.edit(site.start, site.start + len(word), new, rule, word if bulk else "")
        elif owner is Owner.BOTH:
            source.leave(site.start, Reason.AMBIGUOUS, word, note=_BOTH)
        elif owner is Owner.LIBCUDACXX:
            name = f"{word}::{_next_name(source, site)}"
            source.leave(site.start, Reason.UNSUPPORTED, name, note=_LIBCUDACXX)
        elif owner is Owner.FOREIGN and word in _CUDA_NAMESPACES:
            source.leave(site.start, Reason.UNSUPPORTED, word, note=_NAMESPACE)
        elif self._rules.vendor.search(word):
            self._leave(source, site, owner)
        return True

    def _leave(self, source: Source, site: WordSite, owner: Owner) -> None:
        if owner is Owner.PROJECT:
            place = self.names.own[site.word].place
            source.leave(site.start, Reason.OWN, site.word, note=f"declared at {place}")
        else:
            source.leave(site.start, Reason.FOREIGN, site.word, note=_UNKNOWN)

    def at(self, source: Source, site: WordSite) -> Owner:
        """Owner of a word at one place, for a word for which `is_cudas` is False."""
        word = site.word
        if site.where is TokenClass.CONDITION:
            return self._unqualified(word)
        before = qualifiers(source, site.start)
        if before is None:
            return self._member(source, site)
        if before:
            alias = scopes_of(source).aliases.get(before[0])
            return self._qualified(word, (*alias[0], *before[1:]) if alias else before)
        if word in PYTORCH_ROOTS and _next_name(source, site):
            return Owner.PYTORCH
        if word == _CUDA:
            return self._namespace(source, site)
        owner = self._unqualified(word)
        if owner is Owner.PROJECT and word in self.names.pytorch.names:
            near = source.text[max(0, site.start - _REACH) : site.start]
            return Owner.PYTORCH if _MACRO_OF_PYTORCH.search(near) else owner
        return owner

    def pasted(self, word: str) -> str:
        """New name of a word that a macro pastes together; empty for a word of PyTorch, which the rules decide."""
        owner = self._unqualified(word)
        if owner is Owner.PYTORCH:
            return ""
        return self.names.renamed.get(word, word)

    def _unqualified(self, word: str) -> Owner:
        if word in self.names.own:
            return Owner.PROJECT
        if self.names.uses_pytorch and self._is_pytorchs(word):
            return Owner.PYTORCH
        return Owner.FOREIGN

    def _is_pytorchs(self, word: str) -> bool:
        return word in self.names.pytorch.names or any(
            self._rules.rules[one.rule].layer is Layer.PYTORCH
            for one in self._rules.exact.get(word, ())
        )

    def _member(self, source: Source, site: WordSite) -> Owner:
        """Owner of a member: `x.word`, `p->word`, `T<int>::word`."""
        own = self.names.own.get(site.word)
        after = source.after(site.start + len(site.word))
        is_call = source.text.startswith("(", after)
        if self.names.uses_pytorch and is_call and self._is_pytorchs(site.word):
            is_own = own is not None and NameKind.FUNCTION in own.kinds
            return Owner.BOTH if is_own else Owner.PYTORCH
        return self._unqualified(site.word)

    def _qualified(self, word: str, before: Sequence[str]) -> Owner:
        names = self.names
        if before[0] in PYTORCH_ROOTS:
            declared = word in names.own and word not in names.pytorch.names
            return Owner.PROJECT if declared and _CUDA not in before else Owner.PYTORCH
        if before[0] in _CUDA_ROOTS:
            return Owner.CUDA
        if before[0] == _CUDA and names.uses_pytorch and _CUDA not in names.own:
            return Owner.PYTORCH
        if word in names.own and (before[0] in names.scopes or before[-1] in names.scopes):
            return Owner.PROJECT
        of_pytorch = before[0] in names.pytorch.scopes and before[-1] in names.pytorch.scopes
        if names.uses_pytorch and of_pytorch and before[0] not in names.scopes:
            return Owner.PYTORCH
        return Owner.FOREIGN

    def _namespace(self, source: Source, site: WordSite) -> Owner:
        """Owner of an unqualified word `cuda`."""
        if enclosing_root(source, site.start) in PYTORCH_ROOTS:
            return Owner.PYTORCH
        if site.word in self.names.own:
            return Owner.PROJECT
        name = _next_name(source, site)
        if self._has_counterpart(name):
            return Owner.CUDA
        if name in self._rules.cuda_namespace:
            ruled = self._rules.about("qualified", f"{_CUDA}::{name}")
            return Owner.CUDA if ruled else Owner.LIBCUDACXX
        return self._unqualified(site.word)

    def _has_counterpart(self, name: str) -> bool:
        """Test whether a rule supports the name `cuda::name` of libcu++."""
        about = self._rules.uses.get("qualified", {}).get(f"{_CUDA}::{name}", ())
        return any(self._rules.rules[index].status is Status.SUPPORTED for index in about)

    def report_definitions(self, source: Source, has_uses: Callable[[str], bool]) -> None:
        """Record the project's own definitions of CUDA's names in a file as residue.

        `has_uses` tests whether rules rewrite the calls of a function. The definition of such a function is ambiguous,
        because it may no longer match the rewritten calls. Other definitions are `own`.
        """
        words = sorted(self.names.defined.keys() & source.runs)
        found = [one for one in declared_words(source, words) if one.is_definition]
        starts = {one.start for one in found}
        source.left = [item for item in source.left if item.start not in starts]
        for one in found:
            reason = Reason.AMBIGUOUS if has_uses(one.word) else Reason.OWN
            note = _REWRITTEN if reason is Reason.AMBIGUOUS else _DEFINED
            source.leave(one.start, reason, one.word, note=note)


def is_about_cuda(rule: Rule) -> bool:
    """Test whether a rule is about names of CUDA, and not about names of PyTorch.

    Rules of kind `value` concern version macros of CUDA's headers, also in the layer for PyTorch.
    """
    return rule.kind == "value" or (rule.layer is not Layer.PYTORCH and rule.area != "pytorch")


def _next_name(source: Source, site: WordSite) -> str:
    """Name after `word::`; empty if no `::` follows the word."""
    after = source.after(site.start + len(site.word))
    if not source.text.startswith("::", after):
        return ""
    match = WORD.match(source.text, source.after(after + 2))
    return match[0] if match else ""
