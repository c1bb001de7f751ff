"""One step of an optimizer in a static Program: its operators, and the Variables that they keep between runs."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ..core import unique_name
from ..core.dtype import VarType
from ..core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ..ops.math.arithmetic import scale
from ..params.initializer import Constant
from ..static.autodiff.backward import append_backward
from ..static.program.block import Block
from ..static.program.naming import name_scope
from ..static.program.operator import Operator
from ..static.program.persistent import persistent_variable
from ..static.program.program import Program, default_main_program, default_startup_program, program_guard
from ..static.program.python_operators import is_variable
from ..static.program.roles import OpRole, role
from ..static.program.variable import Variable
from .parameter_list import checked_list
from .rule import Rule
from .static_gradients import append_gradient_clip_ops, append_regularization_ops

if TYPE_CHECKING:
    from .optimizer import Optimizer

FINISHING = "adamx"
"""The name scope of the operators that Paddle's Adamax appends after all updates."""


class StaticStep:
    """Appends the operators that update the parameters of one optimizer.

    Attributes:
        accumulators: the accumulators of each parameter, in the order of the optimizer's class.
        rates: the learning rate of each Program.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.rule = Rule.of(optimizer)
        self.accumulators: dict[Variable, list[Variable]] = {}
        self.rates: WeakKeyDictionary[Program, Variable] = WeakKeyDictionary()
        self.dtype: Any = VarType.FP32  # of the learning rate: the loss's

    @staticmethod
    def check_rate(where: str, rate: Any) -> None:
        """Raise unless a learning rate is a float or a Variable of a Program.

        Raises:
            ArgumentTypeError: it is something else.
        """
        if not isinstance(rate, float) and not is_variable(rate):
            fix = "In a static Program fluid.layers.noam_decay and its relatives are the schedules."
            if isinstance(rate, (int, np.number)):
                fix = f"Write {float(rate)}."
            raise ArgumentTypeError(message(where, "learning_rate", describe(rate), "a float or a Variable", fix))

    @staticmethod
    def parameters(where: str, parameter_list: Iterable[Any] | None) -> list[Any] | None:
        """Return the parameters to train, or their names, as a list; None and an empty one stand for all of the Program.

        Raises:
            ArgumentTypeError: it is no list, or holds something else.
        """
        return None if parameter_list is None else checked_list(where, parameter_list, names=True)

    @staticmethod
    def take_tensor(optimizer: Optimizer, attribute: str, argument: str, value: Any) -> bool:
        """Make a Variable an input of the operator, `Beta1Tensor` for `beta1`; return whether `value` is one.

        Raises:
            ArgumentTypeError: the operator has no such input.
        """
        slot = f"{attribute.capitalize()}Tensor"
        if not is_variable(value):
            optimizer.tensors.pop(slot, None)
            return False
        if slot not in [s.name for s in optimizer.operator.inputs]:
            where = optimizer.__class__.__name__
            raise ArgumentTypeError(message(where, argument, describe(value), "a number"))
        optimizer.tensors[slot] = value
        optimizer.attrs[attribute] = optimizer.operator.attrs[attribute].default
        return True

    def guard(self, loss: Any, startup_program: Any) -> AbstractContextManager[Any]:
        """Return the context in which a step is appended: the Program of the loss, and its startup Program."""
        return program_guard(loss.block.program, startup_program or default_startup_program())

    def rate_variable(self, program: Any) -> Variable | None:
        """Return the learning rate's Variable in a Program, the default one where it is None.

        A learning rate that was given as a Variable is known at once; one that was given as a number, from `minimize` on.
        """
        program = default_main_program() if program is None else program
        given: Any = self.optimizer._learning_rate
        if program not in self.rates and is_variable(given) and given.block.program is program:
            return given
        return self.rates.get(program)

    def backward(
        self, loss: Any, startup_program: Any, parameter_list: Any, no_grad_set: Any, callbacks: Any, **options: Any
    ) -> list[tuple[Any, Any]]:
        """Append the gradient operators; return (parameter, gradient) pairs."""
        where = f"{self.optimizer.__class__.__name__}.minimize"
        if not is_variable(loss):
            raise ArgumentTypeError(message(where, "loss", describe(loss), "a Variable of a static Program"))
        if loss.shape != (1,):
            fix = "Take its mean first: fluid.layers.mean(loss)."
            raise ShapeError(message(where, "loss", f"{loss.name} of shape {list(loss.shape)}", "shape [1]", fix))
        self.dtype = loss.dtype
        with program_guard(loss.block.program, startup_program or default_startup_program()):
            names = parameter_list or self.optimizer._parameter_list or None
            stopped = self.optimizer._get_no_grad_set(loss, no_grad_set)
            return append_backward(loss, names, stopped, callbacks, **options)

    def apply(self, params_grads: Sequence[tuple[Any, Any]]) -> list[Operator]:
        """Append clips, regularizers and updates to the default main Program; return the update operators."""
        pairs = sorted((pair for pair in params_grads if pair[1] is not None), key=lambda pair: pair[0].name)
        clip = self.optimizer._grad_clip
        if clip is None:
            pairs = append_gradient_clip_ops(pairs)
        else:
            with name_scope("gradient_clip"):
                pairs = list(clip(pairs))
        pairs = append_regularization_ops(pairs, self.optimizer.regularization)
        return self.optimizer._create_optimization_pass(pairs)

    def update_all(self, pairs: Sequence[tuple[Any, Any]]) -> list[Operator]:
        """Append updates by clipped and regularised gradients to the default main Program; return the operators."""
        block = default_main_program().current_block()
        start = len(block.ops)
        self.append_updates(block, pairs)
        return block.ops[start:]

    def append_updates(self, block: Block, pairs: Sequence[tuple[Any, Any]]) -> None:
        """Append the updates of parameters with clipped and regularised gradients."""
        self.create([param for param, _ in pairs if param.trainable])
        self.rate(default_main_program())
        for param, grad in pairs:
            if param.trainable:
                with block.program._optimized_guard([param, grad]), name_scope("optimizer"):
                    self.append(block, param, grad)
        self.finish(block, pairs)

    def optimize(self, params_grads: Sequence[tuple[Any, Any]]) -> list[Operator]:
        """Append the updates by the optimizer's `apply_gradients`, which a subclass may override."""
        return self.optimizer.apply_gradients(params_grads)

    @staticmethod
    def unrecorded() -> AbstractContextManager[Any]:
        """Return the context of `minimize`."""
        return nullcontext()

    # --- what the hooks of an optimizer call (see hooks.py) -------------------------------------------------------------

    keeps_accumulators = False  # whether a parameter that has an accumulator keeps it in the next step

    def forget(self) -> None:
        """Drop the accumulators, so that the next `minimize` creates new ones."""
        self.accumulators.clear()

    def create(self, parameters: Sequence[Any]) -> None:
        """Create the accumulators of the rule."""
        for param in parameters if self.rule is not None else ():
            self._accumulate(param)

    def append(self, block: Block, param: Any, grad: Any) -> Operator:
        """Append the update of the rule."""
        return self._update(block, param, grad)

    def finish(self, block: Block, pairs: Sequence[tuple[Any, Any]]) -> None:
        """Append what follows all updates of the rule."""
        for param, grad in pairs:
            if param in self.accumulators:
                self._finish(block, param, grad)

    def new_accumulator(self, name: str, shape: list[int], dtype: Any, fill: float, param: Any) -> Variable:
        """Create an accumulator and the operator that fills it."""
        made = persistent_variable(name, shape, dtype, Constant(float(fill)), stop_gradient=False)
        made.belong_to_optimizer = True
        return made

    def by_name(self) -> dict[str, dict[str, Any]]:
        """Return the accumulators of the rule: name -> {name of the parameter: Variable}."""
        return {
            a.name: {param.name: made[i] for param, made in self.accumulators.items()}
            for i, a in enumerate(self.optimizer.accumulators)
            if self.accumulators
        }

    def rates_by_program(self) -> MutableMapping[Any, Any]:
        """Return the learning rate of each Program; one that is entered holds for its Program, such as a copy."""
        given: Any = self.optimizer._learning_rate
        if is_variable(given):
            self.rates.setdefault(given.block.program, given)
        return self.rates

    def current_rate(self) -> Variable:
        """Return the learning rate of the default main Program, which is created at the first call."""
        return self.rate(default_main_program())

    def rate_for(self, param: Any) -> Variable:
        """Return the learning rate of a parameter."""
        return self._rate_of(param, self.current_rate())

    # --- updates --------------------------------------------------------------------------------------------------

    def _accumulate(self, param: Any) -> None:
        """Create the accumulators of a parameter."""
        optimizer = self.optimizer
        if param in self.accumulators:
            where = f"{optimizer.__class__.__name__}.minimize"
            needs = "one that this optimizer does not update yet"
            fix = "Make an optimizer for each loss, or minimize the sum of the losses."
            if optimizer.accumulators:
                raise ArgumentValueError(message(where, "parameter", param.name, needs, fix))
            return
        made = []
        for a in optimizer.accumulators:
            fill = optimizer.attrs_of(param)[a.fill] if isinstance(a.fill, str) else a.fill
            name = optimizer.accumulator_name(a, param)
            shape = (1,) if a.one else param.shape
            made.append(self.new_accumulator(name, list(shape), param.dtype, fill, param))
        self.accumulators[param] = made

    def _update(self, block: Block, param: Any, grad: Any) -> Operator:
        """Append the update of a parameter."""
        optimizer, rule = self.optimizer, self.rule
        assert rule is not None
        kept = {a.slot: v for a, v in zip(optimizer.accumulators, self.accumulators[param], strict=True)}
        rates = optimizer._create_param_lr((param, grad)) if rule.takes_rate else None
        inputs = rule.inputs(param, grad, rates, [kept[a.slot] for a in rule.accumulators])
        outputs = {s.name: inputs[source] for s, source in zip(rule.operator.outputs, rule.outputs, strict=True)}
        attrs = optimizer.attrs_of(param)
        return block.append_op(optimizer.type, {**inputs, **optimizer.tensors}, outputs, attrs)

    def _finish(self, block: Block, param: Any, grad: Any) -> None:
        """Append the operators that follow all updates: factors of accumulators that the operator does not apply."""
        for a, variable in zip(self.optimizer.accumulators, self.accumulators[param], strict=True):
            if a.factor is not None:
                with block.program._optimized_guard([param, grad]), name_scope(FINISHING):
                    attrs = {"scale": self.optimizer.attrs_of(param)[a.factor]}
                    block.append_op("scale", {"X": variable}, {"Out": variable}, attrs)

    # --- the learning rate ----------------------------------------------------------------------------------------

    def rate(self, program: Program) -> Variable:
        """Return the learning rate, a Variable [1] of this Program, which is the default one."""
        known = self.rates.get(program)
        if known is not None:
            return known
        given: Any = self.optimizer._learning_rate
        where = self.optimizer.__class__.__name__
        if is_variable(given):
            if given.block.program is not program:
                fix = "Make the schedule inside of the program_guard of the Program that is trained."
                got, needs = f"{given.name} of another Program", "a Variable of this Program, or a float"
                raise ArgumentTypeError(message(where, "learning_rate", got, needs, fix))
            self.rates[program] = given
            return given
        if not isinstance(given, float):
            fix = "Call fluid.layers.noam_decay or its relatives for a schedule."
            raise ArgumentTypeError(message(where, "learning_rate", describe(given), "a float or a Variable", fix))
        name = unique_name.generate("learning_rate")
        self.rates[program] = persistent_variable(name, [1], self.dtype, Constant(given))
        return self.rates[program]

    def _rate_of(self, param: Any, rate: Variable) -> Variable:
        """Return the learning rate times the factor of the parameter."""
        factor = param.optimize_attr["learning_rate"]
        if is_variable(factor):
            return factor
        if factor == 1.0:
            return rate
        with role(OpRole.LRSched | OpRole.Optimize), name_scope("scale_with_param_lr"):
            return scale.call(rate, scale=float(factor))
