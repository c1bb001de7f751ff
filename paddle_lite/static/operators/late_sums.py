"""Sums of arrays whose elements have been moved: the arrays are added up first, and the elements moved once.

So the gradient of a weight that every step of a recurrence cuts to pieces is a sum of products again, which passes join.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...ops.framework.traits import Concat, Reshape, Sum
from ..program.block import Block
from ..program.operator import Operator
from ..program.variable import Variable
from .structural import EMPTY


def late_sums(block: Block, ops: Sequence[Operator]) -> list[Operator]:
    """Return operators that compute the same, whose sums are computed before their terms are reshaped or put together."""
    readers = Counter(name for op in ops for name in op.input_arg_names)
    makers = {name: op for op in ops for name in op.output_arg_names if name != EMPTY}
    gone: set[int] = set()

    def summed(total: Operator) -> list[Operator]:
        terms = total.input("X")
        moves = [makers.get(name) for name in terms]
        first = moves[0]
        if first is None or len(terms) < 2 or any(each is None or not _alike(each, first, readers) for each in moves):
            return [total]
        found, inputs = [], []
        for number, of in enumerate(first.input("X")):
            name = f"{total.output('Out')[0]}@{number}"
            variable = block.vars[name] = Variable(block, name=name)
            variable.set_meta(block.variable(of).meta)
            rows = [move.input("X")[number] for move in moves if move is not None]
            found += summed(Operator(block, total.type, {"X": rows}, {"Out": [name]}, dict(total.attrs), total.line))
            inputs.append(name)
        gone.update(id(move) for move in moves)
        outputs = {**first.outputs, "Out": total.output("Out")}
        return [
            *found,
            Operator(block, first.type, {**first.inputs, "X": inputs}, outputs, dict(first.attrs), total.line),
        ]

    made = [each for op in ops for each in (summed(op) if _adds(op) else [op])]
    return [op for op in made if id(op) not in gone]


def _adds(op: Operator) -> bool:
    return op.declared is not None and isinstance(op.declared.traits.algebra, Sum)


def _alike(op: Operator, first: Operator, readers: Counter[str]) -> bool:
    """Return whether an operator moves elements as another one does, for one reader."""
    traits = None if op.declared is None else op.declared.traits
    if traits is None or not (isinstance(traits.view, Reshape) or isinstance(traits.algebra, Concat)):
        return False
    once = sum(readers[name] for name in op.output_arg_names) == 1
    same = op.type == first.type and op.attrs == first.attrs and len(op.input("X")) == len(first.input("X"))
    return same and once and not any(names for slot, names in op.inputs.items() if slot != "X")
