"""How often and in what way statements use each name, and the functions that an `if` becomes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ....core import unique_name
from ....core.errors import IndexRangeError, message
from ..constants import FALSE_FUNC_PREFIX, TRUE_FUNC_PREFIX
from .building import create_funcDef_node, node_of
from .trees import kind, require_tree, statement

Uses = dict[str, list[Any]]

_USES = ("Load", "Store", "Param")


class NameVisitor(ast.NodeVisitor):
    """Notes the uses of names in the statements before a node.

    What only one branch of an `if` before the node has set is left out, and so are the names of functions before it.

    Arguments:
        end_node: the node; None notes the uses of names in the whole tree.

    name_ids: name -> the contexts of its uses.

    >>> import ast
    >>> tree = ast.parse('x = 1; y = x')
    >>> visitor = NameVisitor(tree.body[1])
    >>> visitor.visit(tree)
    >>> list(visitor.name_ids)
    ['x']
    """

    def __init__(self, end_node: Any = None) -> None:
        self.end_node = end_node
        self.name_ids: Uses = {}
        self.ancestor_nodes: list[Any] = []
        self._is_finished = False

    def visit(self, node: Any) -> None:
        """Visit a node, unless the end has been reached."""
        self._is_finished = self._is_finished or node is self.end_node
        if self._is_finished:
            return
        self.ancestor_nodes.append(node)
        super().visit(node)
        self.ancestor_nodes.pop()

    def visit_Name(self, node: Any) -> None:
        """Note a use."""
        if kind(node.ctx) in _USES:
            self.name_ids.setdefault(node.id, []).append(node.ctx)

    def visit_arg(self, node: Any) -> None:
        """Note an argument of a function, in a tree of `ast`."""
        self.name_ids.setdefault(node.arg, []).append(ast.Param())

    def visit_Assign(self, node: Any) -> None:
        """Visit the value before the names that it is assigned to."""
        for each in (node.value, *node.targets):
            self.visit(each)

    def visit_Call(self, node: Any) -> None:
        """Visit the arguments; the name of a function is no use."""
        own = [] if kind(node.func) in ("Name", "Attribute") else [node.func]
        for each in (*own, *node.args, *node.keywords):
            self.visit(each)

    def visit_Return(self, node: Any) -> None:
        """Leave out what is returned."""

    def visit_If(self, node: Any) -> None:
        """Note the names that both branches of an `if` before the end set."""
        if self.end_node is None:
            self.generic_visit(node)
            return
        before, sides = self.name_ids, []
        for body in (node.body, node.orelse):
            self.name_ids = {}
            for each in body:
                self.visit(each)
            if self._is_finished:
                self._join(before)
                return
            sides.append(self.name_ids)
        self.name_ids = before
        for name in _stored(sides[0]):
            if name in _stored(sides[1]):
                before.setdefault(name, []).append(next(use for use in sides[0][name] if kind(use) == "Store"))

    def visit_FunctionDef(self, node: Any) -> None:
        """Note the names of a function only if the end is in it."""
        before, self.name_ids = self.name_ids, {}
        self.generic_visit(node)
        if self.end_node is None or self._is_finished:
            self._join(before)
        else:
            self.name_ids = before

    def _join(self, before: Uses) -> None:
        """Put uses that were noted earlier before those of now."""
        names = [*before, *(name for name in self.name_ids if name not in before)]
        self.name_ids = {name: [*before.get(name, ()), *self.name_ids.get(name, ())] for name in names}


def get_name_ids(nodes: Sequence[Any], end_node: Any = None) -> Uses:
    """Return the uses of each name in statements.

    The names of what is called are left out, and so is what `return` gives.

    Arguments:
        nodes: the statements, trees of `ast` or `gast`.
        end_node: the node before which to stop; None for none.

    Returns:
        name -> the contexts of its uses, nodes Load, Store and Param, in order.

    >>> import ast
    >>> uses = get_name_ids([ast.parse('x = f(y) + x')])
    >>> {name: [type(use).__name__ for use in of_name] for name, of_name in uses.items()}
    {'y': ['Load'], 'x': ['Load', 'Store']}
    """
    visitor = NameVisitor(end_node)
    for node in nodes:
        require_tree("each of nodes", node)
        visitor.visit(node)
    return visitor.name_ids


def _stored(uses: Mapping[str, Sequence[Any]]) -> set[str]:
    """Return the names that are set."""
    return {name for name, of_name in uses.items() if any(kind(use) == "Store" for use in of_name)}


def parse_cond_args(
    var_ids_dict: Mapping[str, Sequence[Any]], return_ids: Iterable[str] | None = None, ctx: Any = None
) -> Any:
    """Return the arguments of the function that a branch of an `if` becomes.

    Arguments:
        var_ids_dict: the uses of names in the branch.
        return_ids: names that are arguments in any case.
        ctx: the class of context that the first use of an argument has; None for Load.

    Returns:
        A node arguments, its names in the order of the alphabet.

    Raises:
        IndexRangeError: a name has no uses.

    >>> import ast
    >>> ast.unparse(parse_cond_args(get_name_ids([ast.parse('y = x; z = y')]), ['z']))
    'x, z'
    """
    wanted = "Load" if ctx is None else ctx.__name__
    names = set(return_ids or ())
    for name, uses in var_ids_dict.items():
        if not uses:
            raise IndexRangeError(
                message("parse_cond_args", "var_ids_dict", f"no use of {name}", "one use of each name")
            )
        if kind(uses[0]) == wanted:
            names.add(name)
    text = f"def f({', '.join(sorted(names))}): pass"
    return (statement(text, uses[0]) if var_ids_dict else node_of(text)).args


def parse_cond_return(
    parent_vars_dict: Mapping[str, Sequence[Any]],
    if_vars_dict: Mapping[str, Sequence[Any]],
    else_vars_dict: Mapping[str, Sequence[Any]],
) -> tuple[list[str], list[str]]:
    """Return what the functions that the branches of an `if` become have to return.

    Arguments:
        parent_vars_dict, if_vars_dict, else_vars_dict: the uses of names before the `if` and in its branches.

    Returns:
        (the names that both branches set, or that one sets and that have been used before; the latter alone).

    >>> import ast
    >>> before, yes, no = [get_name_ids([ast.parse(text)]) for text in ('x = 1', 'x = y = 2', 'y = 3')]
    >>> parse_cond_return(before, yes, no)
    (['x', 'y'], ['x'])
    """
    yes, no = _stored(if_vars_dict), _stored(else_vars_dict)
    changed = sorted((yes | no) & set(parent_vars_dict))
    return sorted((yes & no) | set(changed)), changed


def transform_if_else(node: Any, root: Any) -> tuple[Any, Any, list[str]]:
    """Return the functions that the branches of an `if` become.

    Arguments:
        node: the node If.
        root: the tree that it is in.

    Returns:
        (the function of the first branch, that of `else`, the names that both return).

    Raises:
        ArgumentTypeError: `root` is no tree.

    >>> import ast
    >>> from paddle_lite.fluid import unique_name
    >>> tree = ast.parse('if x: y = x\\nelse: y = 2')
    >>> with unique_name.guard():
    ...     print(ast.unparse(transform_if_else(tree.body[0], tree)[0]))
    def true_fn_0(x):
        y = x
        return y
    """
    before, yes, no = get_name_ids([root], node), get_name_ids(node.body), get_name_ids(node.orelse)
    returned, changed = parse_cond_return(before, yes, no)
    sides = [
        create_funcDef_node(body, unique_name.generate(prefix), parse_cond_args(uses, changed), returned)
        for body, prefix, uses in ((node.body, TRUE_FUNC_PREFIX, yes), (node.orelse, FALSE_FUNC_PREFIX, no))
    ]
    return sides[0], sides[1], returned
