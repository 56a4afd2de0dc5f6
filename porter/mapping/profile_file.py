"""The profile of a target: `<target>/target.yaml`."""

from __future__ import annotations

from collections.abc import Mapping

from porter.base.errors import Problem, did_you_mean
from porter.mapping import schema
from porter.mapping.document import Document
from porter.mapping.file_problems import FileProblems
from porter.mapping.library import MappingLibrary
from porter.mapping.selection_file import exclusions, folders
from porter.model import seams
from porter.model.cuda_project import SOURCE_SUFFIXES
from porter.model.rules import (
    Guard,
    Profile,
    SdkVersion,
    SourceFlags,
    TargetBuild,
    TargetLibrary,
    VendorSdk,
)

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


def read_profile(library: MappingLibrary, target: str, problems: FileProblems) -> Profile | None:
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
        folders=folders(entry.selection.folders, doc, ["selection", "folders"], problems),
        excluded=exclusions(entry.selection.exclude, doc, ["selection", "exclude"]),
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
    entry: schema.ProfileFile, doc: Document, known: Mapping[str, list[str]], problems: FileProblems
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


def _check_suffixes(entry: schema.ProfileFile, doc: Document, problems: FileProblems) -> None:
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
        not_built=exclusions(entry.not_built, doc, ["build", "not_built"]),
    )
