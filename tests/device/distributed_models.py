"""Cases of distributed_ranks.py about models: data parallelism, sharded models, checkpoints.

Each model trains on all ranks; its losses equal those of one process.
"""

from __future__ import annotations

import tempfile
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from rank_arguments import DEVICE, RANK, RANKS
from torch import nn
from torch.distributed._composable.fsdp import fully_shard
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FullyShardedDataParallel
from torch.distributed.tensor import Replicate, Shard, distribute_tensor
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)
from torch.nn.parallel import DistributedDataParallel

BATCH, STEPS = 8, 3


def model() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(6, 16), nn.GELU(), nn.Linear(16, 4)).to(DEVICE)


def batch(step: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(step)
    values = torch.randn(BATCH, 10, generator=generator).to(DEVICE)
    return values[:, :6], values[:, 6:]


def losses_of(net: nn.Module, *, share: bool) -> list[float]:
    """Losses of some steps of training. `share`: each rank sees its part of each batch."""
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    losses = []
    for step in range(STEPS):
        x, y = batch(step)
        if share:
            x, y = x.chunk(RANKS)[RANK], y.chunk(RANKS)[RANK]
        loss = nn.functional.mse_loss(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        whole = loss.detach().clone()
        if share:
            dist.all_reduce(whole, op=dist.ReduceOp.AVG)
        losses.append(whole.item())
    return losses


def expect_losses_of_one_process(losses: list[float]) -> None:
    torch.testing.assert_close(losses, losses_of(model(), share=False), rtol=1e-5, atol=1e-6)


def whole(parameter: Any) -> torch.Tensor:
    """Copy of a sharded parameter on the CPU."""
    copied: torch.Tensor = parameter.full_tensor().detach().cpu()
    return copied


def ddp() -> None:
    net = DistributedDataParallel(model(), device_ids=[RANK])
    expect_losses_of_one_process(losses_of(net, share=True))


def fsdp1() -> None:
    net = FullyShardedDataParallel(model(), device_id=DEVICE, use_orig_params=True)
    expect_losses_of_one_process(losses_of(net, share=True))


def fsdp2() -> None:
    net = model()
    mesh = init_device_mesh("simt", (RANKS,))
    for layer in net:  # type: ignore[attr-defined]
        if isinstance(layer, nn.Linear):
            fully_shard(layer, mesh=mesh)
    fully_shard(net, mesh=mesh)
    expect_losses_of_one_process(losses_of(net, share=True))


def dtensor() -> None:
    mesh = init_device_mesh("simt", (RANKS,))
    whole = torch.arange(16.0, device=DEVICE).reshape(4, 4)
    sharded = distribute_tensor(whole, mesh, [Shard(0)])
    assert sharded.to_local().shape == (4 // RANKS, 4)
    product = (sharded @ distribute_tensor(whole, mesh, [Replicate()])).full_tensor()
    torch.testing.assert_close(product, whole @ whole)
    net = parallelize_module(model(), mesh, {"0": ColwiseParallel(), "2": RowwiseParallel()})
    expect_losses_of_one_process(losses_of(net, share=False))


def checkpoint() -> None:
    folder = [tempfile.mkdtemp() if RANK == 0 else ""]
    dist.broadcast_object_list(folder, src=0, device=DEVICE)
    net = model()
    mesh = init_device_mesh("simt", (RANKS,))
    fully_shard(net, mesh=mesh)
    before = {name: whole(parameter) for name, parameter in net.named_parameters()}
    dcp.save({"model": net.state_dict()}, checkpoint_id=folder[0])
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.zero_()
    state = {"model": net.state_dict()}
    dcp.load(state, checkpoint_id=folder[0])
    net.load_state_dict(state["model"])
    for name, parameter in net.named_parameters():
        assert torch.equal(whole(parameter), before[name])


def sync_batch_norm() -> None:
    norm = nn.SyncBatchNorm(6).to(DEVICE)
    net = DistributedDataParallel(norm, device_ids=[RANK])
    x, _ = batch(0)
    given = net(x.chunk(RANKS)[RANK])
    torch.testing.assert_close(
        given, nn.BatchNorm1d(6).to(DEVICE)(x).chunk(RANKS)[RANK], rtol=1e-4, atol=1e-5
    )
