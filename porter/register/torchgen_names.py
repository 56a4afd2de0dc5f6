"""torchgen's text in a target's names.

torchgen writes for `DispatchKey.CUDA`; the few of CUDA's names in what it writes are known, and are replaced here.
Kernels keep their names, as they do in ported sources. What is left of CUDA besides them is an error: it would be a
call into PyTorch's own CUDA library.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from porter.base.errors import RegisterError
from porter.model.ops import KEYS

_KEY = "|".join(sorted(KEYS, key=len, reverse=True))
_WRAPPER = re.compile(rf"\bwrapper_({_KEY})_")
_WORD_START = re.compile(r"\w*\Z")
_WORD_END = re.compile(r"\w*")
_KEPT = frozenset(["empty_cuda", "empty_strided_cuda"])
"""Functions of ported sources, which keep their names as all in snake case do."""


class TargetNaming(NamedTuple):
    """The names of a target that generated text needs."""

    lower: str
    upper: str
    main_header: str = ""
    """First include of sources for the target's compiler."""

    @property
    def guard(self) -> str:
        """Class of the device guard, which lets the device be unset."""
        return f"c10::{self.lower}::Optional{self.upper}Guard"

    @property
    def guard_header(self) -> str:
        return f"c10/{self.lower}/{self.upper}Guard.h"

    @property
    def empty_header(self) -> str:
        """Declares at::detail::empty_cuda and empty_strided_cuda."""
        return f"ATen/{self.lower}/EmptyTensor.h"

    def direct_header(self, stem: str) -> str:
        """Path of the header of functions that call an operator's kernels for the device."""
        return f"ATen/ops/{stem}_{self.lower}_dispatch.h"


def in_names(text: str, naming: TargetNaming) -> str:
    """torchgen's text in the names of a target."""
    text = _WRAPPER.sub(lambda match: f"wrapper_{KEYS[match[1]]}_", text)
    text = text.replace("c10::cuda::OptionalCUDAGuard", naming.guard)
    text = text.replace("c10::DeviceType::CUDA", "c10::DeviceType::PrivateUse1")
    text = text.replace("c10::DispatchKey::CUDA", "c10::DispatchKey::PrivateUse1")
    # Of 1.13, whose context knows no other device to start; the device's own functions start it.
    text = text.replace("globalContext().lazyInitCUDA();", "")
    return text.replace("REGISTER_DISPATCH(", "REGISTER_PRIVATEUSE1_DISPATCH(")


def check(text: str, kernels: Collection[str], operators: Collection[str], place: str) -> None:
    """Raises RegisterError, naming `place`, when a word of CUDA's is left that no kernel or operator is called by."""
    named = [name for name in operators if "cuda" in name.lower()]
    stray = {
        word
        for word in _words_of_cuda(text)
        if not _of_kernel(word, kernels) and not _of_operator(word, named)
    }
    if stray:
        words = ", ".join(f"'{word}'" for word in sorted(stray))
        help = "this release's torchgen writes something new: porter/register/torchgen_names.py must name it"
        raise RegisterError(f"names of CUDA are left: {words}", place, help)


def _words_of_cuda(text: str) -> Iterator[str]:
    # Found by `str.find`, which is twenty times faster than a pattern that begins with any word.
    folded = text.lower()
    at = folded.find("cuda")
    while at >= 0:
        line = text.rfind("\n", 0, at) + 1
        start = _WORD_START.search(text, line, at)
        end = _WORD_END.match(text, at)
        assert start and end
        yield text[start.start() : end.end()]
        at = folded.find("cuda", end.end())


def _of_kernel(word: str, kernels: Collection[str]) -> bool:
    if word in kernels or word in _KEPT:
        return True
    stem = word.removeprefix("structured_")
    return stem in kernels or stem.rpartition("_")[0] in kernels


def _of_operator(word: str, named: Iterable[str]) -> bool:
    """True if a word is an operator's name, or a wrapper's or a header's name made of it."""
    return any(word == f"{name}_native" or word.endswith(name) for name in named)
