"""Losses for many classes: noise-contrastive estimation and hierarchical sigmoid."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.typing import Parameter, Variable
from ...ops.loss import hsigmoid as tree_ops
from ...ops.loss import nce as ops
from ...params.initializer import NumpyArrayInitializer
from ..support.arguments import check_int, check_variable, flag
from ..support.helper import LayerHelper
from ..support.taken import variable_taken
from ..support.write_into import run

__all__ = ["hsigmoid", "nce"]

NEGATIVES = 10  # the default number of sampled classes


def alias_tables(probabilities: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Return the tables (alias, keep) of the alias method for sampling from a discrete distribution.

    Draw a class c uniformly; keep it with probability keep[c], else take alias[c] (-1: c is always kept).

    Source: Walker, "An Efficient Method for Generating Discrete Random Variables With General Distributions", 1977.

    >>> alias_tables([0.5, 0.25, 0.25])[0].tolist()
    [-1, 0, 0]
    """
    n = len(probabilities)
    alias, keep = np.full(n, -1, "int32"), np.ones(n, "float32")
    rich: deque[tuple[int, float]] = deque()
    poor: deque[tuple[int, float]] = deque()

    def sort_in(c: int, share: float) -> None:
        if share != 1.0:
            (rich if share > 1.0 else poor).append((c, share))

    for c, probability in enumerate(probabilities):
        sort_in(c, probability * n)
    while rich and poor:
        (giver, has), (taker, share) = rich.popleft(), poor.popleft()
        alias[taker], keep[taker] = giver, share
        sort_in(giver, has + share - 1.0)
    return alias, keep


def sampler_of(where: str, sampler: Any, custom_dist: Any, classes: int) -> tuple[int, list[np.ndarray]]:
    """Return the operator's code of a sampler, and for "custom_dist" the tables [probabilities, alias, keep]."""
    if sampler not in ops.SAMPLERS:
        raise ArgumentValueError(message(where, "sampler", repr(sampler), '"uniform", "log_uniform" or "custom_dist"'))
    if sampler != "custom_dist":
        return ops.SAMPLERS[sampler], []
    if not isinstance(custom_dist, (list, tuple, np.ndarray)) or len(custom_dist) != classes:
        got = f"{len(custom_dist)} numbers" if hasattr(custom_dist, "__len__") else describe(custom_dist)
        needs = f"the probability of each of the {classes} classes, for the sampler is custom_dist"
        raise ArgumentTypeError(message(where, "custom_dist", got, needs))
    probabilities = [float(p) for p in custom_dist]
    return ops.SAMPLERS[sampler], [np.array(probabilities, "float32"), *alias_tables(probabilities)]


def table_parameters(tables: list[np.ndarray], create: Any) -> list[Any]:
    """Create parameters that hold the tables and are not trained; return three times None if there are no tables."""
    made = [create(list(t.shape), t.dtype.name, default_initializer=NumpyArrayInitializer(t)) for t in tables]
    for table in made:
        table.stop_gradient = True
    return made or [None, None, None]


def class_count(where: str, num_total_classes: Any, num_neg_samples: Any) -> tuple[int, int]:
    """Return (number of classes, number of sampled classes); raise unless both are at least 1."""
    negatives = NEGATIVES if num_neg_samples is None else num_neg_samples
    for argument, value in (("num_total_classes", num_total_classes), ("num_neg_samples", negatives)):
        if check_int(where, argument, value) < 1:
            raise ArgumentValueError(message(where, argument, value, "1 or more"))
    return num_total_classes, negatives


def nce_cost(inputs: Sequence[Any], **attrs: Any) -> Variable:
    """Return the cost of the operator nce divided by the number of classes considered."""
    cost, _, _ = run(ops.nce, *inputs, **attrs)
    return cost / (attrs["num_neg_samples"] + 1)


def nce(
    input: Variable,
    label: Any,
    num_total_classes: int,
    sample_weight: Any = None,
    param_attr: Any = None,
    bias_attr: Any = None,
    num_neg_samples: int | None = None,
    name: str | None = None,
    sampler: str = "uniform",
    custom_dist: Sequence[float] | None = None,
    seed: int = 0,
    is_sparse: bool = False,
) -> Variable:
    """Compute the loss of noise-contrastive estimation, which tells true classes from sampled ones, with new
    parameters.

    Source: Gutmann and Hyvarinen, "Noise-contrastive estimation", 2010.

    Arguments:
        input: [N, D], float32 or float64.
        label: int64 [N, T], the true classes of each row.
        num_total_classes: the number of classes.
        sample_weight: [N, 1], the weight of each row; None for equal weights.
        param_attr: the ParamAttr of the weights [num_total_classes, D].
        bias_attr: the ParamAttr of the biases [num_total_classes, 1]; False for none.
        num_neg_samples: the number of classes to sample for each row; 10 where it is None.
        name: the prefix of the parameters' names.
        sampler: the distribution to sample from: "uniform", "log_uniform" (class c in proportion to log((c + 2) / (c +
            1)), for classes sorted by frequency) or "custom_dist".
        custom_dist: the probability of each class, for "custom_dist".
        seed: the seed of the generator; 0 for different classes in each call.
        is_sparse: whether the gradient of the weights is SelectedRows: only the classes considered.

    Returns:
        A Variable [N, 1]: the loss of each row.

    Raises:
        ArgumentTypeError: input is not a Variable, a number is not an int, or custom_dist has not one probability for
            each class.
        ArgumentValueError: num_total_classes or num_neg_samples is below 1, or sampler is unknown.
        IndexRangeError: a label is not a class.
        ShapeError: the shapes do not fit.
        DtypeError: label is not int64, or input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     label = fluid.dygraph.to_variable(np.array([[1], [7]], 'int64'))
    ...     fluid.layers.nce(x, label, num_total_classes=20, num_neg_samples=5).shape
    [2, 1]
    """
    where = "nce"
    classes, negatives = class_count(where, num_total_classes, num_neg_samples)
    code, tables = sampler_of(where, sampler, custom_dist, classes)
    helper = LayerHelper(where, name=name)
    width = variable_taken(where, "input", input).shape[-1]

    def create(shape: list[int], dtype: Any, attr: Any = None, **more: Any) -> Parameter:
        return helper.create_parameter(attr, shape, dtype, **more)

    weight = create([classes, width], input.dtype, param_attr)
    bias = create([classes, 1], input.dtype, bias_attr, is_bias=True)
    return nce_cost(
        [input, label, weight, bias, sample_weight, *table_parameters(tables, create)],
        num_total_classes=classes,
        num_neg_samples=negatives,
        sampler=code,
        seed=seed,
        is_sparse=flag(where, "is_sparse", is_sparse),
        key=f"{helper.name}.tmp",
    )


def hsigmoid(
    input: Variable,
    label: Any,
    num_classes: int,
    param_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
    path_table: Any = None,
    path_code: Any = None,
    is_custom: bool = False,
    is_sparse: bool = False,
) -> Variable:
    """Compute the loss of hierarchical sigmoid: binary decisions on the path to the class in a binary tree, with new
    parameters.

    Source: Morin and Bengio, "Hierarchical Probabilistic Neural Network Language Model", 2005.

    Arguments:
        input: [N, D], float32 or float64.
        label: int64 [N, 1], the class of each row.
        num_classes: the number of classes, at least 2; for a custom tree the number of its inner nodes.
        param_attr: the ParamAttr of the weights of the nodes, [num_classes - 1, D]; [num_classes, D] for a custom tree.
        bias_attr: the ParamAttr of the biases, [num_classes - 1, 1] or [num_classes, 1]; False for none.
        name: the prefix of the parameters' names.
        path_table: int64 [N, L], for a custom tree: the nodes on the path to each label, padded with -1.
        path_code: int64 [N, L], for a custom tree: the decision at each node, 0 or 1.
        is_custom: whether the tree is custom; otherwise it is a complete binary tree.
        is_sparse: whether the gradient of the weights is SelectedRows: only the nodes on the paths; for a custom tree.

    Returns:
        A Variable [N, 1]: the loss of each row.

    Raises:
        ArgumentTypeError: input is not a Variable, or num_classes is not an int.
        ArgumentValueError: num_classes is below 2, or path_table and path_code do not go with is_custom.
        IndexRangeError: a label is not a class, or a path holds an unknown node.
        ShapeError: the shapes do not fit.
        DtypeError: label is not int64, or input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     label = fluid.dygraph.to_variable(np.array([[1], [7]], 'int64'))
    ...     fluid.layers.hsigmoid(x, label, num_classes=8).numpy().ravel()
    array([2.0794415, 2.0794415], dtype=float32)
    """
    where = "hsigmoid"
    for argument, table in (("path_table", path_table), ("path_code", path_code)):
        if is_custom and table is None:
            raise ArgumentValueError(message(where, argument, None, "a Variable, where is_custom is set"))
        if not is_custom and table is not None:
            raise ArgumentValueError(message(where, argument, describe(table), "None, where is_custom is not set"))
    if not is_custom and check_int(where, "num_classes", num_classes) < 2:
        raise ArgumentValueError(message(where, "num_classes", num_classes, "2 or more"))
    nodes = num_classes if is_custom else num_classes - 1
    helper = LayerHelper("hierarchical_sigmoid", name=name)
    width = check_variable(where, "input", input).shape[-1]
    weight = helper.create_parameter(param_attr, [nodes, width], input.dtype)
    bias = helper.create_parameter(bias_attr, [nodes, 1], input.dtype, is_bias=True)
    out, _, _ = helper.run(
        tree_ops.hierarchical_sigmoid,
        input,
        weight,
        label,
        path_table,
        path_code,
        bias,
        num_classes=num_classes,
        is_sparse=bool(is_sparse and is_custom),
    )
    return out
