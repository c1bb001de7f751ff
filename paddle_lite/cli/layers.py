"""Small training steps of single layers, losses and optimizers: what the kernels are compiled for that are installed with the package.

Each row is a function from what it is fed, [batch, ...], to what is trained. Kernels exist for kinds of sizes (few rows and many, one vector and
several, small images and large ones), so rows name one size of each kind; classes, widths and vocabularies of a network do not matter.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from paddle_lite import fluid
from paddle_lite.kernels.cpu.math import block_products, row_blocks
from paddle_lite.kernels.cpu.math.packed_matrix import pack
from paddle_lite.kernels.cpu.math.register_blocks import tiling
from paddle_lite.kernels.inplace_safety import can_update_in_place, match_descriptions
from paddle_lite.kernels.simd import SIZE

__all__ = ["Row", "direct_calls", "rows"]

layers = fluid.layers
ROWS = 64  # of tables: enough for kernels to apply
LENGTHS = [5, 12, 30, 7] * 4  # of ragged sequences
ACTIVATIONS = ("relu", "relu6", "sigmoid", "tanh", "leaky_relu", "gelu", "swish", "elu", "hard_swish", "hard_sigmoid", "softplus", "logsigmoid",
         "exp", "log", "sqrt", "square", "abs", "reciprocal", "softmax")  # fmt: skip
CONVOLUTIONS = (
    # channels of an image, its height and width, filters, their size, stride, padding, groups
    (1, 28, 20, 5, 1, 0, 1), (20, 12, 50, 5, 1, 0, 1), (1, 28, 6, 5, 1, 2, 1), (6, 14, 16, 5, 1, 0, 1), (3, 32, 32, 5, 1, 2, 1),
    (3, 32, 64, 3, 1, 1, 1), (64, 32, 64, 3, 1, 1, 1), (64, 32, 128, 3, 2, 1, 1), (64, 32, 128, 1, 2, 0, 1), (128, 16, 128, 3, 1, 1, 1),
    (256, 8, 256, 3, 1, 1, 1), (256, 4, 256, 3, 1, 1, 1), (128, 8, 256, 3, 2, 1, 1), (64, 16, 128, 1, 1, 0, 1), (32, 16, 32, 3, 1, 1, 32),
    (32, 16, 32, 3, 2, 1, 32), (3, 64, 64, 7, 2, 3, 1), (3, 32, 32, 3, 2, 1, 1), (1, 28, 32, 3, 1, 1, 1),
)  # fmt: skip
POOLS = (("max", 2, 2, 0), ("avg", 2, 2, 0), ("max", 3, 2, 1), ("avg", 3, 2, 1), ("avg", 3, 1, 1), ("max", 3, 2, 0))
OPTIMIZERS: dict[str, Callable[..., Any]] = {
    "SGD": lambda **more: fluid.optimizer.SGD(0.01, **more),
    "Momentum": lambda **more: fluid.optimizer.Momentum(0.01, 0.9, **more),
    "Nesterov": lambda **more: fluid.optimizer.Momentum(0.01, 0.9, use_nesterov=True, **more),
    "Adam": lambda **more: fluid.optimizer.Adam(0.001, **more),
    "lazy Adam": lambda **more: fluid.optimizer.Adam(0.001, lazy_mode=True, **more),
    "Adagrad": lambda **more: fluid.optimizer.Adagrad(0.01, **more),
    "RMSProp": lambda **more: fluid.optimizer.RMSProp(0.01, **more),
    "Adamax": lambda **more: fluid.optimizer.Adamax(0.01, **more),
    "Adadelta": lambda **more: fluid.optimizer.Adadelta(0.01, **more),
    "Ftrl": lambda **more: fluid.optimizer.Ftrl(0.01, **more),
    "Lamb": lambda **more: fluid.optimizer.Lamb(0.01, **more),
}


class Row(NamedTuple):
    """What is trained for some steps.

    Attributes:
        name: of the row. feed: what is fed, by name. build: returns what the loss is the mean of, from the Variables of the feed.
        optimizer: returns the optimizer.
    """

    name: str
    feed: dict[str, Any]
    build: Callable[..., Any]
    optimizer: Callable[[], Any] = OPTIMIZERS["SGD"]


_draw = np.random.RandomState(0)


def _numbers(*shape: int) -> np.ndarray:
    return (_draw.rand(*shape) + 0.1).astype("float32")


def _integers(most: int, *shape: int) -> np.ndarray:
    return _draw.randint(0, most, shape).astype("int64")


def _ragged(array: np.ndarray) -> Any:
    return fluid.create_lod_tensor(array, [LENGTHS], fluid.CPUPlace())


def rows() -> Iterator[Row]:
    """Yield all rows."""
    for part in (_elementwise, _images, _losses, _sequences, _optimizers):
        yield from part()


def _on(function: Callable[..., Any], *more: Any, **options: Any) -> Callable[..., Any]:
    """Return a function of Variables that calls a layer with them, the first plus a parameter, so that it has a gradient."""

    def build(x: Any, *others: Any) -> Any:
        zero = layers.create_parameter([1], "float32", default_initializer=fluid.initializer.Constant(0.0))
        return function(layers.elementwise_add(x, zero), *others, *more, **options)

    return build


def _behind(width: int, function: Callable[..., Any], *more: Any, **options: Any) -> Callable[..., Any]:
    """Return a function of Variables that calls a layer with them, the first behind a linear layer of that width."""

    def build(x: Any, *others: Any) -> Any:
        return function(layers.fc(x, width), *others, *more, **options)

    return build


def _elementwise() -> Iterator[Row]:
    """Yield activations, normalisations, reductions, and what changes shapes."""
    x, pair = {"x": _numbers(ROWS, 128)}, {"x": _numbers(ROWS, 128), "y": _numbers(ROWS, 128)}
    for name in ACTIVATIONS:
        yield Row(name, x, _on(getattr(layers, name)))
    for name in ("elementwise_sub", "elementwise_mul", "elementwise_div", "elementwise_max", "elementwise_min"):
        yield Row(name, pair, _on(getattr(layers, name)))
    for name in ("reduce_sum", "reduce_mean", "reduce_max"):
        for dim in (0, 1):
            yield Row(f"{name} over {dim}", x, _on(getattr(layers, name), dim=dim))
    for how in ("upscale_in_train", "downgrade_in_infer"):
        yield Row(f"dropout, {how}", x, _on(layers.dropout, 0.5, dropout_implementation=how))
    yield Row("layer_norm", x, _on(layers.layer_norm))
    yield Row("batch_norm", x, _on(layers.batch_norm))
    yield Row("l2_normalize", x, _on(layers.l2_normalize, axis=1))
    yield Row("transpose", {"x": _numbers(8, 32, 4, 16)}, _on(layers.transpose, [0, 2, 1, 3]))
    yield Row("gather", {"x": _numbers(ROWS, 128), "at": _integers(ROWS, ROWS)}, _on(layers.gather))
    yield Row("topk", x, _on(lambda x: layers.topk(x, 5)[0]))
    yield Row("concat", pair, _on(lambda x, y: layers.concat([x, y], 1)))
    square = _numbers(16, 32, 32)
    yield Row("matmul", {"x": square, "y": square}, _on(layers.matmul, transpose_y=True))


def _images() -> Iterator[Row]:
    """Yield convolutions, poolings and normalisations of images, and their sizes changed."""
    for shape in CONVOLUTIONS:
        channels, size, filters, field, stride, padding, groups = shape
        conv = _on(layers.conv2d, filters, field, stride, padding, groups=groups, act="relu")
        yield Row(f"conv2d {shape}", {"x": _numbers(8, channels, size, size)}, conv)
    for size in (4, 8, 28, 32):
        image = {"x": _numbers(16, 16, size, size)}
        yield Row(f"batch_norm of {size} x {size}", image, _on(layers.batch_norm, act="relu"))
        yield Row(f"mean of {size} x {size}", image, _on(layers.pool2d, pool_type="avg", global_pooling=True))
        for kind, field, stride, padding in POOLS:
            pool = _on(layers.pool2d, field, kind, stride, padding)
            yield Row(f"{kind} pool {field, stride, padding} of {size} x {size}", image, pool)
    image = {"x": _numbers(8, 8, 16, 16)}
    yield Row("group_norm", image, _on(layers.group_norm, 4))
    yield Row("instance_norm", image, _on(layers.instance_norm))
    yield Row("conv2d_transpose", image, _on(layers.conv2d_transpose, 16, filter_size=4, stride=2, padding=1))
    for name in ("resize_bilinear", "resize_nearest"):
        yield Row(name, image, _on(getattr(layers, name), [32, 32]))


def _losses() -> Iterator[Row]:
    """Yield losses and metrics."""
    classes = {"x": _numbers(ROWS, 128), "label": _integers(2, ROWS, 1)}
    numbers = {"x": _numbers(ROWS, 128), "y": _numbers(ROWS, 128)}
    for size in (2, 10, 1000):
        yield Row(f"softmax_with_cross_entropy of {size}", classes, _behind(size, layers.softmax_with_cross_entropy))
        yield Row(f"cross_entropy of {size}", classes, _behind(size, _scored))
    shares = {"x": _numbers(ROWS, 128), "y": np.full((ROWS, 128), 1 / 128, np.float32)}
    yield Row("soft labels", shares, _on(layers.softmax_with_cross_entropy, soft_label=True))
    for name in ("sigmoid_cross_entropy_with_logits", "square_error_cost", "smooth_l1", "mse_loss"):
        yield Row(name, numbers, _on(getattr(layers, name)))
    yield Row("huber_loss", numbers, _on(layers.huber_loss, 1.0))
    yield Row("nce", classes, _on(layers.nce, 1000, num_neg_samples=5))
    yield Row("hsigmoid", classes, _on(layers.hsigmoid, 10))


def _scored(x: Any, label: Any) -> Any:
    """Return the cross entropy of softmax; accuracy and, for two classes, the area under the curve are computed beside it."""
    found = layers.softmax(x)
    layers.accuracy(found, label)
    if x.shape[-1] == 2:
        layers.auc(found, label, num_thresholds=4096)
    return layers.cross_entropy(found, label)


def _sequences() -> Iterator[Row]:
    """Yield layers of ragged sequences, and recurrent ones."""
    total, width = sum(LENGTHS), 64
    x = {"x": _ragged(_numbers(total, width))}
    for size in (16, 32, 48, 64):
        for how in ("with peepholes", "without peepholes"):
            lstm = _behind(4 * size, layers.dynamic_lstm, 4 * size, use_peepholes=how == "with peepholes")
            yield Row(f"dynamic_lstm of {size} {how}", x, lambda x, lstm=lstm: lstm(x)[0])
        yield Row(f"dynamic_gru of {size}", x, _behind(3 * size, layers.dynamic_gru, size))
    for kind in ("sum", "average", "sqrt", "max", "last", "first"):
        yield Row(f"sequence_pool, {kind}", x, _on(layers.sequence_pool, kind))
    yield Row("sequence_softmax", {"x": _ragged(_numbers(total, 1))}, _on(layers.sequence_softmax))
    yield Row("sequence_conv", x, _on(layers.sequence_conv, width))
    yield Row("sequence_expand", {"x": _numbers(len(LENGTHS), width), "y": x["x"]}, _on(layers.sequence_expand))
    tags = {**x, "label": _ragged(_integers(9, total, 1))}
    yield Row("linear_chain_crf", tags, _behind(9, layers.linear_chain_crf))
    words = {"x": _ragged(_integers(100, total, 1))}
    yield Row("words", words, lambda x: layers.sequence_pool(layers.embedding(x, [100, width]), "sum"))
    pair = {"x": _integers(100, ROWS), "y": _integers(100, ROWS)}
    yield Row("words of two columns", pair, _looked_up_twice)


def _optimizers() -> Iterator[Row]:
    """Yield each optimizer with dense gradients, with those of a table, and with sparse ones; decay of weights, and clipping."""
    dense, ids = {"x": _numbers(ROWS, 128)}, {"x": _integers(1000, 128, 8)}
    decay, clip = fluid.regularizer.L2Decay(1e-4), fluid.clip.GradientClipByGlobalNorm(1.0)
    for name, optimizer in OPTIMIZERS.items():
        yield Row(f"{name}, dense", dense, _two_layers, optimizer)
        yield Row(f"{name}, sparse", ids, _looked_up, optimizer)
        yield Row(f"{name}, decay, sparse", ids, _looked_up, functools.partial(optimizer, regularization=decay))
    for name in ("SGD", "Momentum", "Adam"):
        yield Row(f"{name}, decay", dense, _two_layers, functools.partial(OPTIMIZERS[name], regularization=decay))
        yield Row(f"{name}, clipped", dense, _two_layers, functools.partial(OPTIMIZERS[name], grad_clip=clip))


def _two_layers(x: Any) -> Any:
    return layers.fc(layers.fc(x, 128, act="relu"), 64)


def _looked_up(x: Any) -> Any:
    return layers.fc(fluid.embedding(x, [1000, 32], is_sparse=True), 8)


def _looked_up_twice(x: Any, y: Any) -> Any:
    """Look two columns up in one table: the gradients of its rows are columns of the gradient of concat, which are not contiguous."""
    found = [fluid.embedding(each, [100, 32], param_attr=fluid.ParamAttr("table")) for each in (x, y)]
    return layers.fc(layers.concat(found, 1), 8)


def direct_calls() -> None:
    """Call kernels of which the rows reach some forms only: products of all kinds of widths and heights, and of many rows; and what Plans call
    after many steps."""
    step, most = SIZE // 4, tiling().vectors
    for columns in (most * step, *(vectors * step - 1 for vectors in range(1, 2 * most + 1))):
        y = np.ones((64, columns), np.float32)
        for height in (8, ROWS):
            x, out = np.ones((height, 64), np.float32), np.empty((height, columns), np.float32)
            block_products.multiply(x, y, out)
            block_products.multiply(x, np.ascontiguousarray(y.T).T, out)
            block_products.multiply_panels(x, pack(y), columns, out)
    x = np.ones((row_blocks.FEWEST, 64), np.float32)
    for rest in range(most + 1):  # vectors of the last panel
        y = np.ones((64, most * step + max(rest * step - 1, 0)), np.float32)
        out = np.empty((len(x), y.shape[1]), np.float32)
        for right in (y, np.ascontiguousarray(y.T).T):
            if row_blocks.pays(x, right):
                row_blocks.multiply_by_blocks(x, right, out, added=False)
    nothing: list = []
    none = np.empty((1, 0), np.int64)
    can_update_in_place(np.array([id(nothing)]), none, none, id(np.ndarray), id(out.dtype), 0)
    match_descriptions(id(nothing), 0, none[0])
