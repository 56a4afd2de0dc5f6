"""All cases by group, and selection of cases."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from badinput import (
    contents,
    header_trees,
    numbers,
    overlays,
    paths,
    profiles,
    project_files,
    surroundings,
    words,
)
from badinput.case import Case

GROUPS: dict[str, Callable[[], Iterable[Case]]] = {
    "paths": paths.cases,
    "numbers": numbers.cases,
    "words": words.cases,
    "profiles": profiles.values,
    "mappings": profiles.files,
    "ports": contents.ports,
    "sources": contents.sources,
    "header trees": header_trees.cases,
    "overlays": overlays.cases,
    "project files": project_files.cases,
    "streams": surroundings.streams,
    "environments": surroundings.environments,
    "signals": surroundings.signals,
}


def chosen(
    only: Sequence[str] | None = None,
    sample: int | None = None,
    shard: str = "1/1",
    name: str = "",
) -> list[Case]:
    """Cases of the groups `only`, or of all groups.

    `name` is a regular expression for names of cases, and `shard` (`2/4`) selects a part of the cases. `sample` is the
    number of cases to return; they are spread over the groups, and are the same in every run.
    """
    found = [case for name in only or GROUPS if name in GROUPS for case in GROUPS[name]()]
    found = [case for case in found if re.search(name, case.name)]
    part, parts = map(int, shard.split("/"))
    found = found[part - 1 :: parts]
    if sample and sample < len(found):
        return [found[index * len(found) // sample] for index in range(sample)]
    return found
