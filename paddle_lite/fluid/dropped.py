"""Names that Fluid had before 1.8: clips of imperative mode, files of state dicts, `init_on_cpu`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..imperative.layers.state import NAME_TABLE
from ..io.state import load_dygraph, save_dygraph
from ..params.clip import GradientClipByGlobalNorm, GradientClipByNorm, GradientClipByValue

__all__ = [
    "GradClipByGlobalNorm",
    "GradClipByNorm",
    "GradClipByValue",
    "force_init_on_cpu",
    "init_on_cpu",
    "load_persistables",
    "save_persistables",
]


class GradClipByValue(GradientClipByValue):
    """Limits each element of a gradient: `optimizer.minimize(loss, grad_clip=GradClipByValue(-1.0, 1.0))`.

    Arguments:
        min_value: the lower limit; -max_value where it is None.
        max_value: the upper limit.

    Raises:
        ArgumentTypeError: a limit is not a number.
        ArgumentValueError: the limits contradict each other.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph_grad_clip.GradClipByValue(-1.0, 1.0)
    GradientClipByValue(max=1.0, min=-1.0)
    """

    def __init__(self, min_value: float | None, max_value: float | None = None) -> None:
        super().__init__(max_value, min_value)  # type: ignore[arg-type]


class GradClipByNorm(GradientClipByNorm):
    """Scales each gradient whose norm is larger than `clip_norm` down to it.

    Arguments:
        clip_norm: the largest norm.

    Raises:
        ArgumentTypeError: `clip_norm` is not a number.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph_grad_clip.GradClipByNorm(5.0)
    GradientClipByNorm(clip_norm=5.0)
    """

    def __init__(self, clip_norm: float) -> None:
        super().__init__(clip_norm)


class GradClipByGlobalNorm(GradientClipByGlobalNorm):
    """Scales all gradients by one factor if their common norm is larger than `max_global_norm`.

    Arguments:
        max_global_norm: the largest norm.
        dtype: accepted for programs of that time, ignored.

    Raises:
        ArgumentTypeError: `max_global_norm` is not a number.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.dygraph_grad_clip.GradClipByGlobalNorm(5.0)
    GradientClipByGlobalNorm(clip_norm=5.0)
    """

    def __init__(self, max_global_norm: float, dtype: Any = "float32") -> None:
        super().__init__(max_global_norm)


@contextmanager
def init_on_cpu() -> Iterator[None]:
    """Run the block; variables in it were initialised on the CPU in Fluid, and are where the Executor runs here.

    Returns:
        A context manager.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()), fluid.initializer.init_on_cpu():
    ...     step = fluid.layers.create_global_var([1], 0.0, 'float32', persistable=True)
    """
    yield


def force_init_on_cpu() -> bool:
    """Return whether variables are initialised on the CPU whatever the place is: False."""
    return False


_STATE = "state"


def save_persistables(
    model_dict: dict[str, Any], dirname: str | os.PathLike[str] = "save_dir", optimizers: Any = None
) -> None:
    """Write the state dict of a Layer, and the states of optimizers, into a folder.

    Arguments:
        model_dict: what `Layer.state_dict()` returned.
        dirname: the folder.
        optimizers: an optimizer, or a list of them.

    Raises:
        ArgumentTypeError: `model_dict` is no dict.
        ModeError: outside of imperative mode.

    >>> import tempfile, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     layer, folder = fluid.dygraph.Linear(2, 3), tempfile.mkdtemp()
    ...     fluid.dygraph.save_persistables(layer.state_dict(), folder)
    ...     parameters, _ = fluid.dygraph.load_persistables(folder)
    ...     sorted(parameters)
    ['bias', 'weight']
    """
    if not isinstance(model_dict, dict):
        raise ArgumentTypeError(message("save_persistables", "model_dict", describe(model_dict), "a state dict"))
    path = os.path.join(os.fspath(dirname), _STATE)
    save_dygraph(model_dict, path)
    given: Sequence[Any] = optimizers if isinstance(optimizers, (list, tuple)) else [optimizers] if optimizers else []
    states = {key: value for optimizer in given for key, value in optimizer.state_dict().items()}
    if states:
        save_dygraph(states, path)


def load_persistables(dirname: str | os.PathLike[str] = "save_dir") -> tuple[dict[str, Any], dict[str, Any]]:
    """Read what `save_persistables` wrote.

    Arguments:
        dirname: the folder.

    Returns:
        (the state dict of the Layer, that of the optimizers); the second is empty where none was saved.

    Raises:
        ModeError: outside of imperative mode.
        MissingFileError: the folder holds no state dict.
    """
    parameters, states = load_dygraph(os.path.join(os.fspath(dirname), _STATE))
    return parameters, {key: value for key, value in (states or {}).items() if key != NAME_TABLE}
