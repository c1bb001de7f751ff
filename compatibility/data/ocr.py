"""Writes pictures of bars as text lines, and a config.py, as PaddlePaddle-OCR reads them: `ocr.py NETWORK`."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import numpy as np
from PIL import Image

CLASSES = 10
CONFIG = """
dict_path = "dataset/dict.txt"
data_shape = [1, 60, -1]
batch_size = 4
lr = 1e-3
lr_decay_strategy = None
l2decay = 4e-4
momentum = 0.9
gradient_clip = 10.0
total_step = 6
log_period = 2
num_classes = {classes}
save_model_period = 4
eval_period = 6
train_list = "dataset/train.txt"
test_list = "dataset/test.txt"
train_prefix = "dataset/train"
test_prefix = "dataset/test"
use_model = "{network}"
model_path = "models/%s/train/" % use_model
infer_model_path = "models/%s/infer/" % use_model
init_model = None
use_gpu = True
min_average_window = 10000
max_average_window = 12500
average_window = 0.15
parallel = False
"""


def line(rng: np.random.RandomState, length: int) -> tuple[bytes, list[int]]:
    """A picture of characters, each a bar whose height is its label, as PNG."""
    labels = rng.randint(1, CLASSES - 1, length)
    picture = rng.randint(0, 60, (60, 24 * length)).astype(np.uint8)
    for place, label in enumerate(labels):
        picture[5 * label : 5 * label + 6, 24 * place + 4 : 24 * place + 20] = 230
    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    return file.getvalue(), labels.tolist()


def write(prefix: Path, count: int, seed: int) -> None:
    """Write PREFIX.data, .header and .label."""
    rng, start = np.random.RandomState(seed), 0
    with (
        open(f"{prefix}.data", "wb") as data,
        open(f"{prefix}.header", "w") as header,
        open(f"{prefix}.label", "w") as labels,
    ):
        for number in range(count):
            content, characters = line(rng, 5)
            data.write(content)
            header.write(f"{number}\t{start}\t{len(content)}\n")
            labels.write(f"{number}\t{','.join(map(str, characters))}\n")
            start += len(content)


if __name__ == "__main__":
    folder = Path("dataset")
    folder.mkdir()
    write(folder / "train", 16, 1)
    write(folder / "test", 4, 2)
    (folder / "dict.txt").write_text(str({str(k): k for k in range(1, CLASSES - 1)}).replace("'", '"'))
    Path("config.py").write_text(CONFIG.format(classes=CLASSES, network=sys.argv[1]))
