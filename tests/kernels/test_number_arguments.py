"""Numbers of expressions as arguments of their kernel."""

from __future__ import annotations

import gc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import paddle_lite.fluid as fluid
from paddle_lite.kernels import kernel_cache
from paddle_lite.kernels.codegen import expression
from paddle_lite.kernels.codegen.expression import make, name, number, parse, text
from paddle_lite.kernels.codegen.number_arguments import NumberArguments
from paddle_lite.kernels.codegen.numpy_form import SCALAR_FUNCTIONS, scalar_text

NUMBERS = st.one_of(st.integers(-3, 3), st.floats(-4, 4, width=32), st.sampled_from([0.5, -1.0, 2.0]))
NODES = st.recursive(
    st.one_of(NUMBERS.map(number), st.sampled_from(["x", "y"]).map(name)),
    lambda node: st.builds(make, st.sampled_from(["+", "-", "*"]), node, node),
    max_leaves=12,
)


@given(NODES, st.floats(-2, 2), st.floats(-2, 2))
def test_an_expression_keeps_its_value(node, x, y):
    numbers = NumberArguments()
    lifted = numbers.lifted(node)
    known = {f"_a{i}": value for i, value in enumerate(numbers.values)}
    scope = {**SCALAR_FUNCTIONS, "x": x, "y": y}
    assert eval(scalar_text(lifted), {**scope, **known}) == eval(scalar_text(node), scope)


@pytest.mark.parametrize(
    "formula, lifted, values",
    [
        ("x * 3 + 0.5", "x * 3 + 0.5", []),
        ("x * 1.25 + 1.25 * y", "x * _a0 + _a0 * y", [1.25]),
        ("-1.5 * x - 2.0", "_a0 * x - 2.0", [-1.5]),
        ("x / (1.5 * 3)", "x / _a0", [4.5]),
        ("7.5", "_a0", [7.5]),
        ("x if x > 0.3 else 0.0", "x if x > _a0 else 0.0", [0.3]),
    ],
)
def test_which_numbers_are_lifted(formula, lifted, values):
    numbers = NumberArguments()
    assert text(numbers.lifted(parse(formula))) == lifted and numbers.values == values


def test_zeros_of_either_sign_and_nans_are_told_apart():
    numbers = NumberArguments()
    for value in (float("nan"), float("nan"), float("inf"), -3.5, 3.5):
        numbers.lifted(make("number", value=value) if value != value else number(value))
    assert [repr(value) for value in numbers.values] == ["nan", "inf", "-3.5", "3.5"]


def _trained(rate: float, scale: float) -> float:
    main, startup = fluid.Program(), fluid.Program()
    with (
        fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()), fluid.unique_name.guard(),
    ):  # fmt: skip
        x = fluid.data("x", [None, 6])
        hidden = fluid.layers.fc(x, 6, act="tanh", param_attr=fluid.initializer.Constant(0.1))
        hidden = fluid.layers.scale(hidden, scale, bias=scale / 3)
        loss = fluid.layers.mean(fluid.layers.sigmoid(hidden) * hidden)
        fluid.optimizer.SGD(rate).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(startup)
        feed = {"x": np.linspace(-1, 1, 24, dtype="float32").reshape(4, 6)}
        return [float(exe.run(main, feed=feed, fetch_list=[loss])[0][0]) for _ in range(3)][-1]


def test_programs_that_differ_in_numbers_share_their_kernels(compiled):
    flags = fluid.get_flags("FLAGS_plan_warm_up")
    numbers = [(0.1 + i / 64, 1.25 + i / 32) for i in range(4)]
    one_by_one = [_trained(*each) for each in numbers]
    fluid.set_flags({"FLAGS_plan_warm_up": 0})
    try:
        found = [_trained(*numbers[0])]
        before_others = sum(kernel_cache.counts.values())
        found += [_trained(*each) for each in numbers[1:]]
    finally:
        fluid.set_flags(flags)
    np.testing.assert_allclose(found, one_by_one, rtol=1e-6)
    assert len(set(found)) == 4
    assert sum(kernel_cache.counts.values()) == before_others


def test_expressions_that_nobody_holds_are_freed():
    kept = parse("x + 1.5")
    gc.collect()
    before = len(expression._nodes)
    for i in range(100):
        parse(f"x * {i}.25 + y")
    gc.collect()
    assert len(expression._nodes) <= before + 2 and parse("x + 1.5") is kept
