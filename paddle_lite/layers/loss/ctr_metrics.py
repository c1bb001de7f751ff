"""`fluid.contrib.layers.ctr_metric_bundle`: sums from which metrics of click-through-rate models are computed."""

from __future__ import annotations

from typing import Any

from ...core.errors import ShapeError, message
from ...ops.math import distance, elementwise, l1, reduce
from ...ops.nn import activation
from ...ops.shape.fill import fill_constant_batch_size_like
from ...params.initializer import Constant
from ..math.arithmetic import cast
from ..support.arguments import check_variable
from ..support.helper import LayerHelper

__all__ = ["ctr_metric_bundle"]


def ctr_metric_bundle(input: Any, label: Any) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Add up over all batches what metrics of click-through-rate models need.

    With the sums the mean absolute error is abserr / total, the root of the mean squared error
    sqrt(sqrerr / total), the predicted rate prob / total, the real one pos / total. On several trainers the sums are
    added up first.

    Arguments:
        input: [N, 1], float32: the predicted probabilities.
        label: [N, 1]: 1 for a click, else 0; a float or integer dtype.

    Returns:
        (sqrerr, abserr, prob, q, pos, total), float32 [1] each: the sums of the squared and of the absolute errors, of
            the predictions, of their sigmoid, of the labels, and the number of instances. In a Program they are kept from
            one run to the next, starting with 0 from the startup Program.

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ShapeError: the shapes of input and label differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
    ...     p, y = fluid.data('p', [None, 1]), fluid.data('y', [None, 1], 'int64')
    ...     sums = fluid.contrib.layers.ctr_metric_bundle(p, y)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(startup)
    ...     feed = {'p': np.array([[0.5], [0.25]], 'float32'), 'y': np.array([[1], [0]])}
    ...     found = [exe.run(main, feed=feed, fetch_list=[sums[1], sums[5]]) for _ in range(2)]
    ...     [[float(n[0]) for n in run] for run in found]
    [[0.75, 2.0], [1.5, 4.0]]
    """
    where = "ctr_metric_bundle"
    for key, value in (("input", input), ("label", label)):
        check_variable(where, key, value)
    if list(input.shape) != list(label.shape):
        raise ShapeError(message(where, "label", f"shape {list(label.shape)}", f"{list(input.shape)}, as input has"))
    helper = LayerHelper(where)
    abserr, sqrerr, prob, q, pos, total = (
        helper.create_global_variable(persistable=True, dtype="float32", shape=[1]) for _ in range(6)
    )
    for kept in (abserr, sqrerr, prob, q, pos, total):
        helper.set_variable_initializer(kept, Constant(0.0))
    clicks = label if label.dtype == input.dtype else cast(label, input.dtype)
    errors = elementwise.elementwise_sub.call(input, clicks)
    ones = fill_constant_batch_size_like.call(input, shape=[-1, 1], dtype=5, value=1.0)
    for batch, kept in (
        (distance.squared_l2_norm.call(errors), sqrerr),
        (l1.l1_norm.call(errors), abserr),
        (_sum(input), prob),
        (_sum(activation.sigmoid.call(input)), q),
        (_sum(clicks), pos),
        (_sum(ones), total),
    ):
        helper.run(elementwise.elementwise_add, batch, kept, carry={"Out": kept})
    return sqrerr, abserr, prob, q, pos, total


def _sum(x: Any) -> Any:
    return reduce.reduce_sum.call(x)
