"""The text of a Layer: its class with hyperparameters, its sublayers, and how many parameters it has."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..layer import Layer

LEFT_OUT = object()
"""Stands for an argument that is no number, text or list of them, such as a ParamAttr."""


def plain_arguments(args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return the arguments of a constructor that a text can show; the others are not kept alive."""
    return [_shown(value) for value in args], {name: _shown(value) for name, value in keywords.items()}


def _shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return value if len(value) <= 8 and all(_shown(each) is not LEFT_OUT for each in value) else LEFT_OUT
    return value if value is None or isinstance(value, (bool, int, float, str)) else LEFT_OUT


def _is_number(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(map(_is_number, value))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def hyperparameters(layer: Layer) -> str:
    """Return the arguments of a Layer of the library: the required ones, all numbers, and what differs from its default.

    The numbers among the first two required arguments stand without their names.
    """
    args, keywords = layer.__dict__.get("_given") or ((), {})
    parameters = list(inspect.signature(type(layer).__init__).parameters.values())[1:]
    given = {**dict(zip((p.name for p in parameters), args, strict=False)), **keywords}
    shown: list[str] = []
    for place, parameter in enumerate(parameters):
        required = parameter.default is parameter.empty
        value = given.get(parameter.name, LEFT_OUT if required else parameter.default)
        if value is None or value is LEFT_OUT or parameter.kind is parameter.VAR_POSITIONAL:
            continue
        if required and place < 2 and len(shown) == place and _is_number(value):
            shown.append(repr(value))
        elif required or _is_number(value) or value != parameter.default:
            shown.append(f"{parameter.name}={value!r}")
    return ", ".join(shown)


def title(layer: Layer) -> str:
    """Return the class of a Layer with its hyperparameters, as `Conv2D(3, 16, filter_size=3, stride=1)`."""
    return f"{class_name(layer)}({layer.extra_repr()})"


def class_name(layer: Layer) -> str:
    """Return the name under which programs make Layers of this class."""
    return type(layer).__dict__.get("_public_name", type(layer).__name__)


def parameter_count(layer: Layer) -> tuple[int, int]:
    """Return how many numbers the parameters have, each counted once, and how many of them are trained."""
    sizes = [
        (_size(p), bool(getattr(p, "trainable", True)) and not p.stop_gradient) for _, p in layer.named_parameters()
    ]
    return sum(size for size, _ in sizes), sum(size for size, trained in sizes if trained)


def _size(parameter: Any) -> int:
    count = 1
    for n in parameter.shape:
        count *= int(n)
    return count


def layer_text(layer: Layer, outermost: bool = True) -> str:
    """Return the text of a Layer: one line for each sublayer and each parameter of a user's class."""
    lines = []
    for name, each in layer._sub_layers.items():
        shown = "None" if each is None else layer_text(each, False) if _standard(each) else repr(each)
        lines.append(f"({name}): " + shown.replace("\n", "\n  "))
    if not layer._names_results:
        own = layer._parameters.items()
        lines += [f"({name}): Parameter{list(value.shape)}" for name, value in own if value is not None]
    if not lines:
        return title(layer)
    body = "".join(f"\n  {line}" for line in lines)
    inner = layer.extra_repr()
    count = f"  # {parameter_count(layer)[0]:,} parameters" if outermost else ""
    return f"{class_name(layer)}({inner}{body}\n){count}"


def _standard(layer: Layer) -> bool:
    """Return whether the Layer has the text of this module, rather than a __repr__ of its own."""
    return getattr(type(layer).__repr__, "shows_the_tree", False)
