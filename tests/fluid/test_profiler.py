"""fluid.profiler: what is measured in both modes, the table, the trace; nothing is asked of anybody while it is off."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentValueError, NonFiniteError, ShapeError
from paddle_lite.core.mode import now, state
from paddle_lite.core.profiling import recording as profiling
from paddle_lite.core.profiling import report as profile_report
from paddle_lite.fluid import profiler
from paddle_lite.imperative.backward import Passes
from paddle_lite.static.plan import observing


class Training:
    """A Program that trains, ready to run."""

    def __init__(self) -> None:
        main, startup = fluid.Program(), fluid.Program()
        with fluid.program_guard(main, startup), fluid.unique_name.guard():
            hidden = fluid.layers.fc(fluid.data("x", [None, 4], "float32"), 3)
            self.loss = fluid.layers.mean(fluid.layers.fc(hidden, 2))
            fluid.optimizer.SGD(0.1).minimize(self.loss)
        self.main, self.scope = main, fluid.Scope()
        self.executor = fluid.Executor(fluid.CPUPlace())
        self.executor.run(startup, scope=self.scope)

    def run(self, times: int = 1) -> None:
        feed = {"x": np.ones([2, 4], "float32")}
        for _ in range(times):
            self.executor.run(self.main, feed=feed, fetch_list=[self.loss], scope=self.scope)


@pytest.fixture
def training() -> Training:
    return Training()


@pytest.fixture(autouse=True)
def stopped() -> Any:
    yield
    profiling.set_active(None)


def rows(text: str) -> dict[str, list[str]]:
    """The table's rows: name -> cells."""
    lines = text[text.index("Event  ") :].splitlines()[1:]
    found = {}
    for line in lines:
        name, rest = re.match(r"( *\S+)\s+(.*)", line).groups()  # type: ignore[union-attr]
        found[name] = rest.split()
    return found


def test_a_program(training: Training, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with profiler.profiler("CPU", "calls", str(tmp_path / "trace")):
        training.run(5)
    text = capsys.readouterr().out
    assert "Place: CPU\nTime unit: ms\nSorted by number of calls in descending order in the same thread\n" in text
    found = rows(text)
    calls = {name: int(cells[0]) for name, cells in found.items()}
    assert calls["thread0::sgd"] == 20
    assert calls["thread0::mul"] == calls["thread0::mul_grad"] == calls["thread0::elementwise_add"] == 10
    assert calls["thread0::mean"] == 5
    assert list(calls.values()) == sorted(calls.values(), reverse=True)
    assert sum(float(cells[-1]) for cells in found.values()) == pytest.approx(1, abs=1e-3)
    trace = json.loads((tmp_path / "trace").read_text())
    measured = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    assert len(measured) == sum(calls.values())
    assert {"name", "ph", "pid", "tid", "ts", "dur"} <= set(measured[0])
    assert [event["ts"] for event in measured] == sorted(event["ts"] for event in measured)


def test_imperative_mode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with fluid.dygraph.guard(), profiler.profiler("CPU", "total", str(tmp_path / "trace")):
        layer = fluid.dygraph.Linear(4, 3)
        loss = fluid.layers.mean(layer(fluid.dygraph.to_variable(np.ones([2, 4], "float32"))))
        loss.backward()
    found = rows(capsys.readouterr().out)
    names = {"matmul", "elementwise_add", "mean", "matmul_grad", "elementwise_add_grad", "mean_grad"}
    assert {f"thread0::{name}" for name in names} <= set(found)
    totals = [float(cells[1]) for cells in found.values()]
    assert totals == sorted(totals, reverse=True)


def test_nothing_is_left_on() -> None:
    with fluid.dygraph.guard():
        assert (now().entered.redirect, Passes.observers, observing.active) == (None, (), [])
        profiler.start_profiler("CPU")
        assert now().entered.redirect is not None
        assert len(Passes.observers) == len(observing.active) == 1
        before = state.mode
        with fluid.dygraph.guard():
            profiling.set_active(None)
            assert (now().entered.redirect, Passes.observers, observing.active) == (None, (), [])
        assert state.mode is before  # what the block put back
        fluid.layers.relu(fluid.dygraph.to_variable(np.ones([2], "float32")))
        assert now().entered.redirect is None


@pytest.mark.parametrize("profiler_first", [True, False])
def test_beside_the_search_for_nan(profiler_first: bool) -> None:
    """Whichever is switched on first, and whichever off, the other goes on."""
    switches = [
        (lambda: profiler.start_profiler("CPU"), lambda: profiling.set_active(None)),
        (
            lambda: fluid.set_flags({"FLAGS_check_nan_inf": True}),
            lambda: fluid.set_flags({"FLAGS_check_nan_inf": False}),
        ),
    ]
    first, second = switches if profiler_first else reversed(switches)
    with fluid.dygraph.guard():
        zero = fluid.dygraph.to_variable(np.zeros([2], "float32"))
        try:
            first[0]()
            second[0]()
            assert profiling.Active.recording is not None
            with pytest.raises(NonFiniteError):
                fluid.layers.log(zero)
            assert [event.name for event in profiling.Active.recording.events] == ["log"]
            first[1]()
            if profiler_first:
                with pytest.raises(NonFiniteError):
                    fluid.layers.log(zero)
            else:
                fluid.layers.log(zero)
                assert len(profiling.Active.recording.events) == 2
        finally:
            for _, off in switches:
                off()
        assert (now().entered.redirect, Passes.observers, observing.active) == (None, (), [])


def test_it_may_start_before_imperative_mode(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    profiler.start_profiler("CPU")
    with fluid.dygraph.guard():
        fluid.layers.relu(fluid.dygraph.to_variable(np.ones([2], "float32")))
    profiler.stop_profiler(profile_path=str(tmp_path / "trace"))
    assert list(rows(capsys.readouterr().out)) == ["thread0::relu"]


def test_reset_and_second_calls(training: Training, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = str(tmp_path / "trace")
    profiler.reset_profiler()
    profiler.stop_profiler("total", path)
    assert (capsys.readouterr().out, list(tmp_path.iterdir())) == ("", [])
    profiler.start_profiler("CPU")
    training.run(3)
    profiler.start_profiler("All", "OpDetail")  # is on already
    profiler.reset_profiler()
    training.run()
    profiler.stop_profiler(None, path)
    text = capsys.readouterr().out
    assert "Place: CPU" in text
    assert "Sorted by event first end time in" in text
    assert next(iter(rows(text))) == "thread0::mul"
    assert rows(text)["thread0::mul"][0] == "2"


def test_details(training: Training, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with profiler.profiler("All", "ave", str(tmp_path / "trace"), "AllOpDetail"):
        training.run(2)
    text = capsys.readouterr().out
    assert "CPU Time (Ratio)        GPU Time (Ratio)        " in text
    found = rows(text)
    assert found["thread0::mul"][0] == "4"
    assert [found[f"  mul{i}"][0] for i in (0, 1)] == ["2", "2"]
    assert found["thread0::mul"][3:6] == ["(1.000000)", "0.000000", "(0.000000)"]


def test_on_the_gpu_only_counts_no_cpu(training: Training, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    with profiler.profiler("GPU", "max", str(tmp_path / "trace")):
        training.run()
    text = capsys.readouterr().out
    assert "Place: CUDA" in text
    assert text.endswith("Event   Calls       Total       Min.        Max.        Ave.        Ratio.      \n")


def test_an_error_leaves_the_order_of_things(training: Training) -> None:
    recording = profiling.Recording("CPU", "Default")
    profiling.set_active(recording)
    with pytest.raises(ShapeError):
        training.executor.run(training.main, feed={"x": np.ones([2, 5], "float32")}, scope=training.scope)
    training.run()
    assert {event.inside for event in recording.events} == {()}
    with fluid.dygraph.guard(), pytest.raises(ShapeError):
        x = fluid.dygraph.to_variable(np.ones([2, 3], "float32"))
        fluid.layers.matmul(x, x)
    assert recording.events[-1].name == "matmul"


def test_operators_inside_of_others() -> None:
    recording = profiling.Recording("CPU", "OpDetail")
    for name, start, end, inside in (
        ("relu", 0, 1_000_000, ("while",)),
        ("while", 0, 3_000_000, ()),
        ("relu", 4_000_000, 5_000_000, ()),
    ):
        recording.events.append(profiling.Event(name, start, end, 0, inside, "cpu", ""))
    text = profile_report.table(recording, "total")
    assert [line.split("  ")[0] for line in text.splitlines()[-3:]] == ["thread0::while", "", "thread0::relu"]
    assert rows(text)["  relu"][:2] == ["1", "1"]
    assert "Total time: 4\n" in text
    recording.tracer_option = "Default"
    assert list(rows(profile_report.table(recording, "total"))) == ["thread0::while", "thread0::relu"]


TABLE = """
------------------------->     Profiling Report     <-------------------------

Place: CPU
Time unit: ms
Sorted by total time in descending order in the same thread

Total time: 2

-------------------------       Event Summary       -------------------------

Event                   Calls       Total       Min.        Max.        Ave.        Ratio.
thread0::relu           1           1.5         1.5         1.5         1.5         0.75
thread0::softmax        2           0.5         0.125       0.375       0.25        0.25"""


def test_the_layout_is_paddles() -> None:
    recording = profiling.Recording("CPU", "Default")
    for name, length in (("softmax", 375_000), ("softmax", 125_000), ("relu", 1_500_000)):
        recording.events.append(profiling.Event(name, 0, length, 0, (), "cpu", ""))
    lines = profile_report.table(recording, "total").splitlines()
    assert "\n".join(line.rstrip() for line in lines) == TABLE
    assert len({len(line) for line in lines[-3:]}) == 1
    for key, first in (("calls", "softmax"), ("max", "relu"), ("min", "relu"), ("ave", "relu"), (None, "softmax")):
        assert next(iter(rows(profile_report.table(recording, key)))) == f"thread0::{first}", key


def test_wrong_arguments(tmp_path: Path) -> None:
    with pytest.raises(ArgumentValueError, match="state got 'TPU', needs one of"):
        profiler.start_profiler("TPU")
    with pytest.raises(ArgumentValueError, match="tracer_option got 'All', needs one of"):
        profiler.start_profiler("CPU", "All")
    with (
        pytest.raises(ArgumentValueError, match="sorted_key got 'mean', needs None or one of"),
        profiler.profiler("CPU", "mean"),
    ):
        pytest.fail("the block ran")
    assert profiling.Active.recording is None
    profiler.start_profiler("CPU")
    with pytest.raises(ArgumentValueError, match="sorted_key got 'mean'"):
        profiler.stop_profiler("mean")
    assert profiling.Active.recording is not None
    with pytest.raises(ArgumentValueError, match="output_mode got 'json'"), profiler.cuda_profiler("file", "json"):
        pytest.fail("the block ran")
