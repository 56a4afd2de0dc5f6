"""Streams and events: torch.Stream and torch.Event with the constructors that torch.cuda's have."""

from __future__ import annotations

from typing import TypeVar, cast

import torch
from torch.types import Device

from . import _C
from ._build import DEVICE, LOWER
from ._lazy import _lazy_init
from .devices import _get_device_index

_Kind = TypeVar("_Kind", bound="Stream")


class Stream(torch.Stream):
    """Work that the device does in order, beside that of other streams.

    Args:
        device: where; by default the current device.
        priority: 0, or negative for work that goes before others.

    With `stream_id`, `device_index` and `device_type` it names a stream that exists.
    """

    def __new__(
        cls: type[_Kind],
        device: Device = None,
        priority: int = 0,
        *,
        stream_id: int | None = None,
        device_index: int = 0,
        device_type: int = 0,
    ) -> _Kind:
        if stream_id is not None:
            return _named(cls, (stream_id, device_index, device_type))
        _lazy_init()
        return _named(cls, _C.stream_from_pool(priority, _get_device_index(device, optional=True)))

    @property
    def priority(self) -> int:
        """The priority it has: 0, or negative for a higher one."""
        return _C.stream_priority(self.stream_id, self.device_index, self.device_type)

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """The least and the greatest priority; the greatest is the smaller number."""
        _lazy_init()
        return _C.stream_priority_range()

    def record_event(self, event: torch.Event | None = None) -> torch.Event:
        """Record an event, a new one if none is given, behind the work that this stream has now."""
        if event is None:
            event = Event()
        event.record(self)
        return event

    @property
    def _as_parameter_(self) -> object:
        # Imported late: for programs that call the vendor's library by ctypes, which are rare.
        import ctypes

        return ctypes.c_void_p(_handle(self))

    def __repr__(self) -> str:
        return (
            f"<torch.{DEVICE}.Stream device={self.device} {LOWER}_stream={_handle(self):#x} "
            f"stream_id={self.stream_id}>"
        )


class ExternalStream(Stream):
    """A stream made elsewhere, by its handle of the vendor's runtime; its maker keeps it alive."""

    def __new__(cls, stream_ptr: int, device: Device = None) -> ExternalStream:
        _lazy_init()
        index = _get_device_index(device, optional=True)
        return _named(cls, _C.stream_from_external(stream_ptr, index))


class Event(torch.Event):
    """A mark in a stream's work, to wait for or to measure time with.

    Args:
        enable_timing: may `elapsed_time` be asked?
        blocking: does `synchronize` sleep instead of spinning?
        interprocess: may other processes wait for it?
    """

    def __new__(
        cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> Event:
        event = super().__new__(
            cls,
            torch.device(DEVICE),
            enable_timing=enable_timing,
            blocking=blocking,
            interprocess=interprocess,
        )
        return cast(Event, event)


class StreamContext:
    """Context manager that makes a stream, and its device, the current one; None changes nothing."""

    def __init__(self, stream: torch.Stream | None) -> None:
        self.stream = stream
        self._before: list[Stream] = []

    def __enter__(self) -> None:
        if self.stream is None:
            return
        here = current_stream()
        self._before = [here]
        if here.device != self.stream.device:
            # That device has a current stream of its own, which comes back as well.
            self._before.insert(0, current_stream(self.stream.device))
        set_stream(self.stream)

    def __exit__(self, *exception: object) -> None:
        for stream in self._before:
            set_stream(stream)
        self._before = []


def stream(stream: torch.Stream | None) -> StreamContext:
    """A context manager within which work goes to a stream; None changes nothing."""
    return StreamContext(stream)


def current_stream(device: Device = None) -> Stream:
    """The stream that work of this thread goes to, on a device or on the current one."""
    _lazy_init()
    return _named(Stream, _C.current_stream(_get_device_index(device, optional=True)))


def default_stream(device: Device = None) -> Stream:
    """The stream that work goes to where none was chosen."""
    _lazy_init()
    return _named(Stream, _C.default_stream(_get_device_index(device, optional=True)))


def set_stream(stream: torch.Stream | None) -> None:
    """Make a stream, and its device, the current one; prefer the context manager `stream`."""
    if stream is None:
        return
    _lazy_init()
    _C.set_stream(stream.stream_id, stream.device_index, stream.device_type)


def _named(kind: type[_Kind], stream: tuple[int, int, int]) -> _Kind:
    stream_id, device_index, device_type = stream
    named = torch.Stream.__new__(
        kind, stream_id=stream_id, device_index=device_index, device_type=device_type
    )
    return cast(_Kind, named)


def _handle(stream: Stream) -> int:
    return _C.stream_handle(stream.stream_id, stream.device_index, stream.device_type)


# The vendor's handle under the vendor's name, as `cuda_stream` is: code ported from CUDA asks for it so.
setattr(Stream, f"{LOWER}_stream", property(_handle, doc="The vendor's handle of the stream."))
