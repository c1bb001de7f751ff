"""The current mode: what operator calls, parameters, loops and branches do.

A mode is an object of a class derived from `Mode`. The packages of the modes (imperative, static, jit) define these
classes; this module names none of them. `state.mode` is the mode that is on. `loaders`, which the root package fills,
imports the package of a mode when it is first needed.

Code outside of those packages never asks which mode is on. It calls a verb of `state.mode`; a package in a higher layer
adds verbs of its own with `ByMode`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, ClassVar, Protocol

from .errors import ModeError
from .place import CPUPlace, Place


class TensorArrays(Protocol):
    """The operators on arrays of tensors, which loops read from and write to."""

    def create(self, dtype: Any) -> Any:
        """Return an empty array."""

    def write(self, x: Any, place: Any, array: Any) -> Any:
        """Write `x` at an index, an int64 Variable [1]; return the array, a new one where `array` is None."""

    def read(self, array: Any, place: Any) -> Any:
        """Return the element at an index, an int64 Variable [1]."""

    def length(self, array: Any) -> Any:
        """Return the number of elements."""


_NO_NAMES = nullcontext()


class Mode(ABC):
    """A mode: the verbs that depend on whether operators run at once or become part of a Program.

    kind: which implementation `ByMode` takes.
    imperative: whether operators run at once; only functions that report the mode to the user read it.
    arrays: the operators on arrays of tensors.
    sees_calls: whether each operator has to be called by itself; False: an optimizer may update parameters by one kernel.
    translates: whether a Program is built from translated code of imperative mode, whose rules then hold.
    zero_gradients: whether `gradient()` of a Variable that a backward pass has not reached is zeros, as in 2.0-alpha; else
        it is None, as in Fluid.
    """

    kind: ClassVar[str]
    imperative: ClassVar[bool]
    arrays: TensorArrays
    translates: ClassVar[bool] = False
    zero_gradients: bool = False
    sees_calls: ClassVar[bool] = True

    # --- operators ----------------------------------------------------------------------------------------------------

    @property
    def redirect(self) -> Callable[[Any, tuple, dict[str, Any]], Any] | None:
        """What compiled calls of operators call in their place; None: they run."""
        return self.call

    @abstractmethod
    def call(self, op: Any, inputs: tuple, attrs: dict[str, Any]) -> Any:
        """Call an operator and return its results.

        Arguments:
            op: the declaration.
            inputs: for each input slot None, a Variable, or a list of Variables.
            attrs: every attribute that matters, by name.
        """

    @abstractmethod
    def call_into(
        self,
        op: Any,
        inputs: tuple,
        attrs: dict[str, Any],
        *,
        into: Mapping[str, Any],
        carry: Mapping[str, Any],
        order: tuple[str, ...] = (),
        key: str | None = None,
        recorded: Mapping[str, Any] | None = None,
    ) -> Any:
        """Call an operator that writes results into existing Variables; return all results.

        Arguments:
            op, inputs, attrs: as for `op.call`.
            into: output slot -> Variable that becomes the result, with its place in the computation of gradients.
            carry: output slot -> Variable that only takes the value, such as a running mean; no gradient follows it.
            order: output slots whose results a Program names before the others.
            key: the key of the names of results in a Program; None: the current key.
            recorded: attributes that only a Program records, for Paddle.
        """

    @abstractmethod
    def append_op(self, type: str, inputs: Any, outputs: Any, attrs: Any, stop_gradient: bool) -> Any:
        """Call an operator by its type, with Variables by slot; those in `outputs` take the results.

        Returns:
            The appended Operator where a Program is built, else None.
        """

    # --- Variables ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def is_variable(self, value: Any) -> bool:
        """Return whether operators of this mode take `value` as an input."""

    @abstractmethod
    def constant(self, array: Any) -> Any:
        """Return a Variable with the values of a NumPy array; no gradient flows into it."""

    @abstractmethod
    def parameter(
        self, shape: list[int], dtype: str, name: str | None, attr: Any, initializer: Any, prefix: str, key: str
    ) -> Any:
        """Return a new initialised parameter.

        Arguments:
            shape, dtype: of the parameter.
            name: its name; None: one is generated from `key`.
            attr: the ParamAttr.
            initializer: the Initializer that fills it.
            prefix: the name of the layer.
            key: the key of generated names.
        """

    @abstractmethod
    def empty_variable(self, name: str | None, *, key: str = "", outermost: bool = False, **attributes: Any) -> Any:
        """Return a new Variable that an operator or an Initializer fills.

        Arguments:
            name: its name; None: one is generated, from `key` if that is given.
            outermost: put it into the first block of a Program rather than the current one.
            attributes: dtype, shape, persistable, stop_gradient; for a Program also what `Block.create_var` takes.
        """

    @abstractmethod
    def initialise(self, variable: Any, initializer: Any) -> None:
        """Fill a Variable by an Initializer: at once, or when the startup Program runs."""

    @abstractmethod
    def fill(self, variable: Any, initializer: Any, block: Any) -> Any:
        """Fill a Variable by the operator of an Initializer: at once, or in a block of a Program."""

    # --- loops and branches -------------------------------------------------------------------------------------------

    @abstractmethod
    def while_loop(
        self, condition: Any, cond: Callable[..., Any], body: Callable[..., list[Any]], loop_vars: Any, is_test: bool
    ) -> Any:
        """Repeat `loop_vars = body(*loop_vars); condition = cond(*loop_vars)` while the condition holds.

        Returns:
            The loop variables at the end.
        """

    @abstractmethod
    def cond(self, pred: Any, true_fn: Callable[[], Any] | None, false_fn: Callable[[], Any] | None) -> Any:
        """Return what `true_fn()` returns where `pred` holds, else what `false_fn()` returns; None: nothing."""

    @abstractmethod
    def switch_case(
        self, index: Any, branches: Sequence[tuple[int, Callable[[], Any]]], default: Callable[[], Any]
    ) -> Any:
        """Return what the branch with the number `index` returns, else what `default()` returns."""

    # --- names --------------------------------------------------------------------------------------------------------

    def naming(self, key: Callable[..., str | None], *args: Any) -> AbstractContextManager[Any]:
        """Return a context in which results are named after `key(*args)`, which is called only where results have names."""
        return _NO_NAMES

    def shared_name(self, name: str, unshared: str) -> str:
        """Return the name of a parameter that calls of one function share; `unshared` where a name belongs to one."""
        return unshared

    # --- what Python reads of Variables, and code that is translated ----------------------------------------------------

    def value_read(self, call: str) -> None:  # noqa: B027 - a hook that most modes leave empty
        """Take notice that Python reads the value of a Variable, by `call`."""

    def size_read(self, variable: Any, call: str) -> None:  # noqa: B027 - as above
        """Take notice that Python reads the first size of a Variable, by `call`."""

    def target_block(self, block: Any) -> Any:
        """Return the block that calls of a Program's block go to: that block, or the one whose operators run at once."""
        return block

    def operand(self, value: Any) -> Any:
        """Return what stands for a value in this mode; `value` itself unless it is a Variable of another mode."""
        return value

    def layer_attribute(self, layer: Any, value: Any) -> Any:
        """Return what stands for a parameter or buffer of a Layer."""
        return value

    def layer_forward(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return what a Layer of the library runs as its forward."""
        return function


loaders: dict[str, Callable[[], Mode]] = {}
"""Functions that import a mode and return it, by name. A process starts in the first one."""
services: dict[str, Callable[[], Any]] = {}
"""Functions that import what a higher package does for a lower one, by name: "peers", the other processes of a job."""


class State:
    """The mode of the process, its place and its flags; Paddle keeps them per process too.

    redirect: `mode.redirect`, beside it because every compiled call of an operator reads it.
    place: where operators run.
    xp: the array module of `place`; None stands for NumPy until imperative mode is entered.
    grad_enabled: whether operators record gradients.
    training: what the latest `Layer.train()` or `eval()` said; functions without a Layer, such as `layers.dropout`, read it.
    retaining: whether the backward pass that is under way keeps the tape for another pass.
    """

    __slots__ = ("_mode", "grad_enabled", "place", "redirect", "retaining", "training", "xp")

    def __init__(self) -> None:
        self._mode: Mode | None = None
        self.redirect: Callable[[Any, tuple, dict[str, Any]], Any] | None = self._first_call
        self.grad_enabled = True
        self.training = True
        self.retaining = False
        self.place: Place = CPUPlace()
        self.xp: Any = None

    @property
    def mode(self) -> Mode:
        """The mode that is on. The one in which a process starts is loaded when it is first needed."""
        if self._mode is None:
            self.mode = next(iter(loaders.values()))()
        assert self._mode is not None
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        self._mode = mode
        self.redirect = mode.redirect

    def _first_call(self, op: Any, inputs: tuple, attrs: dict[str, Any]) -> Any:
        return self.mode.call(op, inputs, attrs)

    def enter(self, mode: Mode, place: Place, xp: Any) -> tuple:
        """Switch to a mode; return what `leave` needs to switch back."""
        before = (self._mode, self.redirect, self.place, self.xp)
        self.mode, self.place, self.xp = mode, place, xp
        return before

    def leave(self, before: tuple) -> None:
        """Switch back to what was on when `enter` returned `before`."""
        self._mode, self.redirect, self.place, self.xp = before


state = State()


def in_imperative_mode() -> bool:
    """Return whether operators run at once (imperative mode) rather than build a Program.

    >>> import paddle_lite as paddle
    >>> paddle.in_imperative_mode()
    False
    """
    mode = state._mode
    return mode is not None and mode.imperative


def require_imperative(call: str, does: str = "") -> None:
    """Raise unless operators run at once.

    Arguments:
        call: the name of the function.
        does: what it does that needs the mode, e.g. "runs a Layer, which ".

    Raises:
        ModeError: a Program is being built.
    """
    if not in_imperative_mode():
        raise ModeError(
            f"{call}: {does}needs imperative mode. Call paddle.enable_imperative() or use fluid.dygraph.guard()."
        )


def require_program(text: str) -> None:
    """Raise unless a Program is being built.

    Arguments:
        text: the text of the error.

    Raises:
        ModeError: imperative mode is on.
    """
    if in_imperative_mode():
        raise ModeError(text)


def current_place() -> Place:
    """Return the place that operators run on."""
    return state.place


@contextmanager
def switched(mode: Mode, place: Place, xp: Any) -> Iterator[None]:
    """Switch to another mode inside of the block; operators record gradients and Layers train in it until told otherwise."""
    flags, before = (state.grad_enabled, state.training), state.enter(mode, place, xp)
    state.grad_enabled = state.training = True
    try:
        yield
    finally:
        state.leave(before)
        state.grad_enabled, state.training = flags


class ByMode:
    """A verb of a higher layer: a function with an implementation for each kind of mode.

    Arguments:
        implementations: `Mode.kind` -> function.

    >>> rounds = ByMode(imperative=lambda n: f"{n} rounds now", static=lambda n: f"{n} rounds later")
    >>> rounds(3)
    '3 rounds later'
    """

    def __init__(self, **implementations: Callable[..., Any]) -> None:
        self._implementations = implementations

    def current(self) -> Any:
        """Return the implementation for the mode that is on."""
        return self._implementations[state.mode.kind]

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Call the implementation for the mode that is on."""
        return self._implementations[state.mode.kind](*args, **keywords)
