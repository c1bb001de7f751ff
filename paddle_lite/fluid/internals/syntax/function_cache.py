"""FunctionCache: translations of functions, by the functions' texts."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

from ....core.errors import ArgumentTypeError, describe, message
from ....jit.convert import converted, is_known
from .steps import DygraphToStaticAst


def _plain(function: Any) -> FunctionType:
    """Return the function of a method or of what a decorator has made.

    Raises:
        ArgumentTypeError: it is something else, or one of another language.
    """
    found = inspect.unwrap(getattr(function, "__func__", function))
    if not isinstance(found, FunctionType):
        raise ArgumentTypeError(message("FunctionCache", "func", describe(function), "a Python function or method"))
    return found


class FunctionCache:
    """Translations of functions, by the functions' texts.

    Arguments:
        every: whether what `declarative` has translated belongs to it.
    """

    def __init__(self, every: bool = False) -> None:
        self._every = every
        self._made: dict[str, FunctionType] = {}

    def get_or_cache_func(self, func: Callable) -> Callable:
        """Return the translation of a function, made once.

        Raises:
            ArgumentTypeError: it is no Python function or method.
        """
        function = _plain(func)
        text = self._get_dedent_code_string(function)
        if text not in self._made:
            self._made[text] = converted(function)
        return self._made[text]

    def get_transformer(self, func: Callable) -> DygraphToStaticAst | None:
        """Return the DygraphToStaticAst of a function in the cache; None if it is not there."""
        if not self.exist(func):
            return None
        text = self._get_dedent_code_string(_plain(func))
        transformer = DygraphToStaticAst()
        transformer.get_static_ast(ast.parse(text))
        return transformer

    def exist(self, func: Any) -> bool:
        """Return whether the translation of a function is in the cache."""
        try:
            function = _plain(func)
        except ArgumentTypeError:
            return False
        return self._get_dedent_code_string(function) in self._made or (self._every and is_known(function))

    def _get_dedent_code_string(self, func: Callable) -> str:
        """Return the text of a function."""
        return textwrap.dedent(inspect.getsource(func))


everything = FunctionCache(every=True)
