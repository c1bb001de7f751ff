"""`fluid.contrib.layers.tree_conv`: convolution over the nodes of trees."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.sequence import tree_conv as ops
from ..support.arguments import check_int, check_variable
from ..support.helper import LayerHelper

__all__ = ["tree_conv"]


def tree_conv(
    nodes_vector: Any,
    edge_set: Any,
    output_size: int,
    num_filters: int = 1,
    max_depth: int = 2,
    act: str | None = "tanh",
    param_attr: Any = None,
    bias_attr: Any = None,
    name: str | None = None,
) -> Variable:
    """Convolve each node of a tree with its descendants within `max_depth`, by filters for left, right and top.

    Source: Mou et al., "Convolutional Neural Networks over Tree Structures for Programming Language Processing", 2016.

    Arguments:
        nodes_vector: [N, nodes, features], float32 or float64.
        edge_set: int32 [N, edges, 2], each edge [parent, child] with nodes from 1 on, [0, 0] behind the last.
        output_size: the number of outputs of a filter.
        num_filters: the number of filters.
        max_depth: the depth of a window, 2 or more; a node itself is at depth 1.
        act: the name of an activation, or None.
        param_attr: the ParamAttr of the weight, [features, 3, output_size, num_filters].
        bias_attr: the ParamAttr of the bias, [nodes, output_size, num_filters]; False for no bias.
        name: the prefix of the names of parameters.

    Returns:
        A Variable [N, nodes, output_size, num_filters].

    Raises:
        ArgumentTypeError: an input is not a Variable, or a number is not an int.
        ArgumentValueError: max_depth is below 2.
        ShapeError: the shapes do not fit.
        DtypeError: edge_set is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     nodes = fluid.dygraph.to_variable(np.ones([1, 3, 5], 'float32'))
    ...     edges = fluid.dygraph.to_variable(np.array([[[1, 2], [1, 3]]], 'int32'))
    ...     fluid.contrib.layers.tree_conv(nodes, edges, output_size=6, num_filters=2).shape
    [1, 3, 6, 2]
    """
    where = "tree_conv"
    for key, value in (("nodes_vector", nodes_vector), ("edge_set", edge_set)):
        check_variable(where, key, value)
    helper = LayerHelper(where, act=act, param_attr=param_attr, bias_attr=bias_attr, name=name)
    shape = [
        nodes_vector.shape[-1],
        3,
        check_int(where, "output_size", output_size),
        check_int(where, "num_filters", num_filters),
    ]
    weight = helper.create_parameter(param_attr, shape, nodes_vector.dtype)
    out = helper.run(
        ops.tree_conv, nodes_vector, edge_set, weight, max_depth=check_int(where, "max_depth", max_depth)
    )  # fmt: skip
    return helper.append_activation(out if bias_attr is False else helper.append_bias_op(out))
