"""Reader of one target's layers. It returns validated entries, or raises one exception with the errors of all files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from porter.base.errors import MappingError, Problem, did_you_mean
from porter.base.stop_signals import defer_stop_signals
from porter.mapping import document, rule_regexes, schema, validation_errors
from porter.mapping.document import Document
from porter.mapping.library import LAYERS, MappingLibrary
from porter.model import seams
from porter.model.cuda_project import SOURCE_SUFFIXES
from porter.model.rules import (
    Exclusion,
    Folder,
    Guard,
    Layer,
    Origin,
    Profile,
    SdkVersion,
    Selection,
    SourceFlags,
    TargetBuild,
    TargetLibrary,
    VendorSdk,
)
from porter.regex.redos import why_not_linear
from porter.rewrite.kinds import order

C10_DEVICES = frozenset(
    [
        "cpu",
        "cuda",
        "mkldnn",
        "opengl",
        "opencl",
        "ideep",
        "hip",
        "fpga",
        "maia",
        "ort",
        "xla",
        "lazy",
        "vulkan",
        "metal",
        "xpu",
        "mps",
        "meta",
        "hpu",
        "ve",
        "ipu",
        "mtia",
        "privateuseone",
        "privateuse1",
        "msnpu",
    ]
)
"""Device names that c10/core/DeviceType.cpp (releases 1.13 to 2.13) reserves."""

_OF_THE_WHOLE = re.compile(r"\(\?(?:[a-zA-Z]+\)|P<)")
PREFIXED = (
    *(
        "runtime",
        "driver",
        "blas",
        "blaslt",
        "dnn",
        "rand",
        "rand_device",
        "fft",
        "sparse",
        "sparselt",
    ),
    *("solver", "nccl", "nvrtc", "nvjitlink", "cupti", "nvtx", "npp"),
)
"""Areas whose names have a vendor prefix. An area is unsupported if the profile states no prefix for it."""


@dataclass(frozen=True)
class LoadedEntry:
    """Validated rule whose placeholders are not yet filled."""

    kind: str
    model: schema.RuleEntry
    layer: Layer
    area: str
    origin: Origin
    document: Document


@dataclass(frozen=True)
class Loaded:
    """Content of all mappings of one target."""

    profile: Profile
    entries: tuple[LoadedEntry, ...]
    selection: Selection
    """Upstream files that all targets port."""
    vendor_words: tuple[str, ...]

    @property
    def target_selection(self) -> Selection:
        """Upstream files that this target ports."""
        return Selection(
            (*self.selection.folders, *self.profile.folders),
            (*self.selection.excluded, *self.profile.excluded),
        )


class _Problems:
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


def load(library: MappingLibrary, target: str) -> Loaded:
    """Read all layers of a target. Raises MappingError with every error, UsageError for an unknown target."""
    # pydantic would report an exception during validation, for example after Ctrl-C, as an error in the file.
    with defer_stop_signals():
        return _load(library, target)


def _load(library: MappingLibrary, target: str) -> Loaded:
    problems = _Problems()
    problems.found.extend(library.unread(target))
    entries: list[LoadedEntry] = []
    for folder, path in library.rule_files(target):
        layer = Layer(folder) if folder in LAYERS else Layer.TARGET
        root = library.base() if folder in LAYERS else library.root_of(target)
        doc = problems.read(path, path.relative_to(root).as_posix())
        if doc:
            entries.extend(_entries(doc, layer, problems))
    profile = _profile(library, target, problems)
    selection = _selection(library, problems)
    words = _vendor_words(library, problems)
    problems.stop()
    assert profile and selection is not None
    return Loaded(profile, tuple(entries), selection, words)


def _entries(doc: Document, layer: Layer, problems: _Problems) -> Iterable[LoadedEntry]:
    if not isinstance(doc.data, dict):
        problems.found.append(
            Problem("a mapping must be a table with 'area' and 'rules'", doc.file)
        )
        return
    known = set(schema.MappingFile.model_fields)
    for key in doc.data.keys() - known:
        help = did_you_mean(key, known)
        problems.found.append(
            Problem(f"unknown key '{key}'", f"{doc.file}:{doc.line([key])}", help)
        )
    area, rules = doc.data.get("area"), doc.data.get("rules", [])
    if not isinstance(area, str) or not area:
        problems.found.append(Problem("the area is missing", f"{doc.file}:1"))
        return
    if not isinstance(rules, list):
        problems.found.append(
            Problem("'rules' must be a list", f"{doc.file}:{doc.line(['rules'])}")
        )
        return
    lines = doc.lines_of_rules() if rules else []
    for index, data in enumerate(rules):
        place = f"{doc.file}:{lines[index]}"
        if not isinstance(data, dict):
            problems.found.append(Problem("a rule must be a table", place))
            continue
        kind = _kind(data, place, problems)
        if not kind:
            continue
        title = f"rule '{_title(kind, data)}'"
        model = problems.validate(schema.ENTRIES[kind], data, doc, ["rules", index], title)
        if model:
            for field, reason in rule_regexes.mistakes(order.kind(kind), model):
                line = doc.line(["rules", index, field])
                problems.found.append(
                    Problem(f"'{field}' of {title}: {reason}", f"{doc.file}:{line}")
                )
            yield LoadedEntry(kind, model, layer, area, Origin(doc.file, lines[index]), doc)


def _kind(data: dict[str, Any], place: str, problems: _Problems) -> str:
    kinds = [kind for kind in schema.ENTRIES if kind in data]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        problems.found.append(
            Problem(f"a rule must have one kind, not {len(kinds)}: {', '.join(kinds)}", place)
        )
        return ""
    first = next(iter(data), "")
    help = did_you_mean(first, schema.ENTRIES) or f"kinds: {', '.join(schema.ENTRIES)}"
    problems.found.append(Problem(f"the rule has no kind (first key: '{first}')", place, help))
    return ""


def _title(kind: str, data: dict[str, Any]) -> str:
    value = data[kind]
    if isinstance(value, str):
        return value if len(value) <= 60 else value[:57] + "..."
    return kind


def _profile(library: MappingLibrary, target: str, problems: _Problems) -> Profile | None:
    doc = problems.read(library.special(target, "target.yaml"), f"{target}/target.yaml")
    entry = doc and problems.validate(schema.ProfileFile, doc.data, doc, [], "the profile")
    if not doc or not entry:
        return None
    if entry.target != target:
        place = f"{doc.file}:{doc.line(['target'])}"
        problems.found.append(
            Problem(f"'target' is '{entry.target}' but the folder is '{target}'", place)
        )
    if entry.device in C10_DEVICES:
        place = f"{doc.file}:{doc.line(['device'])}"
        help = "choose another name for the PrivateUse1 backend"
        problems.found.append(
            Problem(f"device name '{entry.device}' is reserved by c10", place, help)
        )
    libraries = {
        area: TargetLibrary(unsupported=f"the profile of {target} names no library for {area}")
        for area in PREFIXED
    }
    for area, value in entry.libraries.items():
        written = (
            schema.LibraryEntry.model_validate({"lower": value})
            if isinstance(value, str)
            else value
        )
        libraries[area] = TargetLibrary(
            written.lower,
            written.upper or written.lower.upper(),
            written.unsupported,
            written.listed or entry.listed,
        )
    _check_suffixes(entry, doc, problems)
    _check_seams(entry, doc, library.seams(target), problems)
    header = entry.main_header
    return Profile(
        target=entry.target,
        summary=entry.summary,
        lower=entry.names.lower,
        upper=entry.names.UPPER,
        camel=entry.names.Camel,
        device=entry.device,
        libraries=libraries,
        suffixes=entry.suffixes,
        main_header=header.include if header else "",
        main_header_into=tuple(header.insert_into) if header else (),
        warp_size=entry.warp_size,
        guards={name: Guard(guard.macro, guard.value) for name, guard in entry.guards.items()},
        compiler=entry.compiler.command if entry.compiler else "",
        compiler_flags=tuple(entry.compiler.flags) if entry.compiler else (),
        capabilities=entry.capabilities,
        folders=_folders(entry.selection.folders, doc, ["selection", "folders"], problems),
        excluded=_exclusions(entry.selection.exclude, doc, ["selection", "exclude"]),
        build=_target_build(entry.build, doc),
        sdk=_vendor_sdk(entry.sdk),
        spelling=tuple(entry.spelling),
        seams={seam: tuple(names) for seam, names in entry.seams.items()},
    )


def _vendor_sdk(entry: schema.SdkEntry) -> VendorSdk:
    told = entry.version
    version = (
        SdkVersion(told.header, tuple(told.macros), tuple(told.accepts)) if told else SdkVersion()
    )
    return VendorSdk(
        tuple(entry.roots), tuple(entry.compiler), tuple(entry.flags), tuple(entry.link), version
    )


def _check_seams(
    entry: schema.ProfileFile, doc: Document, known: Mapping[str, list[str]], problems: _Problems
) -> None:
    for seam, names in entry.seams.items():
        if seam not in known:
            place = f"{doc.file}:{doc.line(['seams', seam])}"
            help = did_you_mean(seam, known) or f"seams: {', '.join(known)}"
            problems.found.append(Problem(f"unknown seam '{seam}' of the backend", place, help))
            continue
        for index, name in enumerate(names):
            place = f"{doc.file}:{doc.line(['seams', seam, index])}"
            if (found := known[seam].count(name)) != 1:
                folder = f"{seams.FOLDER}/{seam}/{name}/"
                text, help = "has no sources", f"put its sources into the target's {folder}"
                if found:
                    text = "has sources in porter and in the mappings"
                    help = f"rename the target's {folder}"
                told = f"implementation '{name}' of seam '{seam}' {text}"
                help += f", or choose one of: {', '.join(known[seam])}"
                problems.found.append(Problem(told, place, help))


def _check_suffixes(entry: schema.ProfileFile, doc: Document, problems: _Problems) -> None:
    """Report suffixes in the profile that are not suffixes of C, C++ or CUDA sources."""
    into = entry.main_header.insert_into if entry.main_header else []
    given: list[tuple[str, list[str | int]]] = []
    given += [(suffix, ["suffixes", suffix]) for suffix in entry.suffixes]
    given += [(suffix, ["main_header", "insert_into", n]) for n, suffix in enumerate(into)]
    for suffix, path in given:
        if suffix.rpartition(".")[2] not in SOURCE_SUFFIXES:
            text = f"'{suffix}' is not a suffix of a C, C++ or CUDA source"
            known = ", ".join(sorted(SOURCE_SUFFIXES))
            help = did_you_mean(suffix, SOURCE_SUFFIXES) or f"one of {known}"
            problems.found.append(Problem(text, f"{doc.file}:{doc.line(path)}", help))


def _target_build(entry: schema.TargetBuildEntry, doc: Document) -> TargetBuild:
    return TargetBuild(
        runtime=entry.runtime,
        include=tuple(entry.include),
        defines=tuple(entry.defines),
        link=tuple(entry.link),
        optimise=tuple(entry.optimise),
        host_flags=tuple(entry.host_flags),
        flags=tuple(SourceFlags(own.glob, tuple(own.flags), own.reason) for own in entry.flags),
        sets={name: tuple(globs) for name, globs in entry.sets.items()},
        not_built=_exclusions(entry.not_built, doc, ["build", "not_built"]),
    )


def _exclusions(entries: list[Any], doc: Document, path: list[str | int]) -> tuple[Exclusion, ...]:
    return tuple(
        Exclusion(entry.glob, entry.reason, Origin(doc.file, doc.line([*path, index])))
        for index, entry in enumerate(entries)
    )


def _folders(
    entries: Sequence[schema.FolderEntry],
    doc: Document,
    path: list[str | int],
    problems: _Problems,
) -> tuple[Folder, ...]:
    folders = tuple(
        Folder(
            entry.folder.rstrip("/"),
            tuple(entry.suffixes),
            entry.reason,
            Origin(doc.file, doc.line([*path, index])),
            tuple(entry.only),
        )
        for index, entry in enumerate(entries)
    )
    for found in folders:
        if found.folder.startswith("/") or ".." in found.folder.split("/"):
            text = f"folder '{found.folder}' leaves the source tree"
            problems.found.append(Problem(text, str(found.origin)))
    return folders


def _selection(library: MappingLibrary, problems: _Problems) -> Selection | None:
    doc = problems.read(library.special("pytorch", "selection.yaml"), "pytorch/selection.yaml")
    entry = doc and problems.validate(schema.SelectionFile, doc.data, doc, [], "the selection")
    if not doc or not entry:
        return None
    folders = _folders(entry.folders, doc, ["folders"], problems)
    return Selection(folders, _exclusions(entry.exclude, doc, ["exclude"]))


def _vendor_words(library: MappingLibrary, problems: _Problems) -> tuple[str, ...]:
    doc = problems.read(library.special("cuda", "vendor.yaml"), "cuda/vendor.yaml")
    entry = doc and problems.validate(schema.VendorFile, doc.data, doc, [], "the vendor words")
    if not doc or not entry:
        return ()
    for index, word in enumerate(entry.words):
        reason = why_not_linear(word, search=True)
        # The words are joined to one regular expression; flags and named groups of one word would affect the others.
        if not reason and _OF_THE_WHOLE.search(word):
            reason = "global flags and named groups are not allowed"
        if reason:
            place = f"{doc.file}:{doc.line(['words', index])}"
            problems.found.append(Problem(f"the vendor word '{word}': {reason}", place))
    return tuple(entry.words)


def _line(place: str) -> int:
    tail = place.rsplit(":", 1)[-1]
    return int(tail) if tail.isdigit() else 0
