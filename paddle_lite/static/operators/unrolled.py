"""Recurrences written out: the steps of a `recurrent` operator, and of its gradient, one behind the other in the outer block.

A Plan for exact sizes knows the number of steps. Written out, they go through the passes that recurrences without a block
go through: products of all steps become one, rounds of small kernels become a chain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...ops.framework.spec import OpDef
from ..program.block import Block
from ..program.operator import Operator
from ..program.variable import Variable
from .structural import EMPTY

MOST = 4096
"""The limit of the operators that a recurrence is written out to: Plans take time that grows with their operators."""


def recurrences(block: Block) -> list[Operator]:
    """Return the `recurrent` operators of a block, if these and their gradients are all its operators with blocks, none reads a
    Variable with a LoD, which steps would propagate, and each step is a function of its inputs; else [].
    """
    found, others = [], False
    for op in block.ops:
        inner = op.attrs.get("sub_block")
        if isinstance(inner, Block):
            ragged = any((v := block.find(name)) is not None and v.lod_level for name in op.input_arg_names)
            others = others or ragged or op.type not in ("recurrent", "recurrent_grad") or not _plain(inner)
            found += [op] if op.type == "recurrent" else []
    return [] if others else found


def _plain(block: Block) -> bool:
    """Return whether the operators of a block are functions of their inputs, and write Variables of the block only."""
    for op in block.ops:
        definition = op.declared
        if definition is None or definition.effects or definition.wants_site or "sub_block" in op.attrs:
            return False
        if any(name != EMPTY and _lasts(block, name) for name in op.output_arg_names):
            return False
    return True


def _lasts(block: Block, name: str) -> bool:
    variable = block.find(name)
    return variable is None or variable.persistable or variable.block.idx < block.idx


class Unrolled:
    """The steps of a recurrence, written out.

    Arguments:
        op: the `recurrent` operator, in the Program that is changed. steps: their number.

    Attributes:
        operators: the operators that run in its place.
    """

    def __init__(self, op: Operator, steps: int) -> None:
        self.op, self.block, self.inner = op, op.block, op.attrs["sub_block"]
        order = range(steps - 1, -1, -1) if op.attr("reverse") else range(steps)
        self.order = list(order)
        self.operators: list[Operator] = []
        self._of: dict[tuple[int, int], Operator] = {}  # (id of an operator of the block, step) -> its copy
        self._count = 0
        sequences, self.outputs = op.input("inputs"), op.output("outputs")
        self.handed = dict(zip(op.attr("ex_states"), op.attr("states"), strict=True))
        rows = {name: self._unstacked(name, name, steps, self.operators) for name in dict.fromkeys(sequences)}
        before = dict(zip(op.attr("ex_states"), op.input("initial_states"), strict=True))
        self.names: dict[int, dict[str, str]] = {}  # step -> name in the block -> name in the outer block
        for step in self.order:
            names = self.names[step] = {**before, **{name: each[step] for name, each in rows.items()}}
            self._copied(self.inner, step, names, self.operators)
            before = {ex: names[state] for ex, state in self.handed.items()}
        for name in self.outputs:
            self._stacked([self.names[step][name] for step in range(steps)], name, self.operators, op)

    def gradient(self, op: Operator) -> list[Operator]:
        """Return the operators that run in the place of a `recurrent_grad` operator."""
        made: list[Operator] = []
        steps, block = len(self.order), op.attrs["sub_block"]
        arriving = op.inputs.get("outputs@GRAD") or [EMPTY] * len(self.outputs)
        rows = {
            name: self._unstacked(each, name, steps, made)
            for name, each in zip(self.outputs, arriving, strict=True)
            if each != EMPTY
        }
        ends = [*self.outputs, *self.handed.values()]
        seeds = {seed: name for seed, name in zip(op.attr("seeds"), ends, strict=True) if seed != EMPTY}
        found = {of: each for of, each in zip(op.attr("of"), op.attr("found"), strict=True) if each != EMPTY}
        read = {name for each in block.ops for name in each.input_arg_names} | set(found.values())
        gradients: dict[str, list[str]] = {name: [EMPTY] * steps for name in found}
        back: dict[str, str] = {}  # state that a step receives -> its gradient
        for step in reversed(self.order):
            names = dict(self.names[step])
            for seed, name in seeds.items():
                if seed in read:
                    terms = [rows[name][step]] if name in rows else []
                    terms += [back[ex] for ex, state in self.handed.items() if state == name and ex in back]
                    names[seed] = self._summed(terms, names[name], made, op)
            self._copied(block, step, names, made)
            for name, each in found.items():
                gradients[name][step] = names[each]
            back = {ex: names[found[ex]] for ex in self.handed if ex in found}
        self._handed_out(op, gradients, made)
        return made

    def _handed_out(self, op: Operator, gradients: dict[str, list[str]], made: list[Operator]) -> None:
        """Add the operators that make the gradients of sequences, of the first states and of parameters."""
        received = {"initial_states": list(self.handed)}  # the names in the block, where these differ
        for slot in ("inputs", "initial_states", "parameters"):
            outer, wanted = op.inputs.get(slot) or [], op.outputs.get(f"{slot}@GRAD") or []
            for name, inner, to in zip(outer, received.get(slot, outer), wanted, strict=True):
                rows = gradients.get(inner)
                if to == EMPTY:
                    continue
                if rows is None:
                    made.append(self._operator("fill_zeros_like", {"X": [name]}, {"Out": [to]}, {}, op))
                elif slot == "inputs":
                    self._stacked(rows, to, made, op)
                elif slot == "initial_states":
                    made.append(self._operator("assign", {"X": [rows[self.order[0]]]}, {"Out": [to]}, {}, op))
                else:
                    terms = [rows[step] for step in reversed(self.order)]
                    made.append(self._operator("sum", {"X": terms}, {"Out": [to]}, {}, op))

    # --- operators --------------------------------------------------------------------------------------------------------

    def _copied(self, block: Block, step: int, names: dict[str, str], made: list[Operator]) -> None:
        """Add copies of a block's operators for a step; `names` gets the names of what they write."""
        for op in block.ops:
            inputs = {slot: [names.get(n, n) for n in each] for slot, each in op.inputs.items()}
            for name in op.output_arg_names:
                if name != EMPTY:
                    names[name] = self._variable(block, name, step)
            outputs = {slot: [names.get(n, n) for n in each] for slot, each in op.outputs.items()}
            copy = self._operator(op.type, inputs, outputs, dict(op.attrs), op, op._definition)
            copy.forward = self._of.get((id(op.forward), step), op.forward)
            self._of[id(op), step] = copy
            made.append(copy)

    def _operator(
        self, type: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], attrs: dict[str, object],
        like: Operator, definition: OpDef | None = None,
    ) -> Operator:  # fmt: skip
        """Return an operator of the outer block with the role and the line of another one."""
        roles = {key: like.attrs[key] for key in ("op_role",) if key in like.attrs}
        return Operator(self.block, type, inputs, outputs, {**attrs, **roles}, like.line, definition)

    def _variable(self, block: Block, name: str, step: int) -> str:
        """Return the name of a new Variable of the outer block, which is like one of an inner block."""
        like = block.variable(name)
        self._count += 1
        found = f"{name}@step{step}@{self.op.output('outputs')[0]}@{self._count}"
        variable = self.block.vars[found] = Variable(self.block, name=found)
        variable.set_meta(like.meta)
        variable.stop_gradient = like.stop_gradient
        return found

    def _unstacked(self, whole: str, name: str, steps: int, made: list[Operator]) -> list[str]:
        """Return the names of the rows of a Variable, one for each step, like the Variable `name` of the recurrence's block."""
        rows = [self._variable(self.inner, name, step) for step in range(steps)]
        made.append(self._operator("unstack", {"X": [whole]}, {"Y": rows}, {"axis": 0, "num": steps}, self.op))
        return rows

    def _stacked(self, rows: Sequence[str], whole: str, made: list[Operator], like: Operator) -> None:
        """Add the operator that puts rows together."""
        made.append(self._operator("stack", {"X": list(rows)}, {"Y": [whole]}, {"axis": 0}, like))

    def _summed(self, terms: Sequence[str], of: str, made: list[Operator], like: Operator) -> str:
        """Return the name of the sum of gradients of a Variable: zeros, if there are none."""
        if len(terms) == 1:
            return terms[0]
        total = self._variable(self.block, of, 0)
        type, inputs = ("sum", list(terms)) if terms else ("fill_zeros_like", [of])
        made.append(self._operator(type, {"X": inputs}, {"Out": [total]}, {}, like))
        return total


def operators_of(op: Operator, steps: int, gradients: Sequence[Operator]) -> int:
    """Return how many operators a recurrence with gradients is written out to."""
    inner = [op, *gradients]
    return steps * sum(len(each.attrs["sub_block"].ops) for each in inner)


def written_out(block: Block) -> Iterator[Operator]:
    """Yield the operators of a block in order, those of recurrences written out; the caller infers the shapes of each before it
    takes the next one.
    """
    known: dict[int, Unrolled] = {}
    emptied: list[Block] = []
    for op in list(block.ops):
        if op.type == "recurrent":
            steps = block.variable(op.input("inputs")[0]).shape[0]
            gradients = [each for each in block.ops if each.forward is op]
            if 0 < steps and operators_of(op, steps, gradients) <= MOST:
                known[id(op)] = unrolled = Unrolled(op, steps)
                yield from unrolled.operators
                emptied.append(op.attrs["sub_block"])
                continue
        if op.type == "recurrent_grad" and id(op.forward) in known:
            yield from known[id(op.forward)].gradient(op)
            emptied.append(op.attrs["sub_block"])
            continue
        yield op
    for inner in emptied:
        inner.ops.clear()  # a Variable that blocks write, too, has several values
