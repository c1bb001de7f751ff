"""The Numba form of expressions: one vectorised loop over flat contiguous arrays that computes all outputs.

The loop has no branches: conditionals select between values that are both computed. Constants and scalars have the
dtype of the arrays, since a single float64 would make the whole loop compute in float64. Subexpressions of scalars only
are evaluated before the loop, in Python, as in the NumPy form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.generated import define
from ..threads import AWAKE, SMALLEST_PART, parallel_slices
from .expression import (
    Node,
    is_truth,
    make,
    name,
    names,
    number,
    numeric_names,
    share,
    simplify_for,
    text,
    varying_nodes,
    walk,
)
from .functions import FUNCTIONS
from .numpy_form import SCALAR_FUNCTIONS, constant_name, promotion, scalar_text

DTYPES = (np.dtype(np.float32), np.dtype(np.float64))
TRUTH_DTYPES = frozenset(map(np.dtype, ("?", "u1", "i1", "i4", "i8", "f4", "f8")))  # of arrays only tested for zero
VECTORISED = (  # by kernels.cpu.vecmath
    "acos", "asin", "atan", "cos", "cosh", "erf", "exp", "expm1", "log", "log1p", "sigmoid", "sin", "sinh", "tanh",
)  # fmt: skip
_INSTRUCTIONS = {"abs": abs, "sqrt": np.sqrt, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc}
_MISSING = FUNCTIONS.keys() - set(VECTORISED) - _INSTRUCTIONS.keys()
_WITHOUT_BRANCH = {"and": "&", "or": "|", "**": "pow"}  # branch-free operators, and pow from kernels.cpu.vecmath

# NumPy functions of one array that are slower than the loop on large arrays, by dtype (benchmarks/bench_vecmath.py)
_OUTRUN: dict[str, Sequence[np.dtype]] = dict.fromkeys(
    ("arccos", "arcsin", "arctan", "erf", "exp", "sqrt", "tanh", "where"), DTYPES
)
_OUTRUN |= dict.fromkeys(("cos", "cosh", "expm1", "sin"), DTYPES[1:])


class NumbaForm:
    """The loop of several expressions, as source, and how to call it.

    Attributes:
        source: source of `name(*arrays, *scalars, *outputs)` over flat arrays; it refers to the constants by name.
        constants: the values of the constants.
        before: (name, node) of the subexpressions of scalars only, to be evaluated before the call.
        scalars: the arguments after the arrays: names of scalars and of `before`.
        truths: the names among arrays and `scalars` that are only tested for zero.
        lone_power: whether the only operation is a power, for which NumPy is faster.
    """

    def __init__(self, name: str, outputs: Mapping[str, Node], arrays: Sequence[str], scalars: Sequence[str]) -> None:
        self.name, self.arrays, self.outputs = f"_numba_{name}", tuple(arrays), tuple(outputs)
        self.parameters = (*arrays, *scalars)
        self.numeric = [array for array in arrays if array in numeric_names(*outputs.values())]
        roots = simplify_for(outputs.values(), _MISSING)
        self.truth_outputs = frozenset(key for key, root in outputs.items() if is_truth(root))
        self.lone_power = [root.op for root in roots] == ["**"] and not any(arg.args for arg in roots[0].args)
        self.constants: dict[str, Any] = {}
        self.before: list[tuple[str, Node]] = []
        roots = self._without_scalars(roots)
        wanted = numeric_names(*roots)
        mentioned = names(*roots)
        self.scalars = [key for key in (*scalars, *(key for key, _ in self.before)) if key in mentioned]
        self.truths = frozenset(key for key in (*arrays, *self.scalars) if key not in wanted)
        self.source = self._loop([self._tests(root, wanted) for root in roots])

    def _without_scalars(self, roots: list[Node]) -> list[Node]:
        """Return `roots` with constants and subexpressions of scalars replaced by names."""
        varying = varying_nodes(roots, self.arrays)
        done: dict[Node, Node] = {}
        for node in walk(*roots):
            if node in varying:
                args = (done[arg] if arg in varying else self._outside(arg) for arg in node.args)
                done[node] = make(node.op, *args, value=node.value)
        return [done[root] if root in varying else self._outside(root) for root in roots]

    def _outside(self, node: Node) -> Node:
        """Return the name of a constant, of a scalar, or of a subexpression to evaluate before the loop."""
        if node.op == "name" or (node.op == "true" and node.args[0].op == "name"):
            return node
        if not names(node):
            return constant_name(self.constants, node)
        key = next((key for key, value in self.before if value is node), "")
        if not key:
            key = f"_s{len(self.before)}"
            self.before.append((key, node))
        return make("true", name(key)) if is_truth(node) else name(key)

    def _tests(self, root: Node, wanted: set[str]) -> Node:
        """Return `root` with tests as comparisons, branch-free operators, and powers as calls."""
        done: dict[Node, Node] = {}
        for node in walk(root):
            args = [done[arg] for arg in node.args]
            if node.op == "true" and node.args[0].value in wanted:
                done[node] = make("!=", args[0], constant_name(self.constants, number(0)))
            else:
                done[node] = make(_WITHOUT_BRANCH.get(node.op, node.op), *args, value=node.value)
        return done[root]

    def _loop(self, roots: list[Node]) -> str:
        """Return the source of the kernel."""
        chosen = {branch for node in walk(*roots) if node.op == "if" for branch in node.args}
        steps, results = share(roots, chosen)
        mentioned = names(*results, *(value for _, value in steps))
        parameters = [*(f"_in_{key}" for key in self.arrays), *self.scalars, *(f"_out_{key}" for key in self.outputs)]
        lines = [f"def {self.name}({', '.join(parameters)}):", f"    for _i in range(_out_{self.outputs[0]}.size):"]
        for key in self.arrays:
            if key in mentioned:
                lines += [f"        {key} = _in_{key}[_i]{' != 0' * (key in self.truths)}"]
        lines += [f"        {key} = {text(value)}" for key, value in steps]
        lines += [f"        _out_{key}[_i] = {text(value)}" for key, value in zip(self.outputs, results, strict=True)]
        return "\n".join([*lines, ""])

    def outruns(self, ufunc: str) -> Sequence[np.dtype]:
        """Return the dtypes for which the loop is faster on large arrays than array operations, or than the one `ufunc`."""
        if not self.numeric or self.lone_power:
            return ()
        return _OUTRUN.get(ufunc, ()) if ufunc else DTYPES

    def namespace(self, dtype: np.dtype) -> dict[str, Any]:
        """Return the globals of the source for arrays of `dtype`."""
        from ..cpu import vecmath

        constants = {
            key: value if isinstance(value, bool) else dtype.type(value) for key, value in self.constants.items()
        }
        return vecmath.FUNCTIONS | _INSTRUCTIONS | constants

    def kernels(self, dtypes: Sequence[np.dtype] = DTYPES) -> dict[np.dtype, Any]:
        """Return the kernel for each of `dtypes`, compiled at its first call."""
        from ..numba_jit import compile_source

        return {dtype: compile_source(self.name, self.source, self.namespace(dtype), shared=True) for dtype in dtypes}

    def caller_source(self) -> str:
        """Return the source of `name(*arrays, *scalars)`: call the kernel that fits, or else the NumPy form `_small`."""
        parameters, shape = ", ".join(self.parameters), f"{self.arrays[0]}.shape"
        unfit = ["_kernel is None", *(f"{array}.shape != {shape}" for array in self.arrays[1:])]
        unfit += [f"{array}.dtype not in _truth_dtypes" for array in self.arrays if array not in self.numeric]
        unfit += [f"not {array}.flags.c_contiguous" for array in self.arrays]
        lines = [f"def {self.name}({parameters}):", *promotion(self.numeric)]
        lines += [f"    _T = {self.numeric[0]}.dtype", "    _kernel = _kernels.get(_T)"]
        lines += [f"    if {' or '.join(unfit)}:", f"        return _small({parameters})"]
        lines += [f"    {scalar} = _plain({scalar!r}, {scalar})" for scalar in self.parameters[len(self.arrays) :]]
        lines += [f"    {key} = {scalar_text(node)}" for key, node in self.before]
        dtypes = {key: "bool" if key in self.truth_outputs else "_T" for key in self.outputs}
        lines += [f"    _out_{key} = _empty({shape}, {dtype})" for key, dtype in dtypes.items()]
        call = [f"{array}.reshape(-1)" for array in self.arrays]
        call += [f"bool({key})" if key in self.truths else f"_T.type({key})" for key in self.scalars]
        call += [f"_out_{key}.reshape(-1)" for key in self.outputs]
        size = f"_out_{self.outputs[0]}.size"
        lines += [f"    if {size} < _shared_from:", f"        _kernel({', '.join(call)})"]
        lines += ["    else:", f"        _parallel_slices(_kernel, ({', '.join(call)},), _cut, {size})"]
        lines += [f"    return {', '.join(f'_out_{key}' for key in self.outputs)}"]
        return "\n".join([*lines, ""])

    def caller(self, small: Callable, dtypes: Sequence[np.dtype] = DTYPES) -> Callable:
        """Return the function of `caller_source`, with kernels for `dtypes`."""
        first, results = len(self.arrays), len(self.arrays) + len(self.scalars)
        scope: dict[str, Any] = SCALAR_FUNCTIONS | {
            "_kernels": self.kernels(dtypes), "_small": small, "_empty": np.empty, "_truth_dtypes": TRUTH_DTYPES,
            "_parallel_slices": parallel_slices, "_shared_from": 2 * SMALLEST_PART // AWAKE,
            "_cut": (*range(first), *range(results, results + len(self.outputs))),
        }  # fmt: skip
        return define(f"pointwise {self.name}, calling the loop", self.name, self.caller_source(), scope)
