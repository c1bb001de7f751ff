"""Convolution over the nodes of trees as a layer."""

from __future__ import annotations

from typing import Any

from ..core.typing import Variable
from ..imperative.layer import Layer
from ..imperative.layers.forms import also_before_1_7, size_of
from ..layers.support.activation_by_name import activate
from ..ops.math import elementwise
from ..ops.sequence import tree_conv


@also_before_1_7(feature_size=size_of(2))
class TreeConv(Layer):
    """Convolve each node of a tree with its descendants within `max_depth`, by filters for left, right and top.

    Source: Mou et al., "Convolutional Neural Networks over Tree Structures for Programming Language Processing", 2016.

    Arguments:
        feature_size: the features of a node.
        output_size: how many outputs a filter has.
        num_filters: how many filters there are.
        max_depth: how deep a window is, 2 or more; a node itself is at depth 1.
        act: name of an activation.
        param_attr: of the weight, [feature_size, 3, output_size, num_filters].
        bias_attr: of the bias, [num_filters], which there is only where this is given. (Paddle 1.8 adds it to the wrong
            axis unless there is one filter.)
        name: kept for Fluid code.

    Shapes:
        nodes_vector [N, nodes, feature_size], edge_set int32 [N, edges, 2], each edge [parent, child] with nodes from 1
        on, [0, 0] behind the last -> [N, nodes, output_size, num_filters].

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> conv = paddle.fluid.dygraph.TreeConv(feature_size=5, output_size=6, num_filters=2)
    >>> nodes = paddle.imperative.to_variable(np.ones([1, 3, 5], 'float32'))
    >>> conv(nodes, paddle.imperative.to_variable(np.array([[[1, 2], [1, 3]]], 'int32'))).shape
    [1, 3, 6, 2]
    """

    def __init__(
        self,
        feature_size: int,
        output_size: int,
        num_filters: int = 1,
        max_depth: int = 2,
        act: str | None = "tanh",
        param_attr: Any = None,
        bias_attr: Any = None,
        name: str | None = None,
        dtype: Any = "float32",
    ) -> None:
        super().__init__(dtype=dtype)
        self._act, self._max_depth, self._name = act, max_depth, name
        self._feature_size, self._output_size, self._num_filters = feature_size, output_size, num_filters
        self._param_attr, self._bias_attr = param_attr, bias_attr
        self.bias = (
            self.create_parameter([num_filters], bias_attr, is_bias=True, dtype=self._dtype) if bias_attr else None
        )
        self.weight = self.create_parameter([feature_size, 3, output_size, num_filters], param_attr, dtype=self._dtype)

    def forward(self, nodes_vector: Any, edge_set: Any) -> Variable:
        out = tree_conv.tree_conv.call(nodes_vector, edge_set, self.weight, max_depth=self._max_depth)
        if self.bias is not None:
            out = elementwise.elementwise_add.call(out, self.bias, axis=3)
        return activate(out, self._act)
