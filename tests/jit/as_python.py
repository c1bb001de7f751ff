"""Compares declared functions with Python: values, gradients and the number of translations, on inputs that go each way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import ProgramTranslator, declarative, to_variable

INPUTS = [
    [[1.0, 2.0]],
    [[-1.0, -2.0]],
    [[4.0, 5.0], [1.0, 6.0]],
    [[-3.0, -1.0], [-8.0, 0.5]],
    [[0.5, 0.25], [0.5, 0.5], [0.25, 0.5]],
]


def leaves(value: Any) -> list[Any]:
    """What is in nested results."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (tuple, list)):
        return [n for v in value for n in leaves(v)]
    return [value]


def _numbers(value: Any) -> list[np.ndarray]:
    return [np.asarray(v.numpy() if hasattr(v, "numpy") else v) for v in leaves(value)]


def values_agree(function: Callable) -> None:
    """One translation gives what Python gives, for each of the inputs."""
    declared = declarative(function)
    before = ProgramTranslator().get_program_cache().translations
    for rows in INPUTS:
        x = np.array(rows, "float32")
        expected, found = _numbers(function(to_variable(x))), _numbers(declared(to_variable(x)))
        assert len(expected) == len(found)
        for a, b in zip(expected, found):
            np.testing.assert_allclose(b.reshape(-1), a.reshape(-1), rtol=1e-6)
    assert ProgramTranslator().get_program_cache().translations == before + 1


def gradients_agree(function: Callable) -> None:
    """The gradient of the sum of what is returned is that of Python's run."""
    declared = declarative(function)
    for rows in INPUTS:
        gradients = []
        for f in (function, declared):
            x = to_variable(np.array(rows, "float32"))
            x.stop_gradient = False
            outputs = [v for v in leaves(f(x)) if hasattr(v, "backward") and v.dtype == "float32"]
            if not outputs:
                return
            total = sum((fluid.layers.reduce_sum(v) for v in outputs[1:]), fluid.layers.reduce_sum(outputs[0]))
            if total.stop_gradient:
                gradients.append(None)
                continue
            total.backward()
            gradients.append(x.gradient())
        if gradients[0] is None or gradients[1] is None:
            assert not any(np.any(g) for g in gradients if g is not None)
        else:
            np.testing.assert_allclose(gradients[1], gradients[0], rtol=1e-5)
