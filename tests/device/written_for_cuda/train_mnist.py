"""Training of a classifier, as in PyTorch's examples: mixed precision, pinned memory, checkpoints on the device."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.cuda.amp import GradScaler
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, padding=1)
        self.norm = nn.BatchNorm2d(8)
        self.linear = nn.Linear(8 * 4 * 4, 4)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv(x))), 2)
        return F.log_softmax(self.linear(x.flatten(1)), dim=1)


def samples(count):
    generator = torch.Generator().manual_seed(0)
    labels = torch.arange(count) % 4
    images = torch.randn(count, 1, 8, 8, generator=generator) * 0.1
    for image, label in zip(images, labels, strict=True):
        row, column = divmod(int(label), 2)
        image[0, row * 4 : row * 4 + 4, column * 4 : column * 4 + 4] += 1
    return TensorDataset(images, labels)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--no-cuda", action="store_true")
    parser.add_argument("checkpoint")
    args = parser.parse_args()
    use_cuda = not args.no_cuda and torch.cuda.is_available()
    torch.manual_seed(1)
    device = torch.device("cuda" if use_cuda else "cpu")
    options = {"num_workers": 1, "pin_memory": True} if use_cuda else {}
    loader = DataLoader(samples(64), batch_size=16, shuffle=True, **options)
    model = Net().to(device)
    optimizer = optim.Adam(model.parameters(), lr=0.02)
    scaler = GradScaler(enabled=use_cuda)
    losses = []
    for _ in range(args.epochs):
        for data, target in loader:
            assert data.is_pinned() == use_cuda
            data, target = data.to(device, non_blocking=True), target.to(device, non_blocking=True)
            optimizer.zero_grad()
            with torch.autocast(device_type=device.type, dtype=torch.float16, enabled=use_cuda):
                loss = F.nll_loss(model(data).float(), target)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            losses.append(loss.item())
    if device.type == "cuda":
        torch.cuda.synchronize()
    print(f"device {next(model.parameters()).device}, first {losses[0]:.3f}, last {losses[-1]:.3f}")
    torch.save({"model": model.state_dict(), "scale": scaler.state_dict()}, args.checkpoint)


if __name__ == "__main__":
    main()
