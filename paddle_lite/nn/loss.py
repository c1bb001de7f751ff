"""Losses as Layers: called with a result and its label."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ..core.typing import Variable
from ..imperative.layer import Layer
from ..layers.loss.loss import cross_entropy, square_error_cost
from ..layers.math.elementwise import elementwise_mul, elementwise_pow, elementwise_sub
from ..layers.math.reduce import reduce_mean, reduce_sum
from ..layers.nn.activation import softmax
from ..layers.support.arguments import is_variable
from ..ops.loss.loss_classes import nll_loss
from ..ops.loss.loss_pairs import bce_loss
from ..ops.nn.activation import abs as absolute

__all__ = ["BCELoss", "CrossEntropyLoss", "L1Loss", "MSELoss", "NLLLoss"]


class _Loss(Layer):
    """The base class of the losses: a weight, and the reduction of the losses of elements."""

    def __init__(self, reduction: str, weight: Any = None) -> None:
        super().__init__()
        where = type(self).__name__
        if reduction not in ("none", "mean", "sum"):
            raise ArgumentValueError(message(where, "reduction", repr(reduction), '"none", "mean" or "sum"'))
        if weight is not None and not is_variable(weight):
            fix = "Convert it with to_variable()."
            raise ArgumentTypeError(message(where, "weight", describe(weight), "a Variable or None", fix))
        self.reduction = reduction
        self._weight = (weight,)  # in a tuple: it is no parameter, whatever made it

    @property
    def weight(self) -> Any:
        """Return the weight, or None."""
        return self._weight[0]

    def reduced(self, loss: Any) -> Any:
        """Reduce the losses of all elements, as `reduction` says."""
        return {"none": lambda x: x, "mean": reduce_mean, "sum": reduce_sum}[self.reduction](loss)


class CrossEntropyLoss(_Loss):
    """Compute -log(softmax(input)[label]), multiplied by the weight of the label's class.

    Arguments:
        weight: a Variable [classes], or None for 1 for each class.
        reduction: "none", "mean" (over the labels) or "sum".
        ignore_index: rows with this label have the loss 0.

    Shapes:
        input [N, classes], label int64 [N, 1] -> [1], or [N, 1] for "none".

    Raises:
        ArgumentValueError: `reduction` is unknown.
        ArgumentTypeError: `weight` is not a Variable.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.zeros([1, 2], 'float32'))
    >>> paddle.nn.CrossEntropyLoss()(x, paddle.imperative.to_variable(np.array([[1]]))).numpy()
    array([0.6931472], dtype=float32)
    """

    def __init__(self, weight: Any = None, reduction: str = "mean", ignore_index: int = -100) -> None:
        super().__init__(reduction, weight)
        self.ignore_index = ignore_index

    def forward(self, input: Variable, label: Any) -> Variable:
        probability = softmax(input)
        if self.weight is not None:
            probability = elementwise_pow(probability, self.weight)
        return self.reduced(cross_entropy(probability, label, ignore_index=self.ignore_index))


class NLLLoss(_Loss):
    """Compute -input[label], multiplied by the weight of the label's class; input holds log-probabilities.

    Arguments:
        weight: a Variable [classes], or None for 1 for each class.
        reduction: "none", "mean" (the sum divided by the sum of the labels' weights) or "sum".
        ignore_index: labels that do not count.

    Shapes:
        input [N, classes], label int64 [N] -> [1], or [N] for "none"; or [N, classes, ...], [N, ...].

    Raises:
        ArgumentValueError: `reduction` is unknown.
        ArgumentTypeError: `weight` is not a Variable.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([[-1., -2.]], 'float32'))
    >>> paddle.nn.NLLLoss()(x, paddle.imperative.to_variable(np.array([1]))).numpy()
    array([2.], dtype=float32)
    """

    def __init__(self, weight: Any = None, reduction: str = "mean", ignore_index: int = -100) -> None:
        super().__init__(reduction, weight)
        self.ignore_index = ignore_index

    def forward(self, input: Variable, label: Any) -> Variable:
        return nll_loss.call(input, label, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)[0]


class BCELoss(_Loss):
    """Compute -label log(input) - (1 - label) log(1 - input), multiplied by the weight; logarithms are at least -100.

    Arguments:
        weight: a Variable of the shape of the input or of its last dimensions, or None.
        reduction: "none", "mean" or "sum".

    Shapes:
        input: probabilities of any shape; label of the same shape and dtype -> [1], or that shape for "none".

    Raises:
        ArgumentValueError: `reduction` is unknown.
        ArgumentTypeError: `weight` is not a Variable.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> p = paddle.imperative.to_variable(np.array([0.5, 0.5], 'float32'))
    >>> paddle.nn.BCELoss()(p, p * 2).numpy()
    array([0.6931472], dtype=float32)
    """

    def __init__(self, weight: Any = None, reduction: str = "mean") -> None:
        super().__init__(reduction, weight)

    def forward(self, input: Variable, label: Any) -> Variable:
        loss = bce_loss.call(input, label)
        return self.reduced(loss if self.weight is None else elementwise_mul(loss, self.weight))


class L1Loss(_Loss):
    """Compute |input - label|.

    Arguments:
        reduction: "none", "mean" or "sum".

    Shapes:
        input and label of one shape and dtype -> [1], or that shape for "none".

    Raises:
        ArgumentValueError: `reduction` is unknown.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 4.], 'float32'))
    >>> paddle.nn.L1Loss()(x, x * 2).numpy()
    array([2.5], dtype=float32)
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def forward(self, input: Variable, label: Any) -> Variable:
        return self.reduced(absolute.call(elementwise_sub(input, label)))


class MSELoss(_Loss):
    """Compute the square of input - label.

    Arguments:
        reduction: "none", "mean" or "sum".

    Shapes:
        input and label of one shape and dtype -> [1], or that shape for "none".

    Raises:
        ArgumentValueError: `reduction` is unknown.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 3.], 'float32'))
    >>> paddle.nn.MSELoss()(x, x * 2).numpy()
    array([5.], dtype=float32)
    """

    def __init__(self, reduction: str = "mean") -> None:
        super().__init__(reduction)

    def forward(self, input: Variable, label: Any) -> Variable:
        return self.reduced(square_error_cost(input, label))
