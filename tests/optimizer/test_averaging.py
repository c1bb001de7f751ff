"""Wrong calls of what averages parameters; the numbers are in test_static.py."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
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
        assert [v.name for v in moving._ema_vars.values()] == ["slow_w_ema_0"]


@pytest.mark.parametrize(("dtype", "first"), [("int64", 0.75), ("float32", 2 / 11)])
def test_a_count_of_integers_does_not_lower_the_decay(dtype: str, first: float) -> None:
    """Paddle 1.8.5's numbers: integers are divided as integers, and its choice is then the decay itself."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
        steps = fluid.layers.cast(fluid.layers.autoincreased_step_counter(), dtype)
        moving = optimizer.ExponentialMovingAverage(0.75, thres_steps=steps)
        exe = fluid.Executor()
        exe.run(startup)
        (rate,) = exe.run(main, fetch_list=[moving._decay_var])
    assert rate == pytest.approx(first)


def test_a_subclass_may_begin_averages_elsewhere_and_schedule_the_decay():
    """The attributes are those of 1.8.5, which subclasses of 2020 read."""

    class FromParameter(optimizer.ExponentialMovingAverage):
        def _get_ema_decay(self):
            return fluid.layers.create_global_var([1], 0.75, "float32", persistable=True)

        def _create_ema_vars(self, param):
            return fluid.layers.create_global_var(param.shape, 4.0, "float32", persistable=True)

    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        start = fluid.initializer.Constant(2.0)
        w = fluid.layers.create_parameter([1], "float32", name="w", default_initializer=start)
        fluid.optimizer.SGD(1.0).minimize(fluid.layers.mean(w))
        ema = FromParameter(0.9, name="e_")
        ema.update()
        assert [(param.name, kept.name.rpartition("_")[0]) for param, kept in ema._params_tmps] == [
            ("w", "e_w.ema_tmp")
        ]
        assert (ema._decay, ema._name, list(ema._ema_vars)) == (0.9, "e_", ["w"])
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        exe.run()
        with ema.apply(exe):
            assert fluid.global_scope().find_var("w").get_tensor()._get_float_element(0) == (4 * 0.75 + 0.25) / 0.25


def test_averages_that_are_never_updated_are_where_they_began() -> None:
    """As in 1.8.5, where a program for tests applies the averages that a file may hold."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
        fluid.layers.create_parameter([2], "float32", name="w", default_initializer=fluid.initializer.Constant(3.0))
        average = optimizer.ExponentialMovingAverage(0.9)
        assert [op.type for op in main.global_block().ops] == []
        exe = fluid.Executor()
        exe.run(startup)
        held = fluid.global_scope().find_var("w").get_tensor()
        with average.apply(exe):
            np.testing.assert_array_equal(np.array(held), [0, 0])
        np.testing.assert_array_equal(np.array(held), [3, 3])
