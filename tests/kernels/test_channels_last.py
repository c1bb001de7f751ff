"""Convolutions and poolings of channels-last images against their definition, and the weights that they keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paddle_lite.core.flags import get_flags, set_flags
from paddle_lite.kernels import threads
from paddle_lite.kernels.cpu.conv.channels_last import products, winograd
from paddle_lite.kernels.cpu.conv.channels_last.convolution import Convolution, Window
from paddle_lite.kernels.cpu.conv.channels_last.layout import as_images, first, last
from paddle_lite.kernels.cpu.conv.channels_last.pooling import Pooling
from paddle_lite.kernels.cpu.conv.geometry import geometry
from paddle_lite.kernels.cpu.nn.pool_kernels import pool2d
from paddle_lite.kernels.cpu.support.cache_lines import LINE
from tests.kernels.conv_cases import arrays, cases, reference

ACTIVATIONS: dict[str | None, Any] = {
    None: lambda y: y,
    "relu": lambda y: np.maximum(y, 0),
    "relu6": lambda y: np.clip(y, 0, 6),
    "tanh": np.tanh,
}


def convolution(strides: Any, pads: Any, dilations: Any, groups: int, *rest: Any) -> Convolution:
    return Convolution(Window(tuple(strides), tuple(pads), "EXPLICIT", tuple(dilations), groups), *rest)


def check(
    x: np.ndarray, w: np.ndarray, strides: Any, pads: Any, dilations: Any, groups: int, act: str | None = None, bias: bool = True,
    norm: bool = False, added: bool = False, final: bool = True,
) -> None:  # fmt: skip
    """A call with weights that it has not seen, and with those that it has laid out, against the definition."""
    rng, dtype, filters = np.random.default_rng(1), x.dtype, len(w)
    y = reference(x, w, strides, pads, dilations, groups)
    vectors = [rng.random(filters).astype(dtype) + dtype.type(0.5) for _ in range(4)]
    b = rng.standard_normal(filters).astype(dtype) if bias else None
    more = rng.standard_normal(y.shape).astype(dtype) if added else None
    column = [v.reshape(-1, 1, 1).astype(np.float64) for v in vectors]
    if b is not None:
        y = y + b.reshape(-1, 1, 1)
    if norm:
        y = (y - column[2]) / np.sqrt(column[3] + 1e-3) * column[0] + column[1]
    if more is not None:
        y = y + more
    scale = max(1, np.abs(y).max(initial=0)) * max(4, w.shape[1]) * (2e-5 if dtype == np.float32 else 1e-12)
    y = ACTIVATIONS[act](y)
    call = convolution(strides, pads, dilations, groups, act, 1e-3 if norm else None, final)
    before = x.copy(), w.copy()
    for image in (x, x, x, as_images(last(x))):
        got = call(image, w, b, more, *(vectors if norm else ()))
        assert (got.shape, got.dtype) == (y.shape, dtype)
        np.testing.assert_allclose(got, y, rtol=0, atol=scale)
    assert call.laid.made is not None
    assert got.flags.c_contiguous if final else last(got).base is not None and last(got).ctypes.data % LINE == 0
    for array, old in zip((x, w), before, strict=True):
        np.testing.assert_array_equal(array, old)


@settings(max_examples=30, deadline=None)
@given(cases(), st.sampled_from([*ACTIVATIONS]), *[st.booleans()] * 4)
def test_any_convolution(case: Any, act: str | None, bias: bool, norm: bool, added: bool, final: bool) -> None:
    check(*case, act, bias, norm, added, final)


SHAPES: list[Any] = [
    ((1, 3, 40, 41), (32, 3, 3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 1),
    ((1, 3, 40, 41), (64, 3, 7, 7), (2, 2), (3, 3, 3, 3), (1, 1), 1),
    ((2, 1, 30, 9), (17, 1, 5, 3), (1, 2), (2, 0, 1, 3), (1, 1), 1),
    ((1, 4, 23, 90), (70, 4, 11, 11), (4, 4), (2, 2, 2, 2), (1, 1), 1),
    ((1, 2, 3, 2), (16, 2, 3, 5), (1, 1), (2, 2, 2, 2), (1, 1), 1),
    ((2, 17, 9, 9), (70, 17, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ((1, 64, 13, 13), (64, 64, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((1, 256, 3, 3), (256, 256, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((1, 40, 1, 1), (130, 40, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ((2, 1100, 2, 1), (24, 1100, 1, 1), (1, 1), (0, 0, 0, 0), (1, 1), 1),
    ((1, 48, 11, 11), (96, 16, 3, 3), (2, 1), (1, 0, 1, 2), (1, 2), 3),
    ((1, 64, 20, 20), (64, 64, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 1),
    ((2, 64, 13, 29), (64, 1, 3, 3), (2, 2), (1, 1, 1, 1), (1, 1), 64),
    ((1, 40, 14, 14), (40, 1, 2, 3), (1, 2), (1, 0, 2, 2), (1, 1), 40),
    ((2, 35, 11, 12), (35, 1, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 35),
    ((1, 64, 12, 7), (64, 1, 5, 5), (2, 2), (2, 2, 2, 2), (2, 2), 64),
    ((1, 16, 2, 2), (16, 1, 5, 5), (1, 1), (2, 2, 2, 2), (1, 1), 16),
    ((2, 4, 6, 6), (8, 1, 3, 3), (1, 1), (1, 1, 1, 1), (1, 1), 4),
]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("case", SHAPES)
def test_shapes_that_networks_have(case: Any, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = get_flags("FLAGS_paddle_num_threads")
    monkeypatch.setattr(threads, "SMALLEST_PART", 1)
    monkeypatch.setattr(threads, "_allowed", lambda wanted: wanted)
    set_flags({"FLAGS_paddle_num_threads": count})
    try:
        check(*arrays(np.float32, *case[:2]), *case[2:], "relu", True, True, True, False)
    finally:
        monkeypatch.undo()
        set_flags(before)


@settings(max_examples=20, deadline=None)
@given(
    st.tuples(st.integers(1, 3), st.integers(1, 40), st.integers(1, 14), st.integers(1, 14)), st.integers(1, 70),
    st.tuples(*[st.integers(1, 2)] * 4), st.sampled_from([np.float32, np.float64]), *[st.booleans()] * 2,
)  # fmt: skip
def test_tiles(shape: Any, filters: int, pads: Any, dtype: Any, added: bool, final: bool) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(winograd, "is_faster", lambda g: True)
        check(
            *arrays(dtype, shape, (filters, shape[1], 3, 3)), (1, 1), pads, (1, 1), 1, "relu", True, True, added, final
        )


def test_tiles_of_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(winograd, "ROOM", 1 << 14)
    case = arrays(np.float32, (2, 64, 21, 30), (80, 64, 3, 3))
    assert winograd.is_faster(geometry(*[a.shape for a in case], (1, 1), (1, 1, 1, 1), (1, 1), 1))
    check(*case, (1, 1), (1, 1, 1, 1), (1, 1), 1, "relu")


def test_tiles_only_where_they_are_allowed() -> None:
    x, w = arrays(np.float32, (1, 64, 20, 20), (64, 64, 3, 3))
    call = convolution((1, 1), (1, 1, 1, 1), (1, 1), 1, None, None, True)
    by = []
    for allowed in (True, False):
        set_flags({"FLAGS_conv_winograd": allowed})
        try:
            for _ in range(5):
                call(x, w)
        finally:
            set_flags({"FLAGS_conv_winograd": True})
        by.append(call.laid.made.by)  # type: ignore[union-attr]
    assert by == [winograd.forward, products.forward]


def test_the_order_of_memory_changes_there_and_back() -> None:
    x = np.random.default_rng(0).random((2, 21, 5, 3)).astype(np.float32)
    np.testing.assert_array_equal(last(x), x.transpose(0, 2, 3, 1))
    np.testing.assert_array_equal(first(last(x)), x)
    assert last(as_images(last(x))).base is not None


def test_other_weights_are_noticed_and_waited_for_longer_each_time() -> None:
    x, w = arrays(np.float32, (1, 4, 5, 5), (16, 4, 1, 1))
    call = convolution((1, 1), (0, 0, 0, 0), (1, 1), 1, None, None, True)

    def runs(w: np.ndarray) -> int:
        """How many runs there are before these weights are laid out."""
        count = 0
        while call.laid.made is None or call.laid.sources[0] is not w:
            np.testing.assert_allclose(call(x, w), reference(x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1), atol=1e-5)
            count += 1
        return count

    assert [runs(w * k) for k in (1, 2, 3, 4)] == [2, 3, 5, 9]


def test_weights_that_others_can_write_unnoticed_are_not_kept() -> None:
    x, w = arrays(np.float32, (1, 4, 5, 5), (16, 4, 1, 1))
    call = convolution((1, 1), (0, 0, 0, 0), (1, 1), 1, None, None, True)
    seen = w.view()
    for _ in range(4):
        w *= 2
        np.testing.assert_allclose(call(x, seen), reference(x, w, (1, 1), (0, 0, 0, 0), (1, 1), 1), atol=1e-3)
    assert call.laid.made is None


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["max", "avg"]), st.tuples(st.integers(1, 3), st.integers(1, 20), st.integers(3, 9), st.integers(3, 9)),
    st.tuples(st.integers(1, 3), st.integers(1, 3)), st.tuples(st.integers(1, 3), st.integers(1, 3)), st.integers(0, 1),
    st.sampled_from(["exclusive", "ceil_mode", "adaptive", "global_pooling", "none"]), st.booleans(),
)  # fmt: skip
def test_any_pooling(kind: str, shape: Any, ksize: Any, strides: Any, pad: int, more: str, final: bool) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    x[0, -1] = -np.inf
    x[0, 0, 0, 0] = np.nan
    place: dict[str, Any] = {name: name == more for name in ("exclusive", "ceil_mode", "adaptive", "global_pooling")}
    place |= {"ksize": list(ksize), "strides": list(strides), "paddings": [pad, pad], "padding_algorithm": "EXPLICIT"}
    expected = pool2d(x, pooling_type=kind, data_format="NCHW", reference=None, **place)
    got = Pooling(kind, final, **place)(as_images(last(x)))
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)
    assert got.flags.c_contiguous if final else last(got).base is not None and last(got).ctypes.data % LINE == 0
