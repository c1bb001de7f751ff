"""Arithmetic, comparisons and logic of two arrays, with Paddle's `axis`; sums, products of matrices, reductions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...ops.support.broadcasting import aligned_shapes
from .call import OnnxCall, converts

BINARY = {
    "elementwise_add": "Add", "elementwise_sub": "Sub", "elementwise_mul": "Mul", "elementwise_div": "Div",
    "elementwise_max": "Max", "elementwise_min": "Min", "elementwise_pow": "Pow", "equal": "Equal",
    "less_than": "Less", "less_equal": "LessOrEqual", "greater_than": "Greater", "greater_equal": "GreaterOrEqual",
    "minus": "Sub",
}  # fmt: skip
ORDERED = ("less_than", "less_equal", "greater_than", "greater_equal")
LOGICAL = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}
REDUCE = {
    "reduce_sum": "ReduceSum", "reduce_mean": "ReduceMean", "reduce_max": "ReduceMax", "reduce_min": "ReduceMin",
    "reduce_prod": "ReduceProd", "frobenius_norm": "ReduceL2", "logsumexp": "ReduceLogSumExp",
}  # fmt: skip


def operands(call: OnnxCall) -> tuple[str, str]:
    """Return X and Y, reshaped so that ONNX broadcasts them as `axis` demands."""
    x, y, axis = call.x("X"), call.x("Y"), int(call.attr("axis")) if call.op.has_attr("axis") else -1
    of_x, of_y = call.shape("X"), call.shape("Y")
    wide_x, wide_y = aligned_shapes(call.op.type, of_x, of_y, axis)
    return _widened(call, x, of_x, wide_x), _widened(call, y, of_y, wide_y)


def _widened(call: OnnxCall, value: str, shape: tuple[int, ...], wide: tuple[int, ...]) -> str:
    """Return a value with the dimensions of 1 that `wide` has and `shape` lacks."""
    if len(wide) <= len(shape):
        return value
    first = next((i for i, n in enumerate(wide) if n != 1), 0)
    if list(wide[first : first + len(shape)]) == list(shape) and all(n == 1 for n in wide[first + len(shape) :]):
        axes = [*range(first), *range(first + len(shape), len(wide))]
        return call.node("Unsqueeze", value, call.ints(*axes))
    call.need(sum(n < 0 for n in wide) <= 1, "the sizes of the smaller operand are not known")
    return call.reshape(value, *wide)


@converts(*BINARY, "not_equal")
def binary(call: OnnxCall) -> None:
    """Convert an operator of two arrays that is one node of ONNX."""
    x, y = operands(call)
    if call.op.type in ORDERED and call.dtype().kind == "b":
        x, y = call.cast(x, np.int32), call.cast(y, np.int32)
    if call.op.type == "not_equal":
        call.out(call.node("Not", call.node("Equal", x, y)))
    elif call.op.type == "elementwise_pow" and call.dtype().kind != "f":
        power = call.node("Pow", call.cast(x, np.float64), call.cast(y, np.float64))
        call.out(call.cast(power, call.dtype()))
    else:
        call.out(call.node(BINARY[call.op.type], x, y))


@converts("elementwise_mod", "elementwise_floordiv")
def divided(call: OnnxCall) -> None:
    """Convert the remainder, which has the sign of Y for floats, of X for integers; and the quotient, rounded towards 0."""
    x, y = operands(call)
    if call.op.type == "elementwise_floordiv":
        call.out(call.node("Div", x, y))
    elif call.dtype().kind == "f":
        rest = call.node("Mod", x, y, fmod=1)
        zero = call.like(0.0)
        differ = call.node("Xor", call.node("Less", rest, zero), call.node("Less", y, zero))
        wrong = call.node("And", differ, call.node("Not", call.node("Equal", rest, zero)))
        call.out(call.node("Where", wrong, call.node("Add", rest, y), rest))
    else:
        call.out(call.node("Mod", x, y, fmod=1))


@converts(*LOGICAL)
def logical(call: OnnxCall) -> None:
    """Convert the logical operators."""
    call.out(call.node(LOGICAL[call.op.type], *operands(call)))


@converts("cast")
def cast(call: OnnxCall) -> None:
    """Convert the cast to another dtype."""
    call.out(call.cast(call.x(), to_numpy(call.attr("out_dtype"))))


@converts("sum")
def added(call: OnnxCall) -> None:
    """Convert the sum of one array or more."""
    call.need(not any(call.variable(n).type == 13 for n in call.names()), "it adds LoDTensorArrays")
    first, *rest = call.xs()
    for value in rest:
        first = call.node("Add", first, value)
    call.out(first)


@converts("increment")
def increment(call: OnnxCall) -> None:
    """x + step."""
    call.out(call.node("Add", call.x(), call.like(call.attr("step"))))


# --- products of matrices ---------------------------------------------------------------------------------------------


@converts("mul")
def mul(call: OnnxCall) -> None:
    """X flattened to a matrix times Y flattened to a matrix."""
    m, n = int(call.attr("x_num_col_dims")), int(call.attr("y_num_col_dims"))
    x, y, of_x, of_y = call.x("X"), call.x("Y"), call.shape("X"), call.shape("Y")
    left = x if len(of_x) == 2 else call.node("Flatten", x, axis=m)
    right = y if len(of_y) == 2 else call.node("Flatten", y, axis=n)
    if len(of_y) == 2 and m == len(of_x) - 1:
        call.out(call.node("MatMul", x, y))  # MatMul takes the leading dimensions as they are
        return
    out = call.node("MatMul", left, right)
    if len(of_x) == 2 and len(of_y) == 2:
        call.out(out)
        return
    call.out(call.node("Reshape", out, call.vector([call.dims(x, 0, m), call.dims(y, n)])))


@converts("matmul")
def matmul(call: OnnxCall) -> None:
    """alpha * X @ Y: vectors are a row of X, a column of Y; batches are not broadcast."""
    alpha = float(call.attr("alpha"))
    out = _product(call, bool(call.attr("transpose_X")), bool(call.attr("transpose_Y")))
    if call.rank("X") == call.rank("Y") == 1:
        out = call.settled(out)
    call.out(out if alpha == 1 else call.node("Mul", out, call.like(alpha)))


@converts("matmul_v2", "bmm")
def matmul_v2(call: OnnxCall) -> None:
    """X @ Y as in NumPy."""
    flags = [call.op.type == "matmul_v2" and bool(call.attr(name)) for name in ("trans_x", "trans_y")]
    out = _product(call, *flags)
    call.out(call.settled(out) if call.rank("X") == call.rank("Y") == 1 else out)


def _product(call: OnnxCall, transpose_x: bool, transpose_y: bool) -> str:
    sides: list[str] = []
    batches = [call.shape(slot)[:-2] for slot in "XY"]
    fits = not all(batches) or len(batches[0]) == len(batches[1]) or call.op.type == "matmul_v2"
    call.need(fits, "its batches have other shapes")
    for slot, flip in (("X", transpose_x), ("Y", transpose_y)):
        rank, value = call.rank(slot), call.x(slot)
        call.need(not flip or rank > 1, f"it transposes a vector, {slot}")
        if flip:
            value = call.transpose(value, *range(rank - 2), rank - 1, rank - 2)
        sides.append(value)
    if transpose_x and call.rank("Y") == 1:  # ONNX Runtime multiplies a transposed matrix by a column only
        column = call.node("MatMul", sides[0], call.reshape(sides[1], -1, 1))
        return call.node("Squeeze", column, call.ints(-1))
    return call.node("MatMul", *sides)


@converts("fc")
def fc(call: OnnxCall) -> None:
    """Convert a product with a bias and perhaps relu."""
    m, x, shape = int(call.attr("in_num_col_dims")), call.x("Input"), call.shape("Input")
    call.need(not call.attr("padding_weights"), "its weights are padded")
    out = call.node("MatMul", x if m == len(shape) - 1 else call.node("Flatten", x, axis=m), call.x("W"))
    if call.has("Bias"):
        out = call.node("Add", out, call.reshape(call.x("Bias"), -1))
    if call.attr("activation_type") == "relu":
        out = call.node("Relu", out)
    if m != len(shape) - 1 and m != 1:
        out = call.node("Reshape", out, call.vector([call.dims(x, 0, m), -1]))
    call.out(out)


@converts("addmm")
def addmm(call: OnnxCall) -> None:
    """Convert Beta * Input + Alpha * X @ Y."""
    product = call.node("Mul", call.node("MatMul", call.x("X"), call.x("Y")), call.like(call.attr("Alpha")))
    call.out(call.node("Add", call.node("Mul", call.x("Input"), call.like(call.attr("Beta"))), product))


@converts("dot")
def dot(call: OnnxCall) -> None:
    """Convert the sum of products along the last axis."""
    product = call.node("Mul", call.x("X"), call.x("Y"))
    call.out(call.node("ReduceSum", product, call.ints(-1), keepdims=1))


@converts("bilinear_tensor_product")
def bilinear_tensor_product(call: OnnxCall) -> None:
    """x W_k y for each k, and a bias."""
    found = call.node("Einsum", call.x("X"), call.x("Weight"), call.x("Y"), equation="bi,kij,bj->bk")
    call.out(call.node("Add", found, call.x("Bias")) if call.has("Bias") else found)


# --- reductions -------------------------------------------------------------------------------------------------------


def reduced_axes(call: OnnxCall, name: str = "dim") -> list[int]:
    """Return the axes that are reduced; [] for all."""
    given = call.attr(name)
    axes = [call.axis(int(a)) for a in (given if isinstance(given, (list, tuple)) else [given])]
    return [] if call.attr("reduce_all") or len(set(axes)) == call.rank() else axes


def reduce(call: OnnxCall, type: str, x: str, axes: list[int], keep: bool) -> str:
    """Return a reduction: of shape [1] where all dimensions go."""
    inputs = [x, call.ints(*axes)] if axes else [x]
    found = call.node(type, *inputs, keepdims=int(keep))
    return call.settled(found) if not axes and not keep else found


@converts(*REDUCE)
def reductions(call: OnnxCall) -> None:
    """Convert sums, means, extremes, products and norms along axes."""
    keep = bool(call.attr("keepdim" if call.op.type == "logsumexp" else "keep_dim"))
    name = "axis" if call.op.type == "logsumexp" else "dim"
    found = reduce(call, REDUCE[call.op.type], call.x(), reduced_axes(call, name), keep)
    call.out(found if call.dtype_made() == call.dtype() else call.cast(found, call.dtype_made()))


@converts("reduce_all", "reduce_any")
def truths(call: OnnxCall) -> None:
    """Convert the reductions of bools: all or any."""
    type = "ReduceMin" if call.op.type == "reduce_all" else "ReduceMax"
    x = call.cast(call.x(), np.int32)
    call.out(call.cast(reduce(call, type, x, reduced_axes(call), bool(call.attr("keep_dim"))), bool))


@converts("mean")
def mean(call: OnnxCall) -> None:
    """Convert the mean of all elements."""
    call.out(reduce(call, "ReduceMean", call.x(), [], False))


@converts("squared_l2_norm", "l1_norm")
def norms(call: OnnxCall) -> None:
    """Convert the sum of squares, or of absolute values."""
    type = "ReduceSumSquare" if call.op.type == "squared_l2_norm" else "ReduceL1"
    call.out(reduce(call, type, call.x(), [], False))


@converts("p_norm")
def p_norm(call: OnnxCall) -> None:
    """(the sum of |x| ** p) ** (1 / p) along an axis."""
    p, axis = float(call.attr("porder")), call.axis(int(call.attr("axis")))
    call.need(p in (1.0, 2.0) or np.isinf(p), f"porder is {p}; 1, 2 and infinities can be converted")
    x = call.node("Abs", call.x()) if np.isinf(p) else call.x()
    type = {1.0: "ReduceL1", 2.0: "ReduceL2", np.inf: "ReduceMax", -np.inf: "ReduceMin"}[p]
    found = call.node(type, x, call.ints(axis), keepdims=int(call.attr("keepdim")))
    call.out(call.settled(found) if call.rank() == 1 and not call.attr("keepdim") else found)


@converts("norm")
def norm(call: OnnxCall) -> None:
    """x / sqrt(the sum of squares along an axis + epsilon)."""
    axis = call.axis(int(call.attr("axis")))
    total = call.node("ReduceSumSquare", call.x(), call.ints(axis), keepdims=1)
    size = call.node("Sqrt", call.node("Add", total, call.like(call.attr("epsilon"))))
    call.out(size, "Norm")
    call.out(call.node("Div", call.x(), size))


@converts("cumsum")
def cumsum(call: OnnxCall) -> None:
    """Convert the sums of all elements up to each one."""
    x, axis = call.x(), int(call.attr("axis"))
    if call.op.has_attr("flatten") and call.attr("flatten"):
        x, axis = call.reshape(x, -1), 0
    flags: dict[str, Any] = {"exclusive": int(call.attr("exclusive")), "reverse": int(call.attr("reverse"))}
    call.out(call.node("CumSum", x, call.constant(axis, np.int64), **flags))


@converts("clip_by_norm")
def clip_by_norm(call: OnnxCall) -> None:
    """X, shortened to a norm."""
    size = call.scalar(call.node("ReduceL2", call.x(), keepdims=0))
    bound = call.like(call.attr("max_norm"))
    short = call.node("Div", call.node("Mul", call.x(), bound), size)
    call.out(call.node("Where", call.node("Greater", size, bound), short, call.x()))


@converts("cos_sim")
def cos_sim(call: OnnxCall) -> None:
    """Convert the cosine between rows of X and Y."""
    norms = [call.node("ReduceL2", call.x(slot), call.ints(*range(1, call.rank(slot))), keepdims=1) for slot in "XY"]
    product = call.node(
        "ReduceSum", call.node("Mul", call.x("X"), call.x("Y")), call.ints(*range(1, call.rank("X"))), keepdims=1
    )
    for norm_of, slot in zip(norms, ("XNorm", "YNorm"), strict=True):
        call.out(call.reshape(norm_of, -1, 1), slot)
    size = call.node("Max", call.node("Mul", *norms), call.like(np.finfo(call.dtype()).tiny))  # a row of zeros gives 0
    call.out(call.reshape(call.node("Div", product, size), -1, 1))
