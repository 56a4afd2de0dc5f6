"""Small data sets in the formats that PyTorch's examples read, in place of downloads. Equal calls write equal files."""

from __future__ import annotations

import random
import struct
import tarfile
import zlib
from pathlib import Path

_SIDE = 28
"""Width and height of an image of MNIST."""


def mnist(root: Path, training: int = 192, test: int = 128) -> None:
    """Data set of `torchvision.datasets.MNIST(root)`: a bright square, whose place depends on the label."""
    folder = root / "MNIST/raw"
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(0)
    for prefix, count in (("train", training), ("t10k", test)):
        labels = bytes(number % 10 for number in range(count))
        images = b"".join(_digit(label, chance) for label in labels)
        for name, head, data in (
            ("images-idx3", (2051, count, _SIDE, _SIDE), images),
            ("labels-idx1", (2049, count), labels),
        ):
            file = folder / f"{prefix}-{name}-ubyte"
            file.write_bytes(struct.pack(f">{len(head)}I", *head) + data)


def _digit(label: int, chance: random.Random) -> bytes:
    pixels = bytearray(byte >> 2 for byte in chance.randbytes(_SIDE * _SIDE))
    top, left = divmod(label, 4)
    for row in range(top * 7, top * 7 + 7):
        begin = row * _SIDE + left * 7
        pixels[begin : begin + 7] = b"\xff" * 7
    return bytes(pixels)


def png(file: Path, width: int, height: int, seed: int) -> None:
    """Image in colour: two gradients, and a square in the channel that the seed selects."""
    rows = bytearray()
    for row in range(height):
        rows.append(0)  # filter type "none"
        for column in range(width):
            pixel = [row * 255 // height, column * 255 // width, 64]
            if row < height // 2 and column < width // 2:
                pixel[seed % 3] = 255 - seed % 64
            rows += bytes(pixel)
    file.parent.mkdir(parents=True, exist_ok=True)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows))), (b"IEND", b""))
    file.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + b"".join(
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            for kind, data in chunks
        )
    )


def image_folders(root: Path, parts: tuple[str, ...], classes: int, count: int, side: int) -> None:
    """Tree of `torchvision.datasets.ImageFolder` for each part: `count` images of each class."""
    for part in parts:
        for one in range(classes):
            for number in range(count):
                png(root / part / f"class{one}" / f"{number}.png", side, side, one + 3 * number)


def words(folder: Path, sentences: int = 150) -> None:
    """Texts of the language model: train.txt, valid.txt and test.txt with sentences of a small vocabulary."""
    folder.mkdir(parents=True, exist_ok=True)
    chance = random.Random(0)
    vocabulary = [f"word{number}" for number in range(50)]
    for part, share in (("train", 1), ("valid", 4), ("test", 4)):
        lines = (
            " ".join(chance.choices(vocabulary, k=chance.randint(5, 12)))
            for _ in range(sentences // share)
        )
        (folder / f"{part}.txt").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def cora(folder: Path, papers: int = 1700) -> None:
    """Graph in the format of the data set Cora: `cora/cora.content`, `cora/cora.cites`, and both in `cora.tgz`."""
    data = folder / "cora"
    data.mkdir(parents=True, exist_ok=True)
    chance = random.Random(0)
    numbers = [10 * number + 31 for number in range(papers)]
    content = []
    for number in numbers:
        topic = number // 10 % 7
        features = [int(word % 7 == topic or chance.random() < 0.05) for word in range(28)]
        content.append("\t".join([str(number), *map(str, features), f"Topic_{topic}"]))
    cites = [f"{one}\t{numbers[(place + 7) % papers]}" for place, one in enumerate(numbers)]
    (data / "cora.content").write_text("\n".join(content) + "\n", "utf-8")
    (data / "cora.cites").write_text("\n".join(cites) + "\n", "utf-8")
    with tarfile.open(folder / "cora.tgz", "w:gz") as archive:
        archive.add(data, "cora")


def vgg16(checkpoints: Path) -> None:
    """Random weights in the file that torchvision reads as the published weights of VGG16.

    The layers of the classifier are zero, and share one stored element.
    """
    import torch

    torch.manual_seed(0)
    state = {}
    channels = 3
    number = 0
    for outputs in (64, 64, 0, 128, 128, 0, 256, 256, 256, 0, 512, 512, 512, 0, 512, 512, 512):
        if not outputs:
            number += 1
            continue
        state[f"features.{number}.weight"] = (
            torch.randn(outputs, channels, 3, 3) * (2 / (9 * channels)) ** 0.5
        )
        state[f"features.{number}.bias"] = torch.zeros(outputs)
        channels = outputs
        number += 2
    for number, inputs, outputs in ((0, 25088, 4096), (3, 4096, 4096), (6, 4096, 1000)):
        state[f"classifier.{number}.weight"] = torch.zeros(1, 1).expand(outputs, inputs)
        state[f"classifier.{number}.bias"] = torch.zeros(1).expand(outputs)
    checkpoints.mkdir(parents=True, exist_ok=True)
    torch.save(state, checkpoints / "vgg16-397923af.pth")
