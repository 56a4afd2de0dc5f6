"""accelerate: a training loop in fp16 with accumulated and clipped gradients, and a saved state."""

import tempfile

import torch
from accelerate import Accelerator
from torch import nn


def main(folder):
    torch.manual_seed(0)
    accelerator = Accelerator(mixed_precision="fp16", gradient_accumulation_steps=2)
    assert accelerator.device.type == "cuda", accelerator.device
    model = nn.Sequential(nn.Linear(10, 20), nn.ReLU(), nn.Linear(20, 2))
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-2)
    inputs = torch.randn(64, 10)
    data = torch.utils.data.TensorDataset(inputs, (inputs.sum(1) > 0).long())
    loader = torch.utils.data.DataLoader(data, 8, pin_memory=True)
    model, optimizer, loader = accelerator.prepare(model, optimizer, loader)
    losses = []
    for _ in range(8):
        for images, labels in loader:
            with accelerator.accumulate(model):
                loss = nn.functional.cross_entropy(model(images), labels)
                accelerator.backward(loss)
                if accelerator.sync_gradients:
                    accelerator.clip_grad_norm_(model.parameters(), 1.0)
                optimizer.step()
                optimizer.zero_grad()
            losses.append(loss.item())
    assert losses[-1] < 0.7 * losses[0], losses
    accelerator.save_state(folder)
    accelerator.load_state(folder)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
