"""Check that a regular expression runs in time linear in the length of its input.

Python's engine backtracks: when a match fails, the engine tries every other way to divide the text among the parts of
the expression. The check computes, on the expression's automaton (`porter.regex.automaton`), how the number of ways
grows with the text. A loop that can match one text in two ways takes exponential time. Two successive loops that
can match the same text take quadratic time (A. Weber, H. Seidl, "On the degree of ambiguity of finite automata", 1991).

>>> why_not_linear(r"(a+)+b")
"runs in exponential time on text such as 'aaaa'"
>>> why_not_linear(r"cuda([A-Z]\\w*)")
''
"""

from __future__ import annotations

import re
import string
from collections import deque
from functools import cache
from itertools import product

from porter.regex.automaton import START, WORD, Automaton, NotRegularError, automaton, choices

_MAX_CHOICES = 12
"""Largest accepted number of alternatives and optional parts on one path through a pattern.

Each of them can double the number of ways in which a text matches, even without a loop.
"""
_SHOWN = string.ascii_lowercase + "_ " + string.printable[:94]
_Triple = tuple[int, int, int]


@cache
def why_not_linear(pattern: str, *, search: bool = False) -> str:
    """Reason why a pattern is refused; empty if the pattern is proved to run in linear time.

    If `search` is True, the pattern is searched in a text; if False, the pattern must match a whole identifier. A
    malformed pattern is refused, and so is a pattern whose run time cannot be proved.
    """
    try:
        re.compile(pattern, re.ASCII)
        if choices(pattern) > _MAX_CHOICES:
            return f"has more than {_MAX_CHOICES} alternatives or optional parts in a row"
        loops = automaton(pattern, search=search, bounded=False)
        written_out = automaton(pattern, search=search, bounded=True) if "{" in pattern else loops
    except NotRegularError as error:
        return str(error)
    except (re.error, ValueError, OverflowError) as error:
        return f"malformed regular expression: {error}"
    except RecursionError:
        return "it is nested too deeply"
    if text := _exponential(loops):
        return f"runs in exponential time on text such as '{text * 4}'"
    links = _quadratic(written_out, search)
    if links:
        text = next(iter(links.values()))
        return f"runs in quadratic time on text such as '{text * 4}'"
    # A repeat with an upper bound adds only a constant factor, but the factor can be large. Therefore two such repeats
    # that can match the same text are accepted, and three are refused.
    if _longest_chain(_quadratic(loops, search)) > 2:
        return "has more than two successive repeats that can match the same text"
    return ""


def _cycles(made: Automaton) -> dict[int, frozenset[int]]:
    """Maps each position on a cycle to the positions of its strongly connected component, itself included."""
    ahead: dict[int, frozenset[int]] = {}
    for position in range(len(made.masks)):
        seen: set[int] = set()
        todo = list(made.edges[position])
        while todo:
            other = todo.pop()
            if other not in seen:
                seen.add(other)
                todo += made.edges[other]
        ahead[position] = frozenset(seen)
    return {
        position: frozenset(other for other in reached if position in ahead[other])
        for position, reached in ahead.items()
        if position in reached
    }


def _exponential(made: Automaton) -> str:
    """Example of a text that a loop can match in two ways; empty if no loop can."""
    done: set[frozenset[int]] = set()
    for position, component in _cycles(made).items():
        if component in done:
            continue
        done.add(component)
        for one in component:
            for other, ways in made.edges[one].items():
                if ways > 1 and other in component:
                    return _character(made.masks[other])
        # Search for two walks that start at one position, read the same text, separate, and meet again at that
        # position.
        if text := _part_and_meet(made, position, component):
            return text
    return ""


def _part_and_meet(made: Automaton, position: int, component: frozenset[int]) -> str:
    begin = (position, position, 0)
    seen: dict[_Triple, str] = {begin: ""}
    todo = deque([begin])
    while todo:
        left, right, parted = at = todo.popleft()
        for one, other in product(made.edges[left], made.edges[right]):
            both = made.masks[one] & made.masks[other]
            if not both or one not in component or other not in component:
                continue
            then = (one, other, int(bool(parted) or one != other))
            if then not in seen:
                seen[then] = seen[at] + _character(both)
                todo.append(then)
            if then == (position, position, 1):
                return seen[then]
    return ""


def _quadratic(made: Automaton, search: bool) -> dict[tuple[int, int], str]:
    """Maps each pair of successive loops that can match the same text to an example of the text."""
    cycles = _cycles(made)
    safe = _cannot_fail(made, search)
    loops = [position for position in cycles if position not in safe]
    found: dict[tuple[int, int], str] = {}
    for one in loops:
        for other in loops:
            if other not in cycles[one] and (text := _shared(made, one, other, cycles, safe)):
                found[one, other] = text
    return found


def _cannot_fail(made: Automaton, search: bool) -> set[int]:
    """Positions after which any further text matches. The engine never backtracks past them."""
    safe = set(made.accepting) - {START}
    while True:
        keep = set()
        for position in safe:
            ahead = made.edges[position]
            reads = 0
            for other in ahead:
                reads |= made.masks[other]
            if ahead.keys() <= safe and (search or reads == WORD):
                keep.add(position)
        if keep == safe:
            return safe
        safe = keep


def _shared(
    made: Automaton, one: int, other: int, cycles: dict[int, frozenset[int]], safe: set[int]
) -> str:
    """Text that leads from `one` to itself, from `one` to `other`, and from `other` to itself; empty if none exists."""
    begin, end = (one, one, other), (one, other, other)
    seen: dict[_Triple, str] = {begin: ""}
    todo = deque([begin])
    while todo:
        x, y, z = at = todo.popleft()
        for first in made.edges[x].keys() & cycles[one]:
            for last in made.edges[z].keys() & cycles[other]:
                both = made.masks[first] & made.masks[last]
                if not both:
                    continue
                for middle in made.edges[y]:
                    reads = both & made.masks[middle]
                    then = (first, middle, last)
                    if reads and middle not in safe and then not in seen:
                        seen[then] = seen[at] + _character(reads)
                        if then == end:
                            return seen[then]
                        todo.append(then)
    return ""


def _longest_chain(links: dict[tuple[int, int], str]) -> int:
    after: dict[int, set[int]] = {}
    for one, other in links:
        after.setdefault(one, set()).add(other)

    @cache
    def length(position: int) -> int:
        # The links lead only to later components, so the recursion ends.
        return 1 + max((length(other) for other in after.get(position, ())), default=0)

    return max((length(position) for position in after), default=1)


def _character(mask: int) -> str:
    """One character of a set, as text: a printable character if the set contains any, else an escape."""
    for wanted in _SHOWN:
        if mask >> ord(wanted) & 1:
            return wanted
    return repr(chr((mask & -mask).bit_length() - 1))[1:-1]
