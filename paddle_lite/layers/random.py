"""Random Variables, and dropout."""

from __future__ import annotations

from typing import Any

from ..core import seeds
from ..core.dtype import to_vartype
from ..core.errors import ArgumentTypeError, describe, message
from ..core.mode import state as mode
from ..ops import random as ops
from .arguments import shape_inputs

__all__ = ["dropout", "gaussian_random", "sampling_id", "uniform_random"]


def uniform_random(shape: Any, dtype: Any = "float32", min: float = -1.0, max: float = 1.0, seed: int = 0) -> Any:
    """Numbers that are uniform in [min, max).

    Arguments:
        shape: a list of ints and [1] Variables, or an int Variable that holds the sizes.
        dtype: "float32" or "float64".
        min, max: the bounds, min below max.
        seed: of the generator; 0 gives other numbers at each call.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.uniform_random([2, 3], min=0., max=1.).shape
    [2, 3]
    """
    sizes, tensor, tensors = shape_inputs("uniform_random", shape)
    code = int(to_vartype(dtype, "uniform_random"))
    return ops.uniform_random.call(tensor, tensors, shape=sizes, min=float(min), max=float(max), seed=seed, dtype=code)


def gaussian_random(shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: Any = "float32") -> Any:
    """Normal numbers.

    Arguments:
        shape: a list of ints and [1] Variables, or an int Variable that holds the sizes.
        mean, std: of the distribution.
        seed: of the generator; 0 gives other numbers at each call.
        dtype: "float32" or "float64".

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.gaussian_random([2, 3]).shape
    [2, 3]
    """
    sizes, tensor, tensors = shape_inputs("gaussian_random", shape)
    code = int(to_vartype(dtype, "gaussian_random"))
    return ops.gaussian_random.call(
        tensor, tensors, shape=sizes, mean=float(mean), std=float(std), seed=seed, dtype=code
    )


def sampling_id(x: Any, min: float = 0.0, max: float = 1.0, seed: int = 0, dtype: Any = "float32") -> Any:
    """For each row of probabilities an index, drawn with these.

    Arguments:
        x: [N, K], float32 or float64; each row adds up to 1.
        min, max: indices are where numbers of [min, max) fall among the sums of a row.
        seed: of the generator; 0 gives other numbers at each call.
        dtype: kept for Fluid code; indices are int64.

    Returns:
        int64 [N].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.sampling_id(fluid.dygraph.to_variable(np.array([[0., 1.], [1., 0.]], 'float32'))).numpy()
    array([1, 0])
    """
    return ops.sampling_id.call(x, min=float(min), max=float(max), seed=seed)


def dropout(
    x: Any,
    dropout_prob: float,
    is_test: bool = False,
    seed: int | None = None,
    name: str | None = None,
    dropout_implementation: str = "downgrade_in_infer",
) -> Any:
    """x with elements set to 0 at random.

    Source: Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting", 2014.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        dropout_prob: the probability of 0.
        is_test: whether this is inference, as it also is after `eval()` of a Layer.
        seed: the same mask at each call where it is given.
        dropout_implementation: "downgrade_in_infer" multiplies by 1 - dropout_prob in inference; "upscale_in_train"
            divides by it in training.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones(4, 'float32'))
    ...     fluid.layers.dropout(x, 0.5, is_test=True).numpy()
    array([0.5, 0.5, 0.5, 0.5], dtype=float32)
    """
    if not isinstance(dropout_prob, (int, float)):
        raise ArgumentTypeError(message("dropout", "dropout_prob", describe(dropout_prob), "a number from 0 to 1"))
    seed = seed or seeds.main
    return ops.dropout.call(
        x,
        None,
        dropout_prob=float(dropout_prob),
        is_test=is_test or not mode.training,
        fix_seed=bool(seed),
        seed=seed,
        dropout_implementation=dropout_implementation,
    )[0]
