"""A kernel's Python source as CUDA C: the same statements, each name with a type from its first assignment."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NoReturn

from ....core.errors import ArgumentValueError, message
from .language import COLLECTIVES, FUNCTIONS

CASTS = {"T", "U", "V", "A", "bool", "int8", "uint8", "float16", "int32", "int64", "float32", "float64"}
_BINARY = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "/", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
_UNARY = {ast.USub: "-", ast.Not: "!", ast.Invert: "~"}
_COMPARE = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="}


class Translation:
    """The translation of one kernel.

    Arguments:
        tree: the syntax tree of its definition.
        file: where it stands, for errors.
        parameters: name -> its annotation, such as "T[]" or "int64".
        constants: names of modules' numbers that the kernel reads -> their values.
        devices: name -> the numbers of the parameters that it writes, for each device function that the kernel calls.
    """

    def __init__(
        self,
        tree: ast.FunctionDef,
        file: str,
        parameters: dict[str, str],
        constants: dict[str, Any],
        devices: dict[str, list[int]],
    ) -> None:
        self.tree, self.file, self.parameters = tree, file, parameters
        self.constants, self.devices = constants, devices
        self.scopes: list[set[str]] = [set(parameters)]
        self.stored = set(self._stored())

    def _stored(self) -> Iterator[str]:
        """Yield the names of the arrays that the kernel writes, itself or by a function that it calls."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                yield ast.unparse(node.value)
            elif isinstance(node, ast.Call) and _called(node) in ("atomic_add", "atomic_or"):
                yield ast.unparse(node.args[0])
            elif isinstance(node, ast.Call):
                written = self.devices.get(_called(node), ())
                yield from (ast.unparse(node.args[i]) for i in written)

    def text(self, linkage: str, result: str = "void") -> str:
        """Return the definition in CUDA C."""
        parameters = ", ".join(self._parameter(name, kind) for name, kind in self.parameters.items())
        body = self._body(self.tree.body[1:] if ast.get_docstring(self.tree) else self.tree.body, 1)
        return f"{linkage} {result} {self.tree.name}({parameters}) {{\n{body}}}\n"

    def refuse(self, node: ast.AST, needs: str) -> NoReturn:
        """Raise an error that names the line."""
        line = getattr(node, "lineno", self.tree.lineno)
        where = f"device kernel {self.tree.name} ({self.file}:{line})"
        raise ArgumentValueError(message(where, "the statement", repr(ast.unparse(node)), needs))

    def _parameter(self, name: str, kind: str) -> str:
        element, _, dims = kind.partition("[")
        if dims in ("][]", "...]"):
            return f"const __grid_constant__ {'Arrays' if dims == '][]' else 'Numbers'}<{_type(element)}> {name}"
        if kind.endswith("[]"):
            const = "" if name in self.stored else "const "
            return f"{const}{_type(kind[:-2])}* __restrict__ {name}"
        return f"{_type(kind)} {name}"

    # ---- statements --------------------------------------------------------------------------------------------------

    def _body(self, statements: list[ast.stmt], depth: int) -> str:
        return "".join(f"{'    ' * depth}{line}\n" for each in statements for line in self._statement(each, depth))

    def _block(self, head: str, statements: list[ast.stmt], depth: int, names: set[str] | None = None) -> str:
        self.scopes.append(names or set())
        text = f"{head} {{\n{self._body(statements, depth + 1)}{'    ' * depth}}}"
        self.scopes.pop()
        return text

    def _statement(self, node: ast.stmt, depth: int) -> list[str]:
        match node:
            case ast.Expr(value=ast.Yield(value=None)):
                return ["__syncthreads();"]
            case ast.Expr(value=ast.Call() | ast.YieldFrom() as call):
                return [f"{self._expression(call)};"]
            case ast.Assign(targets=[target], value=value):
                return [self._assign(target, value)]
            case ast.AugAssign(target=target, op=op, value=value):
                left = self._expression(_loaded(target))
                return [f"{left} = {self._binary(node, op, left, self._expression(value))};"]
            case ast.If(test=test, body=body, orelse=orelse):
                text = self._block(f"if ({self._expression(test)})", body, depth)
                return [self._block(f"{text} else", orelse, depth) if orelse else text]
            case ast.While(test=test, body=body, orelse=[]):
                return [self._block(f"while ({self._expression(test)})", body, depth)]
            case ast.For(target=ast.Name(id=name), iter=ast.Call() as loop, body=body, orelse=[]) if (
                _called(loop) == "range"
            ):
                return [self._block(self._range(name, loop), body, depth, {name})]
            case ast.Return(value=value):
                return [f"return {self._expression(value)};" if value is not None else "return;"]
            case ast.Break() | ast.Continue():
                return [f"{type(node).__name__.lower()};"]
            case ast.Pass():
                return []
        self.refuse(
            node, "an assignment, `if`, `while`, `for i in range(...)`, a call, `yield`, return, break or continue"
        )

    def _range(self, name: str, loop: ast.Call) -> str:
        bounds = [self._expression(each) for each in loop.args]
        start, stop, step = [["0", *bounds, "1"], [*bounds, "1"], bounds][len(bounds) - 1]
        compare = ">" if step.lstrip("(").startswith("-") else "<"
        return f"for (long long {name} = {start}; {name} {compare} {stop}; {name} += {step})"

    def _assign(self, target: ast.expr, value: ast.expr) -> str:
        if isinstance(target, ast.Subscript):
            return f"{self._expression(_loaded(target))} = {self._expression(value)};"
        if not isinstance(target, ast.Name):
            self.refuse(target, "a name or an element of an array")
        known = any(target.id in scope for scope in self.scopes)
        if isinstance(value, ast.Call) and _called(value) in ("shared", "local"):
            kind, size = value.args
            place = "__shared__ " if _called(value) == "shared" else ""
            self.scopes[-1].add(target.id)
            filled = "" if place else " = {}"
            return f"{place}{_type(ast.unparse(kind))} {target.id}[{self._expression(size)}]{filled};"
        text = self._expression(value)
        if known:
            return f"{target.id} = {text};"
        self.scopes[-1].add(target.id)
        return f"auto {target.id} = {text};"

    # ---- expressions -------------------------------------------------------------------------------------------------

    def _expression(self, node: ast.AST) -> str:
        match node:
            case ast.Constant(value=bool() as value):
                return "true" if value else "false"
            case ast.Constant(value=int() as value):
                return f"{value}LL"
            case ast.Constant(value=float() as value):
                return f"A({value!r})"
            case ast.Name(id=name):
                return self._name(node, name)
            case ast.Subscript(value=ast.Name() | ast.Subscript() as array, slice=index):
                return f"{self._expression(array) if isinstance(array, ast.Subscript) else array.id}[{self._expression(index)}]"
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(node, op, self._expression(left), self._expression(right))
            case ast.UnaryOp(op=op, operand=operand) if type(op) in _UNARY:
                return f"({_UNARY[type(op)]}{self._expression(operand)})"
            case ast.BoolOp(op=op, values=values):
                symbol = " && " if isinstance(op, ast.And) else " || "
                return f"({symbol.join(map(self._expression, values))})"
            case ast.Compare(left=left, ops=ops, comparators=others):
                sides = [self._expression(each) for each in (left, *others)]
                pairs = [f"{a} {_COMPARE[type(op)]} {b}" for a, op, b in zip(sides, ops, sides[1:])]
                return f"({' && '.join(pairs)})"
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return f"({self._expression(test)} ? {self._expression(body)} : {self._expression(orelse)})"
            case ast.YieldFrom(value=ast.Call() as call) if _called(call) in COLLECTIVES | self.devices.keys():
                return self._call(call)
            case ast.Call() if _called(node) in FUNCTIONS | CASTS | self.devices.keys():
                return self._call(node)
        self.refuse(node, "numbers, names, elements of arrays, operators, and functions of the language")

    def _name(self, node: ast.AST, name: str) -> str:
        if any(name in scope for scope in self.scopes):
            return name
        if name == "INFINITY":
            return "A(__int_as_float(0x7f800000))"
        if name in self.constants:
            return self._expression(ast.copy_location(ast.Constant(self.constants[name]), node))
        self.refuse(node, "a name that was assigned before, in a block around this one")

    def _binary(self, node: ast.AST, op: ast.operator, left: str, right: str) -> str:
        if type(op) not in _BINARY:
            self.refuse(
                node, f"one of the operators {' '.join(dict.fromkeys(_BINARY.values()))}; `power(a, b)` for powers"
            )
        if isinstance(op, ast.Div):
            return f"(A({left}) / A({right}))"
        return f"({left} {_BINARY[type(op)]} {right})"

    def _call(self, node: ast.Call) -> str:
        name = _called(node)
        arguments = [self._expression(each) for each in node.args]
        return f"({_type(name)})({arguments[0]})" if name in CASTS else f"{name}({', '.join(arguments)})"


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _loaded(target: ast.expr) -> ast.expr:
    """Return the target of an assignment as an expression."""
    copy = ast.parse(ast.unparse(target), mode="eval").body
    return ast.copy_location(copy, target)


def _type(kind: str) -> str:
    """Return the type in CUDA C."""
    names = {
        "int8": "signed char",
        "uint8": "unsigned char",
        "float16": "__half",
        "int64": "int64_type",
        "int32": "int",
        "float32": "float",
        "float64": "double",
    }
    return names.get(kind, kind)
