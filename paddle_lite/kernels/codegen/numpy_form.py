"""The NumPy form of expressions: a generated Python function over an array module (NumPy or CuPy).

It defines what an expression means for arrays: dtypes, broadcasting, NaN. The other forms are tested against it. Arrays
of different dtypes are promoted to their common dtype first; scalars do not affect it.
"""

from __future__ import annotations

import contextvars
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, describe, message
from ...core.generated import define
from .erf import erf
from .expression import (
    Node,
    make,
    name,
    names,
    numeric_names,
    parse,
    rewrite,
    share,
    simplify_for,
    text,
    varying_nodes,
    walk,
)
from .functions import FUNCTIONS

_UFUNCS = {
    "+": "add", "-": "subtract", "*": "multiply", "/": "divide", "neg": "negative", "<": "less", "<=": "less_equal",
    ">": "greater", ">=": "greater_equal", "==": "equal", "!=": "not_equal", "and": "logical_and", "or": "logical_or",
    "not": "logical_not", "if": "where", "asin": "arcsin", "acos": "arccos", "atan": "arctan", "min": "minimum",
    "max": "maximum", "abs": "absolute", "**": "power",
}  # fmt: skip
_MISSING = ("sigmoid", "rsqrt", "round")  # functions that NumPy or CuPy lack, or define differently
_OWN = ("erf", "floor", "ceil", "trunc")
_CALLED = ("and", "or", "not", "if")  # operations that are not operators of arrays in Python's syntax


# ---- quiet evaluation ------------------------------------------------------------------------------------------------


class _Quiet:
    """Runs functions with floating-point warnings off, for NumPy before 2.0, which keeps their settings by thread."""

    def run(self, function: Callable, *args: Any, **named: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*args, **named)


def _quiet_maker() -> Callable[[], Any]:
    """Return a factory of objects whose `run(function, *args)` calls a function with floating-point warnings off.

    NumPy 2 keeps the settings in a context variable: copying a context in which they are off costs some 60 ns, entering
    np.errstate a microsecond.
    """
    if int(np.__version__.partition(".")[0]) < 2:
        return _Quiet
    context = contextvars.Context()
    context.run(np.seterr, all="ignore")
    return context.copy


quiet = _quiet_maker()


# ---- expressions to array operations ---------------------------------------------------------------------------------


class _Lowering:
    """Expressions lowered to array functions: assignments `steps` (name, node), and the `results`."""

    def __init__(self, outputs: Mapping[str, Node], arrays: Sequence[str]) -> None:
        self.arrays = frozenset(arrays)
        roots = simplify_for(outputs.values(), _MISSING)
        self.varying = varying_nodes(roots, self.arrays)
        self.constants: dict[str, Any] = {}
        lowered: dict[Node, Node] = {}
        for node in walk(*roots):
            lowered[node] = self._lower(node, [lowered[arg] for arg in node.args])
        self.steps, results = share([lowered[root] for root in roots])
        self.results = [
            self._fresh(result, results[:index], names(root) & self.arrays)
            for index, (root, result) in enumerate(zip(roots, results, strict=True))
        ]
        self.mentions = names(*self.results, *(value for _, value in self.steps))

    def _lower(self, node: Node, args: list[Node]) -> Node:
        """Return one node over lowered arguments: array functions if it depends on an array, else Python arithmetic."""
        op = node.op
        if node not in self.varying:
            return _scalar_node(make(op, *args, value=node.value))
        varies = [arg in self.varying for arg in node.args]
        args = [
            low if names(arg) or (op == "**" and place == 1) else constant_name(self.constants, arg)
            for place, (arg, low) in enumerate(
                zip(node.args, args, strict=True)
            )  # NumPy squares where it sees x ** 2.0
        ]
        if op == "if" and not varies[0]:  # Python selects: both branches must be arrays
            typed = (arg if v else self._whole(arg) for arg, v in zip(args[1:], varies[1:], strict=True))
            return make("if", args[0], *typed)
        if op == "if" and not any(varies[1:]):
            args[1:] = (self._typed(arg, low) for arg, low in zip(node.args[1:], args[1:], strict=True))
        elif op == "**" and varies == [True, False]:
            args[1] = make("_exponent", name("_T"), args[1])
        elif op == "true":
            return args[0]
        return make(_UFUNCS.get(op, op) if op in FUNCTIONS or op in _CALLED else op, *args, value=node.value)

    def _typed(self, scalar: Node, lowered: Node) -> Node:
        """Return a scalar converted to the dtype of the arrays; constants already have it."""
        return make("_typed", name("_T"), lowered) if names(scalar) else lowered

    def _whole(self, scalar: Node) -> Node:
        """Return a scalar broadcast to an array of the common shape and dtype."""
        return make("_full", name("_shape"), make("_typed", name("_T"), scalar))

    def _fresh(self, result: Node, earlier: list[Node], used: set[str] | frozenset[str]) -> Node:
        """Return a result as a new array of the common shape."""
        if not used:
            return self._whole(result)
        if _may_be(result, self.arrays) or result in earlier:
            result = make("_copy", result)
        return result if used == self.arrays else make("_spread", name("_shape"), result)

    def ufunc(self, arrays: Sequence[str]) -> str:
        """Return the array function that computes the whole expression from exactly the arrays, or ""."""
        if len(self.results) != 1 or self.steps or self.results[0].op == "_copy":
            return ""
        result = self.results[0]
        return _UFUNCS.get(result.op, result.op) if result.args == tuple(map(name, arrays)) else ""


def _scalar_node(node: Node) -> Node:
    """Return a node of Python arithmetic that does not raise on division by zero or overflow."""
    return make(f"_{_UFUNCS.get(node.op, node.op)}", *node.args) if node.op in {*FUNCTIONS, "/", "**"} else node


def scalar_text(node: Node) -> str:
    """Return Python source of an expression of scalars only, over the functions in `SCALAR_FUNCTIONS`."""
    return text(rewrite(node, _scalar_node))


def constant_value(node: Node) -> Any:
    """Return the value of an expression without names."""
    return eval(scalar_text(node), dict(SCALAR_FUNCTIONS))  # safe: generated from nodes, over the functions given


def constant_name(constants: dict[str, Any], node: Node) -> Node:
    """Return the name of a constant expression's value in `constants`; add it if it is new."""
    value = constant_value(node)
    for key, known in constants.items():
        if type(known) is type(value) and repr(known) == repr(value):
            return name(key)
    constants[f"_c{len(constants)}"] = value
    return name(f"_c{len(constants) - 1}")


def _may_be(result: Node, arrays: frozenset[str]) -> bool:
    """Return whether a result may alias one of the arrays."""
    if result.op == "if":
        return any(_may_be(branch, arrays) for branch in result.args[1:])
    return result.op == "name" and result.value in arrays


# ---- source and namespace --------------------------------------------------------------------------------------------


class NumpyForm:
    """The generated source of several expressions over arrays, and the functions made from it for each array module.

    Attributes:
        source: Python source of one function, `name(*arrays, *scalars)`.
        ufunc: the array function that computes the same result from the same arguments, or "".
    """

    def __init__(self, name: str, outputs: Mapping[str, Node], arrays: Sequence[str], scalars: Sequence[str]) -> None:
        self.name = f"_numpy_{name}"
        lowering = _Lowering(outputs, arrays)
        wanted = numeric_names(*outputs.values())
        numeric = [array for array in arrays if array in wanted]
        parameters = ", ".join([*arrays, *scalars])
        lines = [f"def {self.name}({parameters}):", f"    if not {arrays[0]}.ndim:"]
        lines += [f"        return _without_rank({self.name}, {len(arrays)}, {parameters})"]
        lines += promotion(numeric)
        for scalar in scalars:
            lines += [f"    if {scalar}.__class__ is not float:", f"        {scalar} = _plain({scalar!r}, {scalar})"]
        self.constants = lowering.constants
        if "_T" in lowering.mentions or self.constants:
            lines += [f"    _T = {(numeric or arrays)[0]}.dtype"]
        if self.constants:
            lines += [f"    [{', '.join(self.constants)}] = _constants[_T]"]
        if "_shape" in lowering.mentions:
            lines += [f"    _shape = _common_shape({', '.join(arrays)})"]
        lines += [f"    {temporary} = {text(value)}" for temporary, value in lowering.steps]
        self.source = "\n".join([*lines, f"    return {', '.join(map(text, lowering.results))}", ""])
        self.ufunc = "" if scalars else lowering.ufunc(arrays)
        self._functions: dict[Any, Callable] = {}

    def function(self, xp: Any) -> Callable:
        """Return the function for an array module; floating-point warnings are not turned off."""
        if xp not in self._functions:
            scope = namespace(xp) | {"_constants": _Constants(xp, self.constants.values())}
            self._functions[xp] = define(f"pointwise {self.name}", self.name, self.source, scope)
        return self._functions[xp]

    def __call__(self, xp: Any, *args: Any, **scalars: Any) -> Any:
        """Return the outputs for arrays of `xp`: one array, or a tuple of several; floating-point warnings are off."""
        return quiet().run(self._functions.get(xp) or self.function(xp), *args, **scalars)


def promotion(numeric: Sequence[str]) -> list[str]:
    """Return source lines that promote the arrays in `numeric` to their common dtype."""
    if len(numeric) < 2:
        return []
    differ = " or ".join(f"{array}.dtype is not {numeric[0]}.dtype" for array in numeric[1:])
    return [f"    if {differ}:", f"        {', '.join(numeric)} = _promote({', '.join(numeric)})"]


class _Constants(dict):
    """The constants of an expression by dtype of the arrays; as arrays of rank 0, which are fastest in NumPy."""

    def __init__(self, xp: Any, values: Iterable[Any]) -> None:
        self.xp, self.values_ = xp, tuple(values)

    def __missing__(self, dtype: np.dtype) -> tuple[Any, ...]:
        typed = [_typed(dtype, value) for value in self.values_]
        self[dtype] = tuple(np.array(value) if self.xp is np and dtype.kind == "f" else value for value in typed)
        return self[dtype]


def namespace(xp: Any) -> dict[str, Any]:
    """Return the names for generated source: array functions of `xp`, and scalar functions with a leading underscore."""
    functions = {key for key in FUNCTIONS if key not in (*_MISSING, *_OWN)} | _UFUNCS.keys()
    scope = {_UFUNCS.get(key, key): getattr(xp, _UFUNCS.get(key, key)) for key in functions}
    scope |= {key: _keeping_integers(getattr(xp, key)) for key in ("floor", "ceil", "trunc")}
    scope["erf"] = _cupy_erf if xp.__name__ == "cupy" else getattr(xp, "erf", erf)
    scope |= SCALAR_FUNCTIONS

    def full(shape: tuple[int, ...], value: Any) -> Any:
        return xp.full(shape, value)

    def spread(shape: tuple[int, ...], result: Any) -> Any:
        return result if result.shape == shape else xp.array(xp.broadcast_to(result, shape))

    return scope | {"_full": full, "_spread": spread, "_copy": xp.array}


def _cupy_erf(x: Any) -> Any:
    return importlib.import_module("cupyx.scipy.special").erf(x)


def _keeping_integers(function: Callable) -> Callable:
    """Return a rounding function that returns integers unchanged, as NumPy does from 2.1 on."""
    return lambda x: x if x.dtype.kind in "iub" else function(x)


def _scalar_function(ufunc: Callable) -> Callable:
    """Return a ufunc as a function of Python numbers that gives infinities and NaN instead of errors."""
    return lambda *args: ufunc(*args).item()


def _scalar_power(base: float, exponent: float) -> Any:
    """Return base ** exponent of Python numbers; an integer to a negative power is a float."""
    fraction = isinstance(exponent, int) and exponent < 0
    return np.power(float(base) if fraction else base, exponent).item()


def _scalar_erf(value: float) -> float:
    return erf(np.full(1, value, np.float64)).item()


def plain(parameter: str, value: Any) -> Any:
    """Return a scalar argument as a Python number, so that it does not affect the dtype."""
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return float(value)
    if getattr(value, "size", 0) == 1 and np.dtype(value.dtype).kind in "biuf":
        return value.item()
    raise ArgumentTypeError(message("pointwise operator", f"scalar {parameter!r}", describe(value), "one number"))


def _promote(*arrays: Any) -> list[Any]:
    """Return the arrays converted to their common dtype."""
    dtype = np.result_type(*(array.dtype for array in arrays))
    return [array.astype(dtype, copy=False) for array in arrays]


def _typed(dtype: np.dtype, value: Any) -> Any:
    """Return a constant in the dtype of the arrays, or in the wider dtype that it needs beside integers."""
    if isinstance(value, bool) or dtype.kind == "b" or (dtype.kind in "iu" and isinstance(value, float)):
        return np.asarray(value)[()]
    fits = dtype.kind not in "iu" or np.iinfo(dtype).min <= value <= np.iinfo(dtype).max
    return dtype.type(value) if fits else value


def _exponent(dtype: np.dtype, value: Any) -> Any:
    """Return the exponent of a power; an integer base to a negative power gives a float."""
    return float(value) if dtype.kind in "iu" and value < 0 else value


def _common_shape(*arrays: Any) -> tuple[int, ...]:
    """Return the shape that the arrays broadcast to."""
    shapes = {array.shape for array in arrays}
    return shapes.pop() if len(shapes) == 1 else np.broadcast_shapes(*shapes)


def _without_rank(function: Callable, count: int, *args: Any) -> Any:
    """Call `function` with arrays of rank 0 as rank 1, which preserves their dtype and type."""
    arrays = args[:count]
    results = function(*(array if array.ndim else array.reshape(1) for array in arrays), *args[count:])
    if any(array.ndim for array in arrays):
        return results
    return tuple(map(_without_axis, results)) if isinstance(results, tuple) else _without_axis(results)


def _without_axis(result: Any) -> Any:
    return result.reshape(())


SCALAR_FUNCTIONS: dict[str, Callable] = {
    **{
        f"_{spelling}": _scalar_function(getattr(np, spelling))
        for spelling in ("divide", *(_UFUNCS.get(key, key) for key in FUNCTIONS if key not in (*_MISSING, "erf")))
    },
    "_power": _scalar_power,
    "_exponent": _exponent,
    "_erf": _scalar_erf,
    "_plain": plain,
    "_promote": _promote,
    "_typed": _typed,
    "_common_shape": _common_shape,
    "_without_rank": _without_rank,
}


def numpy_function(expression: str, arrays: Sequence[str], scalars: Sequence[str] = ()) -> NumpyForm:
    """Return `f(xp, *arrays, *scalars) -> array` for one expression; scalars may be passed by keyword.

    >>> import numpy as np
    >>> leaky_relu = numpy_function("x if x > 0 else alpha * x", ("x",), ("alpha",))
    >>> leaky_relu(np, np.array([-2, 3], np.float32), alpha=0.5)
    array([-1.,  3.], dtype=float32)
    """
    return NumpyForm("expression", {"out": parse(expression, [*arrays, *scalars])}, arrays, scalars)
