"""`fluid.contrib.layers.tdm_child` and `tdm_sampler`: trees of items, for tree-based deep models."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ...core.dtype import to_vartype
from ...core.errors import ArgumentValueError, message
from ...ops.nn import tdm as ops
from ...params.initializer import Constant
from ..shape.shape import reshape, slice
from ..support.arguments import check_int, check_variable, flag, int_list
from ..support.helper import LayerHelper

__all__ = ["tdm_child", "tdm_sampler"]


def tdm_child(x: Any, node_nums: int, child_nums: int, param_attr: Any = None, dtype: Any = "int32") -> tuple[Any, Any]:
    """Look up the children of nodes in a tree, which a parameter holds.

    Source: H. Zhu et al., "Learning tree-based deep model for recommender systems", 2018.

    Arguments:
        x: int32 or int64: nodes; 0 is none.
        node_nums: the number of nodes, with node 0.
        child_nums: the largest number of children of a node.
        param_attr: the ParamAttr of the tree, [node_nums, 3 + child_nums]: for each node its item (0 for a node that is
            no leaf), its layer, its parent and its children. An initializer must fill it: NumpyArrayInitializer.
        dtype: "int32" or "int64", the dtype of the tree and of the results.

    Returns:
        (the children [*x.shape, child_nums], 0 where there is none; a mask of that shape, 1 where a child is a leaf).

    Raises:
        ArgumentTypeError: x is not a Variable, or a number is not an int.
        ArgumentValueError: child_nums is below 1.
        IndexRangeError: a node is not one of the tree.
        DtypeError: dtype or the dtype of x is another one.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> tree = np.array([[0, 0, 0, 1, 0], [0, 0, 0, 2, 3], [7, 1, 1, 0, 0], [8, 1, 1, 0, 0]])
    >>> attr = fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(tree.astype('int32')))
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1], [2]]))
    ...     child, leaf = fluid.contrib.layers.tdm_child(x, 4, 2, attr)
    ...     child.numpy().tolist(), leaf.numpy().tolist()
    ([[[2, 3]], [[0, 0]]], [[[1, 1]], [[0, 0]]])
    """
    where = "tdm_child"
    check_variable(where, "x", x)
    nodes, children = check_int(where, "node_nums", node_nums), check_int(where, "child_nums", child_nums)
    code = int(to_vartype(dtype, where))
    helper = LayerHelper(where)
    tree = helper.create_parameter(
        param_attr, [nodes, 3 + children], dtype, default_initializer=Constant(0.0), stop_gradient=True
    )
    return helper.run(ops.tdm_child, x, tree, child_nums=children, dtype=code)


def tdm_sampler(
    x: Any,
    neg_samples_num_list: Sequence[int],
    layer_node_num_list: Sequence[int],
    leaf_node_num: int,
    tree_travel_attr: Any = None,
    tree_layer_attr: Any = None,
    output_positive: bool = True,
    output_list: bool = True,
    seed: int = 0,
    tree_dtype: Any = "int32",
    dtype: Any = "int32",
) -> Any:
    """Sample, for each leaf, the nodes on the way to it and other nodes of their layers.

    Source: H. Zhu et al., "Learning tree-based deep model for recommender systems", 2018.

    Arguments:
        x: int32 or int64 [N, 1]: leaves.
        neg_samples_num_list: for each layer the number of other nodes to draw, all different.
        layer_node_num_list: for each layer the number of its nodes.
        leaf_node_num: the number of leaves.
        tree_travel_attr: the ParamAttr of the ways, [leaf_node_num, layers]: for each leaf the node of each layer, 0
            where the way is shorter. An initializer must fill it.
        tree_layer_attr: the ParamAttr of the layers, [nodes, 1]: the nodes of one layer after another.
        output_positive: whether the node on the way stands before the others.
        output_list: whether the results are lists with one Variable [N, samples, 1] for each layer, rather than one
            Variable [N, all samples].
        seed: the seed of the draws; 0 for different nodes in each call.
        tree_dtype: "int32" or "int64", the dtype of the ways and layers.
        dtype: "int32" or "int64", the dtype of the results.

    Returns:
        (nodes; labels, 1 for the node on the way and 0 for others; masks, 0 where a way has no node).

    Raises:
        ArgumentTypeError: x is not a Variable, or a number is not an int.
        ArgumentValueError: the lists differ in length, or as many nodes are to be drawn as a layer has.
        IndexRangeError: x has a number that is no leaf.
        DtypeError: a dtype is another one.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> def of(*values):
    ...     array = np.array(values, 'int32')
    ...     return fluid.ParamAttr(initializer=fluid.initializer.NumpyArrayInitializer(array))
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1]]))
    ...     nodes, labels, _ = fluid.contrib.layers.tdm_sampler(
    ...         x, [1, 1], [2, 3], 2, of([1, 3], [2, 5]), of([1], [2], [3], [4], [5]), seed=1)
    ...     [n.numpy().ravel().tolist() for n in nodes], [n.numpy().ravel().tolist() for n in labels]
    ([[2, 1], [5, 3]], [[1, 0], [1, 0]])
    """
    where = "tdm_sampler"
    check_variable(where, "x", x)
    counts = int_list(where, "neg_samples_num_list", neg_samples_num_list)
    sizes = int_list(where, "layer_node_num_list", layer_node_num_list)
    if len(counts) != len(sizes):
        needs = f"{len(sizes)} numbers, one for each of layer_node_num_list"
        raise ArgumentValueError(message(where, "neg_samples_num_list", counts, needs))
    for i, (count, size) in enumerate(zip(counts, sizes, strict=True)):
        if not 0 <= count < size:
            raise ArgumentValueError(message(where, f"neg_samples_num_list[{i}]", count, f"0 to {size - 1}"))
    positive = flag(where, "output_positive", output_positive)
    leaves, code = check_int(where, "leaf_node_num", leaf_node_num), int(to_vartype(dtype, where))
    helper = LayerHelper(where)
    ways = helper.create_parameter(
        tree_travel_attr, [leaves, len(sizes)], tree_dtype, default_initializer=Constant(0.0)
    )  # fmt: skip
    layers = helper.create_parameter(tree_layer_attr, [sum(sizes), 1], tree_dtype, default_initializer=Constant(0.0))
    found = helper.run(
        ops.tdm_sampler, x, ways, layers, neg_samples_num_list=counts, layer_offset_lod=[0, *accumulate(sizes)],
        output_positive=positive, seed=check_int(where, "seed", seed), dtype=code,
    )  # fmt: skip
    for each in found:
        each.stop_gradient = True
    return _by_layer(found, [count + positive for count in counts]) if output_list else found


def _by_layer(found: Any, sizes: list[int]) -> tuple[list[Any], list[Any], list[Any]]:
    """Return the columns of each layer, [N, samples, 1], of each result."""
    made: tuple[list[Any], list[Any], list[Any]] = ([], [], [])
    start = 0
    for size in sizes:
        parts = [slice(each, axes=[1], starts=[start], ends=[start + size]) for each in found]
        for results, part in zip(made, parts, strict=True):
            shaped = reshape(part, [-1, size, 1])
            shaped.stop_gradient = True
            results.append(shaped)
        start += size
    return made
