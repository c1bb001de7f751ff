"""Constants, ranges, indices: filling, looking up, gathering, choosing, sorting."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from .call import INT64, OnnxCall, converts
from .graph import onnx_type
from .shapes import numbers


def filled(call: OnnxCall, shape: list[str | int], value: Any, dtype: np.dtype) -> str:
    """Return an array of one number."""
    if all(isinstance(n, int) for n in shape):
        return call.constant(np.full([int(n) for n in shape], value, dtype), dtype)
    return call.node("Expand", call.constant(np.full(1, value, dtype), dtype), call.vector(shape))


@converts("fill_constant")
def fill_constant(call: OnnxCall) -> None:
    """Convert an array of one number, of a given shape."""
    value: Any
    dtype = to_numpy(call.attr("dtype"))
    shape = numbers(call, "shape", "ShapeTensor", "ShapeTensorList")
    if call.has("ValueTensor"):
        value = call.cast(call.reshape(call.x("ValueTensor"), 1), dtype)
        call.out(call.node("Expand", value, call.vector(shape)))
        return
    text = call.attr("str_value")
    value = float(text) if text else call.attr("value")
    call.out(filled(call, shape, value, dtype))


@converts("fill_constant_batch_size_like")
def fill_like_batch(call: OnnxCall) -> None:
    """Convert an array of one number, of a given shape with one size of another array."""
    dtype, text = to_numpy(call.attr("dtype")), call.attr("str_value")
    value = float(text) if text else call.attr("value")
    shape: list[str | int] = [int(n) for n in call.attr("shape")]
    lengths = call.graph.find_lengths(call.name("Input"))
    at = int(call.attr("input_dim_idx"))
    source = call.dims(lengths) if lengths is not None and at == 0 else call.dims(call.x("Input"), at, at + 1)
    shape[int(call.attr("output_dim_idx"))] = source
    call.out(filled(call, shape, value, dtype))


@converts("fill_zeros_like", "fill_zeros_like2", "fill_any_like")
def fill_like(call: OnnxCall) -> None:
    """Convert an array of one number, of the shape of another array."""
    code = -1 if call.op.type == "fill_zeros_like" else int(call.attr("dtype"))
    dtype = call.dtype() if code < 0 else to_numpy(code)
    value = call.attr("value") if call.op.type == "fill_any_like" else 0
    call.out(filled(call, [call.dims(call.x())], value, dtype))


@converts("assign_value")
def assign_value(call: OnnxCall) -> None:
    """Convert an array from the attributes."""
    dtype = to_numpy(call.attr("dtype"))
    held = [call.attr(name) for name in ("bool_values", "fp32_values", "int32_values", "int64_values")]
    flat: list[Any] = next((values for values in held if values), [])
    call.out(call.constant(np.asarray(flat).astype(dtype).reshape([int(n) for n in call.attr("shape")]), dtype))


@converts("assign", "rnn_memory_helper", "print")
def assign(call: OnnxCall) -> None:
    """Convert the copy of an array."""
    value = call.x("In" if call.op.type == "print" else "X")
    call.out(value)


@converts("range")
def arange(call: OnnxCall) -> None:
    """Convert numbers from start to end by steps."""
    start, end, step = (call.scalar(call.x(slot)) for slot in ("Start", "End", "Step"))
    if call.dtype("Start").kind != "f":
        call.out(call.node("Range", start, end, step))
        return
    count = call.cast(call.node("Ceil", call.node("Div", call.node("Sub", end, start), step)), INT64)
    steps = call.node("Range", call.constant(0, INT64), count, call.constant(1, INT64))
    call.out(call.node("Add", start, call.node("Mul", call.cast(steps, call.dtype("Start")), step)))


@converts("linspace")
def linspace(call: OnnxCall) -> None:
    """Convert numbers at equal distances from start to stop."""
    count = call.known("Num")
    call.need(count is not None, "the number of its elements is computed")
    total = int(np.asarray(count).item())
    start, stop = call.x("Start"), call.x("Stop")
    if total == 1:
        call.out(start)
        return
    step = call.node("Div", call.node("Sub", stop, start), call.like(total - 1, "Start"))
    steps = call.constant(np.arange(total), call.dtype("Start"))
    call.out(call.node("Add", start, call.node("Mul", steps, step)))


@converts("eye")
def eye(call: OnnxCall) -> None:
    """Convert a matrix with ones on its diagonal."""
    rows, columns = int(call.attr("num_rows")), int(call.attr("num_columns"))
    dtype = to_numpy(call.attr("dtype"))
    call.out(call.constant(np.eye(rows, rows if columns < 0 else columns, dtype=dtype), dtype))


# --- looking up -------------------------------------------------------------------------------------------------------


@converts("lookup_table", "lookup_table_v2")
def lookup(call: OnnxCall) -> None:
    """Convert the selection of rows of a table; zeros for `padding_idx`."""
    ids, table, shape = call.x("Ids"), call.x("W"), call.shape("Ids")
    if call.op.type == "lookup_table":
        ids = call.node("Squeeze", ids, call.ints(len(shape) - 1))
    padding = int(call.attr("padding_idx"))
    if padding == -1:
        call.out(call.node("Gather", table, ids, axis=0))
        return
    padding = padding + call.shape("W")[0] if padding < 0 else padding
    zero = call.constant(0, call.dtype("Ids"))
    hit = call.node("Equal", ids, call.constant(padding, call.dtype("Ids")))
    rows = call.node("Gather", table, call.node("Where", hit, zero, ids), axis=0)
    hit = call.node("Unsqueeze", hit, call.ints(-1))
    call.out(call.node("Where", hit, call.constant(0, call.dtype("W")), rows))


@converts("one_hot", "one_hot_v2")
def one_hot(call: OnnxCall) -> None:
    """1 at the place that the index names."""
    ids, dtype = call.x(), to_numpy(call.attr("dtype"))
    if call.op.type == "one_hot":
        ids = call.node("Squeeze", ids, call.ints(call.rank() - 1))
    ids = call.int64(ids, "X")
    if call.has("depth_tensor"):
        depth = call.int64(call.scalar(call.x("depth_tensor")), "depth_tensor")
    else:
        depth = call.constant(call.attr("depth"), INT64)
    ids = call.node("Where", call.node("Less", ids, call.constant(0, INT64)), depth, ids)  # -1 names no place
    found = call.node("OneHot", ids, depth, call.constant([0, 1], np.float32), axis=-1)
    call.out(found if dtype == np.float32 else call.cast(found, dtype))


@converts("gather", "index_select")
def gather(call: OnnxCall) -> None:
    """Convert the selection of elements along an axis."""
    axis = int(call.attr("dim")) if call.op.type == "index_select" else 0
    if call.op.has_attr("axis"):
        axis = int(call.attr("axis"))
    if call.has("Axis"):
        known = call.known("Axis")
        call.need(known is not None, "the axis is computed")
        axis = int(np.asarray(known).item())
    call.out(call.node("Gather", call.x(), call.reshape(call.x("Index"), -1), axis=call.axis(axis)))


@converts("gather_nd")
def gather_nd(call: OnnxCall) -> None:
    """Convert the selection of elements by tuples of indices."""
    call.out(call.node("GatherND", call.x(), call.int64(call.x("Index"), "Index")))


@converts("index_sample")
def index_sample(call: OnnxCall) -> None:
    """Convert the selection of elements of each row."""
    call.out(call.node("GatherElements", call.x(), call.x("Index"), axis=1))


@converts("scatter")
def scatter(call: OnnxCall) -> None:
    """Convert the replacement of rows, or their addition to zeros."""
    ids = call.node("Unsqueeze", call.reshape(call.int64(call.x("Ids"), "Ids"), -1), call.ints(1))
    x, updates = call.x(), call.x("Updates")
    if not call.attr("overwrite"):
        zeros = filled(call, [call.dims(updates)], 0, call.dtype())
        x = call.node("ScatterND", x, ids, zeros)
        call.out(call.node("ScatterND", x, ids, updates, reduction="add"))
        return
    call.out(call.node("ScatterND", x, ids, updates))


@converts("scatter_nd_add")
def scatter_nd_add(call: OnnxCall) -> None:
    """Convert the addition to elements."""
    index = call.int64(call.x("Index"), "Index")
    call.out(call.node("ScatterND", call.x(), index, call.x("Updates"), reduction="add"))


@converts("where")
def where(call: OnnxCall) -> None:
    """X where the condition holds, else Y."""
    call.out(call.node("Where", call.x("Condition"), call.x("X"), call.x("Y")))


@converts("where_index")
def where_index(call: OnnxCall) -> None:
    """Convert the indices where the condition holds."""
    condition = call.x("Condition")
    held = condition if call.dtype("Condition").kind == "b" else call.cast(condition, bool)
    call.out(call.transpose(call.node("NonZero", held), 1, 0))


@converts("masked_select")
def masked_select(call: OnnxCall) -> None:
    """Convert the selection of the elements where a mask holds."""
    call.out(call.node("Compress", call.reshape(call.x(), -1), call.reshape(call.x("Mask"), -1)), "Y")


@converts("multiplex")
def multiplex(call: OnnxCall) -> None:
    """Convert the selection of row i of the array that Ids[i] names."""
    together = call.node("Concat", *[call.node("Unsqueeze", x, call.ints(0)) for x in call.xs()], axis=0)
    ids = call.reshape(call.int64(call.x("Ids"), "Ids"), -1)
    rows = call.node("Range", call.constant(0, INT64), call.scalar(call.dims(ids)), call.constant(1, INT64))
    pairs = call.node("Concat", *[call.node("Unsqueeze", v, call.ints(1)) for v in (ids, rows)], axis=1)
    call.out(call.node("GatherND", together, pairs))


# --- sorting ----------------------------------------------------------------------------------------------------------


@converts("top_k", "top_k_v2")
def top_k(call: OnnxCall) -> None:
    """Convert the largest elements along an axis."""
    second = call.op.type == "top_k_v2"
    axis = call.axis(int(call.attr("axis")) if second else -1)
    k = call.reshape(call.int64(call.x("K"), "K"), 1) if call.has("K") else call.ints(int(call.attr("k")))
    largest = int(call.attr("largest")) if second else 1
    values, indices = call.nodes("TopK", 2, call.x(), k, axis=axis, largest=largest, sorted=1)
    call.out(values)
    call.out(indices, "Indices")


@converts("argsort")
def argsort(call: OnnxCall) -> None:
    """Convert the sort along an axis."""
    axis = call.axis(int(call.attr("axis")))
    count = call.dims(call.x(), axis, axis + 1)
    values, indices = call.nodes("TopK", 2, call.x(), count, axis=axis, largest=int(call.attr("descending")))
    call.out(values)
    call.out(indices, "Indices")


@converts("arg_max", "arg_min")
def arg_extreme(call: OnnxCall) -> None:
    """Convert the index of the first extreme."""
    x, axis, keep = call.x(), int(call.attr("axis")), int(call.attr("keepdims"))
    flat = call.op.has_attr("flatten") and bool(call.attr("flatten"))
    if flat:
        x, axis = call.reshape(x, -1), 0
    type = "ArgMax" if call.op.type == "arg_max" else "ArgMin"
    found = call.node(type, x, axis=axis if flat else call.axis(axis), keepdims=keep)
    if not keep and (flat or call.rank() == 1):
        found = call.settled(found)
    code = int(call.attr("dtype"))
    dtype = INT64 if code < 0 else to_numpy(code)
    call.out(found if dtype == INT64 else call.node("Cast", found, to=onnx_type(dtype)))


@converts("diag")
def diag(call: OnnxCall) -> None:
    """Convert a matrix from its diagonal."""
    size = call.shape("Diagonal")[0]
    call.need(size >= 0, "the size of the matrix is not known")
    column = call.node("Unsqueeze", call.x("Diagonal"), call.ints(1))
    call.out(call.node("Mul", column, call.constant(np.eye(size), call.dtype("Diagonal"))))


@converts("tril_triu")
def tril_triu(call: OnnxCall) -> None:
    """Convert one triangle of matrices."""
    call.out(
        call.node("Trilu", call.x(), call.constant(call.attr("diagonal"), INT64), upper=int(not call.attr("lower")))
    )


@converts("label_smooth")
def label_smooth(call: OnnxCall) -> None:
    """(1 - e) * X + e / classes, or e times a prior distribution."""
    epsilon = float(call.attr("epsilon"))
    kept = call.node("Mul", call.x(), call.like(1 - epsilon))
    if call.has("PriorDist"):
        call.out(call.node("Add", kept, call.node("Mul", call.x("PriorDist"), call.like(epsilon))))
        return
    call.need(call.shape()[-1] > 0, "the number of classes is not known")
    call.out(call.node("Add", kept, call.like(epsilon / call.shape()[-1])))


@converts("sequence_mask")
def sequence_mask(call: OnnxCall) -> None:
    """1 before each length, 0 from there on."""
    call.need(call.dtype().kind == "i", "its lengths are no integers")
    x = call.int64(call.x(), "X")
    if call.has("MaxLenTensor"):
        most = call.scalar(call.int64(call.x("MaxLenTensor"), "MaxLenTensor"))
    elif int(call.attr("maxlen")) > 0:
        most = call.constant(int(call.attr("maxlen")), INT64)
    else:
        most = call.node("ReduceMax", x, keepdims=0)
    steps = call.node("Range", call.constant(0, INT64), most, call.constant(1, INT64))
    mask = call.node("Less", steps, call.node("Unsqueeze", x, call.ints(-1)))
    call.out(call.cast(mask, to_numpy(call.attr("out_dtype"))), "Y")
