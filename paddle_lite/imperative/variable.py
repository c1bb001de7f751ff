"""Variable: an array with a gradient, the value that imperative code computes with."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..core import unique_name
from ..core.dtype import VarType, to_vartype
from ..core.errors import ArgumentTypeError, DtypeError, ShapeError, describe, message
from ..core.lod import LoD, lengths, offsets
from ..core.mode import require_imperative, state
from ..core.selected_rows import SelectedRows
from ..ops.math.arithmetic import cast
from .arrays import array_module_of, to_host
from .backward import Passes, add, run, target
from .conversion import Conversions
from .python_operators import PythonOperators
from .repr import Representation
from .tape import Node, Port
from .tensor_access import TensorAccess


class Variable(PythonOperators, Conversions, Representation):
    """An array together with its place on the tape. `to_variable(array)` makes one; operators return them.

    `array` holds the values (a NumPy array, or a CuPy array on a GPU), `lod` the grouping of its rows or None.

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
        array: Any,
        *,
        stop_gradient: bool = True,
        name: str | None = None,
        lod: LoD | None = None,
        persistable: bool = False,
    ) -> None:
        self.array = array
        self.levels = lod
        self.node = None
        self.stopped = stop_gradient
        self._persistable = persistable
        self._born = Passes.count
        if name is not None:
            self._name = name

    # --- what it is -----------------------------------------------------------------------------------------------

    @property
    def shape(self) -> list[int]:
        """The size of each dimension, a fresh list."""
        return list(self.array.shape)

    @property
    def dtype(self) -> VarType:
        """The data type, as Paddle's code; it also equals its NumPy name."""
        return to_vartype(self.array.dtype)

    @property
    def type(self) -> VarType:
        return VarType.LOD_TENSOR

    @property
    def name(self) -> str:
        """The name, unique within a guard; that of an operator's result is made when it is first asked for."""
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
        """Whether it is kept between runs, as parameters are."""
        try:
            return self._persistable
        except AttributeError:
            return False

    @persistable.setter
    def persistable(self, value: bool) -> None:
        self._persistable = value

    @property
    def stop_gradient(self) -> bool:
        """Whether gradients end here. True for data; an operator's result has it if all of its inputs do."""
        return self.stopped

    @stop_gradient.setter
    def stop_gradient(self, value: bool) -> None:
        self.stopped = bool(value)
        node = self.node
        if type(node) is Port and len(node.node.metas) == 1:  # no other output has a gradient
            node = node.node
        if type(node) is Node:
            node.cut(self.stopped)

    def lod(self) -> list[list[int]]:
        """The LoD as offsets, one list a level; [] without one."""
        return offsets(self.levels)

    def recursive_sequence_lengths(self) -> list[list[int]]:
        """The LoD as lengths, one list a level; [] without one."""
        return lengths(self.levels)

    # --- its values -----------------------------------------------------------------------------------------------

    def numpy(self) -> np.ndarray:
        """A copy of the values as a NumPy array."""
        if state.redirect is not None:
            state.mode.value_read("numpy()")
        host = to_host(self.array)
        return np.array(host) if host is self.array else host

    def value(self) -> TensorAccess:
        """Return access to the array, for Fluid code: `v.value().get_tensor().set(array, place)`."""
        return TensorAccess(self)

    def set_value(self, value: Any) -> None:
        """Replace the values; shape and dtype must stay as they are.

        Arguments:
            value: an ndarray or a Variable.

        Raises:
            ArgumentTypeError, ShapeError, DtypeError: it is no array, or does not fit.
        """
        array = self.fitting(value, f"set_value of {self.name}")
        if isinstance(self.array, np.ndarray):
            self.array = np.array(to_host(array), order="C")  # a new array: what the tape saved stays as it was
        else:
            self.array = state.xp.array(array)

    def fitting(self, value: Any, where: str) -> Any:
        """The array of `value`; raises unless it has the shape and dtype of this Variable."""
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
        """The values converted to another dtype; differentiable.

        Arguments:
            dtype: a NumPy dtype or its name, or a VarType.
        """
        return cast.call(self, in_dtype=int(self.dtype), out_dtype=int(to_vartype(dtype, "astype")))

    def take(self, result: Variable) -> None:
        """Become `result`: its values, LoD and place on the tape. What calls with an `out` argument do."""
        self.array, self.levels, self.node, self.stopped = result.array, result.levels, result.node, result.stopped

    def detach(self) -> Variable:
        """A Variable with the same values that is not connected to the computation so far."""
        return Variable(self.array, lod=self.levels)

    # --- gradients ------------------------------------------------------------------------------------------------

    def backward(self, backward_strategy: Any = None, retain_graph: bool = False) -> None:
        """Compute the gradient of this Variable with respect to all that it was computed from.

        The gradient of each of its elements is taken as 1. Gradients of an earlier pass are replaced, unless
        `backward_strategy.accumulate_gradient` asks to add to them.

        Arguments:
            backward_strategy: a BackwardStrategy, or None.
            retain_graph: keep what was recorded, so that it can be differentiated again.
        """
        require_imperative("backward")
        if backward_strategy is not None and not hasattr(backward_strategy, "sort_sum_gradient"):
            got, fix = describe(backward_strategy), "Write backward(retain_graph=True) to keep what was recorded."
            raise ArgumentTypeError(message("backward", "backward_strategy", got, "a BackwardStrategy or None", fix))
        node = self.node if type(self.node) is not Port else self.node.node
        if node is None:
            return
        if node.edges is None:
            warnings.warn(f"{self.name}.backward(): {FREED_AGAIN}", UserWarning, stacklevel=2)
            return
        Passes.begin()
        seed = array_module_of(self.array).ones(self.array.shape, self.array.dtype)
        accumulate = getattr(backward_strategy, "accumulate_gradient", False)
        for leaf, (gradient, owned) in run([self], [seed], retain_graph=retain_graph).items():
            before = leaf.raw_gradient() if accumulate else None
            leaf._grad = gradient if before is None else add(gradient, before, owned)

    def raw_gradient(self) -> Any:
        """The gradient as it is kept (an array or SelectedRows): zeros once cleared, None where none ever arrived."""
        node = self.node
        if node is None:
            kept = getattr(self, "_grad", None)
            return array_module_of(self.array).zeros(self.array.shape, self.array.dtype) if kept is CLEARED else kept
        slot, node = (0, node) if type(node) is Node else (node.slot, node.node)
        return None if node.grads is None else node.grads[slot]

    def gradient(self) -> Any:
        """The gradient as a NumPy array: None before any backward pass, zeros where a pass ran and nothing arrived.

        A sparse gradient (of an embedding with is_sparse) is a tuple: values [n, ...] and rows int64 [n].
        """
        raw = None if self.stopped else self.raw_gradient()
        if isinstance(raw, SelectedRows):
            return np.array(to_host(raw.values)), np.array(to_host(raw.rows))
        if raw is not None:
            return np.array(to_host(getattr(raw, "array", raw)))
        if self.node is None:
            passed = Passes.count > getattr(self, "_born", Passes.count)
        else:
            passed = Passes.latest > target(self.node).order
        return np.zeros(self.array.shape, self.array.dtype) if passed else None

    @property
    def gradient_state(self) -> str:
        """ "initialised" when the latest pass left a gradient here, else "not initialised"."""
        return "not initialised" if self.stopped or self.raw_gradient() is None else "initialised"

    def _grad_ivar(self) -> Variable | None:
        raw = self.raw_gradient()
        if raw is None or isinstance(raw, SelectedRows):
            return None
        return raw if isinstance(raw, Variable) else Variable(raw, stop_gradient=False, name=f"{self.name}@GRAD")

    def clear_gradient(self) -> None:
        """Set the gradient to zeros; a Variable that never had one stays without, a sparse one is forgotten."""
        node = self.node
        if node is None:
            kept = getattr(self, "_grad", None)
            self._grad = None if kept is None or isinstance(kept, SelectedRows) else CLEARED
        elif type(node) is Node:
            node.grads = None
        elif node.node.grads is not None:
            node.node.grads[node.slot] = None


CLEARED = object()  # stands for a gradient of zeros that nobody has asked for
FREED_AGAIN = (
    "what was recorded for it was freed by an earlier backward(), so nothing is computed. Keep it with "
    "backward(retain_graph=True), or run the forward computation again."
)
