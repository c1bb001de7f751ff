"""VOC 2012 on a small archive in the published layout."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from paddle_lite.core.errors import FileFormatError
from paddle_lite.dataset import common, voc2012
from tests.dataset import standins

image = pytest.importorskip("PIL.Image")
CLASSES = {name: np.random.RandomState(ord(name)).randint(0, 21, (4, 6)).astype("uint8") for name in "ab"}


def encoded(pixels: np.ndarray, form: str, palette: bool = False) -> bytes:
    made, file = image.fromarray(pixels), io.BytesIO()
    if palette:
        made = made.convert("P")
        made.putpalette([255 - i // 3 for i in range(768)])
    made.save(file, form)
    return file.getvalue()


@pytest.fixture
def published(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    files = {
        voc2012.SET_FILE.format(part): names.encode()
        for part, names in {"train": "b\n", "val": "a\n", "trainval": "b\na\n"}.items()
    }
    for name, classes in CLASSES.items():
        files[voc2012.DATA_FILE.format(name)] = encoded(np.full((4, 6, 3), ord(name), "uint8"), "JPEG")
        files[voc2012.LABEL_FILE.format(name)] = encoded(classes, "PNG", palette=True)
    path = standins.write_tar(cache / "voc2012" / voc2012.VOC_URL.split("/")[-1], files)
    monkeypatch.setattr(voc2012, "VOC_MD5", common.md5file(path))
    return path


def test_images_and_the_classes_of_their_pixels(published: Path) -> None:
    for read, names in ((voc2012.train, "ba"), (voc2012.test, "b"), (voc2012.val, "a")):
        samples = list(read()())
        assert len(samples) == len(names)
        for (pixels, label), name in zip(samples, names, strict=True):
            assert (pixels.shape, pixels.dtype, label.dtype) == ((4, 6, 3), np.uint8, np.uint8)
            np.testing.assert_allclose(pixels, ord(name), atol=2)  # JPEG
            np.testing.assert_array_equal(label, CLASSES[name])


def test_a_part_that_is_not_there_is_told(published: Path) -> None:
    with pytest.raises(FileFormatError, match=r"it holds no file VOCdevkit/.*/nope\.txt"):
        next(iter(voc2012.reader_creator(published, "nope")()))
    published.write_bytes(published.read_bytes()[:700])
    with pytest.raises(FileFormatError, match="expected VOCtrainval"):
        next(iter(voc2012.reader_creator(published, "train")()))
