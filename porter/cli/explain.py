"""`porter explain`: the rule behind each edit, with its line in a mapping file."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from porter.base.errors import SourceError, UsageError, did_you_mean
from porter.cli import console, options
from porter.cli.release_checks import KNOWN_RELEASES, check_release
from porter.inspect.explain import Explainer
from porter.inspect.locate import Located, Locator, moved_of, names_of
from porter.mapping import pytorch_names, rule_cache
from porter.mapping.library import MappingLibrary
from porter.mapping.source_locations import NameLocations
from porter.model.rules import RuleSet
from porter.port.cuda_project import Moves
from porter.port.file import check_text
from porter.port.select import release_of
from porter.report import explanation as report

_MOST_DIGITS = 18
_SYMBOL = re.compile(r"\.?[A-Za-z_]\w*(::\w+)*(\(.*\))?|[\w./+-]+\.(?:h|hpp|cuh)", re.ASCII)


@click.command()
@click.argument("what", metavar="FILE[:LINE]|SYMBOL")
@options.any_target(
    "Target; default: the target of the port that contains FILE, else the first target of porter.toml, else simt."
)
@options.pytorch_src("PyTorch source tree that may contain FILE.")
@options.out("Output folder that may contain FILE.")
@options.release(
    f"PyTorch release; default: the release of the tree or of the port, else {KNOWN_RELEASES[-1]}."
)
@options.mappings
@options.as_json
def explain(
    what: str,
    target: str | None,
    tree: Path | None,
    out: Path,
    release: str | None,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Show which rule made an edit, and the rule's line in a mapping file.

    A SYMBOL is an identifier, a qualified name such as c10::cuda::CUDAStream, a method such as .is_cuda(), or a header
    path in an include. For a SYMBOL, the command lists all rules that match the symbol, in order of precedence. A FILE
    is an upstream path, a path in the port, or any CUDA source on disk. For a FILE, the command lists the edits,
    residue and hazards on one LINE or on all lines. As in `porter port`, names that the FILE's project declares stay.

    \b
    porter explain cudaMalloc --target musa
    porter explain aten/src/ATen/native/cuda/Loops.cuh:20 --pytorch-src ../pytorch
    porter explain generated/simt/2.6.0/src/c10/simt/SIMTStream.cpp:41
    """
    library = MappingLibrary.find(mapping_dirs)
    if target is not None:
        library.root_of(target)
    if release is not None:
        check_release(release)
    name, line = _split(what)
    locator = Locator(target, tree, out)
    located = locator.find(name)
    target = target or (located and located.target) or options.default_target()
    library.root_of(target)
    if located is None and tree:
        located = _by_ported_name(locator, name, library, target, release or release_of(tree))
    if located:
        _file(located, line, library, target, release, as_json)
    elif line is None and _SYMBOL.fullmatch(name):
        release = release or (release_of(tree) if tree else KNOWN_RELEASES[-1])
        _symbol(
            name, rule_cache.rule_set(library, target, release), library, as_json, locator.looked
        )
    elif Path(name).is_dir():
        raise UsageError("is a folder, not a file", name)
    else:
        raise _unknown(name, locator.looked)
    return 0


def _split(what: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(.+?):([0-9]+)", what, re.DOTALL)
    if not match or Path(what).is_file():
        return what, None
    if not match[2].strip("0"):
        raise UsageError("line numbers begin with 1", what)
    # No file has a line number with more digits.
    return match[1], int(match[2][-_MOST_DIGITS:]) if len(match[2]) <= _MOST_DIGITS else sys.maxsize


def _by_ported_name(
    locator: Locator, name: str, library: MappingLibrary, target: str, release: str
) -> Located | None:
    if "/" not in name:
        return None
    return locator.ported_name(name, rule_cache.rule_set(library, target, release))


def _file(
    located: Located,
    line: int | None,
    library: MappingLibrary,
    target: str,
    release: str | None,
    as_json: bool,
) -> None:
    release = release or located.release or KNOWN_RELEASES[-1]
    rules = rule_cache.rule_set(library, target, release)
    moved, to, notes = moved_of(located, rules)
    raw = located.raw
    check_text(raw, located.path)
    for note in (*located.notes, *notes):
        console.warn(note)
    table = pytorch_names.read(library.special("pytorch", pytorch_names.FILE))
    names = names_of(located, rules, table)
    explainer = Explainer(rules, moved, NameLocations(library, target).of, names)
    made = explainer.file(located.path, raw)
    answer = report.FileAnswer(
        target,
        release,
        located.root,
        located.path,
        located.named_ported,
        to or located.path,
        made,
        line,
    )
    if line is not None and line > answer.last_line:
        raise UsageError(f"the file has {answer.last_line} lines", f"{answer.named}:{line}")
    if as_json:
        console.print_json(report.file_document(answer))
    else:
        console.print_lines(report.file_lines(answer))


def _symbol(
    name: str, rules: RuleSet, library: MappingLibrary, as_json: bool, looked: list[str]
) -> None:
    explainer = Explainer(rules, Moves((), rules), NameLocations(library, rules.target).of)
    found = explainer.symbol(name)
    vendor = bool(rules.vendor.search(name))
    if not found and "." in name.strip(".") and not vendor:
        raise _unknown(name, looked)
    help = did_you_mean(name, rules.exact) if vendor and not found else ""
    answer = report.SymbolAnswer(rules.target, rules.release, name, found, vendor, help)
    if as_json:
        console.print_json(report.symbol_document(answer))
    else:
        console.print_lines(report.symbol_lines(answer))


def _unknown(name: str, looked: list[str]) -> SourceError:
    return SourceError("no such file", name, "looked for " + ", ".join(dict.fromkeys(looked)))
