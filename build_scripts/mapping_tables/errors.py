"""Errors of the scripts that write tables, each with its exit code and advice."""

from __future__ import annotations


class TableError(Exception):
    """Error: an input of a table is missing or unreadable."""

    code = 4

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.advice = advice
        """Advice in one line; may be empty."""

    @property
    def told(self) -> str:
        """Text of the error for the user."""
        return f"error: {self}" + (f"\n  help: {self.advice}" if self.advice else "")


class PlanError(TableError):
    """Error: the hand-written decisions for a table contradict each other or the inventory."""

    code = 3


class UsageError(TableError):
    """Error: invalid arguments of the script."""

    code = 2
