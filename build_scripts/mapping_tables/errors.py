"""Failures to make a table, each with its exit code and advice."""

from __future__ import annotations


class TableError(Exception):
    """Error: a source of a table is missing or unreadable. The text says what is wrong."""

    code = 4

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """Advice in one line; may be empty."""

    @property
    def told(self) -> str:
        """The error as the user sees it."""
        return f"error: {self}" + (f"\n  help: {self.advice}" if self.advice else "")


class PlanError(TableError):
    """The hand-written decisions behind a table contradict themselves or what they speak of."""

    code = 3


class UsageError(TableError):
    """The script was called in a way that cannot work."""

    code = 2
