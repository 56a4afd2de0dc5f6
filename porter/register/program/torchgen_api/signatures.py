"""Signatures of operator schemas."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any


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
