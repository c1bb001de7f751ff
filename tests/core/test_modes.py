"""The protocol of modes: one small program for each verb gives the same numbers in all modes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ModeError
from paddle_lite.core.host import to_host
from paddle_lite.core.mode import (
    ByMode,
    Mode,
    change,
    loaders,
    now,
    require_imperative,
    require_program,
    state,
    switched,
    using,
)
from paddle_lite.core.place import CPUPlace
from paddle_lite.imperative.checking import CheckingMode
from paddle_lite.imperative.gpu import GpuMode
from paddle_lite.imperative.mode import ImperativeMode, without
from paddle_lite.imperative.timing import TimingMode
from paddle_lite.jit.tracing import TracingMode
from paddle_lite.layers.support.write_into import run
from paddle_lite.ops.math.arithmetic import scale
from paddle_lite.params.initializer import Constant
from paddle_lite.static.mode.static_mode import StaticMode, static_mode
from tests.gpu.on_stand_in import on_stand_in

INPUT = np.array([[1.0, -2.0, 3.0], [4.0, 0.5, -6.0]], "float32")
Program = Callable[[Any], list[Any]]


def call_an_operator(x: Any) -> list[Any]:
    return [fluid.layers.relu(x), x * 2.0 - 1.0, -x, x[1:], fluid.layers.split(x, 3, dim=1)[1]]


def make_constants(x: Any) -> list[Any]:
    return [x + state.mode.constant(INPUT), fluid.layers.cast(state.mode.constant(INPUT[:1] > 0), "int64")]


def make_a_parameter(x: Any) -> list[Any]:
    weight = fluid.layers.create_parameter([3, 2], "float32", default_initializer=Constant(0.5))
    assert weight.persistable and not weight.stop_gradient
    return [fluid.layers.matmul(x, weight)]


def write_into_a_variable(x: Any) -> list[Any]:
    target = fluid.layers.fill_constant([2, 3], "float32", 0.0)
    run(scale, x, into={"Out": target}, scale=3.0)
    kept = fluid.layers.assign(x)
    run(scale, x, carry={"Out": kept}, scale=4.0)
    return [target, kept]


def append_an_operator(x: Any) -> list[Any]:
    out = state.mode.empty_variable(None, key="made.tmp", dtype="float32")
    state.mode.append_op("scale", {"X": [x]}, {"Out": [out]}, {"scale": -1.0}, stop_gradient=False)
    return [out]


def fill_a_variable(x: Any) -> list[Any]:
    made = state.mode.empty_variable("filled", outermost=True, persistable=True, dtype="float32", shape=[3])
    state.mode.initialise(made, Constant(2.5))
    return [x + made]


def loop(x: Any) -> list[Any]:
    i, limit = fluid.layers.fill_constant([1], "int64", 0), fluid.layers.fill_constant([1], "int64", 3)
    return list(fluid.layers.while_loop(lambda i, x: i < limit, lambda i, x: [i + 1, x * 2.0], [i, x]))


def branch(x: Any) -> list[Any]:
    total = fluid.layers.reduce_sum(x)
    yes = fluid.layers.cond(total > 0.0, lambda: x + 1.0, lambda: x - 1.0)
    no = fluid.layers.cond(total > 100.0, lambda: x + 1.0, lambda: x - 1.0)
    index = fluid.layers.fill_constant([1], "int32", 2)
    chosen = fluid.layers.switch_case(index, {1: lambda: x, 2: lambda: x * 5.0})
    other = fluid.layers.switch_case(index, [lambda: x], default=lambda: x * 7.0)
    return [yes, no, chosen, other]


def use_an_array(x: Any) -> list[Any]:
    places = [fluid.layers.fill_constant([1], "int64", n) for n in range(2)]
    array = fluid.layers.array_write(x, places[0])
    fluid.layers.array_write(x * 3.0, places[1], array)
    joined, sizes = fluid.layers.tensor_array_to_tensor(array, axis=1)
    return [fluid.layers.array_read(array, places[1]), joined, sizes]


PROGRAMS: list[Program] = [
    call_an_operator, make_constants, make_a_parameter, write_into_a_variable, append_an_operator, fill_a_variable, loop, branch,
    use_an_array,
]  # fmt: skip


def numbers(results: list[Any]) -> list[np.ndarray]:
    return [np.array(to_host(v.array)) for v in results]


def imperative(program: Program) -> list[np.ndarray]:
    with fluid.dygraph.guard():
        return numbers(program(fluid.dygraph.to_variable(INPUT)))


def on_gpu(program: Program) -> list[np.ndarray]:
    """The GPU's mode with a stand-in for CuPy."""
    with on_stand_in() as gpu, switched(GpuMode(), fluid.CUDAPlace(0), gpu), fluid.unique_name.guard():
        return numbers(program(fluid.dygraph.to_variable(INPUT)))


@contextmanager
def observed(mode: ImperativeMode) -> Iterator[None]:
    with switched(mode, CPUPlace(), np), fluid.unique_name.guard():
        yield


def checked(program: Program) -> list[np.ndarray]:
    with observed(TimingMode(CheckingMode(ImperativeMode()))):
        return numbers(program(fluid.dygraph.to_variable(INPUT)))


def traced(program: Program) -> list[np.ndarray]:
    """What the traced Program computes again, if Python has read no value."""
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(INPUT)
        tracing = TracingMode(state.mode, [x])
        with using(tracing):
            results = program(x)
        found = [tracing.of(v) for v in results]
        tracing.finish()
        place = fluid.CPUPlace()
    again = fluid.Executor(place).run(tracing.program, {tracing.inputs[0].name: INPUT}, found, scope=tracing.scope)
    for first, second in zip(numbers(results), again, strict=True):
        np.testing.assert_array_equal(first, second)
    return again


def static(program: Program) -> list[np.ndarray]:
    main, startup = fluid.Program(), fluid.Program()
    with switched(static_mode, CPUPlace(), None), fluid.unique_name.guard(), fluid.program_guard(main, startup):
        fetches = program(fluid.data("x", [2, 3], "float32"))
    assert main.lint() == []
    with fluid.scope_guard(fluid.Scope()):
        executor = fluid.Executor(fluid.CPUPlace())
        executor.run(startup)
        return executor.run(main, {"x": INPUT}, fetches)


@pytest.mark.filterwarnings("ignore:TracedLayer.trace:UserWarning")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("mode", [on_gpu, checked, traced, static], ids=lambda f: f.__name__)
def test_each_mode_gives_the_same(mode: Callable[[Program], list[np.ndarray]], program: Program) -> None:
    expected = imperative(program)
    found = mode(program)
    assert len(found) == len(expected) > 0
    for ours, theirs in zip(found, expected, strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours.reshape(theirs.shape), theirs)


def test_each_mode_has_each_verb() -> None:
    verbs = Mode.__abstractmethods__
    assert {"call", "call_into", "constant", "parameter", "while_loop", "cond"} <= verbs
    for kind in (ImperativeMode, StaticMode):
        assert not kind.__abstractmethods__
        assert all(verb in vars(kind) for verb in verbs)
    for kind in (GpuMode, CheckingMode, TimingMode, TracingMode):
        assert issubclass(kind, ImperativeMode) and "call" in vars(kind)


def test_only_plain_imperative_mode_runs_compiled_calls_by_themselves() -> None:
    plain = ImperativeMode()
    assert plain.redirect is None and not plain.sees_calls
    for mode in (static_mode, GpuMode(), CheckingMode(ImperativeMode())):
        assert mode.redirect == mode.call and mode.sees_calls


def test_an_observer_is_taken_off_from_between_others() -> None:
    plain = ImperativeMode()
    mode = TimingMode(CheckingMode(plain))
    assert without(mode, CheckingMode) is mode and mode.inner is plain
    assert without(mode, TimingMode) is plain


def test_a_failing_call_leaves_the_observer_in_place() -> None:
    mode = CheckingMode(ImperativeMode())
    with observed(mode):
        with pytest.raises(TypeError, match=r"scale_\(\) missing 1 required positional argument: 'X'"):
            scale.call()
        with pytest.raises(Exception, match="scale"):
            scale.call("text")
        assert state.mode is mode


def test_a_mode_is_left_with_everything_that_belongs_to_it() -> None:
    before = (state.mode, state.place, state.xp, state.training)
    with switched(GpuMode(), fluid.CUDAPlace(0), np):
        change(training=False)
        assert now().entered.redirect is not None
    assert (state.mode, state.place, state.xp, state.training) == before


def test_the_implementation_for_the_mode() -> None:
    verb = ByMode(imperative=lambda n: ("now", n), static=lambda n: ("later", n))
    with fluid.dygraph.guard():
        assert verb(1) == ("now", 1)
    with switched(static_mode, CPUPlace(), None):
        assert verb(n=2) == ("later", 2)


def test_requirements() -> None:
    with fluid.dygraph.guard():
        require_imperative("this")
        with pytest.raises(ModeError, match="only in Programs"):
            require_program("only in Programs")
    with switched(static_mode, CPUPlace(), None):
        require_program("this")
        with pytest.raises(ModeError, match="that: runs, and needs imperative mode"):
            require_imperative("that", "runs, and ")


def python(code: str) -> list[str]:
    """What another process prints."""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run([sys.executable, "-c", code], cwd=root, check=True, capture_output=True, text=True)
    return done.stdout.split()


def test_a_program_needs_neither_imperative_mode_nor_compiled_calls() -> None:
    code = """
import sys
import paddle_lite.static as static
from paddle_lite.core.mode import state
from paddle_lite.core import generated
from paddle_lite.ops.framework import registry, spec
from paddle_lite.ops.nn.activation import relu
from paddle_lite.ops.math.arithmetic import mean
x = static.data("x", [None, 3])
loss = mean.call(relu.call(x * 2.0 + 1.0))
assert [op.type for op in loss.block.ops] == ["scale", "scale", "relu", "mean"]
print(*[m for m in sys.modules if m.startswith("paddle_lite.imperative")])
print(*[op.type for op in registry._ops.values() if type(op.call) is not spec.FirstCall])
print("compile_call" in " ".join(sys.modules))
"""
    assert python(code) == ["False"]


def test_importing_the_package_loads_no_mode() -> None:
    code = "import sys, paddle_lite; print(*[m for m in sys.modules if 'static' in m or 'imperative' in m])"
    assert python(code) == []
    assert next(iter(loaders)) == "static"
    assert loaders["static"]() is static_mode
