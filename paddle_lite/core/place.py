"""Places: the devices that hold arrays and run operators."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
from functools import cache
from typing import Any

from .errors import ArgumentTypeError, ArgumentValueError, DeviceError, describe, message

INSTALL_CUPY = (
    "Install CuPy with `pip install paddle_lite[cuda12]` (or cuda13), use fluid.CPUPlace(), or let CUDAPlace mean the CPU "
    "with `python -m paddle_lite run --cpu SCRIPT` or PADDLE_LITE_CUDA_AS_CPU=1."
)
NO_DEVICE = (
    "`nvidia-smi` lists those of the machine, CUDA_VISIBLE_DEVICES those of a process. Use fluid.CPUPlace(), or let CUDAPlace mean the "
    "CPU with `python -m paddle_lite run --cpu SCRIPT` or PADDLE_LITE_CUDA_AS_CPU=1."
)


class Place:
    """A device. Two places are equal when they name the same device."""

    __slots__ = ("index",)
    kind = ""
    _number = -1  # of the kind, as programs of 1.8.5 compare it

    def __init__(self, index: int = 0) -> None:
        if isinstance(index, bool) or not isinstance(index, int) or index < 0:
            raise ArgumentTypeError(message(type(self).__name__, "id", repr(index), "a device number, 0 or more"))
        self.index = index

    def _type(self) -> int:
        """Return the number of the place's kind, the same for places of one kind."""
        return self._number

    def _equals(self, other: object) -> bool:
        """Return whether `other` names the same device."""
        return self == other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Place) and type(self) is type(other) and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.kind, self.index))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.index})"


class CPUPlace(Place):
    """The host's memory and processors."""

    __slots__ = ()
    kind = "cpu"
    _number = 1

    def __init__(self) -> None:
        super().__init__(0)

    def __repr__(self) -> str:
        return "CPUPlace"


class CUDAPlace(Place):
    """The NVIDIA GPU with number `index`; needs CuPy."""

    __slots__ = ()
    kind = "gpu"
    _number = 0


class CUDAPinnedPlace(Place):
    """Pinned host memory, which a GPU copies from quickly; the CPU computes on arrays in it."""

    __slots__ = ()
    kind = "cpu"
    _number = 2

    def __init__(self) -> None:
        super().__init__(0)

    def __repr__(self) -> str:
        return "CUDAPinnedPlace"


class AnyPlace:
    """A place that is set later, `fluid.core.Place`; `set_place` says which one it is.

    >>> import paddle_lite.fluid as fluid
    >>> place = fluid.core.Place()
    >>> place.set_place(fluid.CPUPlace())
    >>> place.is_cpu_place(), place.is_gpu_place()
    (True, False)
    """

    def __init__(self) -> None:
        self.place: Any = None

    def set_place(self, place: Any) -> None:
        """Set the place.

        Raises:
            ArgumentTypeError: `place` is no place.
        """
        if not isinstance(place, Place):
            raise ArgumentTypeError(message("Place.set_place", "place", describe(place), "CPUPlace() or CUDAPlace(i)"))
        self.place = place

    def _type(self) -> int:
        """Return the number of the place's kind, as `CPUPlace()._type()` does; -1 before it is set."""
        return -1 if self.place is None else int(self.place._type())

    def _equals(self, other: object) -> bool:
        """Return whether `other` names the same device."""
        return self.place is not None and self.place == getattr(other, "place", other)

    def is_cpu_place(self) -> bool:
        """Return whether it is the CPU."""
        return isinstance(self.place, CPUPlace)

    def is_gpu_place(self) -> bool:
        """Return whether it is a GPU."""
        return isinstance(self.place, CUDAPlace)

    def is_cuda_pinned_place(self) -> bool:
        """Return whether it is pinned memory."""
        return isinstance(self.place, CUDAPinnedPlace)

    def gpu_device_id(self) -> int:
        """Return the number of the GPU.

        Raises:
            ArgumentValueError: it is no GPU.
        """
        if not self.is_gpu_place():
            raise ArgumentValueError(message("Place.gpu_device_id", "the place", repr(self.place), "a GPU"))
        return int(self.place.index)


def cuda_means_cpu() -> bool:
    """Return whether the user asked to run CUDAPlace on the CPU (`run --cpu`, PADDLE_LITE_CUDA_AS_CPU=1)."""
    return os.environ.get("PADDLE_LITE_CUDA_AS_CPU", "") not in ("", "0")


def cpu_means_cuda() -> bool:
    """Return whether the user asked to run CPUPlace on the GPU (`run --gpu`, PADDLE_LITE_CPU_AS_CUDA=1)."""
    return os.environ.get("PADDLE_LITE_CPU_AS_CUDA", "") not in ("", "0")


class StandIn:
    """The devices of an array module that stands for CuPy (see `kernels.registry.use_gpu_module`)."""

    count = 0


def cupy_available() -> bool:
    """Return whether an array module for the GPU is available."""
    return StandIn.count > 0 or importlib.util.find_spec("cupy") is not None


@cache
def _devices_of_driver() -> int:
    """Return the number of GPUs that the NVIDIA driver gives this process; 0 without a driver."""
    try:
        driver = ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")
        found = ctypes.c_int(0)
        failed = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(found))
    except (OSError, AttributeError):
        return 0
    return 0 if failed else found.value


def gpu_count() -> int:
    """Return the number of GPUs that a CUDAPlace can name; 0 without CuPy or without a driver."""
    if StandIn.count:
        return StandIn.count
    return _devices_of_driver() if cupy_available() else 0


def is_compiled_with_cuda() -> bool:
    """Return whether CUDAPlace is usable: CuPy is installed and the driver has a GPU, or CUDAPlace means the CPU.

    Programs choose their place by it, `fluid.CUDAPlace(0) if fluid.core.is_compiled_with_cuda() else fluid.CPUPlace()`, so that it is
    False on a machine without a GPU, whatever is installed there.
    """
    return cuda_means_cpu() or gpu_count() > 0


class Default:
    """The place of calls that name none, which `set_device` sets."""

    place: Any = None


def resolve(place: Any, where: str = "place") -> Place:
    """Return the place that a call runs on: None means the default one, which is the CPU unless `set_device` was called.

    Raise if CUDAPlace lacks CuPy or a GPU, or `place` is not a Place.
    """
    if isinstance(place, AnyPlace):
        place = place.place
    if place is None:
        place = Default.place
    if place is None or type(place) is CPUPlace:
        if not cpu_means_cuda():
            return _CPU
        place = CUDAPlace(_numbers("FLAGS_selected_gpus", "0")[0])
    if not isinstance(place, Place):
        raise ArgumentTypeError(message(where, "place", repr(place), "CPUPlace(), CUDAPlace(i) or CUDAPinnedPlace()"))
    if place.kind == "gpu":
        if cuda_means_cpu():
            return _CPU
        _need_device(place, where)
    return place


def _need_device(place: Place, where: str) -> None:
    """Raise unless there is the GPU of a place."""
    if not cupy_available():
        raise DeviceError(message(where, "place", repr(place), "CuPy, which is not installed", INSTALL_CUPY))
    count = gpu_count()
    if place.index >= count:
        last = f"CUDAPlace(0) to CUDAPlace({count - 1})" if count > 1 else "CUDAPlace(0)"
        needs = f"{last}, the GPUs of this process" if count else "a GPU, and the NVIDIA driver finds none"
        raise DeviceError(message(where, "place", repr(place), needs, NO_DEVICE))


def cpu_places(device_count: int | None = None) -> list[CPUPlace]:
    """Return `device_count` CPU places; the default is the number in the environment variable CPU_NUM, or 1.

    Returns:
        A list of CPUPlace.

    Raises:
        ArgumentValueError: CPU_NUM is not a number.
    """
    count = _numbers("CPU_NUM", "1")[0] if device_count is None else device_count
    return [CPUPlace() for _ in range(count)]


def cuda_places(device_ids: list[int] | None = None) -> list[CUDAPlace]:
    """Return the CUDA places with these device numbers; the default is those in FLAGS_selected_gpus, or all GPUs.

    Returns:
        A list of CUDAPlace.

    Raises:
        ArgumentValueError: FLAGS_selected_gpus is not a list of numbers.
    """
    if device_ids is None:
        device_ids = _numbers("FLAGS_selected_gpus", ",".join(map(str, range(max(1, gpu_count())))))
    return [CUDAPlace(i) for i in device_ids]


def _numbers(variable: str, default: str) -> list[int]:
    """Return the comma-separated numbers in an environment variable."""
    text = os.environ.get(variable, "").strip() or default
    try:
        return [int(word) for word in text.split(",") if word.strip()]
    except ValueError:
        raise ArgumentValueError(message("environment", variable, repr(text), "whole numbers")) from None


def cuda_pinned_places(device_count: int | None = None) -> list[CUDAPinnedPlace]:
    """Return `device_count` pinned places; the default is the number in the environment variable CPU_NUM, or 1."""
    return [CUDAPinnedPlace() for _ in cpu_places(device_count)]


_CPU = CPUPlace()
