"""Numbers of arguments that the functions in CUDA's headers accept, read with libclang."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from mapping_tables.cuda_headers import is_transparent

_TRANSPARENT = ("LINKAGE_SPEC", "UNEXPOSED_DECL")
_FUNCTIONS = ("FUNCTION_DECL", "FUNCTION_TEMPLATE")


class ArgumentCounts:
    """Numbers of arguments of global functions and macros, collected from translation units."""

    def __init__(self, header_of_file: Callable[[str], str | None]) -> None:
        """Create an empty collection. `header_of_file` returns None for a file that is not CUDA's."""
        self._header_of_file = header_of_file
        self._is_cuda: dict[str, bool] = {}
        self._counts: defaultdict[str, set[int]] = defaultdict(set)
        self._any_number: set[str] = set()
        self._aliases: defaultdict[str, set[str]] = defaultdict(set)

    def add(self, unit: Any) -> None:
        """Add the functions and macros of a translation unit of libclang."""
        for cursor in self._cursors(unit.cursor):
            if cursor.kind.name == "MACRO_DEFINITION":
                self._add_macro(cursor)
            else:
                self._add_function(cursor)

    def of(self, name: str) -> frozenset[int]:
        """Numbers of arguments of a function or macro; empty if the name is unknown or accepts any number.

        A macro without parameters accepts the arguments of the named function: `#define cublasCreate cublasCreate_v2`,
        `#define cuMemAlloc __CUDA_API_PTDS(cuMemAlloc_v2)`.
        """
        names, pending = set[str](), [name]
        while pending:
            one = pending.pop()
            if one not in names:
                names.add(one)
                pending += self._aliases.get(one, ())
        if names & self._any_number:
            return frozenset()
        return frozenset().union(*(self._counts.get(one, ()) for one in names))

    def _cursors(self, parent: Any) -> Iterator[Any]:
        """Yield the global functions and macros below a cursor that CUDA's headers declare."""
        for cursor in parent.get_children():
            file = cursor.location.file
            if file is None:
                continue
            if file.name not in self._is_cuda:
                self._is_cuda[file.name] = self._header_of_file(file.name) is not None
            if not self._is_cuda[file.name]:
                continue
            kind = cursor.kind.name
            if kind in _TRANSPARENT or (kind == "NAMESPACE" and is_transparent(cursor)):
                yield from self._cursors(cursor)
            elif kind in (*_FUNCTIONS, "MACRO_DEFINITION"):
                yield cursor

    def _add_function(self, function: Any) -> None:
        given = [one for one in function.get_children() if one.kind.name == "PARM_DECL"]
        if any(one.type.spelling.endswith("...") for one in given) or _is_variadic(function):
            self._any_number.add(function.spelling)
            return
        required = sum(not _has_default(one) for one in given)
        self._counts[function.spelling].update(range(required, len(given) + 1))

    def _add_macro(self, macro: Any) -> None:
        tokens = list(macro.get_tokens())
        words = [token.spelling for token in tokens]
        named = words[1:2] if len(words) == 2 else words[3:4]
        is_wrapped = len(words) == 5 and words[1].isidentifier() and words[2::2] == ["(", ")"]
        if (len(words) == 2 or is_wrapped) and named[0].isidentifier():
            self._aliases[words[0]].add(named[0])
        if len(words) < 3 or words[1] != "(" or tokens[0].extent.end != tokens[1].extent.start:
            return
        inner = words[2 : words.index(")")]
        if "..." in inner:
            self._any_number.add(words[0])
        elif all(two[1] == "," for two in pairwise(inner) if two[0].isidentifier()):
            self._counts[words[0]].add(sum(word.isidentifier() for word in inner))


def _is_variadic(function: Any) -> bool:
    kind = function.type.kind.name
    return kind == "FUNCTIONNOPROTO" or (
        kind == "FUNCTIONPROTO" and function.type.is_function_variadic()
    )


def _has_default(parameter: Any) -> bool:
    """Test whether a parameter has a default value, also one that a macro writes: `cudaStream_t stream __dv(0)`."""
    if not any(child.kind.is_expression() for child in parameter.get_children()):
        return False
    words = [token.spelling for token in parameter.get_tokens()]
    return "=" in words or "[" not in words  # The length of an array is an expression too.
