"""`fluid.debugger`: drawing blocks."""

from __future__ import annotations

from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..core.missing import missing_names
from ..static.program.block import Block
from ..static.program.drawing import block_graph, write_graph

__getattr__ = missing_names(__name__)

__all__ = ["draw_block_graphviz"]


def draw_block_graphviz(block: Any, highlights: Any = None, path: str = "./temp.dot") -> None:
    """Write the graph of a block into a .dot file: operators as boxes, Variables as ellipses.

    `dot -Tpng temp.dot -o temp.png`, of Graphviz, makes a picture of it.

    Arguments:
        block: a block of a Program.
        highlights: Variables, or their names, to be drawn with a thick red line.
        path: the file.

    Raises:
        ArgumentTypeError: `block` is no block.
        MissingVariableError: a Variable to be highlighted is not there.

    >>> import pathlib, tempfile, paddle_lite.fluid as fluid
    >>> path = pathlib.Path(tempfile.mkdtemp(), 'block.dot')
    >>> with fluid.program_guard(fluid.Program()):
    ...     y = fluid.layers.relu(fluid.data('x', [None, 8], 'float32'))
    ...     fluid.debugger.draw_block_graphviz(fluid.default_main_program().global_block(), [y], str(path))
    >>> 'label=relu ' in path.read_text()
    True
    """
    where = "draw_block_graphviz"
    if not isinstance(block, Block):
        needs = "a block of a Program, e.g. program.global_block()"
        raise ArgumentTypeError(message(where, "block", describe(block), needs))
    write_graph(block_graph(block, highlights or (), where), path)
