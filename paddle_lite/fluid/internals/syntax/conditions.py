"""Conditions on Variables: which statements have one, and a condition as calls of layers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from typing import Any

from ....core import unique_name
from .trees import dotted, kind, library, name_node, reads_array, require_tree, statement
from .var_types import AstNodeWrapper, NodeVarType, StaticAnalysisVisitor

_OWN_JUMPS = ("For", "While", "FunctionDef", "ClassDef", "Lambda")
_PLAIN = ("Name", "Subscript", "Attribute", "IfExp")


class IsControlFlowVisitor:
    """Tells whether a statement or an expression decides by the value of a Variable, as 1.8.5 finds it.

    A `while`, and a `for` over `range`, that `break` or `continue` ends counts as one in any case.

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
        counts = kind(node) == "For" and _calls_range(node.iter)
        if counts and self._any(node.iter.args):
            return True
        if counts or kind(node) == "While":
            return any(_jumps(each) for each in node.body)
        return isinstance(node, ast.expr) and self.has_tensor(node)

    def get_compare_nodes_with_tensor(self) -> set[Any]:
        """Return the comparisons of Variables that `transform` has found."""
        return self._compared

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


def _jumps(node: Any) -> bool:
    """Return whether a statement ends the loop that it is in, or a round of it."""
    if kind(node) in ("Break", "Continue"):
        return True
    return kind(node) not in _OWN_JUMPS and any(_jumps(each) for each in ast.iter_child_nodes(node))


def _calls_range(node: Any) -> bool:
    return kind(node) == "Call" and dotted(node.func) == "range"


class _Conditions:
    """Writes conditions as calls of layers; `_before` holds the statements that compute what they read."""

    def __init__(self) -> None:
        self._before: list[Any] = []

    def _has_tensor(self, node: Any) -> bool:
        """Return whether an expression has the value of a Variable."""
        raise NotImplementedError

    def _condition(self, node: Any, alone: bool = False) -> Any:
        """Return the Variable of a condition, or of a part of one."""
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
        if not self._has_tensor(node):
            text = "{} = fluid.layers.fill_constant(shape=[1], dtype='bool', value=bool(_x))"
            return self._assigned("bool_tensor", text, node, _x=node)
        read = _ArrayRead().visit(node)
        if kind(node) == "Compare" or (alone and (read is not node or kind(node) != "Call")):
            return read
        return self._cast(read)

    def _cast(self, node: Any) -> Any:
        return self._assigned("bool_tensor", "{} = fluid.layers.cast(x=_x, dtype='bool')", node, _x=node)

    def _assigned(self, key: str, text: str, like: Any, **parts: Any) -> Any:
        """Add a statement that sets a new name, and return the name."""
        name = unique_name.generate(key)
        self._before.append(statement(text.format(name), like, **parts))
        return name_node(name, like)


class IfConditionVisitor(_Conditions):
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
        super().__init__()
        self.node = node
        self._visitor = IsControlFlowVisitor(node, static_analysis_visitor, node_var_type_map)

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

    def _has_tensor(self, node: Any) -> bool:
        return self._visitor.has_tensor(node)


class NodeTestTransformer(_Conditions):
    """A condition as calls of layers, by the comparisons that are said to be of Variables.

    Arguments:
        ast_node: the expression, a tree of `ast` or `gast`.
        compare_nodes_with_tensor: the comparisons in it that are of Variables; others are of Python.
        node_to_wrapper_map: node -> wrapper, as StaticAnalysisVisitor finds them, for the names in it; or None.

    Raises:
        ArgumentTypeError: `ast_node` is no tree.

    >>> import ast
    >>> from paddle_lite.fluid import unique_name
    >>> tree = ast.parse('not x > 1').body[0].value
    >>> transformer = NodeTestTransformer(tree, {tree.operand})
    >>> with unique_name.guard():
    ...     print(ast.unparse([transformer.transform(), *transformer.get_new_assign_nodes()][1]))
    logic_not_0 = fluid.layers.logical_not(x > 1)
    """

    def __init__(
        self,
        ast_node: Any,
        compare_nodes_with_tensor: set[Any] | None = None,
        node_to_wrapper_map: Mapping[Any, AstNodeWrapper] | None = None,
    ) -> None:
        super().__init__()
        require_tree("ast_node", ast_node)
        self.ast_root = ast_node
        self._compared = compare_nodes_with_tensor or set()
        self._known = node_to_wrapper_map or {}

    def set_compare_nodes_with_tensor(self, nodes_set: set[Any]) -> None:
        """Set the comparisons that are of Variables."""
        self._compared = nodes_set

    def get_new_assign_nodes(self) -> list[Any]:
        """Return the statements that compute what the condition reads."""
        return self._before

    def transform(self) -> Any:
        """Return the condition: an expression that is one Variable."""
        node = self.ast_root
        if kind(node) in _PLAIN:
            return self._cast(node) if (read := _ArrayRead().visit(node)) is node else read
        if kind(node) == "Call" or (kind(node) == "UnaryOp" and kind(node.op) != "Not"):
            return _ArrayRead().visit(node)
        return self._condition(node, alone=True)

    def _has_tensor(self, node: Any) -> bool:
        if kind(node) == "Compare":
            return node in self._compared
        if node in self._known and self._known[node].node_var_type & NodeVarType.TENSOR_TYPES:
            return True
        return any(reads_array(each) for each in ast.walk(node))


class _ArrayRead(ast.NodeTransformer):
    """Replaces `x.numpy()` by x."""

    def visit(self, node: Any) -> Any:
        return self.visit(node.func.value) if reads_array(node) else self.generic_visit(node)


def is_control_flow_to_transform(
    node: Any, static_analysis_visitor: StaticAnalysisVisitor | None = None, var_name_to_type: Any = None
) -> bool:
    """Return whether a statement decides by the value of a Variable: IsControlFlowVisitor as a function."""
    return IsControlFlowVisitor(node, static_analysis_visitor, var_name_to_type).transform()
