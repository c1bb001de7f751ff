"""Runs with `use_prune`: only what fetches and updates of parameters need, in one place and in several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError

X = np.ones([4, 2], "float32")


def _two_losses() -> tuple[Any, Any]:
    y = fluid.layers.fc(fluid.data("x", [None, 2], "float32"), 2, param_attr="w")
    first, second = fluid.layers.mean(y), fluid.layers.mean(fluid.layers.scale(y, 2.0))
    first.persistable = second.persistable = True
    return first, second


def _found(name: str) -> Any:
    return fluid.global_scope().find_var(name)


@pytest.fixture
def exe() -> Any:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        yield fluid.Executor(fluid.CPUPlace())


@pytest.mark.parametrize("trained", [False, True])
@pytest.mark.parametrize("parallel", [False, True])
def test_what_is_not_needed_is_not_computed(exe: fluid.Executor, parallel: bool, trained: bool) -> None:
    first, second = _two_losses()
    if trained:
        fluid.optimizer.SGD(0.5).minimize(first)
    exe.run(fluid.default_startup_program())
    before = np.array(_found("w").get_tensor())
    program: Any = fluid.default_main_program()
    if parallel:
        program = fluid.CompiledProgram(program).with_data_parallel(first.name, places=[fluid.CPUPlace()] * 2)
    exe.run(program, feed={"x": X}, fetch_list=[first], use_prune=True)
    assert _found(second.name) is None
    assert (np.array(_found("w").get_tensor()) == before).all() != trained
    exe.run(program, feed={"x": X}, fetch_list=[first])
    assert _found(second.name) is not None


def test_one_of_two_updates_on_several_places(exe: fluid.Executor) -> None:
    losses = []
    for name in "ab":
        x = fluid.data(f"x_{name}", [None, 2], "float32")
        losses.append(fluid.layers.mean(fluid.layers.fc(x, 2, param_attr=name)))
    updates = [fluid.optimizer.SGD(0.5).minimize(loss) for loss in losses]
    exe.run(fluid.default_startup_program())
    before = {name: np.array(_found(name).get_tensor()) for name in "ab"}
    compiled = fluid.CompiledProgram(fluid.default_main_program())
    compiled.with_data_parallel(losses[0].name, places=[fluid.CPUPlace()] * 2)
    exe.run(compiled, feed=[{"x_a": X[:2]}, {"x_a": X[2:]}], fetch_list=[losses[0], updates[0]])
    after = {name: np.array(_found(name).get_tensor()) for name in "ab"}
    np.testing.assert_allclose(after["a"], before["a"] - 0.25, rtol=1e-6)
    np.testing.assert_array_equal(after["b"], before["b"])


def test_the_part_of_a_program_is_made_once(exe: fluid.Executor, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = _two_losses()
    calls = []

    def watched(self: Any, program: Any, feed: Any, fetch_list: Any, optimize_ops: Any) -> Any:
        calls.append((sorted(feed), list(fetch_list), list(optimize_ops)))
        return original(self, program, feed, fetch_list, optimize_ops)

    original = fluid.Executor._prune_program
    monkeypatch.setattr(fluid.Executor, "_prune_program", watched)
    exe.run(fluid.default_startup_program())
    for _ in range(3):
        exe.run(feed={"x": X}, fetch_list=[first], use_prune=True)
    assert calls == [(["x"], [first.name], [])]
    fluid.layers.relu(second)
    exe.run(feed={"x": X}, fetch_list=[first], use_prune=True)
    assert len(calls) == 2
    part = exe._prune_program(fluid.CompiledProgram(fluid.default_main_program()), {"x": X}, [first], [])
    assert [op.type for op in part.global_block().ops] == ["mul", "elementwise_add", "mean"]


def test_compile_checks_scope_place_and_what_shares_parameters(exe: fluid.Executor) -> None:
    _two_losses()
    main, place, scope = fluid.default_main_program(), fluid.CPUPlace(), fluid.global_scope()
    compiled = fluid.CompiledProgram(main)
    assert compiled._compile(scope, place) is compiled is compiled._compile(scope, fluid.CPUPlace())
    with pytest.raises(ArgumentValueError, match="scope"):
        compiled._compile(fluid.Scope(), place)
    with pytest.raises(ArgumentValueError, match="place"):
        compiled._compile(scope, fluid.CUDAPlace(0))
    other = fluid.CompiledProgram(main).with_data_parallel(share_vars_from=compiled)
    with pytest.raises(ArgumentValueError, match="one for a single place"):
        other._compile(scope, place)
    parallel = fluid.CompiledProgram(main).with_data_parallel(places=[place])
    other = fluid.CompiledProgram(main).with_data_parallel(share_vars_from=parallel, places=[place])
    with pytest.raises(ArgumentValueError, match="has not run"):
        other._compile(scope, place)
    exe.run(fluid.default_startup_program())
    exe.run(parallel, feed={"x": X}, fetch_list=[])
    assert other._compile(scope, place) is other
