"""An ONNX graph in the making: nodes, names, constants, and the current value of each Variable of the Program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from onnx import GraphProto, NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper

OPSET = 18
IR_VERSION = 9
SMALL = 64  # elements of a constant that is shared by equal ones


def onnx_type(dtype: Any) -> int:
    """Return the element type of ONNX for a dtype."""
    return int(helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))


class Names:
    """Names of values and nodes that are used only once in a model."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def fresh(self, hint: str) -> str:
        """Return a name that has not been used: the hint, or the hint with a number behind."""
        if hint not in self._used:
            self._used[hint] = 0
            return hint
        while True:
            self._used[hint] += 1
            name = f"{hint}.{self._used[hint]}"
            if name not in self._used:
                self._used[name] = 0
                return name


class Graph:
    """A graph, or the body of a loop or branch, which sees the values of the graph around it.

    values: the ONNX value of each Variable, by its name. An operator that writes a Variable anew gives it another one.
    lengths: the ONNX value with the lengths of the sequences of a Variable that has a LoD.
    asked: the outputs of the model.
    """

    def __init__(self, outer: Graph | None = None) -> None:
        self.outer = outer
        self.root: Graph = self if outer is None else outer.root
        self.names: Names = Names() if outer is None else outer.names
        self.nodes: list[NodeProto] = []
        self.values: dict[str, str] = {}
        self.lengths: dict[str, str | None] = {}
        self.asked: frozenset[str] = frozenset()
        self.initializers: list[TensorProto] = []
        self.known: dict[str, np.ndarray] = {}
        self._shared: dict[tuple, str] = {}

    # --- values -----------------------------------------------------------------------------------------------------------

    def find(self, name: str) -> str | None:
        """Return the current value of a Variable; None if it has none."""
        graph: Graph | None = self
        while graph is not None:
            if name in graph.values:
                return graph.values[name]
            graph = graph.outer
        return None

    def find_lengths(self, name: str) -> str | None:
        """Return the lengths of the sequences of a Variable; None if it has no LoD."""
        graph: Graph | None = self
        while graph is not None:
            if name in graph.lengths:
                return graph.lengths[name]
            graph = graph.outer
        return None

    def set(self, name: str, value: str, lengths: str | None = None) -> None:
        """Give a Variable a value."""
        self.values[name] = value
        self.lengths[name] = lengths

    # --- nodes ------------------------------------------------------------------------------------------------------------

    def node(self, type: str, inputs: Sequence[str], count: int = 1, hint: str = "", **attrs: Any) -> list[str]:
        """Append a node and return the names of its outputs."""
        outputs = [self.names.fresh(f"{hint or 'value'}/{type}") for _ in range(count)]
        attrs = {name: value for name, value in attrs.items() if value is not None}
        self.nodes.append(helper.make_node(type, list(inputs), outputs, name=outputs[0] if outputs else "", **attrs))
        return outputs

    def constant(self, array: np.ndarray, hint: str = "constant") -> str:
        """Return the name of a constant; small equal ones are one."""
        root = self.root
        key = (array.dtype.str, array.shape, array.tobytes()) if array.size <= SMALL else None
        if key in root._shared:
            return root._shared[key]
        name = self.initializer(array, self.names.fresh(hint))
        if key is not None:
            root._shared[key] = name
        return name

    def initializer(self, array: np.ndarray, name: str) -> str:
        """Add a constant under a name that is fresh."""
        self.root.initializers.append(numpy_helper.from_array(np.ascontiguousarray(array).reshape(array.shape), name))
        self.root.known[name] = array
        return name

    def proto(self, name: str, inputs: Sequence[ValueInfoProto], outputs: Sequence[ValueInfoProto]) -> GraphProto:
        """Return the graph as a message."""
        return helper.make_graph(self.nodes, name, list(inputs), list(outputs), self.initializers)
