"""Beam search: one step of the search, and the reconstruction of the sequences at its end."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.dtype import name_of
from ...core.errors import ArgumentTypeError, DtypeError, describe, message
from ...core.mode import ByMode, state
from ...core.typing import Variable
from ...ops.rnn import beam as ops
from ...static.operators.structural import definitions
from ..support.arguments import check_int, check_variable, flag, is_array
from ..support.helper import LayerHelper

__all__ = ["beam_search", "beam_search_decode", "gather_tree"]


@formerly("pre_ids pre_scores ids scores beam_size end_id level name")
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
    """Run one step of a beam search: select the `beam_size` best continuations of the sequences of each source.

    Arguments:
        pre_ids: int64 [rows, 1], the last word of each sequence so far.
        pre_scores: [rows, 1], the score of each sequence so far.
        ids: int64 [rows, K], the candidate words of each sequence; None for 0 ... K - 1.
        scores: [rows, K], the score of the sequence with each candidate, with a LoD of two levels: the rows of each
            source, and (as returned by `beam_search`) the rows that continue each sequence of the previous step.
        beam_size: the number of sequences to keep for each source.
        end_id: the word that ends a sequence. A sequence that has ended does not change; a source whose best sequences
            have all ended has no sequences any more.
        level: the level of the LoD that separates the sources.
        is_accumulated: whether `scores` are those of whole sequences. Otherwise they are probabilities of words, and
            the score is pre_scores + log(scores).
        name: accepted for Fluid code, ignored.
        return_parent_idx: whether to return, too, which row each selected one continues.

    Returns:
        (words [selected, 1], scores [selected, 1]), both with a LoD of two levels; with `return_parent_idx` also the
            int32 rows [selected].

    Raises:
        ArgumentTypeError: pre_ids, pre_scores or scores is not a Variable, or a number is not an int.
        LoDError: `scores` has no LoD that fits its rows.

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
        level=check_int(where, "level", level),
        beam_size=check_int(where, "beam_size", beam_size),
        end_id=check_int(where, "end_id", end_id),
        is_accumulated=flag(where, "is_accumulated", is_accumulated),
    )
    return (selected, totals, parents) if return_parent_idx else (selected, totals)


def beam_search_decode(ids: Any, scores: Any, beam_size: int, end_id: int, name: str | None = None) -> tuple[Any, Any]:
    """Reconstruct the sequences that a beam search found from the selections of each step.

    Arguments:
        ids, scores: arrays of tensors (lists in imperative mode) with the words and the scores of each step; the first
            step holds the initial ones.
        beam_size: the beam size of the search.
        end_id: the word that ends a sequence.
        name: accepted for Fluid code, ignored.

    Returns:
        (words, scores): the words of all sequences concatenated, the best sequence of each source first, and the score
            of the sequence after each word. Both have a LoD of two levels: the sequences of each source, the words of
            each sequence.

    Raises:
        ArgumentTypeError: ids or scores is not an array of tensors (in imperative mode: a list of Variables).
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
    beam_size, end_id = check_int(where, "beam_size", beam_size), check_int(where, "end_id", end_id)
    return _decoded(ids, scores, beam_size, end_id, name)


def _decode_lists(ids: Any, scores: Any, beam_size: int, end_id: int, name: str | None) -> tuple[Any, Any]:
    where = "beam_search_decode"
    for argument, steps in (("ids", ids), ("scores", scores)):
        if not isinstance(steps, (list, tuple)) or len(steps) != len(ids):
            needs = "a list with a Variable for each step, as many of words as of scores"
            raise ArgumentTypeError(message(where, argument, describe(steps), needs))
    each = [
        (check_variable(where, f"ids[{i}]", x).array, check_variable(where, f"scores[{i}]", y).array, x.levels)
        for i, (x, y) in enumerate(zip(ids, scores, strict=True))
    ]
    words, totals, lod = ops.decoded(each, end_id, state.xp)
    made = state.mode.constant(words), state.mode.constant(totals)
    for variable in made:
        variable.levels = lod
    return made


def _append_decode(ids: Any, scores: Any, beam_size: int, end_id: int, name: str | None) -> tuple[Any, Any]:
    where = "beam_search_decode"
    for argument, array in (("ids", ids), ("scores", scores)):
        if not is_array(array):
            needs = "an array of tensors, as array_write() gives it"
            raise ArgumentTypeError(message(where, argument, describe(array), needs))
    for argument, array, dtypes in (("ids", ids, ("int64",)), ("scores", scores, ("float32", "float64"))):
        if (found := name_of(array.dtype)) not in dtypes:
            raise DtypeError(message(where, argument, f"dtype {found}", " or ".join(dtypes), "Convert it with cast()."))
    op = definitions["beam_search_decode"]
    return LayerHelper(where, name=name).run(op, ids, scores, beam_size=beam_size, end_id=end_id)


_decoded = ByMode(imperative=_decode_lists, static=_append_decode)


def gather_tree(ids: Variable, parents: Variable) -> Variable:
    """Reconstruct the sequences of a beam search from the words of each step and the beams that they continue.

    Arguments:
        ids: int32 or int64 [steps, N, beams], the words.
        parents: the beam of the previous step that each word continues, of the dtype and shape of `ids`.

    Returns:
        A Variable [steps, N, beams]: out[:, n, b] is the sequence that ends in beam b.

    Raises:
        ArgumentTypeError: ids or parents is not a Variable.
        IndexRangeError: there is no such beam.
        ShapeError: the shapes differ or have another rank.
        DtypeError: the dtypes differ, or are not int32 or int64.

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
