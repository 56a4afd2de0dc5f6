"""The `porter` command: parses arguments, calls a subcommand, and exits.

The module of a subcommand is imported only when the user calls the subcommand, so that every command starts fast.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
from typing import NamedTuple

import click

import porter
from porter.base import stop_signals
from porter.base.errors import Findings, SourceError
from porter.cli import exit_codes, streams


class _Entry(NamedTuple):
    """Subcommand of `porter`. Its module is imported when the user calls the subcommand."""

    place: str
    """Module and function of the subcommand, for example `porter.cli.run:run`."""
    summary: str
    """Line about the subcommand in `porter --help`, which imports no subcommand."""


_COMMANDS = {
    "run": _Entry("porter.cli.run:run", "Port PyTorch to a target: the main job."),
    "verify": _Entry(
        "porter.cli.verify:verify", "Check every operator of an installed backend against the CPU."
    ),
    "device-tests": _Entry(
        "porter.cli.device_tests:device_tests",
        "Run PyTorch's own device-generic tests on an installed backend.",
    ),
    "port": _Entry("porter.cli.port:port", "Port any other CUDA source, such as an extension."),
    "extension": _Entry(
        "porter.cli.extension:extension",
        "Build unmodified packages that extend PyTorch for CUDA.",
    ),
    "toolkit": _Entry(
        "porter.cli.toolkit:toolkit",
        "Print a folder for use as CUDA_HOME, with a compiler driver like nvcc.",
    ),
    "check": _Entry(
        "porter.cli.check:check",
        "Find races, bad memory and missing barriers in CUDA programs, without a GPU.",
    ),
    "op": _Entry("porter.cli.op:op", "Create, build and test custom operators."),
    "scan": _Entry(
        "porter.cli.scan:scan", "List CUDA APIs and hazards in sources before porting them."
    ),
    "explain": _Entry(
        "porter.cli.explain:explain",
        "Show which rule made an edit, and the rule's line in a mapping file.",
    ),
    "regenerate": _Entry(
        "porter.cli.regenerate:regenerate",
        "Make every port again and compare it with its lock file.",
    ),
    "overlay": _Entry(
        "porter.cli.overlay:overlay", "Keep hand-made changes of ported files across releases."
    ),
    "compare": _Entry(
        "porter.cli.compare:compare", "Port one tree to two targets and compare the two ports."
    ),
    "diff": _Entry(
        "porter.cli.diff:diff",
        "Compare two ports, lock files, or results of verify or device-tests.",
    ),
    "report": _Entry("porter.cli.report:report", "Show the report of an existing port."),
    "mapping": _Entry(
        "porter.cli.mapping:mapping",
        "Check, show and import mappings; count the CUDA names that they cover.",
    ),
    "target": _Entry("porter.cli.target:target", "List the targets, or create a new one."),
    "release": _Entry(
        "porter.cli.release:release",
        "List the known PyTorch releases and the stages proven on each; fetch a release.",
    ),
    "upgrade": _Entry(
        "porter.cli.upgrade:upgrade",
        "List the changes to a target's files that a new release of PyTorch requires.",
    ),
    "abi": _Entry(
        "porter.cli.abi:abi", "Compare the layouts of PyTorch's classes in two releases."
    ),
    "simt": _Entry(
        "porter.cli.simt:simt",
        "Build the runtime of target simt: it runs ported CUDA programs on the host CPU.",
    ),
    "doctor": _Entry(
        "porter.cli.doctor:doctor", "Check that this machine has everything that porter needs."
    ),
}
"""Maps the name of each subcommand to its entry, in the order of `porter --help`."""


class _Lazy(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _COMMANDS:
            return None
        module, attribute = _COMMANDS[name].place.split(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry.summary) for name, entry in _COMMANDS.items()])


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(porter.__version__, prog_name="porter")
def cli() -> None:
    """Port PyTorch's CUDA backend to an accelerator whose runtime resembles CUDA.

    The main command:  porter run --pytorch-src ../pytorch --target simt

    Exit codes: 0 done, 1 findings, 2 usage, 3 mapping, 4 release or source, 5 overlay conflict, 6 register, 7 build,
    8 verify, 70 internal error, 130 interrupted.
    """


def main(args: list[str] | None = None) -> None:
    """Run porter and end the process with the command's exit code. Every error becomes a message on stderr.

    `args` are the arguments; by default, those of the process.
    """
    # Nearly all objects live until the end of the command. By default, Python searches them for garbage after every
    # 700 new objects, which would take a tenth of a short run.
    gc.set_threshold(1_000_000, 50, 50)
    written = streams.install()
    stop_signals.install()
    code = call(args)
    stop_signals.end_children()
    # The work is complete: stop signals are ignored from here on.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if (lost := written.finish()) and code in (0, Findings.code):
        text = f"stdout cannot be written: {lost.strerror}; the command did its work, but its output is lost"
        help = "write stdout to another file or device, and run the command again"
        code = exit_codes.report_error(SourceError(text, help=help))
        written.finish()
    # sys.exit would destroy all objects one by one before the process ends.
    os._exit(code)


def call(args: list[str] | None = None) -> int:
    """Run porter with the arguments and return the exit code. Every error becomes a message on stderr."""
    try:
        result = cli.main(args, prog_name="porter", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except (Exception, KeyboardInterrupt) as error:
        return exit_codes.report_error(error)
