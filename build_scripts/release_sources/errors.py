"""Exceptions for errors while fetching a release, each with its exit code and advice."""

from __future__ import annotations


class FetchError(Exception):
    """Raised when a release is not available, or a source cannot be read."""

    code = 4

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """One or more lines of advice; may be empty."""


class UsageError(FetchError):
    """Raised when the command line is invalid."""

    code = 2
