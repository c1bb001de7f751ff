"""Communicators: what they send and receive for a trainer, with stand-ins for servers, and with servers in threads."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, ModeError, PeerError
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.distributed.communicator.exchanged import Received, Sent, merged
from paddle_lite.distributed.communicator.geo import Geo, Shared
from paddle_lite.distributed.communicator.queues import Queues
from paddle_lite.distributed.communicator.settings import Settings, settings_of
from paddle_lite.distributed.communicator.steps import Steps
from paddle_lite.distributed.peers import ParameterServers
from paddle_lite.static.operators import peers as of_process

MODES = fluid.transpiler.distribute_transpiler.DistributedMode


class Fakes:
    """Servers that note calls, and answer each request for a value with `answers`."""

    def __init__(self, answers: Any = None) -> None:
        self.calls: list[tuple] = []
        self.answers = answers or (lambda name: np.zeros(2, "float32"))
        self.open = threading.Event()
        self.open.set()

    def send(self, names: Any, values: Any, endpoints: Any, trainer_id: int) -> None:
        self.calls += [("send", n, np.array(getattr(v, "values", v))) for n, v in zip(names, values, strict=True)]

    def deliver(self, names: Any, values: Any, endpoints: Any, trainer_id: int) -> None:
        assert self.open.wait(20)
        self.send(names, values, endpoints, trainer_id)

    def receive(
        self, names: Any, endpoints: Any, trainer_id: int, now: bool = False, changed: bool = False
    ) -> list[Any]:
        self.calls += [("receive", name) for name in names]
        return [self.answers(name) for name in names]

    def settle(self) -> None:
        self.calls.append(("settle",))

    def send_barrier(self, endpoints: Any, trainer_id: int) -> None:
        self.calls.append(("send_barrier", *endpoints))

    def fetch_barrier(self, endpoints: Any, trainer_id: int) -> None:
        self.calls.append(("fetch_barrier", *endpoints))

    def said(self) -> list[tuple]:
        return [call[:2] for call in self.calls]


SENT = {"w@GRAD": Sent(["w@GRAD.block0", "w@GRAD.block1"], ["a:1", "b:2"], [1, 1], 0)}
RECEIVED = [Received("w", ["w.block0", "w.block1"], ["a:1", "b:2"], 0)]


def test_a_synchronous_step_ends_with_barriers_and_a_half_asynchronous_one_without() -> None:
    asked = [("receive", "w.block0"), ("receive", "w.block1")]
    parts = [("send", "w@GRAD.block0"), ("send", "w@GRAD.block1")]
    for together, ends in (
        (True, [("send_barrier", "a:1"), *asked, ("fetch_barrier", "a:1")]),
        (False, [("settle",), *asked]),
    ):
        fakes, scope = Fakes(lambda name: np.full(1, float(name[-1]), "float32")), fluid.Scope()
        steps = Steps(fakes, SENT, RECEIVED, scope, Settings(), together)
        steps.take(["w@GRAD"], [np.ones((2,), "float32")], SENT["w@GRAD"].names)
        assert fakes.said() == parts  # before the end of the step
        steps.end_step()
        assert fakes.said()[2:] == ends
        assert scope.values["w"].array.tolist() == [0.0, 1.0]


def test_steps_of_threads_do_not_mix() -> None:
    fakes = Fakes()
    steps = Steps(fakes, {"w@GRAD": Sent(["w@GRAD"], ["a:1"], [2], 0)}, [], fluid.Scope(), Settings(), True)

    def work() -> None:
        for _ in range(20):
            steps.take(["w@GRAD"], [np.ones(2, "float32")], ["w@GRAD"])
            time.sleep(0)
            steps.take(["w@GRAD"], [np.ones(2, "float32")], ["w@GRAD"])
            steps.end_step()

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    one = ["send", "send", "send_barrier", "fetch_barrier"]
    assert [call[0] for call in fakes.calls] == one * 60


@pytest.mark.parametrize("independent", [True, False])
def test_asynchronous_gradients_are_merged_while_the_server_is_slow(independent: bool) -> None:
    fakes, scope = Fakes(lambda name: np.full(1, 7, "float32")), fluid.Scope()
    fakes.open.clear()
    settings = Settings(max_merge_var_num=3, send_queue_size=4, send_wait_times=0, independent_recv_thread=independent)
    queues = Queues(fakes, SENT, RECEIVED, scope, settings)
    gradient = np.zeros(2, "float32")
    for i in range(5):  # the first is sent, which takes until `open`; the others wait
        gradient[...] = 2**i
        queues.take(["w@GRAD"], [gradient], SENT["w@GRAD"].names)
        if i == 0:
            time.sleep(0.1)
    fakes.open.set()
    queues.stop()
    sums = [call[2].item() for call in fakes.calls if call[0] == "send" and call[1].endswith("0")]
    assert sum(sums) == 31 and sums == [1, 2 + 4 + 8, 16]
    assert scope.values["w"].array.tolist() == [7, 7] and fakes.said()[-1][0] == "receive"


def test_a_full_queue_waits_and_a_lost_server_is_raised() -> None:
    class Lost(Fakes):
        def deliver(self, *arguments: Any) -> None:
            raise PeerError("server a:1 is not reachable")

    queues = Queues(Lost(), SENT, RECEIVED, fluid.Scope(), Settings())
    with pytest.raises(PeerError, match="server a:1 is not reachable"):
        for _ in range(10):
            queues.take(["w@GRAD"], [np.ones(2, "float32")], SENT["w@GRAD"].names)
    with pytest.raises(PeerError, match="not reachable"):
        queues.stop()


def test_merged_gradients() -> None:
    dense = [np.full(2, i, "float32") for i in (1, 2, 6)]
    assert merged(dense, True).tolist() == [9, 9] and merged(dense, False).tolist() == [3, 3]
    rows = [SelectedRows(np.array([i]), np.full((1, 2), i, "float32"), 5) for i in (1, 3)]
    made = merged(rows, False)
    assert made.rows.tolist() == [1, 3] and made.values[:, 0].tolist() == [0.5, 1.5] and made.height == 5


def test_changes_of_geo_training_are_those_of_1_8_5() -> None:
    """A recorded run of PaddlePaddle 1.8.5: two trainers, an exchange each 3 steps, a server that answers 200, 300, ..."""
    answers = {"w": iter([200, 500, 700]), "emb": iter([300, 400, 600])}

    def answer(name: str) -> Any:
        given = float(next(answers[name]))
        if name == "w":
            return np.full((2, 1), given, "float32")
        return SelectedRows(np.array([2, 4]), np.full((2, 2), given, "float32"), 10)

    fakes, scope = Fakes(answer), fluid.Scope()
    scope.values["w"] = LoDTensor.of(np.full((2, 1), 100, "float32"))
    scope.values["emb"] = LoDTensor.of(np.ones((10, 2), "float32"))
    w, emb = scope.values["w"].array, scope.values["emb"].array
    shared = [Shared("w", ["w"], ["a:1"], [2], False), Shared("emb", ["emb"], ["a:1"], [10], True)]
    geo = Geo(fakes, shared, scope, 0, 2, 3, Settings())
    geo.take(["param_init"], [np.zeros(1)], ["param_init"])
    seen = []
    for step in range(10):
        geo.before_step(scope)
        for _, future in geo._under_way:
            future.result()
        geo.before_step(scope)
        seen.append((w.ravel().tolist(), emb[:5, 0].tolist()))
        w -= np.array([[1], [2]], "float32")
        emb[step % 4] -= 1
        geo.take(["ids"], [np.array([[step % 4]])], ["emb"])
    sent = [(call[1], np.unique(call[2].round(4)).tolist()) for call in fakes.calls if call[0] == "send"]
    assert sorted(sent[:2]) == [("emb.delta", [-0.5]), ("w.delta", [-3.0, -1.5])]
    assert sorted(sent[2:4]) == [("emb.delta", [-0.75, -0.5]), ("w.delta", [-4.5, -2.25])]
    assert sorted(sent[4:]) == [("emb.delta", [-0.875, -0.75]), ("w.delta", [-5.25, -2.625])]
    assert seen[3] == ([198.5, 197.0], [0.0, 0.0, 299.5, 1.0, 300.0])
    assert seen[6] == ([497.75, 495.5], [-1.0, -1.0, 399.5, 0.0, 400.0])
    assert seen[9] == ([697.375, 694.75], [-2.0, -1.0, 599.25, -1.0, 600.0])


def test_settings_come_from_arguments_then_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FLAGS_communicator_send_queue_size", "3")
    monkeypatch.setenv("FLAGS_communicator_fake_rpc", "1")
    made = settings_of({"communicator_max_merge_var_num": "5", "communicator_independent_recv_thread": 0})
    assert (made.send_queue_size, made.max_merge_var_num, made.independent_recv_thread, made.fake_rpc) == (
        3,
        5,
        False,
        True,
    )
    for wrong in ("x", "-1", 0):
        with pytest.raises(
            ArgumentValueError, match=r"communicator_send_queue_size got .*, needs a whole number, 1 or more"
        ):
            settings_of({"communicator_send_queue_size": wrong})


# --- Programs -------------------------------------------------------------------------------------------------------------


def config(**given: Any) -> Any:
    made = fluid.DistributeTranspilerConfig()
    made.sync_mode = False
    for name, value in given.items():
        setattr(made, name, value)
    return made


def job(settings: Any, endpoint: str, trainers: int = 1, sparse: bool = False) -> tuple[Any, Any, Any, Any, Any]:
    """Return a transpiler, the trainer's Programs, the loss and the one for tests."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x, y = fluid.data("x", [None, 4], "float32"), fluid.data("y", [None, 1], "float32")
        hidden = x
        if sparse:
            attr = fluid.ParamAttr(name="table", initializer=fluid.initializer.Constant(0.1))
            ids = fluid.data("ids", [None, 1], "int64")
            hidden = x + fluid.layers.embedding(ids, [6, 4], is_sparse=True, param_attr=attr)
        ones = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(0.5))
        loss = fluid.layers.mean(
            fluid.layers.square_error_cost(fluid.layers.fc(hidden, 1, param_attr=ones, bias_attr=False), y)
        )
        fluid.optimizer.SGD(0.1).minimize(loss)
        t = fluid.DistributeTranspiler(settings)
        t.transpile(0, main, endpoint, trainers, False, startup)
    return t, main, startup, loss, endpoint


def test_wrong_arguments_are_named() -> None:
    main = fluid.Program()
    with pytest.raises(ArgumentTypeError, match="Communicator: program got int 3"):
        fluid.communicator.Communicator(3, MODES.ASYNC)
    with pytest.raises(ArgumentValueError, match="Communicator: mode got int 7"):
        fluid.communicator.Communicator(main, 7)
    with pytest.raises(ArgumentValueError, match="no `send` of sections"):
        fluid.communicator.Communicator(main, MODES.ASYNC)
    with pytest.raises(ArgumentValueError, match="no push_vars, trainers, push_nums"):
        fluid.communicator.Communicator(main, MODES.GEO)


def test_geo_programs_need_a_communicator() -> None:
    _, _, startup, _, _ = job(config(geo_sgd_mode=True), "127.0.0.1:6170")
    told = fluid.Program()
    told.global_block()._clone_variable(startup.global_block().var("param_init")).persistable = True
    op = startup.global_block().ops[-1]
    told.global_block().append_op(
        "send", {"X": op.input("X")}, {"Out": []}, {"send_varnames": op.attr("send_varnames")}
    )
    scope = fluid.Scope()
    scope.values["param_init"] = LoDTensor.of(np.zeros(1, "float32"))
    with pytest.raises(EnforceNotMet, match=r"the Communicator of GEO training got none.*Call fleet.init_worker\(\)"):
        fluid.Executor(fluid.CPUPlace()).run(told, scope=scope)


@pytest.fixture
def own_peers(monkeypatch: pytest.MonkeyPatch) -> Iterator[ParameterServers]:
    pytest.importorskip("grpc")
    made = ParameterServers()
    monkeypatch.setattr(of_process._Current, "peers", made)
    yield made
    made.leave()


@pytest.mark.parametrize("mode", [MODES.SYNC, MODES.ASYNC, MODES.HALF_ASYNC, MODES.GEO])
def test_a_trainer_and_a_server(own_peers: ParameterServers, mode: int) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"127.0.0.1:{free.getsockname()[1]}"
    settings = {
        MODES.SYNC: {"runtime_split_send_recv": True, "half_async": True, "completely_not_async": True},
        MODES.ASYNC: {"runtime_split_send_recv": True},
        MODES.HALF_ASYNC: {"runtime_split_send_recv": True, "half_async": True},
        MODES.GEO: {"geo_sgd_mode": True},
    }[mode]
    t, _, startup, loss, _ = job(config(**settings), endpoint, sparse=True)
    served, scope, exe = t.get_pserver_programs(endpoint), fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    exe.run(served[1], scope=scope)
    server = threading.Thread(target=own_peers.serve, args=(served[0], scope, exe), daemon=True)
    server.start()
    random, local = np.random.RandomState(0), fluid.Scope()
    with fluid.scope_guard(local):
        program = t.get_trainer_program()
        kwargs = {"push_vars": t._get_vars_info(), "trainers": 1, "push_nums": 3} if mode == MODES.GEO else None
        communicator = fluid.communicator.Communicator(program, mode, kwargs)
        assert not communicator.is_running()
        communicator.start()
        with pytest.raises(ModeError, match="a Communicator of this process runs"):
            communicator.start()
        exe.run(startup)
        losses = []
        for _ in range(40):
            x, ids = random.standard_normal((8, 4)).astype("float32"), random.randint(0, 6, (8, 1))
            feed = {"x": x, "y": x.sum(1, keepdims=True) + (ids == 2), "ids": ids}
            losses.append(exe.run(program, feed=feed, fetch_list=[loss])[0].item())
        communicator.stop()
        assert not communicator.is_running() and own_peers.background is None
        assert np.mean(losses[-5:]) < 0.1 * np.mean(losses[:3])
        np.testing.assert_allclose(local.values["w"].array, scope.values["w"].array, rtol=1e-5)
    exe.close()
    server.join(20)
    assert not server.is_alive()
    table = scope.values["table"].array
    assert abs(table - 0.1).max() > 0.01
