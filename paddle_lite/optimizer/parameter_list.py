"""Checks of the argument `parameter_list` of optimizers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message

PARAMETER_LIST = "Pass parameter_list=layer.parameters()."


class MissingParameterListError(ArgumentTypeError, AttributeError):
    """There is no parameter_list in imperative mode, where PaddlePaddle raises AttributeError."""


def checked_list(where: str, parameter_list: Any, names: bool = False) -> list[Any]:
    """Return the parameters as a list.

    Arguments:
        where: the class of the optimizer.
        parameter_list: an iterable of parameters.
        names: whether names of parameters are allowed, too.

    Raises:
        ArgumentTypeError: it is no such iterable.
    """
    single = isinstance(parameter_list, (str, Mapping)) or hasattr(parameter_list, "stop_gradient")
    if single or hasattr(parameter_list, "parameters") or not isinstance(parameter_list, Iterable):
        needs = "a list of parameters"
        raise ArgumentTypeError(message(where, "parameter_list", describe(parameter_list), needs, PARAMETER_LIST))
    params = list(parameter_list)
    for i, param in enumerate(params):
        if not hasattr(param, "optimize_attr") and not (names and isinstance(param, str)):
            raise ArgumentTypeError(
                message(where, f"parameter_list[{i}]", describe(param), "a parameter", PARAMETER_LIST)
            )
    return params
