"""Updates by the mean of several gradients, as on a parameter server: one kernel sums, scales and updates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.static import plan_of
from paddle_lite.static.plan.passes.updates import UpdateByMeans
from tests.static.passes import passes

SHAPES = [(70, 60), (5, 3), (1000,)]
RULES: dict[str, Callable[[], Any]] = {
    "sgd": lambda: fluid.optimizer.SGD(0.1),
    "decay": lambda: fluid.optimizer.Momentum(0.1, 0.9, regularization=fluid.regularizer.L2Decay(0.1)),
    "adam": lambda: fluid.optimizer.Adam(0.1),
    "adamax": lambda: fluid.optimizer.Adamax(0.1),
    "adagrad": lambda: fluid.optimizer.Adagrad(0.1),
    "lamb": lambda: fluid.optimizer.LambOptimizer(0.1),  # sums over its elements, so the mean is made before it
}


def build(rule: str, terms: int, scale: float = 0.25, dtype: str = "float32") -> tuple[Any, Any]:
    """Return the main and the startup Program of updates by `scale` times the sum of `terms` fed gradients each."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        pairs = []
        for i, shape in enumerate(SHAPES):
            start = fluid.initializer.Constant(0.3 + i)
            param = fluid.layers.create_parameter(list(shape), dtype, f"w{i}", default_initializer=start)
            fed = [fluid.data(f"g{i}_{k}", list(shape), dtype) for k in range(terms)]
            pairs.append((param, fluid.layers.scale(fluid.layers.sum(fed), scale)))
        RULES[rule]().apply_gradients(pairs)
    return main, startup


def trained(
    rule: str, terms: int, chosen: str, steps: int = 3, dtype: str = "float32", fetched: bool = False
) -> dict[str, np.ndarray]:
    """Return everything that persists after some steps; means that are `fetched` have to be computed by themselves."""
    main, startup = build(rule, terms, dtype=dtype)
    means = [op.output("Out")[0] for op in main.global_block().ops if op.type == "scale"] if fetched else []
    scope, exe, random = fluid.Scope(), fluid.Executor(fluid.CPUPlace()), np.random.RandomState(7)
    with passes(chosen):
        exe.run(startup, scope=scope)
        for _ in range(steps):
            feed = {
                f"g{i}_{k}": random.randn(*shape).astype(dtype) for i, shape in enumerate(SHAPES) for k in range(terms)
            }
            exe.run(main, feed=feed, fetch_list=means, scope=scope)
        held = [v.name for v in main.list_vars() if v.persistable]
        return {name: np.array(scope.find_var(name).get_tensor()) for name in held}


@pytest.mark.parametrize("terms", [2, 5])
@pytest.mark.parametrize("rule", RULES)
def test_the_result_is_that_of_the_operators_one_by_one(rule: str, terms: int, compiled: None) -> None:
    expected, found = (trained(rule, terms, chosen) for chosen in ("none", "all"))
    for name, value in expected.items():
        np.testing.assert_allclose(found[name], value, rtol=2e-6, atol=1e-7, err_msg=name)


@pytest.mark.parametrize(("rule", "dtype"), [("sgd", "float32"), ("sgd", "float64"), ("adam", "float32")])
def test_the_result_is_to_the_bit_that_of_an_update_by_a_mean_made_before(
    rule: str, dtype: str, compiled: None
) -> None:
    expected, found = (trained(rule, 3, "all", dtype=dtype, fetched=fetched) for fetched in (True, False))
    for name, value in expected.items():
        np.testing.assert_array_equal(found[name], value, err_msg=name)


@pytest.mark.parametrize(("rule", "kernels"), [("sgd", 1), ("adam", 1), ("decay", 1), ("lamb", 4)])
def test_one_kernel_runs_for_all_parameters(rule: str, kernels: int) -> None:
    main, _ = build(rule, 2)
    plan = plan_of(main, [v.name for v in main.list_vars() if v.name.startswith("g")], [])
    rows = [row.kernel for row in plan.listing().rows]
    assert len([each for each in rows if "sum" in each or each.startswith("update")]) == kernels, rows
    update = any(isinstance(v, UpdateByMeans) for v in plan._function(False, True).writer.scope.values())
    assert update is (kernels == 1)


def test_a_mean_that_is_fetched_is_computed() -> None:
    main, startup = build("sgd", 2)
    mean = next(op.output("Out")[0] for op in main.global_block().ops if op.type == "scale")
    scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    exe.run(startup, scope=scope)
    feed = {f"g{i}_{k}": np.full(shape, k + 1, "float32") for i, shape in enumerate(SHAPES) for k in range(2)}
    for _ in range(3):
        [found] = exe.run(main, feed=feed, fetch_list=[mean], scope=scope)
        np.testing.assert_array_equal(found, np.full(SHAPES[0], 0.75, "float32"))


def test_arrays_that_somebody_holds_stay_as_they_are(compiled: None) -> None:
    main, startup = build("sgd", 2)
    scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    exe.run(startup, scope=scope)
    feed = {f"g{i}_{k}": np.ones(shape, "float32") for i, shape in enumerate(SHAPES) for k in range(2)}
    exe.run(main, feed=feed, scope=scope)
    exe.run(main, feed=feed, scope=scope)
    held = scope.find_var("w0").get_tensor().array
    before = held.copy()
    exe.run(main, feed=feed, scope=scope)
    np.testing.assert_array_equal(held, before)
    assert (np.array(scope.find_var("w0").get_tensor()) != before).all()
    assert (feed["g0_0"] == 1).all()


def test_bytes_of_a_message_at_any_address_are_read(compiled: None) -> None:
    main, _ = build("sgd", 2)
    plan = plan_of(main, [v.name for v in main.list_vars() if v.name.startswith("g")], [])
    update = next(v for v in plan._function(False, True).writer.scope.values() if isinstance(v, UpdateByMeans))
    odd = [np.frombuffer(b"\0" * (1 + i) + np.full(4, 2.0, "float32").tobytes(), "float32", 4, 1 + i) for i in range(2)]
    assert not any(each.flags.aligned for each in odd)
    [[new]] = update([np.ones(4, "float32")], [tuple(odd)], [np.full(1, 0.5, "float32")], [])
    np.testing.assert_array_equal(new, np.zeros(4, "float32") + 1 - 0.5 * 0.25 * 4)
