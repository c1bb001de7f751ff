"""Random Variables, and dropout."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import seeds, unique_name
from ...core.dtype import to_vartype
from ...core.errors import ArgumentTypeError, describe, message
from ...core.mode import ByMode
from ...core.mode import state as mode
from ...core.typing import Variable
from ...ops.random import crop as crop_ops
from ...ops.random import dropout as dropout_ops
from ...ops.random import random as ops
from ...ops.random import sampling
from ...params.initializer import Constant
from ...static.program.persistent import persistent_variable
from ..shape.fill import fill_constant
from ..support.arguments import (
    check_number,
    check_variable,
    flag,
    int_list,
    is_int,
    is_variable,
    shape_inputs,
    truncated,
)
from ..support.taken import variable_taken
from ..support.write_into import run

__all__ = [
    "dropout", "gaussian_random", "gaussian_random_batch_size_like", "random_crop", "sampling_id", "uniform_random",
    "uniform_random_batch_size_like",
]  # fmt: skip


def uniform_random(shape: Any, dtype: Any = "float32", min: float = -1.0, max: float = 1.0, seed: int = 0) -> Variable:
    """Draw numbers from the uniform distribution over [min, max).

    Arguments:
        shape: a list of ints and Variables [1], or an int Variable that holds the sizes.
        dtype: "float32" or "float64".
        min, max: the bounds, min below max.
        seed: the seed of the generator; 0 for different numbers in each call.

    Returns:
        A Variable of this shape and dtype, without a gradient.

    Raises:
        ArgumentTypeError: shape has another form.
        ShapeError: a size is negative, or shape is empty.
        DtypeError: dtype is not float32 or float64.
        ArgumentValueError: min is not below max.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.uniform_random([2, 3], min=0., max=1.).shape
    [2, 3]
    """
    sizes, tensor, tensors = shape_inputs("uniform_random", truncated(shape))
    code = int(to_vartype(dtype, "uniform_random"))
    return ops.uniform_random.call(tensor, tensors, shape=sizes, min=float(min), max=float(max), seed=seed, dtype=code)


def gaussian_random(shape: Any, mean: float = 0.0, std: float = 1.0, seed: int = 0, dtype: Any = "float32") -> Variable:
    """Draw numbers from the normal distribution.

    Arguments:
        shape: a list of ints and Variables [1], or an int Variable that holds the sizes.
        mean, std: the mean and the standard deviation.
        seed: the seed of the generator; 0 for different numbers in each call.
        dtype: "float32" or "float64".

    Returns:
        A Variable of this shape and dtype, without a gradient.

    Raises:
        ArgumentTypeError: shape has another form.
        ShapeError: a size is negative, or shape is empty.
        DtypeError: dtype is not float32 or float64.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.gaussian_random([2, 3]).shape
    [2, 3]
    """
    sizes, tensor, tensors = shape_inputs("gaussian_random", truncated(shape))
    code = int(to_vartype(dtype, "gaussian_random"))
    return ops.gaussian_random.call(
        tensor, tensors, shape=sizes, mean=float(mean), std=float(std), seed=seed, dtype=code
    )


def uniform_random_batch_size_like(
    input: Variable,
    shape: Any,
    dtype: Any = "float32",
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
) -> Variable:
    """Draw numbers from the uniform distribution over [min, max), in a shape that takes one size from another Variable.

    Arguments:
        input: the Variable whose size is taken.
        shape: a list of ints; the one at `output_dim_idx` is replaced.
        dtype: "float32" or "float64".
        input_dim_idx: the dimension of `input` whose size is taken.
        output_dim_idx: the dimension of the result that gets this size.
        min, max: the bounds, min below max.
        seed: the seed of the generator; 0 for different numbers in each call.

    Returns:
        A Variable of this shape and dtype, without a gradient.

    Raises:
        ArgumentTypeError: input is not a Variable, or shape is not a list of ints.
        ShapeError: input_dim_idx or output_dim_idx is out of range, or another size is negative.
        DtypeError: dtype is not float32 or float64.
        ArgumentValueError: min is not below max.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([3, 2], 'float32'))
    ...     fluid.layers.uniform_random_batch_size_like(x, [-1, 4]).shape
    [3, 4]
    """
    where = "uniform_random_batch_size_like"
    return ops.uniform_random_batch_size_like.call(
        check_variable(where, "input", input), shape=int_list(where, "shape", shape), input_dim_idx=input_dim_idx,
        output_dim_idx=output_dim_idx, min=float(min), max=float(max), seed=seed, dtype=int(to_vartype(dtype, where)),
    )  # fmt: skip


def gaussian_random_batch_size_like(
    input: Variable,
    shape: Any,
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    dtype: Any = "float32",
) -> Variable:
    """Draw numbers from the normal distribution, in a shape that takes one size from another Variable.

    Arguments:
        input: the Variable whose size is taken.
        shape: a list of ints; the one at `output_dim_idx` is replaced.
        input_dim_idx: the dimension of `input` whose size is taken.
        output_dim_idx: the dimension of the result that gets this size.
        mean, std: the mean and the standard deviation.
        seed: the seed of the generator; 0 for different numbers in each call.
        dtype: "float32" or "float64".

    Returns:
        A Variable of this shape and dtype, without a gradient.

    Raises:
        ArgumentTypeError: input is not a Variable, or shape is not a list of ints.
        ShapeError: input_dim_idx or output_dim_idx is out of range, or another size is negative.
        DtypeError: dtype is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([3, 2], 'float32'))
    ...     fluid.layers.gaussian_random_batch_size_like(x, [4, -1], input_dim_idx=1, output_dim_idx=1).shape
    [4, 2]
    """
    where = "gaussian_random_batch_size_like"
    return ops.gaussian_random_batch_size_like.call(
        check_variable(where, "input", input), shape=int_list(where, "shape", shape), input_dim_idx=input_dim_idx,
        output_dim_idx=output_dim_idx, mean=float(mean), std=float(std), seed=seed, dtype=int(to_vartype(dtype, where)),
    )  # fmt: skip


def random_crop(x: Variable, shape: Any, seed: Any = None) -> Variable:
    """Crop a window at a random position out of each instance of x.

    Arguments:
        x: a Variable [N, ..., *sizes].
        shape: the sizes of the window in the last dimensions; fewer sizes than the rank of x.
        seed: an int; an int64 Variable [1], into which the seed of the next call is written; None for different
            positions in each call. In a Program each run continues from the run before.

    Returns:
        A Variable [N, ..., *shape] of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, shape is not a list of ints, or seed has another form.
        ShapeError: the window does not fit into x.
        DtypeError: seed is a Variable but not int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(12, dtype='float32').reshape(2, 6))
    ...     fluid.layers.random_crop(x, [3], seed=7).numpy()
    array([[ 0.,  1.,  2.],
           [ 8.,  9., 10.]], dtype=float32)
    """
    variable_taken("random_crop", "x", x)
    if seed is None:
        seed = int(np.random.randint(-65536, 65536))
    if is_int(seed):
        seed = seed_variable(int(seed), "random_crop_seed")
    elif not is_variable(seed):
        raise ArgumentTypeError(message("random_crop", "seed", describe(seed), "an int, or an int64 Variable"))
    sizes = int_list("random_crop", "shape", shape)
    return run(crop_ops.random_crop, x, seed, carry={"SeedOut": seed}, shape=sizes)[0]


def _seed_now(value: int, name: str) -> Any:
    return fill_constant([1], "int64", value)


def _seed_of_program(value: int, name: str) -> Any:
    return persistent_variable(unique_name.generate(name), [1], "int64", Constant(float(value)))


seed_variable = ByMode(imperative=_seed_now, static=_seed_of_program)
"""Return an int64 Variable [1]; in a Program one that keeps its value between runs, with `name` as the start of its name."""


def sampling_id(x: Any, min: float = 0.0, max: float = 1.0, seed: int = 0, dtype: Any = "float32") -> Variable:
    """Draw for each row of probabilities an index with these probabilities.

    Arguments:
        x: [N, K], float32 or float64; each row sums to 1.
        min, max: a uniform number r in [min, max) is drawn for each row; the index is the first one where the
            cumulative sum of the row exceeds r.
        seed: the seed of the generator; 0 for different numbers in each call.
        dtype: accepted for Fluid code, ignored: indices are int64.

    Returns:
        An int64 Variable [N].

    Raises:
        ArgumentTypeError: x is not a Variable.
        ArgumentValueError: min is not below max.
        ShapeError: the rank of x is not 2, or K is 0.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.sampling_id(fluid.dygraph.to_variable(np.array([[0., 1.], [1., 0.]], 'float32'))).numpy()
    array([1, 0])
    """
    return sampling.sampling_id.call(x, min=float(min), max=float(max), seed=seed)


def dropout(
    x: Any,
    dropout_prob: float,
    is_test: bool = False,
    seed: int | None = None,
    name: str | None = None,
    dropout_implementation: str = "downgrade_in_infer",
) -> Variable:
    """Set elements of x to 0 at random.

    Source: Srivastava et al., "Dropout: A Simple Way to Prevent Neural Networks from Overfitting", 2014.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        dropout_prob: the probability that an element is set to 0, from 0 to 1.
        is_test: whether this is inference, in Programs: no element is set to 0. In imperative mode `eval()` of a Layer
            says so, and this is ignored.
        seed: an int that fixes the mask; None for different masks.
        dropout_implementation: "downgrade_in_infer" multiplies by 1 - dropout_prob in inference; "upscale_in_train"
            divides by it in training.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or dropout_prob is not a number.
        ArgumentValueError: dropout_prob is not in the range, or dropout_implementation is unknown.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones(4, 'float32'))
    ...     fluid.layers.dropout(x, 0.5, seed=3).numpy()
    array([0., 0., 1., 1.], dtype=float32)
    """
    seed = seed or seeds.current().main
    return dropout_ops.dropout.call(
        x,
        None,
        dropout_prob=check_number("dropout", "dropout_prob", dropout_prob),
        is_test=mode.mode.for_inference(flag("dropout", "is_test", is_test), mode.training),
        fix_seed=bool(seed),
        seed=seed,
        dropout_implementation=dropout_implementation,
    )[0]
