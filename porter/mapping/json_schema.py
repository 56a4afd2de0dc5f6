"""JSON Schema of mapping files, for editors and other tools."""

from __future__ import annotations

from typing import Any

from porter.mapping.registration_schema import RegistrationFile
from porter.mapping.schema import BuildFile, MappingFile, ProfileFile, SelectionFile, VendorFile
from porter.mapping.verify_schema import VerifyFile


def json_schema() -> dict[str, Any]:
    """JSON Schema of a mapping file; `$defs` contains the schemas of the profile and of files without rules."""
    schema = MappingFile.model_json_schema(by_alias=True)
    for model in (
        *(ProfileFile, SelectionFile, BuildFile, RegistrationFile, VendorFile),
        VerifyFile,
    ):
        part = model.model_json_schema(by_alias=True)
        schema["$defs"].update(part.pop("$defs", {}))
        schema["$defs"][model.__name__] = part
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    return schema
