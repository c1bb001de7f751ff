"""Blocks of parameters that are received into their rows, with a stand-in for the servers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid
from paddle_lite.core.errors import PeerError
from paddle_lite.distributed.rpc import client
from paddle_lite.distributed.rpc.wire import Message
from paddle_lite.static import plan_of
from paddle_lite.static.operators import peers as of_process
from tests.static.passes import passes

ENDPOINTS = "127.0.0.1:6174,127.0.0.1:6175"


class Fakes:
    """Servers whose parameters are, in all elements, the number of the step and a tenth for each block."""

    background = None

    def __init__(self) -> None:
        self.step, self.landed = 0, 0
        self.shapes: dict[str, Any] = {}
        self.sent: dict[str, Any] = {}

    def send(self, names: Sequence[str], values: Sequence[Any], endpoints: Sequence[str], trainer_id: int) -> None:
        self.sent.update(zip(names, values, strict=True))

    def send_barrier(self, endpoints: Any, trainer_id: int) -> None:
        self.step += 1

    def receive(self, names: Sequence[str], endpoints: Any, trainer_id: int, out: Any = None) -> list[Any]:
        made = [np.full(self.shapes[name], self.step + 0.1 * i, "float32") for i, name in enumerate(names)]
        if out is None:
            return made
        self.landed += 1
        for target, value in zip(out, made, strict=True):
            target[...] = value
        return out

    def fetch_barrier(self, endpoints: Any, trainer_id: int) -> None:
        pass

    def expect(self, endpoints: Any) -> None:
        pass

    def stepped(self, examples: int) -> None:
        pass


@pytest.fixture
def fakes(monkeypatch: pytest.MonkeyPatch) -> Fakes:
    made = Fakes()
    monkeypatch.setattr(of_process._Current, "peers", made)
    return made


def trainer(fakes: Fakes) -> tuple[Any, Any]:
    """Return the Program of a trainer with a parameter `w` that is cut, and what it fetches."""
    main, startup = fluid.Program(), fluid.Program()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        x = fluid.data("x", [None, 100], "float32")
        out = fluid.layers.fc(x, 200, param_attr=fluid.ParamAttr(name="w"), bias_attr=False)
        loss = fluid.layers.mean(fluid.layers.square(out))
        fluid.optimizer.SGD(0.1).minimize(loss)
        job = fluid.DistributeTranspiler()
        job.transpile(0, main, ENDPOINTS, 2, startup_program=startup)
        main = job.get_trainer_program(wait_port=False)
    fakes.shapes = {v.name: v.shape for v in main.list_vars() if "block" in v.name and "GRAD" not in v.name}
    assert sorted(fakes.shapes) == ["w.block0", "w.block1"]
    return main, loss


def steps(fakes: Fakes, main: Any, loss: Any, chosen: str, count: int = 4) -> list[tuple]:
    """Run steps; return the loss, the parameter, and the gradients that were sent, of each."""
    scope, exe, found = fluid.Scope(), fluid.Executor(fluid.CPUPlace()), []
    scope.var("w").get_tensor().set(np.ones((100, 200), "float32"), fluid.CPUPlace())
    fakes.step = 0
    with passes(chosen):
        for number in range(count):
            feed = {"x": np.random.RandomState(number).randn(3, 100).astype("float32")}
            [value] = exe.run(main, feed=feed, fetch_list=[loss], scope=scope)
            sent = {name: np.array(each) for name, each in fakes.sent.items()}
            found.append((value, np.array(scope.find_var("w").get_tensor()), sent))
    return found


def test_the_parameters_are_those_of_a_concatenation(fakes: Fakes) -> None:
    main, loss = trainer(fakes)
    plain = steps(fakes, main, loss, "none")
    assert fakes.landed == 0
    main._plans.clear()
    landed = steps(fakes, main, loss, "landing")
    assert fakes.landed == 3  # all but the first run, which checks
    for (one, w, sent), (other, v, given) in zip(plain, landed, strict=True):
        np.testing.assert_array_equal(w, v)
        np.testing.assert_allclose(one, other, rtol=1e-6)
        assert sent.keys() == given.keys()
        for name in sent:
            np.testing.assert_allclose(sent[name], given[name], rtol=1e-5, atol=1e-6)
    assert landed[-1][1][0, 0] == 4 and landed[-1][1][-1, 0] == np.float32(4.1)


def test_the_memory_of_the_step_before_is_used_again_unless_somebody_holds_it(fakes: Fakes) -> None:
    main, loss = trainer(fakes)
    scope, exe = fluid.Scope(), fluid.Executor(fluid.CPUPlace())
    scope.var("w").get_tensor().set(np.ones((100, 200), "float32"), fluid.CPUPlace())
    feed = {"x": np.ones((3, 100), "float32")}

    def run(fetch: Any = loss) -> Any:
        return exe.run(main, feed=feed, fetch_list=[fetch], scope=scope)[0]

    def address() -> int:
        return scope.find_var("w").get_tensor().array.ctypes.data

    with passes("landing"):
        run()
        run()
        first = address()
        run()
        assert address() == first
        held = scope.find_var("w").get_tensor().array
        row = held[5]
        before = held.copy()
        del held
        run()  # the row refers to it
        assert address() != first
        np.testing.assert_array_equal(row, before[5])
        fetched = run("w")
        kept = fetched.copy()
        run()
        np.testing.assert_array_equal(fetched, kept)


def test_blocks_that_are_fetched_are_received_by_themselves(fakes: Fakes) -> None:
    main, loss = trainer(fakes)
    kernels = [row.kernel for row in plan_of(main, ["x"], [loss]).listing().rows]
    assert "landing: recv + concat" in kernels
    kernels = [row.kernel for row in plan_of(main, ["x"], [loss, "w.block1"]).listing().rows]
    assert "recv" in kernels and "concat" in kernels and not any("landing" in each for each in kernels)


class Answered:
    """A call of a server that is answered with a value."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def answer(self) -> Message:
        return Message("w", self.value)


def test_values_land_in_the_arrays_that_are_given(monkeypatch: pytest.MonkeyPatch) -> None:
    servers = client.Servers()
    monkeypatch.setattr(servers, "_connection", lambda endpoint: type("Connection", (), {})())
    values = {"v": np.arange(6, dtype="float32").reshape(3, 2), "w": np.ones((1, 2), "float32")}
    monkeypatch.setattr(servers, "_call", lambda endpoint, method, message: Answered(values[message.name]))
    whole = np.zeros((4, 2), "float32")
    out = [whole[:3], whole[3:]]
    assert servers.receive(["v", "w"], ["a:1", "b:2"], 0, out=out) == out
    np.testing.assert_array_equal(whole, np.concatenate([values["v"], values["w"]]))
    values["w"] = np.ones((2, 2), "float32")
    with pytest.raises(PeerError, match=r"server b:2: GetVariable: 'w' got float32 \[2, 2\], needs float32 \[1, 2\]"):
        servers.receive(["v", "w"], ["a:1", "b:2"], 0, out=out)
