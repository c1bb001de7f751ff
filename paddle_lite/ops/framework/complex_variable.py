"""Complex Variables: pairs of real ones, in every mode. No operator knows them; arithmetic is that of the two parts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentTypeError, DtypeError, ShapeError, describe, message
from .registry import get

DTYPES = {"float32": "complex64", "float64": "complex128"}
"""dtype of the parts -> dtype of the complex numbers."""
Binary = Callable[[Any, Any], Any]


def is_part(value: Any) -> bool:
    """Return whether a value is a Variable of some mode."""
    return hasattr(value, "stop_gradient") and not isinstance(value, ComplexVariable)


class ComplexVariable:
    """A complex Variable: the pair of its real and its imaginary part. `to_variable` makes one of a complex array.

    Arguments:
        real, imag: Variables of one shape and one dtype, float32 or float64.

    Attributes:
        real, imag: the parts. Gradients are those of the parts.
        shape: a list of ints.
        dtype: "complex64" or "complex128".
        name: {"real": name of the real part, "imag": name of the imaginary part}.
        stop_gradient: whether no gradient flows into either part.

    Raises:
        ArgumentTypeError: a part is not a Variable.
        ShapeError: the shapes differ.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1 + 2j, 3]))
    ...     (x * x).numpy(), x.imag.numpy(), x.dtype
    (array([-3.+4.j,  9.+0.j]), array([2., 0.]), 'complex128')
    """

    __array_ufunc__ = None  # ndarray * x: Python asks this class

    def __init__(self, real: Any, imag: Any) -> None:
        for name, part in (("real", real), ("imag", imag)):
            if not is_part(part):
                raise ArgumentTypeError(message("ComplexVariable", name, describe(part), "a Variable"))
        if tuple(real.shape) != tuple(imag.shape):
            raise ShapeError(
                message("ComplexVariable", "imag", f"shape {list(imag.shape)}", f"that of real, {list(real.shape)}")
            )
        kinds = [to_numpy(part.dtype).name for part in (real, imag)]
        if kinds[0] != kinds[1] or kinds[0] not in DTYPES:
            raise DtypeError(
                message("ComplexVariable", "parts", " and ".join(kinds), "float32 or float64 for both", "Cast them.")
            )
        self.real, self.imag = real, imag
        self._dtype = DTYPES[kinds[0]]

    @property
    def shape(self) -> Any:
        """The shape of either part."""
        return self.real.shape

    @property
    def dtype(self) -> str:
        """ "complex64" or "complex128"."""
        return self._dtype

    @property
    def name(self) -> dict[str, str]:
        """The names of the parts."""
        return {"real": self.real.name, "imag": self.imag.name}

    @name.setter
    def name(self, name: str) -> None:
        self.real.name, self.imag.name = f"{name}.real", f"{name}.imag"

    @property
    def stop_gradient(self) -> bool:
        """Whether no gradient flows into either part."""
        return bool(self.real.stop_gradient and self.imag.stop_gradient)

    @stop_gradient.setter
    def stop_gradient(self, stop: bool) -> None:
        self.real.stop_gradient = self.imag.stop_gradient = stop

    def numpy(self) -> np.ndarray:
        """Return the numbers as a NumPy array of `dtype`, in imperative mode."""
        return (self.real.numpy() + 1j * self.imag.numpy()).astype(self._dtype)

    def map(self, function: Callable[[Any], Any]) -> ComplexVariable:
        """Return the pair of function(real) and function(imag), for a linear function.

        Arguments:
            function: takes a Variable and returns one.

        Returns:
            A ComplexVariable.
        """
        return ComplexVariable(function(self.real), function(self.imag))

    def __getitem__(self, index: Any) -> ComplexVariable:
        return self.map(lambda part: part[index])

    def __len__(self) -> int:
        return len(self.real)

    def __repr__(self) -> str:
        return f"REAL: {self.real}\nIMAG: {self.imag}"

    __str__ = __repr__

    def __neg__(self) -> ComplexVariable:
        return self.map(operator.neg)

    def __add__(self, other: Any) -> Any:
        return _with(add, self, other)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        return _with(subtract, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _with(subtract, self, other, reflected=True)

    def __mul__(self, other: Any) -> Any:
        return _with(product, self, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        return _with(divide, self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _with(divide, self, other, reflected=True)


def _with(formula: Callable[[Any, Any], Any], x: Any, other: Any, reflected: bool = False) -> Any:
    """Return formula(x, other) for a Variable, complex Variable, array or number; formula(other, x) if `reflected`."""
    if isinstance(other, (np.ndarray, np.generic)) and not np.iscomplexobj(other) and np.ndim(other) == 0:
        other = other.item()
    if not (isinstance(other, (ComplexVariable, int, float, complex)) or is_part(other)):
        return NotImplemented
    return formula(other, x) if reflected else formula(x, other)


def parts(value: Any) -> tuple[Any, Any]:
    """Return the real and the imaginary part of a ComplexVariable or number; the latter is None for a real one."""
    if isinstance(value, (ComplexVariable, complex)):
        return value.real, value.imag
    return value, None


def _zeros_like(part: Any) -> Any:
    return get("fill_zeros_like").call(part) if is_part(part) else 0.0


def _shape(part: Any) -> Any:
    return tuple(part.shape) if is_part(part) else ()


def add(x: Any, y: Any, plus: Binary = operator.add, negated: Callable[[Any], Any] | None = None) -> ComplexVariable:
    """Return x + y, of which one at least is complex.

    Arguments:
        x, y: ComplexVariables, Variables or numbers.
        plus: the sum of two real values; the difference for x - y.
        negated: for x - y: what the imaginary part is where only y has one.

    Returns:
        A ComplexVariable.
    """
    (a, b), (c, d) = parts(x), parts(y)
    real = plus(a, c)
    if d is None and _shape(real) == _shape(b):
        return ComplexVariable(real, b)
    if b is None and _shape(real) == _shape(d):
        return ComplexVariable(real, d if negated is None else negated(d))
    return ComplexVariable(real, plus(_zeros_like(a) if b is None else b, _zeros_like(c) if d is None else d))


def subtract(x: Any, y: Any, minus: Binary = operator.sub) -> ComplexVariable:
    """Return x - y, of which one at least is complex; arguments as for `add`."""
    return add(x, y, minus, operator.neg)


def product(x: Any, y: Any, times: Binary = operator.mul) -> ComplexVariable:
    """Return a bilinear product of x and y, of which one at least is complex.

    Arguments:
        x, y: ComplexVariables, Variables or numbers.
        times: the product of two real values, elementwise or of matrices.

    Returns:
        A ComplexVariable.
    """
    (a, b), (c, d) = parts(x), parts(y)
    if d is None:
        return ComplexVariable(times(a, c), times(b, c))
    if b is None:
        return ComplexVariable(times(a, c), times(a, d))
    return ComplexVariable(times(a, c) - times(b, d), times(a, d) + times(b, c))


def divide(x: Any, y: Any, times: Binary = operator.mul, over: Binary = operator.truediv) -> ComplexVariable:
    """Return x / y, of which one at least is complex: x * conj(y) / |y|^2.

    Arguments:
        x, y: ComplexVariables, Variables or numbers.
        times, over: the product and the quotient of two real values.

    Returns:
        A ComplexVariable.
    """
    (a, b), (c, d) = parts(x), parts(y)
    if d is None:
        return ComplexVariable(over(a, c), over(b, c))
    norm = c * c + d * d
    if b is None:
        return ComplexVariable(over(times(a, c), norm), over(times(-a, d), norm))
    return ComplexVariable(over(times(a, c) + times(b, d), norm), over(times(b, c) - times(a, d), norm))
