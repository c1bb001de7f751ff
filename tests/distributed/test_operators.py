"""The operators that a DistributeTranspiler appends, with stand-ins for the servers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentValueError, EnforceNotMet, IndexRangeError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.distributed.rpc.client import Servers
from paddle_lite.static.operators import peers as of_process


class Fakes:
    """Servers that hold a table, whose row i is [i, i], and note what is sent."""

    background: Any = None

    def __init__(self) -> None:
        self.sent: list[tuple] = []

    def send(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        self.sent += [
            (n, np.array(getattr(v, "values", v)), e) for n, v, e in zip(names, values, endpoints, strict=True)
        ]

    def notify(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        self.sent.append((names, [np.array(v).tolist() for v in values], list(endpoints), trainer_id))

    def look_up(self, ids: Any, tables: Any, endpoints: Any, heights: Any) -> Any:
        assert (np.diff(ids) > 0).all()
        return np.repeat(ids[:, None], 2, 1).astype("float32")


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    made = Fakes()
    monkeypatch.setattr(of_process._Current, "peers", made)
    return made


def run(build: Any, feed: dict) -> list[np.ndarray]:
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        fetches = build(main.global_block())
    return fluid.Executor(fluid.CPUPlace()).run(main, feed=feed, fetch_list=fetches)


@pytest.mark.parametrize("ids", [[[3], [0], [3]], np.zeros((0, 1), "int64")])
def test_a_look_up_asks_for_each_id_once(fakes: Fakes, ids: Any) -> None:
    def build(block: Any) -> list:
        words, table = fluid.data("ids", [None, 1], "int64"), fluid.data("table", [5, 2], "float32")
        out = block.create_var(name="out", dtype="float32")
        attrs = {"table_names": ["t"], "endpoints": ["a:1"], "height_sections": [5], "padding_idx": 0}
        block.append_op("distributed_lookup_table", {"Ids": [words], "W": [table]}, {"Outputs": [out]}, attrs)
        return [out]

    ids = np.array(ids, "int64").reshape(-1, 1)
    [rows] = run(build, {"ids": ids, "table": np.zeros((5, 2), "float32")})
    assert rows.shape == (len(ids), 2) and rows[:, 0].tolist() == ids[:, 0].tolist()


def test_each_look_up_of_a_table_has_the_lod_of_its_own_ids(fakes: Fakes) -> None:
    """A transpiler makes one operator of all look-ups in a table, whose ids may be lists of other lengths."""

    def build(block: Any) -> list:
        words = [
            fluid.data(name, [None, 1], "int64", lod_level=level) for name, level in (("a", 1), ("b", 1), ("c", 0))
        ]
        outs = [block.create_var(name=f"out{i}", dtype="float32") for i in range(3)]
        attrs = {"table_names": ["t"], "endpoints": ["a:1"], "height_sections": [50]}
        table = fluid.data("table", [50, 2], "float32")
        block.append_op("distributed_lookup_table", {"Ids": words, "W": [table]}, {"Outputs": outs}, attrs)
        return [fluid.layers.sequence_pool(out, "sum") for out in outs[:2]] + outs[2:]

    def ids(rows: list[int], *lengths: int) -> Any:
        return fluid.create_lod_tensor(np.array(rows).reshape(-1, 1), [list(lengths)], fluid.CPUPlace())

    feed = {"a": ids([1, 2, 3], 1, 2), "b": ids([4, 5, 6, 7, 8], 3, 2), "c": np.array([[9], [8]])}
    a, b, c = run(build, {**feed, "table": np.zeros((50, 2), "float32")})
    assert (a[:, 0].tolist(), b[:, 0].tolist(), c[:, 0].tolist()) == ([1, 5], [15, 15], [9, 8])


@pytest.mark.parametrize("background", [None, SimpleNamespace(notifies=True), SimpleNamespace(notifies=False)])
def test_a_notice_of_a_step(fakes: Fakes, background: Any) -> None:
    def build(block: Any) -> list:
        counter = fluid.data("counter", [1], "int64")
        attrs = {"epmap": ["a:1", "b:2"], "send_varnames": ["counter"], "use_send_handler": False, "trainer_id": 1}
        block.append_op("send", {"X": [counter]}, {"Out": []}, attrs)
        return [counter]

    fakes.background = background
    run(build, {"counter": np.array([1])})
    told = background is None or background.notifies
    assert fakes.sent == [(["counter"], [[1]], ["a:1", "b:2"], 1)] * told


def test_servers_of_paddle_lite_are_not_told_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    servers, calls = Servers(), []

    def call(endpoint: str, method: str, message: Any) -> Any:
        calls.append((endpoint, method, message.name, message.value.tolist(), message.trainer_id))
        return SimpleNamespace(answer=lambda: None)

    monkeypatch.setattr(servers, "_call", call)
    monkeypatch.setattr(servers, "_is_ours", lambda endpoint: endpoint == "a:1")
    servers.notify(["counter"], [np.array([1])], ["a:1", "b:2"], 1)
    assert calls == [("b:2", "DistributeNotify", "counter", [1], 1)]


def test_a_split_sends_rows_where_they_belong(fakes: Fakes) -> None:
    def build(block: Any, **attrs: Any) -> list:
        x = fluid.data("x", [5, 2], "float32")
        parts = [block.create_var(name=f"x.block{i}", shape=[n, 2], dtype="float32") for i, n in enumerate((2, 3))]
        block.append_op("split_byref", {"X": [x]}, {"Out": parts}, attrs or {"sections": [2, 3]})
        block.append_op("send", {"X": parts}, {"Out": []}, {"epmap": ["a:1", "b:2"]})
        return parts

    x = np.arange(10, dtype="float32").reshape(5, 2)
    run(build, {"x": x})
    assert [(name, endpoint) for name, _, endpoint in fakes.sent] == [("x.block0", "a:1"), ("x.block1", "b:2")]
    np.testing.assert_array_equal(np.concatenate([value for _, value, _ in fakes.sent]), x)
    with pytest.raises(EnforceNotMet, match="split_byref: attribute 'num' got 2, needs a divisor of 5 rows"):
        run(lambda block: build(block, num=2), {"x": x})


def test_rows_of_a_gradient_are_counted_from_the_start_of_their_part() -> None:
    from paddle_lite.static.operators.rpc import split_selected_rows

    rows = SelectedRows(np.array([4, 0, 3, 4]), np.arange(4.0)[:, None], 5)
    first, second = split_selected_rows.reference(np, rows, height_sections=[3, 2])
    assert (first.rows.tolist(), first.height, first.values.ravel().tolist()) == ([0], 3, [1])
    assert (second.rows.tolist(), second.height, second.values.ravel().tolist()) == ([1, 0, 1], 2, [0, 2, 3])


def test_ids_outside_of_a_table_and_endpoints_that_lack_are_named(fakes: Fakes) -> None:
    with pytest.raises(
        IndexRangeError, match="distributed_lookup_table: Ids got 7, needs 0 to 4, the rows of the table"
    ):
        Servers().look_up(np.array([7]), ["t"], ["a:1"], [5])

    def build(block: Any) -> list:
        x = fluid.data("x", [1], "float32")
        block.append_op("send", {"X": [x]}, {"Out": []}, {"epmap": ["a:1", "b:2"]})
        return [x]

    with pytest.raises(ArgumentValueError, match="send: attribute 'epmap' got 2 endpoints, needs 1, one a Variable"):
        run(build, {"x": np.ones(1, "float32")})


def test_a_barrier_that_names_what_it_does_not_write_can_be_profiled(fakes: Fakes, tmp_path: Path) -> None:
    fakes.fetch_barrier = lambda endpoints, trainer_id: None  # type: ignore[attr-defined]

    def build(block: Any) -> list:
        x = fluid.data("x", [1], "float32")
        block.append_op("fetch_barrier", {"X": [x]}, {"Out": [x]}, {"endpoints": ["a:1"]})
        return [x]

    with fluid.profiler.profiler("CPU", None, str(tmp_path / "trace")):
        run(build, {"x": np.ones(1, "float32")})
    assert "fetch_barrier" in (tmp_path / "trace").read_text()
