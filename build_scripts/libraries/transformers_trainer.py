"""Trainer of transformers in 32 bits, fp16 and bf16: training, evaluation, checkpoints, resumption, generated text."""

import sys
import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments

WORDS, LENGTH = 50, 16


class Texts(torch.utils.data.Dataset):
    def __len__(self):
        return 32

    def __getitem__(self, index):
        words = torch.arange(index, index + LENGTH) % WORDS
        return {"input_ids": words, "labels": words}


def train(precision, folder):
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=WORDS, n_positions=LENGTH, n_embd=32, n_layer=2, n_head=2)
    arguments = TrainingArguments(
        output_dir=folder,
        per_device_train_batch_size=8,
        num_train_epochs=3,
        learning_rate=1e-2,
        fp16=precision == "fp16",
        bf16=precision == "bf16",
        save_strategy="epoch",
        dataloader_num_workers=1,
        gradient_checkpointing=True,
        optim="adamw_torch_fused",
        report_to=[],
        disable_tqdm=True,
    )
    assert arguments.device.type == "cuda", arguments.device
    trainer = Trainer(
        GPT2LMHeadModel(config), arguments, train_dataset=Texts(), eval_dataset=Texts()
    )
    before = trainer.evaluate()["eval_loss"]
    trainer.train()
    after = trainer.evaluate()["eval_loss"]
    assert after < 0.9 * before, (before, after)
    trainer.args.num_train_epochs = 4
    trainer.train(resume_from_checkpoint=True)
    assert trainer.state.global_step == 16
    prompt = torch.arange(4, device="cuda").unsqueeze(0)
    text = trainer.model.generate(prompt, max_new_tokens=5, do_sample=True, pad_token_id=0)
    assert text.is_cuda and text.shape == (1, 9)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        train(sys.argv[1], folder)
