"""Catalogue of a release's CUDA operators."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .release import KEYS, Torchgen, forms

_PORTED_KEYS = tuple(key.replace("CUDA", "PrivateUse1") for key in KEYS)
_KEY_SET = "c10::DispatchKeySet(c10::DispatchKey::CUDA)"


def catalogue(torchgen: Torchgen, native: Path) -> dict[str, Any]:
    """Catalogue of the release as plain data."""
    parsed, groups = torchgen.functions(native)
    keys = {name: torchgen.model.DispatchKey.parse(name) for name in KEYS}
    indices = {name: parsed.backend_indices[key] for name, key in keys.items()}
    found: dict[str, list[Any]] = {
        name: list(_ops(torchgen, groups, index, name)) for name, index in indices.items()
    }
    return {
        "ops": [op for name in KEYS for op in found[name]],
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
        texts = list(forms(torchgen, functions, index))
        if not texts:
            continue
        yield {
            "key": key,
            "name": str(primary.func.name),
            "kernel": metadata.kernel,
            "namespace": metadata.cpp_namespace,
            "structured": grouped,
            "forms": texts,
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
