"""Calls drawn at random, most of them wrong: each gives what inference says, or an error that says what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from paddle_lite.core.errors import EnforceNotMet
from paddle_lite.imperative import guard, to_variable
from paddle_lite.ops.framework.dispatch import meta_of
from paddle_lite.ops.loss import loss
from paddle_lite.ops.nn import conv, norm, pool


def mostly(good: st.SearchStrategy, bad: st.SearchStrategy) -> st.SearchStrategy:
    """One time in twelve a bad value."""
    return st.integers(0, 11).flatmap(lambda n: good if n < 11 else bad)


def pair(least: int, most: int) -> st.SearchStrategy[list[int]]:
    """Two numbers, as most attributes need, or others."""
    return mostly(st.lists(st.integers(least, most), min_size=2, max_size=2), st.lists(st.integers(-1, 3), max_size=4))


def sizes(least: int = 1, most: int = 7, rank: int = 4) -> st.SearchStrategy[list[int]]:
    """Shapes, most of them of one rank."""
    return mostly(
        st.lists(st.integers(least, most), min_size=rank, max_size=rank), st.lists(st.integers(0, 3), max_size=6)
    )


dtypes = mostly(st.sampled_from(["float32", "float64"]), st.just("int64"))
algorithms = mostly(st.sampled_from(["EXPLICIT", "EXPLICIT", "SAME", "VALID"]), st.just("half"))
layouts = mostly(st.sampled_from(["NCHW", "NHWC"]), st.sampled_from(["AnyLayout", "CHWN"]))


@st.composite
def variables(draw: Callable, shape: list[int], dtype: str | None = None) -> Any:
    """A Variable of a shape."""
    dtype = draw(dtypes) if dtype is None else dtype
    return to_variable(np.arange(1, 1 + np.prod(shape, dtype=int)).reshape(shape).astype(dtype))


def works_or_tells(op: Any, inputs: list[Any], attrs: dict[str, Any]) -> tuple | None:
    """The outputs of a call that inference takes; None where both it and the call raise an error of ours."""
    attrs = {**op.defaults(), **attrs}
    try:
        told = op.infer(*(None if v is None else meta_of(v) for v in inputs), **attrs)
    except EnforceNotMet as error:
        event("refused")
        expected = type(error)
        with pytest.raises(expected) as caught:
            op.call(*inputs, **attrs)
        text = str(caught.value)
        assert text.startswith(f"{op.type}: ") and " got " in text and ", needs " in text
        return None
    event("taken")
    result = op.call(*inputs, **attrs)
    outputs = result if isinstance(result, tuple) else (result,)
    for meta, output in zip((told,) if len(op.outputs) == 1 else told, outputs, strict=True):
        if output is not None:
            assert tuple(output.shape) == meta.shape and output.numpy().dtype == meta.dtype
    return outputs


@pytest.fixture(autouse=True, scope="module")
def imperative():
    with guard():
        yield


@given(st.data(), st.sampled_from([conv.conv2d, conv.depthwise_conv2d]))
def test_convolutions(data: Any, op: Any) -> None:
    dtype, groups = data.draw(dtypes), data.draw(mostly(st.integers(1, 3), st.integers(-1, 0)))
    image, filters = data.draw(sizes()), data.draw(sizes(most=3))
    attrs = {
        "strides": data.draw(pair(1, 3)),
        "paddings": data.draw(pair(0, 2)),
        "dilations": data.draw(pair(1, 2)),
        "padding_algorithm": data.draw(algorithms),
        "data_format": data.draw(layouts),
        "groups": groups,
    }
    if len(image) == len(filters) == 4 and data.draw(mostly(st.just(True), st.just(False))):  # make them fit
        image[3 if attrs["data_format"] == "NHWC" else 1] = filters[1] * max(groups, 1)
        filters[0] *= max(groups, 1)
    inputs = [
        data.draw(variables(image, dtype)),
        data.draw(variables(filters, data.draw(mostly(st.just(dtype), dtypes)))),
    ]
    works_or_tells(op, [*inputs, None, None], attrs)


@given(st.data())
def test_pooling(data: Any) -> None:
    attrs = {
        "pooling_type": data.draw(mostly(st.sampled_from(["max", "avg"]), st.just("sum"))),
        "ksize": data.draw(pair(1, 3)),
        "strides": data.draw(pair(1, 3)),
        "paddings": data.draw(pair(0, 2)),
        "padding_algorithm": data.draw(algorithms),
        "data_format": data.draw(layouts),
        **{name: data.draw(st.booleans()) for name in ("ceil_mode", "exclusive")},
        **{name: data.draw(mostly(st.just(False), st.just(True))) for name in ("global_pooling", "adaptive")},
    }
    works_or_tells(pool.pool2d, [data.draw(variables(data.draw(sizes())))], attrs)


@given(st.data())
def test_losses_over_classes(data: Any) -> None:
    op = data.draw(st.sampled_from([loss.cross_entropy, loss.cross_entropy2, loss.softmax_with_cross_entropy]))
    shape = data.draw(sizes(rank=2, most=30))
    x = data.draw(variables(shape))
    attrs: dict[str, Any] = {"ignore_index": data.draw(st.sampled_from([-100, 0, 3]))}
    if "axis" in op.live:
        attrs["axis"] = data.draw(mostly(st.sampled_from([-1, -1, 0, 1]), st.sampled_from([2, -3])))
    if "soft_label" in op.live:
        attrs["soft_label"] = data.draw(st.booleans())
    soft, axis = attrs.get("soft_label", False), attrs.get("axis", -1)
    good = shape if soft else [1 if i == axis % max(len(shape), 1) else n for i, n in enumerate(shape)]
    labels = data.draw(mostly(st.just(good), st.sampled_from([shape, shape[:-1], [1, *shape[1:]], [*shape, 1]])))
    kind = st.just(x.numpy().dtype.name if soft else "int64")
    label = data.draw(variables(labels, data.draw(mostly(kind, st.sampled_from(["float32", "int32"])))))
    if label.numpy().dtype.kind == "i" and shape:
        highest = data.draw(st.sampled_from([shape[-1], shape[-1] + 1]))
        label.array %= max(highest, 1)
        if -len(shape) <= axis < len(shape) and _fits(op, shape, label, attrs, axis):
            allowed = (label.array == attrs["ignore_index"]) | (label.array < shape[axis])
            if not allowed.all() and x.numpy().dtype.kind == "f":
                with pytest.raises(IndexError, match=f"{op.type}: .* got label .*, needs 0 to {shape[axis] - 1}"):
                    op.call(x, label, **attrs)
                event("label out of range")
                return
    works_or_tells(op, [x, label], attrs)


def _fits(op: Any, shape: list[int], label: Any, attrs: dict[str, Any], axis: int) -> bool:
    """Whether labels are class numbers of a shape and dtype that the operator takes."""
    column = list(shape)
    column[axis] = 1
    if not shape[axis]:
        return False
    bare = op is not loss.softmax_with_cross_entropy and label.shape == shape[:-1]
    return label.numpy().dtype == "int64" and not attrs.get("soft_label") and (label.shape == column or bare)


@given(st.data())
def test_batch_norm(data: Any) -> None:
    shape, dtype = data.draw(sizes()), data.draw(dtypes)
    attrs = {
        "epsilon": data.draw(mostly(st.just(1e-5), st.sampled_from([1e-3, 0.1, -1.0, float("nan")]))),
        "data_layout": data.draw(layouts),
        **{name: data.draw(st.booleans()) for name in ("is_test", "use_global_stats", "trainable_statistics")},
    }
    channels = shape[-1 if attrs["data_layout"] == "NHWC" else 1] if len(shape) > 1 else 1
    vector = st.sampled_from([[channels]] * 9 + [[channels + 1], [channels, 1], []])
    vectors = [
        data.draw(variables(data.draw(vector), data.draw(st.sampled_from([dtype] * 9 + ["float64"])))) for _ in range(4)
    ]
    works_or_tells(norm.batch_norm, [data.draw(variables(shape, dtype)), *vectors, None], attrs)
