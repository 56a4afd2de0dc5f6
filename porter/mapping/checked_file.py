"""Files of the layer `pytorch`: validated once against a pydantic model, later read from the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from porter.base import disk_cache, regular_files
from porter.base.errors import MappingError
from porter.base.fingerprint import Answer

if TYPE_CHECKING:
    from pydantic import BaseModel

    from porter.mapping.document import Document

T = TypeVar("T")


def read(path: Path, answer: Answer, of: type[T], check: Callable[[Path], T]) -> T:
    """Content of a file as a value of the type `of`.

    `check` computes the value if the disk cache does not have it. `answer` is the kind of stored result.

    Raises MappingError when the file cannot be read, and the errors of `check`.
    """
    try:
        text = regular_files.read_text(path)
    except UnicodeDecodeError as error:
        raise MappingError(
            f"is not UTF-8: the byte at offset {error.start} is invalid", str(path)
        ) from None
    except OSError as error:
        raise MappingError(f"cannot be read: {error.strerror}", str(path)) from None
    found: T = disk_cache.computed_once(answer, text, of, lambda: check(path))
    return found


def validated(path: Path, model: type[BaseModel], title: str) -> tuple[dict[str, Any], Document]:
    """Data of a file, validated by `model`, and the document with line numbers. `title` names the data in messages.

    Raises MappingError with every error in the file.
    """
    # Imported late: loading these modules and pydantic takes longer than a whole run without changes.
    from pydantic import ValidationError

    from porter.mapping import document, validation_errors

    doc = document.read(path, f"{path.parent.name}/{path.name}")
    try:
        return model.model_validate(doc.data or {}).model_dump(), doc
    except ValidationError as error:
        raise MappingError(validation_errors.problems(error, model, doc, [], title)) from None
