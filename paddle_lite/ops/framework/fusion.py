"""Fusion rules for the `fuses=` of declarations: the expressions that operators contribute to fused kernels.

A Rule returns the frame (see frame.py) of a call, or None if it cannot be fused. From the expressions of the values
that the call reads it builds those of its results. A value that is a concatenation of parts has one expression a part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from ...kernels.codegen.expression import Node, names, number, parse, rewrite, substitute, walk
from .call import Call, Operand, PlannedCall
from .costs import Amount, result
from .frame import Frame, Layout, placed

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
Parts = list[Node]


class Builder(Protocol):
    """The kernel of a group that rules write into (see static/plan/fusion/kernel.py). Values are those of the call."""

    frame: Frame

    def read(self, value: Any, layout: Layout) -> Parts:
        """Return the expressions of a value, one for each part."""

    def write(self, value: Any, layout: Layout, parts: Parts) -> None:
        """Define a value by its expressions."""

    def draw(self, call: Any, layout: Layout, least: int) -> Parts:
        """Return the condition hash(key, index) >= `least` on the elements of an array, one expression a part."""

    def add_up(self, value: Any, layout: Layout, parts: Parts) -> None:
        """Define a value as the sum of expressions over the dimensions along which it does not vary."""

    def expect(self, value: Any, layout: Layout) -> None:
        """Require the layout of a value of which only the shape is read, where the Program leaves it open."""

    def row(self, how: str, node: Node) -> Node:
        """Return the sum or the maximum over each row."""

    def row_size(self) -> Node:
        """Return the number of elements of a row."""


class Rule(NamedTuple):
    """The fusion rule of an operator.

    Arguments:
        frame: `f(call)`, the frame, or None if the call cannot be fused.
        build: `f(call, builder)`, which defines the results of the call.
        flops: `f(call)`, the FLOPs; None if the declaration states them.
        keyed: for an operator that draws random numbers, `f(call)`: the function `g(*reads, drawn=key)` that computes the
            call from a key, or None where the call does not draw from a key.
    """

    frame: Callable[[PlannedCall], Frame | None]
    build: Callable[[Call, Builder], None]
    flops: Callable[[Call], Amount | None] | None = None
    keyed: Callable[[Call], Callable | None] | None = None


# --- parts of rules ----------------------------------------------------------------------------------------------------


def is_float(value: Operand | None) -> bool:
    """Return whether a value is present and has a dtype that kernels compute in."""
    return value is not None and value.dtype in FLOATS


def plain_frame(value: Operand | None) -> Frame | None:
    """Return the frame of an operator whose result is this value."""
    if value is None or not is_float(value) or not value.shape:
        return None
    return Frame(value.shape, value.dtype)  # type: ignore[arg-type]


def row_frame(value: Operand | None, axis: int) -> Frame | None:
    """Return the frame of an operator on the rows of a value, which begin at an axis."""
    frame = plain_frame(value)
    if frame is None or not 0 < axis < len(frame.shape):
        return None
    return Frame(frame.shape, frame.dtype, axis, rows=True)


def same_shape(values: Sequence[Operand]) -> bool:
    """Return whether values have the same shape, as far as it is known."""
    shapes = [v.shape for v in values]
    return len({len(s) for s in shapes}) == 1 and all(len({n for n in sizes if n >= 0}) < 2 for sizes in zip(*shapes))


def equal_frame(call: Call) -> Frame | None:
    """Return the frame of an operator whose inputs in X are all of the shape of Out."""
    values = call.read.get("X") or []
    out = call.out("Out")
    known = [v for v in (*values, out) if v is not None and is_float(v)]
    equal = len(known) == len(values) + 1 and same_shape(known)
    return plain_frame(out) if values and equal else None


def per_part(parts: Sequence[Parts], compute: Callable[..., Node]) -> Parts:
    """Return an expression for each part; an operand with one part is used for all."""
    count = max(map(len, parts))
    return [compute(*(p[i] if len(p) > 1 else p[0] for p in parts)) for i in range(count)]


@cache
def parsed(text: str) -> Node:
    """Return the node of an expression."""
    return parse(text)


def expression(text: str, **values: Node) -> Node:
    """Return an expression with its names replaced by other expressions."""
    return substitute(parsed(text), values)


def operations(nodes: Sequence[Node]) -> int:
    """Return the number of operations in expressions; common subexpressions count once."""
    return sum(node.op not in ("name", "number", "true") for node in walk(*nodes))


def _without_choices(root: Node) -> Node:
    """Return an expression with the conditionals on constants resolved."""

    def change(node: Node) -> Node:
        if node.op == "if" and node.args[0].op == "true" and node.args[0].args[0].op == "number":
            return node.args[1] if node.args[0].args[0].value else node.args[2]
        return node

    return rewrite(root, change)


# --- operators that are declared by expressions -------------------------------------------------------------------------------


def elementwise(outputs: Callable[[], Mapping[str, str]], arrays: Sequence[str], scalars: Sequence[str]) -> Rule:
    """Return the rule of an operator of arrays of one shape, whose outputs are expressions.

    Arguments:
        outputs: returns the expression of each output slot.
        arrays: their names for what the operator reads, in order.
        scalars: their names for attributes.
    """

    def expressions(call: Call) -> dict[str, Node]:
        known = {name: number(float(call.attrs[name])) for name in scalars}
        return {slot: _without_choices(expression(text, **known)) for slot, text in outputs().items()}

    def frame(call: Call) -> Frame | None:
        reads = call.reads()
        if len(reads) != len(arrays) or not same_shape(reads) or not all(map(is_float, (*reads, *call.makes()))):
            return None
        return plain_frame(reads[0])

    def build(call: Call, builder: Builder) -> None:
        shape = call.reads()[0].shape
        layout = placed(builder.frame, shape, shape)
        parts = [builder.read(value, layout) for value in call.reads()]
        for slot, node in expressions(call).items():
            value = call.out(slot)
            if value is not None:
                made = per_part(
                    parts, lambda *nodes, node=node: substitute(node, dict(zip(arrays, nodes, strict=True)))
                )
                builder.write(value, layout, made)

    def flops(call: Call) -> Amount | None:
        reads = call.reads()
        return Amount.of(reads[0].shape) * operations([*expressions(call).values()]) if reads else None

    return Rule(frame, build, flops)


def broadcast_expression(out: str) -> Rule:
    """Return the rule of an operator of X and Y with `axis` broadcasting, whose Out is an expression of x and y."""

    def frame(call: Call) -> Frame | None:
        return plain_frame(call.out("Out")) if is_float(call.one("X")) and is_float(call.one("Y")) else None

    def build(call: Call, builder: Builder) -> None:
        x, y, made = call.one("X"), call.one("Y"), call.out("Out")
        assert x is not None and y is not None and made is not None
        parts = [builder.read(v, placed(builder.frame, v.shape, made.shape, call.attrs["axis"])) for v in (x, y)]
        layout = placed(builder.frame, made.shape, made.shape)
        builder.write(made, layout, per_part(parts, lambda a, b: expression(out, x=a, y=b)))

    def flops(call: Call) -> Amount | None:
        made = call.out("Out")
        return None if made is None else Amount.of(made.shape) * operations([parsed(out)])

    return Rule(frame, build, flops)


def broadcast_gradient(of_x: str, of_y: str) -> Rule:
    """Return the rule of the gradient of a broadcast operator, from expressions of x, y, out, dout in the shape of Out.

    The gradient of an operand that was broadcast is summed over the dimensions along which it was repeated.
    """
    texts = {"X@GRAD": of_x, "Y@GRAD": of_y}

    def frame(call: Call) -> Frame | None:
        made = call.makes()
        return plain_frame(call.one("Out@GRAD")) if made and all(map(is_float, made)) else None

    def build(call: Call, builder: Builder) -> None:
        d = call.one("Out@GRAD")
        assert d is not None
        axis = call.attrs["axis"]
        operands = {"x": call.one("X"), "y": call.one("Y"), "out": call.one("Out"), "dout": d}
        _expect_operands(call, builder, d)
        for slot, text in texts.items():
            value = call.out(slot)
            if value is None:
                continue
            node = parsed(text)
            used = {k: v for k, v in operands.items() if v is not None and k in names(node)}
            parts = [builder.read(v, placed(builder.frame, v.shape, d.shape, axis)) for v in used.values()]
            made = per_part(parts, lambda *nodes, node=node, used=used: substitute(node, dict(zip(used, nodes))))
            write = builder.write if value.shape == d.shape else builder.add_up
            write(value, placed(builder.frame, value.shape, d.shape, axis), made)

    def flops(call: Call) -> Amount | None:
        out = result(call, "Out")
        made = [(call.out(slot), operations([parsed(text)])) for slot, text in texts.items()]
        if out is None:
            return None
        return Amount.of(out.shape) * sum(n + (value.shape != out.shape) for value, n in made if value is not None)

    return Rule(frame, build, flops)


def _expect_operands(call: Call, builder: Builder, d: Operand) -> None:
    """Require the layouts of X and Y that the Program states, where one of them could be broadcast at run time."""
    x, y = call.one("X"), call.one("Y")
    if x is None or y is None:
        return
    at_x, at_y = (placed(builder.frame, v.shape, d.shape, call.attrs["axis"]) for v in (x, y))
    for axis, size in enumerate(d.shape):
        unknown = size < 0 or not (x.sure and y.sure)
        if unknown and at_x.varies[axis] and at_y.varies[axis]:
            builder.expect(x, at_x)
            builder.expect(y, at_y)


# --- copies and concatenated parts ------------------------------------------------------------------------------------


def _build_copy(call: Call, builder: Builder) -> None:
    x, out = call.one("X"), call.out("Out")
    assert x is not None and out is not None
    layout = placed(builder.frame, out.shape, out.shape)
    builder.write(out, layout, builder.read(x, layout))


COPY = Rule(equal_frame, _build_copy)
"""Out = X."""


def _parts_frame(whole: Operand | None, parts: Sequence[Operand | None], axis: int) -> Frame | None:
    """Return the frame of equal parts of a value along an axis."""
    if not is_float(whole) or whole is None or len(parts) < 2 or not all(is_float(p) for p in parts):
        return None
    first = parts[0]
    assert first is not None
    axis %= len(whole.shape)
    if axis == 0 or any(p is None or p.shape != first.shape for p in parts):
        return None
    if first.shape[axis] < 2 or first.shape[axis] * len(parts) != whole.shape[axis]:
        return None
    return Frame(first.shape, first.dtype, axis)  # type: ignore[arg-type]


def split_parts(whole: str, made: str, parts: str, optional: str) -> Rule:
    """Return the rule of an operator that splits a value into equal parts along attrs["axis"].

    Arguments:
        whole: the input slot of the value. made: the output slot of the parts.
        parts: the slot with values of the parts' shapes: `made` or an input. optional: input slots that must be empty.
    """

    def frame(call: Call) -> Frame | None:
        if any(value is not None for slot in optional.split() for value in call.read.get(slot) or ()):
            return None
        found = call.made.get(parts) or call.read.get(parts) or []
        return _parts_frame(call.one(whole), found, call.attrs["axis"])

    def build(call: Call, builder: Builder) -> None:
        value, outs = call.one(whole), call.made[made]
        assert value is not None
        nodes = builder.read(value, placed(builder.frame, value.shape, value.shape))
        each = len(nodes) // len(outs)
        for i, out in enumerate(outs):
            if out is not None:
                builder.write(out, placed(builder.frame, out.shape, out.shape), nodes[i * each : (i + 1) * each])

    return Rule(frame, build)


def _concat_frame(call: Call) -> Frame | None:
    if call.one("AxisTensor") is not None:
        return None
    return _parts_frame(call.out("Out"), call.read.get("X") or [], call.attrs["axis"])


def _build_concat(call: Call, builder: Builder) -> None:
    out = call.out("Out")
    assert out is not None
    parts: Parts = []
    for value in call.read["X"]:
        assert value is not None
        layout = placed(builder.frame, value.shape, value.shape)
        found = builder.read(value, layout)
        parts += found if len(found) == layout.parts else found * layout.parts
    builder.write(out, placed(builder.frame, out.shape, out.shape), parts)


CONCAT = Rule(_concat_frame, _build_concat)
"""Out = the arrays in X, of one shape, side by side along attrs["axis"]."""
