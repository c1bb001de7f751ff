"""The state of optimizers in files that either mode wrote, for the other one.

The name of an accumulator is `PARAMETER_moment1_0` in static mode and `PARAMETER_AdamOptimizer_0_moment1_0` in imperative
mode, where the optimizer's generated name stands between. The step of a schedule is `@LR_DECAY_COUNTER@` in static mode
and, greater by one, `global_step` in imperative mode.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

STATIC_COUNTER, IMPERATIVE_COUNTER, SCHEDULE = "@LR_DECAY_COUNTER@", "global_step", "LR_Scheduler"


def find_accumulator(state: Mapping[str, Any], parameter: str, accumulator: str) -> Any:
    """Return the value of an accumulator of a parameter, under the name that either mode gave it; None: there is none.

    Arguments:
        state: name -> value, as a file holds it.
        parameter: the name of the parameter.
        accumulator: the name of the accumulator without that of the optimizer, such as "moment1".

    >>> find_accumulator({"fc.w_0_Adam_0_moment1_0": 3, "fc.w_0_Adam_0_moment2_0": 4}, "fc.w_0", "moment2")
    4
    """
    name = re.compile(rf"{re.escape(parameter)}_(?:\w+?_)??{re.escape(accumulator)}_\d+")
    return next((state[key] for key in sorted(state, key=len) if name.fullmatch(key)), None)


def static_value(state: Mapping[str, Any], name: str, kept: Mapping[str, tuple[str, str]]) -> Any:
    """Return the value of a Variable of an optimizer in a Program; None: the file has none.

    Arguments:
        state: name -> value, as a file holds it.
        name: the name of the Variable.
        kept: the accumulators: name of the Variable -> (name of the parameter, name of the accumulator).
    """
    if name in (STATIC_COUNTER, IMPERATIVE_COUNTER):
        if IMPERATIVE_COUNTER in state:
            return np.asarray(state[IMPERATIVE_COUNTER]) - 1
        return state.get(STATIC_COUNTER)
    if name in state or name not in kept:
        return state.get(name)
    return find_accumulator(state, *kept[name])


def imperative_state(state: Mapping[str, Any], names: Iterable[tuple[str, str, str]]) -> dict[str, Any]:
    """Return a state with the names of imperative mode added, for `Optimizer.set_dict`.

    Arguments:
        state: name -> value, as a file holds it.
        names: (name in imperative mode, name of the parameter, name of the accumulator) for each accumulator.
    """
    made = dict(state)
    if STATIC_COUNTER in made:
        step = np.asarray(made.pop(STATIC_COUNTER)) + 1
        made[IMPERATIVE_COUNTER] = step
        made.setdefault(SCHEDULE, {"step_num": int(step.reshape(-1)[0])})
    for name, parameter, accumulator in names:
        if name not in made:
            value = find_accumulator(state, parameter, accumulator)
            if value is not None:
                made[name] = value
    return made
