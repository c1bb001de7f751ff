"""BuildStrategy: which fields switch the passes of Plans, and which say that they have no effect."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentValueError
from paddle_lite.static import plan_of
from paddle_lite.static.execution.strategies import PASSES_OF, _Options
from paddle_lite.static.plan.passes import PASSES
from tests.static.passes import passes

X = np.random.RandomState(3).rand(4, 6).astype("float32")
SWITCHES = sorted(PASSES_OF)


def strategy(**fields: Any) -> fluid.BuildStrategy:
    made = fluid.BuildStrategy()
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def compiled(**fields: Any) -> fluid.CompiledProgram:
    return fluid.CompiledProgram(fluid.default_main_program(), strategy(**fields))


def network() -> Any:
    """A loss with what every kind of pass has something to do on."""
    x = fluid.data("x", [None, 6], "float32")
    hidden = fluid.layers.fc(fluid.layers.reshape(x, [-1, 6]), 6, act="sigmoid")
    return fluid.layers.mean(fluid.layers.tanh(hidden) * hidden)


def kinds(program: Any, loss: Any) -> set[str]:
    """How units of a Plan run."""
    return {row.kernel.partition(":")[0] for row in plan_of(program, ["x"], [loss]).listing().rows if ":" in row.kernel}


@pytest.mark.parametrize("name", SWITCHES)
def test_fields_name_passes_that_there_are(name: str) -> None:
    assert PASSES_OF[name] <= PASSES.keys()
    assert hasattr(fluid.BuildStrategy(), name)


@pytest.mark.parametrize("value", [True, False], ids=str)
@pytest.mark.parametrize("name", [*SWITCHES, "memory_optimize", "enable_sequential_execution", "cache_runtime_context"])
def test_no_warning_for_what_is_of_effect_or_done_anyway(name: str, value: bool) -> None:
    _Options._told.discard(f"BuildStrategy.{name}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        strategy(**{name: value})
    idle = name == "memory_optimize" and value is False
    assert bool(caught) == idle
    assert all("values are freed after their last use in any case" in str(each.message) for each in caught)


@pytest.mark.parametrize(
    ("fields", "off", "at_once"),
    [
        ({"fuse_all_optimizer_ops": False}, {"updates"}, set()),
        ({"fuse_elewise_add_act_ops": False}, {"fuse", "epilogue"}, set()),
        ({"fuse_elewise_add_act_ops": False, "fuse_bn_act_ops": True}, {"epilogue"}, {"fuse"}),
        ({"enable_inplace": False}, {"copies", "shapes"}, set()),
    ],
    ids=["updates", "pointwise", "one field yes, one no", "in place"],
)
def test_what_fields_say_of_passes(fields: dict[str, bool], off: set[str], at_once: set[str]) -> None:
    assert strategy(**fields).pass_selection() == (off, at_once)
    assert strategy().pass_selection() is None


def test_a_field_that_is_false_leaves_its_passes_out() -> None:
    loss = network()
    with passes():
        assert kinds(compiled(), loss) == kinds(fluid.default_main_program(), loss) == {"dot", "fused", "view"}
        assert kinds(compiled(fuse_elewise_add_act_ops=False), loss) == {"dot", "view"}
        assert kinds(compiled(enable_inplace=False), loss) == {"dot", "fused"}


def test_what_the_flag_leaves_out_stays_out() -> None:
    loss = network()
    with passes("-fuse"):
        assert kinds(compiled(fuse_elewise_add_act_ops=True), loss) == {"dot", "view"}


def runs_until_fused(program: Any, loss: Any) -> int:
    """After how many runs the Plan calls a fused kernel."""
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    feed = {"x": X}
    plan = plan_of(program, feed, [loss])
    for count in range(1, 10):
        exe.run(program, feed=feed, fetch_list=[loss])
        if (False, True) in plan._written:
            return count
    raise AssertionError("never")


def test_a_field_that_is_true_does_not_wait_for_the_warm_up() -> None:
    loss = network()
    with passes(warm_up=3):
        assert runs_until_fused(compiled(), loss) == 5  # one checked, three without kernels of its own
        assert runs_until_fused(compiled(fuse_elewise_add_act_ops=True), loss) == 2
        assert runs_until_fused(compiled(fuse_all_optimizer_ops=True), loss) == 5


def test_a_strategy_and_a_flag_have_plans_of_their_own_and_the_same_results() -> None:
    loss = network()
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    main = fluid.default_main_program()
    found = []
    for which in ("all", "none"):
        with passes(which):
            for program in (main, compiled(), compiled(fuse_elewise_add_act_ops=False)):
                found += [exe.run(program, feed={"x": X}, fetch_list=[loss])[0] for _ in range(3)]
    assert {plan.passes for plan in main._plans.values()} == {
        frozenset(),
        frozenset(PASSES),
        frozenset(PASSES) - {"fuse", "epilogue"},
    }
    np.testing.assert_allclose(np.concatenate(found), found[0][0], rtol=1e-6)


def updates_together(**fields: Any) -> list[bool]:
    """Whether the Plans that update parameters on two places do so by one kernel."""
    with (
        fluid.program_guard(fluid.Program(), fluid.Program()),
        fluid.scope_guard(fluid.Scope()),
        fluid.unique_name.guard(),
    ):
        x = fluid.data("x", [None, 80], "float32")
        loss = fluid.layers.mean(fluid.layers.fc(fluid.layers.fc(x, 80), 80))
        fluid.optimizer.SGD(0.1).minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        program = fluid.CompiledProgram(fluid.default_main_program())
        program = program.with_data_parallel(loss.name, build_strategy=strategy(**fields), places=2)
        exe.run(program, feed={"x": np.ones([4, 80], "float32")}, fetch_list=[loss])
        assert program._parallel is not None
        _, once, *_ = program._parallel._split_program(2)
        return ["update: sgd x 4" in str(plan.listing()) for plan in once._plans.values()]


def test_places_go_by_the_strategy_too() -> None:
    with passes():
        assert updates_together() == [True]
        assert updates_together(fuse_all_optimizer_ops=False) == [False]


def test_a_pass_that_there_is_not_is_refused_and_changes_nothing() -> None:
    before = fluid.get_flags("FLAGS_plan_passes")
    with pytest.raises(
        ArgumentValueError, match="FLAGS_plan_passes got '-unheard', needs all, none, or some of updates, "
    ):
        fluid.set_flags({"FLAGS_plan_passes": "-unheard"})
    assert fluid.get_flags("FLAGS_plan_passes") == before
