"""Entering and leaving imperative mode, the device of calls that name none, switching gradients off, and making Variables."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import ContextDecorator, contextmanager, suppress
from typing import Any, overload

import numpy as np

from ..core import mode, seeds, unique_name
from ..core.dtype import NATIVE, get_default_dtype, to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, DeviceError, ShapeError, describe, message
from ..core.lod import from_offsets
from ..core.mode import change, changed, in_imperative_mode, require_imperative, state
from ..core.place import CPUPlace, CUDAPlace, Default, Place, is_compiled_with_cuda, resolve
from ..core.tensor import LoDTensor
from ..core.typing import Variable as VariableType
from ..kernels.devices import on_device, use_device
from ..kernels.registry import array_module
from ..ops.framework.complex_variable import DTYPES, ComplexVariable
from .arrays import at_place
from .checking import checking
from .gpu import GpuMode
from .mode import ImperativeMode
from .timing import timed
from .variable import Variable


def _mode_for(place: Any, where: str, zero_gradients: bool = False) -> tuple[ImperativeMode, Place, Any]:
    """Return the mode, the place and the array module that belong to an argument `place`."""
    place = resolve(place, where)
    if place.kind == "cpu":
        return timed(checking(ImperativeMode(zero_gradients))), place, np
    return timed(checking(GpuMode(zero_gradients))), place, array_module("gpu")


def enable_imperative(place: Any = None) -> None:
    """Turn imperative mode on for the rest of the process, in all threads: operators run when they are called.

    As 2.0-alpha documents it, `gradient()` of a Variable that a backward pass has not reached is zeros from here on.
    Inside of a `guard`, it is on until the end of that.
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
    """Turn imperative mode on for the rest of the process, in all threads: operators run when they are called.

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
    use_device(entered[1])
    if mode.enter(*entered, unique_name.switch):
        change(grad_enabled=True, training=True, told=True)


def disable_imperative() -> None:
    """Turn off the imperative mode that `enable_imperative` or `enable_dygraph` turned on; do nothing if it is off."""
    names = mode.leave()
    if names is not None:
        unique_name.switch(names)


@contextmanager
def guard(place: Any = None) -> Iterator[None]:
    """Turn imperative mode on inside of a `with` block, in this thread; generated names count from 0 in it.

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
    entered = _mode_for(place, "guard")
    with on_device(entered[1]), mode.switched(*entered), unique_name.guard(), seeds.reset_seeds():
        yield


@contextmanager
def place_guard(place: Any) -> Iterator[None]:
    """Let imperative mode work on another place inside of a `with` block; outside of that mode do nothing.

    Arguments:
        place: CPUPlace() or CUDAPlace(i).

    Returns:
        A context manager.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard(), fluid.framework._dygraph_place_guard(fluid.CPUPlace()):
    ...     fluid.framework._current_expected_place()
    CPUPlace
    """
    entered = _mode_for(place, "_dygraph_place_guard")
    if not enabled():
        yield
        return
    with on_device(entered[1]), changed(entered=mode.Entered(*entered)):
        yield


def enabled() -> bool:
    """Return whether imperative mode is on."""
    return in_imperative_mode()


def set_device(device: Any) -> Place:
    """Set the device of all calls that name none: `Executor()`, `fluid.dygraph.guard()`, `enable_imperative()`.

    Imperative mode, where it is on, goes on there; Variables that were made before are copied when an operator takes them.

    Arguments:
        device: "cpu", "gpu", "gpu:1" for the GPU with number 1, or a Place. Without a usable GPU "gpu" means the CPU, as
            `hapi.set_device` has it; "gpu:1" does not.

    Returns:
        The Place.

    Raises:
        ArgumentValueError: it is something else.
        DeviceError: there is no such GPU.

    >>> import paddle_lite as paddle
    >>> paddle.set_device('cpu')
    CPUPlace
    >>> paddle.get_device()
    'cpu'
    """
    place = _place_of(device)
    resolve(place, "set_device")
    Default.place = place
    if in_imperative_mode():
        enable_dygraph(place)
    return place


def get_device() -> str:
    """Return the device of calls that name none, or that of imperative mode where it is on: "cpu", "gpu:0", ...

    >>> import paddle_lite as paddle
    >>> paddle.get_device()
    'cpu'
    """
    place = state.place if in_imperative_mode() else resolve(None, "get_device")
    return f"gpu:{place.index}" if place.kind == "gpu" else "cpu"


def _place_of(device: Any) -> Place:
    if isinstance(device, Place):
        return device
    name, _, number = device.lower().partition(":") if isinstance(device, str) else ("", "", "")
    if name == "cpu" and not number:
        return CPUPlace()
    if name != "gpu" or not (number or "0").isdecimal():
        raise ArgumentValueError(
            message("set_device", "device", describe(device), "'cpu', 'gpu', 'gpu:1', ... or a Place")
        )
    return CUDAPlace(int(number or 0)) if number or is_compiled_with_cuda() else CPUPlace()


class no_grad(ContextDecorator):
    """Record no gradients inside of a block or function: `with no_grad():`, `@no_grad` or `@no_grad()`.

    Other threads, and other tasks of asyncio, record theirs meanwhile. Functions without a Layer, such as
    `layers.dropout`, infer there, as in PaddlePaddle 1.8.5.

    >>> import paddle_lite as paddle
    >>> with paddle.imperative.no_grad():
    ...     pass
    """

    def __new__(cls, function: Callable | None = None) -> Any:
        if function is None:
            return super().__new__(cls)
        if not callable(function):
            raise ArgumentTypeError(
                message("no_grad", "function", describe(function), "a function to decorate, or nothing")
            )

        @functools.wraps(function)
        def without(*args: Any, **kwargs: Any) -> Any:
            with cls():
                return function(*args, **kwargs)

        with suppress(ValueError):  # a function of C may have none
            without.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        return without

    def __init__(self, function: Callable | None = None) -> None:
        self._open: list[changed] = []  # one object may be entered twice, and in several threads

    def _recreate_cm(self) -> no_grad:
        return type(self)()

    def __enter__(self) -> no_grad:
        block = changed(grad_enabled=False, training=False)
        block.__enter__()
        self._open.append(block)
        return self

    def __exit__(self, *exception: Any) -> None:
        for block in reversed(self._open):
            if block.end():  # the latest one of this context
                self._open.remove(block)
                return


def _array_of(value: Any) -> np.ndarray:
    """Return a number or nested list of numbers as an array."""
    if isinstance(value, (list, tuple)) and any(isinstance(each, Variable) for each in value):
        fix = "Join them with a gradient: fluid.layers.stack(list) or fluid.layers.concat(list)."
        raise ArgumentTypeError(message("to_variable", "value", "a list of Variables", "numbers or an ndarray", fix))
    try:
        array = np.array([value] if not isinstance(value, (list, tuple)) else value)
    except ValueError:
        fix = "For rows of different lengths make a LoDTensor: fluid.create_lod_tensor(rows, lengths, place)."
        raise ShapeError(message("to_variable", "value", describe(value), "lists of equal lengths", fix)) from None
    if array.dtype.kind not in "biuf":
        raise ArgumentTypeError(message("to_variable", "value", describe(value), "an ndarray, a Variable, or numbers"))
    return array.astype(get_default_dtype()) if array.dtype == np.float64 and not _holds_arrays(value) else array


def _holds_arrays(value: Any) -> bool:
    """Return whether a value has a dtype of its own, or is a list whose first element has one."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    return hasattr(value, "dtype")


@overload
def to_variable(value: ComplexVariable, name: str | None = ..., zero_copy: bool | None = ...) -> ComplexVariable: ...


@overload
def to_variable(value: Any, name: str | None = ..., zero_copy: bool | None = ...) -> VariableType: ...


def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None) -> Any:
    """Return a Variable with the values of an array. It gets no gradient unless `stop_gradient` is set to False.

    Arguments:
        value: an ndarray of any shape, or an array of another library that supports DLPack (PyTorch, CuPy, JAX
            ...); a LoDTensor, whose LoD the Variable gets; a Variable, which is returned itself. A complex array
            becomes two Variables, the parts of a ComplexVariable, named NAME.real and NAME.imag. A number becomes a
            Variable [1], a nested list of numbers one of its shape: floats of the default dtype, integers as int64.
        name: the name of the Variable; generated when it is None.
        zero_copy: False copies the array. By default a contiguous array on the CPU shares its memory with the Variable.

    Returns:
        A Variable or a ComplexVariable.

    Raises:
        ArgumentTypeError: `value` is neither an array nor a number nor a list of numbers.
        ShapeError: the lists in a list are of different lengths.
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
    if type(value) is np.ndarray and value.dtype in NATIVE:  # asked first: the classes below take longer to tell
        return Variable(
            at_place(value, zero_copy), name=unique_name.generate("generated_var") if name is None else name
        )
    if isinstance(value, (Variable, ComplexVariable)):
        return value
    if isinstance(value, np.ndarray) and value.dtype.kind == "c" and value.dtype.name in DTYPES.values():
        prefix = unique_name.generate("generated_var") if name is None else name
        return ComplexVariable(*(to_variable(getattr(value, part), f"{prefix}.{part}") for part in ("real", "imag")))
    lod = None
    if isinstance(value, (list, tuple, bool, int, float, np.generic)):
        value = _array_of(value)
    elif isinstance(value, LoDTensor):
        value, lod = value._numbers("to_variable"), from_offsets(value.levels or (), value._rows(), "to_variable")
    array = at_place(value, zero_copy)
    return Variable(array, lod=lod, name=unique_name.generate("generated_var") if name is None else name)


def to_tensor(data: Any, dtype: Any = None, place: Any = None, stop_gradient: bool = True) -> Any:
    """Return a Variable with the values of an array, a number or nested lists of numbers, as PyTorch and Paddle 2 name it.

    Arguments:
        data: what `to_variable` takes; a Variable is copied.
        dtype: the dtype of the result; None keeps that of an array, and takes the default dtype for Python's floats.
        place: CPUPlace() or CUDAPlace(i), the place of imperative mode; None means that one.
        stop_gradient: whether no gradient is computed for it.

    Returns:
        A Variable, which shares no memory with `data`; a ComplexVariable of complex data.

    Raises:
        ArgumentTypeError, ShapeError, DtypeError: as `to_variable`, or `place` is not a place.
        DeviceError: `place` is not the place of imperative mode.
        ModeError: imperative mode is off.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.to_tensor([[1, 2], [3, 4]], dtype='float32').tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    require_imperative("to_tensor")
    if place is not None and resolve(place, "to_tensor").kind != state.place.kind:
        fix = "Say where imperative mode runs: paddle.enable_imperative(place) or fluid.dygraph.guard(place)."
        raise DeviceError(message("to_tensor", "place", place, f"{state.place}, that of imperative mode", fix))
    made = to_variable(data.array if isinstance(data, Variable) else data, zero_copy=False)
    if isinstance(made, ComplexVariable):
        return made
    if dtype is not None:
        made.array = made.array.astype(to_numpy(dtype, "to_tensor"), copy=False)
    made.stop_gradient = stop_gradient
    return made
