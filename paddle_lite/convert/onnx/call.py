"""An operator on its way to ONNX: what converters read, and how they append nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...static.program.operator import Operator
from ..call import Call, Table
from .graph import Graph, onnx_type

INT64 = np.dtype(np.int64)


class OnnxCall(Call):
    """An operator and the graph that it becomes a part of."""

    def __init__(self, op: Operator, graph: Graph) -> None:
        super().__init__(op)
        self.graph = graph
        self._hint = next(iter(op.output_arg_names), op.type)
        self._first = len(graph.nodes)
        self._renamed: dict[str, str] = {}
        self.lengths_set: set[str] = set()

    # --- reading ----------------------------------------------------------------------------------------------------------

    def value(self, name: str) -> str:
        """Return the ONNX value of a Variable."""
        found = self.graph.find(name)
        if found is None:
            raise self.fail(f"its input {name} has no value here")
        return found

    def x(self, slot: str = "X") -> str:
        """Return the ONNX value of the Variable in an input slot."""
        return self.value(self.name(slot))

    def xs(self, slot: str = "X") -> list[str]:
        """Return the ONNX values of the Variables in an input slot."""
        return [self.value(name) for name in self.names(slot)]

    def lengths(self, slot: str = "X") -> str:
        """Return the lengths of the sequences of an input; raise if they are not known."""
        found = self.graph.find_lengths(self.name(slot))
        if found is None:
            raise self.fail(f"it needs the LoD of {self.name(slot)}, which is not known in ONNX")
        return found

    def known(self, slot: str = "X") -> np.ndarray | None:
        """Return the array of an input that is a constant; None if it is computed."""
        return self.graph.root.known.get(self.x(slot))

    def used(self, slot: str) -> bool:
        """Return whether another operator, or the user, reads what is made in an output slot."""
        return super().used(slot) or not self.graph.root.asked.isdisjoint(self.made(slot))

    # --- nodes ------------------------------------------------------------------------------------------------------------

    def node(self, type: str, *inputs: str, **attrs: Any) -> str:
        """Append a node with one output, and return that."""
        return self.nodes(type, 1, *inputs, **attrs)[0]

    def nodes(self, type: str, count: int, *inputs: str, **attrs: Any) -> list[str]:
        """Append a node with several outputs, and return them."""
        return self.graph.node(type, [self._renamed.get(i, i) for i in inputs], count, self._hint, **attrs)

    def constant(self, value: Any, dtype: Any) -> str:
        """Return a constant."""
        return self.graph.constant(np.asarray(value, dtype))

    def ints(self, *values: int) -> str:
        """Return a constant vector of int64."""
        return self.constant(np.asarray(values, INT64), INT64)

    def cast(self, value: str, dtype: Any) -> str:
        """Convert a value to a dtype."""
        return self.node("Cast", value, to=onnx_type(dtype))

    def like(self, number: Any, slot: str = "X") -> str:
        """Return a scalar constant of the dtype of an input."""
        return self.constant(number, self.dtype(slot))

    def reshape(self, value: str, *shape: int) -> str:
        """Reshape to constant sizes; 0 keeps a size, -1 is computed."""
        return self.node("Reshape", value, self.ints(*shape))

    def settled(self, value: str, slot: str = "Out") -> str:
        """Return a single number in the shape that the Program gives to a result: [1] or []."""
        return self.reshape(value, 1) if len(self.shape_made(slot)) else self.scalar(value)

    def float_x(self, slot: str = "X") -> str:
        """Return an input as floats: integers as float64."""
        return self.x(slot) if self.dtype(slot).kind == "f" else self.cast(self.x(slot), np.float64)

    def scalar(self, value: str) -> str:
        """Return the only element of a tensor as a tensor of rank 0."""
        return self.node("Reshape", value, self.constant(np.zeros(0), INT64))

    def transpose(self, value: str, *order: int) -> str:
        """Permute the axes of a value."""
        return value if list(order) == sorted(order) else self.node("Transpose", value, perm=list(order))

    def dims(self, value: str, start: int = 0, end: int | None = None) -> str:
        """Return sizes of a value as a vector of int64."""
        return self.node("Shape", value, start=start, end=end)

    def vector(self, parts: Sequence[str | int]) -> str:
        """Return a vector of int64 from numbers and from vectors."""
        if all(isinstance(part, int) for part in parts):
            return self.ints(*[int(part) for part in parts])
        values = [self.ints(part) if isinstance(part, int) else part for part in parts]
        return values[0] if len(values) == 1 else self.node("Concat", *values, axis=0)

    def int64(self, value: str, slot: str) -> str:
        """Return an input of integers as int64."""
        return value if self.dtype(slot) == INT64 else self.cast(value, INT64)

    # --- results ----------------------------------------------------------------------------------------------------------

    def out(self, value: str, slot: str = "Out", at: int = 0) -> None:
        """Set the result in an output slot; nothing happens where the slot is empty."""
        names = self.made(slot)
        if at < len(names):
            self.graph.set(names[at], self._named(value, names[at]))

    def out_sequences(self, value: str, lengths: str | None, slot: str = "Out") -> None:
        """Set a result with the lengths of its sequences; None for a result without sequences."""
        self.out(value, slot)
        for name in self.made(slot)[:1]:
            self.graph.lengths[name] = lengths
            self.lengths_set.add(name)

    def _named(self, value: str, name: str) -> str:
        """Give a value that a node of this call made the name of the Variable; nodes that read it later follow."""
        nodes = self.graph.nodes[self._first :]
        makers = [node for node in nodes if value in node.output]
        if not makers or any(attr.HasField("g") for node in nodes for attr in node.attribute):
            return value
        if value in self._renamed.values():
            return value
        fresh = self._renamed[value] = self.graph.names.fresh(name)
        for node in nodes:
            for field in (node.input, node.output):
                for at, each in enumerate(field):
                    if each == value:
                        field[at] = fresh
        return fresh


TABLE: Table[OnnxCall] = Table()
converts = TABLE
"""The decorator of converters: `@converts("relu", ...)`."""
