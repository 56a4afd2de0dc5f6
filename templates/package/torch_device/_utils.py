"""Module in which torch.serialization looks for the index of a device."""

from __future__ import annotations

from .devices import _get_device_index as _get_device_index
