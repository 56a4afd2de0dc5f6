"""Collectives of the device: its backend of `torch.distributed`, which corresponds to NCCL for CUDA.

The backend's name is the target's name followed by `ccl`. It is the default for tensors of the device:

    torch.distributed.init_process_group()
    torch.distributed.all_reduce(tensor)

The backend is a port of PyTorch's process group for NCCL. It has the same options, watchdog, flight recorder and
environment variables (`TORCH_NCCL_...`).
"""

from __future__ import annotations

import inspect
from typing import Any

import torch

from . import _C, _restarts
from ._build import COLLECTIVES, DEVICE, LOWER

BACKEND = f"{LOWER}ccl"
"""Name of the backend: `init_process_group(BACKEND)`."""

ProcessGroup: Any = None
"""Class of the process group, with the nested classes `Options` and `Config`; None if `is_available()` is False."""


def is_available() -> bool:
    """Test whether the package and the installed PyTorch have collectives."""
    return ProcessGroup is not None


def version() -> tuple[int, ...]:
    """Version of the library of collectives, in the form of `torch.cuda.nccl.version()`: (2, 21, 5)."""
    _require()
    return tuple(int(part) for part in _C.collectives_version().split(".")[:3])


def dump_trace(
    include_collectives: bool = True, include_stacks: bool = True, only_active: bool = False
) -> bytes:
    """Traces of the flight recorder, pickled: the last collectives, if `TORCH_NCCL_TRACE_BUFFER_SIZE` is positive."""
    _require()
    return _C.dump_collectives(include_collectives, include_stacks, only_active)


def dump_trace_json(include_collectives: bool = True, only_active: bool = False) -> str:
    """Traces of the flight recorder as JSON, without stacks."""
    _require()
    return _C.dump_collectives_json(include_collectives, only_active)


def register() -> None:
    """Register the backend with `torch.distributed`. No effect without collectives."""
    global ProcessGroup
    if not COLLECTIVES or not torch.distributed.is_available():
        return
    from torch.distributed import Backend

    known = inspect.signature(Backend.register_backend).parameters
    if not {"extended_api", "devices"} <= known.keys():  # PyTorch before 2.1
        return
    ProcessGroup = _C.bind_process_group()
    ProcessGroup.__module__ = __name__
    Backend.register_backend(BACKEND, _create, extended_api=True, devices=[DEVICE])
    _default_timeout()
    _shut_down_groups()
    _serve_methods_of_groups()
    _accept_gloo()
    _restarts.separate_attempts()


def _create(settings: Any, options: Any) -> Any:
    """Process group of one rank. `settings` come from `torch.distributed`; `options` from the caller, or None."""
    if options is None:
        options = ProcessGroup.Options()
    elif not isinstance(options, ProcessGroup.Options):
        raise TypeError(
            f"the options of backend {BACKEND} are torch.{DEVICE}.distributed.ProcessGroup.Options, "
            f"not {type(options).__name__}"
        )
    options._timeout = settings.timeout
    options.global_ranks_in_group = settings.global_ranks_in_group
    options.group_name = settings.group_id
    _split_default_group(options)
    return ProcessGroup(settings.store, settings.group_rank, settings.group_size, options)


def _split_default_group(options: Any) -> None:
    """Make the communicator of a new group by a split, if the default group is bound to a device.

    PyTorch does so for NCCL only, but then tells the ranks outside of the new group to take part in the split,
    whatever the backend is.
    """
    from torch.distributed import distributed_c10d

    source_of = getattr(distributed_c10d, "_get_split_source", None)
    if (
        source_of is None
        or not options.global_ranks_in_group
        or not distributed_c10d.is_initialized()
    ):
        return  # PyTorch before 2.3, or the default group itself
    default = distributed_c10d._get_default_group()
    source = source_of(default) if default.bound_device_id else None
    if isinstance(source, ProcessGroup):
        options.split_from = source
        options.split_color = distributed_c10d._process_group_color(options.global_ranks_in_group)


def _default_timeout() -> None:
    """Give groups of this backend NCCL's default timeout, 10 minutes. PyTorch gives other backends 30 minutes."""
    from torch.distributed import distributed_c10d

    original = getattr(distributed_c10d, "_get_default_timeout", None)
    if original is None:  # PyTorch before 2.2
        return
    own = ProcessGroup.Options()._timeout

    def default_timeout(backend: Any) -> Any:
        return own if str(backend) == BACKEND else original(backend)

    distributed_c10d.__dict__["_get_default_timeout"] = default_timeout


def _shut_down_groups() -> None:
    """Make `destroy_process_group` close this backend's communicators. PyTorch closes only communicators of NCCL.

    As for NCCL, hooks of completed work run before.
    """
    from torch.distributed import distributed_c10d

    original = getattr(distributed_c10d, "_shutdown_backend", None)
    if original is None:  # PyTorch before 2.5
        return

    def shutdown(group: Any) -> None:
        try:
            backend = group._get_backend(torch.device(DEVICE))
        except RuntimeError:  # the group has no backend for the device
            backend = None
        if not isinstance(backend, ProcessGroup):
            original(group)
            return
        _wait_for_hooks(group)
        backend._shutdown()

    distributed_c10d.__dict__["_shutdown_backend"] = shutdown


def _serve_methods_of_groups() -> None:
    """Make methods of groups, which PyTorch implements for NCCL, gloo and UCC only, work with this backend."""
    from torch.distributed import BarrierOptions
    from torch.distributed import ProcessGroup as Group

    group_class: Any = Group
    barrier, number = group_class.barrier, group_class._get_sequence_number_for_group

    def barrier_on_device(self: Any, opts: Any = None) -> Any:
        opts = BarrierOptions() if opts is None else opts
        # PyTorch 2.1 and older have no `device`, and choose the device by the group's backends.
        if getattr(opts, "device", DEVICE) is None and _backend_without_cpu(self) is not None:
            opts.device = torch.device(DEVICE)
        return barrier(self, opts)

    def sequence_number(self: Any) -> int:
        backend = _backend_without_cpu(self)
        return int(number(self) if backend is None else backend._get_sequence_number_for_group())

    barrier_on_device.__doc__, sequence_number.__doc__ = barrier.__doc__, number.__doc__
    group_class.barrier = barrier_on_device
    group_class._get_sequence_number_for_group = sequence_number


def _accept_gloo() -> None:
    """Make gloo accept tensors of the device: gloo reduces copies of the tensors in the host's memory.

    PyTorch's gloo does so for tensors of CUDA, in code that a build for the CPU lacks.
    """
    from torch.distributed import ProcessGroup as Group
    from torch.distributed import distributed_c10d

    group_class: Any = Group
    register = getattr(group_class, "_register_backend", None)
    gloo: Any = getattr(distributed_c10d, "ProcessGroupGloo", None)
    if register is None or gloo is None:  # PyTorch before 2.0, or a build without gloo
        return
    # With TORCH_DISTRIBUTED_DEBUG=DETAIL, PyTorch wraps gloo.
    wrapper: Any = getattr(distributed_c10d, "_ProcessGroupWrapper", ())

    def is_gloo(backend: Any) -> bool:
        return isinstance(backend, gloo) or (
            isinstance(backend, wrapper) and backend.name() == "gloo"
        )

    def register_backend(self: Any, device: Any, backend_type: Any, backend: Any = None) -> None:
        if torch.device(DEVICE).type == device.type and is_gloo(backend):
            # A group has one backend for each type.
            backend_type, backend = group_class.BackendType.CUSTOM, _C.HostBackend(backend)
        register(self, device, backend_type, backend)

    group_class._register_backend = register_backend


def _backend_without_cpu(group: Any) -> Any:
    """Backend of a group for the device, or None if the group has another backend for the CPU."""
    kinds = getattr(group, "_device_types", ())  # PyTorch 2.0 and older have no such groups
    own = torch.device(DEVICE)
    return group._get_backend(own) if own in kinds and torch.device("cpu") not in kinds else None


def _wait_for_hooks(group: Any) -> None:
    try:
        has_hooks = group._has_hooks()
    except (AttributeError, RuntimeError):
        return  # PyTorch before 2.1, or a group of several backends, which takes no hooks
    if has_hooks:
        group._wait_for_pending_works()


def _require() -> None:
    if not is_available():
        raise RuntimeError(f"device '{DEVICE}' has no collectives in this build")
