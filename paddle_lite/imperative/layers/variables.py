"""Variables that Layers make for themselves, and set later."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.mode import ByMode, state
from ..variable import NOT_SET, Variable


def _in_program(name: str, dtype: Any, persistable: bool) -> Any:
    return state.mode.empty_variable(name, dtype=dtype, persistable=persistable)


def _without_elements(name: str, dtype: Any, persistable: bool) -> Variable:
    return Variable(np.zeros([0], to_numpy(dtype)), name=name, persistable=persistable, stop_gradient=NOT_SET)


empty = ByMode(imperative=_without_elements, static=_in_program)
"""Return a Variable of this name that has no value yet: of the default main Program in static mode."""
