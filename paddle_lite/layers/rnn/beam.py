"""Beam search: the best continuations of sequences that are written word by word, and the sequences in the end."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.mode import in_imperative_mode, state
from ...ops.framework.emit import engine
from ...ops.rnn import beam as ops
from ...static.operators.structural import definitions
from ..support.arguments import check_variable, is_array, whole
from ..support.helper import LayerHelper

__all__ = ["beam_search", "beam_search_decode", "gather_tree"]


def beam_search(
    pre_ids: Any,
    pre_scores: Any,
    ids: Any,
    scores: Any,
    beam_size: int,
    end_id: int,
    level: int = 0,
    is_accumulated: bool = True,
    name: str | None = None,
    return_parent_idx: bool = False,
) -> Any:
    """One step of a beam search: of all continuations of the sequences of a source the `beam_size` best ones.

    Arguments:
        pre_ids: int64 [rows, 1], the last word of each sequence so far.
        pre_scores: [rows, 1], the score of each.
        ids: int64 [rows, K], the words that may follow; None: 0 ... K - 1.
        scores: [rows, K], the score of the sequence with each of them, with a LoD of two levels: which rows belong to
            each source, and (as `beam_search` itself gives it) which rows continue those of the step before.
        beam_size: how many sequences of each source are kept.
        end_id: the word that ends a sequence; one that has ended stays as it is, and a source all of whose best
            sequences have ended has none any more.
        level: of the LoD, the one that tells sources apart.
        is_accumulated: whether `scores` are of whole sequences; else they are probabilities of words, and the score is
            pre_scores + log(scores).
        name: kept for Fluid code.
        return_parent_idx: also return which row each of the selected ones continues.

    Returns:
        (words [selected, 1], scores [selected, 1]), both with a LoD of two levels; with `return_parent_idx` also int32
        [selected].

    Raises:
        LoDError: `scores` has no LoD, or not one of its rows.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     def rows(values, dtype):
    ...         return fluid.create_lod_tensor(np.array(values, dtype), [[2], [1, 1]], fluid.CPUPlace())
    ...     words = fluid.dygraph.to_variable(rows([[1], [2]], 'int64'))
    ...     before = fluid.dygraph.to_variable(rows([[0.1], [0.2]], 'float32'))
    ...     scores = fluid.dygraph.to_variable(rows([[0.1, 0.5, 0.4], [0.2, 0.3, 0.6]], 'float32'))
    ...     best, _, parents = fluid.layers.beam_search(words, before, None, scores, 2, end_id=0, return_parent_idx=True)
    ...     best.numpy().ravel(), best.lod(), parents.numpy()
    (array([1, 2]), [[0, 2], [0, 1, 2]], array([0, 1], dtype=int32))
    """
    where = "beam_search"
    for argument, value in (("pre_ids", pre_ids), ("pre_scores", pre_scores), ("scores", scores)):
        check_variable(where, argument, value)
    selected, totals, parents = LayerHelper(where, name=name).run(
        ops.beam_search,
        pre_ids,
        pre_scores,
        ids,
        scores,
        order="selected_scores selected_ids",
        level=whole(where, "level", level),
        beam_size=whole(where, "beam_size", beam_size),
        end_id=whole(where, "end_id", end_id),
        is_accumulated=bool(is_accumulated),
    )
    return (selected, totals, parents) if return_parent_idx else (selected, totals)


def beam_search_decode(ids: Any, scores: Any, beam_size: int, end_id: int, name: str | None = None) -> tuple[Any, Any]:
    """The sequences that a beam search found, from what `beam_search` selected at each step.

    Arguments:
        ids, scores: arrays of tensors (lists in imperative mode) with the words and the scores of each step, the first
            step those that the search started with.
        beam_size: of the search.
        end_id: the word that ends a sequence; behind the first one there are no words.
        name: kept for Fluid code.

    Returns:
        (words, scores): one after the other the words of all sequences, the best of each source first, and the scores
        that the sequences had after each; with a LoD of two levels: the sequences of each source, the words of each
        sequence.

    Raises:
        LoDError: a step has no LoD of two levels.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     def steps(dtype, *each):
    ...         array = fluid.layers.create_array(dtype)
    ...         for at, (values, lengths) in enumerate(each):
    ...             step = fluid.create_lod_tensor(np.array(values, dtype).reshape(-1, 1), lengths, fluid.CPUPlace())
    ...             at = fluid.layers.fill_constant([1], 'int64', at)
    ...             array = fluid.layers.array_write(fluid.dygraph.to_variable(step), at, array)
    ...         return array
    ...     first, second = [[1], [1]], [[1], [2]]
    ...     ids = steps('int64', ([1], first), ([4, 2], second))
    ...     scores = steps('float32', ([0.], first), ([0.5, 0.75], second))
    ...     words, totals = fluid.layers.beam_search_decode(ids, scores, beam_size=2, end_id=0)
    ...     words.numpy(), totals.numpy(), words.lod()
    (array([1, 2, 1, 4]), array([0.  , 0.75, 0.  , 0.5 ], dtype=float32), [[0, 2], [0, 2, 4]])
    """
    where = "beam_search_decode"
    beam_size, end_id = whole(where, "beam_size", beam_size), whole(where, "end_id", end_id)
    if not in_imperative_mode():
        for argument, array in (("ids", ids), ("scores", scores)):
            if not is_array(array):
                needs = "an array of tensors, as array_write() gives it"
                raise ArgumentTypeError(message(where, argument, describe(array), needs))
        op = definitions["beam_search_decode"]
        return LayerHelper(where, name=name).run(op, ids, scores, beam_size=beam_size, end_id=end_id)
    for argument, steps in (("ids", ids), ("scores", scores)):
        if not isinstance(steps, (list, tuple)) or len(steps) != len(ids):
            needs = "a list with a Variable for each step, as many of words as of scores"
            raise ArgumentTypeError(message(where, argument, describe(steps), needs))
    each = [
        (check_variable(where, f"ids[{i}]", x).array, check_variable(where, f"scores[{i}]", y).array, x.levels)
        for i, (x, y) in enumerate(zip(ids, scores, strict=True))
    ]
    words, totals, lod = ops.decoded(each, end_id, state.xp)
    return engine.Variable(words, lod=lod, stop_gradient=True), engine.Variable(totals, lod=lod, stop_gradient=True)


def gather_tree(ids: Any, parents: Any) -> Any:
    """The sequences that a beam search found, from the words of each step and the beams that they continue.

    Arguments:
        ids: int32 or int64 [steps, N, beams], the words.
        parents: of the same dtype and shape, the beam of the step before that each continues.

    Returns:
        [steps, N, beams]: out[:, n, b] is the sequence that ends at beam b.

    Raises:
        IndexRangeError: there is no such beam.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     ids = fluid.dygraph.to_variable(np.array([[[1, 2]], [[3, 4]]]))
    ...     parents = fluid.dygraph.to_variable(np.array([[[0, 0]], [[1, 1]]]))
    ...     fluid.layers.gather_tree(ids, parents).numpy()[:, 0]
    array([[2, 2],
           [3, 4]])
    """
    check_variable("gather_tree", "ids", ids)
    return LayerHelper("gather_tree").run(ops.gather_tree, ids, check_variable("gather_tree", "parents", parents))
