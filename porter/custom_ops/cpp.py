"""C++ fragments for an operator, used by the templates of registrations and declarations."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from porter.custom_ops import owning_types, saved_variables
from porter.custom_ops.saved_variables import SavedVariable
from porter.model.custom_ops import (
    DEVICE,
    Argument,
    Backward,
    Custom,
    PythonGradient,
    Signature,
    VariantKind,
)


class Kernel(NamedTuple):
    """C++ function that the user defines."""

    namespace: str
    name: str
    schema: str
    returns: str
    arguments: str
    types: tuple[str, ...]

    @property
    def called(self) -> tuple[str, ...]:
        """Key that identifies the C++ function: namespace, name and parameter types."""
        return (self.namespace, self.name, *self.types)


class Call(NamedTuple):
    """Call of the operator that computes the gradients."""

    function: str
    """C++ name of the called operator."""
    given: str
    """Arguments of the call."""
    found: tuple[str, ...]
    """Statements that collect the gradients in the order of the operator's tensor arguments."""


@dataclass(frozen=True)
class CppOp:
    """Values of one operator for the Jinja templates that generate its C++."""

    custom: Custom
    others: Mapping[str, Signature]
    """Maps the full name of each operator of the file to its signature."""

    @property
    def signature(self) -> Signature:
        return self.custom.signature

    @property
    def id(self) -> str:
        """Unique C++ identifier of the operator: `sum__dim` for `sum.dim`."""
        return self.signature.full_name.replace(".", "__")

    @property
    def schema(self) -> str:
        """Schema of the operator as a C++ string literal."""
        return quoted(self.signature.text)

    @property
    def function(self) -> str:
        """C++ name of the operator."""
        return function_of(self.signature)

    @property
    def arguments(self) -> str:
        return ", ".join(f"{a.cpp} {a.name}" for a in self.signature.arguments)

    @property
    def plain_arguments(self) -> str:
        return plain_arguments(self.signature)

    @property
    def held_arguments(self) -> str:
        """Parameters of the function that Python calls, with types that own their values."""
        return ", ".join(
            f"{owning_types.owner(a.plain_cpp)} {a.name}" for a in self.signature.arguments
        )

    @property
    def held_names(self) -> str:
        """Arguments with which the kernel is called: views of the parameters in `held_arguments`."""
        return ", ".join(owning_types.view(a) for a in self.signature.arguments)

    @property
    def keyed_arguments(self) -> str:
        """Parameters of a kernel that redispatches: the dispatch key set, then the operator's arguments."""
        return ", ".join(filter(None, ("c10::DispatchKeySet keys_", self.arguments)))

    def keyed_names(self, below: str) -> str:
        """Arguments with which a kernel redispatches to the keys in `c10::<below>_keyset`."""
        return ", ".join(filter(None, (f"keys_ & c10::{below}_keyset", self.names)))

    @property
    def types(self) -> str:
        return ", ".join(a.cpp for a in self.signature.arguments)

    @property
    def names(self) -> str:
        return ", ".join(a.name for a in self.signature.arguments)

    @property
    def tensors(self) -> tuple[Argument, ...]:
        return tuple(a for a in self.signature.arguments if a.type.startswith("Tensor"))

    @property
    def tensor_names(self) -> str:
        return ", ".join(a.name for a in self.tensors)

    @property
    def device(self) -> str:
        """C++ name of the kernel for the device; empty if the entry names no such kernel."""
        return self.custom.kernels.get(DEVICE, "")

    @property
    def autograd(self) -> str:
        """Kind of gradient support: `none`, `unsaid`, `backward` or `python`."""
        if isinstance(self.custom.autograd, Backward):
            return "backward"
        if isinstance(self.custom.autograd, PythonGradient):
            return "python"
        return str(self.custom.autograd)

    @property
    def registered(self) -> Iterator[tuple[str, str]]:
        """Dispatch key and C++ expression of each kernel registration."""
        here = f"op_{self.id}"
        if self.custom.made is VariantKind.IN_PLACE:
            # Autograd and torch.compile process the operators that the variant calls.
            yield "CompositeImplicitAutograd", f"TORCH_FN({here}::made)"
            return
        if self.custom.made:
            yield "CompositeExplicitAutograd", f"TORCH_FN({here}::made)"
        for key, kernel in self.custom.kernels.items():
            yield key, f"TORCH_FN({here}::device_)" if key == DEVICE else f"TORCH_FN({kernel})"
        if self.has_function or self.refuses:
            yield "Autograd", f"TORCH_FN({here}::autograd)"
        elif self.autograd != "python":
            yield "Autograd", "torch::CppFunction::makeFallthrough()"
        if self.signature.written:
            yield "ADInplaceOrView", f"TORCH_FN({here}::written)"
        if self.functional:
            yield "Functionalize", f"TORCH_FN({here}::functionalized)"

    # -- gradients

    @property
    def has_function(self) -> bool:
        """True if the operator has an autograd node.

        The node computes gradients or, without a backward pass, raises an error.
        """
        if self.autograd == "backward":
            return True
        tensors = any("Tensor" in one.type for one in self.signature.returns)
        return self.autograd == "unsaid" and tensors and not self.signature.written

    @property
    def wraps(self) -> bool:
        """True if a generated kernel of the operator redispatches to kernels of lower dispatch keys."""
        if self.custom.made is VariantKind.IN_PLACE:
            return False
        return self.has_function or bool(self.refuses or self.signature.written)

    @property
    def node(self) -> str:
        """Name of the autograd node, in the same form as the names of PyTorch's nodes: `MulBackward0`."""
        words = self.signature.name.strip("_").split("_")
        return f"{''.join(word[:1].upper() + word[1:] for word in words)}Backward0"

    @property
    def refuses(self) -> tuple[Argument, ...]:
        """Tensors that must not require grad.

        Without a backward pass, writing to such a tensor would silently drop its gradient.
        """
        if not self.signature.written or self.autograd not in ("none", "unsaid"):
            return ()
        return self.signature.written if self.autograd == "none" else self.tensors

    @property
    def below(self) -> str:
        """C++ class of the guard for the forward pass.

        The guard excludes Autograd. If the operator writes to no tensor, the guard also excludes ADInplaceOrView.
        """
        written = self.signature.written
        return (
            "at::AutoDispatchBelowAutograd" if written else "at::AutoDispatchBelowADInplaceOrView"
        )

    @property
    def results(self) -> tuple[str, ...]:
        """C++ expression of each result, given the operator's return value `result_`."""
        if len(self.signature.returns) == 1:
            return ("result_",)
        return tuple(f"std::get<{n}>(result_)" for n in range(len(self.signature.returns)))

    @property
    def histories(self) -> tuple[str, ...]:
        """C++ statements that make the autograd node the `grad_fn` of each result."""
        written = [a.name for a in self.signature.written]
        aliased = [one.alias for one in self.signature.returns]
        of_written = [f"torch::autograd::rebase_history({name}, node_);" for name in written]
        return (
            *of_written,
            *(
                f"history_({value}, node_);"
                for value, alias in zip(self.results, aliased, strict=True)
                if not alias
            ),
        )

    @cached_property
    def kept(self) -> tuple[SavedVariable, ...]:
        """C++ that saves the arguments that the backward pass needs, and the lengths of all other lists of tensors."""
        call = self.custom.autograd
        if not isinstance(call, Backward):
            return ()
        needed = [a for a in self.signature.arguments if a.name in call.arguments]
        lists = (a for a in self.tensors if a.type == "Tensor[]" and a not in needed)
        # The backward pass returns a gradient for each tensor of a list, so it needs the length of every list.
        return (*map(saved_variables.argument, needed), *map(saved_variables.count, lists))

    @cached_property
    def kept_results(self) -> tuple[SavedVariable, ...]:
        """C++ that saves the results that the backward pass needs."""
        call = self.custom.autograd
        if not isinstance(call, Backward):
            return ()
        own = {a.name for a in self.signature.arguments}
        return tuple(
            saved_variables.result(word, self.results[int(word.removeprefix("result") or 0)])
            for word in dict.fromkeys(call.arguments)
            if word.startswith("result") and word not in own
        )

    @cached_property
    def backward(self) -> Call | None:
        call = self.custom.autograd
        if not isinstance(call, Backward):
            return None
        signature = self.others[call.call]
        own = {a.name for a in self.signature.arguments}
        given = ", ".join(
            f"grads_[{word[4:] or 0}]" if word.startswith("grad") and word not in own else word
            for word in call.arguments
        )
        gradients = {}
        for number, name in enumerate(call.gradients):
            alone = len(signature.returns) == 1
            gradients[name] = "result_" if alone else f"std::get<{number}>(result_)"
        found = tuple(saved_variables.found(a, gradients.get(a.name)) for a in self.tensors)
        return Call(function_of(signature), given, found)

    # -- written arguments

    def bump(self, argument: Argument) -> str:
        """C++ statement that increments the version counter of a written tensor, or of each tensor in a list."""
        if argument.type == "Tensor[]":
            return f"for (const auto& one_ : {argument.name}) torch::autograd::impl::bump_version(one_);"
        if argument.type == "Tensor?":
            return f"if ({argument.name}) torch::autograd::impl::bump_version(*{argument.name});"
        return f"torch::autograd::impl::bump_version({argument.name});"

    @property
    def functional(self) -> str:
        """C++ name of the functional variant, which writes to copies; empty if there is no such variant."""
        return function_of(self.others[self.custom.functional]) if self.custom.functional else ""

    def unwrapped(self, argument: Argument) -> str:
        """C++ declaration of a local variable `inner_NAME_` with the tensor that functionalization has wrapped."""
        tell = ", false" if argument.type in ("Tensor", "Tensor?") else ""
        name = argument.name
        return f"const auto inner_{name}_ = functional_::from_functional_tensor({name}{tell});"

    @property
    def inner_names(self) -> str:
        """Arguments of a call of the functional variant; its tensors are the variables that `unwrapped` declares."""
        tensors = {a.name for a in self.tensors}
        arguments = self.others[self.custom.functional].arguments
        return ", ".join(f"inner_{a.name}_" if a.name in tensors else a.name for a in arguments)

    def copied(self, number: int) -> str:
        """C++ expression of the new value of the written argument with index `number`.

        The expression reads `result_`, the return value of the functional variant.
        """
        returns = self.others[self.custom.functional].returns
        number += len(returns) - len(self.signature.written)
        return "result_" if len(returns) == 1 else f"std::get<{number}>(result_)"

    @property
    def give_back(self) -> str:
        """C++ return statement of an operator that returns only arguments to which it writes, or nothing."""
        names = [one.alias for one in self.signature.returns]
        if not names:
            return "return;"
        return f"return {names[0]};" if len(names) == 1 else f"return {{{', '.join(names)}}};"

    # -- generated variants

    @property
    def made(self) -> tuple[str, ...]:
        """C++ lines of the kernel of a generated variant; empty for an operator that the user wrote."""
        if not self.custom.made:
            return ()
        return tuple(self._made(self.others[self.custom.made_of], self.custom.made))

    def _made(self, of: Signature, how: VariantKind) -> Iterator[str]:
        call = f"ops::{function_of(of)}"
        if how is VariantKind.IN_PLACE:
            yield f"self.copy_({call}({self.names}));"
            yield "return self;"
        elif how is VariantKind.OUT:
            names = ", ".join(a.name for a in of.arguments)
            yield f"const auto result_ = {call}({names});"
            for number, argument in enumerate(self.signature.written):
                one = "result_" if len(of.returns) == 1 else f"std::get<{number}>(result_)"
                yield f"at::native::resize_output({argument.name}, {one}.sizes());"
                yield f"{argument.name}.copy_({one});"
            yield self.give_back
        else:
            copies = {a.name: f"copy_{a.name}_" for a in of.written}
            for name, copy in copies.items():
                yield f"at::Tensor {copy} = {name}.clone();"
            names = ", ".join(copies.get(a.name, a.name) for a in of.arguments)
            fresh = [n for n, one in enumerate(of.returns) if not one.alias]
            yield f"{'const auto result_ = ' if fresh else ''}{call}({names});"
            alone = len(of.returns) == 1
            values = ["result_" if alone else f"std::get<{n}>(result_)" for n in fresh]
            values += copies.values()
            yield f"return {values[0] if len(values) == 1 else '{' + ', '.join(values) + '}'};"


def kernels(op: Custom) -> Iterator[Kernel]:
    """C++ functions that the entry of an operator names. Their parameters follow from the operator's schema."""
    for name in dict.fromkeys(op.kernels.values()):
        namespace, _, function = name.rpartition("::")
        signature = op.signature
        yield Kernel(
            namespace,
            function,
            signature.text,
            signature.plain_cpp,
            plain_arguments(signature),
            tuple(argument.plain_cpp for argument in signature.arguments),
        )


def quoted(text: str) -> str:
    """C++ string literal of a text."""
    return json.dumps(text, ensure_ascii=False)


def plain_arguments(signature: Signature) -> str:
    """Parameters of a kernel that the user defines: int64_t in place of SymInt."""
    return ", ".join(f"{a.plain_cpp} {a.name}" for a in signature.arguments)


def function_of(signature: Signature) -> str:
    """C++ name of an operator, shared by its overloads.

    The name of a variant that writes to `out` ends in `_out`, as in namespace `at`.
    """
    outs = [a for a in signature.written if a.keyword_only]
    return f"{signature.name}_out" if outs else signature.name
