"""What a mapping says, once read and checked: profile, rules, and the rule set compiled for one release and target."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Status(StrEnum):
    """Whether the target has what a rule matches."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    TODO = "todo"
    REMOVED = "removed"


class TokenClass(StrEnum):
    """Where in a file a rule applies."""

    CODE = "code"
    CONDITION = "condition"
    STRING = "string"
    COMMENT = "comment"


class Layer(StrEnum):
    """The three layers of a rule set, weakest first."""

    CUDA = "cuda"
    PYTORCH = "pytorch"
    TARGET = "target"


@dataclass(frozen=True, slots=True)
class Origin:
    """The line of a mapping file."""

    file: str
    """Relative to the folder of mappings: `musa/runtime.yaml`."""
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Example:
    """A rule at work: `before` becomes `after`."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One entry of a mapping; placeholders are filled in, versions are already selected."""

    kind: str
    match: str
    """The name, regex, path or template the kind is about; empty for bulk rules."""
    replace: str | None
    """None: the text stays."""
    layer: Layer
    area: str
    origin: Origin
    status: Status = Status.SUPPORTED
    classes: frozenset[TokenClass] = frozenset({TokenClass.CODE})
    names: Mapping[str, str | None] = field(default_factory=dict)
    """Bulk rules: each name and what it becomes (None: stays)."""
    only_in: tuple[str, ...] = ()
    not_in: tuple[str, ...] = ()
    note: str = ""
    example: Example | None = None
    min_hits: int = 0
    shim: str = ""
    """Header that declares the replacement."""
    follows: bool = False
    """Families: the first group is itself a name, and becomes whatever the rule set makes of it."""
    part: str = ""
    """Path rules: folder, stem or suffix."""
    before: str = ""
    after: str = ""
    pattern: str = ""

    @property
    def key(self) -> str:
        """Names the rule across runs and edits of the file, so without its line."""
        return f"{self.origin.file}: {self.kind} {self.match}".rstrip()

    @property
    def is_identity(self) -> bool:
        """Whether matched text stays because it is right as it is."""
        return self.status is Status.SUPPORTED and self.replace in (None, self.match)


@dataclass(frozen=True, slots=True)
class Resolution:
    """What a rule makes of one identifier."""

    rule: int
    """Index into `RuleSet.rules`."""
    replace: str | None
    """None: the identifier stays, because it is right (`identity`) or because the target lacks it."""

    def __reduce__(self) -> tuple[type[Resolution], tuple[int, str | None]]:
        # A rule set keeps tens of thousands of these; what dataclasses do by themselves takes six times as long.
        return Resolution, (self.rule, self.replace)


@dataclass(frozen=True, slots=True)
class Library:
    """A target's counterpart of one CUDA library."""

    lower: str = ""
    upper: str = ""
    unsupported: str = ""
    """Reason, when there is no counterpart."""
    listed: bool = False
    """Only names that the target's own rules list are supported; CUDA-layer families of the area are ignored."""


@dataclass(frozen=True, slots=True)
class Guard:
    """The number a target gives for a CUDA version or architecture macro, and the macro that carries it."""

    macro: str
    value: int


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Upstream files that are not ported, and why."""

    glob: str
    reason: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Folder:
    """An upstream folder that is ported, and why."""

    folder: str
    suffixes: tuple[str, ...]
    reason: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class Selection:
    """Which upstream files a port is made of."""

    folders: tuple[Folder, ...] = ()
    excluded: tuple[Exclusion, ...] = ()


@dataclass(frozen=True, slots=True)
class Profile:
    """A target: `mappings/<target>/target.yaml`."""

    target: str
    summary: str
    lower: str
    upper: str
    camel: str
    device: str
    libraries: Mapping[str, Library] = field(default_factory=dict)
    suffixes: Mapping[str, str] = field(default_factory=dict)
    main_header: str = ""
    main_header_into: tuple[str, ...] = ()
    """Suffixes, without the dot, of upstream files that get the main header when they lack it."""
    warp_size: int = 32
    guards: Mapping[str, Guard] = field(default_factory=dict)
    compiler: str = ""
    compiler_flags: tuple[str, ...] = ()
    capabilities: Mapping[str, str] = field(default_factory=dict)
    excluded: tuple[Exclusion, ...] = ()


@dataclass(frozen=True)
class RuleSet:
    """All mappings compiled for one release and one target; plain data, so that it can be cached."""

    target: str
    release: str
    profile: Profile
    rules: tuple[Rule, ...]
    exact: Mapping[str, tuple[Resolution, ...]]
    """Identifier -> candidates, strongest layer first."""
    families: tuple[tuple[re.Pattern[str], int], ...]
    """Strongest layer first, in file order within a layer."""
    calls: Mapping[str, tuple[int, ...]]
    """Name -> `call` rules about it."""
    chains: Mapping[str, Mapping[str, tuple[int, ...]]]
    """First identifier -> chain of names -> `qualified` rules about it."""
    values: Mapping[str, tuple[Resolution, ...]]
    includes: tuple[int, ...]
    paths: tuple[int, ...]
    strings: tuple[int, ...]
    patches: tuple[int, ...]
    hazards: tuple[int, ...]
    launch: int | None
    dynamic_shared: int | None
    selection: Selection
    vendor: re.Pattern[str]
    """Finds a vendor word in an identifier, a header path or a string."""
    digest: str = ""
    """sha256 of everything the rule set was compiled from."""
