"""Declarations of the functions of native_functions.yaml."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .release import KEYS, Torchgen


def declarations(torchgen: Torchgen, native: Path) -> Iterator[dict[str, Any]]:
    """Declaration of each function of native_functions.yaml, as the plain data of a `DeclaredOperator`."""
    parsed, _ = torchgen.functions(native)
    parse = torchgen.model.DispatchKey.parse
    indices = {name: parsed.backend_indices[parse(name)] for name in KEYS}
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
