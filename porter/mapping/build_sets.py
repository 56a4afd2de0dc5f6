"""`pytorch/build.yaml`: sets of ported sources to build, and excluded sources with reasons."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pydantic import ValidationError

from porter.base.errors import MappingError, Problem, UsageError, did_you_mean
from porter.mapping import document, schema, validation_errors
from porter.mapping.document import Document
from porter.mapping.library import MappingLibrary
from porter.model.build import DISTRIBUTED, HOST, BuildRules
from porter.model.rules import Exclusion, Origin, Profile

FILE = "build.yaml"
ALL = "all"
"""Value of `--kernels` that selects every kernel."""


def read(library: MappingLibrary, profile: Profile) -> BuildRules:
    """Build rules in `pytorch/build.yaml`, with the additions of the target's profile.

    Raises MappingError with every error in the file.
    """
    doc = document.read(library.special("pytorch", FILE), f"pytorch/{FILE}")
    return parse(doc, profile)


def parse(doc: Document, profile: Profile) -> BuildRules:
    """Build rules in `doc`, the content of a build.yaml. Raises MappingError with every error in the document."""
    entry = _entry(doc)
    sets = {name: tuple(globs) for name, globs in entry.sets.items()}
    for name, globs in profile.build.sets.items():
        sets[name] = (*sets.get(name, ()), *globs)
    not_built = tuple(
        Exclusion(left.glob, left.reason, Origin(doc.file, doc.line(["not_built", index])))
        for index, left in enumerate(entry.not_built)
    )
    return BuildRules(
        sets=sets,
        not_built=(*not_built, *profile.build.not_built, *_without_collectives(sets, doc, profile)),
        heavy=tuple(entry.heavy),
        defines=tuple(_with_names(define, profile) for define in entry.defines),
        flags=profile.build.flags,
        precompiled=tuple(entry.precompiled),
    )


def _without_collectives(
    sets: Mapping[str, Sequence[str]], doc: Document, profile: Profile
) -> Iterator[Exclusion]:
    """Exclusions of the collectives for a target without such a library."""
    library = profile.libraries.get("nccl")
    if library is not None and not library.unsupported:
        return
    reason = library.unsupported if library is not None else "the profile has no library nccl"
    for glob in sets.get(DISTRIBUTED, ()):
        yield Exclusion(glob, reason, Origin(doc.file, doc.line(["sets", DISTRIBUTED])))


def check(library: MappingLibrary) -> None:
    """Validate `pytorch/build.yaml`, if the file exists. Raises MappingError with every error in the file."""
    place = library.special("pytorch", FILE)
    if place.exists():
        _entry(document.read(place, f"pytorch/{FILE}"))


def _entry(doc: Document) -> schema.BuildFile:
    try:
        entry = schema.BuildFile.model_validate(doc.data)
    except ValidationError as error:
        raise MappingError(
            validation_errors.problems(error, schema.BuildFile, doc, [], "the build")
        ) from None
    if problems := _reserved(entry, doc):
        raise MappingError(problems)
    return entry


def chosen(rules: BuildRules, kernels: str) -> tuple[str, ...] | None:
    """Globs of the kernels that a value of `--kernels` selects; None for all kernels.

    The value is a list, separated by commas, of sets (such as `core`), globs and the word `all`. Raises UsageError
    for an empty value, and for a word that is neither a set nor a glob.
    """
    globs: list[str] = []
    for word in filter(None, (word.strip() for word in kernels.split(","))):
        if word == ALL:
            return None
        if word in rules.sets:
            globs += rules.sets[word]
        elif any(sign in word for sign in "*?/."):
            globs.append(word)
        else:
            known = [ALL, *(name for name in rules.sets if name != HOST)]
            help = did_you_mean(word, known) or f"name a set ({', '.join(known)}) or a glob"
            raise UsageError(f"--kernels: '{word}' is not a set of kernels", help=help)
    if not globs:
        raise UsageError("--kernels is empty", help="give core, all, or globs")
    return tuple(globs)


def _reserved(entry: schema.BuildFile, doc: Document) -> list[Problem]:
    problems = []
    if HOST not in entry.sets:
        place = f"{doc.file}:{doc.line(['sets'])}"
        problems.append(Problem(f"the set '{HOST}', which is always built, is missing", place))
    if ALL in entry.sets:
        place = f"{doc.file}:{doc.line(['sets', ALL])}"
        problems.append(
            Problem(f"'{ALL}' means every kernel, and is not a valid name for a set", place)
        )
    return problems


def _with_names(text: str, profile: Profile) -> str:
    """Text in which the target's names replace the placeholders, as in `__{UPPER}_NO_HALF_OPERATORS__`."""
    names = {"lower": profile.lower, "UPPER": profile.upper, "Camel": profile.camel}
    for name, value in names.items():
        text = text.replace(f"{{{name}}}", value)
    return text
