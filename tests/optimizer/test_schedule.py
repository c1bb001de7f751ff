"""Learning-rate schedules; their values stand against Paddle's in test_trajectories.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ShapeError
from paddle_lite.imperative.base import to_variable
from paddle_lite.imperative.variable import Variable
from paddle_lite.optimizer import SGD
from paddle_lite.optimizer import schedule as S
from tests.optimizer.library import new_parameter

pytestmark = pytest.mark.usefixtures("imperative")


def variable(number: float) -> Variable:
    return to_variable(np.array([number], "float32"))


def rates(schedule: Any, count: int) -> list[float]:
    return [float(schedule().numpy()[0]) for _ in range(count)]


def test_a_call_gives_a_variable_and_moves_on() -> None:
    schedule = S.PiecewiseDecay([1], [0.5, 0.25], begin=0, dtype="float64")
    first = schedule()
    assert (first.shape, first.numpy().dtype, first.persistable, first.name) == (
        [1],
        "float64",
        False,
        "learning_rate_0",
    )
    assert schedule.step_num == 1
    assert schedule.step() == 0.25
    assert schedule.step_num == 1


def test_a_number_is_the_rate_of_the_first_step_as_it_was_given() -> None:
    sgd = SGD(0.1, [new_parameter("w", np.ones(1, "float32"))])
    assert repr(sgd.current_step_lr()) == "0.1"  # no float32, which would be 0.10000000149011612
    sgd.apply_gradients([])
    assert isinstance(sgd.current_step_lr(), np.float32)


# What the steps of PaddlePaddle 1.8.5 returned at step_num 0, 1, ...: each a variable [1] of float32.
OF_1_8: dict[str, tuple[Any, list[float]]] = {
    "exponential": (lambda: S.ExponentialDecay(0.1, 3, 0.5), [0.1, 0.07937005, 0.06299605, 0.05]),
    "staircase": (lambda: S.ExponentialDecay(0.1, 3, 0.5, staircase=True), [0.1, 0.1, 0.1, 0.05]),
    "natural": (lambda: S.NaturalExpDecay(0.1, 3, 0.5), [0.1, 0.08464818, 0.07165313, 0.06065307]),
    "inverse": (lambda: S.InverseTimeDecay(0.1, 3, 0.5), [0.1, 0.08571429, 0.075, 0.06666667]),
    "polynomial": (lambda: S.PolynomialDecay(0.1, 4, 0.01, 2.0), [0.1, 0.060625, 0.0325, 0.015625]),
    "cosine": (lambda: S.CosineDecay(0.1, 2, 4), [0.1, 0.1, 0.08535534, 0.08535534]),
    "noam": (lambda: S.NoamDecay(10, 3), [0.06085806, 0.12171613, 0.18257418, 0.15811388]),
}


@pytest.mark.parametrize("name", OF_1_8)
def test_a_step_is_a_variable_as_in_1_8(name: str) -> None:
    make, wanted = OF_1_8[name]
    schedule = make()
    found = []
    for _ in wanted:
        rate = schedule.step()
        assert (type(rate), rate.shape, rate.numpy().dtype) == (Variable, [1], "float32")
        found.append(float(rate.numpy()[0]))
        schedule.step_num += 1
    np.testing.assert_allclose(found, wanted, rtol=1e-6)


def test_a_step_is_a_number_where_it_is_one_in_1_8() -> None:
    pieces = S.PiecewiseDecay([1], [0.5, 0.25], begin=0)
    assert (pieces.step(), pieces.step_num) == (0.5, 0)
    pieces.step_num = 1
    assert isinstance(pieces.step(), Variable)
    warmup = S.LinearLrWarmup(S.NoamDecay(10, 3), 2, 0.0, 0.1)
    assert warmup.step() == pytest.approx(0.05)
    warmup.step_num += 1
    assert float(warmup.step().numpy()[0]) == pytest.approx(0.12171613)


def test_a_step_that_a_subclass_changes_is_the_rate() -> None:
    class Half(S.NoamDecay):
        def step(self) -> Any:
            return super().step() * 0.5

    half = Half(10, 3)
    assert half.peek() == pytest.approx(0.03042903)
    assert rates(half, 2) == pytest.approx([0.03042903, 0.06085806])


def test_asking_for_the_rate_moves_nothing() -> None:
    inner = S.PiecewiseDecay([2], [0.5, 0.25], begin=0)
    schedule = S.LinearLrWarmup(inner, 2, 0.0, 1.0)
    sgd = SGD(schedule, [new_parameter("w", np.ones(1, "float32"))])
    assert [float(sgd.current_step_lr()) for _ in range(3)] == [0.5] * 3
    assert (schedule.step_num, inner.step_num) == (1, 0)
    for wanted in (0.5, 0.5, 0.25):
        sgd.apply_gradients([])
        assert sgd.current_step_lr() == np.float32(wanted)
    assert isinstance(sgd.current_step_lr(), np.float32)
    assert (schedule.step_num, inner.step_num) == (4, 3)


def test_two_optimizers_share_a_schedule() -> None:
    schedule = S.PiecewiseDecay([1, 2], [0.5, 0.25, 0.125], begin=0)
    first, second = SGD(schedule, []), SGD(schedule, [])
    first.apply_gradients([])
    second.apply_gradients([])
    first.apply_gradients([])
    assert (first.current_step_lr(), second.current_step_lr()) == (0.125, 0.25)


def test_warmup_rises_from_its_start() -> None:
    """Paddle leaves out start_lr, against its own formula."""
    assert rates(S.LinearLrWarmup(9.0, 4, 0.5, 1.0, begin=0), 6) == [0.5, 0.625, 0.75, 0.875, 9.0, 9.0]


def test_noam_may_begin_at_zero() -> None:
    assert rates(S.NoamDecay(100, 4, begin=0), 2) == pytest.approx([0.0, 0.0125])


def test_numbers_may_be_variables() -> None:
    assert S.ExponentialDecay(variable(0.5), 2, 0.5).step() == 0.5
    assert rates(S.ReduceLROnPlateau(variable(0.5)), 1) == [0.5]


@pytest.mark.parametrize("given", [0.5, 2, np.float32(0.25), variable])
def test_a_schedule_of_the_users_own(given: Any) -> None:
    class Own(S.LearningRateDecay):
        def step(self) -> Any:
            return given(0.125 * self.step_num) if callable(given) else given

    assert rates(Own(begin=2, step=3), 2) == ([0.25, 0.625] if callable(given) else [float(given)] * 2)
    sgd = SGD(Own(), [])
    sgd.apply_gradients([])
    assert sgd.state_dict()["LR_Scheduler"] == {"step_num": 1}


def test_what_a_schedule_has_to_define() -> None:
    with pytest.raises(NotImplementedError, match=r"define step\(\)"):
        S.LearningRateDecay()()
    from paddle_lite.optimizer.schedule_epochs import EpochDecay

    with pytest.raises(NotImplementedError, match=r"define get_lr\(\)"):
        EpochDecay(0.1).epoch()


def test_a_rate_must_be_a_number() -> None:
    class Wrong(S.LearningRateDecay):
        def step(self) -> Any:
            return "fast"

    with pytest.raises(ArgumentTypeError, match=r"Wrong.step: the rate got str 'fast', needs a number"):
        Wrong()()


@pytest.mark.parametrize(
    ("schedule", "wanted"),
    [
        (lambda: S.StepDecay(1.0, 2, 0.5), [1.0, 1.0, 0.5, 0.5, 0.25]),
        (lambda: S.MultiStepDecay(1.0, [1, 3], 0.5), [1.0, 0.5, 0.5, 0.25, 0.25]),
        (lambda: S.LambdaDecay(1, lambda epoch: 0.5**epoch), [1.0, 0.5, 0.25, 0.125, 0.0625]),
    ],
)
def test_epochs(schedule: Any, wanted: list[float]) -> None:
    one, found = schedule(), []
    for _ in wanted:
        found += rates(one, 1)
        one.epoch()
    assert found == wanted
    one.epoch(1)
    assert (one.epoch_num, rates(one, 2)) == (1, [wanted[1]] * 2)
    other = schedule()
    other.set_dict(one.state_dict())
    assert other.state_dict() == one.state_dict() == {"epoch_num": 1, "learning_rate": wanted[1]}


LOSSES = (1.0, 0.9, 0.95, 0.95, 0.96, 0.97, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1.0, 2.0)


@pytest.mark.parametrize(
    ("arguments", "wanted"),  # the rates that PaddlePaddle 1.8.5 gives after each loss
    [
        ({"patience": 2}, [0.1] * 4 + [0.01] * 5 + [0.001] * 3 + [0.0001] * 2),
        ({"patience": 2, "mode": "max"}, [0.1] * 3 + [0.01] * 3 + [0.001] * 3 + [0.0001] * 3 + [1e-5] * 2),
        (
            {"patience": 2, "threshold_mode": "abs", "threshold": 0.1},
            [0.1] * 3 + [0.01] * 6 + [0.001] * 3 + [0.0001] * 2,
        ),
        ({"patience": 0, "cooldown": 2}, [0.1] * 2 + [0.01] * 3 + [0.001] * 4 + [0.0001] * 3 + [1e-5] * 2),
        ({"patience": 0, "min_lr": 0.03}, [0.1] * 2 + [0.03] * 12),
        ({"patience": 1, "decay_rate": 0.5, "eps": 0.02}, [0.1] * 3 + [0.05] * 2 + [0.025] * 9),
    ],
)
def test_plateau(arguments: dict, wanted: list[float]) -> None:
    schedule, found = S.ReduceLROnPlateau(0.1, **arguments), []
    for loss in LOSSES:
        schedule.step(variable(loss))
        found += rates(schedule, 1)
    assert found == pytest.approx(wanted, rel=1e-6)
    other = S.ReduceLROnPlateau(0.1, **arguments)
    other.set_dict(schedule.state_dict())
    assert other.state_dict() == schedule.state_dict()


def test_a_plateau_of_arrays() -> None:
    schedule = S.ReduceLROnPlateau(1.0, patience=0)
    for loss, rate in ((1.0, 1.0), (0.5, 1.0), (0.7, 0.1), (0.8, 0.01)):
        schedule.step(np.array([loss], "float32"))
        assert rates(schedule, 1) == pytest.approx([rate])
    assert schedule.best_loss.tolist() == [0.5]


def test_plateau_tells_when_asked(capsys: pytest.CaptureFixture) -> None:
    schedule = S.ReduceLROnPlateau(0.5, patience=0, decay_rate=0.5, verbose=True)
    for _ in range(3):
        schedule.step(variable(1.0))
    assert capsys.readouterr().out.splitlines() == [
        "Epoch 2: reducing learning rate from 0.5 to 0.25.",
        "Epoch 3: reducing learning rate from 0.25 to 0.125.",
    ]


def test_an_optimizer_follows_a_plateau_at_once() -> None:
    schedule = S.ReduceLROnPlateau(0.5, patience=0, decay_rate=0.5)
    sgd = SGD(schedule, [])
    assert sgd.current_step_lr() == 0.5
    schedule.step(variable(1.0))
    schedule.step(variable(1.0))
    sgd.apply_gradients([])
    assert sgd.current_step_lr() == 0.25


def test_states_from_files_are_arrays() -> None:
    schedule = S.ReduceLROnPlateau(0.1)
    state = {"cooldown_counter": 0, "best_loss": np.float32(1.0), "num_bad_epochs": np.array([2]), "epoch_num": 3}
    schedule.set_dict({**state, "learning_rate": variable(0.25)})
    assert schedule.state_dict()["num_bad_epochs"] == 2
    assert rates(schedule, 1) == [0.25]


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: S.PiecewiseDecay([2], [0.1], 0), ArgumentValueError, "values got 1 numbers, needs 2"),
        (lambda: S.PiecewiseDecay([2], [0.1, "b"], 0), ArgumentTypeError, r"values\[1\] got str 'b'"),
        (lambda: S.NoamDecay("a", 4), ArgumentTypeError, "NoamDecay: d_model got str 'a'"),
        (lambda: S.NoamDecay(0, 4), ArgumentValueError, "NoamDecay: d_model got 0.0, needs a number above 0"),
        (lambda: S.NoamDecay(100, -4), ArgumentValueError, "warmup_steps got -4.0, needs a number above 0"),
        (lambda: S.ExponentialDecay("a", 4, 0.5), ArgumentTypeError, "ExponentialDecay: learning_rate"),
        (lambda: S.InverseTimeDecay(0.1, 0, 0.5), ArgumentValueError, "InverseTimeDecay: decay_steps got int 0"),
        (lambda: S.PolynomialDecay(0.1, "a"), ArgumentTypeError, "PolynomialDecay: decay_steps"),
        (lambda: S.CosineDecay(0.1, 0, 3), ArgumentValueError, "CosineDecay: step_each_epoch"),
        (lambda: S.LinearLrWarmup("a", 4, 0.0, 0.1), ArgumentTypeError, "LinearLrWarmup: learning_rate got str"),
        (lambda: S.LinearLrWarmup(0.5, 4, 0.1, 0.1), ArgumentValueError, "end_lr got 0.1, needs a rate above start_lr"),
        (lambda: S.StepDecay("a", 2), ArgumentTypeError, "StepDecay: learning_rate"),
        (lambda: S.StepDecay(0.1, "a"), ArgumentTypeError, "StepDecay: step_size got str 'a', needs an int"),
        (lambda: S.StepDecay(0.1, 0), ArgumentValueError, "StepDecay: step_size got 0"),
        (lambda: S.StepDecay(0.1, 2, 1.5), ArgumentValueError, "decay_rate got 1.5, needs a number below 1"),
        (lambda: S.StepDecay(0.1, 2, "a"), ArgumentTypeError, "decay_rate got str"),
        (lambda: S.MultiStepDecay(0.1, 2), ArgumentTypeError, "milestones got int 2"),
        (lambda: S.MultiStepDecay(0.1, [2, 2]), ArgumentValueError, "milestones got .*needs rising epochs"),
        (lambda: S.LambdaDecay(0.1, 2), ArgumentTypeError, "lr_lambda got int 2, needs a function"),
        (lambda: S.ReduceLROnPlateau("x"), ArgumentTypeError, "ReduceLROnPlateau: learning_rate"),
        (lambda: S.ReduceLROnPlateau(0.1, mode="foo"), ArgumentValueError, "mode got 'foo', needs 'min' or 'max'"),
        (lambda: S.ReduceLROnPlateau(0.1, threshold_mode="x"), ArgumentValueError, "threshold_mode got 'x'"),
        (lambda: S.ReduceLROnPlateau(0.1, decay_rate=1.0), ArgumentValueError, "decay_rate got 1.0"),
        (lambda: S.ReduceLROnPlateau(0.1, patience=-1), ArgumentValueError, "patience got -1"),
        (lambda: S.ReduceLROnPlateau(0.1).step(3.0), ShapeError, "loss got float 3.0, needs a Variable of shape"),
        (
            lambda: S.ReduceLROnPlateau(0.1).step(to_variable(np.ones(2, "float32"))),
            ShapeError,
            r"loss got Variable of shape \[2\].*layers.mean",
        ),
    ],
)
def test_wrong_arguments_are_named(make: Any, error: type, text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_boundaries_that_are_no_numbers_are_refused():
    with pytest.raises(ArgumentTypeError, match=r"PiecewiseDecay: boundaries\[1\] got list"):
        S.PiecewiseDecay([1, [2]], [0.1, 0.2, 0.3], begin=0)
