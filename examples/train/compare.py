"""Trains a model on the CPU and on a device, and compares the losses, for mlp.py, cnn.py and transformer.py.

Both runs start with the same weights and use the same batches in the same order. Weights and batches are generated on
the CPU from one seed; therefore the losses differ only by rounding. A model must not use random numbers during
training (for example dropout), because each device generates its own.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

Batch = tuple[Tensor, ...]


class Task(NamedTuple):
    """Training task: model and data."""

    name: str
    model: Callable[[], nn.Module]
    batch: Callable[[torch.Generator], Batch]
    """Function that generates a batch on the CPU: inputs, followed by the expected result."""
    loss: Callable[[nn.Module, Batch], Tensor]
    optimiser: Callable[[Iterable[nn.Parameter]], torch.optim.Optimizer]
    steps: int
    learnt: float
    """Upper bound of the final loss, on any device."""
    tolerance: float
    """Largest permitted relative difference between the two losses of a step: see `apart`."""


class Run(NamedTuple):
    """Result of one training run."""

    device: str
    losses: list[float]
    """Loss of each step."""
    seconds: float
    ops: Counter[str]
    """Operator -> number of its calls on the device in the first step (forward, backward and optimiser)."""


class OpCounter(TorchDispatchMode):
    """Context manager that counts the operator calls whose inputs or results include tensors of a device."""

    def __init__(self, device: str) -> None:
        super().__init__()
        self.kind = torch.device(device).type
        self.ops: Counter[str] = Counter()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        leaves = tree_leaves((args, kwargs, result))
        if any(isinstance(leaf, Tensor) and leaf.device.type == self.kind for leaf in leaves):
            self.ops[str(func).removeprefix("aten.").removesuffix(".default")] += 1
        return result


def train(task: Task, device: str, steps: int, seed: int) -> Run:
    """Train the task's model on a device, with weights and data from a seed."""
    torch.manual_seed(seed)
    model = task.model().to(device)
    optimiser = task.optimiser(model.parameters())
    data = torch.Generator().manual_seed(seed)
    counter = OpCounter(device)
    losses: list[float] = []
    began = time.perf_counter()
    for step in range(steps):
        batch = tuple(tensor.to(device) for tensor in task.batch(data))
        with counter if step == 0 else contextlib.nullcontext():
            optimiser.zero_grad()
            loss = task.loss(model, batch)
            loss.backward()
            optimiser.step()
        losses.append(loss.item())
    return Run(device, losses, time.perf_counter() - began, counter.ops)


def apart(one: Run, other: Run) -> float:
    """Largest relative difference between the losses of two runs in the same step.

    The difference is relative to the larger loss, or to 0.1 if both losses are smaller. NaN if a loss is NaN.
    """
    pairs = zip(one.losses, other.losses, strict=True)
    found = [abs(a - b) / max(abs(a), abs(b), 0.1) for a, b in pairs]
    return torch.tensor(found).max().item()


def draw(task: Task, runs: Sequence[Run], place: Path) -> None:
    """Plot the losses into a file; the suffix determines the format."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    # The first curve is wide, so that it stays visible below the second.
    for run, width, style in zip(runs, (5, 1.5), ("-", "--"), strict=True):
        axes.plot(run.losses, style, linewidth=width, label=run.device)
    axes.set(title=f"{task.name}: loss while training", xlabel="step", ylabel="loss")
    axes.legend()
    place.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(place, bbox_inches="tight")
    pyplot.close(figure)


def table(ops: Counter[str]) -> str:
    """Operators with their numbers of calls, most frequent first, in two columns."""
    cells = [f"{count:5} {name}" for name, count in ops.most_common()]
    half = (len(cells) + 1) // 2
    rows = itertools.zip_longest(cells[:half], cells[half:], fillvalue="")
    return "\n".join(f"{left:52}{right}".rstrip() for left, right in rows)


def main(task: Task) -> int:
    """Train on the CPU and on the device of `--device`, and print the comparison. Returns 0 if all checks pass."""
    arguments = _arguments(task)
    # One thread: the tensors are small, and more threads would slow down the CPU.
    torch.set_num_threads(1)
    device: str = arguments.device
    backend = torch.get_device_module(device)
    reset = getattr(backend, "reset_metrics", lambda: None)
    fallbacks = getattr(backend, "metrics", dict)
    reset()
    runs = []
    for place in ("cpu", device):
        print(f"{task.name} on {place}: {arguments.steps} steps", flush=True)
        run = train(task, place, arguments.steps, arguments.seed)
        print(f"  loss {run.losses[0]:.4f} -> {run.losses[-1]:.4f} in {run.seconds:.1f} s")
        runs.append(run)
    print(
        f"\noperators on {device} in the first step, with their numbers of calls:\n{table(runs[1].ops)}\n"
    )
    if arguments.picture:
        draw(task, runs, arguments.picture)
        print(f"the two curves: {arguments.picture}")
    return _verdict(task, runs, fallbacks(), whole=arguments.steps >= task.steps)


def _verdict(task: Task, runs: Sequence[Run], fallbacks: dict[str, int], *, whole: bool) -> int:
    """Print each check with its figures. Returns 1 if a check fails."""
    largest = apart(*runs)
    last = torch.tensor([run.losses[-1] for run in runs]).max().item()
    checks = [
        (
            largest <= task.tolerance,
            f"losses differ by at most {largest:.1e}, allowed {task.tolerance:.0e}",
        ),
        (not fallbacks, f"ops that fell back to the CPU: {fallbacks or 'none'}"),
    ]
    if whole:
        checks.append((last < task.learnt, f"the last loss is {last:.4f}, below {task.learnt}"))
    for passed, text in checks:
        print(f"{'ok   ' if passed else 'WRONG'} {text}")
    return 0 if all(passed for passed, _ in checks) else 1


def _arguments(task: Task) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=f"Train {task.name} on the CPU and on a device.")
    parser.add_argument("--device", default="simt", help="device to compare with the CPU")
    parser.add_argument("--steps", type=int, default=task.steps)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        help="draw the loss curves of both runs into FILE (needs matplotlib)",
    )
    return parser.parse_args()
