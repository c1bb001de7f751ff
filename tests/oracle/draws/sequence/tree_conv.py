"""Random calls of tree_conv: trees with nodes in a random order."""

import numpy as np

from tests.ops.row import Sample


def tree(d, nodes):
    """The edges of a random tree, each node below one that stands before it in a random order."""
    order = d.order(nodes)
    edges = [[order[d.int(0, i - 1)] + 1, order[i] + 1] for i in range(1, nodes)]
    return [edges[i] for i in d.order(len(edges))]


def tree_conv(d):
    images, nodes, features, dtype = d.int(1, 3), d.int(2, 8), d.int(1, 4), d.one("float32", "float64")
    outputs, filters = d.one((1, 1), (d.int(1, 3), d.int(1, 3)))
    inputs = {
        "NodesVector": d.floats((images, nodes, features), dtype=dtype),
        "EdgeSet": np.array([tree(d, nodes) for _ in range(images)], "int32"),
        "Filter": d.floats((features, 3, outputs, filters), dtype=dtype),
    }
    grads = None if outputs * filters == 1 else ("Filter",)  # Paddle's other gradient is wrong then
    return Sample(inputs, {"max_depth": d.int(2, 5)}, grads=grads)


CALLS = {"tree_conv": tree_conv}
