"""The updates of a server: each block of its Program as a Program of its own, which runs as one Plan."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...core.dtype import VarType
from ...static.plan.needed import outer_reads


class Update:
    """A block of a server's Program.

    Arguments:
        program: the Program of the server.
        index: the block.
        shared: names of variables that blocks hand to each other, such as a decayed learning rate.
        sparse: names of gradients that are SelectedRows.
    """

    def __init__(self, program: Any, index: int, shared: Iterable[str], sparse: Iterable[str]) -> None:
        self.program = program.clone()
        block, home = self.program.block(index), self.program.global_block()
        home.ops, block.ops = block.ops, []
        home.vars.update(block.vars)
        for op in home.ops:
            op.block = home
        read = outer_reads(home.ops, ())
        updated = {name for op in home.ops for name in op.output_arg_names}
        for name, variable in home.vars.items():
            variable.persistable = name not in updated or name in read or name in shared
            if name in sparse:
                variable.type = VarType.SELECTED_ROWS
        self.program._changed()

    def run(self, executor: Any, scope: Any) -> None:
        """Run the block on the variables of the Scope."""
        executor.run_program(self.program, None, [], scope, False)


def split_updates(program: Any, listen: Any) -> tuple[Update | None, dict[int, Update]]:
    """Return the update of the learning rate, or None, and those of the parameters by the index of their block."""
    decay = listen.attr("lr_decay_block_id")
    sparse = {pair.rpartition(":")[0] for pair in listen.attr("sparse_grad_to_param")}
    sparse |= {name for name in listen.input("X") if name.rpartition(".trainer_")[0] in sparse}
    indices = [index for index in listen._blocks_attr_ids("optimize_blocks") if index != decay]
    written = {name for op in program.block(decay).ops for name in op.output_arg_names} if decay > 0 else set()
    read = {name for index in indices for op in program.block(index).ops for name in op.input_arg_names}
    shared = written & read
    updates = {index: Update(program, index, shared, sparse) for index in indices}
    return (Update(program, decay, shared, ()) if decay > 0 else None), updates
