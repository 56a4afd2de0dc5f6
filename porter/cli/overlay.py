"""`porter overlay`: hand-made changes of ported files: save, list, drop, and rebase on the next release."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from porter.base.errors import OverlayError, Problem, SourceError, UsageError
from porter.cli import console, options
from porter.cli.releases import release_to_port
from porter.inspect.locate import is_tree
from porter.mapping import rule_cache
from porter.mapping.library import OVERLAYS, MappingLibrary
from porter.model.overlay import day
from porter.model.rules import RuleSet
from porter.overlay import store, unified
from porter.report import overlays as report

if TYPE_CHECKING:
    from porter.model.overlay import Overlay
    from porter.port.overlay_work import About, EditedFile, Rebased

_NAME = click.argument("name")


class Day(click.ParamType[str]):
    """Date in the form YYYY-MM-DD."""

    name = "day"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        try:
            return day(str(value))
        except ValueError:
            self.fail(f"'{str(value)[:40]}' is not a date: YYYY-MM-DD", param, ctx)


@click.group(short_help="Keep hand-made changes of ported files across releases.")
def overlay() -> None:
    """Keep hand-made changes of ported files across releases.

    An overlay is a change of one ported file, with its base (the ported text before the change), an owner and a reason.
    It is stored in `<target>/overlays/` of your own mapping folder; `porter run` applies it and merges it with a new
    release.
    """


@overlay.command(short_help="Save changes that were made in a port.")
@click.argument("given", nargs=-1, required=True, metavar="FILE...", type=options.PathArgument())
@click.option(
    "--owner", default="", help="Person responsible for the change: a name or an address."
)
@click.option("--reason", default="", help="Reason for the change, in one line.")
@click.option(
    "--expires", type=Day(), default="", metavar="DAY", help="Last day of the overlay, YYYY-MM-DD."
)
@click.option(
    "--name",
    default="",
    help="Name of the overlay; default: from the file's name. An overlay of the same name is replaced.",
)
@options.pytorch_src("Source tree of the port; default: the one it was made from.")
@options.mappings
@options.as_json
def save(
    given: tuple[Path, ...],
    owner: str,
    reason: str,
    expires: str,
    name: str,
    tree: Path | None,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Save the hand-made change of FILE, a file of a port, as an overlay.

    A folder of a port stands for all changed files below the folder. The files stay unchanged, and the next `porter
    run` writes the same bytes.

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
        help = "edit a file below src/ of the port first, and save it then"
        raise UsageError("no ported file was changed", ", ".join(map(str, given)), help)
    if name and len(edited) > 1:
        raise UsageError(f"--name is for one change, and {len(edited)} files were changed")
    about = work.About(store.one_line(owner), store.one_line(reason), expires)
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
    """Save one change under the given name, or under an unused name."""
    from porter.port import overlay_work as work

    target, release = edited.manifest.target, edited.manifest.release
    library.root_of(target)
    known = options.read_overlays(library, target)
    name = store.check_name(name) if name else work.free_name(edited.path, known)
    old = next((one for one in known if one.name == name), None)
    if not old and not (about.owner and about.reason):
        raise UsageError("an overlay needs --owner and --reason")
    folder = Path(old.place).parent if old else _own_folder(mapping_dirs, target)
    tree = tree or (Path(edited.port.tree) if edited.port.tree else None)
    if tree is None:
        help = "add --pytorch-src"
        raise SourceError("the source tree of the port is unknown", str(edited.place), help)
    rules = _rules_of(edited.port.digest, library, target, release)
    text = work.ported_text(edited, tree, rules)
    return work.save(edited, text, known, about, name, folder)


@overlay.command("import", short_help="Make overlays from patches, or from a fork of PyTorch.")
@click.argument("given", nargs=-1, required=True, metavar="PATH...", type=options.PathArgument())
@options.pytorch_src("PyTorch source tree that the patches are for.", required=True)
@options.release(
    "PyTorch release of the tree, which must have the minor release of its version.txt."
)
@options.target
@click.option(
    "--owner", default="", help="Person responsible for the changes: a name or an address."
)
@click.option("--reason", default="", help="Default: 'imported from' and the file's name.")
@click.option(
    "--expires", type=Day(), default="", metavar="DAY", help="Last day of the overlays, YYYY-MM-DD."
)
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
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Make overlays from changes of upstream's text, before porting: patches, folders of patches, or a fork's tree.

    Each change is ported by the rules of the target. Changes of files that are not ported are only listed. A change
    that does not fit the tree ends in exit code 5; all other changes are saved.

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
            help = "give patches, a folder of them (*.patch, *.diff), or the tree of a fork"
            raise UsageError("holds no patch", str(place), help)
    overlays = options.read_overlays(library, target)
    folder = _own_folder(mapping_dirs, target)
    rules = rule_cache.checked_rule_set(library, target, release_to_port(tree, release))
    about = overlay_work.About(store.one_line(owner), store.one_line(reason), expires)
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
            console.print_text(f"left      {problem.place}: {problem.text}\n")
        console.print_text(
            f"{len(made.saved)} saved, {len(made.left)} left, {len(made.failed)} failed\n"
        )
    if made.failed:
        raise OverlayError(made.failed)
    return 0


@overlay.command("list", short_help="List the overlays of a target.")
@options.target
@options.mappings
@options.as_json
def list_(target: str, mapping_dirs: tuple[Path, ...], as_json: bool) -> int:
    """List the overlays of a target, with release, owner, last day and reason."""
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
    """Delete an overlay. The next `porter run` writes the file without it."""
    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    overlays = options.read_overlays(library, target)
    found = store.find(overlays, name)
    for place in store.remove(found):
        console.print_text(f"deleted {place}\n")
    later = [one.name for one in overlays if one.file == found.file and one.order > found.order]
    if later:
        console.warn(f"overlays on top of it, now merged without it: {', '.join(later)}")
    return 0


@overlay.command(short_help="Rebase overlays on a release: the merged text is the new base.")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@options.pytorch_src("PyTorch source tree of the release.", required=True)
@options.release(
    "PyTorch release of the tree, which must have the minor release of its version.txt."
)
@options.target
@options.mappings
@options.as_json
def rebase(
    names: tuple[str, ...],
    tree: Path,
    release: str | None,
    target: str,
    mapping_dirs: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Rebase overlays on the ported text of a release: all overlays, or the named ones.

    A conflict is written to `NAME.conflict` beside the overlay, with both sides and the base between markers. Edit that
    file and run the command again. While a conflict remains, the exit code is 5.
    """
    from porter.port import overlay_work as work

    library = MappingLibrary.find(mapping_dirs)
    library.root_of(target)
    overlays = options.read_overlays(library, target)
    for name in names:
        store.find(overlays, name)
    rules = rule_cache.checked_rule_set(library, target, release_to_port(tree, release))
    done = work.rebase(overlays, names, tree, rules)
    rows = [(one, _outcome(one)) for one in done]
    if as_json:
        results = [
            {
                "name": one.overlay.name,
                "file": one.overlay.file,
                "status": status,
                "written": [str(place) for place in one.written],
            }
            for one, status in rows
        ]
        console.print_json({"target": target, "release": rules.release, "overlays": results})
    else:
        for one, status in rows:
            console.print_text(f"{status:9} {one.overlay.name}  {one.overlay.file}\n")
    problems = [
        Problem(
            f"overlay {one.overlay.name} does not merge with {one.overlay.file}",
            str(one.written[0]),
            "edit this file, which contains both sides and the base, and run the command again",
        )
        for one in done
        if one.status is None and one.written
    ]
    if problems:
        raise OverlayError(problems)
    return 0


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
    """Rule set with which a port was made, if it can be found; else the present rule set."""
    made_with = state.partition(" ")[0]
    return rule_cache.read(made_with) or rule_cache.rule_set(library, target, release)
