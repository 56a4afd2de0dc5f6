"""Owning types for arguments of kernels that take views: std::vector<int64_t> for an `at::IntArrayRef`.

pybind11 converts values from Python only to types that own the values. Operators of PyTorch's dispatcher need no such
types.
"""

from __future__ import annotations

import re

from porter.model.custom_ops import Argument

_OPTIONAL_VIEW = re.compile(
    r"at::OptionalIntArrayRef|(?:::)?(?:std|c10)::optional<(?P<inner>at::IntArrayRef|(?:at|c10)::ArrayRef<.+>)>"
)
_NUMBER = re.compile(r"const (?:(?:::)?(?:std|c10)::optional<at::Scalar>|at::Scalar) ?&")
_OWNERS = (
    # torch/csrc/utils/pybind.h can return a Scalar to Python, but cannot accept one.
    (re.compile(r"const at::Scalar ?&"), "const Number&"),
    (
        re.compile(r"const (?:::)?(?:std|c10)::optional<at::Scalar> ?&"),
        "const std::optional<Number>&",
    ),
    (re.compile(r"at::TensorList"), "const std::vector<at::Tensor>&"),
    (re.compile(r"at::IntArrayRef"), "const std::vector<int64_t>&"),
    (re.compile(r"(?:at|c10)::ArrayRef<(.+)>"), r"const std::vector<\1>&"),
    (re.compile(r"c10::string_view"), "const std::string&"),
    (re.compile(r"at::OptionalIntArrayRef"), "const std::optional<std::vector<int64_t>>&"),
    (
        re.compile(r"(?:::)?(?:std|c10)::optional<at::IntArrayRef>"),
        "const std::optional<std::vector<int64_t>>&",
    ),
    (
        re.compile(r"(?:::)?(?:std|c10)::optional<(?:at|c10)::ArrayRef<(.+)>>"),
        r"const std::optional<std::vector<\1>>&",
    ),
    (
        re.compile(r"(?:::)?(?:std|c10)::optional<c10::string_view>"),
        "const std::optional<std::string>&",
    ),
)
"""Pairs (pattern of the view type of a kernel's argument, owning type of the values from Python)."""


def owner(view: str) -> str:
    """C++ type that owns the values behind an argument of type `view`; `view` itself if the type is no view."""
    for pattern, text in _OWNERS:
        if found := pattern.fullmatch(view):
            return found.expand(text)
    return view


def view(argument: Argument) -> str:
    """C++ expression that passes an argument of the owning type to the kernel as a view."""
    name, kind = argument.name, argument.plain_cpp
    if _NUMBER.fullmatch(kind):
        return f"scalar_({name})"
    if found := _OPTIONAL_VIEW.fullmatch(kind):
        inner = found["inner"] or "at::IntArrayRef"
        return f"{name} ? std::optional<{inner}>(*{name}) : std::nullopt"
    return name
