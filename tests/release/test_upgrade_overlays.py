"""Rows of `porter upgrade` about overlays, and its page of HTML."""

from __future__ import annotations

import html.parser
from pathlib import Path

import pytest

from porter.mapping import rule_cache
from porter.mapping.library import MappingLibrary
from porter.model.overlay import Overlay
from porter.model.rules import RuleSet
from porter.model.upgrade import (
    Change,
    ComparedTree,
    Effect,
    Subject,
    Upgrade,
    UpgradeRow,
)
from porter.model.versions import Bounds
from porter.report.pages.upgrade_page import render
from porter.rewrite.rewriter import Rewriter, ported_bytes
from porter.upgrade.overlays import rows
from porter.upgrade.trees import Tree

FILE = "c10/cuda/CUDAStream.h"
ALL = Bounds()
BEFORE = Tree(Path("a"), "2.6.0", False, frozenset({FILE}), "")
LINES = [f"int line{number}();" for number in range(12)]


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return rule_cache.rule_set(MappingLibrary.find(), "simt", "2.6.0")


def tree_with(root: Path, lines: list[str], *, is_header_tree: bool = False) -> Tree:
    place = root / FILE
    place.parent.mkdir(parents=True)
    place.write_text("\n".join(lines) + "\n")
    return Tree(root, "2.7.1", is_header_tree, frozenset({FILE}), "")


def overlay(
    rules: RuleSet,
    file: str = FILE,
    changed: str = "int mine();",
    name: str = "fast",
    bounds: Bounds = ALL,
) -> Overlay:
    """Overlay that changes line 5 of the ported text."""
    text = "\n".join(LINES) + "\n"
    base = ported_bytes(Rewriter(rules, {}).rewrite(FILE, text.encode()))
    mine = base.replace(b"int line5();", changed.encode())
    about = ("me", "faster", "", "2.6.0", 1)
    return Overlay(name, file, *about, base, mine, "", f"acme/overlays/{name}.patch", bounds)


def test_an_overlay_on_text_that_moved_needs_no_edit(tmp_path: Path, rules: RuleSet) -> None:
    tree = tree_with(tmp_path, ["int fresh();", *LINES])
    (row,) = rows(BEFORE, tree, [overlay(rules)], rules)
    assert (row.change, row.effect) == (Change.MOVED, Effect.INFORMS)
    assert row.place == "acme/overlays/fast.patch"


def test_an_overlay_on_text_that_changed_conflicts(tmp_path: Path, rules: RuleSet) -> None:
    lines = [line.replace("line5", "other5") for line in LINES]
    (row,) = rows(BEFORE, tree_with(tmp_path, lines), [overlay(rules)], rules)
    assert (row.subject, row.effect) == (Subject.OVERLAY, Effect.BREAKS)
    assert "int mine();" in row.before and "int other5();" in row.before


def test_an_overlay_that_upstream_made_needless_is_to_be_dropped(
    tmp_path: Path, rules: RuleSet
) -> None:
    lines = [line.replace("int line5();", "int mine();") for line in LINES]
    (row,) = rows(BEFORE, tree_with(tmp_path, lines), [overlay(rules)], rules)
    assert row.effect is Effect.CHECK and "drop the overlay" in row.advice


@pytest.mark.parametrize(
    ("is_header_tree", "effect"), [(True, Effect.INFORMS), (False, Effect.BREAKS)]
)
def test_a_file_that_is_gone_breaks_in_a_whole_tree_and_is_unchecked_in_a_header_tree(
    tmp_path: Path, rules: RuleSet, is_header_tree: bool, effect: Effect
) -> None:
    tree = tree_with(tmp_path, LINES, is_header_tree=is_header_tree)
    (row,) = rows(BEFORE, tree, [overlay(rules, "c10/cuda/CUDAStream.cpp")], rules)
    assert row.effect is effect


CHANGED = [line.replace("line5", "other5") for line in LINES]
"""Text of 2.7.1 with which the overlay conflicts."""


@pytest.mark.parametrize(
    ("bounds", "effect", "advice"),
    [
        (Bounds("2.6", "2.6"), Effect.CHECK, "needs an overlay for 2.7.1"),
        (Bounds("", "2.7.0"), Effect.CHECK, "needs an overlay for 2.7.1"),
        (Bounds("1.13", "2.5"), Effect.INFORMS, "exclude this release (since 1.13, until 2.5)"),
        (Bounds("2.8", ""), Effect.INFORMS, "exclude this release (since 2.8)"),
        (Bounds("2.6", "2.7"), Effect.BREAKS, "if 2.6.0 still needs the change"),
        (Bounds("2.7.1", ""), Effect.BREAKS, "does not merge"),
    ],
)
def test_an_overlay_conflicts_only_within_its_bounds(
    tmp_path: Path, rules: RuleSet, bounds: Bounds, effect: Effect, advice: str
) -> None:
    tree = tree_with(tmp_path, CHANGED)
    (row,) = rows(BEFORE, tree, [overlay(rules, bounds=bounds)], rules)
    assert row.effect is effect and advice in row.advice


def test_an_overlay_that_ends_names_the_one_that_begins(tmp_path: Path, rules: RuleSet) -> None:
    tree = tree_with(tmp_path, LINES)
    ends = overlay(rules, bounds=Bounds("", "2.6"))
    begins = overlay(rules, name="fast-2.7.1", bounds=Bounds("2.7", ""))
    first, second = rows(BEFORE, tree, [ends, begins], rules)
    assert (first.name, first.effect) == ("fast", Effect.INFORMS)
    assert first.advice.endswith("(until 2.6); 2.7.1 has fast-2.7.1")
    assert (second.name, second.effect) == ("fast-2.7.1", Effect.INFORMS)


def test_an_overlay_of_a_file_that_is_gone_may_end_before(tmp_path: Path, rules: RuleSet) -> None:
    tree = tree_with(tmp_path, LINES)
    gone = overlay(rules, "c10/cuda/CUDAStream.cpp", bounds=Bounds("", "2.6"))
    (row,) = rows(BEFORE, tree, [gone], rules)
    assert row.effect is Effect.CHECK


def test_the_page_needs_no_other_file_and_escapes_all_texts() -> None:
    before = "void f(std::vector<int> & x)"
    row = UpgradeRow(
        Subject.SCHEMA, Change.CHANGED, Effect.BREAKS, "f", before, "", "a.yaml:3", "edit </script>"
    )
    tree = ComparedTree("2.6.0", "/a", True)
    made = render(
        Upgrade(tree, tree._replace(release="2.7.1"), "simt", (row,), ("nothing & more",))
    )
    found: list[tuple[str, dict[str, str | None]]] = []

    class Reader(html.parser.HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    Reader().feed(made)
    assert sum("data-task" in attrs for _, attrs in found) == 1
    assert not [attrs for tag, attrs in found if "src" in attrs or tag == "link"]
    assert "std::vector&lt;int&gt; &amp; x" in made and "nothing &amp; more" in made
    assert made.count("</script>") == 1
