"""Symbolic derivatives of expressions, used for double gradients and for checks."""

from __future__ import annotations

from .expression import Node, make, name, number, parse, substitute, text, walk
from .functions import FUNCTIONS

_ZERO, _ONE = number(0), number(1)


def derive(expression: str, wrt: str) -> str:
    """Return d `expression` / d `wrt` as text; a conditional is differentiated branch by branch.

    At a kink, the derivative is that of the branch which the condition selects; steps (sign, floor, round) have derivative 0.

    >>> derive("x if x > 0 else alpha * x", "x")
    '1 if x > 0 else alpha'
    >>> derive("x * sigmoid(beta * x)", "x")
    'sigmoid(beta * x) + x * (sigmoid(beta * x) * (1 - sigmoid(beta * x)) * beta)'
    """
    return text(derivative(parse(expression), wrt))


def derivative(root: Node, wrt: str) -> Node:
    """Return d `root` / d `wrt` as a node."""
    target = name(wrt)
    slopes: dict[Node, Node] = {}
    for node in walk(root):
        slopes[node] = _ONE if node is target else _slope(node, [slopes[arg] for arg in node.args])
    return slopes[root]


def _slope(node: Node, slopes: list[Node]) -> Node:
    """Apply the chain rule to one node, given the derivatives of its arguments."""
    args = node.args
    match node.op:
        case "+":
            return add(*slopes)
        case "-":
            return subtract(*slopes)
        case "neg":
            return negate(*slopes)
        case "*":
            return add(multiply(slopes[0], args[1]), multiply(args[0], slopes[1]))
        case "/":
            return divide(subtract(slopes[0], multiply(divide(*args), slopes[1])), args[1])
        case "**":
            return _power_slope(args[0], args[1], slopes[0], slopes[1])
        case "if":
            return choose(args[0], slopes[1], slopes[2])
    if node.op not in FUNCTIONS:  # a constant, another name, a truth value
        return _ZERO
    function, total = FUNCTIONS[node.op], _ZERO
    known = dict(zip(function.arguments, args, strict=True))
    for partial, slope in zip(function.derivatives, slopes, strict=True):
        total = add(total, multiply(substitute(parse(partial), known), slope))
    return total


def _power_slope(base: Node, exponent: Node, base_slope: Node, exponent_slope: Node) -> Node:
    """Return v u^(v-1) u' + u^v log(u) v'; the second term is omitted if the exponent is constant."""
    first = multiply(multiply(exponent, raise_to(base, subtract(exponent, _ONE))), base_slope)
    return add(first, multiply(multiply(raise_to(base, exponent), make("log", base)), exponent_slope))


# ---- simplifying constructors --------------------------------------------------------------------------------------


def _constant(node: Node) -> float | int | None:
    """Return the value of a constant or of a negated constant, else None."""
    if node.op == "neg" and (value := _constant(node.args[0])) is not None:
        return -value
    return node.value if node.op == "number" and not isinstance(node.value, str) else None


def negate(a: Node) -> Node:
    """Return -a."""
    return a.args[0] if a.op == "neg" else _ZERO if _constant(a) == 0 else make("neg", a)


def add(a: Node, b: Node) -> Node:
    """Return a + b."""
    p, q = _constant(a), _constant(b)
    if p is not None and q is not None:
        return number(p + q)
    if p == 0 or q == 0:
        return b if p == 0 else a
    if b.op == "neg" or a.op == "neg":
        return make("-", a, b.args[0]) if b.op == "neg" else make("-", b, a.args[0])
    return multiply(number(2), a) if a is b else make("+", a, b)


def subtract(a: Node, b: Node) -> Node:
    """Return a - b."""
    return _ZERO if a is b else add(a, negate(b))


def multiply(a: Node, b: Node) -> Node:
    """Return a * b."""
    p, q = _constant(a), _constant(b)
    if p is not None and q is not None:
        return number(p * q)
    if 0 in (p, q):
        return _ZERO
    if 1 in (p, q):
        return b if p == 1 else a
    if a.op == "neg" or b.op == "neg":
        product = multiply(*(node.args[0] if node.op == "neg" else node for node in (a, b)))
        return product if a.op == b.op else negate(product)
    if a.op == "if" and _constant(a.args[1]) is not None and _constant(a.args[2]) is not None:
        return choose(a.args[0], multiply(a.args[1], b), multiply(a.args[2], b))
    if a.op == "/" and _constant(a.args[0]) == 1:
        return divide(b, a.args[1])
    if p is not None and b.op == "*" and _constant(b.args[0]) is not None:
        return multiply(multiply(a, b.args[0]), b.args[1])
    return make("*", a, b)


def divide(a: Node, b: Node) -> Node:
    """Return a / b."""
    if _constant(a) == 0:
        return _ZERO
    if a.op == "neg":
        return negate(divide(a.args[0], b))
    return a if _constant(b) == 1 else make("/", a, b)


def raise_to(a: Node, b: Node) -> Node:
    """Return a ** b."""
    exponent = _constant(b)
    return _ONE if exponent == 0 else a if exponent == 1 else make("**", a, b)


def choose(condition: Node, a: Node, b: Node) -> Node:
    """Return a if condition else b."""
    return a if a is b else make("if", condition, a, b)
