"""Layers that hold other Layers or parameters: Sequential, LayerList, ParameterList."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ..core.errors import ArgumentTypeError, MissingSublayerError, describe, message
from ..core.typing import Variable as VariableType
from .layer import Layer


class Sequential(Layer):
    """Call sublayers one after the other, each on the output of the one before.

    Arguments:
        layers: Layers, or (name, Layer) tuples.

    Raises:
        ArgumentTypeError: an item is neither a Layer nor such a tuple.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> model = paddle.nn.Sequential(paddle.nn.Linear(4, 3), paddle.nn.Linear(3, 2))
    >>> len(model)
    2
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        for i, item in enumerate(layers):
            name, layer = item if isinstance(item, tuple) and len(item) == 2 else (str(i), item)
            if not isinstance(layer, Layer):
                raise ArgumentTypeError(
                    message(
                        "Sequential",
                        f"layer {i}",
                        describe(layer),
                        "a Layer or a (name, Layer) tuple",
                        "Unpack a list: Sequential(*layers).",
                    )
                )
            self.add_sublayer(name, layer)

    def _key(self, name: Any) -> str:
        key = str(name)
        if isinstance(name, int) and name < 0:
            key = list(self._sub_layers)[name] if -len(self._sub_layers) <= name else key
        if key not in self._sub_layers:
            raise MissingSublayerError(message("Sequential", "index", repr(name), f"one of {list(self._sub_layers)}"))
        return key

    def __getitem__(self, name: Any) -> Layer:
        return self._sub_layers[self._key(name)]

    def __setitem__(self, name: Any, layer: Layer) -> None:
        self.add_sublayer(str(name), layer)

    def __delitem__(self, name: Any) -> None:
        del self._sub_layers[self._key(name)]

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Layer]:
        return iter(self._sub_layers.values())

    def forward(self, input: VariableType) -> VariableType:
        for layer in self._sub_layers.values():
            input = layer(input)
        return input


class _Listing(Layer):
    """A Layer whose items stand in one of its dictionaries under the keys '0', '1', ..."""

    _kind = ""

    def __init__(self, items: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._extend(items or ())

    def _items(self) -> dict[str, Any]:
        return self.__dict__[self._kind]

    def _add(self, item: Any) -> None:
        raise NotImplementedError

    def _position(self, index: Any) -> str:
        n = len(self)
        if isinstance(index, str) and index in self._items():
            return index
        if isinstance(index, bool) or not isinstance(index, (int, np.integer)) or not -n <= index < n:
            raise MissingSublayerError(message(type(self).__name__, "index", repr(index), f"{-n} to {n - 1}"))
        return str(int(index) % n)

    def _renumber(self, items: list) -> None:
        self._items().clear()
        for item in items:
            self._add(item)

    def __len__(self) -> int:
        return len(self._items())

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._items().values()))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        return self._items()[self._position(index)]

    def __delitem__(self, index: Any) -> None:
        items = list(self)
        del items[index if isinstance(index, slice) else int(self._position(index))]
        self._renumber(items)

    def _extend(self, items: Iterable[Any]) -> Any:
        for item in items:
            self._add(item)
        return self


class LayerList(_Listing):
    """A list of sublayers, whose parameters belong to the Layer that holds the list.

    Arguments:
        sublayers: the Layers to start with.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> layers = paddle.nn.LayerList([paddle.nn.Linear(2, 2) for _ in range(3)])
    >>> len(layers.append(paddle.nn.Linear(2, 2)))
    4
    """

    _kind = "_sub_layers"

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__(sublayers)

    def _add(self, item: Any) -> None:
        self.add_sublayer(str(len(self)), item)

    def __setitem__(self, index: Any, layer: Layer) -> None:
        self.add_sublayer(self._position(index), layer)

    def append(self, sublayer: Layer) -> LayerList:
        """Add a sublayer at the end and return the list."""
        return self._extend([sublayer])

    def extend(self, sublayers: Iterable[Layer]) -> LayerList:
        """Add several sublayers at the end and return the list."""
        return self._extend(sublayers)

    def insert(self, index: int, sublayer: Layer) -> None:
        """Insert a sublayer before position `index`.

        Raises:
            MissingSublayerError: the list has no such position.
        """
        layers = list(self)
        if index != len(layers):
            self._position(index)
        layers.insert(index, sublayer)
        self._renumber(layers)


class ParameterList(_Listing):
    """A list of parameters that belong to the Layer that holds the list.

    Arguments:
        parameters: the parameters to start with.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> weights = paddle.nn.ParameterList([paddle.nn.Linear(2, 2).weight for _ in range(3)])
    >>> len(weights)
    3
    """

    _kind = "_parameters"

    def __init__(self, parameters: Iterable[Any] | None = None) -> None:
        super().__init__(parameters)

    def _add(self, item: Any) -> None:
        self.add_parameter(str(len(self)), item)

    def __setitem__(self, index: Any, parameter: Any) -> None:
        self.add_parameter(self._position(index), parameter)

    def append(self, parameter: Any) -> ParameterList:
        """Add a parameter at the end and return the list."""
        return self._extend([parameter])
