"""Exceptions of the scripts that write tables, each with its exit code and advice."""

from __future__ import annotations


class TableError(Exception):
    """Raised when an input of a table is missing or unreadable."""

    code = 4

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """One line of advice; may be empty."""

    @property
    def told(self) -> str:
        """Text of the error for the user."""
        return f"error: {self}" + (f"\n  help: {self.advice}" if self.advice else "")


class PlanError(TableError):
    """Raised when the hand-written decisions for a table contradict each other or the inventory."""

    code = 3


class UsageError(TableError):
    """Raised when the script's arguments are invalid."""

    code = 2
