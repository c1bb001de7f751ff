"""Plans for exact sizes: a recurrence whose inputs have sizes that the Program does not know is planned again for those of its runs.

Most passes need no sizes. Rounds of a recurrence become one kernel only where all sizes are known, so a Program that
multiplies with one weight several times, or has a `recurrent` operator, gets a Plan of its own for the shapes that it is run
with often. In such a Plan the steps of `recurrent` operators are written out (operators/unrolled.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ...core.dtype import VarType
from ...core.errors import EnforceNotMet
from ...ops.framework.traits import Matmul
from ..operators.composed import composed
from ..operators.late_sums import late_sums
from ..operators.structural import EMPTY
from ..operators.unrolled import recurrences, written_out
from ..program.block import Block
from ..program.operator import Operator
from ..program.program import Program
from ..program.shape_inference import infer_outputs
from ..program.variable import Variable

if TYPE_CHECKING:
    from .plan import Plan

AFTER = 16
"""The number of runs with the same shapes, after which these get a Plan of their own."""
OPERATORS, LONGEST = 128, 256
"""The operators written out for which AFTER runs are waited: with more of them the wait is longer, up to LONGEST runs. Planning an
operator takes as long as is saved in some hundred runs."""
MOST = 4
"""The limit of Plans for exact sizes."""
PARTS, MOST_PARTS = 25, 8192
"""The operators that one which is taken apart counts as, and their limit in a Plan: planning so many takes two seconds."""
LEAST = 4
"""The least number of products with one weight in a recurrence."""


class ExactPlans:
    """The Plans of a Program for exact sizes.

    Arguments:
        program: the Program. plan: its Plan for any sizes.
    """

    def __init__(self, program: Program, plan: Plan) -> None:
        self._program, self._general = program, plan
        self._runs: Counter[Hashable] = Counter()
        self._plans: dict[Hashable, Plan | None] = {}

    def plan(self, key: Hashable, values: Sequence[Any]) -> Plan | None:
        """Return the Plan for inputs of these shapes; None for those that have no Plan of their own.

        Arguments:
            key: what identifies their shapes. values: the inputs.
        """
        if key in self._plans or len(self._plans) >= MOST:
            return self._plans.get(key)
        self._runs[key] += 1
        if self._runs[key] <= _wait(self._general.operators_in_steps()):
            return None
        self._runs.clear()
        self._plans[key] = found = self._planned([value.shape for value in values])
        return found

    def _planned(self, shapes: Sequence[tuple[int, ...]]) -> Plan | None:
        """Return the Plan for these shapes; None if inference refuses them."""
        program = self._program.clone()
        block = program.global_block()
        for name, shape in zip(self._general.inputs, shapes, strict=True):
            variable = block.variable(name)
            variable.set_meta(variable.meta._replace(shape=shape))
        ops: list[Operator] = []
        start = 0  # of the second half, if the Plan runs in two
        apart = size_of(self._general.ops) + self._general.operators_in_steps() <= MOST_PARTS
        try:
            for number, op in enumerate(written_out(block)):
                for each in _taken_apart(block, op) if apart else [op]:
                    _infer(each)
                    ops.append(each)
                if number < self._general.first:
                    start = len(ops)
        except EnforceNotMet:
            return None  # the Plan for any sizes names the operator when it runs
        block.ops[:] = [*ops[:start], *late_sums(block, ops[start:])]
        return self._general.of(program, start)


def _taken_apart(block: Block, op: Operator) -> list[Operator]:
    """Return the operators of a block that an operator is composed of; itself, if it is not."""
    parts = composed(op)
    for each in parts:
        for name in each.output_arg_names:
            if name not in block.vars and name != EMPTY:
                made = block.vars[name] = Variable(block, name=name)
                made.set_meta(each.block.variable(name).meta)
    for each in parts:
        each.block = block
    return parts


def size_of(ops: Iterable[Operator]) -> int:
    """Return the number of operators, with the parts of those that are taken apart."""
    return sum(PARTS if op.declared is not None and op.declared.traits.composed is not None else 1 for op in ops)


def _wait(operators: int) -> int:
    """Return after how many runs shapes get a Plan of their own, if it writes out so many operators."""
    return min(LONGEST, AFTER * max(1, operators // OPERATORS))


def _infer(op: Operator) -> None:
    """Set the shapes of what an operator makes; a gradient has the shape of its variable."""
    forward = op.forward
    if forward is None or op.definition.forward is None:
        infer_outputs(op)
        return
    for slot, names in op.outputs.items():
        sources = forward.inputs.get(slot.removesuffix("@GRAD")) or ()
        for name, source in zip(names, sources, strict=False):
            if name != EMPTY:
                made = op.block.variable(name)
                made.set_meta(made.meta._replace(shape=op.block.variable(source).shape))


def gains(program: Program, plan: Plan) -> bool:
    """Return whether a Program may gain by Plans for exact sizes: a recurrence with inputs of sizes that it does not know."""
    block = program.global_block()
    variables = [block.find(name) for name in plan.inputs]
    if "chains" not in plan.passes or plan.device != "cpu" or plan.ragged:
        return False
    if any(variable is None or variable.type != VarType.LOD_TENSOR for variable in variables):
        return False
    if any(isinstance(op.attrs.get("sub_block"), Block) for op in block.ops):
        return plan.unrolls and bool(recurrences(block))
    if all(min(variable.shape, default=0) >= 0 for variable in variables if variable is not None):
        return False
    weights = Counter(name for op in plan.ops for name in _weights(op) if name != EMPTY)
    return max(weights.values(), default=0) >= LEAST


def _weights(op: Operator) -> Iterable[str]:
    """Return the names with which an operator multiplies rows, or may do so if it is composed of others."""
    traits = None if op.declared is None else op.declared.traits
    if traits is None or (traits.composed is None and not isinstance(traits.algebra, Matmul)):
        return ()
    return op.input_arg_names if traits.composed is not None else op.inputs.get("Y") or ()
