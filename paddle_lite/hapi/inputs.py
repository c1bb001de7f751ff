"""The inputs and labels of a Model, and the device that it runs on."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentValueError, describe, message
from ..core.place import CPUPlace, CUDAPlace, Place, is_compiled_with_cuda
from ..distributed.environment import ParallelEnv
from ..imperative.layer import Layer
from ..static.program.data import data

__all__ = ["Input", "set_device"]


def set_device(device: str) -> Place:
    """Return the place of a device: CPUPlace() or the CUDAPlace of this process.

    Arguments:
        device: "cpu" or "gpu". Without a usable GPU "gpu" gives CPUPlace(), too, as in PaddlePaddle.

    Returns:
        A Place.

    Raises:
        ArgumentValueError: it is something else.

    >>> import paddle_lite as paddle
    >>> paddle.hapi.set_device('cpu')
    CPUPlace
    """
    if not isinstance(device, str) or device.lower() not in ("cpu", "gpu"):
        raise ArgumentValueError(message("set_device", "device", describe(device), "'cpu' or 'gpu'"))
    if device.lower() == "gpu" and is_compiled_with_cuda():
        return CUDAPlace(ParallelEnv().dev_id)
    return CPUPlace()


class Input(Layer):
    """Describes an input or a label of a Model, which static mode needs.

    Arguments:
        shape: its shape with the batch, a list; None or -1 for sizes that vary.
        dtype: its dtype.
        name: its name in the Program.

    >>> import paddle_lite as paddle
    >>> image = paddle.hapi.Input([None, 784], 'float32', name='image')
    >>> image.shape, image.dtype, image.name
    ([None, 784], 'float32', 'image')
    """

    def __init__(self, shape: Any = None, dtype: Any = None, name: Any = None) -> None:
        super().__init__()
        self.shape = shape
        self.dtype = dtype
        self.name = name

    def forward(self) -> Any:
        """Return the data Variable of the default main Program, which a run must be fed."""
        return data(self.name, shape=self.shape, dtype=self.dtype)
