"""Initializers: each defines the operator and the attributes that fill a parameter."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import seeds
from ..core.dtype import to_vartype
from ..core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError, describe, message, missing_name
from ..core.mode import state

_SPELLED = {"mean": "loc", "std_dev": "scale"}
"""Attributes of initializers in Paddle -> the arguments that they hold."""


class Initializer:
    """Base class of initializers: `operation(shape, dtype)` returns the operator that computes the initial value.

    A custom one may override `__call__(var, block)` instead, as in Paddle: it appends the operators that fill `var`.

    Attributes:
        calls: whether `__call__` is overridden.
        stem: how the names of the Variables begin in which Programs draw values that are then cast.
    """

    calls = False
    stem = "init"

    def __init_subclass__(cls) -> None:
        cls.calls = cls.calls or "__call__" in vars(cls)

    def __call__(self, var: Any, block: Any = None) -> Any:
        """Fill a Variable: append the operator to a block of a Program and return it; in imperative mode, fill it at once.

        Arguments:
            var: the Variable. block: the block, that of the Variable where it is None.
        """
        return state.mode.fill(var, self, block)

    def __getattr__(self, name: str) -> Any:
        """Return an argument by the name of the attribute that Paddle keeps it in: `_value`, `_std_dev`."""
        stem = name[1:] if name.startswith("_") and not name.startswith("__") else ""
        for key in (stem, _SPELLED.get(stem, "")):
            if key in self.__dict__:
                return self.__dict__[key]
        raise missing_name(f"{type(self).__name__!r} object has no attribute {name!r}", name)

    def _compute_fans(self, var: Any) -> tuple[int, int]:
        """Return (fan in, fan out) of a parameter, which an initializer of a program asks its base class for."""
        return fans(var.shape)

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        """Return (operator type, attributes) for a parameter of this shape and dtype."""
        raise NotImplementedError(f"{type(self).__name__} does not say which operator fills a parameter")

    def __repr__(self) -> str:
        return f"{type(self).__name__.removesuffix('Initializer')}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"


def _attrs(shape: Sequence[int], dtype: str) -> dict[str, Any]:
    """Return the attributes shape and dtype."""
    return {"shape": [int(n) for n in shape], "dtype": int(to_vartype(dtype))}


def _seed(own: int) -> int:
    """Return the seed of the initializer, or the seed of the default Program where it is 0."""
    return own or seeds.current().main


def _require_numbers(where: str, **values: Any) -> None:
    """Raise unless all values are numbers."""
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            raise ArgumentTypeError(message(where, name, describe(value), "a number"))


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """Return (fan in, fan out): the two sizes of a matrix; for a convolution filter, channels times window size."""
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    if len(shape) == 2:
        return shape[0], shape[1]
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


class ConstantInitializer(Initializer):
    """Fills a parameter with one number.

    Arguments:
        value: the number.
        force_cpu: accepted for Fluid code, ignored.

    Raises:
        ArgumentTypeError: an argument is not a number.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.initializer.Constant(2.0)
    Constant(value=2.0)
    """

    stem = "constant_init"

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        _require_numbers("Constant initializer", value=value)
        self.value = value
        self.force_cpu = force_cpu

    def __repr__(self) -> str:
        return f"Constant(value={self.value})"

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        return "fill_constant", {**_attrs(shape, dtype), "value": float(self.value)}


class UniformInitializer(Initializer):
    """Draws from the uniform distribution over [low, high).

    Arguments:
        seed: the seed of the generator; 0 for the seed of the default Program, or a different one for each parameter.
        diag_num, diag_step, diag_val: set `diag_num` elements of the flattened array, those at i * (diag_step + 1), to
            `diag_val`.
        low, high: the bounds.

    Raises:
        ArgumentTypeError: an argument is not a number.
        ArgumentValueError: low is above high.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     start = fluid.initializer.Uniform(-0.1, 0.1, seed=1)
    ...     w = fluid.layers.create_parameter([2, 3], 'float32', default_initializer=start)
    ...     bool((abs(w.numpy()) <= 0.1).all())
    True
    """

    stem = "uniform_random"

    def __init__(
        self,
        low: float = -1.0,
        high: float = 1.0,
        seed: int = 0,
        diag_num: int = 0,
        diag_step: int = 0,
        diag_val: float = 1.0,
    ) -> None:
        _require_numbers("Uniform initializer", low=low, high=high, seed=seed, diag_num=diag_num, diag_val=diag_val)
        if low > high:
            raise ArgumentValueError(message("Uniform initializer", "low", low, f"no more than high, {high}"))
        self.low, self.high, self.seed = low, high, seed
        self.diag_num, self.diag_step, self.diag_val = diag_num, diag_step, diag_val

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        return "uniform_random", {
            **_attrs(shape, dtype), "min": float(self.low), "max": float(self.high), "seed": _seed(self.seed),
            "diag_num": self.diag_num, "diag_step": self.diag_step, "diag_val": self.diag_val,
        }  # fmt: skip


class NormalInitializer(Initializer):
    """Draws from the normal distribution with mean `loc` and standard deviation `scale`.

    Arguments:
        loc, scale: the mean and the standard deviation.
        seed: the seed of the generator; 0 for the seed of the default Program, or a different one for each parameter.

    Raises:
        ArgumentTypeError: an argument is not a number.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     start = fluid.initializer.Normal(5.0, 0.1, seed=1)
    ...     w = fluid.layers.create_parameter([100], 'float32', default_initializer=start)
    ...     round(float(w.numpy().mean()))
    5
    """

    stem = "gaussian_random"

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        _require_numbers(
            f"{type(self).__name__.removesuffix('Initializer')} initializer", loc=loc, scale=scale, seed=seed
        )
        self.loc, self.scale, self.seed = loc, scale, seed

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        attrs = {**_attrs(shape, dtype), "mean": float(self.loc), "std": float(self.scale), "seed": _seed(self.seed)}
        return "gaussian_random", attrs


class TruncatedNormalInitializer(NormalInitializer):
    """Draws from the normal distribution without values more than two standard deviations from the mean.

    Arguments:
        loc, scale: the mean and the standard deviation.
        seed: the seed of the generator; 0 for the seed of the default Program, or a different one for each parameter.

    Raises:
        ArgumentTypeError: an argument is not a number.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     start = fluid.initializer.TruncatedNormal(0.0, 0.1, seed=1)
    ...     w = fluid.layers.create_parameter([100], 'float32', default_initializer=start)
    ...     bool(abs(w.numpy()).max() < 0.2)
    True
    """

    stem = "truncated_gaussian_random"

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        return "truncated_gaussian_random", super().operation(shape, dtype)[1]


class _FanInitializer(Initializer):
    """Base class of initializers whose variance depends on the sizes of the layer."""

    uniform: bool
    seed: int

    def _by_variance(self, variance: float, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        """Return the operation of the distribution with mean 0 and this variance."""
        if self.uniform:
            limit = math.sqrt(3.0 * variance)
            return UniformInitializer(-limit, limit, self.seed).operation(shape, dtype)
        return NormalInitializer(0.0, math.sqrt(variance), self.seed).operation(shape, dtype)


class XavierInitializer(_FanInitializer):
    """Draws with mean 0 and variance 2 / (fan_in + fan_out).

    Source: Glorot and Bengio, "Understanding the difficulty of training deep feedforward neural networks", 2010.

    Arguments:
        uniform: draw from the uniform distribution; False: from the normal distribution.
        fan_in, fan_out: numbers to use instead of those of the shape.
        seed: the seed of the generator; 0 for the seed of the default Program, or a different one for each parameter.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     start = fluid.initializer.Xavier(seed=1)
    ...     w = fluid.layers.create_parameter([100, 50], 'float32', default_initializer=start)
    ...     bool(abs(w.numpy()).max() <= np.sqrt(6 / 150))
    True
    """

    stem = "xavier_init"

    def __init__(
        self, uniform: bool = True, fan_in: int | None = None, fan_out: int | None = None, seed: int = 0
    ) -> None:
        self.uniform, self.fan_in, self.fan_out, self.seed = uniform, fan_in, fan_out, seed

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        own_in, own_out = fans(shape)
        fan_in = own_in if self.fan_in is None else self.fan_in
        fan_out = own_out if self.fan_out is None else self.fan_out
        return self._by_variance(2.0 / (fan_in + fan_out), shape, dtype)


class MSRAInitializer(_FanInitializer):
    """Draws with mean 0 and variance 2 / fan_in.

    Source: He et al., "Delving deep into rectifiers", 2015.

    Arguments:
        uniform: draw from the uniform distribution; False: from the normal distribution.
        fan_in: a number to use instead of that of the shape.
        seed: the seed of the generator; 0 for the seed of the default Program, or a different one for each parameter.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     start = fluid.initializer.MSRA(seed=1)
    ...     w = fluid.layers.create_parameter([100, 50], 'float32', default_initializer=start)
    ...     bool(abs(w.numpy()).max() <= np.sqrt(6 / 100))
    True
    """

    stem = "masra_init"

    def __init__(self, uniform: bool = True, fan_in: int | None = None, seed: int = 0) -> None:
        self.uniform, self.fan_in, self.seed = uniform, fan_in, seed

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        return self._by_variance(2.0 / (fans(shape)[0] if self.fan_in is None else self.fan_in), shape, dtype)


class BilinearInitializer(Initializer):
    """Fills the filter [C, 1, k, k] of a transposed convolution that upsamples images by bilinear interpolation.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     start = fluid.initializer.Bilinear()
    ...     w = fluid.layers.create_parameter([1, 1, 3, 3], 'float32', default_initializer=start)
    ...     w.numpy()[0, 0].tolist()
    [[0.0625, 0.1875, 0.1875], [0.1875, 0.5625, 0.5625], [0.1875, 0.5625, 0.5625]]
    """

    stem = "bilinear_init"

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        if len(shape) != 4 or shape[2] != shape[3]:
            raise ShapeError(
                message("Bilinear initializer", "shape", list(shape), "[channels, n, k, k], a square window")
            )
        k = shape[3]
        f = math.ceil(k / 2.0)
        c = (2 * f - 1 - f % 2) / (2.0 * f)
        line = 1 - np.abs(np.arange(k) / f - c)
        value = np.broadcast_to(line[:, None] * line[None, :], shape)
        return NumpyArrayInitializer(value.astype(dtype)).operation(shape, dtype)


class NumpyArrayInitializer(Initializer):
    """Fills a parameter with the values of an ndarray.

    Arguments:
        value: an ndarray. Where its shape is not the parameter's, the parameter gets the shape of the ndarray as it is filled.

    Raises:
        ArgumentTypeError: value is not an ndarray.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     start = fluid.initializer.NumpyArrayInitializer(np.array([1.0, 2.0]))
    ...     w = fluid.layers.create_parameter([2], 'float32', default_initializer=start)
    ...     w.numpy().tolist()
    [1.0, 2.0]
    """

    stem = "numpy_array_init"

    def __init__(self, value: np.ndarray) -> None:
        if not isinstance(value, np.ndarray):
            raise ArgumentTypeError(message("NumpyArrayInitializer", "value", describe(value), "an ndarray"))
        self.value = value

    def __repr__(self) -> str:
        return f"NumpyArray(shape={list(self.value.shape)})"

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        slots = {
            "float32": "fp32_values", "bool": "bool_values", "int32": "int32_values", "int64": "int64_values",
        }  # fmt: skip
        if dtype not in slots:
            fix = "Make the parameter with another initializer, then set_value(array)."
            raise DtypeError(message("NumpyArrayInitializer", "dtype", dtype, f"one of {', '.join(slots)}", fix))
        values = self.value.astype(dtype).reshape(-1)
        kept = values.astype("int32") if dtype == "bool" else values  # the attribute bool_values is a list of ints
        return "assign_value", {**_attrs(self.value.shape, dtype), slots[dtype]: kept}


Constant = ConstantInitializer
Uniform = UniformInitializer
Normal = NormalInitializer
TruncatedNormal = TruncatedNormalInitializer
Xavier = XavierInitializer
MSRA = MSRAInitializer
Bilinear = BilinearInitializer
