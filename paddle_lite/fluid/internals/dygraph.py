"""What `fluid.framework` and `fluid.dygraph_utils` offer to code that works in imperative mode below its public API."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

import numpy as np

from ...core import mode
from ...core.errors import ModeError
from ...core.mode import ByMode, change, changed, require_imperative, require_program, state
from ...core.place import cpu_places, cuda_places
from ...imperative.base import disable_imperative, enable_dygraph, enabled, guard
from ...imperative.variable import Variable
from ...layers.support.activation_by_name import activate
from ...ops.math import elementwise

__all__ = ["Tracer"]


class Tracer:
    """The tracer of imperative mode, which `_dygraph_tracer()` returns: it calls operators by their type.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([-1., 2.], 'float32'))
    ...     out = fluid.framework._varbase_creator(dtype='float32')
    ...     fluid.framework._dygraph_tracer().trace_op('relu', {'X': [x]}, {'Out': [out]}, {})
    ...     out.numpy()
    array([0., 2.], dtype=float32)
    """

    def trace_op(
        self,
        type: str,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any],
        attrs: Mapping[str, Any],
        stop_gradient: bool = False,
    ) -> None:
        """Call an operator; the Variables in `outputs` hold the results afterwards.

        Arguments:
            type: the type of the operator.
            inputs, outputs: slot -> a Variable or a list of them.
            attrs: attributes; omitted ones have their defaults.
            stop_gradient: whether gradients stop at the results.

        Raises:
            ModeError: imperative mode is off.
        """
        require_imperative("Tracer.trace_op")
        state.mode.append_op(type, inputs, outputs, attrs, stop_gradient)

    def train_mode(self) -> None:
        """Let operators record gradients, and functions without a Layer, such as `layers.dropout`, train."""
        self._train_mode = True

    def eval_mode(self) -> None:
        """Let operators record no gradients, and functions without a Layer, such as `layers.dropout`, infer."""
        self._train_mode = False

    @property
    def _train_mode(self) -> bool:
        return state.training and state.grad_enabled

    @_train_mode.setter
    def _train_mode(self, on: bool) -> None:
        change(grad_enabled=bool(on), training=bool(on), told=True)

    @property
    def _expected_place(self) -> Any:
        return state.place


_tracer = Tracer()
_dygraph_tracer = ByMode(imperative=lambda: _tracer, static=lambda: None)


@contextmanager
def _dygraph_guard(tracer: Tracer | None) -> Iterator[None]:
    """Turn imperative mode on inside of a `with` block, or off where `tracer` is None.

    Arguments:
        tracer: what `_dygraph_tracer()` returned, or None.

    Returns:
        A context manager.
    """
    context: AbstractContextManager = nullcontext()
    if tracer is None:
        context = mode.switched(next(iter(mode.loaders.values()))(), state.place, state.xp)
    elif _dygraph_tracer() is None:
        context = guard()
    with context:
        yield


@contextmanager
def _switch_tracer_mode_guard_(is_train: bool = True) -> Iterator[None]:
    """Record gradients inside of a `with` block or a function, or none; outside of imperative mode do nothing.

    Functions without a Layer, such as `layers.dropout`, train where gradients are recorded and infer where not.

    Arguments:
        is_train: whether gradients are recorded, also inside of `no_grad`.

    Returns:
        A context manager.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     x.stop_gradient = False
    ...     with fluid.dygraph.base._switch_tracer_mode_guard_(is_train=False):
    ...         print((x * 2).stop_gradient)
    True
    """
    if _dygraph_tracer() is None:
        yield
        return
    with changed(grad_enabled=bool(is_train), training=bool(is_train), told=True):
        yield


@contextmanager
def param_guard(parameters: Any) -> Iterator[None]:
    """Do nothing: parameters are known to functions that are being translated without a guard.

    Arguments:
        parameters: a Layer's dict of them.

    Returns:
        A context manager.
    """
    yield


@contextmanager
def program_desc_tracing_guard(enable: bool) -> Iterator[None]:
    """Do nothing: TracedLayer, which 1.8.5 switches on so, records without a switch.

    Arguments:
        enable: accepted for Fluid code.

    Returns:
        A context manager.
    """
    yield


def _dygraph_only_(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function that raises ModeError outside of imperative mode.

    Arguments:
        func: the function.

    Returns:
        A function with its arguments and results.
    """

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        require_imperative(func.__name__)
        return func(*args, **kwargs)

    return checked


def _dygraph_not_support_(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function that raises ModeError in imperative mode."""

    @functools.wraps(func)
    def checked(*args: Any, **kwargs: Any) -> Any:
        require_program(f"{func.__name__}: is not available in imperative mode. Call it outside of dygraph.guard().")
        return func(*args, **kwargs)

    return checked


def _fake_interface_only_(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a method of static Variables that only imperative ones have: a call raises a ModeError."""

    @functools.wraps(func)
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise ModeError(
            f"{func.__name__}: imperative Variables have it, those of a Program do not. Work inside of "
            "`with fluid.dygraph.guard():`."
        )

    return refused


def _cpu_num() -> int:
    """Return the number of CPU places, from the environment variable CPU_NUM; 1 by default."""
    return len(cpu_places())


def _cuda_ids() -> list[int]:
    """Return the numbers of the GPUs, from FLAGS_selected_gpus; all by default."""
    return [place.index for place in cuda_places()]


def _varbase_creator(
    type: Any = None, name: str | None = None, shape: Any = None, dtype: Any = None, persistable: bool | None = None
) -> Variable:
    """Return a Variable without a value, which an operator fills.

    Arguments:
        type: the VarType; only LOD_TENSOR is there.
        name: its name; generated where it is None.
        shape, dtype: of its value, until an operator writes one.
        persistable: whether it is kept between runs.

    Raises:
        ModeError: imperative mode is off.
    """
    require_imperative("_varbase_creator")
    return state.mode.empty_variable(name, shape=shape or [], dtype=dtype or "float32", persistable=bool(persistable))


def _var_base_to_np(var_base: Variable) -> np.ndarray:
    """Return the values of a Variable as a NumPy array."""
    return var_base.numpy()


def _append_activation_in_dygraph(
    input: Variable, act: str | None = None, use_cudnn: bool | None = None, use_mkldnn: bool | None = None
) -> Variable:
    """Return the activation of a Variable.

    Arguments:
        input: the Variable.
        act: the type of the activation, such as 'relu'; None returns `input` itself.
        use_cudnn, use_mkldnn: accepted for Fluid code, ignored.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([-1., 2.], 'float32'))
    ...     fluid.dygraph_utils._append_activation_in_dygraph(x, 'relu').numpy()
    array([0., 2.], dtype=float32)
    """
    require_imperative("_append_activation_in_dygraph")
    return activate(input, act)


def _append_bias_in_dygraph(input: Variable, bias: Variable | None = None, axis: int = 1) -> Variable:
    """Return a Variable plus a bias.

    Arguments:
        input: the Variable.
        bias: what is added; None returns `input` itself.
        axis: the dimension of `input` at which those of `bias` start.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x, b = (fluid.dygraph.to_variable(np.full(n, n, 'float32')) for n in (3, 1))
    ...     fluid.dygraph_utils._append_bias_in_dygraph(x, b, axis=-1).numpy()
    array([4., 4., 4.], dtype=float32)
    """
    require_imperative("_append_bias_in_dygraph")
    return input if bias is None else elementwise.elementwise_add(input, bias, axis=axis)


expected_place = ByMode(imperative=lambda: state.place, static=lambda: None)
"""Return the place of imperative mode, None where it is off."""


def switch_to_static_graph(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function that runs outside of imperative mode, also where it is called inside."""

    @functools.wraps(func)
    def switched(*args: Any, **kwargs: Any) -> Any:
        with _dygraph_guard(None):
            return func(*args, **kwargs)

    return switched


class _Functional:
    """Imperative mode as `enable_dygraph` has turned it on: the context manager that 1.8.5 keeps for `disable_dygraph`."""

    def __enter__(self) -> None:
        """Turn imperative mode on where it is off."""
        if not enabled():
            enable_dygraph()

    def __exit__(self, *error: object) -> None:
        """Turn it off, as `disable_dygraph` does."""
        disable_imperative()


_functional = _Functional()


def functional_context() -> _Functional | None:
    """Return the imperative mode that `enable_dygraph` has turned on, or None where it has not.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.enable_dygraph()
    >>> with fluid.dygraph.base._functional_dygraph_context_manager:
    ...     fluid.in_dygraph_mode()
    True
    >>> fluid.in_dygraph_mode(), fluid.dygraph.base._functional_dygraph_context_manager
    (False, None)
    """
    return None if mode.now().entered.left is None else _functional
