"""Translations of functions, cached by the structure, dtypes and shapes of their arguments."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Callable, Sequence
from enum import Enum
from threading import RLock
from typing import Any

import numpy as np

from ..core.errors import EnforceNotMet, ModeError
from ..core.lod import level_of
from ..core.tensor import LoDTensor
from ..core.tracebacks import user_level
from ..imperative.variable import Variable
from .concrete_program import ConcreteProgram, InputSpec, is_fed, spec_of
from .partial_program import PartialProgramLayer, partial_program_from
from .structure import form, leaves

NESTED = frozenset({list, tuple, dict})
MANY = 8  # translations of one function before a warning is given


class ProgramCache:
    """The Programs that functions were translated to; `ProgramTranslator().get_program_cache()` returns the global one.

    translations: the number of Programs translated so far. Programs of deleted functions and Layers are deleted too.
    """

    def __init__(self) -> None:
        self.translations = 0
        self._made: weakref.WeakValueDictionary[int, ConcreteProgram] = weakref.WeakValueDictionary()
        self._last: ConcreteProgram | None = None

    def add(self, concrete: ConcreteProgram) -> None:
        """Add a translation."""
        self._made[self.translations] = concrete
        self.translations += 1

    def concrete_programs(self) -> list[ConcreteProgram]:
        """Return the translations that are alive, oldest first."""
        return [concrete for _, concrete in sorted(self._made.items())]

    def used(self, concrete: ConcreteProgram) -> None:
        """Remember the translation that ran last."""
        self._last = concrete

    def newest(self) -> ConcreteProgram | None:
        """Return the translation that ran last; None before the first."""
        return self._last

    def last(self) -> tuple[Any, tuple[ConcreteProgram, PartialProgramLayer]]:
        """Return the translation that ran last, as a pair of its key and a pair: itself, and a Layer of its Program.

        Raises:
            ModeError: no declared function has run yet.
        """
        concrete = self._last
        if concrete is None:
            raise ModeError("ProgramCache.last: no declared function has run yet. Call one first.")
        return (concrete.name, tuple(concrete.specs)), (concrete, partial_program_from(concrete))

    def __len__(self) -> int:
        return len(self._made)


everything = ProgramCache()


_translating = RLock()  # a translated function may call others


def _new_lock() -> None:
    """Replace the lock in the child of a fork(): a thread of the parent may have held it, and runs code of users meanwhile."""
    global _translating
    _translating = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_new_lock)


def _fitting(known: Sequence[ConcreteProgram], shapes: Sequence[tuple[int, ...]]) -> ConcreteProgram | None:
    """Return the first translation that takes inputs of these shapes; None if there is none."""
    for concrete in known:
        if concrete.fits(shapes):
            return concrete
    return None


class FunctionCache:
    """The translations of one function, or of the method of one Layer."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.translations = 0
        self._by_key: dict[Any, list[ConcreteProgram]] = {}
        self._tell = MANY

    def __deepcopy__(self, memo: Any) -> FunctionCache:
        return FunctionCache(self.name)  # a copied Layer has its own parameters, so it needs its own translations

    def __reduce__(self) -> Any:
        return FunctionCache, (self.name,)

    def find(self, build: Callable, args: tuple, keywords: dict[str, Any]) -> tuple[ConcreteProgram, list[Variable]]:
        """Return the translation for these arguments, and the Variables among them; translate if there is none.

        Arguments:
            build: returns the translated function; called only if a translation is needed.
            args, keywords: the arguments of the call.

        Raises:
            EnforceNotMet: the function cannot be built for these arguments.
        """
        values: list[Variable] = []
        shapes: list[tuple[int, ...]] = []
        nested = bool(keywords) or not NESTED.isdisjoint(map(type, args))
        key: list[Any] = [form((args, keywords)) if nested else len(args)]
        for leaf in leaves((args, keywords)) if nested else args:
            if type(leaf) is not Variable:
                if not is_fed(leaf):
                    key.append(_of_python(leaf))
                    continue
                leaf = leaf if isinstance(leaf, Variable) else _as_variable(leaf)
            array, levels = leaf.array, leaf.levels
            shape = array.shape
            values.append(leaf)
            shapes.append(shape)
            key.append((array.dtype, len(shape), 0 if levels is None else level_of(levels), leaf.stopped))
        known = self._by_key.setdefault(tuple(key), [])
        made = _fitting(known, shapes)
        if made is None:
            with _translating:
                made = _fitting(known, shapes)  # another thread may have translated it meanwhile
                if made is None:
                    made = self._translated(build(), args, keywords, values, known)
                    known.insert(0, made)  # the newest has the most unknown sizes, so it is tried first
        return made, values

    def _translated(
        self, function: Callable, args: tuple, keywords: dict[str, Any], values: Sequence[Variable],
        known: Sequence[ConcreteProgram],
    ) -> ConcreteProgram:  # fmt: skip
        """Return a new translation for these inputs. Sizes that differ between calls become unknown (-1) if possible.

        Raises:
            EnforceNotMet: the function cannot be built for these inputs.
        """
        closed = [spec_of(v) for v in values]
        tries = [closed]
        if known:
            wide = [_wider(s, [k.specs[i] for k in known]) for i, s in enumerate(closed)]
            if any(w.shape != c.shape for w, c in zip(wide, closed, strict=True)):
                tries.insert(0, wide)
        exact = [
            InputSpec(tuple(v.array.shape), s.dtype, s.level, s.stopped) for v, s in zip(values, closed, strict=True)
        ]
        first: EnforceNotMet | None = None
        for specs in (*tries, exact):
            try:
                made = ConcreteProgram(self.name, function, args, keywords, specs)
            except EnforceNotMet as error:
                first = first or error
                continue
            if specs is exact:
                warnings.warn(
                    f"declarative: {self.name} is translated for a batch of this size only, for: {first}",
                    UserWarning, stacklevel=user_level(),
                )  # fmt: skip
            self._count(made)
            return made
        assert first is not None
        raise first

    def _count(self, made: ConcreteProgram) -> None:
        self.translations += 1
        everything.add(made)
        if self.translations > self._tell:
            self._tell *= 2
            warnings.warn(
                f"declarative: {self.name} has been translated {self.translations} times. Each new number, string or object "
                "among its arguments, and each new dtype or number of dimensions, is a translation; pass what changes as a "
                "Variable.", UserWarning, stacklevel=user_level(),
            )  # fmt: skip


def _wider(spec: InputSpec, others: Sequence[InputSpec]) -> InputSpec:
    shape = tuple(n if all(o.shape[i] == n for o in others) else -1 for i, n in enumerate(spec.shape))
    return InputSpec(shape, spec.dtype, spec.level, spec.stopped)


def _as_variable(value: Any) -> Variable:
    if isinstance(value, LoDTensor):
        return Variable(value.array, lod=value.levels)
    return Variable(np.array(value))


class _ByIdentity:
    """An argument in a key, compared by identity and kept alive by the key."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.value is self.value


VALUES = (int, float, complex, str, bytes, type(None), np.generic, np.dtype, range, frozenset, Enum)


def _of_python(value: Any) -> Any:
    """Return the key of a Python argument: its type and value, or its identity."""
    if isinstance(value, VALUES):
        return (type(value), value)
    if type(value) is slice:
        return (slice, *map(_of_python, (value.start, value.stop, value.step)))
    return _ByIdentity(value)
