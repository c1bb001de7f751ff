"""Small training steps of the kinds of networks that most programs train, for `python -m paddle_lite cache warm`.

Sizes are those of tutorials, since some kernels depend on them: of batches and of layers, not of vocabularies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from paddle_lite import fluid

__all__ = ["IMPERATIVE", "PROGRAMS"]

Feed = dict[str, Any]
_draw = np.random.RandomState(0)


def _numbers(*shape: int) -> np.ndarray:
    return _draw.rand(*shape).astype("float32")


def _integers(most: int, *shape: int) -> np.ndarray:
    return _draw.randint(0, most, shape).astype("int64")


def _ragged(most: int, lengths: list[int]) -> Any:
    return fluid.create_lod_tensor(_integers(most, sum(lengths), 1), [lengths], fluid.CPUPlace())


def _classified(y: Any, classes: int) -> tuple[Any, Any]:
    """Return the mean cross entropy and the accuracy of a softmax layer on `y`."""
    label = fluid.data("label", [None, 1], "int64")
    found = fluid.layers.fc(y, classes, act="softmax")
    return fluid.layers.mean(fluid.layers.cross_entropy(found, label)), fluid.layers.accuracy(found, label)


def digits() -> tuple[Feed, list[Any]]:
    """Build two convolutions with pooling and a batch normalization, on images of digits; Adam."""
    y = fluid.data("image", [None, 1, 28, 28])
    y = fluid.nets.simple_img_conv_pool(y, 20, 5, 2, 2, act="relu")
    y = fluid.nets.simple_img_conv_pool(fluid.layers.batch_norm(y), 50, 5, 2, 2, act="relu")
    loss, accuracy = _classified(y, 10)
    fluid.optimizer.Adam(0.001).minimize(loss)
    return {"image": _numbers(64, 1, 28, 28), "label": _integers(10, 64, 1)}, [loss, accuracy]


def residual() -> tuple[Feed, list[Any]]:
    """Build residual blocks on small images; momentum with weight decay, and a schedule."""

    def conv(x: Any, width: int, size: int, stride: int, act: str | None = None) -> Any:
        y = fluid.layers.conv2d(x, width, size, stride, padding=size // 2, bias_attr=False)
        return fluid.layers.batch_norm(y, act=act)

    y = conv(fluid.data("image", [None, 3, 32, 32]), 16, 3, 1, "relu")
    for width, stride in ((16, 1), (32, 2)):
        short = y if stride == 1 else conv(y, width, 1, stride)
        y = fluid.layers.elementwise_add(conv(conv(y, width, 3, stride, "relu"), width, 3, 1), short, act="relu")
    loss, accuracy = _classified(fluid.layers.pool2d(y, pool_type="avg", global_pooling=True), 10)
    rate = fluid.layers.piecewise_decay([100, 200], [0.1, 0.01, 0.001])
    decay = fluid.regularizer.L2Decay(1e-4)
    fluid.optimizer.Momentum(rate, 0.9, regularization=decay).minimize(loss)
    return {"image": _numbers(32, 3, 32, 32), "label": _integers(10, 32, 1)}, [loss, accuracy]


def sentences() -> tuple[Feed, list[Any]]:
    """Build an LSTM and a GRU over ragged sentences, pooled; Adam."""
    width, lengths = 64, [5, 12, 30, 7] * 8
    embedded = fluid.layers.embedding(fluid.data("words", [None, 1], "int64", lod_level=1), [1000, width])
    hidden, _ = fluid.layers.dynamic_lstm(fluid.layers.fc(embedded, 4 * width), 4 * width)
    other = fluid.layers.dynamic_gru(fluid.layers.fc(embedded, 3 * width), width, is_reverse=True)
    both = [fluid.layers.sequence_pool(hidden, "max"), fluid.layers.sequence_last_step(other)]
    loss, accuracy = _classified(both, 2)
    fluid.optimizer.Adam(0.002).minimize(loss)
    return {"words": _ragged(1000, lengths), "label": _integers(2, len(lengths), 1)}, [loss, accuracy]


def transformer() -> tuple[Feed, list[Any]]:
    """Build a layer of a transformer encoder with dropout; Adam, gradients clipped by their norm."""
    batch, length, width, heads = 16, 32, 128, 4
    words, mask = fluid.data("words", [None, length], "int64"), fluid.data("mask", [None, 1, 1, length])

    def linear(x: Any, size: int, act: str | None = None) -> Any:
        return fluid.layers.fc(x, size, num_flatten_dims=2, act=act)

    def split(x: Any) -> Any:
        return fluid.layers.transpose(fluid.layers.reshape(x, [0, 0, heads, width // heads]), [0, 2, 1, 3])

    def dropout(x: Any) -> Any:
        return fluid.layers.dropout(x, 0.1, dropout_implementation="upscale_in_train")

    def added(x: Any, y: Any) -> Any:
        return fluid.layers.layer_norm(fluid.layers.elementwise_add(x, dropout(y)), begin_norm_axis=2)

    x = dropout(fluid.layers.scale(fluid.embedding(words, [1000, width]), width**0.5))
    query, key, value = (split(linear(x, width)) for _ in range(3))
    weights = fluid.layers.matmul(query, key, transpose_y=True, alpha=(width // heads) ** -0.5)
    weights = dropout(fluid.layers.softmax(fluid.layers.elementwise_add(weights, mask)))
    y = fluid.layers.transpose(fluid.layers.matmul(weights, value), [0, 2, 1, 3])
    x = added(x, linear(fluid.layers.reshape(y, [0, 0, width]), width))
    x = added(x, linear(dropout(linear(x, 4 * width, "relu")), width))
    scores = fluid.layers.fc(fluid.layers.reduce_mean(x, dim=1), 2)
    label = fluid.data("label", [None, 1], "int64")
    loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(scores, label))
    clip = fluid.clip.GradientClipByGlobalNorm(1.0)
    fluid.optimizer.Adam(0.0005, grad_clip=clip).minimize(loss)
    feed = {"words": _integers(1000, batch, length), "mask": np.zeros([batch, 1, 1, length], "float32")}
    return {**feed, "label": _integers(2, batch, 1)}, [loss]


def clicks() -> tuple[Feed, list[Any]]:
    """Build a sparse table with a sparse gradient, numbers, and layers on all of them; lazy Adam."""
    batch, fields = 128, [f"C{k}" for k in range(8)]
    parts = [fluid.data("dense", [None, 13])]
    for name in fields:
        ids = fluid.data(name, [None, 1], "int64", lod_level=1)
        rows = fluid.layers.embedding(ids, [10001, 10], is_sparse=True, param_attr=fluid.ParamAttr("table"))
        parts.append(fluid.layers.sequence_pool(rows, "sum"))
    y = fluid.layers.concat(parts, axis=1)
    for size in (400, 400):
        y = fluid.layers.fc(y, size, act="relu")
    found = fluid.layers.fc(y, 2, act="softmax")
    label = fluid.data("label", [None, 1], "int64")
    loss = fluid.layers.mean(fluid.layers.cross_entropy(found, label))
    auc = fluid.layers.auc(found, label, num_thresholds=4096)[0]
    fluid.optimizer.Adam(0.001, lazy_mode=True).minimize(loss)
    feed: Feed = {name: _ragged(10001, [1] * batch) for name in fields}
    return {**feed, "dense": _numbers(batch, 13), "label": _integers(2, batch, 1)}, [loss, auc]


def regression() -> tuple[Feed, list[Any]]:
    """Build a linear layer and one with a sigmoid; SGD."""
    x, y = fluid.data("x", [None, 13]), fluid.data("y", [None, 1])
    found = fluid.layers.fc(fluid.layers.fc(x, 32, act="sigmoid"), 1)
    loss = fluid.layers.mean(fluid.layers.square_error_cost(found, y))
    fluid.optimizer.SGD(0.01).minimize(loss)
    return {"x": _numbers(20, 13), "y": _numbers(20, 1)}, [loss]


PROGRAMS: dict[str, Callable[[], tuple[Feed, list[Any]]]] = {
    "digits": digits,
    "residual": residual,
    "sentences": sentences,
    "transformer": transformer,
    "clicks": clicks,
    "regression": regression,
}


def imperative_digits() -> list[float]:
    """Train the network of `digits` in imperative mode for two steps; return their losses."""
    dygraph, losses = fluid.dygraph, []
    with dygraph.guard(fluid.CPUPlace()):
        first, second = dygraph.Conv2D(1, 20, 5, act="relu"), dygraph.Conv2D(20, 50, 5, act="relu")
        norm, pool, last = dygraph.BatchNorm(20), dygraph.Pool2D(2, "max", 2), dygraph.Linear(800, 10, act="softmax")
        parameters = [each for layer in (first, second, norm, last) for each in layer.parameters()]
        adam = fluid.optimizer.Adam(0.001, parameter_list=parameters)
        image, label = dygraph.to_variable(_numbers(64, 1, 28, 28)), dygraph.to_variable(_integers(10, 64, 1))
        for _ in range(2):
            y = fluid.layers.reshape(pool(second(norm(pool(first(image))))), [-1, 800])
            loss = fluid.layers.mean(fluid.layers.cross_entropy(last(y), label))
            loss.backward()
            adam.minimize(loss)
            for parameter in parameters:
                parameter.clear_gradient()
            losses.append(float(loss.numpy()[0]))
    return losses


IMPERATIVE: dict[str, Callable[[], list[float]]] = {"digits, imperative": imperative_digits}
