"""Whole networks with their training, as Fluid code writes them; run by Paddle (record_models.py) and by the tests.

It is read by Python 3.7 too, which PaddlePaddle 1.8.5 needs.
"""

import numpy as np


def resnet(fluid):
    """Residual blocks, batch_norm with named parameters, squeeze and excitation; Momentum with weight decay."""
    layers = fluid.layers

    def convolved(x, filters, act="relu", name=None):
        x = layers.conv2d(
            x, filters, 3, 1, 1, bias_attr=False, param_attr=fluid.ParamAttr(name=name + "_weights"), name=name
        )
        attrs = {
            "param_attr": fluid.ParamAttr(name=name + "_scale"),
            "bias_attr": fluid.ParamAttr(name=name + "_offset"),
        }
        means = {"moving_mean_name": name + "_mean", "moving_variance_name": name + "_variance"}
        return layers.batch_norm(x, act=act, **attrs, **means)

    image, label = fluid.data("image", [None, 3, 8, 8]), fluid.data("label", [None, 1], "int64")
    x = convolved(image, 8, name="first")
    for i in range(2):
        short = x
        x = convolved(x, 8, name=f"block{i}a")
        x = convolved(x, 8, act=None, name=f"block{i}b")
        x = layers.elementwise_add(short, x, act="relu", name=f"sum{i}")
    pooled = layers.pool2d(x, 7, "avg", global_pooling=True)
    gate = layers.fc(layers.fc(pooled, 4, act="relu"), 8, act="sigmoid")
    pooled = layers.pool2d(layers.elementwise_mul(x, gate, axis=0), 7, "avg", global_pooling=True)
    logits = layers.fc(pooled, 10, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Uniform(-0.1, 0.1)))
    loss = layers.mean(layers.softmax_with_cross_entropy(logits, label))
    layers.accuracy(layers.softmax(logits), label, k=5)
    decay = fluid.regularizer.L2Decay(1e-4)
    fluid.optimizer.Momentum(0.1, 0.9, regularization=decay).minimize(loss)
    return loss


def vgg(fluid):
    """fluid.nets with batch_norm and dropout; SGD."""
    layers = fluid.layers
    image, label = layers.data("image", [3, 8, 8]), layers.data("label", [1], dtype="int64")
    x = fluid.nets.img_conv_group(
        image, [4, 4], 2, conv_act="relu", conv_with_batchnorm=True, conv_batchnorm_drop_rate=[0.3, 0], pool_stride=2
    )
    x = layers.batch_norm(layers.fc(layers.dropout(x, 0.5), 16), act="relu")
    prediction = layers.fc(layers.dropout(x, 0.5), 10, act="softmax")
    loss = layers.mean(layers.cross_entropy(prediction, label))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return loss


def words(fluid):
    """A table that three inputs share; SGD."""
    layers = fluid.layers
    inputs = [layers.data(f"word{i}", [1], dtype="int64") for i in range(4)]
    rows = [layers.embedding(word, [50, 8], param_attr="shared") for word in inputs[:3]]
    hidden = layers.fc(layers.concat(rows, axis=1), 16, act="sigmoid")
    loss = layers.mean(layers.cross_entropy(layers.fc(hidden, 50, act="softmax"), inputs[3]))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return loss


def transformer(fluid):
    """An encoder: attention, layer_norm, smoothed labels; Adam with a schedule and clipped gradients."""
    layers, size, count = fluid.layers, 16, 4
    ids, places = fluid.data("ids", [None, 6, 1], "int64"), fluid.data("places", [None, 6, 1], "int64")
    mask, label = fluid.data("mask", [None, count, 6, 6]), fluid.data("label", [None, 1], "int64")
    normal = fluid.initializer.Normal(0.0, size**-0.5)
    x = layers.scale(
        layers.embedding(ids, [40, size], param_attr=fluid.ParamAttr("table", initializer=normal)), size**0.5
    )
    place = layers.embedding(places, [6, size], param_attr=fluid.ParamAttr("places_table", trainable=False))
    place.stop_gradient = True
    x = layers.dropout(x + place, 0.1, dropout_implementation="upscale_in_train")

    def heads():
        flat = layers.fc(x, size, num_flatten_dims=2, bias_attr=False)
        return layers.transpose(layers.reshape(flat, [0, 0, count, size // count]), [0, 2, 1, 3])

    queries, keys, values = heads(), heads(), heads()
    weights = layers.matmul(queries, keys, transpose_y=True, alpha=(size // count) ** -0.5)
    weights += mask
    mixed = layers.matmul(layers.dropout(layers.softmax(weights), 0.1), values)
    mixed = layers.reshape(layers.transpose(mixed, [0, 2, 1, 3]), [0, 0, size])
    one, zero = fluid.initializer.Constant(1.0), fluid.initializer.Constant(0.0)
    x = layers.layer_norm(
        x + layers.fc(mixed, size, num_flatten_dims=2), begin_norm_axis=2, param_attr=one, bias_attr=zero
    )
    further = layers.fc(layers.fc(x, 32, num_flatten_dims=2, act="relu"), size, num_flatten_dims=2)
    x = layers.layer_norm(x + further, begin_norm_axis=2)
    first = layers.squeeze(layers.slice(x, axes=[1], starts=[0], ends=[1]), axes=[1])
    pooled = layers.fc(first, size, act="tanh", param_attr=fluid.ParamAttr("pooled.w"), bias_attr="pooled.b")
    target = layers.label_smooth(layers.one_hot(label, 2), epsilon=0.1)
    loss = layers.reduce_mean(layers.softmax_with_cross_entropy(layers.fc(pooled, 2), target, soft_label=True))
    clip = fluid.clip.GradientClipByGlobalNorm(1.0)
    fluid.optimizer.Adam(layers.noam_decay(16, 100), grad_clip=clip).minimize(loss)
    return loss


def pictures(fluid):
    """Transposed convolutions, then a network that judges what they make; SGD."""
    layers = fluid.layers
    x = layers.reshape(layers.fc(fluid.data("noise", [None, 10]), 8 * 4 * 4), [-1, 8, 4, 4])
    x = layers.conv2d_transpose(layers.batch_norm(x, act="relu"), 4, filter_size=4, stride=2, padding=1)
    x = layers.leaky_relu(layers.instance_norm(x), 0.2)
    x = layers.tanh(layers.conv2d_transpose(x, 1, output_size=[16, 16], stride=2, padding=1))
    x = layers.prelu(layers.conv2d(x, 4, 3, stride=2, padding="SAME"), "channel")
    logits = layers.fc(layers.flatten(x), 1)
    ones = layers.fill_constant_batch_size_like(logits, [-1, 1], "float32", 1.0)
    loss = layers.mean(layers.sigmoid_cross_entropy_with_logits(logits, ones))
    fluid.optimizer.SGD(0.1).minimize(loss)
    return loss


def clicks(fluid):
    """Sparse tables, products of features, auc; Adagrad."""
    layers = fluid.layers
    dense, label = fluid.data("dense", [None, 13]), fluid.data("label", [None, 1], "int64")
    attr = fluid.ParamAttr("table", initializer=fluid.initializer.Uniform())
    sparse = [fluid.data(f"feature{i}", [None, 1], "int64") for i in range(3)]
    x = layers.concat(
        [layers.embedding(f, [100, 4], is_sparse=True, param_attr=attr) for f in sparse] + [dense], axis=1
    )
    for n in (16, 8):
        normal = fluid.initializer.Normal(scale=1 / np.sqrt(x.shape[1]))
        x = layers.fc(x, n, act="relu", param_attr=fluid.ParamAttr(initializer=normal))
    prediction = layers.fc(x, 2, act="softmax")
    pairs = layers.reduce_sum(layers.square(x), 1, keep_dim=True) - layers.square(
        layers.reduce_sum(x, 1, keep_dim=True)
    )
    layers.auc(prediction, label)
    wide = layers.fc(dense, 1) * 0.5 - pairs / 64
    loss = layers.reduce_mean(layers.cross_entropy(prediction, label)) + layers.mean(layers.sigmoid(wide))
    fluid.optimizer.Adagrad(0.1).minimize(loss)
    return loss


def line(fluid):
    """A line through points; RMSProp."""
    x, y = fluid.layers.data("x", [13]), fluid.layers.data("y", [1])
    loss = fluid.layers.mean(fluid.layers.square_error_cost(input=fluid.layers.fc(x, 1), label=y))
    fluid.optimizer.RMSProp(0.01).minimize(loss)
    return loss


MODELS = {f.__name__: f for f in (line, resnet, vgg, words, transformer, pictures, clicks)}


def trained(fluid, build, steps=4):
    """(operators of the main Program, those of the startup Program, losses of a few steps)."""
    main, startup = fluid.Program(), fluid.Program()
    main.random_seed = startup.random_seed = 7
    with fluid.unique_name.guard(), fluid.program_guard(main, startup):
        loss = build(fluid)
    exe, losses = fluid.Executor(fluid.CPUPlace()), []
    feed = {v.name: numbers(v) for v in main.list_vars() if v.is_data}
    with fluid.scope_guard(fluid.Scope()):
        exe.run(startup)
        for _ in range(steps):
            losses.append(float(exe.run(main, feed=feed, fetch_list=[loss])[0].item()))
    return operators(main), operators(startup), losses


def numbers(variable):
    """Three rows of numbers for a data Variable."""
    shape = [3 if n == -1 else n for n in variable.shape]
    count = int(np.prod(shape))
    if int(variable.dtype) == 3:  # int64
        return (np.arange(count) % 2).reshape(shape).astype("int64")
    return np.abs(np.sin(np.arange(count) * 0.7 + len(variable.name))).reshape(shape).astype("float32")


def operators(program):
    """Each operator as [type, inputs, outputs], names by slot."""
    return [
        [
            op.type,
            {slot: op.input(slot) for slot in op.input_names if op.input(slot)},
            {slot: op.output(slot) for slot in op.output_names if op.output(slot)},
        ]
        for op in program.global_block().ops
    ]
