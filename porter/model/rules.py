"""Mappings after reading and checking: profile, rules, and the rule set compiled for one release and target."""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple


class Status(StrEnum):
    """Support of a name by the target."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    TODO = "todo"
    REMOVED = "removed"


class TokenClass(StrEnum):
    """Kind of text in a file to which a rule applies."""

    CODE = "code"
    CONDITION = "condition"
    STRING = "string"
    COMMENT = "comment"


class Layer(StrEnum):
    """The three layers of a rule set, weakest first."""

    CUDA = "cuda"
    PYTORCH = "pytorch"
    TARGET = "target"


STRENGTH = {Layer.TARGET: 0, Layer.PYTORCH: 1, Layer.CUDA: 2}
"""Layer -> rank: of two exact rules the one of the lower rank decides."""


class Origin(NamedTuple):
    """The line of a mapping file."""

    file: str
    """Relative to the folder of mappings: `musa/runtime.yaml`."""
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Example(NamedTuple):
    """A rule at work: `before` becomes `after`."""

    before: str
    after: str


class Rule(NamedTuple):
    """One entry of a mapping; placeholders are filled in, versions are already selected."""

    kind: str
    match: str
    """The name, regex, path or template the kind is about; empty for bulk rules."""
    replace: str | None
    """Text in place of the match; None if the match stays."""
    layer: Layer
    area: str
    origin: Origin
    status: Status = Status.SUPPORTED
    classes: frozenset[TokenClass] = frozenset({TokenClass.CODE})
    names: Mapping[str, str | None] = {}
    """Bulk rules: each name and what it becomes (None: stays)."""
    only_in: tuple[str, ...] = ()
    not_in: tuple[str, ...] = ()
    note: str = ""
    example: Example | None = None
    min_hits: int = 0
    shim: str = ""
    """Header that declares the replacement."""
    options: tuple[tuple[str, str], ...] = ()
    """Fields of the rule's kind that are set, and their values: (`pattern`, `__shfl`); `true` for a flag."""
    key_text: str = ""
    """Text whose hash is part of `key`."""
    unlisted: bool = False
    """CUDA's names of an area in which the target lists its own, and which it does not list: they are unmapped."""
    since: str = ""
    until: str = ""
    number: int = 1
    """Position among the rules of the rule set whose keys would be equal without it."""

    @property
    def key(self) -> str:
        """Names the rule across runs and edits of the file, so without its line; no two rules share a key."""
        about = f"{self.kind} {self.match}".rstrip()
        if self.key_text:
            # Lock files hold keys, and none of upstream's text.
            about += f" #{zlib.crc32(self.key_text.encode()):08x}"
        number = f" ({self.number})" if self.number > 1 else ""
        return f"{self.origin.file}: {about}{number}"

    def option(self, name: str) -> str:
        """Value of a field of the rule's kind; empty if the field is not set."""
        return next((value for key, value in self.options if key == name), "")

    @property
    def is_identity(self) -> bool:
        """True if the matched text stays because it is right for the target."""
        return self.status is Status.SUPPORTED and self.replace in (None, self.match)


class Resolution(NamedTuple):
    """Decision of a rule about one identifier."""

    rule: int
    """Index into `RuleSet.rules`."""
    replace: str | None
    """New identifier; None if it stays, because it is right (`identity`) or because the target lacks it."""


class Family(NamedTuple):
    """The names that a `family` rule is about."""

    match: str
    rule: int
    """Index into `RuleSet.rules`."""
    texts: frozenset[str] | None
    """One of these, in lower case, is in every name of the family; None: there are none such."""

    def fullmatch(self, name: str) -> re.Match[str] | None:
        """Match of a whole name, or None."""
        return _compiled(self.match).fullmatch(name)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # When it is first asked for: most families are asked about no name.
    return re.compile(pattern, re.ASCII)


class TargetLibrary(NamedTuple):
    """A target's counterpart of one CUDA library."""

    lower: str = ""
    upper: str = ""
    unsupported: str = ""
    """Reason, when there is no counterpart."""
    listed: bool = False
    """Only names that the target's own rules list are supported; CUDA-layer families of the area are ignored."""


class Guard(NamedTuple):
    """The number a target gives for a CUDA version or architecture macro, and the macro that carries it."""

    macro: str
    value: int


class Exclusion(NamedTuple):
    """Upstream files that are not ported, and why."""

    glob: str
    reason: str
    origin: Origin


class Folder(NamedTuple):
    """An upstream folder that is ported, and why."""

    folder: str
    suffixes: tuple[str, ...]
    reason: str
    origin: Origin
    only: tuple[str, ...] = ()
    """Paths below the folder; empty: every file of the suffixes."""

    def holds(self, path: str) -> bool:
        """True if an upstream path is one that the folder is ported for."""
        head = f"{self.folder}/"
        name = path.rpartition("/")[2]
        if not path.startswith(head) or name.partition(".")[2] not in self.suffixes:
            return False
        return not self.only or path.removeprefix(head) in self.only


class Selection(NamedTuple):
    """Upstream files that a port is made of."""

    folders: tuple[Folder, ...] = ()
    excluded: tuple[Exclusion, ...] = ()


class SourceFlags(NamedTuple):
    """Sources that a target's compiler needs other flags for."""

    glob: str
    """Glob of upstream paths."""
    flags: tuple[str, ...]
    """After all others."""
    reason: str


class TargetBuild(NamedTuple):
    """Build of a target's libraries: `build:` of its profile."""

    runtime: str = ""
    """`simt`: porter's own runtime, which is built first; empty: the vendor's is installed."""
    include: tuple[str, ...] = ()
    """Folders of headers; `$NAME` is the environment's."""
    defines: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    """Arguments of the linker; `$NAME` is the environment's."""
    optimise: tuple[str, ...] = ("-O2",)
    host_flags: tuple[str, ...] = ()
    """For sources that CUDA's build gives to the host's compiler, after the compiler's flags."""
    flags: tuple[SourceFlags, ...] = ()
    sets: Mapping[str, tuple[str, ...]] = {}
    """Set -> globs that the target adds to it."""
    not_built: tuple[Exclusion, ...] = ()


class Profile(NamedTuple):
    """A target: `mappings/<target>/target.yaml`."""

    target: str
    summary: str
    lower: str
    upper: str
    camel: str
    device: str
    libraries: Mapping[str, TargetLibrary] = {}
    suffixes: Mapping[str, str] = {}
    main_header: str = ""
    main_header_into: tuple[str, ...] = ()
    """Suffixes, without the dot, of upstream files that get the main header when they lack it."""
    warp_size: int = 32
    guards: Mapping[str, Guard] = {}
    compiler: str = ""
    compiler_flags: tuple[str, ...] = ()
    capabilities: Mapping[str, str] = {}
    excluded: tuple[Exclusion, ...] = ()
    build: TargetBuild = TargetBuild()


class RuleSet(NamedTuple):
    """All mappings compiled for one release and one target; plain data, so that it can be cached."""

    target: str
    release: str
    profile: Profile
    rules: tuple[Rule, ...]
    exact: Mapping[str, tuple[Resolution, ...]]
    """Identifier -> candidates, strongest layer first."""
    families: tuple[Family, ...]
    """Strongest layer first, in file order within a layer."""
    uses: Mapping[str, Mapping[str, tuple[int, ...]]]
    """Kind -> word or chain of names -> rules about uses of it, strongest first."""
    by_kind: Mapping[str, tuple[int, ...]]
    """Kind -> indexes into `rules`, in their order; kinds without rules are left out."""
    selection: Selection
    vendor: re.Pattern[str]
    """Finds a vendor word in an identifier, a header path or a string."""
    texts: frozenset[str] | None = None
    """One of these, in lower case, is in every word that a family or `vendor` matches; None: there are none such."""
    digest: str = ""
    """sha256 of everything the rule set was compiled from."""

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Return the indexes of the rules of a kind."""
        return self.by_kind.get(kind, ())

    def about(self, kind: str, name: str) -> tuple[int, ...]:
        """Return the indexes of the rules of a kind about uses of a word or a chain of names."""
        return self.uses.get(kind, {}).get(name, ())
