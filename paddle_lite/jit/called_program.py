"""Programs that are called in imperative mode: a call runs a Plan and is one entry of the tape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.mode import now, state
from ..core.place import CUDAPlace
from ..imperative.tape import Node, Port, next_order
from ..imperative.variable import Variable
from ..ops.framework.dispatch import ArraySpec
from ..static.autodiff.backward import gradients
from ..static.plan.plan import Plan
from ..static.plan.split import SplitPlan
from ..static.program.program import Program, program_guard


class CalledProgram:
    """A Program that is called like an operator.

    main_program: the Program.
    inputs, outputs: its Variables that are fed and fetched.
    held: the Variables of imperative mode that it reads, by their names in it.
    """

    main_program: Program
    inputs: Sequence[Any]
    outputs: Sequence[Any]
    held: dict[str, Variable]

    def prepare(self, ragged: Sequence[int]) -> None:
        """Set up calls, once Program, inputs, outputs and `held` are set.

        Arguments:
            ragged: the indices of the inputs that have a LoD.
        """
        self._ragged = tuple(ragged)
        self._plans: dict[Any, _Bound] = {}
        wanted = [(n, v) for n, v in self.held.items() if v.array.dtype.kind == "f"]
        self._names, self._wanted = [n for n, _ in wanted], [v for _, v in wanted]

    def outputs_for(self, values: Sequence[Variable], fed: tuple[int, ...]) -> list[Variable]:
        """Run the Program and return its outputs; record one entry of the tape.

        Arguments:
            values: a Variable for each input.
            fed: the indices of the inputs that need a gradient.
        """
        here = now()
        stopped = tuple([v.stopped for v in self._wanted]) if here.grad_enabled else None
        key = (stopped, fed, type(here.entered.place))
        bound = self._plans.get(key)
        if bound is None:
            bound = self._plans[key] = self._bound(stopped, fed)
        return bound.run(values)

    def _bound(self, stopped: tuple | None, fed: tuple[int, ...]) -> _Bound:
        """Return the Plan for the current `stop_gradient` of the parameters; None computes no gradients."""
        needed: tuple = ()
        if stopped is not None:
            needed = (*fed, *(n for n, s in zip(self._names, stopped, strict=True) if not s))
        return _Bound(self, needed, self._ragged, "gpu" if isinstance(state.place, CUDAPlace) else "cpu")


NOTHING = Variable(None)
"""Placeholder for inputs of a Plan that are not parameters."""


class _Bound:
    """A Plan of a CalledProgram, with precomputed lists of the Variables that it reads and writes.

    Arguments:
        needed: indices of inputs and names of parameters whose gradients are wanted.
        ragged: indices of the inputs that have a LoD.
    """

    def __init__(self, concrete: CalledProgram, needed: tuple, ragged: tuple, device: str) -> None:
        names = [v.name for v in concrete.inputs]
        once = {v.name: v for v in concrete.outputs}  # a Variable may be returned twice
        fetches, outputs = list(once), list(once.values())
        self.again = [fetches.index(v.name) for v in concrete.outputs] if len(once) < len(concrete.outputs) else None
        self.places = [i for i, v in enumerate(outputs) if not v.stop_gradient and v.meta.dtype.kind == "f"]
        targets = [outputs[i] for i in self.places]
        of_feed = {n: i for i, n in enumerate(names)}
        levels = [names[i] for i in ragged]
        self.split = False
        found: list[Any] = []
        wanted = [names[n] if isinstance(n, int) else n for n in needed]
        if needed and targets:
            program = concrete.main_program.clone()
            block = program.global_block()
            count = len(block.ops)
            arriving = [
                block.declare_var(name=f"{v.name}@ARRIVING", shape=v.shape, dtype=v.dtype, is_data=True)
                for v in targets
            ]
            with program_guard(program, Program()):
                found = gradients([block.var(v.name) for v in targets], [block.var(n) for n in wanted], arriving)
            read = {name for op in block.ops[count:] for name in op.input_arg_names}
            used = [
                v.name in read for v in arriving
            ]  # an output that does not depend on a source is none for gradients
            self.places = [i for i, u in zip(self.places, used, strict=True) if u]
            arriving = [v for v, u in zip(arriving, used, strict=True) if u]
        self.sources = [n for n, g in zip(needed, found, strict=False) if g is not None]
        if self.sources:
            self.split = True
            made = [g.name for g in found if g is not None]
            self.plan: Plan = SplitPlan(
                program, names, levels, fetches, count, [v.name for v in arriving], made, device
            )
        else:
            self.plan = Plan(concrete.main_program, names, levels, fetches, device)
        held = concrete.held
        self.reads: list[Any] = [held.get(n, NOTHING) for n in self.plan.inputs]
        self.feeds = [(place, of_feed[n]) for place, n in enumerate(self.plan.inputs) if n in of_feed]
        self.ragged = [of_feed[n] for n in self.plan.ragged]
        self.kept = [held.get(n) for n in self.plan.kept]
        self.edges: list[Any] = [n if isinstance(n, int) else held[n] for n in self.sources]
        self.count = len(fetches)

    def run(self, values: Sequence[Variable]) -> list[Variable]:
        """Run the Plan, update the parameters that it writes, and return the outputs."""
        arrays = [variable.array for variable in self.reads]
        for place, i in self.feeds:
            arrays[place] = values[i].array
        made = self.plan.run(arrays, [values[i].levels for i in self.ragged])
        results, lods, count = made[0], made[1], self.count
        for variable, array, lod in zip(self.kept, results[count:], lods[count:], strict=True):
            if variable is not None:
                variable.array, variable.levels = array, lod
        outputs = [
            Variable(array, stop_gradient=True, lod=lod)
            for array, lod in zip(results[:count], lods[:count], strict=True)
        ]
        if self.split:
            self._record(values, outputs, made[2])  # type: ignore[misc]
        return outputs if self.again is None else [outputs[i] for i in self.again]

    def _record(self, values: Sequence[Variable], outputs: list[Variable], second: Any) -> None:
        """Record the call as an entry of the tape; `second` is the second half of the Plan."""
        node = Node()
        node.run, node.saved, node.attrs = _backward, second, {}
        sources = [values[e] if type(e) is int else e for e in self.edges]
        node.edges = tuple([s if s.node is None else s.node for s in sources])
        node.order, node.stamp, node.grads, node.owned = next_order(), -1, None, None
        node.metas = tuple([ArraySpec(outputs[i].array) for i in self.places])
        single = len(self.places) == 1
        for slot, place in enumerate(self.places):
            output = outputs[place]
            output.stopped = False
            output.node = node if single else Port(node, slot)


def _backward(node: Node) -> tuple:
    """Run the second half of the Plan, and return the gradients of the call."""
    arriving = []
    for gradient, meta in zip(node.grads or (), node.metas, strict=True):
        if gradient is None:
            gradient = (state.xp or np).zeros(meta.shape, meta.dtype)
        arriving.append(gradient)
    return node.saved(arriving, last=not now().retaining)
