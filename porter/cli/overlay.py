"""`porter overlay`: hand-made changes of ported files: save, list, drop, and rebase on the next release."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from porter.base.errors import OverlayError, Problem, SourceError, UsageError
from porter.cli import console, options, overlay_options
from porter.cli.release_checks import release_to_port
from porter.inspect.locate import is_tree
from porter.mapping import rule_cache
from porter.mapping.library import OVERLAYS, MappingLibrary
from porter.model.rules import RuleSet
from porter.model.versions import Bounds
from porter.overlay import store, unified
from porter.release import known
from porter.report import overlays as report

if TYPE_CHECKING:
    from porter.model.overlay import Overlay
    from porter.port.overlay_rebase import Rebased
    from porter.port.overlay_work import About, EditedFile

_NAME = click.argument("name")


@click.group()
def overlay() -> None:
    """Keep hand-made changes of ported files across releases.

    An overlay is a change of one ported file. It is stored with its base (the ported text before the change), an owner
    and a reason in `<target>/overlays/` of your mapping folder. `porter run` applies the overlay, and merges the change
    with the text of a new release.
    """


@overlay.command(short_help="Save changes that were made in a port.")
@click.argument("given", nargs=-1, required=True, metavar="FILE...", type=options.PathArgument())
@click.option(
    "--owner", default="", help="Person responsible for the change: a name or an address."
)
@click.option("--reason", default="", help="Reason for the change, in one line.")
@overlay_options.expires
@overlay_options.bounds
@click.option(
    "--name",
    default="",
    help="Name of the overlay; by default, made from the file's name. An existing overlay of this name is replaced.",
)
@options.pytorch_src("Source tree of the port; default: the tree from which the port was made.")
@options.mappings
@options.as_json
def save(
    given: tuple[Path, ...],
    owner: str,
    reason: str,
    expires: str,
    since: str,
    until: str,
    name: str,
    tree: Path | None,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Save the hand-made change of FILE, a file of a port, as an overlay.

    If FILE is a folder of a port, the command saves the changes of all files in the folder. The files of the port stay
    as they are, and the next `porter run` writes the same bytes.

    \b
    porter overlay save generated/acme/2.6.0/src/aten/src/ATen/acme/ACMEBlas.cpp \\
        --owner blas@acme.example --reason 'workspace of 32 MB' --mappings m
    """
    from porter.port import overlay_work as work

    edited = [
        one
        for place in given
        for one in (work.changed_below(place) if place.is_dir() else [work.find(place)])
    ]
    if not edited:
        help = "edit a file in src/ of the port first, and then save it"
        raise UsageError("no ported file was changed", ", ".join(map(str, given)), help)
    if name and len(edited) > 1:
        raise UsageError(f"--name is for one change, but {len(edited)} files were changed")
    bounds = Bounds(since, until)
    about = work.About(store.one_line(owner), store.one_line(reason), expires, bounds)
    library = MappingLibrary.find(mapping_dirs)
    made = [_save(one, about, name, tree, library, mapping_dirs) for one in edited]
    if as_json:
        today = datetime.date.today()
        console.print_json({"saved": [report.document(one, today) for one in made]})
    for one in made if not as_json else ():
        console.print_text(f"saved {one.name}: {one.place}\n")
    return 0


def _save(
    edited: EditedFile,
    about: About,
    name: str,
    tree: Path | None,
    library: MappingLibrary,
    mapping_dirs: tuple[Path, ...],
) -> Overlay:
    """Save one change as an overlay. If `name` is empty, an unused name is made from the file's path."""
    from porter.port import overlay_work as work

    target, release = edited.manifest.target, edited.manifest.release
    library.root_of(target)
    overlays = options.read_overlays(library, target)
    name = store.check_name(name) if name else work.free_name(edited.path, overlays)
    old = next((one for one in overlays if one.name == name), None)
    if not old and not (about.owner and about.reason):
        raise UsageError("an overlay needs --owner and --reason")
    folder = Path(old.place).parent if old else _own_folder(mapping_dirs, target)
    tree = tree or (Path(edited.port.tree) if edited.port.tree else None)
    if tree is None:
        help = "add --pytorch-src"
        raise SourceError("the source tree of the port is unknown", str(edited.place), help)
    rules = _rules_of(edited.port.digest, library, target, release)
    text = work.ported_text(edited, tree, rules)
    return work.save(edited, text, overlays, about, name, folder)


@overlay.command("import", short_help="Make overlays from patches, or from a fork of PyTorch.")
@click.argument("given", nargs=-1, required=True, metavar="PATH...", type=options.PathArgument())
@options.pytorch_src("PyTorch source tree that the patches are for.", required=True)
@options.release("PyTorch release of the tree; X.Y must agree with the tree's version.txt.")
@options.target
@click.option(
    "--owner", default="", help="Person responsible for the changes: a name or an address."
)
@click.option(
    "--reason",
    default="",
    help="Reason for the changes, in one line; default: 'imported from' and the name of the patch or file.",
)
@overlay_options.expires
@overlay_options.bounds
@options.mappings
@options.as_json
def import_(
    given: tuple[Path, ...],
    tree: Path,
    release: str | None,
    target: str,
    owner: str,
    reason: str,
    expires: str,
    since: str,
    until: str,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Make overlays from changes of upstream's sources: patches, folders of patches, or the source tree of a fork.

    Each change is ported by the rules of the target. Changes of files that are not ported are listed and not saved. If
    a change does not fit the tree, the command saves all other changes and ends with exit code 5.

    \b
    porter overlay import torch_patches --pytorch-src ../pytorch --target acme --owner me@acme.example
    """
    from porter.port import overlay_import, overlay_work

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    if not owner.strip():
        raise UsageError("an overlay needs --owner")
    chosen: dict[Path, list[Path]] = {}
    for place in given:
        chosen[place] = [] if is_tree(place) else [*overlay_import.patches_below(place)]
        if not chosen[place] and not is_tree(place):
            help = (
                "give patches, a folder of patches (*.patch, *.diff), or the source tree of a fork"
            )
            raise UsageError("contains no patch", str(place), help)
    overlays = options.read_overlays(library, target)
    folder = _own_folder(mapping_dirs, target)
    rules = rule_cache.checked_rule_set(library, target, release_to_port(tree, release))
    bounds = Bounds(since, until)
    overlay_work.check_bounds(bounds, rules.release)
    about = overlay_work.About(store.one_line(owner), store.one_line(reason), expires, bounds)
    importer = overlay_import.Importer(
        overlay_work.TreePorter(tree, rules), overlays, about, folder
    )
    for place, patches in chosen.items():
        if is_tree(place):
            importer.fork(place)
        else:
            importer.patches(patches)
    made = importer.result()
    if as_json:
        today = datetime.date.today()
        console.print_json(
            {
                "target": target,
                "release": rules.release,
                "saved": [report.document(one, today) for one in made.saved],
                "left": [problem._asdict() for problem in made.left],
                "failed": [problem._asdict() for problem in made.failed],
            }
        )
    else:
        for one in made.saved:
            console.print_text(f"saved     {one.name}  {one.file}\n")
        for problem in made.left:
            console.print_text(f"skipped   {problem.place}: {problem.text}\n")
        console.print_text(
            f"{len(made.saved)} saved, {len(made.left)} skipped, {len(made.failed)} failed\n"
        )
    if made.failed:
        raise OverlayError(made.failed)
    return 0


@overlay.command("list", short_help="List the overlays of a target.")
@options.target
@options.mappings
@options.as_json
def list_(target: str, mapping_dirs: tuple[Path, ...], as_json: bool) -> int:
    """List the overlays of a target, each with the release of its base, bounds, owner, expiry date and reason."""
    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    found = options.read_overlays(library, target)
    today = datetime.date.today()
    if as_json:
        console.print_json(
            {"target": target, "overlays": [report.document(one, today) for one in found]}
        )
    elif found:
        console.print_lines(report.lines(found, today))
    else:
        console.print_text(f"no overlays for target {target}\n")
    return 0


@overlay.command(short_help="Show an overlay: its header and its change.")
@_NAME
@options.target
@options.mappings
@options.as_json
def show(name: str, target: str, mapping_dirs: tuple[Path, ...], as_json: bool) -> int:
    """Show an overlay: its header and its change as a unified diff."""
    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    found = store.find(options.read_overlays(library, target), name)
    today = datetime.date.today()
    patch = unified.diff(found.base, found.changed, found.file).decode("utf-8", "surrogateescape")
    data = report.document(found, today)
    if as_json:
        console.print_json({**data, "patch": patch})
    else:
        for key, value in data.items():
            console.print_text(f"{key:9} {value}\n")
        console.print_text(f"\n{patch}")
    return 0


@overlay.command(short_help="Delete an overlay.")
@_NAME
@options.target
@options.mappings
def drop(name: str, target: str, mapping_dirs: tuple[Path, ...]) -> int:
    """Delete an overlay. The next `porter run` writes the ported file without the overlay's change."""
    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    overlays = options.read_overlays(library, target)
    found = store.find(overlays, name)
    for place in store.remove(found):
        console.print_text(f"deleted {place}\n")
    if later := store.later(found, overlays):
        console.warn(
            f"these overlays were made on top of {name}, and are now merged without it: {', '.join(later)}"
        )
    return 0


@overlay.command(short_help="Rebase overlays on the ported text of a release.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@options.pytorch_src("PyTorch source tree of the release.", required=True)
@options.release("PyTorch release of the tree; X.Y must agree with the tree's version.txt.")
@click.option(
    "--split",
    is_flag=True,
    help="Keep the text of overlay NAME, but limit NAME to the releases before the tree's release (after it, if the"
    " base of NAME is newer); write the rebased change as a second overlay.",
)
@click.option(
    "--name", "second", default="", help="Name of the second overlay; default: NAME-RELEASE."
)
@options.target
@options.mappings
@options.as_json
def rebase(
    names: tuple[str, ...],
    tree: Path,
    release: str | None,
    split: bool,
    second: str,
    target: str,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Rebase overlays on the ported text of a release: all overlays, or the named ones.

    A conflict is written to `NAME.conflict` beside the overlay, with both texts and their base between conflict
    markers. Edit that file and run the command again. While a conflict remains, the exit code is 5.

    With --split, the change can differ from release to release: the named overlay keeps its text and ends before the
    release; a second overlay with the rebased change begins with the release.

    \b
    porter overlay rebase CUDABlas --split --pytorch-src ../pytorch-2.7 --target acme --mappings m
    """
    from porter.port import overlay_rebase, overlay_split

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    overlays = options.read_overlays(library, target)
    for name in names:
        store.find(overlays, name)
    rules = rule_cache.checked_rule_set(library, target, release_to_port(tree, release))
    splits: Mapping[str, overlay_split.Split] = {}
    if split:
        releases = [one.release for one in known.read().releases]
        splits = overlay_split.plan(overlays, names, second, rules.release, releases)
    elif second:
        raise UsageError("--name is for the second overlay of --split", help="add --split")
    done = overlay_rebase.rebase(overlays, names, tree, rules, splits)
    rows = [(one, _outcome(one)) for one in done]
    if as_json:
        results = [
            {
                "name": one.overlay.name,
                "file": one.overlay.file,
                "status": status,
                "written": [str(place) for place in one.written],
                "parts": [{"name": part.name, **part.bounds._asdict()} for part in one.parts],
            }
            for one, status in rows
        ]
        console.print_json({"target": target, "release": rules.release, "overlays": results})
    else:
        for one, status in rows:
            console.print_text(f"{status:9} {one.overlay.name}  {one.overlay.file}\n")
            for part in one.parts:
                console.print_text(f"{'':9} {part.name}: {part.bounds}\n")
    if problems := [*_unmerged(done)]:
        raise OverlayError(problems)
    return 0


def _unmerged(done: Sequence[Rebased]) -> Iterator[Problem]:
    """One problem for each conflict, and for each overlay based on an overlay that conflicts and was not named."""
    open_ = [one for one in done if one.status is None]
    conflicts = {one.overlay.file for one in open_ if one.written}
    for one in open_:
        name, file = one.overlay.name, one.overlay.file
        if one.written:
            text = f"overlay {name} does not merge with {file}"
            help = "edit this file, which contains both texts and their base, and run the command again"
            yield Problem(text, str(one.written[0]), help)
        elif file not in conflicts:
            text = f"overlay {name} is applied on top of an overlay that does not merge with {file}"
            yield Problem(text, one.overlay.place, "also name the earlier overlay of the file")


def _outcome(one: Rebased) -> str:
    if one.status:
        return str(one.status)
    return "conflict" if one.written else "waits"


def _own_folder(mapping_dirs: tuple[Path, ...], target: str) -> Path:
    """Folder for new overlays of a target. Raises UsageError when the user gives no mapping folder."""
    if not mapping_dirs:
        help = "give --mappings DIR (or PORTER_MAPPINGS); the overlay goes to DIR/<target>/overlays"
        raise UsageError("an overlay needs your own mapping folder", help=help)
    return mapping_dirs[0] / target / OVERLAYS


def _rules_of(state: str, library: MappingLibrary, target: str, release: str) -> RuleSet:
    """Rule set with which a port was made, if the cache has it; else the rule set of the present mappings."""
    made_with = state.partition(" ")[0]
    return rule_cache.read(made_with) or rule_cache.rule_set(library, target, release)
