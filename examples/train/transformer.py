"""A small transformer learns to repeat a sequence: after `b f a |` it continues with `b f a`.

python examples/train/transformer.py --picture transformer.png
"""

from __future__ import annotations

import sys

import torch
from compare import Batch, Task, main
from torch import Tensor, nn
from torch.nn import functional as F

LETTERS = 12
STOP = LETTERS
LENGTH = 8
BATCH = 32
WIDTH = 48
HEADS = 4


def sequences(generator: torch.Generator) -> Batch:
    """Inputs and targets of size (BATCH, 2 * LENGTH).

    The inputs are letters, a stop, and the same letters without the last one. The target of each input is the next one.
    """
    letters = torch.randint(LETTERS, (BATCH, LENGTH), generator=generator)
    stop = torch.full((BATCH, 1), STOP)
    whole = torch.cat([letters, stop, letters], dim=1)
    return whole[:, :-1], whole[:, 1:]


class Block(nn.Module):
    """Transformer block: causal attention, then two linear layers for each position."""

    def __init__(self) -> None:
        super().__init__()
        self.before_attention = nn.LayerNorm(WIDTH)
        self.project = nn.Linear(WIDTH, 3 * WIDTH)
        self.join = nn.Linear(WIDTH, WIDTH)
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(WIDTH),
            nn.Linear(WIDTH, 4 * WIDTH),
            nn.GELU(),
            nn.Linear(4 * WIDTH, WIDTH),
        )

    def forward(self, x: Tensor) -> Tensor:
        batch, length, _ = x.shape
        projected = self.project(self.before_attention(x))
        query, key, value = projected.view(batch, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, is_causal=True)
        x = x + self.join(attended.transpose(1, 2).reshape(batch, length, WIDTH))
        return x + self.feed_forward(x)


class Transformer(nn.Module):
    """Embeddings of letters and positions, two blocks, and a score for each letter."""

    def __init__(self) -> None:
        super().__init__()
        self.letter = nn.Embedding(LETTERS + 1, WIDTH)
        self.place = nn.Embedding(2 * LENGTH, WIDTH)
        self.blocks = nn.Sequential(Block(), Block())
        self.score = nn.Sequential(nn.LayerNorm(WIDTH), nn.Linear(WIDTH, LETTERS + 1))

    def forward(self, letters: Tensor) -> Tensor:
        places = torch.arange(letters.shape[1], device=letters.device)
        scores: Tensor = self.score(self.blocks(self.letter(letters) + self.place(places)))
        return scores


def loss(model: nn.Module, batch: Batch) -> Tensor:
    letters, following = batch
    # Only letters of the second half are predictable.
    scores, wanted = model(letters)[:, LENGTH:], following[:, LENGTH:]
    return F.cross_entropy(scores.flatten(0, 1), wanted.flatten())


if __name__ == "__main__":
    sys.exit(
        main(
            Task(
                name="transformer",
                model=Transformer,
                batch=sequences,
                loss=loss,
                optimiser=lambda parameters: torch.optim.AdamW(parameters, lr=3e-3),
                steps=200,
                learnt=0.3,
                tolerance=1e-2,
            )
        )
    )
