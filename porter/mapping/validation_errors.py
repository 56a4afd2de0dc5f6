"""Conversion of pydantic's validation errors to messages about the mapping file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from pydantic import BaseModel, ValidationError

from porter.base.errors import Problem, did_you_mean
from porter.mapping import schema
from porter.mapping.document import Document
from porter.mapping.empty_values import wanted

Path_ = list[str | int]

_CHECKED = re.compile(r"function-after\[.*, (\w+)\]")
_KINDS: dict[type, str] = {dict: "a table", list: "a list", str: "text"}


def problems(
    error: ValidationError, model: type[BaseModel], doc: Document, path: Path_, title: str
) -> list[Problem]:
    """One problem for each validation error of the value at `path` in `doc`. `title` names the value in messages."""
    data = doc.data
    for step in path:
        data = data[step]
    found: dict[Problem, None] = {}
    for mistake in error.errors(include_url=False):
        steps, tags, value = _walk(data, mistake["loc"])
        if not all(_is_about(tag, owner) for tag, owner in tags):
            continue
        place = f"{doc.file}:{doc.line([*path, *steps])}"
        found[_problem(mistake, steps, value, model, place, title)] = None
    return list(found)


def _walk(data: Any, loc: Iterable[Any]) -> tuple[Path_, list[tuple[str, Any]], Any]:
    """Path of the invalid value, the schema alternatives that pydantic tried, and the value itself."""
    steps: Path_ = []
    tags: list[tuple[str, Any]] = []
    for step in loc:
        is_item = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if is_item or (isinstance(data, dict) and step in data):
            steps.append(step)
            data = data[step]
        elif step == "[key]":
            data = steps[-1]
        else:
            tags.append((_shape(step), data))
    return steps, tags, data


def _shape(step: Any) -> str:
    """Name of a schema alternative; pydantic writes `function-after[check(), Model]` for a model with its own
    validator."""
    match = _CHECKED.fullmatch(str(step))
    return match[1] if match else str(step)


def _is_about(tag: str, value: Any) -> bool:
    """Test whether a value has the type of the schema alternative `tag`. If not, its errors are omitted."""
    shape = tag.split("[")[0]
    if shape not in ("dict", "list", "literal", "constrained-str") and not _has_model(shape):
        return True
    if isinstance(value, dict):
        return shape == "dict" or _has_model(shape)
    if isinstance(value, list):
        return shape in ("list", "constrained-str")
    return shape in ("literal", "constrained-str")


def _model(shape: str) -> object:
    """Model whose name is the name of a schema alternative; None if no model has this name."""
    return schema.MODELS.get(shape) or getattr(schema, shape, None)


def _has_model(shape: str) -> bool:
    return _model(shape) is not None


def _problem(
    mistake: Any, steps: Path_, value: Any, model: type[BaseModel], place: str, title: str
) -> Problem:
    kind = mistake["type"]
    last = str(mistake["loc"][-1]) if mistake["loc"] else ""
    if kind == "extra_forbidden":
        known = _fields_at(model, mistake["loc"][:-1])
        help = did_you_mean(last, known) or f"known keys: {', '.join(known)}"
        return Problem(f"unknown key '{last}' in {title}", place, help)
    if kind == "missing":
        return Problem(f"key '{last}' is missing in {title}", place)
    names = [step for step in steps if isinstance(step, str)]
    subject = f"'{names[-1]}' of {title}" if names else title
    text, help = _said(mistake, value)
    if value == "":
        text = "must not be empty"
    if value == "" or (not help and names[-2:-1] == ["libraries"]):
        help = wanted(steps)
    return Problem(f"{subject} {text}" if text[0] != ":" else f"{subject}{text}", place, help)


def _said(mistake: Any, value: Any) -> tuple[str, str]:
    """Message and advice for a validation error."""
    context = mistake.get("ctx", {})
    quoted = f"'{value}'" if isinstance(value, str) else ""
    match mistake["type"]:
        case "string_pattern_mismatch" if wording := schema.WORDING.get(context["pattern"]):
            return (f": {quoted} is not {wording}" if value else "must not be empty"), ""
        case "string_too_short":
            return "must not be empty", ""
        case "enum" | "literal_error":
            known = context["expected"].replace("'", "").replace(" or ", ", ").split(", ")
            is_not = f": {quoted} is not" if quoted else "must be"
            one_of = f" one of {', '.join(known)}" if len(known) > 1 else f" '{known[0]}'"
            return is_not + one_of, did_you_mean(str(value), known)
        case "int_parsing" | "int_type" | "int_from_float":
            return f"must be a whole number{_not(value)}", ""
        case "bool_parsing" | "bool_type":
            return f"must be true or false{_not(value)}", ""
        case "greater_than_equal":
            return f"must be at least {context['ge']}", ""
        case "less_than_equal":
            return f"must be at most {context['le']}", ""
        case "string_type":
            return f"must be text{_not(value)}", ""
        case "dict_type" | "model_type":
            return f"must be a table{_not(value)}", ""
        case "list_type":
            return f"must be a list{_not(value)}", ""
        case "value_error":
            return f": {context['error']}", ""
    return f": {mistake['msg'][0].lower()}{mistake['msg'][1:]}", ""


def _not(value: Any) -> str:
    if isinstance(value, str):
        return f", not '{value}'"
    return f", not {_KINDS.get(type(value), str(value).lower())}"


def _fields_at(model: type[BaseModel], loc: Iterable[Any]) -> list[str]:
    """Keys that the schema allows in the table at a path in a model."""
    for step in loc:
        if isinstance(inner := _model(_shape(step)), type):
            model = inner
            continue
        field = model.model_fields.get(str(step))
        for candidate in _models(field.annotation if field else None):
            model = candidate
    return [field.alias or name for name, field in model.model_fields.items()]


def _models(annotation: Any) -> Iterable[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models(inner)
