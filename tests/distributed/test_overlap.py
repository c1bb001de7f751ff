"""What overlaps in a step of a trainer: sends with the backward pass, and the requests for parameters with each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.distributed.rpc.client import Servers
from paddle_lite.distributed.rpc.wire import Message
from paddle_lite.distributed.server.updates import updates_of
from paddle_lite.static import plan_of


def job() -> tuple[Any, Any]:
    """A transpiler for two trainers and a server, and the loss."""
    x, y = fluid.data("x", [None, 32], "float32"), fluid.data("y", [None, 1], "float32")
    hidden = fluid.layers.fc(x, 64, act="relu")
    loss = fluid.layers.mean(fluid.layers.square_error_cost(fluid.layers.fc(hidden, 1), y))
    fluid.optimizer.SGD(0.1).minimize(loss)
    transpiler = fluid.DistributeTranspiler()
    transpiler.transpile(0, pservers="127.0.0.1:6174", trainers=2)
    return transpiler, loss


@pytest.fixture(autouse=True)
def programs() -> Any:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.unique_name.guard():
        yield


def test_a_send_starts_behind_its_gradient_while_the_backward_pass_goes_on() -> None:
    transpiler, loss = job()
    plan = plan_of(transpiler.get_trainer_program(wait_port=False), ["x", "y"], [loss])
    kernels = [row.kernel for row in plan.listing().rows]
    sends = [i for i, kernel in enumerate(kernels) if kernel.startswith("send") and "barrier" not in kernel]
    gradients = [i for i, kernel in enumerate(kernels) if "mul_grad" in kernel]
    assert len(sends) == 4 and sends[1] < gradients[-1], kernels
    assert kernels.index("send_barrier") > sends[-1] > gradients[-1]


def test_the_updates_of_a_server_are_one_kernel_that_sums_scales_and_updates() -> None:
    program = job()[0].get_pserver_program("127.0.0.1:6174")
    [listen] = program.global_block().ops
    [update] = updates_of(program, listen, together=True).together
    kernels = [row.kernel for row in plan_of(update.program, {}, []).listing().rows]
    assert kernels == ["update: sum x 4 + scale x 4 + sgd x 4"]


def test_blocks_with_variables_of_one_name_stay_apart() -> None:
    program = job()[0].get_pserver_program("127.0.0.1:6174")
    [listen] = program.global_block().ops
    first, second, *_ = listen._blocks_attr_ids("optimize_blocks")
    for index, size in ((first, 2), (second, 3)):
        program.block(index).create_var(name="own", shape=[size], dtype="float32")
    updates = updates_of(program, listen, together=True).together
    assert [len(each.program.global_block().ops) for each in updates] == [3, 9]
    assert [each.program.global_block().var("own").shape for each in updates] == [(2,), (3,)]


class Noted:
    """A call of a server that is answered when it is asked for."""

    def __init__(self, calls: list[str], message: Message) -> None:
        self.calls, self.message = calls, message
        calls.append(f"ask {message.name}")

    def answer(self) -> Message:
        self.calls.append(f"take {self.message.name}")
        return Message(self.message.name, np.zeros(2, "float32"))


def test_parameters_that_the_step_before_received_are_asked_for_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    servers, calls = Servers(), []
    monkeypatch.setattr(servers, "_connection", lambda endpoint: type("Connection", (), {"whole_steps": False})())
    monkeypatch.setattr(servers, "_call", lambda endpoint, method, message: Noted(calls, message))
    monkeypatch.setattr(servers, "_tell", lambda endpoints, method, name: calls.append(name.partition("@")[0]))

    def step(*names: str) -> list[str]:
        calls.clear()
        servers.send_barrier(["a:1"], 0)
        for name in names:
            servers.receive([name], ["a:1"], 0)
        servers.fetch_barrier(["a:1"], 0)
        return list(calls)

    first, last = ["BATCH_BARRIER"], ["FETCH_BARRIER"]
    assert step("v", "w") == [*first, "ask v", "take v", "ask w", "take w", *last]
    assert step("v", "w") == [*first, "ask v", "ask w", "take v", "take w", *last]
    assert step("w", "u") == [*first, "ask v", "ask w", "take w", "ask u", "take u", "take v", *last]
    assert step("w", "u") == [*first, "ask w", "ask u", "take w", "take u", *last]
