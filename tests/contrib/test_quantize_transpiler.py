"""Wrong calls of QuantizeTranspiler, and Programs that it leaves complete. Its operators and numbers are in tests/behaviour."""

from __future__ import annotations

import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError


@pytest.mark.parametrize("kind", ["abs_max", "range_abs_max", "moving_average_abs_max"])
def test_programs_are_complete(kind: str) -> None:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup):
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 3]), 2))
        fluid.optimizer.SGD(0.1).minimize(loss)
        fluid.contrib.quantize.QuantizeTranspiler(activation_quantize_type=kind).training_transpile()
    assert main.lint() == []
    assert startup.lint() == []


@pytest.mark.parametrize("argument", ["activation_quantize_type", "weight_quantize_type"])
def test_wrong_calls(argument: str) -> None:
    with pytest.raises(ArgumentValueError, match=f"{argument} got 'x', needs one of"):
        fluid.contrib.quantize.QuantizeTranspiler(**{argument: "x"})
