"""What the passes share: checks of arguments, names of new Variables, their first values in a Scope."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ....core.dtype import VarType, to_numpy
from ....core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ....core.place import Place
from ....static.execution.scope import Scope
from ....static.ir_graph.ir_graph import IrGraph
from .operator_slots import values_read


def check_graph(where: str, graph: Any) -> None:
    """Raise unless a pass is applied to an IrGraph.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if not isinstance(graph, IrGraph):
        needs = "an IrGraph, such as IrGraph(core.Graph(program.desc))"
        raise ArgumentTypeError(message(f"{where}.apply", "graph", describe(graph), needs))


def need(where: str, **given: Any) -> None:
    """Raise unless arguments are given.

    Raises:
        ArgumentValueError: one is None.
    """
    for name, value in given.items():
        if value is None:
            what = (
                "the Scope with the values of the parameters" if name == "scope" else "a place, e.g. fluid.CPUPlace()"
            )
            raise ArgumentValueError(message(where, name, "None", what))


def check_types(where: str, given: Iterable[str], known: Sequence[str]) -> list[str]:
    """Return types of operators as a list.

    Raises:
        ArgumentValueError: one cannot be quantized.
    """
    types = list(given)
    wrong = [type for type in types if type not in known]
    if wrong:
        raise ArgumentValueError(message(where, "quantizable_op_type", repr(wrong[0]), f"types of {sorted(known)}"))
    return types


def ordered_ops(graph: Any) -> list[Any]:
    """Return the operators of a graph in the order in which they were made."""
    return sorted(graph.all_op_nodes(), key=lambda node: node.id())


def persistable_names(graph: Any) -> set[str]:
    """Return the names of the Variables that are kept between runs."""
    return {node.name() for node in graph.all_persistable_nodes()}


def reads_computed_values_only(graph: Any, op: Any) -> bool:
    """Return whether none of the values that an operator reads is a parameter."""
    return not any(graph._find_node_by_name(op.inputs, name).persistable() for name in values_read(op))


def skipped(op: Any, patterns: str | Sequence[str] | None) -> bool:
    """Return whether the name scope of an operator has one of the patterns."""
    desc = op.op()
    scope = desc.attr("op_namescope") if desc.has_attr("op_namescope") else ""
    return any(pattern in scope for pattern in ([patterns] if isinstance(patterns, str) else patterns or ()))


def quantized_as(op: Any) -> str:
    """Return the attribute `quantization_type` of an operator; "" where it has none."""
    return op.op().attr("quantization_type") if op.op().has_attr("quantization_type") else ""


def number_dtype(node: Any) -> str:
    """Return the dtype of the scales of a Variable."""
    return "float64" if node.dtype() == VarType.FP64 else "float32"


def kept(graph: Any, scope: Any, place: Any, name: str, value: Any, dtype: str) -> Any:
    """Create a Variable that is kept between runs, with a value in a Scope; return its node."""
    array = np.asarray(value, to_numpy(dtype))
    node = graph.create_persistable_node(name, VarType.LOD_TENSOR, list(array.shape), _vartype(dtype))
    store(scope, place, name, array)
    return node


def like(graph: Any, node: Any, name: str, shape: Sequence[int] | None = None) -> Any:
    """Create a Variable with the type and dtype of another, and its shape unless one is given; return its node."""
    return graph.create_var_node(name, node.type(), node.shape() if shape is None else list(shape), node.dtype())


def again(graph: Any, node: Any) -> Any:
    """Create the node of the next value of a Variable."""
    return graph.create_var_node_from_desc(node.var())


def operator(graph: Any, type: str, attrs: Any, inputs: dict[str, Any], outputs: dict[str, Any]) -> Any:
    """Create an operator and its links; return its node."""
    node = graph.create_op_node(type, {**attrs, "op_role": 0}, inputs, outputs)
    for source in _flat(inputs.values()):
        graph.link_to(source, node)
    for target in _flat(outputs.values()):
        graph.link_to(node, target)
    return node


def load(scope: Any, name: str) -> np.ndarray:
    """Return the value of a Variable of a Scope."""
    return np.array(scope.find_var(name).get_tensor())


def need_value(where: str, scope: Any, name: str) -> None:
    """Raise unless a Scope has a Variable.

    Raises:
        ArgumentValueError: there is no Scope, or it does not have the Variable.
    """
    need(where, scope=scope)
    if scope.find_var(name) is None:
        fix = "Apply OutScaleForTrainingPass with this Scope first." if name.endswith("@scale") else ""
        raise ArgumentValueError(message(where, "scope", f"no Variable {name!r}", "a Scope that has it", fix))


def store(scope: Any, place: Any, name: str, array: np.ndarray) -> None:
    """Set the value of a Variable of a Scope."""
    scope.var(name).get_tensor().set(array, place)


def remove_unused_variables(graph: Any) -> None:
    """Remove the Variables that no operator reads or writes."""
    used = {node.node for op in graph.all_op_nodes() for node in [*op.inputs, *op.outputs]}
    graph.safe_remove_nodes({node for node in graph.all_var_nodes() if node.node not in used})


def _flat(values: Iterable[Any]) -> list[Any]:
    return [node for value in values for node in (value if isinstance(value, list) else [value])]


def _vartype(dtype: str) -> VarType:
    return {"float32": VarType.FP32, "float64": VarType.FP64, "int64": VarType.INT64, "int8": VarType.INT8}[dtype]


def init_var_node(var_node: Any, value: np.ndarray, scope: Any, place: Any) -> None:
    """Let a Scope hold an array under the name of a node of a graph.

    Raises:
        ArgumentTypeError: `value` is no array, or there is no Scope or place.
    """
    for name, given, kind, needs in (
        ("value", value, np.ndarray, "a NumPy array"),
        ("scope", scope, Scope, "a fluid.Scope"),
        ("place", place, Place, "CPUPlace() or CUDAPlace(i)"),
    ):
        if not isinstance(given, kind):
            raise ArgumentTypeError(message("_init_var_node", name, describe(given), needs))
    store(scope, place, var_node.name(), value)
