"""Names that are unique within a process or a `guard`: fc_0, fc_1, fc_0.w_0; and the set of parameter names in use.

All threads count together where no guard is open; a guard counts for its own context (see threads/contexts.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from .errors import ArgumentTypeError, ArgumentValueError, describe, message
from .threads.contexts import PerContext
from .threads.forking import LEAVES, hold_while_forking

LOADED_SUFFIX = "@LOADED"
"""What follows the name of a Variable that was loaded into another Program."""


_counting = RLock()  # a finalizer that runs meanwhile may ask for names, too
hold_while_forking(_counting, LEAVES)


class ParameterNameChecker:
    """Tells of each name whether it was asked before."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def __call__(self, name: str) -> bool:
        """Return whether this name was asked before."""
        before = name in self._names
        self._names.add(name)
        return before


class Generator:
    """Counts the uses of each key; `prefix` precedes every name. `taken` holds the names that are in use.

    Attributes:
        checker: the names of parameters that were asked for beside this generator.
        ids: how often each key was used.
        parameters: those that imperative mode has made beside this generator and that are still alive, by name.
        before_1_7: whether a Layer was made in the form of Fluid 1.3 to 1.6, or with a name scope; guards inside know it, too.
    """

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.checker = ParameterNameChecker()
        self.ids: defaultdict[str, int] = defaultdict(int)
        self.taken: set[str] = set()
        self.parameters: WeakValueDictionary[str, Any] = WeakValueDictionary()
        self.before_1_7 = False

    def __call__(self, key: str) -> str:
        with _counting:
            count = self.ids[key]
            self.ids[key] = count + 1
        return f"{self.prefix}{key}_{count}"

    def take(self, name: str) -> bool:
        """Mark a name as in use; return False if it already was."""
        with _counting:
            fresh = name not in self.taken
            self.taken.add(name)
        return fresh


class _Called(Generator):
    """A generator that asks a function of the user's for each name."""

    def __init__(self, function: Callable[[str], str]) -> None:
        super().__init__()
        self.function = function

    def __call__(self, key: str) -> str:
        try:
            return self.function(key)
        except (TypeError, ValueError) as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:
                raise  # in the function's own lines
            got, needs = (
                f"{describe(self.function)}, which raised {error!r} for {key!r}",
                "a function from a key to a name",
            )
            raise ArgumentValueError(message("unique_name", "new_generator", got, needs)) from None


_first = Generator()
_generator = PerContext("generator of names", _first)
parameter_name_checker = _first.checker
"""The one of the process before any `switch`."""


def current() -> Generator:
    """Return the generator of names in use."""
    return _generator.get()


def generate(key: str) -> str:
    """Return `key` with the number of times it was used before.

    Returns:
        A string `key_n`.

    Raises:
        ArgumentTypeError: key is not a string.

    >>> with guard():
    ...     generate('fc'), generate('fc')
    ('fc_0', 'fc_1')
    """
    if not isinstance(key, str):
        raise ArgumentTypeError(message("unique_name.generate", "key", describe(key), "a string", "Write str(key)."))
    return _generator.get()(key)


def take(name: str) -> bool:
    """Mark a name as in use; return False if it already was.

    >>> with guard():
    ...     take('w'), take('w')
    (True, False)
    """
    return _generator.get().take(name)


class Names(NamedTuple):
    """The generator of names in use, and what tells parameter names apart: what `switch` returns and takes back."""

    generator: Generator
    checker: ParameterNameChecker


def switch(
    new_generator: Generator | Names | Callable[[str], str] | None = None,
    new_para_name_checker: ParameterNameChecker | None = None,
) -> Names:
    """Install a fresh generator of names, or the given one, and return what was in use.

    It holds for the innermost guard of this context, outside of guards for the process.

    Arguments:
        new_generator: what makes names from here on: a generator, another function from a key to a name, or what `switch`
            has returned, as programs for Fluid 1.7 pass it; None starts from 0.
        new_para_name_checker: what tells whether a parameter name was used before; None for a fresh one.

    Returns:
        A pair: the generator and the checker that were in use.

    Raises:
        ArgumentTypeError: an argument is neither None nor what it is described as.

    >>> with guard():
    ...     _ = generate('fc')
    ...     generator, checker = switch()
    ...     first = generate('fc')
    ...     _ = switch(generator, checker)
    ...     first, generate('fc')
    ('fc_0', 'fc_1')
    """
    if isinstance(new_generator, Names):
        new_generator, new_para_name_checker = new_generator
    generator = _checked("unique_name.switch", new_generator)
    if new_para_name_checker is not None and not callable(new_para_name_checker):
        needs = "a ParameterNameChecker, or None"
        got = describe(new_para_name_checker)
        raise ArgumentTypeError(message("unique_name.switch", "new_para_name_checker", got, needs))
    if new_para_name_checker is not None:
        generator.checker = new_para_name_checker
    before = _generator.set(generator)
    return Names(before, before.checker)


@contextmanager
def guard(new_generator: Generator | Callable[[str], str] | str | bytes | None = None) -> Iterator[None]:
    """Number names inside the block, in this thread, from 0 again; a string is used as the prefix of each name.

    A generator counts on, and another function is called with the key of each name.

    Raises:
        ArgumentTypeError: `new_generator` is no generator, function, text or None.

    >>> with guard('A'):
    ...     generate('fc')
    'Afc_0'
    """
    if isinstance(new_generator, bytes):
        new_generator = new_generator.decode()
    if isinstance(new_generator, str):
        new_generator = Generator(new_generator)
    generator = _checked("unique_name.guard", new_generator)
    generator.before_1_7 |= current().before_1_7  # a network may be made outside of the guard in which it is trained
    with _generator.replaced(generator):
        yield


def _checked(where: str, generator: Any) -> Generator:
    """Return a generator of names, a fresh one for None; raise for what is not called with a key."""
    if generator is None or isinstance(generator, Generator):
        return Generator() if generator is None else generator
    if not callable(generator):
        needs = "a UniqueNameGenerator, another function from a key to a name, or None"
        raise ArgumentTypeError(message(where, "new_generator", describe(generator), needs))
    return _Called(generator)
