"""Writer of the unpacked wheel: the package from its templates, the libraries, and the metadata for installers."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import porter
from porter.base import templates as texts
from porter.model.package import Libraries, PackageSpec
from porter.package.libraries import make_relocatable

if TYPE_CHECKING:
    from jinja2 import Environment

_TEMPLATES = "package"
_PACKAGE = "torch_device"
"""Template folder that becomes `torch_<lower>`."""
_DIST_INFO = ("METADATA", "WHEEL", "entry_points.txt")


def templates() -> Iterator[Path]:
    """All template files, in a fixed order."""
    yield from sorted(
        path
        for path in texts.folder(_TEMPLATES).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )


def version_of(spec: PackageSpec) -> str:
    """Version of the wheel, `<torch>+porter<porter>`, normalized as PEP 440 requires."""
    # Imported late: a run without changes needs no versions.
    from packaging.version import Version

    return str(Version(f"{spec.release}+porter{porter.__version__}"))


def write(tree: Path, spec: PackageSpec, libraries: Libraries) -> None:
    """Write all files of the wheel into the folder `tree`. Permissions do not depend on the umask."""
    version = version_of(spec)
    values = _values(spec, libraries, version)
    package = tree / f"torch_{spec.profile.lower}"
    info = tree / f"torch_{spec.profile.lower}-{version}.dist-info"
    root = texts.folder(_TEMPLATES)
    environment = texts.environment(_TEMPLATES)
    for source in templates():
        inside = source.relative_to(root)
        if inside.parts[0] == _PACKAGE:
            _write(package.joinpath(*inside.parts[1:]), source, root, environment, values)
        elif inside.stem in _DIST_INFO:
            _write(info / inside, source, root, environment, values)
    needed = ("torch/lib", *(Path(one.package, one.library).parent for one in spec.runtime.preload))
    beside = [f"../../{folder}" for folder in needed]
    for library in libraries.shared:
        _copy_library(library, package / "lib" / library.name, beside)
    _copy_library(libraries.stub, package / libraries.stub.name)
    for text in spec.licenses:
        _copy(text, info / "licenses" / text.name)
    for file in spec.own_ops_files:
        copy = _copy_library if file.suffix == ".so" else _copy
        copy(file, package / "ops" / file.name)
    if plugin := spec.runtime.plugin:
        _copy(plugin, package / "plugin" / plugin.name, 0o755)
    for name, header in spec.headers.items():
        _copy(header, package / "include" / name)


def _values(spec: PackageSpec, libraries: Libraries, version: str) -> dict[str, Any]:
    """Variables for the templates of the package."""
    profile = spec.profile
    return {
        "target": profile.target,
        "cuda": profile.cuda_release,
        "lower": profile.lower,
        "UPPER": profile.upper,
        "Camel": profile.camel,
        "device": profile.device,
        "release": spec.release,
        "porter": porter.__version__,
        "version": version,
        "cxx11_abi": spec.cxx11_abi,
        "preload": spec.runtime.preload,
        "requires": spec.runtime.requires,
        "plugin": spec.runtime.plugin.name if spec.runtime.plugin else "",
        "libraries": [library.name for library in libraries.shared],
        "licenses": [text.name for text in spec.licenses],
        "layout": spec.layout,
        "collectives": any(path.name.endswith("_distributed.so") for path in libraries.shared),
        "own_ops": spec.own_ops is not None,
        "tags": [libraries.tag],
        "python": libraries.python,
    }


def _write(
    place: Path, source: Path, root: Path, environment: Environment, values: Mapping[str, Any]
) -> None:
    if source.suffix != ".jinja":
        _copy(source, place)
        return
    place = place.with_suffix("")
    place.parent.mkdir(parents=True, exist_ok=True)
    template = environment.get_template(source.relative_to(root).as_posix())
    place.write_text(template.render(values), encoding="utf-8")
    place.chmod(0o644)


def _copy(source: Path, place: Path, mode: int = 0o644) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, place)
    place.chmod(mode)


def _copy_library(source: Path, place: Path, beside: Sequence[str] = ()) -> None:
    _copy(source, place, 0o755)
    make_relocatable(place, source, beside)
