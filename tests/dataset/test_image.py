"""Images that are made here: decoding, resizing, cropping, flipping."""

import io
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import ArgumentValueError, DtypeError, FileFormatError
from paddle_lite.dataset import image
from paddle_lite.dataset.resampling import CUBIC, LANCZOS, resized
from tests.dataset import standins

pillow = pytest.importorskip("PIL.Image")
colours = hnp.arrays(np.uint8, st.tuples(st.integers(1, 12), st.integers(1, 12), st.just(3)))
PHOTO = np.random.default_rng(0).integers(0, 256, (7, 11, 3), dtype=np.uint8)


def png(pixels):
    """A PNG file of blue, green, red pixels."""
    buffer = io.BytesIO()
    pillow.fromarray(np.ascontiguousarray(pixels[:, :, ::-1])).save(buffer, "png")
    return buffer.getvalue()


@given(colours)
def test_decoding_gives_blue_green_red(pixels):
    decoded = image.load_image_bytes(png(pixels))
    assert decoded.dtype == np.uint8 and decoded.flags.writeable and np.array_equal(decoded, pixels)
    grey = image.load_image_bytes(png(pixels), is_color=False)
    assert grey.dtype == np.uint8 and grey.flags.writeable
    np.testing.assert_array_equal(grey, pixels.astype(int) @ [3737, 19234, 9797] >> 15)  # libpng's weights, cut off


@given(colours, st.integers(1, 20))
def test_the_shorter_side_is_resized(pixels, size):
    rows, columns = pixels.shape[:2]
    for im in (pixels, pixels[:, :, 0]):
        resized = image.resize_short(im, size)
        assert resized.dtype == np.uint8 and min(resized.shape[:2]) == size
        assert max(resized.shape[:2]) == size * max(rows, columns) // min(rows, columns)
    assert np.array_equal(image.resize_short(pixels, min(rows, columns)), pixels)
    assert np.all(image.resize_short(np.full_like(pixels, 77), size) == 77)


RECORDED = np.load(Path(__file__).with_name("images.npz"))


@pytest.mark.parametrize("name", ["png", "palette", "alpha", "jpeg"])
def test_grey_is_opencvs(name):
    grey = image.load_image_bytes(RECORDED[f"file {name}"].tobytes(), is_color=False)
    assert np.array_equal(grey, RECORDED[f"grey {name}"])


@pytest.mark.parametrize("short", [5, 13, 24])
def test_the_shorter_side_has_opencvs_pixels(short):
    noise = RECORDED["noise"]
    assert np.array_equal(image.resize_short(noise, short), RECORDED[f"short colour {short}"])
    assert np.array_equal(image.resize_short(noise[:, :, 0], short), RECORDED[f"short grey {short}"])


def test_floats_and_transformed_grey_are_opencvs():
    noise = RECORDED["noise"]
    np.testing.assert_allclose(image.resize_short(noise[:7].astype("float32"), 9), RECORDED["short float"], atol=1e-3)
    grey = image.simple_transform(noise[:, :, 1], 11, 9, is_train=False, is_color=False, mean=[127])
    assert grey.dtype == np.float32 and np.array_equal(grey, RECORDED["transformed"])


@pytest.mark.parametrize("size", [(7, 30), (26, 34), (16, 5)])
@pytest.mark.parametrize("kind", [CUBIC, LANCZOS])
def test_bytes_are_interpolated_as_by_opencv(size, kind):
    expected = RECORDED[f"{size[0]} {size[1]} {kind}"]
    assert np.array_equal(resized(RECORDED["noise"], *size, kind), expected)


def test_crops_and_flips():
    assert np.array_equal(image.center_crop(PHOTO, 4), PHOTO[1:5, 3:7])
    assert np.array_equal(image.center_crop(PHOTO[:, :, 0], 5, is_color=False), PHOTO[1:6, 3:8, 0])
    assert np.array_equal(image.left_right_flip(PHOTO), PHOTO[:, ::-1])
    np.random.seed(3)
    crop = image.random_crop(PHOTO, 4)
    np.random.seed(3)
    row, column = np.random.randint(0, 4), np.random.randint(0, 8)
    assert np.array_equal(crop, PHOTO[row : row + 4, column : column + 4])
    assert np.array_equal(image.to_chw(PHOTO)[2], PHOTO[:, :, 2])


@pytest.mark.parametrize("seed", range(6))
def test_simple_transform_is_its_parts(tmp_path, seed):
    path = tmp_path / "photo.png"
    path.write_bytes(png(PHOTO))
    np.random.seed(seed)
    result = image.load_and_transform(path, 6, 4, is_train=True, mean=[1.0, 2.0, 3.0])
    np.random.seed(seed)
    expected = image.random_crop(image.resize_short(PHOTO, 6), 4)
    expected = expected[:, ::-1] if np.random.randint(2) == 0 else expected
    assert result.dtype == np.float32 and result.shape == (3, 4, 4)
    assert np.array_equal(result, expected.transpose(2, 0, 1) - np.array([1, 2, 3])[:, None, None])
    grey = image.simple_transform(PHOTO[:, :, 0], 7, 4, is_train=False, is_color=False, mean=np.ones([4, 4]))
    assert np.array_equal(grey, PHOTO[1:5, 3:7, 0].astype(np.float32) - 1)


@pytest.mark.parametrize("mean", [[127], (1, 2, 3, 4), np.float32([1.5]), 3.0, np.ones([4, 1])])
def test_a_mean_broadcasts_over_a_grey_image(mean):
    grey = image.simple_transform(PHOTO[:, :, 0], 7, 4, is_train=False, is_color=False, mean=mean)
    assert np.array_equal(grey, PHOTO[1:5, 3:7, 0].astype(np.float32) - np.asarray(mean, np.float32))


def test_a_mean_broadcasts_over_colours():
    expected = image.simple_transform(PHOTO, 6, 4, is_train=False)
    assert np.array_equal(image.simple_transform(PHOTO, 6, 4, is_train=False, mean=[1]), expected - 1)
    columns = image.simple_transform(PHOTO, 6, 4, is_train=False, is_color=False, mean=[1, 2, 3, 4])
    assert np.array_equal(columns, expected - np.float32([1, 2, 3, 4]))


def test_wrong_arguments_are_told():
    with pytest.raises(ArgumentValueError, match=r"center_crop: size got int 8, needs 1 \.\. 7.*resize_short"):
        image.center_crop(PHOTO, 8)
    with pytest.raises(ArgumentValueError, match="random_crop: size got int 8"):
        image.random_crop(PHOTO, 8)
    with pytest.raises(DtypeError, match=r"resize_short: image got ndarray .*dtype int64, needs one of uint8"):
        image.resize_short(PHOTO.astype("int64"), 4)
    with pytest.raises(ArgumentValueError, match="size got int 0"):
        image.resize_short(PHOTO, 0)
    with pytest.raises(ArgumentValueError, match=r"im got .*needs 3 axes"):
        image.to_chw(PHOTO[0])
    with pytest.raises(ArgumentValueError, match=r"mean got .*broadcasts to \[3, 4, 4\]"):
        image.simple_transform(PHOTO, 6, 4, is_train=False, mean=[1.0, 2.0])
    with pytest.raises(ArgumentValueError, match=r"mean got .*broadcasts to \[4, 4\]"):
        image.simple_transform(PHOTO[:, :, 0], 6, 4, is_train=False, is_color=False, mean=[1, 2, 3])


@pytest.mark.parametrize("content", [b"<html>", b"", png(PHOTO)[:60]])
def test_what_is_no_image_is_told(tmp_path, content):
    path = tmp_path / "photo.png"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="expected an image that Pillow can decode") as caught:
        image.load_image(path)
    assert str(path) in str(caught.value)


def test_without_pillow_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r"pip install paddle_lite\[image\]"):
        image.load_image_bytes(b"")


def test_batches_hold_the_labelled_files_in_order(tmp_path):
    path = standins.write_tar(tmp_path / "a.tgz", {"jpg": None, **{f"jpg/{n}": b"%d" % n for n in (3, 1, 2, 5, 4)}})
    listing = image.batch_images_from_tar(path, "some", {f"jpg/{n}": 10 * n for n in (1, 2, 3, 4)}, 3)
    assert listing == str(tmp_path / "a.tgz_batch" / "some.txt")
    batches = [pickle.loads(Path(line).read_bytes()) for line in Path(listing).read_text().splitlines()]
    expected = [{"data": [b"3", b"1", b"2"], "label": [30, 10, 20]}, {"data": [b"4"], "label": [40]}]
    assert batches == expected
    path.unlink()
    assert image.batch_images_from_tar(path, "some", {}) == listing
    with pytest.raises(ArgumentValueError, match="num_per_batch got int 0"):
        image.batch_images_from_tar(path, "some", {}, 0)
