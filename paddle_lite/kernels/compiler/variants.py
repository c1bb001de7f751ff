"""The compiled forms of a kernel, one for each combination of argument types, linked into a chain.

The head of the chain is what a call runs. Each form passes arguments that it was not compiled for on to the next; the
last is `Variants.other`, which compiles a form for them and puts it at the head.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from typing import Any

from ...core.flags import get_flags
from ..team_words import TRAILING
from . import objects
from .errors import Unsupported
from .signatures import signature_of

__all__ = ["Variants", "bounds_checked"]

THREADS = "FLAGS_paddle_num_threads"


def bounds_checked() -> bool:
    """Return whether PADDLE_LITE_BOUNDS_CHECK asks for a check of every index."""
    return os.environ.get("PADDLE_LITE_BOUNDS_CHECK", "0") not in ("", "0")


class Variants:
    """The forms of one kernel.

    Args:
        python, options: the function and its options.
        key: a digest of all that the machine code depends on, but for the types of the arguments and the processor.
        fallback: returns a callable for arguments or a source that the compiler does not know.
        use: called with the new head of the chain whenever a form is added.
        building: the lock that is held while a form is added.
    """

    def __init__(
        self, python: Any, options: dict[str, Any], key: str, fallback: Callable[[], Callable[..., Any]],
        use: Callable[[Callable[..., Any]], None], building: Any,
    ) -> None:  # fmt: skip
        self.python, self.options, self.key = python, options, key
        self.head: Callable[..., Any] = self.other
        self._fallback, self._use, self._building = fallback, use, building
        self._forms: dict[
            tuple[tuple[Any, ...], bool], Callable[..., Any]
        ] = {}  # by types, and whether calls may be shared
        self._by_numba: Callable[..., Any] | None = None  # which one thread computes

    def other(self, *arguments: Any) -> Any:
        """Call the kernel with arguments that no form of the chain accepts as they are."""
        count = len(arguments)
        by_team = bool(self.options.get("shared")) and count == self.python.__code__.co_argcount + TRAILING
        if by_team:
            count -= TRAILING
        try:
            types, given = signature_of(arguments[:count])
        except Unsupported:
            return self._fallback()(*arguments[:count])
        form = self._forms.get((types, True)) or self._forms.get((types, by_team))
        if form is None:
            form = self._add(types, by_team or (bool(self.options.get("shared")) and get_flags(THREADS)[THREADS] > 1))
        return form(*given) if form is self._by_numba else form(*given, *arguments[count:])

    def _add(self, types: tuple[Any, ...], shared: bool) -> Callable[..., Any]:
        """Return the form for these types, compiled or loaded if it is new; shared: whether threads may share its calls."""
        with self._building:
            form = self._forms.get((types, shared))
            if form is not None:
                return form
            try:
                form = self._form(types, shared)
            except Unsupported as reason:
                objects.fallbacks[f"{self.python.__module__}.{self.python.__qualname__}"] = str(reason)
                form = self._forms[types, True] = self._by_numba = self._fallback()
                return form
            self._forms[types, shared] = self.head = form
            self._use(form)
            return form

    def _form(self, types: tuple[Any, ...], shared: bool) -> Callable[..., Any]:
        checked = bounds_checked()
        symbol = "kernel_" + hashlib.sha256(repr((self.key, types, checked, shared)).encode()).hexdigest()[:32]
        code = objects.load(self.python.__name__, symbol)
        if code is None:
            from .entry import module_text  # not above: the front end is not needed for kernels from the cache

            text = module_text(self.python, {**self.options, "shared": shared}, types, symbol, checked)
            code = objects.compiled(self.python.__name__, symbol, text)
        return objects.entry(code, symbol, self.python.__name__, self.head)
