"""A multilayer perceptron learns to classify points on three spirals.

python examples/train/mlp.py --picture mlp.png
"""

from __future__ import annotations

import sys

import torch
from compare import Batch, Task, main
from torch import Tensor, nn
from torch.nn import functional as F

CLASSES = 3
BATCH = 256


def spirals(generator: torch.Generator) -> Batch:
    """Points of the plane, of size (BATCH, 2), and the number of each point's spiral, of size (BATCH,)."""
    arm = torch.randint(CLASSES, (BATCH,), generator=generator)
    radius = torch.rand(BATCH, generator=generator)
    noise = 0.1 * torch.randn(BATCH, generator=generator)
    angle = 4 * radius + arm * (2 * torch.pi / CLASSES) + noise
    return torch.stack([radius * angle.cos(), radius * angle.sin()], dim=1), arm


def model() -> nn.Module:
    return nn.Sequential(
        nn.Linear(2, 64),
        nn.ReLU(),
        nn.Linear(64, 64),
        nn.GELU(),
        nn.LayerNorm(64),
        nn.Linear(64, CLASSES),
    )


def loss(model: nn.Module, batch: Batch) -> Tensor:
    points, arm = batch
    return F.cross_entropy(model(points), arm)


if __name__ == "__main__":
    sys.exit(
        main(
            Task(
                name="mlp",
                model=model,
                batch=spirals,
                loss=loss,
                optimiser=lambda parameters: torch.optim.Adam(parameters, lr=3e-3),
                steps=300,
                learnt=0.2,
                tolerance=1e-2,
            )
        )
    )
