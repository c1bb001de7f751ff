"""Conditions on Variables: which statements have one, and a condition as calls of layers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from ....core import unique_name
from .trees import dotted, kind, library, name_node, reads_array, require_tree, statement
from .var_types import NodeVarType, StaticAnalysisVisitor

_JUMPS = ("Break", "Continue")


class IsControlFlowVisitor:
    """Tells whether a statement or an expression decides by the value of a Variable.

    Arguments:
        ast_node: a tree of `ast` or `gast`.
        static_analysis_visitor: what is known of the tree that it is in, or None.
        node_var_type_map: name -> the set of types that it can have, or None.

    >>> import ast
    >>> [IsControlFlowVisitor(ast.parse(text).body[0]).transform() for text in ('if x.numpy() > 1: y', 'if x: y')]
    [True, False]
    """

    def __init__(
        self,
        ast_node: Any,
        static_analysis_visitor: StaticAnalysisVisitor | None = None,
        node_var_type_map: Mapping[str, set[int]] | None = None,
    ) -> None:
        require_tree("input node", ast_node)
        self.ast_root = ast_node
        self._known = {} if static_analysis_visitor is None else static_analysis_visitor.get_node_to_wrapper_map()
        self._types = node_var_type_map or {}
        self._compared: set[Any] = set()

    def transform(self) -> bool:
        """Return whether the tree decides by the value of a Variable."""
        node = self.ast_root
        if kind(node) in ("If", "While") and self.has_tensor(node.test):
            return True
        if kind(node) == "For" and _calls_range(node.iter) and self._any(node.iter.args):
            return True
        if kind(node) in ("For", "While"):
            return any(self._jumps(each) for each in ast.walk(node))
        return isinstance(node, ast.expr) and self.has_tensor(node)

    def get_compare_nodes_with_tensor(self) -> set[Any]:
        """Return the comparisons of Variables that `transform` has found."""
        return self._compared

    def _jumps(self, node: Any) -> bool:
        return (
            kind(node) == "If" and any(kind(each) in _JUMPS for each in ast.walk(node)) and self.has_tensor(node.test)
        )

    def has_tensor(self, node: Any) -> bool:
        """Return whether an expression has the value of a Variable."""
        which = kind(node)
        if which == "Compare":
            return self._compares(node)
        if which == "Call":
            return reads_array(node) or library(node) == "paddle" or dotted(node.func).endswith("to_variable")
        if which == "Name":
            known = self._types.get(node.id) or (self._known[node].node_var_type if node in self._known else set())
            return bool(known & NodeVarType.TENSOR_TYPES)
        if which in ("Attribute", "Lambda", "Constant"):
            return False
        children = [node.value] if which == "Subscript" else ast.iter_child_nodes(node)
        return self._any(children)

    def _any(self, nodes: Iterable[Any]) -> bool:
        """Return whether one of some expressions has the value of a Variable; look at all, for the comparisons in them."""
        found = list(map(self.has_tensor, nodes))
        return True in found

    def _compares(self, node: Any) -> bool:
        parts = [node.left, *node.comparators]
        if len(parts) == 2 and any(kind(each) == "Constant" and each.value is None for each in parts):
            return False
        found = self._any(parts)
        if found:
            self._compared.add(node)
        return found


def _calls_range(node: Any) -> bool:
    return kind(node) == "Call" and dotted(node.func) == "range"


class IfConditionVisitor:
    """A condition, as PaddlePaddle 1.8.5 writes it for `fluid.layers.cond`.

    Arguments:
        node: the expression, a tree of `ast` or `gast`.
        static_analysis_visitor, node_var_type_map: as of IsControlFlowVisitor.

    Raises:
        ArgumentTypeError: `node` is no tree.

    >>> import ast
    >>> from paddle_lite.fluid import unique_name
    >>> with unique_name.guard():
    ...     condition, before = IfConditionVisitor(ast.parse('x.numpy() > 1 and y').body[0].value).transform()
    >>> [ast.unparse(each) for each in before][1], ast.unparse(condition)
    ('logic_and_0 = fluid.layers.logical_and(x=x > 1, y=bool_tensor_0)', 'logic_and_0')
    """

    def __init__(
        self,
        node: Any,
        static_analysis_visitor: StaticAnalysisVisitor | None = None,
        node_var_type_map: Mapping[str, set[int]] | None = None,
    ) -> None:
        self.node = node
        self._visitor = IsControlFlowVisitor(node, static_analysis_visitor, node_var_type_map)
        self._before: list[Any] = []

    def is_control_flow(self) -> bool:
        """Return whether the condition is one on the value of a Variable."""
        return self._visitor.transform()

    def transform(self) -> tuple[Any, list[Any]]:
        """Return the condition as one Variable, and the statements that compute it.

        `and`, `or` and `not` become calls of layers, numbers of Python become constants, and `x.numpy()` becomes x.
        """
        if not self.is_control_flow():
            return self.node, []
        self._before = []
        return self._condition(self.node, alone=True), self._before

    def _condition(self, node: Any, alone: bool = False) -> Any:
        """Return the Variable of a part of the condition."""
        if kind(node) == "BoolOp":
            word = "and" if kind(node.op) == "And" else "or"
            result, *others = [self._condition(each) for each in node.values]
            for other in others:
                text = f"{{}} = fluid.layers.logical_{word}(x=_x, y=_y)"
                result = self._assigned(f"logic_{word}", text, node, _x=result, _y=other)
            return result
        if kind(node) == "UnaryOp" and kind(node.op) == "Not":
            part = node.operand
            inner = self._condition(part) if kind(part) in ("BoolOp", "UnaryOp") else _ArrayRead().visit(part)
            return self._assigned("logic_not", "{} = fluid.layers.logical_not(_x)", node, _x=inner)
        if not self._visitor.has_tensor(node):
            text = "{} = fluid.layers.fill_constant(shape=[1], dtype='bool', value=bool(_x))"
            return self._assigned("bool_tensor", text, node, _x=node)
        read = _ArrayRead().visit(node)
        if kind(node) == "Compare" or (alone and (read is not node or kind(node) != "Call")):
            return read
        return self._assigned("bool_tensor", "{} = fluid.layers.cast(x=_x, dtype='bool')", node, _x=read)

    def _assigned(self, key: str, text: str, like: Any, **parts: Any) -> Any:
        """Add a statement that sets a new name, and return the name."""
        name = unique_name.generate(key)
        self._before.append(statement(text.format(name), like, **parts))
        return name_node(name, like)


class _ArrayRead(ast.NodeTransformer):
    """Replaces `x.numpy()` by x."""

    def visit(self, node: Any) -> Any:
        return self.visit(node.func.value) if reads_array(node) else self.generic_visit(node)


def is_control_flow_to_transform(
    node: Any, static_analysis_visitor: StaticAnalysisVisitor | None = None, var_name_to_type: Any = None
) -> bool:
    """Return whether a statement decides by the value of a Variable: IsControlFlowVisitor as a function."""
    return IsControlFlowVisitor(node, static_analysis_visitor, var_name_to_type).transform()
