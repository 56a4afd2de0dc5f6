"""Tensors, types, mixed precision and checkpoints, as programs for CUDA use them."""

import copy
import io
import pickle

import pytest
import torch
from torch.utils.data import DataLoader


def test_every_way_to_the_device():
    x = torch.arange(6.0).view(2, 3)
    ways = (
        x.cuda(),
        x.cuda(0),
        x.cuda("cuda:0", non_blocking=True),
        x.cuda(torch.device("cuda")),
        x.to("cuda"),
        x.to(device="cuda:0", dtype=torch.float32),
        x.to(0),
        x.type("torch.cuda.FloatTensor"),
        x.type(torch.cuda.FloatTensor),
        torch.tensor(x.tolist(), device="cuda"),
        torch.empty(2, 3, device=torch.device("cuda", 0)).copy_(x),
        torch.as_tensor(x, device="cuda"),
        x.new_tensor(x.tolist(), device="cuda"),
    )
    for way in ways:
        assert way.is_cuda and way.device == torch.device("cuda:0") and way.cpu().equal(x)
        assert way.device.type == "cuda" and str(way.device) == "cuda:0" and way.get_device() == 0
    assert not x.is_cuda and x.device.type == "cpu"
    assert x.cuda(1).device.index == 1
    assert repr(torch.ones(1, device="cuda")) == "tensor([1.], device='cuda:0')"
    with pytest.raises(RuntimeError, match="must be cuda device"):
        x.cuda("cpu")


def test_the_device_keeps_its_own_name():
    x = torch.ones(2, device="simt:0")
    assert x.is_simt and x.is_cuda and x.device == torch.device("cuda:0")
    assert torch.zeros(1).simt().is_cuda and torch.nn.Linear(1, 1).simt().weight.is_cuda
    assert torch.simt.device_count() == torch.cuda.device_count()


def test_devices_are_values():
    device = torch.device("cuda", 1)
    assert (
        repr(device) == "device(type='cuda', index=1)" and {device: 1}[torch.device("cuda:1")] == 1
    )
    assert pickle.loads(pickle.dumps(device)) == device and copy.deepcopy(device) == device
    assert eval(repr(device), {"device": torch.device}) == device


def test_modules_move():
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.LSTM(4, 2)).cuda()
    assert all(parameter.is_cuda for parameter in model.parameters())
    packed = torch.nn.utils.rnn.pack_sequence([torch.ones(2, 3)]).cuda()
    assert packed.is_cuda
    storage = torch.ones(2).untyped_storage().cuda()
    assert storage.is_cuda and storage.device == torch.device("cuda:0")
    output, _ = model(torch.ones(5, 3, device="cuda"))
    output.sum().backward()
    assert model[0].weight.grad.is_cuda


def test_default_device():
    torch.set_default_device("cuda")
    try:
        assert torch.zeros(1).is_cuda
    finally:
        torch.set_default_device(None)
    with torch.device("cuda:1"):
        assert torch.zeros(1).device.index == 1


def test_types_older_than_dtypes():
    x = torch.cuda.HalfTensor(2, 3)
    assert x.shape == (2, 3) and x.dtype == torch.float16 and x.is_cuda
    assert torch.cuda.FloatTensor([1.0, 2.0]).tolist() == [1, 2]
    assert isinstance(x, torch.cuda.HalfTensor) and not isinstance(x, torch.cuda.FloatTensor)
    assert not isinstance(torch.zeros(1), torch.cuda.FloatTensor)
    assert x.type() == "torch.cuda.HalfTensor" and torch.zeros(1).type() == "torch.FloatTensor"
    assert torch.cuda.LongTensor(torch.Size([2])).dtype == torch.int64
    torch.set_default_tensor_type("torch.cuda.FloatTensor")
    try:
        assert torch.zeros(1).is_cuda
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
    assert not torch.zeros(1).is_cuda


def test_mixed_precision():
    a = torch.ones(8, 8, device="cuda")
    for context in (
        torch.autocast("cuda"),
        torch.cuda.amp.autocast(),
        torch.amp.autocast("cuda", torch.float16),
    ):
        with context:
            assert (a @ a).dtype == torch.float16
            assert torch.is_autocast_enabled() and torch.is_autocast_enabled("cuda")
            assert torch.get_autocast_gpu_dtype() == torch.float16
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert (a @ a).dtype == torch.bfloat16
    assert not torch.is_autocast_enabled()

    class Double(torch.autograd.Function):
        @staticmethod
        @torch.cuda.amp.custom_fwd(cast_inputs=torch.float32)
        def forward(ctx, x):
            assert x.dtype == torch.float32
            return x * 2

        @staticmethod
        @torch.cuda.amp.custom_bwd
        def backward(ctx, gradient):
            return gradient * 2

    with torch.autocast("cuda"):
        x = torch.ones(2, device="cuda", dtype=torch.float16, requires_grad=True)
        Double.apply(x).sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_gradients_that_overflow_are_skipped():
    weight = torch.ones(4, device="cuda", requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=1.0)
    for scaler in (
        torch.cuda.amp.GradScaler(init_scale=4.0),
        torch.amp.GradScaler("cuda", init_scale=4.0),
    ):
        assert scaler.is_enabled()
        optimizer.zero_grad()
        (scaler.scale(weight.sum()) * float("inf")).backward()
        scaler.step(optimizer)
        scaler.update()
        assert scaler.get_scale() == 2.0 and weight.tolist() == [1] * 4


def test_checkpoints():
    state = {"weight": torch.arange(3.0, device="cuda:1"), "step": 7}
    buffer = io.BytesIO()
    torch.save(state, buffer)
    assert b"cuda:1" in buffer.getvalue()
    for location, device in (
        (None, "cuda:1"),
        ("cpu", "cpu"),
        ("cuda:0", "cuda:0"),
        (torch.device("cuda"), "cuda:0"),
    ):
        buffer.seek(0)
        weight = torch.load(buffer, map_location=location, weights_only=True)["weight"]
        assert str(weight.device) == device and weight.tolist() == [0, 1, 2]
    buffer.seek(0)
    moved = torch.load(buffer, map_location={"cuda:1": "cuda:0"})
    assert str(moved["weight"].device) == "cuda:0"
    buffer.seek(0)
    moved = torch.load(buffer, map_location=lambda storage, location: storage.cuda(0))
    assert str(moved["weight"].device) == "cuda:0"


def test_pinned_memory():
    assert torch.ones(2).pin_memory().is_pinned() and torch.ones(2).pin_memory("cuda").is_pinned()
    for options in ({}, {"pin_memory_device": "cuda"}):
        for batch in DataLoader(torch.ones(4, 2), batch_size=2, pin_memory=True, **options):
            assert batch.is_pinned() and batch.cuda(non_blocking=True).is_cuda


def test_several_devices():
    model = torch.nn.DataParallel(torch.nn.Linear(3, 2).cuda(), device_ids=[0, 1])
    x = torch.randn(4, 3).cuda()
    output = model(x)
    assert output.device == torch.device("cuda:0") and output.shape == (4, 2)
    assert torch.allclose(output, model.module(x))
    output.sum().backward()
    assert torch.allclose(model.module.bias.grad, torch.full((2,), 4.0, device="cuda"))
    both = torch.cuda.comm.broadcast(x, ["cuda:0", "cuda:1"])
    assert [str(each.device) for each in both] == ["cuda:0", "cuda:1"]
    assert torch.cuda.comm.reduce_add(both, 0).equal(2 * x)
    parts = torch.cuda.comm.scatter(x, [0, 1], chunk_sizes=[1, 3])
    assert torch.cuda.comm.gather(parts, destination="cpu").equal(x.cpu())
    assert torch.cuda.nccl.is_available(both) and torch.cuda.nccl.version() >= (2, 0)
    outputs = [torch.empty_like(each) for each in both]
    torch.cuda.nccl.all_reduce(both, outputs)
    assert outputs[1].cpu().equal(2 * x.cpu())


def test_a_tensor_of_the_device_is_pickled_as_a_handle():
    from multiprocessing.reduction import ForkingPickler

    import torch.multiprocessing

    x = torch.ones(1 << 20, device="cuda")
    assert x.is_shared() and x.share_memory_() is x
    assert len(ForkingPickler.dumps(x)) < 2000
    event = torch.cuda.Event(interprocess=True)
    event.record()
    assert len(event.ipc_handle()) == 64


def test_warnings_of_legacy_types():
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match="DtypeTensor constructors are no longer recommended"):
            torch.cuda.FloatTensor([0])
        with pytest.warns(UserWarning, match="is deprecated as of PyTorch 2.1"):
            torch.set_default_tensor_type(torch.cuda.FloatTensor)
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
        torch.set_warn_always(False)
