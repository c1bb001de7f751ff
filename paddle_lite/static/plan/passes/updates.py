"""Grouped updates: optimizer operators of one type with equal attributes become one call that updates in place.

The call also multiplies gradients by clip factors and adds the gradients of L2 penalties, and on a server computes the
means of the trainers' gradients, so that the operators for these are not run.

An array is updated in place only if its reference count shows that just the Scope and the running Plan hold it; any
other array is copied first. So arrays that users have fetched, fed or set, and views made by other operators, do not
change. Threads that share parameters (`sharing.py`) update them in place whoever holds them.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, zip_longest
from math import prod
from typing import Any

import numpy as np

from ....core.dtype import VarType
from ....kernels.cpu.optim.optimizer_kernels import L2, SCALE, update_of
from ....kernels.cpu.optim.sparse_updates import fits_rows, update_rows
from ....kernels.cpu.optim.summed_updates import summed_update_of
from ....kernels.inplace_safety import can_update_in_place, lists_readable, reference_counts_readable
from ....ops.framework.dispatch import kernel_of
from ....ops.framework.registry import get
from ....ops.framework.spec import OpDef
from ....ops.framework.traits import Sum
from ....ops.math import arithmetic
from ...program.block import Block
from ...program.operator import Operator
from ..graph import FunctionGraph
from ..ir import Instruction, Line, Unit, Value, joined, line, listed
from ..sharing import sharing
from .changes import Change, algebra_of, change_of
from .device_updates import DeviceUpdate
from .norms import SquaresGroup, gathered_squares

FLOATS = (np.dtype(np.float32), np.dtype(np.float64))
LARGE = 1024  # the least number of elements that justifies compiling a kernel, which costs thousands of small steps
SLOW_CHECKS = (
    1 << 14
)  # arrays checked in Python; they take ten times as long as loading the kernel that checks them, a part of compiling it
OTHERS = frozenset({"Param", "Grad", "LearningRate"})


def accumulator_slots(definition: OpDef) -> list[str]:
    """Return the input slots of an update operator's accumulators, in their order."""
    return [s.name for s in definition.inputs if s.name not in OTHERS and not s.name.endswith("Tensor")]


def renewed_by(slot: str, definition: OpDef) -> str | None:
    """Return the output slot that updates an input slot: MomentOut of Moment, SquaredAccumOut of SquaredAccumulator."""
    outputs = [s.name for s in definition.outputs if slot.startswith(s.name.removesuffix("Out"))]
    return max(outputs, key=len, default=None)


def outputs_of(definition: OpDef) -> list[str]:
    """Return the output slots, in the order of the input slots that they update."""
    slots = ("Param", *accumulator_slots(definition))
    return [output for slot in slots if (output := renewed_by(slot, definition)) is not None]


def group_updates(graph: FunctionGraph) -> Iterator[Instruction]:
    """Return the instructions of grouped parameter updates, and of the grouped squares of a clip by the global norm."""
    for group in groups_of(graph):
        yield from group.instructions(graph)


# --- which operators ------------------------------------------------------------------------------------------------------


def groups_of(graph: FunctionGraph) -> Iterator[UpdateGroup | SquaresGroup]:
    """Return the groups of operators that run as one call.

    A group of updates runs in the place of its last operator. So no operator before that place may read the new values,
    and no operator after it may read the old values.
    """
    steps = graph.instructions
    blocks = [step.place for step in steps if any(isinstance(v, Block) for v in step.op.attrs.values())]
    alike: dict[Any, list[int]] = defaultdict(list)
    for step in steps:
        key = _key(step.op)
        if key is not None:
            alike[key].append(step.place)
    for places in alike.values():
        last = places[-1]
        free = [p for p in places if not any(p < b < last for b in blocks) and _is_free(graph, steps[p], last)]
        updates = [steps[place] for place in free]
        if graph.device == "gpu":
            if len(updates) > 1:
                yield UpdateGroup(updates, [Change(_only(step.read, "Grad")) for step in updates])
            continue
        changes = [change_of(graph, step) for step in updates]
        for summed in (False, True):
            chosen = [i for i, change in enumerate(changes) if bool(change.terms) is summed]
            own = [updates[i] for i in chosen]
            if (len(own) > 1 or summed or any(_sparse(graph, step) for step in own)) and own and pays(_size(own)):
                yield UpdateGroup(own, [changes[i] for i in chosen])
    if graph.device == "cpu":
        yield from (squares for squares in gathered_squares(graph) if pays(squares.size))


def pays(size: int) -> bool:
    """Return whether a kernel for this number of elements pays."""
    return size >= LARGE


def _size(updates: Sequence[Instruction]) -> int:
    """Return the number of elements of the parameters."""
    return sum(prod(step.op.block.variable(_only(step.read, "Param").name).shape) for step in updates)


def _sparse(graph: FunctionGraph, update: Instruction) -> bool:
    """Return whether the gradient of an update, or a term of its sum, may be the sparse gradient of an embedding."""
    gradient = _only(update.read, "Grad")
    maker = graph.maker(gradient)
    terms = maker.reads() if maker is not None and isinstance(algebra_of(maker.op), Sum) else []
    found = [update.op.block.find(value.name) for value in (gradient, *terms)]
    return any(variable is not None and variable.type == VarType.SELECTED_ROWS for variable in found)


def _key(op: Operator) -> Any:
    """Return a key that is equal for the operators of a group; None for an operator that fits no group."""
    definition = op.declared
    if definition is None or "Param" not in op.inputs or update_of(op.type) is None:
        return None
    slots = [s for s in ("Param", "Grad", "LearningRate") if any(s == d.name for d in definition.inputs)]
    wanted = {*slots, *accumulator_slots(definition)}
    if {s for s, names in op.inputs.items() if names} != wanted or any(len(names) > 1 for names in op.inputs.values()):
        return None
    for slot in ("Param", *accumulator_slots(definition)):
        output = renewed_by(slot, definition)
        if output is not None and op.outputs.get(output) != op.inputs[slot]:
            return None
    return (op.type, *op.live_attrs().items())


def _is_free(graph: FunctionGraph, update: Instruction, last: int) -> bool:
    """Return whether an update may run in the place `last`."""
    names = {value.name for value in update.makes()}
    for value in update.makes():
        overwritten = graph.overwritten(value)
        if any(place <= last for place in _uses(graph, value)) or (overwritten is not None and overwritten <= last):
            return False
    for value in (value for value in update.reads() if value.name in names):
        maker = graph.maker(value)
        if any(place > update.place for place in _uses(graph, value)) or (maker and maker.type == update.type):
            return False  # the old value is read later, or the parameter is updated twice
    return True


def _uses(graph: FunctionGraph, value: Value) -> list[int]:
    """Return the places of the operators that read a value."""
    return [*graph.readers(value), *graph.shaped(value)]


class UpdateGroup:
    """A group of update operators that run as one call.

    Arguments:
        updates: the instructions of the operators.
        changes: the change of each operator's gradient.
    """

    def __init__(self, updates: Sequence[Instruction], changes: list[Change]) -> None:
        self.own, self.changes = [step.place for step in updates], changes
        self.absorbed = [place for change in changes for place in change.absorbed]
        self.places = sorted({*self.own, *self.absorbed})
        first = updates[0].op
        self.definition, self.attrs = first.definition, first.live_attrs()

    @property
    def note(self) -> str:
        """The note of the unit: the number of parameters, and of the absorbed operators on gradients."""
        absorbed = f", {len(self.absorbed)} operators on gradients within" if self.absorbed else ""
        return f"{len(self.own)} parameters{absorbed}"

    def instructions(self, graph: FunctionGraph) -> Iterator[Instruction]:
        """Return the call in the place of the last operator, and empty instructions in the other places."""
        steps = [graph.instructions[place] for place in self.own]
        last = steps[-1]
        unit = Unit("update", tuple(self.places), self.note, max(self.places))
        yield from (graph.instructions[place].run_as(unit) for place in self.places if place != last.place)
        slots = [[_only(step.read, slot) for step in steps] for slot in self.slots]
        params, *states = slots
        grads = [change.reads() for change in self.changes]
        factors = [change.factor for change in self.changes]
        rates = [_only(step.read, "LearningRate") for step in steps if "LearningRate" in step.read]
        rates = rates[:1] if len(set(rates)) == 1 else rates
        renewed = [[_only(step.made, slot) for step in steps] for slot in outputs_of(self.definition)]
        others: list[Sequence[Value | None]] = [rates, factors if any(factors) else [], *states]
        given = [_array_list(params), self._gradients(), *map(_array_list, others)]
        name = f"g{last.place}"
        call = line(f"{{}}, = {name}({{}})", joined(map(_array_list, renewed)), joined(given))
        loads = [v for v in chain(params, *grads, factors, rates, *states) if v is not None]
        in_place = [renewed_by(slot, self.definition) is not None for slot in self.slots]
        donated = tuple(v for values, own in zip(slots, in_place, strict=True) if own for v in values)
        update: GroupedUpdate | DeviceUpdate = self._update()
        if graph.device == "gpu":
            slots_of_states, outputs = accumulator_slots(self.definition), outputs_of(self.definition)
            update, donated = DeviceUpdate(self.definition, self.attrs, slots_of_states, outputs), ()
        yield last.run_as(unit, [call], loads, chain.from_iterable(renewed), scope={name: update}, donated=donated)

    def _gradients(self) -> Line:
        """Return the list of gradients; of tuples, where each is a mean of several."""
        if not self.changes[0].terms:
            return _array_list(change.gradient for change in self.changes)
        return line("[{}]", joined(line("({})", listed(change.terms)) for change in self.changes))

    def _update(self) -> GroupedUpdate:
        decays = [change.coefficient for change in self.changes]
        if not self.changes[0].terms:
            return GroupedUpdate(self.definition, self.attrs, decays)
        return UpdateByMeans(self.definition, self.attrs, decays, [change.mean for change in self.changes])

    @property
    def slots(self) -> list[str]:
        """The slots of parameters and accumulators."""
        return ["Param", *accumulator_slots(self.definition)]


def _only(slots: Mapping[str, Sequence[Value | None]], slot: str) -> Value:
    """Return the only value of a slot."""
    [value] = slots[slot]
    assert value is not None
    return value


def _array_list(values: Iterable[Value | None]) -> Line:
    return line("[{}]", joined("None" if value is None else value for value in values))


# --- running them ---------------------------------------------------------------------------------------------------------


class GroupedUpdate:
    """The update of many parameters: one kernel for dense gradients, and one for each table with sparse gradients.

    If the kernels do not support all arrays (float16), the operator runs for each parameter.

    Arguments:
        definition: the operator.
        attrs: its attributes.
        decays: the coefficient of each parameter's L2 penalty: decay * parameter is added to its gradient.
    """

    def __init__(self, definition: OpDef, attrs: dict[str, Any], decays: list[float]) -> None:
        self.definition, self.attrs = definition, attrs
        self.decays = decays
        self.table = np.repeat(np.array([[1.0], [-np.inf], [np.inf], [0.0], [0.0]]), len(decays), axis=1)
        self.table[L2] = decays
        self.kernel = update_of(definition.type)
        self.slots = ["Param", *accumulator_slots(definition)]
        self.renewed = [renewed_by(slot, definition) for slot in self.slots]
        self.outputs = outputs_of(definition)
        self.numbers = np.array([float(attrs[name]) for name in definition.live], np.float32)
        readable = lists_readable() and reference_counts_readable()
        self.plain = self.kernel is not None and None not in self.renewed and readable
        self.checked = 0  # arrays, in Python

    def __call__(self, params: list, grads: list, rates: list, factors: list, *kept: list) -> list[list]:
        """Return the new values by output slot, in the order of `outputs`.

        Arguments:
            params, grads: the arrays of parameters and gradients.
            rates: the learning rate of each parameter, [1]; or one for all.
            factors: the factor of each gradient, [1], or None; an empty list for no factors.
            kept: a list of arrays for each accumulator.
        """
        dtype = params[0].dtype
        self.checked += len(params) * (1 + len(kept))
        if self.plain and dtype in FLOATS and self.checked > SLOW_CHECKS:
            lists = np.array(list(map(id, (params, grads, *kept))), np.int64)
            objects, sizes = np.empty((2, len(lists), len(params)), np.int64)
            most = MOST if sharing.on else HELD
            if can_update_in_place(lists, objects, sizes, id(np.ndarray), id(dtype), most):
                changes = self._changes(factors, dtype)
                numbers = self.numbers.astype(dtype)
                self.kernel(
                    objects, sizes, self._speeds(rates, len(params), dtype), numbers, changes, np.empty(0, dtype)
                )  # type: ignore[misc]
                return [params, *kept]
        dense, tables = self._divided(params, grads, kept)
        if len(dense) + len(tables) < len(params):
            return self._each(params, grads, rates, factors, kept)
        new, whole = self._owned(params, kept)
        speeds = self._speeds(rates, len(params), dtype)
        numbers, changes = self.numbers.astype(dtype), self._changes(factors, dtype)
        if dense:
            self._update(dense, whole, grads, speeds, numbers, changes)
        for i in tables:
            param, *states = (slot[i] for slot in whole)
            change = changes[:, i] if changes.size else None
            update_rows(self.definition.type, param, grads[i], speeds[i], numbers, change, states)
        return new

    def _owned(self, params: list, kept: Sequence[list]) -> tuple[list[list], list[list]]:
        """Return arrays that may be updated in place: those given, or copies of them.

        Returns:
            (the arrays that the operator renews, by output slot; all parameters and accumulators, by slot).
        """
        slots = [slot for slot, new in zip((params, *kept), self.renewed, strict=True) if new is not None]
        arrays = list(chain.from_iterable(slots))
        shared = sharing.on
        for k, holders in enumerate(list(map(sys.getrefcount, arrays))):
            if (holders > ALONE and not shared) or arrays[k].base is not None or not arrays[k].flags.carray:
                arrays[k] = np.array(arrays[k], order="C")
        count = len(params)
        new = [arrays[k : k + count] for k in range(0, len(arrays), count)]
        others = [np.array(a) for slot, n in zip(kept, self.renewed[1:], strict=True) if n is None for a in slot]
        return new, self._in_order(new, [others[k : k + count] for k in range(0, len(others), count)])

    @staticmethod
    def _speeds(rates: list, count: int, dtype: np.dtype) -> np.ndarray:
        """Return the learning rate of each parameter; 0 for an operator without learning rate."""
        speeds = np.zeros(count, dtype)
        if rates:
            speeds[:] = [rate.item() for rate in rates]
        return speeds

    def _update(
        self, places: list[int], whole: list[list], grads: list, speeds: Any, numbers: Any, changes: Any
    ) -> None:
        """Update the parameters at these places by one kernel; whole: the parameters and accumulators by slot."""
        assert self.kernel is not None
        gradients = [_readable(grads[i]) for i in places]
        params, *states = [[slot[i] for i in places] for slot in whole]
        slots = (params, gradients, *states)
        objects = np.array([list(map(id, slot)) for slot in slots], np.int64)
        sizes = np.array([[a.size for a in slot] for slot in slots], np.int64)
        changes = changes.take(places, 1) if changes.size else changes  # contiguous: one form of the kernel
        self.kernel(objects, sizes, speeds[places], numbers, changes, np.empty(0, speeds.dtype))

    def _changes(self, factors: list, dtype: np.dtype) -> np.ndarray:
        """Return the table of changes (see kernels.cpu.optim.optimizer_kernels)."""
        if factors:
            self.table[SCALE] = [1.0 if factor is None else factor.reshape(-1)[0] for factor in factors]
        elif not any(self.decays):
            return np.empty((0, 0), dtype)
        return self.table.astype(dtype)

    def _in_order(self, new: list[list], others: list[list]) -> list[list]:
        """Return the slots in the order of the kernel's arguments."""
        made, rest = iter(new), iter(others)
        return [next(rest) if output is None else next(made) for output in self.renewed]

    def _divided(self, params: list, grads: list, kept: Sequence[list]) -> tuple[list[int], list[int]]:
        """Return the places of the parameters with dense gradients, and of the tables with sparse gradients."""
        dtype = params[0].dtype
        dense: list[int] = []
        tables: list[int] = []
        if dtype not in FLOATS:
            return dense, tables
        for i, (p, g) in enumerate(zip(params, grads, strict=True)):
            if p.dtype != dtype:
                continue
            if type(g) is np.ndarray and g.dtype == dtype and g.shape == p.shape:
                dense.append(i)
            elif fits_rows(self.definition.type, p, g, [slot[i] for slot in kept]):
                tables.append(i)
        return dense, tables

    def _each(self, params: list, grads: list, rates: list, factors: list, kept: Sequence[list]) -> list[list]:
        """Return the results of the operator, which runs for each parameter."""
        run: Callable = kernel_of(self.definition, "cpu")
        grads = [g if f is None else g * f for g, f in zip(grads, factors or [None] * len(grads), strict=True)]
        grads = [g if d == 0 else _penalised(g, p, d) for g, p, d in zip(grads, params, self.decays, strict=True)]
        by_slot = dict(zip(self.slots, (params, *kept), strict=True))
        by_slot.update(Grad=grads, LearningRate=rates * len(params) if len(rates) == 1 else rates)
        results = []
        for i in range(len(params)):
            inputs = [by_slot[s.name][i] if s.name in by_slot else None for s in self.definition.inputs]
            made = run(*inputs, **self.attrs)
            results.append(made if isinstance(made, tuple) else (made,))
        order = [[s.name for s in self.definition.outputs].index(output) for output in self.outputs]
        return [[made[k] for made in results] for k in order]


class UpdateByMeans(GroupedUpdate):
    """The update of many parameters, each by the mean of several gradients; the kernel computes these, too.

    Where the kernel does not support the arrays (rows of tables, float16), operators compute the means.

    Arguments:
        definition, attrs, decays: as for GroupedUpdate.
        means: what the sum of each parameter's gradients is multiplied by.
    """

    def __init__(self, definition: OpDef, attrs: dict[str, Any], decays: list[float], means: list[float]) -> None:
        super().__init__(definition, attrs, decays)
        self.means = means
        self.by_sums = summed_update_of(definition.type)

    def __call__(self, params: list, grads: list, rates: list, factors: list, *kept: list) -> list[list]:
        """Return the new values; see GroupedUpdate. `grads` has a tuple of gradients for each parameter."""
        dtype = params[0].dtype
        if self.by_sums is None or dtype not in FLOATS or not all(map(_alike, params, grads)):
            means = [_mean(terms, mean) for terms, mean in zip(grads, self.means, strict=True)]
            return super().__call__(params, means, rates, factors, *kept)
        new, whole = self._owned(params, kept)
        grads = [tuple(map(_readable, terms)) for terms in grads]
        arrays = [whole[0], *whole]  # the row of gradients is not read
        objects = np.array([list(map(id, slot)) for slot in arrays], np.int64)
        sizes = np.array([[a.size for a in slot] for slot in arrays], np.int64)
        rows = zip_longest(*([id(term) for term in terms] for terms in grads), fillvalue=0)
        terms, counts = np.array(list(rows), np.int64), np.array(list(map(len, grads)), np.int64)
        speeds, changes = self._speeds(rates, len(params), dtype), self._changes(factors, dtype)
        numbers, factor = self.numbers.astype(dtype), np.array(self.means, dtype)
        self.by_sums(objects, sizes, terms, counts, factor, speeds, numbers, changes)
        return new


def _alike(param: Any, terms: Sequence[Any]) -> bool:
    """Return whether gradients are arrays of the shape and dtype of a parameter."""
    return all(type(g) is np.ndarray and g.dtype == param.dtype and g.shape == param.shape for g in terms)


def _readable(array: np.ndarray) -> np.ndarray:
    """Return an array as kernels read it; a message's bytes may lie anywhere."""
    return array if array.flags.c_contiguous and array.flags.aligned else np.array(array, order="C")


def _mean(terms: Sequence[Any], mean: float) -> Any:
    """Return the sum of gradients times a number, computed by the operators' kernels."""
    return _scaled(kernel_of(get(arithmetic.sum.type), "cpu")(list(terms)), mean)


def _scaled(value: Any, factor: float) -> Any:
    scale = kernel_of(get(arithmetic.scale.type), "cpu")
    return scale(value, None, scale=factor, bias=0.0, bias_after_scale=True)


def _penalised(gradient: Any, param: np.ndarray, decay: float) -> Any:
    """Return gradient + decay * param, computed by the operators' kernels."""
    return kernel_of(get(arithmetic.sum.type), "cpu")([gradient, _scaled(param, decay)])


def _alone() -> int:
    """Return the reference count that `GroupedUpdate` sees of an array that only its LoDTensor and a Plan hold."""

    def update(params: list) -> int:
        slots = [params]
        arrays = list(chain.from_iterable(slots))
        return next(iter(list(map(sys.getrefcount, arrays))))

    def plan(inputs: list) -> int:
        (v1,) = inputs
        del inputs
        return update([v1])

    tensor = {"array": np.zeros(1)}
    values = [tensor["array"]]
    return plan(values)


ALONE = _alone()
HELD = ALONE - 2  # without the list that is iterated, and the argument of sys.getrefcount
MOST = 0xFFFFFFFF  # any reference count: arrays that threads share
