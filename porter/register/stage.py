"""The register stage: `prepare` runs before the kernels are compiled, `register` afterwards.

    ready = prepare(inputs, out)                     # headers and kernels that ported sources need
    ...                                              # compile the port and ready.kernels
    done = register(inputs, objects, out)            # registrations of kernels in the objects
    ...                                              # compile done.sources, link

Only files whose text changes are written, so that a second build without changes compiles nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.fs import cannot_write, refuse_links_out, write_if_changed
from porter.mapping import registration as registration_rules
from porter.model.ops import KEYS, Catalogue, Ready, Registered, tallies
from porter.model.rules import Profile
from porter.register import catalogue, dispatch_stubs, emit, exported_symbols, source_scan
from porter.register.catalogue import TorchgenSource
from porter.register.decide import BuildFacts, decide
from porter.register.torchgen_names import TargetNaming
from porter.report import registration as registration_report


class Inputs(NamedTuple):
    """Inputs of the register stage: target, release, rules, and the files to inspect."""

    profile: Profile
    torchgen: TorchgenSource
    """torchgen of the release: `catalogue.in_tree` or `catalogue.in_wheel`."""
    rules: Path
    """Path of the file `registration.yaml` (`porter.mapping.registration.FILE`) in the layer `pytorch`."""
    tree: Path | None = None
    """Source tree of the release.

    If None, the stubs of kernels are unknown, and operators are registered without a check of their stubs.
    """
    library: Path | None = None
    """libtorch_cpu.so of the installed PyTorch.

    If None, the release's sources determine which kernels libtorch_cpu provides.
    """
    ported: tuple[Path, ...] = ()
    """Folders of ported sources: the port, and the ported sources of the backend."""
    replaced: Mapping[str, str] = {}
    """Maps each PyTorch operator that the target's ops.yaml replaces or leaves out to a description for ops.json."""


def naming_of(profile: Profile) -> TargetNaming:
    """Names that generated text contains for the target of a profile."""
    cuh = profile.suffixes.get("cuh", "cuh")
    return TargetNaming(profile.lower, profile.upper, profile.main_header, cuh)


def prepare(inputs: Inputs, out: Path) -> Ready:
    """Write the headers and kernels that torchgen generates for ported sources into `out`, and return their paths.

    Raises RegisterError if torchgen fails or if a ported source includes a header that torchgen cannot generate. Raises
    SourceError if the release has no torchgen or `out` cannot be written.
    """
    refuse_links_out(out)
    known = catalogue.read(inputs.torchgen)
    naming = naming_of(inputs.profile)
    stems = source_scan.headers(
        inputs.ported, known.direct, naming, inputs.profile.suffixes.values()
    )
    headers = emit.direct_headers(known.direct, stems, naming)
    kernels = emit.ufunc_kernels(known.ufuncs, naming)
    include = out / "include"
    _write(
        include / "ATen" / "ops", "*.h", {Path(path).name: text for path, text in headers.items()}
    )
    _write(out, "Ufunc*.cu", kernels)
    return Ready(include, tuple(out / name for name in kernels))


def register(
    inputs: Inputs,
    objects: Sequence[Path] | None,
    out: Path,
    not_built: Mapping[str, str] | None = None,
    progress: Callable[[str], None] = lambda text: None,
) -> Registered:
    """Write ops.json and registrations into `out`. Returns their paths, the decisions, and the numbers of operators.

    An operator is registered if the objects or libtorch provide its kernel.

    Args:
        objects: compiled objects, also those of the backend's own sources; None assumes that every source is built.
        not_built: maps an upstream path to the reason why it was not built; the reasons appear in ops.json.
        progress: called with a description of each step.

    Raises:
        RegisterError: torchgen fails.
        MappingError: the rules are malformed.
        SourceError: the release has no torchgen, an object's symbols cannot be read, or `out` cannot be written.
    """
    progress("reading the operators of the release")
    known = catalogue.read(inputs.torchgen)
    rules = registration_rules.read(inputs.rules)
    progress("reading symbols")
    memory = out / ".symbols.json"
    facts = BuildFacts(
        exported=exported_symbols.exported(inputs.library) if inputs.library else None,
        provided=None if objects is None else exported_symbols.provided(objects, memory),
        needs=_needs(inputs, known, progress),
        unsupported=_unsupported(inputs.profile),
        not_built=not_built or {},
        excluded_files=inputs.profile.excluded,
        by_hand=source_scan.by_hand(inputs.ported, inputs.profile.suffixes.values())
        | {(KEYS["CUDA"], name): said for name, said in inputs.replaced.items()},
    )
    decisions = decide(known, facts, rules, KEYS)
    progress("writing registrations")
    texts = emit.registrations(known, decisions, naming_of(inputs.profile))
    _write(out, "Register*.cpp", texts)
    _write(out, "ops.json", {"ops.json": registration_report.as_json(decisions)})
    sources = tuple(out / name for name in texts)
    return Registered(sources, decisions, tallies(decisions), out / "ops.json")


def _needs(
    inputs: Inputs, known: Catalogue, progress: Callable[[str], None]
) -> dispatch_stubs.StubNeeds | None:
    if not inputs.tree:
        return None
    progress("reading which stubs the kernels need")
    return dispatch_stubs.read(inputs.tree, emit.filled_by(known.ufuncs))


def _unsupported(profile: Profile) -> dict[str, str]:
    return {name: lib.unsupported for name, lib in profile.libraries.items() if lib.unsupported}


def _write(folder: Path, pattern: str, texts: Mapping[str, str]) -> None:
    """Make the files in a folder that match `pattern` equal to `texts`, which maps file names to texts.

    Files whose text differs are written; files without an entry are deleted.
    """
    try:
        for path in folder.glob(pattern):
            if path.name not in texts:
                path.unlink()
    except OSError as error:
        raise cannot_write(error, folder) from None
    for name, text in texts.items():
        write_if_changed(folder / name, text)
