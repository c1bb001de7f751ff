"""Kernels over several threads give what one thread gives: each family, cut into parts where arrays are small, too."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import paddle_lite.fluid as fluid
from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.kernels import threads
from paddle_lite.kernels.cpu.conv import columns, direct, winograd
from paddle_lite.kernels.cpu.conv.choice import algorithms
from paddle_lite.kernels.cpu.conv.epilogue import epilogue
from paddle_lite.kernels.cpu.conv.geometry import geometry
from paddle_lite.kernels.cpu.loss import cross_entropy, softmax
from paddle_lite.kernels.cpu.nn import group_norm_kernels, norm, pool
from paddle_lite.kernels.cpu.shape.indexed_rows import scatter_add_rows
from paddle_lite.kernels.cpu.vision import interpolate_kernels
from paddle_lite.kernels.pool import Pool
from paddle_lite.kernels.row_gather import gather_rows
from tests.kernels.conv_cases import cases

FLAG = "FLAGS_paddle_num_threads"
DTYPES = st.sampled_from([np.float32, np.float64])
COUNTS = st.integers(2, 4)


@pytest.fixture(autouse=True, scope="module")
def cut_small_arrays():
    """Four cores, whatever the machine has, and parts of a single element; the number of threads is put back."""
    before = get_flags(FLAG)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threads.os, "sched_getaffinity", lambda pid: {0, 1, 2, 3}, raising=False)
        patch.setattr(threads, "SMALLEST_PART", 1)
        yield
    set_flags(before)


def in_both(call, count=2):
    """What a call gives with one thread and with several, as lists of arrays, and into how many parts it was cut."""
    parts = []
    with pytest.MonkeyPatch.context() as patch:
        run, call_shared = Pool.run, Pool.call
        patch.setattr(Pool, "run", lambda self, kernel, p: (parts.append(len(p)), run(self, kernel, p)))
        patch.setattr(
            Pool, "call", lambda self, *given, wake: (parts.append(given[3]), call_shared(self, *given, wake=wake))[1]
        )
        results = []
        for number in (1, count):
            assert not parts
            set_flags({FLAG: number})
            result = call()
            results.append(list(result) if isinstance(result, tuple) else [result])
    return *results, parts


def same(call, count=2, cut=True):
    """Check that several threads give the bits of one, and, where `cut`, that they worked at all."""
    whole, shared, parts = in_both(call, count)
    assert not cut or parts
    for a, b in zip(whole, shared, strict=True):
        np.testing.assert_array_equal(a, b)


def randoms(dtype, *shape):
    return np.random.default_rng(0).standard_normal(shape).astype(dtype)


@st.composite
def poolings(draw):
    """Images, and windows over them."""
    size = draw(st.integers(2, 20)), draw(st.integers(2, 40))
    x = randoms(draw(DTYPES), draw(st.integers(1, 3)), draw(st.integers(2, 5)), *size)
    if draw(st.booleans()):
        return x, pool.strided_windows(size, (2, 2), (2, 2), (0, 0, 0, 0), (size[0] // 2, size[1] // 2))
    if draw(st.booleans()):
        return x, pool.adaptive_windows(size, (draw(st.integers(1, 4)), draw(st.integers(1, 4))))
    return x, pool.strided_windows(size, (3, 2), (2, 1), (1, 1, 1, 0), ((size[0] - 1) // 2 + 1, size[1]))


@settings(max_examples=15)
@given(poolings(), COUNTS, st.sampled_from([None, "relu6", "tanh"]))
def test_pooling(case, count, act):
    x, windows = case
    y, index = pool.max_pool2d_with_index(x, windows)
    dy = randoms(x.dtype, *y.shape)
    same(lambda: pool.max_pool2d(x, windows, act), count)
    same(lambda: pool.avg_pool2d(x, windows, act), count)
    same(lambda: pool.max_pool2d_grad(x, y, dy, windows), count)
    same(lambda: pool.max_pool2d_with_index(x, windows), count)
    same(lambda: pool.max_pool2d_index_grad(index, dy, x.shape), count)
    same(lambda: pool.avg_pool2d_grad(dy, x.shape, windows), count)


@settings(max_examples=15)
@given(st.integers(2, 40), st.integers(1, 70), DTYPES, COUNTS)
def test_softmax_and_cross_entropy(rows, classes, dtype, count):
    x = randoms(dtype, rows, classes)
    y, labels = softmax.softmax(x), np.arange(rows) % classes
    labels[0] = -100
    dloss = randoms(dtype, rows)
    same(lambda: softmax.softmax(x), count)
    same(lambda: softmax.softmax_grad(y, x), count)
    same(lambda: softmax.softmax_with_cross_entropy(x, labels), count)
    same(lambda: softmax.softmax_with_cross_entropy_grad(y, labels, dloss), count)
    same(lambda: softmax.softmax_with_soft_labels(x, y), count)
    same(lambda: softmax.softmax_with_soft_labels_grad(y, y, dloss), count)
    same(lambda: cross_entropy.cross_entropy(y, labels), count)
    same(lambda: cross_entropy.cross_entropy_grad(y[:, 0].copy(), labels, dloss, classes), count)


@settings(max_examples=15)
@given(st.integers(1, 4), st.integers(2, 70), st.integers(0, 30), DTYPES, COUNTS)
def test_batch_norm(images, channels, points, dtype, count):
    """Of planes, and with no points of channels that are last."""
    x = randoms(dtype, images, channels, points) if points else randoms(dtype, 3 * images, channels)
    dy, (scale, bias) = x[::-1].copy(), randoms(dtype, 2, channels)
    _, mean, _, inverse = norm.batch_norm(x, scale, bias, 1e-5)
    cut = points > 0 or channels > norm.AT_ONCE
    same(lambda: norm.batch_norm(x, scale, bias, 1e-5), count)
    same(lambda: norm.scale_channels(x, mean, inverse, bias), count)
    same(lambda: norm.batch_norm_grad(x, dy, scale, mean, inverse, False), count, cut)
    same(lambda: norm.batch_norm_grad(x, dy, scale, mean, inverse, True), count, cut)


@settings(max_examples=15)
@given(st.integers(2 * norm.ROWS, 200), st.integers(1, 70), DTYPES, COUNTS)
def test_layer_norm(rows, width, dtype, count):
    x, dy = randoms(dtype, 2, rows, width)
    scale, bias = randoms(dtype, 2, width)
    _, mean, variance = norm.layer_norm(x, scale, bias, 1e-5)
    same(lambda: norm.layer_norm(x, scale, bias, 1e-5), count)
    same(lambda: norm.layer_norm_grad(x, dy, scale, mean, variance, 1e-5), count)


@settings(max_examples=15)
@given(st.integers(1, 3), st.integers(2, 5), st.integers(1, 3), st.integers(1, 9), DTYPES, COUNTS)
def test_group_norm(images, groups, channels, size, dtype, count):
    x = randoms(dtype, images, groups * channels, size, size + 1)
    dy, (scale, bias) = x[::-1].copy(), randoms(dtype, 2, groups * channels)
    shift, factor = randoms(dtype, 2, *x.shape[:2])
    inverse = randoms(dtype, images, groups)
    same(lambda: group_norm_kernels._forward(x, scale, bias, groups, 1e-5), count)
    same(lambda: group_norm_kernels._backward(x, dy, groups, shift, factor, scale, inverse), count)


@pytest.mark.parametrize("method", ["nearest", "bilinear", "bicubic"])
def test_interpolation(method):
    x = randoms(np.float32, 2, 5, 9, 11)
    attrs = {"data_layout": "NCHW", "out_h": 30, "out_w": 17, "scale": 0.0, "interp_method": method}
    attrs |= {"align_corners": True, "align_mode": 1, "reference": None}
    dout = randoms(np.float32, 2, 5, 30, 17)
    same(lambda: interpolate_kernels.interp(x, None, [], None, **attrs), 3)
    same(lambda: interpolate_kernels.interp_grad(x, None, [], None, dout, **attrs), 3)


def check_convolution(x, w, strides, pads, dilations, groups, count):
    """Every algorithm that can do it gives the bits of one thread."""
    g = geometry(x.shape, w.shape, strides, pads, dilations, groups)
    y_shape = (g.batch, w.shape[0], g.out_height, g.out_width)
    bias, dy = randoms(x.dtype, w.shape[0]), randoms(x.dtype, *y_shape)
    after = epilogue(bias, "tanh", w.shape[0], x.dtype)
    calls = {
        "forward": (y_shape, (x, w), (after,)),
        "input_grad": (x.shape, (dy, w), ()),
        "filter_grad": (w.shape, (x, dy), ()),
    }
    for what, (shape, operands, rest) in calls.items():
        for name, algorithm in algorithms(what, g).items():

            def call(algorithm=algorithm, shape=shape, operands=operands, rest=rest):
                out = np.full(shape, np.nan, x.dtype)
                algorithm(g, *operands, out, *rest)
                return out

            (whole,), (shared,), _ = in_both(call, count)
            np.testing.assert_array_equal(whole, shared, err_msg=f"{what} by {name}")


@settings(max_examples=15)
@given(cases(), COUNTS)
def test_convolutions(case, count):
    x, w, *place = case
    check_convolution(x[:5], w, *place, count)


@settings(max_examples=20)
@given(cases(), COUNTS, st.integers(1, 200))
def test_convolutions_in_small_blocks(case, count, block):
    """Of columns, sums and tiles: more of them than threads, of some only a part of an image."""
    with pytest.MonkeyPatch.context() as patch:
        for name, size in {"BLOCK": block, "SHORTEST": 1 + block // 4, "LONGEST": 1 + block}.items():
            patch.setattr(columns, name, size)
        patch.setattr(columns, "SHORTEST_OF_SEVERAL", 1 + block // 3)
        patch.setattr(columns, "SIDE_BY_SIDE", 1 + block % 5)
        patch.setattr(direct, "PIECES", 1)
        patch.setattr(direct, "AT_ONCE", 8 * block)
        patch.setattr(direct, "AT_ONCE_OF_GRADIENT", block)
        patch.setattr(winograd, "FEWEST", block)
        patch.setattr(winograd, "MOST", block)
        for cached in (columns._cut, winograd.tiling):
            cached.cache_clear()
        x, w, *place = case
        check_convolution(x[:5], w, *place, count)
    for cached in (columns._cut, winograd.tiling):
        cached.cache_clear()


@pytest.mark.parametrize("name", ["winograd4", "winograd2"])
def test_threads_share_out_the_steps_of_a_block_of_tiles(name):
    x, w = randoms(np.float32, 1, 32, 9, 9), randoms(np.float32, 16, 32, 3, 3)
    g = geometry(x.shape, w.shape, (1, 1), (1, 1, 1, 1), (1, 1), 1)
    y, after = np.empty((1, 16, 9, 9), np.float32), epilogue(None, None, 16, x.dtype)
    *_, parts = in_both(lambda: algorithms("forward", g)[name](g, x, w, y, after), 4)
    points = 36 if name == "winograd4" else 16
    filters, channels, *products, joined = (
        parts  # products are cut where their kernel takes several threads, at least by points
    )
    assert [filters, channels, joined] == [16, 32, 16]
    assert len(products) <= 1 and not any(each % points for each in products)


@pytest.mark.parametrize("name", ["columns", "direct", "depthwise"])
def test_one_image_is_shared_out(name):
    groups = 8 if name == "depthwise" else 1
    x, w = randoms(np.float32, 1, 8, 60, 60), randoms(np.float32, 8, 8 // groups, 5, 5)
    g = geometry(x.shape, w.shape, (1, 1), (0, 0, 0, 0), (1, 1), groups)
    y, after = np.empty((1, 8, 56, 56), np.float32), epilogue(None, None, 8, x.dtype)
    *_, parts = in_both(lambda: algorithms("forward", g)[name](g, x, w, y, after), 4)
    assert parts and max(parts) >= 4


@settings(max_examples=15)
@given(st.integers(1, 40), st.integers(1, 20), st.integers(2, 60), DTYPES, COUNTS)
def test_rows_of_tables(height, width, count_of_rows, dtype, count):
    table, index = randoms(dtype, height, width), np.arange(count_of_rows) * 7 % height
    values = randoms(dtype, count_of_rows, width)
    same(lambda: gather_rows(table, index), count)
    same(lambda: scatter_add_rows(table.shape, index, values, 0), count, height > 1)
    np.testing.assert_array_equal(gather_rows(table, index), table[index])


def test_an_embedding_and_its_gradient_are_cut():
    ids = np.arange(50) % 7
    with fluid.dygraph.guard(fluid.CPUPlace()):
        table = fluid.dygraph.Embedding([9, 16], padding_idx=3)

        def call():
            out = table(fluid.dygraph.to_variable(ids))
            out.backward()
            grad = table.weight.gradient()
            table.clear_gradients()
            return out.numpy(), grad

        whole, shared, parts = in_both(call)
    assert len(parts) >= 2
    for a, b in zip(whole, shared, strict=True):
        np.testing.assert_array_equal(a, b)
