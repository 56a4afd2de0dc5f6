"""The shape of mapping files, profiles and the selection, as pydantic models.

`porter.mapping.json_schema` gives the JSON Schema for editors; `docs/mapping-format.md` explains the same in words.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from porter.model.rules import Status, TokenClass

_IDENT = r"[A-Za-z_][A-Za-z0-9_]*"
_ARGUMENTS = rf"\s*{_IDENT}\s*(,\s*{_IDENT}\s*)*"
WORDING: dict[str, str] = {}
"""Pattern of a text -> what the text must be, in words."""


def _shaped(pattern: str, wording: str) -> StringConstraints:
    WORDING[f"^{pattern}$"] = wording
    return StringConstraints(pattern=f"^{pattern}$")


Ident = Annotated[str, _shaped(_IDENT, "an identifier")]
Text = Annotated[str, _shaped(r"[^\x00-\x08\x0b-\x1f\x7f]+", "text without control characters")]
# What goes into sources, which are read byte by byte: it must be the same bytes in every encoding.
_ASCII = "ASCII without control characters, as all text that is written must be"
_WRITTEN = r"[\t\n\f\r\x20-\x7e]"
Written = Annotated[str, _shaped(f"{_WRITTEN}+", _ASCII)]
WrittenOrNot = Annotated[str, _shaped(f"{_WRITTEN}*", _ASCII)]
# Lines of a port are those of upstream, by which compilers' messages are told.
OneLine = Annotated[str, _shaped(r"[\t\x20-\x7e]+", f"one line of {_ASCII}")]
Header = Annotated[
    str, _shaped(r"[A-Za-z0-9_.+{}/-]+", "a header as includes spell it, without its brackets")
]
Suffix = Annotated[
    str, _shaped(r"[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*", "a suffix without its first dot: 'mu'")
]
Version = Annotated[
    str,
    _shaped(
        r"(cuda )?[0-9]{1,6}(\.[0-9]{1,6}){0,3}",
        "a version: '2.6' is PyTorch's, 'cuda 12.4' CUDA's",
    ),
]
Prefix = Annotated[str, _shaped(f"({_IDENT})?", "the beginning of an identifier")]
LibraryPrefix = Annotated[str, _shaped(f"({_IDENT})", "the beginning of an identifier")]
Lower = Annotated[str, _shaped("[a-z][a-z0-9_]*", "a name in lower case")]


class Strict(BaseModel):
    """No unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ExampleEntry(Strict):
    """A rule at work, run as a test with this rule alone."""

    before: Text
    after: Text = Field(description="the text after the rule, or `unchanged`")


class Expect(Strict):
    """What must hold on a release to which the rule applies."""

    min_hits: int = Field(ge=0, description="fewer hits than this are a finding")


class Versioned(Strict):
    """An entry that may be of some versions only."""

    since: Version | None = Field(None, description="first version: PyTorch's, or `cuda X.Y`")
    until: Version | None = Field(None, description="last version, `1.13` covers 1.13.1")


class RuleEntry(Versioned):
    """Fields that every rule may carry."""

    status: Status = Status.SUPPORTED
    only_in: list[Text] = Field([], description="globs of upstream paths")
    not_in: list[Text] = Field([], description="globs of upstream paths")
    in_: list[TokenClass] | None = Field(None, alias="in", description="token classes")
    note: str = ""
    example: ExampleEntry | None = None
    expect: Expect | None = None

    @model_validator(mode="after")
    def _reason(self) -> RuleEntry:
        if self.status is not Status.SUPPORTED and not self.note:
            raise ValueError(f"status '{self.status}' needs a note that says why")
        return self


class NameEntry(RuleEntry):
    """An identifier in code."""

    name: Ident
    replace: OneLine | None = None
    shim: Header | None = Field(None, description="header that declares the replacement")


class NamesEntry(RuleEntry):
    """Many identifiers: a list, a table name -> replacement, or `inventory`: the whole area."""

    names: dict[Ident, OneLine] | list[Ident] | Literal["inventory"]
    rename: dict[Prefix, Prefix] = Field({}, description="prefix -> prefix, for a list")


class FamilyEntry(RuleEntry):
    """Every identifier that the whole of a regular expression matches."""

    family: Text
    replace: OneLine | None = None
    follows: bool = Field(False, description="group 1 is a name of its own and is replaced as such")


class MacroEntry(RuleEntry):
    """An identifier in code and in preprocessor conditions."""

    macro: Ident
    replace: OneLine | None = None


class ValueEntry(RuleEntry):
    """A macro where its number is compared."""

    value: Ident
    replace: OneLine


class QualifiedEntry(RuleEntry):
    """A chain of names joined by `::`."""

    qualified: Annotated[
        str, _shaped(rf"{_IDENT}(::{_IDENT})+", "a chain of names: 'c10::cuda::X'")
    ]
    replace: OneLine | None = None


class CallEntry(RuleEntry):
    """A call, by name and number of arguments; `.name()` for methods."""

    call: Annotated[
        str, _shaped(rf"\.?{_IDENT}\(({_ARGUMENTS})?\)", "a call: 'f(a, b)', or '.f()' of a method")
    ]
    replace: Written | None = None
    shim: Header | None = Field(None, description="header that declares the replacement")


class IncludeEntry(RuleEntry):
    """An include path; one `*` stands for any text."""

    include: Text
    replace: OneLine | None = None


class PathEntry(RuleEntry):
    """A part of the path of a ported file."""

    path: Text
    part: Literal["folder", "stem", "suffix"]
    replace: WrittenOrNot


class LaunchEntry(RuleEntry):
    """How `kernel<<<...>>>(...)` is written for the target."""

    launch: Written


class DynamicSharedEntry(RuleEntry):
    """How `extern __shared__ T name[];` is written for the target."""

    dynamic_shared: Written


class KernelEntry(RuleEntry):
    """A statement at the beginning of the body of each `__global__` function."""

    kernel: Written


class StringEntry(RuleEntry):
    """Text inside string literals."""

    string: Text
    replace: WrittenOrNot


class PatchEntry(RuleEntry):
    """A change of one upstream file, made before any other rule."""

    patch: Text
    before: Written
    after: WrittenOrNot


class HazardEntry(RuleEntry):
    """Code that compiles for the target and may be wrong there."""

    hazard: Ident
    pattern: Text
    operand: str = Field("", description="regular expression found in the operand of the cast")
    operand_not: str = Field("", description="regular expression not found in it")
    operand_is: Literal["", "local array"] = Field("", description="what the operand is")


ENTRIES: dict[str, type[RuleEntry]] = {
    "name": NameEntry,
    "names": NamesEntry,
    "family": FamilyEntry,
    "macro": MacroEntry,
    "value": ValueEntry,
    "qualified": QualifiedEntry,
    "call": CallEntry,
    "include": IncludeEntry,
    "path": PathEntry,
    "launch": LaunchEntry,
    "dynamic_shared": DynamicSharedEntry,
    "kernel": KernelEntry,
    "string": StringEntry,
    "patch": PatchEntry,
    "hazard": HazardEntry,
}
"""Rule kind -> its model; the kind is the key that names it."""


class MappingFile(Strict):
    """A file of rules for one API area."""

    area: Text
    source: str = ""
    rules: list[
        NameEntry
        | NamesEntry
        | FamilyEntry
        | MacroEntry
        | ValueEntry
        | QualifiedEntry
        | CallEntry
        | IncludeEntry
        | PathEntry
        | LaunchEntry
        | DynamicSharedEntry
        | KernelEntry
        | StringEntry
        | PatchEntry
        | HazardEntry
    ] = []


class NamesOfTarget(Strict):
    """How the target writes its own name."""

    lower: Lower
    UPPER: Annotated[str, _shaped("[A-Z][A-Z0-9_]*", "a name in upper case")]
    Camel: Annotated[str, _shaped("[A-Z][A-Za-z0-9_]*", "a name with a capital first letter")]


class LibraryEntry(Strict):
    """The target's counterpart of one CUDA library, or why there is none."""

    lower: LibraryPrefix = Field("", description="prefix in place of CUDA's lower-case one")
    upper: LibraryPrefix = Field("", description="prefix in place of CUDA's upper-case one")
    unsupported: Text = Field("", description="reason, when there is no counterpart")
    listed: bool = Field(False, description="support only what the target's own rules list")

    @model_validator(mode="after")
    def _one_of_two(self) -> LibraryEntry:
        if (self.lower or self.upper) and self.unsupported:
            raise ValueError("has a prefix and is unsupported")
        if not self.lower and not self.unsupported:
            raise ValueError("neither a prefix nor a reason why it is unsupported")
        return self


class MainHeader(Strict):
    """The include which CUDA's compiler adds by itself."""

    include: Header
    insert_into: list[Suffix] = Field([], description="suffixes of upstream files")


class GuardEntry(Strict):
    """The CUDA number that the target stands for."""

    macro: Ident
    value: int


class CompilerEntry(Strict):
    """The target's compiler."""

    command: Text
    flags: list[Text] = []


class ExclusionEntry(Strict):
    """Upstream files left out."""

    glob: Text
    reason: Text


class TargetSelection(Strict):
    """Upstream files the target leaves out."""

    exclude: list[ExclusionEntry] = []


class FlagsEntry(Strict):
    """Sources that need other flags."""

    glob: Text = Field(description="over upstream's paths")
    flags: list[Text] = Field(min_length=1, description="the compiler's, after all others")
    reason: Text


class TargetBuildEntry(Strict):
    """How the target's libraries are built, in addition to `pytorch/build.yaml`."""

    runtime: Literal["", "simt"] = Field(
        default="", description="`simt`: porter's own runtime, which is built first"
    )
    include: list[Text] = Field(
        default=[], description="folders of headers; `$NAME`: the environment's"
    )
    defines: list[Text] = Field(default=[], description="macros: `NAME` or `NAME=value`")
    link: list[Text] = Field(default=[], description="arguments of the linker: `-L...`, `-l...`")
    host_flags: list[Text] = Field(
        default=[], description="flags for sources that are not `.cu`, after the compiler's"
    )
    optimise: list[Text] = Field(default=["-O2"], description="the compiler's flags")
    flags: list[FlagsEntry] = Field(default=[], description="sources that need other flags")
    sets: dict[Lower, list[Text]] = Field(default={}, description="globs to add to sets, or sets")
    not_built: list[ExclusionEntry] = []


class ProfileFile(Strict):
    """`target.yaml`."""

    target: Lower
    summary: Text
    names: NamesOfTarget
    device: Lower
    listed: bool = Field(False, description="the default of every library's `listed`")
    libraries: dict[str, LibraryPrefix | LibraryEntry] = {}
    suffixes: dict[Suffix, Suffix] = {}
    main_header: MainHeader | None = None
    warp_size: int = Field(32, ge=1, le=1024)
    guards: dict[Ident, GuardEntry] = {}
    compiler: CompilerEntry | None = None
    capabilities: dict[str, Text] = {}
    selection: TargetSelection = TargetSelection()
    build: TargetBuildEntry = TargetBuildEntry()


class FolderEntry(Strict):
    """An upstream folder that is ported."""

    folder: Text
    suffixes: list[Text]
    only: list[Text] = Field([], description="paths below the folder; all files without")
    reason: Text


class SelectionFile(Strict):
    """`pytorch/selection.yaml`."""

    folders: list[FolderEntry]
    exclude: list[ExclusionEntry] = []


class BuildFile(Strict):
    """`pytorch/build.yaml`: which ported sources make up the libraries."""

    sets: dict[Lower, list[Text]] = Field(description="set -> globs of upstream paths")
    not_built: list[ExclusionEntry] = []
    heavy: list[Text] = Field([], description="globs of sources that need much memory to compile")
    precompiled: list[Text] = Field(
        [], description="paths of headers that most kernels include, in their order"
    )
    defines: list[Text] = Field([], description="macros, with the target's names: `{UPPER}`")


class VendorFile(Strict):
    """`cuda/vendor.yaml`: what a vendor word looks like."""

    words: list[Text] = Field(description="regular expressions, searched in identifiers and paths")
