"""Tables that get rows of more ids than the Program declares, each at the first touch of its id: those of `embedding(is_distributed=True)`.

A server's Program has a block for each of its tables, with an operator for each array that grows: the table, and what the optimizer
keeps for each row. The operator makes one row, of the variable NAME@GROWN. `listen_and_serv` names the block in its attribute
prefetch_var_name_to_block_id.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...static.program.operator import Operator
from ...static.program.parts import GROWN
from ...static.program.program import Program
from .blocks import Block, Trained, distributed_tables
from .updates import state_of


def mark_growing(source: Program, startup: Program, trained: Iterable[Trained]) -> None:
    """Note which tables grow: those of which each array has an initializer that gives values for any shape.

    Arguments:
        source, startup: the Programs of one process.
        trained: all parameters; their attribute `grows` is set.
    """
    names, initializers = distributed_tables(source), _initializers(startup)
    for each in trained:
        each.grows = each.name in names and all(name in initializers for name in growing_arrays(source, each))


def growing_arrays(source: Program, trained: Trained) -> list[str]:
    """Return the names of the arrays that get a row for each id: the table, and what its update keeps of the same shape."""
    block = source.global_block()
    state = [name for name in state_of(source, trained) if tuple(block.var(name).shape) == trained.shape]
    return list(dict.fromkeys([trained.name, *state]))


def append_row_block(program: Program, source: Program, startup: Program, trained: Trained, part: Block) -> Any:
    """Append the block that makes a row of a table to a server's Program, and return it."""
    made = program._create_block(0)
    program._rollback()
    initializers = _initializers(startup)
    for name in growing_arrays(source, trained):
        op = initializers[name]
        out = (part.parameter if name == trained.name else name) + GROWN
        shape = [1, *trained.shape[1:]]
        made.create_var(name=out, shape=shape, dtype=source.global_block().var(name).dtype)
        attrs = {**op.attrs, "shape": shape}
        if op.has_attr("seed"):
            attrs["seed"] = op.attr("seed") or startup.random_seed
        made.place(Operator(made, op.type, {}, {"Out": [out]}, attrs, op.line))
    return made


def _initializers(startup: Program) -> dict[str, Any]:
    """Return the operators that initialise variables with values for any shape, by the names of the variables."""
    last = {name: op for op in startup.global_block().ops for name in op.output_arg_names}
    fitting = {"fill_constant", "uniform_random", "gaussian_random", "truncated_gaussian_random"}
    return {name: op for name, op in last.items() if op.type in fitting and not op.input_arg_names}
