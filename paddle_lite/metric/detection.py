"""Mean average precision of detected boxes, accumulated over the batches that a Program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core import unique_name
from ..core.errors import ArgumentValueError, message
from ..core.mode import require_program
from ..layers.detection.mean_average_precision import detection_map
from ..layers.math.arithmetic import cast
from ..layers.shape.fill import fill_constant
from ..layers.shape.shape import concat
from ..layers.support.helper import LayerHelper
from ..params.initializer import Constant
from ..static.program.program import Program, program_guard

__all__ = ["DetectionMAP"]


class Accumulated:
    """Mean average precision in the default main Program: of a batch, and accumulated since the last reset.

    Attributes:
        helper: the LayerHelper that created the Variables.
        has_state: int32 [1]: 1 once a batch was counted.
        cur_map, accum_map: [1], the value of the batch and of all batches.
    """

    helper: LayerHelper
    has_state: Any
    cur_map: Any
    accum_map: Any

    def _build(
        self, create_state: Callable[..., Any], flag: Callable[[], str | None], boxes: Any, gt_label: Any, gt_box: Any,
        gt_difficult: Any, class_num: Any, attrs: dict[str, Any],
    ) -> None:  # fmt: skip
        """Append the operators of both values and create their states."""
        if class_num is None:
            raise ArgumentValueError(message("DetectionMAP", "class_num", "None", "how many classes there are"))
        columns = [cast(gt_label, gt_box.dtype)]
        if gt_difficult is not None:
            columns.append(cast(gt_difficult, gt_box.dtype))
        label = concat([*columns, gt_box], axis=1)
        self.cur_map = detection_map(boxes, label, class_num, **attrs)
        states = [
            create_state("accum_pos_count", "int32", [class_num, 1]),
            create_state("accum_true_pos", boxes.dtype, [1, 2], lod_level=1),
            create_state("accum_false_pos", boxes.dtype, [1, 2], lod_level=1),
        ]
        name = flag()
        self.has_state = self.helper.create_global_variable(True, name, dtype="int32", shape=[1], stop_gradient=True)
        self.helper.set_variable_initializer(self.has_state, Constant(0))
        self.accum_map = detection_map(
            boxes, label, class_num, has_state=self.has_state, input_states=states, out_states=states, **attrs
        )
        fill_constant([1], "int32", 1, out=self.has_state)

    def get_map_var(self) -> tuple[Any, Any]:
        """Return (the metric of the batch, that of all batches), Variables to fetch."""
        return self.cur_map, self.accum_map

    def reset(self, executor: Any, reset_program: Program | None = None) -> None:
        """Discard all batches.

        Arguments:
            executor: the Executor that runs the reset.
            reset_program: a Program to append the reset to; a new one where it is None.
        """
        zero(executor, [self.has_state], reset_program)


class DetectionMAP(Accumulated):
    """Mean average precision of detected boxes: of a batch, and of all batches that a Program runs.

    Its operators are appended to the default main Program. Run the startup Program first.

    Arguments:
        input: [M, 6] floats with a LoD of one level, one sequence for each image: class, score and box.
        gt_label: [N, 1] with a LoD: the classes of the true boxes.
        gt_box: [N, 4]: the true boxes.
        gt_difficult: [N, 1]: 1 for difficult boxes; None if there are none.
        class_num: the number of classes with the background.
        background_label: as in Paddle, a class with exactly this number of true boxes is left out.
        overlap_threshold: a detected box is correct if its IoU with a true box of its class is above this.
        evaluate_difficult: whether to count difficult boxes.
        ap_version: "integral" or "11point".

    Raises:
        ArgumentValueError: `class_num` is None, or `ap_version` is unknown.
        ModeError: in imperative mode.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup):
    ...     found = fluid.data('found', [None, 6], 'float32', lod_level=1)
    ...     label = fluid.data('label', [None, 1], 'int64', lod_level=1)
    ...     boxes = fluid.data('boxes', [None, 4], 'float32', lod_level=1)
    ...     metric = fluid.metrics.DetectionMAP(found, label, boxes, class_num=3)
    >>> exe, place = fluid.Executor(fluid.CPUPlace()), fluid.CPUPlace()
    >>> _ = exe.run(startup)
    >>> box = [.1, .1, .5, .5]
    >>> for guess in ([1, .9], [2, .8]):
    ...     feed = {'found': fluid.create_lod_tensor(np.array([guess + box], 'float32'), [[1]], place),
    ...             'label': fluid.create_lod_tensor(np.array([[1]]), [[1]], place),
    ...             'boxes': fluid.create_lod_tensor(np.array([box], 'float32'), [[1]], place)}
    ...     [float(m[0]) for m in exe.run(main, feed=feed, fetch_list=list(metric.get_map_var()))]
    [1.0, 1.0]
    [0.0, 0.5]
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
        needs_program("metrics.DetectionMAP")
        self.helper = LayerHelper("map_eval")
        attrs = {
            "background_label": background_label, "overlap_threshold": overlap_threshold,
            "evaluate_difficult": evaluate_difficult, "ap_version": ap_version,
        }  # fmt: skip
        self._build(self._create_state, self._flag, input, gt_label, gt_box, gt_difficult, class_num, attrs)

    def _create_state(self, suffix: str, dtype: Any, shape: list[int], lod_level: int = 0) -> Any:
        return create_state(self.helper, suffix, dtype, shape, lod_level)

    def _flag(self) -> str:
        return f"{unique_name.generate(self.helper.name)}_has_state"


def needs_program(where: str) -> None:
    """Raise a ModeError in imperative mode."""
    require_program(message(where, "the mode", "imperative mode", "static mode: it adds operators to a Program"))


def create_state(helper: LayerHelper, suffix: str, dtype: Any, shape: list[int], lod_level: int = 0) -> Any:
    """Create a persistable Variable that a metric accumulates into; the startup Program sets it to 0."""
    name = f"{unique_name.generate(helper.name)}_{suffix}"
    state = helper.create_global_variable(True, name, dtype=dtype, shape=shape, lod_level=lod_level)
    helper.set_variable_initializer(state, Constant(0))
    return state


def zero(executor: Any, variables: list[Any], program: Program | None) -> None:
    """Set persistable Variables to 0."""
    program = Program() if program is None else program
    with program_guard(program):
        for v in variables:
            held = program.global_block().create_var(
                name=v.name, shape=v.shape, dtype=v.dtype, lod_level=v.lod_level, persistable=True, stop_gradient=True
            )
            fill_constant(list(v.shape), v.dtype, 0, out=held)
    executor.run(program)
