"""Copies of Programs: complete ones, those for tests, and pruned ones."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from .block import Block
from .operator import Operator
from .program import Program
from .roles import OpRole
from .variable import Variable

TRAINING = OpRole.Backward | OpRole.Optimize | OpRole.LRSched


def clone(program: Program, for_test: bool) -> Program:
    """Return a copy of a Program; with `for_test` without training operators, and with `is_test` set."""
    if not for_test:
        return copy_program(program, lambda op: True)
    result, _ = without_training(program)
    return for_tests(result)


def for_tests(program: Program) -> Program:
    """Set `is_test` on the operators that have it, and no seed for further operators; return the Program."""
    program._seed = 0
    for op in program.all_ops():
        if op.has_attr("is_test"):
            op.attrs["is_test"] = True
    return program


def without_training(program: Program) -> tuple[Program, list[int]]:
    """Return a copy without operators that compute gradients or update parameters, and the index that each block had.

    As in 1.8.5, a Program in which no operator is marked as the loss keeps all: what computes a learning rate that is not
    used yet, and what `fluid.gradients` has appended.
    """
    ops = program.all_ops()
    if not any(op.role & OpRole.Loss for op in ops):
        return copy_program(program, lambda op: True), list(range(len(program.blocks)))
    result = copy_program(program, lambda op: not op.role & TRAINING)
    if any(op.role & TRAINING for op in ops):
        data = [name for name, v in program.global_block().vars.items() if v.is_data]
        return result, drop_unused(result, keep=data)
    return result, list(range(len(result.blocks)))


def prune(program: Program, targets: Any, inputs: Iterable[Any] = ()) -> Program:
    """Return a copy with only the operators that the targets need, as `pruned` does."""
    return pruned(program, targets, inputs)[0]


def pruned(program: Program, targets: Any, inputs: Iterable[Any] = ()) -> tuple[Program, list[int]]:
    """Return a copy with only the operators that the targets need, except those that compute the `inputs`.

    Arguments:
        targets: Variables, their names, or operators.
        inputs: Variables that will be fed, or their names.

    Returns:
        The copy, and the index that each of its blocks had.

    Raises:
        ArgumentValueError: a target is not a Variable of the first block.
        ArgumentTypeError: a target is not a Variable, a name or an operator.
    """
    targets = targets if isinstance(targets, (list, tuple)) else [targets]
    wanted: set[str] = set()
    whole: set[int] = set()
    for target in targets:
        if isinstance(target, Operator):
            whole.add(id(target))
        elif isinstance(target, (str, Variable)):
            name = target if isinstance(target, str) else target.name
            if not program.global_block().has_var(name):
                raise ArgumentValueError(
                    message("Program._prune", "targets", repr(name), "Variables of the Program's first block")
                )
            wanted.add(name)
        else:
            raise ArgumentTypeError(
                message("Program._prune", "targets", describe(target), "Variables, names or operators")
            )
    parameters = {p.name for p in program.all_parameters()}

    def updates(op: Operator) -> bool:
        """Return whether an operator belongs to an optimizer and updates a parameter: it is kept only as a target."""
        return bool(op.role & OpRole.Optimize) and not parameters.isdisjoint(op.output_arg_names)

    fed = {v if isinstance(v, str) else v.name for v in inputs}
    needed, keep = set(wanted), set()
    for op in reversed(program.global_block().ops):
        outputs = op.output_arg_names
        if id(op) in whole or (not updates(op) and any(n in needed and n not in fed for n in outputs)):
            keep.add(id(op))
            needed.difference_update(n for n in outputs if n not in op.input_arg_names)
            needed.update(op.input_arg_names)
            needed.update(_read_inside(op))
    home = program.global_block()
    result = copy_program(program, lambda op: op.block is not home or id(op) in keep)
    origins = drop_unused(result, keep=wanted | fed)
    result._readers = [r for r in program._readers if not needed.isdisjoint(r.names) and not fed.issuperset(r.names)]
    return result, origins


def _read_inside(op: Operator) -> set[str]:
    """Return the names that the blocks of an operator read."""
    names: set[str] = set()
    for value in op.attrs.values():
        if isinstance(value, Block):
            for inner in value.ops:
                names.update(inner.input_arg_names)
                names |= _read_inside(inner)
    return names


def copy_program(
    program: Program, keep: Callable[[Operator], bool], first_ops: Sequence[Operator] | None = None
) -> Program:
    """Return a copy of a Program with all Variables and the operators for which `keep` returns True.

    With `first_ops` the first block has these operators instead of its own.
    """
    result = Program()
    result._seed = program._seed
    result.blocks = [Block(result, b.idx, b.parent_idx) for b in program.blocks]
    result.current_block_idx = program.current_block_idx
    result._readers = list(program._readers)
    made: dict[int, Operator] = {}
    for old, new in zip(program.blocks, result.blocks, strict=True):
        new.forward_block_idx = old.forward_block_idx
        for name, variable in old.vars.items():
            twin = copy.copy(variable)
            twin.block, twin.op = new, None
            new.vars[name] = twin
    for old, new in zip(program.blocks, result.blocks, strict=True):
        for op in old.ops if first_ops is None or old.idx else first_ops:
            if keep(op):
                made[id(op)] = _copied_op(op, new, made)
                new.place(made[id(op)])
                made[id(op)].after_readers = op.after_readers
    return result


def _copied_op(op: Operator, block: Block, made: dict[int, Operator]) -> Operator:
    blocks = block.program.blocks
    attrs = {
        name: [_twin(each, blocks) for each in value] if isinstance(value, list) else _twin(value, blocks)
        for name, value in op.attrs.items()
    }
    inputs = {slot: list(names) for slot, names in op.inputs.items()}
    outputs = {slot: list(names) for slot, names in op.outputs.items()}
    twin = Operator(block, op.type, inputs, outputs, attrs, op.line, op._definition)
    twin.from_file, twin.bare, twin.is_target = op.from_file, op.bare, op.is_target
    twin.forward = None if op.forward is None else made.get(id(op.forward))
    return twin


def _twin(value: Any, blocks: Sequence[Block]) -> Any:
    return blocks[value.idx] if isinstance(value, Block) else value


def drop_unused(program: Program, keep: Iterable[str] = ()) -> list[int]:
    """Remove blocks that no operator owns, and Variables that none reads or writes, except those in `keep`.

    Returns:
        The index that each block had before.
    """
    origins = drop_unowned_blocks(program)
    used = set(keep)
    for op in program.all_ops():
        used.update(op.input_arg_names)
        used.update(op.output_arg_names)
    for block in program.blocks:
        for name in [n for n, v in block.vars.items() if n not in used]:
            del block.vars[name]
    return origins


def drop_unowned_blocks(program: Program) -> list[int]:
    """Remove blocks that no operator owns, such as the gradients of a loop, and renumber the others.

    Returns:
        The index that each block had before.
    """
    owned = [program.blocks[0]]
    known = {id(program.blocks[0])}
    for block in owned:
        for op in block.ops:
            for value in op.attrs.values():
                for inner in value if isinstance(value, list) else [value]:
                    if isinstance(inner, Block) and id(inner) not in known:
                        known.add(id(inner))
                        owned.append(inner)
    program.blocks = [block for block in program.blocks if id(block) in known]
    origins = [block.idx for block in program.blocks]
    moved = {origin: place for place, origin in enumerate(origins)}
    for block in program.blocks:
        block.idx = moved[block.idx]
        block.parent_idx = moved.get(block.parent_idx, -1)
        block.forward_block_idx = moved.get(block.forward_block_idx, -1)
    program.current_block_idx = moved.get(program.current_block_idx, 0)
    return origins
