"""Conditional random fields: loss, Viterbi decoding, and evaluation of chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import name_of
from ...core.errors import ArgumentTypeError, DtypeError, describe, message
from ...core.mode import require_program
from ...core.typing import Variable
from ...ops.sequence import crf as ops
from ...ops.sequence import sequence_metric
from ...params.attr import to_attr
from ..support.arguments import check_int, check_variable, int_list, is_variable
from ..support.helper import LayerHelper

__all__ = ["chunk_eval", "crf_decoding", "linear_chain_crf"]


def linear_chain_crf(input: Variable, label: Variable, param_attr: Any = None, length: Any = None) -> Variable:
    """Compute the negative log likelihood of the labels of each sequence in a linear-chain CRF; the transition scores
    are a new parameter.

    Source: Lafferty, McCallum and Pereira, "Conditional Random Fields", 2001.

    Arguments:
        input: the scores of D tags at each step: [rows, D] with a LoD, or [N, steps, D] with `length`; float32 or
            float64.
        label: int64, the tags: [rows, 1] with the same LoD, or [N, steps] or [N, steps, 1].
        param_attr: the ParamAttr of the transition scores [D + 2, D]: row 0 for the first tag of a sequence, row 1 for
            the last, row i + 2 from tag i to each tag. Or a Variable with these scores.
        length: int64 [N] or [N, 1], the number of steps of each sequence.

    Returns:
        A Variable [N, 1]: the cost of each sequence.

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        DtypeError: input is not float32 or float64, or label or length is not int64.
        LoDError: without `length`, the LoD has not one level.
        IndexRangeError: a label is not a tag.
        ShapeError: the shapes do not fit.
        ArgumentValueError: a length is out of range.

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


def crf_decoding(input: Variable, param_attr: Any, label: Any = None, length: Any = None) -> Variable:
    """Find the tags of each sequence with the highest total score (Viterbi decoding).

    Arguments:
        input, length: as in `linear_chain_crf`.
        param_attr: in Programs the ParamAttr or the name that was passed to `linear_chain_crf`; or, as always in
            imperative mode, a Variable with the transition scores [D + 2, D].
        label: int64, the true tags; where given, the result is 1 for each step whose best tag is the true one, else 0.

    Returns:
        int64: [rows, 1] with the LoD of the input, or [N, steps] with 0 after the end of a sequence.

    Raises:
        ArgumentTypeError: input is not a Variable, or param_attr has no name.
        MissingVariableError: there is no parameter of this name.
        ModeError: `param_attr` is not a Variable in imperative mode.
        LoDError: without `length`, the LoD has not one level.
        ShapeError: the shapes do not fit.

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
    """Return the parameter of the main Program that an attribute names."""
    require_program(
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
    """Compute precision, recall and F1 of the chunks that tags encode, and the numbers of chunks.

    Arguments:
        input: int64, the predicted tags: [rows, 1] with a LoD, or [N, steps] with `seq_length`. A tag is type * (number
            of positions) + position; outside of chunks it is num_chunk_types * (number of positions).
        label: int64, the true tags.
        chunk_scheme: the positions that tags encode: "IOB" (begin, inside), "IOE" (inside, end), "IOBES" (begin,
            inside, end, single) or "plain" (inside).
        num_chunk_types: the number of types of chunks.
        excluded_chunk_types: types to ignore.
        seq_length: int64 [N] or [N, 1], the number of steps of each sequence.

    Returns:
        (precision, recall, F1, number of chunks in `input`, number in `label`, number in both), each [1].

    Raises:
        ArgumentTypeError: input or label is not a Variable, or another argument has the wrong type.
        ArgumentValueError: chunk_scheme is unknown, num_chunk_types is below 1, or a length is out of range.
        IndexRangeError: a tag is negative or too large.
        LoDError: without `seq_length`, the LoD has not one level.
        ShapeError: the shapes differ.
        DtypeError: input or label is not int64.

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
        num_chunk_types=check_int(where, "num_chunk_types", num_chunk_types),
        chunk_scheme=chunk_scheme,
        excluded_chunk_types=int_list(where, "excluded_chunk_types", excluded_chunk_types or []),
    )
