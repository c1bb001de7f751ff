"""Learning-rate schedules of static Programs: operators on the number of runs.

They are PaddlePaddle's operators and give its numbers. Only the choice between two values differs: PaddlePaddle has a
conditional block where this module has the operator `where`, with the same result.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..ops.framework.registry import get as operator
from ..ops.support.require import is_number
from ..params.initializer import Constant
from ..static.program.persistent import persistent_variable, step_counter
from ..static.program.program import default_main_program
from ..static.program.python_operators import is_variable
from ..static.program.roles import OpRole, role
from ..static.program.variable import Variable

COUNTER = "@LR_DECAY_COUNTER@"
FLOAT = int(VarType.FP32)


def scheduling() -> Any:
    """Return a context in which operators are marked as computing a learning rate."""
    return role(OpRole.LRSched)


def steps(begin: int = 0) -> Any:
    """Return the number of the run, float32 [1]; all schedules of a Program share the counter of the first one."""
    counter = step_counter(COUNTER, begin)
    return operator("cast").call(counter, in_dtype=int(counter.dtype), out_dtype=FLOAT)


def constant(value: float) -> Any:
    """Return a number as a Variable [1]."""
    return operator("fill_constant").call(shape=[1], dtype=FLOAT, value=float(value), str_value=str(float(value)))


def chosen(condition: Any, first: Any, second: Any) -> Any:
    """Return the first number where the condition is true, else the second."""
    return operator("where").call(condition, first, second)


def rate_variable(name: str) -> Variable:
    """Create a persistable Variable for a learning rate."""
    return persistent_variable(default_main_program().global_block().program_name(name), [1], "float32", Constant(0.0))


def check_numbers(where: str, **values: Any) -> None:
    """Raise unless the arguments of a schedule are numbers, or Variables."""
    for name, value in values.items():
        if not is_variable(value) and not is_number(value):
            raise ArgumentTypeError(message(where, name, describe(value), "a number, or a Variable of one element"))


def noam(d_model: Any, warmup_steps: Any, learning_rate: Any) -> Any:
    """Append the operators of `noam_decay`."""
    check_numbers("noam_decay", d_model=d_model, warmup_steps=warmup_steps, learning_rate=learning_rate)
    with scheduling():
        n = steps(1)
        smaller = operator("elementwise_min").call(n**-0.5, (warmup_steps**-1.5) * n)
        return learning_rate * (d_model**-0.5) * smaller


def _time(decay_steps: Any, staircase: bool) -> Any:
    """Return the number of the run divided by decay_steps; with staircase rounded down."""
    time = steps(0) / decay_steps
    return operator("floor").call(time) if staircase else time


def exponential(learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool) -> Any:
    """Append the operators of `exponential_decay`."""
    check_numbers("exponential_decay", learning_rate=learning_rate, decay_steps=decay_steps, decay_rate=decay_rate)
    with scheduling():
        return learning_rate * (decay_rate ** _time(decay_steps, staircase))


def natural_exp(learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool) -> Any:
    """Append the operators of `natural_exp_decay`."""
    check_numbers("natural_exp_decay", learning_rate=learning_rate, decay_steps=decay_steps, decay_rate=decay_rate)
    with scheduling():
        return learning_rate * operator("exp").call(-1 * decay_rate * _time(decay_steps, staircase))


def inverse_time(learning_rate: Any, decay_steps: Any, decay_rate: Any, staircase: bool) -> Any:
    """Append the operators of `inverse_time_decay`."""
    check_numbers("inverse_time_decay", learning_rate=learning_rate, decay_steps=decay_steps, decay_rate=decay_rate)
    with scheduling():
        return learning_rate / (1 + decay_rate * _time(decay_steps, staircase))


def polynomial(learning_rate: Any, decay_steps: Any, end_learning_rate: Any, power: float, cycle: bool) -> Any:
    """Append the operators of `polynomial_decay`."""
    check_numbers(
        "polynomial_decay",
        learning_rate=learning_rate,
        decay_steps=decay_steps,
        end_learning_rate=end_learning_rate,
        power=power,
    )
    with scheduling():
        n = steps(0)
        if cycle:
            begun = operator("ceil").call(n / decay_steps)
            zero, one = constant(0.0), constant(1.0)
            decay_steps = decay_steps * chosen(n == zero, one, begun)
        else:
            n = operator("elementwise_min").call(n, constant(decay_steps))
        return (learning_rate - end_learning_rate) * ((1 - n / decay_steps) ** power) + end_learning_rate


def piecewise(boundaries: Sequence[float], values: Sequence[float]) -> Any:
    """Append the operators of `piecewise_decay`."""
    if len(values) != len(boundaries) + 1:
        needs = f"{len(boundaries) + 1}, one more than boundaries"
        raise ArgumentValueError(message("piecewise_decay", "values", f"{len(values)} numbers", needs))
    with scheduling():
        n = steps(0)
        rate = rate_variable("learning_rate")
        value = constant(values[-1])
        for boundary, before in zip(reversed(boundaries), reversed(values[:-1]), strict=True):
            value = chosen(operator("less_than").call(n, constant(boundary)), constant(before), value)
        rate.take(value)
        return rate


def cosine(learning_rate: Any, step_each_epoch: Any, epochs: Any) -> Any:
    """Append the operators of `cosine_decay`."""
    check_numbers("cosine_decay", learning_rate=learning_rate, step_each_epoch=step_each_epoch, epochs=epochs)
    with scheduling():
        epoch = operator("floor").call(steps(0) / step_each_epoch)
        return learning_rate * 0.5 * (operator("cos").call(epoch * math.pi / epochs) + 1)


def linear_warmup(learning_rate: Any, warmup_steps: Any, start_lr: float, end_lr: float) -> Any:
    """Append the operators of `linear_lr_warmup`."""
    check_numbers(
        "linear_lr_warmup", learning_rate=learning_rate, warmup_steps=warmup_steps, start_lr=start_lr, end_lr=end_lr
    )
    with scheduling():
        rate = rate_variable("learning_rate_warmup")
        n = steps(0)
        rising = start_lr + (end_lr - start_lr) * (n / float(warmup_steps))
        after = learning_rate if is_variable(learning_rate) else constant(learning_rate)
        rate.take(chosen(n < float(warmup_steps), rising, after))
        return rate
