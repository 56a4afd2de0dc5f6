"""Names of a target in text that torchgen generates.

torchgen generates text for `DispatchKey.CUDA`. This module replaces the CUDA names that torchgen is known to use.
Kernels keep their names, as in ported sources. Any other CUDA name is an error, because it would call PyTorch's own
CUDA library.
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
"""Functions whose names in ported sources stay unchanged, like all names in snake case."""


class TargetNaming(NamedTuple):
    """Names of a target that generated text contains."""

    lower: str
    upper: str
    main_header: str = ""
    """Header that sources for the target's compiler include first; empty if there is none."""
    cuh: str = "cuh"
    """Suffix of the ported headers with device code."""

    @property
    def guard(self) -> str:
        """Name of the class that guards an optional device."""
        return f"c10::{self.lower}::Optional{self.upper}Guard"

    @property
    def guard_header(self) -> str:
        return f"c10/{self.lower}/{self.upper}Guard.h"

    @property
    def empty_header(self) -> str:
        """Header that declares at::detail::empty_cuda and empty_strided_cuda."""
        return f"ATen/{self.lower}/EmptyTensor.h"

    def direct_header(self, stem: str) -> str:
        """Path of the header with functions that call an operator's device kernels directly."""
        return f"ATen/ops/{stem}_{self.lower}_dispatch.h"


def in_names(text: str, naming: TargetNaming) -> str:
    """Text by torchgen in which the target's names replace CUDA's."""
    text = _WRAPPER.sub(lambda match: f"wrapper_{KEYS[match[1]]}_", text)
    text = text.replace("c10::cuda::OptionalCUDAGuard", naming.guard)
    text = text.replace("c10::DeviceType::CUDA", "c10::DeviceType::PrivateUse1")
    text = text.replace("c10::DispatchKey::CUDA", "c10::DispatchKey::PrivateUse1")
    # PyTorch 1.13 only: its context can initialise no other device. The device's own functions initialise it.
    text = text.replace("globalContext().lazyInitCUDA();", "")
    return text.replace("REGISTER_DISPATCH(", "REGISTER_PRIVATEUSE1_DISPATCH(")


def check(text: str, kernels: Collection[str], operators: Collection[str], place: str) -> None:
    """Raise RegisterError if the text contains a CUDA word that is part of neither a kernel's nor an operator's name.

    `place` names the text in the message.
    """
    named = [name for name in operators if "cuda" in name.lower()]
    stray = {
        word
        for word in _words_of_cuda(text)
        if not _of_kernel(word, kernels) and not _of_operator(word, named)
    }
    if stray:
        words = ", ".join(f"'{word}'" for word in sorted(stray))
        help = "torchgen of this release writes new names: add them to porter/register/torchgen_names.py"
        raise RegisterError(f"names of CUDA remain: {words}", place, help)


def _words_of_cuda(text: str) -> Iterator[str]:
    # `str.find` is twenty times faster here than a regular expression that begins with a word.
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
    """Test whether a word is an operator's name, or the name of an operator's wrapper or header."""
    return any(word == f"{name}_native" or word.endswith(name) for name in named)
