"""Sparse gradients: the rows that a step saw of an embedding table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paddle_lite.core import unique_name
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.imperative.base import guard, to_variable
from paddle_lite.imperative.variable import Variable
from paddle_lite.nn import Embedding
from paddle_lite.optimizer import SGD, Adadelta, Adagrad, Adam, Adamax, DecayedAdagrad, Ftrl, Lamb, Momentum, RMSProp
from paddle_lite.params.attr import ParamAttr
from paddle_lite.params.clip import GradientClipByGlobalNorm, GradientClipByNorm, GradientClipByValue
from paddle_lite.params.initializer import Constant, NumpyArrayInitializer
from paddle_lite.params.regularizer import L1Decay, L2Decay, WeightDecayRegularizer
from tests.ops.case import device
from tests.optimizer.library import new_parameter

HEIGHT, WIDTH = 6, 3
OPTIMIZERS = {
    "sgd": lambda p, **more: SGD(0.1, p, **more),
    "momentum": lambda p, **more: Momentum(0.1, 0.9, p, **more),
    "nesterov": lambda p, **more: Momentum(0.1, 0.9, p, True, **more),
    "adagrad": lambda p, **more: Adagrad(0.1, parameter_list=p, **more),
    "decayed": lambda p, **more: DecayedAdagrad(0.1, parameter_list=p, **more),
    "adamax": lambda p, **more: Adamax(0.1, parameter_list=p, **more),
    "adadelta": lambda p, **more: Adadelta(0.1, parameter_list=p, **more),
    "rmsprop": lambda p, **more: RMSProp(0.1, parameter_list=p, **more),
    "centered": lambda p, **more: RMSProp(0.1, centered=True, parameter_list=p, **more),
    "ftrl": lambda p, **more: Ftrl(0.1, 0.2, 0.1, parameter_list=p, **more),
    "lamb": lambda p, **more: Lamb(0.1, epsilon=0.01, parameter_list=p, **more),
}


class Pull(WeightDecayRegularizer):
    def __call__(self, param: Any, grad: Any, block: Any = None) -> Any:
        return param * 0.25 + grad * 0.5


CLIPS = [None, GradientClipByValue(0.4, -0.2), GradientClipByNorm(0.5), GradientClipByGlobalNorm(0.5)]
REGULARIZERS = [None, L1Decay(0.2), L2Decay(0.2), Pull()]
Rows = list[list[int]]


def train(optimizer: Any, rows: Rows, sparse: bool, seed: int, **more: Any) -> list[np.ndarray]:
    """A table and a vector after steps that saw these rows; the gradient sparse, or the same one dense."""
    rng = np.random.default_rng(seed)
    with unique_name.guard():
        table = new_parameter("table", rng.uniform(-1, 1, (HEIGHT, WIDTH)).astype("float32"))
        vector = new_parameter("vector", rng.uniform(-1, 1, 4).astype("float32"))
        made = optimizer([table, vector], **more)
        for each in rows:
            values = rng.uniform(-1, 1, (len(each), WIDTH)).astype("float32")
            gradient: Any = SelectedRows(np.array(each, np.int64), values, HEIGHT)
            dense = to_variable(rng.uniform(-1, 1, 4).astype("float32"))
            made.apply_gradients([(table, Variable(gradient if sparse else gradient.to_dense(np))), (vector, dense)])
        return [table.numpy(), vector.numpy(), *(v.numpy() for v in made.state_dict().values())]


@pytest.mark.parametrize("regularizer", REGULARIZERS, ids=lambda r: type(r).__name__)
@pytest.mark.parametrize("clip", CLIPS, ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("place", ["cpu", "gpu"])
def test_a_sparse_gradient_does_what_the_dense_one_does(
    place: str, optimizer: str, clip: Any, regularizer: Any
) -> None:
    rows = [[1, 2, 1], [4, 2, 0], [5, 5, 5], [3], []]
    more = {"grad_clip": clip, "regularization": regularizer}
    with device("cpu"):
        wanted = train(OPTIMIZERS[optimizer], rows, False, 1, **more)
    with device(place):
        found = train(OPTIMIZERS[optimizer], rows, True, 1, **more)
    for got, want in zip(found, wanted, strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


@given(rows=st.lists(st.lists(st.integers(0, HEIGHT - 1), max_size=8), min_size=1, max_size=4))
def test_any_rows(rows: Rows) -> None:
    for optimizer in OPTIMIZERS.values():
        with device("cpu"):
            found, wanted = (train(optimizer, rows, sparse, 2) for sparse in (True, False))
        for got, want in zip(found, wanted, strict=True):
            np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-6)


def test_lazy_adam_leaves_other_rows_alone(imperative: None) -> None:
    def lazy(p: Any) -> Adam:
        return Adam(0.1, parameter_list=p, lazy_mode=True)

    [table, _, *kept] = train(lazy, [[1, 2, 1], [1, 4]], True, 3)
    [start, _] = train(OPTIMIZERS["sgd"], [], True, 3)
    still = [0, 3, 5]
    np.testing.assert_array_equal(table[still], start[still])
    assert all((array[still] == 0).all() for array in kept if array.shape == (HEIGHT, WIDTH))
    [first, *_] = train(lambda p: Adam(0.1, parameter_list=p), [[1, 2, 1]], True, 3)
    [lazily, *_] = train(lazy, [[1, 2, 1]], True, 3)
    np.testing.assert_allclose(lazily, first, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize(
    ("sparse", "rows", "wanted"),
    [
        (False, [1, 3, 1], [0.0, 0.1, -0.06718, 0.01329, 0.4, 0.5, 0.30354, 0.40274]),
        (True, [1, 3, 1], [0.0, 0.1, -0.03414, 0.05606, 0.4, 0.5, 0.35092, 0.45046]),
        (True, [0, 1, 2, 3], [0.0, -0.07586, -0.03414, 0.05606, 0.15301, 0.25166, 0.35092, 0.45046]),
    ],
)
def test_adam_is_a_step_ahead_where_the_gradient_is_sparse(
    imperative: None, sparse: bool, rows: list[int], wanted: list[float], lazy: bool
) -> None:
    """The numbers are PaddlePaddle 1.8.5's, after three steps: it advances the powers of beta before it uses them."""
    attr = ParamAttr(initializer=NumpyArrayInitializer(np.arange(8, dtype=np.float32).reshape(4, 2) / 10))
    embedding = Embedding([4, 2], is_sparse=sparse, param_attr=attr)
    made = Adam(0.1, lazy_mode=lazy, parameter_list=embedding.parameters())
    for _ in range(3):
        found = embedding(to_variable(np.array(rows)))
        (found * found).backward()
        made.minimize(found)
        embedding.clear_gradients()
    np.testing.assert_allclose(embedding.weight.numpy().ravel(), wanted, atol=1e-5)


@pytest.mark.parametrize(
    ("regularizer", "optimizer", "wanted"),
    [
        (L2Decay(0.1), lambda p, r: SGD(0.1, p, r), [0.9801, 0.5841, 0.4661, 0.7821]),
        (L1Decay(0.1), lambda p, r: SGD(0.1, p, r), [0.98, 0.58, 0.464, 0.782]),
        (
            L2Decay(0.1),
            lambda p, r: Momentum(0.1, 0.9, p, False, r, GradientClipByGlobalNorm(1.0)),
            [0.9711, 0.85156596, 0.84850746, 0.93865073],
        ),
        (
            L2Decay(0.1),
            lambda p, r: Momentum(0.1, 0.9, p, False, r, GradientClipByValue(1.0)),
            [0.9711, 0.7821, 0.6821, 0.8711],
        ),
    ],
)
def test_penalties_concern_every_row(regularizer: Any, optimizer: Any, wanted: list[float]) -> None:
    """The numbers are those of a static Program of PaddlePaddle 1.8.5; its imperative mode fails here."""
    with guard():
        attr = ParamAttr(initializer=Constant(1.0))
        embedding = Embedding([4, 2], is_sparse=True, param_attr=attr)
        made = optimizer(embedding.parameters(), regularizer)
        for step in range(2):
            rows = embedding(to_variable(np.array([[1], [2], [1]]) + step))
            (rows * rows).backward()
            assert isinstance(embedding.weight.raw_gradient(), SelectedRows)
            made.minimize(rows)
            embedding.clear_gradients()
        np.testing.assert_allclose(embedding.weight.numpy(), np.repeat(np.array(wanted)[:, None], 2, 1), rtol=1e-6)
