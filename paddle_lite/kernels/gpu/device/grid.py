"""A kernel run by Python on all threads of a grid, to find wrong indices, missing barriers and wrong results without a GPU.

The threads of a block run one after the other from barrier to barrier, in an order that differs from segment to segment, so that a
kernel that lacks a barrier gives wrong results.
"""

from __future__ import annotations

import ast
import inspect
import random
import textwrap
import types
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ....core.errors import ArgumentValueError, message
from . import language
from .language import Checked, Thread


def run(
    function: Callable, kinds: dict[str, Any], blocks: int, threads: int, arguments: dict[str, Any], seed: int = 0
) -> None:
    """Run a kernel on a grid of threads.

    Arguments:
        function: the kernel's Python function.
        kinds: the dtype of each type parameter: {"T": float32, ...}.
        blocks, threads: the shape of the grid.
        arguments: name -> a flat NumPy array, which the kernel may write, a number, or a list of them.
        seed: of the order in which threads run.

    Raises:
        ArgumentValueError: an index lies outside of its array, integers are divided that are negative, or threads of one block wait
            at a barrier that others do not reach.
    """
    body = _checking(function, tuple(kinds.items()))
    bound = {name: _bound(name, value) for name, value in arguments.items()}
    order = random.Random(seed)
    for block in range(blocks):
        mail: list = [None] * threads
        arrays: list = []
        waiting = []
        for number in range(threads):
            current = Thread(block, blocks, number, threads, mail, arrays)
            Thread.now = current
            waiting.append((current, body(**bound)))
        while waiting:
            order.shuffle(waiting)
            at_barrier = [each for each in waiting if _runs_on(*each)]
            if at_barrier and len(at_barrier) < len(waiting):
                needs = "a barrier that all threads of a block reach"
                got = f"{len(at_barrier)} of {len(waiting)} threads at it"
                raise ArgumentValueError(message(f"device kernel {function.__name__}", "`yield`", got, needs))
            waiting = at_barrier


def _bound(name: str, value: Any) -> Any:
    """Return an argument as kernels take it: arrays check their indices."""
    if isinstance(value, list):
        return [_bound(f"{name}[{i}]", each) for i, each in enumerate(value)]
    return Checked(value, name) if isinstance(value, np.ndarray) else value


def _runs_on(current: Thread, rest: Any) -> bool:
    """Run a thread to its next barrier; return whether there is one."""
    Thread.now = current
    return isinstance(rest, types.GeneratorType) and next(rest, language) is not language


class _Division(ast.NodeTransformer):
    """Replaces `a // b` and `a % b` by calls that refuse negative numbers."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = {ast.FloorDiv: "_quotient", ast.Mod: "_remainder"}.get(type(node.op))
        if name is None:
            return node
        return ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], []), node)


def _whole(a: Any, b: Any) -> tuple[int, int]:
    if a < 0 or b <= 0 or isinstance(a, (float, np.floating)) or isinstance(b, (float, np.floating)):
        raise ArgumentValueError(message("a device kernel", "// or %", f"{a} and {b}", "whole numbers, not negative"))
    return int(a), int(b)


def _quotient(a: Any, b: Any) -> int:
    if type(a) is not int or type(b) is not int or a < 0 or b <= 0:
        a, b = _whole(a, b)
    return a // b


def _remainder(a: Any, b: Any) -> int:
    if type(a) is not int or type(b) is not int or a < 0 or b <= 0:
        a, b = _whole(a, b)
    return a % b


def whole32(value: Any) -> int:
    """Return a number as int32, which it has to fit."""
    number = int(value)
    if not -(2**31) <= number < 2**31:
        raise ArgumentValueError(message("a device kernel", "int32", number, "a number of 32 bits"))
    return number


@cache
def _checking(function: Callable, kinds: tuple[tuple[str, Any], ...]) -> Callable:
    """Return the function with its type parameters bound and its integer divisions checked."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise ArgumentValueError(message("device_kernel", "function", function, "a function that `def` has made"))
    definition.decorator_list = []
    ast.increment_lineno(tree, function.__code__.co_firstlineno - 1)
    tree = ast.fix_missing_locations(_Division().visit(tree))
    scope = {**function.__globals__, **dict(kinds), "_quotient": _quotient, "_remainder": _remainder}
    for name in function.__code__.co_names:
        called = getattr(function.__globals__.get(name), "device_function", None)
        if called is not None:
            scope[name] = _checking(called, kinds)
    exec(compile(tree, inspect.getfile(function), "exec"), scope)
    return scope[function.__name__]
