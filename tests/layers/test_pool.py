"""Pooling as functions of Variables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.imperative import to_variable
from paddle_lite.layers.nn import pool as layers
from paddle_lite.nn import functional
from tests.layers.signatures import signature

SIGNATURES = {
    "adaptive_pool2d": "(input, pool_size, pool_type='max', require_index=False, name=None)",
    "adaptive_pool3d": "(input, pool_size, pool_type='max', require_index=False, name=None)",
    "pool2d": "(input, pool_size=-1, pool_type='max', pool_stride=1, pool_padding=0, global_pooling=False, use_cudnn=True,"
    " ceil_mode=False, name=None, exclusive=True, data_format='NCHW')",
    "pool3d": "(input, pool_size=-1, pool_type='max', pool_stride=1, pool_padding=0, global_pooling=False, use_cudnn=True,"
    " ceil_mode=False, name=None, exclusive=True, data_format='NCDHW')",
}
X = np.random.RandomState(0).permutation(2 * 3 * 5 * 7).reshape(2, 3, 5, 7).astype("float32")


def pooled(x: np.ndarray, windows: tuple[list[slice], ...], kind: str) -> np.ndarray:
    """The maximum or the average over each pair of slices."""
    reduce = np.max if kind == "max" else np.mean
    return np.stack([np.stack([reduce(x[:, :, r, c], axis=(2, 3)) for c in windows[1]], -1) for r in windows[0]], -2)


def evenly(size: int, out: int) -> list[slice]:
    return [slice(i * size // out, -(-(i + 1) * size // out)) for i in range(out)]


def strided(size: int, window: int, stride: int, pad: int = 0) -> list[slice]:
    starts = range(-pad, size + pad - window + 1, stride)
    return [slice(max(s, 0), min(s + window, size)) for s in starts]


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_fluids(name: str) -> None:
    function = getattr(layers, name)
    assert signature(function) == SIGNATURES[name]
    assert getattr(fluid.layers, name) is getattr(functional, name)
    assert unguarded(getattr(fluid.layers, name)) is unguarded(function)


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_pool2d(kind: str) -> None:
    x = to_variable(X)
    windows = strided(5, 3, 2, 1), strided(7, 2, 1, 0)
    got = layers.pool2d(x, [3, 2], kind, [2, 1], [1, 0])
    np.testing.assert_allclose(got.numpy(), pooled(X, windows, kind), 1e-6)
    same = [[1, 1, 0, 0], [[0, 0], [0, 0], [1, 1], [0, 0]], (1, 0), [np.int64(1), 0]]
    for padding in same:
        assert (layers.pool2d(x, [3, 2], kind, [2, 1], padding).numpy() == got.numpy()).all()
    last = layers.pool2d(to_variable(X.transpose(0, 2, 3, 1)), [3, 2], kind, [2, 1], [1, 0], data_format="NHWC")
    assert (last.numpy().transpose(0, 3, 1, 2) == got.numpy()).all()


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_global_pooling(kind: str) -> None:
    expected = pooled(X, ([slice(None)], [slice(None)]), kind)
    got = layers.pool2d(to_variable(X), pool_type=kind, global_pooling=True)
    np.testing.assert_allclose(got.numpy(), expected, 1e-6)


def test_padding_by_name() -> None:
    x = to_variable(X)
    every, even = {"pool_padding": "same"}, {"pool_stride": 2}
    for keywords, stride, sizes in (
        (every, 1, (5, 7)), ({**even, "pool_padding": "SAME"}, 2, (3, 4)), ({**even, "pool_padding": "VALID"}, 2, (2, 3)),
        ({**even, "ceil_mode": True}, 2, (3, 4)),
    ):  # fmt: skip
        windows = tuple([slice(i * stride, i * stride + 2) for i in range(n)] for n in sizes)
        np.testing.assert_allclose(layers.pool2d(x, 2, **keywords).numpy(), pooled(X, windows, "max"), 1e-6)


def test_exclusive() -> None:
    x = to_variable(np.ones((1, 1, 2, 2), "float32"))
    assert layers.pool2d(x, 2, "avg", 2, 1).numpy().tolist() == [[[[1, 1], [1, 1]]]]
    assert layers.pool2d(x, 2, "avg", 2, 1, exclusive=False).numpy().tolist() == [[[[0.25, 0.25], [0.25, 0.25]]]]


@pytest.mark.parametrize("kind", ["max", "avg"])
@pytest.mark.parametrize("size", [2, [3, 4], [1, 1], (9, 7)])
def test_adaptive_pool2d(size: Any, kind: str) -> None:
    rows, columns = (size, size) if isinstance(size, int) else size
    got = layers.adaptive_pool2d(to_variable(X), size, kind)
    np.testing.assert_allclose(got.numpy(), pooled(X, (evenly(5, rows), evenly(7, columns)), kind), 1e-6)


def test_adaptive_maxima_with_their_places() -> None:
    x = to_variable(X)
    x.stop_gradient = False
    got, index = layers.adaptive_pool2d(x, [2, 3], require_index=True)
    assert index.numpy().dtype == "int32" and index.stop_gradient and not got.stop_gradient
    flat = X.reshape(2, 3, -1)
    np.testing.assert_array_equal(
        np.take_along_axis(flat, index.numpy().reshape(2, 3, -1), -1), got.numpy().reshape(2, 3, -1)
    )
    got.backward()
    counts = np.zeros_like(flat)
    for n, c, at in zip(*np.indices((2, 3, 6)).reshape(3, -1)[:2], index.numpy().reshape(-1), strict=True):
        counts[n, c, at] += 1
    np.testing.assert_array_equal(x.gradient().reshape(2, 3, -1), counts)


def test_bad_arguments() -> None:
    x = to_variable(X)
    for arguments, error, text in (
        ({}, ArgumentValueError, "pool_size got -1"),
        ({"pool_size": 0}, ArgumentValueError, "'ksize'"),
        ({"pool_size": [2]}, ArgumentTypeError, "pool_size"),
        ({"pool_size": "2"}, ArgumentTypeError, "pool_size"),
        ({"pool_size": 2.0}, ArgumentTypeError, "pool_size"),
        ({"pool_size": 2, "pool_type": "sum"}, ArgumentValueError, '"max" or "avg"'),
        ({"pool_size": 2, "pool_stride": 0}, ArgumentValueError, "'strides'"),
        ({"pool_size": 2, "pool_padding": -1}, ArgumentValueError, "'paddings'"),
        ({"pool_size": 2, "pool_padding": "HALF"}, ArgumentValueError, "SAME"),
        ({"pool_size": 2, "pool_padding": [1, 1, 1]}, ArgumentTypeError, "padding"),
        ({"pool_size": 2, "pool_padding": [[1, 0], [0, 0], [0, 0], [0, 0]]}, ArgumentValueError, "batch and channels"),
        ({"pool_size": 2, "pool_padding": "VALID", "ceil_mode": True}, ArgumentValueError, "ceil_mode"),
        ({"pool_size": 2, "data_format": "CHWN"}, ArgumentValueError, "data_format"),
        ({"pool_size": 8}, ShapeError, "window"),
    ):
        with pytest.raises(error, match=f"pool2d.*{text}"):
            layers.pool2d(x, **arguments)
    with pytest.raises(ShapeError, match="4 dimensions"):
        layers.pool2d(to_variable(X[0]), 2)
    with pytest.raises(DtypeError, match="int64"):
        layers.pool2d(to_variable(X.astype("int64")), 2)
    with pytest.raises(ArgumentTypeError, match="ndarray"):
        layers.pool2d(X, 2)


def test_bad_arguments_of_adaptive_pooling() -> None:
    x = to_variable(X)
    with pytest.raises(ArgumentValueError, match="require_index"):
        layers.adaptive_pool2d(x, 2, "avg", require_index=True)
    with pytest.raises(ArgumentValueError, match="pool_type"):
        layers.adaptive_pool2d(x, 2, "min")
    with pytest.raises(ArgumentValueError, match="ksize"):
        layers.adaptive_pool2d(x, 0)


VOLUME = np.random.RandomState(1).permutation(2 * 3 * 4 * 5 * 6).reshape(2, 3, 4, 5, 6).astype("float32")


def pooled_volume(x: np.ndarray, windows: tuple[list[slice], ...], kind: str) -> np.ndarray:
    """The maximum or the average over each triple of slices."""
    reduce = np.max if kind == "max" else np.mean
    return np.stack([pooled(reduce(x[:, :, d], axis=2), windows[1:], kind) for d in windows[0]], 2)


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_pool3d(kind: str) -> None:
    x = to_variable(VOLUME)
    windows = strided(4, 2, 1), strided(5, 1, 2), strided(6, 3, 2)
    got = layers.pool3d(x, [2, 1, 3], kind, [1, 2, 2])
    np.testing.assert_allclose(got.numpy(), pooled_volume(VOLUME, windows, kind), 1e-5)
    last = to_variable(VOLUME.transpose(0, 2, 3, 4, 1))
    got_last = layers.pool3d(last, [2, 1, 3], kind, [1, 2, 2], data_format="NDHWC")
    np.testing.assert_allclose(got_last.numpy().transpose(0, 4, 1, 2, 3), got.numpy(), 1e-6)
    padded = layers.pool3d(x, 2, kind, 1, [1, 1, 0, 1, 0, 0])
    assert padded.shape == [2, 3, 5, 5, 5]
    pairs = [[0, 0], [0, 0], [1, 1], [0, 1], [0, 0]]
    assert (layers.pool3d(x, 2, kind, 1, pairs).numpy() == padded.numpy()).all()
    assert layers.pool3d(x, 2, kind, 2, "SAME").shape == [2, 3, 2, 3, 3]
    whole = layers.pool3d(x, pool_type=kind, global_pooling=True)
    np.testing.assert_allclose(whole.numpy(), pooled_volume(VOLUME, ([slice(None)],) * 3, kind), 1e-5)


@pytest.mark.parametrize("kind", ["max", "avg"])
@pytest.mark.parametrize("size", [2, [2, 5, 3], (4, 7, 1)])
def test_adaptive_pool3d(size: Any, kind: str) -> None:
    sizes = (size,) * 3 if isinstance(size, int) else size
    windows = tuple(evenly(n, out) for n, out in zip((4, 5, 6), sizes, strict=True))
    got = layers.adaptive_pool3d(to_variable(VOLUME), size, kind)
    np.testing.assert_allclose(got.numpy(), pooled_volume(VOLUME, windows, kind), 1e-5)


def test_adaptive_maxima_of_volumes_with_their_places() -> None:
    got, index = layers.adaptive_pool3d(to_variable(VOLUME), [2, 2, 3], require_index=True)
    flat, at = VOLUME.reshape(2, 3, -1), index.numpy().reshape(2, 3, -1)
    assert at.dtype == "int32"
    np.testing.assert_array_equal(np.take_along_axis(flat, at, -1), got.numpy().reshape(2, 3, -1))


def test_bad_arguments_of_pooling_volumes() -> None:
    x = to_variable(VOLUME)
    for call, error, text in (
        (lambda: layers.pool3d(x), ArgumentValueError, "pool3d.*pool_size got -1"),
        (lambda: layers.pool3d(x, [2, 2]), ArgumentTypeError, "pool3d.*pool_size.*3 ints"),
        (lambda: layers.pool3d(x, 2, "sum"), ArgumentValueError, 'pool3d.*"max" or "avg"'),
        (lambda: layers.pool3d(x, 2, data_format="NCHW"), ArgumentValueError, "pool3d.*data_format"),
        (lambda: layers.pool3d(x, 2, pool_padding="VALID", ceil_mode=True), ArgumentValueError, "pool3d.*ceil_mode"),
        (lambda: layers.pool3d(x, 7), ShapeError, "pool3d.*window"),
        (lambda: layers.pool3d(to_variable(X), 2), ShapeError, "pool3d.*5 dimensions"),
        (lambda: layers.adaptive_pool3d(x, 2, "avg", True), ArgumentValueError, "adaptive_pool3d.*require_index"),
        (lambda: layers.adaptive_pool3d(x, [2, 2]), ArgumentTypeError, "adaptive_pool3d.*pool_size"),
    ):
        with pytest.raises(error, match=text):
            call()
