"""Graph: the operators and Variables of a Program as nodes with links."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, MissingKeyError, describe, message
from ..desc.operator import OpDesc
from ..desc.program import ProgramDesc
from ..desc.variable import VarDesc
from ..program.cloning import copy_program
from ..program.operator import Operator
from ..program.program import Program
from ..program.variable import Variable
from ..proto.gradient_links import link_gradients
from .hazards import hazards
from .node import CONTROL, Node, NodeType, link
from .order import topology_sort


class Graph:
    """The first block of a Program as a graph of nodes; each value that a Variable has in turn is a node.

    The nodes hold copies: changes of the Graph do not change the Program. `framework.IrGraph` is what programs use.

    Arguments:
        program: a ProgramDesc, `program.desc`.

    Raises:
        ArgumentTypeError: `program` is not a ProgramDesc.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()) as _, fluid.unique_name.guard():
    ...     y = fluid.layers.relu(fluid.data('x', [2], 'float32'))
    ...     graph = fluid.core.Graph(fluid.default_main_program().desc)
    >>> sorted(node.name() for node in graph.nodes())
    ['relu', 'relu_0.tmp_0', 'x']
    """

    def __init__(self, program: ProgramDesc) -> None:
        if not isinstance(program, ProgramDesc):
            needs = "a ProgramDesc, such as program.desc"
            raise ArgumentTypeError(message("Graph", "program", describe(program), needs))
        self._origin = program
        self._program = copy_program(program.of, lambda op: True)  # holds what the nodes describe, and the other blocks
        self._nodes: dict[int, Node] = {}
        self._attributes: dict[str, Any] = {}
        self._created = 0
        self._fill()

    def _fill(self) -> None:
        """Create the nodes of the first block."""
        block = self._program.global_block()
        versions: dict[str, list[Node]] = {}
        for op in block.ops:
            node = self._new(op.type, NodeType.Operation, OpDesc(op))
            for name in op.input_arg_names:
                if name not in versions:
                    versions[name] = [self._variable(name)]
                link(versions[name][-1], node)
            for name in op.output_arg_names:
                versions.setdefault(name, []).append(self._variable(name))
                link(node, versions[name][-1])
        for name in block.vars:
            if name not in versions:
                self._variable(name)
        self.resolve_hazard(versions)

    def _new(self, name: str, type: NodeType, desc: OpDesc | VarDesc | None) -> Node:
        node = self._nodes[self._created] = Node(self._created, name, type, desc)
        self._created += 1
        return node

    def _variable(self, name: str) -> Node:
        """Create a node for a further value of a Variable of the first block."""
        found = self._program.global_block().vars.get(name)
        return self._new(name, NodeType.Variable, None) if found is None else self.create_var_node(found.desc)

    # --- nodes --------------------------------------------------------------------------------------------------------

    def nodes(self) -> set[Node]:
        """Return all nodes."""
        return set(self._nodes.values())

    def retrieve_node(self, id: int) -> Node | None:
        """Return the node with a number, or None."""
        return self._nodes.get(id)

    def create_var_node(self, var: VarDesc) -> Node:
        """Create a node with a copy of a Variable, and return it."""
        if not isinstance(var, VarDesc):
            raise ArgumentTypeError(message("Graph.create_var_node", "var", describe(var), "a VarDesc"))
        return self._new(var.name(), NodeType.Variable, self._copy(var))

    def create_op_node(self, op: OpDesc) -> Node:
        """Create a node with a copy of an operator, and return it."""
        if not isinstance(op, OpDesc):
            raise ArgumentTypeError(message("Graph.create_op_node", "op", describe(op), "an OpDesc"))
        return self._new(op.type(), NodeType.Operation, self._copy(op))

    def _copy(self, desc: Any) -> Any:
        """Return a copy of an operator or a Variable, which belongs to this Graph."""
        block = self._program.global_block()
        if isinstance(desc, VarDesc):
            variable = copy.copy(desc.of)
            variable.block, variable.op, variable.parts = block, None, list(desc.of.parts)
            return VarDesc(variable)
        op = OpDesc(Operator(block, "", {}, {}, {}))
        op.copy_from(desc)
        return op

    def create_empty_node(self, name: str, type: NodeType) -> Node:
        """Create a node that holds neither an operator nor a Variable, and return it."""
        return self._new(name, NodeType(type), None)

    def create_control_dep_var(self) -> Node:
        """Create a Variable without value, which orders two operators that it is linked to, and return it."""
        return self._new(f"{CONTROL}@{self._created}", NodeType.Variable, None)

    def remove_node(self, node: Node) -> Node:
        """Remove a node, whose links stay, and return it.

        Raises:
            ArgumentValueError: the Graph does not have the node.
        """
        if self._nodes.get(node.id()) is not node:
            raise ArgumentValueError(message("Graph.remove_node", "node", repr(node), "a node of this Graph"))
        return self._nodes.pop(node.id())

    def release_nodes(self) -> list[Node]:
        """Remove all nodes and return them."""
        nodes = list(self._nodes.values())
        self._nodes.clear()
        return nodes

    def resolve_hazard(self, versions: Mapping[str, Sequence[Node]]) -> None:
        """Order operators that read or write a Variable and those that overwrite it.

        Arguments:
            versions: the name of each Variable -> the nodes of its values, in the order in which they are written.
        """
        for first, second in hazards(versions):
            between = self.create_control_dep_var()
            link(first, between)
            link(between, second)

    # --- copies -------------------------------------------------------------------------------------------------------

    def clone(self) -> Graph:
        """Return a copy with nodes of the same numbers."""
        made = Graph(Program().desc)
        made._origin, made._created = self._origin, self._created
        made._program = copy_program(self._program, lambda op: op.block.idx > 0)
        ops: dict[int, Operator] = {}
        for number, node in self._nodes.items():
            desc = None if node._desc is None else made._copy(node._desc)
            made._nodes[number] = Node(number, node._name, node._type, desc)
            if node._desc is not None and desc is not None:
                ops[id(node._desc.of)] = desc.of
        for number, node in self._nodes.items():
            twin = made._nodes[number]
            twin.inputs = [made._nodes[each._id] for each in node._inputs if each._id in self._nodes]
            twin.outputs = [made._nodes[each._id] for each in node._outputs if each._id in self._nodes]
            if isinstance(twin._desc, OpDesc):
                twin._desc.of.forward = ops.get(id(twin._desc.of.forward))
        return made

    def to_program(self) -> Program:
        """Return a Program with the operators in an order that the links allow, and the Variables of all nodes."""
        ops = [desc.of for node in topology_sort(self) if (desc := node.op()) is not None]
        result = copy_program(self._program, lambda op: True, ops)
        block = result.global_block()
        block.vars.clear()
        for node in sorted(self._nodes.values(), key=Node.id):
            if isinstance(node._desc, VarDesc) and node._desc.name() not in block.vars:
                block.vars[node._desc.name()] = _plain_variable(node._desc.of, block)
        for op in block.ops:
            for name in op.output_arg_names:
                if name in block.vars:
                    block.vars[name].op = op
        link_gradients(result)
        return result

    def origin_program_desc(self) -> ProgramDesc:
        """Return the ProgramDesc that the Graph was made from."""
        return self._origin

    # --- attributes ---------------------------------------------------------------------------------------------------

    def has(self, name: str) -> bool:
        """Return whether the Graph has an attribute of this name."""
        return name in self._attributes

    def set(self, name: str, value: Any) -> None:
        """Set an attribute, which the Graph must not have yet.

        Raises:
            ArgumentValueError: the Graph has an attribute of this name.
        """
        if name in self._attributes:
            got = f"{name!r}, which is set"
            raise ArgumentValueError(message("Graph.set", "name", got, "a new name", "Call erase() before."))
        self._attributes[name] = value

    set_not_owned = set

    def erase(self, name: str) -> None:
        """Remove an attribute.

        Raises:
            MissingKeyError: the Graph has no attribute of this name.
        """
        self._attribute("Graph.erase", name, object)
        del self._attributes[name]

    def get_bool(self, name: str) -> bool:
        """Return an attribute that is a bool."""
        return self._attribute("Graph.get_bool", name, bool)

    def get_int(self, name: str) -> int:
        """Return an attribute that is an int."""
        return self._attribute("Graph.get_int", name, int)

    def get_float(self, name: str) -> float:
        """Return an attribute that is a float."""
        return self._attribute("Graph.get_float", name, float)

    get_double = get_float

    def get_string(self, name: str) -> str:
        """Return an attribute that is a string."""
        return self._attribute("Graph.get_string", name, str)

    def get_marked_nodes(self, name: str) -> Any:
        """Return an attribute that is a set of nodes."""
        return self._attribute("Graph.get_marked_nodes", name, set)

    def _attribute(self, where: str, name: str, type: type) -> Any:
        if name not in self._attributes:
            known = ", ".join(self._attributes) or "none yet"
            raise MissingKeyError(message(where, "attribute", repr(name), f"one of {known}"))
        value = self._attributes[name]
        if not isinstance(value, type):
            raise ArgumentValueError(message(where, f"attribute {name!r}", describe(value), f"a {type.__name__}"))
        return value


def _plain_variable(variable: Variable, block: Any) -> Variable:
    """Return a Variable as a file of the Program would give it back: a Parameter is a persistable Variable."""
    made = Variable(
        block, variable.type, variable._name, variable._shape, variable._dtype, variable._lod_level, variable._persistable,
        is_data=variable.is_data, need_check_feed=variable.need_check_feed,
    )  # fmt: skip
    made.parts = variable.parts
    return made
