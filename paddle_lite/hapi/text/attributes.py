"""Attributes of the parameters of several cells, of which each needs a name of its own."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from ...core.errors import ArgumentValueError, message
from ...params.attr import to_attr


def attrs_with_suffixes(attr: Any, suffixes: Sequence[str]) -> list[Any]:
    """Return attributes for several parameters: copies, of which each name gets a suffix.

    Arguments:
        attr: what a layer takes as `param_attr`; or a list of such for the parameters, which is returned.
        suffixes: a suffix for each parameter.

    Raises:
        ArgumentValueError: a list has another length.

    >>> [each.name for each in attrs_with_suffixes("gru", ["_fw", "_bw"])]
    ['gru_fw', 'gru_bw']
    """
    if isinstance(attr, (list, tuple)):
        if len(attr) != len(suffixes):
            needs = f"{len(suffixes)}, one for each"
            raise ArgumentValueError(message("param_attr or bias_attr", "the list", f"{len(attr)} entries", needs))
        return [to_attr(each) for each in attr]
    made = []
    for suffix in suffixes:
        own = copy.deepcopy(to_attr(attr))
        if own and own.name:
            own.name += suffix
        made.append(own)
    return made
