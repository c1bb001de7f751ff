"""One step of an optimizer in imperative mode.

Parameters with one dtype and equal attributes form a Group, which one kernel call updates in place. What no kernel fits
(sparse gradients, float16, arrays on a GPU, operators without a kernel) goes through the operator, parameter by parameter.

In place means: nobody else may see the old array change. So an array that someone else holds (a detached Variable, a view
kept by a reshape, a tape that is still to be differentiated) is replaced by a copy first; the reference count tells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import is_
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.mode import state as mode
from ..core.selected_rows import SelectedRows
from ..imperative.base import no_grad
from ..imperative.variable import Variable, array_module_of
from ..kernels.cpu.optimizer_kernels import squares_of, update_of
from ..params.clip import GradientClipBase
from ..params.gradients import changed, no_changes, sum_of_squares
from .rule import Rule

if TYPE_CHECKING:
    from .optimizer import Optimizer

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
PLANS_KEPT = 32  # a network that leaves parts out from step to step has several sets of parameters


def _holders(arrays: Iterable[Any]) -> int:
    """The largest reference count among arrays."""
    return max(map(getrefcount, arrays))


def _alone() -> int:
    """What `_holders` gives for arrays that only a Variable and a Group's list hold."""
    variable = Variable(np.zeros(1))
    kept = [variable.array]
    return _holders(kept)


ALONE = _alone()


class Group:
    """Parameters that one kernel updates together.

    Arguments:
        kernel: what `update_of` gives.
        members: for each parameter the Variables whose arrays are updated: itself, then its accumulators.
    """

    def __init__(self, kernel: Callable, members: list[list[Variable]]) -> None:
        self.kernel = kernel
        self.param = members[0][0]
        self.variables = [member[slot] for slot in range(len(members[0])) for member in members]
        self.dtype = self.param.array.dtype
        self.arrays: list[Any] = []
        self.gradients: list[Any] = []
        self.objects, self.sizes = np.empty((2, len(members[0]) + 1, len(members)), np.int64)
        self.scratch = np.empty(0, self.dtype)
        self.bind()

    def bind(self) -> None:
        """Take the arrays as they are now; those that somebody else may see, or no kernel can take, are copied first."""
        self.arrays = arrays = [variable.array for variable in self.variables]
        for k, variable in enumerate(self.variables):
            seen = getrefcount(arrays[k]) > ALONE
            if seen or arrays[k].base is not None or not arrays[k].flags.carray:
                arrays[k] = variable.array = np.array(arrays[k], order="C")
        slots = np.arange(len(self.objects)) != 1  # the second is the gradient's
        self.objects[slots] = np.array(list(map(id, arrays))).reshape(-1, self.objects.shape[1])
        self.sizes[slots] = np.array([array.size for array in arrays]).reshape(-1, self.objects.shape[1])
        self.sizes[1] = self.sizes[0]

    def take(self, gradients: list[Any]) -> None:
        """Let these be the gradients: for each parameter an array of its shape and dtype."""
        if not all(map(is_, [v.array for v in self.variables], self.arrays)) or _holders(self.arrays) > ALONE:
            self.bind()
        self.gradients = [g if g.flags.carray else np.array(g, order="C") for g in gradients]
        self.objects[1] = list(map(id, self.gradients))

    def squares(self) -> np.ndarray:
        """The sum of the squares of each gradient, float64."""
        out = np.empty(self.objects.shape[1])
        squares_of(self.objects[1], self.sizes[1], out, self.scratch)
        return out

    def update(self, rates: np.ndarray, attributes: list[float], changes: np.ndarray | None) -> None:
        """Update all parameters.

        Arguments:
            rates: their learning rates.
            attributes: the operator's attributes.
            changes: what to do to the gradients before (see params.gradients), a column for each parameter.
        """
        if changes is None:
            changes = np.empty((0, 0))
        elif not self.scratch.size:
            self.scratch = np.empty(self.sizes[0].max(), self.dtype)
        numbers = np.array(attributes, np.float32)  # that is what attributes are in every mode
        rates, numbers, changes = (table.astype(self.dtype) for table in (rates, numbers, changes))
        self.kernel(self.objects, self.sizes, rates, numbers, changes, self.scratch)
        self.gradients = []


class Plan:
    """Which of some parameters fit a kernel, and in which groups: (where its parameters stand, Group).

    Arguments:
        step: whose parameters they are.
        params: the parameters.
    """

    def __init__(self, step: ImperativeStep, params: list[Any]) -> None:
        self.params = params
        kernel = step.kernel
        arrays = [param.array for param in params]
        fit = [kernel is not None and type(a) is np.ndarray and a.dtype in FLOATS for a in arrays]
        self.dtypes = [a.dtype if ok else None for a, ok in zip(arrays, fit, strict=True)]
        self.shapes = [a.shape for a in arrays]
        members: dict[tuple, list[int]] = {}
        for i, param in enumerate(params):
            if fit[i] and all(param is not other for other in params[:i]):
                members.setdefault((arrays[i].dtype, *step.attributes(param)), []).append(i)
        self.groups = [
            (np.array(places), Group(kernel, [[params[i], *step.accumulators[id(params[i])]] for i in places]))
            for places in members.values()
            if kernel is not None
        ]

    def fits(self, gradients: list[Any]) -> list[bool]:
        """Which gradients the kernels can take."""
        return [
            type(g) is np.ndarray and g.dtype is dtype and g.shape == shape
            for g, dtype, shape in zip(gradients, self.dtypes, self.shapes, strict=True)
        ]


class ImperativeStep:
    """Updates the parameters of one optimizer.

    accumulators: by a parameter's identity, in the operator's order; params: the parameters that have them.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer = optimizer
        self.rule = Rule(optimizer.type, optimizer.accumulators)
        self.kernel = update_of(optimizer.type)
        self.params: list[Any] = []
        self.accumulators: dict[int, list[Variable]] = {}
        self.plans: dict[tuple[int, ...], Plan] = {}

    def __call__(self, params_grads: Sequence[tuple[Any, Any]], rate: float) -> None:
        """Update every parameter from its gradient Variable, by the learning rate `rate` times the parameter's own."""
        clip, regularizers = self.optimizer._grad_clip, self._regularizers(params_grads)
        if _is_custom(clip) or any(r is not None and r.row is None for r in regularizers):
            params_grads, clip = _customised(params_grads, clip, regularizers), None
        params = [param for param, _ in params_grads]
        gradients = [grad.array for _, grad in params_grads]
        self._accumulate([param for param in params if id(param) not in self.accumulators])
        parts, rest = self._divide(params, gradients)

        changes: np.ndarray | None = None
        if clip is not None or any(regularizers):
            changes = no_changes(len(params))
            if clip is not None:
                squares = _squares(gradients, parts, rest) if clip.by_norm else np.zeros(len(params))
                clip.fill(changes, clip.chosen(params), squares)
            for i, regularizer in enumerate(regularizers):
                if regularizer is not None and regularizer.row is not None:
                    changes[regularizer.row, i] = regularizer.regularization_coeff
        factors = np.array([param.optimize_attr["learning_rate"] for param in params], np.float32)
        rates = float(np.float32(rate)) * factors.astype(np.float64)

        for places, group in parts:
            table = None if changes is None else changes[:, places]
            group.update(rates[places], self.attributes(group.param), table)
        for i in rest:
            self._update_one(params[i], gradients[i], rates[i], None if changes is None else changes[:, i])

    def attributes(self, param: Any) -> list[float]:
        """The operator's attributes for a parameter, in the order of its declaration."""
        attrs = self.optimizer.attrs_of(param)
        return [attrs[name] for name in self.rule.attributes]

    def _regularizers(self, params_grads: Sequence[tuple[Any, Any]]) -> list[Any]:
        """Of each parameter: its own, else the optimizer's, else None."""
        default = self.optimizer.regularization
        return [default if param.regularizer is None else param.regularizer for param, _ in params_grads]

    def _accumulate(self, params: list[Any]) -> None:
        """Make the accumulators of these parameters."""
        made = [[self.optimizer.make_accumulator(a, param) for a in self.rule.accumulators] for param in params]
        self.optimizer.restore([variable for variables in made for variable in variables])
        self.accumulators.update(zip(map(id, params), made, strict=True))
        self.params += params

    def _divide(self, params: list[Any], gradients: list[Any]) -> tuple[list[tuple[Any, Group]], list[int]]:
        """The groups with their gradients taken, and where the parameters of each stand; where those of no group do."""
        plan = self._plan(params)
        fits = plan.fits(gradients) if mode.recorder is None else [False] * len(params)
        if all(fits):
            groups, rest = plan.groups, []
        else:
            inside, rest = np.flatnonzero(fits), [i for i, fit in enumerate(fits) if not fit]
            groups = [(inside[places], group) for places, group in self._plan([params[i] for i in inside]).groups]
        if len(groups) == 1 and not rest:
            groups = [(slice(None), groups[0][1])]  # quicker to index with
        for places, group in groups:
            group.take(gradients if isinstance(places, slice) else [gradients[i] for i in places])
        return groups, rest

    def _plan(self, params: list[Any]) -> Plan:
        """The plan for these parameters."""
        key = tuple(map(id, params))  # a plan keeps its parameters alive, so that no other gets their identities
        plan = self.plans.get(key)
        if plan is None:
            if len(self.plans) == PLANS_KEPT:
                self.plans.clear()
            plan = self.plans[key] = Plan(self, params)
        return plan

    def _update_one(self, param: Any, gradient: Any, rate: float, change: np.ndarray | None) -> None:
        """Update a parameter by the operator."""
        if change is not None:
            gradient = changed(_module(gradient), gradient, param.array, change)
        accumulators = self.accumulators[id(param)]
        numbers = Variable(np.array([rate], param.array.dtype))
        inputs = self.rule.inputs(param, Variable(gradient), numbers, accumulators)
        outputs = self.rule.operator.call(**inputs, **self.optimizer.attrs_of(param))
        for slot, output in zip(self.rule.outputs, outputs if isinstance(outputs, tuple) else (outputs,), strict=True):
            inputs[slot].array = output.array


def _module(gradient: Any) -> Any:
    return array_module_of(getattr(gradient, "values", gradient))


def _squares(gradients: list[Any], parts: list[tuple[np.ndarray, Group]], rest: list[int]) -> np.ndarray:
    """The sum of the squares of each gradient."""
    squares = np.zeros(len(gradients))
    for places, group in parts:
        squares[places] = group.squares()
    for i in rest:
        squares[i] = sum_of_squares(_module(gradients[i]), gradients[i])
    return squares


def _is_custom(clip: Any) -> bool:
    """Whether a clip has to be called."""
    return clip is not None and type(clip).__call__ is not GradientClipBase.__call__


def _customised(params_grads: Sequence[tuple[Any, Any]], clip: Any, regularizers: list[Any]) -> list[tuple[Any, Any]]:
    """The gradients after the clip, with what regularizers that have to be called add to them."""
    with no_grad():
        result = list(params_grads) if clip is None else list(clip(params_grads))
        for i, (param, grad) in enumerate(result):
            if regularizers[i] is not None and regularizers[i].row is None:
                if isinstance(grad.array, SelectedRows):
                    grad = Variable(grad.array.to_dense(_module(grad.array)))
                result[i] = (param, grad + regularizers[i](param, grad))
    return result
