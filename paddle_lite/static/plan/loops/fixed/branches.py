"""Branches inside of a loop whose rounds are one kernel: a round computes both, and takes what the condition says.

What a branch computes has no effects, so that it may be computed in vain. The operators of its block take the place of the operator,
with names of their own, and an operator behind them chooses. Of a gradient what is chosen is it, or zeros.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from .....core.dtype import VarType
from .....kernels.codegen.expression import Node, make
from .....kernels.codegen.expression import name as read
from .....ops.framework.traits import Matmul
from ....operators.structural import EMPTY
from ....program.block import Block
from ....program.operator import Operator
from ....program.variable import Variable
from ...needed import needed_operators
from ...passes.changes import algebra_of
from ..limits import Unfit

if TYPE_CHECKING:
    from ..loop import Loop

_X = read("x0")
_NOT = make("not", make("true", _X))
BRANCHES = frozenset({"conditional_block", "conditional_block_infer"})
GRADIENT = "conditional_block_grad"


class Branches:
    """The operators of a round with those of its branches in their place.

    Arguments:
        loop: the compiled loop.

    Attributes:
        outer: the block of the loop.
        unset: the names of what a branch of the round leaves without a value if it does not run -> its condition.
        inside: the names of what is computed in branches.

    Raises:
        Unfit: a branch is one of something else.
    """

    def __init__(self, loop: Loop) -> None:
        self.unset: dict[str, str] = {}
        self.inside: set[str] = set()
        self.outer = loop.op.attrs["sub_block"]
        self._block = Block(self.outer.program, 0, -1)
        self._set: set[str] = set()  # the names that have a value so far
        self._names: dict[int, dict[str, str]] = {}  # id of a branch -> name in its block -> name here
        self._copies: dict[int, Operator] = {}  # id of an operator in a branch -> the one here
        self._factors: dict[int, str] = {}  # id of a product in a branch -> its left factor, or zeros
        self._targets: dict[tuple[int, str], str] = {}  # (block, result without a value before) -> name here
        self._differentiated = bool(loop.gradients)
        self._choosing: set[int] = set()  # the ids of operators that are added here
        self.forward = list(self._flat(loop.ops[: loop.own]))
        self.backward = list(self._flat(loop.ops[loop.own :]))
        if self._names:
            self._check_conditions(loop)
            self._check_unset()

    def _flat(self, ops: Iterable[Operator]) -> Iterator[Operator]:
        """Yield operators with those of their branches in their place."""
        for op in ops:
            yield from self._apart(op, {}) if op.type in BRANCHES or op.type == GRADIENT else [op]
            self._set.update(op.output_arg_names)

    def _inlined(self, ops: Iterable[Operator], names: dict[str, str]) -> Iterator[Operator]:
        """Yield the operators of a block inside; names: name in the block -> name here, to which those of results are added."""
        for op in ops:
            if op.type not in BRANCHES and op.type != GRADIENT:
                yield self._renamed(op, names)
                continue
            own = {n: self._named(n, op.block) for n in op.output_arg_names if n != EMPTY}
            yield from self._apart(op, names, own)
            names.update(own)

    def _apart(
        self, op: Operator, names: dict[str, str], own: Mapping[str, str] = MappingProxyType({})
    ) -> Iterator[Operator]:
        """Yield the operators that a branch, or its gradient, consists of; own: name of a result -> name here."""
        yield from self._gradient(op, names, own) if op.type == GRADIENT else self._branch(op, names, own)

    def _branch(self, op: Operator, names: dict[str, str], own: Mapping[str, str]) -> Iterator[Operator]:
        """Yield the operators of a branch, and those that choose its results."""
        block, results = op.attrs["sub_block"], op.output("Out")
        inner = needed_operators(block, results)
        writes = Counter(n for each in inner for n in each.output_arg_names if n != EMPTY)
        if len(op.input("Cond")) != 1 or not op.attr("is_scalar_condition") or max(writes.values(), default=1) > 1:
            raise Unfit(f"{op.type} has no form in one kernel")
        [condition] = (names.get(n, n) for n in op.input("Cond"))
        within = self._names[id(op)] = dict(names)
        for name in results:
            if writes[name] and names.get(name, name) not in self._set and name in op.block.vars:
                self._targets[block.idx, name] = to = own.get(name, name)
                self.unset[to] = condition
        for each in inner:
            if self._differentiated and isinstance(algebra_of(each), Matmul):
                [x] = (within.get(n, n) for n in each.input("X"))
                self._factors[id(each)] = to = self._like(x, f"{x}@{block.idx} or zeros", block)
                yield self._or_zeros(x, to, condition, op)
            yield from self._inlined([each], within)
        for name in results:
            to = own.get(name, name)
            if writes[name] and (block.idx, name) not in self._targets:
                choices = {"X": [names.get(name, name), within[name]], "Mask": [condition]}
                yield self._operator("select_input", choices, {"Out": [to]}, op)
            self._set.add(to)

    def _renamed(self, op: Operator, names: dict[str, str]) -> Operator:
        """Return an operator of a branch with the names that its Variables have here."""
        forward = None if op.forward is None else self._copies.get(id(op.forward), op.forward)
        inputs = {slot: [names.get(n, n) for n in given] for slot, given in op.inputs.items()}
        if forward is not None and op.definition.forward is not None:
            known = {**forward.outputs, **forward.inputs}
            inputs |= {slot: known[slot] for slot in inputs if slot in known}
        outputs = {slot: [self._named(n, op.block) for n in made] for slot, made in op.outputs.items()}
        for slot, made in op.outputs.items():
            names.update({n: to for n, to in zip(made, outputs[slot], strict=True) if n != EMPTY})
        copy = Operator(self._block, op.type, inputs, outputs, dict(op.attrs), op.line, op.definition)
        copy.forward = forward
        self._copies[id(op)] = copy
        here = {n for n in copy.output_arg_names if n != EMPTY}
        self.inside |= here
        self._set |= here
        return copy

    def _named(self, name: str, block: Block) -> str:
        """Return the name that a Variable of a branch has here, and add it."""
        if name == EMPTY:
            return name
        return self._like(name, self._targets.get((block.idx, name), f"{name}@{block.idx}"), block)

    def _like(self, name: str, to: str, block: Block) -> str:
        """Add a Variable like one of this name, here or in a block; return its name."""
        known = self._block.find(name)
        known = block.find(name) if known is None else known
        if known is None:
            raise Unfit(f"a branch has {name}, of which nothing is known")
        variable = self._block.vars[to] = Variable(self._block, name=to)
        variable.set_meta(known.meta)
        return to

    def _operator(
        self, type: str, inputs: dict[str, list[str]], outputs: dict[str, list[str]], like: Operator
    ) -> Operator:
        made = Operator(self._block, type, inputs, outputs, {}, like.line)
        self._choosing.add(id(made))
        return made

    # --- gradients ----------------------------------------------------------------------------------------------------

    def _gradient(self, op: Operator, names: dict[str, str], own: Mapping[str, str]) -> Iterator[Operator]:
        """Yield the operators of the gradient of a branch, and those that choose its results."""
        forward = op.forward
        if forward is None or id(forward) not in self._names:
            raise Unfit(f"{op.type} has no form in one kernel")
        within = {**self._names[id(forward)], **names}
        results, arriving = forward.output("Out"), dict[str, str]()
        given = op.inputs.get("Out@GRAD") or [EMPTY] * len(results)
        for seed, result, outer in zip(op.attr("seeds"), results, given, strict=True):
            if seed != EMPTY and outer == EMPTY:
                raise Unfit(f"the gradient of {result} is missing")
            if seed != EMPTY:
                within[seed] = arriving[result] = names.get(outer, outer)
        [condition] = (self._names[id(forward)].get(n, n) for n in forward.input("Cond"))
        made = [n for slot in op.definition.outputs for n in op.outputs.get(slot.name) or ()]
        wanted = [
            (of, n, own.get(to, to))
            for of, n, to in zip(op.attr("of"), op.attr("found"), made, strict=True)
            if to != EMPTY
        ]
        inner = needed_operators(op.attrs["sub_block"], [n for n in op.attr("found") if n != EMPTY])
        weights = {n: to for of, n, to in wanted if of not in arriving and n in _of_weights(inner)}
        for each in inner:
            if weights.keys().isdisjoint(each.output_arg_names):
                yield from self._inlined([each], within)
            else:
                yield from self._product(each, within, weights, condition)
        for of, name, to in wanted:
            if name in weights:
                continue
            if name not in within:
                raise Unfit(f"a branch gives {of} no gradient")
            if of in arriving:
                choices = {"X": [arriving[of], within[name]], "Mask": [condition]}
                yield self._operator("select_input", choices, {"Out": [to]}, op)
            else:
                yield self._or_zeros(within[name], to, condition, op)

    def _or_zeros(self, name: str, to: str, condition: str, like: Operator) -> Operator:
        """Return the operator that makes what a branch computes, or zeros where it does not run."""
        choices = {"Mask": [condition], "Out@GRAD": [name]}
        return self._operator("select_input_grad", choices, {"X@GRAD": [EMPTY, to]}, like)

    def _product(
        self, op: Operator, names: dict[str, str], weights: Mapping[str, str], condition: str
    ) -> Iterator[Operator]:
        """Yield the gradient of a product in a branch, whose factors are zeros where it does not run.

        So the gradient of a weight, which is one product behind all rounds, needs no choice.
        """
        copy = self._renamed(op, names)
        [arriving] = copy.inputs["Out@GRAD"]
        to = self._like(arriving, f"{arriving}@{op.block.idx} or zeros", op.block)
        yield self._or_zeros(arriving, to, condition, op)
        if id(op.forward) not in self._factors:
            raise Unfit(f"the gradient of a product that is not in the branch: {op.type}")
        copy.inputs |= {"X": [self._factors[id(op.forward)]], "Out@GRAD": [to]}
        for slot, made in copy.outputs.items():
            copy.outputs[slot] = [weights.get(n, here) for n, here in zip(op.outputs[slot], made, strict=True)]
        yield copy

    # --- what has to hold ---------------------------------------------------------------------------------------------

    def _check_conditions(self, loop: Loop) -> None:
        """Raise Unfit if a condition may have another value where the branch's gradient, or what chooses, reads it."""
        writes = Counter(n for op in self.forward for n in op.output_arg_names)
        for op in self.forward:
            if op.definition.traits.chooses:
                [mask] = op.inputs["Mask"]
                if writes[mask] > 1 or mask in loop.results:
                    raise Unfit(f"the condition {mask} has several values in a round")

    def _check_unset(self) -> None:
        """Raise Unfit unless what a branch may leave without a value is read by what chooses it where the branch runs."""
        makers = {n: op for op in self.forward for n in op.output_arg_names}
        for op in self.forward:
            if op.definition.traits.chooses:
                self._check_choice(op, makers)
            elif not self.unset.keys().isdisjoint(op.input_arg_names):
                raise Unfit(f"{op.type} reads what a branch may leave without a value")

    def _check_choice(self, op: Operator, makers: dict[str, Operator]) -> None:
        [mask], choices = op.inputs["Mask"], op.inputs["X"]
        maker = makers.get(mask)
        if id(op) in self._choosing:
            taken = mask
        elif maker is not None and self._of_truth(maker) is _X:
            [taken] = maker.input_arg_names
        else:
            raise Unfit(f"{op.type} chooses by a number")
        for number, name in enumerate(choices):
            condition = self.unset.get(name)
            if condition is not None and not number:
                inverse = makers.get(condition)
                condition = (
                    inverse.input_arg_names[0] if inverse is not None and self._of_truth(inverse) is _NOT else ""
                )
            if condition not in (None, taken) or len(choices) != 2:
                raise Unfit(f"{op.type} chooses what a branch may leave without a value")

    def _of_truth(self, op: Operator) -> Node | None:
        """Return the expression of an operator of one truth value; None for others."""
        element = None if op.declared is None else op.declared.traits.element
        if element is None or len(op.input_arg_names) != 1:
            return None
        [x] = op.input_arg_names
        known = self._block.find(x)
        known = self.outer.find(x) if known is None else known
        truth = known is not None and known.dtype == VarType.BOOL
        return element.node(op.live_attrs(), [np.dtype(bool)]) if truth else None


def _of_weights(ops: Iterable[Operator]) -> set[str]:
    """Return the gradients of right factors of products."""
    of_products = (op for op in ops if op.definition.forward is not None)
    return {
        name
        for op in of_products
        if isinstance(op.definition.forward.traits.algebra, Matmul)  # type: ignore[union-attr]  # it has one
        for name in op.outputs.get("Y@GRAD") or ()
        if name != EMPTY
    }
