"""Calls in the form that they had before 1.8: other orders, other names, and arguments that are gone.

A function says under `@formerly` which orders of arguments it had. A call counts as one of today's if its arguments can be;
else it counts in the first of the former orders in which each argument is of the kind that its name stands for.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np

from ..guarded import boundary

Call = TypeVar("Call", bound=Callable[..., Any])
_NUMBER = (int, float, np.number)


def _flag(value: Any) -> bool:
    return isinstance(value, (bool, np.bool_)) or (isinstance(value, _NUMBER) and value in (0, 1))


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _number(value: Any) -> bool:
    return isinstance(value, _NUMBER) and not isinstance(value, bool)


def _thing(value: Any) -> bool:
    return not isinstance(value, (bool, str, list, tuple, *_NUMBER))


def _rule(value: Any) -> bool:
    return _thing(value) and not hasattr(value, "stop_gradient") and not hasattr(value, "parameters")


def _listed(value: Any) -> bool:
    return not isinstance(value, str) and (isinstance(value, Sequence) or hasattr(value, "__iter__"))


def _attr(value: Any) -> bool:
    return isinstance(value, (bool, str)) or _thing(value)


_KINDS: dict[Callable[[Any], bool], str] = {
    _flag: "is_test use_cudnn use_nesterov centered lazy_mode do_model_average zero_copy descending box_normalized clip_bbox "
    "is_accumulated normalize fuse_with_relu use_global_stats trainable",
    _text: "name act",
    _number: "padding_start ignore_index padding_value",
    _rule: "regularization regularizer grad_clip gradient_clip exclude_from_weight_decay_fn",
    _thing: "block input_length label_length",
    _listed: "parameter_list",
    _attr: "bias_attr param_attr",
}
_KIND_OF = {name: kind for kind, names in _KINDS.items() for name in names.split()}


def fits(order: Sequence[str], args: Sequence[Any]) -> bool:
    """Return whether each argument is of the kind that its place in the order asks for.

    >>> fits(['learning_rate', 'parameter_list'], [0.1, 'name']), fits(['learning_rate', 'name'], [0.1, 'name'])
    (False, True)
    """
    return len(args) <= len(order) and all(
        value is None or name not in _KIND_OF or _KIND_OF[name](value) for name, value in zip(order, args, strict=False)
    )


def formerly(*orders: str, gone: str = "", **renamed: str) -> Callable[[Call], Call]:
    """Return a decorator that lets programs make a call in its form before 1.8, too.

    Arguments:
        orders: former orders of the arguments, each one text of names.
        gone: arguments that have no meaning any more; they are accepted and left out.
        renamed: what former names are called today.

    >>> @formerly("x is_test name", gone="is_test", size="width")
    ... def layer(x, name=None, width=1):
    ...     return x, name, width
    >>> layer(5, True, "fc"), layer(5, "fc"), layer(5, is_test=False, size=2)
    ((5, 'fc', 1), (5, 'fc', 1), (5, None, 2))
    """
    former, left_out = [order.split() for order in orders], frozenset(gone.split())

    def decorate(call: Call) -> Call:
        parameters = inspect.signature(call).parameters
        today = [
            name for name, each in parameters.items() if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
        ]
        alike = min((_alike(today, order) for order in former), default=len(today))

        @functools.wraps(call)
        def formed(*args: Any, **keywords: Any) -> Any:
            if len(args) > alike and not fits(today, args):
                order = next((each for each in former if fits(each, args)), None)
                given = {} if order is None else dict(zip(order[alike:], args[alike:], strict=False))
                if given and not given.keys() & keywords.keys():
                    args, keywords = args[:alike], {**given, **keywords}
            if keywords and not keywords.keys() <= parameters.keys():
                keywords = _todays(keywords, left_out, renamed)
            return call(*args, **keywords)

        return cast(Call, boundary(formed))

    return decorate


def _alike(today: Sequence[str], order: Sequence[str]) -> int:
    """Return how many arguments stand at the same places in both orders."""
    pairs = zip(today, order, strict=False)
    return next((i for i, (name, other) in enumerate(pairs) if name != other), min(len(today), len(order)))


def _todays(keywords: Mapping[str, Any], left_out: frozenset[str], renamed: Mapping[str, str]) -> dict[str, Any]:
    """Return the keywords with the names of today."""
    found = {name: value for name, value in keywords.items() if name not in left_out and name not in renamed}
    for name, value in keywords.items():
        if name in renamed:
            today = renamed[name]
            found[today if today not in keywords else name] = value
    return found
