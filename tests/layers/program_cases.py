"""Calls of the functions of fluid.layers that own parameters, as Programs; run by Paddle (record_programs.py) and by the tests.

It is read by Python 3.7 too, which PaddlePaddle 1.8.5 needs.
"""

import numpy as np


def describe(fluid, build):
    """The Programs that `build(fluid)` makes, as plain data: parameters, operators, and what fills the parameters."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        results = build(fluid)
    results = results if isinstance(results, (list, tuple)) else [results]
    block = main.global_block()
    return {
        "parameters": [_parameter(p) for p in main.all_parameters()],
        "persistable": sorted(v.name for v in main.list_vars() if v.persistable),
        "operators": [_operator(op) for op in block.ops],
        "startup": [_operator(op) for op in startup.global_block().ops],
        "results": [[v.name, list(v.shape)] for v in results if v is not None],
        "kinds": [[int(v.dtype), v.lod_level, bool(v.stop_gradient)] for v in results if v is not None],
    }


def numbers(fluid, build):
    """What the parameters are once the startup Program has run with its seed, and what one run of the main Program gives."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 5
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        results = build(fluid)
    results = [v for v in (results if isinstance(results, (list, tuple)) else [results]) if v is not None]
    exe = fluid.Executor(fluid.CPUPlace())
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        found = {p.name: np.array(fluid.global_scope().find_var(p.name).get_tensor()) for p in main.all_parameters()}
        data = [v for v in main.list_vars() if v.is_data]
        written = {name for op in main.global_block().ops for name in op.output_arg_names}
        fetched = [v for v in results if v.name in written]
        values = exe.run(main, feed={v.name: feed(v) for v in data}, fetch_list=fetched)
    found.update(("result " + v.name, value) for v, value in zip(fetched, values))
    return found


def feed(variable):
    """Numbers for a data Variable, two rows of them."""
    shape = [2 if n == -1 else n for n in variable.shape]
    count = int(np.prod(shape))
    if int(variable.dtype) == int(INT64):
        return (np.arange(count) % 2).astype("int64").reshape(shape)
    return np.abs(np.sin(np.arange(count) * 0.7 + len(variable.name))).astype("float32").reshape(shape)


INT64 = 3  # the code of its dtype


def _parameter(p):
    return [p.name, list(p.shape), int(p.dtype), p.trainable, p.stop_gradient, p.optimize_attr["learning_rate"]]


KEPT = {
    "x_num_col_dims", "y_num_col_dims", "axis", "strides", "paddings", "dilations", "groups", "padding_algorithm", "data_format",
    "output_size", "is_test", "momentum", "epsilon", "data_layout", "use_global_stats", "begin_norm_axis", "is_sparse",
    "is_distributed", "padding_idx", "shape", "dtype", "value", "min", "max", "mean", "std", "seed", "mode", "num_classes",
    "num_neg_samples", "sampler", "num_total_classes", "forget_bias", "activation", "gate_activation", "origin_mode", "dim",
    "power_iters", "eps", "ksize", "pooling_type", "global_pooling", "alpha", "beta", "k", "curve", "num_thresholds", "step",
    "deformable_groups", "im2col_step", "scale", "bias", "transpose_X", "transpose_Y", "dropout_prob", "num", "sections",
    "need_update", "min_sizes", "max_sizes", "aspect_ratios", "variances", "flip", "clip", "step_w", "step_h", "offset",

}  # fmt: skip


def _operator(op):
    attrs = {}
    for name in op.attr_names:
        if name in KEPT:
            attrs[name] = _rounded(op.attr(name))
    inputs = {slot: op.input(slot) for slot in op.input_names if op.input(slot)}
    outputs = {slot: op.output(slot) for slot in op.output_names if op.output(slot)}
    return [op.type, inputs, outputs, attrs]


def _rounded(value):
    if isinstance(value, (list, tuple)):
        return [_rounded(v) for v in value]
    return round(value, 5) if isinstance(value, float) else value


def image(fluid, shape=(None, 3, 8, 8), name="image"):
    return fluid.data(name, list(shape), "float32")


def fc(fluid):
    return fluid.layers.fc(fluid.data("x", [None, 4]), 3)


def fc_of_two(fluid):
    x, y = fluid.data("x", [None, 4]), fluid.data("y", [None, 2, 3])
    attrs = [fluid.ParamAttr(name="wx"), fluid.ParamAttr(learning_rate=0.5)]
    return fluid.layers.fc([x, y], 5, param_attr=attrs, bias_attr=fluid.ParamAttr(name="b"), act="relu")


def fc_of_volume(fluid):
    return fluid.layers.fc(image(fluid), 5, num_flatten_dims=2, bias_attr=False, act="softmax", name="named")


def fc_sharing(fluid):
    x = fluid.data("x", [None, 4])
    first = fluid.layers.fc(x, 4, param_attr="shared.w", bias_attr=False)
    return fluid.layers.fc(first, 4, param_attr="shared.w")


def fc_last(fluid):
    return fluid.layers.fc(image(fluid), 5, num_flatten_dims=-1)


def embedding(fluid):
    return fluid.layers.embedding(fluid.data("ids", [None, 1], "int64"), [10, 4])


def embedding_options(fluid):
    ids = fluid.data("ids", [None, 3, 1], "int64")
    return fluid.layers.embedding(ids, [10, 4], is_sparse=True, padding_idx=-1, param_attr="table", dtype="float64")


def embedding_v2(fluid):
    return fluid.embedding(fluid.data("ids", [None, 3], "int64"), [10, 4], padding_idx=2)


def conv2d(fluid):
    return fluid.layers.conv2d(image(fluid), 6, 3, act="relu")


def conv2d_options(fluid):
    w = fluid.initializer.MSRA(uniform=False)
    return fluid.layers.conv2d(
        image(fluid), 6, [3, 2], stride=2, padding="SAME", groups=3, param_attr=w, bias_attr=False, name="stem"
    )


def conv2d_last(fluid):
    return fluid.layers.conv2d(
        image(fluid, (None, 8, 8, 3)), 4, 3, padding=[1, 2], dilation=2, data_format="NHWC", act="tanh"
    )


def conv2d_pads(fluid):
    return fluid.layers.conv2d(image(fluid), 4, 3, padding=[[0, 0], [0, 0], [1, 2], [0, 1]])


def depthwise(fluid):
    return fluid.layers.conv2d(image(fluid), 6, 3, padding=1, groups=3, use_cudnn=False)


def conv3d(fluid):
    return fluid.layers.conv3d(image(fluid, (None, 2, 5, 6, 7)), 4, 3, padding=1, act="relu")


def conv2d_transpose(fluid):
    return fluid.layers.conv2d_transpose(image(fluid), 6, filter_size=3, stride=2)


def conv2d_transpose_size(fluid):
    return fluid.layers.conv2d_transpose(image(fluid), 6, output_size=[17, 17], stride=2, padding=1, act="relu")


def conv2d_transpose_both(fluid):
    return fluid.layers.conv2d_transpose(
        image(fluid), 6, output_size=18, filter_size=4, stride=2, groups=3, bias_attr=False
    )


def conv3d_transpose(fluid):
    return fluid.layers.conv3d_transpose(image(fluid, (None, 2, 5, 6, 7)), 4, filter_size=3, stride=2)


def conv3d_transpose_size(fluid):
    return fluid.layers.conv3d_transpose(image(fluid, (None, 2, 5, 6, 7)), 4, output_size=[11, 13, 15], stride=2)


def batch_norm(fluid):
    return fluid.layers.batch_norm(image(fluid))


def batch_norm_options(fluid):
    return fluid.layers.batch_norm(
        image(fluid, (None, 8, 8, 3)), act="relu", is_test=True, momentum=0.8, epsilon=1e-4, param_attr="scale", bias_attr="shift",
        data_layout="NHWC", moving_mean_name="mean", moving_variance_name="variance", use_global_stats=True,
        do_model_average_for_mean_and_var=False,
    )  # fmt: skip


def batch_norm_of_rows(fluid):
    return fluid.layers.batch_norm(fluid.layers.fc(fluid.data("x", [None, 4]), 3), act="relu")


def instance_norm(fluid):
    return fluid.layers.instance_norm(image(fluid))


def layer_norm(fluid):
    return fluid.layers.layer_norm(image(fluid))


def layer_norm_options(fluid):
    return fluid.layers.layer_norm(
        image(fluid), scale=False, shift=True, begin_norm_axis=2, epsilon=1e-4, act="relu", bias_attr="shift"
    )


def group_norm(fluid):
    return fluid.layers.group_norm(image(fluid, (None, 8, 4, 4)), 4, act="relu")


def group_norm_options(fluid):
    return fluid.layers.group_norm(image(fluid, (None, 8, 4, 4)), 4, param_attr=False, bias_attr=False)


def spectral_norm(fluid):
    weight = fluid.layers.create_parameter([4, 3, 2], "float32", name="weight")
    return fluid.layers.spectral_norm(weight, dim=1, power_iters=2)


def data_norm(fluid):
    return fluid.layers.data_norm(fluid.data("x", [None, 4]), name="counts")


def data_norm_options(fluid):
    starts = {"batch_size": 10.0, "batch_sum": 1.0, "batch_square": 20.0}
    return fluid.layers.data_norm(fluid.data("x", [None, 4]), param_attr=starts, act="relu")


def inplace_abn(fluid):
    return fluid.layers.inplace_abn(image(fluid), act="leaky_relu", act_alpha=0.1)


def prelu_all(fluid):
    return fluid.layers.prelu(image(fluid), "all")


def prelu_channel(fluid):
    return fluid.layers.prelu(image(fluid), "channel", param_attr="slopes")


def prelu_element(fluid):
    return fluid.layers.prelu(image(fluid), "element", name="named")


def bilinear(fluid):
    x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 4])
    return fluid.layers.bilinear_tensor_product(x, y, 5, act="tanh")


def nce(fluid):
    x, label = fluid.data("x", [None, 4]), fluid.data("label", [None, 1], "int64")
    return fluid.layers.nce(x, label, 20, num_neg_samples=5, seed=3)


def nce_options(fluid):
    x, label = fluid.data("x", [None, 4]), fluid.data("label", [None, 1], "int64")
    return fluid.layers.nce(
        x, label, 20, sampler="log_uniform", param_attr="w", bias_attr=False, is_sparse=True, seed=2
    )


def nce_custom(fluid):
    x, label = fluid.data("x", [None, 4]), fluid.data("label", [None, 1], "int64")
    weights = [0.1, 0.2, 0.3, 0.4]
    return fluid.layers.nce(x, label, 4, sampler="custom_dist", custom_dist=weights, name="classes", seed=2)


def hsigmoid(fluid):
    x, label = fluid.data("x", [None, 4]), fluid.data("label", [None, 1], "int64")
    return fluid.layers.hsigmoid(x, label, 6)


def hsigmoid_custom(fluid):
    x, label = fluid.data("x", [None, 4]), fluid.data("label", [None, 1], "int64")
    table, code = fluid.data("table", [None, 3], "int64"), fluid.data("code", [None, 3], "int64")
    return fluid.layers.hsigmoid(
        x, label, 6, path_table=table, path_code=code, is_custom=True, bias_attr=False, is_sparse=True
    )


def row_conv(fluid):
    return fluid.layers.row_conv(fluid.data("x", [None, 5, 4]), 2, act="relu")


def lstm_unit(fluid):
    x, h, c = (fluid.data(name, [None, 4]) for name in "xhc")
    return fluid.layers.lstm_unit(x, h, c, forget_bias=1.0)


def gru_unit(fluid):
    x, h = fluid.data("x", [None, 12]), fluid.data("h", [None, 4])
    return fluid.layers.gru_unit(x, h, 12, origin_mode=True)


def deformable_conv(fluid):
    x, offset, mask = image(fluid), image(fluid, (None, 18, 8, 8), "offset"), image(fluid, (None, 9, 8, 8), "mask")
    return fluid.layers.deformable_conv(x, offset, mask, 4, 3, padding=1, im2col_step=1)


def deformable_conv_v1(fluid):
    x, offset = image(fluid), image(fluid, (None, 18, 8, 8), "offset")
    return fluid.layers.deformable_conv(
        x, offset, None, 4, 3, padding=1, modulated=False, bias_attr=False, im2col_step=1
    )


def create_parameter(fluid):
    return [
        fluid.layers.create_parameter([2, 3], "float32"),
        fluid.layers.create_parameter([2], "float64", is_bias=True),
        fluid.layers.create_parameter([2], "float32", name="named"),
        fluid.layers.create_parameter([2], "float32", name="first", attr=fluid.ParamAttr(trainable=False)),
    ]


def create_variables(fluid):
    return [
        fluid.layers.create_global_var([2, 3], 1.5, "float32", persistable=True, name="total"),
        fluid.layers.create_global_var([1], 2, "int64"),
        fluid.layers.create_tensor("float32"),
        fluid.layers.create_tensor("int64", name="kept", persistable=True),
    ]


def step_counter(fluid):
    first = fluid.layers.autoincreased_step_counter(begin=0, step=2)
    return [
        first,
        fluid.layers.autoincreased_step_counter(counter_name="other"),
        fluid.layers.autoincreased_step_counter(),
    ]


def sums(fluid):
    x, y = fluid.data("x", [2, 3]), fluid.data("y", [2, 3])
    total = fluid.layers.create_tensor("float32", name="total")
    return [fluid.layers.sums([x, y]), fluid.layers.sums([x, y], out=total)]


def auc(fluid):
    x, label = fluid.data("x", [None, 2]), fluid.data("label", [None, 1], "int64")
    area, batch_area, states = fluid.layers.auc(x, label, num_thresholds=100)
    return [area, batch_area] + list(states)


def accuracy(fluid):
    x, label = fluid.data("x", [None, 5]), fluid.data("label", [None, 1], "int64")
    return fluid.layers.accuracy(x, label, k=2)


def center_loss(fluid):
    x, label = fluid.data("x", [None, 4]), fluid.data("label", [None, 1], "int64")
    return fluid.layers.center_loss(x, label, 10, 0.5, fluid.ParamAttr(name="centers"))


def multi_box_head(fluid):
    features = [image(fluid, (None, 8, n, n), f"f{n}") for n in (6, 4, 2)]
    return fluid.layers.multi_box_head(
        features, image(fluid, (None, 3, 32, 32)), 300, 5, [[2.0], [2.0, 3.0], [2.0]], min_ratio=20, max_ratio=90, offset=0.5,
        flip=True, clip=True,
    )  # fmt: skip


def multi_box_head_of_one(fluid):
    return fluid.layers.multi_box_head(
        [image(fluid)], image(fluid, (None, 3, 32, 32), "photo"), 300, 5, [2.0], min_sizes=[10.0], max_sizes=[20.0], steps=[8.0],
        kernel_size=3, pad=1,
    )  # fmt: skip


def weight_norm(fluid):
    attr = fluid.WeightNormParamAttr(dim=None, name="wn", learning_rate=0.5)
    return fluid.layers.fc(fluid.data("x", [None, 4]), 3, param_attr=attr)


def weight_norm_rows(fluid):
    attr = fluid.WeightNormParamAttr(dim=0, initializer=fluid.initializer.Constant(2.0))
    return fluid.layers.fc(fluid.data("x", [None, 4]), 3, param_attr=attr)


def weight_norm_columns(fluid):
    return fluid.layers.fc(fluid.data("x", [None, 4]), 3, param_attr=fluid.WeightNormParamAttr(dim=1))


def weight_norm_of_filters(fluid):
    attrs = [fluid.WeightNormParamAttr(dim=dim) for dim in (1, None)]
    return fluid.layers.conv2d(image(fluid), 4, 3, param_attr=attrs[0], bias_attr=attrs[1])


def simple_img_conv_pool(fluid):
    return fluid.nets.simple_img_conv_pool(image(fluid), 4, 3, 2, 2, act="relu")


def img_conv_group(fluid):
    return fluid.nets.img_conv_group(
        image(fluid), [4, 4], 2, conv_act="relu", conv_with_batchnorm=[True, False], conv_batchnorm_drop_rate=[0.3, 0.0]
    )


def glu(fluid):
    return fluid.nets.glu(fluid.data("x", [None, 6, 9]), dim=1)


def attention(fluid):
    q, k, v = fluid.data("q", [2, 5, 8]), fluid.data("k", [2, 6, 8]), fluid.data("v", [2, 6, 4])
    return fluid.nets.scaled_dot_product_attention(q, k, v, num_heads=2, dropout_rate=0.1)


def attention_plain(fluid):
    q, k, v = fluid.data("q", [2, 5, 8]), fluid.data("k", [2, 6, 8]), fluid.data("v", [2, 6, 4])
    return fluid.nets.scaled_dot_product_attention(q, k, v)


def network(fluid):
    """Many layers in one Program: the counters in their names go on."""
    x = image(fluid)
    x = fluid.layers.conv2d(x, 8, 3, padding=1, bias_attr=False)
    x = fluid.layers.batch_norm(x, act="relu")
    x = fluid.layers.conv2d(x, 8, 3, padding=1, act="relu")
    x = fluid.layers.pool2d(x, 2, "max", 2)
    x = fluid.layers.dropout(x, 0.3)
    x = fluid.layers.group_norm(x, 2)
    x = fluid.layers.prelu(x, "channel")
    ids = fluid.layers.data("ids", [1], dtype="int64")
    table = fluid.layers.embedding(ids, [20, 6])
    hidden = fluid.layers.fc([x, table], 16, act="tanh")
    hidden = fluid.layers.layer_norm(hidden + hidden * 0.5)
    logits = fluid.layers.fc(hidden, 5)
    label = fluid.layers.data("label", [1], dtype="int64")
    loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(logits, label))
    return [loss, fluid.layers.accuracy(fluid.layers.softmax(logits), label)]


CASES = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and name not in ("describe", "feed", "image", "numbers") and not name.startswith("_")
}
