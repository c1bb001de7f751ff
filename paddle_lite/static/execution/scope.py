"""Scopes: the values of a Program's variables, by name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.tensor import LoDTensor, LoDTensorArray, SelectedRows
from ...core.tensor_array import RankTable, TensorArray
from ...core.threads.contexts import PerContext


class ScopeVariable:
    """A variable in a Scope; Fluid calls it `core.Variable`.

    A variable without a value gets an empty value of the type that is requested first.
    """

    __slots__ = ("_name", "_scope")

    def __init__(self, scope: Scope, name: str) -> None:
        self._scope = scope
        self._name = name

    def name(self) -> str:
        """Return its name."""
        return self._name

    def get_tensor(self) -> LoDTensor:
        """Return its LoDTensor, an empty one if it had no value.

        Raises:
            ArgumentTypeError: its value has another type.
        """
        return self._of_kind(LoDTensor, "get_tensor")

    def get_selected_rows(self) -> SelectedRows:
        """Return its SelectedRows, empty ones if it had no value; raise ArgumentTypeError as `get_tensor` does."""
        return self._of_kind(SelectedRows, "get_selected_rows")

    def get_lod_tensor_array(self) -> LoDTensorArray:
        """Return its LoDTensorArray, an empty one if it had no value; raise ArgumentTypeError as `get_tensor` does.

        Of an array that a run has written it is a copy.
        """
        held = self._scope.values.get(self._name)
        if not isinstance(held, LoDTensor) or not isinstance(held.array, TensorArray):
            return self._of_kind(LoDTensorArray, "get_lod_tensor_array")
        made = LoDTensorArray()
        for element in held.array:
            tensor = LoDTensor()
            if element is not None:
                tensor.array, tensor.levels = element
            made.append(tensor)
        return made

    get_fetch_list = get_lod_tensor_array

    def get_lod_rank_table(self) -> RankTable:
        """Return its rank table, an empty one if it had no value.

        Raises:
            ArgumentTypeError: its value has another type.
        """
        held = self._scope.values.get(self._name)
        table = held.array if isinstance(held, LoDTensor) else held
        if table is None:
            return RankTable(((0,),), 0)
        if not isinstance(table, RankTable):
            where, needs = f"variable {self._name}", "one that holds what lod_rank_table gave"
            raise ArgumentTypeError(
                message(where, "get_lod_rank_table", f"one that holds a {type(held).__name__}", needs)
            )
        return table

    def get_int(self) -> int:
        """Return its int."""
        return self._of_kind(int, "get_int")

    def get_float(self) -> float:
        """Return its float."""
        return self._of_kind(float, "get_float")

    def get_bytes(self) -> bytes:
        """Return its bytes."""
        return self._of_kind(bytes, "get_bytes")

    def set_int(self, value: int) -> None:
        """Set an int; raise ArgumentTypeError if the value has another type."""
        self._of_kind(int, "set_int")
        self._scope.values[self._name] = int(value)

    def set_float(self, value: float) -> None:
        """Set a float; raise ArgumentTypeError if the value has another type."""
        self._of_kind(float, "set_float")
        self._scope.values[self._name] = float(value)

    def is_int(self) -> bool:
        """Return whether its value is an int."""
        return isinstance(self._scope.values.get(self._name), int)

    def is_float(self) -> bool:
        """Return whether its value is a float."""
        return isinstance(self._scope.values.get(self._name), float)

    def _of_kind(self, kind: type, call: str) -> Any:
        value = self._scope.values.get(self._name)
        if value is None:
            value = self._scope.values[self._name] = kind()
        elif type(value) is not kind:
            where, needs = f"variable {self._name}", f"one that holds a {kind.__name__}"
            raise ArgumentTypeError(message(where, call, f"one that holds a {type(value).__name__}", needs))
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ScopeVariable) and (self._scope, self._name) == (other._scope, other._name)

    def __hash__(self) -> int:
        return hash((id(self._scope), self._name))

    def __repr__(self) -> str:
        return f"<variable {self._name}: {self._scope.values.get(self._name)!r}>"


class Scope:
    """A mapping from names to values, with nested scopes that also see the values here.

    Attributes:
        values: name -> LoDTensor, SelectedRows, LoDTensorArray or another value; None for a variable without a value.
        parent: the enclosing scope, or None.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> scope = fluid.Scope()
    >>> scope.var('x').get_tensor().set(np.ones(2, 'float32'), fluid.CPUPlace())
    >>> np.array(scope.find_var('x').get_tensor()).tolist(), scope.find_var('y')
    ([1.0, 1.0], None)
    """

    __slots__ = ("__weakref__", "deleted", "kids", "parent", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.parent: Scope | None = None
        self.kids: list[Scope] = []
        self.deleted = False

    def var(self, name: str) -> ScopeVariable:
        """Return the variable of this name in this scope, created if it does not exist."""
        self.values.setdefault(_named(name, "var"), None)
        return ScopeVariable(self, name)

    def find_var(self, name: str) -> Any:
        """Return the variable of this name in this scope or an enclosing one; None if it does not exist."""
        holder = self.holding(_named(name, "find_var"))
        return None if holder is None else ScopeVariable(holder, name)

    def holding(self, name: str) -> Scope | None:
        """Return the innermost scope that has the variable: this one or an enclosing one; None if there is none."""
        scope: Scope | None = self
        while scope is not None and name not in scope.values:
            scope = scope.parent
        return scope

    def find_value(self, name: str) -> Any:
        """Return the value of the variable in this scope or an enclosing one; None if it does not exist."""
        holder = self.holding(name)
        return None if holder is None else holder.values[name]

    def local_var_names(self) -> list[str]:
        """Return the names in this scope itself, in the order of their creation."""
        return list(self.values)

    def erase(self, names: list[str]) -> None:
        """Remove variables from this scope itself; names that are not in it are ignored."""
        for name in names:
            self.values.pop(name, None)

    def new_scope(self) -> Scope:
        """Create a nested scope; `drop_kids` removes it."""
        kid = Scope()
        kid.parent = self
        self.kids.append(kid)
        return kid

    def drop_kids(self) -> None:
        """Remove the nested scopes."""
        self.kids.clear()

    def _remove_from_pool(self) -> None:
        """Delete the variables and the nested scopes, as PaddlePaddle 1.8.5 does when it deletes the Scope.

        Raises:
            ArgumentValueError: it was called before.
        """
        if self.deleted:
            raise ArgumentValueError(
                "Scope._remove_from_pool: the Scope is deleted already. Deleting a nonexistent scope is not allowed."
            )
        self.deleted = True
        self.values.clear()
        self.kids.clear()

    def _kids(self) -> list[Scope]:
        return list(self.kids)

    def __repr__(self) -> str:
        return f"Scope({len(self.values)} variables, {len(self.kids)} scopes within)"


def _named(name: Any, call: str) -> str:
    if not isinstance(name, str):
        raise ArgumentTypeError(message(f"Scope.{call}", "name", describe(name), "a str"))
    return name


_global = PerContext("global scope", Scope())


def global_scope() -> Scope:
    """Return the default scope of Executors; `scope_guard` replaces it temporarily.

    Raises:
        ArgumentTypeError: `scope_guard` was given something other than a Scope.

    >>> import paddle_lite.fluid as fluid
    >>> fluid.global_scope().find_var('no such variable') is None
    True
    """
    scope = _global.get()
    if not isinstance(scope, Scope):
        needs = "a fluid.Scope() where values are read or Programs run; names of operators are fluid.name_scope's"
        raise ArgumentTypeError(message("scope_guard", "scope", describe(scope), needs))
    return scope


def switch_scope(scope: Scope) -> Scope:
    """Replace the global scope and return the former one: inside of a `scope_guard` for that, else for the process."""
    return _global.set(scope)


@contextmanager
def scope_guard(scope: Scope) -> Iterator[None]:
    """Use `scope` as the global scope within the block, or within the function that it decorates, in this thread.

    Arguments:
        scope: a Scope. Within a guard of something else, Programs can be built, as in PaddlePaddle 1.8, and not run:
            `global_scope` then raises.

    >>> import paddle_lite.fluid as fluid
    >>> scope = fluid.Scope()
    >>> with fluid.scope_guard(scope):
    ...     fluid.global_scope() is scope
    True
    """
    with _global.replaced(scope):
        yield
