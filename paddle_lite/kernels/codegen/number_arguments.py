"""The numbers of expressions as arguments of their kernel, so that kernels which differ only in numbers are one kernel."""

from __future__ import annotations

from .expression import Node, make, name, walk
from .numpy_form import constant_value

BAKED = (0.0, 0.5, 1.0, 2.0)
"""The absolute values that stay in the code: compilers do better with them, and few kernels come of it."""


class NumberArguments:
    """The numbers that expressions take as arguments; equal ones are one argument.

    values: the numbers, in the order of their names `_a0`, `_a1`, ...

    Integers of a formula stay as they are; the numbers of attributes are floats.

    >>> from paddle_lite.kernels.codegen.expression import parse, text
    >>> numbers = NumberArguments()
    >>> text(numbers.lifted(parse("x * 1.5 + 2 * y - 1.5")))
    'x * _a0 + 2 * y - _a0'
    >>> numbers.values
    [1.5]
    """

    def __init__(self) -> None:
        self.values: list[float] = []

    def lifted(self, root: Node) -> Node:
        """Return an expression with names in the place of its numbers."""
        fixed: set[Node] = set()  # nodes without names
        done: dict[Node, Node] = {}
        for node in walk(root):
            if node.op != "name" and fixed.issuperset(node.args):
                fixed.add(node)
            else:
                args = [self._argument(arg) if arg in fixed else done[arg] for arg in node.args]
                done[node] = make(node.op, *args, value=node.value)
        return self._argument(root) if root in fixed else done[root]

    def _argument(self, node: Node) -> Node:
        """Return the name of a constant expression's value, or the expression if it stays."""
        value = constant_value(node)
        plain = node.op == "number" or (node.op == "neg" and node.args[0].op == "number")
        if isinstance(value, bool) or (plain and (isinstance(value, int) or abs(value) in BAKED)):
            return node
        known = [repr(each) for each in self.values]  # repr tells NaNs and the two zeros
        if repr(value) not in known:
            self.values.append(value)
            known.append(repr(value))
        return name(f"_a{known.index(repr(value))}")
