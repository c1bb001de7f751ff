"""Metrics that count in persistable Variables of a Program (`fluid.evaluator`)."""

from __future__ import annotations

from typing import Any

from ..layers.helper import LayerHelper
from ..static import Program
from .detection import Accumulated, create_state, require_program, zero

__all__ = ["DetectionMAP", "Evaluator"]


class Evaluator:
    """Base of evaluators: operators in the default main Program count in Variables, from which `eval` computes the metric.

    The startup Program sets these to 0, as `reset` does.

    Arguments:
        name: of the evaluator, with which the names of its Variables begin.

    Attributes:
        states: the Variables that are counted in.
        metrics: the Variables with the metric of a batch.
        helper: the LayerHelper that makes Variables.
    """

    def __init__(self, name: str, **kwargs: Any) -> None:
        require_program(f"evaluator.{type(self).__name__}")
        self.states: list[Any] = []
        self.metrics: list[Any] = []
        self.helper = LayerHelper(name, **kwargs)

    def reset(self, executor: Any, reset_program: Program | None = None) -> None:
        """Forget all batches.

        Arguments:
            executor: runs what does it.
            reset_program: a Program for it; a new one where it is None.
        """
        zero(executor, self.states, reset_program)

    def eval(self, executor: Any, eval_program: Program | None = None) -> Any:
        """The metric over all batches since the last reset."""
        raise NotImplementedError(f"{type(self).__name__}.eval: an evaluator defines it")

    def _create_state(self, suffix: str, dtype: Any, shape: list[int], lod_level: int = 0) -> Any:
        """One more Variable to count in."""
        state = create_state(self.helper, suffix, dtype, shape, lod_level)
        self.states.append(state)
        return state


class DetectionMAP(Accumulated, Evaluator):
    """The mean average precision of boxes that were found; `fluid.metrics.DetectionMAP` says what the arguments mean.

    Raises:
        ArgumentValueError: `class_num` is None; `ap_version` is none that there is.
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
