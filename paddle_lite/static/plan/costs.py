"""What operators cost: bytes that they move and floating-point operations (FLOPs), estimated from the shapes in the Program.

These are estimates, for comparing the parts of a Plan with each other. A product counts two for each multiplication and
addition; an element of an expression one for each operation and each function, exp like +. Bytes are those of the arrays
that a kernel reads and writes, once each, whatever the caches do. A size that is known only at run time counts as N, the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import zip_longest
from math import prod

from ...kernels.codegen.expression import Node, number, walk
from ...ops.framework.pointwise import forms_of
from .fusion.rules import BINARY, chosen, expression
from .graph import Step, Value


class Amount:
    """A number that depends on the batch: `terms[k]` times N to the power of k, added up.

    >>> Amount.of((-1, 4, 8)) + Amount(5)
    <5 + 32 x N>
    >>> (Amount.of((-1, 4)) * 2).at(10)
    80
    """

    __slots__ = ("terms",)

    def __init__(self, *terms: int) -> None:
        self.terms = terms

    @classmethod
    def of(cls, shape: Iterable[int]) -> Amount:
        """The elements of an array of this shape; -1 counts as N."""
        sizes = list(shape)
        return cls(*[0] * sizes.count(-1), prod(n for n in sizes if n != -1))

    def __add__(self, other: Amount) -> Amount:
        return Amount(*(a + b for a, b in zip_longest(self.terms, other.terms, fillvalue=0)))

    def __mul__(self, other: Amount | int) -> Amount:
        terms = (other,) if isinstance(other, int) else other.terms
        made = [0] * (len(self.terms) + len(terms))
        for i, a in enumerate(self.terms):
            for k, b in enumerate(terms):
                made[i + k] += a * b
        return Amount(*made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Amount) and not any(
            a - b for a, b in zip_longest(self.terms, other.terms, fillvalue=0)
        )

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        return any(self.terms)

    def at(self, batch: int) -> int:
        """The number for a batch."""
        return sum(term * batch**power for power, term in enumerate(self.terms))

    def text(self, shown: Callable[[int], str] = str, batch: int | None = None) -> str:
        """It as a sum over powers of N, or for a batch as one number; `shown` writes a number."""
        if batch is not None:
            return shown(self.at(batch))
        powers = ("", " x N", *(f" x N^{k}" for k in range(2, len(self.terms))))
        return " + ".join(shown(t) + p for t, p in zip(self.terms, powers, strict=False) if t) or shown(0)

    def __repr__(self) -> str:
        return f"<{self.text()}>"


def size_of(value: Value) -> Amount:
    """The bytes of a value; none of what is no tensor of numbers."""
    return Amount() if value.dtype is None else Amount.of(value.shape) * value.dtype.itemsize


PART_READ = {
    "lookup_table": "W", "lookup_table_v2": "W", "gather": "X", "gather_nd": "X", "index_select": "X", "slice": "Input",
    "strided_slice": "Input",
}  # fmt: skip
"""Operators that read no more than they write of what is in this slot."""


def bytes_read(step: Step) -> Amount:
    """The bytes that an operator reads by itself."""
    part = step.one(PART_READ.get(step.type, ""))
    made = step.makes()
    whole = dict.fromkeys(value for value in step.whole() if value is not part)
    total = _total(size_of(value) for value in whole)
    return total + size_of(made[0]) if part is not None and made else total


def _total(amounts: Iterable[Amount]) -> Amount:
    total = Amount()
    for amount in amounts:
        total += amount
    return total


# --- FLOPs ----------------------------------------------------------------------------------------------------------------


def flops(step: Step) -> Amount | None:
    """The floating-point operations of an operator; None where nothing is known of it."""
    forward = step.type.removesuffix("_grad")
    if forward in PRODUCTS:
        product, operands = PRODUCTS[forward]
        times = 1 if forward == step.type else sum(step.out(f"{slot}@GRAD") is not None for slot in operands)
        one = product(step)
        return None if one is None else one * times
    if step.type in OTHERWISE:
        return OTHERWISE[step.type](step)
    if step.type in EACH:
        slot, operations = EACH[step.type]
        value = step.one(slot) or step.out(slot)
        return None if value is None else Amount.of(value.shape) * operations
    if forward in BINARY:
        return _of_binary(step, forward)
    if forms_of(step.op.definition) is not None:
        return _of_expressions(step)
    return Amount() if forward in MOVING else None


def _result(step: Step, slot: str) -> Value | None:
    """The result of a forward operator, or its gradient, which has the same shape."""
    return step.out(slot) or step.one(f"{slot}@GRAD")


def _times(value: Value | None, *sizes: int) -> Amount | None:
    """Two FLOPs for each element of a value and each number of these sizes."""
    return None if value is None else Amount.of(value.shape) * Amount.of(sizes) * 2


def _mul(step: Step) -> Amount | None:
    y = step.one("Y")
    return None if y is None else _times(_result(step, "Out"), *y.shape[: step.attrs["y_num_col_dims"]])


def _matmul(step: Step) -> Amount | None:
    x = step.one("X")
    if x is None or not x.shape:
        return None
    turned = any(step.attrs.get(name) for name in ("transpose_X", "trans_x")) and len(x.shape) > 1
    return _times(_result(step, "Out"), x.shape[-2 if turned else -1])


def _conv(step: Step) -> Amount | None:
    kernel = step.one("Filter")
    return None if kernel is None else _times(_result(step, "Output"), *kernel.shape[1:])


def _conv_transpose(step: Step) -> Amount | None:
    kernel = step.one("Filter")
    return None if kernel is None else _times(step.one("Input"), *kernel.shape[1:])


def _sequence_conv(step: Step) -> Amount | None:
    kernel = step.one("Filter")
    return None if kernel is None else _times(_result(step, "Out"), kernel.shape[0])


def _recurrence(step: Step) -> Amount | None:
    """The products of the hidden states with the weight, for each word; what is done to the gates is not counted."""
    weight = step.one("Weight")
    return None if weight is None else _times(step.one("Input"), weight.shape[0])


def _packed(step: Step) -> Amount | None:
    """Each number of the weights takes part in every word."""
    weight, words = step.one("W"), step.one("Input")
    return None if words is None else _times(weight, *words.shape[:2])


PRODUCTS: dict[str, tuple[Callable[[Step], Amount | None], tuple[str, ...]]] = {
    "mul": (_mul, ("X", "Y")),
    "matmul": (_matmul, ("X", "Y")),
    "matmul_v2": (_matmul, ("X", "Y")),
    "bmm": (_matmul, ("X", "Y")),
    **dict.fromkeys(("conv2d", "depthwise_conv2d", "conv3d"), (_conv, ("Input", "Filter"))),
    **dict.fromkeys(("conv2d_transpose", "depthwise_conv2d_transpose", "conv3d_transpose"), (_conv_transpose, ("Input", "Filter"))),
    "sequence_conv": (_sequence_conv, ("X", "Filter")),
    **dict.fromkeys(("lstm", "gru", "gru_unit"), (_recurrence, ("Input", "Weight"))),
    "cudnn_lstm": (_packed, ("Input", "W")),
}  # fmt: skip
"""Products, with their operands: each operand's gradient costs as much as the product itself."""

EACH = {
    "softmax": ("X", 5), "softmax_grad": ("Out@GRAD", 4), "log_softmax": ("X", 5), "log_softmax_grad": ("Out@GRAD", 4),
    "softmax_with_cross_entropy": ("Logits", 6), "softmax_with_cross_entropy_grad": ("Softmax", 2),
    "cross_entropy": ("Y", 2), "cross_entropy_grad": ("Y@GRAD", 2), "cross_entropy2": ("Y", 2), "cross_entropy_grad2": ("Y@GRAD", 2),
    "sequence_softmax": ("X", 5), "logsumexp": ("X", 3), "label_smooth": ("X", 2), "smooth_l1_loss": ("X", 6), "kldiv_loss": ("X", 4),
    "clip_by_norm": ("X", 3), "norm": ("X", 3), "dot": ("X", 2), "cos_sim": ("X", 6), "affine_channel": ("X", 2), "maxout": ("X", 1),
    "reduce_all": ("X", 1), "reduce_any": ("X", 1), "arg_max": ("X", 1), "arg_min": ("X", 1), "isfinite": ("X", 1),
    "sequence_mask": ("Y", 1), "bilinear_interp": ("Out", 8), "accuracy": ("Indices", 1),
    "sigmoid_cross_entropy_with_logits": ("X", 6), "sigmoid_cross_entropy_with_logits_grad": ("X", 5),
    "layer_norm": ("X", 7), "layer_norm_grad": ("X", 13), "batch_norm_grad": ("X", 9), "group_norm": ("X", 7),
    "group_norm_grad": ("Y", 13), "instance_norm": ("X", 7), "instance_norm_grad": ("X", 13),
    "mean": ("X", 1), "mean_grad": ("X@GRAD", 1), "reduce_sum": ("X", 1), "reduce_mean": ("X", 1), "reduce_max": ("X", 1),
    "reduce_min": ("X", 1), "reduce_prod": ("X", 1), "squared_l2_norm": ("X", 2), "cumsum": ("X", 1), "sequence_pool": ("X", 1),
    "dropout_grad": ("Out@GRAD", 1), "lstm_unit": ("X", 6), "lstm_unit_grad": ("X", 8),
    "elementwise_pow": ("Out", 1), "elementwise_mod": ("Out", 1), "elementwise_floordiv": ("Out", 1), "pow": ("X", 1),
    "prelu": ("X", 2), "prelu_grad": ("X", 3), "increment": ("X", 1), "clip": ("X", 2), "clip_grad": ("X", 2),
    "sgd": ("Param", 2), "momentum": ("Param", 4), "lars_momentum": ("Param", 8), "adagrad": ("Param", 6), "adam": ("Param", 12),
    "adamax": ("Param", 8), "rmsprop": ("Param", 9), "adadelta": ("Param", 11), "lamb": ("Param", 18),
    **dict.fromkeys(("equal", "not_equal", "less_than", "less_equal", "greater_than", "greater_equal"), ("Out", 1)),
}  # fmt: skip
"""Operations for each element of the value in a slot."""


def _batch_norm(step: Step) -> Amount | None:
    x, attrs = step.one("X"), step.attrs
    known = attrs["use_global_stats"] or (attrs["is_test"] and not attrs["trainable_statistics"])
    return None if x is None else Amount.of(x.shape) * (2 if known else 7)


def _pool(step: Step) -> Amount | None:
    """One for each element of a window."""
    x, out = step.one("X"), _result(step, "Out")
    if x is None or out is None:
        return None
    whole = step.attrs["global_pooling"] or step.attrs.get("adaptive")
    return Amount.of(x.shape) if whole else Amount.of(out.shape) * prod(step.attrs["ksize"])


def _sum(step: Step) -> Amount | None:
    out = step.out("Out")
    return None if out is None or out.dtype is None else Amount.of(out.shape) * (len(step.read.get("X") or [0]) - 1)


def _scale(step: Step) -> Amount | None:
    out = step.out("Out")
    return None if out is None else Amount.of(out.shape) * ((step.attrs["scale"] != 1) + (step.attrs["bias"] != 0))


def _dropout(step: Step) -> Amount | None:
    x = step.one("X")
    return None if x is None else Amount.of(x.shape) * (1 if step.attrs["is_test"] else 3)


OTHERWISE: dict[str, Callable[[Step], Amount | None]] = {
    "batch_norm": _batch_norm, "sum": _sum, "scale": _scale, "dropout": _dropout,
    **dict.fromkeys(("pool2d", "pool2d_grad", "pool3d", "pool3d_grad", "max_pool2d_with_index"), _pool),
}  # fmt: skip

MOVING = frozenset({
    "assign", "assign_value", "cast", "concat", "split", "stack", "unstack", "unbind", "slice", "strided_slice", "reshape", "reshape2",
    "squeeze", "squeeze2", "unsqueeze", "unsqueeze2", "flatten", "flatten2", "flatten_contiguous_range", "transpose", "transpose2",
    "expand", "expand_as", "tile", "gather", "gather_nd", "scatter", "index_select", "lookup_table", "lookup_table_v2", "one_hot",
    "one_hot_v2", "pad", "pad2d", "pad3d", "reverse", "flip", "roll", "shape", "size", "fill_constant", "fill_constant_batch_size_like",
    "fill_zeros_like", "fill_any_like", "eye", "range", "diag", "where", "multiplex", "crop", "pixel_shuffle", "space_to_depth",
    "shuffle_channel", "sequence_expand", "sequence_expand_as", "sequence_concat", "sequence_pad", "sequence_unpad", "sequence_reverse",
    "sequence_reshape", "sequence_slice", "im2sequence", "lod_reset", "logical_and", "logical_or", "logical_not", "logical_xor",
    "rnn_memory_helper", "shrink_rnn_memory", "without_element", "tensor_array_to_tensor", "array_to_lod_tensor", "lod_tensor_to_array",
    "lod_rank_table", "max_sequence_len", "reorder_lod_tensor_by_rank", "split_lod_tensor", "merge_selected_rows", "sequence_pool",
    "get_tensor_from_selected_rows", "gather_tree", "nearest_interp", "pad_constant_like", "crop_tensor", "diag_embed", "meshgrid",
    "is_empty", "lod_array_length", "read_from_array", "write_to_array", "select_input", "merge_lod_tensor", "print", "reduce_sum", "reduce_mean",
})  # fmt: skip
"""Operators that only move numbers, and whose gradients do so; sums and means, whose gradients do."""


def _operations(nodes: Iterable[Node]) -> int:
    """The operations of expressions; what several have in common counts once."""
    return sum(node.op not in ("name", "number", "true") for node in walk(*nodes))


def _of_expressions(step: Step) -> Amount | None:
    """An operator that is declared by expressions."""
    forms = forms_of(step.op.definition)
    reads = step.reads()
    assert forms is not None
    _, outputs, _, scalars = forms.declaration
    known = {name: number(float(step.attrs[name])) for name in scalars if name in step.attrs}
    made = [chosen(expression(text, **known)) for text in outputs.values()]
    return Amount.of(reads[0].shape) * _operations(made) if reads else None


def _of_binary(step: Step, forward: str) -> Amount | None:
    """An operator of two operands; a gradient that is smaller than the result is a sum over it."""
    result = _result(step, "Out")
    if result is None:
        return None
    out, *gradients = (_operations([expression(text)]) for text in BINARY[forward])
    count = out
    if forward != step.type:
        made = [(step.out("X@GRAD"), gradients[0]), (step.out("Y@GRAD"), gradients[1])]
        count = sum(n + (value.shape != result.shape) for value, n in made if value is not None)
    return Amount.of(result.shape) * count
