"""Setting the values of a Layer from a state dict, also of a Layer whose parameters its first call makes."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...core.errors import EnforceNotMet, MissingKeyError, NoStateDictError, describe, message
from ...core.tracebacks import user_level
from ..variable import Variable
from .names import parameter_before_1_7

if TYPE_CHECKING:
    from ..layer import Layer

NAME_TABLE = "StructuredToParameterName@@"  # an entry of saved state dicts that is not a parameter


class Held(NamedTuple):
    """Entries for a Layer that has no parameters yet; its first call sets them."""

    entries: dict[str, Any]
    by_path: bool


def set_state(layer: Layer, stat_dict: Any, include_sublayers: bool, use_structured_name: bool) -> None:
    """Do what `Layer.set_dict` says."""
    where = f"{layer._full_name}.set_dict"
    if not isinstance(stat_dict, Mapping):
        fix = (
            "load_dygraph returns two: parameters, optimizer_state = load_dygraph(path)."
            if isinstance(stat_dict, tuple)
            else ""
        )
        needs = "a dict, e.g. from load_dygraph"
        raise NoStateDictError(message(where, "stat_dict", describe(stat_dict), needs, fix))
    own = layer.state_dict(include_sublayers=include_sublayers)
    waiting = [(f"{path}." if path else "", each) for path, each in _tree(layer, include_sublayers) if each._waits()]
    former = _names_before_1_7(layer, include_sublayers)
    by_path = use_structured_name and not (former is not None and _is_by_name(stat_dict, own, waiting, former))
    wanted = {path if by_path else _entry_of(v.name, former or {}, stat_dict): v for path, v in own.items()}
    held = [(each, path, _part_for(each, path, stat_dict, by_path)) for path, each in waiting]
    used = {*wanted, NAME_TABLE, *(key for _, _, part in held for key in part)}
    missing = [name for name in wanted if name not in stat_dict]
    missing += [f"{path or each.full_name()}..." for each, path, part in held if not part and each._names_results]
    unused = [str(name) for name in stat_dict if name not in used]
    misfits = {
        name: error
        for name, variable in wanted.items()
        if name in stat_dict and (error := _misfit(variable, stat_dict[name], f"entry {name}")) is not None
    }
    faults = [f"no entry for {', '.join(missing)}."] if missing else []
    faults += map(str, misfits.values())
    if faults:
        faults += [f"Not in the layer: {', '.join(unused)}."] if unused else []
        first = next((name for name in wanted if name in misfits or name in missing), None)
        kind = type(misfits[first]) if first in misfits else MissingKeyError
        raise kind(f"{where}: {' '.join(faults)} (use_structured_name={by_path})")
    if unused:
        warnings.warn(f"{where}: {', '.join(unused)} not used, the layer has no such entry", stacklevel=user_level())
    for name, variable in wanted.items():
        variable.set_value(stat_dict[name])
    for each, path, part in held:
        if part:
            each.__dict__["_held"] = Held({key[len(path) if by_path else 0 :]: part[key] for key in part}, by_path)


def set_held(layer: Layer) -> None:
    """Set the entries that were kept for the first call of a Layer."""
    held = layer.__dict__.pop("_held", None)
    if held is not None:
        set_state(layer, held.entries, True, held.by_path)


def _tree(layer: Layer, include_sublayers: bool) -> Iterator[tuple[str, Layer]]:
    yield "", layer
    if include_sublayers:
        yield from layer.named_sublayers()


def _names_before_1_7(layer: Layer, include_sublayers: bool) -> dict[str, str] | None:
    """Return the names that Fluid 1.6 gave the parameters, by those that they have; None for a Layer of today."""
    tree = [each for _, each in _tree(layer, include_sublayers)]
    if not any(each._before_1_7 for each in tree):
        return None
    return {
        p.name: parameter_before_1_7(p.name, each._full_name)
        for each in tree
        for p in each._parameters.values()
        if p is not None
    }


def _is_by_name(
    stat_dict: Mapping[str, Any], own: dict[str, Any], waiting: list[tuple[str, Layer]], former: dict[str, str]
) -> bool:
    """Return whether the keys are names of parameters, as in the files of Fluid 1.6, and not paths."""
    paths, scopes = tuple(path for path, _ in waiting if path), tuple(f"{each._full_name}." for _, each in waiting)
    names = {*former, *former.values()}
    return not any(key in own or key.startswith(paths) for key in stat_dict) and any(
        key in names or key.startswith(scopes) for key in stat_dict
    )


def _entry_of(name: str, former: dict[str, str], stat_dict: Mapping[str, Any]) -> str:
    other = former.get(name, name)
    return other if other in stat_dict and name not in stat_dict else name


def _part_for(layer: Layer, path: str, stat_dict: Mapping[str, Any], by_path: bool) -> dict[str, Any]:
    start = path if by_path else f"{layer._full_name}."
    return {key: value for key, value in stat_dict.items() if key.startswith(start) and key != NAME_TABLE}


def _misfit(variable: Variable, value: Any, where: str) -> EnforceNotMet | None:
    """Return the error that setting the value would raise; None if the value fits."""
    try:
        variable.fitting(value, where)
    except EnforceNotMet as error:
        return error
    return None
