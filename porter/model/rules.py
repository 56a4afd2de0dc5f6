"""Mappings after they are read and checked: profile, rules, and the rule set for one release and one target."""

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
    """Kind of source text to which a rule applies."""

    CODE = "code"
    CONDITION = "condition"
    STRING = "string"
    COMMENT = "comment"


class Layer(StrEnum):
    """Layers of a rule set, from lowest to highest precedence."""

    CUDA = "cuda"
    PYTORCH = "pytorch"
    TARGET = "target"


STRENGTH = {Layer.TARGET: 0, Layer.PYTORCH: 1, Layer.CUDA: 2}
"""Layer -> rank. Of two exact rules, the rule with the lower rank decides."""


class Origin(NamedTuple):
    """Line of a mapping file."""

    file: str
    """Path from the mapping folder: `musa/runtime.yaml`."""
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Example(NamedTuple):
    """Example of a rule: `before` becomes `after`."""

    before: str
    after: str


class Rule(NamedTuple):
    """Rule of a mapping for one target, in which all placeholders are replaced by the target's values."""

    kind: str
    match: str
    """Name, regular expression, path or template that the rule matches; empty for a rule with a list of `names`."""
    replace: str | None
    """Replacement text; None if the matched text stays."""
    layer: Layer
    area: str
    origin: Origin
    status: Status = Status.SUPPORTED
    classes: frozenset[TokenClass] = frozenset({TokenClass.CODE})
    names: Mapping[str, str | None] = {}
    """Name -> replacement, for a rule with a list of `names` (None: the name stays)."""
    only_in: tuple[str, ...] = ()
    not_in: tuple[str, ...] = ()
    note: str = ""
    example: Example | None = None
    min_hits: int = 0
    shim: str = ""
    """Header that declares the replacement."""
    options: tuple[tuple[str, str], ...] = ()
    """Fields of the rule's kind and their values: (`pattern`, `__shfl`); `true` for a flag. Unset fields are absent."""
    key_text: str = ""
    """Text whose hash becomes part of `key`."""
    unlisted: bool = False
    """True for a rule whose names the target does not list, in an API area where the target supports only listed names.
    The names are reported as unmapped."""
    since: str = ""
    until: str = ""
    number: int = 1
    """Position among the rules with otherwise equal keys."""

    @property
    def key(self) -> str:
        """Unique identifier of the rule. It contains no line number, so that edits of other rules do not change it."""
        about = f"{self.kind} {self.match}".rstrip()
        if self.key_text:
            # The text is hashed, because lock files contain keys and must not contain upstream's text.
            about += f" #{zlib.crc32(self.key_text.encode()):08x}"
        number = f" ({self.number})" if self.number > 1 else ""
        return f"{self.origin.file}: {about}{number}"

    def option(self, name: str) -> str:
        """Value of a field of the rule's kind; empty for an unset field."""
        return next((value for key, value in self.options if key == name), "")

    @property
    def is_identity(self) -> bool:
        """True if the matched text stays because it is correct for the target."""
        return self.status is Status.SUPPORTED and self.replace in (None, self.match)


class Resolution(NamedTuple):
    """Decision of a rule about one identifier."""

    rule: int
    """Index into `RuleSet.rules`."""
    replace: str | None
    """New identifier; None if the identifier stays, because it is correct (`identity`) or the target lacks it."""


class Family(NamedTuple):
    """Names that a `family` rule matches."""

    match: str
    rule: int
    """Index into `RuleSet.rules`."""
    texts: frozenset[str] | None
    """Lower-case texts. Every matching name, in lower case, contains at least one text. None if none are known."""

    def fullmatch(self, name: str) -> re.Match[str] | None:
        """Match object for a whole name, or None."""
        return _compiled(self.match).fullmatch(name)


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # Compiled at the first use: most families are never used.
    return re.compile(pattern, re.ASCII)


class TargetLibrary(NamedTuple):
    """Counterpart of one CUDA library for a target."""

    lower: str = ""
    upper: str = ""
    unsupported: str = ""
    """Reason why the target has no counterpart; empty when it has one."""
    listed: bool = False
    """True when the target supports only the names that its own rules list; families of the CUDA layer do not apply
    then."""


class Guard(NamedTuple):
    """Value of a CUDA version or architecture macro for a target, and the target's macro with this value."""

    macro: str
    value: int


class Exclusion(NamedTuple):
    """Upstream files that are not ported, with the reason."""

    glob: str
    reason: str
    origin: Origin


class Folder(NamedTuple):
    """Upstream folder that is ported, with the reason."""

    folder: str
    suffixes: tuple[str, ...]
    reason: str
    origin: Origin
    only: tuple[str, ...] = ()
    """Paths below the folder; empty: every file with one of the suffixes."""

    def holds(self, path: str) -> bool:
        """Test whether an upstream path is in the folder and is selected by its suffix or by the list `only`."""
        head = f"{self.folder}/"
        name = path.rpartition("/")[2]
        if not path.startswith(head) or name.partition(".")[2] not in self.suffixes:
            return False
        return not self.only or path.removeprefix(head) in self.only


class Selection(NamedTuple):
    """Upstream files that are ported."""

    folders: tuple[Folder, ...] = ()
    excluded: tuple[Exclusion, ...] = ()


class SourceFlags(NamedTuple):
    """Additional compiler flags for some sources of a target's build."""

    glob: str
    """Glob of upstream paths."""
    flags: tuple[str, ...]
    """Flags placed after all other flags."""
    reason: str


class TargetBuild(NamedTuple):
    """Build settings of a target: `build:` in its profile."""

    runtime: str = ""
    """`simt`: porter builds its own runtime first; empty: the vendor's runtime is installed."""
    include: tuple[str, ...] = ()
    """Header folders; `$NAME` is replaced by an environment variable."""
    defines: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    """Linker arguments; `$NAME` is replaced by an environment variable."""
    optimise: tuple[str, ...] = ("-O2",)
    host_flags: tuple[str, ...] = ()
    """Additional flags for sources that CUDA's build compiles with the host compiler."""
    flags: tuple[SourceFlags, ...] = ()
    sets: Mapping[str, tuple[str, ...]] = {}
    """Set of kernels -> globs that the target adds to the set."""
    not_built: tuple[Exclusion, ...] = ()


class SdkVersion(NamedTuple):
    """Version of an SDK, read from macros of one of its headers."""

    header: str = ""
    """Path below the SDK's `include`; empty: every version is accepted."""
    macros: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()


class VendorSdk(NamedTuple):
    """Use of the vendor's SDK for a build: `sdk:` in its profile."""

    roots: tuple[str, ...] = (".",)
    """Possible root folders of the SDK, relative to the given folder. The root contains `include`."""
    compiler: tuple[str, ...] = ()
    """Possible paths of the compiler, relative to the root."""
    flags: tuple[str, ...] = ()
    """Compiler flags; `{root}` is replaced by the root."""
    link: tuple[str, ...] = ()
    """Linker arguments, before those of the target's build; `{root}` is replaced by the root."""
    version: SdkVersion = SdkVersion()


class Profile(NamedTuple):
    """Profile of a target: `mappings/<target>/target.yaml`."""

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
    """Suffixes, without the dot, of upstream files that get the main header if they lack it."""
    warp_size: int = 32
    guards: Mapping[str, Guard] = {}
    compiler: str = ""
    compiler_flags: tuple[str, ...] = ()
    capabilities: Mapping[str, str] = {}
    excluded: tuple[Exclusion, ...] = ()
    build: TargetBuild = TargetBuild()
    sdk: VendorSdk = VendorSdk()
    spelling: tuple[str, ...] = ()
    """Parts of names, in lower case, that the check of the spelling accepts although a single name has them."""
    seams: Mapping[str, tuple[str, ...]] = {}
    """Seam of the backend -> names of implementations; the first one is used by default."""


class RuleSet(NamedTuple):
    """All mappings, compiled for one release and one target. Plain data, so that it can be cached."""

    target: str
    release: str
    profile: Profile
    rules: tuple[Rule, ...]
    exact: Mapping[str, tuple[Resolution, ...]]
    """Identifier -> resolutions, in order of precedence."""
    families: tuple[Family, ...]
    """Families in order of precedence: by layer, then by position in the mapping file."""
    uses: Mapping[str, Mapping[str, tuple[int, ...]]]
    """Rule kind -> word or qualified name -> indexes of the rules about its uses, in order of precedence."""
    by_kind: Mapping[str, tuple[int, ...]]
    """Kind -> indexes into `rules`, ascending; kinds without rules are absent."""
    selection: Selection
    vendor: re.Pattern[str]
    """Regular expression that finds a vendor word in an identifier, a header path or a string."""
    texts: frozenset[str] | None = None
    """Lower-case texts. Every word that a family or `vendor` matches, in lower case, contains at least one text.
    None if no such texts are known."""
    digest: str = ""
    """sha256 of the rule set's inputs."""

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Indexes of the rules that have the given kind."""
        return self.by_kind.get(kind, ())

    def about(self, kind: str, name: str) -> tuple[int, ...]:
        """Indexes of the rules that have the given kind and match uses of the given word or qualified name."""
        return self.uses.get(kind, {}).get(name, ())
