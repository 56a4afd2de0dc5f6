"""Texts of all files that are generated for custom operators: C++ and a Python package.

The module writes no files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from porter.base.templates import environment
from porter.custom_ops import cpp, override_cpp, python_module
from porter.custom_ops.cpp import CppOp
from porter.model.custom_ops import (
    Binding,
    Custom,
    OwnOps,
    PythonFunction,
    PythonGradient,
    VariantKind,
)
from porter.register.torchgen_names import TargetNaming

_BOUND = ("kernels.h", "Bind.cpp")
"""Templates for functions that Python calls without PyTorch's dispatcher."""
_CPP = ("kernels.h", "CustomFunctions.h", "CustomFunctions.cpp", "Register.cpp")
_REPLACE = "Replace.cpp"
"""Template for kernels that override PyTorch's kernels."""


def cpp_files(ops: OwnOps, file: str, naming: TargetNaming) -> dict[str, str]:
    """Generated C++: maps each file name to the text of the file. Files with the suffix `.cpp` must be compiled.

    `file` is the path of the ops.yaml, for comments in the C++. Raises RegisterError when torchgen's text contains
    unknown names.
    """
    signatures = {op.signature.full_name: op.signature for op in ops.custom}
    kernels = {k.called: k for op in ops.custom for k in cpp.kernels(op)}
    replaces = override_cpp.is_needed(ops)
    values = {
        "file": file,
        "namespace": ops.namespace,
        "ops": [CppOp(op, signatures) for op in ops.custom],
        "kernels": list(kernels.values()),
        "replacing": list(override_cpp.declarations(ops)),
        "headers": list(override_cpp.declaring(ops)),
        "replaces": replaces,
    }
    names = _BOUND if ops.binding is Binding.PYBIND11 else _CPP
    files = _rendered({name: name for name in names}, values)
    if replaces:
        values |= {**override_cpp.values(ops, naming), "quoted": cpp.quoted}
        files |= _rendered({_REPLACE: _REPLACE}, values)
    return files


def python_files(ops: OwnOps, library: str) -> dict[str, str]:
    """Python package that loads the shared library `library`: maps each file name to the text of the file."""
    functions = list(python_module.functions(ops.custom))
    direct = ops.binding is Binding.PYBIND11
    values = {
        "namespace": ops.namespace,
        "library": library,
        "direct": direct,
        "functions": functions,
        "overloads": any(len(function.signatures) > 1 for function in functions),
        "modules": sorted({function.file.stem for function in python_functions(ops)}),
        "described": [op for op in ops.custom if _described(op)],
        "written": [op for op in ops.custom if isinstance(op.fake, PythonFunction)],
        "differentiated": [op for op in ops.custom if isinstance(op.autograd, PythonGradient)],
        "parameters": python_module.parameters,
        "returns": python_module.returns,
        "fake_results": python_module.fake_results,
    }
    names = {"__init__.py": "module.py", "__init__.pyi": "module.pyi"}
    if not direct:
        names["_registered.py"] = "registered.py"
    return _rendered(names, values) | {"py.typed": ""}


def _described(op: Custom) -> bool:
    """True if a fake kernel is generated for the operator; `out` and in-place variants have no fake kernel."""
    if op.made in (VariantKind.OUT, VariantKind.IN_PLACE):
        return False
    return not isinstance(op.fake, PythonFunction)


def python_functions(ops: OwnOps) -> Sequence[PythonFunction]:
    """The user's Python functions that the package needs; their files become part of the package."""
    return [function for op in ops.custom for function in _functions(op)]


def _functions(op: Custom) -> Sequence[PythonFunction]:
    found = [op.fake] if isinstance(op.fake, PythonFunction) else []
    if isinstance(op.autograd, PythonGradient):
        found += [one for one in op.autograd if one]
    return found


def _rendered(names: Mapping[str, str], values: Mapping[str, object]) -> dict[str, str]:
    templates = environment("ops")
    return {
        name: templates.get_template(f"{template}.jinja").render(values)
        for name, template in names.items()
    }
