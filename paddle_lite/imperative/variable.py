"""Variable: an array with its gradient and its place on the tape."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core import unique_name
from ..core.dtype import VarType, to_vartype
from ..core.errors import ArgumentTypeError, DtypeError, GraphError, ShapeError, describe, message
from ..core.foreign_names import OF_VARIABLES, name_elsewhere
from ..core.host import to_host
from ..core.lod import LoD, lengths, offsets
from ..core.mode import now, require_imperative, state
from ..core.place import CPUPlace, Place, resolve
from ..core.selected_rows import SelectedRows
from ..core.tensor import LoDTensor
from ..core.tracebacks import user_level
from ..kernels.devices import on_device
from ..kernels.registry import array_module
from ..ops.framework.conveniences import Conveniences
from ..ops.math.arithmetic import cast
from .arrays import array_module_of
from .backward import Passes, add, run, target
from .calling_block import CallingBlock
from .calling_block import block as calling_block
from .conversion import Conversions
from .python_operators import PythonOperators
from .repr import Representation
from .tape import Node, Port, next_order
from .tensor_access import TensorAccess
from .varbase import of_varbase

if TYPE_CHECKING:
    from ..core.typing import Variable as OneType
else:

    class OneType:
        """Nothing: the class is a type for type checkers."""

        __slots__ = ()


_ABSENT = object()


class _NotSet(int):
    """A true value that can be distinguished from the True that a program sets."""


NOT_SET: Any = _NotSet(True)
"""The `stopped` of a Variable that waits for its value: gradients stop at it unless the operator that writes it decides otherwise."""


def _is_array(value: Any) -> bool:
    """Return whether a value is one of an array module, or a SelectedRows."""
    return hasattr(value, "shape") and hasattr(value, "dtype") and not isinstance(value, (np.dtype, type))


class Variable(OneType, PythonOperators, Conveniences, Conversions, Representation):
    """An array together with its place on the tape. `to_variable` and operators return Variables.

    `array` holds the values (a NumPy array, or a CuPy array on a GPU), `levels` the grouping of its rows (LoD) or None.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1., 2.], 'float32'))
    >>> x.stop_gradient = False
    >>> (x * x).backward()
    >>> x.gradient()
    array([2., 4.], dtype=float32)
    """

    __slots__ = ("__weakref__", "_born", "_grad", "_name", "_persistable", "array", "levels", "node", "stopped")
    __array_priority__ = 100.0
    home = "imperative mode"

    array: Any
    levels: LoD | None
    node: Any
    stopped: bool
    _born: int
    _grad: Any
    _name: str
    _persistable: bool

    def __init__(
        self,
        array: Any = _ABSENT,
        *given: Any,
        stop_gradient: bool = True,
        name: str | None = None,
        lod: LoD | None = None,
        persistable: bool = False,
        **others: Any,
    ) -> None:
        if given or others or array is _ABSENT:
            array, name, persistable = self._as_varbase(array, given, name, persistable, others)
        if array.__class__ is not np.ndarray and not (array is None or _is_array(array)):
            fix = "to_variable makes one of numbers and lists."
            raise ArgumentTypeError(message("Variable", "array", describe(array), "an array", fix))
        if lod is not None and lod.__class__ is not tuple:
            fix = "create_lod_tensor makes one of lengths, and to_variable a Variable of that."
            raise ArgumentTypeError(message("Variable", "lod", describe(lod), "a tuple of offsets for each level", fix))
        self.array = array
        self.levels = lod
        self.node = None
        self.stopped = stop_gradient
        self._persistable = persistable
        self._born = next_order()
        if name is not None:
            self._name = name

    @staticmethod
    def _as_varbase(
        array: Any, given: tuple, name: str | None, persistable: bool, others: dict[str, Any]
    ) -> tuple[Any, str, bool]:
        """Return the array, the name and the persistability that the arguments of 1.8.5's constructor mean."""
        if name is not None:
            others["name"] = name
        if persistable:
            others["persistable"] = persistable
        return of_varbase(() if array is _ABSENT else (array, *given), others)

    # --- properties ---------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> list[int]:  # type: ignore[override]
        """The size of each dimension, as a new list."""
        return list(self.array.shape)

    @property
    def dtype(self) -> VarType:
        """The data type as a VarType, which also equals its NumPy name."""
        return to_vartype(self.array.dtype)

    @property
    def type(self) -> VarType:
        """VarType.LOD_TENSOR; VarType.SELECTED_ROWS of the gradient of a sparse embedding."""
        return VarType.SELECTED_ROWS if isinstance(self.array, SelectedRows) else VarType.LOD_TENSOR

    @property
    def name(self) -> str:
        """The name, unique within a guard. The name of an operator's result is generated at its first use."""
        try:
            return self._name
        except AttributeError:
            self._name = unique_name.generate("tmp")
            return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = name

    @property
    def persistable(self) -> bool:
        """Whether the Variable is kept between runs, as parameters are."""
        try:
            return self._persistable
        except AttributeError:
            return False

    @persistable.setter
    def persistable(self, value: bool) -> None:
        self._persistable = value

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients stop here. True for data, and for a result if it is True for all inputs."""
        return bool(self.stopped)

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        self.stopped = bool(value)
        node = self.node
        if type(node) is Port and len(node.node.metas) == 1:  # no other output has a gradient
            node = node.node
        if type(node) is Node:
            node.cut(self.stopped)

    def lod(self) -> list[list[int]]:
        """Return the LoD as offsets, one list a level; [] without a LoD."""
        return offsets(self.levels)

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """Return the LoD as lengths, one list a level; [] without a LoD."""
        return lengths(self.levels)

    # --- values -------------------------------------------------------------------------------------------------------

    def numpy(self) -> np.ndarray:
        """Return a copy of the values as a NumPy array."""
        if now().entered.redirect is not None:
            state.mode.value_read("numpy()")
        array = self.array
        if type(array) is np.ndarray:
            return array.copy("K")
        host = to_host(array)
        return np.array(host) if host is array else host

    def value(self) -> TensorAccess:
        """Return an object whose `get_tensor()` reads and sets the array, as Fluid code does."""
        return TensorAccess(self)

    def set_value(self, value: Any) -> None:
        """Replace the values. Shape and dtype do not change.

        Arguments:
            value: an ndarray or a Variable.

        Raises:
            ArgumentTypeError: `value` is not an array.
            ShapeError, DtypeError: its shape or dtype differs from this Variable's.
        """
        array = self.fitting(value, f"set_value of {self.name}")
        if isinstance(self.array, np.ndarray):
            self.array = np.array(to_host(array), order="C")  # a new array, since the tape may have saved the old one
        else:
            self.array = state.xp.array(array)

    def fitting(self, value: Any, where: str) -> Any:
        """Return the array of `value`, which must have the shape and dtype of this Variable.

        Raises:
            ArgumentTypeError: `value` is not an array.
            ShapeError, DtypeError: its shape or dtype differs from this Variable's.
        """
        array = value.array if isinstance(value, Variable) else value
        if not hasattr(array, "shape") or not hasattr(array, "dtype"):
            raise ArgumentTypeError(message(where, "value", describe(value), "an ndarray or a Variable"))
        if tuple(array.shape) != tuple(self.array.shape):
            raise ShapeError(message(where, "value", f"shape {list(array.shape)}", f"shape {self.shape}"))
        if array.dtype != self.array.dtype:
            raise DtypeError(
                message(
                    where, "value", f"dtype {array.dtype}", f"dtype {self.array.dtype}", "Convert it with astype()."
                )
            )
        return array

    def astype(self, dtype: Any) -> Variable:
        """Return the values converted to another dtype; differentiable.

        Arguments:
            dtype: a NumPy dtype or its name, or a VarType.

        Raises:
            DtypeError: Paddle does not have the dtype.
        """
        return cast.call(self, in_dtype=int(self.dtype), out_dtype=int(to_vartype(dtype, "astype")))

    def take(self, result: Variable) -> None:
        """Take the values, LoD and tape entry of `result`, as for an `out` argument."""
        self.array, self.levels, self.node, self.stopped = result.array, result.levels, result.node, result.stopped

    @property
    def block(self) -> CallingBlock:
        """The block of imperative mode, whose operators run when they are appended."""
        return calling_block

    def detach(self) -> Variable:
        """Return a Variable with the same values that is not connected to the tape."""
        return Variable(self.array, lod=self.levels)

    def _copy_to(self, place: Place, blocking: bool = True) -> Variable:
        """Return a Variable with a copy of the values in the memory of a place; `blocking` is ignored, the copy is there."""
        where = resolve(place, "_copy_to")
        on_gpu = where.kind == "gpu"
        with on_device(where):
            array = array_module("gpu").array(self.array) if on_gpu else np.array(to_host(self.array))
        return Variable(array, persistable=self.persistable, lod=self.levels)

    # --- gradients ----------------------------------------------------------------------------------------------------

    def backward(self, backward_strategy: Any = None, retain_graph: bool = False) -> None:
        """Compute the gradients of this Variable with respect to the Variables that it was computed from.

        The gradient of each of its elements is 1. Gradients of an earlier pass are replaced; with
        `backward_strategy.accumulate_gradient` the new ones are added to them.

        Arguments:
            backward_strategy: a BackwardStrategy, or None.
            retain_graph: keep the recorded computation, so that it can be differentiated again.

        Raises:
            ArgumentTypeError: `backward_strategy` is neither a BackwardStrategy nor None.
            GraphError: an earlier backward() freed part of the recorded computation.
        """
        require_imperative("backward")
        if backward_strategy is not None and not hasattr(backward_strategy, "sort_sum_gradient"):
            got, fix = describe(backward_strategy), "Write backward(retain_graph=True) to keep what was recorded."
            raise ArgumentTypeError(message("backward", "backward_strategy", got, "a BackwardStrategy or None", fix))
        node = self.node if type(self.node) is not Port else self.node.node
        if node is None:
            return
        if node.edges is None:
            warnings.warn(f"{self.name}.backward(): {FREED_AGAIN}", UserWarning, stacklevel=user_level())
            return
        Passes.begin()
        seed = array_module_of(self.array).ones(self.array.shape, self.array.dtype)
        accumulate = getattr(backward_strategy, "accumulate_gradient", False)
        for leaf, (gradient, owned) in run([self], [seed], retain_graph=retain_graph).items():
            before = _plain(leaf.raw_gradient()) if accumulate else None
            leaf._grad = gradient if before is None else add(gradient, before, owned)

    def _run_backward(self, backward_strategy: Any, tracer: Any, retain_graph: bool = False) -> None:
        """Call `backward`; the tracer is accepted for Fluid code."""
        self.backward(backward_strategy, retain_graph)

    def raw_gradient(self) -> Any:
        """Return the stored gradient: an array or SelectedRows, a Variable of these once `_grad_ivar` has given it out.

        It is zeros after clear_gradient, and None if there was none.
        """
        node = self.node
        if node is None:
            kept = getattr(self, "_grad", None)
            return array_module_of(self.array).zeros(self.array.shape, self.array.dtype) if kept is CLEARED else kept
        slot, node = (0, node) if type(node) is Node else (node.slot, node.node)
        return None if node.grads is None else node.grads[slot]

    def gradient(self) -> Any:
        """Return the gradient as a NumPy array: None if no backward pass has reached the Variable.

        After `paddle.enable_imperative()`, with which programs of 2.0-alpha begin, it is zeros if there has been a pass.
        A sparse gradient (of an embedding with is_sparse) is a tuple of values [n, ...] and rows int64 [n].
        """
        raw = None if self.stopped else _plain(self.raw_gradient())
        if isinstance(raw, SelectedRows):
            return np.array(to_host(raw.values)), np.array(to_host(raw.rows))
        if raw is not None:
            return np.array(to_host(raw))
        node = self.node
        if type(node) is Port and node.node.grads is not None:  # a pass has reached another result of its operator
            return np.zeros(self.array.shape, self.array.dtype)
        if not state.mode.zero_gradients:
            return None
        latest = Passes.latest.get()
        born = getattr(self, "_born", latest) if node is None else target(node).order
        return np.zeros(self.array.shape, self.array.dtype) if latest > born else None

    @property
    def grad(self) -> Variable | None:
        """The gradient as a Variable that is not connected to the tape, None if there is none; `gradient()` is an ndarray.

        Setting it to None removes it. A sparse gradient reads as a dense one.
        """
        raw = None if self.stopped else _plain(self.raw_gradient())
        if isinstance(raw, SelectedRows):
            rows = raw.merged(array_module_of(self.array))
            raw = array_module_of(self.array).zeros(self.array.shape, self.array.dtype)
            raw[rows.rows] = rows.values
        return None if raw is None else Variable(raw, name=f"{self.name}@GRAD")

    @grad.setter
    def grad(self, value: None) -> None:
        if value is not None:
            fix = "Gradients are computed by backward(); clip or change them with the optimizer's grad_clip."
            raise ArgumentTypeError(message("Variable.grad", "value", describe(value), "None, which removes it", fix))
        if self.node is None:
            self._grad = None

    @property
    def gradient_state(self) -> str:
        """ "initialised" if the Variable has a gradient, else "not initialised"."""
        return "not initialised" if self.stopped or self.raw_gradient() is None else "initialised"

    def _grad_ivar(self) -> Variable | None:
        """Return the gradient as a Variable, which holds SelectedRows if it is sparse; None if there is none.

        That of a leaf is the stored one: its `set_value` changes what the optimizer reads.
        """
        raw = self.raw_gradient()
        if raw is None or isinstance(raw, Variable):
            return raw
        gradient = Variable(raw, stop_gradient=False, name=f"{self.name}@GRAD")
        if self.node is None:
            self._grad = gradient
        return gradient

    def _grad_name(self) -> str:
        return f"{self.name}@GRAD"

    def _grad_value(self) -> LoDTensor:
        """Return the gradient as a tensor, a sparse one as a dense one.

        Raises:
            GraphError: the Variable has no gradient.
        """
        gradient = self.grad
        if gradient is None:
            needs = "a gradient. Call backward() of what is computed from it first"
            raise GraphError(message("_grad_value", self.name, "no gradient", needs))
        tensor = LoDTensor()
        tensor.set(gradient.numpy(), CPUPlace())
        return tensor

    def clear_gradient(self) -> None:
        """Set the gradient to zeros. A missing gradient stays missing, and a sparse one is removed."""
        node = self.node
        if node is None:
            kept = _plain(getattr(self, "_grad", None))
            self._grad = None if kept is None or isinstance(kept, SelectedRows) else CLEARED
        elif type(node) is Node:
            kept = self.raw_gradient()
            zeros = array_module_of(self.array).zeros
            sparse = kept is None or isinstance(kept, SelectedRows)
            node.grads = None if sparse else [zeros(self.array.shape, self.array.dtype)]
        elif node.node.grads is not None:
            node.node.grads[node.slot] = None

    # --- names of Fluid 1.3 to 1.6, in which a Variable held another one, `_ivar`

    _numpy, _gradient, _backward, _clear_gradient = numpy, gradient, backward, clear_gradient
    _stop_gradient = stop_gradient

    @property
    def _ivar(self) -> Variable:
        return self


name_elsewhere(Variable, OF_VARIABLES, never_set=("requires_grad",))


def _plain(gradient: Any) -> Any:
    """Return a stored gradient without the Variable around it."""
    return gradient.array if isinstance(gradient, Variable) else gradient


CLEARED = object()  # a gradient of zeros whose array is not made yet
FREED_AGAIN = (
    "what was recorded for it was freed by an earlier backward(), so nothing is computed. Keep it with "
    "backward(retain_graph=True), or run the forward computation again."
)
