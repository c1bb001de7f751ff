"""What stands in CuPy's place: a module with its names, and those of `cupy.cuda`."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ...codegen.erf import erf
from . import arrays, streams
from .arrays import IN_PLACE, ON_HOST, Array, Devices, perform, read_by_host
from .cuda import cuda_of
from .streams import StandInError

OF_UFUNC = frozenset(["out", "dtype", "casting"])
METHODS_OF_UFUNC = frozenset(["at", "reduce", "accumulate", "reduceat", "outer"])


class Function:
    """A function of NumPy on arrays of the device.

    Arguments:
        name: its name. function: the function of NumPy.
        keywords: the keywords that CuPy's takes; None if they are not known.
    """

    def __init__(self, name: str, function: Any, keywords: Any) -> None:
        self.__name__, self._function, self._keywords = name, function, keywords

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        unknown = [] if self._keywords is None else [key for key in keywords if key not in self._keywords]
        if unknown:
            raise TypeError(f"CuPy's {self.__name__} takes no {unknown[0]}")
        if self.__name__ in ON_HOST or (self.__name__ == "where" and len(arguments) == 1):
            read_by_host(self.__name__)
        target = keywords.get("out")
        writes = arguments[:1] if self.__name__ in IN_PLACE else () if target is None else (target,)
        made = perform(self._function, arguments, keywords, writes)
        return made if target is None else target

    def __getattr__(self, name: str) -> Any:
        if not isinstance(self._function, np.ufunc) or name not in METHODS_OF_UFUNC:
            raise AttributeError(f"CuPy's {self.__name__} has no {name}")
        return Function(name, getattr(self._function, name), None)


class _Part(types.ModuleType):
    """A part of CuPy, such as `cupy.linalg`, with the functions of NumPy's."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self.__name__ == "linalg":
            read_by_host(f"linalg.{name}")
        return Function(name, getattr(getattr(np, self.__name__), name), None)


class StandIn(types.ModuleType):
    """A stand-in for CuPy.

    Arguments:
        devices: how many devices there are.
        names: the names that CuPy has, with what is known of each: "class", "value", "ufunc", or the keywords of a function; others
            are errors. By default all names of NumPy are there.
    """

    ndarray = Array

    def __init__(self, devices: int = 1, names: Mapping[str, Any] | None = None) -> None:
        super().__init__("stand_in")
        self.here = arrays.devices = Devices(devices, names)
        streams.reset()
        self.cuda = cuda_of(self.here)
        self.linalg, self.random, self.fft = _Part("linalg"), _Part("random"), _Part("fft")
        self.erf = Function("erf", erf, None)  # cupyx.scipy.special has it
        tricks = np.lib.stride_tricks
        views = {name: Function(name, getattr(tricks, name), None) for name in ("as_strided", "sliding_window_view")}
        self.lib = types.SimpleNamespace(stride_tricks=types.SimpleNamespace(**views))

    @property
    def uploads(self) -> list[tuple[int, ...]]:
        """The shapes of what was copied to a device."""
        return self.here.uploads

    @property
    def downloads(self) -> list[tuple[int, ...]]:
        """The shapes of what was copied from a device; () for a single number."""
        return self.here.downloads

    def asarray(self, a: Any, dtype: Any = None, order: Any = None, **keywords: Any) -> Array:
        """Return an array on a device: the same if it is on one."""
        if isinstance(a, Array):
            return a if dtype is None or a.dtype == dtype else a.astype(dtype)
        if isinstance(a, (list, tuple)) and any(isinstance(each, Array) for each in a):
            return self.stack(a) if dtype is None else self.stack(a).astype(dtype)
        return self._brought(np.array(a, dtype, order="K"))

    def array(self, obj: Any, dtype: Any = None, copy: bool = True, order: Any = None, **keywords: Any) -> Array:
        """Return a copy on the current device."""
        made = self.asarray(obj, dtype)
        return made.copy() if made is obj else made

    def ascontiguousarray(self, a: Any, dtype: Any = None) -> Array:
        """Return a contiguous array on the current device."""
        made = self.asarray(a, dtype)
        return made if made.there.flags.c_contiguous else made.copy()

    def asnumpy(self, a: Any, **keywords: Any) -> np.ndarray:
        """Return an array on the host."""
        return a.get() if isinstance(a, Array) else np.asarray(a)

    def interpret(self, run: Callable[..., None], bound: dict[str, Any], writes: list[str]) -> None:
        """Run a kernel on arrays and numbers by name; `writes` names the arrays that it writes."""
        names, values = [*bound], tuple(bound.values())
        targets = tuple(bound[name] for name in writes)

        def launched(*given: Any) -> None:
            run(dict(zip(names, given, strict=True)))

        perform(launched, values, {}, targets)

    def _brought(self, host: np.ndarray) -> Array:
        if streams.current().recording is not None:
            raise StandInError(f"a host array of shape {host.shape} is copied while a stream is captured")
        arrays.devices.uploads.append(host.shape)
        return perform(lambda: host, (), {})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        kind = None if self.here.names is None else self.here.names.get(name, "absent")
        if kind == "absent":
            raise AttributeError(f"CuPy has no {name}")
        value = getattr(np, name)
        if kind in ("class", "value") or not callable(value) or isinstance(value, type):
            return value
        return Function(name, value, OF_UFUNC if kind == "ufunc" else kind)
