"""Decoupled weight decay, `model_stat`, `Ploter`, `sysconfig`; the expected numbers are those of PaddlePaddle 1.8.5."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, DeviceError
from paddle_lite.utils import Ploter

extend = fluid.contrib.extend_optimizer.extend_with_decoupled_weight_decay
Momentum = extend(fluid.optimizer.Momentum)
START = {"param_attr": fluid.initializer.Constant(0.5), "bias_attr": fluid.initializer.Constant(0.25)}
BOTH, WEIGHT = ([-0.279243, -0.5218177], [-0.27986297, -0.52261996])
"""A weight and a bias of fc after three steps, where both shrink and where the weight does."""


@pytest.mark.parametrize(("chosen", "expected"), [(None, BOTH), (lambda name: name == "fc_0.w_0", WEIGHT)])
def test_decoupled_weight_decay_in_a_program(chosen: Any, expected: list[float]) -> None:
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    with fluid.program_guard(main, startup), fluid.unique_name.guard():
        loss = fluid.layers.mean(fluid.layers.square(fluid.layers.fc(fluid.data("x", [None, 4]), 2, **START)))
        Momentum(weight_decay=0.01, apply_decay_param_fun=chosen, learning_rate=0.1, momentum=0.9).minimize(loss)
    assert main.lint() == []
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup, scope=scope)
    for _ in range(3):
        exe.run(main, feed={"x": np.ones([2, 4], "float32")}, scope=scope)
    got = [np.array(scope.find_var(f"fc_0.{name}").get_tensor()).ravel()[0] for name in ("w_0", "b_0")]
    np.testing.assert_allclose(got, expected, rtol=1e-6)


def test_decoupled_weight_decay_in_imperative_mode() -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(4, 2, **START)
        optimizer = Momentum(weight_decay=0.01, learning_rate=0.1, momentum=0.9, parameter_list=layer.parameters())
        for _ in range(3):
            loss = fluid.layers.mean(fluid.layers.square(layer(fluid.dygraph.to_variable(np.ones([2, 4], "float32")))))
            loss.backward()
            optimizer.minimize(loss)
            layer.clear_gradients()
        np.testing.assert_allclose([layer.weight.numpy()[0, 0], layer.bias.numpy()[0]], BOTH, rtol=1e-6)
        assert str(optimizer) == "Weight Decay, coeff: 0.01"


def test_a_factor_that_is_a_variable() -> None:
    with fluid.dygraph.guard():
        weight = fluid.layers.create_parameter([1], "float32", default_initializer=fluid.initializer.Constant(1.0))
        factor = fluid.dygraph.to_variable(np.array([0.5], "float32"))
        loss = fluid.layers.reduce_sum(weight)
        loss.backward()
        extend(fluid.optimizer.SGD)(factor, learning_rate=0.1, parameter_list=[weight]).minimize(loss)
        np.testing.assert_allclose(weight.numpy(), [0.4], rtol=1e-6)


def test_weight_decay_that_cannot_be() -> None:
    for wrong in (3, fluid.optimizer.SGD(0.1), int):
        with pytest.raises(ArgumentTypeError, match="needs a class"):
            extend(wrong)  # type: ignore[arg-type]
    with pytest.raises(ArgumentTypeError, match="weight_decay got"):
        Momentum("much", learning_rate=0.1, momentum=0.9)
    with pytest.raises(ArgumentTypeError, match="apply_decay_param_fun got"):
        Momentum(0.1, "fc", learning_rate=0.1, momentum=0.9)


def test_the_summary_of_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    """As 1.8.5 prints it, but for activations, which it multiplies with a batch size of -1, and the parameters of grouped
    convolutions, which it divides by the number of groups twice."""
    main = fluid.Program()
    with fluid.program_guard(main, fluid.Program()):
        image = fluid.data("image", [None, 3, 8, 8])
        hidden = fluid.layers.pool2d(fluid.layers.conv2d(image, 4, 3, act="relu"), 2, pool_stride=2)
        fluid.layers.fc(fluid.layers.batch_norm(hidden), 5, act="softmax")
        hidden = fluid.layers.prelu(fluid.layers.conv2d(image, 3, 3, groups=3, bias_attr=False), "all")
        fluid.layers.pool2d(fluid.layers.sigmoid(hidden), pool_type="avg", global_pooling=True)
    fluid.contrib.summary(main)
    lines = capsys.readouterr().out.splitlines()
    assert lines[3:12] == [
        "|   0 |     conv2d | (3, 8, 8) | (4, 6, 6) |    108 |  7776 |",
        "|   1 |       relu | (4, 6, 6) | (4, 6, 6) |      0 |   144 |",
        "|   2 |     pool2d | (4, 6, 6) | (4, 3, 3) |      0 |   144 |",
        "|   3 | batch_norm | (4, 3, 3) | (4, 3, 3) |      8 |    72 |",
        "|   4 |        mul | (4, 3, 3) |      (5,) |    181 |   180 |",
        "|   5 |     conv2d | (3, 8, 8) | (3, 6, 6) |     27 |  1944 |",
        "|   6 |      prelu | (3, 6, 6) | (3, 6, 6) |      1 |   108 |",
        "|   7 |    sigmoid | (3, 6, 6) | (3, 6, 6) |      0 |   108 |",
        "|   8 |     pool2d | (3, 6, 6) | (3, 1, 1) |      0 |     3 |",
    ]
    fluid.contrib.summary(fluid.Program())
    assert "Total PARAMs: 0(0.0000M)" in capsys.readouterr().out
    with pytest.raises(ArgumentTypeError, match="needs a Program"):
        fluid.contrib.summary("main")


def test_ploter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ploter = Ploter("training", "test")
    ploter.append("training", 0, 2.5)
    ploter.append("training", 1, 1.5)
    data = ploter.__plot_data__["training"]
    assert (data.step, data.value) == ([0, 1], [2.5, 1.5])
    with pytest.raises(ArgumentValueError, match=r"needs one of \['training', 'test'\]"):
        ploter.append("loss", 0, 1.0)
    monkeypatch.setenv("DISABLE_PLOT", "True")
    ploter.plot(str(tmp_path / "none.png"))
    monkeypatch.delenv("DISABLE_PLOT")
    pytest.importorskip("matplotlib")
    ploter.plot(str(tmp_path / "losses.png"))
    assert [path.name for path in tmp_path.iterdir()] == ["losses.png"]
    ploter.reset()
    assert data.step == []


def test_there_is_nothing_to_compile_against() -> None:
    for call in (paddle.sysconfig.get_include, paddle.sysconfig.get_lib):
        with pytest.raises(DeviceError, match="pure Python"):
            call()
    assert len(paddle.version.commit) == 40
