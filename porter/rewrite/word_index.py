"""Index of the words that contain certain texts. A word is examined once: most words occur in several files."""

from __future__ import annotations

from collections.abc import Iterable


class Vocabulary:
    """Words that hold one of some lower-case texts, in capitals or not.

    >>> known = Vocabulary(["warp", "lane"])
    >>> known.learn({"WARP_SIZE", "n"})
    >>> known.holds({"n", "WARP_SIZE"}, "warp"), known.holds({"n"}, "warp")
    (True, False)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._holding: dict[str, set[str]] = {text: set() for text in texts}

    def learn(self, words: set[str]) -> None:
        """Look at words; once for each is enough."""
        joined = " ".join(words).lower()
        for text, holding in self._holding.items():
            if text in joined:
                holding.update(word for word in words if text in word.lower())

    def holds(self, words: set[str], text: str) -> bool:
        """True if one of the words, all of which were added, contains one of the texts."""
        return not words.isdisjoint(self._holding[text])
