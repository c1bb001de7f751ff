"""BlockDesc: the description of a block."""

from __future__ import annotations

import numpy as np

from ...core.errors import IndexRangeError, describe, message
from ..program.block import Block
from ..program.operator import Operator
from ..proto import part_to_proto
from ..proto.serialise import block_data
from .operator import OpDesc
from .variable import VarDesc
from .view import View, text


class BlockDesc(View):
    """The description of a block, `block.desc` or `program.desc.block(index)`.

    >>> import paddle_lite.fluid as fluid
    >>> block = fluid.core.ProgramDesc().block(0)
    >>> op = block.append_op()
    >>> op.set_type('relu')
    >>> block.op_size(), block.op(0).type(), block.op(0) == op
    (1, 'relu', True)
    """

    __slots__ = ()
    of: Block

    @property
    def id(self) -> int:
        """The index of the block."""
        return self.of.idx

    @property
    def parent(self) -> int:
        """The index of the enclosing block; -1 for block 0."""
        return self.of.parent_idx

    def get_forward_block_idx(self) -> int:
        """Return the index of the block whose gradients this block computes; -1 for another one."""
        return self.of.forward_block_idx

    def _set_forward_block_idx(self, index: int) -> None:
        self.of._set_forward_block_idx(index)

    def serialize_to_string(self) -> bytes:
        """Return the bytes of the block, as a file of the Program holds them."""
        return part_to_proto(block_data(self.of)).SerializeToString(deterministic=True)

    # --- operators ----------------------------------------------------------------------------------------------------

    def op_size(self) -> int:
        """Return the number of operators."""
        return len(self.of.ops)

    def op(self, index: int) -> OpDesc:
        """Return the operator at an index.

        Raises:
            IndexRangeError: there is no operator at this index.
        """
        if not isinstance(index, (int, np.integer)) or not 0 <= index < len(self.of.ops):
            raise IndexRangeError(
                message("BlockDesc.op", "index", describe(index), f"an index below {len(self.of.ops)}")
            )
        return OpDesc(self.of.ops[index])

    def append_op(self) -> OpDesc:
        """Append an operator without type, names and attributes, and return it."""
        return self._insert_op(len(self.of.ops))

    def _prepend_op(self) -> OpDesc:
        return self._insert_op(0)

    def _insert_op(self, index: int) -> OpDesc:
        """Insert an operator without type, names and attributes, and return it."""
        if not 0 <= index <= len(self.of.ops):
            raise IndexRangeError(message("BlockDesc._insert_op", "index", index, f"0 to {len(self.of.ops)}"))
        op = Operator(self.of, "", {}, {}, {})
        op.bare = True
        self.of.place(op, index)
        return OpDesc(op)

    def _remove_op(self, start: int, end: int) -> None:
        """Remove the operators from one index to another, which stays."""
        del self.of.ops[start:end]
        self.of.program._changed()

    # --- Variables ----------------------------------------------------------------------------------------------------

    def var(self, name: bytes) -> VarDesc:
        """Return the Variable of this name; a new one, if this block has none."""
        found = self.of.vars.get(text("BlockDesc.var", name))
        return VarDesc(self.of.declare_var(text("BlockDesc.var", name)) if found is None else found)

    def has_var(self, name: bytes) -> bool:
        """Return whether this block has a Variable of this name."""
        return self.of.has_var(text("BlockDesc.has_var", name))

    def has_var_recursive(self, name: bytes) -> bool:
        """Return whether this block or an enclosing one has a Variable of this name."""
        return self.of.has_var_recursive(text("BlockDesc.has_var_recursive", name))

    def find_var(self, name: bytes) -> VarDesc | None:
        """Return the Variable of this name in this block, or None."""
        found = self.of.vars.get(text("BlockDesc.find_var", name))
        return None if found is None else VarDesc(found)

    def find_var_recursive(self, name: bytes) -> VarDesc | None:
        """Return the Variable of this name in this block or an enclosing one, or None."""
        found = self.of.find(text("BlockDesc.find_var_recursive", name))
        return None if found is None else VarDesc(found)

    def all_vars(self) -> list[VarDesc]:
        """Return all Variables of this block."""
        return [VarDesc(variable) for variable in self.of.vars.values()]

    def _remove_var(self, name: bytes) -> None:
        """Remove the Variable of this name, if there is one."""
        if self.has_var(name):
            self.of._remove_var(text("BlockDesc._remove_var", name))

    def _rename_var(self, old: bytes, new: bytes) -> None:
        """Rename a Variable, if there is one, in the block and in all operators."""
        if self.has_var(old):
            self.of._rename_var(text("BlockDesc._rename_var", old), text("BlockDesc._rename_var", new))
