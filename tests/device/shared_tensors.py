"""Two processes that share tensors and events of the device. `test_shared_tensors.py` runs this program with the
name of a device; the text "... ok" tells which part has succeeded.
"""

import os
import signal
import sys
from multiprocessing.reduction import ForkingPickler

import torch
import torch.multiprocessing as mp

DEVICE = sys.argv[1] if len(sys.argv) > 1 else "simt"
if DEVICE == "cuda":
    import torch_simt.as_cuda  # noqa: F401

module = getattr(torch, DEVICE)


def total(x: torch.Tensor) -> float:
    return float(x.sum())


def consume(there, back, argument) -> None:
    """Child: uses and changes what the parent sends."""
    argument.add_(1)
    x, part = there.get(), there.get()
    assert x.untyped_storage().data_ptr() == part.untyped_storage().data_ptr()
    part.mul_(3)
    parameter = there.get()
    assert isinstance(parameter, torch.nn.Parameter) and parameter.requires_grad
    assert there.get().shape == (0, 3)
    sparse = there.get()
    assert sparse.is_sparse and total(sparse.to_dense()) == 6
    event = there.get()
    event.wait()
    event.synchronize()
    assert event.query() and argument.is_shared()
    try:
        ForkingPickler.dumps(x)
    except RuntimeError as error:
        assert "clone" in str(error)
    else:
        raise AssertionError("a received tensor was sent on")
    module.synchronize()
    del part, sparse, parameter, event, x
    own = torch.arange(4.0, device=DEVICE)
    back.put(own)
    assert there.get() == "received"
    del own, argument


def publish(back) -> None:
    """Child: sends two tensors and waits to be killed."""
    back.put(torch.full((1 << 20,), 5.0, device=DEVICE))
    back.put(torch.full((1 << 21,), 6.0, device=DEVICE))
    module.synchronize()  # the event of the first tensor is reached before the process is killed
    back.put("ready")
    signal.pause()


def exchange(context) -> None:
    there, back = context.Queue(), context.Queue()
    argument = torch.ones(100, device=DEVICE)
    x = torch.ones(10, 10, device=DEVICE)
    child = context.Process(target=consume, args=(there, back, argument))
    child.start()
    for tensor in (x, x[2:, 3], torch.nn.Parameter(x), torch.empty(0, 3, device=DEVICE)):
        there.put(tensor)
    there.put(torch.eye(6, device=DEVICE).to_sparse())
    event = module.Event(interprocess=True)
    event.record()
    there.put(event)
    received = back.get()
    assert received.tolist() == [0, 1, 2, 3]
    there.put("received")
    del received
    child.join()
    assert child.exitcode == 0
    assert total(argument) == 200 and total(x) == 100 + 2 * 8
    there.close()
    there.join_thread()
    before = module.memory_allocated()
    del argument, x, tensor
    module.ipc_collect()
    assert module.memory_allocated() < before
    print("exchange ok")


def models(context) -> None:
    """As in a program for several trainers: processes train one model in shared memory."""
    model = torch.nn.Linear(4, 4).to(DEVICE)
    model.share_memory()
    torch.nn.init.zeros_(model.weight)
    module.synchronize()
    children = [context.Process(target=fill, args=(model, row)) for row in range(2)]
    for child in children:
        child.start()
    for child in children:
        child.join()
        assert child.exitcode == 0
    assert model.weight.sum(1).tolist() == [4, 8, 0, 0]
    print("models ok")


def fill(model, row) -> None:
    with torch.no_grad():
        model.weight[row] = row + 1
    module.synchronize()


def killed(context) -> None:
    """The first tensor is open when its process is killed, the second is not."""
    receive, send = context.Pipe(duplex=False)
    child = context.Process(target=publish, args=(send_queue(send),))
    child.start()
    first = receive.recv()
    second = receive.recv_bytes()
    assert receive.recv() == "ready"
    os.kill(child.pid, signal.SIGKILL)
    child.join()
    assert total(first) == 5 << 20
    try:
        ForkingPickler.loads(second)
    except RuntimeError as error:
        assert "a tensor of another process cannot be opened" in str(error), error
    else:
        raise AssertionError("a tensor of a killed process was opened")
    print("killed ok")


class send_queue:
    """A connection with the method of a queue."""

    def __init__(self, connection) -> None:
        self.connection = connection

    def put(self, value) -> None:
        self.connection.send_bytes(ForkingPickler.dumps(value))
        self.keep = [*getattr(self, "keep", []), value]


def forked() -> None:
    """A forked child that drops tensors frees nothing in its parent."""
    x = torch.ones(10, device=DEVICE)
    ForkingPickler.dumps(x)
    child = os.fork()
    if child == 0:
        del x
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert total(x) == 10
    print("forked ok")


if __name__ == "__main__":
    spawn = mp.get_context("spawn")
    exchange(spawn)
    if DEVICE != "cuda":
        models(spawn)
        killed(spawn)
        forked()
