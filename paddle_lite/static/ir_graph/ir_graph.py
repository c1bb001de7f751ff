"""IrGraph: how programs of Python see and change a Graph."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..desc.operator import OpDesc
from ..desc.variable import VarDesc
from ..program.program import Program
from .drawing import draw
from .graph import Graph
from .ir_node import IrNode, IrOpNode, IrVarNode, set_any_attr
from .node import Node, link, unlink
from .order import build_adjacency_list, graph_num, graph_safe_remove_nodes, has_circle, topology_sort


class IrGraph:
    """A Graph with the operations that passes over it use.

    Arguments:
        graph: a `fluid.core.Graph`, which is the attribute `graph`.
        for_test: what `is_test()` returns: whether the Graph is for inference.

    Raises:
        ArgumentTypeError: `graph` is something else.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()), fluid.unique_name.guard():
    ...     y = fluid.layers.relu(fluid.data('x', [2], 'float32'))
    ...     graph = fluid.framework.IrGraph(fluid.core.Graph(fluid.default_main_program().desc))
    >>> [op.name() for op in graph.topology_sort()]
    ['relu']
    >>> [relu] = graph.all_op_nodes()
    >>> relu.set_type('tanh')
    >>> [op.type for op in graph.to_program().global_block().ops]
    ['tanh']
    """

    def __init__(self, graph: Graph, for_test: bool = False) -> None:
        if not isinstance(graph, Graph):
            needs = "a fluid.core.Graph, such as core.Graph(program.desc)"
            raise ArgumentTypeError(message("IrGraph", "graph", describe(graph), needs))
        self.graph = graph
        self._for_test = for_test
        self.out_node_mapping_table: dict[
            str, str
        ] = {}  # of quantization passes: a Variable -> the one that it replaces

    def clone(self) -> IrGraph:
        """Return a copy."""
        return IrGraph(self.graph.clone(), self._for_test)

    def is_test(self) -> bool:
        """Return whether the Graph is for inference."""
        return self._for_test

    def to_program(self) -> Program:
        """Return a Program with the operators in an order that the links allow; Parameters are Variables that are kept."""
        return self.graph.to_program()

    # --- nodes --------------------------------------------------------------------------------------------------------

    def all_nodes(self) -> set[IrNode]:
        """Return all nodes."""
        return {IrNode(node) for node in self.graph.nodes()}

    def all_var_nodes(self) -> set[IrVarNode]:
        """Return the Variables, those that order operators included."""
        return {IrVarNode(node) for node in self.graph.nodes() if node.is_var()}

    def all_persistable_nodes(self) -> set[IrVarNode]:
        """Return the Variables whose values are kept between runs, such as parameters."""
        kept = {node for node in self.graph.nodes() if isinstance(node._desc, VarDesc) and node._desc.persistable()}
        return {IrVarNode(node) for node in kept}

    def all_op_nodes(self) -> set[IrOpNode]:
        """Return the operators."""
        return {IrOpNode(node) for node in self.graph.nodes() if node.is_op()}

    def _find_node_by_name(self, nodes: Iterable[Any], node_name: str) -> Any:
        """Return the one of some nodes that has a name.

        Raises:
            ArgumentValueError: none has it.
        """
        for node in nodes:
            if node.name() == node_name:
                return node
        needs = "the name of one of the nodes"
        raise ArgumentValueError(message("IrGraph._find_node_by_name", "node_name", repr(node_name), needs))

    def create_var_node(self, name: str, var_type: int, shape: Sequence[int], var_dtype: int) -> IrVarNode:
        """Create a Variable and return it.

        Arguments:
            name: its name.
            var_type: the kind of its value, such as VarType.LOD_TENSOR.
            shape: its shape.
            var_dtype: its dtype.
        """
        desc = VarDesc(name)
        desc.set_type(var_type)
        desc.set_shape(shape)
        desc.set_dtype(var_dtype)
        return self.create_var_node_from_desc(desc)

    def create_persistable_node(self, name: str, var_type: int, shape: Sequence[int], var_dtype: int) -> IrVarNode:
        """Create a Variable whose value is kept between runs, and return it; the arguments are those of create_var_node."""
        node = self.create_var_node(name, var_type, shape, var_dtype)
        node._known("persistable").set_persistable(True)
        return node

    def create_var_node_from_desc(self, var_desc: VarDesc) -> IrVarNode:
        """Create a Variable as a description says, and return it."""
        return IrVarNode(self.graph.create_var_node(var_desc))

    def create_control_dep_var(self) -> IrVarNode:
        """Create a Variable without value, which orders two operators that it is linked to, and return it."""
        return IrVarNode(self.graph.create_control_dep_var())

    def create_op_node(
        self, op_type: str, attrs: Mapping[str, Any], inputs: Mapping[str, Any], outputs: Mapping[str, Any]
    ) -> IrOpNode:
        """Create an operator and return it; `link_to` links it to the Variables that it names.

        Arguments:
            op_type: its type.
            attrs: its attributes; omitted ones have their defaults when it runs.
            inputs, outputs: slot -> a node of a Variable, or a list of them.

        Raises:
            ArgumentTypeError: a slot holds something else.
        """
        desc = OpDesc()
        desc.set_type(op_type)
        for name, value in attrs.items():
            set_any_attr(desc, name, value)
        for slot, nodes in inputs.items():
            desc.set_input(slot, _slot(op_type, slot, nodes))
        for slot, nodes in outputs.items():
            desc.set_output(slot, _slot(op_type, slot, nodes))
        return self.create_op_node_from_desc(desc)

    def create_op_node_from_desc(self, op_desc: OpDesc) -> IrOpNode:
        """Create an operator as a description says, and return it."""
        return IrOpNode(self.graph.create_op_node(op_desc))

    def _update_desc_attr(self, desc: OpDesc, name: str, val: Any) -> None:
        set_any_attr(desc, name, val)

    def safe_remove_nodes(self, remove_nodes: IrNode | Iterable[IrNode]) -> None:
        """Remove one node or several with all links to them.

        Raises:
            ArgumentValueError: the Graph does not have a node.
        """
        nodes = [remove_nodes] if isinstance(remove_nodes, IrNode) else remove_nodes
        graph_safe_remove_nodes(self.graph, {node.node for node in nodes})

    # --- links --------------------------------------------------------------------------------------------------------

    def link_to(self, node_in: IrNode, node_out: IrNode) -> None:
        """Link two nodes: the second reads the first.

        Raises:
            ArgumentValueError: the Graph does not have a node.
        """
        link(self._own("link_to", "node_in", node_in), self._own("link_to", "node_out", node_out))

    def update_input_link(self, old_input_node: IrNode, new_input_node: IrNode, op_node: IrOpNode) -> None:
        """Let an operator read another Variable instead of one: change its links and its names.

        Raises:
            ArgumentValueError: the Graph does not have a node.
        """
        where = "update_input_link"
        old = self._own(where, "old_input_node", old_input_node)
        new, op = self._own(where, "new_input_node", new_input_node), self._own(where, "op_node", op_node)
        unlink(old, op)
        link(new, op)
        op_node.rename_input(old.name(), new.name())

    def update_output_link(self, old_output_node: IrNode, new_output_node: IrNode, op_node: IrOpNode) -> None:
        """Let an operator write another Variable instead of one: change its links and its names.

        Raises:
            ArgumentValueError: the Graph does not have a node.
        """
        where = "update_output_link"
        old = self._own(where, "old_output_node", old_output_node)
        new, op = self._own(where, "new_output_node", new_output_node), self._own(where, "op_node", op_node)
        unlink(op, old)
        link(op, new)
        op_node.rename_output(old.name(), new.name())

    def _own(self, where: str, argument: str, node: Any) -> Node:
        if not isinstance(node, IrNode):
            raise ArgumentTypeError(message(f"IrGraph.{where}", argument, describe(node), "a node of this IrGraph"))
        if self.graph.retrieve_node(node.id()) is not node.node:
            raise ArgumentValueError(message(f"IrGraph.{where}", argument, repr(node), "a node of this IrGraph"))
        return node.node

    # --- the whole ----------------------------------------------------------------------------------------------------

    def resolve_hazard(self) -> None:
        """Order operators that read or write a Variable and those that overwrite it."""
        versions: dict[str, list[Node]] = {}
        for op in topology_sort(self.graph):
            desc = op.op()
            for name in [] if desc is None else desc.input_arg_names():
                versions.setdefault(name, []).extend(_named(op.inputs, name) if name not in versions else [])
            for name in [] if desc is None else desc.output_arg_names():
                versions.setdefault(name, []).extend(_named(op.outputs, name))
        self.graph.resolve_hazard(versions)

    def has_circle(self) -> bool:
        """Return whether operators need each other in a circle."""
        return has_circle(self.graph)

    def graph_num(self) -> int:
        """Return in how many parts without links between them the operators fall."""
        return graph_num(self.graph)

    def topology_sort(self) -> list[IrOpNode]:
        """Return the operators in an order in which each runs after those that it needs.

        Raises:
            GraphError: operators need each other in a circle.
        """
        return [IrOpNode(node) for node in topology_sort(self.graph)]

    def build_adjacency_list(self) -> dict[IrOpNode, set[IrOpNode]]:
        """Return for each operator those that have to run before it."""
        found = build_adjacency_list(self.graph)
        seen = {node: IrOpNode(node) for node in found}
        return {seen[node]: {seen[each] for each in before} for node, before in found.items()}

    def draw(
        self, save_path: str, name: str, marked_nodes: Iterable[IrNode] | None = None, remove_ctr_var: bool = True
    ) -> None:
        """Write a drawing: a file .dot, and a .pdf if the program `dot` is installed.

        Arguments:
            save_path: the folder of the files, which is made where it is missing.
            name: their name, without suffix.
            marked_nodes: nodes that are drawn with a thick red line.
            remove_ctr_var: whether Variables that only order operators are removed from the graph before.
        """
        if remove_ctr_var:
            self.safe_remove_nodes({node for node in self.all_var_nodes() if node.is_ctrl_var()})
        print(f"Total ops num = {len(self.all_op_nodes())}.")
        draw(self.graph, save_path, name, {node.node for node in marked_nodes or ()})


def _named(nodes: Iterable[Node], name: str) -> list[Node]:
    """Return the first one of the nodes that has a name, in a list; [] if none has it."""
    return [node for node in nodes if node.name() == name][:1]


def _slot(op_type: str, slot: str, nodes: Any) -> list[str]:
    listed = list(nodes) if isinstance(nodes, (list, tuple, set)) else [nodes]
    for node in listed:
        if not isinstance(node, IrNode) or not node.is_var():
            needs = "a node of a Variable, or a list of them"
            raise ArgumentTypeError(message(f"IrGraph.create_op_node({op_type})", slot, describe(node), needs))
    return [node.name() for node in listed]
