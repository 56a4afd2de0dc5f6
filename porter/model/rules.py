"""Mappings after porter has read and checked them: profile, rules, and the rule set for a release and a target."""

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
    """Layer of a rule. For exact rules, the layers are listed from lowest to highest precedence."""

    CUDA = "cuda"
    PYTORCH = "pytorch"
    TARGET = "target"


STRENGTH = {Layer.TARGET: 0, Layer.PYTORCH: 1, Layer.CUDA: 2}
"""Maps a layer to its rank. Of two exact rules, the rule with the lower rank decides."""


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
    """Rule of a mapping, compiled for one target: placeholders are replaced by the target's values."""

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
    """For a rule with a list of `names`: maps a name to its replacement, or to None if the name stays."""
    only_in: tuple[str, ...] = ()
    not_in: tuple[str, ...] = ()
    note: str = ""
    example: Example | None = None
    min_hits: int = 0
    shim: str = ""
    """Shim: porter's header that declares the replacement; empty if no shim is needed."""
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
    """Position among the rules whose keys are otherwise equal, from 1."""

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
    """Pattern of a `family` rule, and texts that every matching name contains."""

    match: str
    rule: int
    """Index into `RuleSet.rules`."""
    texts: frozenset[str] | None
    """Lower-case texts. Every matching name, in lower case, contains at least one of them. None: no texts are known."""

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
    """Target's macro that replaces a version or architecture macro of CUDA, and the value of the target's macro."""

    macro: str
    value: int


class Exclusion(NamedTuple):
    """Upstream files that are not ported or not built, with the reason."""

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
    """Build settings of a target: `build:` in the target's profile."""

    runtime: str = ""
    """`simt`: porter builds its own runtime first; empty: the vendor's runtime is installed."""
    include: tuple[str, ...] = ()
    """Header folders; `$NAME` is replaced by the value of an environment variable."""
    defines: tuple[str, ...] = ()
    link: tuple[str, ...] = ()
    """Linker arguments; `$NAME` is replaced by the value of an environment variable."""
    optimise: tuple[str, ...] = ("-O2",)
    host_flags: tuple[str, ...] = ()
    """Additional flags for sources that CUDA's build compiles with the host compiler."""
    flags: tuple[SourceFlags, ...] = ()
    sets: Mapping[str, tuple[str, ...]] = {}
    """Maps a set of kernels to the globs that the target adds to the set."""
    not_built: tuple[Exclusion, ...] = ()


class SdkVersion(NamedTuple):
    """Version that an SDK must have, and the header and macros from which the version is read."""

    header: str = ""
    """Path below the SDK's `include`; empty: every version is accepted."""
    macros: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()


class VendorSdk(NamedTuple):
    """Use of the vendor's SDK for a build: `sdk:` in the target's profile."""

    roots: tuple[str, ...] = (".",)
    """Possible root folders of the SDK, relative to the given folder. The root contains `include`."""
    compiler: tuple[str, ...] = ()
    """Possible paths of the compiler, relative to the root."""
    flags: tuple[str, ...] = ()
    """Compiler flags; `{root}` is replaced by the root."""
    link: tuple[str, ...] = ()
    """Linker arguments, placed before `TargetBuild.link`; `{root}` is replaced by the root."""
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
    """Suffixes, without the dot, of the upstream files into which the port inserts a missing main header."""
    warp_size: int = 32
    guards: Mapping[str, Guard] = {}
    compiler: str = ""
    compiler_flags: tuple[str, ...] = ()
    capabilities: Mapping[str, str] = {}
    folders: tuple[Folder, ...] = ()
    """Upstream folders that the target ports beside those of the selection."""
    excluded: tuple[Exclusion, ...] = ()
    build: TargetBuild = TargetBuild()
    sdk: VendorSdk = VendorSdk()
    spelling: tuple[str, ...] = ()
    """Parts of target names, in lower case, that the spelling check accepts although only one name contains them."""
    seams: Mapping[str, tuple[str, ...]] = {}
    """Maps a seam of the backend to the names of its implementations. The first implementation is the default."""

    @property
    def flag_macros(self) -> frozenset[str]:
        """Macros that the compiler flags define or undefine. Sources can test them although no header contains them."""
        flags = (*self.compiler_flags, *self.build.host_flags)
        return frozenset(match[1] for flag in flags if (match := _MACRO_FLAG.match(flag)))

    @property
    def cuda_release(self) -> str:
        """Release of CUDA to which the target corresponds: `12.4`.

        A target whose guard of `CUDA_VERSION` is no release of CUDA (HIP's own numbers) counts as 12.4, the release of
        the inventory.
        """
        guard = self.guards.get("CUDA_VERSION")
        value = guard.value if guard and guard.value >= _OLDEST_CUDA else _INVENTORY_CUDA
        return f"{value // 1000}.{value % 1000 // 10}"


_MACRO_FLAG = re.compile(r"-[DU](\w+)")
_OLDEST_CUDA = 9000
_INVENTORY_CUDA = 12040


class RuleSet(NamedTuple):
    """All mappings, compiled for one release and one target. Plain data, so that it can be cached."""

    target: str
    release: str
    profile: Profile
    rules: tuple[Rule, ...]
    exact: Mapping[str, tuple[Resolution, ...]]
    """Maps an identifier to its resolutions, in order of precedence."""
    families: tuple[Family, ...]
    """Families in order of precedence: those of the target, of CUDA and of PyTorch, each in the order of `rules`."""
    uses: Mapping[str, Mapping[str, tuple[int, ...]]]
    """Maps a rule kind, then a word or qualified name, to the indexes of the rules that match uses of the name.

    The indexes are in order of precedence.
    """
    by_kind: Mapping[str, tuple[int, ...]]
    """Maps a rule kind to its indexes into `rules`, ascending. Kinds without rules are absent."""
    selection: Selection
    vendor: re.Pattern[str]
    """Regular expression that finds a vendor word in an identifier, a header path or a string."""
    texts: frozenset[str] | None = None
    """Lower-case texts. Every word that a family or `vendor` matches, in lower case, contains at least one of them.
    None if no texts are known."""
    digest: str = ""
    """sha256 of the rule set's inputs."""
    undecided: frozenset[str] = frozenset()
    """Vendor words that CUDA's headers declare and that no rule lists. A family may match them."""
    cuda_namespace: frozenset[str] = frozenset()
    """Names in the namespace `cuda` of CUDA's headers (libcu++), among them the nested namespaces."""
    namespaced: frozenset[str] = frozenset()
    """Names without a vendor word in the namespaces of CUDA's device code: `less` of `cooperative_groups`."""

    def of_kind(self, kind: str) -> tuple[int, ...]:
        """Indexes into `rules` of the rules of one kind."""
        return self.by_kind.get(kind, ())

    def about(self, kind: str, name: str) -> tuple[int, ...]:
        """Indexes into `rules` of the rules of one kind that match uses of `name`, a word or a qualified name."""
        return self.uses.get(kind, {}).get(name, ())
