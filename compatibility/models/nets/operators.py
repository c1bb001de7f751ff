"""Operators side by side that few networks have."""

import numpy as np

from . import LENGTHS, Net, classes, net, rng, words


@net("adam")
def activations(fluid):
    """Activation functions, and other functions of each element."""
    layers = fluid.layers
    x = fluid.data("x", [None, 12])
    y = fluid.data("y", [None, 1])
    h = layers.fc(x, 12)
    fs = [
        layers.relu,
        layers.elu,
        layers.selu,
        layers.swish,
        layers.hard_sigmoid,
        layers.hard_swish,
        layers.softplus,
        layers.softsign,
        layers.tanh_shrink,
        layers.softshrink,
        layers.hard_shrink,
        layers.thresholded_relu,
        layers.logsigmoid,
        layers.stanh,
        layers.brelu,
        layers.soft_relu,
        layers.gelu,
        lambda v: layers.gelu(v, approximate=True),
        layers.mish,
        layers.exp,
        layers.sin,
        layers.cos,
        layers.atan,
        layers.erf,
        layers.square,
        lambda v: layers.sqrt(layers.abs(v) + 1.0),
        lambda v: layers.rsqrt(layers.abs(v) + 1.0),
        lambda v: layers.pow(layers.abs(v) + 0.1, 1.3),
        layers.ceil,
        layers.floor,
        layers.round,
        layers.reciprocal,
        layers.sign,
        lambda v: layers.clip(v, -0.2, 0.3),
        lambda v: layers.clip_by_norm(v, 1.0),
        lambda v: layers.scale(v, 2.0, 1.0, False, act="tanh"),
        lambda v: layers.l2_normalize(v, 1),
        layers.log_softmax,
        lambda v: layers.cumsum(v, 1, exclusive=True, reverse=True),
        layers.asin,
        layers.acos,
    ]
    hs = [f(layers.tanh(h) * 0.9) for f in fs]
    s = layers.sums(hs)
    st = layers.stack(hs, 1)
    p = layers.fc(s, 1)
    return Net(
        feeds={"x": rng(3).uniform(-1, 1, (3, 12)).astype("float32")},
        labels={"y": rng(4).rand(3, 1).astype("float32")},
        results=[p, st],
        loss=layers.mean(layers.square_error_cost(p, y)),
    )


@net()
def sequences(fluid):
    """Operators on sequences."""
    layers = fluid.layers
    x = fluid.data("x", [None, 4], lod_level=1)
    y = fluid.data("y", [None, 4], lod_level=1)
    z = fluid.data("z", [None, 4])
    i = fluid.data("i", [None, 1], "int64", lod_level=1)
    pads, n = layers.sequence_pad(x, layers.assign(np.array([0.5], "float32")), maxlen=5)
    un = layers.sequence_unpad(pads, n)
    r = [
        layers.sequence_reverse(x),
        layers.sequence_concat([x, y]),
        layers.sequence_expand(z, y),
        layers.sequence_expand_as(z, x),
        layers.sequence_first_step(x),
        layers.sequence_last_step(y),
        pads,
        n,
        un,
        layers.sequence_enumerate(i, 2, pad_value=9),
        layers.sequence_reshape(x, 2),
        layers.sequence_mask(n, maxlen=6, dtype="float32"),
        layers.sequence_slice(
            x, layers.assign(np.array([[0], [0], [1]], "int64")), layers.assign(np.array([[1], [1], [2]], "int64"))
        ),
        layers.sequence_scatter(z, i % layers.fill_constant([1], "int64", 4), layers.cast(i, "float32")),
        layers.sequence_pool(x, "first"),
        layers.sequence_softmax(layers.reduce_sum(x, 1, keep_dim=True)),
        layers.lod_reset(x, target_lod=[0, 4, 8]),
        layers.edit_distance(i, i, normalized=False)[0],
        layers.add_position_encoding(pads, 1.0, 1.0),
    ]
    return Net(
        feeds={
            "x": (rng(1).rand(8, 4).astype("float32"), [list(LENGTHS)]),
            "y": (rng(2).rand(6, 4).astype("float32"), [[2, 3, 1]]),
            "z": rng(3).rand(3, 4).astype("float32"),
            "i": words(LENGTHS, 6),
        },
        results=r,
    )


@net("adam")
def losses(fluid):
    """Losses."""
    layers = fluid.layers
    x = fluid.data("x", [3, 6])
    y = fluid.data("y", [3, 1], "int64")
    t = fluid.data("t", [3, 6])
    h = layers.fc(x, 6)
    p = layers.softmax(h)
    ls = [
        layers.softmax_with_cross_entropy(h, layers.softmax(t), soft_label=True),
        layers.cross_entropy(p, layers.softmax(t), soft_label=True),
        layers.kldiv_loss(layers.log(p), layers.softmax(t)),
        layers.smooth_l1(h, t),
        layers.sigmoid_cross_entropy_with_logits(h, layers.sigmoid(t), normalize=False),
        layers.npair_loss(h, h * 0.5, layers.reshape(y, [-1])),
        layers.teacher_student_sigmoid_loss(
            layers.slice(h, [1], [0], [1]), layers.slice(layers.sigmoid(t), [1], [0], [1])
        ),
        layers.center_loss(h, y, 4, 0.1, fluid.ParamAttr("centers"), True),
        layers.dice_loss(p, y),
        layers.mse_loss(h, t),
        layers.softmax_with_cross_entropy(h, y),
        layers.label_smooth(layers.one_hot(y, 6), epsilon=0.1) * h,
        layers.sigmoid_focal_loss(h, layers.cast(y, "int32"), layers.fill_constant([1], "int32", 2)),
    ]
    loss = sum(layers.mean(each) for each in ls)
    return Net(
        feeds={"x": rng(1).randn(3, 6).astype("float32")},
        labels={"y": classes(3, 4), "t": rng(2).rand(3, 6).astype("float32")},
        results=[p],
        loss=loss,
    )


@net()
def indices(fluid):
    """Operators that select, sort and scatter."""
    layers = fluid.layers
    x, i = fluid.data("x", [2, 4, 6]), fluid.data("i", [3, 2], "int64")
    rows, flat = layers.reshape(x, [-1, 6]), layers.reshape(i, [-1])
    pairs = layers.cast(i, "int32") % layers.fill_constant([1], "int32", 2)
    results = [
        layers.gather_nd(x, i),
        layers.gather(rows, flat),
        layers.scatter(
            rows, layers.assign(np.array([1, 3])), layers.assign(np.ones((2, 6), "float32")), overwrite=False
        ),
        layers.scatter_nd(i, layers.assign(np.ones((3,), "float32")), [2, 4]),
        *layers.topk(x, 2),
        *layers.argsort(x, 1),
        *layers.argsort(x, 2, descending=True),
        layers.argmax(x, 2),
        layers.argmin(x, 1),
        layers.where(x > 0.5),
        layers.multiplex([rows, rows * 2.0], layers.assign(np.array([[0], [1]] * 4, "int32"))),
        layers.shard_index(i, 6, 2, 0, -1),
        layers.unique(flat)[0],
        layers.unique_with_counts(flat)[2],
        layers.one_hot(layers.slice(i, [1], [0], [1]), 4),
        layers.elementwise_mod(i, i + 1),
        layers.elementwise_floordiv(i, i + 1),
        layers.mean_iou(pairs, pairs, 3)[0],
        layers.similarity_focus(layers.unsqueeze(x, [1]), 1, [0]),
    ]
    feeds = {"x": rng(1).rand(2, 4, 6).astype("float32"), "i": np.array([[0, 1], [1, 3], [1, 0]])}
    return Net(feeds=feeds, results=results)


@net()
def shapes(fluid):
    """Operators that slice, join, pad and reduce."""
    layers = fluid.layers
    x = fluid.data("x", [2, 4, 6])
    image = layers.unsqueeze(x, [1])
    results = [
        layers.strided_slice(x, [1, 2], [0, 5], [4, 0], [2, -2]),
        layers.slice(x, [0, 2], [0, -3], [1, 100]),
        layers.expand(x, [1, 2, 1]),
        layers.expand_as(layers.slice(x, [1], [0], [1]), x),
        layers.unstack(x, 1)[1],
        layers.split(x, [2, -1], 2)[1],
        layers.stack([x, x], 3),
        layers.squeeze(layers.unsqueeze(x, [1, 3]), [1]),
        layers.flatten(x, 2),
        layers.transpose(x, [2, 0, 1]),
        layers.reverse(x, [1]),
        layers.roll(x, 1, 2),
        layers.pad(x, [0, 0, 1, 0, 0, 2], 3.0),
        layers.crop(x, [2, 2, 2], [0, 1, 1]),
        layers.unfold(image, [2, 2]),
        layers.shape(x),
        layers.rank(x),
        layers.size(x),
        layers.cast(x, "int32"),
        layers.eye(3, 4),
        layers.diag(layers.range(0, 3, 1, "float32")),
        layers.linspace(0, 1, 5, "float32"),
        layers.triu(layers.reduce_sum(x, 0), 1),
        layers.cast(layers.reduce_all(x > -9, 1), "int32"),
        layers.cast(layers.reduce_any(x > 0.5, 2), "int32"),
        layers.cast(layers.isfinite(x), "int32"),
        layers.reduce_prod(x, [1, 2]),
        layers.reduce_max(x, -1, True),
        layers.ones_like(x),
        layers.elementwise_pow(x, x),
        layers.elementwise_max(x, x * 2),
        layers.bilinear_tensor_product(layers.reduce_sum(x, 1), layers.reduce_mean(x, 1), 3),
        layers.fsp_matrix(image, image),
    ]
    return Net(feeds={"x": rng(1).rand(2, 4, 6).astype("float32")}, results=results)
