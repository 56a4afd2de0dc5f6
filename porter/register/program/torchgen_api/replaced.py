"""Kernels that replace those of PyTorch's operators: what torchgen generates around them."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from .release import Torchgen, forms


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
        named = [
            str(one.func.name)
            for one in (item.functions() if group else ())
            if item.structured or index.has_kernel(one)
        ]
        wrapped = _wrapped(torchgen, index, f, item, kernel) if kernel["name"] else {"forms": []}
        covered = {kernel["op"], *(form["name"] for form in wrapped.get("forms", ()))}
        family = {
            "others": [name for name in named if name not in covered],
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
    texts = list(forms(torchgen, functions, own))
    if not texts:
        return {"error": f"'{f.func.name}' is registered by hand in PyTorch", "help": ""}
    declared = "\n".join(torchgen.dest.compute_native_function_declaration(functions, own))
    if meta == "own":
        declared = _with_meta(torchgen, functions, declared)
    return {
        "declaration": declared.strip(),
        "defined": "" if meta else _defined(torchgen, f, own, kernel),
        "functions": {None: [], "upstream": ["impl"], "own": ["meta", "impl"]}[meta],
        "forms": texts,
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
