"""Lint of prose: intended findings, and no others."""

from __future__ import annotations

import importlib.machinery
import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "build_scripts" / "prose_lint"


@pytest.fixture(scope="module")
def lint() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("prose_lint", str(SCRIPT))
    spec = importlib.util.spec_from_loader("prose_lint", loader)
    assert spec
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize("word", ["What", "Where", "Why", "Those", "None", "Of", "As"])
def test_a_docstring_begins_with_a_noun_or_a_verb(lint: ModuleType, word: str) -> None:
    found = list(lint.in_python(f'def f():\n    """{word} it does."""\n', "a"))
    assert [line for line, _ in found] == [2]


def test_other_strings_and_words_are_no_findings(lint: ModuleType) -> None:
    assert not list(lint.in_python('"""However it is."""\nx = "What"\n', "utility_model"))


@pytest.mark.parametrize(
    ("text", "name"), [("", "util"), ("", "fs_helpers"), ("class JobManager: ...\n", "jobs")]
)
def test_names_that_say_nothing(lint: ModuleType, text: str, name: str) -> None:
    assert len(list(lint.in_python(text, name))) == 1


def test_dead_references(lint: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "here.md").touch()
    page = "[a](here.md#b) [c](gone.md) `porter/gone.py` [d](https://example.org)\n"
    assert [text for _, text in lint.in_markdown(page, tmp_path, tmp_path)] == [
        "no such file: porter/gone.py",
        "no such file: gone.md",
    ]


def test_retired_terms(lint: ModuleType, tmp_path: Path) -> None:
    retired, now = next(iter(lint.RETIRED.items()))
    assert list(lint.in_markdown(f"see `{retired}`", tmp_path, tmp_path)) == [
        (1, f"retired term: {retired}; now {now}")
    ]
    assert list(lint.in_python(f'"""A `{retired}`."""\n', "a"))
    assert list(lint.in_python("", "own_code")) and list(lint.in_python("class Fate: ...\n", "a"))
    assert not list(lint.in_markdown(f"a {retired}", tmp_path, tmp_path))


@pytest.mark.parametrize(
    "text",
    [
        "The wheel can be had from an index.",
        "Kernels of one's own.",
        "Nobody has said why, and nobody said how.".lower(),
        "What is left is dropped.",
        "A star stands for any text.",
        "A handle that is none.",
        "sort and its like",
        "The wheel brings along a plugin.",
    ],
)
def test_unclear_phrases(lint: ModuleType, tmp_path: Path, text: str) -> None:
    assert len(list(lint.in_markdown(text, tmp_path, tmp_path))) == 1
    assert [line for line, _ in lint.in_cpp(f"int a;\n// A text.\n// {text}\n")] == [2]
    assert list(lint.in_python(f'def f():\n    """A text. {text}"""\n', "a"))


@pytest.mark.parametrize(
    "text",
    [
        "What is a port?",
        "The answer is what the caller expects.",
        "He stood there; it had been so.",
        "names of its own",
        "Somebody said so.",
    ],
)
def test_clear_phrases(lint: ModuleType, tmp_path: Path, text: str) -> None:
    assert not list(lint.in_markdown(text, tmp_path, tmp_path))


def test_comments_of_cpp(lint: ModuleType) -> None:
    text = "/// Whether it is.\nbool f();  // What it does.\n\n// A noun.\n// Which is\n// how it ends.\n"
    assert [line for line, _ in lint.in_cpp(text)] == [1, 4]


def test_the_project_passes(lint: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert lint.main(SCRIPT.parents[1]) == 0, capsys.readouterr().out
