"""The current mode: what operator calls, parameters, loops and branches do.

A mode is an object of a class derived from `Mode`. The packages of the modes (imperative, static, jit) define these
classes; this module names none of them. `state.mode` is the mode that is on in this context (see threads/contexts.py).
`loaders`, which the root package fills, imports the package of a mode when it is first needed.

Code outside of those packages never asks which mode is on. It calls a verb of `state.mode`; a package in a higher layer
adds verbs of its own with `ByMode`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from threading import RLock, current_thread, main_thread
from typing import Any, ClassVar, Protocol

from .errors import ModeError
from .place import CPUPlace, Place
from .threads.contexts import restored
from .threads.forking import LEAVES, hold_while_forking


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

    def for_inference(self, asked: bool, training: bool) -> bool:
        """Return whether an operator that differs in training and inference runs as in inference.

        Args:
            asked: the argument `is_test` of the call or the Layer, which imperative mode does not heed.
            training: what `train()` or `eval()` said.
        """
        return asked or not training

    # --- loops and branches -------------------------------------------------------------------------------------------

    @abstractmethod
    def while_loop(
        self,
        condition: Any,
        cond: Callable[..., Any],
        body: Callable[..., Sequence[Any]],
        loop_vars: Any,
        is_test: bool,
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


class Entered:
    """A mode that is on, and where its operators run: of the process, or of one guard.

    redirect: `mode.redirect`, beside it because every compiled call of an operator reads it.
    place: where operators run.
    xp: the array module of `place`; None stands for NumPy until imperative mode is entered.
    left: what `leave` returns to: a mode, a place, an array module, and anything else that `enter` was given; or None.
    """

    __slots__ = ("_mode", "left", "place", "redirect", "xp")

    def __init__(self, mode: Mode | None = None, place: Place | None = None, xp: Any = None) -> None:
        self._mode = mode
        self.redirect = self._first_call if mode is None else mode.redirect
        self.place = CPUPlace() if place is None else place
        self.xp = xp
        self.left: tuple | None = None

    @property
    def mode(self) -> Mode:
        """The mode. The one in which a process starts is loaded when it is first needed."""
        if self._mode is None:
            self.mode = next(iter(loaders.values()))()
        assert self._mode is not None
        return self._mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        self._mode = mode
        self.redirect = mode.redirect

    @property
    def imperative(self) -> bool:
        """Whether operators run at once; no mode is loaded for it."""
        return self._mode is not None and self._mode.imperative

    def _first_call(self, op: Any, inputs: tuple, attrs: dict[str, Any]) -> Any:
        return self.mode.call(op, inputs, attrs)


class Now:
    """What is on in a context, a thread or a task of asyncio. It is never changed, but replaced.

    entered: the mode, which the process or a guard has entered.
    grad_enabled: whether operators record gradients.
    training: what the latest `Layer.train()` or `eval()` said; functions without a Layer, such as `layers.dropout`, read it.
    told: whether `train()`, `eval()` or a guard of this context has said so. Otherwise a Layer that another thread has set
        to evaluation infers here, too.
    retaining: whether the backward pass that is under way keeps the tape for another pass.
    """

    __slots__ = ("entered", "grad_enabled", "retaining", "told", "training")

    def __init__(
        self,
        entered: Entered,
        grad_enabled: bool = True,
        training: bool = True,
        told: bool = False,
        retaining: bool = False,
    ) -> None:
        self.entered = entered
        self.grad_enabled = grad_enabled
        self.training = training
        self.told = told
        self.retaining = retaining

    def but(self, changes: Mapping[str, Any]) -> Now:
        """Return a copy with other values of some attributes."""
        made = Now(self.entered, self.grad_enabled, self.training, self.told, self.retaining)
        for name, value in changes.items():
            setattr(made, name, value)
        return made


_now: ContextVar[Now] = ContextVar("paddle_lite mode", default=Now(Entered()))  # noqa: B039 - all share it
now = _now.get
"""Return what is on in this context, a Now. Compiled calls of operators call it once each."""


class changed:
    """A context manager that changes attributes of Now in a block, in this context only.

    What is changed otherwise inside of the block, as by `Layer.train()`, outlasts it.

    Arguments:
        changes: attributes of Now.

    >>> with changed(grad_enabled=False):
    ...     now().grad_enabled
    False
    """

    __slots__ = ("_changes", "_made", "_token")

    def __init__(self, **changes: Any) -> None:
        self._changes = changes

    def __enter__(self) -> None:
        self._made = now().but(self._changes)
        self._token = _now.set(self._made)

    def __exit__(self, *exception: Any) -> None:
        self.end()

    def end(self) -> bool:
        """End the block; return False, and do nothing, in another context than that in which it began."""
        inside = now()
        if not restored(_now, self._token):
            return False
        if inside is not self._made:
            before = now()
            _now.set(inside.but({name: getattr(before, name) for name in self._changes}))
        return True


def change(**changes: Any) -> None:
    """Change attributes of Now for the rest of the innermost block that restores them, in this context only."""
    here = now()
    if any(getattr(here, name) is not value for name, value in changes.items()):
        _now.set(here.but(changes))


class State:
    """What is on in this context, by name; code that every call of an operator passes reads `now()` instead.

    To set `mode` is a global call: it holds for the innermost guard, or for the process.
    """

    @property
    def mode(self) -> Mode:
        """The mode that is on. The one in which a process starts is loaded when it is first needed."""
        return now().entered.mode

    @mode.setter
    def mode(self, mode: Mode) -> None:
        now().entered.mode = mode

    @property
    def place(self) -> Place:
        """Where operators run."""
        return now().entered.place

    @property
    def xp(self) -> Any:
        """The array module of `place`; None stands for NumPy until imperative mode is entered."""
        return now().entered.xp

    @property
    def grad_enabled(self) -> bool:
        """Whether operators record gradients."""
        return now().grad_enabled

    @property
    def training(self) -> bool:
        """What the latest `Layer.train()` or `eval()` said."""
        return now().training


state = State()


def using(mode: Mode) -> changed:
    """Return a context manager that uses another mode at the same place, in this context only."""
    here = now().entered
    return changed(entered=Entered(mode, here.place, here.xp))


def enter(mode: Mode, place: Place, xp: Any, others: Callable[[], Any]) -> bool:
    """Switch to a mode until `leave`: in the innermost guard, or in the process; return False if that was done before.

    Arguments:
        others: called at the first time; `leave` returns its result.
    """
    with _entering:
        entered = now().entered
        first = entered.left is None
        if first:
            entered.left = (entered._mode, entered.redirect, entered.place, entered.xp, others())
        entered.mode, entered.place, entered.xp = mode, place, xp
        return first


def leave() -> Any:
    """Undo `enter` and return what its `others` returned; return None if there is nothing to undo."""
    with _entering:
        entered = now().entered
        if entered.left is None:
            return None
        entered._mode, entered.redirect, entered.place, entered.xp, others = entered.left
        entered.left = None
        return others


_entering = RLock()
hold_while_forking(_entering, LEAVES)


def in_imperative_mode() -> bool:
    """Return whether operators run at once (imperative mode) rather than build a Program.

    >>> import paddle_lite as paddle
    >>> paddle.in_imperative_mode()
    False
    """
    return now().entered.imperative


def require_imperative(call: str, does: str = "") -> None:
    """Raise unless operators run at once.

    Arguments:
        call: the name of the function.
        does: what it does that needs the mode, e.g. "runs a Layer, which ".

    Raises:
        ModeError: a Program is being built.
    """
    if not in_imperative_mode():
        fix = "Call paddle.enable_imperative() or use fluid.dygraph.guard()."
        if current_thread() is not main_thread():
            fix += " A guard holds only in the thread that has entered it: use one in this thread, too."
        raise ModeError(f"{call}: {does}needs imperative mode. {fix}")


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


def switched(mode: Mode, place: Place, xp: Any) -> changed:
    """Return a context manager that switches to another mode, in this context only.

    Operators record gradients and Layers train in it until told otherwise.
    """
    return changed(entered=Entered(mode, place, xp), grad_enabled=True, training=True, told=True)


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
        return self._implementations[now().entered.mode.kind]

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """Call the implementation for the mode that is on."""
        return self._implementations[now().entered.mode.kind](*args, **keywords)


def unless_run(verb: Callable[..., Any]) -> Callable[..., None]:
    """Return a function that calls `verb` where calls of operators are redirected, as in a Program, and returns at once where they run.

    >>> told = unless_run(print)
    >>> told("a Program is built")
    a Program is built
    """

    def called(*args: Any) -> None:
        if now().entered.redirect is not None:
            verb(*args)

    return called
