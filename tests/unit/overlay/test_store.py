"""An overlay that is written and read again is unchanged, and yields the same text."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from property_examples import examples

from porter.base.errors import OverlayError, Problem
from porter.mapping.compile import applies
from porter.mapping.schema import RuleEntry
from porter.model.overlay import Overlay, OverlayStatus
from porter.model.versions import Bounds
from porter.overlay import store
from porter.overlay.apply import apply
from porter.overlay.three_way import Labels, has_markers, merge

LINES = st.lists(st.sampled_from([b"a", b"b", b"c\r", b"\xff", b"", b"=======", b"<<<<<<< x"]))
TEXTS = st.builds(lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n"]))
LABELS = Labels("ours", "base", "theirs")


def overlay(base: bytes, changed: bytes, name: str = "one", order: int = 1) -> Overlay:
    about = ("a/b.cu", "an owner", "a reason: with a colon", "2030-01-31", "2.6.0")
    return Overlay(name, *about, order, base, changed, "", "")


@given(TEXTS, TEXTS)
@settings(max_examples=50)
def test_what_is_written_is_read(base: bytes, changed: bytes) -> None:
    assume(base != changed)
    with tempfile.TemporaryDirectory() as name:
        given = overlay(base, changed)
        store.write(Path(name), given)
        (found,) = store.read([Path(name)])
        assert found._replace(digest="", place="") == given
        files = {place.name: place.read_bytes() for place in Path(name).iterdir()}
        store.write(Path(name), found)
        assert {place.name: place.read_bytes() for place in Path(name).iterdir()} == files
    made = apply(base, [given], "2.6.0")
    assert made.text == changed
    assert made.file.uses[0].status is OverlayStatus.APPLIED


@given(TEXTS, TEXTS, TEXTS)
@settings(max_examples=50)
def test_a_merge_is_whole_or_a_conflict(ours: bytes, base: bytes, theirs: bytes) -> None:
    made = merge(ours, base, theirs, LABELS)
    assert has_markers(made.text, LABELS) == bool(made.conflicts)
    assert merge(ours, base, base, LABELS).text == ours
    assert merge(base, base, theirs, LABELS).text == theirs
    assert merge(ours, base, ours, LABELS).text == ours


def test_two_folders_with_one_name(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        store.write(tmp_path / folder, overlay(b"a\n", b"b\n"))
    with pytest.raises(OverlayError, match="has the same name as"):
        store.read([tmp_path / "a", tmp_path / "b"])


def test_a_base_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store.write(tmp_path, overlay(b"a\n" * 3000, b"a\n" * 3000 + b"b\n"))
    monkeypatch.setattr("porter.base.untrusted.LARGEST", 5000)
    with pytest.raises(OverlayError, match="cut off or too large"):
        store.read([tmp_path])


def test_files_beside_overlays_are_left_alone(tmp_path: Path) -> None:
    store.write(tmp_path, overlay(b"a\n", b"b\n"))
    for name in ("README.md", "one.conflict", "one.conflict.gz", ".swp"):
        (tmp_path / name).write_text("x")
    assert [one.name for one in store.read([tmp_path])] == ["one"]


RELEASES = st.one_of(
    st.builds("{}.{}".format, st.integers(0, 3), st.integers(0, 3)),
    st.builds("{}.{}.{}".format, st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)),
)


@given(RELEASES | st.just(""), RELEASES | st.just(""), RELEASES)
@settings(max_examples=examples(300))
def test_the_bounds_of_an_overlay_admit_the_releases_that_a_rule_with_them_admits(
    since: str, until: str, release: str
) -> None:
    model = RuleEntry(since=since or None, until=until or None)
    assert Bounds(since, until).admit(release) == applies(model, release, "12.4")


@given(RELEASES | st.just(""), RELEASES | st.just(""), RELEASES)
@settings(max_examples=examples(300))
def test_bounds_without_a_release_are_refused_and_others_are_written_and_read(
    since: str, until: str, release: str
) -> None:
    given = overlay(b"a\n", b"b\n")._replace(bounds=Bounds(since, until))
    with tempfile.TemporaryDirectory() as name:
        store.write(Path(name), given)
        if Bounds(since, until).are_empty():
            assert not Bounds(since, until).admit(release)
            with pytest.raises(OverlayError, match="no release lies within its bounds: since "):
                store.read([Path(name)])
        else:
            (found,) = store.read([Path(name)])
            assert found.bounds == (since, until)


@given(TEXTS, TEXTS, TEXTS, RELEASES | st.just(""), RELEASES | st.just(""), RELEASES)
@settings(max_examples=examples(100))
def test_within_its_bounds_an_overlay_does_what_it_does_without_and_outside_nothing(
    ported: bytes, base: bytes, changed: bytes, since: str, until: str, release: str
) -> None:
    unbounded = overlay(base, changed)
    bounded = unbounded._replace(bounds=Bounds(since, until))

    def result(one: Overlay) -> tuple[bytes, str] | list[Problem]:
        try:
            made = apply(ported, [one], release)
        except OverlayError as error:
            return [*error.problems]
        return made.text, made.file.uses[0].status

    if bounded.bounds.admit(release):
        assert result(bounded) == result(unbounded)
    else:
        assert result(bounded) == (ported, "outside")


def test_every_malformed_line_of_a_header_is_named(tmp_path: Path) -> None:
    place, _ = store.write(tmp_path, overlay(b"a\n", b"b\n")._replace(bounds=Bounds("2.6", "2.7")))
    text = place.read_text()
    for old, new in (("2.6\n", "2.6.x\n"), ("2.7\n", "2\n"), ("2030-01-31", "soon")):
        assert old in text
        text = text.replace(old, new)
    place.write_text(text)
    with pytest.raises(OverlayError) as caught:
        store.read([tmp_path])
    assert [problem.text.partition(": ")[2] for problem in caught.value.problems] == [
        "Expires: 'soon' is not a date: YYYY-MM-DD",
        "Since: '2.6.x' is not a release: X.Y or X.Y.Z",
        "Until: '2' is not a release: X.Y or X.Y.Z",
    ]


def test_base_that_could_not_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("porter.base.untrusted.LARGEST", 10)
    with pytest.raises(OverlayError, match="has 11 bytes"):
        store.write(tmp_path, overlay(b"0123456789\n", b"x\n"))
    assert not list(tmp_path.iterdir())
