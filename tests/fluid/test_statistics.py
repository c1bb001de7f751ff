"""fluid.contrib's statistics of Programs. The numbers of memory_usage are PaddlePaddle 1.8.5's."""

from __future__ import annotations

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError
from paddle_lite.fluid.contrib import memory_usage, op_freq_statistic


@pytest.fixture
def program() -> fluid.Program:
    program = fluid.Program()
    with fluid.program_guard(program, fluid.Program()):
        loss = fluid.layers.mean(fluid.layers.fc(fluid.data("x", [None, 3], "float32"), 2, act="relu"))
        fluid.optimizer.SGD(0.1).minimize(loss)
    return program


@pytest.mark.parametrize(
    ("batch", "low", "high", "unit"),
    [
        (10, 579.6, 607.2, "B"),
        (1000, 49.292578125, 51.639843750000004, "KB"),
        (10**6, 48.06525764465332, 50.35407943725586, "MB"),
        (10**9, 48065.18561897278, 50354.00398178101, "MB"),
    ],
)
def test_memory_usage(program: fluid.Program, batch: int, low: float, high: float, unit: str) -> None:
    assert memory_usage(program, batch) == (pytest.approx(low), pytest.approx(high), unit)


def test_op_freq_statistic(program: fluid.Program) -> None:
    types, pairs = op_freq_statistic(program)
    assert types[0] == ("sgd", 2)
    assert ("mul", 1) in types
    assert ("mul->elementwise_add", 1) in pairs
    assert ("mul_grad->sgd", 1) in pairs
    assert sum(count for _, count in types) == len(program.global_block().ops)


def test_wrong_arguments(program: fluid.Program) -> None:
    for call in (lambda p: memory_usage(p, 1), op_freq_statistic):
        with pytest.raises(ArgumentTypeError, match="program got str"):
            call("program")
    with pytest.raises(ArgumentTypeError, match="batch_size got str"):
        memory_usage(program, "ten")  # type: ignore[arg-type]
    with pytest.raises(ArgumentValueError, match="batch_size got 0"):
        memory_usage(program, 0)
