"""Names that are unique within a process or a `guard`: fc_0, fc_1, fc_0.w_0; and the set of parameter names in use.

All threads count together where no guard is open; a guard counts for its own context (see threads/contexts.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from .threads.contexts import PerContext

LOADED_SUFFIX = "@LOADED"
"""What follows the name of a Variable that was loaded into another Program."""


class Generator:
    """Counts the uses of each key; `prefix` precedes every name. `taken` holds the names that are in use."""

    def __init__(self, prefix: str = "") -> None:
        self.prefix = prefix
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.taken: set[str] = set()
        self._counting = Lock()

    def __call__(self, key: str) -> str:
        with self._counting:
            count = self.counts[key]
            self.counts[key] = count + 1
        return f"{self.prefix}{key}_{count}"

    def take(self, name: str) -> bool:
        """Mark a name as in use; return False if it already was."""
        with self._counting:
            fresh = name not in self.taken
            self.taken.add(name)
        return fresh


_generator = PerContext("generator of names", Generator())


def generate(key: str) -> str:
    """Return `key` with the number of times it was used before.

    Returns:
        A string `key_n`.

    >>> with guard():
    ...     generate('fc'), generate('fc')
    ('fc_0', 'fc_1')
    """
    return _generator.get()(key)


def take(name: str) -> bool:
    """Mark a name as in use; return False if it already was.

    >>> with guard():
    ...     take('w'), take('w')
    (True, False)
    """
    return _generator.get().take(name)


class ParameterNameChecker:
    """Tells of each name whether it was asked before."""

    def __init__(self) -> None:
        self._names: set[str] = set()

    def __call__(self, name: str) -> bool:
        """Return whether this name was asked before."""
        before = name in self._names
        self._names.add(name)
        return before


parameter_name_checker = ParameterNameChecker()
"""The one of this process."""


def switch(new_generator: Generator | None = None) -> Generator:
    """Install a fresh generator (or the given one) and return the one that was in use.

    It holds for the innermost guard of this context, outside of guards for the process.

    Returns:
        The generator that was in use.
    """
    return _generator.set(Generator() if new_generator is None else new_generator)


@contextmanager
def guard(new_generator: Generator | str | bytes | None = None) -> Iterator[None]:
    """Number names inside the block, in this thread, from 0 again; a string is used as the prefix of each name.

    >>> with guard('A'):
    ...     generate('fc')
    'Afc_0'
    """
    if isinstance(new_generator, bytes):
        new_generator = new_generator.decode()
    if isinstance(new_generator, str):
        new_generator = Generator(new_generator)
    with _generator.replaced(Generator() if new_generator is None else new_generator):
        yield
