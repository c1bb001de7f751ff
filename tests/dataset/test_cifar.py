"""CIFAR on small archives in the published layout."""

import os
import pickle
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import FileFormatError
from paddle_lite.dataset import cifar, common
from tests.dataset import standins


@pytest.fixture
def published(cache, monkeypatch):
    ten, hundred = standins.cifar(cache)
    monkeypatch.setattr(cifar, "CIFAR10_MD5", common.md5file(ten))
    monkeypatch.setattr(cifar, "CIFAR100_MD5", common.md5file(hundred))
    return ten


def batch(images, labels, key=b"labels"):
    return pickle.dumps({b"data": images, key: labels}, protocol=2)


@given(
    st.lists(st.lists(st.integers(0, 9), max_size=3), min_size=1, max_size=4),
    st.sampled_from([b"labels", b"fine_labels"]),
)
def test_samples_are_those_of_the_batches_in_order(tmp_path_factory, batches, key):
    images = [np.random.default_rng(n).integers(0, 256, (len(b), 3072), dtype=np.uint8) for n, b in enumerate(batches)]
    files = {f"x/data_{9 - n}": batch(images[n], labels, key) for n, labels in enumerate(batches)}
    path = standins.write_tar(tmp_path_factory.mktemp("cifar") / "a.tar.gz", files)
    samples = list(cifar.reader_creator(path, "data_")())
    assert [label for _, label in samples] == [label for labels in batches for label in labels]
    for (image, label), pixels in zip(samples, np.concatenate(images), strict=True):
        assert image.dtype == np.float32 and type(label) is int
        assert np.array_equal(image, (pixels / 255.0).astype(np.float32))


def test_each_reader_has_its_batches(published):
    lengths = [len(list(read()())) for read in (cifar.train10, cifar.test10, cifar.train100, cifar.test100)]
    assert lengths == [8, 5, 6, 4]
    cifar.fetch()


def test_cycle_starts_again(published):
    for read in (cifar.train10, cifar.test10):
        once = [label for _, label in read()()]
        assert [label for _, label in islice(read(cycle=True)(), 2 * len(once))] == once * 2


def test_another_archive_is_used_with_a_warning(published, monkeypatch):
    monkeypatch.setattr(cifar, "CIFAR10_MD5", "0" * 32)
    with pytest.warns(UserWarning, match="the published file has 0000"):
        assert len(list(cifar.train10()())) == 8


class Harmful:
    def __reduce__(self):
        return os.mkdir, ("harm",)


IMAGES = np.zeros((2, 3072), np.uint8)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (pickle.dumps({b"data": Harmful()}, protocol=2), r"asks for (posix|nt)\.mkdir"),
        (pickle.dumps([1], protocol=2), "holds a list, needs a dict"),
        (pickle.dumps({b"data": IMAGES}, protocol=2), "lacks data"),
        (batch(IMAGES, [1]), "holds 2 images and 1 labels"),
        (batch(IMAGES, [1, 2])[:-100], "truncated or not a pickle"),
    ],
)
def test_a_batch_that_is_none_is_told_and_runs_nothing(tmp_path, monkeypatch, content, text):
    monkeypatch.chdir(tmp_path)
    path = standins.write_tar(tmp_path / "cifar-10-python.tar.gz", {"x/data_batch_1": content})
    with pytest.raises(FileFormatError, match=text) as caught:
        list(cifar.reader_creator(path, "data_batch")())
    assert f"{path}: " in str(caught.value) and "data_batch_1" in str(caught.value)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
def test_a_truncated_or_foreign_file_is_told(published, damage):
    published.write_bytes(damage(published.read_bytes()))
    with pytest.raises(FileFormatError, match=r"expected cifar-10-python\.tar\.gz.*Delete the file") as caught:
        list(cifar.train10()())
    assert str(published) in str(caught.value)
