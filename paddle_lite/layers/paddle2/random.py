"""Random Variables with the signatures of 2.0-alpha."""

from __future__ import annotations

from typing import Any

from ...core import seeds
from ...core.dtype import get_default_dtype, to_vartype
from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...ops.random import random as ops
from ...ops.random import sampling
from ..random.random import gaussian_random, uniform_random
from ..support.arguments import check_int, check_variable, flag, is_int, shape_inputs, write_to_out
from .creation import _check_device

__all__ = ["bernoulli", "manual_seed", "multinomial", "rand", "randint", "randn", "randperm"]


def rand(
    shape: Any,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """Draw numbers from the uniform distribution over [0, 1).

    Arguments:
        shape: a list of ints and Variables of one element, or an int Variable that holds the sizes.
        out: a Variable to write the result into; a new one where it is None.
        dtype: "float32" or "float64"; that of `set_default_dtype` ("float32") where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        stop_gradient: whether gradients stop at the result.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form.
        ArgumentValueError: device is unknown.
        ShapeError: a size is negative, or shape is empty.
        DtypeError: dtype is not float32 or float64.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.rand([2, 3]).shape
    [2, 3]
    """
    _check_device("rand", device)
    made = uniform_random(shape, get_default_dtype() if dtype is None else dtype, min=0.0, max=1.0)
    return _settled("rand", made, out, stop_gradient)


def randn(
    shape: Any,
    out: Any = None,
    dtype: Any = None,
    device: str | None = None,
    stop_gradient: bool = True,
    name: str | None = None,
) -> Variable:
    """Draw numbers from the standard normal distribution.

    Arguments:
        shape: a list of ints and Variables of one element, or an int Variable that holds the sizes.
        out: a Variable to write the result into; a new one where it is None.
        dtype: "float32" or "float64"; that of `set_default_dtype` ("float32") where it is None.
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        stop_gradient: whether gradients stop at the result.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form.
        ArgumentValueError: device is unknown.
        ShapeError: a size is negative, or shape is empty.
        DtypeError: dtype is not float32 or float64.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.randn([2, 3]).shape
    [2, 3]
    """
    return standard_normal(shape, 0, out, dtype, device, stop_gradient)


def standard_normal(shape: Any, seed: int, out: Any, dtype: Any, device: str | None, stop_gradient: bool) -> Variable:
    """Do what `randn` does, with a seed; 0 for different numbers in each call."""
    _check_device("randn", device)
    made = gaussian_random(shape, seed=seed, dtype=get_default_dtype() if dtype is None else dtype)
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
) -> Variable:
    """Draw integers uniformly from low ... high - 1.

    Arguments:
        low, high: the bounds; 0 and `low` where `high` is None.
        shape: a list of ints and Variables of one element, or an int Variable that holds the sizes; [1] where it is
            None.
        out: a Variable to write the result into; a new one where it is None.
        dtype: "int64" (where it is None) or "int32".
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        stop_gradient: accepted for Paddle code; integers have no gradient.
        seed: the seed of the generator; 0 for different numbers in each call.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: shape has another form, or low or high is not an int.
        ArgumentValueError: low is not below high, or device is unknown.
        ShapeError: a size is negative.
        DtypeError: dtype is not int32 or int64.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.randint(5, 6, shape=[3]).numpy()
    array([5, 5, 5])
    """
    _check_device("randint", device)
    low, high = (0, low) if high is None else (low, high)
    low, high = check_int("randint", "low", low), check_int("randint", "high", high)
    sizes, tensor, tensors = shape_inputs("randint", [1] if shape is None else shape)
    code = int(to_vartype("int64" if dtype is None else dtype, "randint"))
    made = ops.randint.call(tensor, tensors, shape=sizes, low=low, high=high, seed=seed, dtype=code)
    return _settled("randint", made, out, stop_gradient)


def randperm(
    n: int,
    out: Any = None,
    dtype: Any = "int64",
    device: str | None = None,
    stop_gradient: bool = True,
    seed: int = 0,
) -> Variable:
    """Draw a random permutation of the integers 0 ... n - 1.

    Arguments:
        n: the number of integers, at least 1.
        out: a Variable to write the result into; a new one where it is None.
        dtype: "int64" or "int32".
        device: "cpu", "gpu" or None; the result is on the device of imperative mode in any case.
        stop_gradient: accepted for Paddle code; integers have no gradient.
        seed: the seed of the generator; 0 for a different permutation in each call.

    Returns:
        A Variable [n] of this dtype.

    Raises:
        ArgumentTypeError: n is not an int.
        ArgumentValueError: n is below 1, or device is unknown.
        DtypeError: dtype is not int32 or int64.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> sorted(paddle.randperm(4).numpy().tolist())
    [0, 1, 2, 3]
    """
    _check_device("randperm", device)
    made = ops.randperm.call(n=check_int("randperm", "n", n), dtype=int(to_vartype(dtype, "randperm")), seed=seed)
    return _settled("randperm", made, out, stop_gradient)


def bernoulli(x: Variable, name: str | None = None) -> Variable:
    """Draw 1 with the probability given by each element, else 0.

    Arguments:
        x: probabilities, a Variable of any shape, float32 or float64.
        name: accepted for Paddle code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        ArgumentValueError: an element is not from 0 to 1; in a Program raised by `Executor.run`.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.bernoulli(paddle.imperative.to_variable(np.array([0., 1.], 'float32'))).numpy()
    array([0., 1.], dtype=float32)
    """
    return sampling.bernoulli.call(check_variable("bernoulli", "x", x), seed=seeds.current().main)


def multinomial(x: Variable, num_samples: int = 1, replacement: bool = False, name: str | None = None) -> Variable:
    """Draw indices with probabilities in proportion to weights.

    Arguments:
        x: weights, at least 0: a Variable [kinds] or [rows, kinds], float32 or float64.
        num_samples: the number of indices for each row.
        replacement: whether an index may be drawn several times.
        name: accepted for Paddle code, ignored.

    Returns:
        An int64 Variable [num_samples] or [rows, num_samples].

    Raises:
        ArgumentTypeError: x is not a Variable, or num_samples is not an int.
        ArgumentValueError: num_samples is below 1 or, without replacement, above the number of positive weights; or a
            weight is negative.
        ShapeError: the rank of x is above 2.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([0., 3., 0.], 'float32'))
    >>> paddle.multinomial(x, 4, replacement=True).numpy()
    array([1, 1, 1, 1])
    """
    count = check_int("multinomial", "num_samples", num_samples)
    check_variable("multinomial", "x", x)
    return sampling.multinomial.call(
        x, num_samples=count, replacement=flag("multinomial", "replacement", replacement), seed=seeds.current().main
    )


def _settled(where: str, made: Any, out: Any, stop_gradient: bool) -> Any:
    """Return the result, written into `out` if it is given, with `stop_gradient` set."""
    result = write_to_out(made, out, where)
    result.stop_gradient = stop_gradient
    return result


def manual_seed(seed: int) -> None:
    """Set the random seed of both default Programs, from which initial parameters and dropout are drawn.

    Arguments:
        seed: an int; 0 for different numbers each time.

    Returns:
        None.

    Raises:
        ArgumentTypeError: seed is not an int.

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
    both = seeds.current()
    both.main = both.startup = int(seed)
