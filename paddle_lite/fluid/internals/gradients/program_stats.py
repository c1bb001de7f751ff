"""ProgramStats: which operators of a list read and write which Variables, as 1.8.5 asks before it recomputes a part of them."""

from __future__ import annotations

from collections.abc import Sequence

from ....core import unique_name
from ....core.dtype import VarType
from ....static.program.block import Block
from ....static.program.operator import Operator

__all__ = ["ProgramStats"]


class ProgramStats:
    """Dependencies between operators of a block; `build_stats` finds them.

    Arguments:
        block: the block.
        ops: operators of it in their order.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     block = fluid.layers.exp(fluid.layers.relu(fluid.data('x', [2]))).block
    >>> stats = fluid.backward.ProgramStats(block, block.ops)
    >>> stats.build_stats()
    >>> stats.op_deps, stats.get_input_nodes()
    ({0: {'in_ops': [], 'out_ops': [1]}, 1: {'in_ops': [0], 'out_ops': []}}, ['x'])
    """

    def __init__(self, block: Block, ops: Sequence[Operator]) -> None:
        self.block, self.ops = block, list(ops)
        self.op_deps: dict[int, dict[str, list[int]]] = {}
        self.var_op_deps: dict[str, dict[str, list[int]]] = {}
        self._reserved: list[str] = []

    def build_stats(self) -> None:
        """Find for each operator those that it depends on, and for each Variable the operators that read and write it."""

        def uses(name: str) -> dict[str, list[int]]:
            return self.var_op_deps.setdefault(name, {"var_as_input_ops": [], "var_as_output_ops": []})

        for i, op in enumerate(self.ops):
            self.op_deps[i] = {"in_ops": [], "out_ops": []}
            for name in op.input_arg_names:
                self.op_deps[i]["in_ops"] += uses(name)["var_as_output_ops"]
                uses(name)["var_as_input_ops"].append(i)
            for name in op.output_arg_names:
                uses(name)["var_as_output_ops"].append(i)
            for before in self.op_deps[i]["in_ops"]:
                self.op_deps[before]["out_ops"].append(i)

    def get_input_nodes(self) -> list[str]:
        """Return the names of the Variables that operators read and none writes, but for persistable ones."""
        return [
            name
            for name, uses in self.var_op_deps.items()
            if not uses["var_as_output_ops"] and not self.block.variable(name).persistable
        ]

    def get_reserved_vars(self) -> list[str]:
        """Return the names of the seeds that `modify_forward_desc_for_recompute` gave to dropout."""
        return list(self._reserved)

    def get_out_of_subgraph_vars(self, begin_op_idx: int, end_op_idx: int) -> list[str]:
        """Return the names of what the operators from one index up to another write, once for each later operator that reads it."""
        return [
            name
            for op in self.ops[begin_op_idx:end_op_idx]
            for name in op.output_arg_names
            for reader in self.var_op_deps[name]["var_as_input_ops"]
            if reader >= end_op_idx
        ]

    def is_subgraph(self, var_group1: Sequence[str], var_group2: Sequence[str]) -> tuple[bool, int, int]:
        """Return whether operators lead from some Variables to others.

        Returns:
            (whether, the index of the first operator that reads one of the former, of the last that writes one of the
            latter); the number of operators and -1 where there is none.
        """
        first, last = len(self.ops), -1
        if not all(name in self.var_op_deps for name in [*var_group1, *var_group2]):
            return False, first, last
        readers = (i for name in var_group1 for i in self.var_op_deps[name]["var_as_input_ops"])
        writers = (i for name in var_group2 for i in self.var_op_deps[name]["var_as_output_ops"])
        first, last = min(readers, default=first), max(writers, default=last)
        return first < last, first, last

    def sort_checkpoints(self, checkpoints_name: Sequence[str]) -> list[str]:
        """Return names in the order in which operators write them; those that none writes are left out."""
        written = {name: uses["var_as_output_ops"] for name, uses in self.var_op_deps.items()}
        known = [name for name in checkpoints_name if written.get(name)]
        return sorted(known, key=lambda name: max(written[name]))

    def modify_forward_desc_for_recompute(self) -> None:
        """Give each dropout a seed that an operator before it draws, so that a second run of it drops the same elements."""
        for op in [each for each in self.ops if each.type == "dropout" and not each.inputs.get("Seed")]:
            seed = self.block.create_var(
                name=unique_name.generate(unique_name.generate("seed") + ".tmp"),
                shape=(1,),
                dtype=VarType.INT32,
                persistable=False,
            )
            fixed = int(op.attr("seed")) if op.attr("fix_seed") else 0
            attrs = {"seed": fixed, "op_device": op.attr("op_device") or ""}
            place = self.block.ops.index(op)
            made = self.block._insert_op(place, type="seed", inputs={}, outputs={"Out": [seed]}, attrs=attrs)
            op.desc.set_input("Seed", [seed.name])
            self.ops.insert(self.ops.index(op), made)
            self._reserved.append(seed.name)
