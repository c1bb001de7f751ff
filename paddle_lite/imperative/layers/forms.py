"""Layers in the form of Fluid 1.3 to 1.6: a name scope first, and sizes of the input that the first call tells.

`Conv2D("conv", num_filters=4, filter_size=3)` has no parameters. At its first call it becomes what
`Conv2D(num_channels, num_filters=4, filter_size=3)` is, with `num_channels` from the input; its parameters have the names of that
time, `conv/Conv2D_0.w_0`, for saved state dicts hold these.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ...core.errors import ArgumentTypeError, describe, message
from ...core.guarded import boundary
from ..layer import Layer
from ..views.text import plain_arguments

Kind = TypeVar("Kind", bound=type[Layer])
Learned = Callable[[Mapping[str, Any], Sequence[Any]], Any]


class Form:
    """The arguments of a Layer in the form of Fluid 1.3 to 1.6.

    Arguments:
        kind: the Layer's class.
        order: the arguments behind the name scope, those that must be given before a "/"; where None, those of today.
        words: texts that today's first argument may be.
        learned: how the first call tells an argument of today: a function of the given arguments and of the call's.
    """

    def __init__(
        self, kind: type[Layer], order: str | None, words: Sequence[str], learned: Mapping[str, Learned]
    ) -> None:
        self.name, self.words, self.learned = kind.__name__, words, learned
        parameters = list(inspect.signature(kind.__init__).parameters.values())[1:]
        self.today = [each.name for each in parameters]
        required = [each.name for each in parameters if each.default is each.empty and each.name not in learned]
        first, _, rest = (order or "").partition("/")
        self.order = first.split() + rest.split() if order else [n for n in self.today if n not in learned]
        self.required = first.split() if order else required

    def fits(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
        """Return whether a call has this form and not today's: a text is first, and a word behind it where today begins with one."""
        if "name_scope" in keywords or not args or not isinstance(args[0], str):
            return "name_scope" in keywords
        return not self.words or self.today[0] in keywords or (len(args) > 1 and args[1] in self.words)

    def bound(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments by name, the name scope among them.

        Fluid 1.3 and 1.4 had today's order behind the name scope; it counts where 1.6's does not fit.

        Raises:
            ArgumentTypeError: there is an argument too many, or none that must be given.
        """
        orders = [["name_scope", *self.order], ["name_scope", *self.today]]
        order = next((each for each in orders if self._places(each, args, keywords)), orders[0])
        known = {*orders[0], *self.learned}
        wrong = [name for name in keywords if name not in known or name in order[: len(args)]]
        if wrong or len(args) > len(order):
            what = wrong[0] if wrong else f"argument {len(order) + 1}"
            got = describe(keywords[wrong[0]]) if wrong else describe(args[len(order)])
            needs = f"nothing more than {', '.join(order)}, each once, behind a name scope as in Fluid 1.6"
            raise ArgumentTypeError(message(self.name, what, got, needs))
        given = {**dict(zip(order, args, strict=False)), **keywords}
        missing = [name for name in ("name_scope", *self.required) if name not in given]
        if missing or not isinstance(given["name_scope"], str):
            what = missing[0] if missing else "name_scope"
            needs = (
                f"{', '.join(self.required)} behind a name scope, a text, as in Fluid 1.6"
                if self.required
                else "a text"
            )
            raise ArgumentTypeError(
                message(self.name, what, describe(given[what]) if not missing else "nothing", needs)
            )
        return given

    def _places(self, order: list[str], args: Sequence[Any], keywords: Mapping[str, Any]) -> bool:
        given = order[: len(args)]
        return (
            len(args) <= len(order)
            and not any(name in keywords for name in given)
            and ({*self.required} <= {*given, *keywords})
        )


def also_before_1_7(order: str | None = None, words: Sequence[str] = (), **learned: Learned) -> Callable[[Kind], Kind]:
    """Return a decorator that lets programs make a Layer in the form of Fluid 1.3 to 1.6, too.

    Arguments: as of `Form`.
    """

    def decorate(kind: Kind) -> Kind:
        form, make = Form(kind, order, words, learned), kind.__init__

        @functools.wraps(make)
        def __init__(self: Any, *args: Any, **keywords: Any) -> None:
            if not form.fits(args, keywords):
                make(self, *args, **keywords)
                self.__dict__["_built"] = type(self)._build_once is _build_once
                return
            given = form.bound(args, keywords)
            self._begin_before_1_7(given.pop("name_scope"))
            self.__dict__.update(_pending=given, _given=plain_arguments((), given))
            if all(given.get(name) is not None for name in learned):
                _build_once(self)
                self.__dict__["_built"] = type(self)._build_once is _build_once

        def _build_once(self: Any, *inputs: Any, **keywords: Any) -> None:
            given = self.__dict__.get("_pending")
            if given is None:
                return
            values = [*inputs, *keywords.values()]
            told = {name: tell(given, values) for name, tell in learned.items() if given.get(name) is None}
            today = {**{name: value for name, value in given.items() if name in form.today}, **told}
            self.__dict__["_begun"] = True  # at a second try, too, after an input that did not fit
            make(self, **today)
            self.__dict__["_given"] = plain_arguments((), today)
            del self.__dict__["_pending"]

        kind.__init__, kind._build_once = boundary(__init__), _build_once  # type: ignore[method-assign]
        return kind

    return decorate


def size_of(axis: int, place: int = 0) -> Learned:
    """Return what tells the size of an axis of an argument of the first call."""
    return lambda given, inputs: inputs[place].shape[axis]
