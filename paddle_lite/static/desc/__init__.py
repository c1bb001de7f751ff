"""Descriptions of Programs: the classes ProgramDesc, BlockDesc, OpDesc and VarDesc of `fluid.core`.

PaddlePaddle keeps a Program twice, as objects of Python and in its native library, and programs reach for the second through
`.desc`. Here a description is a view: it holds nothing of its own, and what it changes is changed in the Program.
"""

from ..program.described import describers, writers
from .block import BlockDesc
from .operator import OpDesc
from .program import ProgramDesc
from .texts import block_text, operator_text, program_text, variable_text
from .variable import VarDesc

describers.update(program=ProgramDesc, block=BlockDesc, operator=OpDesc, variable=VarDesc)
writers.update(program=program_text, block=block_text, operator=operator_text, variable=variable_text)
