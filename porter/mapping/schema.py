"""Schema of mapping files, profiles and the selection, as pydantic models.

`porter.mapping.json_schema` gives the JSON Schema for editors; `docs/mapping-format.md` explains the format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, create_model, model_validator

from porter.model.rules import Status, TokenClass
from porter.rewrite import kind_schema
from porter.rewrite.kind import RuleKind
from porter.rewrite.kinds.order import ORDER

WORDING: dict[str, str] = {}
"""Maps the regular expression of a text to a description of the valid texts, for messages."""


def _shaped(pattern: str, wording: str) -> StringConstraints:
    WORDING[f"^{pattern}$"] = wording
    return StringConstraints(pattern=f"^{pattern}$")


Ident = Annotated[str, _shaped(*kind_schema.IDENT)]
Text = Annotated[str, _shaped(*kind_schema.TEXT)]
Header = Annotated[str, _shaped(*kind_schema.HEADER)]
Suffix = Annotated[
    str, _shaped(r"[A-Za-z0-9_+-]+(\.[A-Za-z0-9_+-]+)*", "a suffix without its first dot: 'mu'")
]
Version = Annotated[
    str,
    _shaped(
        r"(cuda )?[0-9]{1,6}(\.[0-9]{1,6}){0,3}",
        "a version: '2.6' (of PyTorch) or 'cuda 12.4' (of CUDA)",
    ),
]
LibraryPrefix = Annotated[
    str, _shaped(f"({kind_schema.IDENTIFIER})", "the beginning of an identifier")
]
Lower = Annotated[str, _shaped("[a-z][a-z0-9_]*", "a name in lower case")]


class Strict(BaseModel):
    """Model that rejects unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class ExampleEntry(Strict):
    """Example of a rule, run as a test with this rule alone."""

    before: Text
    after: Text = Field(description="text after the application of the rule, or `unchanged`")


class Expect(Strict):
    """Expected hits of a rule in every release to which it applies."""

    min_hits: int = Field(ge=0, description="fewer hits than this are a finding")


class Versioned(Strict):
    """Entry that may be limited to a range of versions."""

    since: Version | None = Field(
        None, description="first version to which the entry applies: `2.6` (PyTorch) or `cuda 12.4`"
    )
    until: Version | None = Field(
        None, description="last version to which the entry applies; `1.13` includes 1.13.1"
    )


class RuleEntry(Versioned):
    """Fields that every rule can have."""

    status: Status = Status.SUPPORTED
    only_in: list[Text] = Field(
        [], description="globs of upstream paths to which the rule is limited"
    )
    not_in: list[Text] = Field([], description="globs of upstream paths that the rule skips")
    in_: list[TokenClass] | None = Field(None, alias="in", description="token classes")
    note: str = ""
    example: ExampleEntry | None = None
    expect: Expect | None = None

    @model_validator(mode="after")
    def _reason(self) -> RuleEntry:
        if self.status is not Status.SUPPORTED and not self.note:
            raise ValueError(f"status '{self.status}' needs a note with the reason")
        return self


def _type(one: kind_schema.FieldType) -> Any:
    match one:
        case kind_schema.TextOf():
            return Annotated[str, _shaped(one.pattern, one.wording)]
        case kind_schema.Choice():
            return Literal[one.values]
        case kind_schema.ListOf():
            return list[_type(one.item)]  # type: ignore[misc]
        case kind_schema.TableOf():
            return dict[_type(one.key), _type(one.value)]  # type: ignore[misc]
        case kind_schema.OneOf():
            return Union[tuple(map(_type, one.types))]  # noqa: UP007  # of a computed tuple
    return one


def _entry(kind: RuleKind) -> type[RuleEntry]:
    """Create the model of a rule kind: `NameEntry` for `name`."""
    fields: dict[str, Any] = {}
    for field in kind.fields:
        made = _type(field.type)
        if field.optional:
            made = made | None
        required = not field.optional and field.default is None
        default = ... if required else field.default
        fields[field.name] = (made, Field(default, description=field.description or None))
    name = "".join(part.capitalize() for part in kind.name.split("_")) + "Entry"
    return create_model(
        name, __base__=RuleEntry, __doc__=kind.summary, __module__=__name__, **fields
    )


ENTRIES: dict[str, type[RuleEntry]] = {
    kind.name: _entry(kind) for kind in sorted(ORDER, key=lambda kind: kind.listed)
}
"""Maps the name of a rule kind to its model. An entry of the kind has a key with the kind's name."""
MODELS = {model.__name__: model for model in ENTRIES.values()}
"""Maps the name of a rule model to the model."""


class MappingFile(Strict):
    """File with the rules for one API area."""

    area: Text
    source: str = ""
    if TYPE_CHECKING:
        rules: list[RuleEntry] = []
    else:
        rules: list[Union[tuple(ENTRIES.values())]] = []  # noqa: UP007  # of a computed tuple


class NamesOfTarget(Strict):
    """Spellings of the target's name."""

    lower: Lower
    UPPER: Annotated[str, _shaped("[A-Z][A-Z0-9_]*", "a name in upper case")]
    Camel: Annotated[str, _shaped("[A-Z][A-Za-z0-9_]*", "a name with a capital first letter")]


class LibraryEntry(Strict):
    """Counterpart of one CUDA library, or the reason why the target has none."""

    lower: LibraryPrefix = Field("", description="prefix that replaces CUDA's lower-case prefix")
    upper: LibraryPrefix = Field("", description="prefix that replaces CUDA's upper-case prefix")
    unsupported: Text = Field("", description="reason why the target has no counterpart")
    listed: bool = Field(False, description="support only names for which the target has a rule")

    @model_validator(mode="after")
    def _one_of_two(self) -> LibraryEntry:
        if (self.lower or self.upper) and self.unsupported:
            raise ValueError("states both a prefix and 'unsupported'")
        if not self.lower and not self.unsupported:
            raise ValueError("states neither a prefix nor 'unsupported' with a reason")
        return self


class MainHeader(Strict):
    """Header that ported files include, because CUDA's compiler includes its own header implicitly."""

    include: Header
    insert_into: list[Suffix] = Field(
        [], description="suffixes of upstream files that receive the include"
    )


class GuardEntry(Strict):
    """Macro that replaces a CUDA version macro in comparisons, and its value."""

    macro: Ident
    value: int


class CompilerEntry(Strict):
    """Compiler of the target."""

    command: Text
    flags: list[Text] = []


class ExclusionEntry(Strict):
    """Upstream files that are not ported."""

    glob: Text
    reason: Text


class FolderEntry(Strict):
    """Upstream folder that is ported."""

    folder: Text
    suffixes: list[Text]
    only: list[Text] = Field(
        [], description="globs of paths in the folder; without the key, all files"
    )
    reason: Text


class TargetSelection(Strict):
    """Upstream files that only this target ports, and those that it leaves out."""

    folders: list[FolderEntry] = []
    exclude: list[ExclusionEntry] = []


class FlagsEntry(Strict):
    """Sources that need additional compiler flags."""

    glob: Text = Field(description="glob of upstream paths")
    flags: list[Text] = Field(
        min_length=1, description="compiler flags, added after all other flags"
    )
    reason: Text


class SdkVersionEntry(Strict):
    """Version of an SDK, read from macros of one of its headers."""

    header: Text
    macros: list[Ident] = Field(min_length=1, description="macros with the parts of the version")
    accepts: list[Text] = Field(min_length=1, description="versions that fit the target: `6.4`")


class SdkEntry(Strict):
    """Use of the vendor's SDK for a build. The option `--sdk` names the SDK's folder."""

    roots: list[Text] = Field(
        default=["."],
        description="candidates for the root: paths, relative to the SDK's folder, of a folder with `include`",
    )
    compiler: list[Text] = Field(
        default=[], description="candidates for the compiler: paths relative to the root"
    )
    flags: list[Text] = Field(default=[], description="compiler flags; `{root}` is the root")
    link: list[Text] = Field(
        default=[], description="linker arguments before those of `build`; `{root}` is the root"
    )
    version: SdkVersionEntry | None = None


class TargetBuildEntry(Strict):
    """Build settings of the target, in addition to `pytorch/build.yaml`."""

    runtime: Literal["", "simt"] = Field(
        default="", description="`simt`: the build first builds porter's runtime of this name"
    )
    include: list[Text] = Field(
        default=[], description="include folders; `$NAME` is replaced by the environment variable"
    )
    defines: list[Text] = Field(default=[], description="macro definitions: `NAME` or `NAME=value`")
    link: list[Text] = Field(default=[], description="linker arguments: `-L...`, `-l...`")
    host_flags: list[Text] = Field(
        default=[],
        description="flags for sources without the suffix `.cu`, added after the compiler's flags",
    )
    optimise: list[Text] = Field(default=["-O2"], description="optimisation flags of the compiler")
    flags: list[FlagsEntry] = Field(default=[], description="additional flags for some sources")
    sets: dict[Lower, list[Text]] = Field(
        default={}, description="set -> globs of additional sources; an unknown name adds a set"
    )
    not_built: list[ExclusionEntry] = []


class ProfileFile(Strict):
    """Content of `target.yaml`, the profile of a target."""

    target: Lower
    summary: Text
    names: NamesOfTarget
    device: Lower
    listed: bool = Field(False, description="default of `listed` for all libraries")
    libraries: dict[str, LibraryPrefix | LibraryEntry] = {}
    suffixes: dict[Suffix, Suffix] = {}
    main_header: MainHeader | None = None
    warp_size: int = Field(32, ge=1, le=1024)
    guards: dict[Ident, GuardEntry] = {}
    compiler: CompilerEntry | None = None
    capabilities: dict[str, Text] = {}
    selection: TargetSelection = TargetSelection()
    build: TargetBuildEntry = TargetBuildEntry()
    sdk: SdkEntry = SdkEntry()
    spelling: list[Annotated[str, _shaped("[a-z0-9]+", "a part of a name in lower case")]] = Field(
        default=[],
        description="parts of the target's names, in lower case, that are right although a single name has them",
    )
    seams: dict[Lower, Annotated[list[Lower], Field(min_length=1)]] = Field(
        default={},
        description="seam of the backend -> implementations to build; the first one is the default",
    )


class SelectionFile(Strict):
    """Content of `pytorch/selection.yaml`: the upstream files to port."""

    folders: list[FolderEntry]
    exclude: list[ExclusionEntry] = []


class BuildFile(Strict):
    """Content of `pytorch/build.yaml`: the sets of ported sources to build."""

    sets: dict[Lower, list[Text]] = Field(description="set -> globs of upstream paths")
    not_built: list[ExclusionEntry] = []
    heavy: list[Text] = Field([], description="globs of sources that need much memory to compile")
    precompiled: list[Text] = Field(
        [], description="headers of the precompiled header, in the order of inclusion"
    )
    defines: list[Text] = Field(
        [], description="macro definitions, with placeholders such as `{UPPER}`"
    )


class VendorFile(Strict):
    """`cuda/vendor.yaml`: patterns of vendor words."""

    words: list[Text] = Field(description="regular expressions, searched in identifiers and paths")
