"""Programs and tapes of many operators, and declared functions of many statements."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid import layers
from paddle_lite.static import plan_of

from .subject import Phases, subject

OPERATORS = (10, 100, 1000, 10_000, 100_000)
FEED = {"x": np.full((2, 8), 0.5, "float32")}


@subject("operators", OPERATORS)
def chain(size: int, phases: Phases) -> None:
    """a Program, one operator after the other"""

    def network() -> Any:
        x = fluid.data("x", [2, 8])
        y = layers.fc(x, 8)
        for _ in range(size // 2):
            y = layers.relu(layers.elementwise_add(y, x))
        return layers.mean(y)

    _program(network, phases)


@subject("operators", OPERATORS[:-1])
def parameters(size: int, phases: Phases) -> None:
    """a Program, operators with a parameter each"""

    def network() -> Any:
        x = fluid.data("x", [2, 8])
        return layers.mean(layers.sums([layers.fc(x, 8) for _ in range(max(1, size // 2))]))

    _program(network, phases)


@subject("operators", OPERATORS[:-1])
def one_read_often(size: int, phases: Phases) -> None:
    """a Program, operators that all read one Variable"""

    def network() -> Any:
        y = hidden = layers.fc(fluid.data("x", [2, 8]), 8)
        for scaled in [layers.scale(hidden, float(k)) for k in range(size // 2)]:
            y = layers.elementwise_mul(y, scaled)
        return layers.mean(y)

    _program(network, phases)


@subject("branches", (1, 10, 100, 1000))
def branches(size: int, phases: Phases) -> None:
    """a Program with branches"""

    def network() -> Any:
        hidden = layers.fc(fluid.data("x", [2, 8]), 8)
        for _ in range(size):
            small = layers.less_than(layers.mean(hidden), layers.fill_constant([1], "float32", 1.0))
            hidden = layers.cond(small, lambda: layers.scale(hidden, 0.5), lambda: layers.scale(hidden, 1.5))  # noqa: B023
        return layers.mean(hidden)

    _program(network, phases)


def _program(network: Any, phases: Phases) -> None:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    executor = fluid.Executor(fluid.CPUPlace())
    with fluid.program_guard(main, startup), fluid.unique_name.guard(), fluid.scope_guard(scope):
        loss = phases.time("build", network)
        phases.time("minimize", lambda: fluid.optimizer.SGD(0.1).minimize(loss))
        executor.run(startup)
        phases.time("clone", main.clone)
        phases.time("prune", lambda: main._prune([loss]))
        text = phases.time("write", main.desc.serialize_to_string)
        phases.time("read", lambda: fluid.Program.parse_from_string(text))
        with tempfile.TemporaryDirectory() as folder:
            phases.time("save", lambda: fluid.io.save_persistables(executor, folder, main, filename="all"))
            phases.time("load", lambda: fluid.io.load_persistables(executor, folder, main, filename="all"))
        before = fluid.get_flags(["FLAGS_plan_passes"])
        fluid.set_flags({"FLAGS_plan_passes": "-fuse,-chains,-loops"})  # these compile kernels, each once
        try:
            phases.time("plan", lambda: plan_of(main, FEED, [loss]).source)
            for phase in ("first run", "second run", "a later run"):
                phases.time(phase, lambda: executor.run(main, feed=FEED, fetch_list=[loss]))
        finally:
            fluid.set_flags(before)


@subject("operators", OPERATORS)
def tape(size: int, phases: Phases) -> None:
    """an imperative tape"""
    with fluid.dygraph.guard():
        x = fluid.dygraph.to_variable(np.ones((2, 2), "float32"))
        x.stop_gradient = False

        def forward() -> Any:
            y = x
            for _ in range(size // 2):
                y = layers.relu(layers.elementwise_add(y, x))
            return layers.reduce_sum(y)

        loss = phases.time("forward", forward)
        phases.time("backward", loss.backward)
        again = forward()
        phases.time("grad", lambda: fluid.dygraph.grad(again, x))


@subject("statements", (10, 100, 1000))
def declared(size: int, phases: Phases) -> None:
    """a declared function, a fifth of its statements branches"""
    lines = ["def f(x):"]
    for k in range(size):
        step = f"    x = fluid.layers.relu(x + {k}.0)"
        lines += [f"    if x.shape[0] > {k}:", "    " + step] if k % 5 == 0 else [step]
    source = "from paddle_lite import fluid\n\n\n@fluid.dygraph.jit.declarative\n" + "\n".join(
        [*lines, "    return x\n"]
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"declared_{size}.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        with fluid.dygraph.guard():
            x = fluid.dygraph.to_variable(np.ones((2, 2), "float32"))
            for phase in ("first call", "second call", "third call"):
                phases.time(phase, lambda: module.f(x))
