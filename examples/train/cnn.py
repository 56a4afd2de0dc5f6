"""A small convolutional network learns to classify noisy pictures: horizontal bars, vertical bars, checkerboard, ring.

python examples/train/cnn.py --picture cnn.png
"""

from __future__ import annotations

import sys

import torch
from compare import Batch, Task, main
from torch import Tensor, nn
from torch.nn import functional as F

SIZE = 16
BATCH = 32


def shapes() -> Tensor:
    """The four shapes as a tensor of size (4, SIZE, SIZE) with the values -1 and 1."""
    line = torch.arange(SIZE)
    across = (line // 2 % 2).expand(SIZE, SIZE)
    distance = ((line - SIZE / 2 + 0.5) ** 2).expand(SIZE, SIZE)
    radius = (distance + distance.T).sqrt()
    ring = (radius > SIZE / 4) & (radius < SIZE / 2.5)
    return torch.stack([across, across.T, across ^ across.T, ring.long()]) * 2.0 - 1.0


def pictures(generator: torch.Generator) -> Batch:
    """Noisy, randomly shifted pictures of size (BATCH, 1, SIZE, SIZE), and their classes of size (BATCH,)."""
    shown = torch.randint(4, (BATCH,), generator=generator)
    shift = torch.randint(-2, 3, (BATCH, 2), generator=generator)
    clean = shapes()
    moved = [
        clean[shape].roll((down, right), (0, 1))
        for shape, (down, right) in zip(shown.tolist(), shift.tolist(), strict=True)
    ]
    noise = 1.5 * torch.randn(BATCH, 1, SIZE, SIZE, generator=generator)
    return torch.stack(moved).unsqueeze(1) + noise, shown


def model() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1, bias=False),
        nn.BatchNorm2d(32),
        nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Conv2d(32, 32, 3, stride=2, groups=4),
        nn.SiLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(32, 4),
    )


def loss(model: nn.Module, batch: Batch) -> Tensor:
    images, shown = batch
    return F.cross_entropy(model(images), shown)


if __name__ == "__main__":
    sys.exit(
        main(
            Task(
                name="cnn",
                model=model,
                batch=pictures,
                loss=loss,
                optimiser=lambda parameters: torch.optim.SGD(
                    parameters, lr=0.02, momentum=0.9, weight_decay=1e-4
                ),
                steps=80,
                learnt=0.2,
                tolerance=1e-2,
            )
        )
    )
