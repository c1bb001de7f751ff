"""Distributions against PaddlePaddle 1.8.5's numbers, in both modes."""

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, NotYetAvailable, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode

layers = fluid.layers


def array(*values):
    return np.array(values, "float32")


def constant(value):
    return fluid.dygraph.to_variable(value) if fluid.in_dygraph_mode() else layers.assign(value)


CASES = {
    "normal": lambda: [
        layers.Normal(0.0, 3.0).entropy(),
        layers.Normal(array(1, 2), array(1, 3)).entropy(),
        layers.Normal(array(1, 2), array(1, 3)).log_prob(constant(array(0.8))),
        layers.Normal(array(1, 2), array(1, 3)).kl_divergence(layers.Normal(array(0, 1), array(2, 2))),
        layers.Normal(0.0, 3.0).sample([3], seed=5),
        layers.Normal(array(1, 2), array(1, 3)).sample([2], seed=5),
    ],
    "uniform": lambda: [
        layers.Uniform([1.0, 2.0], [3.0, 4.0]).entropy(),
        layers.Uniform([1.0, 2.0], [3.0, 4.0]).log_prob(constant(array(1.5, 5))),
    ],
    "categorical": lambda: [
        layers.Categorical(constant(array([0.3, 0.1, 0.6]))).entropy(),
        layers.Categorical(constant(array([0.3, 0.1, 0.6]))).kl_divergence(layers.Categorical(array([0.2, 0.2, 0.7]))),
    ],
    "diagonal": lambda: [
        layers.MultivariateNormalDiag(array(0.3, 0.5), np.diag(array(0.4, 0.5))).entropy(),
        layers.MultivariateNormalDiag(array(0.3, 0.5), np.diag(array(0.4, 0.5))).kl_divergence(
            layers.MultivariateNormalDiag(array(0.2, 0.4), np.diag(array(0.3, 0.4)))
        ),
    ],
}
WANT = {
    "normal": [
        [2.5176], [1.4189, 2.5176], [-0.9389, -2.0976], [0.4431, 0.3445], [-0.0509, -0.5983, 0.5493],
        [[0.983, 1.4017], [1.1831, 2.0839]],
    ],
    "uniform": [[0.6931, 0.6931], [-0.6931, -np.inf]],
    "categorical": [[[1.0772]], [[0.0042]]],
    "diagonal": [[2.0332], [0.0654]],
}  # fmt: skip


@pytest.mark.parametrize("name", list(CASES))
def test_numbers_in_both_modes(name):
    with fluid.dygraph.guard():
        got = [v.numpy() for v in CASES[name]()]
    with switched(static_mode, fluid.CPUPlace(), np), fluid.program_guard(fluid.Program(), fluid.Program()):
        ran = fluid.Executor(fluid.CPUPlace()).run(fetch_list=CASES[name]())
    for a, b, want in zip(got, ran, WANT[name], strict=True):
        assert a.shape == b.shape == np.shape(want)
        np.testing.assert_allclose(a, want, atol=1e-4)
        np.testing.assert_allclose(b, want, atol=1e-4)


def test_samples_of_a_uniform_distribution_are_inside():
    with fluid.dygraph.guard():
        drawn = layers.Uniform([1.0, 2.0], [3.0, 4.0]).sample([500], seed=5).numpy()
    assert drawn.shape == (500, 2) and (drawn >= [1, 2]).all() and (drawn < [3, 4]).all()
    np.testing.assert_allclose(drawn.mean(0), [2, 3], atol=0.1)


def test_wrong_calls():
    with fluid.dygraph.guard():
        with pytest.raises(ArgumentTypeError, match=r"Normal: scale got"):
            layers.Normal(0.0, "wide")
        with pytest.raises(ShapeError, match="scale got shape"):
            layers.MultivariateNormalDiag(array(0, 0), array(1, 1))
        with pytest.raises(ArgumentTypeError, match="a Normal"):
            layers.Normal(0.0, 1.0).kl_divergence(layers.Uniform(0.0, 1.0))
        with pytest.raises(NotYetAvailable, match=r"Categorical.sample"):
            layers.Categorical(array([1, 2])).sample()
