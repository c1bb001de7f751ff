"""Attributes that are computed at their first use, without a lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["cached_property"]

if TYPE_CHECKING:
    from functools import cached_property
else:

    class cached_property:
        """Compute an attribute of an object at its first use, and keep it in the object's `__dict__`.

        It is functools' of Python 3.12. That of older versions has one lock for all objects of the class: it is held while the
        attribute is computed, so threads wait for each other, and a process that is forked meanwhile waits for ever.

        >>> class Square:
        ...     @cached_property
        ...     def area(self):
        ...         print("computing")
        ...         return 4
        >>> square = Square()
        >>> square.area + square.area
        computing
        8
        """

        def __init__(self, function: Callable[[Any], Any]) -> None:
            self.function = function
            self.__doc__ = function.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            if instance is None:
                return self
            value = instance.__dict__[self.name] = self.function(instance)
            return value
