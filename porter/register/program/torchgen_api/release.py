"""torchgen's modules of one release, and the C++ texts that they generate for kernels."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

KEYS = ("CUDA", "SparseCUDA", "SparseCsrCUDA", "QuantizedCUDA", "NestedTensorCUDA")
"""Dispatch keys of CUDA's kernels."""


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


def forms(torchgen: Torchgen, functions: Any, index: Any) -> Iterator[dict[str, Any]]:
    """Forms of an operator, as the plain data of `OpForm`, with the texts for the dispatch key of `index`.

    There are none if upstream registers the kernel by hand (`manual_kernel_registration`).
    """
    target = torchgen.utils.Target
    texts = torchgen.writer(index, target.ANONYMOUS_DEFINITION)(functions)
    registrations = torchgen.writer(index, target.REGISTRATION)(functions)
    grouped = torchgen.is_group(functions)
    listed = list(functions.functions()) if grouped else [functions]
    if not texts:
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
