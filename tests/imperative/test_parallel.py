"""Data-parallel training with one trainer."""

from __future__ import annotations

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, NotYetAvailable
from paddle_lite.imperative.parallel import DataParallel, Env, ParallelEnv, ParallelStrategy, prepare_context

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
    with pytest.raises(NotYetAvailable, match="prepare_context with 2 trainers"):
        prepare_context()
    monkeypatch.setenv("PADDLE_TRAINER_ID", "one")
    with pytest.raises(ArgumentValueError, match="PADDLE_TRAINER_ID got 'one', needs a whole number"):
        ParallelEnv()


@pytest.mark.parametrize("strategy", [None, ParallelStrategy()], ids=["None", "strategy"])
def test_the_network_as_it_is(imperative: None, strategy: ParallelStrategy | None) -> None:
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


def test_what_it_does_not_take(imperative: None) -> None:
    with pytest.raises(ArgumentTypeError, match="DataParallel: layers got int 1, needs a Layer"):
        DataParallel(1, None)  # type: ignore[arg-type]
    strategy = ParallelStrategy()
    strategy.nranks = 4
    with pytest.raises(NotYetAvailable, match="DataParallel with 4 trainers"):
        DataParallel(fluid.dygraph.Linear(2, 1), strategy)
