"""Checks of the argument `parameter_list` of optimizers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ..core import unique_name
from ..core.errors import ArgumentTypeError, describe, message

PARAMETER_LIST = "Pass parameter_list=layer.parameters()."


class MissingParameterListError(ArgumentTypeError, AttributeError):
    """There is no parameter_list in imperative mode, where PaddlePaddle raises AttributeError."""


class AllParameters(Collection[Any]):
    """All parameters of the innermost `guard`, also those that are made later: what an optimizer without a list trained up to 1.6."""

    def __init__(self) -> None:
        self._names = unique_name.current()

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._names.parameters.values()))

    def __len__(self) -> int:
        return len(self._names.parameters)

    def __contains__(self, parameter: object) -> bool:
        return any(parameter is each for each in self)

    def __deepcopy__(self, memo: dict[int, Any]) -> AllParameters:
        return self


def all_parameters(where: str) -> AllParameters:
    """Return all parameters, where a Layer was made in the form of Fluid 1.3 to 1.6 or with a name scope; optimizers took no list then.

    Raises:
        MissingParameterListError: no Layer was made in that form.
    """
    if not unique_name.current().before_1_7:
        needs = "the parameters to train in imperative mode"
        raise MissingParameterListError(
            message(where, "parameter_list argument given to the Optimizer", "None", needs, PARAMETER_LIST)
        )
    return AllParameters()


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
