"""Steps of a build of custom operators.

1. Generate C++ from the entries of the ops.yaml.
2. Port the sources in `csrc` to the target.
3. Compile the C++ and the ported sources, and check that the objects define the kernels that the entries name.
4. Link the library, and assemble the Python package.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from porter.base.errors import BuildError, Problem, RegisterError, SourceError
from porter.base.fs import write_if_changed
from porter.builder import flags
from porter.builder.libraries import write_version_scripts
from porter.builder.symbol_table import SymbolTable, demangled
from porter.custom_ops import emit, override_cpp, read
from porter.custom_ops.read import line_of
from porter.mapping import build_sets, pytorch_names
from porter.mapping.library import MappingLibrary
from porter.model.build import CompileUnit, SharedLibrary
from porter.model.cuda_project import ByHand
from porter.model.custom_ops import Binding, BuiltOps, OwnOps
from porter.model.rules import RuleSet
from porter.port import cuda_project as project_port
from porter.port import project_names
from porter.port.source_tree import gather
from porter.port.stage import ReportInputs
from porter.register.stage import naming_of
from porter.simt.compiler_plugin import PluginFlags
from porter.toolchain import ninja_file
from porter.toolchain.diagnostics import UpstreamLines, failures
from porter.toolchain.discovery import Torch, default_launcher, find_compiler
from porter.toolchain.jobs import available_bytes, jobs_for
from porter.toolchain.ninja import Progress, locked, run_ninja
from porter.toolchain.ninja_file import Commands

SOURCES = "csrc"
"""Folder of a project's C++ and CUDA sources."""
_COMPILED = (".cu", ".cpp", ".cc", ".cxx")
_GENERATED = "generated"
"""Source set of the C++ that is generated from the entries."""


class OpsBuildSettings(NamedTuple):
    """Options of a build of custom operators."""

    python: str = sys.executable
    """Interpreter for which the backend is installed."""
    jobs: int | None = None
    """Number of parallel compilers; the default is limited by processors and memory."""
    launcher: str | None = None
    """Program that starts the compiler. None: ccache if it is installed. Empty: the compiler is started directly."""
    compiler: str | None = None
    """Compiler command; by default $CXX, else the compiler in the profile."""


DEFAULTS = OpsBuildSettings()


class Against(NamedTuple):
    """Backend against which operators are compiled."""

    torch: Torch
    includes: tuple[Path, ...]
    """Header folders of the backend."""
    lib: Path
    """Folder of the backend's libraries."""
    depends: tuple[Path, ...] = ()
    """Files of the backend. All objects are out of date when one of these files is newer."""
    plugin: Path | None = None
    """Plugin for g++ in the backend's wheel."""


class OpsBuild(NamedTuple):
    """Build of custom operators: its inputs, and a method for each step."""

    folder: Path
    rules: RuleSet
    library: MappingLibrary
    against: Against
    ops: OwnOps
    settings: OpsBuildSettings
    progress: Progress | None

    @property
    def direct(self) -> bool:
        """True if Python calls the kernels without PyTorch's dispatcher."""
        return self.ops.binding is Binding.PYBIND11

    @property
    def name(self) -> str:
        """File name of the library."""
        torch = self.against.torch
        return f"_C{torch.suffix}" if self.direct else f"lib{self.ops.namespace}_ops.so"

    @property
    def ported(self) -> Path:
        return self.folder / "port" / "src"

    @property
    def generated(self) -> Path:
        return self.folder / "generated"

    def run(self, sources: Path) -> BuiltOps:
        """Run all steps and return the built package. `sources` is the folder of the user's sources."""
        with locked(self.folder):
            units = (*self.generate(), *self.port(sources))
            convert = self.write_graph(units)
            made = self.make([ninja_file.OBJECTS], units)
            self.check_kernels(units)
            made += self.make([], units)
            return BuiltOps(
                self.ops,
                self.package(),
                self.rules.profile.device,
                made,
                (*override_cpp.notes(self.ops), *([convert.warning] if convert.warning else [])),
            )

    def generate(self) -> tuple[CompileUnit, ...]:
        """Write the generated C++ and return the compile units among the written files."""
        files = emit.cpp_files(self.ops, read.FILE, naming_of(self.rules.profile))
        for name, text in files.items():
            write_if_changed(self.generated / name, text)
        more = flags.python_flags(self.against.torch) if self.direct else ()
        return tuple(
            CompileUnit(
                *(self.generated / name, f"obj/generated/{name}.o", f"generated/{name}"),
                _GENERATED,
                flags=more,
            )
            for name in files
            if name.endswith(".cpp")
        )

    def port(self, sources: Path) -> tuple[CompileUnit, ...]:
        """Port the user's sources and return the compile units among them.

        Entries without a kernel (`exclude`, `fallback`) need no sources.
        """
        if not any(override_cpp.wanted(self.ops)) and not _has_files(sources):
            return ()
        project = gather([sources])
        table = pytorch_names.read(self.library.special("pytorch", pytorch_names.FILE))
        names = project_names.collect(project, self.rules, table)
        plan = project_port.plan_of(project, self.rules)._replace(names=names)
        mentions = tuple(project_port.mentions(project, plan, self.rules))
        by_hand = ByHand(mentions, project.skipped)
        ported = project_port.port(
            project,
            [sources],
            plan,
            self.rules,
            self.library.digest(self.rules.target),
            self.folder / "port",
            report=ReportInputs(by_hand=by_hand),
        )
        units = tuple(
            CompileUnit(self.ported / one.to, f"obj/{one.to}.o", f"{SOURCES}/{path}", SOURCES)
            for path, one in sorted(ported.manifest.files.items())
            if path.endswith(_COMPILED)
        )
        if not units:
            raise SourceError("the folder contains no C++ or CUDA source", str(sources))
        return units

    def write_graph(self, units: Sequence[CompileUnit]) -> PluginFlags:
        """Write ninja's build files and compile_commands.json; return the flags for float-to-integer conversions."""
        profile, torch = self.rules.profile, self.against.torch
        wanted = self.settings.compiler or os.environ.get("CXX") or profile.compiler or "g++"
        compiler = find_compiler(wanted)
        includes = (self.generated, self.ported, *self.against.includes)
        defines = build_sets.read(self.library, profile).defines
        convert = flags.conversions(profile, compiler, self.folder, self.against.plugin)
        own = flags.own_flags(self.folder, includes, defines, profile, compiler, torch)
        launcher = tuple(shlex.split(default_launcher(self.settings.launcher)))
        commands = Commands(
            compiler.command,
            launcher,
            (*own, *convert.flags_in(self.folder, launcher)),
            profile.build.host_flags,
        )
        jobs = jobs_for(self.settings.jobs or len(os.sched_getaffinity(0)), available_bytes())
        plugins = (convert.plugin,) if convert.plugin else ()
        depends = (torch.root / "version.py", *self.against.depends, *plugins)
        linked = self._library(units)
        scripts = write_version_scripts([linked], self.folder)
        for name, text in (
            (ninja_file.GRAPH, ninja_file.objects_graph(units, commands, jobs, depends)),
            (ninja_file.LIBRARIES, ninja_file.libraries_graph((), [linked], scripts, depends)),
            ("compile_commands.json", ninja_file.compile_commands(units, commands, self.folder)),
        ):
            write_if_changed(self.folder / name, text)
        return convert

    def _library(self, units: Sequence[CompileUnit]) -> SharedLibrary:
        """Shared library of the operators.

        The library exports the operators' C++ functions or, with pybind11, the entry point of a Python module.
        """
        profile, space = self.rules.profile, self.ops.namespace
        link = (f"-L{self.against.lib}", f"-ltorch_{profile.lower}_kernels")
        python = ("torch_python",) if self.direct else ()
        return SharedLibrary(
            name=f"lib/{self.name}",
            units=tuple(units),
            exports=("PyInit__C",) if self.direct else (f"_ZN{len(space)}{space}3ops*",),
            link=(
                *link,
                *flags.runtime_link(profile),
                *flags.torch_link(self.against.torch, *python),
            ),
            # The interpreter defines the symbols that begin with Py.
            complete=not self.direct,
        )

    def make(self, targets: Sequence[str], units: Sequence[CompileUnit]) -> int:
        """Build the given targets of ninja (none: all targets), and return the number of files made.

        Raises BuildError for files that cannot be built.
        """
        jobs = self.settings.jobs
        outcome = run_ninja(self.folder, targets, jobs=jobs, progress=self.progress)
        if failed := failures(outcome, self.folder, units, self._origins(units)):
            raise BuildError(
                Problem(f"{one.path} could not be built\n{one.text}", one.place, one.help)
                for one in failed
            )
        return outcome.done

    def _origins(self, units: Sequence[CompileUnit]) -> UpstreamLines:
        """Paths that messages show for the files in the port and for generated files."""
        paths = {
            unit.source.relative_to(self.ported).as_posix(): unit.path.removeprefix(f"{SOURCES}/")
            for unit in units
            if unit.set == SOURCES
        }
        return UpstreamLines(
            [(self.ported, paths, f"{SOURCES}/"), (self.generated, {}, "generated/")], self.folder
        )

    def check_kernels(self, units: Sequence[CompileUnit]) -> None:
        """Raise RegisterError unless the objects define every named kernel with the signature of its schema."""
        own = [self.folder / unit.object for unit in units if unit.set == SOURCES]
        registers = [self.folder / unit.object for unit in units if unit.set == _GENERATED]
        table = SymbolTable(self.folder / ".symbols")
        defined = frozenset().union(*(one.defined for one in table.of(own)))
        needed = frozenset().union(*(one.undefined for one in table.of(registers)))
        table.save()
        missing = set(demangled(needed - defined).values())
        there = sorted(demangled(defined).values())
        problems = []
        for kernel in override_cpp.wanted(self.ops):
            if any(name.startswith(kernel.called) for name in missing):
                others = [name for name in there if name.startswith(kernel.called)]
                help = f"correct the signature of {others[0]}" if others else ""
                text = f"no source of {SOURCES} defines {kernel.text}"
                problems.append(Problem(text, kernel.place, help))
        if problems:
            raise RegisterError(sorted(problems, key=line_of))

    def package(self) -> Path:
        """Assemble the Python package and return its folder."""
        place = self.folder / "python" / self.ops.namespace
        texts = emit.python_files(self.ops, self.name)
        for function in emit.python_functions(self.ops):
            texts[function.file.name] = function.file.read_text(encoding="utf-8")
        for name, text in texts.items():
            write_if_changed(place / name, text)
        new = place / f".{self.name}.new"
        shutil.copy2(self.folder / "lib" / self.name, new)
        new.replace(place / self.name)
        for old in place.iterdir():
            # Remove files of former entries or of another binding.
            if old.is_file() and old.name not in (*texts, self.name):
                old.unlink()
        return place


def _has_files(folder: Path) -> bool:
    return any(path.is_file() for path in folder.rglob("*"))
