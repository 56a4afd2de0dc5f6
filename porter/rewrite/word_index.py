"""Index of the words that contain certain texts. A word is searched once, although it occurs in several files."""

from __future__ import annotations

from collections.abc import Iterable


class Vocabulary:
    """Index of the words that contain one of the given lower-case texts, ignoring case.

    >>> known = Vocabulary(["warp", "lane"])
    >>> known.learn({"WARP_SIZE", "n"})
    >>> known.holds({"n", "WARP_SIZE"}, "warp"), known.holds({"n"}, "warp")
    (True, False)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._holding: dict[str, set[str]] = {text: set() for text in texts}

    def learn(self, words: set[str]) -> None:
        """Search each of the words for the given texts, and record the result."""
        joined = " ".join(words).lower()
        for text, holding in self._holding.items():
            if text in joined:
                holding.update(word for word in words if text in word.lower())

    def holds(self, words: set[str], text: str) -> bool:
        """Test whether a word in `words` contains `text`. All the words must have been passed to `learn` before."""
        return not words.isdisjoint(self._holding[text])
