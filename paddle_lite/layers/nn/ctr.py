"""Layers of click-through-rate models: show and click features, hashed ids, instances filtered by tags."""

from __future__ import annotations

from typing import Any

from ...core.typing import Variable
from ...ops.nn import ctr as ops
from ..support.arguments import check_int, check_variable, flag

__all__ = ["continuous_value_model", "filter_by_instag", "hash"]


def continuous_value_model(input: Variable, cvm: Variable, use_cvm: bool = True) -> Variable:
    """Replace the show and click counts in the first two columns by their logarithms, or drop these columns.

    Arguments:
        input: [N, 2 + features], float32 or float64; the first two columns are shows and clicks.
        cvm: [N, 2], the shows and clicks of each instance; they become the gradient of the two columns.
        use_cvm: True: replace the columns by log(shows + 1) and log(clicks + 1) - log(shows + 1). False: drop them.

    Returns:
        A Variable [N, 2 + features]; [N, features] where use_cvm is False.

    Raises:
        ArgumentTypeError: input or cvm is not a Variable.
        ShapeError: input or cvm has another shape.
        DtypeError: the dtypes differ, or are not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[9., 4., 0.5, 0.6]], 'float32'))
    ...     counts = fluid.dygraph.to_variable(np.ones([1, 2], 'float32'))
    ...     fluid.layers.continuous_value_model(x, counts, use_cvm=False).numpy()
    array([[0.5, 0.6]], dtype=float32)
    """
    where = "continuous_value_model"
    inputs = check_variable(where, "input", input), check_variable(where, "cvm", cvm)
    return ops.cvm.call(*inputs, use_cvm=flag(where, "use_cvm", use_cvm))


def hash(input: Variable, hash_size: int, num_hash: int = 1, name: str | None = None) -> Variable:
    """Hash each row of ids to numbers from 0 to hash_size - 1: XXH64 modulo hash_size.

    Arguments:
        input: [N, D], int64 or int32.
        hash_size: the number of different hashes, an int above 0.
        num_hash: the number of hashes for each row; they have the seeds 0, 1, ...
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, num_hash, 1] of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or hash_size or num_hash is not an int.
        ArgumentValueError: hash_size or num_hash is below 1.
        ShapeError: the rank of input is not 2.
        DtypeError: input is not int32 or int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     ids = fluid.dygraph.to_variable(np.array([[1, 2], [3, 4]]))
    ...     fluid.layers.hash(ids, hash_size=1000, num_hash=2).numpy().tolist()
    [[[524], [896]], [[640], [562]]]
    """
    attrs = {"num_hash": check_int("hash", "num_hash", num_hash), "mod_by": check_int("hash", "hash_size", hash_size)}
    return ops.hash_.call(check_variable("hash", "input", input), **attrs)


def filter_by_instag(ins: Any, ins_tag: Any, filter_tag: Any, is_lod: bool, out_val_if_empty: int = 0) -> list[Any]:
    """Select the instances that have at least one of some tags.

    Arguments:
        ins: [rows, features]; an instance is a row, or with `is_lod` a sequence.
        ins_tag: int64 [tags, 1] with a LoD: one sequence of tags for each instance.
        filter_tag: int64 [n], the tags to select by.
        is_lod: whether instances are sequences.
        out_val_if_empty: the value of the single row that is returned where no instance is selected.

    Returns:
        [the selected instances, their loss weights float32 [selected, 1]: 1, or 0 where none was selected].

    Raises:
        ArgumentTypeError: ins, ins_tag or filter_tag is not a Variable, or out_val_if_empty is not an int.
        LoDError: ins_tag (with is_lod, ins) has no LoD, or another number of sequences.
        ShapeError: the rank of ins is not 2, or that of filter_tag not 1.
        DtypeError: ins_tag or filter_tag is not int64.

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
    value = check_int(where, "out_val_if_empty", out_val_if_empty)
    out, weight, _ = ops.filter_by_instag.call(*inputs, is_lod=flag(where, "is_lod", is_lod), out_val_if_empty=value)
    return [out, weight]
