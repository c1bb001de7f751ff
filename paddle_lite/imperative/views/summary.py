"""`summary`: a table of the Layers of a network, with the shapes of their outputs, their parameters and their FLOPs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.mode import changed, require_imperative, state, using
from ...core.text import format_bytes, format_columns, format_count
from ...core.views.page import folded, html_table, scrolled
from ...ops.framework.spec import OpDef
from ..layer import Layer
from ..mode import ObservedMode
from ..variable import Variable
from .flow import Flow
from .html import DRAWN
from .text import class_name, parameter_count


class Row(NamedTuple):
    """One Layer of a summary; FLOPs are those of all of its calls, with those of its sublayers."""

    path: str
    kind: str
    depth: int
    shape: Any
    parameters: int
    flops: int | None


class Summary:
    """The result of `summary`: its `repr` is a table, and a notebook shows an HTML table.

    rows: a Row for each Layer that ran, in the order of the first calls.
    parameters, trainable: how many numbers the parameters have, and how many of them are trained.
    flops: of the whole network, a product with its addition counted as two; None where no operator states them.
    uncounted: the types of operators that do not state their FLOPs.
    graph: which Layers and operators read what others have made.
    """

    def __init__(self, layer: Layer, seen: _Seen) -> None:
        rows = self.rows = seen.rows()
        self.uncounted, self.graph = sorted(set(seen.uncounted)), seen.flow.graph
        self.parameters, self.trainable = parameter_count(layer)
        self.flops = rows[0].flops if rows else None
        every: list[Any] = [p for _, p in layer.named_parameters()]
        self._bytes = sum(int(p.array.nbytes) for p in every)

    def _cells(self) -> list[tuple[str, ...]]:
        return [
            ("  " * row.depth + (row.path.rpartition(".")[2] or "(network)"), row.kind, _shape_text(row.shape), f"{row.parameters:,}",
             "-" if row.flops is None else format_count(row.flops))
            for row in self.rows
        ]  # fmt: skip

    def _total(self) -> str:
        counted = "unknown" if self.flops is None else f"{format_count(self.flops)} FLOPs"
        left = f" (without {', '.join(self.uncounted)})" if self.uncounted else ""
        size = format_bytes(self._bytes)
        return f"{self.parameters:,} parameters ({self.trainable:,} trained), {size}; {counted}{left}"

    def __repr__(self) -> str:
        return f"{format_columns([HEAD, *self._cells()])}\n  {self._total()}"

    def _repr_html_(self) -> str:
        table = html_table(HEAD, self._cells(), HEAD[3:], self._total())
        return table + folded("graph", scrolled(self.graph.svg())) if len(self.graph) <= DRAWN else table


HEAD = ("layer", "class", "output shape", "parameters", "FLOPs")


def summary(net: Layer, input_shape: Sequence[Any], dtype: Any = "float32") -> Summary:
    """Run a network on zeros in evaluation mode, and return a table of its Layers.

    Arguments:
        net: a Layer.
        input_shape: the shape of its input with the batch, where None means 1; a list of shapes for several inputs.
        dtype: the dtype of the inputs, or a list of them.

    Returns:
        A Summary: print it, or let a notebook show it.

    Raises:
        ArgumentTypeError: `net` is not a Layer.
        ArgumentValueError: `input_shape` is not a shape or list of shapes, or there is another number of dtypes.
        ModeError: imperative mode is off.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.summary(paddle.nn.Linear(4, 2), [8, 4])
      layer      class   output shape  parameters  FLOPs
      (network)  Linear  [8, 2]        10          144
      10 parameters (10 trained), 40 B; 144 FLOPs
    """
    require_imperative("summary", "runs a Layer, which ")
    if not isinstance(net, Layer):
        raise ArgumentTypeError(message("summary", "net", describe(net), "a Layer"))
    inputs = [Variable(np.zeros(shape, kind)) for shape, kind in _inputs(input_shape, dtype)]
    seen = _Seen(net, inputs)
    training = {layer: layer.training for layer in (net, *net.sublayers())}
    try:
        with changed(grad_enabled=False, training=False, told=True), seen.watching():
            for layer in training:
                layer.training = False
            net(*inputs)
    finally:
        for layer, was in training.items():
            layer.training = was
    return Summary(net, seen)


def _inputs(shape: Any, dtype: Any) -> list[tuple[list[int], np.dtype]]:
    """Return (shape, dtype) of each input."""
    several = isinstance(shape, (list, tuple)) and shape and all(isinstance(each, (list, tuple)) for each in shape)
    shapes = list(shape) if several else [shape]
    dtypes = list(dtype) if isinstance(dtype, (list, tuple)) else [dtype] * len(shapes)
    for each in shapes:
        if not isinstance(each, (list, tuple)) or not all(n is None or (isinstance(n, int) and n >= -1) for n in each):
            needs = "a shape such as [1, 3, 32, 32], or a list of shapes"
            raise ArgumentValueError(message("summary", "input_shape", describe(shape), needs))
    if len(dtypes) != len(shapes):
        raise ArgumentValueError(
            message("summary", "dtype", f"{len(dtypes)} dtypes", f"one for each of {len(shapes)} inputs")
        )
    sizes = [[1 if n in (None, -1) else n for n in each] for each in shapes]
    return [(each, to_numpy(kind, "summary")) for each, kind in zip(sizes, dtypes, strict=True)]


def _shape_text(shape: Any) -> str:
    return ", ".join(map(_shape_text, shape)) if isinstance(shape, tuple) else "-" if shape is None else str(shape)


class _Seen:
    """What is seen of the calls of Layers and operators while a network runs."""

    def __init__(self, net: Layer, inputs: Sequence[Variable]) -> None:
        self.paths = {layer: path for path, layer in net.named_sublayers(include_self=True)}
        self.shapes: dict[Layer, Any] = {}
        self.flops: dict[Layer, int] = {}
        self.stack: list[Layer] = []
        self.uncounted: list[str] = []
        self.flow = Flow(self.paths, {id(p): name for name, p in net.named_parameters()}, inputs)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch the calls in a block."""
        handles = []
        for layer in self.paths:
            handles += [layer.register_forward_pre_hook(self.entered), layer.register_forward_post_hook(self.left)]
        try:
            with using(_Counting(state.mode, self)):
                yield
        finally:
            for handle in handles:
                handle.remove()

    def entered(self, layer: Layer, inputs: Any) -> None:
        """Note the begin of a Layer's call."""
        self.shapes.setdefault(layer, None)
        self.stack.append(layer)
        self.flow.entered(layer)

    def left(self, layer: Layer, inputs: Any, output: Any) -> None:
        """Note the end of a Layer's call."""
        self.stack.pop()
        self.shapes[layer] = _shapes(output)
        self.flow.left(layer, _shape_text(self.shapes[layer]))

    def counted(self, op: OpDef, amount: int | None) -> None:
        """Add the FLOPs of an operator to the Layers that are being called."""
        if amount is None:
            self.uncounted.append(op.type)
            return
        for layer in set(self.stack):
            self.flops[layer] = self.flops.get(layer, 0) + amount

    def rows(self) -> list[Row]:
        """Return a row for each Layer that ran."""
        return [
            Row(path := self.paths[layer], class_name(layer), path.count(".") + bool(path), shape, parameter_count(layer)[0],
                self.flops.get(layer))
            for layer, shape in self.shapes.items()
        ]  # fmt: skip


def _shapes(output: Any) -> Any:
    if isinstance(output, (list, tuple)):
        return tuple(_shapes(each) for each in output)
    return list(output.shape) if isinstance(output, Variable) else None


class _Counting(ObservedMode):
    """Imperative mode that counts the FLOPs of the calls that another mode runs."""

    def __init__(self, inner: Any, seen: _Seen) -> None:
        super().__init__(inner)
        self.seen = seen

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run an operator, count its FLOPs and return its results."""
        results = self.run(op, inputs, attrs)
        self.seen.flow.called(op, inputs, results)
        traits = op.traits
        flops = traits.flops if traits.flops is not None or traits.fuses is None else traits.fuses.flops
        if callable(flops):
            amount = flops(_Call(op, inputs, attrs, results))
            self.seen.counted(op, None if amount is None else amount.at(1))
        else:
            self.seen.counted(op, flops)
        return results


class _Value(NamedTuple):
    shape: tuple[int, ...]
    dtype: Any
    sure: bool = True


class _Call:
    """A call of an operator, as the functions that count FLOPs see it."""

    def __init__(self, op: OpDef, inputs: tuple, attrs: dict[str, Any], results: Any) -> None:
        self.attrs = {**op.defaults(), **attrs}
        made = [results] if len(op.outputs) == 1 else results
        self.read = {slot.name: _values(value) for slot, value in zip(op.inputs, inputs, strict=True)}
        self.made = {slot.name: _values(value) for slot, value in zip(op.outputs, made, strict=True)}

    def one(self, slot: str) -> Any:
        """Return the value in an input slot."""
        return next(iter(self.read.get(slot, ())), None)

    def out(self, slot: str) -> Any:
        """Return the value in an output slot."""
        return next(iter(self.made.get(slot, ())), None)

    def reads(self) -> list[Any]:
        """Return all values that the call reads."""
        return [value for values in self.read.values() for value in values if value is not None]

    def makes(self) -> list[Any]:
        """Return all values that the call writes."""
        return [value for values in self.made.values() for value in values if value is not None]


def _values(value: Any) -> list[Any]:
    listed = value if isinstance(value, (list, tuple)) else [value]
    return [None if v is None else _Value(tuple(v.array.shape), v.array.dtype) for v in listed]
