"""Whether a regular expression is sure to run in time linear in its input.

Python's engine backtracks: where a match fails it tries every other way to share out the same text.
The number of ways is what the check bounds, on the expression's automaton
(`porter.mapping.automaton`): a loop that can read one text in two ways makes it exponential, two
loops in a row that can read the same text make it grow with the square (A. Weber, H. Seidl, "On the
degree of ambiguity of finite automata", 1991).

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

_MANY = 12
"""Each alternative or optional part may double the ways, without any loop."""
_SHOWN = string.ascii_lowercase + "_ " + string.printable[:94]
_Triple = tuple[int, int, int]


@cache
def why_not_linear(pattern: str, *, search: bool = False) -> str:
    """The reason why a pattern is refused (or malformed), or an empty string.

    Without `search` the pattern is matched against the whole of an identifier, with it it is looked
    for in a text. The check errs on the safe side: what it cannot show to be linear it refuses.
    """
    try:
        re.compile(pattern, re.ASCII)
        if choices(pattern) > _MANY:
            return f"has more than {_MANY} alternatives or optional parts in a row"
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
    # Repeats with a bound take a constant time each, however large: two that share text may pass,
    # three may not.
    if _longest_chain(_quadratic(loops, search)) > 2:
        return "has more than two repeats in a row that can share out the same text"
    return ""


def _cycles(made: Automaton) -> dict[int, frozenset[int]]:
    """Letter on a cycle -> all letters it can reach and be reached from."""
    ahead: dict[int, frozenset[int]] = {}
    for letter in range(len(made.masks)):
        seen: set[int] = set()
        todo = list(made.edges[letter])
        while todo:
            other = todo.pop()
            if other not in seen:
                seen.add(other)
                todo += made.edges[other]
        ahead[letter] = frozenset(seen)
    return {
        letter: frozenset(other for other in reached if letter in ahead[other])
        for letter, reached in ahead.items()
        if letter in reached
    }


def _exponential(made: Automaton) -> str:
    """A text that a loop can read in two ways; empty when there is none."""
    done: set[frozenset[int]] = set()
    for letter, component in _cycles(made).items():
        if component in done:
            continue
        done.add(component)
        for one in component:
            for other, ways in made.edges[one].items():
                if ways > 1 and other in component:
                    return _character(made.masks[other])
        # Two walks that begin at one letter, read the same, part, and meet again.
        if text := _part_and_meet(made, letter, component):
            return text
    return ""


def _part_and_meet(made: Automaton, letter: int, component: frozenset[int]) -> str:
    begin = (letter, letter, 0)
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
            if then == (letter, letter, 1):
                return seen[then]
    return ""


def _quadratic(made: Automaton, search: bool) -> dict[tuple[int, int], str]:
    """Pairs of loops that can read the same text one after the other -> such a text."""
    cycles = _cycles(made)
    safe = _cannot_fail(made, search)
    loops = [letter for letter in cycles if letter not in safe]
    found: dict[tuple[int, int], str] = {}
    for one in loops:
        for other in loops:
            if other not in cycles[one] and (text := _shared(made, one, other, cycles, safe)):
                found[one, other] = text
    return found


def _cannot_fail(made: Automaton, search: bool) -> set[int]:
    """Letters after which all that can follow is a match: nothing before is tried again."""
    safe = set(made.accepting) - {START}
    while True:
        keep = set()
        for letter in safe:
            ahead = made.edges[letter]
            reads = 0
            for other in ahead:
                reads |= made.masks[other]
            if ahead.keys() <= safe and (search or reads == WORD):
                keep.add(letter)
        if keep == safe:
            return safe
        safe = keep


def _shared(
    made: Automaton, one: int, other: int, cycles: dict[int, frozenset[int]], safe: set[int]
) -> str:
    """A text that leads from `one` to itself, from `one` to `other`, and from `other` to itself."""
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
    def length(letter: int) -> int:
        # Links follow the order of the components, so there is no way back.
        return 1 + max((length(other) for other in after.get(letter, ())), default=0)

    return max((length(letter) for letter in after), default=1)


def _character(mask: int) -> str:
    """A character of a set, one that can be shown if there is one."""
    for wanted in _SHOWN:
        if mask >> ord(wanted) & 1:
            return wanted
    return repr(chr((mask & -mask).bit_length() - 1))[1:-1]
