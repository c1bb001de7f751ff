"""Arrays of the stand-in, and how functions of NumPy run on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from . import memory, streams
from .graphs import Step
from .streams import Ledger, StandInError

IN_PLACE = frozenset(["at", "copyto", "fill", "fill_diagonal", "place", "put", "put_along_axis", "putmask", "sort"])
"""Functions and methods that write into their first argument."""
ON_HOST = frozenset(
    [
        "argwhere", "bincount", "compress", "flatnonzero", "histogram", "in1d", "intersect1d", "isin", "lexsort",
        "nonzero", "searchsorted", "setdiff1d", "setxor1d", "sort", "argsort", "partition", "argpartition", "union1d", "unique",
        "array_equal",
    ]
)  # fmt: skip
"""Functions of CuPy that read a number of the device, or wait for it: what is captured cannot call them."""


class Devices:
    """What all arrays of one stand-in share."""

    def __init__(self, count: int, names: Mapping[str, Any] | None) -> None:
        self.count, self.names = count, names
        self.uploads: list[tuple[int, ...]] = []
        self.downloads: list[tuple[int, ...]] = []


devices = Devices(1, None)
"""Of the latest stand-in that was made."""


class Device:
    """A device, as CuPy's arrays name it; inside of a `with` block it is the current one."""

    def __init__(self, device: int | None = None) -> None:
        self.id = streams.here.device if device is None else int(device)
        self._outer: list[int] = []

    def use(self) -> None:
        """Make it the current device."""
        if not 0 <= self.id < devices.count:
            raise StandInError(f"cudaErrorInvalidDevice: invalid device ordinal {self.id}")
        streams.here.device = self.id

    def __enter__(self) -> Device:
        self._outer.append(streams.here.device)
        self.use()
        return self

    def __exit__(self, *exception: Any) -> None:
        streams.here.device = self._outer.pop()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return self.id

    def synchronize(self) -> None:
        """Let the host wait for the device."""
        for stream in (streams.null_stream(self.id), streams.here.streams.get(self.id, streams.null_stream(self.id))):
            stream.synchronize()

    @property
    def mem_info(self) -> tuple[int, int]:
        """The free and the total bytes of memory."""
        return 8 << 30, 16 << 30

    @property
    def compute_capability(self) -> str:
        """The compute capability, as CuPy writes it."""
        return "80"


class Pointer:
    """The address of an array, `array.data`."""

    def __init__(self, array: np.ndarray) -> None:
        self.ptr = array.__array_interface__["data"][0]


class Array(np.lib.mixins.NDArrayOperatorsMixin):
    """An array on a device.

    Arguments:
        there: the array of NumPy inside.
        of: the array whose memory it is a view of; None for memory of its own.
    """

    __module__ = "cupy"

    def __init__(self, there: np.ndarray, of: Array | None = None) -> None:
        self.there = there
        self.root: Array = self if of is None else of.root
        if of is not None:
            self.ledger: Ledger = of.ledger
            self.device: Device = of.device
            return
        self.ledger, self.device = Ledger(), Device()
        pool = memory.pool_in_use()
        if pool is not None:
            self.there = memory.array_in(pool, there, self)
        elif streams.current().recording is not None:
            raise StandInError("memory is allocated outside of a pool of its own while a stream is captured")

    # --- copies to the host and from it -------------------------------------------------------------------------------

    def _fetched(self, shape: tuple[int, ...]) -> np.ndarray:
        if streams.current().recording is not None:
            raise StandInError("an array is read by the host while a stream is captured")
        with self.device:
            perform(lambda array: None, (self,), {})
            streams.current().synchronize()
        devices.downloads.append(shape)
        return self.there

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> np.ndarray:
        """Return a copy on the host."""
        found = self._fetched(self.there.shape)
        if out is None:
            return found.copy()
        out[...] = found
        return out

    def set(self, arr: np.ndarray, stream: Any = None) -> None:
        """Copy from the host."""
        if not isinstance(arr, np.ndarray) or (arr.shape, arr.dtype) != (self.there.shape, self.there.dtype):
            raise StandInError(f"set needs an array of NumPy, {self.there.dtype}{list(self.there.shape)}")
        devices.uploads.append(arr.shape)
        with streams.current() if stream is None else stream:
            perform(lambda target: np.copyto(target, arr), (self,), {}, (self,))

    def item(self, *index: Any) -> Any:
        """Return an element as a number of Python."""
        return self._fetched(()).item(*index)

    def tolist(self) -> Any:
        """Return nested lists of numbers."""
        return self._fetched(self.there.shape).tolist()

    def __array__(self, *arguments: Any, **keywords: Any) -> np.ndarray:
        raise TypeError("Implicit conversion to a NumPy array is not allowed")

    def __bool__(self) -> bool:
        return bool(self._fetched(()))

    def __int__(self) -> int:
        return int(self._fetched(()))

    def __float__(self) -> float:
        return float(self._fetched(()))

    def __index__(self) -> int:
        return self._fetched(()).__index__()

    def __complex__(self) -> complex:
        return complex(self._fetched(()))

    # --- operations ---------------------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **keywords: Any) -> Any:
        scalars = (each[()] if isinstance(each, np.ndarray) and not each.ndim else each for each in inputs)
        inputs = tuple(scalars)  # NumPy makes arrays without axes of its scalars before it calls this method
        if out is None:
            return perform(getattr(ufunc, method), inputs, keywords)
        perform(getattr(ufunc, method), inputs, {**keywords, "out": out}, out)
        return out[0]

    @property
    def data(self) -> Pointer:
        """The address."""
        return Pointer(self.there)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name in ("there", "root"):
            raise AttributeError(name)
        if devices.names is not None and f"ndarray.{name}" not in devices.names:
            raise AttributeError(f"CuPy's arrays have no {name}")
        found = getattr(self.there, name)
        if not callable(found):
            return Array(found, self) if isinstance(found, np.ndarray) else found
        unbound = getattr(np.ndarray, name)
        return lambda *arguments, **keywords: method(unbound, self, arguments, keywords)

    def copy(self, order: str = "C") -> Array:
        """Return a copy on the current device."""
        if self.device.id == streams.here.device:
            return method(np.ndarray.copy, self, (), {})
        stream, source = streams.current(), self.there
        stream.start()
        stream.touches([self.ledger], [])
        return perform(lambda: source.copy(), (), {})

    def __getitem__(self, key: Any) -> Any:
        if any(isinstance(part, Array) and part.there.dtype == bool for part in _listed(key)):
            read_by_host("a mask")
        return perform(_picked, (self, key), {})

    def __setitem__(self, key: Any, value: Any) -> None:
        perform(_put, (self, key, value), {}, (self,))

    def __len__(self) -> int:
        return len(self.there)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))


def _picked(array: np.ndarray, key: Any) -> Any:
    return array[_around(array, key)]


def _put(array: np.ndarray, key: Any, value: Any) -> None:
    array[_around(array, key)] = value


def _around(array: np.ndarray, key: Any) -> Any:
    """Return a key whose arrays of indices are taken modulo the size, as CuPy takes them."""
    parts = _listed(key)
    if any(
        part is None or part is Ellipsis or (isinstance(part, np.ndarray) and part.dtype.kind == "b") for part in parts
    ):
        return key
    sizes = array.shape[: len(parts)]
    found = tuple(_modulo(part, size) for part, size in zip(parts, sizes, strict=True))
    return found if isinstance(key, tuple) else found[0]


def _modulo(part: Any, size: int) -> Any:
    return part % size if isinstance(part, np.ndarray) and part.dtype.kind in "iu" and part.ndim and size else part


def _listed(key: Any) -> Any:
    return key if isinstance(key, tuple) else (key,)


def read_by_host(what: str) -> None:
    """Note that a number of the device is read by the host, which what is captured cannot do."""
    if streams.current().recording is not None:
        raise StandInError(f"{what} is read by the host while a stream is captured")
    devices.downloads.append(())


def method(unbound: Callable[..., Any], array: Array, arguments: tuple, keywords: dict[str, Any]) -> Any:
    """Call a method of NumPy's arrays."""
    if unbound.__name__ in ON_HOST:
        read_by_host(unbound.__name__)
    target = keywords.get("out")
    writes = (array,) if unbound.__name__ in IN_PLACE else () if target is None else (target,)
    made = perform(unbound, (array, *arguments), keywords, writes)
    return made if target is None else target


def bare(value: Any) -> Any:
    """Return the array of NumPy inside; raise for one that was never brought to a device, or that is on another one."""
    if isinstance(value, Array):
        return value.there
    if isinstance(value, np.ndarray):
        raise TypeError(f"Unsupported type {type(value)}: a host array of shape {value.shape} meets the device")
    if isinstance(value, (tuple, list)):
        return type(value)(bare(each) for each in value)
    return value


def arrays_in(value: Any) -> Iterator[Array]:
    """Return the arrays of the device in arguments."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (tuple, list)):
        for each in value:
            yield from arrays_in(each)


def perform(
    function: Callable[..., Any], arguments: tuple, keywords: Mapping[str, Any], writes: tuple[Any, ...] = ()
) -> Any:
    """Run a function of NumPy on what is inside of arrays, in the current stream, and return arrays of the device.

    Arguments:
        writes: the arguments that it writes.
    """
    stream = streams.current()
    given = [*arrays_in(arguments), *arrays_in(tuple(keywords.values()))]
    if len({each.device.id for each in given} | {streams.here.device}) > 1:
        where = sorted({each.device.id for each in given})
        raise StandInError(f"arrays of the devices {where} meet on device {streams.here.device}")
    stream.start()
    ledgers = list({id(each.ledger): each.ledger for each in given}.values())
    written = [each.ledger for each in writes]
    stream.touches(ledgers, written)
    inside, named = bare(arguments), {name: bare(value) for name, value in keywords.items()}
    if stream.recording is not None:
        for each in writes:
            stream.recording.saves(each.root.there)
    made = function(*inside, **named)
    results = _wrapped(made, given)
    listed = list(results) if isinstance(results, (tuple, list)) else [results]
    own = [each for each in listed if isinstance(each, Array) and each.root is each]
    stream.touches([each.ledger for each in own], [each.ledger for each in own])
    if stream.recording is not None:
        targets = [each.there if isinstance(each, Array) and each.root is each else None for each in listed]
        reads = [each for each in ledgers if each not in written]
        stream.recording.add(Step(function, inside, named, targets), reads, [*written, *(each.ledger for each in own)])
    return results


def _wrapped(value: Any, given: list[Array]) -> Any:
    """Return arrays of the device for those of NumPy; a view keeps the memory that it is a view of."""
    if isinstance(value, np.ndarray):
        of = next((each for each in given if value.size and np.may_share_memory(value, each.there)), None)
        return Array(value, of)
    if isinstance(value, np.generic):
        return Array(np.asarray(value))  # CuPy has no scalars: a full reduction gives an array without axes
    if isinstance(value, (tuple, list)) and any(isinstance(each, np.ndarray) for each in value):
        return type(value)(_wrapped(each, given) for each in value) if type(value) in (tuple, list) else tuple(
            _wrapped(each, given) for each in value
        )  # fmt: skip
    return value
