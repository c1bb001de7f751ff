"""Schedules as functions; the numbers are PaddlePaddle 1.8.5's."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid

L = fluid.layers
CASES: list[tuple[Any, Any, list[float]]] = [
    (lambda: L.piecewise_decay([2, 4], [0.1, 0.2, 0.3]), fluid.dygraph.PiecewiseDecay, [0.1, 0.1, 0.2, 0.2, 0.3]),
    (
        lambda: L.noam_decay(8, 4),
        fluid.dygraph.NoamDecay,
        [0.0441941730, 0.0883883461, 0.1325825154, 0.1767766922, 0.1581138819],
    ),
    (lambda: L.noam_decay(8, 4, learning_rate=2.0), fluid.dygraph.NoamDecay, [0.0883883461, 0.1767766922]),
    (
        lambda: L.exponential_decay(0.1, 2, 0.5),
        fluid.dygraph.ExponentialDecay,
        [0.1, 0.0707106813, 0.05, 0.0353553406, 0.025],
    ),
    (lambda: L.exponential_decay(0.1, 2, 0.5, True), fluid.dygraph.ExponentialDecay, [0.1, 0.1, 0.05, 0.05, 0.025]),
    (
        lambda: L.natural_exp_decay(0.1, 2, 0.5),
        fluid.dygraph.NaturalExpDecay,
        [0.1, 0.0778800770, 0.0606530681, 0.0472366549, 0.0367879457],
    ),
    (
        lambda: L.inverse_time_decay(0.1, 2, 0.5),
        fluid.dygraph.InverseTimeDecay,
        [0.1, 0.08, 0.0666666701, 0.0571428574, 0.05],
    ),
    (lambda: L.polynomial_decay(0.1, 3), fluid.dygraph.PolynomialDecay, [0.1, 0.0667, 0.0334, 0.0001, 0.0001]),
    (lambda: L.cosine_decay(0.1, 2, 3), fluid.dygraph.CosineDecay, [0.1, 0.1, 0.075, 0.075, 0.025, 0.025, 0.0]),
    (
        lambda: L.linear_lr_warmup(0.1, 3, 0.0, 0.05),
        fluid.dygraph.LinearLrWarmup,
        [0.0166666675, 0.0333333350, 0.1, 0.1],
    ),
    (
        lambda: L.linear_lr_warmup(L.noam_decay(8, 4), 3, 0.0, 0.05),
        fluid.dygraph.LinearLrWarmup,
        [0.0166666675, 0.0333333350, 0.1325825154, 0.1767766922],
    ),
]


@pytest.mark.parametrize(("make", "kind", "wanted"), CASES)
def test_each_is_the_schedule_of_the_same_meaning(make: Any, kind: Any, wanted: list[float]) -> None:
    with fluid.dygraph.guard():
        schedule = make()
        assert type(schedule) is kind
        found = [schedule().numpy() for _ in wanted]
    np.testing.assert_allclose(np.concatenate(found), wanted, rtol=1e-6, atol=1e-9)


def test_the_rate_of_the_latest_step() -> None:
    with fluid.dygraph.guard():
        fc = fluid.dygraph.Linear(2, 1)
        sgd = fluid.optimizer.SGD(L.piecewise_decay([1], [0.5, 0.25]), parameter_list=fc.parameters())
        assert sgd._global_learning_rate() is None
        for wanted in (0.5, 0.25, 0.25):
            sgd.apply_gradients([])
            rate = sgd._global_learning_rate()
            assert rate is not None
            np.testing.assert_array_equal(rate.numpy(), np.array([wanted], "float32"))


def test_a_copy_of_an_optimizer_keeps_the_rate_that_its_steps_read() -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 1)
        optimizer = fluid.optimizer.SGD(0.1, parameter_list=layer.parameters())
        loss = L.mean(layer(fluid.dygraph.to_variable(np.ones((1, 2), "float32"))))
        loss.backward()
        optimizer.minimize(loss)
        optimizer._global_learning_rate().set_value(np.array([0.5], "float32"))
        twin = copy.deepcopy(optimizer)
        assert float(twin.current_step_lr()) == 0.5
        twin._global_learning_rate().set_value(np.array([0.25], "float32"))
        assert [float(each.current_step_lr()) for each in (optimizer, twin)] == [0.5, 0.25]
