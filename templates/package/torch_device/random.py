"""Random number generators of the device: seeds and states."""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor
from torch.types import Device

from . import _C
from ._build import DEVICE
from ._lazy import _lazy_call, _lazy_init
from .devices import _get_device_index, current_device, device_count


def manual_seed(seed: int) -> None:
    """Seed the generator of the current device.

    Before the device is initialised, the seed is stored; the initialisation applies it.
    """
    seed = int(seed)
    _lazy_call(lambda: _C.manual_seed(seed, current_device()), key="seed")


def manual_seed_all(seed: int) -> None:
    """Seed the generators of all devices with the same number; `torch.manual_seed` calls this function."""
    seed = int(seed)
    _lazy_call(lambda: _C.manual_seed_all(seed), key="seed_all")


def seed() -> None:
    """Seed the generator of the current device with a random number."""
    _lazy_call(lambda: _generator(current_device()).seed(), key="seed")


def seed_all() -> None:
    """Seed the generators of all devices with one random number."""

    def draw() -> None:
        if device_count() > 0:
            _C.manual_seed_all(_generator(0).seed())

    _lazy_call(draw, key="seed_all")


def initial_seed() -> int:
    """Seed that the current device's generator uses now."""
    _lazy_init()
    return _generator(current_device()).initial_seed()


def get_rng_state(device: Device = DEVICE) -> Tensor:
    """State of a device's generator, a ByteTensor on the CPU."""
    _lazy_init()
    return _generator(_get_device_index(device, optional=True)).get_state()


def get_rng_state_all() -> list[Tensor]:
    """States of all devices' generators."""
    return [get_rng_state(index) for index in range(device_count())]


def set_rng_state(new_state: Tensor, device: Device = DEVICE) -> None:
    """Set the state of a device's generator to a result of `get_rng_state`."""
    state = new_state.clone(memory_format=torch.contiguous_format)

    def restore() -> None:
        _generator(_get_device_index(device, optional=True)).set_state(state)

    _lazy_call(restore)


def set_rng_state_all(new_states: Iterable[Tensor]) -> None:
    """Set the states of all devices' generators."""
    for index, state in enumerate(new_states):
        set_rng_state(state, index)


def _generator(index: int) -> torch.Generator:
    return _C.default_generators()[index]
