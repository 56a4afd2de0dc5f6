"""A small transformer trained by several processes, with checkpoints.

    torchrun --nproc-per-node 2 examples/distributed/transformer.py
    torchrun --nproc-per-node 4 examples/distributed/transformer.py --shard
    python examples/distributed/transformer.py                     # one process: the same losses
    torchrun --nnodes 2 --nproc-per-node 2 --rdzv-backend c10d --rdzv-endpoint HOST:29500 \\
        examples/distributed/transformer.py                        # the same command on both machines

The model learns to continue arithmetic sequences. Each process trains on its part of each batch. Rank 0 prints the mean
loss of each step over all processes; the losses equal those of one process within rounding. `--shard` shards the
parameters (`fully_shard`) instead of copying them (`DistributedDataParallel`). With `--checkpoint`, the state is stored
after every third step, and the next job continues there. On target `simt`, SIMT_DEVICE_COUNT states the number of
devices; the example sets it to the number of the machine's processes.

`--kill-before STEP` kills the last process once, to show that torchrun restarts the processes, which continue at the
checkpoint:

    torchrun --nproc-per-node 2 --max-restarts 1 examples/distributed/transformer.py --checkpoint DIR --kill-before 5
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from pathlib import Path

WORLD, RANK = int(os.environ.get("WORLD_SIZE", "1")), int(os.environ.get("RANK", "0"))
LOCAL_RANK = int(os.environ.get("LOCAL_RANK", "0"))
os.environ.setdefault("SIMT_DEVICE_COUNT", os.environ.get("LOCAL_WORLD_SIZE", "1"))

import torch  # noqa: E402 -- the device reads SIMT_DEVICE_COUNT at its first use
import torch.distributed as dist  # noqa: E402
import torch.distributed.checkpoint as dcp  # noqa: E402
from torch import Tensor, nn  # noqa: E402
from torch.distributed._composable.fsdp import fully_shard  # noqa: E402
from torch.distributed.checkpoint.state_dict import (  # noqa: E402
    get_state_dict,
    set_state_dict,
)
from torch.distributed.device_mesh import init_device_mesh  # noqa: E402
from torch.nn.parallel import DistributedDataParallel  # noqa: E402

WORDS, LENGTH, WIDTH, BATCH = 32, 12, 32, 16


class Model(nn.Module):
    """Decoder of two layers that predicts the next word."""

    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Parameter(0.1 * torch.randn(LENGTH, WIDTH))
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 2 * WIDTH, dropout=0.0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.head = nn.Linear(WIDTH, WORDS)

    def forward(self, words: Tensor) -> Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(LENGTH, device=words.device)
        hidden: Tensor = self.layers(self.words(words) + self.places, mask=mask, is_causal=True)
        logits: Tensor = self.head(hidden)
        return logits


def batch(step: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Words and next words of this rank's sequences: (BATCH / WORLD, LENGTH) each."""
    generator = torch.Generator().manual_seed(step)
    start = torch.randint(WORDS, (BATCH, 1), generator=generator)
    stride = torch.randint(1, 4, (BATCH, 1), generator=generator)
    sequences = (start + stride * torch.arange(LENGTH + 1)) % WORDS
    own = sequences.chunk(WORLD)[RANK].to(device)
    return own[:, :-1], own[:, 1:]


def distributed(model: nn.Module, device: torch.device, shard: bool) -> nn.Module:
    if WORLD == 1:
        return model
    if not shard:
        return DistributedDataParallel(model, device_ids=[device.index])
    mesh = init_device_mesh(device.type, (WORLD,))
    for layer in model.layers.layers:  # type: ignore[union-attr]
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    return model


class Checkpoint:
    """State of model, optimizer and the number of finished steps, in a folder or nowhere."""

    def __init__(self, folder: Path | None, model: nn.Module, optimizer: torch.optim.Optimizer):
        self.folder, self.model, self.optimizer = folder, model, optimizer

    def state(self, step: int) -> dict[str, object]:
        model, optimizer = get_state_dict(self.model, self.optimizer)
        return {"model": model, "optimizer": optimizer, "step": torch.tensor(step)}

    def load(self) -> int:
        """Number of finished steps; 0 without a checkpoint."""
        if self.folder is None or not (self.folder / ".metadata").exists():
            return 0
        state = self.state(0)
        dcp.load(state, checkpoint_id=self.folder)
        set_state_dict(
            self.model,
            self.optimizer,
            model_state_dict=state["model"],  # type: ignore[arg-type]
            optim_state_dict=state["optimizer"],  # type: ignore[arg-type]
        )
        return int(state["step"])  # type: ignore[call-overload, no-any-return]

    def save(self, step: int) -> None:
        if self.folder is not None:
            dcp.save(self.state(step), checkpoint_id=self.folder)


def kill_last_process_once() -> None:
    """Kill the process of the last rank, unless torchrun has restarted it."""
    if RANK == WORLD - 1 and os.environ.get("TORCHELASTIC_RESTART_COUNT", "0") == "0":
        os.kill(os.getpid(), signal.SIGKILL)


def train(options: argparse.Namespace, device: torch.device) -> None:
    torch.manual_seed(0)
    model = distributed(Model().to(device), device, options.shard)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, foreach=False)
    checkpoint = Checkpoint(options.checkpoint, model, optimizer)
    finished = checkpoint.load()
    if finished and RANK == 0:
        print(f"continue at step {finished}", flush=True)
    for step in range(finished, options.steps):
        if step == options.kill_before:
            kill_last_process_once()
        words, following = batch(step, device)
        loss = nn.functional.cross_entropy(model(words).flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        mean = loss.detach().clone()
        if WORLD > 1:
            dist.all_reduce(mean, op=dist.ReduceOp.AVG)
        if RANK == 0:
            print(f"step {step}: loss {mean.item():.5f}", flush=True)
        if step % 3 == 2:
            checkpoint.save(step + 1)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--device", default="simt", help="device type; default: simt")
    parser.add_argument("--steps", type=int, default=9, help="steps of training; default: 9")
    parser.add_argument("--shard", action="store_true", help="shard the parameters (fully_shard)")
    parser.add_argument("--checkpoint", type=Path, metavar="DIR", help="folder of the checkpoint")
    parser.add_argument(
        "--kill-before",
        type=int,
        metavar="STEP",
        help="kill the last process once before this step",
    )
    options = parser.parse_args()
    device = torch.device(options.device, LOCAL_RANK)
    torch.get_device_module(device).set_device(device)
    if WORLD > 1:
        dist.init_process_group()
    train(options, device)
    if WORLD > 1:
        dist.destroy_process_group()
    return 0


if __name__ == "__main__":
    sys.exit(main())
