"""Failures to fetch a release, each with its exit code and advice."""

from __future__ import annotations


class FetchError(Exception):
    """A release cannot be had, or a source does not answer. Its text says what happened."""

    code = 4

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """Advice in one or more lines; may be empty."""


class UsageError(FetchError):
    """The command line asks for what cannot be."""

    code = 2
