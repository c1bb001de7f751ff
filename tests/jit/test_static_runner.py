"""StaticModelRunner: models that static mode saved, trained on in imperative mode; what is expected was seen in PaddlePaddle 1.8.5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, MissingFileError, ModeError

L = fluid.layers
X = np.linspace(-1, 1, 12).astype("float32").reshape(4, 3)


def repeated(x: Any) -> Any:
    """A layer that a loop applies three times."""
    i, n = L.fill_constant([1], "int64", 0), L.fill_constant([1], "int64", 3)
    body = lambda i, h: [L.increment(i), L.fc(h, 3, act="tanh", param_attr="w")]  # noqa: E731
    return L.while_loop(lambda i, h: L.less_than(i, n), body, [i, x * 1.0])[1]


NETWORKS = {
    "plain": lambda x: L.fc(L.batch_norm(L.fc(x, 3, act="relu")), 2),
    "loop": repeated,
}


def build(network: str) -> tuple[Any, Any]:
    result = NETWORKS[network](fluid.data("x", [None, 3]))
    loss = L.mean(L.square(result))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return result, loss


def saved(network: str, folder: Path) -> list[float]:
    """Save a model, train it three steps in static mode, and return the losses."""
    with (
        fluid.program_guard(fluid.Program(), fluid.Program()),
        fluid.unique_name.guard(),
        fluid.scope_guard(fluid.Scope()),
    ):
        fluid.default_startup_program().random_seed = 7
        result, loss = build(network)
        exe = fluid.Executor()
        exe.run(fluid.default_startup_program())
        fluid.io.save_inference_model(str(folder), ["x"], [result], exe, params_filename="params")
        return [exe.run(feed={"x": X}, fetch_list=[loss])[0].item() for _ in range(3)]


@pytest.mark.parametrize("network", NETWORKS)
def test_training_goes_on_as_in_static_mode(network: str, tmp_path: Path) -> None:
    expected, found = saved(network, tmp_path), []
    with fluid.dygraph.guard():
        model = fluid.dygraph.StaticModelRunner(str(tmp_path), params_filename="params")
        sgd = fluid.optimizer.SGD(0.1, parameter_list=model.parameters())
        for _ in range(3):
            loss = L.mean(L.square(model(X)))
            loss.backward()
            sgd.minimize(loss)
            model.clear_gradients()
            found.append(loss.numpy().item())
        assert all(name.endswith(fluid.core.loaded_var_suffix()) for name in model.state_dict())
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_modes_and_gradients_of_inputs(tmp_path: Path) -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
        x, z = fluid.data("x", [None, 3]), fluid.data("z", [None, 3])
        h = L.dropout(x, 0.5, dropout_implementation="upscale_in_train")
        exe = fluid.Executor()
        with pytest.warns(UserWarning, match="no variable in your model"):
            fluid.io.save_inference_model(str(tmp_path), ["x", "z"], [h, x * z], exe)
    with fluid.dygraph.guard():
        model = fluid.dygraph.static_runner.StaticModelRunner(str(tmp_path))
        z = fluid.dygraph.to_variable(np.full([4, 3], 2.0, "float32"))
        z.stop_gradient = False
        model.eval()
        dropped, product = model(X, z)
        assert dropped.numpy().tolist() == X.tolist() and product.stop_gradient
        model.train()
        _, product = model(X, z)
        L.reduce_sum(product).backward()
        assert z.gradient().tolist() == X.tolist()
        model.train()
        assert (model(X, z)[0].numpy() == 0).any()
        with fluid.dygraph.no_grad():
            assert model(X, z)[1].stop_gradient


def test_bad_calls(tmp_path: Path) -> None:
    with pytest.raises(ModeError, match="StaticModelRunner: needs imperative mode"):
        fluid.dygraph.StaticModelRunner(str(tmp_path))
    saved("plain", tmp_path)
    with fluid.dygraph.guard():
        with pytest.raises(MissingFileError):
            fluid.dygraph.StaticModelRunner(str(tmp_path / "nothing"))
        with pytest.raises(ArgumentTypeError, match="model_dir got int 3"):
            fluid.dygraph.StaticModelRunner(3)
        model = fluid.dygraph.StaticModelRunner(str(tmp_path), params_filename="params")
        with pytest.raises(ArgumentValueError, match="inputs got 2 of them, needs 1: x"):
            model(X, X)
        with pytest.raises(ArgumentTypeError, match=r"inputs\[0\] got list"):
            model([1.0])
