"""The pointwise operators that the forms of generated code are tried on, and a plain definition of expressions."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st


class Case(NamedTuple):
    """One expression in x (and y), with values for its scalars and an interval of x that keeps clear of poles."""

    expression: str
    scalars: dict[str, Any] = {}
    low: float = -4.0
    high: float = 4.0

    @property
    def arrays(self) -> tuple[str, ...]:
        found = {node.id for node in ast.walk(ast.parse(self.expression)) if isinstance(node, ast.Name)}
        return tuple(key for key in ("x", "y") if key in found)

    def operands(self, dtype: Any, size: int = 257) -> list[np.ndarray]:
        """Arrays for the call: x over the interval, y another order of it."""
        x = np.linspace(self.low, self.high, size)
        return [values.astype(dtype) for values in (x, np.roll(x[::-1], size // 3))][: len(self.arrays)]


CASES = {
    "relu": Case("x if x > 0 else 0 * x"),
    "relu6": Case("min(max(x, 0), threshold)", {"threshold": 2.0}),
    "leaky_relu": Case("x if x > 0 else alpha * x", {"alpha": 0.02}),
    "elu": Case("x if x > 0 else alpha * expm1(x)", {"alpha": 1.5}),
    "selu": Case("scale * (x if x > 0 else alpha * (exp(x) - 1))", {"scale": 1.050701, "alpha": 1.6732632}),
    "gelu": Case("0.5 * x * (1 + erf(x * 0.7071067811865476))"),
    "gelu_either": Case(
        "0.5 * x * (1 + (tanh(0.7978845608 * (x + 0.044715 * x ** 3)) if approximate else erf(x * 0.7071067811865476)))",
        {"approximate": True},
    ),
    "swish": Case("x * sigmoid(beta * x)", {"beta": 1.5}),
    "hard_swish": Case("x * min(max(x + offset, 0), top) / scale", {"offset": 3.0, "top": 6.0, "scale": 6.0}),
    "softplus": Case("log1p(exp(x)) if x < 13 else x"),
    "logsigmoid": Case("min(x, 0) - log1p(exp(-abs(x)))"),
    "softsign": Case("x / (1 + abs(x))"),
    "tanh_shrink": Case("x - tanh(x)"),
    "hard_sigmoid": Case("max(0, min(1, slope * x + offset))", {"slope": 0.2, "offset": 0.5}),
    "stanh": Case("b * tanh(a * x)", {"a": 0.67, "b": 1.7159}),
    "softshrink": Case("x - t if x > t else x + t if x < -t else 0", {"t": 0.5}),
    "hard_shrink": Case("x if x > t or x < -t else 0", {"t": 0.5}),
    "thresholded_relu": Case("x if x > t else 0", {"t": 1.0}),
    "brelu": Case("min(max(x, low), high)", {"low": 1.0, "high": 3}),
    "soft_relu": Case("log(1 + exp(max(min(x, t), -t)))", {"t": 2.0}),
    "sigmoid": Case("sigmoid(x)"),
    "tanh": Case("tanh(x)"),
    "exp": Case("exp(x)"),
    "log": Case("log(x)", low=0.1),
    "log1p": Case("log1p(x)", low=-0.9),
    "expm1": Case("expm1(x)"),
    "sqrt": Case("sqrt(x)", low=0.1),
    "rsqrt": Case("rsqrt(x)", low=0.1),
    "reciprocal": Case("1 / x", low=0.1),
    "square": Case("x ** 2"),
    "cube": Case("x ** 3"),
    "fourth": Case("x ** 4"),
    "inverse_square": Case("x ** -2", low=0.1),
    "root": Case("x ** 0.5", low=0.1),
    "pow": Case("pow(x, factor)", {"factor": 1.7}, low=0.1),
    "powers": Case("x ** y", low=0.1),
    "exponential": Case("2 ** x"),
    "abs": Case("abs(x)"),
    "sign": Case("sign(x)"),
    "floor": Case("floor(x)", low=-3.9, high=3.8),
    "ceil": Case("ceil(x)", low=-3.9, high=3.8),
    "trunc": Case("trunc(x)", low=-3.9, high=3.8),
    "round": Case("round(x)", low=-3.9, high=3.8),
    "sin": Case("sin(x)"),
    "cos": Case("cos(x)"),
    "asin": Case("asin(x)", low=-0.9, high=0.9),
    "acos": Case("acos(x)", low=-0.9, high=0.9),
    "atan": Case("atan(x)"),
    "sinh": Case("sinh(x)"),
    "cosh": Case("cosh(x)"),
    "erf": Case("erf(x)"),
    "add": Case("x + y"),
    "maximum": Case("max(x, y)"),
    "minimum": Case("min(x, y)"),
    "blend": Case("(x - y) * t / (1 + exp(-x * y)) + (x - y) ** 2", {"t": 3}),
    "scalars": Case("x * (exp(a) / (1 + a ** 2)) if a > 0 else x - y", {"a": 0.3}),
}
TRUTHS = {
    "greater": Case("x > y"),
    "between": Case("-1 < x <= 1"),
    "either": Case("x > 1 or not y > 0 and x != y"),
    "finite": Case("not (isnan(x) or isinf(x))"),
    "chosen": Case("x > 0 if y > 0 else x < 0"),
    "all_of": Case("x and y"),
}
GRADIENTS = {
    "relu_grad": Case("y if x > 0 else 0 * y"),
    "tanh_grad": Case("y * (1 - x ** 2)"),
    "sigmoid_grad": Case("y * x * (1 - x)"),
    "gelu_grad": Case("y * (0.5 * (1 + erf(x * 0.7071067811865476)) + x * 0.3989422804014327 * exp(-0.5 * x ** 2))"),
    "swish_grad": Case("y * (sigmoid(b * x) + x * b * sigmoid(b * x) * (1 - sigmoid(b * x)))", {"b": 1.5}),
    "constant": Case("1 if x > 0 else t", {"t": 0.25}),
}


def no_error(function: Callable[..., float], *args: float) -> float:
    """A function of the math module with IEEE results instead of exceptions."""
    try:
        return function(*args)
    except OverflowError:
        return math.inf
    except ValueError:
        return (
            -math.inf
            if function in (math.log, math.log1p) and args[0] == (0 if function is math.log else -1)
            else math.nan
        )


def divide(a: float, b: float) -> float:
    return float(np.divide(np.float64(a), np.float64(b)))


def nearest(x: float) -> float:
    """The integer next to x, halves away from zero, without a sum that rounds; from 2**52 on all numbers are integers."""
    if not abs(x) < 2**52:
        return x
    whole = math.floor(abs(x))
    return math.copysign(whole + (abs(x) - whole >= 0.5), x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{
        key: (lambda function: lambda *args: no_error(function, *args))(getattr(math, key))
        for key in (
            "exp",
            "log",
            "log1p",
            "expm1",
            "tanh",
            "sin",
            "cos",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "erf",
            "sqrt",
        )
    },
    "pow": lambda a, b: float(np.power(np.float64(a), np.float64(b))),
    "abs": abs,
    "rsqrt": lambda x: divide(1, no_error(math.sqrt, x)),
    "sigmoid": lambda x: divide(1, 1 + no_error(math.exp, -x)),
    "sign": lambda x: x if x != x else (x > 0) - (x < 0),
    **{
        key: (lambda function: lambda x: float(function(x)) if math.isfinite(x) else x)(getattr(math, key))
        for key in ("floor", "ceil", "trunc")
    },
    "round": nearest,
    "min": lambda *args: math.nan if any(a != a for a in args) else min(args),
    "max": lambda *args: math.nan if any(a != a for a in args) else max(args),
    "isnan": math.isnan,
    "isinf": math.isinf,
}


def define(expression: str, values: dict[str, Any]) -> Any:
    """The value of an expression for one element, by Python's own rules in float64: what the forms must agree with."""
    return _value(ast.parse(expression, mode="eval").body, values)


def _value(tree: ast.expr, values: dict[str, Any]) -> Any:
    def of(part: ast.expr) -> Any:
        return _value(part, values)

    match tree:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=key):
            return values[key]
        case ast.BinOp(left=left, op=symbol, right=right):
            a, b = of(left), of(right)
            match symbol:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return divide(a, b)
                case ast.Pow():
                    return no_error(math.sqrt, a) if b == 0.5 else FUNCTIONS["pow"](a, b)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -of(operand)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not of(operand)
        case ast.BoolOp(op=symbol, values=parts):
            return (all if isinstance(symbol, ast.And) else any)([bool(of(part)) for part in parts])
        case ast.Compare():
            return bool(eval(compile(ast.Expression(tree), "<comparison>", "eval"), dict(FUNCTIONS), values))
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return of(body) if of(test) else of(orelse)
        case ast.Call(func=ast.Name(id=key), args=args):
            return FUNCTIONS[key](*map(of, args))
    raise AssertionError(ast.dump(tree))


# ---- random expressions ----------------------------------------------------------------------------------------------

_LEAVES = ["x", "y", "alpha", "0", "1", "2", "0.5", "3"]
_EXACT = ["({} + {})", "({} - {})", "{} * {}", "min({}, {})", "max({}, {})"]
_ROUNDED = ["{} / (1 + abs({}))", "sqrt(abs({})) - {}"]
_ONE = ["-({})", "abs({})", "floor({})", "ceil({})", "trunc({})", "round({})", "sign({})"]
_TESTS = ["{} < {}", "{} <= {}", "{} > {}", "{} >= {}", "{} == {}", "{} != {}"]


def expressions(exact: bool = False, depth: int = 4) -> st.SearchStrategy[str]:
    """Expressions in x, y and alpha of operations that IEEE 754 rounds correctly, so that all forms agree to the last bit.

    `exact` leaves out those that round small multiples of 1/4 at all, so that contracting a product and a sum makes no
    difference. Signs of zeros make none either, as nothing divides by a zero.
    """
    pairs = st.sampled_from(_EXACT if exact else _EXACT + _ROUNDED)

    def grow(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        test = st.builds(str.format, st.sampled_from(_TESTS), part, part)
        test |= st.sampled_from(["x", "alpha"]) | st.builds(
            str.format, st.sampled_from(["isnan({})", "isinf({})"]), part
        )
        test |= st.builds(str.format, st.sampled_from(["({} and {})", "({} or {})"]), test, test)
        test |= st.builds("not ({})".format, test)
        return (
            st.builds(str.format, pairs, part, part)
            | st.builds(str.format, st.sampled_from(_ONE), part)
            | st.builds("({} if {} else {})".format, part, test, part)
        )

    part = st.sampled_from(_LEAVES)
    for _ in range(depth):
        part = st.sampled_from(_LEAVES) | grow(part)
    return part


# ---- the C text of CUDA kernels --------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(\w+)|(&&|\|\||[=!<>]=|.))")
_BINDING = [("||",), ("&&",), ("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/")]
_C_FUNCTIONS = {
    "fabs": abs, "sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "pow": np.power, "exp": np.exp,
    "log": np.log, "log1p": np.log1p, "expm1": np.expm1, "tanh": np.tanh, "sin": np.sin, "cos": np.cos, "asin": np.arcsin,
    "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "erf": math.erf,
    "round": lambda x: np.float64(nearest(float(x))), "rsqrt": lambda x: 1 / np.sqrt(x),
}  # fmt: skip


class CProgram:
    """Runs the operation of a `CudaSpec` by C's rules, strictly: every name declared once and typed, every constant a T."""

    def __init__(self, spec: Any) -> None:
        self.inputs = [tuple(part.split()) for part in spec.in_params.split(", ")]
        self.outputs = [tuple(part.split()) for part in spec.out_params.split(", ")]
        statements = spec.operation.split(";")
        assert not statements.pop().strip()
        self.statements = [statement.strip().split(" = ", 1) for statement in statements]

    def run(self, *values: Any) -> list[Any]:
        """The outputs for one element of each input."""
        self.known: dict[str, Any] = {}
        for (kind, key), value in zip(self.inputs, values, strict=True):
            assert (kind == "bool") <= isinstance(value, (bool, np.bool_)) or kind != "T"
            self.known[key] = bool(value) if kind == "bool" else np.float64(value)
        results = dict.fromkeys(key for _, key in self.outputs)
        for target, written in self.statements:
            *kind, key = target.split()
            value = self.evaluate(written)
            if kind:
                assert kind[0] == "const" and key not in self.known and key not in results
                assert isinstance(value, np.float64) == (kind[1] in ("T", "double"))
                self.known[key] = value
            else:
                declared = next(kind for kind, name in self.outputs if name == key)
                assert results[key] is None
                assert isinstance(value, np.float64) == (declared != "bool")
                results[key] = value
        return list(results.values())

    def evaluate(self, written: str) -> Any:
        """The value of a C expression."""
        self.tokens = [next(filter(None, match.groups())) for match in _TOKEN.finditer(written)]
        value = self.ternary()
        assert not self.tokens, written
        return value

    def take(self, *expected: str) -> str:
        token = self.tokens.pop(0)
        assert not expected or token in expected, (token, expected)
        return token

    def ternary(self) -> Any:
        condition = self.infix(0)
        if self.tokens[:1] != ["?"]:
            return condition
        assert isinstance(condition, (bool, np.bool_))
        self.take("?")
        then = self.ternary()
        self.take(":")
        other = self.ternary()
        assert isinstance(then, np.float64) == isinstance(other, np.float64)
        return then if condition else other

    def infix(self, level: int) -> Any:
        if level == len(_BINDING):
            return self.unary()
        left = self.infix(level + 1)
        while self.tokens and self.tokens[0] in _BINDING[level]:
            symbol = self.take()
            if symbol == "!=" and self.tokens[0] == "0":
                self.take()
                left = left != 0
                continue
            right = self.infix(level + 1)
            assert isinstance(left, np.float64) == isinstance(right, np.float64) == (symbol not in ("&&", "||"))
            left = _C_OPERATORS[symbol](left, right)
        return left

    def unary(self) -> Any:
        if self.tokens[0] in ("-", "!"):
            symbol, value = self.take(), self.unary()
            assert isinstance(value, np.float64) == (symbol == "-")
            return -value if symbol == "-" else not value
        return self.primary()

    def primary(self) -> Any:
        token = self.take()
        if token == "(":
            value = self.ternary()
            self.take(")")
            return value
        if self.tokens[:1] != ["("]:
            return self.known[token]
        self.take("(")
        if token in ("T", "double"):
            value = np.float64(self.take())
        else:
            args = [self.ternary()]
            while self.tokens[0] == ",":
                self.take()
                args.append(self.ternary())
            assert all(isinstance(arg, np.float64) for arg in args)
            value = np.float64(_C_FUNCTIONS[token](*args))
        self.take(")")
        return value


_C_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "||": lambda a, b: a or b, "&&": lambda a, b: a and b, "==": operator.eq, "!=": operator.ne, "<": operator.lt,
    "<=": operator.le, ">": operator.gt, ">=": operator.ge, "+": operator.add, "-": operator.sub, "*": operator.mul,
    "/": operator.truediv,
}  # fmt: skip
