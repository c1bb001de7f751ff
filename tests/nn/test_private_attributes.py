"""What subclasses of layers and initializers of PaddlePaddle 1.8.5 read of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from paddle_lite import fluid

CONVOLUTION = {
    "_num_channels": 4, "_num_filters": 6, "_filter_size": 3, "_stride": [2, 2], "_padding": [1, 1], "_dilation": [1, 1],
    "_groups": 2, "_act": "relu", "_use_cudnn": True, "_param_attr": None, "_bias_attr": False,
}  # fmt: skip
ATTRS = {"_param_attr": None, "_bias_attr": None}
LAYERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "Conv2D": (lambda D: D.Conv2D(4, 6, 3, 2, 1, groups=2, act="relu", bias_attr=False), CONVOLUTION | {"_l_type": "conv2d"}),
    "Conv2D by channels": (
        lambda D: D.Conv2D(4, 4, 3, groups=4, use_cudnn=False),
        {"_groups": 4, "_l_type": "depthwise_conv2d"},
    ),
    "Conv2DTranspose": (
        lambda D: D.Conv2DTranspose(4, 6, 3, padding=1, stride=2, groups=2, act="relu", bias_attr=False),
        CONVOLUTION | {"_filter_size": [3, 3], "_output_size": [], "_op_type": "conv2d_transpose"},
    ),
    "Conv3D": (lambda D: D.Conv3D(2, 3, 3), {"_num_filters": 3, "_stride": [1, 1, 1], "_padding": [0, 0, 0]}),
    "Conv3DTranspose": (lambda D: D.Conv3DTranspose(2, 3, 3), {"_num_channels": 2, "_dilation": [1, 1, 1], "_filter_size": [3, 3, 3]}),
    "Pool2D": (
        lambda D: D.Pool2D(2, "avg", 1),
        {
            "_pool_type": "avg", "_pool_size": [2, 2], "_pool_stride": [1, 1], "_pool_padding": [0, 0], "_ceil_mode": False,
            "_global_pooling": False, "_exclusive": True, "_l_type": "pool2d", "_use_cudnn": True,
        },
    ),
    "BatchNorm": (
        lambda D: D.BatchNorm(3, momentum=0.8),
        {"_momentum": 0.8, "_epsilon": 1e-05, "_data_layout": "NCHW", "_use_global_stats": False} | ATTRS | {"_in_place": False, "_fuse_with_relu": False},
    ),
    "Dropout": (lambda D: D.Dropout(0.25), {"_dropout_prob": 0.25, "_dropout_implementation": "downgrade_in_infer"}),
    "GroupNorm": (lambda D: D.GroupNorm(4, 2), {"_groups": 2, "_epsilon": 1e-05, "_channels": 4} | ATTRS),
    "NCE": (lambda D: D.NCE(5, 4), {"_num_total_classes": 5, "_num_neg_samples": 10} | ATTRS),
    "SpectralNorm": (lambda D: D.SpectralNorm([2, 3]), {"_power_iters": 1, "_eps": 1e-12, "_dim": 0, "_weight_shape": [2, 3]}),
    "Embedding": (
        lambda D: D.Embedding([4, 3], is_sparse=True),
        {"_is_sparse": True, "_is_distributed": False, "_remote_prefetch": True, "_param_attr": None},
    ),
    "GRUUnit": (
        lambda D: D.GRUUnit(9),
        {"activation": 2, "gate_activation": 1, "_bias_attr": None, "_bias_size": [1, 9]},
    ),
    "InstanceNorm": (lambda D: D.InstanceNorm(4), {"_epsilon": 1e-05} | ATTRS),
    "LayerNorm": (lambda D: D.LayerNorm(4, shift=False), {"_scale": True, "_shift": False, "_epsilon": 1e-05} | ATTRS),
    "PRelu": (lambda D: D.PRelu("channel", channel=4), {"_alpha_shape": [1, 4, 1, 1], "_param_attr": None}),
    "BilinearTensorProduct": (
        lambda D: D.BilinearTensorProduct(3, 4, 5),
        {"_input1_dim": 3, "_input2_dim": 4, "_output_dim": 5, "_name": None} | ATTRS,
    ),
    "TreeConv": (
        lambda D: D.TreeConv(3, 4),
        {"_feature_size": 3, "_output_size": 4, "_num_filters": 1, "_max_depth": 2, "_name": None} | ATTRS,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", LAYERS)
def test_layers_keep_their_arguments_as_in_paddle(case: str) -> None:
    build, expected = LAYERS[case]
    with fluid.dygraph.guard():
        layer = build(fluid.dygraph)
        assert {name: getattr(layer, name) for name in expected} == expected
        with pytest.raises(AttributeError, match="_nothing"):
            _ = layer._nothing


def test_a_subclass_convolves_by_what_the_layer_keeps() -> None:
    class Scaled(fluid.dygraph.Conv2D):
        def forward(self, input: Any) -> Any:
            weight = self.weight / float(self._filter_size**2 * self._num_channels)
            attrs = {"strides": self._stride, "paddings": self._padding, "dilations": self._dilation, "groups": 1}
            out = self._helper.create_variable_for_type_inference(self._dtype)
            inputs = {"Input": [input], "Filter": [weight]}
            self._helper.append_op(type="conv2d", inputs=inputs, outputs={"Output": [out]}, attrs=attrs)
            return self._helper.append_activation(out, act=self._act)

    with fluid.dygraph.guard():
        one = fluid.ParamAttr(initializer=fluid.initializer.Constant(1.0))
        x = fluid.dygraph.to_variable(np.ones([1, 2, 3, 3], "float32"))
        np.testing.assert_allclose(
            Scaled(2, 1, 3, param_attr=one, bias_attr=False, act="relu")(x).numpy(), [[[[1.0]]]], rtol=1e-6
        )


def test_initializers_keep_their_arguments_as_in_paddle() -> None:
    known = fluid.initializer
    assert known.Constant(2.0)._value == 2.0 and known.Constant(2.0)._force_cpu is False
    assert (known.Uniform(-2.0, 3.0, 5)._low, known.Uniform(-2.0, 3.0)._high, known.Uniform(seed=5)._seed) == (-2, 3, 5)
    for kind in (known.Normal, known.TruncatedNormal):
        assert (kind(1.0, 2.0, 3)._mean, kind(1.0, 2.0)._std_dev, kind(seed=3)._seed) == (1.0, 2.0, 3)
    assert (known.Xavier(False, 3, 4)._uniform, known.Xavier(fan_in=3)._fan_in, known.MSRA()._uniform) == (
        False,
        3,
        True,
    )
    with pytest.raises(AttributeError, match="_nothing"):
        _ = known.Constant()._nothing


IMAGE = np.random.RandomState(0).rand(2, 4, 6, 6).astype("float32")
SET: dict[str, tuple[Any, str, Any, Any]] = {
    "stride": (lambda D, **more: D.Conv2D(4, 4, 3, **more), "_stride", [2, 2], {"stride": 2}),
    "one number": (lambda D, **more: D.Conv2D(4, 4, 3, **more), "_dilation", 2, {"dilation": 2}),
    "padding": (lambda D, **more: D.Conv2DTranspose(4, 4, 3, **more), "_padding", [1, 1], {"padding": 1}),
    "pool_type": (lambda D, **more: D.Pool2D(2, **more), "_pool_type", "avg", {"pool_type": "avg"}),
    "global": (lambda D, **more: D.Pool2D(2, **more), "_global_pooling", True, {"global_pooling": True}),
    "momentum": (lambda D, **more: D.BatchNorm(4, **more), "_momentum", 0.25, {"momentum": 0.25}),
    "groups": (lambda D, **more: D.GroupNorm(4, **{"groups": 2, **more}), "_groups", 4, {"groups": 4}),
}


@pytest.mark.parametrize("case", SET)
def test_what_is_set_under_paddles_name_takes_effect(case: str) -> None:
    build, name, value, argument = SET[case]
    results = []
    for more in ({}, argument):
        with fluid.dygraph.guard():
            fluid.default_startup_program().random_seed = fluid.default_main_program().random_seed = 3
            layer = build(fluid.dygraph, **more)
            if not more:
                setattr(layer, name, value)
            layer(fluid.dygraph.to_variable(IMAGE))
            layer.eval()
            results.append((layer(fluid.dygraph.to_variable(IMAGE)).numpy().tolist(), getattr(layer, name)))
    assert results[0] == results[1]


def test_a_class_of_the_user_keeps_what_it_likes_in_attrs() -> None:
    class Own(fluid.dygraph.Layer):
        def __init__(self) -> None:
            super().__init__()
            self._attrs = {"alpha": 1}
            self._alpha = 2

    with fluid.dygraph.guard():
        own = Own()
    assert (own._attrs, own._alpha) == ({"alpha": 1}, 2)


@pytest.mark.parametrize(
    ("shape", "expected"),
    [([3], (3, 3)), ([3, 4], (3, 4)), ([2, 3, 4], (12, 8)), ([2, 3, 4, 5], (60, 40))],
)
def test_an_initializer_tells_its_subclasses_the_fans_of_a_parameter(
    shape: list[int], expected: tuple[int, int]
) -> None:
    block = fluid.Program().global_block()
    assert fluid.initializer.Xavier()._compute_fans(block.create_var(shape=shape, dtype="float32")) == expected


def test_attributes_become_keywords_of_create_parameter() -> None:
    attr = fluid.ParamAttr("w", fluid.initializer.Constant(2.0), learning_rate=0.5, trainable=False)
    keywords = attr._to_kwargs()
    assert keywords == {
        "name": "w", "optimize_attr": {"learning_rate": 0.5}, "regularizer": None, "trainable": False,
        "do_model_average": True,
    }  # fmt: skip
    assert attr._to_kwargs(with_initializer=True) == keywords | {"initializer": attr.initializer}
    made = fluid.Program().global_block().create_parameter(shape=[2], dtype="float32", **keywords)
    assert made.name == "w" and made.optimize_attr == {"learning_rate": 0.5} and not made.trainable


def test_penalties_and_schedules_keep_their_numbers_as_in_paddle() -> None:
    assert fluid.regularizer.L1Decay(0.5)._regularization_coeff == 0.5
    with fluid.dygraph.guard():
        assert fluid.dygraph.PiecewiseDecay([1], [0.1, 0.2], 0).vars == [0.1, 0.2]


def test_a_convolution_is_made_by_a_subclass_that_assigns_its_attributes_as_in_1_8_5() -> None:
    class Own(fluid.dygraph.Conv2D):
        """Makes its parameters itself, in place of Conv2D.__init__, and computes by its forward."""

        def __init__(self) -> None:
            fluid.dygraph.Layer.__init__(self)
            self._groups, self._stride, self._padding, self._dilation = None, [2, 2], [1, 1], [1, 1]
            self._act, self._use_cudnn, self._l_type = "relu", True, "conv2d"
            self.weight = self.create_parameter([3, 2, 3, 3], None, "float32", False, fluid.initializer.Constant(-0.5))
            self.bias = self.create_parameter([3], None, "float32", True, None)

    with fluid.dygraph.guard(fluid.CPUPlace()):
        x = fluid.dygraph.to_variable(np.arange(128, dtype="float32").reshape(1, 2, 8, 8))
        made = fluid.dygraph.Conv2D(2, 3, 3, padding=1, param_attr=fluid.initializer.Constant(-0.5))
        made._stride, made._act = [2, 2], "relu"
        assert made(x).shape == [1, 3, 4, 4]
        own = Own()
        assert made._groups == own._groups == 1 and own._l_type == "conv2d"
        np.testing.assert_array_equal(own(x).numpy(), made(x).numpy())
        own._act, made._act = None, None
        own._dilation, own._padding = [2, 2], [2, 2]
        expected = fluid.layers.conv2d(x, 3, 3, 2, 2, 2, param_attr=fluid.initializer.Constant(-0.5), bias_attr=False)
        np.testing.assert_allclose(own(x).numpy(), expected.numpy(), rtol=1e-6)
        assert fluid.dygraph.Conv2D(2, 4, 3)._padding == [0, 0]  # that of another is as it was


WINDOW = {"_groups": 1, "_act": None, "_use_cudnn": True}
ATTRIBUTES = {
    "Pool2D": ((2, "avg", 2), [], [1, 1, 4, 4], {
        "_pool_type": "avg", "_pool_size": [2, 2], "_pool_padding": [0, 0], "_pool_stride": [2, 2], "_global_pooling": False,
        "_use_cudnn": True, "_ceil_mode": False, "_exclusive": True, "_l_type": "pool2d",
    }),
    "Conv2DTranspose": ((1, 1, 2, None, 0, 2), [1, 1, 2, 2], [1, 1, 2, 2], {
        **WINDOW, "_padding": [0, 0], "_stride": [2, 2], "_dilation": [1, 1], "_filter_size": [2, 2], "_output_size": [],
        "_op_type": "conv2d_transpose",
    }),
    "Conv3D": ((1, 1, 2), [1, 1, 2, 2, 2], [1, 1, 3, 3, 3], {
        **WINDOW, "_stride": [1, 1, 1], "_padding": [0, 0, 0], "_dilation": [1, 1, 1],
    }),
    "Conv3DTranspose": ((1, 1, 2), [1, 1, 2, 2, 2], [1, 1, 2, 2, 2], {
        **WINDOW, "_stride": [1, 1, 1], "_padding": [0, 0, 0], "_dilation": [1, 1, 1], "_bias_attr": None,
    }),
    "GroupNorm": ((2, 1), [2], [1, 2, 1, 2], {
        "_channels": 2, "_groups": 1, "_epsilon": 1e-5, "_act": None, "_data_layout": "NCHW",
    }),
    "BatchNorm": ((2,), [2], [4, 2], {
        "_act": None, "_in_place": False, "_data_layout": "NCHW", "_momentum": 0.9, "_epsilon": 1e-5, "_is_test": False,
        "_fuse_with_relu": False, "_use_global_stats": False, "_trainable_statistics": False,
    }),
}  # fmt: skip
"""Layer -> what it is made with, the shapes of its weight and of an input, and what its __init__ assigns in 1.8.5."""


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_subclasses_that_assign_attributes_in_place_of_init_compute_by_forward(name: str) -> None:
    given, weight, shape, assigned = ATTRIBUTES[name]
    kind = getattr(fluid.dygraph, name)

    class Own(kind):
        def __init__(self) -> None:
            fluid.dygraph.Layer.__init__(self)
            for attribute, value in assigned.items():
                setattr(self, attribute, value)
            self.weight = self.create_parameter(weight, fluid.initializer.Constant(1.0)) if weight else None
            self.bias = self.create_parameter(weight[-1:], is_bias=True) if name.endswith("Norm") else None
            if name == "BatchNorm":
                self._mean = self.create_parameter(weight, fluid.initializer.Constant(0.0))
                self._variance = self.create_parameter(weight, fluid.initializer.Constant(1.0))

    with fluid.dygraph.guard(fluid.CPUPlace()):
        x = fluid.dygraph.to_variable(np.arange(np.prod(shape), dtype="float32").reshape(shape))
        made = kind(*given, **({"param_attr": fluid.initializer.Constant(1.0)} if weight else {}))
        np.testing.assert_array_equal(Own()(x).numpy(), made(x).numpy())


def test_parameters_of_a_layer_are_float32_unless_a_dtype_is_given_as_in_1_8_5() -> None:
    class Net(fluid.dygraph.Layer):
        def __init__(self) -> None:
            super().__init__(dtype="float64")
            self.top = fluid.dygraph.Linear(3, 2, dtype="float64")

    with fluid.dygraph.guard(fluid.CPUPlace()):
        net = Net()
        given = [
            net.create_parameter([2]),
            net.create_parameter([2], dtype="float64"),
            net.create_parameter([2], dtype=None),
        ]
        dtypes = [fluid.data_feeder.convert_dtype(each.dtype) for each in (*given, net.top.weight, net.top.bias)]
    assert dtypes == ["float32", "float64", "float64", "float64", "float64"]


def test_a_helper_of_a_name_runs_operators_as_in_1_8_5() -> None:
    with fluid.dygraph.guard(fluid.CPUPlace()), fluid.unique_name.guard():
        helper = fluid.dygraph.layer_object_helper.LayerObjectHelper("own")
        x = fluid.dygraph.to_variable(np.float32([-1, 1]))
        assert helper.append_activation(x, act="relu").numpy().tolist() == [0.0, 1.0]
        assert helper.name == helper.layer_type == "own" and helper.input_dtype(x) == x.dtype
        weight = helper.create_parameter(fluid.ParamAttr(), [2], "float32")
        assert weight.name == "own.w_0" and list(weight.shape) == [2]
