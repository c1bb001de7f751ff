"""Scopes: where the values of Variables are while and after a Program runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..core.tensor import LoDTensor


class ScopeVariable:
    """One entry of a Scope: `get_tensor()` is its LoDTensor."""

    __slots__ = ("_name", "_scope")

    def __init__(self, scope: Scope, name: str) -> None:
        self._scope, self._name = scope, name

    def name(self) -> str:
        """Its name."""
        return self._name

    def get_tensor(self) -> LoDTensor:
        """Its LoDTensor, to read or to set."""
        value = self._scope.values[self._name]
        if value is None:
            value = self._scope.values[self._name] = LoDTensor()
        return value


class Scope:
    """Values by name; a name that it does not have is looked up in its parent.

    `values` maps names to what they hold: a LoDTensor, SelectedRows, a LoDTensorArray, or None for nothing yet.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> scope = fluid.Scope()
    >>> scope.var('w').get_tensor().set(np.ones([2], 'float32'), fluid.CPUPlace())
    >>> np.array(scope.find_var('w').get_tensor())
    array([1., 1.], dtype=float32)
    """

    def __init__(self, parent: Scope | None = None) -> None:
        self.parent = parent
        self.values: dict[str, Any] = {}
        self.kids: list[Scope] = []

    def var(self, name: str) -> ScopeVariable:
        """The entry of this name, made where there is none."""
        self.values.setdefault(name, None)
        return ScopeVariable(self, name)

    def find_var(self, name: str) -> ScopeVariable | None:
        """The entry of this name here or in a parent, or None."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.values:
                return ScopeVariable(scope, name)
            scope = scope.parent
        return None

    def find_value(self, name: str) -> Any:
        """What the name holds here or in a parent, or None."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.values:
                return scope.values[name]
            scope = scope.parent
        return None

    def new_scope(self) -> Scope:
        """A new Scope with this one as its parent."""
        self.kids.append(Scope(self))
        return self.kids[-1]

    def drop_kids(self) -> None:
        """Forget the Scopes made from this one."""
        self.kids.clear()

    def local_var_names(self) -> list[str]:
        """The names of its own entries."""
        return list(self.values)


class Current:
    """The Scope that Executors use."""

    scope = Scope()


def global_scope() -> Scope:
    """The Scope that Executors use unless they are told another one."""
    return Current.scope


@contextmanager
def scope_guard(scope: Scope) -> Iterator[None]:
    """Use another Scope inside of the block."""
    if not isinstance(scope, Scope):
        raise ArgumentTypeError(message("scope_guard", "scope", describe(scope), "a fluid.Scope"))
    before, Current.scope = Current.scope, scope
    try:
        yield
    finally:
        Current.scope = before
