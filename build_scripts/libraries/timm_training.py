"""timm: training of small models with its optimizers, scaler, loss and moving average, as in its train script."""

import sys

import timm
import timm.optim
import torch
from timm.loss import LabelSmoothingCrossEntropy
from timm.utils import ModelEmaV3, NativeScaler


def main(name):
    torch.manual_seed(0)
    model = timm.create_model(name, num_classes=5, drop_rate=0.1).cuda()
    model = model.to(memory_format=torch.channels_last)
    optimizer = timm.optim.create_optimizer_v2(model, "adamw", lr=2e-3)
    average, scaler, criterion = ModelEmaV3(model), NativeScaler(), LabelSmoothingCrossEntropy()
    size = 96 if name.startswith("resnet") else 160
    images = torch.randn(4, 3, size, size, device="cuda")
    images = images.contiguous(memory_format=torch.channels_last)
    labels = torch.arange(4, device="cuda")
    losses = []
    for _ in range(4):
        with torch.amp.autocast("cuda"):
            loss = criterion(model(images), labels)
        optimizer.zero_grad()
        scaler(loss, optimizer, clip_grad=1.0, parameters=model.parameters())
        average.update(model)
        torch.cuda.synchronize()
        losses.append(loss.item())
    assert losses[-1] < losses[0], losses
    assert torch.cuda.max_memory_allocated() > 0


if __name__ == "__main__":
    main(sys.argv[1])
