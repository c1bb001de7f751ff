"""Wrong calls of functions that own parameters, and of what is made from them, name the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import paddle_lite.fluid as fluid
from paddle_lite.core.errors import ArgumentTypeError, ArgumentValueError, EnforceNotMet, ModeError, ShapeError
from paddle_lite.core.mode import switched
from paddle_lite.static.mode.static_mode import static_mode

L = "fluid.layers."
WRONG = [
    (L + "fc(row, 0)", ArgumentValueError, "fc: size got 0"),
    (L + "fc(row, 3, num_flatten_dims=2)", ArgumentValueError, "num_flatten_dims got 2, needs 1 to 1"),
    (L + "fc(free, 3)", ShapeError, "known sizes behind the first 1"),
    (L + "fc(row, 3, param_attr=False)", ArgumentValueError, "param_attr got False"),
    (L + "fc([row, ids], 3)", ArgumentTypeError, "one dtype"),
    (L + "fc(np.zeros([2, 2]), 3)", ArgumentTypeError, "input got ndarray"),
    (L + "fc([row, row], 3, param_attr=['a', 'b', 'c'])", ArgumentValueError, "param_attr got 3 of them, needs 1 or 2"),
    (L + "fc(row, 3, act='nope')", ArgumentValueError, "act got 'nope'"),
    (L + "embedding(ids, [10])", ArgumentTypeError, r"size got list \[10\]"),
    (L + "embedding(ids, [10, 2], padding_idx=10)", ArgumentValueError, "padding_idx got 10, needs -10 to 9"),
    (L + "embedding(row, [10, 2])", EnforceNotMet, "lookup_table"),
    (L + "conv2d(row, 3, 3)", ShapeError, "4 dimensions, NCHW"),
    (L + "conv2d(image, 3, 3, data_format='NCDHW')", ArgumentValueError, "data_format got 'NCDHW'"),
    (L + "conv2d(image, 3, 3, param_attr=False)", ArgumentValueError, "param_attr got False"),
    (L + "conv2d(image, 4, 3, groups=2)", ArgumentValueError, "a divisor of num_channels 3"),
    (L + "conv2d(image, 3, 3, use_cudnn=1)", ArgumentTypeError, "use_cudnn got int 1"),
    (L + "pool2d(image, 2, use_cudnn=[0])", ArgumentTypeError, r"pool2d: use_cudnn got list \[0\]"),
    (L + "pool3d(image, 2, use_cudnn=None)", ArgumentTypeError, "pool3d: use_cudnn got NoneType None"),
    (L + "conv2d(channels, 3, 3)", ShapeError, "a known number of channels"),
    (L + "conv2d(image, 3, [3, 3, 3])", ArgumentTypeError, "filter_size got list"),
    (L + "conv2d(image, 3, 9)", ShapeError, "conv2d"),
    (L + "conv3d(image, 3, 3)", ShapeError, "5 dimensions, NCDHW"),
    (L + "conv2d_transpose(image, 3)", ArgumentValueError, "output_size got None, and filter_size too"),
    (L + "conv2d_transpose(image, 3, output_size=2)", ShapeError, "the window would be"),
    (L + "conv2d_transpose(free, 3, output_size=20)", ShapeError, "a filter_size, or known sizes"),
    (L + "conv3d_transpose(image, 3, filter_size=3)", ShapeError, "5 dimensions"),
    (L + "batch_norm(image, param_attr=False)", ArgumentValueError, "param_attr got False"),
    (L + "batch_norm(image, data_layout='NC')", ArgumentValueError, "data_layout got 'NC'"),
    (L + "batch_norm(image, epsilon=0.1)", ArgumentValueError, "epsilon"),
    (L + "batch_norm(channels)", ShapeError, "a known number of channels"),
    (L + "instance_norm(image, bias_attr=False)", ArgumentValueError, "bias_attr got False"),
    (L + "layer_norm(image, begin_norm_axis=4)", ShapeError, "begin_norm_axis got 4, needs 1 to 3"),
    (L + "layer_norm(image, param_attr=False)", ArgumentValueError, "scale=False"),
    (L + "group_norm(image, 2)", EnforceNotMet, "group"),
    (L + "spectral_norm(row, dim=2)", ArgumentValueError, "dim got 2"),
    (L + "spectral_norm(free)", ShapeError, "known sizes"),
    (L + "create_global_var([2], 'a', 'float32')", ArgumentTypeError, "value got str 'a'"),
    (L + "multi_box_head(image, image, 32, 5, [2.0])", ArgumentTypeError, "a list of feature maps"),
    (L + "multi_box_head([image], image, 32, 5, [2.0])", ArgumentTypeError, "min_sizes got NoneType"),
    (L + "multi_box_head([image] * 3, image, 32, 5, [2.0] * 3)", ArgumentTypeError, "min_ratio got NoneType"),
    (L + "multi_box_head([image] * 3, image, 32, 5, [2.0] * 3, 20, 20)", ArgumentValueError, "max_ratio got 20"),
    (L + "multi_box_head([image] * 3, image, 32, 5, [2.0], 20, 90)", ArgumentTypeError, "aspect_ratios got 1 of them"),
    ("fluid.nets.img_conv_group(image, 3, 2)", ArgumentTypeError, "conv_num_filter got int 3"),
    ("fluid.nets.img_conv_group(image, [3, 3], 2, conv_padding=[1])", ArgumentValueError, "conv_padding got 1 of them"),
    ("fluid.nets.scaled_dot_product_attention(row, row, row)", ShapeError, r"needs \[N, length, size\]"),
    ("fluid.nets.scaled_dot_product_attention(words, words, words, 3)", ShapeError, "a divisor of the size of keys, 4"),
    ("fluid.nets.scaled_dot_product_attention(words, longer, longer)", ShapeError, "the size of queries, 4"),
    ("fluid.nets.scaled_dot_product_attention(words, words, more)", ShapeError, "as many as keys, 5"),
    (L + "fc(row, 3, param_attr=fluid.WeightNormParamAttr(dim=2))", ArgumentValueError, "dim got 2, needs 0 to 1"),
]


@pytest.fixture
def names(imperative: None) -> Any:
    shapes = {
        "row": [None, 4], "free": [None, 3, -1, 8], "image": [None, 3, 8, 8], "channels": [None, -1, 8, 8],
        "words": [None, 5, 4], "longer": [None, 5, 6], "more": [None, 7, 4],
    }  # fmt: skip
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(fluid.Program(), fluid.Program()):
        made = {name: fluid.data(name, shape) for name, shape in shapes.items()}
        yield {**made, "ids": fluid.data("ids", [None, 1], "int64"), "fluid": fluid, "np": np}


@pytest.mark.parametrize(("call", "error", "says"), WRONG, ids=[call.split(".", 1)[1] for call, *_ in WRONG])
def test_wrong_calls(names: dict[str, Any], call: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        eval(call, names)


def test_functions_of_programs_say_so_in_imperative_mode(imperative: None) -> None:
    with pytest.raises(ModeError, match="autoincreased_step_counter"):
        fluid.layers.autoincreased_step_counter()
    x = fluid.dygraph.to_variable(np.ones([2, 3], "float32"))
    with pytest.raises(ModeError, match="WeightNormParamAttr"):
        fluid.layers.fc(x, 2, param_attr=fluid.WeightNormParamAttr())


def test_fc_takes_two_unknown_sizes_as_those_of_a_picture_that_was_pooled_as_a_whole() -> None:
    main, startup = fluid.Program(), fluid.Program()
    with switched(static_mode, fluid.CPUPlace(), None), fluid.program_guard(main, startup):
        x = fluid.data("x", [None, 4, None, None])
        y = fluid.layers.fc(x, 2, param_attr=fluid.initializer.Constant(0.5))
    assert [p.shape for p in main.all_parameters()] == [(4, 2), (2,)]
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    ones = np.ones([3, 4, 1, 1], "float32")
    np.testing.assert_array_equal(exe.run(main, feed={"x": ones}, fetch_list=[y])[0], np.full([3, 2], 2.0))
    with pytest.raises(ShapeError, match="mul: "):
        exe.run(main, feed={"x": np.ones([3, 4, 2, 2], "float32")}, fetch_list=[y])
