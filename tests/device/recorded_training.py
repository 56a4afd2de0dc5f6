"""Training of small models with dropout. The losses on CUDA are recorded (`build_scripts/record_pytorch`).

Initial parameters and data come from the CPU's generator, dropout from the device's. Each function returns the loss of
every step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn
from torch.nn.attention import SDPBackend, sdpa_kernel

STEPS = 8


def steps(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    batches: Iterator[tuple[torch.Tensor, torch.Tensor]],
    criterion: Callable[..., torch.Tensor],
    precision: torch.dtype | None = None,
) -> list[float]:
    """Train on the batches and return the losses. `precision` is the dtype of autocast."""
    device = next(model.parameters()).device.type
    scaler = torch.amp.GradScaler(device, enabled=precision is torch.float16, init_scale=256.0)
    losses = []
    for inputs, expected in batches:
        optimizer.zero_grad()
        with torch.autocast(device, dtype=precision, enabled=precision is not None):
            loss = criterion(model(inputs.to(device)).float(), expected.to(device))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


def vectors(width: int, classes: int) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    for _ in range(STEPS):
        yield torch.randn(64, width), torch.randint(classes, (64,))


def perceptron(device: str) -> list[float]:
    model = nn.Sequential(
        nn.Linear(40, 100), nn.GELU(), nn.Dropout(0.2), nn.LayerNorm(100), nn.Linear(100, 7)
    ).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2, fused=True)
    return steps(model, optimizer, vectors(40, 7), nn.CrossEntropyLoss())


def half_precision(device: str) -> list[float]:
    """Autocast to float16. Dropout stays in float32: since PyTorch 2.8, float16 dropout draws other numbers."""
    model = nn.Sequential(nn.Dropout(0.2), nn.Linear(40, 100), nn.SiLU(), nn.Linear(100, 7)).to(
        device
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, foreach=True)
    return steps(model, optimizer, vectors(40, 7), nn.CrossEntropyLoss(), torch.float16)


def convolutions(device: str) -> list[float]:
    model = nn.Sequential(
        *(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)),
        *(nn.Dropout2d(0.2), nn.Conv2d(8, 16, 3, stride=2, groups=2), nn.GroupNorm(4, 16)),
        *(nn.RReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(64, 5)),
    ).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    batches = ((torch.randn(16, 3, 14, 14), torch.randint(5, (16,))) for _ in range(STEPS))
    return steps(model, optimizer, batches, nn.CrossEntropyLoss(label_smoothing=0.1))


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(30, 12)
        self.lstm = nn.LSTM(12, 20, num_layers=2, bidirectional=True)
        self.dropout = nn.Dropout(0.3)
        self.out = nn.Linear(40, 30)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        return self.out(self.dropout(self.lstm(self.embedding(words))[0])).flatten(0, 1)


def recurrent(device: str) -> list[float]:
    model = Recurrent().to(device)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-2)
    words = [torch.randint(30, (9, 6)) for _ in range(STEPS)]
    batches = ((text, text.roll(1, 0).flatten()) for text in words)
    return steps(model, optimizer, batches, nn.CrossEntropyLoss())


class Transformer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(30, 32)
        layer = nn.TransformerEncoderLayer(
            32, 4, 64, dropout=0.2, batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
        self.out = nn.Linear(32, 30)

    def forward(self, words: torch.Tensor) -> torch.Tensor:
        mask = nn.Transformer.generate_square_subsequent_mask(words.shape[1], device=words.device)
        with sdpa_kernel(SDPBackend.MATH):
            return self.out(self.encoder(self.embedding(words), mask)).flatten(0, 1)


def transformer(device: str) -> list[float]:
    model = Transformer().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    words = [torch.randint(30, (6, 11)) for _ in range(STEPS)]
    batches = ((text, text.roll(1, 1).flatten()) for text in words)
    return steps(model, optimizer, batches, nn.CrossEntropyLoss())


MODELS: tuple[Callable[[str], list[float]], ...] = (
    *(perceptron, half_precision, convolutions, recurrent, transformer),
)


def losses(device: str) -> dict[str, Any]:
    """Losses of all models by name."""
    found: dict[str, Any] = {}
    for model in MODELS:
        torch.manual_seed(5)
        try:
            found[model.__name__] = model(device)
        except Exception as error:
            found[model.__name__] = f"{type(error).__name__}: {error}"
    return found
