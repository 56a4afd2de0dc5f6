"""Port of a few lines and a replacement for PyTorch with a few symbols, so that a whole build takes a second.

The replacement has the parts of PyTorch that the build stage reads: a version, headers, and shared libraries. Sources
are compiled and linked as in any build.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from porter.builder import stage
from porter.builder.build_context import BuildSettings
from porter.model.build import BuildResult, BuildRules, NotBuilt
from porter.model.manifest import Manifest, PortedFile, to_text
from porter.model.rules import Exclusion, Origin, Profile, TargetBuild

RELEASE = "2.6.0"
NATIVE = "aten/src/ATen/native"
PROFILE = Profile(
    target="acme",
    summary="",
    lower="acme",
    upper="ACME",
    camel="Acme",
    device="acme",
    compiler="g++",
    compiler_flags=("-x", "c++", "-std=c++17"),
    build=TargetBuild(optimise=("-O0",)),
)
RULES = BuildRules(
    sets={"host": ("c10/cuda/*.cpp",), "core": (f"{NATIVE}/cuda/*.cu",)},
    not_built=(Exclusion(f"{NATIVE}/cuda/Later.cu", "for another day", Origin("build.yaml", 1)),),
)
C10 = """
#include <string>
namespace c10::detail {
void torchCheckFail(const char*, const char*, unsigned, const std::string&) {}
}
"""
CPU = "namespace at { int version() { return 26; } }"
SHOWN = '__attribute__((visibility("default")))'
CUDA = """
namespace at::native { int only_cuda() { return 1; } }
extern "C" int torch_acme_twice() { return 2; }
"""
HOST = "namespace at { int version(); }\nnamespace c10::acme { int count() { return at::version(); } }\n"
KERNEL = "namespace at::native {{ int {name}_cuda() {{ return 1; }} }}\n"


@dataclass
class Tiny:
    """Port in `folder`, an interpreter that finds a PyTorch, and results of the last build."""

    folder: Path
    python: Path
    profile: Profile = PROFILE
    rules: BuildRules = RULES
    kernels: tuple[Path, ...] = ()
    """Kernels that the register stage generated."""
    steps: list[str] = field(default_factory=list)
    """Files made by the last build, in order."""
    emitted: list[str] = field(default_factory=list)
    """Names of the objects for which registrations were requested."""
    missing: dict[str, str] = field(default_factory=dict)
    """Maps each source that the last build left out to the reason."""

    def write(self, sources: Mapping[str, str]) -> None:
        """Write ported files, and the manifest of all files written so far. `sources` maps upstream paths to texts."""
        for path, text in sources.items():
            place = self.source(path)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text)
            sha = hashlib.sha256(text.encode()).hexdigest()
            self.files[path] = PortedFile(path, _ported(path), "test", sha, sha, 0)
        manifest = Manifest("acme", RELEASE, "", "", self.files)
        (self.folder / "manifest.json").write_text(to_text(manifest))

    def __post_init__(self) -> None:
        self.files: dict[str, PortedFile] = {}
        self.write({"c10/cuda/Host.cpp": HOST, self.kernel("Abs"): KERNEL.format(name="abs")})

    def kernel(self, name: str) -> str:
        """Upstream path of the kernel source with this name."""
        return f"{NATIVE}/cuda/{name}.cu"

    def source(self, path: str) -> Path:
        """Path of the ported file for an upstream path."""
        return self.folder / "src" / _ported(path)

    def emit(self, objects: Sequence[Path], missing: Sequence[NotBuilt]) -> list[Path]:
        """Write a registration source that lists the objects, if the list has changed. Returns the source's path."""
        self.emitted = [place.name for place in objects]
        self.missing = {left.path: left.reason for left in missing}
        place = self.folder / "register" / "RegisterAcme_0.cpp"
        text = f'// {" ".join(self.emitted)}\nextern "C" {SHOWN} int torch_acme_registered() {{ return 1; }}\n'
        if not place.is_file() or place.read_text() != text:
            place.parent.mkdir(exist_ok=True)
            place.write_text(text)
        return [place]

    def build(self, **settings: object) -> BuildResult:
        """Run the build stage, by default with one job and no launcher. `settings` are fields of BuildSettings."""
        self.steps = []
        given = {"jobs": 1, "launcher": "", "python": str(self.python), **settings}
        with stage.opened(
            self.folder,
            self.profile,
            self.rules,
            BuildSettings(**given),  # type: ignore[arg-type]  # by name
            self.kernels,
            lambda done, total, what: self.steps.append(what),
        ) as build:
            compiled = stage.compile_port(build)
            linked = stage.link(build, compiled, self.emit(compiled.objects, compiled.missing))
            return stage.check(build, compiled, linked)


def install_torch(site: Path, version: str = RELEASE, abi: int = 0) -> Path:
    """Write the replacement for PyTorch into the package folder `site`; returns an interpreter that finds it there."""
    torch = site / "torch"
    (torch / "lib").mkdir(parents=True)
    (torch / "include").mkdir()
    (torch / "__init__.py").write_text("raise ImportError('it is looked at, not imported')\n")
    (torch / "version.py").write_text(f"__version__ = '{version}+cpu'\n")
    texts = {"c10": C10, "torch_cpu": CPU, "torch_cuda": CUDA, "torch_python": ""}
    for name, text in texts.items():
        source = site / f"{name}.cpp"
        source.write_text(text)
        command = ["g++", "-std=c++17", f"-D_GLIBCXX_USE_CXX11_ABI={abi}", "-shared", "-fPIC"]
        command.append(f"-Wl,-soname,lib{name}.so")
        place = torch / "lib" / f"lib{name}.so"
        subprocess.run([*command, str(source), "-o", str(place)], check=True)
    python = site / "python"
    python.write_text(f'#!/bin/sh\nPYTHONPATH="{site}" exec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return python


def fake_compiler(place: Path, then: str) -> str:
    """Create a compiler script, which passes queries to g++ and runs the shell command `then` to compile or link.

    Returns the path of the script.
    """
    place.write_text(
        "#!/bin/sh\n"
        'case " $* " in\n'
        '  *" -dM "*|*-print-file-name*) exec g++ "$@";;\n'
        "esac\n"
        f"{then}\n"
    )
    place.chmod(0o755)
    return str(place)


def _ported(path: str) -> str:
    return path.replace("/cuda/", "/acme/")
