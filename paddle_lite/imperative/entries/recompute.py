"""Recomputation in imperative mode: a function whose values are not held for its gradient, but computed again by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ...core.errors import ArgumentTypeError, GraphError, describe, message
from ...core.mode import changed, now, require_imperative
from ...kernels.cpu.random.random import generator
from ...ops.framework.dispatch import ArraySpec
from ..backward import run, target
from ..tape import Node, Port, next_order
from ..variable import Variable

repeating: ContextVar[bool] = ContextVar("paddle_lite recomputes", default=False)
"""Whether operators run for the second time, so that running statistics do not move again."""


def recompute(function: Callable[..., Any], *inputs: Any, **keywords: Any) -> Any:
    """Call a function, such as a Layer, and hold only its inputs until `backward()`, which calls it again.

    It saves the memory of the function's inner values for the time of one more forward pass. The results, and the gradients of
    inputs and parameters, are the same to the bit: random operators draw the same numbers both times, running statistics of
    batch_norm move once. The inputs must not be changed in place before `backward()`.

    Arguments:
        function: computes a Variable, or a list, tuple or dict of Variables, from the inputs. It must do the same at each call.
        inputs, keywords: what it is called with.

    Returns:
        What the function returns.

    Raises:
        ArgumentTypeError: function cannot be called.
        ModeError: a Program is being built; there `FLAGS_recompute` chooses what is computed again.

    >>> import numpy as np
    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     block = fluid.dygraph.Sequential(fluid.dygraph.Linear(4, 64, act='tanh'), fluid.dygraph.Linear(64, 4))
    ...     x = fluid.dygraph.to_variable(np.ones((2, 4), 'float32'))
    ...     loss = fluid.layers.mean(fluid.dygraph.recompute(block, x))
    ...     loss.backward()
    ...     block.parameters()[0].gradient().shape
    (4, 64)
    """
    require_imperative("recompute")
    if not callable(function):
        raise ArgumentTypeError(message("recompute", "function", describe(function), "a function or a Layer"))
    if not now().grad_enabled:
        return function(*inputs, **keywords)
    call, start = _Call(function, inputs, keywords), next_order()
    results = call.run()
    outputs = [each for each in _variables(results) if _order(each) > start]
    if not outputs:
        return results
    edges = {_key(edge): edge for node in _entries(outputs, start) for edge in node.edges if _leads_out(edge, start)}
    node = Node()
    node.run, node.attrs, node.edges = _gradients, {}, tuple(edges.values())
    node.saved = (call, list(edges))
    node.order, node.stamp, node.grads, node.owned = next_order(), -1, None, None
    node.metas = tuple([ArraySpec(each.array) for each in outputs])
    for slot, output in enumerate(outputs):
        output.node = node if len(outputs) == 1 else Port(node, slot)
    return results


class _Call:
    """A call that can be repeated with the same random numbers.

    Arguments:
        function, inputs, keywords: the call.
    """

    def __init__(self, function: Callable[..., Any], inputs: tuple, keywords: dict[str, Any]) -> None:
        self.function, self.inputs, self.keywords = function, inputs, keywords
        self._training = now().training
        self._drawn = generator().bit_generator.state

    def run(self) -> Any:
        return self.function(*self.inputs, **self.keywords)

    def again(self) -> Any:
        """Run the call as it ran the first time."""
        with changed(grad_enabled=True, training=self._training, retaining=False), _repeated(self._drawn):
            return self.run()


@contextmanager
def _repeated(drawn: Mapping[str, Any]) -> Iterator[None]:
    """Draw from a former state of the generator in the block, and from where it is now behind it."""
    bits = generator().bit_generator
    later, bits.state = bits.state, drawn
    token = repeating.set(True)
    try:
        yield
    finally:
        repeating.reset(token)
        bits.state = later


def _gradients(node: Node) -> list:
    """Run the call again, and return the gradients of what it depends on."""
    call, keys = node.saved
    start = next_order()
    outputs = [each for each in _variables(call.again()) if _order(each) > start]
    if len(outputs) != len(node.metas):
        raise GraphError(
            f"recompute: {call.function!r} has returned {len(node.metas)} Variables with a gradient, and {len(outputs)} when it "
            "was called again by backward(). It has to compute the same at each call."
        )
    leaves = {key: Variable(None) for key in keys}
    for entry in _entries(outputs, start):
        entry.edges = tuple([leaves.get(_key(e)) if _leads_out(e, start) else e for e in entry.edges])
    arrived = [(output, g) for output, g in zip(outputs, node.grads or (), strict=True) if g is not None]
    found = run([output for output, _ in arrived], [g for _, g in arrived], retain_graph=False)
    return [found[leaf][0] if leaf in found else None for leaf in leaves.values()]


def _variables(results: Any) -> list[Variable]:
    """Return the distinct Variables in results."""
    if isinstance(results, Variable):
        return [results]
    if isinstance(results, dict):
        results = results.values()
    elif not isinstance(results, (list, tuple)):
        return []
    return list({id(each): each for result in results for each in _variables(result)}.values())


def _order(output: Variable) -> int:
    """Return the number of the call that has made a Variable; -1 for one that is no result of a recorded call."""
    return -1 if output.node is None else target(output.node).order


def _leads_out(edge: Any, start: int) -> bool:
    """Return whether an edge leads to what was there before the call `start`."""
    return edge is not None and (type(edge) not in (Node, Port) or target(edge).order < start)


def _key(edge: Any) -> tuple[int, int]:
    """Return what is equal for edges to the same gradient."""
    return (id(edge.node), edge.slot) if type(edge) is Port else (id(edge), 0)


def _entries(outputs: Sequence[Variable], start: int) -> list[Node]:
    """Return the tape entries behind a call that the outputs depend on."""
    found: dict[int, Node] = {}
    waiting = [target(output.node) for output in outputs]
    while waiting:
        node = waiting.pop()
        if id(node) not in found:
            found[id(node)] = node
            waiting += [target(e) for e in node.edges if e is not None and not _leads_out(e, start)]
    return list(found.values())
