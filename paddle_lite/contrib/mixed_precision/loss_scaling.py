"""The factor of the loss in dynamic loss scaling, by operators of the Program."""

from __future__ import annotations

from typing import Any

from ...layers.control.control_flow import Switch
from ...layers.math.arithmetic import assign, increment
from ...layers.math.compare import isfinite, less_than
from ...layers.shape.fill import fill_constant


def update_loss_scaling(
    is_overall_finite: Any,
    prev_loss_scaling: Any,
    num_good_steps: Any,
    num_bad_steps: Any,
    incr_every_n_steps: Any,
    decr_every_n_nan_or_inf: Any,
    incr_ratio: float,
    decr_ratio: float,
) -> None:
    """Append operators that update the factor of the loss, and the numbers of steps since it has changed.

    After `incr_every_n_steps` steps in a row whose gradients are finite the next one of these multiplies the factor by `incr_ratio`,
    unless the product is infinite. After `decr_every_n_nan_or_inf` others in a row the next one multiplies it by `decr_ratio`, to 1
    at least.

    Arguments:
        is_overall_finite: whether all gradients are finite, a Variable [1], bool.
        prev_loss_scaling: the factor, a Variable [1], float32, which is updated.
        num_good_steps, num_bad_steps: how many steps in a row had finite gradients, and had others; Variables [1], int32, which are
            updated.
        incr_every_n_steps, decr_every_n_nan_or_inf: Variables [1], int32.
        incr_ratio, decr_ratio: numbers.
    """
    zero = fill_constant(shape=[1], dtype="int32", value=0)

    def restart() -> None:
        assign(zero, num_good_steps)
        assign(zero, num_bad_steps)

    def after_finite_gradients() -> None:
        with Switch() as enough:
            with enough.case(less_than(incr_every_n_steps, num_good_steps + 1)):
                larger = prev_loss_scaling * incr_ratio
                with Switch() as bounded:
                    with bounded.case(isfinite(larger)):
                        assign(larger, prev_loss_scaling)
                    with bounded.default():
                        pass
                restart()
            with enough.default():
                increment(num_good_steps)
                assign(zero, num_bad_steps)

    def after_other_gradients() -> None:
        with Switch() as enough:
            with enough.case(less_than(decr_every_n_nan_or_inf, num_bad_steps + 1)):
                smaller = prev_loss_scaling * decr_ratio
                one = fill_constant(shape=[1], dtype="float32", value=1.0)
                with Switch() as bounded:
                    with bounded.case(less_than(smaller, one)):
                        assign(one, prev_loss_scaling)
                    with bounded.default():
                        assign(smaller, prev_loss_scaling)
                restart()
            with enough.default():
                assign(zero, num_good_steps)
                increment(num_bad_steps)

    with Switch() as switch:
        with switch.case(is_overall_finite):
            after_finite_gradients()
        with switch.default():
            after_other_gradients()
