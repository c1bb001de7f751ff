"""Parameters that belong to no Layer; names are PaddlePaddle 1.8.5's."""

from __future__ import annotations

import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ShapeError


def test_names(imperative: None) -> None:
    create = fluid.layers.create_parameter
    two = fluid.ParamAttr(initializer=fluid.initializer.Constant(2.0))
    weight, bias = create([2, 2], "float32"), create([2], "float32", is_bias=True)
    assert (weight.name, weight.shape, weight.stop_gradient) == ("create_parameter_0.w_0", [2, 2], False)
    assert (bias.name, bias.numpy().tolist()) == ("create_parameter_1.b_0", [0.0, 0.0])
    assert create([2], "float32", name="mine").name == "mine"
    named = create([2], "float64", name="start", attr=two)
    assert (named.name, named.numpy().tolist()) == ("start.w_0", [2.0, 2.0])
    assert create([2], "float32", attr="other").name == "other"
    assert create([2], "float32", attr=False) is None


def test_shapes_are_known(imperative: None) -> None:
    with pytest.raises(ShapeError, match="create_parameter: shape"):
        fluid.layers.create_parameter([2, -1], "float32")
