"""Each algorithm of a convolution against the definition, what follows the sum, and how the algorithm is chosen."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.core import flags
from paddle_lite.core.errors import ArgumentValueError, ShapeError
from paddle_lite.kernels import threads
from paddle_lite.kernels.cpu.conv import autotune as conv_autotune
from paddle_lite.kernels.cpu.conv import choice, columns, direct, winograd
from paddle_lite.kernels.cpu.conv.choice import algorithms, choose
from paddle_lite.kernels.cpu.conv.conv import conv2d
from paddle_lite.kernels.cpu.conv.epilogue import epilogue
from paddle_lite.kernels.cpu.conv.geometry import geometry
from tests.kernels.conv_cases import arrays, cases, reference, reference_filter_grad, reference_input_grad
from tests.oracle.draw import Draw
from tests.oracle.draws.nn import far_windows

# Relative to the largest element of the result, or to the size that sums of so many products have where they cancel.
# Tiles of 4x4 promise 1e-4, which is reached for some thousand channels.
TOLERANCE = {np.float32: 3e-6, np.float64: 1e-13}
TOLERANCE_OF_TILES = {np.float32: 3e-5, np.float64: 1e-12}
ACTIVATIONS = {
    None: lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "relu6": lambda x: np.clip(x, 0, 6),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
}


def close(got, wanted, name, products=1):
    """Compare results; each element is a sum of at most so many products of standard normal numbers."""
    tolerance = (TOLERANCE_OF_TILES if name == "winograd4" else TOLERANCE)[got.dtype.type]
    scale = np.abs(wanted).max(initial=0) + products**0.5
    np.testing.assert_allclose(got, wanted, rtol=0, atol=tolerance * scale, err_msg=name)


def check_all(x, w, strides, pads, dilations, groups):
    """Every algorithm that can do it, into results that hold NaN before."""
    place = strides, pads, dilations, groups
    g = geometry(x.shape, w.shape, *place)
    wanted = reference(x, w, *place)
    dy = np.random.default_rng(1).standard_normal(wanted.shape).astype(x.dtype)
    after = epilogue(None, None, w.shape[0], x.dtype)
    calls = {
        "forward": (wanted, (x, w), (after,), w[0].size),
        "input_grad": (reference_input_grad(dy, w, x.shape, *place), (dy, w), (), w[:, 0].size),
        "filter_grad": (reference_filter_grad(x, dy, w.shape, *place), (x, dy), (), dy[:, 0].size),
    }
    for what, (expected, operands, rest, products) in calls.items():
        for name, algorithm in algorithms(what, g).items():
            got = np.full(expected.shape, np.nan, x.dtype)
            algorithm(g, *operands, got, *rest)
            close(got, expected, f"{what} by {name}" if name != "winograd4" else name, products)
    return g


@settings(max_examples=15)
@given(cases())
def test_all_algorithms_of_any_convolution(case):
    x, w, *place = case
    check_all(x[:5], w, *place)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "x_shape, w_shape, pads, groups",
    [
        ((2, 3, 9, 12), (9, 3, 3, 3), (100, 100, 100, 100), 1),  # of FCN-8s: rows end far beyond the next one's start
        ((2, 3, 9, 12), (9, 3, 3, 2), (1, 2, 3, 70), 1),
        ((2, 4, 5, 5), (4, 1, 3, 3), (1, 1, 400, 300), 4),
    ],
)
def test_all_algorithms_with_wide_padding(dtype, x_shape, w_shape, pads, groups):
    check_all(*arrays(dtype, x_shape, w_shape), (1, 1), pads, (1, 1), groups)


@pytest.mark.parametrize("count", [3, pytest.param(500, marks=pytest.mark.judge)])
def test_all_algorithms_of_windows_far_beyond_the_image(count):
    for seed in range(count):
        d = Draw(seed)
        p = far_windows.placed(d, 2)
        groups, channels, filters = far_windows.counted(d, p, d.int(0, 4) == 0, far_windows.LONGEST)
        shape = [groups * filters, channels, *p.kernel]
        x, w = far_windows.operands(d, "NCHW", groups * channels, p.sizes, shape).values()
        pads = (p.before[0], p.after[0], p.before[1], p.after[1])
        check_all(x, w, tuple(p.strides), pads, tuple(p.dilations), groups)


@st.composite
def three_by_three(draw):
    groups = draw(st.integers(1, 2))
    pads = draw(st.tuples(*[st.integers(0, 2)] * 4))
    height, width = (draw(st.integers(max(1, 3 - pads[2 * a] - pads[2 * a + 1]), 40)) for a in (0, 1))
    channels, filters = groups * draw(st.integers(2, 20)), groups * draw(st.integers(1, 20))
    dtype = draw(st.sampled_from([np.float32, np.float64]))
    x, w = arrays(dtype, (draw(st.integers(1, 5)), channels, height, width), (filters, channels // groups, 3, 3))
    return x, w, (1, 1), pads, (1, 1), groups


@settings(max_examples=20)
@given(three_by_three(), st.integers(1, 300))
def test_tiles_in_blocks_of_any_size(case, tiles):
    winograd.tiling.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(winograd, "FEWEST", tiles)
        patch.setattr(winograd, "MOST", tiles)
        g = check_all(*case)
    winograd.tiling.cache_clear()
    assert "winograd4" in algorithms("filter_grad", g)


@settings(max_examples=20)
@given(cases(), st.integers(1, 3000))
def test_direct_in_blocks_of_any_size(case, sums):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(direct, "AT_ONCE", sums)
        patch.setattr(direct, "AT_ONCE_OF_GRADIENT", sums // 8)
        x, w, *place = case
        check_all(x[:3], w, *place)


@settings(max_examples=15)
@given(cases(), st.integers(1, 200))
def test_columns_in_blocks_of_any_size(case, block):
    columns._cut.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "BLOCK", block)
        patch.setattr(columns, "SHORTEST", 1 + block // 4)
        patch.setattr(columns, "LONGEST", 1 + block)
        patch.setattr(columns, "SHORTEST_OF_SEVERAL", 1 + block // 3)
        patch.setattr(columns, "SIDE_BY_SIDE", 1 + block % 5)
        check_all(*case)
    columns._cut.cache_clear()


@pytest.mark.parametrize("channels", [64, 512])
def test_tiles_of_4x4_keep_the_accuracy_they_promise(channels):
    x, w = arrays(np.float32, (1, channels, 14, 14), (16, channels, 3, 3))
    place = (1, 1), (1, 1, 1, 1), (1, 1), 1
    wanted, got = reference(x, w, *place), np.empty((1, 16, 14, 14), np.float32)
    winograd.forward4(geometry(x.shape, w.shape, *place), x, w, got, epilogue(None, None, 16, x.dtype))
    assert np.abs(got - wanted).max() < 1e-4 * np.abs(wanted).max()


@pytest.mark.parametrize("act", ACTIVATIONS, ids=str)
@pytest.mark.parametrize("with_bias", [True, False], ids=["bias", "no bias"])
@pytest.mark.parametrize(
    "x_shape, w_shape, strides, groups",
    [
        ((2, 5, 13, 11), (9, 5, 3, 3), (1, 1), 1),
        ((2, 6, 13, 11), (20, 3, 3, 2), (2, 1), 2),
        ((20, 3, 5, 5), (4, 3, 1, 1), (1, 1), 1),
        ((2, 6, 40, 40), (12, 1, 3, 3), (2, 2), 6),
    ],
)
def test_bias_and_activation_of_every_algorithm(x_shape, w_shape, strides, groups, with_bias, act):
    x, w = arrays(np.float32, x_shape, w_shape)
    place = strides, (1, 0, 1, 1), (1, 1), groups
    g = geometry(x.shape, w.shape, *place)
    bias = np.random.default_rng(2).standard_normal(w_shape[0]).astype(np.float32) * 3 if with_bias else None
    wanted = ACTIVATIONS[act](reference(x, w, *place) + (0 if bias is None else bias.reshape(1, -1, 1, 1)))
    for name, algorithm in algorithms("forward", g).items():
        got = np.full(wanted.shape, np.nan, np.float32)
        algorithm(g, x, w, got, epilogue(bias, act, w_shape[0], x.dtype))
        np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-4, err_msg=name)
    np.testing.assert_allclose(conv2d(x, w, *place, bias=bias, act=act), wanted, rtol=0, atol=1e-4)


@pytest.mark.parametrize("act", [None, "relu", "relu6", "sigmoid", "tanh"])
def test_nan_passes_through_activations(act):
    x = np.full((1, 2, 6, 6), np.nan, np.float32)
    for w in (np.ones((8, 2, 3, 3), np.float32), np.ones((8, 2, 2, 2), np.float32), np.ones((8, 2, 1, 1), np.float32)):
        assert np.isnan(conv2d(x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1, act=act)).all()


def test_what_follows_has_to_fit():
    x, w = arrays(np.float32, (1, 2, 5, 5), (3, 2, 2, 2))
    with pytest.raises(ShapeError, match=r"conv2d: Bias got shape \[4\], needs 3 numbers"):
        conv2d(x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1, bias=np.zeros(4, np.float32))
    with pytest.raises(ArgumentValueError, match=r"conv2d: act got 'gelu', needs None, 'relu', 'relu6'"):
        conv2d(x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1, act="gelu")


@pytest.mark.parametrize(
    "what, x_shape, w_shape, stride, pad, groups, name",
    [
        ("forward", (1, 3, 224, 224), (64, 3, 7, 7), 2, 3, 1, "direct"),
        ("forward", (1, 64, 56, 56), (64, 64, 3, 3), 1, 1, 1, "winograd4"),
        ("forward", (1, 512, 7, 7), (512, 512, 3, 3), 1, 1, 1, "direct"),
        ("forward", (1, 64, 56, 56), (128, 64, 3, 3), 2, 1, 1, "direct"),
        ("forward", (1, 128, 56, 56), (128, 128, 1, 1), 1, 0, 1, "columns"),
        ("forward", (1, 128, 56, 56), (128, 1, 3, 3), 1, 1, 128, "depthwise"),
        ("input_grad", (16, 256, 14, 14), (256, 256, 3, 3), 1, 1, 1, "winograd4"),
        ("input_grad", (64, 20, 12, 12), (50, 20, 5, 5), 1, 0, 1, "columns"),
        ("filter_grad", (64, 1, 28, 28), (20, 1, 5, 5), 1, 0, 1, "direct"),
        ("filter_grad", (8, 512, 7, 7), (512, 512, 3, 3), 1, 1, 1, "winograd4"),
    ],
)
def test_the_model_chooses_what_was_measured_to_be_the_fastest(what, x_shape, w_shape, stride, pad, groups, name):
    g = geometry(x_shape, w_shape, (stride, stride), (pad,) * 4, (1, 1), groups)
    assert choose(what, g, np.dtype(np.float32)) is algorithms(what, g)[name]


@pytest.fixture
def autotune(monkeypatch, tmp_path):
    """The flag, and a count of measurements, in an empty cache directory."""
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path))
    measured = []

    def measure(what, g, dtype, algorithms):
        measured.append(what)
        return real(what, g, dtype, algorithms)

    real = conv_autotune._measure
    monkeypatch.setattr(conv_autotune, "_measure", measure)
    conv_autotune.forget()
    flags.set_flags({"FLAGS_conv_autotune": True})
    yield measured
    flags.set_flags({"FLAGS_conv_autotune": False})
    conv_autotune.forget()


PLACE = (1, 1), (1, 1, 1, 1), (1, 1), 1


def test_measured_once_and_remembered_for_the_next_process(autotune, tmp_path):
    x, w = arrays(np.float32, (2, 3, 9, 9), (8, 3, 3, 3))
    for _ in range(3):
        np.testing.assert_allclose(conv2d(x, w, *PLACE), reference(x, w, *PLACE), atol=1e-4)
    assert autotune == ["forward"]
    conv2d(x.astype(np.float64), w.astype(np.float64), *PLACE)
    conv2d(x[:1], w, *PLACE)
    assert len(autotune) == 3
    conv_autotune.forget()
    conv2d(x, w, *PLACE)
    assert len(autotune) == 3
    (path,) = (tmp_path / "conv").iterdir()
    assert set(json.loads(path.read_text()).values()) <= {"columns", "direct", "winograd4", "winograd2"}


@pytest.mark.parametrize("content", ["{", "[]", '{"forward": 3}', "\xff"])
def test_a_damaged_file_means_measuring_again(autotune, tmp_path, content):
    x, w = arrays(np.float32, (2, 3, 9, 9), (8, 3, 3, 3))
    conv2d(x, w, *PLACE)
    (path,) = (tmp_path / "conv").iterdir()
    path.write_bytes(content.encode("latin-1"))
    conv_autotune.forget()
    conv2d(x, w, *PLACE)
    assert autotune == ["forward"] * 2
    conv_autotune.forget()
    conv2d(x, w, *PLACE)
    assert len(autotune) == 2


def test_a_name_that_is_no_algorithm_here_is_measured_again(autotune, tmp_path):
    x, w = arrays(np.float32, (2, 3, 9, 9), (8, 3, 3, 3))
    conv2d(x, w, *PLACE)
    (path,) = (tmp_path / "conv").iterdir()
    path.write_text(json.dumps(dict.fromkeys(json.loads(path.read_text()), "magic")))
    conv_autotune.forget()
    conv2d(x, w, *PLACE)
    assert len(autotune) == 2


def test_a_directory_that_cannot_be_written_is_no_error(autotune, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PADDLE_LITE_CACHE_DIR", str(tmp_path / "file"))
    x, w = arrays(np.float32, (2, 3, 9, 9), (8, 3, 3, 3))
    conv2d(x, w, *PLACE)
    conv2d(x, w, *PLACE)
    assert autotune == ["forward"]


def test_measured_again_for_another_number_of_threads(autotune, monkeypatch):
    monkeypatch.setattr(threads.os, "sched_getaffinity", lambda pid: {0, 1}, raising=False)
    before = flags.get_flags("FLAGS_paddle_num_threads")
    x, w = arrays(np.float32, (2, 3, 9, 9), (8, 3, 3, 3))
    for count, measured in ((1, 1), (2, 2), (1, 2), (2, 2)):
        flags.set_flags({"FLAGS_paddle_num_threads": count})
        conv2d(x, w, *PLACE)
        assert len(autotune) == measured
    monkeypatch.undo()
    flags.set_flags(before)


@pytest.fixture
def without_winograd():
    flags.set_flags({"FLAGS_conv_winograd": False})
    yield
    flags.set_flags({"FLAGS_conv_winograd": True})


@pytest.mark.parametrize("measured", [False, True], ids=["by cost", "measured"])
def test_tiles_are_not_chosen_where_the_flag_says_so(without_winograd, autotune, measured):
    flags.set_flags({"FLAGS_conv_autotune": measured})
    g = geometry((4, 32, 24, 24), (32, 32, 3, 3), *PLACE)
    for what in ("forward", "input_grad", "filter_grad"):
        assert choose(what, g, np.dtype(np.float32)).__module__ in (columns.__name__, direct.__name__)
    flags.set_flags({"FLAGS_conv_winograd": True, "FLAGS_conv_autotune": False})
    assert choose("forward", g, np.dtype(np.float32)) is winograd.forward4


def test_without_tiles_a_nan_spoils_only_what_sees_it(without_winograd):
    x, w = arrays(np.float32, (1, 64, 24, 24), (64, 64, 3, 3))
    x[0, 0, 10, 10] = np.nan
    spoiled = np.isnan(conv2d(x, w, *PLACE)).any(axis=(0, 1))
    assert spoiled.sum() == 9 and spoiled[9:12, 9:12].all()
    flags.set_flags({"FLAGS_conv_winograd": True})
    assert np.isnan(conv2d(x, w, *PLACE)).any(axis=(0, 1)).sum() > 9


def test_costs_grow_with_the_work():
    small = geometry((1, 16, 28, 28), (16, 16, 3, 3), *PLACE)
    large = geometry((8, 16, 28, 28), (64, 16, 3, 3), *PLACE)
    for what in ("forward", "input_grad", "filter_grad"):
        for name in algorithms(what, small):
            assert 0 < choice.cost(name, what, small, 16) < choice.cost(name, what, large, 16)
