"""Options that take comma-separated words: a blank inside a word belongs to the word."""

from __future__ import annotations

import click
import pytest

from porter.base.errors import UsageError
from porter.cli.verify import verify
from porter.model.verify import CheckUnit
from porter.verify.operators import OperatorSelection, choose


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("a b", ("a b",)),
        (" add , mul ", ("add", "mul")),
        ("add,,mul,", ("add", "mul")),
        (" , ", ()),
    ],
)
def test_words_are_parted_by_commas_alone(given: str, words: tuple[str, ...]) -> None:
    context = verify.make_context("verify", ["--target", "simt", "--ops", given])
    assert context.params["ops"] == words


def test_the_name_that_no_operator_matches_is_the_one_that_was_given() -> None:
    context = verify.make_context("verify", ["--target", "simt", "--ops", "a b"])
    asked = OperatorSelection(ops=context.params["ops"])
    with pytest.raises(UsageError, match="no operator matches 'a b'"):
        choose([CheckUnit("ab", "float32", ("forward",))], asked)


def test_a_blank_does_not_join_two_words_into_a_known_one() -> None:
    with pytest.raises(click.BadParameter, match="'for ward' is not one of"):
        verify.make_context("verify", ["--target", "simt", "--checks", "for ward"])
