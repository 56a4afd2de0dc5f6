"""Capture and replay of compiled graphs, like CUDA graphs, for `torch.compile(mode="reduce-overhead")`."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection
from typing import Any

import torch

from ._build import DEVICE
from .devices import device
from .graphs import Graph, graph
from .streams import Stream, current_stream, stream

_Model = Callable[[list[Any]], Any]


def captured(model: _Model, on: int, static: Collection[int], written: Collection[int]) -> _Model:
    """Wrap a compiled model so that it is captured as a graph at its second call, and replayed from then on.

    The model takes a list of inputs on device number `on`. Inputs with an index in `static` (for example parameters)
    are expected to keep their addresses. All other inputs are copied into the graph's memory before a replay. Results
    are copied out of the graph's memory, so that a later replay does not overwrite the caller's results. The model runs
    eagerly if an input is not a tensor, if it writes to an input that is copied (`written`), or if the capture fails.
    """
    recorded = _Captured(model, static, written)

    def run(inputs: list[Any]) -> Any:
        # The current device, whose streams are used, may differ from the model's device.
        with device(on):
            return recorded.run(inputs)

    return run


class _Captured:
    def __init__(self, model: _Model, static: Collection[int], written: Collection[int]) -> None:
        self._model = model
        self._static = set(static)
        self._written = frozenset(written)
        self._places: dict[int, int] = {}
        """Addresses of static inputs at the last call."""
        self._warm = False
        self._plain = bool(self._written - self._static)
        self._graph: Graph | None = None
        self._inputs: list[torch.Tensor] = []
        self._results: Any = None

    def run(self, inputs: list[Any]) -> Any:
        if self._plain or not all(isinstance(one, torch.Tensor) for one in inputs):
            return self._model(inputs)
        if not self._warm:
            self._warm = True
            # The first run of a kernel creates workspaces and plans that later runs reuse.
            self._places = self._where(inputs)
            return self._aside(inputs)
        now = self._where(inputs)
        moved = {number for number, place in now.items() if place != self._places[number]}
        self._static -= moved
        if self._written - self._static:
            self._plain, self._graph = True, None
            return self._model(inputs)
        if moved or self._graph is None:
            try:
                self._record(inputs)
            except RuntimeError as error:
                self._plain, self._graph = True, None
                first = str(error).splitlines()[0]
                warnings.warn(
                    f"a compiled graph cannot be recorded on device '{DEVICE}', and runs without recording: {first}",
                    stacklevel=2,
                )
                return self._model(inputs)
        for number, (here, given) in enumerate(zip(self._inputs, inputs, strict=True)):
            if number not in self._static:
                here.copy_(given)
        inputs.clear()
        assert self._graph is not None
        self._graph.replay()
        return self._kept()

    def _kept(self) -> list[Any]:
        """Copies of the results; the next replay does not overwrite the copies.

        If results share memory, their copies share memory in the same way. A result in a static input is not copied.
        """
        held = {one.untyped_storage().data_ptr() for one in self._static_inputs()}
        places = [
            one.untyped_storage().data_ptr() if isinstance(one, torch.Tensor) else 0
            for one in self._results
        ]
        copies: dict[int, torch.UntypedStorage] = {}
        kept = []
        for one, place in zip(self._results, places, strict=True):
            if not isinstance(one, torch.Tensor) or place in held:
                kept.append(one)
            elif places.count(place) == 1 and not torch._debug_has_internal_overlap(one):
                like = torch.empty_strided(
                    one.size(), one.stride(), dtype=one.dtype, device=one.device
                )
                kept.append(like.copy_(one))
            else:
                if place not in copies:
                    copies[place] = one.untyped_storage().clone()
                view = torch.empty(0, dtype=one.dtype, device=one.device)
                kept.append(
                    view.set_(copies[place], one.storage_offset(), one.size(), one.stride())
                )
        return kept

    def _static_inputs(self) -> list[torch.Tensor]:
        return [one for number, one in enumerate(self._inputs) if number in self._static]

    def _aside(self, inputs: list[Any]) -> Any:
        """Run the model on a separate stream, as the capture does."""
        other, here = Stream(), current_stream()
        other.wait_stream(here)
        with stream(other):
            results = self._model(inputs)
        here.wait_stream(other)
        for one in results:
            if isinstance(one, torch.Tensor):
                one.record_stream(here)
        return results

    def _where(self, inputs: list[torch.Tensor]) -> dict[int, int]:
        return {number: inputs[number].data_ptr() for number in self._static}

    def _record(self, inputs: list[torch.Tensor]) -> None:
        copied = [one for number, one in enumerate(inputs) if number not in self._static]
        if any(torch._debug_has_internal_overlap(one) for one in copied):
            raise RuntimeError("elements of an input share their memory")
        self._inputs = [
            one.detach()
            if number in self._static
            else torch.empty_strided(one.size(), one.stride(), dtype=one.dtype, device=one.device)
            for number, one in enumerate(inputs)
        ]
        self._graph = Graph()
        with graph(self._graph, stream=Stream(), capture_error_mode="thread_local"):
            self._results = self._model(list(self._inputs))
