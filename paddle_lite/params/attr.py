"""ParamAttr: the name, initializer, regularizer and training options of a parameter."""

from __future__ import annotations

from typing import Any

from ..core.calls.former import formerly
from ..core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .clip import GradientClipBase
from .initializer import Constant, Initializer, Xavier


class ParamAttr:
    """The attributes of one parameter.

    Arguments:
        name: the name; generated from the layer's name where it is None.
        initializer: the Initializer; the default of the layer where it is None.
        learning_rate: a factor of the optimizer's learning rate.
        regularizer: the regularizer of this parameter, used instead of the optimizer's.
        trainable: whether optimizers update it.
        do_model_average: whether ModelAverage averages it.
        gradient_clip: in a static Program, the clip of this parameter's gradient where the optimizer has none, as in
            Fluid before 1.8.

    Raises:
        ArgumentTypeError: an argument has another type.
        ArgumentValueError: name is empty.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.ParamAttr(name='w', learning_rate=0.5).name
    'w'
    """

    @formerly("self name initializer learning_rate regularizer trainable gradient_clip do_model_average")
    def __init__(
        self,
        name: str | None = None,
        initializer: Initializer | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = True,
        *,
        gradient_clip: Any = None,
    ) -> None:
        if gradient_clip is not None and not isinstance(gradient_clip, GradientClipBase):
            needs = "a clip, such as fluid.clip.GradientClipByNorm(1.0)"
            raise ArgumentTypeError(message("ParamAttr", "gradient_clip", describe(gradient_clip), needs))
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
        self.gradient_clip = gradient_clip

    @staticmethod
    def _to_attr(arg: Any) -> Any:
        """Return a ParamAttr for an argument of a layer, False for False, and a list of them for a list."""
        if isinstance(arg, (list, tuple)):
            return [ParamAttr._to_attr(each) for each in arg]
        return to_attr(arg, "ParamAttr._to_attr") or False

    def _to_kwargs(self, with_initializer: bool = False) -> dict[str, Any]:
        """Return the keywords with which a program creates a parameter of these attributes in a block."""
        rate = {"learning_rate": self.learning_rate}
        kept = {name: getattr(self, name) for name in ("regularizer", "trainable", "do_model_average")}
        initializer = {"initializer": self.initializer} if with_initializer else {}
        return {"name": self.name, "optimize_attr": rate, **kept, **initializer}

    def _set_default_initializer(self, initializer: Initializer | None) -> None:
        """Set the Initializer where there is none."""
        if self.initializer is None:
            self.initializer = initializer

    def _set_default_param_initializer(self) -> None:
        """Set the Initializer of weights where there is none."""
        self._set_default_initializer(default_initializer(is_bias=False))

    def _set_default_bias_initializer(self) -> None:
        """Set the Initializer of biases where there is none."""
        self._set_default_initializer(default_initializer(is_bias=True))

    def __repr__(self) -> str:
        shown = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if v is not None)
        return f"ParamAttr({shown})"


class WeightNormParamAttr(ParamAttr):
    """The attributes of a weight with weight normalisation: w = g * v / ||v||, where g and v are trained.

    In static mode, functions and Layers accept it; operators compute w in each run. In imperative mode, Layers accept
    it; g and v are their parameters `weight_g` and `weight_v`. (Paddle 1.8 fails there.)

    Source: Salimans and Kingma, "Weight Normalization", 2016.

    Arguments:
        dim: the dimension along which each index has its own norm g; None for a single norm of the whole weight.
        name, initializer, learning_rate, regularizer, trainable, do_model_average: as in ParamAttr; the initializer
            fills v, and g is initialised with the norm of v.
        gradient_clip: the clip of the gradients of v and of g, as in ParamAttr.

    Raises:
        ArgumentTypeError: an argument has another type.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fc = fluid.dygraph.Linear(3, 4, param_attr=fluid.WeightNormParamAttr(dim=1))
    ...     print([(name, p.name, p.shape) for name, p in fc.named_parameters()][:2])
    [('weight_g', 'linear_0.w_0_g', [1, 4]), ('weight_v', 'linear_0.w_0_v', [3, 4])]
    """

    @formerly("self dim name initializer learning_rate regularizer trainable gradient_clip do_model_average")
    def __init__(
        self,
        dim: int | None = None,
        name: str | None = None,
        initializer: Initializer | None = None,
        learning_rate: float = 1.0,
        regularizer: Any = None,
        trainable: bool = True,
        do_model_average: bool = False,
        *,
        gradient_clip: Any = None,
    ) -> None:
        super().__init__(
            name, initializer, learning_rate, regularizer, trainable, do_model_average, gradient_clip=gradient_clip
        )
        if dim is not None and (isinstance(dim, bool) or not isinstance(dim, int)):
            raise ArgumentTypeError(message("WeightNormParamAttr", "dim", describe(dim), "an int, or None"))
        self.dim = dim

    def part(self, name: str) -> ParamAttr:
        """Return the attributes of g or of v."""
        given = (name, self.initializer, self.learning_rate, self.regularizer, self.trainable, self.do_model_average)
        return ParamAttr(*given, gradient_clip=self.gradient_clip)


def to_attr(value: Any, where: str = "create_parameter") -> ParamAttr | None:
    """Convert a `param_attr` argument to a ParamAttr; return None for False.

    The argument is None, True, a ParamAttr, a name, an Initializer, a regularizer, or False.
    """
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
    """Return the default initializer: zeros for a bias, Xavier uniform for a weight."""
    return Constant(0.0) if is_bias else Xavier()


class Global:
    """The initializers that set_global_initializer has set."""

    weight: Initializer | None = None
    bias: Initializer | None = None


def set_global_initializer(weight_init: Initializer | None, bias_init: Initializer | None = None) -> None:
    """Set the default initializers of parameters created from now on; the initializer of a ParamAttr has priority.

    Arguments:
        weight_init: an Initializer for weights and scales of normalisations; None for the default of each layer.
        bias_init: an Initializer for biases; None for the default of each layer.

    Raises:
        ArgumentTypeError: an argument is neither an Initializer nor None.

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
