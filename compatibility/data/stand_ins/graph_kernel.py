"""What PGL's compiled `graph_kernel` does, in NumPy."""

import numpy as np


def build_index(u, v, num_nodes):
    """Sort edges by u and v; return degrees, v, u and edge numbers in that order, and where each u begins.

    PGL's own keeps the order in which edges came from a set, in which Python 3.8 and later hold them otherwise.
    """
    order = np.lexsort((v, u))
    degree = np.bincount(u, minlength=num_nodes).astype("int64")
    starts = np.concatenate([[0], np.cumsum(degree)]).astype("int64")
    return degree, np.asarray(v)[order], np.asarray(u)[order], order.astype("int64"), starts


def slice_by_index(values, starts, index):
    """Return an array of arrays: the values of each node in `index`."""
    parts = np.empty(len(index), dtype=object)
    for place, node in enumerate(index):
        parts[place] = values[starts[node] : starts[node + 1]]
    return parts


def map_nodes(nodes, numbers):
    """Number nodes anew."""
    return np.array([numbers[node] for node in nodes], dtype="int64")


def map_edges(chosen, edges, numbers):
    """Number the ends of chosen edges anew."""
    return np.array([[numbers[u], numbers[v]] for u, v in edges[chosen]], dtype="int64").reshape(-1, 2)


def sample_subset(nodes, most, shuffle=False):
    """Draw at most so many of each list."""
    return [np.asarray(each)[_draw(len(each), most, shuffle)] for each in nodes]


def sample_subset_with_eid(nodes, edges, most, shuffle=False):
    """Draw at most so many of each list, and the same of a list beside it."""
    drawn = [_draw(len(each), most, shuffle) for each in nodes]
    beside = [np.asarray(each)[places] for each, places in zip(edges, drawn)]
    return [np.asarray(each)[places] for each, places in zip(nodes, drawn)], beside


def _draw(count, most, shuffle):
    if count <= most and not shuffle:
        return np.arange(count)
    return np.random.permutation(count)[: int(min(count, most))]


def node2vec_sample(successors, previous, last, p, q):
    """Draw the next node of a walk."""
    weights = np.where(successors == last, 1.0 / p, np.where(np.isin(successors, previous), 1.0, 1.0 / q))
    return int(np.random.choice(successors, p=weights / weights.sum()))


def skip_gram_gen_pair(walk, win_size=5):
    """Return pairs of nodes that stand near each other in a walk."""
    sizes = np.random.randint(1, win_size + 1, dtype="int64", size=len(walk))
    pairs = [
        (center, other)
        for place, (center, size) in enumerate(zip(walk, sizes))
        for other in walk[max(0, place - size) : place + size + 1]
        if center != other
    ]
    return [center for center, _ in pairs], [other for _, other in pairs]
