"""Comparisons, boolean logic, and tests of a whole Variable. Results are bool and have no gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.typing import Variable
from ...ops.math import compare as ops
from ...static.program.roles import warn_of_force_cpu
from ..support.arguments import write_to_out
from ..support.taken import check_kind, in_programs, inputs_taken, variable_taken

__all__ = [
    "allclose",
    "equal",
    "greater_equal",
    "greater_than",
    "has_inf",
    "has_nan",
    "is_empty",
    "isfinite",
    "less_equal",
    "less_than",
    "logical_and",
    "logical_not",
    "logical_or",
    "logical_xor",
    "not_equal",
]

_COMPARISON = """Compute {formula}

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or cond is not a Variable.
        DtypeError: the dtypes differ.
        ShapeError: the shapes cannot be broadcast together.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2, 3]))
    ...     fluid.layers.{name}(x, x).shape
    [3]
    """

_LOGIC = """Compute {formula}

    Arguments:
        x, y: bool Variables of one shape.
        out: a bool Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A bool Variable of their shape.

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        DtypeError: x or y is not bool.
        ShapeError: the shapes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([True, False]))
    ...     fluid.layers.{name}(x, x).shape
    [2]
    """


def _named(function: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    """Set the name and the docstring of a generated function; `doc` is a template."""
    function.__doc__ = doc.format(formula=getattr(ops, name).__doc__, name=name)
    function.__name__ = function.__qualname__ = name
    return function


def _comparison(name: str) -> Callable[..., Any]:
    """Make the public function of a comparison operator."""
    op = getattr(ops, name)

    def function(x: Any, y: Any, cond: Any = None) -> Variable:
        inputs_taken(name, "x y", x, y)
        return write_to_out(op.call(x, y), cond, name)

    return _named(function, name, _COMPARISON)


def _logic(name: str) -> Callable[..., Any]:
    """Make the public function of a binary logic operator."""
    op = getattr(ops, name)

    def function(x: Any, y: Any, out: Any = None, name: str | None = None) -> Variable:
        return write_to_out(op.call(x, y), out, op.type)

    return _named(function, name, _LOGIC)


def _check_forced(force_cpu: Any) -> None:
    check_kind("less_than", "force_cpu", force_cpu, bool)
    warn_of_force_cpu("less_than")


_forced = in_programs(_check_forced)


def less_than(x: Variable, y: Variable, force_cpu: bool | None = None, cond: Any = None) -> Variable:
    """Compute Out = X < Y, element by element.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        force_cpu: accepted for Fluid code, ignored.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or cond is not a Variable.
        DtypeError: the dtypes differ.
        ShapeError: the shapes cannot be broadcast together.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2, 3]))
    ...     fluid.layers.less_than(x, x + 1).numpy()
    array([ True,  True,  True])
    """
    if force_cpu is not None:
        _forced(force_cpu)
    inputs_taken("less_than", "x y", x, y)
    return write_to_out(ops.less_than.call(x, y), cond, "less_than")


less_equal = _comparison("less_equal")
greater_than = _comparison("greater_than")
greater_equal = _comparison("greater_equal")
equal = _comparison("equal")
not_equal = _comparison("not_equal")
logical_and = _logic("logical_and")
logical_or = _logic("logical_or")
logical_xor = _logic("logical_xor")


def logical_not(x: Any, out: Any = None, name: str | None = None) -> Variable:
    """Compute Out = not X, element by element.

    Arguments:
        x: a bool Variable of any shape.
        out: a bool Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A bool Variable of the shape of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.
        DtypeError: x is not bool.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.logical_not(fluid.dygraph.to_variable(np.array([True, False]))).numpy()
    array([False,  True])
    """
    return write_to_out(ops.logical_not.call(x), out, "logical_not")


def isfinite(x: Variable) -> Variable:
    """Test whether every element is finite.

    Arguments:
        x: a Variable of any shape and dtype.

    Returns:
        A bool Variable [1].

    Raises:
        ArgumentTypeError: x is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.isfinite(fluid.dygraph.to_variable(np.array([1., np.inf]))).numpy()
    array([False])
    """
    inputs_taken("isfinite", "x", x)
    return ops.isfinite.call(x)


def has_inf(x: Variable) -> Variable:
    """Test whether any element is infinite.

    Arguments:
        x: a Variable of any shape and dtype.

    Returns:
        A bool Variable [1].

    Raises:
        ArgumentTypeError: x is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.has_inf(fluid.dygraph.to_variable(np.array([1., np.inf]))).numpy()
    array([ True])
    """
    return ops.isinf.call(x)


def has_nan(x: Variable) -> Variable:
    """Test whether any element is NaN.

    Arguments:
        x: a Variable of any shape and dtype.

    Returns:
        A bool Variable [1].

    Raises:
        ArgumentTypeError: x is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.has_nan(fluid.dygraph.to_variable(np.array([1., np.inf]))).numpy()
    array([False])
    """
    return ops.isnan.call(x)


def is_empty(x: Variable, cond: Any = None) -> Variable:
    """Test whether a Variable has no elements.

    Arguments:
        x: a Variable of any shape and dtype.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable [1].

    Raises:
        ArgumentTypeError: x or cond is not a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.is_empty(fluid.dygraph.to_variable(np.array([1.]))).numpy()
    array([False])
    """
    inputs_taken("is_empty", "x", x)
    if cond is not None:
        variable_taken("is_empty", "cond", cond)
    return write_to_out(ops.is_empty.call(x), cond, "is_empty")


def allclose(
    input: Any, other: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False, name: str | None = None
) -> Variable:
    """Test whether |input - other| <= atol + rtol |other| for every element; infinite elements are never close.

    Arguments:
        input, other: Variables of one shape and dtype, float32 or float64.
        rtol: the relative tolerance, a factor of |other|.
        atol: the absolute tolerance.
        equal_nan: whether NaN counts as close to NaN.
        name: accepted for Paddle code, ignored.

    Returns:
        A bool Variable [1].

    Raises:
        ArgumentTypeError: input or other is not a Variable.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> paddle.allclose(x, x + 0.01, rtol=0.1).numpy()
    array([ True])
    """
    return ops.allclose.call(input, other, rtol=float(rtol), atol=float(atol), equal_nan=equal_nan)
