"""A server takes the calls of trainers in any order: no gradient is lost or used twice, nothing hangs, what is wrong is named."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import PeerError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.distributed.rpc.client import BATCH_BARRIER, COMPLETE, FETCH_BARRIER, SAVE
from paddle_lite.distributed.rpc.wire import Message
from paddle_lite.distributed.server.asynchronous import Asynchronous
from paddle_lite.distributed.server.geo import Geo
from paddle_lite.distributed.server.synchronous import Synchronous
from paddle_lite.fluid.transpiler.geo_sgd_transpiler import GeoSgdTranspiler

ENDPOINT = "127.0.0.1:6170"


def programs(trainers: int, sync: bool = True, sparse: bool = False, rate: Any = 0.5) -> tuple[Any, Any]:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ones = fluid.initializer.Constant(1.0)
        if sparse:
            ids = fluid.layers.data("ids", [1], dtype="int64", lod_level=1)
            attr = fluid.ParamAttr(name="w", initializer=ones)
            x = fluid.layers.embedding(ids, [6, 2], is_sparse=True, param_attr=attr)
        else:
            attr = fluid.ParamAttr(name="w", initializer=ones)
            x = fluid.layers.fc(fluid.layers.data("x", [3]), 2, param_attr=attr, bias_attr=False)
        rate = rate() if callable(rate) else rate
        fluid.optimizer.SGD(rate).minimize(fluid.layers.mean(x))
        t = fluid.DistributeTranspiler()
        t.transpile(0, main, ENDPOINT, trainers, sync, startup)
        return t.get_pserver_programs(ENDPOINT)


def server(kind: Any, trainers: int, **settings: Any) -> tuple[Any, Any]:
    main, startup = programs(trainers, kind is Synchronous, **settings)
    scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    exe.run(startup, scope=scope)
    return kind(main, main.global_block().ops[0], scope, exe), scope


def value(scope: Any, name: str = "w") -> np.ndarray:
    return np.array(scope.find_var(name).get_tensor())


@pytest.fixture
def short() -> Iterator[None]:
    before = fluid.get_flags("FLAGS_rpc_deadline")
    fluid.set_flags({"FLAGS_rpc_deadline": 400})
    yield
    fluid.set_flags(before)


@pytest.mark.parametrize("seed", range(4))
def test_synchronous_steps_are_steps_on_the_mean_gradient(seed: int) -> None:
    trainers, steps = 3, 5
    calls, _scope = server(Synchronous, trainers)
    gradients = np.random.RandomState(seed).standard_normal((steps, trainers, 3, 2)).astype("float32")
    seen: list[list[np.ndarray]] = [[] for _ in range(trainers)]

    def train(me: int) -> None:
        chance, address = random.Random(seed * 10 + me), f"trainer {me}"
        calls.get(Message("w", trainer_id=me), address)
        calls.get(Message(FETCH_BARRIER), address)
        for step in range(steps):
            threading.Event().wait(chance.random() / 200)
            calls.send(Message(f"w@GRAD.trainer_{me}", gradients[step, me], trainer_id=me), address)
            calls.send(Message(BATCH_BARRIER), address)
            seen[me].append(np.array(calls.get(Message("w", trainer_id=me), address).value))
            calls.get(Message(FETCH_BARRIER), address)
        calls.send(Message(COMPLETE, trainer_id=me), address)

    with ThreadPoolExecutor(trainers) as pool:
        list(pool.map(train, range(trainers)))
    assert calls.finished.is_set() and calls.failure is None
    expected = 1 - 0.5 * gradients.mean(1).cumsum(0)
    for mine in seen:
        np.testing.assert_allclose(mine, expected, rtol=1e-5, atol=1e-6)


def test_a_trainer_that_is_done_is_not_waited_for() -> None:
    calls, scope = server(Synchronous, 2)
    for me in (0, 1):
        calls.get(Message(FETCH_BARRIER), f"trainer {me}")
    calls.send(Message(COMPLETE, trainer_id=1), "trainer 1")
    ones = np.ones((3, 2), "float32")
    for _ in range(2):
        calls.send(Message("w@GRAD.trainer_0", ones), "trainer 0")
        calls.send(Message(BATCH_BARRIER), "trainer 0")
        calls.get(Message("w"), "trainer 0")
        calls.get(Message(FETCH_BARRIER), "trainer 0")
    np.testing.assert_allclose(value(scope), 1 - 2 * 0.5 * 0.5)
    calls.send(Message(COMPLETE), "trainer 0")
    assert calls.finished.is_set()


def test_a_trainer_that_leaves_before_the_others_have_fetched_ends_no_phase() -> None:
    calls, _ = server(Synchronous, 2)
    calls.get(Message(FETCH_BARRIER, trainer_id=1), "trainer 1")
    calls.send(Message(COMPLETE, trainer_id=1), "trainer 1")
    assert calls.get(Message("w"), "trainer 0").value is not None  # the phase is still that of fetching


def test_sparse_gradients_update_their_rows(short: None) -> None:
    calls, scope = server(Synchronous, 2, sparse=True)
    for me in (0, 1):
        calls.get(Message(FETCH_BARRIER), f"trainer {me}")
    for me, rows in enumerate(([0], [1, 4, 4])):
        gradient = SelectedRows(np.array(rows), np.ones((len(rows), 2), "float32"), 6)
        calls.send(Message(f"w@GRAD.trainer_{me}", gradient, trainer_id=me), f"trainer {me}")
    for me in (0, 1):
        calls.send(Message(BATCH_BARRIER), f"trainer {me}")
    assert value(scope)[:, 0].tolist() == [0.75, 0.75, 1, 1, 0.5, 1]
    found = calls.look_up(Message("ids", np.array([[4], [0]]), "out", table="w"), "trainer 0")
    assert found.name == "out" and found.value[:, 0].tolist() == [0.5, 0.75]
    for wrong in (np.array([[6]]), np.array([[-1]]), np.array([[1.0]])):
        with pytest.raises(PeerError, match="PrefetchVariable: ids got"):
            calls.look_up(Message("ids", wrong, table="w"), "trainer 0")


def test_the_learning_rate_decays_once_a_step() -> None:
    def decay() -> Any:
        return fluid.layers.exponential_decay(1.0, 1, 0.5)

    calls, scope = server(Synchronous, 2, rate=decay)
    for me in (0, 1):
        calls.get(Message(FETCH_BARRIER), f"trainer {me}")
    for _ in range(2):
        for me in (0, 1):
            calls.send(Message(f"w@GRAD.trainer_{me}", np.ones((3, 2), "float32"), trainer_id=me), f"trainer {me}")
        for me in (0, 1):
            calls.send(Message(BATCH_BARRIER), f"trainer {me}")
        for me in (0, 1):
            calls.get(Message(FETCH_BARRIER), f"trainer {me}")
    np.testing.assert_allclose(value(scope), 1 - 1.0 - 0.5)


def test_the_learning_rate_of_asynchronous_training_decays_with_each_step_of_each_trainer() -> None:
    calls, scope = server(Asynchronous, 2, rate=lambda: fluid.layers.exponential_decay(1.0, 1, 0.5))
    for me in (0, 1, 1):
        calls.notify(Message(f"@LR_DECAY_COUNTER@.trainer_{me}", trainer_id=me), "of 1.8.5")
        calls.send(Message("w@GRAD", np.ones((3, 2), "float32"), trainer_id=me), f"trainer {me}")
    np.testing.assert_allclose(value(scope), 1 - 1.0 - 0.5 - 0.25)
    with pytest.raises(PeerError, match="does not take the notice '@LR_DECAY_COUNTER@'"):
        calls.notify(Message("@LR_DECAY_COUNTER@"), "trainer 0")


def test_asynchronous_gradients_are_applied_when_they_come() -> None:
    calls, _scope = server(Asynchronous, 2)
    for count in (1, 2, 3):
        calls.send(Message("w@GRAD", np.ones((3, 2), "float32")), "trainer 0")
        np.testing.assert_allclose(calls.get(Message("w"), "trainer 1").value, 1 - 0.5 * count)
    for me in (0, 1):
        calls.send(Message(COMPLETE, trainer_id=me), f"trainer {me}")
    assert calls.finished.is_set()


@pytest.mark.parametrize("kind", [Synchronous, Asynchronous])
def test_a_value_is_given_under_the_name_that_1_8_5_asks_for(kind: Any) -> None:
    calls, scope = server(kind, 2)
    found = calls.get_now(Message("w@WITHOUT_BARRIER@RECV", out_name="w.slice.0"), "trainer 0")
    assert found.name == "w.slice.0" and found.value.tolist() == value(scope).tolist()
    found.value[...] = 7
    np.testing.assert_allclose(value(scope), 1)  # a copy, for updates go on while it is sent


def geo_server(trainers: int) -> tuple[Any, Any]:
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ids, x = fluid.data("ids", [None, 1], "int64"), fluid.data("x", [None, 2], "float32")
        attrs = [fluid.ParamAttr(name=name, initializer=fluid.initializer.Constant(1.0)) for name in ("table", "w")]
        rows = fluid.layers.embedding(ids, [6, 2], is_sparse=True, param_attr=attrs[0])
        made = fluid.layers.fc(x + rows, 2, param_attr=attrs[1], bias_attr=False)
        fluid.optimizer.SGD(0.5).minimize(fluid.layers.mean(made))
        t = GeoSgdTranspiler()
        t.transpile(0, main, ENDPOINT, trainers, startup_program=startup)
        served, first = t.get_pserver_programs(ENDPOINT)
    scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    exe.run(first, scope=scope)
    return Geo(served, served.global_block().ops[0], scope, exe), scope


def test_a_geo_server_adds_changes_and_gives_the_rows_that_changed_since_a_trainer_asked() -> None:
    calls, scope = geo_server(2)
    calls.send(Message("w.delta", np.full((2, 2), 0.25, "float32"), trainer_id=1), "trainer 1")
    np.testing.assert_allclose(calls.get(Message("w", table="w"), "trainer 0").value, 1.25)

    def change(trainer: int, rows: list[int]) -> None:
        changed = SelectedRows(np.array(rows), np.full((len(rows), 2), 0.5, "float32"), 6)
        calls.send(Message("table.delta", changed, trainer_id=trainer), f"trainer {trainer}")

    def rows_for(trainer: int) -> dict[int, float]:
        asked = Message("table", table="table", trainer_id=trainer)
        found = calls.get(asked, f"trainer {trainer}").value
        assert found.height == 6
        return dict(zip(found.rows.tolist(), found.values[:, 0].tolist(), strict=True))

    change(0, [1, 4])
    assert rows_for(0) == {1: 1.5, 4: 1.5} and rows_for(0) == {}
    change(1, [4, 5])
    assert rows_for(0) == {4: 2.0, 5: 1.5} and rows_for(1) == {1: 1.5, 4: 2.0, 5: 1.5}
    assert value(scope, "table")[:, 0].tolist() == [1, 1.5, 1, 1, 2, 1.5]
    with pytest.raises(PeerError, match=r"w.delta got float32 \[3, 2\], needs float32 \[2, 2\]"):
        calls.send(Message("w.delta", np.ones((3, 2), "float32")), "trainer 0")
    for trainer in (0, 1):
        calls.send(Message(COMPLETE, trainer_id=trainer), f"trainer {trainer}")
    assert calls.finished.is_set()


@pytest.mark.parametrize("kind", [Synchronous, Asynchronous])
def test_wrong_messages_are_refused_and_change_nothing(kind: Any, short: None) -> None:
    calls, scope = server(kind, 1)
    if kind is Synchronous:
        calls.get(Message(FETCH_BARRIER), "trainer 0")
    for message, says in (
        (
            Message("x@GRAD", np.ones((3, 2), "float32")),
            "SendVariable: name got 'x@GRAD', needs a gradient of this server: w@GRAD",
        ),
        (Message("w@GRAD", np.ones((2, 3), "float32")), r"w@GRAD got float32 \[2, 3\], needs float32 \[3, 2\]"),
        (Message("w@GRAD", np.ones((3, 2), "float64")), r"w@GRAD got float64"),
        (Message("w@GRAD"), "w@GRAD got no value"),
        (
            Message("w@GRAD", SelectedRows(np.array([1]), np.ones((1, 2), "float32"), 3)),
            "w@GRAD got rows of a table, needs an array",
        ),
    ):
        with pytest.raises(PeerError, match=says):
            calls.send(message, "trainer 0")
    with pytest.raises(PeerError, match="GetVariable: name got 'y'"):
        calls.get_now(Message("y"), "trainer 0")
    with pytest.raises(PeerError, match="does not take the notice"):
        calls.notify(Message("save"), "trainer 0")
    np.testing.assert_allclose(value(scope), 1)


@pytest.mark.parametrize("kind", [Synchronous, Asynchronous])
def test_a_notice_has_a_table_written_as_paddlepaddle_writes_it(kind: Any, tmp_path: Path) -> None:
    calls, _scope = server(kind, 2, sparse=True)
    path = tmp_path / "new" / "w_3"
    calls.notify(Message(SAVE, out_name=str(path), trainer_id=1), "trainer 1")
    # recorded from a server of 1.8.5 with a table of [10, 4]: no rows, the height, and all values
    recorded = bytes.fromhex("0000000000000000000000000a0000000000000000000000060000000805100a1004")
    values = np.ones((6, 2), "float32")
    expected = recorded.replace(b"\x0a\0\0\0\0\0\0\0", b"\x06\0\0\0\0\0\0\0").replace(
        b"\x10\x0a\x10\x04", b"\x10\x06\x10\x02"
    )
    assert path.read_bytes() == expected + values.tobytes()
    for name in ("x_0", "w", "w_a", "w_", "w_0\0", "../w_0/", ""):
        with pytest.raises(PeerError, match="checkpoint_notify: the file got"):
            calls.notify(Message(SAVE, out_name=f"{tmp_path}/{name}"), "trainer 0")
    (tmp_path / "file").write_text("")
    with pytest.raises(PeerError, match="can be written"):
        calls.notify(Message(SAVE, out_name=f"{tmp_path}/file/w_0"), "trainer 0")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["file", "new"]


def test_a_trainer_that_is_missing_is_named(short: None) -> None:
    calls, _ = server(Synchronous, 2)
    calls.get(Message("w", trainer_id=1), "127.0.0.1:7")
    for me in (0, 1):
        calls.get(Message(FETCH_BARRIER), ["127.0.0.1:5", "127.0.0.1:7"][me])
    calls.send(Message("w@GRAD.trainer_0", np.ones((3, 2), "float32")), "127.0.0.1:5")
    calls.send(Message(BATCH_BARRIER), "127.0.0.1:5")
    with pytest.raises(
        PeerError, match=r"trainer 1 \(127.0.0.1:7\) has not been heard of for [\d.]+ s, last call: GetVariable"
    ):
        calls.get(Message("w"), "127.0.0.1:5")
    assert calls.finished.is_set() and isinstance(calls.failure, PeerError)


def test_rows_that_nobody_asks_for_take_no_more_memory_than_the_table() -> None:
    from types import SimpleNamespace

    from paddle_lite.distributed.server import geo

    calls = object.__new__(geo.Geo)
    scope = fluid.Scope()
    scope.var("t").get_tensor().set(np.zeros((5, 1), "float32"), fluid.CPUPlace())
    calls.__dict__.update(
        _scope=scope, _target={"d": "t"}, _expected={"d": None}, _sparse={"d"}, _taken=0, _in_a_step=1, steps=0,
        _changed={"t": [[], []]}, presence=SimpleNamespace(),
    )  # fmt: skip
    for i in range(500):
        calls._apply("d", SelectedRows(np.array([i % 5, 2]), np.ones((2, 1), "float32"), 5))
    assert all(sum(map(len, changed)) < 4 * geo.MOST_LISTED for changed in calls._changed["t"])
    assert sorted(calls._rows("t", 0).rows.tolist()) == [0, 1, 2, 3, 4]
