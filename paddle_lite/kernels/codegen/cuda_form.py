"""The CUDA form of expressions: the strings of a `cupy.ElementwiseKernel`, generated without CuPy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .expression import ARITHMETIC, COMPARISONS, Node, is_truth, numeric_names, share, simplify_for

_MISSING = ("sigmoid", "sign", "min", "max", "isnan", "isinf")  # fmin and fmax drop NaN
_SPELLING = {"abs": "fabs", "and": "&&", "or": "||", "**": "pow"}
_PLACEHOLDERS = "UVWXYZABCDEFGH"  # type parameters of arrays that are only tested for zero


class CudaSpec(NamedTuple):
    """The arguments of `cupy.ElementwiseKernel`, in its order; the kernel is called with arrays, then scalars.

    The arrays have one floating dtype T (arrays that are only tested for zero may have any dtype); the NumPy form over CuPy
    handles other dtypes.
    """

    in_params: str
    out_params: str
    operation: str
    name: str


def cuda_spec(name: str, outputs: Mapping[str, Node], arrays: Sequence[str], scalars: Sequence[str]) -> CudaSpec:
    """Return the specification of the kernel that computes `outputs` for each element.

    >>> from .expression import parse
    >>> cuda_spec("leaky_relu", {"out": parse("x if x > 0 else alpha * x")}, ["x"], ["alpha"])
    CudaSpec(in_params='T in_x, T in_alpha', out_params='T out_out',
             operation='out_out = (in_x > T(0)) ? in_x : (in_alpha * in_x);', name='leaky_relu')
    """
    roots = simplify_for(outputs.values(), _MISSING)
    wanted = numeric_names(*roots)
    dtype = "T" if wanted & set(arrays) else "double"
    letters = iter(_PLACEHOLDERS)
    inputs = [f"{dtype if array in wanted else next(letters)} in_{array}" for array in arrays]
    inputs += [f"{dtype if scalar in wanted else 'bool'} in_{scalar}" for scalar in scalars]
    kinds = ["bool" if is_truth(root) else "T" if dtype == "T" else "float64" for root in roots]
    results = [f"{kind} out_{output}" for kind, output in zip(kinds, outputs, strict=True)]
    steps, finals = share(roots)
    lines = [f"const {'bool' if is_truth(value) else dtype} t{key} = {_c(value, dtype)};" for key, value in steps]
    lines += [f"out_{key} = {_c(value, dtype)};" for key, value in zip(outputs, finals, strict=True)]
    return CudaSpec(", ".join(inputs), ", ".join(results), "\n".join(lines), name)


def _c(node: Node, dtype: str) -> str:
    """Return the C source of a node."""
    if node.op == "name":
        key = str(node.value)
        return f"t{key}" if key.startswith("_") else f"in_{key}"
    if node.op == "number":
        return f"{dtype}({node.value!r})" if math.isfinite(float(node.value)) else f"({dtype}(1) / {dtype}(0))"
    args = [_operand(arg, dtype) for arg in node.args]
    if node.op == "true":
        return args[0] if _is_temporary(node) else f"{args[0]} != 0"
    if node.op in ("neg", "not"):
        return f"{'-' if node.op == 'neg' else '!'}{args[0]}"
    if node.op == "if":
        return f"{args[0]} ? {args[1]} : {args[2]}"
    symbol = _SPELLING.get(node.op, node.op)
    if node.op in _INFIX:
        return f"{args[0]} {symbol} {args[1]}"
    return f"{symbol}({', '.join(_c(arg, dtype) for arg in node.args)})"


def _operand(node: Node, dtype: str) -> str:
    """Return the C source of a node as an operand, in parentheses if necessary."""
    return f"({_c(node, dtype)})" if node.op in _OPERATORS and not _is_temporary(node) else _c(node, dtype)


def _is_temporary(node: Node) -> bool:
    """Return whether a node is the name of a truth value that was computed before."""
    return node.op == "true" and str(node.args[0].value).startswith("_")


_INFIX = {*ARITHMETIC, *COMPARISONS, "and", "or"} - {"**"}
_OPERATORS = {*_INFIX, "neg", "not", "if", "true"}
