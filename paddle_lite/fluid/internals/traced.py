"""`fluid.dygraph.jit._trace`: a Program of one run of a Layer, whose Variables have names of given beginnings."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...imperative.parameter import Parameter
from ...jit.traced import TracedLayer
from ...static.program.program import Program

__all__ = ["trace"]


def trace(
    layer: Any, inputs: Any, feed_prefix: str = "feed_", fetch_prefix: str = "fetch_", tmp_prefix: str = "t_"
) -> tuple[Any, Program, list[str], list[str], list[Any]]:
    """Run a Layer and record its operators as a Program.

    Arguments:
        layer: the Layer.
        inputs: a Variable or a list of them.
        feed_prefix, fetch_prefix, tmp_prefix: how the names of the inputs, the results and other Variables begin; a number follows.

    Returns:
        (the result of the Layer, the Program, the names of the inputs, the names of the results, the parameters).

    Raises:
        ArgumentTypeError: an argument has another type.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     out, program, feeds, fetches, parameters = fluid.dygraph.jit._trace(fluid.dygraph.Linear(3, 4), x)
    >>> feeds, fetches, [op.output_arg_names for op in program.global_block().ops], len(parameters)
    (['feed_0'], ['fetch_0'], [['t_0'], ['fetch_0']], 2)
    """
    prefixes = {"feed_prefix": feed_prefix, "fetch_prefix": fetch_prefix, "tmp_prefix": tmp_prefix}
    for name, prefix in prefixes.items():
        if not isinstance(prefix, str):
            raise ArgumentTypeError(message("_trace", name, describe(prefix), "a str"))
    result, traced = TracedLayer.trace(layer, inputs)
    block = traced.program.global_block()
    fed, fetched = (
        list(dict.fromkeys(traced._feeds)),
        [n for n in dict.fromkeys(traced._fetches) if n not in traced._feeds],
    )
    others = [n for op in block.ops for n in op.output_arg_names if n not in fetched and n not in fed]
    names = {
        **_numbered(fed, feed_prefix),
        **_numbered(fetched, fetch_prefix),
        **_numbered([n for n in dict.fromkeys(others) if not block.var(n).persistable], tmp_prefix),
    }
    for number, (old, new) in enumerate(
        names.items()
    ):  # by way of names that nothing has, for a new name may be an old one of another
        block._rename_var(old, f"{new}@{number}")
    for number, new in enumerate(names.values()):
        block._rename_var(f"{new}@{number}", new)
    parameters = [variable for variable in traced._shared.values() if isinstance(variable, Parameter)]
    return result, traced.program, [names[n] for n in traced._feeds], [names[n] for n in traced._fetches], parameters


def _numbered(old: list[str], prefix: str) -> dict[str, str]:
    numbers: Iterator[int] = count()
    return {name: f"{prefix}{next(numbers)}" for name in old}
