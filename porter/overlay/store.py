"""Overlays on disk: `overlays/NAME.patch` and `overlays/NAME.base.gz` in a target's mapping folder.

The patch file consists of a header, as in an e-mail, and a unified diff. The base is the whole ported text before the
change (docs/decisions/0011-overlay-base.md).
"""

from __future__ import annotations

import gzip
import hashlib
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from porter.base import fs, regular_files, untrusted
from porter.base.errors import OverlayError, Problem, UsageError, did_you_mean
from porter.model.overlay import Overlay, day, release
from porter.model.versions import Bounds
from porter.overlay import unified

PATCH = ".patch"
BASE = ".base.gz"
CONFLICT = ".conflict"
"""Suffix of a file with conflict markers, which `porter overlay rebase` writes for the user to edit."""
CONFLICT_BASE = ".conflict.gz"
"""Suffix of the file with the ported text on which the file with conflict markers is based."""
_NAME = re.compile(r"[A-Za-z0-9][\w.+-]{0,99}", re.ASCII)
_KEYS = ("File", "Owner", "Reason", "Expires", "Release", "Since", "Until", "Order", "Base")
EMPTY_BOUNDS = "no release lies within its bounds"
_NEEDED = ("File", "Owner", "Reason", "Release", "Base")


def read(folders: Iterable[Path]) -> tuple[Overlay, ...]:
    """All overlays in the given folders, sorted by file and order. Raises OverlayError with all problems."""
    found: dict[str, Overlay] = {}
    problems: list[Problem] = []
    for folder in folders:
        for place in _patches(folder, problems):
            try:
                overlay = read_one(place)
            except OverlayError as error:
                problems += error.problems
                continue
            if other := found.get(overlay.name):
                text = f"has the same name as {other.place}"
                help = f"rename one of the two overlays: its {PATCH} file and its {BASE} file"
                problems.append(Problem(text, overlay.place, help))
            found[overlay.name] = overlay
    if problems:
        raise OverlayError(problems)
    return tuple(sorted(found.values(), key=lambda one: (one.file, one.order, one.name)))


def read_one(place: Path) -> Overlay:
    """Overlay in a patch file. Raises OverlayError for a file that is unreadable, malformed or without its base."""
    name = place.name.removesuffix(PATCH)
    try:
        raw = regular_files.read_bytes(place, untrusted.LARGEST)
        packed = regular_files.read_bytes(place.with_name(name + BASE), untrusted.LARGEST)
        head, patch = _parts(raw)
        if wrong := [*_wrong(head)]:
            texts = [f"is not an overlay: {text}" for text in wrong]
            raise OverlayError([Problem(text, str(place), _RESTORE) for text in texts])
        base = unpacked(packed)
        if hashlib.sha256(base).hexdigest() != head["Base"]:
            raise ValueError(f"{name}{BASE} does not have the sha256 in 'Base:'")
        return Overlay(
            name=name,
            file=head["File"],
            owner=head["Owner"],
            reason=head["Reason"],
            expires=head.get("Expires", ""),
            release=head["Release"],
            order=int(head.get("Order", "1")),
            base=base,
            changed=unified.apply(base, patch),
            digest=hashlib.sha256(raw + b"\0" + base).hexdigest(),
            place=str(place),
            bounds=_bounds(head),
        )
    except OSError as error:
        where = error.filename or str(place)
        raise OverlayError(f"cannot be read: {error.strerror}", str(where), _RESTORE) from None
    except ValueError as error:
        raise OverlayError(f"is not an overlay: {error}", str(place), _RESTORE) from None


_RESTORE = "restore it from version control, or delete its files"


def write(folder: Path, overlay: Overlay) -> tuple[Path, Path]:
    """Write an overlay into a folder; `overlay.place` and `overlay.digest` are ignored.

    Returns the paths of the patch file and of the base file. Raises SourceError if the files cannot be written, and
    OverlayError if the base is too large to be read again.
    """
    if len(overlay.base) > untrusted.LARGEST:
        text = f"has {len(overlay.base)} bytes; an overlay's file has at most {untrusted.LARGEST}"
        raise OverlayError(text, overlay.file, "add a `patch` rule to the mapping instead")
    values = {
        "File": overlay.file,
        "Owner": overlay.owner,
        "Reason": overlay.reason,
        "Expires": overlay.expires,
        "Release": overlay.release,
        "Since": overlay.bounds.since,
        "Until": overlay.bounds.until,
        "Order": str(overlay.order) if overlay.order > 1 else "",
        "Base": hashlib.sha256(overlay.base).hexdigest(),
    }
    head = "".join(f"{key}: {one_line(values[key])}\n" for key in _KEYS if values[key])
    patch = unified.diff(overlay.base, overlay.changed, overlay.file)
    places = folder / f"{overlay.name}{PATCH}", folder / f"{overlay.name}{BASE}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The base is written first. If the process then ended, the patch without its base would be an error.
        fs.replace_file(places[1], packed(overlay.base))
        fs.replace_file(places[0], head.encode() + b"\n" + patch)
    except OSError as error:
        raise fs.cannot_write(error, folder) from None
    return places


def remove(overlay: Overlay) -> tuple[Path, ...]:
    """Delete the files of an overlay and return their paths. Raises SourceError if a file cannot be deleted."""
    place = Path(overlay.place)
    gone = []
    # The patch is removed last. If the process ended before, the next run would report the patch as lacking its base.
    for suffix in (CONFLICT, CONFLICT_BASE, BASE, PATCH):
        file = place.with_name(overlay.name + suffix)
        try:
            file.unlink()
        except FileNotFoundError:
            continue
        except OSError as error:
            raise fs.cannot_write(error, file) from None
        gone.append(file)
    return tuple(reversed(gone))


def find(overlays: Iterable[Overlay], name: str) -> Overlay:
    """Overlay with the given name. Raises UsageError for an unknown name; the help line suggests a similar name."""
    known = {overlay.name: overlay for overlay in overlays}
    if name in known:
        return known[name]
    help = did_you_mean(name, known) or f"overlays: {', '.join(known) or 'none'}"
    raise UsageError(f"no overlay '{name}'", help=help)


def later(overlay: Overlay, overlays: Iterable[Overlay]) -> list[str]:
    """Names of the overlays of the same file that are applied after the given overlay in at least one release."""
    return [
        one.name
        for one in overlays
        if one.file == overlay.file
        and one.order > overlay.order
        and one.bounds.overlap(overlay.bounds)
    ]


def check_name(name: str) -> str:
    """Return `name` if it is a valid name for an overlay; otherwise raise UsageError."""
    if not _NAME.fullmatch(name):
        help = "letters, digits and . _ + -, beginning with a letter or digit"
        raise UsageError(f"'{name}' is not a valid name for an overlay", help=help)
    return name


def packed(text: bytes) -> bytes:
    """Compressed text. Equal texts have equal compressed bytes."""
    return gzip.compress(text, mtime=0)


def unpacked(data: bytes) -> bytes:
    """Text from compressed bytes. Raises ValueError for invalid data and for a text that is too large."""
    reader = zlib.decompressobj(wbits=31)
    try:
        text = reader.decompress(data, untrusted.LARGEST)
    except zlib.error as error:
        raise ValueError(f"the base cannot be unpacked: {error}") from None
    if not reader.eof or reader.unused_data:
        raise ValueError("the base cannot be unpacked: it is cut off or too large")
    return text


def one_line(text: str) -> str:
    """Text with every run of blanks and line ends replaced by one blank."""
    return " ".join(text.split())


def _patches(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    """Patch files of a folder, sorted. A problem is added to `problems` for each base without its patch file."""
    try:
        places = sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        problems.append(Problem(f"cannot be read: {error.strerror}", str(folder)))
        return
    names = {place.name for place in places}
    for place in places:
        stem = place.name.removesuffix(BASE).removesuffix(PATCH)
        if place.name.endswith(PATCH):
            if not _NAME.fullmatch(stem):
                problems.append(
                    Problem("is not a valid name for an overlay", str(place), "rename it")
                )
            else:
                yield place
        elif place.name.endswith(BASE) and stem + PATCH not in names:
            text = f"is the base of an overlay whose change, {stem}{PATCH}, is missing"
            problems.append(Problem(text, str(place), _RESTORE))


def _parts(raw: bytes) -> tuple[dict[str, str], bytes]:
    """Header and unified diff of a patch file. Raises ValueError for a malformed header."""
    text, blank, patch = raw.partition(b"\n\n")
    head: dict[str, str] = {}
    for line in text.decode("utf-8").splitlines():
        key, colon, value = line.partition(": ")
        if not colon or key not in _KEYS:
            raise ValueError(f"'{line[:60]}' is not a line of the header ({', '.join(_KEYS)})")
        if key in head:
            raise ValueError(f"duplicate header line '{key}:'")
        head[key] = value.strip()
    missing = [key for key in _NEEDED if not head.get(key)]
    if missing or not blank:
        raise ValueError(f"its header lacks {', '.join(missing) or 'an empty line at its end'}")
    if any(untrusted.has_control(value) for value in head.values()):
        raise ValueError("its header contains a control character")
    return head, patch


def _wrong(head: Mapping[str, str]) -> Iterator[str]:
    """One text for each malformed value in the header of a patch file."""
    is_wrong = False
    for key, check in _CHECKS.items():
        try:
            if key in head:
                check(head[key])
        except ValueError as error:
            is_wrong = True
            yield f"{key}: {error}"
    if not is_wrong and (bounds := _bounds(head)).are_empty():
        yield f"{EMPTY_BOUNDS}: {bounds}"


def _bounds(head: Mapping[str, str]) -> Bounds:
    return Bounds(head.get("Since", ""), head.get("Until", ""))


def _check_order(text: str) -> None:
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise ValueError(f"'{text[:40]}' is not a whole number from 1 to 999999")


_CHECKS: Mapping[str, Callable[[str], object]] = {
    "File": untrusted.relative_path,
    "Expires": day,
    "Release": release,
    "Since": release,
    "Until": release,
    "Order": _check_order,
}
"""Maps the name of a header line to a function that raises ValueError for a malformed value."""
