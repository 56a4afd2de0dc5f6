"""Checks of an operator's entry in an ops.yaml. Each check yields the mistakes that it finds."""

from __future__ import annotations

import ast
import keyword
import re
import sys
from collections.abc import Iterator, Mapping

from porter.base.errors import did_you_mean
from porter.custom_ops import saved_variables
from porter.model.custom_ops import Backward, Signature

Mistake = tuple[str, str]
"""(error message, advice); the advice may be empty."""

_CPP = frozenset(
    [
        "alignas",
        "alignof",
        "and",
        "and_eq",
        "asm",
        "auto",
        "bitand",
        "bitor",
        "bool",
        "break",
        "case",
        "catch",
        "char",
        "char8_t",
        "char16_t",
        "char32_t",
        "class",
        "compl",
        "concept",
        "const",
        "consteval",
        "constexpr",
        "constinit",
        "const_cast",
        "continue",
        "co_await",
        "co_return",
        "co_yield",
        "decltype",
        "default",
        "delete",
        "do",
        "double",
        "dynamic_cast",
        "else",
        "enum",
        "explicit",
        "export",
        "extern",
        "false",
        "float",
        "for",
        "friend",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "mutable",
        "namespace",
        "new",
        "noexcept",
        "not",
        "not_eq",
        "nullptr",
        "operator",
        "or",
        "or_eq",
        "private",
        "protected",
        "public",
        "register",
        "reinterpret_cast",
        "requires",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "static_assert",
        "static_cast",
        "struct",
        "switch",
        "template",
        "this",
        "thread_local",
        "throw",
        "true",
        "try",
        "typedef",
        "typeid",
        "typename",
        "union",
        "unsigned",
        "using",
        "virtual",
        "void",
        "volatile",
        "wchar_t",
        "while",
        "xor",
        "xor_eq",
    ]
)
"""Keywords of C++20."""
_RESERVED = frozenset(keyword.kwlist) | _CPP
_TAKEN = frozenset(("torch", "torchgen", "aten", "prim", "prims", "quantized", "at", "c10", "std"))
"""Namespaces that PyTorch and C++ use."""
_OWN = ("calls", "reset_calls")
"""Functions that every generated Python package has."""
_FUNCTION = re.compile(r"[A-Za-z_]\w*(::[A-Za-z_]\w*)+")
_KEYS = (
    *(f"{kind}PrivateUse1" for kind in ("", "Sparse", "SparseCsr", "Quantized", "NestedTensor")),
    *("CPU", "SparseCPU", "SparseCsrCPU", "QuantizedCPU", "NestedTensorCPU"),
    *("CUDA", "Meta", "CompositeExplicitAutograd"),
)
"""Dispatch keys for which an entry may name a kernel (c10/core/DispatchKey.h)."""
_NOT_BOUND = (
    *("Layout", "Dimname", "Stream", "Storage", "QScheme"),
    *("bool[]", "str[]", "Scalar[]", "Dimname[]"),
)
"""Schema types without a caster in torch/csrc/utils/pybind.h."""
_NAME = re.compile(r"[A-Za-z_]\w*")
_LIKE = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<index>\[\d+\])?")
_WORD = re.compile(r"(?:grad|result)(?P<number>\d*)")
_OF_SHAPES = {"len", "list", "min", "max"}
SCHEMA_HELP = "write the schema as in native_functions.yaml: name(Tensor x, int n=1) -> Tensor"
_SHAPE_HELP = "write a Python list: [x.size(0), 2 * n]"
_IN_PYTHON = "write the backward pass in Python: autograd: {python: FILE.py:FUNCTION}"


def of_namespace(name: str) -> Iterator[Mistake]:
    """Check the name of `torch.ops.<namespace>`, which is also a Python package and a C++ namespace."""
    if not _NAME.fullmatch(name) or name in _RESERVED:
        yield f"'{name}' cannot be a namespace", "choose a name such as my_ops"
    elif name in _TAKEN or name in sys.stdlib_module_names:
        yield f"'{name}' is already used by PyTorch, Python or C++", "choose a name such as my_ops"


def of_signature(signature: Signature) -> Iterator[Mistake]:
    """Check a schema for constructs that torchgen accepts but Python, C++ or autograd does not."""
    arguments = [argument.name for argument in signature.arguments]
    for name in (signature.name, *arguments):
        if not _NAME.fullmatch(name):
            yield f"'{name}' is not a valid name", SCHEMA_HELP
        if name in _RESERVED:
            yield f"'{name}' is a reserved word in Python or C++", ""
    if signature.name in _OWN:
        yield f"every generated package already has a function '{signature.name}'", ""
    for argument in signature.arguments:
        if argument.name.endswith("_"):
            yield f"'{argument.name}' ends in _, which is reserved for names in generated code", ""
        if argument.type == "Tensor?[]":
            yield f"'{argument.name}' is a list of optional tensors, which is not supported", ""
        if argument.aliased and not argument.written:
            said = f"the result is a view of '{argument.name}', which autograd cannot track"
            yield said, "return a new tensor, or write to the argument"
    if any(one.type.startswith("str") for one in signature.returns):
        yield "a result of type str is not supported: no object would own its memory", ""
    for name in sorted({name for name in arguments if arguments.count(name) > 1}):
        yield f"duplicate argument '{name}'", ""


def of_direct(signature: Signature) -> Iterator[Mistake]:
    """Check the schema of a function that Python calls without the dispatcher: pybind11 must support its types."""
    for kind in (*(a.type for a in signature.arguments), *(one.type for one in signature.returns)):
        if kind.rstrip("?") in _NOT_BOUND:
            yield f"pybind11 does not support {kind}", "write binding: library"


def of_kernels(kernels: Mapping[str, str]) -> Iterator[Mistake]:
    """Check dispatch keys and the names of C++ functions."""
    for key, name in kernels.items():
        if key not in _KEYS:
            help = did_you_mean(key, _KEYS) or f"choose one of {', '.join(_KEYS)}"
            yield f"'{key}' is not a dispatch key for a kernel", help
        if not _FUNCTION.fullmatch(name):
            yield f"'{name}' is not a C++ function with its namespace", "write my_ops::scale"
        for word in _CPP.intersection(name.split("::")):
            yield f"'{word}' is a reserved word in C++", ""


def of_fake(like: str, shape: str, signature: Signature) -> Iterator[Mistake]:
    """Check the keys `like` and `shape` that describe one result for the fake kernel."""
    tensors = {a.name: a.type for a in signature.arguments if a.type.startswith("Tensor")}
    found = _LIKE.fullmatch(like)
    if not found or bool(found["index"]) != ("[]" in tensors.get(found["name"], "[]")):
        names = [f"{name}[0]" if "[]" in kind else name for name, kind in tensors.items()]
        help = did_you_mean(like, names) or f"choose a tensor: {', '.join(names) or 'none'}"
        yield f"'{like}' is not a tensor argument", help
    if not shape:
        return
    try:
        tree = ast.parse(shape, mode="eval")
    except SyntaxError:
        yield f"the shape is not a Python expression: {shape}", _SHAPE_HELP
        return
    if isinstance(tree.body, ast.Name | ast.Constant):
        yield f"the shape is not a list of sizes: {shape}", _SHAPE_HELP
    arguments = {argument.name for argument in signature.arguments}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in arguments | _OF_SHAPES:
            help = did_you_mean(node.id, arguments) or f"choose from {', '.join(sorted(arguments))}"
            yield f"'{node.id}' is not an argument of '{signature.name}'", help


def of_backward(
    signature: Signature, backward: Backward, others: Mapping[str, Signature]
) -> Iterator[Mistake]:
    """Check `backward`, the entry's call of the operator that computes gradients.

    `signature` is the entry's operator. `others` maps the full name of each operator of the file to its signature.
    """
    if odd := [one.type for one in signature.returns if one.type != "Tensor"]:
        yield f"no operator can compute the gradient of a result of type {odd[0]}", _IN_PYTHON
    all_of_it = len(signature.written) == 1 and all(one.alias for one in signature.returns)
    if signature.written and not all_of_it:
        yield (
            "an operator with gradients may write to one tensor only, and may return only this tensor",
            "",
        )
    called = others.get(backward.call)
    named = len(backward.gradients)
    if called is None:
        yield (
            f"'{backward.call}' is not an operator of this file",
            did_you_mean(backward.call, others),
        )
    elif len(called.returns) != named:
        yield (
            f"the number of results of '{backward.call}' is {len(called.returns)}, but `gradients` names {named}",
            "",
        )
    kinds = {argument.name: argument.type for argument in signature.arguments}
    results = len(signature.returns) or 1
    for word in backward.arguments:
        number = _WORD.fullmatch(word)
        if word in kinds:
            if not saved_variables.can_keep(kinds[word]):
                said = (
                    f"'{word}' is a {kinds[word]}, which autograd cannot save for the backward pass"
                )
                yield said, _IN_PYTHON
        elif not number:
            help = did_you_mean(word, kinds) or "write grad, result, or an argument"
            yield f"'{word}' is not an argument of '{signature.name}'", help
        elif int(number["number"] or 0) >= results:
            help = "write grad and result for the first result, grad1 and result1 for the second"
            yield (
                f"'{word}' does not exist: the number of results of '{signature.name}' is {results}",
                help,
            )


def of_gradients(signature: Signature, backward: Backward) -> Iterator[Mistake]:
    """Check the key `gradients`: the arguments whose gradients the backward operator returns."""
    names = [argument.name for argument in signature.arguments]
    for word in backward.gradients:
        if word not in names:
            yield f"'{word}' is not an argument of '{signature.name}'", did_you_mean(word, names)
