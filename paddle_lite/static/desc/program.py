"""ProgramDesc: the description of a Program."""

from __future__ import annotations

import numpy as np

from ...core.errors import ArgumentTypeError, IndexRangeError, describe, message
from ..program.block import Block
from ..program.program import Program
from ..proto.serialise import from_bytes, to_bytes
from . import compatible
from .block import BlockDesc
from .view import View


class ProgramDesc(View):
    """The description of a Program, `program.desc`.

    Arguments:
        program: nothing for an empty Program, the bytes of a Program, or a ProgramDesc, of which the new one is a copy.

    >>> import paddle_lite.fluid as fluid
    >>> program = fluid.core.ProgramDesc()
    >>> program.num_blocks(), program.block(0).op_size(), len(program.serialize_to_string()) > 0
    (1, 0, True)
    """

    __slots__ = ()
    of: Program

    def __init__(self, program: Program | ProgramDesc | bytes | None = None) -> None:
        if program is None:
            program = Program()
        elif isinstance(program, ProgramDesc):
            program = program.of.clone()
        elif isinstance(program, bytes):
            program = from_bytes(program)
        elif not isinstance(program, Program):
            needs = "nothing, a ProgramDesc, or the bytes of a Program"
            raise ArgumentTypeError(message("ProgramDesc", "program", describe(program), needs))
        super().__init__(program)

    def num_blocks(self) -> int:
        """Return the number of blocks."""
        return len(self.of.blocks)

    def block(self, index: int) -> BlockDesc:
        """Return the block with this index.

        Raises:
            IndexRangeError: there is no such block.
        """
        if not isinstance(index, (int, np.integer)) or not 0 <= index < len(self.of.blocks):
            raise IndexRangeError(
                message("ProgramDesc.block", "index", describe(index), f"one below {len(self.of.blocks)}")
            )
        return BlockDesc(self.of.blocks[index])

    def append_block(self, parent: BlockDesc) -> BlockDesc:
        """Append a block that lies in another one, and return it."""
        self.of.blocks.append(Block(self.of, len(self.of.blocks), parent.id))
        self.of._changed()
        return BlockDesc(self.of.blocks[-1])

    def serialize_to_string(self) -> bytes:
        """Return the bytes of the Program, as in a `__model__` file."""
        return to_bytes(self.of, compatible.TABLE, compatible.OTHERS) if self.of.says_compatible else to_bytes(self.of)

    def parse_from_string(self, content: bytes) -> None:
        """Replace the blocks by those of a Program in bytes.

        Raises:
            FileFormatError: the bytes are not those of a Program.
        """
        found = from_bytes(content)
        self.of.blocks = found.blocks
        for block in found.blocks:
            block.program = self.of
        self.of.file_version = found.file_version
        self.of.current_block_idx = 0
        self.of._changed()

    def flush(self) -> None:
        """Do nothing: a description has no state of its own that has yet to be written."""

    def _version(self) -> int:
        return self.of.file_version

    def _set_version(self, version: int = Program.file_version) -> None:
        """Set the version of PaddlePaddle that a file of the Program is said to be from."""
        self.of.file_version = int(version)

    def get_feed_target_names(self) -> list[str]:
        """Return the names of the Variables that `feed` operators fill, as in a saved model."""
        return [name for op in self.of.global_block().ops if op.type == "feed" for name in op.output("Out")]

    def get_fetch_target_names(self) -> list[str]:
        """Return the names of the Variables that `fetch` operators take, as in a saved model."""
        return [name for op in self.of.global_block().ops if op.type == "fetch" for name in op.input("X")]


def save_op_compatible_info(desc: ProgramDesc) -> bool:
    """Add to a Program's description the table by which older versions of PaddlePaddle tell whether they can run it.

    Arguments:
        desc: the description, `program.desc`. From now on `serialize_to_string()` writes the table.

    Returns:
        True.

    Raises:
        ArgumentTypeError: `desc` is no ProgramDesc.

    >>> import paddle_lite.fluid as fluid
    >>> program = fluid.Program()
    >>> before = len(program.desc.serialize_to_string())
    >>> fluid.core.save_op_compatible_info(program.desc), len(program.desc.serialize_to_string()) > before
    (True, True)
    """
    if not isinstance(desc, ProgramDesc):
        raise ArgumentTypeError(
            message("save_op_compatible_info", "desc", describe(desc), "a ProgramDesc, program.desc")
        )
    desc.of.says_compatible = True
    return True
