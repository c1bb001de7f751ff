"""Sums of the values of parameters, for their averages over steps."""

from __future__ import annotations

import numpy as np

from ...core.errors import DtypeError, message
from ..framework.spec import Declaration, Long, Required, op
from .update import need_one, need_update

MOST_ACCUMULATED = 16384
"""So many steps are summed up before the sum moves on, against the loss of digits."""


@op(
    "average_accumulates",
    inputs="param in_sum_1 in_sum_2 in_sum_3 in_num_accumulates in_old_num_accumulates in_num_updates",
    outputs="out_sum_1 out_sum_2 out_sum_3 out_num_accumulates out_old_num_accumulates out_num_updates",
    attrs={"average_window": 0.0, "max_average_window": Required("LONG"), "min_average_window": Long(10000)},
)
class average_accumulates(Declaration):
    """Accumulate the values of a parameter for its average over a window of steps.

    The value is added to sum_1; num_updates and num_accumulates are incremented. The window ends when num_accumulates
    reaches min_average_window and min(max_average_window, floor(num_updates * average_window)): then sum_3 is set to
    sum_1 + sum_2, old_num_accumulates to num_accumulates, and sum_1, sum_2 and num_accumulates to 0. The average is
    (sum_1 + sum_2 + sum_3) / (num_accumulates + old_num_accumulates). After every 16384 updates sum_1 is added to sum_2
    and set to 0. The outputs are the inputs of the next step.
    """

    def infer(param, in_sum_1, in_sum_2, in_sum_3, in_num_accumulates, in_old_num_accumulates, in_num_updates, **_):
        sums = {"in_sum_1": in_sum_1, "in_sum_2": in_sum_2, "in_sum_3": in_sum_3}
        need_update("average_accumulates", param, in_sum_1, None, **sums)
        counts = {
            "in_num_accumulates": in_num_accumulates, "in_old_num_accumulates": in_old_num_accumulates,
            "in_num_updates": in_num_updates,
        }  # fmt: skip
        need_one("average_accumulates", **counts)
        for slot, meta in counts.items():
            if meta.dtype != "int64":
                raise DtypeError(message("average_accumulates", f"Input({slot})", f"dtype {meta.dtype}", "int64"))
        return param, param, param, in_num_accumulates, in_num_accumulates, in_num_accumulates

    def reference(
        xp, param, in_sum_1, in_sum_2, in_sum_3, in_num_accumulates, in_old_num_accumulates, in_num_updates,
        *, average_window, max_average_window, min_average_window,
    ):  # fmt: skip
        updates, count, old = int(in_num_updates[0]) + 1, int(in_num_accumulates[0]) + 1, in_old_num_accumulates
        first, second, third = in_sum_1 + param, in_sum_2, in_sum_3
        if updates % MOST_ACCUMULATED == 0:
            first, second = xp.zeros_like(param), second + first
        longest = min(max_average_window, int(np.float32(updates) * np.float32(average_window)))
        if count >= min_average_window and count >= longest:
            third, first, second = first + second, xp.zeros_like(param), xp.zeros_like(param)
            old, count = xp.full_like(old, count), 0
        counts = (xp.full_like(in_num_updates, n) for n in (count, updates))
        count, updates = counts
        return first, second.copy(), third.copy(), count, old.copy(), updates
