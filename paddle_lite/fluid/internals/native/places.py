"""Places as `fluid.core.Place`, which stands for one of any kind."""

from __future__ import annotations

from typing import Any

from ....core.place import AnyPlace

__all__ = ["place_object", "place_objects"]


def place_object(place: Any) -> AnyPlace:
    """Return a `core.Place` that is set to a place.

    Raises:
        ArgumentTypeError: it is no place.
    """
    made = AnyPlace()
    made.set_place(place)
    return made


def place_objects(places: Any) -> list[AnyPlace]:
    """Return a `core.Place` for a place, or for each of a list or tuple of places.

    Raises:
        ArgumentTypeError: one is no place.
    """
    return [place_object(each) for each in (places if isinstance(places, (list, tuple)) else [places])]
