"""`fluid.contrib.layers.search_pyramid_hash`: embeddings of n-grams by hashes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.sequence import pyramid_hash as ops
from ..support.arguments import check_int, check_variable, flag
from ..support.helper import LayerHelper

__all__ = ["search_pyramid_hash"]


def search_pyramid_hash(
    input: Any,
    num_emb: int,
    space_len: int,
    pyramid_layer: int,
    rand_len: int,
    drop_out_percent: float,
    is_training: bool,
    use_filter: bool,
    white_list_len: int,
    black_list_len: int,
    seed: int,
    lr: float,
    param_attr: Any = None,
    param_attr_wl: Any = None,
    param_attr_bl: Any = None,
    name: str | None = None,
    distribute_update_vars: Sequence[str] | None = None,
    dtype: str = "float32",
) -> Variable:
    """Return a row for each n-gram of 2 to `pyramid_layer` ids of each sequence; hashes choose its parts from a table.

    As in PaddlePaddle, the table and the lists get no gradient from an optimizer.

    Arguments:
        input: int32 [rows, 1] with a LoD: sequences of ids. Its stop_gradient is True, as that of data is.
        num_emb: the size of a row, a multiple of `rand_len`.
        space_len: the number of places in the table where a part may start.
        pyramid_layer: the most ids of an n-gram, 2 or more.
        rand_len: the size of a part.
        drop_out_percent: the share of n-grams that are dropped in training; elsewhere what rows are multiplied by.
        is_training: whether n-grams are dropped.
        use_filter: False; lists of n-grams to keep or to drop are not read.
        white_list_len, black_list_len: the sizes of these lists, 1 or more.
        seed: the seed of the drop.
        lr: the learning rate with which PaddlePaddle's servers update the table; kept in the Program.
        param_attr, param_attr_wl, param_attr_bl: the ParamAttr of the table [space_len + rand_len, 1], and of the lists.
        name: accepted for Fluid code, ignored.
        distribute_update_vars: the names among these parameters that servers update; kept in the Program.
        dtype: "float32".

    Returns:
        A Variable [n-grams, num_emb] with a LoD. A sequence without an n-gram has one row of zeros.

    Raises:
        ArgumentTypeError: input is not a Variable, or a number is not an int.
        ArgumentValueError: a number is too small, num_emb is no multiple of rand_len, or use_filter is True; input needs
            gradients; or distribute_update_vars has another name.
        ShapeError, DtypeError: input has another shape or dtype.
        LoDError: input has no LoD.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     ids = fluid.data('ids', [None, 1], 'int32', lod_level=1)
    ...     rows = fluid.contrib.layers.search_pyramid_hash(ids, 8, 100, 3, 4, 0., True, False, 1, 1, 1, 0.1)
    ...     exe = fluid.Executor()
    ...     _ = exe.run(fluid.default_startup_program())
    ...     fed = fluid.create_lod_tensor(np.array([[1], [2], [3]], 'int32'), [[3]], fluid.CPUPlace())
    ...     exe.run(feed={'ids': fed}, fetch_list=[rows], return_numpy=False)[0].shape()
    [3, 8]
    """
    where = "search_pyramid_hash"
    check_variable(where, "input", input)
    if not input.stop_gradient:
        fix = "Set input.stop_gradient = True."
        raise ArgumentValueError(
            message(where, "input", "a Variable that gets gradients", "ids without gradients", fix)
        )
    sizes = {
        "num_emb": num_emb,
        "space_len": space_len,
        "pyramid_layer": pyramid_layer,
        "rand_len": rand_len,
        "white_list_len": white_list_len,
        "black_list_len": black_list_len,
    }
    for key, size in sizes.items():
        if check_int(where, key, size) < 1:
            raise ArgumentValueError(message(where, key, size, "1 or more"))
    helper = LayerHelper(where)
    shapes = ((param_attr, space_len + rand_len), (param_attr_wl, white_list_len), (param_attr_bl, black_list_len))
    parameters = [helper.create_parameter(attr, [length, 1], dtype) for attr, length in shapes]
    updated = list(distribute_update_vars or ())
    names = [parameter.name for parameter in parameters]
    for each in parameters:
        each.stop_gradient = True
    if not set(updated) <= set(names):
        raise ArgumentValueError(message(where, "distribute_update_vars", f"{updated}", f"names among {names}"))
    results = helper.run(
        ops.pyramid_hash,
        input,
        *parameters,
        **sizes,
        drop_out_percent=float(drop_out_percent),
        is_training=int(flag(where, "is_training", is_training)),
        use_filter=flag(where, "use_filter", use_filter),
        seed=check_int(where, "seed", seed),
        lr=float(lr),
        distribute_update_vars=",".join(updated),
    )
    return results[0]
