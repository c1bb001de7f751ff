"""Optimizer: the base class of optimizers, and the state that they keep between steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core import unique_name
from ..core.calls.former import formerly
from ..core.errors import ArgumentTypeError, MissingStateError, describe, message
from ..core.host import to_host
from ..core.mode import ByMode, require_imperative
from ..imperative.arrays import array_module_of
from ..imperative.python_operators import is_variable
from ..imperative.variable import Variable
from ..params.clip import GradientClipBase
from ..params.regularizer import WeightDecayRegularizer
from .hooks import Hooks
from .imperative_step import ImperativeStep
from .rule import Accumulator
from .schedule_base import LearningRateDecay, number
from .static_step import StaticStep

steps = ByMode(imperative=ImperativeStep, static=StaticStep)
"""What does the steps of an optimizer in each mode."""


class Optimizer(Hooks):
    """Base class of optimizers: holds the parameters, the learning rate, the gradient clip and the regularizer.

    A subclass defines the operator that updates a parameter (`operator`), the state that this operator needs for each
    parameter (`accumulators`), and sets its attributes (`attrs`); or it defines updates by hooks, as in Paddle:
    `_create_accumulators`, `_append_optimize_op` and `_finish_update` (see hooks.py).

    Arguments:
        learning_rate: a float; in imperative mode also a LearningRateDecay, in a static Program also a Variable [1],
            for example from `layers.noam_decay`.
        parameter_list: the parameters to train, for example `layer.parameters()`; required in imperative mode.
        regularization: the L1Decay or L2Decay of parameters without their own regularizer.
        grad_clip: a gradient clip, or None.
        name: a part of the names of the accumulators.

    Raises:
        ArgumentTypeError: an argument is of the wrong type, or parameter_list is missing.
    """

    operator: Any  # an OpDef
    accumulators: tuple[Accumulator, ...] = ()

    @formerly("self learning_rate regularization name")
    def __init__(
        self,
        learning_rate: float | LearningRateDecay,
        parameter_list: Iterable[Any] | None = None,
        regularization: Any = None,
        grad_clip: Any = None,
        name: str | None = None,
    ) -> None:
        where = self.__class__.__name__
        steps.current().check_rate(where, learning_rate)
        _checked_clip(where, grad_clip)
        if regularization is not None and not isinstance(regularization, WeightDecayRegularizer):
            needs = "a regularizer, e.g. L2Decay(1e-4)"
            raise ArgumentTypeError(message(where, "regularization", describe(regularization), needs))
        self.attrs: dict[str, Any] = {}
        self._variables: dict[str, Variable] = {}  # attributes given as Variables
        self.tensors: dict[str, Any] = {}  # attributes given as Variables of a Program, by the slot of the operator
        self.regularization = regularization
        self._learning_rate = learning_rate
        self._parameter_list = steps.current().parameters(where, parameter_list)
        self._grad_clip = grad_clip
        self._name = name
        self._restored: Mapping[str, Any] | None = (
            None  # the argument of set_dict: initial values of accumulators that are created later
        )
        self._steps: dict[Any, Any] = {}  # by class: one in each mode that it was used in
        self._type: str | None = None
        self._dtype: Any = None  # of the loss of the latest backward; hooks of subclasses read it
        self._added = {}  # accumulators of the hooks: name -> {name of the parameter: Variable}

    @property
    def type(self) -> str:
        """The type of the update operator, for example "adam"; a subclass with hooks may set it."""
        return self.operator.type if self._type is None else self._type

    @type.setter
    def type(self, value: str) -> None:
        self._type = value

    # --- a step ---------------------------------------------------------------------------------------------------

    def minimize(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        grad_clip: Any = None,
    ) -> tuple[list, list[tuple[Any, Any]]]:
        """Update the parameters to reduce the loss.

        In imperative mode the gradients are those that `loss.backward()` has computed; the learning-rate schedule
        advances by one step. In a static Program operators are appended that compute the gradients and update the
        parameters in each run. Gradients are clipped first, then regularised. Parameters without a gradient, and those
        that are not trainable, are not changed.

        Arguments:
            loss: in imperative mode the Variable that was differentiated; in a static Program the Variable to
                differentiate, of shape [1].
            startup_program: the Program that initialises the optimizer's state in static mode; the default one where it
                is None.
            parameter_list: the only parameters to update: parameters or their names.
            no_grad_set: parameters not to update, or their names; in a static Program, Variables through which no
                gradient flows.
            grad_clip: a gradient clip that takes the place of the optimizer's in this call, as in Fluid before 1.8.

        Returns:
            (the update operators, none in imperative mode; [(parameter, gradient Variable)] before clipping).

        Raises:
            ArgumentTypeError: loss is not a Variable of the current mode.
            ShapeError: in a static Program, if loss is not of shape [1].
            ArgumentValueError: in a static Program, if this optimizer already updates a parameter.

        >>> import numpy as np, paddle_lite.fluid as fluid
        >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
        ...     x = fluid.data('x', [None, 2], 'float32')
        ...     w = fluid.layers.create_parameter([2, 1], 'float32', name='w', default_initializer=fluid.initializer.Constant(1.))
        ...     operators, _ = fluid.optimizer.SGD(0.5).minimize(fluid.layers.mean(fluid.layers.matmul(x, w)))
        ...     exe = fluid.Executor(fluid.CPUPlace())
        ...     _ = exe.run(fluid.default_startup_program())
        ...     exe.run(feed={'x': np.ones([1, 2], 'float32')}, fetch_list=[w])[0].tolist(), operators
        ([[0.5], [0.5]], [w = sgd(Param=w, Grad=w@GRAD, LearningRate=learning_rate_0)])
        """
        own = self._grad_clip
        if grad_clip is not None:
            self._grad_clip = _checked_clip(f"{self.__class__.__name__}.minimize", grad_clip)
        try:
            with self._step().unrecorded():
                params_grads = self.backward(loss, startup_program, parameter_list, no_grad_set)
                return self.apply_optimize(loss, startup_program, params_grads), params_grads
        finally:
            self._grad_clip = own

    def backward(
        self,
        loss: Any,
        startup_program: Any = None,
        parameter_list: Sequence[Any] | None = None,
        no_grad_set: Iterable[Any] | None = None,
        callbacks: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Return the parameters that have a gradient, each with its gradient Variable.

        In imperative mode `loss.backward()` has computed the gradients. In a static Program this appends the operators
        that compute them, like `fluid.backward.append_backward`.

        Arguments:
            loss: in imperative mode the Variable that was differentiated; in a static Program the Variable to
                differentiate.
            startup_program: for static Programs.
            parameter_list: the only parameters to return: parameters or their names.
            no_grad_set: parameters to leave out, or their names.
            callbacks: for static Programs; see `fluid.backward.append_backward`.

        Returns:
            [(parameter, gradient Variable), ...].
        """
        params_grads = self._step().backward(loss, startup_program, parameter_list, no_grad_set, callbacks)
        self._dtype = loss.dtype
        return params_grads

    def apply_gradients(self, params_grads: Sequence[tuple[Any, Any]]) -> list:
        """Clip and regularise gradients, and update the parameters with them.

        Arguments:
            params_grads: (parameter, gradient Variable) pairs, as `backward` returns them; those with None are skipped.

        Returns:
            The update operators, appended to the default main Program; none in imperative mode.
        """
        return self._step().apply(params_grads)

    def apply_optimize(self, loss: Any, startup_program: Any, params_grads: Sequence[tuple[Any, Any]]) -> list:
        """Do what `apply_gradients` does; in static mode, for the Program of `loss` and this startup Program."""
        with self._step().guard(loss, startup_program):
            return self._step().optimize(params_grads)

    def clear_gradients(self) -> None:
        """Set the gradients of all parameters to zeros before the next backward pass."""
        for param in self._parameter_list or ():
            param.clear_gradient()

    def attrs_of(self, param: Any) -> dict[str, Any]:
        """Return the attributes of the operator for a parameter."""
        if self._variables:
            return {
                **self.attrs,
                **{name: number(v, self.__class__.__name__, name) for name, v in self._variables.items()},
            }
        return self.attrs

    def set_number(self, attribute: str, argument: str, value: Any) -> None:
        """Set an attribute of the operator; an imperative Variable is read again at every step.

        A Variable of a static Program becomes an input of the operator, for example `Beta1Tensor` for `beta1`.
        """
        self._variables.pop(attribute, None)
        if steps.current().take_tensor(self, attribute, argument, value):
            return
        self.attrs[attribute] = number(value, self.__class__.__name__, argument)
        if is_variable(value):
            self._variables[attribute] = value

    def _step(self) -> Any:
        """Return the step of this optimizer in the mode that is on."""
        make = steps.current()
        if make not in self._steps:
            self._steps[make] = _own(make)(self) if self.has_own_hooks() else make(self)
        return self._steps[make]

    def _kept_step(self, make: Any) -> Any:
        """Return the step of this optimizer in one mode; None where it has made none there."""
        return self._steps.get(make)

    # --- the learning rate ----------------------------------------------------------------------------------------

    def current_step_lr(self) -> float | np.float32:
        """Return the learning rate of the latest step; before the first step, the learning rate of that step.

        A number that was given as learning rate is returned as it is before the first step, as in PaddlePaddle 1.8.5.

        Raises:
            ModeError: outside of imperative mode.

        >>> import paddle_lite as paddle
        >>> paddle.enable_imperative()
        >>> fc = paddle.nn.Linear(2, 1)
        >>> paddle.optimizer.SGD(0.1, parameter_list=fc.parameters()).current_step_lr()
        0.1
        """
        require_imperative(f"{self.__class__.__name__}.current_step_lr")
        held = self._global_learning_rate()
        if held is not None:
            return np.float32(to_host(held.array)[0])
        rate = self._learning_rate
        return np.float32(rate.peek()) if isinstance(rate, LearningRateDecay) else rate

    def _global_learning_rate(self, program: Any = None) -> Any:
        """Return the learning rate of the latest step as a Variable [1]; None before the first step inside of a `guard`.

        Fluid code prints it, or sets its value for the steps that follow.

        In static mode, return the Variable of the learning rate in a Program (the default one where it is None); None
        before `minimize`.
        """
        return self._step().rate_variable(program)

    # --- what it keeps --------------------------------------------------------------------------------------------

    def accumulator_name(self, accumulator: Accumulator, param: Any) -> str:
        """Generate the name of a new accumulator of a parameter."""
        return self._named_after(param, self._key(accumulator.name))

    def _named_after(self, param: Any, suffix: str) -> str:
        return unique_name.generate(f"{param.name}_{suffix}")

    def make_accumulator(self, accumulator: Accumulator, param: Any) -> Variable:
        """Create an accumulator of a parameter, with the name that Paddle gives it."""
        name = self.accumulator_name(accumulator, param)
        fill = self.attrs_of(param)[accumulator.fill] if isinstance(accumulator.fill, str) else accumulator.fill
        like = param.array
        shape = (1,) if accumulator.one else like.shape
        array = array_module_of(like).full(shape, np.float32(fill), like.dtype)
        return Variable(array, name=name, persistable=True)

    def restore(self, variables: Sequence[Variable]) -> None:
        """Set new accumulators to the values that were passed to `set_dict`."""
        if self._restored is not None:
            _load(f"{self.__class__.__name__}.set_dict", variables, self._states_of(self._restored))

    def state_dict(self) -> dict[str, Any]:
        """Return the accumulators by name, and the state of the learning-rate schedule; for `save_dygraph`.

        Parameters that never had a gradient have no accumulators. For static Programs use `fluid.save`.

        Returns:
            A dict {name: Variable or state}.

        Raises:
            ModeError: outside of imperative mode.
        """
        require_imperative(f"{self.__class__.__name__}.state_dict")
        state: dict[str, Any] = {v.name: v for v in self._kept()}
        if isinstance(self._learning_rate, LearningRateDecay):
            state["LR_Scheduler"] = self._learning_rate.state_dict()
            if self._learning_rate.counts_steps:
                count = np.array([self._learning_rate.step_num], np.int32)
                state["global_step"] = Variable(count, name="global_step")
        return state

    def set_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Load the state that `state_dict` returned; accumulators that do not exist yet are initialised with it when
        they are created.

        Arguments:
            state_dict: a dict {name: ndarray or Variable}, for example the second result of `load_dygraph`.

        Raises:
            ArgumentTypeError: state_dict is not a dict.
            MissingStateError: entries are missing; the error names all of them.
            ShapeError, DtypeError: an entry does not fit; the error names it.
            ModeError: outside of imperative mode.
        """
        where = f"{self.__class__.__name__}.set_dict"
        require_imperative(where)
        if not isinstance(state_dict, Mapping):
            fix = "load_dygraph returns None for it where no optimizer state was saved." if state_dict is None else ""
            raise ArgumentTypeError(message(where, "state_dict", describe(state_dict), "a dict", fix))
        if isinstance(self._learning_rate, LearningRateDecay):
            _restore_schedule(where, self._learning_rate, state_dict)
        self._restored = dict(state_dict)
        _load(where, self._kept(), self._states_of(state_dict))

    def _states_of(self, state_dict: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a state dict, with those entries under their names of today to which 1.6 and 1.7 gave the optimizer's name, too."""
        own = re.compile(rf"_{self.__class__.__name__}_\d+(?=_)")
        former = [key for key in state_dict if own.search(str(key))]
        return (
            {**{own.sub("", key, count=1): state_dict[key] for key in former}, **state_dict} if former else state_dict
        )

    def load(self, stat_dict: Mapping[str, Any]) -> None:
        """Do what `set_dict` does; it had this name before 1.7.

        Arguments:
            stat_dict: the second result of `load_persistables` or `load_dygraph`.
        """
        self.set_dict(stat_dict)

    def get_opti_var_name_list(self) -> list[str]:
        """Return the names of the accumulators in the order of their creation."""
        step = self._kept_step(StaticStep) or self._kept_step(ImperativeStep)
        kept = [] if step is None else [v.name for variables in step.accumulators.values() for v in variables]
        return kept + [v.name for of_name in self._added.values() for v in of_name.values()]

    @property
    def _opti_name_list(self) -> list[str]:
        """The names of the accumulators, as PaddlePaddle's optimizers keep them."""
        return self.get_opti_var_name_list()

    def _kept(self) -> list[Variable]:
        """Return the accumulators, sorted by kind, then by parameter."""
        step = self._kept_step(ImperativeStep)
        added = [v for of_name in self._added.values() for v in of_name.values()]
        if step is None or step.rule is None:
            return added
        order = [step.rule.accumulators.index(a) for a in self.accumulators]
        return [variables[k] for k in order for variables in step.accumulators.values()] + added


def _own(make: Any) -> Any:
    """Return the step of a mode for subclasses with hooks."""
    from .own_step import OwnImperativeStep, OwnStaticStep

    return OwnImperativeStep if issubclass(make, ImperativeStep) else OwnStaticStep


def _checked_clip(where: str, grad_clip: Any) -> Any:
    """Return a gradient clip or None.

    Raises:
        ArgumentTypeError: it is neither.
    """
    if grad_clip is not None and not isinstance(grad_clip, GradientClipBase):
        needs = "an instance of a class derived from GradientClipBase, e.g. GradientClipByGlobalNorm(1.0)"
        raise ArgumentTypeError(message(where, "grad_clip", describe(grad_clip), needs))
    return grad_clip


def _load(where: str, variables: Sequence[Variable], state_dict: Mapping[str, Any]) -> None:
    """Set Variables from a state dict by name."""
    missing = [v.name for v in variables if v.name not in state_dict]
    if missing:
        held = ", ".join(map(str, state_dict)) or "nothing"
        needs = f"one for each accumulator; it holds {held if len(held) < 300 else held[:300] + '...'}"
        fix = (
            "Names follow the names of parameters: build the network and the optimizer as they were when it was saved."
        )
        raise MissingStateError(message(where, "state_dict", f"no entry for {', '.join(missing)}", needs, fix))
    for variable in variables:
        variable.set_value(state_dict[variable.name])


def _restore_schedule(where: str, schedule: LearningRateDecay, state_dict: Mapping[str, Any]) -> None:
    """Set the state of a schedule from a state dict."""
    wanted = ["LR_Scheduler", "global_step"] if schedule.counts_steps else ["LR_Scheduler"]
    missing = [key for key in wanted if key not in state_dict]
    if missing:
        needs = f"{' and '.join(wanted)}, for the learning rate is a {schedule.__class__.__name__}"
        raise MissingStateError(message(where, "state_dict", f"no entry for {', '.join(missing)}", needs))
    state = dict(state_dict["LR_Scheduler"])
    if schedule.counts_steps and "step_num" in schedule.keys:
        step = state_dict["global_step"]
        state["step_num"] = int(np.asarray(getattr(step, "array", step)).reshape(-1)[0])
    schedule.set_dict(state)
