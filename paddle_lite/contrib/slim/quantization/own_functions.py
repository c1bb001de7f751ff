"""Functions of the user in a graph: what they compute is built as a Program and copied into the graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....core import unique_name
from ....core.errors import ArgumentValueError, message
from ....layers.math.arithmetic import mean
from ....static.execution.scope import scope_guard
from ....static.ir_graph.graph import Graph
from ....static.ir_graph.ir_graph import IrGraph
from ....static.program.data import data
from ....static.program.program import Program, program_guard
from .graph_tools import ordered_ops

GRADIENT = "@GRAD"


class OwnFunctions:
    """Inserts functions of Variables between a Variable and an operator that reads it.

    Arguments:
        where: the name of the pass, for errors.
        scope: the Scope of the parameters.
        executor: the Executor that initialises parameters of the functions.
        optimizer_func: makes the optimizer that trains them.
    """

    def __init__(self, where: str, scope: Any, executor: Any, optimizer_func: Callable[[], Any] | None) -> None:
        self._where = where
        self._scope, self._executor, self._optimizer = scope, executor, optimizer_func

    def insert(self, graph: Any, function: Callable[[Any], Any], node: Any, op: Any) -> Any:
        """Let an operator read the result of a function of a Variable; return the node of that result.

        Raises:
            ArgumentValueError: the executor is missing, or in training the optimizer_func.
        """
        program, names = self._built(function, node, graph.is_test())
        _copy(graph, IrGraph(Graph(program.desc), for_test=graph.is_test()))
        source, result, loss = (_find(graph, name) for name in names)
        graph.out_node_mapping_table[result.name()] = node.name()
        for reader in list(source.outputs):
            graph.update_input_link(source, node, reader)
        graph.update_input_link(node, result, op)
        if not graph.is_test():
            self._join_gradients(graph, node, op, source, result, _find(graph, f"{loss.name()}{GRADIENT}"))
        graph.safe_remove_nodes(loss.inputs[0])
        graph.safe_remove_nodes({loss, source})
        return result

    def _built(self, function: Callable[[Any], Any], node: Any, test: bool) -> tuple[Program, list[str]]:
        """Return a Program of a function with its loss, and the names of its input, its result and the loss."""
        for name, given in (("executor", self._executor), ("optimizer_func", True if test else self._optimizer)):
            if given is None:
                fix = "The parameters of your function are initialised and trained with them."
                raise ArgumentValueError(message(self._where, name, "None", f"{name} where a function is given", fix))
        program, startup = Program(), Program()
        with program_guard(program, startup), unique_name.guard(f"{node.name()}_"):
            source = data(f"{node.name()}_tmp_input", shape=node.shape(), dtype="float32")
            result = function(source)
            loss = mean(result)
            if not test:
                source.stop_gradient = False
                assert self._optimizer is not None
                self._optimizer().minimize(loss)
        with scope_guard(self._scope):
            self._executor.run(startup)
        return program, [source.name, result.name, loss.name]

    def _join_gradients(self, graph: Any, node: Any, op: Any, source: Any, result: Any, seed: Any) -> None:
        """Let the gradient of the operator flow through the function into the gradient of the Variable."""
        op_grad = _find(graph, f"{op.outputs[0].name()}{GRADIENT}").outputs[0]
        into, out_of = _find(graph, f"{result.name()}{GRADIENT}"), _find(graph, f"{source.name()}{GRADIENT}")
        graph.update_input_link(node, result, op_grad)
        of_node = next((out for out in op_grad.outputs if f"{node.name()}{GRADIENT}" in out.name()), None)
        writers = list(out_of.inputs)
        mean_grad = into.inputs[0]
        if of_node is None:
            graph.link_to(op_grad, into)
        else:
            graph.update_output_link(of_node, into, op_grad)
        for writer in writers:
            if any(read.node is source.node for read in writer.inputs):
                graph.update_input_link(source, node, writer)
            if of_node is not None:
                graph.update_output_link(out_of, of_node, writer)
        for reader in list(source.outputs):
            graph.update_input_link(source, node, reader)
        for useless in (mean_grad, *seed.inputs, seed, *([out_of] if of_node is not None else [])):
            graph.safe_remove_nodes(useless)


def _copy(graph: Any, other: Any) -> None:
    """Copy the operators and Variables of a graph into another one."""
    copies: dict[int, Any] = {}

    def variable(node: Any) -> Any:
        if node.id() not in copies:
            control = node.is_ctrl_var()
            copies[node.id()] = (
                graph.create_control_dep_var() if control else graph.create_var_node_from_desc(node.var())
            )
        return copies[node.id()]

    for op in ordered_ops(other):
        made = graph.create_op_node_from_desc(op.op())
        for node in op.inputs:
            graph.link_to(variable(node), made)
        for node in op.outputs:
            graph.link_to(made, variable(node))


def _find(graph: Any, name: str) -> Any:
    return graph._find_node_by_name(graph.all_var_nodes(), name)
