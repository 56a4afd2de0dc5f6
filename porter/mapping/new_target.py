"""First files of a new target: a profile that gives all names the vendor's prefix, and the rules for launches.

`porter mapping check` accepts the files, and ports to the new target work at once. The vendor then adds rules for
names that differ from CUDA's in more than the prefix.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from porter.base.errors import MappingError, SourceError, UsageError
from porter.mapping.library import LAYERS, MappingLibrary
from porter.mapping.load import load
from porter.mapping.profile_file import C10_DEVICES
from porter.model.rules import Profile, RuleSet, TargetLibrary
from porter.rewrite.kinds import order

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z_]\w*", re.ASCII)


@dataclass(frozen=True)
class TargetNames:
    """Spellings of the vendor's name. `filled` derives the empty ones from `target`."""

    target: str
    lower: str = ""
    """Replacement of `cuda`."""
    short: str = ""
    """Replacement of the `cu` in cuBLAS and in the driver API."""
    upper: str = ""
    camel: str = ""
    device: str = ""
    """PyTorch's name of the device: `torch.device("acme")`."""

    def filled(self) -> TargetNames:
        """Copy in which no spelling is empty. Raises UsageError for an invalid name."""
        lower = self.lower or self.target
        names = TargetNames(
            self.target,
            lower,
            self.short or lower[:2],
            self.upper or lower.upper(),
            self.camel or lower.capitalize(),
            self.device or self.target,
        )
        if not _NAME.fullmatch(self.target) or self.target in LAYERS:
            help = "use small letters, digits and _, and begin with a letter"
            raise UsageError(f"'{self.target[:80]}' is not a valid name for a target", help=help)
        for option in ("lower", "short", "device"):
            if not _NAME.fullmatch(value := getattr(names, option)):
                spelled = "prefix" if option == "lower" else option
                help = "begin with a letter; use at most 64 characters"
                text = f"--{spelled} '{value[:80]}' must be small letters, digits and _"
                raise UsageError(text, help=help)
        for option, shape in (("upper", r"[A-Z][A-Z0-9_]{0,63}"), ("camel", r"[A-Z]\w{0,63}")):
            if not re.fullmatch(shape, value := getattr(names, option), re.ASCII):
                help = "use letters, digits and _, at most 64 characters"
                raise UsageError(f"--{option} '{value[:80]}' must begin with a capital", help=help)
        if names.device in C10_DEVICES:
            help = "choose the name of the PrivateUse1 backend with --device"
            raise UsageError(f"device name '{names.device}' is reserved by c10", help=help)
        return names


def create(
    library: MappingLibrary, folder: Path, names: TargetNames, summary: str, like: RuleSet | None
) -> list[Path]:
    """Write `<folder>/<target>/{target.yaml,launch.yaml}` and return the files.

    `like` is the rule set of an existing target; if given, its settings are copied. Raises UsageError when the
    target exists already or a name is invalid, SourceError when the folder cannot be written.
    """
    names = names.filled()
    if names.target in library.targets() or (folder / names.target).exists():
        where = folder / names.target
        where = where if where.exists() else library.root_of(names.target) / names.target
        raise UsageError(f"target '{names.target}' exists already", str(where))
    texts = {
        "target.yaml": profile_text(names, summary, like.profile if like else None),
        "launch.yaml": launch_text(names, like),
    }
    _try(library, names, texts)
    place = folder / names.target
    try:
        place.mkdir(parents=True)
        for name, text in texts.items():
            (place / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"cannot be written: {error.strerror}", str(place)) from None
    return [place / name for name in texts]


def _try(library: MappingLibrary, names: TargetNames, texts: dict[str, str]) -> None:
    """Load the new target from a temporary folder, so that an invalid target leaves no files.

    Raises UsageError for an invalid target.
    """
    with tempfile.TemporaryDirectory() as root:
        place = Path(root, names.target)
        place.mkdir()
        for name, text in texts.items():
            (place / name).write_text(text, encoding="utf-8")
        try:
            loaded = load(MappingLibrary((Path(root), *library.roots)), names.target)
        except MappingError as error:
            raise UsageError(error.problems) from None
    vendor = re.compile("|".join(loaded.vendor_words), re.ASCII)
    prefixes = {
        value for one in loaded.profile.libraries.values() for value in (one.lower, one.upper)
    }
    for value in sorted({names.lower, names.upper, names.camel, *prefixes} - {"", *_OWN_NAMES}):
        # Names in a port must not look like vendor words.
        if vendor.search(value) or vendor.search(f"{value}X"):
            help = "choose other names with --prefix, --short or --upper"
            raise UsageError(f"'{value}' looks like a name of CUDA", help=help)


_OWN_NAMES = frozenset(("cub", "CUB", "thrust", "THRUST", "nccl", "NCCL"))
"""CUDA prefixes that vendors keep unchanged."""
_BY_PREFIX = {
    "runtime": "{lower}",
    "driver": "{short}",
    "blas": "{short}blas",
    "blaslt": "{short}blasLt",
    "dnn": "{short}dnn",
    "rand": "{short}rand",
    "rand_device": "{short}rand",
    "fft": "{short}fft",
    "sparse": "{short}sparse",
    "sparselt": "{short}sparseLt",
    "solver": "{short}solver",
    "nccl": "{short}ccl",
    "nvrtc": "{lower}rtc",
    "nvjitlink": "",
    "cupti": "{short}pti",
    "nvtx": "{short}tx",
    "npp": "",
}
"""Maps an API area to the default prefix of the vendor's library; empty if most vendors have no such library."""
_WHAT = {
    "runtime": "cudaMalloc",
    "driver": "cuMemAlloc",
    "blas": "cublasSgemm",
    "blaslt": "cublasLtMatmul",
    "dnn": "cudnnCreate",
    "rand": "curandCreateGenerator",
    "rand_device": "curand_uniform",
    "fft": "cufftExecC2C",
    "sparse": "cusparseSpMM",
    "sparselt": "cusparseLtInit",
    "solver": "cusolverDnCreate",
    "nccl": "ncclAllReduce",
    "nvrtc": "nvrtcCompileProgram",
    "nvjitlink": "nvJitLinkCreate",
    "cupti": "cuptiActivityEnable",
    "nvtx": "nvtxRangePushA",
    "npp": "nppiResize_8u_C1R",
}
"""Maps an API area to an example of a CUDA name in the area."""


def profile_text(names: TargetNames, summary: str, like: Profile | None) -> str:
    """Text of `target.yaml`, with comments. `names` is a result of `TargetNames.filled`.

    `like` is the profile of an existing target; if given, its settings are copied.
    """
    return "\n".join(
        [*_head(names, summary, like), *_libraries(names, like), *_rest(names, like), ""]
    )


def _head(names: TargetNames, summary: str, like: Profile | None) -> Iterator[str]:
    origin = (
        f", begun from {like.target}"
        if like
        else ", in which every name is CUDA's with another prefix"
    )
    yield f"# The profile of {names.target}{origin}. Check each line against the vendor's SDK."
    yield f"target: {names.target}"
    yield f"summary: {json.dumps(summary or f'{names.camel}, as CUDA with other names')}"
    yield f"names: {{lower: {names.lower}, UPPER: {names.upper}, Camel: {names.camel}}}"
    yield f'device: {names.device}  # torch.device("{names.device}")'
    yield ""


def _libraries(names: TargetNames, like: Profile | None) -> Iterator[str]:
    yield "# Prefix of each library in place of CUDA's prefix. Names that differ in more than the"
    yield "# prefix get rules in files beside this one: see docs/mapping-format.md."
    yield "libraries:"
    for area, shape in _BY_PREFIX.items():
        prefix = TargetLibrary(shape.format(lower=names.lower, short=names.short))
        if like:
            prefix = _like(like.libraries.get(area, TargetLibrary()), names, like)
        if not prefix.lower:
            reason = f"not known yet whether {names.target} has a library in place of this one"
            line = f'  {area}: {{unsupported: "{reason}"}}'
        elif prefix.upper in ("", prefix.lower.upper()):
            line = f"  {area}: {prefix.lower}"
        else:
            line = f"  {area}: {{lower: {prefix.lower}, upper: {prefix.upper}}}"
        yield f"{line:<42}  # {_WHAT[area]}"
    yield ""


def _like(base: TargetLibrary, names: TargetNames, like: Profile) -> TargetLibrary:
    return TargetLibrary(_renamed(base.lower, names, like), _renamed(base.upper, names, like))


def _renamed(text: str, names: TargetNames, like: Profile) -> str:
    """Prefix or header of the target `like`, with the new target's name in place of the name of `like`."""
    short = like.libraries.get("driver", TargetLibrary()).lower
    pairs = [(like.lower, names.lower), (like.upper, names.upper)]
    if _PLAIN.fullmatch(text) and short and like.lower.startswith(short):
        pairs += [(short, names.short), (short.upper(), names.short.upper())]
    for old, new in pairs:
        if old in text:
            return text.replace(old, new)
    return text


def _rest(names: TargetNames, like: Profile | None) -> Iterator[str]:
    suffixes = {k: _renamed(v, names, like) for k, v in like.suffixes.items()} if like else {}
    header = _renamed(like.main_header, names, like) if like and like.main_header else ""
    into = list(like.main_header_into) if like and header else ["cu"]
    yield "# Suffixes of ported files where they differ from CUDA's, such as {cu: mu, cuh: muh}."
    yield f"suffixes: {json.dumps(suffixes)}".replace('"', "")
    yield "# CUDA's compiler includes cuda_runtime.h by itself. Ported files include this header:"
    header = header or f"{names.lower}_runtime.h"
    yield f"main_header: {{include: {header}, insert_into: {json.dumps(into)}}}".replace('"', "")
    yield f"warp_size: {like.warp_size if like else 32}"
    yield "# Macros with CUDA's version numbers, and the values for this target."
    yield "guards:"
    version = like.guards["CUDA_VERSION"].value if like and "CUDA_VERSION" in like.guards else 12040
    yield f"  CUDA_VERSION: {{macro: {names.upper}_COMPAT_VERSION, value: {version}}}"
    yield f"  __CUDA_ARCH__: {{macro: __{names.upper}_COMPAT_ARCH__, value: 700}}"
    yield f"compiler: {{command: {names.lower}cc}}"


def launch_text(names: TargetNames, like: RuleSet | None) -> str:
    """Text of `launch.yaml`, with a rule of each kind whose `first_rule` is not empty.

    The rules are about constructs of CUDA's language, such as launches.
    """
    lines = ["area: pytorch", "rules:"]
    for kind in order.ORDER:
        if kind.first_rule:
            comment = kind.first_rule.replace("{UPPER}", names.upper)
            lines += [f"  # {line}" for line in comment.splitlines()]
            lines.append(f"  - {kind.name}: {json.dumps(_template(like, kind.name, names))}")
    return "\n".join(lines) + "\n"


def _template(rules: RuleSet | None, kind: str, names: TargetNames) -> str:
    """Template of the first rule of a kind in `rules`, with the new target's names; `keep` if none exists."""
    index = next(iter(rules.of_kind(kind)), None) if rules else None
    if rules is None or index is None:
        return "keep"
    text = rules.rules[index].match
    for old, new in ((rules.profile.upper, names.upper), (rules.profile.lower, names.lower)):
        text = text.replace(old, new)
    return text
