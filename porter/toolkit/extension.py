"""Build of a wheel for a target from the sources of an unmodified package that extends PyTorch for CUDA."""

from __future__ import annotations

import itertools
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from porter.base import fs
from porter.base.errors import BuildError, SourceError
from porter.mapping import pytorch_names as pytorch_table
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.cuda_project import ByHand, is_source
from porter.model.extension import BuiltExtension, SharedFile
from porter.model.ported import Ported
from porter.model.rules import Profile, RuleSet
from porter.port import cuda_project as project_port
from porter.port import project_names
from porter.port.source_tree import gather
from porter.port.stage import PortSettings, ReportInputs
from porter.report import cuda_project_report
from porter.toolchain.discovery import find_torch
from porter.toolkit import build_environment, extension_report, pip_output, python_lines, sdist
from porter.toolkit.cached_folder import made
from porter.toolkit.inputs import Wanted

_ERROR = re.compile(r"^\s*(?P<place>[^\s:][^:\n]*:\d+)(?::\d+)?: (?:fatal )?error: ", re.M)
_AFTER_ERRORS = re.compile(r"ninja: |Traceback |error: command |\[\d+/\d+\] ")
_LINES = 30
"""Number of lines of a compiler's messages in an error."""
_CUDA = (".cu", ".cuh")

Lap = Callable[[str], None]


class BuildSettings(NamedTuple):
    """Options of a build of an extension."""

    target: str
    python: str
    """Interpreter with PyTorch and with the target's backend."""
    mappings: tuple[Path, ...] = ()
    jobs: int = 1
    """Number of parallel compilers."""


def build(
    given: str, out: Path, settings: BuildSettings, lap: Lap, seconds: dict[str, float]
) -> BuiltExtension:
    """Build the wheel of a package into a folder below `out`, named by the package, with a report.

    `given` is a folder, an sdist or a requirement. The folder is replaced atomically at the end. Raises SourceError for
    unusable sources and for an `out` that cannot be written, BuildError if the backend is not installed or the package
    does not build. After an error, `out` is unchanged.
    """
    fs.check_writable(out)
    torch = find_torch(settings.python)
    library = MappingLibrary.find(settings.mappings)
    rules = rule_cache.checked_rule_set(library, settings.target, torch.release)
    toolkit = made(Wanted(settings.target, settings.mappings, torch.release, torch))
    environment = build_environment.with_toolkit(toolkit, rules.profile.upper, settings.jobs)
    with tempfile.TemporaryDirectory(prefix="porter-extension-") as folder:
        scratch = Path(folder)
        root = sdist.unpack(given, scratch, settings.python, environment)
        environment.update(build_environment.from_sources(root))
        lap("fetch")
        ported, by_hand = _ported(root, scratch / "port", rules, library, settings, given)
        lines = tuple(python_lines.find(root))
        if not any(path.endswith(_CUDA) for path in ported.manifest.files) and not _edits(ported):
            raise _no_cuda(given)
        lap("port")
        wheel = _wheel(root, scratch / "dist", settings, environment, given)
        libraries = _libraries(wheel, rules.profile)
        if not any(one.uses_device for one in libraries):
            raise _without_device(wheel, rules.profile, given)
        lap("build")
        summary = cuda_project_report.summary_of(ported.manifest, rules)
        name = "-".join(wheel.name.split("-")[:2])
        place = out / name
        result = BuiltExtension(
            *(name, settings.target, place / wheel.name, libraries, lines),
            *(ported.manifest, summary, by_hand, seconds),
        )
        try:
            with fs.exclusive(place) as staging:
                (staging / wheel.name).write_bytes(wheel.read_bytes())
                extension_report.write(staging, result)
                fs.swap_in(staging, place)
        except OSError as error:
            raise fs.cannot_write(error, place) from None
    return result


def _ported(
    root: Path,
    folder: Path,
    rules: RuleSet,
    library: MappingLibrary,
    settings: BuildSettings,
    given: str,
) -> tuple[Ported, ByHand]:
    """Port of the sources, for the report only: the compiler driver ports the sources again while it compiles."""
    if not any(is_source(place.name) for place in root.rglob("*")):
        raise _no_cuda(given)
    project = gather([root], skip_unreadable=True)
    table = pytorch_table.read(library.special("pytorch", pytorch_table.FILE))
    names = project_names.collect(project, rules, table, jobs=settings.jobs)
    plan = project_port.plan_of(project, rules)._replace(names=names)
    by_hand = ByHand(tuple(project_port.mentions(project, plan, rules)), project.skipped)
    ported = project_port.port(
        project,
        [root],
        plan,
        rules,
        library.digest(rules.target),
        folder,
        PortSettings(settings.jobs),
        ReportInputs(by_hand=by_hand),
    )
    return ported, by_hand


def _no_cuda(given: str) -> SourceError:
    text = "the package contains no CUDA source"
    return SourceError(text, given, f"install it as it is: pip install {_for_pip(given)}")


def _without_device(wheel: Path, profile: Profile, given: str) -> BuildError:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    if any(name.endswith(_CUDA) for name in names) and not any(".so" in name for name in names):
        text = "the package has no library to build: it compiles its CUDA sources when a program uses them"
        run = f"python -m torch_{profile.lower}.as_cuda PROGRAM"
        help = f"pip install --no-deps {_for_pip(given)}, and run programs by: {run}"
        return BuildError(text, given, help)
    text = "the package was built without CUDA: no library in its wheel uses the device"
    help = "see the package's documentation for the option that builds CUDA kernels"
    return BuildError(text, given, help)


def _for_pip(given: str) -> str:
    """Argument of `pip install`. pip reads a folder without a slash as the name of a package."""
    return f"./{given}" if Path(given).is_dir() and "/" not in given else given


def _edits(ported: Ported) -> int:
    return sum(file.edits for file in ported.manifest.files.values())


def _wheel(
    root: Path, dist: Path, settings: BuildSettings, environment: Mapping[str, str], given: str
) -> Path:
    """Wheel that pip makes from the sources. Raises BuildError with the first compiler error or pip's last lines."""
    command = [
        settings.python,
        "-m",
        "pip",
        "wheel",
        "--no-build-isolation",
        "--no-deps",
        "--no-cache-dir",
    ]
    command += ["--disable-pip-version-check", "--wheel-dir", str(dist), "."]
    done = subprocess.run(
        command,
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
        env=dict(environment),
    )
    wheels = sorted(dist.glob("*.whl"))
    if done.returncode == 0 and len(wheels) == 1:
        return wheels[0]
    said = done.stdout.replace(f"{root}/", "")
    if error := _ERROR.search(said):
        lines = said[error.start() :].strip("\n").splitlines()
        outdented = (line.removeprefix("      ") for line in lines)
        # The errors precede the messages of ninja and of setup.py.
        errors = itertools.takewhile(lambda line: not _AFTER_ERRORS.match(line), outdented)
        text = "\n".join(itertools.islice(errors, _LINES))
        help = pip_output.missing_header(text, root)
        raise BuildError(f"the package does not compile\n{text}", error["place"].strip(), help)
    raise pip_output.own_failure(said, given) or pip_output.build_failure(said, given)


def _libraries(wheel: Path, profile: Profile) -> tuple[SharedFile, ...]:
    """Shared libraries in a wheel. A library uses the device if it contains the name of a library of the target."""
    needed = [f"libtorch_{profile.lower}_kernels.so".encode()]
    needed += [b"libsimt.so"] if profile.build.runtime == "simt" else []
    needed += [f"lib{word[2:]}.so".encode() for word in profile.build.link if word.startswith("-l")]
    found = []
    with zipfile.ZipFile(wheel) as file:
        for name in sorted(file.namelist()):
            if name.endswith(".so"):
                content = file.read(name)
                found.append(SharedFile(name, any(text in content for text in needed)))
    return tuple(found)
