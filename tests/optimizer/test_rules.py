"""What is particular to single optimizers; their trainings stand in test_trajectories.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.core import unique_name
from paddle_lite.core.errors import ArgumentTypeError
from paddle_lite.imperative.base import to_variable
from paddle_lite.optimizer import Adagrad, Adamax, Dpsgd, Ftrl, Lamb
from tests.optimizer.library import Library, new_parameter
from tests.optimizer.recorded_cases import OPTIMIZERS

pytestmark = pytest.mark.usefixtures("imperative", "way")


def trained(make: Any, steps: int = 1) -> tuple[Any, np.ndarray]:
    """The optimizer and what it makes of a parameter [2, -3] with the gradient [0.5, 0.25]."""
    param = new_parameter("w", np.array([2.0, -3.0], "float32"))
    optimizer = make([param])
    for _ in range(steps):
        loss = param * to_variable(np.array([0.5, 0.25], "float32"))
        loss.backward()
        optimizer.minimize(loss)
    return optimizer, param.numpy()


def test_adagrad_starts_from_the_value_given() -> None:
    adagrad, param = trained(lambda p: Adagrad(1.0, 0.0, p, initial_accumulator_value=0.75))
    [moment] = adagrad.state_dict().values()
    assert (moment.name, moment.numpy().tolist()) == ("w_moment_0", [1.0, 0.8125])
    np.testing.assert_allclose(param, [2.0 - 0.5, -3.0 - 0.25 / 0.8125**0.5], rtol=1e-6)
    assert Adagrad.accumulators[0].fill == 0.0


def test_the_power_of_adamax_advances() -> None:
    adamax, _ = trained(lambda p: Adamax(0.1, 0.5, parameter_list=p), steps=3)
    assert adamax.state_dict()["w_beta1_pow_acc_0"].numpy().tolist() == [0.5**4]


def test_ftrl_takes_both_penalties() -> None:
    _, param = trained(lambda p: Ftrl(0.5, 0.5, 3.0, parameter_list=p))
    linear = np.array([0.5 - 0.5 / 0.5 * 2.0, 0.25 + 0.25 / 0.5 * 3.0])
    wanted = (0.5 * np.sign(linear) - linear) / (np.array([0.5, 0.25]) / 0.5 + 2 * 3.0)
    np.testing.assert_allclose(param, wanted, rtol=1e-6)


def test_the_function_of_lamb_is_checked() -> None:
    with pytest.raises(ArgumentTypeError, match="exclude_from_weight_decay_fn"):
        trained(lambda p: Lamb(parameter_list=p, exclude_from_weight_decay_fn="bias"))


def test_the_noise_of_dpsgd_differs_from_step_to_step() -> None:
    [first, second] = [trained(lambda p: Dpsgd(1.0, 10.0, 2.0, 1.0, p))[1] for _ in range(2)]
    noise = np.array([1.5, -3.25]) - first
    np.testing.assert_allclose(noise[0], noise[1], rtol=1e-3, atol=1e-6)
    assert first.tolist() != second.tolist()


@pytest.mark.parametrize("name", sorted(set(OPTIMIZERS) - {"sgd", "dpsgd"}))
def test_training_goes_on_from_a_saved_state(name: str) -> None:
    def steps(optimizer: Any, param: Any, count: int) -> list[float]:
        for step in range(count):
            loss = param * to_variable(np.array([0.5, 0.25 * step], "float32"))
            loss.backward()
            optimizer.minimize(loss)
        return param.numpy().tolist()

    def fresh(values: Any) -> tuple[Any, Any]:
        param = new_parameter("w", np.array(values, "float32"))
        return OPTIMIZERS[name](Library(), [param]), param

    with unique_name.guard():
        optimizer, param = fresh([2.0, -3.0])
        halfway = steps(optimizer, param, 3)
        state = {key: value.numpy() for key, value in optimizer.state_dict().items()}
        wanted = steps(optimizer, param, 3)
    with unique_name.guard():
        optimizer, param = fresh(halfway)
        optimizer.set_dict(state)
        assert steps(optimizer, param, 3) == wanted
