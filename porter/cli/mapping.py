"""`porter mapping`: checks, shows and imports mappings, measures their coverage, and lists an SDK's declarations."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from porter.base import fs, regular_files
from porter.base.errors import Findings, MappingError, UsageError, did_you_mean
from porter.cli import console, options
from porter.cli.mapping_mutate import mutate
from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.evidence import Evidence

_MOST_NAMES = 4 << 20
"""Largest number of characters read from stdin; the names in CUDA's headers have 0.6 million together."""
_NO_RELEASE = ""
"""Value in place of a release that selects the rules of all releases."""


@click.group()
def mapping() -> None:
    """Check, show and import mappings (the rules that replace CUDA's names), and measure their coverage of CUDA."""


mapping.add_command(mutate)


@mapping.command(short_help="Find errors in mappings.")
@click.option(
    "--target",
    "-t",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Target to check; may be given several times. Default: the targets of porter.toml, else all targets.",
)
@options.sdk
@options.mappings
@options.as_json
@options.html
def check(
    targets: tuple[str, ...],
    sdk_dirs: tuple[Path, ...],
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
    page: Path | None,
) -> int:
    """Find all errors in the mapping files in one run.

    An error makes a port wrong or impossible (exit code 3): a malformed file, contradictory rules, a replacement that
    a second rule would replace again, or an example whose result differs from the stated result. A warning is about a
    rule without effect (exit code 1).

    With --sdk and one --target, the names that the target's rules write are looked up in the headers of the SDK. It is
    an error if no header declares such a name. It is also an error if the parameters of a function differ in number or
    kind from those of CUDA's function, unless a `call` rule rewrites the calls; and if a `call` rule writes a call that
    the SDK's function does not accept. Exit code 7: the SDK has another version than the profile accepts.

    \b
    porter mapping check
    porter mapping check --target acme --mappings ../acme-mappings
    porter mapping check --target hip --sdk /opt/rocm --html mappings.html
    """
    from porter.inspect.mapping_findings import check_targets
    from porter.mapping.places import Places
    from porter.report import mapping_check
    from porter.report.pages import mapping_check_page

    library = MappingLibrary.find(mapping_dirs)
    chosen = options.targets(targets, mapping_dirs) or library.targets()
    if sdk_dirs and len(chosen) != 1:
        raise UsageError("--sdk needs exactly one target", help="add --target NAME")
    checked = check_targets(library, chosen)
    if sdk_dirs and not checked.refused:
        from porter.inspect import sdk_check

        found = sdk_check.check(library, chosen[0], sdk_dirs)
        checked = checked.with_findings(chosen[0], found)
    results = (checked.done, checked.findings, checked.refused)
    if page:
        fs.write_if_changed(page, mapping_check_page.render(*results, Places(library).text_at))
    if as_json:
        console.print_json(mapping_check.document(*results))
    else:
        console.print_lines(mapping_check.lines(checked.done))
    for problem in checked.warnings:
        located = options.located(problem, mapping_dirs)
        console.note(str(located).replace("error:", "warning:", 1))
    if checked.errors:
        raise MappingError(checked.errors)
    return 1 if checked.findings else 0


@mapping.command(short_help="List the declarations in the headers of an SDK.")
@options.target
@options.sdk
@options.mappings
@options.as_json
def inventory(
    target: str, sdk_dirs: tuple[Path, ...], mapping_dirs: tuple[Path, ...], as_json: bool
) -> int:
    """List the declarations in the headers of the target's SDK.

    The list has functions with the kinds of their parameters, types, enumerators, variables and macros.
    libclang (`pip install 'porter[sdk]'`) reads each header that a port to the target includes. Exit code 1: libclang
    reports errors in a header, and declarations may be missing from the list.

    \b
    porter mapping inventory --target hip --sdk /opt/rocm/include
    porter mapping inventory --target hip --sdk /opt/rocm/include --json
    """
    from porter.inspect import sdk_inventory
    from porter.report import sdk_inventory as report

    if not sdk_dirs:
        raise UsageError("the option --sdk is missing", help="add --sdk DIR")
    library = MappingLibrary.find(mapping_dirs)
    with console.progress("reading headers") as progress:
        found = sdk_inventory.read(library, target, sdk_dirs, progress)
    if as_json:
        console.print_json(report.document(found))
    else:
        console.print_lines(report.lines(found))
    return 1 if found.incomplete else 0


@mapping.command(short_help="Count the CUDA names that a target's mappings cover.")
@options.target
@click.option("--names", is_flag=True, help="Also list the names that no rule matches.")
@click.option("--reasons", is_flag=True, help="Also count the unsupported names by reason.")
@click.option(
    "--collisions", is_flag=True, help="Also list the target names that replace several CUDA names."
)
@options.sdk
@options.require
@options.mappings
@options.as_json
def coverage(
    target: str,
    names: bool,
    reasons: bool,
    collisions: bool,
    sdk_dirs: tuple[Path, ...],
    require: str | None,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """For each API area, count the names in CUDA's headers that are mapped, unsupported and unclassified.

    A name is mapped if a rule renames it or states that it is correct unchanged, unsupported if a rule states a reason,
    and unclassified if no rule matches. The evidence for a mapped name is `guessed` (a family or a rule shared by all
    targets matches), `listed` (a table or rule of the target matches) or `seen` (a header of the target's SDK has the
    new name). Exit code 1: some names are unclassified, or have weaker evidence than --require demands.

    \b
    porter mapping coverage --target musa --reasons
    porter mapping coverage --target acme --sdk /opt/acme/include --require seen
    """
    from porter.mapping import inventory
    from porter.mapping.api_coverage import measure
    from porter.report import api_coverage

    library = MappingLibrary.find(mapping_dirs)
    rules = rule_cache.rule_set(library, target, _NO_RELEASE)
    sdk = options.read_sdk(sdk_dirs, require)
    measured = measure(rules, inventory.read(library.special("cuda", "inventory.json")), sdk)
    weak = api_coverage.below(measured, Evidence(require)) if require else 0
    if as_json:
        console.print_json(api_coverage.document(measured, names))
    else:
        console.print_lines(api_coverage.lines(measured, names, reasons, collisions))
    if weak:
        help = "list the names in tables of the target; `porter mapping show` prints the evidence for each name"
        raise Findings(f"{weak} mapped names have less evidence than {require}", target, help)
    return 1 if measured.total.unclassified else 0


@mapping.command(short_help="Show the replacement of names, with the line of the rule.")
@click.argument("names", nargs=-1, metavar="[NAME...|-]")
@options.target
@options.sdk
@options.mappings
@options.as_json
def show(
    names: tuple[str, ...],
    target: str,
    sdk_dirs: tuple[Path, ...],
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Show the replacement of names, with the mapping file and line of the rule.

    With `-`, the names are read from stdin, one per line. Without names, the command shows all names that rules list,
    and all families.

    \b
    porter mapping show cudaMalloc cudaFree --target musa
    grep -oE 'cu[A-Za-z_]+' kernel.cu | porter mapping show --target musa --json -
    """
    from porter.mapping.resolve_name import Decider
    from porter.mapping.source_locations import NameLocations
    from porter.port.cuda_project import Moves
    from porter.report import resolved_names

    library = MappingLibrary.find(mapping_dirs)
    rules = rule_cache.rule_set(library, target, _NO_RELEASE)
    decider = Decider(rules, options.read_sdk(sdk_dirs), Moves((), rules))
    origins = NameLocations(library, target)
    resolved = (
        {name: decider.decide(name) for name in dict.fromkeys(_wanted(names))}
        if names
        else dict(decider.all())
    )
    shown = {
        name: resolved_names.ShownName(
            one,
            str(origins.of(one.rule, name)) if one.rule else "",
            [
                (rule, new, str(origins.of(rule, name)))
                for rule, new in decider.elsewhere(name, one)
            ],
        )
        for name, one in resolved.items()
    }
    if as_json:
        console.print_json(resolved_names.document(shown))
    elif shown:
        console.print_lines(resolved_names.lines(shown))


def _wanted(names: tuple[str, ...]) -> Iterator[str]:
    for name in names:
        if name == "-":
            text = sys.stdin.read(_MOST_NAMES + 1)
            if len(text) > _MOST_NAMES:
                help = f"give at most {_MOST_NAMES} characters at once"
                raise UsageError("too many names on stdin", help=help)
            yield from (line.strip() for line in text.splitlines() if line.strip())
        else:
            yield name


@mapping.command()
def schema() -> None:
    """Print the JSON Schema of mapping files, for editors."""
    import json

    from porter.mapping.json_schema import json_schema

    console.print_text(json.dumps(json_schema(), indent=1) + "\n")


@mapping.command(
    "import", short_help="Convert another tool's table, or a header, into a table of names."
)
@click.argument("file", type=options.PathArgument(), metavar="FILE")
@click.option(
    "--area",
    required=True,
    metavar="AREA",
    help="API area of the names, such as runtime or blas; or `pytorch`.",
)
@click.option(
    "--out",
    type=options.PathArgument(dir_okay=False),
    metavar="FILE",
    help="File to write; default: the standard output.",
)
@options.any_target(
    "For a header: also import the names that this target's rules propose and the header declares."
)
@click.option(
    "--force",
    is_flag=True,
    help="Overwrite the file of --out even if it exists with different content.",
)
@options.mappings
@click.option(
    "--source",
    metavar="TEXT",
    help="Source of the facts, to be stated in the table; default: the name of FILE.",
)
def import_(
    file: Path,
    area: str,
    out: Path | None,
    target: str | None,
    force: bool,
    mapping_dirs: tuple[Path, ...],
    source: str | None,
) -> None:
    """Convert FILE to a table of names.

    FILE is torch_musa's JSON, the table module of torch.utils.hipify, or a header.

    Identifiers and include paths become rules. Every other entry is listed on stderr with the reason. Python files are
    parsed, never run. From a header, macros such as `#define cudaMalloc mcMalloc` are imported. With --target, names
    that the header declares and that the target's rules propose are imported too: guessed names become listed names.

    \b
    porter mapping import general.json --area runtime --out mappings/acme/tables/runtime.json
    porter mapping import cuda_to_hip_mappings.py --area runtime
    porter mapping import acme_runtime.h --area runtime --target acme
    """
    from porter.base import fs
    from porter.mapping import header_importer, importer, inventory
    from porter.mapping.compile import AREAS
    from porter.report import imported_table

    known = [*AREAS, "pytorch"]
    if area not in known:
        help = did_you_mean(area, known) or f"areas: {', '.join(known)}"
        raise UsageError(f"unknown area '{area}'", help=help)
    if out and out.exists() and out.samefile(file):
        raise UsageError("--out is the input file", str(out), "choose another --out")
    if file.suffix in header_importer.SUFFIXES:
        library = MappingLibrary.find(mapping_dirs)
        names = inventory.read(library.special("cuda", "inventory.json"))
        rules = rule_cache.rule_set(library, target, _NO_RELEASE) if target else None
        table = header_importer.read(file, area, names, rules)
    elif target:
        help = f"leave out --target, or give a header: {' '.join(header_importer.SUFFIXES)}"
        raise UsageError("--target is for headers", str(file), help)
    else:
        table = importer.read(file)
    text = table.to_text(area, source or file.name)
    if out:
        _refuse_overwrite(out, text, force)
        fs.write_if_changed(out, text)
    else:
        console.print_text(text)
    for line in imported_table.lines(table, str(file)):
        console.note(line)


def _refuse_overwrite(out: Path, text: str, force: bool) -> None:
    """Raise UsageError if `out` exists and differs from `text`, because a user may have edited it.

    With `force`, nothing is checked.
    """
    if force or not out.is_file():
        return
    try:
        same = regular_files.read_text(out) == text
    except (OSError, UnicodeDecodeError):
        same = False
    if not same:
        raise UsageError(
            "exists already, with other content", str(out), "choose another --out, or add --force"
        )
