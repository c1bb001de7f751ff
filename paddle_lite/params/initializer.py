"""Initializers: each says which operator fills a parameter, and with which attributes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core import seeds
from ..core.dtype import to_vartype
from ..core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, ShapeError, describe, message


class Initializer:
    """Base of all initializers: `operation(shape, dtype)` is the operator that makes the initial value, with attributes."""

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        """(operator type, attributes) for a parameter of this shape and dtype."""
        raise NotImplementedError(f"{type(self).__name__} does not say which operator fills a parameter")

    def __repr__(self) -> str:
        return f"{type(self).__name__.removesuffix('Initializer')}({', '.join(f'{k}={v!r}' for k, v in vars(self).items())})"


def _attrs(shape: Sequence[int], dtype: str) -> dict[str, Any]:
    return {"shape": [int(n) for n in shape], "dtype": int(to_vartype(dtype))}


def _seed(own: int) -> int:
    """The seed to use: the initializer's own, or the default Program's."""
    return own or seeds.main


def _require_numbers(where: str, **values: Any) -> None:
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            raise ArgumentTypeError(message(where, name, describe(value), "a number"))


def fans(shape: Sequence[int]) -> tuple[int, int]:
    """(fan in, fan out): for a matrix its two sizes, for a convolution's filter channels times window."""
    if not shape:
        return 1, 1
    if len(shape) == 1:
        return shape[0], shape[0]
    if len(shape) == 2:
        return shape[0], shape[1]
    window = math.prod(shape[2:])
    return shape[1] * window, shape[0] * window


class ConstantInitializer(Initializer):
    """Every element gets one value.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.initializer.Constant(2.0)
    Constant(value=2.0)
    """

    def __init__(self, value: float = 0.0, force_cpu: bool = False) -> None:
        _require_numbers("Constant initializer", value=value)
        self.value = value
        self.force_cpu = force_cpu

    def __repr__(self) -> str:
        return f"Constant(value={self.value})"

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        return "fill_constant", {**_attrs(shape, dtype), "value": float(self.value)}


class UniformInitializer(Initializer):
    """Uniform in [low, high).

    Arguments:
        seed: of the generator; 0 takes the default program's, or a different one each time.
        diag_num, diag_step, diag_val: `diag_num` elements i * (diag_step + 1) of the flat array get `diag_val`.
    """

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
    """Normal with mean `loc` and standard deviation `scale`."""

    def __init__(self, loc: float = 0.0, scale: float = 1.0, seed: int = 0) -> None:
        _require_numbers(
            f"{type(self).__name__.removesuffix('Initializer')} initializer", loc=loc, scale=scale, seed=seed
        )
        self.loc, self.scale, self.seed = loc, scale, seed

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        attrs = {**_attrs(shape, dtype), "mean": float(self.loc), "std": float(self.scale), "seed": _seed(self.seed)}
        return "gaussian_random", attrs


class TruncatedNormalInitializer(NormalInitializer):
    """Normal, with values further than two standard deviations from the mean left out."""

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        return "truncated_gaussian_random", super().operation(shape, dtype)[1]


class _FanInitializer(Initializer):
    """A spread that follows from the sizes of the layer."""

    uniform: bool
    seed: int

    def _by_variance(self, variance: float, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        if self.uniform:
            limit = math.sqrt(3.0 * variance)
            return UniformInitializer(-limit, limit, self.seed).operation(shape, dtype)
        return NormalInitializer(0.0, math.sqrt(variance), self.seed).operation(shape, dtype)


class XavierInitializer(_FanInitializer):
    """Variance 2 / (fan_in + fan_out) (Glorot and Bengio, "Understanding the difficulty of training deep feedforward
    neural networks", 2010)."""

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
    """Variance 2 / fan_in (He et al., "Delving deep into rectifiers", 2015)."""

    def __init__(self, uniform: bool = True, fan_in: int | None = None, seed: int = 0) -> None:
        self.uniform, self.fan_in, self.seed = uniform, fan_in, seed

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        return self._by_variance(2.0 / (fans(shape)[0] if self.fan_in is None else self.fan_in), shape, dtype)


class BilinearInitializer(Initializer):
    """The filter of a transposed convolution that enlarges an image by bilinear interpolation; shape [C, 1, k, k]."""

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
    """The values of an ndarray."""

    def __init__(self, value: np.ndarray) -> None:
        if not isinstance(value, np.ndarray):
            raise ArgumentTypeError(message("NumpyArrayInitializer", "value", describe(value), "an ndarray"))
        self.value = value

    def __repr__(self) -> str:
        return f"NumpyArray(shape={list(self.value.shape)})"

    def operation(self, shape: Sequence[int], dtype: str) -> tuple[str, dict[str, Any]]:
        if tuple(shape) != self.value.shape:
            raise ShapeError(
                message("NumpyArrayInitializer", "value", f"shape {list(self.value.shape)}", f"shape {list(shape)}")
            )
        slots = {
            "float32": "fp32_values", "bool": "bool_values", "int32": "int32_values", "int64": "int64_values",
        }  # fmt: skip
        if dtype not in slots:
            fix = "Make the parameter with another initializer, then set_value(array)."
            raise DtypeError(message("NumpyArrayInitializer", "dtype", dtype, f"one of {', '.join(slots)}", fix))
        return "assign_value", {**_attrs(shape, dtype), slots[dtype]: self.value.astype(dtype).reshape(-1)}


Constant = ConstantInitializer
Uniform = UniformInitializer
Normal = NormalInitializer
TruncatedNormal = TruncatedNormalInitializer
Xavier = XavierInitializer
MSRA = MSRAInitializer
Bilinear = BilinearInitializer
