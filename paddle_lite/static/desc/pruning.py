"""Parts of Programs by their descriptions: `core.prune` and `core.prune_backward`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...core.errors import ArgumentTypeError, describe, message
from ..program import cloning
from ..program.program import Program
from .program import ProgramDesc


def prune(
    program: ProgramDesc, feeds: Iterable[str], targets: Sequence[Sequence[int]]
) -> tuple[ProgramDesc, dict[int, int]]:
    """Return the part of a Program that some operators need, without what computes what is fed.

    Arguments:
        program: a ProgramDesc.
        feeds: the names of Variables that will be fed.
        targets: (block, index) of each operator that is wanted; those with `set_is_target(True)` are wanted, too.

    Returns:
        A new ProgramDesc; and the index of each of its blocks -> that in the Program.

    Raises:
        ArgumentTypeError: `program` is not a ProgramDesc.
        IndexRangeError: there is no such operator.
    """
    source = _checked("prune", program)
    wanted = [program.block(block).op(index).of for block, index in targets]
    wanted += [op for op in source.global_block().ops if op.is_target]
    return _numbered(cloning.pruned(source, wanted, feeds))


def prune_backward(program: ProgramDesc) -> tuple[ProgramDesc, dict[int, int]]:
    """Return a Program without operators that compute gradients or update parameters.

    Arguments:
        program: a ProgramDesc.

    Returns:
        A new ProgramDesc; and the index of each of its blocks -> that in the Program.

    Raises:
        ArgumentTypeError: `program` is not a ProgramDesc.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     loss = fluid.layers.mean(fluid.layers.fc(fluid.data('x', [None, 2], 'float32'), 1))
    ...     _ = fluid.optimizer.SGD(0.1).minimize(loss)
    ...     part, blocks = fluid.core.prune_backward(fluid.default_main_program().desc)
    >>> [part.block(0).op(i).type() for i in range(part.block(0).op_size())], blocks
    (['mul', 'elementwise_add', 'mean'], {0: 0})
    """
    return _numbered(cloning.without_training(_checked("prune_backward", program)))


def _checked(where: str, program: ProgramDesc) -> Program:
    if not isinstance(program, ProgramDesc):
        raise ArgumentTypeError(message(where, "program", describe(program), "a ProgramDesc, such as program.desc"))
    return program.of


def _numbered(result: tuple[Program, list[int]]) -> tuple[ProgramDesc, dict[int, int]]:
    program, origins = result
    return ProgramDesc(program), dict(enumerate(origins))
