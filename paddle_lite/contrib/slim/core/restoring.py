"""Read the states of strategies from a checkpoint, without running what the file says."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from typing import IO, Any

from ....core.errors import FileFormatError
from .strategy import Strategy

_ARRAYS = {
    (module, name)
    for package in ("numpy.core", "numpy._core")
    for module, name in ((f"{package}.multiarray", "_reconstruct"), (f"{package}.multiarray", "scalar"))
} | {("numpy", "ndarray"), ("numpy", "dtype"), ("_codecs", "encode"), ("collections", "OrderedDict")}
_SETS = {(module, name) for module in ("builtins", "__builtin__") for name in ("set", "frozenset")}


def read_states(file: IO[bytes], path: str, strategies: Iterable[Strategy]) -> list[dict[str, Any]]:
    """Return the attributes of strategies from a file of `Compressor`.

    The file may make arrays, plain values, and objects of the classes whose objects these strategies hold already.

    Arguments:
        file: the pickle. path: its name, for errors.
        strategies: those of the present run.

    Raises:
        FileFormatError: the file is damaged, or names another class or function.
    """
    try:
        states = _Restorer(file, path, {(c.__module__, c.__name__): c for c in _classes(strategies)}).load()
    except FileFormatError:
        raise
    except Exception as error:
        raise FileFormatError(f"{path}: no states of strategies: {type(error).__name__}: {error}") from None
    if not isinstance(states, list) or not all(isinstance(state, dict) for state in states):
        raise FileFormatError(f"{path}: got a {type(states).__name__}, needs a list with a dict for each strategy.")
    return states


class _Restorer(pickle.Unpickler):
    """Unpickler that knows arrays, sets and given classes."""

    def __init__(self, file: IO[bytes], path: str, classes: dict[tuple[str, str], type]) -> None:
        super().__init__(file)
        self._path, self._classes = path, classes

    def find_class(self, module: str, name: str) -> Any:
        """Return what the file names, if it is known."""
        if (module, name) in self._classes:
            return self._classes[module, name]
        if (module, name) not in _ARRAYS | _SETS:
            needs = "arrays, plain values, and objects of classes that the strategies of this run hold"
            raise FileFormatError(f"{self._path}: names {module}.{name}, needs {needs}.")
        return super().find_class(module, name)


def _classes(values: Iterable[Any]) -> Iterator[type]:
    """Yield the classes of the objects that strategies hold, however deep."""
    waiting, seen = [*values], set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, dict):
            waiting += value.values()
        elif isinstance(value, (list, tuple, set)):
            waiting += value
        elif hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
            yield type(value)
            waiting += vars(value).values()
