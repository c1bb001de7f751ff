"""Averages of parameters over the steps of static training, applied while a Program is evaluated."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core import unique_name
from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, ModeError, describe, message
from ..core.mode import require_program
from ..ops.framework.registry import get as operator
from ..ops.optim.average import average_accumulates
from ..params.initializer import Constant
from ..static.program.block import Block
from ..static.program.naming import name_scope
from ..static.program.persistent import persistent_variable, step_counter
from ..static.program.program import Program, default_main_program, program_guard
from ..static.program.python_operators import is_variable
from ..static.program.roles import OpRole, role
from ..static.program.variable import Variable
from .optimizer import Optimizer
from .rule import Accumulator
from .schedule_base import number
from .static_schedules import chosen, constant, scheduling

EMA_STEPS = "@EMA_STEP_COUNTER@"


def need_static(call: str) -> None:
    """Raise a ModeError in imperative mode."""
    require_program(f"{call}: it is for static Programs. Make it outside of imperative mode.")


class _Swap:
    """Base class of optimizers with two Programs: one replaces parameters by their averages, one restores them."""

    def __init__(self) -> None:
        self.pairs: list[
            tuple[Any, Variable]
        ] = []  # (parameter, Variable that stores its value while the average is applied)
        for param in default_main_program().global_block().all_parameters():
            if param.do_model_average is not False:
                name = unique_name.generate(self.kept_name(param))
                kept = param.block.create_var(name=name, shape=param.shape, dtype=param.dtype, stop_gradient=True)
                self.pairs.append((param, kept))
        self.apply_program, self.restore_program = Program(), Program()

    def kept_name(self, param: Any) -> str:
        """Return the prefix of the name of the Variable that stores a parameter's value."""
        raise NotImplementedError(f"{type(self).__name__}.kept_name: an averaging optimizer defines it")

    def average(self, block: Block, param: Any) -> Any:
        """Append the operators that compute the average of a parameter to the apply Program; return the average."""
        raise NotImplementedError(f"{type(self).__name__}.average: an averaging optimizer defines it")

    def write_programs(self) -> None:
        """Build both Programs."""
        with program_guard(self.apply_program):
            self.begin_apply(self.apply_program.global_block())
            for param, kept in self.pairs:
                block = self.apply_program.global_block()
                here = block._clone_variable(param)
                block._clone_variable(kept).take(operator("assign").call(here))
                here.take(self.average(block, param))
        with program_guard(self.restore_program):
            for param, kept in self.pairs:
                block = self.restore_program.global_block()
                block._clone_variable(param).take(operator("assign").call(block._clone_variable(kept)))

    def begin_apply(self, block: Block) -> None:
        """Append operators that all averages share."""

    @contextmanager
    def apply(self, executor: Any, need_restore: bool = True) -> Iterator[None]:
        """Replace the parameters by their averages inside of the `with` block.

        Arguments:
            executor: the Executor that trains.
            need_restore: whether to restore the parameters at the end; otherwise call `restore` later.
        """
        executor.run(self.apply_program)
        try:
            yield
        finally:
            if need_restore:
                self.restore(executor)

    def restore(self, executor: Any) -> None:
        """Restore the parameters after an `apply` with need_restore=False.

        Arguments:
            executor: the Executor that trains.
        """
        executor.run(self.restore_program)


class ExponentialMovingAverage(_Swap):
    """Keeps exponential moving averages of parameters: average = decay * average + (1 - decay) * parameter at each
    step.

    `apply` replaces the parameters by average / (1 - decay^steps), since the averages start from 0. As in PaddlePaddle
    1.8, the averages themselves continue from this value.

    Arguments:
        decay: the weight of the old average, between 0 and 1.
        thres_steps: a floating-point Variable [1] that counts steps; the decay is at most (1 + thres_steps) / (10 +
            thres_steps). With an integer Variable the quotient is an integer, as in Paddle, and the decay is not
            reduced: convert it with cast().
        name: a prefix of the names of its Variables.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: decay is not a number, or thres_steps is not a Variable of a static Program.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     w = fluid.layers.create_parameter([1], 'float32', name='w', default_initializer=fluid.initializer.Constant(2.))
    ...     _ = fluid.optimizer.SGD(1.0).minimize(fluid.layers.mean(w))
    ...     ema = fluid.optimizer.ExponentialMovingAverage(0.5)
    ...     ema.update()
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     for program in (fluid.default_startup_program(), None, None):
    ...         _ = exe.run(program)
    ...     with ema.apply(exe):
    ...         print(np.array(fluid.global_scope().find_var('w').get_tensor()))
    ...     print(np.array(fluid.global_scope().find_var('w').get_tensor()))
    [0.33333334]
    [0.]
    """

    def __init__(self, decay: float = 0.999, thres_steps: Any = None, name: str | None = None) -> None:
        need_static("ExponentialMovingAverage")
        self._decay = number(decay, "ExponentialMovingAverage", "decay")
        if thres_steps is not None and not is_variable(thres_steps):
            needs = "a Variable of a static Program, or None"
            raise ArgumentTypeError(message("ExponentialMovingAverage", "thres_steps", describe(thres_steps), needs))
        self._name = name or ""
        self._thres_steps = thres_steps
        self._decay_var = self._get_ema_decay()
        super().__init__()
        self._params_tmps = self.pairs
        self._ema_vars: dict[str, Variable] = {}
        for param, _ in self.pairs:
            with name_scope("moving_average"):
                self._ema_vars[param.name] = self._create_ema_vars(param)
        self.write_programs()

    def kept_name(self, param: Any) -> str:
        return f"{self._name}{param.name}.ema_tmp"

    def _create_ema_vars(self, param: Any) -> Variable:
        """Create the average of a parameter; a subclass may begin elsewhere than at 0."""
        name = unique_name.generate(f"{self._name}{param.name}_ema")
        return persistent_variable(name, param.shape, param.dtype, Constant(0.0))

    def _get_ema_decay(self) -> Variable:
        """Create a persistable Variable with the decay of a step; a subclass may schedule it."""
        rate = persistent_variable("scheduled_ema_decay_rate", [1], "float32", Constant(self._decay))
        thres_steps: Any = self._thres_steps
        if thres_steps is not None:
            with scheduling():
                rising = (thres_steps + 1.0) / (thres_steps + 10.0)
                below = rising < self._decay
                if rising.dtype != rate.dtype:  # integers: the quotient is 0 and not below int(decay)
                    rising = operator("cast").call(rising, in_dtype=int(rising.dtype), out_dtype=int(rate.dtype))
                rate.take(chosen(below, rising, constant(self._decay)))
        return rate

    def update(self) -> None:
        """Append the operators that update the averages; call it after `minimize`."""
        with role(OpRole.Optimize):  # a clone for tests does not contain it
            step_counter(EMA_STEPS)
        for param, kept in self.pairs:
            average: Any = self._ema_vars[param.name]
            rate: Any = self._decay_var
            with param.block.program._optimized_guard([param, kept]), name_scope("moving_average"):
                default_main_program().global_block().append_op(
                    "assign", {"X": average * rate + param * (1 - rate)}, {"Out": average}
                )

    def begin_apply(self, block: Block) -> None:
        steps = persistent_variable(EMA_STEPS, [1], "int64", Constant(0))  # 0 also where `update` is never called
        count = operator("cast").call(steps, in_dtype=int(VarType.INT64), out_dtype=int(VarType.FP32))
        power = operator("elementwise_pow").call(block._clone_variable(self._decay_var), count)
        self.divisor = chosen(count > 0.0, 1.0 - power, constant(1.0))

    def average(self, block: Block, param: Any) -> Any:
        average: Any = block._clone_variable(self._ema_vars[param.name])
        block.append_op("elementwise_div", {"X": average, "Y": self.divisor}, {"Out": average})
        return operator("assign").call(average)


class ModelAverage(_Swap, Optimizer):
    """Keeps averages of parameters over a window of steps that grows during training.

    Create it after `minimize`: it appends operators that sum up the values of each step. A window ends when it has at
    least min_average_window steps and min(max_average_window, average_window_rate * steps so far) steps. The average is
    over the last complete window and the current one. Parameters of a ParamAttr with do_model_average=False are not
    averaged.

    Arguments:
        average_window_rate: the length of a window relative to the number of steps.
        min_average_window, max_average_window: limits of the length of a window.
        regularization: accepted for Fluid code, ignored.
        name: a part of the names of its Variables.

    Raises:
        ModeError: in imperative mode.
        ArgumentTypeError: the rate or a limit is no number.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     w = fluid.layers.create_parameter([1], 'float32', name='w', default_initializer=fluid.initializer.Constant(2.))
    ...     _ = fluid.optimizer.SGD(1.0).minimize(fluid.layers.mean(w))
    ...     average = fluid.optimizer.ModelAverage(0.5, 2, 10)
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     for program in (fluid.default_startup_program(), None, None):
    ...         _ = exe.run(program)
    ...     with average.apply(exe):
    ...         print(np.array(fluid.global_scope().find_var('w').get_tensor()))
    ...     print(np.array(fluid.global_scope().find_var('w').get_tensor()))
    [0.5]
    [0.]
    """

    operator = average_accumulates
    accumulators = (
        Accumulator("in_sum_1", "sum_1"),
        Accumulator("in_sum_2", "sum_2"),
        Accumulator("in_sum_3", "sum_3"),
        Accumulator("in_num_accumulates", "num_accumulates", one=True),
        Accumulator("in_old_num_accumulates", "old_num_accumulates", one=True),
        Accumulator("in_num_updates", "num_updates", one=True),
    )

    def __init__(
        self,
        average_window_rate: float,
        min_average_window: int = 10000,
        max_average_window: int = 10000,
        regularization: Any = None,
        name: str | None = None,
    ) -> None:
        need_static("ModelAverage")
        Optimizer.__init__(self, 0.0, regularization=regularization, name=name)
        self.set_number("average_window", "average_window_rate", average_window_rate)
        for name, steps in (("min_average_window", min_average_window), ("max_average_window", max_average_window)):
            number(steps, "ModelAverage", name)
            self.attrs[name] = steps
        _Swap.__init__(self)
        self.kept: dict[str, dict[str, Variable]] = {}
        for param, value in self.pairs:
            with param.block.program._optimized_guard([param, value]), name_scope("move_average"):
                self._accumulate(param)
        self.params_grads = self.pairs
        self.write_programs()

    def kept_name(self, param: Any) -> str:
        return f"{param.name}.tmp"

    def _accumulate(self, param: Any) -> None:
        """Append the operator that sums up the values of a parameter."""
        kept = self.kept[param.name] = {}
        for a in self.accumulators:
            dtype, shape = ("int64", (1,)) if a.one else (param.dtype, param.shape)
            name = self.accumulator_name(a, param)
            kept[a.slot] = persistent_variable(name, shape, dtype, Constant(0.0), stop_gradient=False)
        outputs = {slot.replace("in_", "out_", 1): variable for slot, variable in kept.items()}
        block = default_main_program().global_block()
        block.append_op(self.type, {"param": param, **kept}, outputs, self.attrs)

    def average(self, block: Block, param: Any) -> Any:
        kept = {a.name: block._clone_variable(self.kept[param.name][a.slot]) for a in self.accumulators}
        count = operator("sum").call([kept["num_accumulates"], kept["old_num_accumulates"]])
        total = operator("sum").call([kept["sum_1"], kept["sum_2"], kept["sum_3"]])
        dtype = int(param.dtype)
        count = operator("cast").call(count, in_dtype=int(VarType.INT64), out_dtype=dtype)
        total = operator("cast").call(total, in_dtype=dtype, out_dtype=dtype)
        return operator("elementwise_div").call(total, count)

    def get_opti_var_name_list(self) -> list[str]:
        """Return the names of the sums and counts."""
        return [variable.name for kept in self.kept.values() for variable in kept.values()]

    def minimize(self, *_: Any, **__: Any) -> Any:
        """Raise a ModeError: another optimizer does the training."""
        raise ModeError("ModelAverage.minimize: it trains nothing. Minimize with another optimizer before, e.g. SGD.")

    backward = apply_gradients = apply_optimize = minimize
