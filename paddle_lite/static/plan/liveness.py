"""Liveness: the instructions after which values are freed, and the values that one part of a function saves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from .graph import FunctionGraph


class Liveness(NamedTuple):
    """Place -> the local variables that die after the instruction there, in the order of their first occurrence.

    dead: the variables that are not read later. outlined: the variables of which only shape and dtype are read later.
    """

    dead: dict[int, list[str]]
    outlined: dict[int, list[str]]


def liveness(graph: FunctionGraph, kept: Collection[str]) -> Liveness:
    """Return the places where values are freed.

    Arguments:
        graph: the graph. kept: the local variables that are live after the last instruction.
    """
    dead: dict[int, list[str]] = defaultdict(list)
    outlined: dict[int, list[str]] = defaultdict(list)
    if not graph.instructions:
        return Liveness(dead, outlined)
    # what arrives in a later part is there from its start on, and nowhere if nothing reads it
    late = {name for part in graph.parts for name in part.arriving}
    last = {value.register: 0 for value in graph.inputs if value.name not in late}
    measured: dict[str, int] = {}
    staying = set(kept)
    for instruction in graph.instructions:
        place = instruction.place
        for value in (*instruction.loads, *instruction.stores):
            last[value.register] = place
            if value.constant:
                staying.add(value.register)
        for value in instruction.measures:
            measured[value.register] = place
    outlines = {value.register for instruction in graph.instructions for value in instruction.outlines}
    for register, place in last.items():
        if register in staying:
            continue
        until = measured.get(register, place)
        if until > place and register not in outlines:
            outlined[place].append(register)
        dead[max(place, until)].append(register)
    return Liveness(dead, outlined)


def saved(graph: FunctionGraph, start: int, besides: Iterable[str] = ()) -> list[str]:
    """Return the local variables that are live before a place: defined earlier, and read from there on.

    Arguments:
        graph: the graph. start: the place. besides: further local variables to return, if they are defined before the
            place.
    """
    before, behind = graph.instructions[:start], graph.instructions[start:]
    known = {value.register for value in graph.inputs}
    known.update(value.register for each in before for value in (*each.loads, *each.stores))
    read = [value.register for each in behind for value in each.loads]
    read += [value.register for each in behind for value in each.measures]
    return [register for register in dict.fromkeys([*read, *besides]) if register in known]
