"""Search for the lines of a file that are most similar to the text of a patch."""

from __future__ import annotations

import difflib
import re
from collections import Counter

_ALIKE = 0.9
"""Lines whose score is at least this share of the best score are also compared character by character."""


def nearest(wanted: str, text: str) -> tuple[int, str]:
    """Find the lines in `text` that are most similar to `wanted`: as many consecutive lines as `wanted` has.

    Returns the number of the first line, from 1, and the lines. Lines with many words of `wanted` have a high score;
    a word that is rare in `text` counts more. The lines with the best scores are compared character by character.
    """
    lines = text.splitlines() or [""]
    words = [set(re.findall(r"\w+", line)) for line in lines]
    lines_with = Counter(word for line in words for word in line)
    sought = set(re.findall(r"\w+", wanted))
    count = max(1, len(wanted.strip("\n").splitlines()))
    windows = range(max(1, len(lines) - count + 1))
    scores = [
        sum(1 / lines_with[word] for word in sought & set().union(*words[at : at + count]))
        for at in windows
    ]
    alike = [at for at in windows if scores[at] >= _ALIKE * max(scores)]

    def likeness(at: int) -> float:
        shown = "\n".join(lines[at : at + count])
        return difflib.SequenceMatcher(None, wanted.strip("\n"), shown).ratio()

    best = max(alike, key=likeness) if len(alike) < len(windows) else 0
    return best + 1, "\n".join(lines[best : best + count])
