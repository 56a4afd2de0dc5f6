"""Compilation of loaded mappings to the rule set for one release.

The compilation fills in placeholders, selects the rules for the release, and builds look-up tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from porter.base.errors import MappingError, Problem, did_you_mean
from porter.mapping import newer_names, schema
from porter.mapping.inventory import Inventory
from porter.mapping.load import Loaded, LoadedEntry
from porter.mapping.lookups import assemble
from porter.model.rules import (
    STRENGTH,
    Example,
    Layer,
    Profile,
    Rule,
    RuleSet,
    Status,
    TargetLibrary,
)
from porter.model.versions import Bounds
from porter.rewrite.kind import RuleKind
from porter.rewrite.kinds import order
from porter.rewrite.word_hooks import Fill, Listed

AREAS = [
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
    "solver",
    "nccl",
    "nvrtc",
    "nvjitlink",
    "cupti",
    "nvtx",
    "npp",
    "cub",
    "thrust",
    "math",
    "intrinsics",
]
"""API areas of the inventory. Each area has two placeholders, such as `{blas}` and `{BLAS}` for the prefixes."""

_DEFAULT_GUARDS = {
    "CUDA_VERSION": "{UPPER}_COMPAT_VERSION",
    "__CUDA_ARCH__": "__{UPPER}_ARCH__",
    "COMPILER_MAJOR": "{UPPER}_COMPAT_COMPILER_MAJOR",
    "COMPILER_MINOR": "{UPPER}_COMPAT_COMPILER_MINOR",
    "SPARSE_VERSION": "{UPPER}_COMPAT_SPARSE_VERSION",
    "SPARSELT_VERSION": "{UPPER}_COMPAT_SPARSELT_VERSION",
    "SOLVER_VERSION": "{UPPER}_COMPAT_SOLVER_VERSION",
    "DNN_VERSION": "{UPPER}_COMPAT_DNN_VERSION",
    "CUB_VERSION": "{UPPER}_COMPAT_CUB_VERSION",
    "FFT_VERSION": "{UPPER}_COMPAT_FFT_VERSION",
    "NCCL_VERSION": "{UPPER}_COMPAT_NCCL_VERSION",
    "NCCL_MAJOR": "{UPPER}_COMPAT_NCCL_MAJOR",
    "NCCL_MINOR": "{UPPER}_COMPAT_NCCL_MINOR",
}
"""Maps a CUDA version macro to its default guard macro, the value of a placeholder such as `{guard_CUDA_VERSION}`."""
CUDA = "cuda "
"""Prefix of a bound that is a CUDA version. A bound without the prefix is a PyTorch version."""
AXES = ("", CUDA)
_LIBCUDACXX = "cuda"
"""Namespace of libcu++, CUDA's C++ library."""
_DEVICE_NAMESPACES = ("cooperative_groups", "nvcuda")
"""Namespaces of CUDA with names that other libraries use too, in areas that also have names outside namespaces."""
_FIELD = re.compile(r"\{(,?[A-Za-z_][A-Za-z_0-9]*)\}")


def placeholders(profile: Profile) -> dict[str, str]:
    """Maps each placeholder of mapping files, without braces, to its text for a target."""
    values = {
        "lower": profile.lower,
        "UPPER": profile.upper,
        "Camel": profile.camel,
        "device": profile.device,
        "cu": profile.suffixes.get("cu", "cu"),
        "cuh": profile.suffixes.get("cuh", "cuh"),
    }
    for area in AREAS:
        library = profile.libraries.get(area, TargetLibrary())
        values[area] = library.lower
        values[area.upper()] = library.upper
    for macro, shape in _DEFAULT_GUARDS.items():
        values[f"guard_{macro}"] = shape.format(UPPER=profile.upper)
    for macro, guard in profile.guards.items():
        values[f"guard_{macro}"] = guard.macro
    return values


def compile_rules(loaded: Loaded, inventory: Inventory, release: str, digest: str = "") -> RuleSet:
    """Rule set of one target for one PyTorch release (`2.6.0`). `digest` becomes `RuleSet.digest`.

    An empty release selects the rules for all PyTorch releases. Raises MappingError with every error in the rules.
    """
    problems: list[Problem] = []
    rules: list[Rule] = []
    values = placeholders(loaded.profile)
    vendor = re.compile("|".join(loaded.vendor_words) or r"(?!)", re.ASCII)
    unclaimed = newer_names.included(inventory, loaded.profile)
    for entry in loaded.entries:
        if applies(entry.model, release, inventory.cuda):
            made = _rule(entry, loaded.profile, values, unclaimed, vendor, problems)
            if made:
                rules.append(made)
    rules += newer_names.rules_for(inventory, loaded.profile, rules)
    rules = _without_listed(rules)
    rules.sort(key=lambda rule: STRENGTH[rule.layer])
    rules = _numbered(rules)
    if problems:
        raise MappingError(problems)
    compiled = assemble(rules, loaded.profile, loaded.target_selection, vendor, release, digest)
    undecided = {
        name for name in inventory.area_of() if vendor.search(name)
    } - compiled.exact.keys()
    namespaced = set[str]().union(*map(inventory.everything_in, _DEVICE_NAMESPACES))
    return compiled._replace(
        undecided=frozenset(undecided),
        cuda_namespace=inventory.members_of(_LIBCUDACXX) | {"std"},
        namespaced=frozenset(name for name in namespaced if not vendor.search(name)),
    )


def _numbered(rules: Iterable[Rule]) -> list[Rule]:
    """Rules with unique keys. If several rules have the same key, all but the first get a number."""
    last: Counter[str] = Counter()
    taken: set[str] = set()
    numbered = []
    for rule in rules:
        plain = key = rule.key
        while key in taken:
            last[plain] = max(last[plain], 1) + 1
            rule = rule._replace(number=last[plain])
            key = rule.key
        taken.add(key)
        numbered.append(rule)
    return numbered


def applies(model: schema.Versioned, release: str, cuda: str) -> bool:
    """Test whether an entry applies to a release of PyTorch and a version of CUDA; an empty version admits every
    entry."""
    return bounds(model, "").admit(release) and bounds(model, CUDA).admit(cuda)


def bounds(model: schema.Versioned, axis: str) -> Bounds:
    """Versions to which an entry applies: of PyTorch if `axis` is empty, of CUDA if `axis` is `CUDA`."""
    texts = (model.since or "", model.until or "")
    return Bounds(
        *(text.removeprefix(CUDA) if text.startswith(CUDA) == bool(axis) else "" for text in texts)
    )


def _rule(
    entry: LoadedEntry,
    profile: Profile,
    values: Mapping[str, str],
    unclaimed: dict[str, list[str]],
    vendor: re.Pattern[str],
    problems: list[Problem],
) -> Rule | None:
    model, kind, place = entry.model, entry.kind, str(entry.origin)
    library = profile.libraries.get(entry.area, TargetLibrary())
    from_cuda = entry.layer is Layer.CUDA
    unlisted = from_cuda and library.listed and not library.unsupported
    hooks = order.kind(kind)
    if unlisted and hooks.names and not hooks.names.by_pattern:
        return None
    unlisted = unlisted and hooks.names is not None
    allowed = hooks.template_fields

    def fill(text: str) -> str:
        def one(match: re.Match[str]) -> str:
            name = match[1]
            if name in allowed:
                return match[0]
            if name not in values:
                help = did_you_mean(name, [*values, *allowed])
                help = help or "docs/mapping-format.md lists the placeholders"
                problems.append(Problem(f"unknown placeholder '{{{name}}}'", place, help))
            return values.get(name, "")

        return _FIELD.sub(one, text)

    listed = _listed(entry, hooks, fill)
    if listed.mistake:
        problems.append(Problem(listed.mistake, place))
    status, note = model.status, model.note
    if from_cuda and library.unsupported and status is Status.SUPPORTED:
        status, note = Status.UNSUPPORTED, library.unsupported
    if unlisted:
        status, note = (
            Status.TODO,
            f"{profile.target} lists its names of this area; this one is not listed",
        )
    replacement = getattr(model, "replace", None)
    default = (from_cuda and hooks.names and hooks.names.classes_of_cuda) or hooks.classes
    classes = frozenset(model.in_) if model.in_ is not None else default
    example = None if unlisted else model.example
    options = _options(entry, hooks)
    made = Rule(
        kind=kind,
        match=listed.match,
        replace=None if replacement is None else fill(replacement),
        layer=entry.layer,
        area=entry.area,
        origin=entry.origin,
        status=status,
        classes=classes,
        names=listed.names,
        only_in=tuple(model.only_in),
        not_in=tuple(model.not_in),
        note=note,
        example=Example(fill(example.before), fill(example.after)) if example else None,
        min_hits=model.expect.min_hits if model.expect else hooks.min_hits,
        shim=fill(getattr(model, "shim", None) or ""),
        options=options,
        key_text=dict(options).get(hooks.key_field, ""),
        unlisted=unlisted,
        since=model.since or "",
        until=model.until or "",
    )
    return _claimed(made, hooks, unclaimed, vendor) if hooks.names else made


def _without_listed(rules: list[Rule]) -> list[Rule]:
    """Return the rules. Rules for unlisted names (`Rule.unlisted`) lose the names about which ordinary rules decide.

    A rule that loses all its names is dropped. Ordinary rules stay unchanged.
    """
    decided = newer_names.decided(rules)
    narrowed = []
    for rule in rules:
        if rule.unlisted:
            rule = rule._replace(
                names={n: new for n, new in rule.names.items() if n not in decided}
            )
            if not rule.names:
                continue
        narrowed.append(rule)
    return narrowed


def _options(entry: LoadedEntry, kind: RuleKind) -> tuple[tuple[str, str], ...]:
    """Name and value of each field of the rule kind that the entry sets to a text or to true.

    The first field (the match), `replace` and `shim` are not included.
    """
    values = [(field.name, getattr(entry.model, field.name)) for field in kind.fields[1:]]
    return tuple(
        (name, "true" if value is True else str(value))
        for name, value in values
        if name not in ("replace", "shim") and value and isinstance(value, str | bool)
    )


def _claimed(
    rule: Rule, kind: RuleKind, unclaimed: dict[str, list[str]], vendor: re.Pattern[str]
) -> Rule | None:
    """Rule limited to those names of its area that no earlier rule has claimed, or None if no such name remains.

    The names are removed from `unclaimed`. A rule that is not limited to names of CUDA's headers is returned
    unchanged.
    """
    left = unclaimed.get(rule.area, [])
    names = kind.names.claim(rule, left, vendor) if kind.names else None
    if names is None:
        return rule
    if rule.area in unclaimed:
        if not names:
            # Earlier rules have claimed all names of the area. A family without names would match names of
            # other areas.
            return None
        unclaimed[rule.area] = [name for name in left if name not in names]
    return rule._replace(names=names)


def _listed(entry: LoadedEntry, kind: RuleKind, fill: Fill) -> Listed:
    """Match of an entry, or the names of a `names` entry, with placeholders filled in."""
    if kind.names and kind.names.read:
        fields = {field.name: getattr(entry.model, field.name) for field in kind.fields}
        return kind.names.read(fields, fill)
    text = str(getattr(entry.model, entry.kind))
    return Listed(text if kind.match_is_verbatim else fill(text))
