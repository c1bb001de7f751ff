"""The images of `paddle.utils.image_util`; numbers without a formula were measured on PaddlePaddle 1.8.5."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentValueError, MissingKeyError, ShapeError
from paddle_lite.utils import image_util

PIL = pytest.importorskip("PIL.Image")


def pixels(*shape: int) -> np.ndarray:
    return np.random.RandomState(0).rand(*shape).astype("float32")


def test_sizes_and_files(tmp_path: Path) -> None:
    image = PIL.fromarray(np.random.RandomState(0).randint(0, 255, (20, 30, 3)).astype("uint8"))
    image.save(tmp_path / "a.png")
    small = image_util.resize_image(image, 10)
    assert small.size == (15, 10)
    assert np.array(small).ravel()[:8].tolist() == [128, 64, 130, 140, 85, 132, 84, 147]
    assert image_util.load_image(tmp_path / "a.png", False).mode == "RGB"
    buffer = io.BytesIO()
    image.save(buffer, "png")
    assert (image_util.decode_jpeg(buffer.getvalue()) == np.array(image).transpose(2, 0, 1)).all()


def test_squares() -> None:
    image = pixels(3, 9, 10)
    assert (image_util.crop_img(image, 4) == image[:, 2:6, 3:7]).all()
    padded = image_util.crop_img(image, 12)
    assert (padded[:, 1:10, 1:11] == image).all()
    assert padded.sum() == pytest.approx(image.sum(), rel=1e-6)
    np.random.seed(0)
    seen = [image_util.crop_img(image, 8, test=False) for _ in range(150)]
    found = {
        (row, column, step)
        for each in seen
        for row in range(2)
        for column in range(3)
        for step in (1, -1)
        if (each == image[:, row : row + 8, column : column + 8][..., ::step]).all()
    }
    assert len(found) == 12  # each place, and each from right to left
    mean = pixels(48)
    expected = image[:, 2:6, 3:7].ravel() - mean
    np.testing.assert_array_equal(image_util.preprocess_img(image, mean, 4, is_train=False), expected)
    for call in (
        lambda: image_util.crop_img(image[0], 4),
        lambda: image_util.preprocess_img(image, mean[1:], 4, False),
    ):
        with pytest.raises(ShapeError, match=r"shape|numbers"):
            call()


def test_means_in_files(tmp_path: Path) -> None:
    mean = pixels(3, 10, 10)
    np.savez(tmp_path / "mean.npz", data_mean=mean.ravel())
    np.savez(tmp_path / "other.npz", other=mean)
    path = tmp_path / "mean.npz"
    np.testing.assert_array_equal(image_util.load_meta(path, 10, 4), mean[:, 3:7, 3:7].ravel())
    with pytest.raises(ShapeError, match="363 numbers"):
        image_util.load_meta(path, 11, 4)
    with pytest.raises(MissingKeyError, match="data_mean"):
        image_util.load_meta(tmp_path / "other.npz", 10, 4)


def test_ten_rectangles() -> None:
    images = [pixels(9, 10, 3), pixels(9, 10, 3) + 1]
    cut = image_util.oversample(images, (4, 4))
    places = [(0, 0), (0, 6), (5, 0), (5, 6), (2, 3)]  # as on 1.8.5
    for number, rectangle in enumerate(cut):
        row, column = places[number % 5]
        whole = images[number // 10][row : row + 4, column : column + 4]
        assert (rectangle == whole[:, :: -1 if number % 10 > 4 else 1]).all(), number
    with pytest.raises(ShapeError, match="at most"):
        image_util.oversample(images, (12, 12))


def test_transformers() -> None:
    image, mean = pixels(5, 6, 3), np.array([1.0, 2, 3])
    change = image_util.ImageTransformer((2, 0, 1), (2, 1, 0), mean)
    expected = image.transpose(2, 0, 1)[::-1] - mean.reshape(3, 1, 1)
    np.testing.assert_allclose(change.transformer(image.copy()), expected, atol=1e-6)
    swapped = image_util.ImageTransformer(channel_swap=(2, 1, 0)).transformer(image)
    assert (swapped == image[[2, 1, 0]]).all()  # the first axis, whatever it is, as on 1.8.5
    for wrong in ({"transpose": (1, 0)}, {"channel_swap": (1, 0)}):
        with pytest.raises(ArgumentValueError, match="three"):
            image_util.ImageTransformer(**wrong)
