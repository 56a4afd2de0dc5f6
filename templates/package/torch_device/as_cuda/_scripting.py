"""Replacement of `x.is_cuda` in TorchScript, whose instruction `prim::is_cuda` tests for CUDA itself."""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch.jit import frontend

_TEST = """
graph(%tensor):
  %result : bool = prim::is_cuda(%tensor)
  return (%result)
"""
"""Pattern of the instruction, for TorchScript's graph rewriter."""
_COMPARISON = """
graph(%tensor):
  %name : str = prim::Constant[value="cuda"]()
  %device : Device = prim::device(%tensor)
  %type : str = prim::type(%device)
  %result : bool = aten::eq(%type, %name)
  return (%result)
"""


def patch() -> None:
    """Make torch.jit.script compile `x.is_cuda` as `x.device.type == 'cuda'`, which is correct on every device.

    torch.jit.load replaces the instruction in archives by the same comparison.
    """
    _patch_frontend()
    _patch_load()


def _patch_frontend() -> None:
    tree: Any = frontend
    original = tree.ExprBuilder.build_Attribute

    def build_attribute(context: Any, expression: Any) -> Any:
        selected = original(context, expression)
        if expression.attr != "is_cuda":
            return selected
        place = selected.range()
        found = tree.build_expr(context, expression.value)
        for name in ("device", "type"):
            found = tree.Select(found, tree.Ident(place, name))
        return tree.BinOp("==", found, tree.StringLiteral(place, "cuda"))

    tree.ExprBuilder.build_Attribute = staticmethod(build_attribute)


def _patch_load() -> None:
    original = torch.jit.load

    @functools.wraps(original)
    def load(*args: Any, **options: Any) -> Any:
        module = original(*args, **options)
        for each in module.modules():
            for name in each._c._method_names():
                graph = each._c._get_method(name).graph
                torch._C._jit_pass_custom_pattern_based_rewrite_graph(_TEST, _COMPARISON, graph)
        return module

    torch.jit.load = load
