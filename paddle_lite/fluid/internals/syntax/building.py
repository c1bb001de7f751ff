"""Parts of syntax trees: nodes for names, functions, calls of `cond`, `while_loop`, `shape` and the like.

Nodes are those of gast where a program has imported that package, as PaddlePaddle 1.8.5 does, else those of `ast`.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from ....core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .trees import ast_to_source_code, is_gast, kind, require_tree, statement

__all__ = [
    "LogicalOpTransformer",
    "RenameTransformer",
    "compare_with_none",
    "create_api_shape_node",
    "create_assign_node",
    "create_cond_node",
    "create_funcDef_node",
    "create_static_variable_gast_node",
    "create_while_node",
    "generate_name_node",
    "get_attribute_full_name",
    "get_constant_variable_node",
    "is_candidate_node",
    "to_assign_node",
    "to_static_api",
    "to_static_variable_gast_node",
]

dygraph_class_to_static_api = {
    "CosineDecay": "cosine_decay",
    "ExponentialDecay": "exponential_decay",
    "InverseTimeDecay": "inverse_time_decay",
    "NaturalExpDecay": "natural_exp_decay",
    "NoamDecay": "noam_decay",
    "PiecewiseDecay": "piecewise_decay",
    "PolynomialDecay": "polynomial_decay",
}
"""Schedules of imperative mode -> the functions of static mode."""

_FUNCTIONS = "fluid.dygraph.dygraph_to_static.variable_trans_func"


def _like() -> Any:
    """Return a node of the package of which nodes are made."""
    return getattr(sys.modules.get("gast"), "Load", ast.Load)()


def node_of(text: str, **parts: Any) -> Any:
    """Return the statement of a text, with nodes in the place of names."""
    return statement(text, _like(), **parts)


def generate_name_node(name_ids: str | Iterable[str], ctx: Any = None) -> Any:
    """Return the node of a name, or that of a tuple of names.

    Arguments:
        name_ids: a name, or a list, tuple or set of names; one alone is no tuple.
        ctx: whether they are read or written, such as `ast.Store()`; None reads them.

    Returns:
        A node Name or Tuple.

    Raises:
        ArgumentTypeError: `name_ids` is something else.

    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.utils import ast_to_source_code, generate_name_node
    >>> ast_to_source_code(generate_name_node(['a', 'b']))
    '(a, b)\\n'
    """
    names = [name_ids] if isinstance(name_ids, str) else name_ids
    if not isinstance(names, (list, tuple, set)):
        raise ArgumentTypeError(
            message("generate_name_node", "name_ids", describe(name_ids), "a name, or a list of them")
        )
    made = node_of(names_text(list(names))).value
    if ctx is not None:
        for node in (made, *getattr(made, "elts", ())):
            node.ctx = ctx
    return made


def names_text(names: Sequence[str]) -> str:
    """Return the text of one name, or of a tuple of none or several."""
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


def create_funcDef_node(nodes: Sequence[Any], name: str, input_args: Any, return_name_ids: Sequence[str]) -> Any:
    """Return the definition of a function.

    Arguments:
        nodes: its statements.
        name: its name.
        input_args: its arguments, a node `arguments`.
        return_name_ids: the names of what it returns, behind the statements.

    Returns:
        A node FunctionDef.
    """
    made = statement(f"def {name}(): return {', '.join(return_name_ids)}", input_args)
    made.args = input_args
    made.body = [*nodes, *made.body]
    return made


def create_assign_node(name: str | Sequence[str], node: Any) -> tuple[Any, Any]:
    """Return the node of names, and that of an assignment to them.

    Arguments:
        name: a name, or several.
        node: the expression that is assigned.

    Returns:
        (the node of the names, a node Assign).

    Raises:
        ArgumentTypeError: `name` is neither.
    """
    names = [name] if isinstance(name, str) else list(name)
    return generate_name_node(names), node_of(f"{names_text(names)} = value", value=node)


def get_constant_variable_node(name: str, value: Any, shape: Sequence[int] = (1,), dtype: str = "int64") -> Any:
    """Return a module of one statement, which sets a name to a constant Variable.

    Arguments:
        name: the name.
        value: the value of all elements.
        shape, dtype: of the Variable.

    Returns:
        A node Module.
    """
    text = f"{name} = fluid.layers.fill_constant({list(shape)!r}, {dtype!r}, {value!r})"
    tree = ast.parse(text)
    return sys.modules["gast"].ast_to_gast(tree) if is_gast(_like()) else tree


def get_attribute_full_name(node: Any) -> str:
    """Return the text of an attribute, such as "a.b.c".

    Arguments:
        node: a node Attribute.

    Returns:
        The text.

    Raises:
        ArgumentTypeError: it is another node.
    """
    if kind(node) != "Attribute":
        raise ArgumentTypeError(message("get_attribute_full_name", "node", kind(node), "a node Attribute"))
    return ast_to_source_code(node).strip()


def create_api_shape_node(tensor_shape_node: Any) -> Any:
    """Return the call of `fluid.layers.shape` for an expression `x.shape` or `x.shape[i]`.

    Arguments:
        tensor_shape_node: the node of the expression.

    Returns:
        A node Call or Subscript.

    Raises:
        ArgumentTypeError: it is another expression.
    """
    if kind(tensor_shape_node) == "Attribute":
        return node_of("fluid.layers.shape(x)", x=tensor_shape_node.value).value
    if kind(tensor_shape_node) == "Subscript":
        made = node_of("x[0]", x=create_api_shape_node(tensor_shape_node.value)).value
        made.slice = tensor_shape_node.slice
        return made
    got = ast_to_source_code(tensor_shape_node).strip()
    raise ArgumentTypeError(message("create_api_shape_node", "tensor_shape_node", got, "x.shape or x.shape[i]"))


def to_assign_node(node: Any) -> Any:
    """Return a call as one of `fluid.layers.assign`, for `to_variable(a)`.

    Arguments:
        node: a node Call, which is changed.

    Returns:
        The node.

    Raises:
        ArgumentTypeError: it is another node.
    """
    if kind(node) != "Call":
        raise ArgumentTypeError(message("to_assign_node", "node", kind(node), "a node Call"))
    values = {word.arg: word.value for word in node.keywords}
    node.func = node_of("fluid.layers.assign").value
    node.args = [*node.args, *([values["value"]] if "value" in values else [])][:1]
    node.keywords = []
    return node


def to_static_api(dygraph_class: str) -> str:
    """Return the name of the function of static mode for a schedule of imperative mode.

    Arguments:
        dygraph_class: the name of the class.

    Returns:
        The name of the function.

    Raises:
        ArgumentValueError: there is none.

    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.utils import to_static_api
    >>> to_static_api('NoamDecay')
    'noam_decay'
    """
    if dygraph_class not in dygraph_class_to_static_api:
        needs = f"one of {', '.join(dygraph_class_to_static_api)}"
        raise ArgumentValueError(message("to_static_api", "dygraph_class", repr(dygraph_class), needs))
    return dygraph_class_to_static_api[dygraph_class]


def create_static_variable_gast_node(name: str) -> Any:
    """Return the statement that makes a Variable of a name, whose shape is not checked."""
    return node_of(f"{name} = {_FUNCTIONS}.data_layer_not_check(name={name!r}, shape=[-1], dtype='float32')")


def to_static_variable_gast_node(name: str) -> Any:
    """Return the statement that makes the value of a name a Variable."""
    return node_of(f"{name} = {_FUNCTIONS}.to_static_variable({name})")


def create_cond_node(
    return_name_ids: Sequence[str] | None, pred: Any, true_func: Any, false_func: Any, is_if_expr: bool = False
) -> Any:
    """Return the statement that calls `fluid.layers.cond`.

    Arguments:
        return_name_ids: the names that get the results; none makes the call alone.
        pred: the condition.
        true_func, false_func: definitions of functions, which get the values of their arguments' names; expressions where
            `is_if_expr`.
        is_if_expr: whether an expression `a if pred else b` is what becomes the call.

    Returns:
        A node Assign or Expr.
    """
    sides = []
    for each in (true_func, false_func):
        arguments = [] if is_if_expr else [getattr(arg, "id", getattr(arg, "arg", "")) for arg in each.args.args]
        sides.append(each if is_if_expr else node_of(f"{each.name}({', '.join(arguments)})").value)
    names = list(return_name_ids or ())
    targets = f"{', '.join(names)} = " if names else ""
    text = f"{targets}fluid.layers.cond(pred_, lambda: true_, lambda: false_)"
    return node_of(text, pred_=pred, true_=sides[0], false_=sides[1])


def create_while_node(condition_name: str, body_name: str, loop_var_names: Iterable[str]) -> Any:
    """Return the statement that calls `fluid.layers.while_loop`.

    Arguments:
        condition_name, body_name: the names of its functions.
        loop_var_names: the names of what it carries.

    Returns:
        A node Assign.
    """
    names = list(loop_var_names)
    text = f"{', '.join(names)}{',' * (len(names) == 1)} = fluid.layers.while_loop({condition_name}, {body_name}, [{', '.join(names)}])"
    return node_of(text)


def compare_with_none(node: Any) -> bool:
    """Return whether a node compares with None.

    Arguments:
        node: a node.

    Returns:
        Whether it does.
    """
    return kind(node) == "Compare" and any(
        kind(each) in ("Constant", "NameConstant") and each.value is None for each in (node.left, *node.comparators)
    )


def is_candidate_node(node: Any) -> bool:
    """Return whether a node may be a condition that the values of Variables decide: a comparison, `and`, `or` or `not`.

    Arguments:
        node: a node.

    Returns:
        Whether it is.
    """
    return kind(node) in ("Compare", "BoolOp", "UnaryOp")


class RenameTransformer(ast.NodeTransformer):
    """Renames a variable or an attribute everywhere in a tree.

    Arguments:
        node: the tree, which is changed.

    >>> import ast
    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.utils import RenameTransformer, ast_to_source_code
    >>> tree = ast.parse('x = self.x + x')
    >>> RenameTransformer(tree).rename('self.x', 'y')
    >>> ast_to_source_code(tree)
    'x = y + x\\n'
    """

    def __init__(self, node: Any) -> None:
        require_tree("node", node)
        self.root = node
        self.old_name = self.new_name = ""

    def rename(self, old_name: str, new_name: str) -> None:
        """Rename `old_name`, which may have dots, to `new_name`.

        Raises:
            ArgumentTypeError: one of them is no text.
        """
        for argument, name in (("old_name", old_name), ("new_name", new_name)):
            if not isinstance(name, str):
                raise ArgumentTypeError(message("RenameTransformer.rename", argument, describe(name), "a text"))
        self.old_name, self.new_name = old_name, new_name
        self.visit(self.root)

    def visit_Name(self, node: Any) -> Any:
        """Rename a variable, or an argument in a tree of gast."""
        if node.id == self.old_name:
            node.id = self.new_name
        return self.generic_visit(node)

    def visit_arg(self, node: Any) -> Any:
        """Rename an argument in a tree of `ast`."""
        if node.arg == self.old_name:
            node.arg = self.new_name
        return self.generic_visit(node)

    def visit_Attribute(self, node: Any) -> Any:
        """Replace an attribute by the new name."""
        if get_attribute_full_name(node) != self.old_name:
            return self.generic_visit(node)
        made = statement(self.new_name, node).value
        if hasattr(made, "ctx"):
            made.ctx = node.ctx
        return made


class LogicalOpTransformer(ast.NodeTransformer):
    """Makes calls of `fluid.layers.logical_and` and its kin of `and`, `or` and `not`.

    Arguments:
        node: the expression, which is changed.

    >>> import ast
    >>> from paddle_lite.fluid.dygraph.dygraph_to_static.loop_transformer import LogicalOpTransformer
    >>> tree = LogicalOpTransformer(ast.parse('not (a and b)').body[0].value).transform()
    >>> print(ast.unparse(tree))
    fluid.layers.logical_not(fluid.layers.logical_and(x=a, y=b))
    """

    def __init__(self, node: Any) -> None:
        require_tree("node", node)
        self.root = node

    def transform(self) -> Any:
        """Return the expression."""
        return self.visit(self.root)

    def visit_UnaryOp(self, node: Any) -> Any:
        """Return the call for `not`."""
        self.generic_visit(node)
        if kind(node.op) != "Not":
            return node
        return statement("fluid.layers.logical_not(x)", node, x=node.operand).value

    def visit_BoolOp(self, node: Any) -> Any:
        """Return the call for `and` or `or`; of three values the first two are joined first."""
        self.generic_visit(node)
        function = "logical_and" if kind(node.op) == "And" else "logical_or"
        first, *others = node.values
        for each in others:
            first = statement(f"fluid.layers.{function}(x=first_, y=each_)", node, first_=first, each_=each).value
        return first
