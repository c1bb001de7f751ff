"""`fluid.contrib.layers.shuffle_batch`: rows in random order."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, describe, message
from ...core.typing import Variable
from ...ops.random import shuffle as ops
from ..support.arguments import check_variable, is_int, is_variable
from ..support.helper import LayerHelper
from .random import seed_variable

__all__ = ["shuffle_batch"]


def shuffle_batch(x: Variable, seed: Any = None) -> Variable:
    """Put the rows of x, its numbers along the last dimension, into random order.

    Arguments:
        x: a Variable [..., features].
        seed: an int; an int64 Variable [1], into which the seed of the next call is written; None for another order in
            each call. In a Program each run continues from the run before.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or seed has another form.
        DtypeError: seed is a Variable but not int64.
        ShapeError: the rows of x are empty.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 1.], [2., 2.], [3., 3.]], 'float32'))
    ...     fluid.contrib.layers.shuffle_batch(x, seed=90).numpy()
    array([[2., 2.],
           [1., 1.],
           [3., 3.]], dtype=float32)
    """
    where = "shuffle_batch"
    check_variable(where, "x", x)
    helper = LayerHelper(where)
    start = int(np.random.randint(-65536, 65536)) if seed is None else seed
    if is_int(start):
        start = seed_variable(int(start), "shuffle_batch_seed")
    elif not is_variable(start):
        raise ArgumentTypeError(message(where, "seed", describe(seed), "an int, or an int64 Variable"))
    return helper.run(ops.shuffle_batch, x, start, carry={"SeedOut": start})[0]
