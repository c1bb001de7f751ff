"""`Pointwise`: an operator declared by scalar expressions, with its NumPy, Numba and CUDA forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentValueError, message
from ...core.generated import define
from ...core.threads.cached import cached_property
from ..availability import jit_available
from .cuda_form import CudaSpec, cuda_spec
from .derivative import derivative
from .expression import check_name, parse, text, walk
from .numba_form import NumbaForm
from .numpy_form import NumpyForm, namespace, quiet

# Elements from which `.cpu` calls the Numba form, as other kernels are called: it is faster from there on. The last bits of the two
# forms differ, so that trainers that divide a batch of an array around this size take slightly other steps than one process.
NUMBA_FROM = 512


class Pointwise:
    """Elementwise outputs, each a scalar expression of the elements of arrays, and of scalars.

    Arguments:
        name: an identifier, for generated code and errors.
        outputs: the expression of each output, in order.
        arrays: the names of the arrays, in the order of the calls.
        scalars: the names of the scalar arguments.

    Raises:
        ArgumentValueError: a name is not a usable identifier or occurs twice, or an expression is not in the language (see
            `expression.parse`).

    All forms take the arrays, then the scalars (by position or keyword), and return one array, or a tuple of several.
    Results are new arrays with the dtype of the arrays, or bool for truth values; integers give integers where the
    arithmetic does, else float64. Arrays of equal shape and dtype are fastest; others are broadcast and promoted.

    >>> import numpy as np
    >>> leaky_relu = Pointwise("leaky_relu", {"out": "x if x > 0 else alpha * x"}, ("x",), ("alpha",))
    >>> leaky_relu.cpu(np.array([-1, 2], np.float32), alpha=0.5)
    array([-0.5,  2. ], dtype=float32)
    >>> leaky_relu.derive("out", "x")
    '1 if x > 0 else alpha'
    """

    def __init__(
        self, name: str, outputs: Mapping[str, str], arrays: Sequence[str], scalars: Sequence[str] = ()
    ) -> None:
        where = f"Pointwise {name!r}"
        for identifier in (f"op_{name}", *outputs, *arrays, *scalars):  # the operator may have a function's name
            check_name(identifier, where)
        if not arrays or not outputs:
            raise ArgumentValueError(message(where, "the declaration", "none", "at least one array and one output"))
        twice = sorted({key for key in (*arrays, *scalars) if [*arrays, *scalars].count(key) > 1})
        if twice:
            raise ArgumentValueError(message(where, "its names", f"{twice[0]!r} twice", "names that differ"))
        self.name, self.arrays, self.scalars = name, tuple(arrays), tuple(scalars)
        self.outputs = {
            key: parse(expression, [*arrays, *scalars], f"{where} output {key!r}")
            for key, expression in outputs.items()
        }

    def __repr__(self) -> str:
        body = ", ".join(f"{key} = {text(node)}" for key, node in self.outputs.items())
        return f"<Pointwise {self.name}({', '.join([*self.arrays, *self.scalars])}): {body}>"

    @cached_property
    def numpy(self) -> NumpyForm:
        """`.numpy(xp, *arrays, *scalars)`: the form that defines the semantics, over NumPy or CuPy."""
        return NumpyForm(self.name, self.outputs, self.arrays, self.scalars)

    @cached_property
    def numba(self) -> NumbaForm:
        """The source and the kernels of the loop for large arrays on the CPU."""
        return NumbaForm(self.name, self.outputs, self.arrays, self.scalars)

    @cached_property
    def cpu(self) -> Callable:
        """`.cpu(*arrays, *scalars)`: the NumPy form for small arrays, the Numba form for large arrays that it supports.

        Where nothing is compiled, it is the NumPy form for all arrays.
        """
        return _cpu(self)

    def cuda_spec(self) -> CudaSpec:
        """Return the strings of a `cupy.ElementwiseKernel`."""
        return cuda_spec(self.name, self.outputs, self.arrays, self.scalars)

    def derive(self, output: str, wrt: str) -> str:
        """Return the expression of d `output` / d `wrt`, where `wrt` names an array or a scalar."""
        where = f"Pointwise {self.name!r}.derive"
        if output not in self.outputs:
            raise ArgumentValueError(message(where, "output", repr(output), f"one of {', '.join(self.outputs)}"))
        if wrt not in (*self.arrays, *self.scalars):
            known = ", ".join([*self.arrays, *self.scalars])
            raise ArgumentValueError(message(where, "wrt", repr(wrt), f"one of {known}"))
        return text(derivative(self.outputs[output], wrt))


_SELECTS = frozenset(
    ["name", "number", "neg", "abs", "min", "max", "if", "and", "or", "not", "<", "<=", ">", ">=", "==", "!="]
)


def only_selects(pointwise: Pointwise) -> bool:
    """Return whether expressions only compare, select and change signs, which cause no floating-point warnings for any numbers.

    To turn the warnings off takes 0.1 us, half of what NumPy takes for an array of a few elements. Scalars, and constants above
    1, may overflow where they are converted to float16.
    """
    nodes = [*walk(*pointwise.outputs.values())]
    small = all(abs(float(node.value)) <= 1 for node in nodes if node.op == "number")
    return not pointwise.scalars and small and all(node.op in _SELECTS for node in nodes)


def _cpu(pointwise: Pointwise) -> Callable:
    """Return the function behind `.cpu`, generated so that it adds as little overhead as possible."""
    form, loop = pointwise.numpy, pointwise.numba
    parameters = ", ".join([*pointwise.arrays, *pointwise.scalars])
    scope: dict[str, Any] = {"_quiet": quiet, "_form": form.function(np), "_small": form.function(np)}
    lines = [f"def _cpu_{pointwise.name}({parameters}):"]
    call = "({})({})".format if only_selects(pointwise) else "_quiet().run({}, {})".format
    if form.ufunc:
        scope["_small"] = namespace(np)[form.ufunc]
        lines += [f"    if not {pointwise.arrays[0]}.ndim:", f"        return {call('_form', parameters)}"]
    dtypes = loop.outruns(form.ufunc)
    if dtypes:

        def first_large(*args: Any) -> Any:
            scope["_large"] = loop.caller(scope["_small"], dtypes) if jit_available() else scope["_small"]
            return scope["_large"](*args)

        scope["_large"] = first_large
        chosen = f"_small if {pointwise.arrays[0]}.size < {NUMBA_FROM} else _large"
    else:
        chosen = "_small"
    lines += [f"    return {call(chosen, parameters)}", ""]
    return define(f"pointwise {pointwise.name}, choosing a form", f"_cpu_{pointwise.name}", "\n".join(lines), scope)
