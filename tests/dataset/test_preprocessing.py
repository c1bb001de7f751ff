"""Batches of files as PaddlePaddle 0.10 read them; where 1.8.5 fails, expected is what it does with its bytes and sizes put right."""

from __future__ import annotations

import io
import pickle
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from paddle_lite.utils.preprocess_img import DiskImage, ImageClassificationDatasetCreater
from paddle_lite.utils.preprocess_util import DataBatcher, Dataset, DatasetCreater, Label

MOST = [0, 0, 0, 0, 0, 0, 1, 1, 1, 2]


class Item:
    def __init__(self, value: int) -> None:
        self.value = value

    def convert_to_paddle_format(self) -> str:
        return f"item{self.value}"


def _rows(labels: list[int]) -> Dataset:
    return Dataset([(Item(k), Label(label, "")) for k, label in enumerate(labels)], ["images", "labels"])


def test_batches_with_classes_in_their_shares() -> None:
    random.seed(0)
    rows = _rows(MOST)
    rows.check_valid()
    with pytest.raises(ValueError, match="room for each of 3 classes"):
        rows.permute(1, 4)
    rows = _rows(MOST * 2)
    rows.permute(1, 10)
    for start in (0, 10):
        assert Counter(label.label for _, label in rows.data[start : start + 10]) == {0: 6, 1: 3, 2: 1}
    assert sorted(item.value for item, _ in rows.data) == list(range(20))
    assert [item.value for item, _ in rows.data] != list(range(20))
    before = [item.value for item, _ in rows.data]
    rows.permute(None, 10)
    assert sorted(before) == list(range(20)) and [item.value for item, _ in rows.data] != before
    with pytest.raises(AssertionError, match="sample 0"):
        Dataset([(1, 2, 3)], ["images", "labels"]).check_valid()


def test_files_of_batches(tmp_path: Path) -> None:
    batcher = DataBatcher(_rows(MOST), _rows([1]), {"a": 0, "b": 1, "c": 2})
    paths = batcher.create_batches(batcher.train_data, str(tmp_path), "train_", 4)
    assert [Path(path).name for path in paths] == ["train_batch_000", "train_batch_001", "train_batch_002"]
    found = [pickle.loads(Path(path).read_bytes()) for path in paths]
    assert found[1:] == [
        {"images": ["item4", "item5", "item6", "item7"], "labels": [0, 0, 1, 1]},
        {"images": ["item8", "item9"], "labels": [1, 2]},
    ]
    batcher.create_batches_and_list(str(tmp_path), "train.list", "test.list", "labels.pkl")
    assert (tmp_path / "train.list").read_text() == str(tmp_path / "train_batch_000")
    assert (tmp_path / "test.list").read_text() == str(tmp_path / "test_batch_000")
    assert pickle.loads((tmp_path / "labels.pkl").read_bytes()) == batcher.label_set
    assert len(pickle.loads((tmp_path / "train_batch_000").read_bytes())["labels"]) == 10


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    drawn = np.random.RandomState(0)
    for split in ("train", "test"):
        for name in ("a", "b"):
            (tmp_path / split / name).mkdir(parents=True)
            for k in range(3):
                pixels = drawn.randint(0, 256, [12, 10 + k, 3]).astype("uint8")
                Image.fromarray(pixels).save(tmp_path / split / name / f"{k}.png")
    return tmp_path


def test_an_image(folder: Path) -> None:
    image = DiskImage(str(folder / "train" / "a" / "0.png"), 8)
    assert image.img is None
    pixels = image.convert_to_array()
    assert (pixels.shape, pixels.dtype, image.img.size) == ((3, 10, 8), np.dtype("uint8"), (8, 10))
    read = Image.open(io.BytesIO(image.convert_to_paddle_format()))
    assert (read.format, read.size) == ("JPEG", (8, 10))


def test_batches_of_images(folder: Path) -> None:
    creater = ImageClassificationDatasetCreater(str(folder), 8)
    creater.num_per_batch = 4
    assert (creater.output_path, creater.keys) == (str(folder / "batches"), ["images", "labels"])
    assert creater.create_batches() == creater.output_path
    names = sorted(each.name for each in (folder / "batches").iterdir())
    assert names == [
        "batches.meta", "labels.pkl", "test.list", "test_batch_000", "test_batch_001", "train.list", "train_batch_000",
        "train_batch_001",
    ]  # fmt: skip
    first = pickle.loads((folder / "batches" / "train_batch_000").read_bytes())
    assert sorted(first["labels"]) == [0, 0, 1, 1] and first["images"][0][6:10] == b"JFIF"
    meta = pickle.loads((folder / "batches" / "batches.meta").read_bytes())
    mean = meta.pop("data_mean")
    assert meta == {"image_size": 8, "mean_image_size": 8, "num_classes": 2, "color": True}
    images = [row[0].convert_to_array() for row in creater.create_dataset(str(folder / "train"))[0].data]
    middles = [each[:, (each.shape[1] - 8) // 2 :, (each.shape[2] - 8) // 2 :][:, :8, :8] for each in images]
    np.testing.assert_array_equal(mean, np.mean(middles, 0).astype("int32").ravel())
    assert mean.dtype == np.int32
    (folder / "batches" / "train.list").unlink()
    creater.create_batches()
    assert not (folder / "batches" / "train.list").exists()  # the folder is there
    creater.overwrite = True
    creater.create_batches()
    assert (folder / "batches" / "train.list").exists()


def test_images_of_a_list(folder: Path) -> None:
    path = folder / "train" / "a" / "0.png"
    (folder / "list.txt").write_text(f"{path} 0\n{path}\t7\n")
    creater = ImageClassificationDatasetCreater(str(folder), 8)
    creater.from_list = True
    rows, classes = creater.create_dataset(str(folder / "list.txt"))
    assert [(image.path, label.label) for image, label in rows.data] == [(str(path), 0), (str(path), 7)]
    assert classes == {"0": 0, "7": 7}
    (folder / "list.txt").write_text("image.png\n")
    with pytest.raises(ValueError, match="line 1"):
        creater.create_dataset(str(folder / "list.txt"))


def test_classes_of_tests_that_training_has_not(folder: Path) -> None:
    (folder / "test" / "c").mkdir()
    with pytest.raises(ValueError, match=r"classes \['c'\]"):
        ImageClassificationDatasetCreater(str(folder), 8).create_batches()


@pytest.mark.parametrize(
    "call", ["create_meta_file", "create_dataset_from_list", "create_dataset_from_dir", "create_dataset"]
)
def test_what_a_subclass_says(call: str) -> None:
    argument: Any = "folder"
    with pytest.raises(NotImplementedError, match="does not define"):
        getattr(DatasetCreater("folder"), call)(argument)
