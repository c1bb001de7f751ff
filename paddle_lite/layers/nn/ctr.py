"""Models of clicks: shows and clicks as features, hashed ids, instances chosen by their tags."""

from __future__ import annotations

from typing import Any

from ...ops.nn import ctr as ops
from ..support.arguments import check_variable, whole

__all__ = ["continuous_value_model", "filter_by_instag", "hash"]


def continuous_value_model(input: Any, cvm: Any, use_cvm: bool = True) -> Any:
    """Features behind a count of shows and one of clicks: with their logarithms, or without them.

    Arguments:
        input: [N, 2 + features], float32 or float64; the first two columns are shows and clicks.
        cvm: [N, 2], shows and clicks of each instance: what the gradient of the two columns is set to.
        use_cvm: replace the columns by log(shows + 1) and log(clicks + 1) - log(shows + 1), rather than remove them.

    Returns:
        A Variable [N, 2 + features], or [N, features].

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[9., 4., 0.5, 0.6]], 'float32'))
    ...     counts = fluid.dygraph.to_variable(np.ones([1, 2], 'float32'))
    ...     fluid.layers.continuous_value_model(x, counts, use_cvm=False).numpy()
    array([[0.5, 0.6]], dtype=float32)
    """
    where = "continuous_value_model"
    inputs = check_variable(where, "input", input), check_variable(where, "cvm", cvm)
    return ops.cvm.call(*inputs, use_cvm=bool(use_cvm))


def hash(input: Any, hash_size: int, num_hash: int = 1, name: str | None = None) -> Any:
    """Each row of ids as numbers from 0 to hash_size - 1, the same for the same row: its XXH64 modulo hash_size.

    Arguments:
        input: [N, D], int64 or int32.
        hash_size: how many different numbers there are.
        num_hash: how many numbers each row gets, with the seeds 0, 1, ...
        name: kept for Fluid code.

    Returns:
        A Variable [N, num_hash, 1] of the dtype of `input`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     ids = fluid.dygraph.to_variable(np.array([[1, 2], [3, 4]]))
    ...     fluid.layers.hash(ids, hash_size=1000, num_hash=2).numpy().tolist()
    [[[524], [896]], [[640], [562]]]
    """
    attrs = {"num_hash": whole("hash", "num_hash", num_hash), "mod_by": whole("hash", "hash_size", hash_size)}
    return ops.hash_.call(check_variable("hash", "input", input), **attrs)


def filter_by_instag(ins: Any, ins_tag: Any, filter_tag: Any, is_lod: bool, out_val_if_empty: int = 0) -> list[Any]:
    """The instances that have one of some tags.

    Arguments:
        ins: [rows, features]; an instance is a row, or with `is_lod` a sequence of its LoD.
        ins_tag: int64 [tags, 1] with a LoD: the tags of each instance.
        filter_tag: int64 [n], the tags that are looked for.
        is_lod: whether instances are sequences.
        out_val_if_empty: the value of the one row that comes out where no instance has one of the tags.

    Returns:
        [the instances that were found; their weights for a loss, float32 [found, 1]: 1, or 0 where nothing was found]

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1.], [2.], [3.]], 'float32'))
    ...     tags = Variable(np.array([[0], [1], [5], [1]]), lod=((0, 1, 3, 4),))
    ...     wanted = fluid.dygraph.to_variable(np.array([1]))
    ...     found, weight = fluid.layers.filter_by_instag(x, tags, wanted, is_lod=False)
    ...     found.numpy().tolist(), weight.numpy().tolist()
    ([[2.0], [3.0]], [[1.0], [1.0]])
    """
    where = "filter_by_instag"
    named = (("ins", ins), ("ins_tag", ins_tag), ("filter_tag", filter_tag))
    inputs = [check_variable(where, key, value) for key, value in named]
    value = whole(where, "out_val_if_empty", out_val_if_empty)
    out, weight, _ = ops.filter_by_instag.call(*inputs, is_lod=bool(is_lod), out_val_if_empty=value)
    return [out, weight]
