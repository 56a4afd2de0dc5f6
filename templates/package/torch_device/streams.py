"""Streams and events: torch.Stream and torch.Event with the constructors of torch.cuda."""

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
    """Queue of work on a device; the work of a stream runs in order, concurrently with other streams.

    Args:
        device: device of the stream; by default the current device.
        priority: 0, or a negative number for work that should precede other work.

    With `stream_id`, `device_index` and `device_type`, the object denotes an existing stream.
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
        """Priority: 0, or a negative number for a higher priority."""
        return _C.stream_priority(self.stream_id, self.device_index, self.device_type)

    @staticmethod
    def priority_range() -> tuple[int, int]:
        """Lowest and highest priority; the highest is the smaller number."""
        _lazy_init()
        return _C.stream_priority_range()

    def wait_event(self, event: torch.Event) -> None:
        """Let the later work of this stream wait for an event."""
        event.wait(self)

    def record_event(self, event: torch.Event | None = None) -> torch.Event:
        """Record an event (default: a new one) after the present work of this stream, and return it."""
        if event is None:
            event = Event()
        event.record(self)
        return event

    @property
    def _as_parameter_(self) -> object:
        # Imported here because only programs that pass streams to the vendor's library by ctypes need ctypes.
        import ctypes

        return ctypes.c_void_p(_handle(self))

    def __repr__(self) -> str:
        return (
            f"<torch.{DEVICE}.Stream device={self.device} {LOWER}_stream={_handle(self):#x} "
            f"stream_id={self.stream_id}>"
        )


class ExternalStream(Stream):
    """Stream of another library, given by the stream's handle in the vendor's runtime.

    The other library must keep the stream alive.
    """

    def __new__(cls, stream_ptr: int, device: Device = None) -> ExternalStream:
        _lazy_init()
        index = _get_device_index(device, optional=True)
        return _named(cls, _C.stream_from_external(stream_ptr, index))


class Event(torch.Event):
    """Marker in the work of a stream, for synchronisation or for measuring time.

    Args:
        enable_timing: permit `elapsed_time`.
        blocking: make `synchronize` sleep instead of spinning.
        interprocess: let other processes open the event (`ipc_handle`). Such an event measures no time.
    """

    _shared: _C.InterprocessEvent | None = None
    _index: int | None = None
    """Device of an event that processes share; None until the event is first recorded."""

    def __new__(
        cls, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False
    ) -> Event:
        if enable_timing and interprocess:
            raise ValueError("an event that other processes open cannot measure time")
        event = super().__new__(
            cls, torch.device(DEVICE), enable_timing=enable_timing, blocking=blocking
        )
        made = cast(Event, event)
        if interprocess:
            _lazy_init()
            made._shared = _C.InterprocessEvent(blocking)
        return made

    @classmethod
    def from_ipc_handle(cls, device: Device, handle: bytes) -> Event:
        """Event of another process, from its `ipc_handle`. RuntimeError if the process has ended."""
        _lazy_init()
        event = cast(Event, super().__new__(cls, torch.device(DEVICE)))
        event._index = _get_device_index(device, optional=True)
        event._shared = _C.InterprocessEvent(event._index, handle)
        return event

    def ipc_handle(self) -> bytes:
        """Handle by which another process opens this event, which was made with `interprocess`."""
        if self._shared is None:
            raise RuntimeError("only an event made with interprocess=True has a handle")
        handle = self._shared.handle()
        if self._index is None:
            self._index = _get_device_index(None, optional=True)
        return handle

    @property
    def device(self) -> torch.device | None:
        """Device on which the event was first recorded; None before."""
        if self._shared is not None:
            return None if self._index is None else torch.device(DEVICE, self._index)
        return super().device if self.event_id else None

    @property
    def _as_parameter_(self) -> object:
        import ctypes  # as in Stream._as_parameter_

        return ctypes.c_void_p(self.event_id)

    def record(self, stream: torch.Stream | None = None) -> None:
        """Record the event after the present work of a stream (default: the current stream)."""
        if self._shared is None:
            super().record(stream)
        else:
            given = _triple(stream)
            self._shared.record(*given)
            self._index = given[1]

    def wait(self, stream: torch.Stream | None = None) -> None:
        """Let the later work of a stream (default: the current stream) wait for the event."""
        if self._shared is None:
            super().wait(stream)
        else:
            self._shared.block(*_triple(stream))

    def query(self) -> bool:
        """Return True if all work before the last record is complete."""
        return super().query() if self._shared is None else self._shared.query()

    def synchronize(self) -> None:
        """Wait until all work before the last record is complete."""
        if self._shared is None:
            super().synchronize()
        else:
            self._shared.synchronize()


class StreamContext:
    """Context manager that makes a stream and its device the current ones. For None, it has no effect."""

    def __init__(self, stream: torch.Stream | None) -> None:
        self.stream = stream
        self._before: list[Stream] = []

    def __enter__(self) -> None:
        if self.stream is None:
            return
        here = current_stream()
        self._before = [here]
        if here.device != self.stream.device:
            # The stream's device also has a current stream, which is restored at the end.
            self._before.insert(0, current_stream(self.stream.device))
        set_stream(self.stream)

    def __exit__(self, *exception: object) -> None:
        for stream in self._before:
            set_stream(stream)
        self._before = []


def stream(stream: torch.Stream | None) -> StreamContext:
    """Context manager in which work is submitted to a stream. For None, it has no effect."""
    return StreamContext(stream)


def current_stream(device: Device = None) -> Stream:
    """This thread's current stream on a device (default: the current device)."""
    _lazy_init()
    return _named(Stream, _C.current_stream(_get_device_index(device, optional=True)))


def default_stream(device: Device = None) -> Stream:
    """Default stream of a device (default: the current device)."""
    _lazy_init()
    return _named(Stream, _C.default_stream(_get_device_index(device, optional=True)))


def set_stream(stream: torch.Stream | None) -> None:
    """Make a stream and its device the current ones. Prefer the context manager `stream`."""
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


def _triple(stream: torch.Stream | None) -> tuple[int, int, int]:
    given = current_stream() if stream is None else stream
    return given.stream_id, given.device_index, given.device_type


def _handle(stream: Stream) -> int:
    return _C.stream_handle(stream.stream_id, stream.device_index, stream.device_type)


# Property `<vendor>_stream`: the vendor's handle of the stream. Ported code reads it in place of `cuda_stream`.
setattr(Stream, f"{LOWER}_stream", property(_handle, doc="The vendor's handle of the stream."))
