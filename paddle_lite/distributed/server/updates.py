"""The updates of a server: blocks of its Program as Programs of their own, each of which runs as one Plan.

All updates of a synchronous server run together, so their blocks become one Program: a kernel then adds, scales and
applies the gradients of all its parameters, and kernel threads share out their elements where there are enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...core.dtype import VarType
from ...static.plan.needed import outer_reads


class Update:
    """Blocks of a server's Program, one after the other.

    Arguments:
        program: the Program of the server.
        indices: the blocks.
        shared: names of variables that updates hand to each other, such as a decayed learning rate.
        sparse: names of gradients that are SelectedRows.
        growing: names of tables that get more rows; so does what has their shape.
    """

    def __init__(
        self, program: Any, indices: Sequence[int], shared: Iterable[str], sparse: Iterable[str],
        growing: Iterable[str] = (),
    ) -> None:  # fmt: skip
        self.program = program.clone()
        home = self.program.global_block()
        home.ops = []
        for block in map(self.program.block, indices):
            home.vars.update(block.vars)
            home.ops += block.ops
            block.ops = []
        for op in home.ops:
            op.block = home
        read = outer_reads(home.ops, ())
        updated = {name for op in home.ops for name in op.output_arg_names}
        for name, variable in home.vars.items():
            variable.persistable = name not in updated or name in read or name in shared
            if name in sparse:
                variable.type = VarType.SELECTED_ROWS
        shapes = {tuple(home.var(name).shape) for name in growing if name in read}
        for variable in home.vars.values():
            if tuple(variable.shape) in shapes:
                variable._shape, variable._meta = (-1, *variable.shape[1:]), None
        self.program._changed()

    def run(self, executor: Any, scope: Any) -> None:
        """Run the blocks on the variables of the Scope."""
        executor.run_program(self.program, None, [], scope, False)


class Updates(NamedTuple):
    """The updates of a server.

    decay: that of the learning rates; None if they are constant. single: that of each parameter, by its block. together:
    those of all parameters, in this order.
    """

    decay: Update | None
    single: dict[int, Update]
    together: list[Update]


def updates_of(program: Any, listen: Any, together: bool, growing: Iterable[str] = ()) -> Updates:
    """Return the updates of a server's Program.

    Arguments:
        listen: its operator listen_and_serv.
        together: whether all parameters are updated at the same time; else each by itself, and the other field is empty.
        growing: names of tables that get more rows.
    """
    decay = listen.attr("lr_decay_block_id")
    sparse = {pair.rpartition(":")[0] for pair in listen.attr("sparse_grad_to_param")}
    sparse |= {name for name in listen.input("X") if name.rpartition(".trainer_")[0] in sparse}
    indices = [index for index in listen._blocks_attr_ids("optimize_blocks") if index != decay]
    written = {name for op in program.block(decay).ops for name in op.output_arg_names} if decay > 0 else set()
    read = {name for index in indices for op in program.block(index).ops for name in op.input_arg_names}
    shared = written & read
    first = Update(program, [decay], shared, ()) if decay > 0 else None
    if together:
        return Updates(first, {}, [Update(program, run, shared, sparse, growing) for run in _runs(program, indices)])
    return Updates(first, {index: Update(program, [index], shared, sparse, growing) for index in indices}, [])


def _runs(program: Any, indices: Sequence[int]) -> list[list[int]]:
    """Return the blocks in runs that share no name of a variable of their own."""
    runs: list[list[int]] = []
    taken: set[str] = set()
    for index in indices:
        own = set(program.block(index).vars)
        if not runs or own & taken:
            runs.append([])
            taken = set()
        runs[-1].append(index)
        taken |= own
    return runs
