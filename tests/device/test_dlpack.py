"""Exchange of tensors with other libraries by DLPack."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")
np = pytest.importorskip("numpy", reason="numpy is not installed")

from torch.utils.dlpack import from_dlpack, to_dlpack  # noqa: E402

EXTENSION = 12
"""kDLExtDev of dlpack.h."""
DTYPES = [
    *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
    *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
    *(torch.complex64, torch.complex128),
]


class Foreign:
    """Array of another library that passes the arguments on to a tensor."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor
        self.asked: list[dict[str, Any]] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return EXTENSION, self.tensor.device.index

    def __dlpack__(self, **request: Any) -> Any:
        self.asked.append(request)
        return self.tensor.__dlpack__(**request)


@pytest.mark.parametrize("index", [0, 1])
def test_the_device_is_told(index: int) -> None:
    x = torch.ones(2, device=f"simt:{index}")
    assert x.__dlpack_device__() == (EXTENSION, index)
    assert torch.ones(2).__dlpack_device__() == (1, 0)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_memory_is_shared(dtype: Any) -> None:
    x = torch.zeros(2, 3, dtype=dtype, device="simt:1")
    y = torch.from_dlpack(x)
    assert (y.dtype, y.device, y.shape, y.data_ptr()) == (dtype, x.device, x.shape, x.data_ptr())
    y.fill_(1)
    assert x.cpu().equal(torch.ones(2, 3, dtype=dtype))


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x.t(),
        lambda x: x[1:, ::2],
        lambda x: x[:, 1],
        lambda x: x.expand(3, 4, 6),
        lambda x: x[:0],
        lambda x: x[2, 3],
    ],
)
def test_views_keep_strides_and_offsets(view: Any) -> None:
    x = torch.arange(24.0, device="simt").view(4, 6)
    there = view(x)
    back = torch.from_dlpack(there)
    assert back.shape == there.shape and back.cpu().equal(there.cpu())
    assert back.numel() == 0 or back.data_ptr() == there.data_ptr()


def test_the_memory_lives_as_long_as_its_last_user() -> None:
    x = torch.full((1 << 16,), 7.0, device="simt")
    used = torch.simt.memory_allocated()
    y = torch.from_dlpack(x)
    del x
    assert torch.simt.memory_allocated() == used
    assert y.sum().item() == 7 << 16
    del y
    assert torch.simt.memory_allocated() < used


def test_other_libraries() -> None:
    x = torch.arange(4, device="simt")
    foreign = Foreign(x)
    y = torch.from_dlpack(foreign)
    assert y.device == x.device and y.data_ptr() == x.data_ptr()
    capsule = to_dlpack(x)
    assert from_dlpack(capsule).data_ptr() == x.data_ptr()


def test_numpy_gets_a_copy_on_the_cpu() -> None:
    x = torch.arange(6.0, device="simt").view(2, 3)
    assert torch.from_dlpack(np.arange(3)).simt().cpu().tolist() == [0, 1, 2]
    capsule = x.__dlpack__(dl_device=(1, 0), copy=True)
    assert torch.from_dlpack(capsule).device.type == "cpu"
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        assert np.from_dlpack(x, device="cpu").tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises((RuntimeError, BufferError)):
        np.from_dlpack(x)


def test_requests_of_the_array_api() -> None:
    x = torch.arange(4, device="simt")
    shared = torch.from_dlpack(x.__dlpack__(max_version=(1, 0), dl_device=(EXTENSION, 0)))
    assert shared.data_ptr() == x.data_ptr()
    copied = torch.from_dlpack(x.__dlpack__(copy=True))
    assert copied.data_ptr() != x.data_ptr() and copied.equal(x)
    with pytest.raises(BufferError, match="only as a copy"):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(BufferError, match="its own device or the CPU"):
        x.__dlpack__(dl_device=(EXTENSION, 1))
    with pytest.raises(BufferError, match="its own device or the CPU"):
        x.__dlpack__(dl_device=(2, 0))


def test_tensors_that_are_more_than_their_values_are_refused() -> None:
    with pytest.raises(RuntimeError, match="require gradient"):
        torch.from_dlpack(torch.ones(2, device="simt", requires_grad=True))
    with pytest.raises(RuntimeError, match="conjugate"):
        torch.from_dlpack(torch.ones(2, dtype=torch.complex64, device="simt").conj())
    with pytest.raises(TypeError, match="stream must be"):
        torch.ones(2, device="simt").__dlpack__(stream="0")


def test_the_consumers_stream_waits() -> None:
    producer, consumer = torch.simt.Stream(), torch.simt.Stream()
    with torch.simt.stream(producer):
        x = torch.ones(256, 256, device="simt")
        for _ in range(10):
            x = x @ x / 256
        y = torch.from_dlpack(x.__dlpack__(stream=consumer.simt_stream))
    with torch.simt.stream(consumer):
        y.record_stream(consumer)
        assert y.sum().item() == 256 * 256
    for handle in (None, -1, 0, 1):
        assert torch.from_dlpack(x.__dlpack__(stream=handle)).data_ptr() == x.data_ptr()


def test_tensors_of_the_cpu_are_as_ever() -> None:
    x = torch.arange(3)
    assert torch.from_dlpack(x).data_ptr() == x.data_ptr()
    assert np.from_dlpack(x).tolist() == [0, 1, 2]
    with pytest.raises(TypeError):
        x.__dlpack__(max_version=(1, 0))


def test_a_subclass_sees_the_call() -> None:
    seen: list[str] = []

    class Watched(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function: Any, *rest: Any) -> Any:
            seen.append(getattr(function, "__name__", ""))
            return super().__torch_function__(function, *rest)

    x = torch.ones(2, device="simt").as_subclass(Watched)
    assert x.__dlpack_device__() == (EXTENSION, 0)
    assert torch.from_dlpack(x).sum().item() == 2
    assert {"__dlpack_device__", "__dlpack__"} <= set(seen)
