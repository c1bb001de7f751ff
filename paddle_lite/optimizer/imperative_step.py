"""One step of an optimizer in imperative mode.

Parameters with one dtype and equal attributes form a Group (groups.py), which one kernel call updates in place. A
parameter with a sparse gradient is updated in place by its own kernel call. Everything else (float16, arrays on a GPU,
operators without a kernel) is updated by the operator, parameter by parameter.
"""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, MutableMapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ..core import unique_name
from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, describe, message
from ..core.host import to_host
from ..core.mode import state
from ..core.selected_rows import SelectedRows
from ..core.tracebacks import user_level
from ..imperative.arrays import array_module_of
from ..imperative.base import no_grad
from ..imperative.calling_block import block as calling_block
from ..imperative.python_operators import is_variable
from ..imperative.variable import Variable
from ..kernels.availability import jit_available
from ..kernels.cpu.optim.optimizer_kernels import update_of
from ..kernels.cpu.optim.sparse_updates import fits_rows, update_rows
from ..kernels.cpu.shape.indexed_rows import merge_rows
from ..ops.math.arithmetic import scale
from ..params.clip import GradientClipBase
from ..params.gradients import changed, no_changes, sum_of_squares
from ..params.regularizer import WeightDecayRegularizer
from ..static.program.program import default_main_program
from .groups import Group, Plan, own
from .parameter_list import all_parameters, checked_list
from .rule import Rule
from .schedule_base import LearningRateDecay, number

if TYPE_CHECKING:
    from .optimizer import Optimizer

LARGE, LONG = (
    1024,
    1000,
)  # elements, or steps, from which on kernels are compiled, which takes as long as 1000 small steps
PLANS_KEPT = 32  # a network that skips parts in some steps has several sets of parameters


class ImperativeStep:
    """Updates the parameters of one optimizer.

    Attributes:
        accumulators: the accumulators of each parameter by its id, in the order of the operator's slots.
        params: the parameters that have accumulators.
        rates: the learning rate of the latest step by the default main Program, of which each `guard` has its own.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        rule = Rule.of(optimizer)
        self.rule: Any = rule
        self.kernel = None if rule is None else update_of(rule.operator.type)
        self.steps = 0
        self.compiles = self.by_kernels = False
        self.params: list[Any] = []
        self.accumulators: dict[int, list[Variable]] = {}
        self.rates: WeakKeyDictionary[Any, Variable] = WeakKeyDictionary()
        self.plans: dict[tuple[int, ...], Plan] = {}
        self.plan: Plan | None = None  # the latest

    # --- copies -------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy needs: the accumulators by the places of their parameters, the current rate, and no Plans."""
        of_params = [self.accumulators.get(id(param)) for param in self.params]
        rate = self.rate_variable(None)
        return {**self.__dict__, "accumulators": of_params, "rates": rate, "plans": {}, "plan": None, "kernel": None}

    def __setstate__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)
        held = zip(self.params, values["accumulators"], strict=True)
        self.accumulators = {id(param): made for param, made in held if made is not None}
        rate = values["rates"]
        self.rates = WeakKeyDictionary({} if rate is None else {default_main_program(): rate})
        self.kernel = None if self.rule is None else update_of(self.rule.operator.type)

    # --- what the optimizer asks of its step in each mode ------------------------------------------------------------

    @staticmethod
    def check_rate(where: str, rate: Any) -> None:
        """Raise unless a learning rate is a float or a LearningRateDecay.

        Raises:
            ArgumentTypeError: it is something else.
        """
        if not isinstance(rate, (float, LearningRateDecay)):
            fix = f"Write {float(rate)}." if isinstance(rate, (int, np.number)) else ""
            raise ArgumentTypeError(
                message(where, "learning_rate", describe(rate), "a float or a LearningRateDecay", fix)
            )

    @staticmethod
    def parameters(where: str, parameter_list: Iterable[Any] | None) -> Collection[Any]:
        """Return the parameters to train.

        Raises:
            MissingParameterListError: there is no list.
            ArgumentTypeError: it is no list, or holds something that is no parameter.
        """
        return all_parameters(where) if parameter_list is None else checked_list(where, parameter_list)

    @staticmethod
    def take_tensor(optimizer: Optimizer, attribute: str, argument: str, value: Any) -> bool:
        """Return False: no attribute is an input of the operator in imperative mode."""
        return False

    def backward(
        self, loss: Any, startup_program: Any, parameter_list: Any, no_grad_set: Any, callbacks: Any
    ) -> list[tuple[Any, Any]]:
        """Return the parameters that `loss.backward()` left a gradient on, each with it as a Variable."""
        if not is_variable(loss):
            where = f"{self.optimizer.__class__.__name__}.minimize"
            raise ArgumentTypeError(message(where, "loss", describe(loss), "a Variable"))
        params = self.optimizer._parameter_list
        if params is None:  # it was made while a Program was built
            params = parameter_list or all_parameters(self.optimizer.__class__.__name__)
        if parameter_list:
            wanted = {_name_of(p) for p in parameter_list}
            params = [p for p in params if p.name in wanted]
        if no_grad_set:
            unwanted = {_name_of(p) for p in no_grad_set}
            params = [p for p in params if p.name not in unwanted]
        pairs = []
        for param in params:
            raw = param.raw_gradient() if param.trainable and not param.stopped else None
            if raw is not None:
                pairs.append((param, raw if type(raw) is Variable else _gradient(param, raw)))
        if not pairs and params:
            warnings.warn(
                f"{self.optimizer.__class__.__name__}.minimize: none of the {len(params)} parameters has a gradient, so nothing is "
                "updated. Call loss.backward() first; in imperative mode minimize() does not.", UserWarning, stacklevel=user_level(),
            )  # fmt: skip
        return pairs

    def apply(self, params_grads: Sequence[tuple[Any, Any]]) -> list:
        """Make a step; the learning-rate schedule moves on. Return no operators."""
        rate = self.next_rate()
        params_grads = [pair for pair in params_grads if pair[1] is not None]
        if params_grads:
            self(params_grads, rate)
        return []

    def optimize(self, params_grads: Sequence[tuple[Any, Any]]) -> list:
        """Make a step; as in Paddle, without `apply_gradients`."""
        return self.apply(params_grads)

    @staticmethod
    def unrecorded() -> AbstractContextManager[Any]:
        """Return the context of `minimize`, in which nothing is recorded."""
        return no_grad()

    # --- what the hooks of an optimizer call (see hooks.py) -------------------------------------------------------------

    keeps_accumulators = True  # whether a parameter that has an accumulator keeps it in the next step

    def forget(self) -> None:
        """Drop the accumulators, so that the next step creates new ones."""
        self.accumulators.clear()
        self.params.clear()
        self.plans.clear()

    def create(self, parameters: Sequence[Any]) -> None:
        """Create the accumulators of the rule."""
        if self.rule is not None:
            self._accumulate([param for param in parameters if id(param) not in self.accumulators])

    def append(self, block: Any, param: Any, grad: Any) -> None:
        """Update a parameter by the rule."""
        rate = self.optimizer._create_param_lr((param, grad))
        self._update_one(param, grad.array, float(to_host(rate.array)[0]), None)

    def update_all(self, pairs: Sequence[tuple[Any, Any]]) -> list:
        """Update parameters by the rule, without clips and penalties; the learning-rate schedule moves on."""
        self.next_rate()
        self.create([param for param, _ in pairs])
        for param, grad in pairs:
            self.append(calling_block, param, grad)
        return []

    def finish(self, block: Any, pairs: Sequence[tuple[Any, Any]]) -> None:
        """Do nothing: `append` has done what follows an update."""

    def new_accumulator(self, name: str, shape: list[int], dtype: Any, fill: float, param: Any) -> Variable:
        """Create an accumulator, with its restored value if there is one."""
        array = array_module_of(param.array).full(shape, fill, to_numpy(dtype))
        made = Variable(array, name=name, persistable=True)
        self.optimizer.restore([made])
        return made

    def by_name(self) -> dict[str, dict[str, Any]]:
        """Return the accumulators of the rule: name -> {name of the parameter: Variable}."""
        kinds = enumerate(() if self.rule is None else self.rule.accumulators)
        return {
            a.name: {param.name: self.accumulators[id(param)][i] for param in self.params}
            for i, a in kinds
            if self.params
        }

    def rates_by_program(self) -> MutableMapping[Any, Variable]:
        """Return the learning rate of each Program; one that is entered holds for its Program, such as another number."""
        return self.rates

    def current_rate(self) -> Variable | None:
        """Return the learning rate of this step."""
        return self.rate_variable(None)

    def rate_for(self, param: Any) -> Variable:
        """Return the learning rate of a parameter."""
        factor = float(np.float32(param.optimize_attr["learning_rate"]))
        return Variable(np.array([_value(self.rates[default_main_program()]) * factor], param.array.dtype))

    def guard(self, loss: Any, startup_program: Any) -> AbstractContextManager[Any]:
        """Return the context in which a step is made for a loss."""
        return nullcontext()

    def rate_variable(self, program: Any) -> Variable | None:
        """Return the learning rate of the latest step as a Variable [1]; None before the first step."""
        return self.rates.get(default_main_program() if program is None else program)

    def next_rate(self) -> float:
        """Return the learning rate of this step; a schedule advances.

        A number becomes a Variable at the first step inside of a `guard`, as in 1.8.5. The steps after it read that
        Variable: another number as `_learning_rate` of the optimizer changes nothing there.

        Raises:
            ArgumentTypeError: the learning rate is neither a float nor a schedule.
        """
        given, program = self.optimizer._learning_rate, default_main_program()
        if isinstance(given, LearningRateDecay):
            own = type(given).__call__ is not LearningRateDecay.__call__
            rate = number(given(), f"{type(given).__name__}.__call__", "the rate") if own else given.advance()
            self.rates[program] = _rate_of(rate)
            return rate
        self.check_rate(self.optimizer.__class__.__name__, given)
        held = self.rates.get(program)
        if held is None:
            held = self.rates[program] = _rate_of(given)
        return _value(held)

    # --- one step -----------------------------------------------------------------------------------------------------

    def __call__(self, params_grads: Sequence[tuple[Any, Any]], rate: float) -> None:
        """Update each parameter from its gradient Variable; its learning rate is `rate` times its own factor."""
        clip, regularizers = self.optimizer._grad_clip, self._regularizers(params_grads)
        kinds = set(regularizers)
        if any(map(_is_custom, kinds)) or (clip is not None and _has_own_clip(clip)):
            params_grads, clip = self._customised(params_grads, clip), None
            regularizers = self._regularizers(params_grads)
        params = [param for param, _ in params_grads]
        gradients = [grad.array for _, grad in params_grads]
        self._accumulate([param for param in params if id(param) not in self.accumulators])
        parts, rest = self._divide(params, gradients)

        changes: np.ndarray | None = None
        if clip is not None or kinds != {None}:
            changes = no_changes(len(params))
            if clip is not None:
                for i in rest if clip.by_norm else ():
                    if isinstance(gradients[i], SelectedRows):
                        gradients[i] = self._merged(gradients[i])  # merge once, for the norm and for the update
                squares = _squares(gradients, parts, rest) if clip.by_norm else np.zeros(len(params))
                clip.fill(changes, clip.chosen(params), squares)
            for i, regularizer in enumerate(regularizers):
                if regularizer is not None and not _is_custom(regularizer):
                    changes[regularizer.row, i] = regularizer.regularization_coeff
        factors = np.array([param.optimize_attr["learning_rate"] for param in params], np.float32)
        rates = float(np.float32(rate)) * factors.astype(np.float64)

        for places, group in parts:
            table = None if changes is None else changes[:, places]
            group.update(rates[places], self.attributes(group.param), table)
        for i in rest:
            self._update_one(params[i], gradients[i], rates[i], None if changes is None else changes[:, i])

    def attributes(self, param: Any) -> list[float]:
        """Return the attributes of the operator for a parameter, in the order of its declaration."""
        attrs = self.optimizer.attrs_of(param)
        return [attrs[name] for name in self.rule.attributes]

    def _regularizers(self, params_grads: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Return the regularizer of each parameter: its own, else the optimizer's, else None."""
        default = self.optimizer.regularization
        return [default if param.regularizer is None else param.regularizer for param, _ in params_grads]

    def _customised(self, params_grads: Sequence[tuple[Any, Any]], clip: Any) -> list[tuple[Any, Any]]:
        """Return the gradients after the clip and after custom regularizers."""
        with no_grad():
            result = list(params_grads) if clip is None else list(clip(params_grads))
            for i, regularizer in enumerate(self._regularizers(result)):
                param, grad = result[i]
                if _is_custom(regularizer):
                    if not isinstance(regularizer, WeightDecayRegularizer):
                        needs = "a regularizer, e.g. L2Decay(1e-4)"
                        where = f"parameter {param.name}"
                        raise ArgumentTypeError(message(where, "regularizer", describe(regularizer), needs))
                    if isinstance(grad.array, SelectedRows):
                        grad = Variable(grad.array.to_dense(_module(grad.array)))
                    result[i] = (param, grad + regularizer(param, grad, calling_block))
        return result

    def _accumulate(self, params: list[Any]) -> None:
        """Create the accumulators of these parameters."""
        made = [[self.optimizer.make_accumulator(a, param) for a in self.rule.accumulators] for param in params]
        self.optimizer.restore([variable for variables in made for variable in variables])
        self.accumulators.update(zip(map(id, params), made, strict=True))
        self.params += params

    def _divide(self, params: list[Any], gradients: list[Any]) -> tuple[list[tuple[Any, Group]], list[int]]:
        """Return ([(positions of its parameters, group with its gradients), ...], the positions of the other
        parameters).
        """
        self.by_kernels = not state.mode.sees_calls and self._pays(params)
        if not self.by_kernels:
            return [], list(range(len(params)))
        plan, rest = self._plan(params), []
        fits = plan.fits(gradients)
        groups: list[tuple[Any, Group]] = plan.groups
        if not all(fits):
            inside, rest = np.flatnonzero(fits), [i for i, fit in enumerate(fits) if not fit]
            plan = self._plan([params[i] for i in inside])
            groups = [(inside[places], group) for places, group in plan.groups]
        elif len(groups) == 1:
            groups = [(slice(None), groups[0][1])]  # faster indexing
        if plan is not self.plan:
            for _, group in self.plan.groups if self.plan is not None else ():
                group.release()
            self.plan = plan
        for places, group in groups:
            group.take(gradients if isinstance(places, slice) else [gradients[i] for i in places])
        return groups, rest

    def _pays(self, params: list[Any]) -> bool:
        """Return whether to update by kernels, which are compiled; once True it stays True."""
        if not self.compiles and jit_available():
            self.steps += 1
            large = sum(param.array.size for param in params) >= LARGE
            self.compiles = large or self.steps > LONG
        return self.compiles

    def _plan(self, params: list[Any]) -> Plan:
        """Return the Plan for these parameters."""
        key = tuple(map(id, params))  # ids stay unique, since a plan keeps its parameters alive
        plan = self.plans.get(key)
        if plan is None:
            if len(self.plans) == PLANS_KEPT:
                self.plans.clear()
            members = [[param, *self.accumulators[id(param)]] for param in params]
            plan = self.plans[key] = Plan(self.kernel, members, [self.attributes(param) for param in params])
        return plan

    def _merged(self, gradient: SelectedRows) -> SelectedRows:
        """Merge duplicate rows of a sparse gradient."""
        xp = _module(gradient)
        return merge_rows(gradient) if self.by_kernels and xp is np else gradient.merged(xp)

    def _update_one(self, param: Any, gradient: Any, rate: float, change: np.ndarray | None) -> None:
        """Update a single parameter."""
        accumulators = self.accumulators[id(param)]
        type = self.rule.operator.type
        if self.by_kernels and fits_rows(type, param.array, gradient, [variable.array for variable in accumulators]):
            arrays = [own(variable) for variable in (param, *accumulators)]
            attributes = np.array(self.attributes(param), np.float32).astype(param.array.dtype)
            update_rows(type, arrays[0], gradient, rate, attributes, change, arrays[1:])
            return
        if change is not None:
            gradient = changed(_module(gradient), gradient, param.array, change)
        numbers = Variable(np.array([rate], param.array.dtype))
        inputs = self.rule.inputs(param, Variable(gradient), numbers, accumulators)
        attrs = self.optimizer.attrs_of(param)
        outputs = self.rule.operator.call(**inputs, **attrs)
        for slot, output in zip(self.rule.outputs, outputs if isinstance(outputs, tuple) else (outputs,), strict=True):
            inputs[slot].array = output.array
        for accumulator, variable in zip(self.rule.accumulators, accumulators, strict=True):
            if accumulator.factor is not None:
                variable.array = scale.call(variable, scale=attrs[accumulator.factor]).array


def _module(gradient: Any) -> Any:
    """Return the array module of a gradient."""
    return array_module_of(getattr(gradient, "values", gradient))


def _squares(gradients: list[Any], parts: list[tuple[np.ndarray, Group]], rest: list[int]) -> np.ndarray:
    """Return the sum of the squares of each gradient."""
    squares = np.zeros(len(gradients))
    for places, group in parts:
        squares[places] = group.squares()
    for i in rest:
        squares[i] = sum_of_squares(_module(gradients[i]), gradients[i])
    return squares


def _rate_of(rate: float) -> Variable:
    """Return a learning rate as a Variable [1]."""
    return Variable(np.array([rate], np.float32), name=unique_name.generate("learning_rate"), persistable=True)


def _value(rate: Variable) -> float:
    """Return the number that a learning rate holds."""
    return float(to_host(rate.array).reshape(-1)[0])


def _is_custom(regularizer: Any) -> bool:
    """Return whether a regularizer is a custom one, which has to be called."""
    return regularizer is not None and getattr(regularizer, "row", None) is None


def _has_own_clip(clip: GradientClipBase) -> bool:
    """Return whether a gradient clip is a custom one, which has to be called."""
    of, base = type(clip), GradientClipBase
    return of.__call__ is not base.__call__ or of._dygraph_clip is not base._dygraph_clip


def _name_of(param: Any) -> str:
    return param if isinstance(param, str) else param.name


def _gradient(param: Any, raw: Any) -> Variable:
    """Return a gradient as a Variable, at half of the cost of Variable(...): each step does so for each parameter."""
    gradient = object.__new__(Variable)
    gradient.array, gradient.levels, gradient.node, gradient.stopped = raw, None, None, False
    gradient._name = f"{param._name}@GRAD"
    return gradient
