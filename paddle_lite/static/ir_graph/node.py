"""Node: an operator or a Variable of a Graph."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..desc.operator import OpDesc
from ..desc.variable import VarDesc


class NodeType(IntEnum):
    """What a node is."""

    Operation = 0
    Variable = 1

    def __str__(self) -> str:
        return f"Type.{self.name}"


CONTROL = "__control_var"
"""How the names of Variables begin that only order two operators."""


class Node:
    """An operator or a Variable of a Graph, with links to those that it reads and to those that read it.

    The methods of a Graph create nodes.
    """

    Type = NodeType
    Operation, Variable = NodeType

    def __init__(self, number: int, name: str, type: NodeType, desc: OpDesc | VarDesc | None) -> None:
        self._id, self._name, self._type, self._desc = number, name, type, desc
        self._inputs: list[Node] = []
        self._outputs: list[Node] = []

    def name(self) -> str:
        """Return the name of the Variable, or the type of the operator, that the node was created with."""
        return self._name

    def id(self) -> int:
        """Return the number of the node, which no other one of its Graph has."""
        return self._id

    def node_type(self) -> NodeType:
        """Return Node.Type.Operation or Node.Type.Variable."""
        return self._type

    def is_op(self) -> bool:
        """Return whether it is an operator."""
        return self._type is NodeType.Operation

    def is_var(self) -> bool:
        """Return whether it is a Variable."""
        return self._type is NodeType.Variable

    def is_ctrl_var(self) -> bool:
        """Return whether it is a Variable without value that orders two operators."""
        return self.is_var() and self._name.startswith(CONTROL)

    def op(self) -> OpDesc | None:
        """Return the operator; None for a node that was created without one.

        Raises:
            ArgumentValueError: the node is a Variable.
        """
        if not self.is_op():
            raise ArgumentValueError(message("Node.op", "the node", f"the Variable {self._name}", "an operator"))
        return self._desc  # type: ignore[return-value]

    def var(self) -> VarDesc | None:
        """Return the Variable; None for a node that was created without one.

        Raises:
            ArgumentValueError: the node is an operator.
        """
        if not self.is_var():
            raise ArgumentValueError(message("Node.var", "the node", f"the operator {self._name}", "a Variable"))
        return self._desc  # type: ignore[return-value]

    # --- links --------------------------------------------------------------------------------------------------------

    @property
    def inputs(self) -> list[Node]:
        """The nodes that this one reads or is written by."""
        return list(self._inputs)

    @inputs.setter
    def inputs(self, nodes: Iterable[Node]) -> None:
        self._inputs = list(nodes)

    @property
    def outputs(self) -> list[Node]:
        """The nodes that this one writes or is read by."""
        return list(self._outputs)

    @outputs.setter
    def outputs(self, nodes: Iterable[Node]) -> None:
        self._outputs = list(nodes)

    def append_input(self, node: Node) -> None:
        """Append a node to the inputs."""
        self._inputs.append(_checked("Node.append_input", node))

    def append_output(self, node: Node) -> None:
        """Append a node to the outputs."""
        self._outputs.append(_checked("Node.append_output", node))

    def remove_input(self, node: Node | int) -> None:
        """Remove a node, or the one with a number, from the inputs, if it is there."""
        self._inputs = _without(self._inputs, node)

    def remove_output(self, node: Node | int) -> None:
        """Remove a node, or the one with a number, from the outputs, if it is there."""
        self._outputs = _without(self._outputs, node)

    def clear_inputs(self) -> None:
        """Remove all inputs."""
        self._inputs.clear()

    def clear_outputs(self) -> None:
        """Remove all outputs."""
        self._outputs.clear()

    def __repr__(self) -> str:
        return f"<{'operator' if self.is_op() else 'Variable'} {self._name}, node {self._id}>"


def link(source: Node, target: Node) -> None:
    """Link two nodes: the target reads the source."""
    source._outputs.append(target)
    target._inputs.append(source)


def unlink(source: Node, target: Node) -> None:
    """Remove the links from a node to another one."""
    source.remove_output(target)
    target.remove_input(source)


def _checked(where: str, node: Any) -> Node:
    if not isinstance(node, Node):
        raise ArgumentTypeError(message(where, "node", describe(node), "a fluid.core.Node"))
    return node


def _without(nodes: list[Node], node: Node | int) -> list[Node]:
    return [each for each in nodes if each is not node and (not isinstance(node, int) or each._id != node)]
