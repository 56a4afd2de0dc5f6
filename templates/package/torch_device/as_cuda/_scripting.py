"""TorchScript: `x.is_cuda` in a script. The interpreter has an instruction that tests for CUDA itself."""

from __future__ import annotations

from typing import Any

from torch.jit import frontend


def patch() -> None:
    """Compile `x.is_cuda` as `x.device.type == 'cuda'`, which has the same meaning on every device."""
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
