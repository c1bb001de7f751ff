"""Connectionist temporal classification (CTC), and edit distance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.calls.former import formerly
from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.sequence import ctc as ops
from ...ops.sequence import sequence_ids, sequence_metric
from ..shape.index import topk
from ..shape.shape import squeeze
from ..support.arguments import check_int, check_variable, flag, int_list
from ..support.helper import LayerHelper

__all__ = ["ctc_greedy_decoder", "edit_distance", "warpctc"]


@formerly("input label blank norm_by_times use_cudnn", gone="use_cudnn")
def warpctc(
    input: Variable,
    label: Variable,
    blank: int = 0,
    norm_by_times: bool = False,
    input_length: Any = None,
    label_length: Any = None,
) -> Variable:
    """Compute the CTC loss: -log of the total probability of all alignments of the labels to the steps, with blanks
    between.

    Source: Graves et al., "Connectionist Temporal Classification", 2006.

    Arguments:
        input: scores before the softmax: [rows, classes + 1] with a LoD, or [steps, N, classes + 1] with the two
            lengths; float32 or float64.
        label: int32 [rows, 1] with a LoD, or [N, labels].
        blank: the class of the blank.
        norm_by_times: whether to divide the gradients (not the loss) by the number of steps of the sequence.
        input_length: int64 [N], the number of steps of each sequence.
        label_length: int64 [N], the number of labels of each sequence.

    Returns:
        A Variable [N, 1]: the loss of each sequence; 0 for one with too few steps for its labels.

    Raises:
        ArgumentTypeError: input or label is not a Variable, or only one of the lengths is given.
        ArgumentValueError: blank is not a class, or a length is out of range.
        IndexRangeError: a label is not a class.
        LoDError: without lengths, input and label have no LoDs with equal numbers of sequences.
        ShapeError: the shapes do not fit.
        DtypeError: label is not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     scores = fluid.dygraph.to_variable(np.zeros([2, 1, 2], 'float32'))
    ...     label = fluid.dygraph.to_variable(np.array([[1]], 'int32'))
    ...     steps, labels = (fluid.dygraph.to_variable(np.array([n])) for n in (2, 1))
    ...     fluid.layers.warpctc(scores, label, 0, False, steps, labels).numpy().round(4)  # 3 ways of 4
    array([[0.2877]], dtype=float32)
    """
    where = "warpctc"
    check_variable(where, "input", input)
    check_variable(where, "label", label)
    _, loss = LayerHelper(where).run(
        ops.warpctc,
        input,
        label,
        input_length,
        label_length,
        order="Loss",
        blank=check_int(where, "blank", blank),
        norm_by_times=flag(where, "norm_by_times", norm_by_times),
    )
    return loss


@formerly("input blank name")
def ctc_greedy_decoder(
    input: Any, blank: int, input_length: Any = None, padding_value: int = 0, name: str | None = None
) -> Any:
    """Decode CTC scores greedily: take the best class of each step, merge repeated ones, then drop blanks.

    Arguments:
        input: scores [rows, classes + 1] with a LoD, or [N, steps, classes + 1] with `input_length`.
        blank: the class of the blank.
        input_length: int64 [N, 1], the number of steps of each sequence.
        padding_value: the value after the end of a sequence.
        name: accepted for Fluid code, ignored.

    Returns:
        int64 [labels, 1] with a LoD, or [[-1]] where no label is left; with `input_length` (labels [N, steps], lengths
            [N, 1]).

    Raises:
        ArgumentTypeError: input is not a Variable, or blank or padding_value is not an int.
        LoDError: without `input_length`, input has no LoD.
        ArgumentValueError: a length is out of range.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     best = fluid.dygraph.to_variable(np.eye(3, dtype='float32')[[[0, 1, 1, 0, 2]]])
    ...     labels, lengths = fluid.layers.ctc_greedy_decoder(best, 0, fluid.dygraph.to_variable(np.array([[5]])))
    ...     labels.numpy(), lengths.numpy()
    (array([[1, 2, 0, 0, 0]]), array([[2]]))
    """
    where = "ctc_greedy_decoder"
    helper, blank = LayerHelper(where, name=name), check_int(where, "blank", blank)
    _, best = topk(check_variable(where, "input", input), k=1)
    if input_length is None:
        labels, _ = helper.run(ops.ctc_align, best, None, blank=blank, merge_repeated=True, padding_value=0)
        return labels
    filled = check_int(where, "padding_value", padding_value)
    best = squeeze(best, [2])
    return helper.run(ops.ctc_align, best, input_length, blank=blank, merge_repeated=True, padding_value=filled)


def edit_distance(
    input: Any,
    label: Any,
    normalized: bool = True,
    ignored_tokens: Sequence[int] | None = None,
    input_length: Any = None,
    label_length: Any = None,
) -> tuple[Any, Any]:
    """Compute the Levenshtein distance of sequences: the number of insertions, deletions and substitutions.

    Source: Levenshtein, "Binary codes capable of correcting deletions, insertions and reversals", 1966.

    Arguments:
        input: int64, the predicted tokens: [rows, 1] with a LoD, or [N, steps] with the two lengths.
        label: int64, the true tokens, in the same form.
        normalized: whether to divide by the length of the label.
        ignored_tokens: tokens to drop first; only for sequences with a LoD.
        input_length, label_length: int64 [N], the number of tokens of each sequence.

    Returns:
        (distances float32 [N, 1], the number of sequences int64 [1]).

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        ArgumentValueError: a label is empty with `normalized`, a length is out of range, or ignored_tokens are given
            with lengths.
        LoDError: without lengths, input or label has no LoD, or they have different numbers of sequences.
        ShapeError: the shapes do not fit.
        DtypeError: input or label is not int64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     a, b = (fluid.dygraph.to_variable(np.array([x])) for x in ([1, 2, 3, 4], [1, 3, 4, 5]))
    ...     four = fluid.dygraph.to_variable(np.array([4]))
    ...     fluid.layers.edit_distance(a, b, False, None, four, four)[0].numpy()
    array([[2.]], dtype=float32)
    """
    where = "edit_distance"
    helper, pair = LayerHelper(where), [check_variable(where, "input", input), check_variable(where, "label", label)]
    if ignored_tokens:
        if input_length is not None or label_length is not None:
            fix = "Take sequences with a LoD, or leave the tokens out before."
            raise ArgumentValueError(message(where, "ignored_tokens", list(ignored_tokens), "None with lengths", fix))
        tokens = int_list(where, "ignored_tokens", list(ignored_tokens))
        pair = [helper.run(sequence_ids.sequence_erase, x, tokens=tokens) for x in pair]
    count, distances = helper.run(
        sequence_metric.edit_distance,
        *pair,
        input_length,
        label_length,
        order="Out",
        normalized=flag(where, "normalized", normalized),
    )
    return distances, count
