"""Plan of the simt runtime, `mappings/simt/plan.toml`. The plan states the status of groups of names."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mapping_tables.errors import PlanError


@dataclass(frozen=True)
class Group:
    """Names with the same status, as patterns. `note` is the reason for any status except `supported`."""

    place: str
    patterns: tuple[re.Pattern[str], ...]
    status: str = "supported"
    note: str = ""

    def pattern_of(self, name: str) -> re.Pattern[str] | None:
        """First pattern of the group that matches `name` as a whole; None if there is none."""
        return next((pattern for pattern in self.patterns if pattern.fullmatch(name)), None)


@dataclass(frozen=True)
class Section:
    """Groups of one API area, or of one namespace and the namespaces inside it."""

    place: str
    area: str
    groups: tuple[Group, ...]
    source: str = ""
    rename: tuple[tuple[re.Pattern[str], str], ...] = ()

    def group_of(self, name: str) -> Group | None:
        """Group that decides about `name`; None if no group matches."""
        return next((group for group in self.groups if group.pattern_of(name)), None)

    def renamed(self, name: str) -> str:
        """Target's name for `name`. In a template, group 1 with a capital first letter replaces `\\^1`."""
        for pattern, template in self.rename:
            if match := pattern.fullmatch(name):
                return re.sub(r"\\(\^?)(\d)", lambda part: _filled(match, part), template)
        return name


def _filled(match: re.Match[str], part: re.Match[str]) -> str:
    text = match[int(part[2])] or ""
    return text[:1].upper() + text[1:] if part[1] else text


@dataclass(frozen=True)
class Plan:
    """Content of plan.toml."""

    areas: dict[str, Section]
    namespaces: dict[str, Section]
    absent: frozenset[str]
    """API areas without any support in the runtime. They have no table."""
    by_hand: Group
    """Names about which rules in YAML files decide."""

    def section_of(self, namespace: str) -> Section | None:
        """Section of `namespace`, or of the nearest namespace around it that has a section; None without a section."""
        while namespace:
            if section := self.namespaces.get(namespace):
                return section
            namespace = namespace.rpartition("::")[0]
        return None

    def groups(self) -> list[Group]:
        """Groups of all sections."""
        sections = (*self.areas.values(), *self.namespaces.values())
        return [self.by_hand, *(group for section in sections for group in section.groups)]


def read(path: Path) -> Plan:
    """Read the plan in a TOML file. Raises PlanError for a malformed plan or regular expression."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        return Plan(
            areas={
                area: _section(f"area.{area}", area, entry) for area, entry in data["area"].items()
            },
            namespaces={
                name: _section(f"namespace.{name}", entry["area"], entry)
                for name, entry in data["namespace"].items()
            },
            absent=frozenset(data["absent"]),
            by_hand=Group("by_hand", tuple(_compiled(text, "by_hand") for text in data["by_hand"])),
        )
    except OSError as error:
        raise PlanError(f"{path}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise PlanError(f"{path} is no plan: {error!r}") from None


def _section(place: str, area: str, entry: dict[str, Any]) -> Section:
    groups = tuple(
        Group(
            place=f"{place} group {number}",
            patterns=tuple(_compiled(text, place) for text in group["names"]),
            status=group.get("status", "supported"),
            note=group.get("note", ""),
        )
        for number, group in enumerate(entry.get("group", []), 1)
    )
    renames = tuple((_compiled(text, place), new) for text, new in entry.get("rename", []))
    return Section(place, area, groups, entry.get("source", ""), renames)


def _compiled(text: str, place: str) -> re.Pattern[str]:
    try:
        return re.compile(text, re.ASCII)
    except re.error as error:
        raise PlanError(f"{place}: {text!r} is no regular expression: {error}") from None
