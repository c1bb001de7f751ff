"""Entering and leaving imperative mode, switching gradients off, and making Variables."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager, suppress
from typing import Any, overload

import numpy as np

from ..core import mode, seeds, unique_name
from ..core.lod import from_offsets
from ..core.mode import in_imperative_mode, require_imperative, state
from ..core.place import Place, resolve
from ..core.tensor import LoDTensor
from ..kernels.registry import array_module
from ..ops.framework.complex_variable import DTYPES, ComplexVariable
from .arrays import at_place
from .checking import checking
from .gpu import GpuMode
from .mode import ImperativeMode
from .timing import timed
from .variable import Variable

_left: tuple | None = None  # the mode and the names to restore in `disable_imperative`


def _mode_for(place: Any, where: str, zero_gradients: bool = False) -> tuple[ImperativeMode, Place, Any]:
    """Return the mode, the place and the array module that belong to an argument `place`."""
    place = resolve(place, where)
    if place.kind == "cpu":
        return timed(checking(ImperativeMode(zero_gradients))), place, np
    return timed(checking(GpuMode(zero_gradients))), place, array_module("gpu")


def enable_imperative(place: Any = None) -> None:
    """Turn imperative mode on for the rest of the process: operators run when they are called.

    As 2.0-alpha documents it, `gradient()` of a Variable that a backward pass has not reached is zeros from here on.
    Programs of Fluid call `fluid.enable_dygraph()`, and get None.

    Arguments:
        place: CPUPlace() (the default) or CUDAPlace(i).

    Raises:
        ArgumentTypeError: `place` is not a place.
        DeviceError: `place` is a GPU, and CuPy is not installed.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.in_imperative_mode()
    True
    """
    _enable(_mode_for(place, "enable_imperative", zero_gradients=True))


def enable_dygraph(place: Any = None) -> None:
    """Turn imperative mode on for the rest of the process: operators run when they are called.

    Arguments:
        place: CPUPlace() (the default) or CUDAPlace(i).

    Raises:
        ArgumentTypeError: `place` is not a place.
        DeviceError: `place` is a GPU, and CuPy is not installed.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.enable_dygraph()
    >>> fluid.in_dygraph_mode()
    True
    """
    _enable(_mode_for(place, "enable_dygraph"))


def _enable(entered: tuple[ImperativeMode, Place, Any]) -> None:
    global _left
    before = state.enter(*entered)
    if _left is None:
        _left = (before, unique_name.switch())


def disable_imperative() -> None:
    """Turn off the imperative mode that `enable_imperative` or `enable_dygraph` turned on; do nothing if it is off."""
    global _left
    if _left is not None:
        before, names = _left
        state.leave(before)
        unique_name.switch(names)
        _left = None


@contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """Turn imperative mode on inside of a `with` block; generated names count from 0 in it.

    Arguments:
        place: CPUPlace() (the default) or CUDAPlace(i).

    Returns:
        A context manager.

    Raises:
        ArgumentTypeError: `place` is not a place.
        DeviceError: `place` is a GPU, and CuPy is not installed.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 2], 'float32'))
    """
    with mode.switched(*_mode_for(place, "guard")), unique_name.guard(), seeds.reset_seeds():
        yield


def enabled() -> bool:
    """Return whether imperative mode is on."""
    return in_imperative_mode()


class no_grad(ContextDecorator):
    """Record no gradients inside of a block or function: `with no_grad():`, `@no_grad` or `@no_grad()`.

    Functions without a Layer, such as `layers.dropout`, infer there, as in PaddlePaddle 1.8.5.

    >>> import paddle_lite as paddle
    >>> with paddle.imperative.no_grad():
    ...     pass
    """

    def __new__(cls, function: Callable | None = None) -> Any:
        if function is None:
            return super().__new__(cls)

        @functools.wraps(function)
        def without(*args: Any, **kwargs: Any) -> Any:
            with cls():
                return function(*args, **kwargs)

        with suppress(ValueError):  # a function of C may have none
            without.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        return without

    def _recreate_cm(self) -> no_grad:
        return type(self)()

    def __enter__(self) -> no_grad:
        before = (state.grad_enabled, state.training)
        self._before = [*getattr(self, "_before", ()), before]  # one object may be entered twice
        state.grad_enabled = state.training = False
        return self

    def __exit__(self, *exception: Any) -> None:
        state.grad_enabled, state.training = self._before.pop()


@overload
def to_variable(
    value: np.ndarray[Any, np.dtype[np.complexfloating[Any]]] | ComplexVariable,
    name: str | None = ...,
    zero_copy: bool | None = ...,
) -> ComplexVariable: ...


@overload
def to_variable(value: Any, name: str | None = ..., zero_copy: bool | None = ...) -> Variable: ...


def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None) -> Any:
    """Return a Variable with the values of an array. It gets no gradient unless `stop_gradient` is set to False.

    Arguments:
        value: an ndarray of any shape, or an array of another library that supports DLPack (PyTorch, CuPy, JAX
            ...); a LoDTensor, whose LoD the Variable gets; a Variable, which is returned itself. A complex array
            becomes two Variables, the parts of a ComplexVariable, named NAME.real and NAME.imag.
        name: the name of the Variable; generated when it is None.
        zero_copy: False copies the array. By default a contiguous array on the CPU shares its memory with the Variable.

    Returns:
        A Variable or a ComplexVariable.

    Raises:
        ArgumentTypeError: `value` is a list, a number or another object that is not an array.
        LoDError: the LoD of a LoDTensor does not cover its rows.
        DtypeError: Paddle does not have the dtype of the array, e.g. objects or texts.
        ModeError: imperative mode is off.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.imperative.to_variable(np.zeros([2, 3], 'float32')).shape
    [2, 3]
    >>> import paddle_lite.fluid as fluid
    >>> ragged = fluid.create_lod_tensor([[1, 2], [3]], [[2, 1]], fluid.CPUPlace())
    >>> paddle.imperative.to_variable(ragged).lod()
    [[0, 2, 3]]
    """
    require_imperative("to_variable")
    if isinstance(value, (Variable, ComplexVariable)):
        return value
    if isinstance(value, np.ndarray) and value.dtype.name in DTYPES.values():
        prefix = unique_name.generate("generated_var") if name is None else name
        return ComplexVariable(*(to_variable(getattr(value, part), f"{prefix}.{part}") for part in ("real", "imag")))
    lod = None
    if isinstance(value, LoDTensor):
        value, lod = value._numbers("to_variable"), from_offsets(value.levels or (), value._rows(), "to_variable")
    array = at_place(value, zero_copy)
    return Variable(array, lod=lod, name=unique_name.generate("generated_var") if name is None else name)
