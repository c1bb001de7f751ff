"""Probability distributions: samples, entropies, log densities and KL divergences, in either mode."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, NotYetAvailable, ShapeError, describe, message
from ...core.mode import state
from ..math.arithmetic import cast
from ..math.elementwise import elementwise_add, elementwise_div, elementwise_mul
from ..math.reduce import reduce_max, reduce_prod, reduce_sum
from ..nn.activation import exp, log
from ..support.arguments import int_list, is_variable
from .random import (
    gaussian_random,
    gaussian_random_batch_size_like,
    uniform_random,
    uniform_random_batch_size_like,
)

__all__ = ["Categorical", "MultivariateNormalDiag", "Normal", "Uniform"]


def _variable(where: str, argument: str, value: Any) -> Any:
    """Convert a float, a list or an ndarray to a float32 Variable; return a Variable unchanged."""
    return (
        value if is_variable(value) else state.mode.constant(np.asarray(_numbers(where, argument, value), np.float32))
    )


def _numbers(where: str, argument: str, value: Any) -> Any:
    """Return a list or an array; of a float a list. Raise for anything else."""
    if isinstance(value, float):
        return [value]
    if not isinstance(value, (list, tuple, np.ndarray)):
        needs = "a float such as 1.0, a list, an ndarray or a Variable"
        raise ArgumentTypeError(message(where, argument, describe(value), needs))
    return value


class Undefined(NotYetAvailable, NotImplementedError):
    """A distribution does not define a method. Fluid raises a NotImplementedError for it."""


class Distribution:
    """Base class of distributions."""

    def _validate_args(self, *args: Any) -> bool:
        """Return whether the arguments are Variables.

        Raises:
            ArgumentValueError: some are, and others are not.
        """
        found = [is_variable(arg) for arg in args]
        if any(found) and not all(found):
            needs = "all of them Variables, or none"
            raise ArgumentValueError(
                message(type(self).__name__, "arguments", str([type(a).__name__ for a in args]), needs)
            )
        return any(found)

    def _to_variable(self, *args: Any) -> tuple[Any, ...]:
        """Return numbers, lists and arrays as float32 Variables of one shape, to which they are broadcast.

        Raises:
            ArgumentTypeError: an argument is something else.
        """
        arrays = [np.asarray(_numbers(type(self).__name__, "arguments", arg), np.float32) for arg in args]
        return tuple(state.mode.constant(np.array(each)) for each in np.broadcast_arrays(*arrays))

    def sample(self, *args: Any, **kwargs: Any) -> Any:
        """Draw samples.

        Raises:
            Undefined: the distribution has no samples, as in PaddlePaddle 1.8.
        """
        raise Undefined(f"{type(self).__name__}.sample is not there, as in PaddlePaddle 1.8")

    def entropy(self) -> Any:
        """Return the entropy in nats.

        Raises:
            Undefined: the distribution has no entropy, as in PaddlePaddle 1.8.
        """
        raise Undefined(f"{type(self).__name__}.entropy is not there, as in PaddlePaddle 1.8")

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density at a value.

        Raises:
            Undefined: the distribution has no log density, as in PaddlePaddle 1.8.
        """
        raise Undefined(f"{type(self).__name__}.log_prob is not there, as in PaddlePaddle 1.8")

    def kl_divergence(self, other: Any) -> Any:
        """Return the Kullback-Leibler divergence KL(self || other) in nats.

        Raises:
            Undefined: the distribution has no divergence, as in PaddlePaddle 1.8.
        """
        raise Undefined(f"{type(self).__name__}.kl_divergence is not there, as in PaddlePaddle 1.8")

    def _same_kind(self, other: Any) -> None:
        """Raise unless `other` is a distribution of the same class."""
        if not isinstance(other, type(self)):
            name = type(self).__name__
            raise ArgumentTypeError(message(f"{name}.kl_divergence", "other", describe(other), f"a {name}"))


class _TwoParameters(Distribution):
    """Base class of Uniform and Normal: two parameters of one shape, which a sample has after its own shape."""

    def __init__(self, first: Any, second: Any, names: tuple[str, str]) -> None:
        where = type(self).__name__
        self._plain = all(
            isinstance(v, (int, float)) for v in (first, second)
        )  # then a sample has only the dimensions of `shape`
        self._first, self._second = _variable(where, names[0], first), _variable(where, names[1], second)

    def _drawn(self, draw: Any, draw_like: Any, shape: Any, seed: int, **bounds: float) -> Any:
        """Draw numbers from the standard distribution, in the shape of a sample.

        Arguments:
            draw: a function that draws numbers of a shape.
            draw_like: a function that draws numbers of a shape that takes one size from another Variable.
            bounds: further arguments of both.
        """
        where = f"{type(self).__name__}.sample"
        sizes = int_list(where, "shape", shape)
        if self._plain:
            return draw(sizes, seed=seed, **bounds)
        both = self._first + self._second
        own = list(both.shape)
        whole = sizes + own
        if -1 not in whole:
            return draw(whole, seed=seed, **bounds)
        if whole.count(-1) > 1:
            got = f"shape {sizes} for parameters of shape {own}"
            raise ArgumentValueError(message(where, "shape", got, "one unknown size (-1) at most"))
        source = own.index(-1) if -1 in own else 0
        dims = {"input_dim_idx": source, "output_dim_idx": whole.index(-1)}
        return draw_like(both, whole, seed=seed, **dims, **bounds)


class Uniform(_TwoParameters):
    """The uniform distribution from `low` to `high`. (In PaddlePaddle 1.8.5, samples fall as far below `low`, too.)

    Arguments:
        low, high: numbers, lists, ndarrays or Variables.

    Raises:
        ArgumentTypeError: a parameter is neither a number, a list, an ndarray nor a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.Uniform(0., 2.).entropy().numpy()
    array([0.6931472], dtype=float32)
    """

    def __init__(self, low: Any, high: Any) -> None:
        super().__init__(low, high, ("low", "high"))
        self.low, self.high = self._first, self._second

    def sample(self, shape: Any, seed: int = 0) -> Any:
        """Draw samples.

        Arguments:
            shape: an int or a list of ints; -1 stands for the first size of the parameters.
            seed: the seed of the generator; 0 for different numbers in each call.

        Returns:
            A Variable [*shape, *shape of the parameters]; [*shape] where both parameters are Python numbers.

        Raises:
            ArgumentValueError: more than one size is unknown.
        """
        drawn = self._drawn(uniform_random, uniform_random_batch_size_like, shape, seed, min=0.0, max=1.0)
        return elementwise_add(elementwise_mul(drawn, self.high - self.low), self.low)

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density at a value: minus infinity outside of the range."""
        inside = cast(self.low < value, value.dtype) * cast(value < self.high, value.dtype)
        return log(inside) - log(self.high - self.low)

    def entropy(self) -> Any:
        """Return the entropy, log(high - low)."""
        return log(self.high - self.low)


class Normal(_TwoParameters):
    """The normal distribution with mean `loc` and standard deviation `scale`.

    Arguments:
        loc, scale: numbers, lists, ndarrays or Variables.

    Raises:
        ArgumentTypeError: a parameter is neither a number, a list, an ndarray nor a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.Normal(0., 1.).kl_divergence(fluid.layers.Normal(1., 1.)).numpy()
    array([0.5], dtype=float32)
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        super().__init__(loc, scale, ("loc", "scale"))
        self.loc, self.scale = self._first, self._second

    def sample(self, shape: Any, seed: int = 0) -> Any:
        """Draw samples.

        Arguments:
            shape: an int or a list of ints; -1 stands for the first size of the parameters.
            seed: the seed of the generator; 0 for different numbers in each call.

        Returns:
            A Variable [*shape, *shape of the parameters]; [*shape] where both parameters are Python numbers.

        Raises:
            ArgumentValueError: more than one size is unknown.
        """
        drawn = self._drawn(gaussian_random, gaussian_random_batch_size_like, shape, seed, mean=0.0, std=1.0)
        return elementwise_add(elementwise_mul(drawn, self.scale), self.loc)

    def entropy(self) -> Any:
        """Return the entropy, 1/2 + log(2 pi) / 2 + log(scale)."""
        return log(self.scale + self.loc * 0.0) + (0.5 + 0.5 * math.log(2 * math.pi))

    def log_prob(self, value: Any) -> Any:
        """Return the logarithm of the density at a value."""
        off = value - self.loc
        return off * off * -1.0 / (self.scale * self.scale * 2.0) - log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def kl_divergence(self, other: Normal) -> Any:
        """Return KL(self || other) = (r + ((loc - other.loc) / other.scale)^2 - 1 - log r) / 2, r the ratio of the
        variances.
        """
        self._same_kind(other)
        ratio = self.scale / other.scale
        ratio = ratio * ratio
        off = (self.loc - other.loc) / other.scale
        return (ratio + off * off - 1.0 - log(ratio)) * 0.5


class Categorical(Distribution):
    """The categorical distribution over the last axis, with probabilities softmax(logits).

    Arguments:
        logits: a float Variable.

    Raises:
        ArgumentTypeError: a parameter is neither a number, a list, an ndarray nor a Variable.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     logits = fluid.dygraph.to_variable(np.zeros([1, 2], 'float32'))
    ...     fluid.layers.Categorical(logits).entropy().numpy()
    array([[0.6931472]], dtype=float32)
    """

    def __init__(self, logits: Any) -> None:
        self.logits = _variable("Categorical", "logits", logits)

    def _parts(self) -> tuple[Any, Any]:
        """Return (the logarithms of the probabilities, the probabilities)."""
        off = self.logits - reduce_max(self.logits, dim=-1, keep_dim=True)
        weights = exp(off)
        total = reduce_sum(weights, dim=-1, keep_dim=True)
        return off - log(total), weights / total

    def entropy(self) -> Any:
        """Return the entropy, -sum p log p, with size 1 along the last axis."""
        logs, chances = self._parts()
        return reduce_sum(chances * logs, dim=-1, keep_dim=True) * -1.0

    def kl_divergence(self, other: Categorical) -> Any:
        """Return KL(self || other) = sum p (log p - log q), with size 1 along the last axis."""
        self._same_kind(other)
        logs, chances = self._parts()
        return reduce_sum(chances * (logs - other._parts()[0]), dim=-1, keep_dim=True)


class MultivariateNormalDiag(Distribution):
    """The multivariate normal distribution with mean `loc` and a diagonal covariance matrix.

    Arguments:
        loc: a float Variable [k].
        scale: the covariance matrix, a float Variable [k, k] with zeros off the diagonal.

    Raises:
        ArgumentTypeError: a parameter is neither a number, a list, an ndarray nor a Variable.
        ShapeError: scale is not a square matrix of known size.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     loc, scale = (fluid.dygraph.to_variable(a.astype('float32')) for a in (np.zeros(2), np.eye(2)))
    ...     fluid.layers.MultivariateNormalDiag(loc, scale).entropy().numpy()
    array([2.837877], dtype=float32)
    """

    def __init__(self, loc: Any, scale: Any) -> None:
        self.loc = _variable("MultivariateNormalDiag", "loc", loc)
        self.scale = _variable("MultivariateNormalDiag", "scale", scale)
        sizes = list(self.scale.shape)
        if len(sizes) != 2 or sizes[0] != sizes[1] or sizes[0] < 1:
            raise ShapeError(
                message("MultivariateNormalDiag", "scale", f"shape {sizes}", "[k, k] with a k that is known")
            )

    def _unit(self) -> Any:
        """Return the identity matrix."""
        array = np.eye(self.scale.shape[0], dtype=np.float32)
        return state.mode.constant(array)

    def _determinant(self) -> Any:
        """Return the determinant of the covariance matrix: the product of its diagonal."""
        unit = self._unit()
        return reduce_prod(reduce_sum(self.scale * unit, dim=0))

    def _inverse(self) -> Any:
        """Return the inverse of the covariance matrix."""
        unit = self._unit()
        return elementwise_div(unit, self.scale + (unit * -1.0 + 1.0))

    def entropy(self) -> Any:
        """Return the entropy, (k (1 + log 2 pi) + log det scale) / 2."""
        size = self.scale.shape[0]
        return (log(self._determinant()) + size * (1.0 + math.log(2 * math.pi))) * 0.5

    def kl_divergence(self, other: MultivariateNormalDiag) -> Any:
        """Return KL(self || other) = (tr(S2^-1 S1) + d S2^-1 d - k + log det S2 - log det S1) / 2.

        S1 and S2 are the covariance matrices of self and other, d is the difference of the means.
        """
        self._same_kind(other)
        inverse = other._inverse()
        trace = reduce_sum(inverse * self.scale)
        off = other.loc - self.loc
        spread = reduce_sum(reduce_sum(inverse, dim=0) * off * off)
        ratio = log(other._determinant()) - log(self._determinant())
        return (trace + spread - float(self.scale.shape[0]) + ratio) * 0.5
