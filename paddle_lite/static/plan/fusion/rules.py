"""What operators compute, as expressions of the elements that they read: one rule a type.

A rule says in which frame the operator works, or None where it cannot be joined to others; and, given the expressions of
what it reads, those of what it makes. A value of several parts side by side has one expression a part.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, Protocol

import numpy as np

from ....kernels.codegen.expression import Node, make, name, number, parse, rewrite, substitute
from ....kernels.cpu.random.dropout import scale_of, threshold
from ....ops.framework.pointwise import forms_of
from ....ops.random.random import dropout_factors
from ..graph import Step, Value
from .frame import Dim, Frame, Layout, flat_row, flat_rows, placed, rows_of

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
Parts = list[Node]


class Builder(Protocol):
    """What rules build with; see groups.py."""

    frame: Frame

    def read(self, value: Value, layout: Layout) -> Parts:
        """The expressions of a value, one a part."""

    def write(self, value: Value, layout: Layout, parts: Parts) -> None:
        """Say what a value is."""

    def draw(self, step: Step, layout: Layout, least: int) -> Parts:
        """Whether a dropout keeps elements of an array, one expression a part; `least` is the least hash of one that is kept."""

    def add_up(self, value: Value, layout: Layout, parts: Parts) -> None:
        """Say what a value is the sum of, over the dimensions along which it does not vary."""

    def expect(self, value: Value, layout: Layout) -> None:
        """Say how a value lies of which only the shape matters, where the Program does not tell it."""

    def row(self, how: str, node: Node) -> Node:
        """The sum or the maximum of a row."""

    def row_size(self) -> Node:
        """How many elements a row has."""


class Rule(NamedTuple):
    """frame: `f(step)`, the frame or None. build: `f(step, builder)`, which writes what the step makes."""

    frame: Callable[[Step], Frame | None]
    build: Callable[[Step, Builder], None]


MOST = 48
"""Values that an operator reads and makes: a loop over more arrays has more addresses than a processor has registers."""


def rule_of(step: Step) -> Rule | None:
    """The rule of an operator, None where there is none."""
    if not step.plain and not draws_key(step):
        return None
    if len(step.reads()) + len(step.makes()) > MOST:
        return None
    found = RULES.get(step.type)
    if found is None and forms_of(step.op.definition) is not None:
        return POINTWISE
    return found


def _float(value: Value | None) -> bool:
    return value is not None and value.dtype in FLOATS


def _plain_frame(value: Value | None) -> Frame | None:
    """The frame of an operator whose result is this value."""
    if value is None or not _float(value) or not value.shape:
        return None
    return Frame(value.shape, value.dtype)  # type: ignore[arg-type]


def _each(parts: list[Parts], compute: Callable[..., Node]) -> Parts:
    """An expression part by part; what has one part only serves all."""
    count = max(map(len, parts))
    return [compute(*(p[i] if len(p) > 1 else p[0] for p in parts)) for i in range(count)]


@cache
def _parsed(text: str) -> Node:
    return parse(text)


def expression(text: str, **values: Node) -> Node:
    """An expression with other expressions for its names."""
    return substitute(_parsed(text), values)


# --- operators declared by expressions ------------------------------------------------------------------------------------


def _pointwise_frame(step: Step) -> Frame | None:
    forms = forms_of(step.op.definition)
    assert forms is not None
    reads = step.reads()
    count = len(forms.declaration[2])
    if len(reads) != count or not _one_shape(reads) or not all(_float(v) for v in reads):
        return None
    return _plain_frame(reads[0]) if all(_float(v) for v in step.makes()) else None


def _one_shape(values: list[Value]) -> bool:
    """Whether values have one shape, as far as is known."""
    shapes = [v.shape for v in values]
    return len({len(s) for s in shapes}) == 1 and all(len({n for n in sizes if n >= 0}) < 2 for sizes in zip(*shapes))


def _build_pointwise(step: Step, builder: Builder) -> None:
    definition = step.op.definition
    forms = forms_of(definition)
    assert forms is not None
    _, outputs, arrays, scalars = forms.declaration
    shape = step.reads()[0].shape
    layout = placed(builder.frame, shape, shape)
    parts = [builder.read(value, layout) for value in step.reads()]
    known = {s: number(float(step.attrs[s])) for s in scalars}
    for slot, text in zip(definition.outputs, outputs.values(), strict=True):
        value = step.out(slot.name)
        if value is not None:
            node = chosen(substitute(_parsed(text), known))
            made = _each(parts, lambda *nodes, node=node: substitute(node, dict(zip(arrays, nodes, strict=True))))
            builder.write(value, layout, made)


def chosen(root: Node) -> Node:
    """An expression without choices that constants make."""

    def change(node: Node) -> Node:
        if node.op == "if" and node.args[0].op == "true" and node.args[0].args[0].op == "number":
            return node.args[1] if node.args[0].args[0].value else node.args[2]
        return node

    return rewrite(root, change)


POINTWISE = Rule(_pointwise_frame, _build_pointwise)


# --- two operands ---------------------------------------------------------------------------------------------------------

BINARY = {
    "elementwise_add": ("x + y", "d", "d"),
    "elementwise_sub": ("x - y", "d", "-d"),
    "elementwise_mul": ("x * y", "d * y", "d * x"),
    "elementwise_div": ("x / y", "d / y", "-(d / y) * out"),
    "elementwise_max": ("max(x, y)", "d if x > y else 0", "0 if x > y else d"),
    "elementwise_min": ("min(x, y)", "d if x < y else 0", "0 if x < y else d"),
}
"""Out, and the gradients of X and Y, of x, y, out and d, the gradient of Out."""


def _binary_frame(step: Step) -> Frame | None:
    x, y, out = step.one("X"), step.one("Y"), step.out("Out")
    return _plain_frame(out) if _float(x) and _float(y) else None


def _build_binary(step: Step, builder: Builder) -> None:
    x, y, out = step.one("X"), step.one("Y"), step.out("Out")
    assert x is not None and y is not None and out is not None
    axis = step.op.attr("axis")
    parts = [builder.read(v, placed(builder.frame, v.shape, out.shape, axis)) for v in (x, y)]
    node = _parsed(BINARY[step.type][0])
    made = _each(parts, lambda a, b: substitute(node, {"x": a, "y": b}))
    builder.write(out, placed(builder.frame, out.shape, out.shape), made)


def _binary_grad_frame(step: Step) -> Frame | None:
    made = step.makes()
    return _plain_frame(step.one("Out@GRAD")) if made and all(_float(v) for v in made) else None


def _build_binary_grad(step: Step, builder: Builder) -> None:
    d = step.one("Out@GRAD")
    assert d is not None
    axis = step.op.attr("axis")
    of_x, of_y = BINARY[step.type.removesuffix("_grad")][1:]
    x, y = step.one("X"), step.one("Y")
    names = {"x": x, "y": y, "out": step.one("Out"), "d": d}
    if x is not None and y is not None:
        at_x, at_y = (placed(builder.frame, v.shape, d.shape, axis) for v in (x, y))
        for d_, size in enumerate(d.shape):
            unknown = size < 0 or not (x.sure and y.sure)
            if unknown and at_x.varies[d_] and at_y.varies[d_]:  # either may turn out to be broadcast
                builder.expect(x, at_x)
                builder.expect(y, at_y)
    for slot, text in (("X@GRAD", of_x), ("Y@GRAD", of_y)):
        value = step.out(slot)
        if value is None:
            continue
        node = _parsed(text)
        used = {k: v for k, v in names.items() if v is not None and _mentions(node, k)}
        parts = [builder.read(v, placed(builder.frame, v.shape, d.shape, axis)) for v in used.values()]
        made = _each(parts, lambda *nodes, node=node, used=used: substitute(node, dict(zip(used, nodes, strict=True))))
        layout = placed(builder.frame, value.shape, d.shape, axis)
        if value.shape == d.shape:
            builder.write(value, layout, made)
        else:
            builder.add_up(value, layout, made)


def _mentions(node: Node, key: str) -> bool:
    return (node.op == "name" and node.value == key) or any(_mentions(arg, key) for arg in node.args)


# --- sums, multiples, copies ----------------------------------------------------------------------------------------------


def _alike_frame(step: Step) -> Frame | None:
    """The frame of an operator whose inputs in X and result Out are all of one shape."""
    values = step.read.get("X") or []
    out = step.out("Out")
    known = [v for v in (*values, out) if v is not None and _float(v)]
    alike = len(known) == len(values) + 1 and _one_shape(known)
    return _plain_frame(out) if values and alike and step.one("ScaleTensor") is None else None


def _build_sum(step: Step, builder: Builder) -> None:
    out = step.out("Out")
    assert out is not None
    layout = placed(builder.frame, out.shape, out.shape)
    parts = [builder.read(v, layout) for v in step.read["X"] if v is not None]
    builder.write(out, layout, _each(parts, _total))


def _total(*nodes: Node) -> Node:
    total = nodes[0]
    for node in nodes[1:]:
        total = make("+", total, node)
    return total


def _build_scale(step: Step, builder: Builder) -> None:
    x, out = step.one("X"), step.out("Out")
    assert x is not None and out is not None
    layout = placed(builder.frame, out.shape, out.shape)
    scale, bias = float(step.attrs["scale"]), float(step.attrs["bias"])
    node = name("x")
    if bias and not step.attrs["bias_after_scale"]:
        node = make("+", node, number(bias))
    if scale != 1:
        node = make("*", node, number(scale))
    if bias and step.attrs["bias_after_scale"]:
        node = make("+", node, number(bias))
    builder.write(out, layout, _each([builder.read(x, layout)], lambda a: substitute(node, {"x": a})))


def _build_copy(step: Step, builder: Builder) -> None:
    x, out = step.one("X"), step.out("Out")
    assert x is not None and out is not None
    layout = placed(builder.frame, out.shape, out.shape)
    builder.write(out, layout, builder.read(x, layout))


# --- parts side by side ---------------------------------------------------------------------------------------------------


def _parts_frame(whole: Value | None, parts: list[Value | None], axis: int) -> Frame | None:
    """The frame of equal parts of a value along an axis."""
    if not _float(whole) or whole is None or len(parts) < 2 or not all(_float(p) for p in parts):
        return None
    first = parts[0]
    assert first is not None
    axis %= len(whole.shape)
    if axis == 0 or any(p is None or p.shape != first.shape for p in parts):
        return None
    if first.shape[axis] < 2 or first.shape[axis] * len(parts) != whole.shape[axis]:
        return None
    return Frame(first.shape, first.dtype, axis)  # type: ignore[arg-type]


def _split_frame(step: Step) -> Frame | None:
    if step.one("AxisTensor") is not None or step.read.get("SectionsTensorList"):
        return None
    return _parts_frame(step.one("X"), step.made.get("Out") or [], step.attrs["axis"])


def _build_split(step: Step, builder: Builder) -> None:
    _hand_out(builder, step.one("X"), step.made["Out"])


def _hand_out(builder: Builder, whole: Value | None, outs: list[Value | None]) -> None:
    """Say that values are the equal parts of another one, those that are wanted."""
    assert whole is not None
    parts = builder.read(whole, placed(builder.frame, whole.shape, whole.shape))
    each = len(parts) // len(outs)
    for i, out in enumerate(outs):
        if out is not None:
            builder.write(out, placed(builder.frame, out.shape, out.shape), parts[i * each : (i + 1) * each])


def _concat_frame(step: Step) -> Frame | None:
    if step.one("AxisTensor") is not None:
        return None
    return _parts_frame(step.out("Out"), step.read.get("X") or [], step.attrs["axis"])


def _build_concat(step: Step, builder: Builder) -> None:
    out = step.out("Out")
    assert out is not None
    parts: Parts = []
    for value in step.read["X"]:
        assert value is not None
        layout = placed(builder.frame, value.shape, value.shape)
        found = builder.read(value, layout)
        parts += found if len(found) == layout.parts else found * layout.parts
    builder.write(out, placed(builder.frame, out.shape, out.shape), parts)


def _concat_grad_frame(step: Step) -> Frame | None:
    if step.one("AxisTensor") is not None:
        return None
    return _parts_frame(step.one("Out@GRAD"), step.read.get("X") or [], step.attrs["axis"])


def _build_concat_grad(step: Step, builder: Builder) -> None:
    _hand_out(builder, step.one("Out@GRAD"), step.made["X@GRAD"])


# --- rows -----------------------------------------------------------------------------------------------------------------


def _rows_frame(value: Value | None, axis: int) -> Frame | None:
    """The frame of an operator on the rows of a value, which begin at an axis."""
    frame = _plain_frame(value)
    if frame is None or not 0 < axis < len(frame.shape):
        return None
    return Frame(frame.shape, frame.dtype, axis, rows=True)


def _softmax_frame(step: Step) -> Frame | None:
    value = step.one("X") or step.one("Out")
    if value is None or step.attrs["axis"] not in (-1, len(value.shape) - 1):
        return None
    return _rows_frame(value, len(value.shape) - 1)


def _build_softmax(step: Step, builder: Builder) -> None:
    x, out = step.one("X"), step.out("Out")
    assert x is not None and out is not None
    layout = placed(builder.frame, x.shape, x.shape)
    [node] = builder.read(x, layout)
    most = builder.row("max", node)
    power = expression("exp(-64 if x - m < -64 else x - m)", x=node, m=most)
    total = builder.row("sum", power)
    builder.write(out, layout, [expression("e * (1 / s)", e=power, s=total)])


def _build_softmax_grad(step: Step, builder: Builder) -> None:
    out, d, dx = step.one("Out"), step.one("Out@GRAD"), step.out("X@GRAD")
    assert out is not None and d is not None and dx is not None
    layout = placed(builder.frame, out.shape, out.shape)
    [y], [dy] = builder.read(out, layout), builder.read(d, layout)
    total = builder.row("sum", make("*", dy, y))
    builder.write(dx, layout, [expression("(d - s) * y", d=dy, s=total, y=y)])


def _layer_norm_frame(step: Step) -> Frame | None:
    return _rows_frame(step.one("X"), step.attrs["begin_norm_axis"])


def _build_layer_norm(step: Step, builder: Builder) -> None:
    x = step.one("X")
    assert x is not None
    frame = builder.frame
    layout = placed(frame, x.shape, x.shape)
    [node] = builder.read(x, layout)
    size = builder.row_size()
    mean = make("/", builder.row("sum", node), size)
    off = make("-", node, mean)
    variance = make("/", builder.row("sum", make("*", off, off)), size)
    made = expression("off * (1 / sqrt(v + e))", off=off, v=variance, e=number(float(step.attrs["epsilon"])))
    for slot, how in (("Scale", "*"), ("Bias", "+")):
        value = step.one(slot)
        if value is not None:
            [each] = builder.read(value, flat_row(frame))
            made = make(how, made, each)
    for slot, at, result in (
        ("Y", layout, made),
        ("Mean", flat_rows(frame), mean),
        ("Variance", flat_rows(frame), variance),
    ):
        value = step.out(slot)
        if value is not None:
            builder.write(value, at, [result])


def _build_layer_norm_grad(step: Step, builder: Builder) -> None:
    frame = builder.frame
    x, d = step.one("X"), step.one("Y@GRAD")
    assert x is not None and d is not None
    layout = placed(frame, x.shape, x.shape)
    [node], [dy] = builder.read(x, layout), builder.read(d, layout)
    mean_of, variance_of, scale = step.one("Mean"), step.one("Variance"), step.one("Scale")
    assert mean_of is not None and variance_of is not None
    [mean], [variance] = builder.read(mean_of, flat_rows(frame)), builder.read(variance_of, flat_rows(frame))
    inverse = expression("1 / sqrt(v + e)", v=variance, e=number(float(step.attrs["epsilon"])))
    normal = expression("(x - m) * i", x=node, m=mean, i=inverse)
    for slot, what in (("Scale@GRAD", make("*", dy, normal)), ("Bias@GRAD", dy)):
        value = step.out(slot)
        if value is not None:
            builder.add_up(value, flat_row(frame), [what])
    dx = step.out("X@GRAD")
    if dx is not None:
        g = dy if scale is None else make("*", dy, builder.read(scale, flat_row(frame))[0])
        size = builder.row_size()
        first = make("/", builder.row("sum", g), size)
        second = make("/", builder.row("sum", make("*", g, normal)), size)
        made = expression("(g - a - n * b) * i", g=g, a=first, n=normal, b=second, i=inverse)
        builder.write(dx, layout, [made])


def _channels(frame: Frame, layout: str) -> Layout:
    """How an array with one number for each channel lies in a frame of images."""
    rank = len(frame.shape)
    at = 1 if layout in ("NCHW", "AnyLayout") else rank - 1
    return Layout((Dim((at,)),), tuple(d == at for d in range(rank)))


def _batch_norm_frame(step: Step) -> Frame | None:
    """The frame of a normalisation with known statistics; others need the whole batch first."""
    attrs = step.attrs
    known = (attrs["is_test"] and not attrs["trainable_statistics"]) or attrs["use_global_stats"]
    x = step.one("X")
    if (
        not known
        or x is None
        or len(x.shape) < 2
        or any(step.out(s) is not None and _used(step.out(s)) for s in _SAVED)
    ):
        return None
    return _plain_frame(x)


_SAVED = ("SavedMean", "SavedVariance", "ReserveSpace")


def _used(value: Value | None) -> bool:
    return value is not None and bool(value.readers or value.shaped or value.wanted)


def _build_batch_norm(step: Step, builder: Builder) -> None:
    x, y = step.one("X"), step.out("Y")
    assert x is not None and y is not None
    frame = builder.frame
    layout, at = placed(frame, x.shape, x.shape), _channels(frame, step.attrs["data_layout"])
    slots = {s: step.one(s) for s in ("Mean", "Variance", "Scale", "Bias")}
    parts = {s: builder.read(v, at)[0] for s, v in slots.items() if v is not None}
    epsilon = number(float(step.attrs["epsilon"]))
    factor = expression("1 / sqrt(v + e) * s", v=parts["Variance"], e=epsilon, s=parts["Scale"])
    made = _each(
        [builder.read(x, layout)],
        lambda a: expression("(x - m) * f + b", x=a, m=parts["Mean"], f=factor, b=parts["Bias"]),
    )
    builder.write(y, layout, made)
    for slot, source in (("MeanOut", "Mean"), ("VarianceOut", "Variance")):
        value = step.out(slot)
        if value is not None:
            builder.write(value, at, [parts[source]])


def draws_key(step: Step) -> bool:
    """Whether an operator is a dropout of training that hashes places with a key, as kernels/cpu/random/dropout.py does."""
    if step.type != "dropout":
        return False
    attrs, mask = step.attrs, step.out("Mask")
    seeded = attrs["fix_seed"] or step.one("Seed") is not None
    fit = 0 <= attrs["dropout_prob"] < 1 and (mask is None or mask.dtype == np.uint8)
    return fit and not seeded and not attrs["is_test"]


def _dropout_frame(step: Step) -> Frame | None:
    """The frame of a dropout that only multiplies, or draws a key and no more."""
    return _alike_frame(step) if draws_key(step) or not _used(step.out("Mask")) else None


def _build_dropout(step: Step, builder: Builder) -> None:
    x, out, mask = step.one("X"), step.out("Out"), step.out("Mask")
    assert x is not None and out is not None
    p, in_training, in_tests = step.attrs["dropout_prob"], *_factors(step)
    layout = placed(builder.frame, out.shape, out.shape)
    parts = builder.read(x, layout)
    if step.attrs["is_test"]:
        builder.write(out, layout, [make("*", part, in_tests) for part in parts])
        return
    kept, zero = builder.draw(step, layout, int(threshold(p))), number(0)
    builder.write(out, layout, _each([kept, parts], lambda k, a: make("if", k, make("*", a, in_training), zero)))
    if mask is not None:
        builder.write(mask, layout, [make("if", part, number(1), zero) for part in kept])


def _factors(step: Step) -> tuple[Node, Node]:
    """What a dropout multiplies kept elements by in training, and all in tests."""
    given = step.attrs["dropout_prob"], step.attrs["dropout_implementation"]
    return number(scale_of(*given)), number(dropout_factors(*given)[1])


def _dropout_grad_frame(step: Step) -> Frame | None:
    mask = step.one("Mask")
    fit = step.attrs["is_test"] or (mask is not None and mask.dtype is not None and mask.dtype.itemsize == 1)
    return _plain_frame(step.one("Out@GRAD")) if fit and step.out("X@GRAD") is not None else None


def _build_dropout_grad(step: Step, builder: Builder) -> None:
    d, mask, dx = step.one("Out@GRAD"), step.one("Mask"), step.out("X@GRAD")
    assert d is not None and dx is not None
    in_training, in_tests = _factors(step)
    layout = placed(builder.frame, d.shape, d.shape)
    parts = builder.read(d, layout)
    if step.attrs["is_test"]:
        made = [make("*", part, in_tests) for part in parts]
    else:
        assert mask is not None
        made = _each([parts, builder.read(mask, layout)], lambda a, m: expression("a * m * k", a=a, m=m, k=in_training))
    builder.write(dx, layout, made)


def _reduction_frame(step: Step) -> Frame | None:
    """The frame of a sum or mean over the last dimensions."""
    x, out = step.one("X"), step.out("Out")
    if x is None or out is None or not _float(x) or step.attrs["out_dtype"] != -1:
        return None
    rank = len(x.shape)
    axes = sorted({d % rank for d in step.attrs["dim"]}) if rank else []
    if step.attrs["reduce_all"] or not axes or axes[0] == 0 or axes != list(range(axes[0], rank)):
        return None
    return _rows_frame(x, axes[0])


def _build_reduction(step: Step, builder: Builder) -> None:
    x, out = step.one("X"), step.out("Out")
    assert x is not None and out is not None
    [node] = builder.read(x, placed(builder.frame, x.shape, x.shape))
    total = builder.row("sum", node)
    if step.type == "reduce_mean":
        total = make("/", total, builder.row_size())
    axis = builder.frame.axis or 0
    builder.write(out, rows_of(builder.frame, len(out.shape) - axis), [total])


RULES: dict[str, Rule] = {
    **{key: Rule(_binary_frame, _build_binary) for key in BINARY},
    **{f"{key}_grad": Rule(_binary_grad_frame, _build_binary_grad) for key in BINARY},
    "sum": Rule(_alike_frame, _build_sum),
    "scale": Rule(_alike_frame, _build_scale),
    "assign": Rule(_alike_frame, _build_copy),
    "split": Rule(_split_frame, _build_split),
    "concat": Rule(_concat_frame, _build_concat),
    "concat_grad": Rule(_concat_grad_frame, _build_concat_grad),
    "softmax": Rule(_softmax_frame, _build_softmax),
    "softmax_grad": Rule(_softmax_frame, _build_softmax_grad),
    "batch_norm": Rule(_batch_norm_frame, _build_batch_norm),
    "dropout": Rule(_dropout_frame, _build_dropout),
    "dropout_grad": Rule(_dropout_grad_frame, _build_dropout_grad),
    "layer_norm": Rule(_layer_norm_frame, _build_layer_norm),
    "layer_norm_grad": Rule(_layer_norm_frame, _build_layer_norm_grad),
    "reduce_sum": Rule(_reduction_frame, _build_reduction),
    "reduce_mean": Rule(_reduction_frame, _build_reduction),
}
