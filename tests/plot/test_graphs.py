"""Graphs of Programs, Layers and tapes, flame graphs and traces: their nodes, edges and widths, and HTML that is well formed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    FileFormatError,
    GraphError,
    MissingFileError,
    ModeError,
)
from paddle_lite.core.views.graph import Graph
from paddle_lite.imperative.views.tape import tape_graph

from ..views.checker import complaints, texts


class Net(paddle.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.conv = paddle.nn.Conv2D(1, 4, 3, act="relu")
        self.top = paddle.nn.Linear(4 * 6 * 6, 2)

    def forward(self, x: Any) -> Any:
        return self.top(paddle.reshape(self.conv(x), [-1, 4 * 6 * 6]))


def image() -> Any:
    return paddle.to_tensor(np.ones([2, 1, 8, 8], "float32"))


def edges(graph: Graph) -> set[tuple[str, str]]:
    """The edges, by the first lines of their nodes."""
    named = {key: node.lines[0] for key, node in graph.nodes.items()}
    return {(named[a], named[b]) for a, b in graph.edges}


@pytest.fixture(autouse=True)
def programs() -> Iterator[None]:
    """New default Programs."""
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        yield


def test_a_program(tmp_path: Path) -> None:
    x = fluid.data("x<&>", [None, 4], "float32")
    loss = fluid.layers.mean(fluid.layers.fc(x, 3))
    fluid.optimizer.Adam(0.1).minimize(loss)
    found = paddle.plot.graph(fluid.default_main_program())
    assert complaints(found._repr_html_()) == []
    assert {"x<&>", "mul", "adam", "fp32 [-1, 4]"} <= set(texts(found.svg))
    assert "#0B5FA5" in found.svg, "gradients have a colour of their own"
    for suffix in ("svg", "html", "dot"):
        found.save(tmp_path / f"a.{suffix}")
    assert (tmp_path / "a.svg").read_text() == found.svg
    page = (tmp_path / "a.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    assert complaints(page.partition("\n")[2]) == []
    assert "digraph" in (tmp_path / "a.dot").read_text()
    with pytest.raises(ArgumentValueError, match=r"path got '.*a.png', needs a file such as picture.svg"):
        found.save(tmp_path / "a.png")


def test_blocks_of_loops_are_in_frames() -> None:
    i = fluid.layers.fill_constant([1], "int64", 0)
    end = fluid.layers.fill_constant([1], "int64", 3)
    more = fluid.layers.less_than(i, end)
    with fluid.layers.While(more).block():
        fluid.layers.increment(i)
        fluid.layers.less_than(i, end, cond=more)
    found = paddle.plot.graph(fluid.default_main_program())
    assert "block 1 in block 0" in texts(found.svg)
    assert complaints(found.svg) == []


def test_a_layer_is_a_tree_or_with_a_shape_the_flow_of_values() -> None:
    with paddle.imperative.guard():
        net = Net()
        tree, flow = paddle.plot.graph(net), paddle.plot.graph(net, [2, 1, 8, 8])
    assert {"(network)", "conv", "top"} <= set(texts(tree.svg))
    assert {"input", "conv", "reshape2", "[2, 2]"} <= set(texts(flow.svg))
    for found in (tree, flow):
        assert found.title == "Net"
        assert complaints(found._repr_html_()) == []


def test_the_tape_behind_a_variable() -> None:
    with paddle.imperative.guard():
        w, x = paddle.to_tensor([1.0, 2.0]), paddle.to_tensor([3.0, 4.0])
        w.stop_gradient = False
        w.name, x.name = "w", "x"
        a, b = paddle.split(w * x, 2)
        loss = paddle.mean(a + b * a)
        loss.name = "loss"
        graph = tape_graph(loss)
        assert graph is not None
        assert edges(graph) == {
            ("w", "elementwise_mul"), ("elementwise_mul", "split"), ("split", "elementwise_mul"), ("split", "elementwise_add"),
            ("elementwise_mul", "elementwise_add"), ("elementwise_add", "mean"), ("mean", "loss"),
        }  # fmt: skip
        assert graph.nodes["result"].lines == ("loss", "float32 [1]")
        found = paddle.plot.graph(loss)
        assert complaints(found._repr_html_()) == []
        loss.backward()
        with pytest.raises(GraphError, match="has been freed by backward"):
            paddle.plot.graph(loss)
        with pytest.raises(GraphError, match="nothing is recorded for w, which is a leaf"):
            paddle.plot.graph(w)
        with pytest.raises(GraphError, match="which has stop_gradient set"):
            paddle.plot.graph(x)


def test_the_tape_of_a_network_ends_at_its_parameters() -> None:
    with paddle.imperative.guard():
        net = Net()
        graph = tape_graph(paddle.mean(net(image())))
        assert graph is not None
        leaves = {node.lines[0] for key, node in graph.nodes.items() if all(head != key for _, head in graph.edges)}
        assert leaves == {p.name for p in net.parameters()}


def test_wrong_graphs() -> None:
    with pytest.raises(ArgumentTypeError, match="of got int 3, needs a Program, a Layer or a Variable"):
        paddle.plot.graph(3)
    with pytest.raises(ArgumentValueError, match=r"input_shape got list \[1\], needs None for a Program"):
        paddle.plot.graph(fluid.Program(), [1])


def bars(svg: str) -> dict[str, tuple[float, float]]:
    """Name -> (y, width) of the bars of a flame graph."""
    found = re.findall(r'<title>([^:<]+):[^<]*</title><rect x="[\d.]+" y="([\d.]+)" width="([\d.]+)"', svg)
    return {name: (float(y), float(width)) for name, y, width in found}


def test_a_flame_graph_shows_operators_inside_of_layers(tmp_path: Path) -> None:
    with paddle.imperative.guard():
        net = Net()
        with paddle.plot.profile(net) as found:
            paddle.mean(net(image())).backward()
        assert not net._forward_pre_hooks
    names = {event.name for event in found.recording.events}
    assert {"Net", "conv", "top", "conv2d", "reshape2", "mean", "conv2d_grad"} <= names
    assert next(e.inside for e in found.recording.events if e.name == "conv2d") == ("Net", "conv")
    picture = paddle.plot.flame_graph(found, "a step")
    assert complaints(picture._repr_html_()) == []
    assert found._repr_html_().startswith("<div")
    drawn = bars(picture.svg)
    assert drawn["all"][0] < drawn["Net"][0] < drawn["conv"][0]
    assert drawn["all"][1] == pytest.approx(960, abs=0.1)
    assert drawn["Net"][1] >= drawn["conv"][1] + drawn["top"][1] - 0.1
    assert {"a step", "Layers", "operators", "gradients"} <= set(texts(picture.svg))
    paddle.plot.chrome_trace(found, tmp_path / "trace.json")
    again = bars(paddle.plot.flame_graph(tmp_path / "trace.json").svg)
    assert again.keys() == drawn.keys()
    assert all(again[name] == pytest.approx(drawn[name], abs=0.1) for name in drawn)


def test_the_widths_of_bars_are_times(tmp_path: Path) -> None:
    events = [("a", 0, 60), ("b", 10, 20), ("b", 40, 10), ("c_grad", 60, 40)]
    trace = [{"name": n, "ph": "X", "pid": 0, "tid": 0, "ts": ts, "dur": dur} for n, ts, dur in events]
    other = [
        {"name": "send", "cat": "rpc", "ph": "X", "pid": 1, "tid": 0, "ts": 0, "dur": 60},
        {"ph": "M", "name": "x"},
    ]
    path = tmp_path / "trace"
    path.write_text(json.dumps({"traceEvents": [*trace, *other]}))
    picture = paddle.plot.flame_graph(path)
    found = bars(picture.svg)
    assert {name: round(width) for name, (_, width) in found.items()} == {
        "all": 960, "a": 360, "b": 180, "c_grad": 240, "send": 360,
    }  # fmt: skip
    assert found["b"][0] > found["a"][0] == found["c_grad"][0] == found["send"][0]
    assert "b: 0.03 ms, 2 calls, 18.8% of all" in picture.svg
    assert "a: 0.06 ms, 1 call, 37.5% of all, 0.03 ms of it itself" in picture.svg
    assert {"0.16 ms", "other processes"} <= set(texts(picture.svg))


def test_the_trace_of_fluids_profiler_is_a_flame_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "trace")
    with paddle.imperative.guard(), fluid.profiler.profiler("CPU", "total", path):
        paddle.mean(image())
    assert "mean" in bars(paddle.plot.flame_graph(path).svg)


def test_wrong_profiles(tmp_path: Path) -> None:
    with pytest.raises(ArgumentTypeError, match="profile got int 3, needs a Profile"):
        paddle.plot.flame_graph(3)
    with pytest.raises(ArgumentTypeError, match="profile got int 3, needs a Profile"):
        paddle.plot.chrome_trace(3, tmp_path / "x")
    with pytest.raises(MissingFileError, match="there is no"):
        paddle.plot.flame_graph(tmp_path / "none")
    (tmp_path / "x").write_text('{"a": 1}')
    with pytest.raises(FileFormatError, match="is no trace"):
        paddle.plot.flame_graph(tmp_path / "x")
    with pytest.raises(ModeError, match="nothing was recorded"), paddle.plot.profile() as found:
        paddle.plot.flame_graph(found)
    with pytest.raises(ArgumentTypeError, match="net got int 3"), paddle.plot.profile(3):  # type: ignore[arg-type]
        pass
    with paddle.plot.profile(), pytest.raises(ModeError, match="a profiler is on already"), paddle.plot.profile():
        pass
