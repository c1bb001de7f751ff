"""Device kernels of updates, written from the loops of the CPU (kernels/cpu/optim/optimizer_kernels.py).

    def adagrad(param, grad, scale, decay, rate, moment, numbers):      def adagrad(count, sizes, rates, param, grad, moment,
        epsilon = numbers[0]                                                        param_new, moment_new, number0):
        for i in range(param.size):                                        for t in range(count):
            g = gradient(grad[i], param[i], scale, decay)                      rate = A(rates[t][0])
            m = moment[i] + g * g                                              epsilon = number0
            moment[i] = m                                       becomes        for i in range(block() * threads() + ...):
            param[i] -= rate * g / (np.sqrt(m) + epsilon)                          param_i = A(param[t][i])
                                                                                   ...
                                                                                   moment_new[t][i] = T(moment_i)

The kernel updates many parameters, and writes new arrays: other blocks read the old powers of beta.
"""

from __future__ import annotations

import ast
import functools
import inspect
import textwrap
from collections.abc import Sequence
from typing import Any

from ....core.errors import ArgumentValueError, message
from ....core.generated import define
from ...cpu.optim.optimizer_kernels import loop_of, splittable
from ..device import language, types
from ..device.kernel import DeviceKernel

_SCOPE = {
    **{name: getattr(language, name) for name in language.FUNCTIONS},
    **{name: getattr(types, name) for name in ("A", "T", "int64")},
}
_RENAMED = {"sqrt": "sqrt", "abs": "fabs"}
ELEMENTS = "range(block() * threads() + thread(), sizes[t], blocks() * threads())"


@functools.cache
def update_kernel(type: str, renewed: tuple[bool, ...]) -> DeviceKernel:
    """Return the kernel of an update operator.

    Its arguments: the number of parameters, their sizes; lists of the learning rates [1], parameters, gradients, then of
    each accumulator; lists of the new parameters and of the new accumulators that are `renewed`; the operator's numbers.

    Arguments:
        renewed: for each accumulator, whether the operator has a new value of it.
    """
    found = loop_of(type)
    if found is None or not splittable(type):
        needs = "an update whose loop computes each element by itself"
        raise ArgumentValueError(message("update_kernel", "type", repr(type), needs))
    loop, accumulators = found
    writer = _Writer(accumulators, renewed)
    lines = writer.lines(loop.python)
    kinds = {"count": "int64", "sizes": "int64[...]"}
    given = ["rates", "param", "grad", *accumulators, *(f"{name}_new" for name in writer.outputs)]
    kinds |= dict.fromkeys(given, "T[][]") | {f"number{k}": "A" for k in range(writer.numbers)}
    source = f"def {type}_update({', '.join(kinds)}):\n{textwrap.indent(lines, '    ')}"
    title = f"device kernel of {type}, new {''.join('ny'[each] for each in renewed)}"
    return DeviceKernel(define(title, f"{type}_update", source, dict(_SCOPE)), kinds)


class _Writer(ast.NodeTransformer):
    """Writes the statements of a loop of the CPU as those of a device kernel."""

    def __init__(self, accumulators: Sequence[str], renewed: Sequence[bool]) -> None:
        self.elements = ["param", *(name for name in accumulators if not name.endswith("_pow"))]
        self.powers = [name for name in accumulators if name.endswith("_pow")]
        self.outputs = ["param", *(name for name, new in zip(accumulators, renewed, strict=True) if new)]
        self.numbers = 0

    def lines(self, python: Any) -> str:
        """Return the kernel's statements."""
        tree = ast.parse(textwrap.dedent(inspect.getsource(python))).body[0]
        assert isinstance(tree, ast.FunctionDef)
        place = next(k for k, node in enumerate(tree.body) if isinstance(node, ast.For))
        before, loop, after = tree.body[:place], tree.body[place], tree.body[place + 1 :]
        assert isinstance(loop, ast.For)
        each = ["rate = A(rates[t][0])", *(f"{name}_0 = A({name}[t][0])" for name in self.powers)]
        each += [*self._written(before), f"for i in {ELEMENTS}:"]
        inner = [f"{name}_i = A({name}[t][i])" for name in (*self.elements, "grad")]
        inner += self._written(loop.body)
        inner += [f"{name}_new[t][i] = T({name}_i)" for name in self.elements if name in self.outputs]
        each += [f"    {line}" for line in inner]
        last = [
            *self._written(after),
            *(f"{name}_new[t][0] = T({name}_0)" for name in self.powers if name in self.outputs),
        ]
        if self.powers and last:
            each += ["if block() == 0 and thread() == 0:", *(f"    {line}" for line in last)]
        return "\n".join(["for t in range(count):", *(f"    {line}" for line in each)]) + "\n"

    def _written(self, statements: Sequence[ast.stmt]) -> list[str]:
        text = "\n".join(ast.unparse(self.visit(node)) for node in _single(statements))
        return text.splitlines()

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        name = ast.unparse(node.value)
        if name == "numbers":
            assert isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
            self.numbers = max(self.numbers, node.slice.value + 1)
            return ast.Name(f"number{node.slice.value}", ast.Load())
        return ast.Name(
            f"{name}_{ast.unparse(node.slice)}", node.ctx
        )  # an element: param_i; a power of beta: beta1_pow_0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = ast.unparse(node.func)
        if name == "gradient":
            return ast.Name("grad_i", ast.Load())
        self.generic_visit(node)
        if name == "numbers.dtype.type":
            return ast.Call(ast.Name("A", ast.Load()), node.args, [])
        name = name.removeprefix("np.")
        return ast.Call(ast.Name(_RENAMED.get(name, name), ast.Load()), node.args, [])


def _single(statements: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Return statements with an assignment for each name of `a, b = x, y`, none of which reads the others."""
    found: list[ast.stmt] = []
    for node in statements:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Tuple)
            and isinstance(node.value, ast.Tuple)
        ):
            pairs = zip(node.targets[0].elts, node.value.elts, strict=True)
            found += [ast.Assign([target], value, lineno=node.lineno) for target, value in pairs]
        else:
            found.append(node)
    return found
