"""The names that a loop carries from round to round, and `for` over `range` as `while`."""

from __future__ import annotations

import ast
from typing import Any

from ....core.errors import ArgumentValueError, message
from .conditions import is_control_flow_to_transform
from .trees import dotted, kind, require_tree, statement
from .var_types import NodeVarType, StaticAnalysisVisitor

_LOOPS = ("For", "While")
_BASIC = frozenset({NodeVarType.BOOLEAN, NodeVarType.INT, NodeVarType.FLOAT, NodeVarType.STRING})


class _Loop:
    """Names by where they occur: before a loop, in its head or body, behind it."""

    def __init__(self, before: set[str]) -> None:
        self.before = set(before)
        self.head: set[str] = set()
        self.target: set[str] = set()
        self.inside: dict[str, list[Any]] = {}
        self.read_after: set[str] = set()
        self.ended = False


class NameVisitor(ast.NodeVisitor):
    """Finds the names that loops of a tree carry from round to round.

    Arguments:
        root_node: the tree.

    >>> import ast
    >>> tree = ast.parse('x = 1\\nwhile x < n:\\n    x = x + 1\\n    y = x\\nprint(y, x)')
    >>> carried, made = NameVisitor(tree).get_loop_var_names(tree.body[1])
    >>> sorted(carried), made
    (['x', 'y'], {'y'})
    """

    def __init__(self, root_node: Any) -> None:
        require_tree("root_node", root_node)
        self._analysis = StaticAnalysisVisitor(root_node)
        self._types = self._analysis.get_node_to_wrapper_map()
        self._seen: set[str] = set()
        self._loops: dict[Any, _Loop] = {}
        self.visit(root_node)

    def is_control_flow_loop(self, node: Any) -> bool:
        """Return whether the value of a Variable decides how often a loop runs."""
        return is_control_flow_to_transform(node, self._analysis)

    def get_loop_var_names(self, node: Any) -> tuple[set[str], set[str]]:
        """Return the names that a loop carries, and those of them that it makes.

        A loop carries the names of its head, those that have been used before unless it only reads a number or a text of
        Python, and those that it sets and that are read behind it.

        Arguments:
            node: a node While or For of the tree.

        Raises:
            ArgumentValueError: it is none.
        """
        found = self._loops.get(node)
        if found is None:
            raise ArgumentValueError(
                message("NameVisitor.get_loop_var_names", "node", kind(node), "a node While or For of the tree")
            )
        carried, made = set(found.target), set()
        for name, nodes in found.inside.items():
            if name in found.target:
                continue
            if name in found.before:
                changed = any(kind(each.ctx) != "Load" for each in nodes)
                if changed or name in found.head or not all(self._is_basic(each) for each in nodes):
                    carried.add(name)
            elif name in found.read_after:
                carried.add(name)
                made.add(name)
        return carried, made

    def _is_basic(self, node: Any) -> bool:
        return self._types[node].node_var_type <= _BASIC

    # --- where names occur --------------------------------------------------------------------------------------------

    def visit_While(self, node: Any) -> None:
        """Note the names of a loop."""
        loop = self._loops[node] = _Loop(self._seen)
        self.visit(node.test)
        loop.head = set(loop.inside)
        for each in (*node.body, *node.orelse):
            self.visit(each)
        loop.ended = True

    def visit_For(self, node: Any) -> None:
        """Note the names of a loop."""
        loop = self._loops[node] = _Loop(self._seen)
        self.visit(node.target)
        loop.target = set(loop.inside)
        self.visit(node.iter)
        loop.head = set(loop.inside)
        for each in (*node.body, *node.orelse):
            self.visit(each)
        loop.ended = True

    def visit_Call(self, node: Any) -> None:
        """Leave out the name of what is called."""
        own = [] if kind(node.func) == "Name" or dotted(node.func) else [node.func]
        for each in (*own, *node.args, *node.keywords):
            self.visit(each)

    def visit_Attribute(self, node: Any) -> None:
        """Note "a.b" as a name of its own, unless it is an attribute of `self`."""
        name = dotted(node)
        if not name:
            self.generic_visit(node)
        elif not name.startswith("self."):
            self._note(name, node)

    def visit_Name(self, node: Any) -> None:
        """Note a name."""
        self._note(node.id, node)

    def visit_arg(self, node: Any) -> None:
        """Note an argument of a function, in a tree of `ast`."""
        self._seen.add(node.arg)

    def _note(self, name: str, node: Any) -> None:
        self._seen.add(name)
        for loop in self._loops.values():
            if not loop.ended:
                loop.inside.setdefault(name, []).append(node)
            elif kind(node.ctx) == "Load":
                loop.read_after.add(name)


class ForToWhileTransformer(ast.NodeTransformer):
    """Makes a `while` of a `for` over `range`; other loops stay.

    Arguments:
        parent_node: the node that has the loop in its body.
        loop_node: the loop.
        condition_node: a further condition, without which no round begins.

    >>> import ast
    >>> tree = ast.parse('for i in range(1, n):\\n    x += i')
    >>> ForToWhileTransformer(tree, tree.body[0], ast.parse('not stop').body[0].value).transform()
    >>> print(ast.unparse(tree))
    i = 1
    while i < n and (not stop):
        x += i
        i += 1
    """

    def __init__(self, parent_node: Any, loop_node: Any, condition_node: Any) -> None:
        for argument, node in (
            ("parent_node", parent_node),
            ("loop_node", loop_node),
            ("condition_node", condition_node),
        ):
            require_tree(argument, node)
        self.parent_node, self.loop_node, self.condition_node = parent_node, loop_node, condition_node

    def transform(self) -> None:
        """Change the body of the parent.

        Raises:
            ArgumentValueError: it does not have the loop.
        """
        for part in ("body", "orelse", "finalbody"):
            body = getattr(self.parent_node, part, None)
            if isinstance(body, list) and any(each is self.loop_node for each in body):
                place = next(i for i, each in enumerate(body) if each is self.loop_node)
                body[place : place + 1] = self._statements()
                return
        raise ArgumentValueError(
            message("ForToWhileTransformer", "parent_node", "no such loop", "the node with it in its body")
        )

    def _statements(self) -> list[Any]:
        loop = self.loop_node
        if (
            kind(loop) != "For"
            or kind(loop.iter) != "Call"
            or dotted(loop.iter.func) != "range"
            or kind(loop.target) != "Name"
        ):
            return [loop]
        name, bounds = loop.target.id, loop.iter.args
        one, zero = statement("1", loop).value, statement("fluid.layers.fill_constant([1], 'int64', 0)", loop).value
        first, stop, step = (zero, bounds[0], one) if len(bounds) == 1 else (*bounds, one)[:3]
        sign = ">" if kind(step) == "UnaryOp" and kind(step.op) == "USub" else "<"
        text = f"while {name} {sign} stop_ and condition_: pass"
        made = statement(text, loop, stop_=stop, condition_=self.condition_node)
        made.body = [*loop.body, statement(f"{name} += step_", loop, step_=step)]
        made.orelse = loop.orelse
        return [statement(f"{name} = first_", loop, first_=first), made]
