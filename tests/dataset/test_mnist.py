"""idx files and MNIST: files made here, and the real ones where they are."""

import gzip
import hashlib
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import FileFormatError
from paddle_lite.dataset import mnist
from paddle_lite.dataset.idx import read_idx


def idx_bytes(array, magic=None):
    magic = 0x0800 | array.ndim if magic is None else magic
    return struct.pack(f">{1 + array.ndim}I", magic, *array.shape) + array.tobytes()


def write_idx(path, array, magic=None):
    path.write_bytes(gzip.compress(idx_bytes(array, magic)))
    return path


@pytest.fixture
def pair(tmp_path):
    rng = np.random.default_rng(0)
    images, labels = rng.integers(0, 256, (300, 28, 28), dtype=np.uint8), rng.integers(0, 10, 300, dtype=np.uint8)
    images[0].flat[:256] = np.arange(256)
    return images, labels, write_idx(tmp_path / "images.gz", images), write_idx(tmp_path / "labels.gz", labels)


@given(hnp.arrays(np.uint8, hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=6)))
def test_read_idx_gives_back_what_was_written(tmp_path_factory, array):
    path = write_idx(tmp_path_factory.mktemp("idx") / "file.gz", array)
    read = read_idx(path, array.ndim)
    assert read.dtype == np.uint8 and read.shape == array.shape
    assert np.array_equal(read, array)


@given(st.integers(0, 30 * 6 + 15))
def test_any_truncation_is_told_with_the_name_of_the_file(tmp_path_factory, kept):
    content = idx_bytes(np.arange(180, dtype=np.uint8).reshape(5, 6, 6))
    path = tmp_path_factory.mktemp("idx") / "images.gz"
    for data in (gzip.compress(content[:kept]), gzip.compress(content)[: kept // 2]):
        path.write_bytes(data)
        with pytest.raises(FileFormatError, match=r"images\.gz"):
            read_idx(path, 3)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"<html>no such file</html>", r"Not a gzipped file.*expected a gzip-compressed idx file.*magic number 2051"),
        (gzip.compress(b"\x00\x00", mtime=0), "holds 2 bytes, less than a header"),
        (b"", "holds 0 bytes"),
        (gzip.compress(idx_bytes(np.zeros((2, 2, 2), np.uint8), magic=2049), mtime=0), "has magic number 2049"),
        (
            gzip.compress(idx_bytes(np.zeros((2, 2, 2), np.float32)), mtime=0),
            r"holds more than 8 elements; expected 8.*\[2, 2, 2\]",
        ),
        (
            gzip.compress(struct.pack(">4I", 2051, 60000, 5000, 5000) + bytes(1000), mtime=0),
            r"says that it holds 1500000000000 elements, but a gzip file of \d+ bytes holds \d+ at most",
        ),
        (
            gzip.compress(idx_bytes(np.zeros((2, 2, 2), np.uint8)), mtime=0)[:-3],
            "ended before the end-of-stream marker",
        ),
    ],
)
def test_a_foreign_file_is_told(tmp_path, content, text):
    path = tmp_path / "images.gz"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=text) as caught:
        read_idx(path, 3)
    assert str(path) in str(caught.value) and "Delete the file" in str(caught.value)


@pytest.mark.parametrize("buffer_size", [1, 100, 128, 300, 1000])
def test_samples_are_the_files_in_order(pair, buffer_size):
    images, labels, image_path, label_path = pair
    samples = list(mnist.reader_creator(image_path, label_path, buffer_size)())
    assert [label for _, label in samples] == labels.tolist()
    assert all(type(label) is int for _, label in samples)
    scaled = images.reshape(300, 784).astype(np.float32) / 255.0 * 2.0 - 1.0
    for (image, _), expected in zip(samples, scaled, strict=True):
        assert image.shape == (784,) and image.dtype == np.float32 and image.flags.writeable
        assert np.array_equal(image, expected)


def test_a_sample_changed_in_place_does_not_change_the_next_epoch(pair):
    read = mnist.reader_creator(*pair[2:])
    before = next(read())[0].copy()
    next(read())[0][:] = 7
    assert np.array_equal(next(read())[0], before)


def test_images_and_labels_must_be_as_many(pair, tmp_path):
    short = write_idx(tmp_path / "short.gz", pair[1][:-1])
    with pytest.raises(FileFormatError, match=r"300 images.*short\.gz holds 299 labels"):
        next(mnist.reader_creator(pair[2], short)())


def test_train_and_test_read_their_own_files(pair, cache, monkeypatch):
    images, labels = pair[:2]
    (cache / "mnist").mkdir(parents=True)
    for name, kind, part in [("train", "TRAIN", slice(0, 200)), ("t10k", "TEST", slice(200, 300))]:
        for what, role, array in [("images-idx3", "IMAGE", images[part]), ("labels-idx1", "LABEL", labels[part])]:
            path = write_idx(cache / "mnist" / f"{name}-{what}-ubyte.gz", array)
            digest = hashlib.md5(path.read_bytes()).hexdigest()
            monkeypatch.setattr(mnist, f"{kind}_{role}_MD5", digest)
    mnist.fetch()
    assert [label for _, label in mnist.train()()] == labels[:200].tolist()
    assert [label for _, label in mnist.test()()] == labels[200:].tolist()


def digest(reader):
    samples = list(reader())
    images, labels = np.stack([image for image, _ in samples]), np.array([label for _, label in samples], np.int64)
    return len(samples), hashlib.sha256(images.tobytes()).hexdigest(), hashlib.sha256(labels.tobytes()).hexdigest()


@pytest.mark.data("mnist")
def test_the_real_data_are_what_paddle_reads(real_data):
    """Checksums of the float32 images and int64 labels that PaddlePaddle 1.8.5 yields, in its order."""
    assert digest(mnist.train()) == (
        60000,
        "fe95c7c1ccbead919489fa022b409faa504e7a541a9adab14159d41297d10a69",
        "e474323ac02fc156161b0bbb1f8c9cfeb327a74bcd9f9680a8385269a24f566c",
    )
    assert digest(mnist.test()) == (
        10000,
        "ecfdc946dfc8cd3cc8365b3021f045aa9cc2a28b92f0de01bc82d87bd6dac7c1",
        "2fd8de6bdb8d11780b4b96dc57847bcfe6953f7c32aa48bfcd8237c3b7847243",
    )
