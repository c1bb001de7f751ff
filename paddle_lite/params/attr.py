"""ParamAttr: how a parameter is named, initialised, regularised and trained."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .initializer import Constant, Initializer, Xavier


class ParamAttr:
    """The attributes of one parameter.

    Arguments:
        name: its name; made from the layer's name when None.
        initializer: what fills it; the layer's default when None.
        learning_rate: factor on the optimizer's learning rate.
        regularizer: its own regularizer, in place of the optimizer's.
        trainable: whether optimizers change it.
        do_model_average: whether ModelAverage averages it.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.ParamAttr(name='w', learning_rate=0.5).name
    'w'
    """

    def __init__(
        self,
        name: str | None = None,
        initializer: Initializer | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
    ) -> None:
        if name == "":
            raise ArgumentValueError(message("ParamAttr", "name", "''", "a name, or None for one that is made up"))
        if name is not None and not isinstance(name, str):
            raise ArgumentTypeError(message("ParamAttr", "name", describe(name), "a text, or None"))
        if initializer is not None and not isinstance(initializer, Initializer):
            fix = "Make one: fluid.initializer.Constant(0.5)."
            raise ArgumentTypeError(message("ParamAttr", "initializer", describe(initializer), "an Initializer", fix))
        if isinstance(learning_rate, bool) or not isinstance(learning_rate, (int, float)):
            raise ArgumentTypeError(message("ParamAttr", "learning_rate", describe(learning_rate), "a number"))
        self.name = name
        self.initializer = initializer
        self.learning_rate = learning_rate
        self.regularizer = regularizer
        self.trainable = trainable
        self.do_model_average = do_model_average

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if v is not None)
        return f"ParamAttr({shown})"


class WeightNormParamAttr(ParamAttr):
    """The attributes of a weight that is kept as a length and a direction: w = g * v / ||v||, g and v being trained.

    In static mode functions and Layers take it; operators make w in each run. In imperative mode Layers take it; g and v are
    their parameters `weight_g` and `weight_v`. (Paddle 1.8 fails there.)
    Source: Salimans and Kingma, "Weight Normalization", 2016.

    Arguments:
        dim: the dimension along which each index has a length of its own; None: the whole weight has one.
        name, initializer, learning_rate, regularizer, trainable, do_model_average: as of ParamAttr; the initializer makes
            v, and g is its length at first.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fc = fluid.dygraph.Linear(3, 4, param_attr=fluid.WeightNormParamAttr(dim=1))
    ...     print([(name, p.name, p.shape) for name, p in fc.named_parameters()][:2])
    [('weight_g', 'linear_0.w_0_g', [1, 4]), ('weight_v', 'linear_0.w_0_v', [3, 4])]
    """

    def __init__(
        self,
        dim: int | None = None,
        name: str | None = None,
        initializer: Initializer | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = False,
    ) -> None:
        super().__init__(name, initializer, learning_rate, regularizer, trainable, do_model_average)
        if dim is not None and (isinstance(dim, bool) or not isinstance(dim, int)):
            raise ArgumentTypeError(message("WeightNormParamAttr", "dim", describe(dim), "an int, or None"))
        self.dim = dim

    def part(self, name: str) -> ParamAttr:
        """The attributes of g or of v."""
        return ParamAttr(
            name, self.initializer, self.learning_rate, self.regularizer, self.trainable, self.do_model_average
        )


def to_attr(value: Any, where: str = "create_parameter") -> ParamAttr | None:
    """A ParamAttr from what layers accept: None, a ParamAttr, a name, an initializer, a regularizer, True; None for False."""
    if value is None or value is True:
        return ParamAttr()
    if value is False:
        return None
    if isinstance(value, ParamAttr):
        return value
    if isinstance(value, str):
        return ParamAttr(name=value)
    if isinstance(value, Initializer):
        return ParamAttr(initializer=value)
    if hasattr(value, "regularization_coeff"):
        return ParamAttr(regularizer=value)
    raise ArgumentTypeError(
        message(where, "attr", describe(value), "a ParamAttr, a name, an initializer, a regularizer, None or False")
    )


def default_initializer(is_bias: bool) -> Initializer:
    """Zeros for a bias, Xavier uniform for a weight."""
    return Constant(0.0) if is_bias else Xavier()


class Global:
    """What set_global_initializer set."""

    weight: Initializer | None = None
    bias: Initializer | None = None


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Initialise the parameters that are made from here on; only a ParamAttr's own initializer goes before it.

    Arguments:
        weight_init: an Initializer for weights, the scales of normalisations included; None: as each layer has it.
        bias_init: an Initializer for biases; None: as each layer has it.

    Raises:
        ArgumentTypeError: one of them is no Initializer.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.set_global_initializer(fluid.initializer.Constant(2.0), fluid.initializer.Constant(3.0))
    >>> with fluid.dygraph.guard():
    ...     layer = fluid.dygraph.Linear(1, 2)
    ...     layer.weight.numpy().tolist(), layer.bias.numpy().tolist()
    ([[2.0, 2.0]], [3.0, 3.0])
    >>> fluid.set_global_initializer(None)
    """
    for name, value in (("weight_init", weight_init), ("bias_init", bias_init)):
        if value is not None and not isinstance(value, Initializer):
            needs = "an Initializer, e.g. fluid.initializer.Constant(0.0), or None"
            raise ArgumentTypeError(message("set_global_initializer", name, describe(value), needs))
    Global.weight, Global.bias = weight_init, bias_init
