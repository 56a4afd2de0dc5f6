"""Failures to fetch a release, each with its exit code and advice."""

from __future__ import annotations


class FetchError(Exception):
    """Error: a release is not available, or a source does not answer."""

    code = 4

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """Advice in one or more lines; may be empty."""


class UsageError(FetchError):
    """Error: invalid command line."""

    code = 2
