"""Scalar expressions: a restricted Python syntax, parsed into shared immutable nodes.

An operator is declared by an expression such as `"x if x > 0 else alpha * x"`. Python never evaluates it: `parse`
converts it into `Node`s, from which each form (NumPy, Numba, CUDA) is generated.
"""

from __future__ import annotations

import ast
import keyword
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NoReturn
from weakref import WeakValueDictionary

from ...core.errors import ArgumentValueError, message
from .functions import FUNCTIONS

ARITHMETIC: dict[str, type[ast.operator]] = {"+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": ast.Div, "**": ast.Pow}
COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE, "==": ast.Eq, "!=": ast.NotEq,
}  # fmt: skip
BOTH: dict[str, type[ast.operator]] = {"&": ast.BitAnd, "|": ast.BitOr}  # branch-free `and` and `or`, for Numba
_SYMBOLS = {kind: symbol for table in (ARITHMETIC, COMPARISONS) for symbol, kind in table.items()}


@dataclass(frozen=True, eq=False)
class Node:
    """One operation of an expression. Nodes are hash-consed by `make`, so that equal expressions are the same object.

    `op` is "name", "number", an operator ("+", "neg", "<", "and", "not"), "if" (condition, then, else), "true" (a name
    taken as a truth value) or the name of a function.
    """

    __slots__ = ("__weakref__", "args", "op", "value")
    op: str
    args: tuple[Node, ...]
    value: str | int | float

    def __repr__(self) -> str:
        return f"<{text(self)}>"


_nodes: WeakValueDictionary[tuple[object, ...], Node] = WeakValueDictionary()


def make(op: str, *args: Node, value: str | int | float = 0) -> Node:
    """Return the unique node with this operation, these arguments and this value."""
    key = (op, args, type(value), repr(value))  # repr distinguishes -0.0 from 0.0
    return _nodes.get(key) or _nodes.setdefault(key, Node(op, args, value))


def number(value: int | float) -> Node:
    """Return the node of a constant; a negative constant is the negation of a positive one, as in Python's grammar."""
    return make("neg", number(-value)) if math.copysign(1.0, value) < 0 else make("number", value=value)


def name(identifier: str) -> Node:
    """Return the node of an array, a scalar or a temporary."""
    return make("name", value=identifier)


def walk(*roots: Node) -> Iterator[Node]:
    """Yield every distinct node under `roots`, arguments first."""
    seen: set[Node] = set()

    def visit(node: Node) -> Iterator[Node]:
        if node not in seen:
            seen.add(node)
            for arg in node.args:
                yield from visit(arg)
            yield node

    for root in roots:
        yield from visit(root)


def rewrite(root: Node, change: Callable[[Node], Node]) -> Node:
    """Return `root` with `change` applied to every node, arguments first; a shared node is changed once."""
    done: dict[Node, Node] = {}
    for node in walk(root):
        args = tuple(done[arg] for arg in node.args)
        done[node] = change(node if args == node.args else make(node.op, *args, value=node.value))
    return done[root]


def substitute(root: Node, values: Mapping[str, Node]) -> Node:
    """Return `root` with names replaced by other expressions."""
    return rewrite(root, lambda node: values.get(str(node.value), node) if node.op == "name" else node)


def names(*roots: Node) -> set[str]:
    """Return the names that `roots` mention."""
    return {str(node.value) for node in walk(*roots) if node.op == "name"}


def numeric_names(*roots: Node) -> set[str]:
    """Return the names whose value matters, beyond being zero or not."""
    used = {arg for node in walk(*roots) if node.op != "true" for arg in node.args} | set(roots)
    return {str(node.value) for node in used if node.op == "name"}


def varying_nodes(roots: Iterable[Node], arrays: Collection[str]) -> set[Node]:
    """Return the nodes under `roots` that depend on an array; the others are the same for all elements."""
    varying: set[Node] = set()
    for node in walk(*roots):
        if (node.op == "name" and node.value in arrays) or not varying.isdisjoint(node.args):
            varying.add(node)
    return varying


def is_truth(node: Node) -> bool:
    """Return whether the expression is a truth value rather than a number."""
    while node.op == "if":
        node = node.args[1]
    return node.op in COMPARISONS or node.op in _TRUTH


_TRUTH = {"and", "or", "not", "true", "&", "|", *(key for key, function in FUNCTIONS.items() if function.truth)}


# ---- parsing ---------------------------------------------------------------------------------------------------------


def parse(expression: str, allowed: Collection[str] | None = None, where: str = "expression") -> Node:
    """Parse `expression`, which may refer to the names in `allowed` (None: any); `where` is the prefix of error texts.

    `where` opens an error's text.

    The language consists of numbers, names, + - * / **, comparisons (chained too), and/or/not, `a if c else b` and the
    functions of `functions.FUNCTIONS` (and pow); anything else raises ArgumentValueError.
    """
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
    except SyntaxError as error:
        raise ArgumentValueError(
            message(where, "the expression", repr(expression), "Python expression syntax", f"Python says: {error.msg}.")
        ) from None
    return _Parser(expression, allowed, where).any(tree)


class _Parser:
    """Converts the syntax tree of one expression into nodes, and checks the types number and truth value."""

    def __init__(self, expression: str, allowed: Collection[str] | None, where: str) -> None:
        self.expression, self.allowed, self.where = expression, allowed, where

    def refuse(self, tree: ast.AST, needs: str, fix: str = "") -> NoReturn:
        """Raise an error that shows the unsupported part."""
        part = ast.unparse(tree)
        shown = repr(part) if part == self.expression else f"{part!r} in {self.expression!r}"
        raise ArgumentValueError(message(self.where, "the expression", shown, needs, fix))

    def any(self, tree: ast.expr) -> Node:
        """Return the node of an expression of either type."""
        match tree:
            case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
                return number(value)
            case ast.Name(id=identifier):
                return self.name(tree, identifier)
            case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _SYMBOLS:
                return make(_SYMBOLS[type(operator)], self.operand(left), self.operand(right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return make("neg", self.operand(operand))
            case ast.UnaryOp(op=ast.UAdd(), operand=operand):
                return self.operand(operand)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return make("not", self.truth(operand))
            case ast.BoolOp(op=operator, values=values):
                return _fold("and" if isinstance(operator, ast.And) else "or", map(self.truth, values))
            case ast.Compare(left=left, ops=operators, comparators=others):
                return self.comparison(tree, [left, *others], operators)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self.conditional(tree, test, body, orelse)
            case ast.Call(func=ast.Name(id=called), args=args, keywords=[]):
                return self.call(tree, called, args)
        self.refuse(tree, "numbers, names, + - * / **, comparisons, and/or/not, `a if c else b` and function calls")

    def operand(self, tree: ast.expr) -> Node:
        """Return the node of a number; raise for a truth value."""
        node = self.any(tree)
        if is_truth(node):
            self.refuse(tree, "a number where it stands", f"Write `1 if {ast.unparse(tree)} else 0`.")
        return node

    def truth(self, tree: ast.expr) -> Node:
        """Return the node of a truth value; a name means "is not zero"."""
        node = self.any(tree)
        if node.op == "name":
            return make("true", node)
        if not is_truth(node):
            self.refuse(tree, "a comparison or a name where it stands", f"Write `{ast.unparse(tree)} != 0`.")
        return node

    def name(self, tree: ast.expr, identifier: str) -> Node:
        if self.allowed is None:
            check_name(identifier, self.where)
        elif identifier not in self.allowed:
            self.refuse(tree, f"one of the declared names ({', '.join(sorted(self.allowed))})")
        return name(identifier)

    def comparison(self, tree: ast.expr, operands: list[ast.expr], operators: list[ast.cmpop]) -> Node:
        if not all(type(operator) in _SYMBOLS for operator in operators):
            self.refuse(tree, "one of the comparisons " + " ".join(COMPARISONS))
        values = [self.operand(operand) for operand in operands]
        pairs = zip(operators, values, values[1:], strict=False)
        return _fold("and", (make(_SYMBOLS[type(operator)], left, right) for operator, left, right in pairs))

    def conditional(self, tree: ast.expr, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Node:
        then, other = self.any(body), self.any(orelse)
        if is_truth(then) != is_truth(other):
            self.refuse(tree, "two numbers or two truth values to choose from")
        return make("if", self.truth(test), then, other)

    def call(self, tree: ast.expr, called: str, args: list[ast.expr]) -> Node:
        arity = 2 if called == "pow" else len(FUNCTIONS[called].arguments) if called in FUNCTIONS else 0
        if not arity:
            self.refuse(tree, "a function of the language", f"It has {', '.join(sorted([*FUNCTIONS, 'pow']))}.")
        more = called in ("min", "max")
        if len(args) < arity or (len(args) > arity and not more) or any(isinstance(arg, ast.Starred) for arg in args):
            self.refuse(tree, f"{arity} argument{'s' * (arity > 1)}{' or more' * more}")
        values = [self.operand(arg) for arg in args]
        return _fold("**" if called == "pow" else called, values) if arity == 2 else make(called, *values)


def _fold(op: str, values: Iterable[Node]) -> Node:
    """Return two or more values combined by a binary operation, from the left."""
    first, *rest = values
    for value in rest:
        first = make(op, first, value)
    return first


def check_name(identifier: str, where: str) -> None:
    """Raise if a name is not usable for parameters and outputs in every form."""
    bad = not identifier.isidentifier() or keyword.iskeyword(identifier) or identifier.startswith("_")
    if bad or identifier in FUNCTIONS or identifier == "pow":
        fix = "Choose an identifier without leading underscore that is no keyword and no function of the language."
        raise ArgumentValueError(message(where, "a declared name", repr(identifier), "a usable name", fix))


# ---- text ------------------------------------------------------------------------------------------------------------


def text(node: Node) -> str:
    """Return the expression in Python syntax with the fewest parentheses; `parse` restores the same node."""
    return ast.unparse(_tree(node))


def _tree(node: Node) -> ast.expr:
    """Return the syntax tree of a node."""
    if node.op == "name":
        return ast.Name(str(node.value))
    if node.op == "number":
        return ast.Constant(node.value)
    args = [_tree(arg) for arg in node.args]
    if node.op == "true":
        return args[0]
    if node.op == "neg":
        return ast.UnaryOp(ast.USub(), args[0])
    if node.op == "not":
        return ast.UnaryOp(ast.Not(), args[0])
    if node.op == "if":
        return ast.IfExp(*args)
    if node.op in ("and", "or"):
        return ast.BoolOp(ast.And() if node.op == "and" else ast.Or(), args)
    if node.op in COMPARISONS:
        return ast.Compare(args[0], [COMPARISONS[node.op]()], args[1:])
    if node.op in ARITHMETIC or node.op in BOTH:
        return ast.BinOp(args[0], (ARITHMETIC | BOTH)[node.op](), args[1])
    return ast.Call(ast.Name(node.op), args, [])


# ---- transformations that the forms share ------------------------------------------------------------------------------


def simplify_for(roots: Iterable[Node], missing: Collection[str]) -> list[Node]:
    """Return `roots` with small constant powers as products and roots, and the functions in `missing` by their definition."""

    def change(node: Node) -> Node:
        if node.op == "**":
            return _power(*node.args)
        if node.op in missing:
            function = FUNCTIONS[node.op]
            meaning = parse(function.meaning, function.arguments)
            known = dict(zip(function.arguments, node.args, strict=True))
            return rewrite(substitute(meaning, known), change)
        return node

    return [rewrite(root, change) for root in roots]


def _power(base: Node, exponent: Node) -> Node:
    """Return `base ** exponent`, by cheaper operations if the exponent is a small constant."""
    if exponent.op == "neg" and exponent.args[0].op == "number":
        positive = exponent.args[0].value
        if positive in (1, 2, 0.5):
            return make("/", number(1), _power(base, exponent.args[0]))
    if exponent.op == "number":
        if exponent.value == 0.5:
            return make("sqrt", base)
        if isinstance(exponent.value, int) and 1 <= exponent.value <= 4:
            square = make("*", base, base)
            return {1: base, 2: square, 3: make("*", square, base), 4: make("*", square, square)}[exponent.value]
    return make("**", base, exponent)


def share(
    roots: list[Node], apart: Collection[Node] = (), prefix: str = "_"
) -> tuple[list[tuple[str, Node]], list[Node]]:
    """Eliminate common subexpressions: return assignments to temporaries, in order, and the roots in terms of them.

    Nodes that are used more than once, or are in `apart`, get a temporary.
    """
    uses = Counter(arg for node in walk(*roots) for arg in node.args) + Counter(roots)
    steps: list[tuple[str, Node]] = []
    done: dict[Node, Node] = {}
    for node in walk(*roots):
        args = tuple(done[arg] for arg in node.args)
        done[node] = node if args == node.args else make(node.op, *args, value=node.value)
        if node.args and node.op != "true" and (uses[node] > 1 or node in apart):
            steps.append((f"{prefix}{len(steps)}", done[node]))
            temporary = name(steps[-1][0])
            done[node] = make("true", temporary) if is_truth(node) else temporary
    return steps, [done[root] for root in roots]
