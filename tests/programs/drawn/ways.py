"""The ways to run a drawn Program: each gives the arrays of its values and gradients, or the error that it raises, of any kind."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from paddle_lite import fluid
from paddle_lite.core.lod import offsets
from paddle_lite.fluid.dygraph import declarative, to_variable
from paddle_lite.static import Executor, Program, Scope
from tests.static.passes import passes

from .builder import Drawn, Environment, loss

Results = Any  # {name: (array, LoD)}, or the Exception that was raised


def variables(drawn: Drawn, feed: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs in imperative mode."""
    found = {}
    for name, array in feed.items():
        found[name] = to_variable(array)
        found[name].stop_gradient = not drawn.inputs[name].dtype.startswith("float")
    return found


def imperatively(drawn: Drawn, feed: Mapping[str, Any], hook: Callable[[Any], Any] | None = None) -> Results:
    """All values, by calls that run at once, and the gradients."""
    with fluid.dygraph.guard():
        inputs = variables(drawn, feed)
        env = Environment(inputs, [], hook, at_once=True)
        try:
            env.run(drawn.calls)
            return _with_gradients(drawn, inputs, {v.place: env.values[v.place] for v in drawn.values}, env.taken)
        except Exception as error:
            return error


def declared(drawn: Drawn, feed: Mapping[str, Any]) -> Results:
    """What is fetched by a declared function, and the gradients of one that returns their targets alone.

    A result of a declared function that nobody uses has a gradient of zeros, here as in PaddlePaddle 1.8.5: with infinite
    numbers it would make NaN of gradients that imperative mode leaves alone.
    """
    with fluid.dygraph.guard():
        inputs = variables(drawn, feed)
        try:
            places = [v.place for v in drawn.fetched]
            found = _with_gradients(drawn._replace(targets=[]), inputs, _called(drawn, inputs, places))
            places = [v.place for v in drawn.targets]
            return {**found, **_with_gradients(drawn, inputs, _called(drawn, inputs, places))}
        except Exception as error:
            return error


def _called(drawn: Drawn, inputs: Mapping[str, Any], places: Sequence[int]) -> dict[int, Any]:
    """The values at these places, by a declared function."""
    names, run = list(inputs), operator.methodcaller("run", drawn.calls)

    @declarative
    def function(*arrays: Any) -> Any:
        env = Environment(dict(zip(names, arrays)), [])
        run(env)  # as it is: what is called there is not translated
        return [env.values[place] for place in places]

    return dict(zip(places, function(*inputs.values()) if places else [], strict=True))


def _with_gradients(
    drawn: Drawn, inputs: Mapping[str, Any], values: Mapping[int, Any], taken: Callable[[int], Any] | None = None
) -> dict[str, Any]:
    """taken: from the place of a value to what is differentiated; None: the value."""
    taken = values.__getitem__ if taken is None else taken
    found = {f"v{place}": (np.array(value.array), value.lod()) for place, value in values.items()}
    sources = [inputs[name] for name in drawn.sources]
    targets = [loss(taken(v.place)) for v in drawn.targets]
    live = [t for t in targets if not t.stop_gradient]
    slopes = fluid.dygraph.grad(live, sources, allow_unused=True) if live and sources else [None] * len(sources)
    for name, slope in zip(drawn.sources, slopes, strict=True):
        if slope is not None:
            found[f"{name}@GRAD"] = (np.array(slope.array), [])
    return found


def fetches(drawn: Drawn, everything: bool) -> dict[str, str]:
    """What is fetched: the key in Results -> the name of the Variable."""
    values = drawn.values if everything else drawn.fetched
    found = {f"v{v.place}": v.variable.name for v in values}
    found.update({f"{n}@GRAD": g.name for n, g in zip(drawn.sources, drawn.gradients, strict=True) if g is not None})
    return found


def executed(
    drawn: Drawn, feeds: Sequence[Mapping[str, Any]], which: str, everything: bool, program: Program | None = None
) -> list[Results]:
    """The Program by an Executor with these passes, for one feed after another; each twice, as the first run is checked."""
    program = drawn.program if program is None else program
    program._plans.clear()
    executor, wanted, found = Executor(), fetches(drawn, everything), []
    with passes(which, 0):
        for feed in feeds:
            try:
                executor.execute(program, dict(feed), list(wanted.values()), Scope())
                made = executor.execute(program, dict(feed), list(wanted.values()), Scope())
                found.append({
                    key: (np.array(array), [] if key.endswith("@GRAD") else offsets(lod))
                    for key, (array, lod) in zip(wanted, made, strict=True)
                })  # fmt: skip
            except Exception as error:
                found.append(error)
    program._plans.clear()
    return found


def reloaded(program: Program) -> Program:
    """The Program out of a file."""
    return Program.parse_from_string(program.desc.serialize_to_string())
