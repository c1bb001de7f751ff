"""Tree-based deep models for recommendation: the children of nodes of a tree of items, and samples of its layers.

H. Zhu et al., "Learning tree-based deep model for recommender systems", 2018.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, ShapeError, message
from ...core.ranges import require_integers, require_range
from ...kernels.cpu.loss.class_samples import class_stream
from ..framework.spec import Declaration, Ints, Required, op
from ..support.meta import Meta
from ..support.require import require_dtype, require_shape
from ..support.shape_rules import UNKNOWN

INT32 = 2


def _result_dtype(where: str, dtype: int) -> np.dtype:
    found = to_numpy(dtype, where)
    if found.name not in ("int32", "int64"):
        raise DtypeError(message(where, "attribute 'dtype'", found, "int32 or int64"))
    return found


@op("tdm_child", inputs="X TreeInfo", outputs="Child LeafMask", attrs={"child_nums": Required("INT"), "dtype": INT32})
class tdm_child(Declaration):
    """Child = the children of the nodes X, [*X.shape, child_nums], 0 where there is none; LeafMask = 1 for items, else 0.

    A row of TreeInfo [nodes, 3 + child_nums] is a node: its item (0 for none), its layer, its parent, and its children.
    Node 0 is none.
    """

    def infer(X, TreeInfo, *, child_nums, dtype):
        where = "tdm_child"
        require_integers(where, "Input(X)", X)
        require_integers(where, "Input(TreeInfo)", TreeInfo)
        if child_nums < 1:
            raise ArgumentValueError(message(where, "attribute 'child_nums'", child_nums, "1 or more"))
        require_shape(where, "TreeInfo", TreeInfo, (UNKNOWN, 3 + child_nums))
        made = Meta((*X.shape, child_nums), _result_dtype(where, dtype), X.lod_level)
        return made, made

    def reference(xp, X, TreeInfo, *, child_nums, dtype):
        require_range("tdm_child", "Input(X)", X, len(TreeInfo))
        found = TreeInfo[:, 3:][X]
        found = xp.where(((X != 0) & (TreeInfo[:, 3][X] != 0))[..., None], found, 0)
        require_range("tdm_child", "Input(TreeInfo), the children", found, len(TreeInfo))
        leaf = (found != 0) & (TreeInfo[:, 0][found] != 0)
        return tuple(made.astype(to_numpy(dtype)) for made in (found, leaf))


def _negatives(draws: Iterator[int], layer: list[int], positive: int, count: int) -> list[int]:
    """Return `count` nodes of a layer, at different places, none of them the positive one, from a stream of places."""
    if len(layer) - layer.count(positive) < count:
        needs = f"{count} nodes other than {positive} in the layer {layer[:10]}"
        raise ArgumentValueError(message("tdm_sampler", "Input(Layer)", f"{len(layer)} nodes", needs))
    found: list[int] = []
    while len(found) < count:
        place = next(draws)
        if place not in found and layer[place] != positive:
            found.append(place)
    return [layer[place] for place in found]


def _samples(ways: list, layers: list, counts: Sequence[int], positive: bool, seed: int) -> list[list[int]]:
    """Return the nodes of each way and the others that are drawn; one stream for each layer goes on from way to way."""
    streams = [class_stream(len(layer), seed) if layer else iter(()) for layer in layers]
    rows = []
    for way in ways:
        row: list[int] = []
        for node, layer, stream, count in zip(way, layers, streams, counts, strict=True):
            row += [node] * positive
            row += _negatives(stream, layer, node, count) if node else [0] * count
        rows.append(row)
    return rows


@op(
    "tdm_sampler", inputs="X Travel Layer", outputs="Out Labels? Mask",
    attrs={
        "output_positive": True, "neg_samples_num_list": Ints([]), "layer_offset_lod": Ints([]), "seed": 0, "dtype": INT32,
    }, effects="random",
    stopped="Out Labels Mask",
)  # fmt: skip
class tdm_sampler(Declaration):
    """Out [rows, samples]: for each leaf of X and each layer the node on the way to it, and other nodes of the layer.

    Travel [leaves, layers] has the nodes on the ways to the leaves, 0 where a way is shorter; Layer [nodes, 1] has the
    nodes by layer, that of layer l from `layer_offset_lod[l]` on. `neg_samples_num_list[l]` different nodes of layer l
    are drawn. Labels: 1 for the node on the way, which stands first unless `output_positive` is False, else 0. Where a
    way has no node Out, Labels and Mask are 0; Mask is 1 elsewhere. A seed other than 0 draws the same nodes each time.
    """

    def infer(X, Travel, Layer, *, output_positive, neg_samples_num_list, layer_offset_lod, dtype, **_):
        where, layers = "tdm_sampler", len(neg_samples_num_list)
        for slot, meta in (("X", X), ("Travel", Travel), ("Layer", Layer)):
            require_integers(where, f"Input({slot})", meta)
        require_dtype(where, "Layer", Layer, Travel.dtype)
        require_shape(where, "Travel", Travel, (UNKNOWN, layers))
        require_shape(where, "Layer", Layer, (UNKNOWN, 1), (UNKNOWN,))
        if len(layer_offset_lod) != layers + 1:
            needs = f"{layers + 1} offsets, one more than attribute 'neg_samples_num_list' has numbers"
            raise ArgumentValueError(message(where, "attribute 'layer_offset_lod'", list(layer_offset_lod), needs))
        for i, (count, (a, b)) in enumerate(zip(neg_samples_num_list, pairwise(layer_offset_lod), strict=True)):
            if not 0 <= count < max(b - a, 1):
                needs = f"0 to {b - a - 1} for a layer of {b - a} nodes, of which one is on the way"
                raise ArgumentValueError(
                    message(where, "attribute 'neg_samples_num_list'", f"{count} in layer {i}", needs)
                )
        if Layer.shape[0] not in (UNKNOWN, layer_offset_lod[-1]):
            needs = f"{layer_offset_lod[-1]} nodes, the last of attribute 'layer_offset_lod'"
            raise ShapeError(message(where, "Input(Layer)", f"shape {list(Layer.shape)}", needs))
        rows = UNKNOWN if UNKNOWN in X.shape else prod(X.shape)
        made = Meta(
            (rows, sum(neg_samples_num_list) + output_positive * layers), _result_dtype(where, dtype), X.lod_level
        )
        return made, made, made

    def reference(xp, X, Travel, Layer, *, output_positive, neg_samples_num_list, layer_offset_lod, seed, dtype):
        leaves, nodes, counts = X.reshape(-1), Layer.reshape(-1).tolist(), neg_samples_num_list
        require_range("tdm_sampler", "Input(X)", leaves, len(Travel))
        ways, sizes = Travel[leaves], [count + output_positive for count in counts]
        layers = [nodes[a:b] for a, b in pairwise(layer_offset_lod)]
        found = _samples(ways.tolist(), layers, counts, bool(output_positive), seed)
        there = xp.repeat(ways != 0, xp.asarray(sizes), axis=1)
        first = xp.asarray([bool(output_positive) and i == 0 for size in sizes for i in range(size)], dtype="bool")
        made = xp.asarray(found, dtype="int64").reshape(there.shape), there & first, there
        return tuple(each.astype(to_numpy(dtype)) for each in made)
