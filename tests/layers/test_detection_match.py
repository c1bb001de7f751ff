"""Boxes matched with boxes, beside a plain search; what was matched handed out; wrong calls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, IndexRangeError, LoDError
from paddle_lite.imperative import Variable, to_variable
from paddle_lite.layers.detection import match as layers

v = to_variable


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99))
def test_the_most_alike_pair_is_matched_first(rows: int, columns: int, seed: int) -> None:
    alike = np.random.RandomState(seed).randint(1, 9, (rows, columns)) / np.float32(10)
    row_of, best = (r.numpy()[0] for r in layers.bipartite_match(v(alike)))
    expected = [-1] * columns
    pairs = sorted((-alike[i, j], j, i) for i in range(rows) for j in range(columns))
    for _, j, i in pairs:
        if expected[j] < 0 and i not in expected:
            expected[j] = i
    assert row_of.tolist() == expected
    assert best.tolist() == [alike[i, j] if i >= 0 else 0 for j, i in enumerate(expected)]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 99), st.sampled_from([0.2, 0.5, 0.8]))
def test_what_is_left_takes_its_most_alike_row(rows: int, columns: int, seed: int, threshold: float) -> None:
    alike = np.random.RandomState(seed).rand(rows, columns).astype("float32")
    first = layers.bipartite_match(v(alike))[0].numpy()[0]
    row_of = layers.bipartite_match(v(alike), "per_prediction", threshold)[0].numpy()[0]
    top = alike.argmax(0)
    assert row_of.tolist() == [
        i if i >= 0 else top[j] if alike[top[j], j] >= threshold else -1 for j, i in enumerate(first)
    ]


def test_images_are_matched_apart() -> None:
    alike = np.random.RandomState(3).rand(5, 4).astype("float32")
    together = [r.numpy() for r in layers.bipartite_match(Variable(alike, lod=((0, 2, 2, 5),)))]
    for image, (a, b) in enumerate([(0, 2), (2, 5)]):
        for all_of_them, alone in zip(together, layers.bipartite_match(v(alike[a:b])), strict=True):
            assert all_of_them[2 * image].tolist() == alone.numpy()[0].tolist()
    assert together[0][1].tolist() == [-1] * 4


def assign(indices: Any, lod: Any = ((0, 2, 3),), negatives: Any = None, of: Any = ((0, 1, 1),)) -> list:
    x = Variable(np.arange(3, dtype="float32").reshape(3, 1, 1), lod=lod)
    negatives = None if negatives is None else Variable(np.array(negatives, "int32").reshape(-1, 1), lod=of)
    return [r.numpy()[..., 0].tolist() for r in layers.target_assign(x, v(np.array(indices, "int32")), negatives, 9)]


def test_targets_and_weights() -> None:
    assert assign([[1, -1], [-1, 0]]) == [[[1, 9], [9, 2]], [[1, 0], [0, 1]]]
    assert assign([[1, -1], [-1, 0]], negatives=[1]) == [[[1, 9], [9, 2]], [[1, 1], [0, 1]]]


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: layers.bipartite_match(v(np.ones([2, 2], "float32")), "all"), ArgumentValueError, "per_prediction"),
        (lambda: layers.bipartite_match(v(np.ones([2, 2], "float32")), None, "a"), ArgumentTypeError, "dist_threshold"),
        (
            lambda: layers.bipartite_match(Variable(np.ones([2, 2], "float32"), lod=((0, 1), (0, 2)))),
            LoDError,
            "2 LoD levels",
        ),
        (lambda: assign([[0], [1]]), IndexRangeError, "below 1, the rows of image 1"),
        (lambda: assign([[0]]), LoDError, "1 images"),
        (lambda: assign([[0], [0]], None), LoDError, "no LoD"),
        (lambda: assign([[0], [0]], negatives=[1]), IndexRangeError, "NegIndices"),
        (lambda: assign([[0], [0]], negatives=[0], of=None), LoDError, "NegIndices"),
    ],
)
def test_wrong_calls(call: Any, error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        call()
