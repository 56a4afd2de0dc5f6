"""Lightning's Trainer with accelerator="gpu": training and validation in 32 bits, fp16 and bf16."""

import sys
import tempfile

import lightning
import torch
from torch import nn


class Classifier(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(10, 20), nn.BatchNorm1d(20), nn.ReLU(), nn.Dropout(0.1), nn.Linear(20, 2)
        )

    def loss(self, batch):
        return nn.functional.cross_entropy(self.layers(batch[0]), batch[1])

    def training_step(self, batch, index):
        loss = self.loss(batch)
        self.log("train", loss)
        return loss

    def validation_step(self, batch, index):
        self.log("validation", self.loss(batch))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 2e-2)


def main(precision, folder):
    lightning.seed_everything(0, verbose=False)
    inputs = torch.randn(64, 10)
    data = torch.utils.data.TensorDataset(inputs, (inputs.sum(1) > 0).long())
    loader = torch.utils.data.DataLoader(data, 8)
    trainer = lightning.Trainer(
        accelerator="gpu",
        devices=1,
        max_epochs=5,
        precision=precision,
        logger=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=folder,
    )
    assert trainer.strategy.root_device.type == "cuda", trainer.strategy.root_device
    trainer.fit(Classifier(), loader, loader)
    assert trainer.callback_metrics["validation"] < 0.5, trainer.callback_metrics


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(sys.argv[1], folder)
