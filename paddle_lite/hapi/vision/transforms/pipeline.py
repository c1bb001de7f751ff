"""Several transforms, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ....core.errors import ArgumentTypeError, describe, message

__all__ = ["BatchCompose", "Compose"]


def _functions(where: str, transforms: Any) -> list[Callable[..., Any]]:
    """Return the transforms as a list; raise unless they are functions."""
    for each in transforms:
        if not callable(each):
            raise ArgumentTypeError(message(where, "transforms", f"{describe(each)} among them", "functions"))
    return list(transforms)


class Compose:
    """Applies several transforms, one after the other.

    Arguments:
        transforms: functions of a sample; what one returns is passed to the next, a tuple or list as several arguments.

    >>> import numpy as np
    >>> from paddle_lite.hapi.vision.transforms import Compose, Normalize, Permute, Resize
    >>> transform = Compose([Resize((8, 8)), Permute(), Normalize(mean=[127.5] * 3, std=[127.5] * 3)])
    >>> transform(np.zeros([16, 16, 3], 'uint8')).shape
    (3, 8, 8)
    """

    def __init__(self, transforms: Sequence[Callable[..., Any]]) -> None:
        self.transforms = _functions("Compose", transforms)

    def __call__(self, *data: Any) -> Any:
        """Return the transformed sample.

        Arguments:
            data: the fields of the sample.
        """
        value: Any = data
        for transform in self.transforms:
            value = transform(*value) if isinstance(value, (tuple, list)) else transform(value)
        return data[0] if value is data and len(data) == 1 else value

    def __repr__(self) -> str:
        return "\n".join([f"{type(self).__name__}(", *(f"    {each}" for each in self.transforms), ")"])


class BatchCompose:
    """Applies several transforms to a list of samples, and turns it to a list with a tuple for each field.

    Arguments:
        transforms: functions from a list of samples to another one. It can be the `collate_fn` of a DataLoader.

    >>> from paddle_lite.hapi.vision.transforms import BatchCompose
    >>> BatchCompose([lambda samples: samples[::-1]])([(1, 'a'), (2, 'b')])
    [(2, 1), ('b', 'a')]
    """

    def __init__(self, transforms: Sequence[Callable[..., Any]] = ()) -> None:
        self.transforms = _functions("BatchCompose", transforms)

    def __call__(self, data: Any) -> list[Any]:
        """Return the transformed fields.

        Arguments:
            data: a list of samples.
        """
        for transform in self.transforms:
            data = transform(data)
        return list(zip(*data, strict=False))
