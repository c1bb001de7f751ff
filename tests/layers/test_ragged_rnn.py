"""Wrong calls of recurrent layers over sequences, and what no recorded number tells of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, LoDError, ShapeError
from paddle_lite.imperative import Variable
from paddle_lite.kernels.stacked_layers import Sizes
from paddle_lite.ops.support.time_steps import steps_of

layers = fluid.layers


@pytest.fixture(autouse=True)
def imperative() -> Iterator[None]:
    with fluid.dygraph.guard():
        yield


def ragged(width: int, lod: Any = ((0, 2, 5),)) -> Variable:
    return Variable(np.ones([5, width], "float32"), lod=lod)


def zeros(*shape: int) -> Variable:
    return Variable(np.zeros(shape, "float32"))


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda: layers.dynamic_lstm(ragged(12), 10), ArgumentValueError, "dynamic_lstm: size"),
        (lambda: layers.dynamic_lstm(ragged(12), 0), ArgumentValueError, "dynamic_lstm: size"),
        (lambda: layers.dynamic_lstm(ragged(12), 12, bias_attr=False), ArgumentValueError, "bias_attr"),
        (lambda: layers.dynamic_lstm(ragged(12), 16), ShapeError, r"lstm: Input\(Input\)"),
        (lambda: layers.dynamic_lstm(np.ones([5, 12]), 12), ArgumentTypeError, "dynamic_lstm: input"),
        (lambda: layers.dynamic_lstm(ragged(12), 12, h_0=zeros(2, 3)), ArgumentTypeError, r"lstm: Input\(C0\)"),
        (lambda: layers.dynamic_lstm(ragged(12), 12, c_0=zeros(3, 3)), ShapeError, "2 rows, one for each sequence"),
        (lambda: layers.dynamic_lstm(ragged(12, None), 12), LoDError, r"lstm: Input\(Input\) got no LoD"),
        (lambda: layers.dynamic_lstm(ragged(12, ((0, 1, 2), (0, 2, 5))), 12), LoDError, "2 LoD levels"),
        (lambda: layers.dynamic_lstm(ragged(12), 12, gate_activation="abs"), ArgumentValueError, "gate_activation"),
        (lambda: layers.dynamic_lstmp(ragged(12), 12, 0), ArgumentValueError, "dynamic_lstmp: proj_size"),
        (lambda: layers.dynamic_lstmp(ragged(12), 12, 2, cell_clip=-1.0), ArgumentValueError, "cell_clip"),
        (lambda: layers.dynamic_lstmp(ragged(12), 12, 2, proj_clip=-1.0), ArgumentValueError, "proj_clip"),
        (lambda: layers.dynamic_lstmp(ragged(12), 12, 2, bias_attr=False), ArgumentValueError, "bias_attr"),
        (lambda: layers.dynamic_gru(ragged(12), 0), ArgumentValueError, "dynamic_gru: size"),
        (lambda: layers.dynamic_gru(ragged(12), 5), ShapeError, r"gru: Input\(Input\)"),
        (lambda: layers.dynamic_gru(ragged(12), 4, h_0=zeros(3, 4)), ShapeError, "2 rows, one for each sequence"),
        (lambda: layers.dynamic_gru(ragged(12, None), 4), LoDError, r"gru: Input\(Input\) got no LoD"),
        (lambda: layers.lstm(zeros(4, 2, 3), zeros(1, 2, 5), zeros(1, 2, 5), 4, 0, 1), ArgumentValueError, "hidden_size"),
        (lambda: layers.lstm(zeros(4, 2), zeros(1, 2, 5), zeros(1, 2, 5), 4, 5, 1), ShapeError, "lstm: input"),
        (lambda: layers.lstm(zeros(4, 2, 3), zeros(2, 2, 5), zeros(1, 2, 5), 4, 5, 1), ShapeError, "InitH"),
    ],
)  # fmt: skip
def test_wrong_calls_are_told(call: Callable[[], Any], error: type[Exception], match: str) -> None:
    with pytest.raises(error, match=match):
        call()


@pytest.mark.parametrize("is_reverse", [False, True])
def test_a_step_takes_the_sequences_still_alive_the_longest_first(is_reverse: bool) -> None:
    steps = steps_of((0, 2, 6, 6, 7), is_reverse)
    assert steps.order.tolist() == [1, 0, 3, 2]
    assert steps.spans == [(0, 3), (3, 5), (5, 6), (6, 7)]
    assert steps.rows.tolist() == ([5, 1, 6, 4, 0, 3, 2] if is_reverse else [2, 0, 6, 3, 1, 4, 5])


def test_a_batch_without_rows_has_no_steps() -> None:
    for starts in ((0,), (0, 0, 0)):
        assert steps_of(starts, False).spans == []
    x = Variable(np.zeros([0, 12], "float32"), lod=((0, 0, 0),), stop_gradient=False)
    for out in (layers.dynamic_lstm(x, 12)[0], layers.dynamic_lstmp(x, 12, 2)[0], layers.dynamic_gru(x, 4)):
        assert out.shape[0] == 0
        layers.reduce_sum(out).backward()
        assert x.gradient().shape == (0, 12)


def test_sequences_do_not_see_each_other() -> None:
    """A batch gives what its sequences give one by one."""
    rng = np.random.RandomState(3)
    x, weight = rng.rand(60, 68).astype("float32"), rng.rand(17, 68).astype("float32") - 0.5
    attr = fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(weight))
    ends = [0, 31, 40, 40, 60]
    whole = layers.dynamic_lstm(Variable(x, lod=(tuple(ends),)), 68, param_attr=attr)[0].numpy()
    for start, end in itertools.pairwise(ends):
        alone = Variable(x[start:end], lod=((0, end - start),))
        part = layers.dynamic_lstm(alone, 68, param_attr=attr)[0].numpy()
        np.testing.assert_allclose(whole[start:end], part, 1e-5, 1e-6)


def test_the_number_of_weights_takes_no_loop_over_layers() -> None:
    for sizes in (Sizes(3, 4, 1, 1), Sizes(3, 4, 5, 2), Sizes(7, 2, 3, 1)):
        assert sizes.weights == sum(4 * sizes.hidden * (features + sizes.hidden + 2) for _, features, _ in sizes.scans)
    assert Sizes(3, 4, 2**62, 2).weights > 2**62
