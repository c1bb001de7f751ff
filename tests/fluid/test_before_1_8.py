"""Names that Fluid had before 1.8."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, MissingFileError, ShapeError
from paddle_lite.fluid.dygraph_grad_clip import GradClipByGlobalNorm, GradClipByNorm, GradClipByValue


def ones(*shape: int) -> Any:
    return fluid.dygraph.to_variable(np.ones(shape, "float32"))


@pytest.mark.parametrize(("rows", "weight", "out"), [(1, [20, 2], [3, 2]), (2, [5, 2], [3, 4, 2])])
def test_fc(rows: int, weight: list[int], out: list[int]) -> None:
    """It equals the static fc, and trains."""
    start = fluid.initializer.Constant(0.1)
    with fluid.dygraph.guard():
        layer = fluid.dygraph.FC("fc", 2, num_flatten_dims=rows, param_attr=start, act="relu")
        result = layer(ones(3, 4, 5))
        assert (layer.weight.shape, layer.bias.shape, result.shape) == (weight, [2], out)
        fluid.layers.mean(result).backward()
        assert layer.weight.gradient() is not None and len(layer.parameters()) == 2
        without = fluid.dygraph.FC("fc", 2, bias_attr=False)
        without(ones(3, 4))
        assert list(without.state_dict()) == ["weight"]
        got = result.numpy()
        with pytest.raises(ShapeError, match=f"needs more than {rows} dimensions"):
            layer(ones(*[3] * rows))
    with fluid.program_guard(fluid.Program(), fluid.Program()):
        x = fluid.data("x", [3, 4, 5])
        y = fluid.layers.fc(x, 2, num_flatten_dims=rows, param_attr=start, act="relu")
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        expected = exe.run(feed={"x": np.ones([3, 4, 5], "float32")}, fetch_list=[y])[0]
    np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("wrong", [{"size": 0}, {"size": 2, "num_flatten_dims": 0}])
def test_an_fc_that_cannot_be(wrong: dict) -> None:
    with fluid.dygraph.guard(), pytest.raises(ArgumentValueError, match="needs 1 or more"):
        fluid.dygraph.FC("fc", **wrong)


@pytest.mark.parametrize(
    ("clip", "expected"),
    [(GradClipByValue(-0.25, 0.25), [0.75, 0.75]), (GradClipByNorm(1.0), [1 - 0.6, 1 - 0.8]), (GradClipByGlobalNorm(2.5), [-0.5, -1.0])],
)  # fmt: skip
def test_clips_of_a_step(clip: Any, expected: list[float]) -> None:
    """minimize(grad_clip=...) clips in this step only."""
    with fluid.dygraph.guard():
        weight = fluid.layers.create_parameter([2], "float32", default_initializer=fluid.initializer.Constant(1.0))
        optimizer = fluid.optimizer.SGD(1.0, parameter_list=[weight])
        factors = fluid.dygraph.to_variable(np.array([3.0, 4.0], "float32"))
        for limit, wanted in [(clip, expected), (None, [expected[0] - 3.0, expected[1] - 4.0])]:
            loss = fluid.layers.reduce_sum(weight * factors)
            loss.backward()
            optimizer.minimize(loss, grad_clip=limit)
            optimizer.clear_gradients()
            np.testing.assert_allclose(weight.numpy(), wanted, rtol=1e-6)
        with pytest.raises(ArgumentTypeError, match="grad_clip got"):
            optimizer.minimize(loss, grad_clip=5.0)


def test_the_clip_of_a_parameter() -> None:
    """ParamAttr(gradient_clip=...) clips the gradient of that parameter in a Program."""
    main, startup, scope = fluid.Program(), fluid.Program(), fluid.Scope()
    start = fluid.initializer.Constant(1.0)
    with fluid.program_guard(main, startup):
        attr = fluid.ParamAttr("w", start, gradient_clip=fluid.clip.GradientClipByValue(0.5))
        clipped = fluid.layers.create_parameter([2], "float32", attr=attr)
        free = fluid.layers.create_parameter([2], "float32", attr=fluid.ParamAttr("v", start))
        fluid.optimizer.SGD(1.0).minimize(fluid.layers.reduce_sum(clipped * 3.0 + free * 3.0))
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup, scope=scope)
    exe.run(main, scope=scope)
    assert [np.array(scope.find_var(name).get_tensor()).tolist() for name in "wv"] == [[0.5, 0.5], [-2.0, -2.0]]
    with pytest.raises(ArgumentTypeError, match="gradient_clip got"):
        fluid.ParamAttr(gradient_clip=5.0)


def test_attributes_of_parameters() -> None:
    to_attr = fluid.ParamAttr._to_attr
    assert to_attr(False) is False and to_attr("w").name == "w" and to_attr(None).name is None
    assert [each.name for each in to_attr(["a", "b"])] == ["a", "b"]
    attr = fluid.ParamAttr()
    attr._set_default_bias_initializer()
    first = attr.initializer
    attr._set_default_param_initializer()
    assert isinstance(first, fluid.initializer.Constant) and attr.initializer is first


def test_files_of_state_dicts(tmp_path: Path) -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 2)
        optimizer = fluid.optimizer.Adam(0.1, parameter_list=layer.parameters())
        loss = fluid.layers.mean(layer(ones(1, 2)))
        loss.backward()
        optimizer.minimize(loss)
        fluid.dygraph.save_persistables(layer.state_dict(), tmp_path / "model", [optimizer])
        parameters, states = fluid.dygraph.load_persistables(tmp_path / "model")
        other = fluid.dygraph.Linear(2, 2)
        other.set_dict(parameters)
        assert (
            np.array_equal(other.weight.numpy(), layer.weight.numpy())
            and states.keys() == optimizer.state_dict().keys()
        )
        fluid.dygraph.save_persistables(layer.state_dict(), tmp_path / "alone")
        assert fluid.dygraph.load_persistables(tmp_path / "alone")[1] == {}
        with pytest.raises(MissingFileError):
            fluid.dygraph.load_persistables(tmp_path / "nowhere")
        with pytest.raises(ArgumentTypeError, match="needs a state dict"):
            fluid.dygraph.save_persistables(layer.parameters(), tmp_path)  # type: ignore[arg-type]


def test_init_on_cpu() -> None:
    with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.initializer.init_on_cpu():
        assert fluid.layers.create_global_var([1], 2.0, "float32", persistable=True).persistable
    assert fluid.initializer.force_init_on_cpu() is False


def test_names_that_were_elsewhere() -> None:
    """Names of 1.0 to 1.7 are found where they were."""
    that: Any = fluid
    assert that.FC is fluid.dygraph.FC and that.imperative.nn.FC is fluid.dygraph.FC
    assert (
        that.imperative.base.to_variable is fluid.dygraph.to_variable and that.imperative.guard is fluid.dygraph.guard
    )
    for name in ("tree_conv", "match_matrix_tensor", "var_conv_2d", "sequence_topk_avg_pooling", "multiclass_nms2"):
        assert getattr(that.layers, name) is getattr(fluid.contrib.layers, name)
    assert that.layers.learning_rate_scheduler.init_on_cpu is that.initializer.init_on_cpu
    assert issubclass(GradClipByNorm, that.dygraph_grad_clip.GradClipBase)
    assert issubclass(fluid.clip.GradientClipByValue, that.clip.BaseGradientClipAttr)
    assert that.io.PipeReader is that.io.PipeReader and that.io.Fake
    decorator = that.contrib.mixed_precision.decorator
    assert decorator.OptimizerWithMixedPrecison is decorator.OptimizerWithMixedPrecision


def test_states_by_the_name_of_that_time() -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(2, 2)
        adam = fluid.optimizer.Adam(0.1, parameter_list=layer.parameters())
        kept = {}
        for step in range(2):
            loss = fluid.layers.mean(layer(ones(1, 2)))
            loss.backward()
            adam.minimize(loss)
            if step == 0:
                kept = {name: np.array(value.numpy()) for name, value in adam.state_dict().items()}
        adam.load(kept)
        assert all(np.array_equal(value.numpy(), kept[name]) for name, value in adam.state_dict().items())
        with pytest.raises(ArgumentTypeError, match="set_dict: state_dict"):
            adam.load([])  # type: ignore[arg-type]
