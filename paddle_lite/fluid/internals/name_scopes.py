"""The names of nested scopes of operators, as a tree: `fluid.framework.NameScope` of 1.8.5."""

from __future__ import annotations

from ...static.program.naming import namescope

__all__ = ["NameScope", "open_scope"]


class NameScope:
    """A scope of names with scopes inside of it.

    Arguments:
        name: its own name.
        parent: the scope around it.

    >>> outer = NameScope('net')
    >>> outer.child('block').name(), outer.child('block').name(), outer.child('block').parent() is outer
    ('block', 'block_1', True)
    """

    def __init__(self, name: str = "", parent: NameScope | None = None) -> None:
        self._name, self._parent = name, parent
        self._children: dict[str, int] = {}

    def child(self, prefix: str) -> NameScope:
        """Return a new scope inside; the second of a name gets a number."""
        number = self._children.get(prefix, 0)
        self._children[prefix] = number + 1
        return NameScope(f"{prefix}_{number}" if number else prefix, self)

    def parent(self) -> NameScope | None:
        """Return the scope around it."""
        return self._parent

    def name(self) -> str:
        """Return its own name."""
        return self._name


def open_scope() -> NameScope | None:
    """Return the innermost scope that `fluid.name_scope` has opened, None outside of all; its parent is the one around it."""
    found = None
    for name in namescope().strip("/").split("/"):
        found = NameScope(name, found) if name else found
    return found
