"""Facts about CUDA operators from a release's own torchgen. Only this module imports torchgen.

`porter.register.catalogue` runs this module as a program: torchgen is slow to load, and one interpreter cannot load the
torchgen of two releases.

    python torchgen_api.py catalogue ROOT OUT NATIVE
    python torchgen_api.py signatures ROOT OUT SCHEMAS
    python torchgen_api.py replaced ROOT OUT KERNELS
    python torchgen_api.py declarations ROOT OUT NATIVE

ROOT is the folder that contains `torchgen/`, NATIVE the folder that contains native_functions.yaml and tags.yaml. The
program writes JSON to OUT:

- catalogue: the fields of `porter.model.ops.Catalogue`.
- signatures: for every text in the JSON list SCHEMAS, the fields of `porter.model.custom_ops.Signature`, or
  `{"error": text}`.
- replaced: for every operator in the JSON file KERNELS, the fields of `porter.model.custom_ops.OverloadForms` and, if
  the entry names a kernel, of `Wrapped`; or `{"error": text, "help": text}`.
- declarations: a list of the fields of `porter.model.ops.DeclaredOperator`.

The functions of torchgen that this module calls behave the same in PyTorch 1.13 to 2.13. Structured kernels are
generated for `DispatchKey.CUDA`, because torchgen refuses to generate them for PrivateUse1;
`porter.register.torchgen_names` inserts the target's names.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_KEYS = ("CUDA", "SparseCUDA", "SparseCsrCUDA", "QuantizedCUDA", "NestedTensorCUDA")
_PORTED_KEYS = tuple(key.replace("CUDA", "PrivateUse1") for key in _KEYS)
_KEY_SET = "c10::DispatchKeySet(c10::DispatchKey::CUDA)"


class Torchgen:
    """torchgen's modules of one release."""

    def __init__(self, root: Path) -> None:
        # Load torchgen's dependencies from the running environment, not from the environment that contains torchgen.
        importlib.import_module("yaml")
        importlib.import_module("typing_extensions")
        sys.path.insert(0, str(root))
        self.gen = importlib.import_module("torchgen.gen")
        self.dest = importlib.import_module("torchgen.dest")
        self.model = importlib.import_module("torchgen.model")
        self.utils = importlib.import_module("torchgen.utils")
        self.types = importlib.import_module("torchgen.api.types")
        self.translate = importlib.import_module("torchgen.api.translate").translate
        self.structured = importlib.import_module("torchgen.api.structured")
        self.meta = importlib.import_module("torchgen.api.meta")
        self.context = importlib.import_module("torchgen.context")
        selective = importlib.import_module("torchgen.selective_build.selector")
        self.selector = selective.SelectiveBuilder.get_nop_selector()
        del sys.path[0]

    def functions(self, native: Path) -> tuple[Any, Any]:
        """Parsed functions of the release, first ungrouped, then grouped into functional, in-place and out= forms."""
        parsed = self.gen.parse_native_yaml(
            str(native / "native_functions.yaml"), str(native / "tags.yaml")
        )
        return parsed, self.gen.get_grouped_native_functions(parsed.native_functions)

    def is_group(self, functions: Any) -> bool:
        """True if `functions` is a group of operator forms, False if it is a single function."""
        return isinstance(functions, self.model.NativeFunctionsGroup)

    def writer(self, index: Any, target: Any) -> Any:
        """torchgen's generator for the kernels of the dispatch key of `index`. `target`: wrappers or registrations."""
        return self.dest.RegisterDispatchKey(
            backend_index=index,
            target=target,
            selector=self.selector,
            rocm=False,
            symint=True,
            class_method_name=None,
            skip_dispatcher_op_registration=False,
        )


def main(command: str, root: str, out: str, given: str) -> None:
    """Run a command with the torchgen in `root`, and write the result to the file `out`."""
    if command == "catalogue":
        said: Any = catalogue(Torchgen(Path(root)), Path(given))
    elif command == "signatures":
        said = signatures(Path(root), json.loads(Path(given).read_text(encoding="utf-8")))
    elif command == "declarations":
        said = list(declarations(Torchgen(Path(root)), Path(given)))
    else:
        said = replaced(Torchgen(Path(root)), json.loads(Path(given).read_text(encoding="utf-8")))
    Path(out).write_text(json.dumps(said, indent=0), encoding="utf-8")


def signatures(root: Path, schemas: list[str]) -> list[dict[str, Any]]:
    """Signature of each schema as plain data; for an invalid schema, the error."""
    sys.path.insert(0, str(root))
    model = importlib.import_module("torchgen.model")
    dispatcher = importlib.import_module("torchgen.api.dispatcher")
    local = importlib.import_module("torchgen.local")
    found: list[dict[str, Any]] = []
    plain = {"use_const_ref_for_mutable_tensors": False, "use_ilistref_for_tensor_lists": False}
    with local.parametrize(**plain):
        for text in schemas:
            try:
                found.append(_signature(model.FunctionSchema.parse(text), dispatcher))
            except (AssertionError, RuntimeError, ValueError) as error:
                found.append({"error": str(error)})
    return found


def _signature(schema: Any, dispatcher: Any) -> dict[str, Any]:
    owners = {str(a.annotation): a.name for a in schema.arguments.flat_all if a.annotation}
    keyword_only = {argument.name for argument in schema.arguments.flat_kwarg_only}
    keyword_only.update(argument.name for argument in schema.arguments.out)
    inplace = "_" if schema.name.name.inplace else ""
    in_cpp, plain_cpp = (
        {one.name: one.nctype.cpp_type() for one in dispatcher.arguments(schema, symint=symint)}
        for symint in (True, False)
    )
    returned, plain_returned = (
        dispatcher.returns_type(schema.returns, symint=symint).cpp_type()
        for symint in (True, False)
    )
    return {
        "text": str(schema),
        "name": f"{schema.name.name.base}{inplace}",
        "overload": schema.name.overload_name,
        "cpp": returned,
        "plain_cpp": plain_returned,
        "arguments": [
            {
                "name": argument.name,
                "type": str(argument.type),
                "cpp": in_cpp[argument.name],
                "plain_cpp": plain_cpp[argument.name],
                "default": argument.default,
                "written": argument.is_write,
                "aliased": argument.annotation is not None,
                "keyword_only": argument.name in keyword_only,
            }
            for argument in schema.arguments.flat_all
        ],
        "returns": [
            {
                "type": str(one.type),
                "name": one.name or "",
                "alias": owners.get(str(one.annotation), "") if one.annotation else "",
            }
            for one in schema.returns
        ],
    }


def catalogue(torchgen: Torchgen, native: Path) -> dict[str, Any]:
    """Catalogue of the release as plain data."""
    parsed, groups = torchgen.functions(native)
    keys = {name: torchgen.model.DispatchKey.parse(name) for name in _KEYS}
    indices = {name: parsed.backend_indices[key] for name, key in keys.items()}
    found: dict[str, list[Any]] = {
        name: list(_ops(torchgen, groups, index, name)) for name, index in indices.items()
    }
    return {
        "ops": [op for name in _KEYS for op in found[name]],
        "helpers": {
            name: "\n".join(torchgen.dest.gen_registration_helpers(index))
            for name, index in indices.items()
        },
        "ufuncs": list(_ufuncs(torchgen, groups)),
        "direct": _direct(torchgen, groups, indices["CUDA"]),
        "keys": [key for key in _PORTED_KEYS if hasattr(torchgen.model.DispatchKey, key)],
    }


def _ops(torchgen: Torchgen, groups: Any, index: Any, key: str) -> Iterator[dict[str, Any]]:
    for functions in _kernels(torchgen, groups, index):
        metadata = index.get_kernel(functions)
        grouped = torchgen.is_group(functions)
        primary = index.primary(functions) if grouped else functions
        forms = list(_forms(torchgen, functions, index))
        if not forms:
            continue
        yield {
            "key": key,
            "name": str(primary.func.name),
            "kernel": metadata.kernel,
            "namespace": metadata.cpp_namespace,
            "structured": grouped,
            "forms": forms,
        }


def _kernels(torchgen: Torchgen, groups: Any, index: Any) -> Iterator[Any]:
    """Groups and functions of torchgen that have a kernel for the dispatch key.

    A group with a structured kernel is one item. The functions of any other group are yielded one by one, because
    torchgen would use the namespace of one kernel for the whole group.
    """
    for item in groups:
        if torchgen.is_group(item):
            metadata = index.get_kernel(item)
            if item.structured and metadata is not None and metadata.structured:
                yield item
                continue
            yield from (f for f in item.functions() if index.has_kernel(f))
        elif index.has_kernel(item):
            yield item


def _forms(torchgen: Torchgen, functions: Any, index: Any) -> Iterator[dict[str, Any]]:
    target = torchgen.utils.Target
    texts = torchgen.writer(index, target.ANONYMOUS_DEFINITION)(functions)
    registrations = torchgen.writer(index, target.REGISTRATION)(functions)
    grouped = torchgen.is_group(functions)
    listed = list(functions.functions()) if grouped else [functions]
    if not texts:
        # Upstream registers the kernel by hand (`manual_kernel_registration`).
        return
    for f, text, registration in zip(listed, texts, registrations, strict=True):
        yield {
            "name": str(f.func.name),
            "schema": str(f.func),
            "kind": f.func.kind().name,
            "library": f.namespace,
            "header": f.root_name,
            "definition": text,
            "registration": registration,
        }


def _ufuncs(torchgen: Torchgen, groups: Any) -> Iterator[dict[str, str]]:
    for group in groups:
        grouped = torchgen.is_group(group)
        if grouped and group.out.ufunc_inner_loop:
            yield {
                "name": str(group.functional.func.name.name),
                "header": group.root_name,
                "text": torchgen.dest.compute_ufunc_cuda(group),
            }


def _direct(torchgen: Torchgen, groups: Any, index: Any) -> dict[str, str]:
    """Maps the stem of a header to the C++ of its functions in namespace at::cuda, with all overloads.

    Example of a stem: `eq` for `eq_cuda_dispatch.h`.
    """
    found: dict[str, list[str]] = {}
    for functions in _kernels(torchgen, groups, index):
        grouped = torchgen.is_group(functions)
        for f in functions.functions() if grouped else [functions]:
            found.setdefault(f.root_name, []).extend(_calls(torchgen, f))
    return {stem: "".join(texts) for stem, texts in found.items()}


def _calls(torchgen: Torchgen, f: Any) -> Iterator[str]:
    types = torchgen.types
    with torchgen.context.native_function_manager(f):
        group = types.CppSignatureGroup.from_native_function(
            f, method=False, fallback_binding=False
        )
        goal = types.DispatcherSignature.from_schema(f.func, symint=True)
        for signature in group.signatures(symint=True):
            arguments = torchgen.translate(signature.arguments(), goal.arguments())
            passed = "".join(f", {argument.expr}" for argument in arguments)
            operator = f.func.name.unambiguous_name()
            yield (
                f"inline {signature.decl()} {{\n"
                f"  return at::_ops::{operator}::redispatch({_KEY_SET}{passed});\n}}\n"
            )


def declarations(torchgen: Torchgen, native: Path) -> Iterator[dict[str, Any]]:
    """Declaration of each function of native_functions.yaml, as the plain data of a `DeclaredOperator`."""
    parsed, _ = torchgen.functions(native)
    parse = torchgen.model.DispatchKey.parse
    indices = {name: parsed.backend_indices[parse(name)] for name in _KEYS}
    for f in parsed.native_functions:
        with torchgen.context.native_function_manager(f):
            kernels = [
                {
                    "key": key,
                    "kernel": metadata.kernel,
                    "declaration": torchgen.types.kernel_signature(f, index).decl(
                        name=metadata.kernel
                    ),
                }
                for key, index in indices.items()
                if (metadata := index.get_kernel(f)) is not None
            ]
            signature = torchgen.types.DispatcherSignature.from_schema(f.func, symint=True)
            declaration = signature.decl(name=str(f.func.name.unambiguous_name()))
        yield {
            "name": str(f.func.name),
            "schema": str(f.func),
            "declaration": declaration,
            "kernels": kernels,
            "structured": bool(f.structured or f.structured_delegate),
        }


def replaced(torchgen: Torchgen, given: dict[str, Any]) -> dict[str, Any]:
    """Helper functions as C++ text, and, for each entry of `given["kernels"]`, its `OverloadForms` and its `Wrapped`.

    The result is plain data. An entry that torchgen cannot wrap has an error in place of the `Wrapped`.
    """
    parsed, groups = torchgen.functions(Path(given["native"]))
    index = parsed.backend_indices[torchgen.model.DispatchKey.CUDA]
    by_name = {}
    for item in groups:
        for f in item.functions() if torchgen.is_group(item) else [item]:
            by_name[str(f.func.name)] = (f, item)
    found = []
    for kernel in given["kernels"]:
        f, item = by_name[kernel["op"]]
        group = torchgen.is_group(item)
        # Forms without a kernel of their own are left out: PyTorch computes them by the forms that have kernels.
        forms = [
            str(one.func.name)
            for one in (item.functions() if group else ())
            if item.structured or index.has_kernel(one)
        ]
        wrapped = _wrapped(torchgen, index, f, item, kernel) if kernel["name"] else {"forms": []}
        covered = {kernel["op"], *(form["name"] for form in wrapped.get("forms", ()))}
        family = {
            "others": [name for name in forms if name not in covered],
            # Operator forms with `out=` have no gradients.
            "composed": f.has_composite_implicit_autograd_kernel
            and f.func.kind() is not torchgen.model.SchemaKind.out,
            "view": f.is_view_op or "inplace_view" in f.tags,
            "generator": any(
                str(a.type).startswith("Generator") for a in f.func.arguments.flat_all
            ),
        }
        found.append({"family": family, "wrapped": wrapped})
    return {
        "helpers": "\n".join(torchgen.dest.gen_registration_helpers(index)),
        "kernels": found,
    }


def _wrapped(
    torchgen: Torchgen, index: Any, f: Any, item: Any, kernel: dict[str, Any]
) -> dict[str, Any]:
    """Wrappers that call the kernel `kernel`, one for each form of its operator; or an error with advice.

    torchgen treats the kernel as a CUDA kernel.
    """
    meta = kernel["meta"]
    if meta and not (torchgen.is_group(item) and item.structured):
        return {"error": f"'{f.func.name}' is not structured", "help": "remove the key `meta`"}
    if meta and f is not item.out:
        help = f"write op: {item.out.func.name}; the other forms use the kernel of this form"
        return {
            "error": f"'{f.func.name}' has no kernel of its own: it uses the kernel of another form",
            "help": help,
        }
    if "_symint" in kernel["name"] and not f.func.has_symint():
        said = f"'{f.func.name}' has no SymInt arguments, but a kernel whose name contains _symint takes them"
        return {"error": said, "help": "give the kernel a name without _symint"}
    functions = item if meta else f
    if meta == "own" and item.out.precomputed:
        # The values that upstream's meta function precomputes are passed to upstream's kernel only.
        out = dataclasses.replace(item.out, precomputed=None)
        functions = dataclasses.replace(item, out=out)
    metadata = torchgen.model.BackendMetadata(
        kernel=kernel["name"], structured=bool(meta), cpp_namespace=kernel["namespace"]
    )
    own = dataclasses.replace(index, index={f.func.name: metadata})
    forms = list(_forms(torchgen, functions, own))
    if not forms:
        return {"error": f"'{f.func.name}' is registered by hand in PyTorch", "help": ""}
    declared = "\n".join(torchgen.dest.compute_native_function_declaration(functions, own))
    if meta == "own":
        declared = _with_meta(torchgen, functions, declared)
    return {
        "declaration": declared.strip(),
        "defined": "" if meta else _defined(torchgen, f, own, kernel),
        "functions": {None: [], "upstream": ["impl"], "own": ["meta", "impl"]}[meta],
        "forms": forms,
    }


def _defined(torchgen: Torchgen, f: Any, index: Any, kernel: dict[str, Any]) -> str:
    with torchgen.context.native_function_manager(f):
        signature = torchgen.types.kernel_signature(f, index)
        text: str = signature.defn(name=f"{kernel['namespace']}::{kernel['name']}")
    return text


def _with_meta(torchgen: Torchgen, group: Any, declared: str) -> str:
    """Declaration `declared` of a structured kernel, with the declaration of its own meta function added."""
    arguments = ", ".join(a.decl() for a in torchgen.structured.meta_arguments(group))
    parent = group.out.structured_inherits or "at::impl::MetaBase"
    declared = declared.replace(
        f"at::meta::structured_{torchgen.meta.name(group)}",
        parent if "::" in parent else f"at::{parent}",
    )
    return declared.replace("{\n", f"{{\nvoid meta({arguments});\n", 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
