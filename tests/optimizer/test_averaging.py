"""Wrong calls of what averages parameters; the numbers are in test_static.py."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.fluid import optimizer
from paddle_lite.imperative.base import guard


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (
            lambda: optimizer.ExponentialMovingAverage(0.9, 3),
            ArgumentTypeError,
            "thres_steps got int 3, needs a Variable",
        ),
        (
            lambda: optimizer.ExponentialMovingAverage("a"),
            ArgumentTypeError,
            "ExponentialMovingAverage: decay got str 'a'",
        ),
        (
            lambda: optimizer.ModelAverage(0.1).minimize(None),
            ModeError,
            "it trains nothing. Minimize with another optimizer",
        ),
        (lambda: optimizer.ModelAverage("a"), ArgumentTypeError, "ModelAverage: average_window_rate got str 'a'"),
        (
            lambda: optimizer.LookaheadOptimizer(None),
            ArgumentTypeError,
            "inner_optimizer got NoneType None, needs an optimizer",
        ),
        (
            lambda: optimizer.LookaheadOptimizer(optimizer.SGD(0.1), alpha=1.5),
            ArgumentValueError,
            "alpha got 1.5, needs a number from",
        ),
        (
            lambda: optimizer.LookaheadOptimizer(optimizer.SGD(0.1), k=0),
            ArgumentValueError,
            "k got int 0, needs an int above 0",
        ),
    ],
)
def test_wrong_calls_are_named(make: Callable, error: type, text: str) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), pytest.raises(error, match=text):
        make()


@pytest.mark.parametrize(
    "make",
    [
        lambda: optimizer.ExponentialMovingAverage(),
        lambda: optimizer.ModelAverage(0.1),
        lambda: optimizer.LookaheadOptimizer(optimizer.SGD(0.1, parameter_list=[])).minimize(None),
    ],
)
def test_imperative_mode_has_none(make: Callable) -> None:
    with guard(), pytest.raises(ModeError, match="it is for static Programs"):
        make()


def test_clones_for_tests_have_none_of_it() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        loss = fluid.layers.mean(fluid.layers.create_parameter([2], "float32", name="w"))
        optimizer.LookaheadOptimizer(optimizer.SGD(0.1)).minimize(loss)
        optimizer.ModelAverage(0.1)
        optimizer.ExponentialMovingAverage(0.1).update()
        test = fluid.default_main_program().clone(for_test=True)
        assert [op.type for op in test.global_block().ops] == ["mean"]
        started = {op.attr("op_role") for op in fluid.default_startup_program().global_block().ops}
        assert started == {0}


def test_names_of_what_is_kept() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        fluid.layers.create_parameter([2], "float32", name="w")
        average = optimizer.ModelAverage(0.1, name="mean")
        assert average.get_opti_var_name_list()[:4] == [
            "w_mean_sum_1_0",
            "w_mean_sum_2_0",
            "w_mean_sum_3_0",
            "w_mean_num_accumulates_0",
        ]
        moving = optimizer.ExponentialMovingAverage(0.5, name="slow_")
        assert [v.name for v in moving.averages.values()] == ["slow_w_ema_0"]


@pytest.mark.parametrize(("dtype", "first"), [("int64", 0.75), ("float32", 2 / 11)])
def test_a_count_of_integers_does_not_lower_the_decay(dtype: str, first: float) -> None:
    """Paddle 1.8.5's numbers: integers are divided as integers, and its choice is then the decay itself."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
        steps = fluid.layers.cast(fluid.layers.autoincreased_step_counter(), dtype)
        moving = optimizer.ExponentialMovingAverage(0.75, thres_steps=steps)
        exe = fluid.Executor()
        exe.run(startup)
        (rate,) = exe.run(main, fetch_list=[moving.rate])
    assert rate == pytest.approx(first)
