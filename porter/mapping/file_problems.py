"""Errors of many mapping files, collected and raised together."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ValidationError

from porter.base.errors import MappingError, Problem
from porter.mapping import document, validation_errors
from porter.mapping.document import Document


class FileProblems:
    """Collects the errors of many files; `stop` raises them together."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    def read(self, library_file: Any, name: str) -> Document | None:
        try:
            return document.read(library_file, name)
        except MappingError as error:
            self.found.extend(error.problems)
            return None

    def validate(
        self, model: type[BaseModel], data: Any, doc: Document, path: list[str | int], title: str
    ) -> Any:
        try:
            return model.model_validate(data)
        except ValidationError as error:
            self.found.extend(validation_errors.problems(error, model, doc, path, title))
            return None

    def stop(self) -> None:
        if self.found:
            raise MappingError(
                sorted(self.found, key=lambda p: (p.place.split(":")[0], _line(p.place)))
            )


def _line(place: str) -> int:
    tail = place.rsplit(":", 1)[-1]
    return int(tail) if tail.isdigit() else 0
