"""IrNode, IrOpNode and IrVarNode: how programs of Python see the nodes of a Graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..desc.block import BlockDesc
from ..desc.operator import OpDesc
from ..desc.variable import VarDesc
from ..program.block import Block
from ..program.variable import Variable
from .node import Node, NodeType


class IrNode:
    """A node of an IrGraph.

    Arguments:
        node: a `fluid.core.Node`, which is the attribute `node`.

    Raises:
        ArgumentTypeError: `node` is something else.
    """

    def __init__(self, node: Node) -> None:
        if not isinstance(node, Node):
            raise ArgumentTypeError(message(type(self).__name__, "node", describe(node), "a fluid.core.Node"))
        self.node = node

    def name(self) -> str:
        """Return the name of the Variable, or the type of the operator, that the node was created with."""
        return self.node.name()

    def id(self) -> int:
        """Return the number of the node."""
        return self.node.id()

    def node_type(self) -> NodeType:
        """Return Node.Type.Operation or Node.Type.Variable."""
        return self.node.node_type()

    def is_op(self) -> bool:
        """Return whether it is an operator."""
        return self.node.is_op()

    def is_var(self) -> bool:
        """Return whether it is a Variable."""
        return self.node.is_var()

    def is_ctrl_var(self) -> bool:
        """Return whether it is a Variable without value that orders two operators."""
        return self.node.is_ctrl_var()

    def op(self) -> OpDesc | None:
        """Return the operator.

        Raises:
            ArgumentValueError: the node is a Variable.
        """
        return self.node.op()

    def var(self) -> VarDesc | None:
        """Return the Variable.

        Raises:
            ArgumentValueError: the node is an operator.
        """
        return self.node.var()

    @property
    def inputs(self) -> list[Any]:
        """The nodes that this one reads or is written by."""
        return [IrNode(node) for node in self.node.inputs]

    @property
    def outputs(self) -> list[Any]:
        """The nodes that this one writes or is read by."""
        return [IrNode(node) for node in self.node.outputs]

    def append_input(self, node: IrNode) -> None:
        """Append a node to the inputs."""
        self.node.append_input(node.node)

    def append_output(self, node: IrNode) -> None:
        """Append a node to the outputs."""
        self.node.append_output(node.node)

    def remove_input(self, node: IrNode) -> None:
        """Remove a node from the inputs."""
        self.node.remove_input(node.node)

    def remove_output(self, node: IrNode) -> None:
        """Remove a node from the outputs."""
        self.node.remove_output(node.node)

    def remove_input_by_id(self, node_id: int) -> None:
        """Remove the node with a number from the inputs."""
        self.node.remove_input(node_id)

    def remove_output_by_id(self, node_id: int) -> None:
        """Remove the node with a number from the outputs."""
        self.node.remove_output(node_id)

    def clear_inputs(self) -> None:
        """Remove all inputs."""
        self.node.clear_inputs()

    def clear_outputs(self) -> None:
        """Remove all outputs."""
        self.node.clear_outputs()

    def __repr__(self) -> str:
        return repr(self.node)


class IrVarNode(IrNode):
    """A Variable of an IrGraph.

    Arguments:
        node: a `fluid.core.Node` that is a Variable.

    Raises:
        ArgumentTypeError: `node` is something else.
    """

    def __init__(self, node: Node) -> None:
        super().__init__(node)
        if not node.is_var():
            raise ArgumentTypeError(message("IrVarNode", "node", repr(node), "the node of a Variable"))

    def _known(self, call: str) -> VarDesc:
        desc = self.node.var()
        if desc is None:
            got = f"{self.name()}, which has no value"
            raise ArgumentValueError(message(f"IrVarNode.{call}", "the node", got, "that of a Variable with values"))
        return desc

    def persistable(self) -> bool:
        """Return whether the value is kept between runs."""
        return self._known("persistable").persistable()

    def type(self) -> VarType:
        """Return the kind of the value, such as VarType.LOD_TENSOR."""
        return self._known("type").type()

    def dtype(self) -> VarType:
        """Return the dtype of the elements."""
        return self._known("dtype").dtype()

    def shape(self) -> list[int]:
        """Return the shape; -1 for a size that is known only when the Program runs."""
        return self._known("shape").shape()

    def set_shape(self, shape: Sequence[int]) -> None:
        """Set the shape."""
        self._known("set_shape").set_shape(shape)

    @property
    def inputs(self) -> list[IrOpNode]:
        """The operators that write the value."""
        return [IrOpNode(node) for node in self.node.inputs]

    @property
    def outputs(self) -> list[IrOpNode]:
        """The operators that read the value."""
        return [IrOpNode(node) for node in self.node.outputs]


class IrOpNode(IrNode):
    """An operator of an IrGraph.

    Arguments:
        node: a `fluid.core.Node` that is an operator.

    Raises:
        ArgumentTypeError: `node` is something else.
    """

    def __init__(self, node: Node) -> None:
        super().__init__(node)
        if not node.is_op():
            raise ArgumentTypeError(message("IrOpNode", "node", repr(node), "the node of an operator"))

    def _known(self, call: str) -> OpDesc:
        desc = self.node.op()
        if desc is None:
            got = f"{self.name()}, which was created without an operator"
            raise ArgumentValueError(message(f"IrOpNode.{call}", "the node", got, "that of an operator"))
        return desc

    def rename_input(self, old_input_name: str, new_input_name: str) -> None:
        """Replace the name of an input."""
        self._known("rename_input")._rename_input(old_input_name, new_input_name)

    def rename_output(self, old_output_name: str, new_output_name: str) -> None:
        """Replace the name of an output."""
        self._known("rename_output")._rename_output(old_output_name, new_output_name)

    def input(self, name: str) -> list[str]:
        """Return the names of the Variables in an input slot."""
        return self._known("input").input(name)

    def output(self, name: str) -> list[str]:
        """Return the names of the Variables in an output slot."""
        return self._known("output").output(name)

    def input_arg_names(self) -> list[str]:
        """Return the names of all input Variables."""
        return self._known("input_arg_names").input_arg_names()

    def output_arg_names(self) -> list[str]:
        """Return the names of all output Variables."""
        return self._known("output_arg_names").output_arg_names()

    def set_type(self, new_type: str) -> None:
        """Set the type of the operator; the node keeps its name."""
        self._known("set_type").set_type(new_type)

    def set_attr(self, name: str, val: Any) -> None:
        """Set an attribute of the operator."""
        self._update_desc_attr(name, val)

    def _update_desc_attr(self, name: str, val: Any) -> None:
        set_any_attr(self._known("set_attr"), name, val)

    @property
    def inputs(self) -> list[IrVarNode]:
        """The Variables that the operator reads, and those that order it after other operators."""
        return [IrVarNode(node) for node in self.node.inputs]

    @property
    def outputs(self) -> list[IrVarNode]:
        """The Variables that the operator writes, and those that order other operators after it."""
        return [IrVarNode(node) for node in self.node.outputs]


def set_any_attr(op: OpDesc, name: str, value: Any) -> None:
    """Set an attribute of an operator to a value, a Variable's name, a block, or a list of blocks."""
    values = value if isinstance(value, list) else [value]
    if values and all(isinstance(each, (Block, BlockDesc)) for each in values):
        blocks = [each.desc if isinstance(each, Block) else each for each in values]
        if isinstance(value, list):
            op.set_blocks_attr(name, blocks)
        else:
            op.set_block_attr(name, blocks[0])
    elif isinstance(value, Variable):
        op._set_attr(name, value.name)
    else:
        op._set_attr(name, value)
