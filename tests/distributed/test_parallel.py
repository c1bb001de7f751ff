"""Data-parallel training with one trainer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, ModeError
from paddle_lite.distributed import parallel
from paddle_lite.distributed.collective.single_worker import SingleWorker
from paddle_lite.distributed.environment import Env, ParallelEnv
from paddle_lite.distributed.parallel import DataParallel, ParallelStrategy, prepare_context

VARIABLES = ("PADDLE_TRAINERS_NUM", "PADDLE_TRAINER_ID", "FLAGS_selected_gpus", "PADDLE_TRAINER_ENDPOINTS")


@pytest.fixture(autouse=True)
def no_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*VARIABLES, "PADDLE_CURRENT_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)


def test_the_environment_of_one_trainer() -> None:
    env = Env()
    assert (env.nranks, env.local_rank, env.dev_id) == (1, 0, 0)
    assert (env.current_endpoint, env.trainer_endpoints) == ("", [""])
    assert prepare_context() is None
    assert prepare_context(ParallelStrategy()) is None


def test_the_environment_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in zip(VARIABLES, ("2", "1", "3", "a:1,b:2"), strict=True):
        monkeypatch.setenv(name, value)
    env = ParallelEnv()
    assert (env.nranks, env.local_rank, env.dev_id, env.trainer_endpoints) == (2, 1, 3, ["a:1", "b:2"])
    with pytest.raises(ModeError, match="strategy is None in a job of several workers"):
        DataParallel(fluid.dygraph.Linear(2, 1), None)
    monkeypatch.setenv("PADDLE_TRAINER_ENDPOINTS", "")
    with pytest.raises(ModeError, match="2 workers, and 0 endpoints"):
        prepare_context()
    monkeypatch.setenv("PADDLE_TRAINER_ID", "one")
    with pytest.raises(ArgumentValueError, match="PADDLE_TRAINER_ID got 'one', needs a whole number"):
        ParallelEnv()


@pytest.mark.parametrize("strategy", [None, ParallelStrategy()], ids=["None", "strategy"])
def test_the_network_as_it_is(strategy: ParallelStrategy | None) -> None:
    with fluid.dygraph.guard():
        net = fluid.dygraph.Linear(2, 1)
        model = DataParallel(net, strategy)
        x = fluid.dygraph.to_variable(np.array([[1.0, 2.0]], "float32"))
        loss = fluid.layers.mean(model(x))
        assert model.scale_loss(loss) is loss
        loss.backward()
        model.apply_collective_grads()
        np.testing.assert_array_equal(net.weight.gradient(), [[1.0], [2.0]])
        assert model.full_name() == "linear_0_data_parallel_0"
        assert [name for name, _ in model.named_parameters()] == ["_layers.weight", "_layers.bias"]
        assert list(model.state_dict()) == ["weight", "bias"]
        model.eval()
        assert not net.training
        model.set_dict({"weight": np.ones([2, 1], "float32"), "bias": np.zeros([1], "float32")})
        np.testing.assert_array_equal(model(x).numpy(), [[3.0]])


class Pair(SingleWorker):
    """The group of two workers with the same gradients."""

    size = 2

    def allreduce(self, arrays: Any, op: str = "sum", out: Any = None) -> None:
        for array, target in zip(arrays, arrays if out is None else out, strict=True):
            target[...] = array * (2 if op == "sum" else 1)


def test_gradients_that_parameters_share_are_summed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel, "group_of", lambda arrays: Pair())
    strategy = ParallelStrategy()
    strategy.nranks = 2
    with fluid.dygraph.guard():
        net = fluid.dygraph.Sequential(*[fluid.dygraph.Linear(3, 2) for _ in range(2)])
        model = DataParallel(net, strategy)
        for _ in range(2):
            one, other = (layer.weight for layer in net.sublayers())
            loss = fluid.layers.reduce_sum(one + other) + fluid.layers.reduce_sum(net[0].bias * 3.0)
            loss.backward()
            held = other.raw_gradient()
            model.apply_collective_grads()
            assert one.gradient().tolist() == other.gradient().tolist() == [[2.0, 2.0]] * 3
            assert net[0].bias.gradient().tolist() == [6.0, 6.0] and net[1].bias.gradient() is None
            assert held.tolist() == [[1.0, 1.0]] * 3  # what others hold stays as it is
            model.clear_gradients()
            net[1].bias._grad = None


def test_what_it_does_not_take() -> None:
    with pytest.raises(ArgumentTypeError, match="DataParallel: layers got int 1, needs a Layer"):
        DataParallel(1, None)  # type: ignore[arg-type]
    strategy = ParallelStrategy()
    strategy.nranks = 4
    with pytest.raises(ModeError, match="needs the strategy that prepare_context"), fluid.dygraph.guard():
        DataParallel(fluid.dygraph.Linear(2, 1), strategy)
