"""Random Variables and dropout."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core import seeds
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError
from paddle_lite.core.guarded import unguarded
from paddle_lite.core.mode import switched
from paddle_lite.imperative import to_variable
from paddle_lite.imperative.layer import Layer
from paddle_lite.layers.random import random as layers
from paddle_lite.nn import functional
from paddle_lite.static.mode.static_mode import static_mode
from tests.layers.signatures import signature

SIGNATURES = {
    "dropout": "(x, dropout_prob, is_test=False, seed=None, name=None, dropout_implementation='downgrade_in_infer')",
    "gaussian_random": "(shape, mean=0.0, std=1.0, seed=0, dtype='float32')",
    "gaussian_random_batch_size_like": (
        "(input, shape, input_dim_idx=0, output_dim_idx=0, mean=0.0, std=1.0, seed=0, dtype='float32')"
    ),
    "random_crop": "(x, shape, seed=None)",
    "sampling_id": "(x, min=0.0, max=1.0, seed=0, dtype='float32')",
    "uniform_random": "(shape, dtype='float32', min=-1.0, max=1.0, seed=0)",
    "uniform_random_batch_size_like": (
        "(input, shape, dtype='float32', input_dim_idx=0, output_dim_idx=0, min=-1.0, max=1.0, seed=0)"
    ),
}
X = np.random.RandomState(0).uniform(1, 2, (30, 20)).astype("float32")


@pytest.mark.parametrize("name", sorted(SIGNATURES))
def test_signatures_are_fluids(name: str) -> None:
    function = getattr(layers, name)
    assert signature(function) == SIGNATURES[name]
    assert unguarded(getattr(fluid.layers, name)) is unguarded(function)


def test_randn_of_fluid_takes_its_seed_from_numpy_as_in_1_8_5() -> None:
    np.random.seed(0)
    eager = [fluid.layers.randn([4]).numpy(), fluid.layers.randn([4], dtype="float64").numpy()]
    state = np.random.randint(1000)
    program = fluid.Program()
    with fluid.program_guard(program), switched(static_mode, fluid.CPUPlace(), None):
        np.random.seed(0)
        fetched = [fluid.layers.randn([4]), fluid.layers.randn([4], dtype="float64")]
    assert np.random.randint(1000) == state
    assert [op.attr("seed") for op in program.global_block().ops] == [44, 47]
    exe = fluid.Executor(fluid.CPUPlace())
    for values in eager, exe.run(program, fetch_list=fetched), exe.run(program, fetch_list=fetched):
        np.testing.assert_array_equal(values[0], np.array([-1.5425386, -0.23206738, -1.7531351, 1.0274736], "float32"))
        np.testing.assert_allclose(values[1], [0.2437254, 0.49055742, -0.15922387, 0.43834178], rtol=1e-7)


def test_numbers_of_a_seed_are_paddles() -> None:
    np.testing.assert_array_equal(
        layers.uniform_random([2], seed=3).numpy(), np.array([-0.9998651, -0.48980528], "float32")
    )
    np.testing.assert_array_equal(
        layers.gaussian_random([2], seed=3).numpy(), np.array([0.59363425, 1.0324041], "float32")
    )
    assert layers.sampling_id(to_variable(np.full((3, 4), 0.25, "float32")), seed=5).numpy().tolist() == [0, 1, 0]


@pytest.mark.parametrize("function", [layers.uniform_random, layers.gaussian_random])
def test_shapes_dtypes_and_seeds(function: Any) -> None:
    two = to_variable(np.array([2], "int32"))
    same = [function([2, 3], seed=7), function((2, 3), seed=7), function([two, 3], seed=7)]
    same.append(function(to_variable(np.array([2, 3], "int64")), seed=7))
    for made in same:
        assert made.shape == [2, 3] and made.numpy().dtype == "float32" and made.stop_gradient
        assert (made.numpy() == same[0].numpy()).all()
    assert function([2], dtype="float64", seed=7).numpy().dtype == "float64"
    assert (function([8]).numpy() != function([8]).numpy()).any()


def test_the_main_seed_is_not_theirs() -> None:
    seeds.current().main = 90
    assert (layers.uniform_random([8]).numpy() != layers.uniform_random([8]).numpy()).any()


def test_bounds_and_moments() -> None:
    u = layers.uniform_random([4000], min=2.0, max=3.0, seed=1).numpy()
    assert 2 <= u.min() < 2.01 and 2.99 < u.max() <= 3
    g = layers.gaussian_random([4000], mean=5.0, std=0.5, seed=1).numpy()
    assert abs(g.mean() - 5) < 0.05 and abs(g.std() - 0.5) < 0.05


@pytest.mark.parametrize("implementation", ["downgrade_in_infer", "upscale_in_train"])
def test_dropout(implementation: str) -> None:
    x = to_variable(X)
    x.stop_gradient = False
    y = layers.dropout(x, 0.25, dropout_implementation=implementation)
    kept = y.numpy() != 0
    factor = np.float32(1 if implementation == "downgrade_in_infer" else 4 / 3)
    np.testing.assert_allclose(y.numpy(), X * kept * factor, 1e-6)
    assert 0.6 < kept.mean() < 0.9
    y.backward()
    np.testing.assert_allclose(x.gradient(), kept * factor, 1e-6)


@pytest.mark.parametrize(("implementation", "factor"), [("downgrade_in_infer", 0.75), ("upscale_in_train", 1)])
def test_dropout_in_tests(implementation: str, factor: float) -> None:
    Layer().eval()
    y = layers.dropout(to_variable(X), 0.25, dropout_implementation=implementation)
    np.testing.assert_allclose(y.numpy(), X * np.float32(factor), 1e-6)


def test_dropout_goes_by_the_latest_eval() -> None:
    x, layer = to_variable(X), Layer()
    layer.eval()
    np.testing.assert_allclose(layers.dropout(x, 0.5).numpy(), X / 2, 1e-6)
    layer.train()
    assert (layers.dropout(x, 0.5).numpy() == 0).any()


def test_seeds_of_dropout() -> None:
    x = to_variable(X)

    def zeros(**arguments: Any) -> list:
        return (layers.dropout(x, 0.5, **arguments).numpy() == 0).tolist()

    assert zeros(seed=3) == zeros(seed=3) != zeros(seed=4)
    assert zeros() != zeros()
    seeds.current().main = 3
    assert zeros() == zeros() == zeros(seed=3) != zeros(seed=4)


def test_extremes_of_dropout() -> None:
    x = to_variable(X)
    assert (layers.dropout(x, 0.0).numpy() == X).all() and not layers.dropout(x, 1).numpy().any()
    assert functional.dropout is layers.dropout


def test_bad_arguments() -> None:
    x = to_variable(X)
    for p in (1.5, -0.1, float("nan")):
        with pytest.raises(ArgumentValueError, match=r"dropout_prob.*needs 0 to 1"):
            layers.dropout(x, p)
    for p in ("0.5", None, x):
        with pytest.raises(ArgumentTypeError, match="dropout_prob"):
            layers.dropout(x, p)
    with pytest.raises(ArgumentValueError, match="upscale_in_train"):
        layers.dropout(x, 0.5, dropout_implementation="upscale")
    with pytest.raises(ArgumentTypeError, match="ndarray"):
        layers.dropout(X, 0.5)
    with pytest.raises(DtypeError, match="int64"):
        layers.dropout(to_variable(X.astype("int64")), 0.5)
    with pytest.raises(ArgumentValueError, match="min"):
        layers.uniform_random([2], min=1.0, max=1.0)
    with pytest.raises(DtypeError, match="int32"):
        layers.uniform_random([2], dtype="int32")
    for shape in ([2, -1], []):
        with pytest.raises(ShapeError, match="shape"):
            layers.gaussian_random(shape)
    for shape in (2, "23", ["2"]):
        with pytest.raises(ArgumentTypeError, match="shape"):
            layers.uniform_random(shape)
    with pytest.raises(ShapeError, match="sampling_id"):
        layers.sampling_id(to_variable(X[0]))


@pytest.mark.parametrize("name", ["uniform_random", "gaussian_random"])
def test_as_long_as_another_variable(name: str) -> None:
    x = to_variable(X)
    drawn = getattr(layers, f"{name}_batch_size_like")(x, [7, -1], input_dim_idx=0, output_dim_idx=1, seed=3)
    np.testing.assert_array_equal(drawn.numpy(), getattr(layers, name)([7, 30], seed=3).numpy())
    assert getattr(layers, f"{name}_batch_size_like")(x, [-1, 2], dtype="float64").numpy().dtype == "float64"


def test_random_crop() -> None:
    x = to_variable(np.arange(48, dtype="float32").reshape(2, 4, 6))
    seed = to_variable(np.array([7]))
    by_number, by_variable = layers.random_crop(x, [2, 3], seed=7), layers.random_crop(x, [2, 3], seed)
    assert by_number.numpy()[:, 0].tolist() == [[2.0, 3.0, 4.0], [24.0, 25.0, 26.0]]  # Paddle's
    np.testing.assert_array_equal(by_variable.numpy(), by_number.numpy())
    assert layers.random_crop(x, [2, 3], seed).numpy()[:, 0].tolist() == [
        [2.0, 3.0, 4.0],
        [39.0, 40.0, 41.0],
    ]  # Paddle's
    np.random.seed(0)
    assert len({layers.random_crop(x, [1, 1]).numpy().tobytes() for _ in range(20)}) > 10
    with pytest.raises(ArgumentTypeError, match="seed got float"):
        layers.random_crop(x, [2, 3], seed=2.5)
    with pytest.raises(ShapeError, match=r"\[4, 6\]"):
        layers.random_crop(x, [5, 3])


def test_random_crop_in_a_program_goes_on_from_run_to_run() -> None:
    main, startup = fluid.Program(), fluid.Program()
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(main, startup):
        cropped = layers.random_crop(fluid.data("x", [None, 4, 6]), [2, 3], seed=7)
        assert [op.type for op in main.global_block().ops] == ["random_crop"]
        executor, scope = fluid.Executor(fluid.CPUPlace()), fluid.Scope()
        with fluid.scope_guard(scope):
            executor.run(startup)
            feed = {"x": np.arange(48, dtype="float32").reshape(2, 4, 6)}
            runs = [executor.run(main, feed=feed, fetch_list=[cropped])[0][:, 0, 0].tolist() for _ in range(3)]
    assert runs == [[2.0, 24.0], [2.0, 39.0], [9.0, 26.0]]  # Paddle's
