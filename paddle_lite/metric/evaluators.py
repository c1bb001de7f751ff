"""Metrics that accumulate in persistable Variables of a Program (`fluid.evaluator`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..layers.math.arithmetic import cast
from ..layers.math.compare import equal
from ..layers.math.elementwise import elementwise_sub
from ..layers.math.reduce import reduce_sum
from ..layers.shape.fill import fill_constant
from ..layers.support.helper import LayerHelper
from ..ops.math import arithmetic
from ..ops.sequence import sequence_ids, sequence_metric
from ..static.program.program import Program
from .detection import Accumulated, create_state, needs_program, zero

__all__ = ["ChunkEvaluator", "DetectionMAP", "EditDistance", "Evaluator"]


class Evaluator:
    """Base class of evaluators: operators in the default main Program accumulate into Variables; `eval` computes the
    metric.

    The startup Program sets these Variables to 0, as `reset` does.

    Arguments:
        name: the prefix of the names of its Variables.

    Attributes:
        states: the Variables that are accumulated into.
        metrics: the Variables with the metric of a batch.
        helper: the LayerHelper that creates Variables.

    Raises:
        ModeError: in imperative mode.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        needs_program(f"evaluator.{type(self).__name__}")
        self.states: list[Any] = []
        self.metrics: list[Any] = []
        self.helper = LayerHelper(name, **kwargs)

    def reset(self, executor: Any, reset_program: Program | None = None) -> None:
        """Discard all batches.

        Arguments:
            executor: the Executor that runs the reset.
            reset_program: a Program to append the reset to; a new one where it is None.
        """
        zero(executor, self.states, reset_program)

    def eval(self, executor: Any, eval_program: Program | None = None) -> Any:
        """Return the metric over all batches since the last reset."""
        raise NotImplementedError(f"{type(self).__name__}.eval: an evaluator defines it")

    def _create_state(self, suffix: str, dtype: Any, shape: list[int], lod_level: int = 0) -> Any:
        """Create another Variable to accumulate into."""
        state = create_state(self.helper, suffix, dtype, shape, lod_level)
        self.states.append(state)
        return state

    def _count(self, suffix: str, value: Any) -> Any:
        """Create a Variable to which each run adds a value of shape [1]."""
        state = self._create_state(suffix, value.dtype, [1])
        self.helper.run(arithmetic.sum, [state, value], carry={"Out": state})
        return state

    def _counts(self, executor: Any, program: Program | None) -> list[np.ndarray]:
        """Return the values of the states as float32 arrays."""
        program = Program() if program is None else program
        block = program.global_block()
        held = [block.create_var(name=v.name, shape=v.shape, dtype=v.dtype, persistable=True) for v in self.states]
        return [count.astype("float32") for count in executor.run(program, fetch_list=held)]


class ChunkEvaluator(Evaluator):
    """Precision, recall and F1 of chunks (for example named entities) in sequences of tags.

    `metrics` are the values of a batch; `eval` returns those of all batches.

    Arguments:
        input: int64 with a LoD: the predicted tags.
        label: int64 with a LoD: the true tags.
        chunk_scheme: "IOB", "IOE", "IOBES" or "plain".
        num_chunk_types: the number of types of chunks.
        excluded_chunk_types: types to ignore.

    Raises:
        ArgumentValueError: `chunk_scheme` is unknown.
        ModeError: in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     guess, label = (fluid.data(name, [None, 1], 'int64', lod_level=1) for name in ('guess', 'label'))
    ...     metric = fluid.evaluator.ChunkEvaluator(guess, label, 'IOB', num_chunk_types=1)
    >>> exe, place = fluid.Executor(fluid.CPUPlace()), fluid.CPUPlace()
    >>> _ = exe.run(startup)
    >>> for guess in ([[0], [1], [2]], [[0], [1], [0]]):
    ...     feed = {'guess': fluid.create_lod_tensor(np.array(guess), [[3]], place),
    ...             'label': fluid.create_lod_tensor(np.array([[0], [1], [0]]), [[3]], place)}
    ...     _ = exe.run(main, feed=feed)
    >>> [float(value[0]) for value in metric.eval(exe)]
    [1.0, 0.75, 0.8571428656578064]
    """

    def __init__(
        self,
        input: Any,
        label: Any,
        chunk_scheme: str,
        num_chunk_types: int,
        excluded_chunk_types: Sequence[int] | None = None,
    ) -> None:
        super().__init__("chunk_eval")
        *metrics, found, there, right = LayerHelper("chunk_eval").run(
            sequence_metric.chunk_eval, input, label, None, num_chunk_types=num_chunk_types, chunk_scheme=chunk_scheme,
            excluded_chunk_types=list(excluded_chunk_types or ()),
        )  # fmt: skip
        self.num_infer_chunks = self._count("num_infer_chunks", found)
        self.num_label_chunks = self._count("num_label_chunks", there)
        self.num_correct_chunks = self._count("num_correct_chunks", right)
        self.metrics.extend(metrics)

    def eval(self, executor: Any, eval_program: Program | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (precision, recall, F1) over all batches since the last reset, each float32 [1]; 0 where undefined.

        Arguments:
            executor: the Executor that reads the states.
            eval_program: a Program to use for it; a new one where it is None.
        """
        found, there, right = self._counts(executor, eval_program)
        precision, recall = (right / np.maximum(n, 1) for n in (found, there))
        both = precision + recall
        return precision, recall, 2 * precision * recall / np.where(both > 0, both, np.float32(1))


class EditDistance(Evaluator):
    """Mean edit distance of sequences, divided by the length of the label, and the fraction of wrong sequences.

    `metrics` are the sum of the distances of a batch and the number of its wrong sequences.

    Arguments:
        input: int64 [rows, 1] with a LoD: the predicted tokens.
        label: int64 [rows, 1] with a LoD: the true tokens.
        ignored_tokens: tokens to drop from both.

    Raises:
        ModeError: in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     text, label = (fluid.data(name, [None, 1], 'int64', lod_level=1) for name in ('text', 'label'))
    ...     metric = fluid.evaluator.EditDistance(text, label)
    >>> exe, place = fluid.Executor(fluid.CPUPlace()), fluid.CPUPlace()
    >>> _ = exe.run(startup)
    >>> for text in ([[0], [1], [2]], [[0], [1], [0]]):
    ...     feed = {'text': fluid.create_lod_tensor(np.array(text), [[3]], place),
    ...             'label': fluid.create_lod_tensor(np.array([[0], [1], [0]]), [[3]], place)}
    ...     _ = exe.run(main, feed=feed)
    >>> [float(value[0]) for value in metric.eval(exe)]
    [0.1666666716337204, 0.5]
    """

    def __init__(self, input: Any, label: Any, ignored_tokens: Sequence[int] | None = None, **kwargs: Any) -> None:
        super().__init__("edit_distance", **kwargs)
        helper = LayerHelper("edit_distance")
        if ignored_tokens:
            tokens = list(ignored_tokens)
            input, label = (helper.run(sequence_ids.sequence_erase, x, tokens=tokens) for x in (input, label))
        number, distances = helper.run(
            sequence_metric.edit_distance, input, label, None, None, normalized=True, order="Out"
        )
        right = reduce_sum(cast(equal(distances, fill_constant([1], "float32", 0.0)), "int64"))
        wrong = elementwise_sub(number, right)
        distance = reduce_sum(distances)
        self.total_distance = self._count("total_distance", distance)
        self.seq_num = self._count("seq_num", number)
        self.instance_error = self._count("instance_error", wrong)
        self.metrics.extend([distance, wrong])

    def eval(self, executor: Any, eval_program: Program | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return (mean distance, fraction of wrong sequences) over all batches since the last reset, each float32 [1].

        Both are NaN if there was no batch.

        Arguments:
            executor: the Executor that reads the states.
            eval_program: a Program to use for it; a new one where it is None.
        """
        distance, number, wrong = self._counts(executor, eval_program)
        with np.errstate(invalid="ignore"):
            return distance / number, wrong / number


class DetectionMAP(Accumulated, Evaluator):
    """Mean average precision of detected boxes; the arguments are those of `fluid.metrics.DetectionMAP`.

    Raises:
        ArgumentValueError: `class_num` is None, or `ap_version` is unknown.
        ModeError: in imperative mode.
    """

    def __init__(
        self,
        input: Any,
        gt_label: Any,
        gt_box: Any,
        gt_difficult: Any = None,
        class_num: int | None = None,
        background_label: int = 0,
        overlap_threshold: float = 0.5,
        evaluate_difficult: bool = True,
        ap_version: str = "integral",
    ) -> None:
        Evaluator.__init__(self, "map_eval")
        attrs = {
            "background_label": background_label, "overlap_threshold": overlap_threshold,
            "evaluate_difficult": evaluate_difficult, "ap_version": ap_version,
        }  # fmt: skip
        self._build(self._create_state, lambda: None, input, gt_label, gt_box, gt_difficult, class_num, attrs)
        self.metrics.append(self.cur_map)
