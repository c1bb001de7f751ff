"""core.Executor: runs the description of a Program in a Scope, below the Executor of programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.tensor import LoDTensor
from ..program.program import Program
from .executor import Executor, store
from .scope import Scope


class NativeExecutor:
    """Runs the description of a Program; feeds and fetches are operators of it, or values of the Scope.

    Arguments:
        place: fluid.CPUPlace(), CUDAPlace(i), or a core.Place that holds one; or the Executor that it belongs to.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> scope, main = fluid.Scope(), fluid.Program()
    >>> with fluid.program_guard(main):
    ...     y = fluid.data('x', [2], 'float32') * 3.0
    >>> scope.var('x').get_tensor().set(np.array([1., 2.], 'float32'), fluid.CPUPlace())
    >>> fluid.core.Executor(fluid.CPUPlace()).run(main.desc, scope, 0, False, True, [])
    >>> np.array(scope.find_var(y.name).get_tensor())
    array([3., 6.], dtype=float32)
    """

    def __init__(self, place: Any) -> None:
        self._executor = place if isinstance(place, Executor) else Executor(getattr(place, "place", place))

    def run(
        self,
        program: Any,
        scope: Scope,
        block_id: int = 0,
        create_local_scope: bool = True,
        create_vars: bool = True,
        skip_ref_cnt_vars: Sequence[str] = (),
    ) -> None:
        """Run all operators of the first block of a Program.

        Arguments:
            program: the `desc` of a Program.
            scope: the Scope with what the Program reads.
            block_id: 0, the first block.
            create_local_scope: False leaves every result in the Scope, True only those of persistable Variables.
            create_vars, skip_ref_cnt_vars: accepted for Fluid code, ignored.

        Raises:
            ArgumentTypeError: `program` is no description of a Program.
            ArgumentValueError: `block_id` is not 0.
        """
        found = getattr(program, "of", program)
        if not isinstance(found, Program):
            raise ArgumentTypeError(message("core.Executor.run", "program", describe(program), "a Program's desc"))
        if block_id != 0:
            needs = "0: the other blocks run with the operator that they belong to"
            raise ArgumentValueError(message("core.Executor.run", "block_id", block_id, needs))
        ops = found.global_block().ops
        fed = [(op.output("Out")[0], op.input("X")[0], op.attr("col")) for op in ops if op.type == "feed"]
        feed = {name: scope.find_value(holder)[place] for name, holder, place in fed}
        fetches = [(op.input("X")[0], op.output("Out")[0], op.attr("col")) for op in ops if op.type == "fetch"]
        kept = [] if create_local_scope else _results(found)
        wanted = [name for name, _, _ in fetches]
        values = self._executor.run(found, feed, wanted + kept, scope=scope, return_numpy=False)
        for (_, holder, place), value in zip(fetches, values[: len(wanted)], strict=True):
            put(scope, holder, place, value)
        for name, value in zip(kept, values[len(wanted) :], strict=True):
            store(scope, name, value.array, value.levels)

    def close(self) -> None:
        """Close the Executor; `run` raises an error afterwards."""
        self._executor.close()


def put(scope: Scope, name: str, index: int, value: LoDTensor) -> None:
    """Put a tensor into a list of a Scope, which grows to the index."""
    held = scope.var(name).get_lod_tensor_array()
    while len(held) <= index:
        held.append(LoDTensor())
    held[index] = value


def _results(program: Program) -> list[str]:
    """Return the names of the tensors that operators of the first block write, and that a run would not keep."""
    block = program.global_block()
    written = dict.fromkeys(name for op in block.ops for name in op.output_arg_names)
    found = [(name, block.find(name)) for name in written]
    return [name for name, v in found if v is not None and v.type == VarType.LOD_TENSOR and not v.persistable]
