"""Flowers on small files in the published layout, and the MATLAB files by themselves."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from paddle_lite.core.errors import FileFormatError
from paddle_lite.dataset import common, flowers
from paddle_lite.dataset.mat import read_mat
from tests.dataset import standins

matrices = hnp.arrays(st.sampled_from([np.uint8, np.uint16]), hnp.array_shapes(min_dims=2, max_dims=2, max_side=5))


@pytest.fixture
def published(cache, monkeypatch):
    path = standins.flowers(cache)
    monkeypatch.setattr(flowers, "DATA_MD5", common.md5file(path))
    monkeypatch.setattr(flowers, "LABEL_MD5", common.md5file(path.with_name("imagelabels.mat")))
    monkeypatch.setattr(flowers, "SETID_MD5", common.md5file(path.with_name("setid.mat")))
    return path


@given(st.dictionaries(st.sampled_from(["labels", "a", "long_name"]), matrices, max_size=3), st.booleans())
def test_matrices_come_back(tmp_path_factory, content, compressed):
    path = tmp_path_factory.mktemp("mat") / "a.mat"
    path.write_bytes(standins.mat(content, compressed))
    found = read_mat(path, "numbers")
    assert found.keys() == content.keys()
    for name, matrix in content.items():
        assert found[name].dtype == matrix.dtype and np.array_equal(found[name], matrix)


@given(st.integers(0, 1000), st.booleans())
def test_a_truncated_matlab_file_is_told(tmp_path_factory, kept, compressed):
    content = standins.mat({"labels": np.arange(100, dtype=np.uint16)[None]}, compressed)
    path = tmp_path_factory.mktemp("mat") / "a.mat"
    path.write_bytes(content[: kept % len(content)])
    if kept % len(content) == 128:
        assert read_mat(path, "numbers") == {}
        return
    with pytest.raises(FileFormatError, match=r"a\.mat: .*expected numbers"):
        read_mat(path, "numbers")


def keep(sample):
    return sample


@pytest.mark.parametrize("use_xmap", [True, False])
def test_images_come_in_the_order_of_the_archive(published, use_xmap):
    order = [7, 1, 2, 3, 4, 6, 5, 8, 10, 9]
    parts = [(flowers.train, {6, 7, 8, 9, 10}), (flowers.test, {1, 3, 5}), (flowers.valid, {2, 4})]
    for read, numbers in parts:
        samples = list(read(mapper=keep, use_xmap=use_xmap)())
        assert [label for _, label in samples] == [number * 7 % 100 for number in order if number in numbers]
        assert all(content.startswith(b"P6 260 256") for content, _ in samples)
    cycled = [label for _, label in islice(flowers.test(keep, 2, use_xmap, cycle=True)(), 6)]
    assert cycled == [7, 21, 35] * 2


def test_the_default_mapper_makes_a_row_of_pixels(published):
    pytest.importorskip("PIL.Image")
    content, label = next(iter(flowers.test(keep)()))
    pixels = np.frombuffer(content, np.uint8, offset=len(b"P6 260 256 255\n")).reshape(256, 260, 3)
    row, same = next(iter(flowers.test()()))
    expected = pixels[16:240, 18:242, ::-1].transpose(2, 0, 1) - np.float32([103.94, 116.78, 123.68])[:, None, None]
    assert row.dtype == np.float32 and same == label
    np.testing.assert_allclose(row, expected.ravel(), rtol=1e-6)


def test_files_with_another_checksum_are_used_with_a_warning(published, monkeypatch):
    monkeypatch.setattr(flowers, "SETID_MD5", "0" * 32)
    with pytest.warns(UserWarning, match=r"setid\.mat has MD5"):
        flowers.fetch()


@pytest.mark.filterwarnings("ignore:.*has MD5")
@pytest.mark.parametrize("name", ["102flowers.tgz", "imagelabels.mat", "setid.mat"])
@pytest.mark.parametrize("damage", [lambda data: data[: len(data) // 2], lambda data: b"<html>", lambda data: b""])
def test_a_truncated_or_foreign_file_is_told(published, name, damage):
    path = published.with_name(name)
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(FileFormatError, match=rf"expected {name}.*Delete the file") as caught:
        list(flowers.train(keep, use_xmap=False)())
    assert str(path) in str(caught.value)
