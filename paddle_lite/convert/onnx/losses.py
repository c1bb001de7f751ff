"""Losses and metrics that inference models keep."""

from __future__ import annotations

import numpy as np

from .call import INT64, OnnxCall, converts


def picked(call: OnnxCall, value: str, label: str, axis: int) -> str:
    """Return the element of an axis that each label names, which has 1 there."""
    return call.node("GatherElements", value, call.cast(label, INT64), axis=axis)


@converts("cross_entropy", "cross_entropy2")
def cross_entropy(call: OnnxCall) -> None:
    """-log of the probability of the label."""
    x, label, rank = call.x(), call.x("Label"), call.rank()
    if call.op.type == "cross_entropy" and call.attr("soft_label"):
        terms = call.node("Mul", label, call.node("Log", x))
        call.out(call.node("Neg", call.node("ReduceSum", terms, call.ints(-1), keepdims=1)), "Y")
        return
    flat = len(call.shape("Label")) < rank
    label = call.node("Unsqueeze", label, call.ints(-1)) if flat else label
    chance = picked(call, x, safe_label(call, label), rank - 1)
    call.out(chance, "MatchX")
    loss = negative_log(call, chance, label)
    call.out(call.node("Squeeze", loss, call.ints(-1)) if flat and len(call.shape_made("Y")) < rank else loss, "Y")


def safe_label(call: OnnxCall, label: str) -> str:
    """Return labels with 0 in place of the one that is ignored."""
    ignored = call.constant(int(call.attr("ignore_index")), call.dtype("Label"))
    return call.node("Where", call.node("Equal", label, ignored), call.constant(0, call.dtype("Label")), label)


def negative_log(call: OnnxCall, chance: str, label: str) -> str:
    """Return -log of a probability; 0 where the label is ignored."""
    ignored = call.node("Equal", label, call.constant(int(call.attr("ignore_index")), call.dtype("Label")))
    return call.node("Where", ignored, call.like(0.0), call.node("Neg", call.node("Log", chance)))


@converts("softmax_with_cross_entropy")
def softmax_with_cross_entropy(call: OnnxCall) -> None:
    """Convert the cross entropy of logits."""
    axis = call.axis(int(call.attr("axis")), "Logits")
    logits, label = call.x("Logits"), call.x("Label")
    call.out(call.node("Softmax", logits, axis=axis), "Softmax")
    logs = call.node("LogSoftmax", logits, axis=axis)
    if call.attr("soft_label"):
        terms = call.node("Mul", label, logs)
        call.out(call.node("Neg", call.node("ReduceSum", terms, call.ints(axis), keepdims=1)), "Loss")
        return
    ignored = call.node("Equal", label, call.constant(int(call.attr("ignore_index")), call.dtype("Label")))
    loss = call.node("Neg", picked(call, logs, safe_label(call, label), axis))
    call.out(call.node("Where", ignored, call.like(0.0, "Logits"), loss), "Loss")


@converts("sigmoid_cross_entropy_with_logits")
def sigmoid_cross_entropy(call: OnnxCall) -> None:
    """max(x, 0) - x * label + log(1 + e ** -|x|)."""
    x, label = call.x(), call.x("Label")
    rest = call.node("Softplus", call.node("Neg", call.node("Abs", x)))
    loss = call.node("Add", call.node("Sub", call.node("Relu", x), call.node("Mul", x, label)), rest)
    hit = call.node("Equal", call.cast(label, INT64), call.constant(int(call.attr("ignore_index")), INT64))
    loss = call.node("Where", hit, call.like(0.0), loss)
    if call.attr("normalize"):
        count = call.node("ReduceSum", call.cast(call.node("Not", hit), call.dtype()), keepdims=0)
        loss = call.node("Div", loss, call.node("Max", count, call.like(1.0)))
    call.out(loss)


@converts("log_loss")
def log_loss(call: OnnxCall) -> None:
    """Convert the loss of probabilities of two classes."""
    p, label, epsilon = call.x("Predicted"), call.x("Labels"), call.like(call.attr("epsilon"), "Predicted")
    one = call.like(1.0, "Predicted")
    yes = call.node("Mul", label, call.node("Log", call.node("Add", p, epsilon)))
    other = call.node("Log", call.node("Add", call.node("Sub", one, p), epsilon))
    no = call.node("Mul", call.node("Sub", one, label), other)
    call.out(call.node("Neg", call.node("Add", yes, no)), "Loss")


@converts("huber_loss")
def huber_loss(call: OnnxCall) -> None:
    """Convert the loss that is squared near 0 and linear elsewhere."""
    delta, rest = float(call.attr("delta")), call.node("Sub", call.x("Y"), call.x("X"))
    size = call.node("Abs", rest)
    near = call.node("Mul", call.node("Mul", rest, rest), call.like(0.5))
    far = call.node("Mul", call.node("Sub", size, call.like(delta / 2)), call.like(delta))
    call.out(rest, "Residual")
    call.out(call.node("Where", call.node("LessOrEqual", size, call.like(delta)), near, far))


@converts("accuracy")
def accuracy(call: OnnxCall) -> None:
    """Convert the share of the samples whose label is among the best."""
    hits = call.node("Equal", call.int64(call.x("Indices"), "Indices"), call.int64(call.x("Label"), "Label"))
    any_hit = call.node("ReduceMax", call.cast(hits, np.int32), call.ints(1), keepdims=0)
    correct = call.node("ReduceSum", any_hit, keepdims=0)
    total = call.cast(call.dims(call.x("Indices"), 0, 1), np.float32)
    call.out(call.node("Div", call.reshape(call.cast(correct, np.float32), 1), total), "Accuracy")
    call.out(call.reshape(correct, 1), "Correct")
    call.out(call.cast(call.dims(call.x("Indices"), 0, 1), np.int32), "Total")
