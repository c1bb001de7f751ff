"""Conditional random fields: the cost of a labelling, the best one, and how many chunks were found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import name_of
from ...core.errors import ArgumentTypeError, DtypeError, ModeError, describe, message
from ...core.mode import in_imperative_mode
from ...ops.sequence import crf as ops
from ...ops.sequence import sequence_metric
from ...params.attr import to_attr
from ..support.arguments import check_variable, ints, is_variable, whole
from ..support.helper import LayerHelper

__all__ = ["chunk_eval", "crf_decoding", "linear_chain_crf"]


def linear_chain_crf(input: Any, label: Any, param_attr: Any = None, length: Any = None) -> Any:
    """The negative log likelihood of the labels of each sequence, with a new parameter: the scores of transitions.

    Source: Lafferty, McCallum and Pereira, "Conditional Random Fields", 2001.

    Arguments:
        input: the score of each of D tags at each step: [rows, D] with a LoD, or [N, steps, D] with `length`; float32 or
            float64.
        label: int64, the tags: [rows, 1] with the same LoD, or [N, steps] or [N, steps, 1].
        param_attr: of the transitions [D + 2, D]: the scores of starting with each tag, of ending with it, then of going
            from one tag (row) to another. A Variable takes the place of a new parameter.
        length: int64 [N] or [N, 1], how many steps of each sequence count.

    Returns:
        [N, 1], the cost of each sequence.

    Raises:
        DtypeError: the input is not floating.
        LoDError: without `length` there is no LoD of one level.
        IndexRangeError: a label is no tag.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     scores = fluid.dygraph.to_variable(np.zeros([1, 3, 2], 'float32'))
    ...     labels = fluid.dygraph.to_variable(np.array([[0, 1, 1]]))
    ...     zero = fluid.ParamAttr(initializer=fluid.initializer.Constant(0.0))
    ...     length = fluid.dygraph.to_variable(np.array([3]))
    ...     fluid.layers.linear_chain_crf(scores, labels, zero, length).numpy().round(4)  # log(2 ** 3)
    array([[2.0794]], dtype=float32)
    """
    where = "linear_chain_crf"
    helper, tags = LayerHelper(where), check_variable(where, "input", input).shape[-1]
    if input.dtype not in ("float32", "float64"):
        fix = "Convert it with cast()."
        raise DtypeError(message(where, "input", f"dtype {name_of(input.dtype)}", "float32 or float64", fix))
    if is_variable(param_attr):
        transition = param_attr
    else:
        transition = helper.create_parameter(param_attr, [tags + 2, tags], input.dtype)
    _, _, _, cost = helper.run(ops.linear_chain_crf, input, transition, check_variable(where, "label", label), length)
    return cost


def crf_decoding(input: Any, param_attr: Any, label: Any = None, length: Any = None) -> Any:
    """The tags of each sequence that have the highest score together.

    Arguments:
        input, length: as `linear_chain_crf` takes them.
        param_attr: in Programs the ParamAttr, or the name, that `linear_chain_crf` got; or a Variable with the
            transitions [D + 2, D], which it must be in imperative mode.
        label: int64, the true tags; then the result says where the best tags are the true ones.

    Returns:
        int64, [rows, 1] with the LoD of the input, or [N, steps], 0 behind the end of a sequence.

    Raises:
        MissingVariableError: no parameter has this name.
        ModeError: `param_attr` is no Variable in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     scores = fluid.dygraph.to_variable(np.array([[[1, 0], [0, 1.]]], 'float32'))
    ...     transition = fluid.dygraph.to_variable(np.zeros([4, 2], 'float32'))
    ...     fluid.layers.crf_decoding(scores, transition, length=fluid.dygraph.to_variable(np.array([2]))).numpy()
    array([[0, 1]])
    """
    where = "crf_decoding"
    helper = LayerHelper(where)
    check_variable(where, "input", input)
    transition = param_attr if is_variable(param_attr) else _parameter(where, helper, param_attr)
    return helper.run(ops.crf_decoding, input, transition, label, length)


def _parameter(where: str, helper: LayerHelper, param_attr: Any) -> Any:
    """The parameter that an attribute names."""
    if in_imperative_mode():
        raise ModeError(
            f"{where}: finds parameters by name in Programs only. In imperative mode let param_attr be the Variable with the "
            "transitions, here and in linear_chain_crf."
        )
    attr = to_attr(param_attr) if param_attr is not None else None
    if attr is None or attr.name is None:
        needs = "a ParamAttr with the name that linear_chain_crf got, or a Variable"
        raise ArgumentTypeError(message(where, "param_attr", describe(param_attr), needs))
    return helper.get_parameter(attr.name)


def chunk_eval(
    input: Any,
    label: Any,
    chunk_scheme: str,
    num_chunk_types: int,
    excluded_chunk_types: Sequence[int] | None = None,
    seq_length: Any = None,
) -> tuple[Any, Any, Any, Any, Any, Any]:
    """Precision, recall and F1 of the chunks that tags stand for, and how many chunks there are.

    Arguments:
        input: int64, the tags that were found: [rows, 1] with a LoD, or [N, steps] with `seq_length`. A tag is
            type * (number of places) + place, and num_chunk_types * (number of places) outside of all chunks.
        label: int64, the true tags.
        chunk_scheme: the places that tags tell: "IOB" (begin, inside), "IOE" (inside, end), "IOBES" (begin, inside, end,
            single) or "plain" (inside).
        num_chunk_types: how many types there are.
        excluded_chunk_types: types that do not count.
        seq_length: int64 [N] or [N, 1], how many steps of each sequence count.

    Returns:
        (precision, recall, F1, chunks in `input`, chunks in `label`, chunks that are in both), each [1].

    Raises:
        IndexRangeError: a tag is too large, or negative.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     found = fluid.dygraph.to_variable(np.array([[0, 1, 4, 2]]))
    ...     true = fluid.dygraph.to_variable(np.array([[0, 1, 4, 0]]))
    ...     length = fluid.dygraph.to_variable(np.array([4]))
    ...     [float(v.numpy()[0]) for v in fluid.layers.chunk_eval(found, true, 'IOB', 2, seq_length=length)]
    [0.5, 0.5, 0.5, 2.0, 2.0, 1.0]
    """
    where = "chunk_eval"
    check_variable(where, "input", input)
    check_variable(where, "label", label)
    if not isinstance(chunk_scheme, str):
        raise ArgumentTypeError(message(where, "chunk_scheme", describe(chunk_scheme), "a string such as 'IOB'"))
    return LayerHelper(where).run(
        sequence_metric.chunk_eval,
        input,
        label,
        seq_length,
        num_chunk_types=whole(where, "num_chunk_types", num_chunk_types),
        chunk_scheme=chunk_scheme,
        excluded_chunk_types=ints(where, "excluded_chunk_types", excluded_chunk_types or []),
    )
