"""C++ that saves an operator's arguments and results in its autograd node, and returns the gradients."""

from __future__ import annotations

import re
from typing import NamedTuple

from porter.model.custom_ops import Argument

_OWNING = {
    "at::IntArrayRef": ("std::vector<int64_t>", "{}.vec()"),
    "c10::SymIntArrayRef": ("std::vector<c10::SymInt>", "{}.vec()"),
    "at::ArrayRef<double>": ("std::vector<double>", "{}.vec()"),
    "c10::string_view": ("std::string", "std::string({})"),
    "const at::Scalar &": ("at::Scalar", "{}"),
}
"""Maps an argument type that does not own its data to (owning type, expression that copies the data)."""
_KEPT = re.compile(
    r"Tensor\??|Tensor\[\]|(int|SymInt|float|bool|ScalarType|Device)\??|Scalar|str|(int|SymInt|float)\[\d*\]"
)


class SavedVariable(NamedTuple):
    """C++ fragments that save an argument or a result for the backward pass."""

    field: str
    """Declaration of the field in the autograd node."""
    keep: str
    """Statement that fills the field of the node `node_`."""
    take: str = ""
    """Statement in the backward pass that declares a variable with the original name and the field's value.

    Empty if the field itself has the original name.
    """
    release: str = ""
    """Statement that frees the field's data."""


def can_keep(type: str) -> bool:
    """True if autograd can save an argument of this schema type for the backward pass."""
    return _KEPT.fullmatch(type) is not None


def argument(argument: Argument) -> SavedVariable:
    """C++ that saves an argument. `can_keep` must accept the argument's type."""
    name = argument.name
    saved = f"saved_{name}_"
    if argument.type == "Tensor":
        return _tensor(name, name, "false", "")
    if argument.type == "Tensor?":
        tensor = _tensor(name, f"{name}.value_or(at::Tensor())", "false", "")
        value = f"{saved}value"
        some = f"{value}.defined() ? std::optional({value}) : std::nullopt"
        take = f"const at::Tensor {value} = {saved}.unpack(); const auto {name} = {some};"
        return tensor._replace(take=take)
    if argument.type == "Tensor[]":
        number = count(argument)
        return SavedVariable(
            f"std::vector<torch::autograd::SavedVariable> {saved}; {number.field}",
            f"for (const auto& one_ : {name}) node_->{saved}.emplace_back(one_, false); {number.keep}",
            f"std::vector<at::Tensor> {name}; for (const auto& one_ : {saved}) {name}.push_back(one_.unpack());",
            f"{saved}.clear();",
        )
    kind, made = _OWNING.get(argument.cpp, (argument.cpp, "{}"))
    return SavedVariable(
        f"{kind} kept_{name}_;",
        f"node_->kept_{name}_ = {made.format(name)};",
        f"const auto& {name} = kept_{name}_;",
    )


def result(word: str, value: str) -> SavedVariable:
    """C++ that saves a result under the name `word`; `value` is the C++ expression of the result."""
    return _tensor(word, value, "true", "shared_from_this()")


def count(argument: Argument) -> SavedVariable:
    """C++ that saves the number of tensors in a list."""
    name = f"{argument.name}_count_"
    return SavedVariable(f"size_t {name} = 0;", f"node_->{name} = {argument.name}.size();")


def found(argument: Argument, gradient: str | None) -> str:
    """C++ statement that appends an argument's gradients to `found_`.

    `gradient`: C++ expression of the gradient. If it is None, the statement appends undefined tensors instead.
    """
    if argument.type == "Tensor[]":
        if gradient:
            return f"found_.insert(found_.end(), {gradient}.begin(), {gradient}.end());"
        return f"found_.resize(found_.size() + {argument.name}_count_);"
    return f"found_.push_back({gradient or 'at::Tensor()'});"


def _tensor(name: str, value: str, is_output: str, owner: str) -> SavedVariable:
    saved = f"saved_{name}_"
    return SavedVariable(
        f"torch::autograd::SavedVariable {saved};",
        f"node_->{saved} = torch::autograd::SavedVariable({value}, {is_output});",
        f"const at::Tensor {name} = {saved}.unpack({owner});",
        f"{saved}.reset_data();",
    )
