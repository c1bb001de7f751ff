"""The graph of a network's run: a box for each call of a Layer without sublayers, and for each operator outside of one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.views.graph import Graph
from ...ops.framework.spec import OpDef
from ..layer import Layer
from ..parameter import Parameter
from ..variable import Variable
from .text import title

LAYER = {"shape": "box", "style": "rounded,filled", "fillcolor": "#0B5FA5", "fontcolor": "#ffffff"}
OPERATOR = {"shape": "box", "style": "rounded,filled", "fillcolor": "#303A3A", "fontcolor": "#ffffff"}
DATA = {"shape": "ellipse", "style": "filled", "fillcolor": "#F6C86B"}
PARAMETER = {"shape": "ellipse", "style": "filled", "fillcolor": "#9ADBC5"}


class Flow:
    """Records which values calls read and make, and draws them.

    Arguments:
        paths: Layer -> its path in the network.
        names: id of a parameter -> its path.
        inputs: the Variables that the network is called with.
    """

    def __init__(self, paths: dict[Layer, str], names: dict[int, str], inputs: Sequence[Variable]) -> None:
        self.graph = Graph()
        self._paths, self._names = paths, names
        self._makers: dict[int, str] = {}
        self._kept: list[Any] = []  # an id belongs to one object only while that lives
        self._calls: list[str] = []  # the boxes of Layers that are being called
        for number, value in enumerate(inputs):
            words = "input" if len(inputs) == 1 else f"input {number}"
            self._makers[id(value)] = self._box([words, str(list(value.shape))], DATA)
            self._kept.append(value)

    def entered(self, layer: Layer) -> None:
        """Begin a box if the Layer has no sublayers."""
        if not layer.sublayers():
            self._calls.append(self._box([], LAYER))

    def left(self, layer: Layer, shapes: Any) -> None:
        """End the box of a Layer; shapes: the text of those of its results."""
        if not layer.sublayers():
            lines = [title(layer), shapes]
            path = self._paths[layer]
            self.graph.node(self._calls.pop(), [path, *lines] if path else lines, LAYER)

    def called(self, op: OpDef, inputs: Sequence[Any], results: Any) -> None:
        """Record the call of an operator."""
        read, made = [v for value in inputs for v in _variables(value)], _variables(results)
        if self._calls:
            box = self._calls[-1]
        else:
            for value in read:
                if id(value) not in self._makers and isinstance(value, Parameter):
                    lines = [self._names.get(id(value), value.name), str(list(value.shape))]
                    self._makers[id(value)] = self._box(lines, PARAMETER)
            box = self._box([op.type, ", ".join(str(list(v.shape)) for v in made[:1])], OPERATOR)
        for value in read:
            maker = self._makers.get(id(value))
            if maker is not None and maker != box and (maker, box) not in self.graph.edges:
                self.graph.edge(maker, box)
        for value in made:
            if not any(value is each for each in read):  # an operator may write into what it reads
                self._makers[id(value)] = box
        self._kept += [read, made]

    def _box(self, lines: Sequence[str], style: dict[str, str]) -> str:
        key = f"n{len(self.graph)}"
        self.graph.node(key, lines, style)
        return key


def _variables(value: Any) -> list[Variable]:
    if isinstance(value, (list, tuple)):
        return [each for one in value for each in _variables(one)]
    return [value] if isinstance(value, Variable) else []
