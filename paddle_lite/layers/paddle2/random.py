"""Random Variables."""

from __future__ import annotations

from typing import Any

from ...core import seeds
from ...core.dtype import to_vartype
from ...core.errors import ArgumentTypeError, describe, message
from ...ops.random import random as ops
from ..random.random import gaussian_random, uniform_random
from ..support.arguments import check_variable, deliver, is_int, shape_inputs, whole
from .creation import _check_device

__all__ = ["bernoulli", "manual_seed", "multinomial", "rand", "randint", "randn", "randperm"]


def rand(
    shape: Any,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Any:
    """Numbers that are uniform in [0, 1).

    Arguments:
        shape: a list of ints and [1] Variables, or an int Variable that holds the sizes.
        out: a Variable that takes the result.
        dtype: "float32" (where it is None) or "float64".
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        stop_gradient: whether gradients end at the result.
        name: kept for Paddle code.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.rand([2, 3]).shape
    [2, 3]
    """
    _check_device("rand", device)
    made = uniform_random(shape, "float32" if dtype is None else dtype, min=0.0, max=1.0)
    return _settled("rand", made, out, stop_gradient)


def randn(
    shape: Any,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Any:
    """Normal numbers of mean 0 and variance 1.

    Arguments:
        shape: a list of ints and [1] Variables, or an int Variable that holds the sizes.
        out: a Variable that takes the result.
        dtype: "float32" (where it is None) or "float64".
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        stop_gradient: whether gradients end at the result.
        name: kept for Paddle code.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.randn([2, 3]).shape
    [2, 3]
    """
    _check_device("randn", device)
    made = gaussian_random(shape, dtype="float32" if dtype is None else dtype)
    return _settled("randn", made, out, stop_gradient)


def randint(
    low: int,
    high: int | None = None,
    shape: Any = None,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = False,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """Integers of low ... high - 1, each as likely.

    Arguments:
        low, high: the bounds; 0 and `low` where `high` is None.
        shape: a list of ints and [1] Variables, or an int Variable that holds the sizes; [1] where it is None.
        out: a Variable that takes the result.
        dtype: "int64" (where it is None) or "int32".
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        stop_gradient: kept for Paddle code; integers have no gradient.
        seed: of the generator; 0 gives other numbers at each call.
        name: kept for Paddle code.

    Raises:
        ArgumentValueError: low is not below high.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.randint(5, 6, shape=[3]).numpy()
    array([5, 5, 5])
    """
    _check_device("randint", device)
    low, high = (0, low) if high is None else (low, high)
    for argument, value in (("low", low), ("high", high)):
        if not is_int(value):
            raise ArgumentTypeError(message("randint", argument, describe(value), "an int"))
    sizes, tensor, tensors = shape_inputs("randint", [1] if shape is None else shape)
    code = int(to_vartype("int64" if dtype is None else dtype, "randint"))
    made = ops.randint.call(tensor, tensors, shape=sizes, low=int(low), high=int(high), seed=seed, dtype=code)
    return _settled("randint", made, out, stop_gradient)


def randperm(
    n: int,
    out: Any = None,
    dtype: Any = "int64",
    device: str | None = None,
    stop_gradient: bool = True,
    seed: int = 0,
) -> Any:
    """The integers 0 ... n - 1 in random order.

    Arguments:
        n: how many, 1 or more.
        out: a Variable that takes the result.
        dtype: "int64" or "int32".
        device: "cpu", "gpu" or None; the result lives where imperative mode computes.
        stop_gradient: kept for Paddle code; integers have no gradient.
        seed: of the generator; 0 gives another order at each call.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> sorted(paddle.randperm(4).numpy().tolist())
    [0, 1, 2, 3]
    """
    _check_device("randperm", device)
    made = ops.randperm.call(n=whole("randperm", "n", n), dtype=int(to_vartype(dtype, "randperm")), seed=seed)
    return _settled("randperm", made, out, stop_gradient)


def bernoulli(x: Any, name: str | None = None) -> Any:
    """1 with the probability that `x` says, else 0, element by element.

    Arguments:
        x: probabilities, a float Variable.
        name: kept for Paddle code.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.bernoulli(paddle.imperative.to_variable(np.array([0., 1.], 'float32'))).numpy()
    array([0., 1.], dtype=float32)
    """
    return ops.bernoulli.call(check_variable("bernoulli", "x", x), seed=seeds.main)


def multinomial(x: Any, num_samples: int = 1, replacement: bool = False, name: str | None = None) -> Any:
    """Indices drawn with the probabilities that `x` is proportional to.

    Arguments:
        x: weights of 0 or more, a float Variable [kinds] or [rows, kinds].
        num_samples: how many for each row.
        replacement: whether one index may be drawn again.
        name: kept for Paddle code.

    Returns:
        int64 [num_samples] or [rows, num_samples].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([0., 3., 0.], 'float32'))
    >>> paddle.multinomial(x, 4, replacement=True).numpy()
    array([1, 1, 1, 1])
    """
    count = whole("multinomial", "num_samples", num_samples)
    check_variable("multinomial", "x", x)
    return ops.multinomial.call(x, num_samples=count, replacement=bool(replacement), seed=seeds.main)


def _settled(where: str, made: Any, out: Any, stop_gradient: bool) -> Any:
    """The result, or `out` with it, and whether gradients end there."""
    result = deliver(made, out, where)
    result.stop_gradient = stop_gradient
    return result


def manual_seed(seed: int) -> None:
    """Set the random seed of both default Programs: what initial parameters and dropout are drawn from.

    Arguments:
        seed: an int; 0 gives other numbers every time.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.manual_seed(7)
    >>> a, b = paddle.nn.Linear(2, 3), paddle.nn.Linear(2, 3)
    >>> bool((a.weight.numpy() == b.weight.numpy()).all())
    True
    >>> paddle.manual_seed(0)
    """
    if not is_int(seed):
        raise ArgumentTypeError(message("manual_seed", "seed", describe(seed), "an int"))
    seeds.main = seeds.startup = int(seed)
