"""Functions on sequences: what they refuse, empty batches, and sequences of any lengths against each one by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite import fluid, ragged
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, LoDError, ShapeError
from paddle_lite.imperative import to_variable
from paddle_lite.layers.control.rank_table import lod_rank_table, max_sequence_len
from tests.layers.signatures import signature

layers = fluid.layers
lengths = st.lists(st.integers(0, 6), min_size=1, max_size=6)
SIGNATURES = {
    "sequence_conv": "(input, num_filters, filter_size=3, filter_stride=1, padding=True, padding_start=None, "
    "bias_attr=None, param_attr=None, act=None, name=None)",
    "sequence_pool": "(input, pool_type, is_test=False, pad_value=0.0)",
    "sequence_pad": "(x, pad_value, maxlen=None, name=None)",
    "sequence_expand": "(x, y, ref_level=-1, name=None)",
    "lod_reset": "(x, y=None, target_lod=None)",
}


def rows(counts: list[int], width: int = 2) -> Any:
    """A Variable with sequences of these lengths, no two numbers alike."""
    numbers = np.random.RandomState(sum(counts) + 7).permutation(sum(counts) * width).astype("float32") / 8 - 1
    x = to_variable(fluid.create_lod_tensor(numbers.reshape(-1, width), [counts], fluid.CPUPlace()))
    x.stop_gradient = False
    return x


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_the_signatures_are_fluids(name: str) -> None:
    assert signature(getattr(layers, name)) == SIGNATURES[name]


# --- each sequence by itself ------------------------------------------------------------------------------------------------


@given(lengths)
def test_pooling_is_that_of_each_sequence(counts: list[int]) -> None:
    x = rows(counts)
    each = ragged.to_arrays(x)
    rules: dict[str, Any] = {
        "sum": lambda a: a.sum(0), "average": lambda a: a.mean(0), "sqrt": lambda a: a.sum(0) / len(a) ** 0.5,
        "max": lambda a: a.max(0), "first": lambda a: a[0], "last": lambda a: a[-1],
    }  # fmt: skip
    for kind, rule in rules.items():
        want = np.array([rule(a) if len(a) else [0.5, 0.5] for a in each], "float32").reshape(-1, 2)
        np.testing.assert_allclose(layers.sequence_pool(x, kind, pad_value=0.5).numpy(), want, rtol=1e-5, atol=1e-6)


@given(lengths, st.integers(1, 4), st.integers(-3, 3))
def test_a_convolution_is_one_product_for_each_window(counts: list[int], size: int, start: int) -> None:
    x = rows(counts)
    w = fluid.ParamAttr(
        initializer=fluid.initializer.NumpyArrayInitializer(np.arange(6.0 * size, dtype="float32").reshape(-1, 3))
    )
    out = layers.sequence_conv(x, 3, size, padding_start=start, param_attr=w, bias_attr=False)
    weights = np.arange(6.0 * size).reshape(size, 2, 3)
    want = []
    for a in ragged.to_arrays(x):
        for t in range(len(a)):
            inside = [(j, t + start + j) for j in range(size) if 0 <= t + start + j < len(a)]
            want.append(sum((a[row] @ weights[j] for j, row in inside), np.zeros(3)))
    np.testing.assert_allclose(out.numpy(), np.array(want).reshape(-1, 3), rtol=1e-5, atol=1e-4)


@given(lengths)
def test_padding_and_back_keeps_rows_and_their_gradients(counts: list[int]) -> None:
    x = rows(counts)
    out, length = layers.sequence_pad(x, to_variable(np.array([9.0], "float32")))
    again = layers.sequence_unpad(out, length)
    assert again.lod() == x.lod() and again.numpy().tolist() == x.numpy().tolist()
    layers.reduce_sum(again * again).backward()
    np.testing.assert_array_equal(x.gradient(), 2 * x.numpy())


@given(lengths)
def test_reversing_twice_and_joining_with_nothing_change_nothing(counts: list[int]) -> None:
    x = rows(counts)
    assert layers.sequence_reverse(layers.sequence_reverse(x)).numpy().tolist() == x.numpy().tolist()
    joined = layers.sequence_concat([x, rows([0] * len(counts))])
    assert joined.lod() == x.lod() and joined.numpy().tolist() == x.numpy().tolist()


@given(lengths)
def test_expanding_undoes_pooling_of_equal_rows(counts: list[int]) -> None:
    x = rows(counts)
    first = layers.sequence_first_step(x)
    wide = layers.sequence_expand_as(first, x)
    assert wide.lod() == x.lod()
    filled = np.array([row for row, n in zip(first.numpy(), counts, strict=True) for _ in range(n)]).reshape(-1, 2)
    assert wide.numpy().tolist() == filled.tolist()
    assert layers.sequence_expand(first, x).numpy().tolist() == filled.tolist()


def test_no_sequence_at_all() -> None:
    for counts in ([], [0], [0, 0]):
        x = rows(counts)
        assert layers.sequence_pool(x, "max", pad_value=2.0).numpy().tolist() == [[2.0, 2.0]] * len(counts)
        assert layers.sequence_softmax(rows(counts, 1)).shape == [0, 1]
        assert layers.sequence_conv(x, 3).shape == [0, 3]
        assert layers.sequence_reverse(x).lod() == x.lod()
        layers.reduce_sum(layers.sequence_pool(x, "sum")).backward()
        assert x.gradient().shape == (0, 2)


# --- by length --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lod", "order", "expected"),
    [
        ([[0, 1, 4, 6]], [1, 2, 3, 0, 4, 5], [[0, 3, 4, 6]]),
        ([[0, 1, 3, 4], [0, 1, 2, 4, 6]], [1, 2, 3, 0, 4, 5], [[0, 2, 3, 4], [0, 1, 3, 4, 6]]),
        ([], [1, 0, 2], []),
    ],
)
def test_sequences_in_the_order_of_a_table(lod: Any, order: list[int], expected: Any) -> None:
    """The order and LoDs are those that PaddlePaddle 1.8.5 gives for a table of sequences with 2, 3 and 1 rows."""
    table = lod_rank_table(rows([2, 3, 1]))
    assert max_sequence_len(table).numpy().tolist() == [3]
    x = to_variable(np.arange(2.0 * len(order)).reshape(-1, 2))
    x.levels, x.stop_gradient = tuple(map(tuple, lod)) or None, False
    out = layers.reorder_lod_tensor_by_rank(x, table)
    assert out.lod() == expected and out.numpy().tolist() == x.numpy()[order].tolist()
    layers.reduce_sum(out * to_variable(np.arange(2.0 * len(order)).reshape(-1, 2))).backward()
    assert x.gradient()[order].tolist() == np.arange(2.0 * len(order)).reshape(-1, 2).tolist()


# --- what is refused ----------------------------------------------------------------------------------------------------------


def test_errors_name_the_level_the_offset_and_the_rows() -> None:
    x = rows([2, 3])
    x.levels = ((0, 2, 4),)
    with pytest.raises(LoDError, match="last offset 4 at position 2 of level 0, needs 5, its number of rows"):
        layers.sequence_pool(x, "sum")
    plain = to_variable(np.ones([5, 2], "float32"))
    with pytest.raises(LoDError, match=r"no LoD.*to_variable"):
        layers.sequence_reverse(plain)
    with pytest.raises(LoDError, match=r"a LoD of 2 sequences, needs 5, the rows of X"):
        layers.sequence_expand_as(plain, rows([2, 3]))


def test_arguments_that_are_refused() -> None:
    x = rows([2, 3])
    calls: list[tuple[Any, type, str]] = [
        (lambda: layers.sequence_pool(x, 3), ArgumentTypeError, "pool_type"),
        (lambda: layers.sequence_pool(x, "mean"), ArgumentValueError, "'MEAN'"),
        (lambda: layers.sequence_pool(np.ones(3), "sum"), ArgumentTypeError, "input"),
        (lambda: layers.sequence_conv(x, 3, filter_size=0), ArgumentValueError, "filter_size"),
        (lambda: layers.sequence_conv(x, 3, filter_stride=2), ArgumentValueError, "contextStride"),
        (lambda: layers.sequence_mask(x, maxlen=1.5), ArgumentTypeError, "maxlen"),
        (lambda: layers.lod_reset(x), ArgumentValueError, "target_lod"),
        (lambda: layers.lod_append(x, 5), ArgumentTypeError, "level"),
        (lambda: layers.lod_append(x, [0, 5]), LoDError, "level 0"),
        (lambda: layers.sequence_concat(3), ArgumentTypeError, "input"),
        (lambda: layers.sequence_reshape(x, 3), ShapeError, "4 numbers in sequence 0"),
        (lambda: layers.sequence_expand(x, x, ref_level="0"), ArgumentTypeError, "ref_level"),
        (lambda: fluid.contrib.layers.var_conv_2d(x, x, x, 1, 1, [1, 2, 3]), ArgumentValueError, "filter_size"),
    ]
    for call, error, text in calls:
        with pytest.raises(error, match=text):
            call()
