"""Tables that get rows of more ids than their Programs declare."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import IndexRangeError, PeerError
from paddle_lite.core.selected_rows import UNBOUNDED, SelectedRows
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.distributed.rpc.client import BATCH_BARRIER, FETCH_BARRIER, SAVE
from paddle_lite.distributed.rpc.wire import Message, decode
from paddle_lite.distributed.server.asynchronous import Asynchronous
from paddle_lite.distributed.server.synchronous import Synchronous
from paddle_lite.io.parts import values_of_servers
from paddle_lite.static.operators import peers as of_process
from paddle_lite.static.proto import streams

ENDPOINT = "127.0.0.1:6170"
ROWS, WIDTH = 6, 2
RULES = {
    "sgd": lambda: fluid.optimizer.SGD(0.5),
    "adam": lambda: fluid.optimizer.Adam(0.1, lazy_mode=True),
    "adagrad": lambda: fluid.optimizer.Adagrad(0.1, initial_accumulator_value=0.25),
    "penalised": lambda: fluid.optimizer.Momentum(0.1, 0.9, regularization=fluid.regularizer.L2Decay(0.01)),
}


def transpiled(
    rule: str = "sgd",
    rows: int = ROWS,
    grows: bool = True,
    sync: bool = True,
    initializer: Any = None,
    geo: bool = False,
) -> Any:
    main, startup = fluid.Program(), fluid.Program()
    startup.random_seed = 7
    initializer = initializer or fluid.initializer.Uniform(-1.0, 1.0, seed=3)
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        ids = fluid.layers.data("ids", [1], dtype="int64", lod_level=1)
        attr = fluid.ParamAttr(name="w", initializer=initializer)
        rows = fluid.layers.embedding(ids, [rows, WIDTH], is_sparse=True, is_distributed=grows, param_attr=attr)
        RULES[rule]().minimize(fluid.layers.mean(rows))
        config = fluid.DistributeTranspilerConfig()
        config.sync_mode, config.geo_sgd_mode = sync, geo
        t = fluid.DistributeTranspiler(config)
        t.transpile(0, main, ENDPOINT, 1, sync, startup)
    return t


def server(kind: Any = Synchronous, scope: Any = None, **settings: Any) -> tuple[Any, Any]:
    main, startup = transpiled(sync=kind is Synchronous, **settings).get_pserver_programs(ENDPOINT)
    assert main.lint() == []
    exe = fluid.Executor(fluid.CPUPlace())
    if scope is None:
        scope = fluid.Scope()
        exe.run(startup, scope=scope)
    calls = kind(main, main.global_block().ops[0], scope, exe)
    if kind is Synchronous:
        calls.get(Message(FETCH_BARRIER), "trainer 0")
    return calls, scope


def rows_of(calls: Any, *ids: int) -> Any:
    return calls.look_up(Message("ids", np.array(ids).reshape(-1, 1), table="w"), "trainer 0").value


def step(calls: Any, ids: list[int], values: Any) -> None:
    calls.send(Message("w@GRAD", SelectedRows(np.array(ids), values, UNBOUNDED)), "trainer 0")
    if calls.together:
        calls.send(Message(BATCH_BARRIER), "trainer 0")
        calls.get(Message(FETCH_BARRIER), "trainer 0")


def test_the_first_values_of_a_row_depend_on_seed_and_id_alone() -> None:
    ids = [10**18, -1, 7, 6]
    first, second = server()[0], server()[0]
    found = rows_of(first, *ids)
    assert len({tuple(row) for row in found}) == 4 and (abs(found) <= 1).all() and found.std() > 0.1
    np.testing.assert_array_equal(rows_of(first, 0, *ids)[1:], found)  # now they are there
    np.testing.assert_array_equal([rows_of(second, each)[0] for each in reversed(ids)][::-1], found)
    other = server(initializer=fluid.initializer.Uniform(-1.0, 1.0, seed=4))[0]
    assert (rows_of(other, *ids) != found).all()


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("kind", [Synchronous, Asynchronous])
def test_training_is_that_of_a_table_that_has_all_rows(kind: Any, rule: str) -> None:
    random, more = np.random.RandomState(0), 200  # more than there is room for at first
    hashes = random.randint(-(2**63), 2**63 - 1, more)
    calls, _ = server(kind, rule=rule, initializer=fluid.initializer.Constant(0.5))
    whole, scope = server(kind, rule=rule, rows=ROWS + more, grows=False, initializer=fluid.initializer.Constant(0.5))
    every = np.concatenate([np.arange(ROWS), hashes])
    rows_of(calls, *every)  # so that decay begins at the same time
    for _ in range(4):
        places = random.permutation(len(every))[:50]
        values = random.standard_normal((50, WIDTH)).astype("float32")
        step(calls, every[places].tolist(), values)
        whole.send(Message("w@GRAD", SelectedRows(places, values, len(every))), "trainer 0")
        if kind is Synchronous:
            whole.send(Message(BATCH_BARRIER), "trainer 0")
            whole.get(Message(FETCH_BARRIER), "trainer 0")
    expected = np.array(scope.find_var("w").get_tensor())
    assert abs(expected - 0.5).max() > 0.05
    np.testing.assert_allclose(rows_of(calls, *every), expected, rtol=1e-6, atol=1e-7)


def test_trainers_get_the_declared_rows_and_the_others_apart(tmp_path: Path) -> None:
    calls, scope = server(rule="adam")
    step(calls, [2, 100, -4], np.ones((3, WIDTH), "float32"))
    declared = calls.get_now(Message("w"), "trainer 0").value
    grown = {name: calls.get_now(Message(f"{name}@GROWN"), "trainer 0").value for name in ("w", "w_moment1_0")}
    assert declared.shape == (ROWS, WIDTH) and grown["w"].rows.tolist() == [-4, 100] and grown["w"].height == UNBOUNDED
    np.testing.assert_allclose(grown["w_moment1_0"].values, 0.1, rtol=1e-6)
    calls.notify(Message(SAVE, out_name=f"{tmp_path}/w_0"), "trainer 0")
    assert streams.load_selected_rows(tmp_path / "w_0").values.shape == (ROWS, WIDTH)  # what PaddlePaddle 1.8.5 reads
    np.testing.assert_array_equal(streams.load_selected_rows(tmp_path / "w_0@GROWN").values, grown["w"].values)
    before = rows_of(calls, 0, 100, -4)
    calls.close()
    assert scope.find_value("w").array.shape == (ROWS, WIDTH)
    again, _ = server(scope=scope, rule="adam")  # the next server takes what this one has left, as that of a checkpoint
    np.testing.assert_array_equal(rows_of(again, 0, 100, -4), before)
    np.testing.assert_array_equal(
        again.get_now(Message("w_moment1_0@GROWN"), "").value.values, grown["w_moment1_0"].values
    )


def test_other_tables_refuse_ids_that_they_do_not_have() -> None:
    listed = fluid.initializer.NumpyArrayInitializer(np.zeros((ROWS, WIDTH), "float32"))  # has no values for more rows
    for calls, _ in (server(grows=False), server(initializer=listed)):
        with pytest.raises(PeerError, match="PrefetchVariable: ids got 6 to 6, needs 0 to 5"):
            rows_of(calls, 6)
        with pytest.raises(PeerError, match=r"rows of ids that the table does not have.*is_distributed=True"):
            step(calls, [6], np.ones((1, WIDTH), "float32"))


def test_trainers_of_geo_training_have_the_declared_rows_alone() -> None:
    """As those of PaddlePaddle 1.8.5, which end at such an id, with is_distributed and without: "expected >= 0 and < 50, but got 64"."""
    for grows in (True, False):
        program = transpiled(grows=grows, sync=False, geo=True).get_trainer_program(wait_port=False)
        scope = fluid.Scope()
        scope.values["w"] = LoDTensor.of(np.zeros((ROWS, WIDTH), "float32"))
        scope.values["learning_rate_0"] = LoDTensor.of(np.ones(1, "float32"))
        feed = fluid.create_lod_tensor(np.array([[0], [ROWS]]), [[2]], fluid.CPUPlace())
        with pytest.raises(IndexRangeError, match=r"lookup_table: Input\(Ids\) got 6, needs indices from 0 to 5"):
            fluid.Executor(fluid.CPUPlace()).run(program, feed={"ids": feed}, scope=scope)


def test_ids_of_any_size_travel() -> None:
    sent = SelectedRows(np.array([-(2**63), 2**63 - 1, 5]), np.ones((3, 2), "float32"), UNBOUNDED)
    got = decode(Message("w", sent).encoded()).value
    assert got.height == UNBOUNDED and got.rows.tolist() == sent.rows.tolist()


def test_a_model_for_inference_is_without_the_other_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fakes:
        rows = [7]

        def grown(self, names: Any, endpoints: Any, trainer_id: int) -> Any:
            return [SelectedRows(np.array(self.rows), np.zeros((len(self.rows), WIDTH)), UNBOUNDED) for _ in names]

        def receive(self, names: Any, endpoints: Any, trainer_id: int, now: bool) -> Any:
            return [np.zeros((ROWS, WIDTH)) for _ in names]

    monkeypatch.setattr(of_process._Current, "peers", Fakes())
    program = transpiled()._main
    with pytest.warns(UserWarning, match="table 'w' has 1 rows of ids beyond those that its Program declares"):
        values_of_servers("save_inference_model", program, ["w"])
    monkeypatch.setattr(Fakes, "rows", [])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert values_of_servers("save_inference_model", program, ["w"])["w"].shape == (ROWS, WIDTH)
