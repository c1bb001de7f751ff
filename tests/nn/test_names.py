"""The 2.0-alpha's names of layers and functions are one object each, wherever they stand."""

import pytest

import paddle_lite as paddle
import paddle_lite.fluid as fluid
from paddle_lite.core.guarded import unguarded
from paddle_lite.core.lazy import names_in

LAYERS = {
    "activation": "LeakyReLU LogSoftmax ReLU Sigmoid Softmax Tanh",
    "common": "BilinearTensorProduct Dropout Embedding Flatten Linear Pad2D Pool2D UpSample",
    "conv": "Conv1D Conv2D Conv2DTranspose Conv3D Conv3DTranspose",
    "loss": "BCELoss CrossEntropyLoss L1Loss MSELoss NLLLoss",
    "norm": "BatchNorm GroupNorm InstanceNorm LayerNorm SpectralNorm",
}


@pytest.mark.parametrize("name", names_in("paddle_lite.nn.functional"))
def test_a_function_of_functional_is_one_of_nn(name):
    function = getattr(paddle.nn.functional, name)
    assert unguarded(getattr(paddle.nn, name)) is unguarded(function)
    assert callable(function)


def test_no_function_is_named_twice():
    names = names_in("paddle_lite.nn.functional")
    assert len(names) == len(set(names)) > 80


@pytest.mark.parametrize("name", ["cosine_decay", "noam_decay", "piecewise_decay"])
def test_schedules_are_those_of_fluid(name):
    modules = (paddle.nn.functional.learning_rate, paddle.nn.functional, paddle.nn)
    assert all(getattr(module, name) is getattr(fluid.layers, name) for module in modules)


@pytest.mark.parametrize("name", ["case", "cond", "switch_case", "while_loop"])
def test_loops_and_branches_are_those_of_fluid(name):
    assert getattr(paddle.nn, name) is getattr(fluid.layers, name)


@pytest.mark.parametrize("module", sorted(LAYERS))
def test_a_layer_of_a_module_is_one_of_nn(module):
    for name in LAYERS[module].split():
        layer = getattr(paddle.nn, name)
        assert getattr(getattr(paddle.nn.layer, module), name) is getattr(paddle.nn.layer, name) is layer


@pytest.mark.parametrize(
    "name", ["hsigmoid", "row_conv", "clip", "clip_by_norm", "conv3d", "erf", "hard_swish", "pad2d"]
)
def test_functions_of_nn_are_those_of_fluid(name):
    assert getattr(paddle.nn, name) is getattr(fluid.layers, name)


def test_functions_that_make_parameters():
    assert paddle.declarative.nce is fluid.layers.nce and paddle.declarative.prelu is fluid.layers.prelu
    assert paddle.declarative.embedding is fluid.embedding
    with pytest.raises(AttributeError, match=r"'paddle\.declarative' has no attribute 'no_such_name'"):
        _ = paddle.declarative.no_such_name


def test_clips_and_initializers():
    assert paddle.nn.GradientClipByNorm is fluid.clip.GradientClipByNorm
    assert paddle.nn.initializer.Xavier is fluid.initializer.Xavier


def test_modules_whose_names_are_all_in_one():
    assert paddle.framework.ParamAttr is paddle.ParamAttr
    assert paddle.executor.Executor is paddle.Executor is fluid.Executor
    assert paddle.backward.gradients is paddle.gradients
    assert fluid.dygraph.nn.GRUUnit is fluid.dygraph.GRUUnit and fluid.dygraph.layers.Layer is fluid.dygraph.Layer
