"""Imperative mode: operators run when they are called, and loops and branches run as Python code."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..core.dtype import to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, ModeError, describe, message
from ..core.mode import Mode, changed, state, using
from ..ops.framework import registry
from ..ops.framework.compile_call import EagerRuntime, compile_eager, compile_operator
from ..ops.framework.spec import FirstCall, OpDef, file_name
from ..ops.support.attributes import of_kind
from ..params.attr import WeightNormParamAttr
from .calling_block import CallingBlock
from .calling_block import block as calling_block
from .entries.composed_gradients import run_composed
from .entries.recompute import repeating
from .parameter import Parameter, fill, free_name, make_parameter
from .tape import Node, Port, next_order
from .tensor_lists import TensorLists
from .variable import NOT_SET, Variable


def to_gpu(variable: Any) -> Any:
    """Return the array of a Variable on the GPU. An array on the host is first replaced by its copy on the GPU."""
    array = variable.array
    if isinstance(array, np.ndarray) and state.xp is not np:
        array = variable.array = state.xp.asarray(array)
    return array


RUNTIME = EagerRuntime(Variable, Node, Port, next_order, to_gpu, run_composed)


def compiled(op: OpDef) -> Callable:
    """Return the compiled call of an operator, which honours the `redirect` of the mode that is on; compile it at the first use."""
    if isinstance(op.call, FirstCall):
        op.call = compile_eager(op, "cpu", RUNTIME)
    return op.call


class ImperativeMode(Mode):
    """Imperative mode on the CPU, in which the compiled call of an operator runs without a redirection.

    Arguments:
        zero_gradients: see `Mode`.
    """

    kind = "imperative"
    imperative = True
    sees_calls = False
    arrays = TensorLists()

    def __init__(self, zero_gradients: bool = False) -> None:
        self.zero_gradients = zero_gradients

    @property
    def redirect(self) -> Any:
        """None, so that compiled calls run directly."""
        return None

    # --- operators ----------------------------------------------------------------------------------------------------

    def call(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run the compiled call of an operator and return its results."""
        return compiled(op)(*inputs, **attrs)

    def compile_python_operator(self, op: OpDef, general: Callable) -> Callable:
        """Return a binary Python operator compiled for plain Variables; it calls `general(x, y)` for other operands."""
        return compile_operator(op, general, (Variable, Parameter), RUNTIME)

    def call_into(
        self, op: OpDef, inputs: tuple, attrs: dict[str, Any], *, into: Mapping[str, Any], carry: Mapping[str, Any],
        order: tuple[str, ...] = (), key: str | None = None, recorded: Mapping[str, Any] | None = None,
    ) -> Any:  # fmt: skip
        """Run an operator, write its results into the Variables of `into` and `carry`, and return them.

        A Variable of `into` takes values, LoD and tape entry; one of `carry` takes the values only.
        """
        results = op.call(*inputs, **attrs)
        if into or carry:
            listed = [results] if len(op.outputs) == 1 else results
            by_slot = dict(zip([s.name for s in op.outputs], listed, strict=True))
            for slot, target in into.items():
                target.take(by_slot[slot])
            for slot, target in ({} if repeating.get() else carry).items():
                target.array = by_slot[slot].array
        return results

    def for_inference(self, asked: bool, training: bool) -> bool:
        """Return whether operators run as in inference, by what `train()` or `eval()` said alone, as PaddlePaddle 1.8 does."""
        return not training

    def append_op(self, type: str, inputs: Any, outputs: Any, attrs: Any, stop_gradient: bool) -> None:
        """Run an operator and write its results into the Variables of `outputs`, which keep a set stop_gradient.

        With `stop_gradient` nothing is recorded. Attributes that the operator does not have are ignored, as in a Program.
        None is False where an attribute is a bool, as in PaddlePaddle 1.8, where no other attribute may be None.

        Raises:
            ArgumentValueError: a slot does not exist, or a slot for one Variable gets several.
            ArgumentTypeError: an input is not a Variable.
        """
        op = registry.get(type)
        inputs, outputs, attrs = inputs or {}, outputs or {}, attrs or {}
        _check_slots(op, "inputs", inputs, [s.name for s in op.inputs])
        _check_slots(op, "outputs", outputs, [s.name for s in op.outputs])
        live = {file_name(name): name for name in op.live}
        given_attrs = {live[name]: _given(op, name, value) for name, value in attrs.items() if name in live}
        given = [_of_slot(op, slot, inputs.get(slot.name)) for slot in op.inputs]
        with changed(grad_enabled=state.grad_enabled and not stop_gradient):
            results = _run(op, given, given_attrs, inputs, outputs)
        for slot, result in zip(op.outputs, (results,) if len(op.outputs) == 1 else results, strict=True):
            made = result if slot.many else [result]
            for target, value in zip(_listed(outputs.get(slot.name)), made or [], strict=False):
                if value is not None:
                    kept = target.stopped and target.stopped is not NOT_SET
                    stopped = kept or (stop_gradient and not isinstance(target, Parameter))
                    target.take(value)
                    if stopped:
                        target.stop_gradient = True

    def target_block(self, block: Any) -> CallingBlock:
        """Return the block whose operators run at once."""
        return calling_block

    # --- Variables ----------------------------------------------------------------------------------------------------

    def is_variable(self, value: Any) -> bool:
        """Return whether `value` is a Variable of imperative mode."""
        return isinstance(value, Variable)

    def constant(self, array: Any) -> Variable:
        """Return a Variable that holds the array."""
        return Variable(array)

    def parameter(
        self, shape: list[int], dtype: str, name: str | None, attr: Any, initializer: Any, prefix: str, key: str
    ) -> Parameter:
        """Return a Parameter whose values the operator of the Initializer computed.

        Raises:
            ModeError: `attr` is a WeightNormParamAttr, whose two parts only a Layer can keep.
            ArgumentValueError: another parameter of this `guard` has the name.
        """
        if isinstance(attr, WeightNormParamAttr):
            raise ModeError(
                f"parameter {name or prefix}: a function cannot keep the two parts of a WeightNormParamAttr from one call to "
                "the next in imperative mode. Take a Layer, e.g. fluid.dygraph.Linear, or give a ParamAttr."
            )
        return make_parameter(shape, dtype, free_name(name, key), attr, initializer)

    def empty_variable(
        self, name: str | None, *, key: str = "", outermost: bool = False, dtype: Any = None, shape: Any = None,
        persistable: bool = False, stop_gradient: bool = False, **_: Any,
    ) -> Variable:  # fmt: skip
        """Return a Variable of zeros; without a `shape` it has no elements."""
        sizes = [0] if not shape else [max(int(n), 0) for n in shape]
        array = np.zeros(sizes, to_numpy("float32" if dtype is None else dtype))
        return Variable(array, name=name, persistable=persistable, stop_gradient=stop_gradient)

    def initialise(self, variable: Variable, initializer: Any) -> None:
        """Replace the values of a Variable by those that an Initializer computes."""
        fill(variable, initializer)

    def fill(self, variable: Variable, initializer: Any, block: Any) -> None:
        """Replace the values of a Variable by those that the operator of an Initializer computes."""
        dtype = variable.array.dtype.name
        drawn = "float32" if dtype == "float16" else dtype  # no operator draws float16
        type, attrs = initializer.operation(list(variable.shape), drawn)
        op = registry.get(type)
        variable.array = op.call(**{k: v for k, v in attrs.items() if k in op.live}).array.astype(dtype, copy=False)

    # --- loops and branches -------------------------------------------------------------------------------------------

    def while_loop(
        self,
        condition: Any,
        cond: Callable[..., Any],
        body: Callable[..., Sequence[Any]],
        loop_vars: Any,
        is_test: bool,
    ) -> Sequence[Any]:
        """Run `body` in a Python loop while the condition holds; return the last loop variables."""
        current: Sequence[Any] = loop_vars
        while _true(condition):
            current = body(*current)
            condition = cond(*current)
        return current

    def cond(self, pred: Any, true_fn: Callable[[], Any] | None, false_fn: Callable[[], Any] | None) -> Any:
        """Call `true_fn` or `false_fn` depending on `pred`, and return its result."""
        chosen = true_fn if _true(pred) else false_fn
        return None if chosen is None else chosen()

    def switch_case(
        self, index: Any, branches: Sequence[tuple[int, Callable[[], Any]]], default: Callable[[], Any]
    ) -> Any:
        """Call the branch whose number is `index`, else `default`, and return its result."""
        return dict(branches).get(int(index.numpy().reshape(-1)[0]), default)()


def _true(value: Any) -> bool:
    return bool(value.numpy().reshape(-1)[0])


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, (list, tuple)) else [] if value is None else [value]


def _run(
    op: OpDef, given: Sequence[Any], attrs: dict[str, Any], inputs: Mapping[str, Any], outputs: Mapping[str, Any]
) -> Any:
    """Run an operator; one whose result depends on whether an output replaces an input (the trait `out_of_place`) looks at both."""
    other = op.traits.out_of_place
    if other is None or all(
        a is b for a, b in zip(_listed(inputs.get(other.given)), _listed(outputs.get(other.made)), strict=False)
    ):
        return op.call(*given, **attrs)
    xp = np if state.xp is None else state.xp
    arrays = [None if value is None else value.array for value in given]
    return tuple(map(Variable, other.reference(xp, *arrays, **{**op.defaults(), **attrs})))


def _of_slot(op: OpDef, slot: Any, value: Any) -> Any:
    """Return the argument that a call takes for an input slot: one Variable, or a list of them."""
    values = _listed(value)
    for each in values:
        if not isinstance(each, Variable):
            raise ArgumentTypeError(message(f"append_op({op.type})", slot.name, describe(each), "a Variable"))
    if slot.many:
        return values or None
    if len(values) > 1:
        raise ArgumentValueError(message(f"append_op({op.type})", slot.name, f"{len(values)} Variables", "one"))
    return values[0] if values else None


def _given(op: OpDef, name: str, value: Any) -> Any:
    """Return the value of an attribute that a program gives; None is False for a bool."""
    kind = op.attrs[name].type
    return False if value is None and kind == "BOOLEAN" else of_kind(kind, value)


def _check_slots(op: OpDef, argument: str, given: Any, known: list[str]) -> None:
    if not isinstance(given, Mapping):
        needs = f"a dict with some of {', '.join(known)}"
        raise ArgumentTypeError(message(f"append_op({op.type})", argument, describe(given), needs))
    for slot in given:
        if slot not in known:
            raise ArgumentValueError(
                message(f"append_op({op.type})", argument, f"slot {slot!r}", f"some of {', '.join(known)}")
            )


class ObservedMode(ImperativeMode):
    """Imperative mode that wraps another mode and observes each call which that mode runs.

    Arguments:
        inner: the mode that runs the calls.
    """

    sees_calls = True

    def __init__(self, inner: Mode) -> None:
        super().__init__(inner.zero_gradients)
        self.inner = inner

    @property
    def redirect(self) -> Any:
        """The call of this mode, which observes."""
        return self.call

    def run(self, op: OpDef, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Run an operator in the inner mode and return its results."""
        with using(self.inner):
            return op.call(*inputs, **attrs)


def without(mode: Mode, kind: type[ObservedMode]) -> Mode:
    """Return the mode without its observer of class `kind`; other observers that wrap it are kept."""
    if isinstance(mode, kind):
        return mode.inner
    if isinstance(mode, ObservedMode):
        mode.inner = without(mode.inner, kind)
    return mode
