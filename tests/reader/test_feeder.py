"""DataFeeder."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, MissingKeyError, ShapeError


def feeder(*names: Any) -> fluid.DataFeeder:
    return fluid.DataFeeder(list(names), fluid.CPUPlace())


def rows(count: int) -> list[tuple]:
    return [(np.full(4, i), i) for i in range(count)]


@pytest.fixture
def pair(programs):
    return feeder(fluid.layers.data("image", [2, 2]), fluid.layers.data("label", [1], dtype="int64"))


def test_fields_become_tensors_of_the_variables(pair):
    feed = pair.feed(iter(rows(2)))
    assert np.array(feed["image"]).tolist() == [[[0, 0], [0, 0]], [[1, 1], [1, 1]]]
    assert [np.array(v).dtype.name for v in feed.values()] == ["float32", "int64"]
    assert np.array(feed["label"]).tolist() == [[0], [1]] and feed["label"].lod() == []
    assert {name: np.array(v).shape for name, v in pair.feed([]).items()} == {"image": (0, 2, 2), "label": (0, 1)}
    assert np.array(pair.feed([([[1, 2], [3, 4]], [7])])["label"]).tolist() == [[7]]


def test_sequences_have_a_lod(programs):
    words = fluid.layers.data("words", [1], dtype="int64", lod_level=1)
    texts = fluid.layers.data("texts", [2], lod_level=2)
    feed = feeder(words, texts).feed([([1, 2, 3], [[[1, 2], [3, 4]], [[5, 6]]]), ([4], [[[7, 8]]])])
    assert np.array(feed["words"]).tolist() == [[1], [2], [3], [4]]
    assert feed["words"].recursive_sequence_lengths() == [[3, 1]]
    assert np.array(feed["texts"]).tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert feed["texts"].lod() == [[0, 2, 3], [0, 2, 3, 4]]


def test_what_is_fed_runs(programs, pair):
    total = fluid.layers.reduce_sum(programs.global_block().var("image"))
    assert fluid.Executor().run(feed=pair.feed(rows(3)), fetch_list=[total])[0] == [12]


def test_names_are_looked_up(programs, pair):
    assert fluid.DataFeeder(["label", "image"], fluid.CPUPlace(), program=programs).feed_names == ["label", "image"]
    assert feeder("label").feed_lod_level == [0] and feeder("image").feed_shapes == [(-1, 2, 2)]
    with pytest.raises(MissingKeyError, match="nope"):
        feeder("nope")
    with pytest.raises(ArgumentTypeError, match="feed_list got int 3"):
        feeder(3)
    with pytest.raises(ArgumentTypeError, match="feed_list got str 'image', needs a list"):
        fluid.DataFeeder("image", fluid.CPUPlace())
    with pytest.raises(ArgumentTypeError, match="place got NoneType"):
        fluid.DataFeeder(["image"], None)


def test_wrong_samples_are_explained(pair, programs):
    with pytest.raises(ArgumentValueError, match=r"sample 0 got 1 values, needs 2: image, label\. Let the generator"):
        pair.feed([(np.zeros(4),)])
    with pytest.raises(ShapeError, match=r"image got values of shapes \[3\], \[4\], needs one shape.*lod_level=1"):
        pair.feed([(np.zeros(4), 0), (np.zeros(3), 0)])
    with pytest.raises(ShapeError, match=r"image got samples that make shape \[1, 5\], needs shape \[None, 2, 2\]"):
        pair.feed([(np.zeros(5), 0)])
    with pytest.raises(
        ArgumentValueError, match=r"label got values of which NumPy says: invalid literal.*that are int64"
    ):
        pair.feed([(np.zeros(4), "a")])
    with pytest.raises(ArgumentValueError, match="sample 1 got int 7, needs 2: image, label"):
        pair.feed([(np.zeros(4), 0), 7])
    with pytest.raises(ArgumentTypeError, match="iterable got NoneType None, needs an iterable of samples"):
        pair.feed(None)
    words = fluid.data("words", [None, 1], "int64", lod_level=2)
    with pytest.raises(ArgumentTypeError, match="words got int 5 at level 1, needs a list: 'words' has lod_level 2"):
        feeder(words).feed([([5],)])


def test_a_mini_batch_for_each_place(pair, monkeypatch):
    parts = list(pair.feed_parallel([rows(2), rows(1)], num_places=2))
    assert [np.array(part["label"]).shape for part in parts] == [(2, 1), (1, 1)]
    monkeypatch.setenv("CPU_NUM", "3")
    assert len(list(pair.feed_parallel([rows(1)] * 3))) == 3
    with pytest.raises(ArgumentValueError, match="got 2 batches, needs 3, one for each place"):
        list(pair.feed_parallel([rows(1)] * 2))


def test_readers_of_mini_batches(pair):
    def reader():
        yield from [rows(2)] * 5

    assert [np.array(f["label"]).shape for f in pair.decorate_reader(reader, False)()] == [(2, 1)] * 5
    assert [len(fs) for fs in pair.decorate_reader(reader, True, 2)()] == [2, 2]
    with pytest.raises(ArgumentValueError, match="got 1 last batches, needs 2"):
        list(pair.decorate_reader(reader, True, 2, drop_last=False)())
