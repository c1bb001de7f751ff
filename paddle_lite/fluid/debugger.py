"""`fluid.debugger`: drawing blocks, and looking for NaN and infinity."""

from __future__ import annotations

import io
from typing import Any

from ..core.errors import ArgumentTypeError, describe, message
from ..core.flags import get_flags, set_flags
from ..core.missing import missing_names
from ..static.program.block import Block
from ..static.program.drawing import block_graph, write_graph
from ..static.program.program import Program
from .internals.message_texts import DTYPES as _dtype2str_  # noqa: F401
from .internals.message_texts import KINDS as _vartype2str_  # noqa: F401
from .internals.message_texts import TEMPLATE as reprtpl  # noqa: F401
from .internals.message_texts import _repr_op_fill_constant as _repr_op_fill_constant
from .internals.message_texts import op_repr_handlers as op_repr_handlers
from .internals.message_texts import repr_attr as repr_attr
from .internals.message_texts import repr_data_type as repr_data_type
from .internals.message_texts import repr_lodtensor as repr_lodtensor
from .internals.message_texts import repr_op as repr_op
from .internals.message_texts import repr_selected_rows as repr_selected_rows
from .internals.message_texts import repr_tensor as repr_tensor
from .internals.message_texts import repr_tensor_array as repr_tensor_array
from .internals.message_texts import repr_var as repr_var
from .internals.message_texts import type_handlers as type_handlers
from .internals.program_texts import block_to_code, program_to_code

__getattr__ = missing_names(__name__)

__all__ = [
    "draw_block_graphviz",
    "pprint_block_codes",
    "pprint_program_codes",
    "prepare_fast_nan_inf_debug",
    "run_fast_nan_inf_debug",
]


def pprint_program_codes(program_desc: Any) -> str:
    """Return a Program as text: the Variables of each block, and its operators with all attributes.

    Arguments:
        program_desc: the Program, or its `desc`.

    Returns:
        The text.

    Raises:
        ArgumentTypeError: it is neither.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     _ = fluid.data('x', [2], 'float32')
    ...     text = fluid.debugger.pprint_program_codes(fluid.default_main_program())
    >>> print(text.splitlines()[1])
        var x : fluid.VarType.LOD_TENSOR.shape(2,).astype(VarType.FP32)
    """
    out = io.StringIO()
    program_to_code(getattr(program_desc, "of", program_desc), out)
    return out.getvalue()


def pprint_block_codes(block_desc: Any, show_backward: bool = False) -> str:
    """Return a block as text: its Variables, and its operators with all attributes.

    Arguments:
        block_desc: the block, or its `desc`.
        show_backward: accepted for Fluid code; gradient operators are in the text in any case.

    Returns:
        The text.

    Raises:
        ArgumentTypeError: it is neither.
    """
    out = io.StringIO()
    block_to_code(getattr(block_desc, "of", block_desc), getattr(block_desc, "of", block_desc).idx, out)
    return out.getvalue()


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
    write_graph(block_graph(block, highlights or (), where).digraph(), path)


def prepare_fast_nan_inf_debug(_program: Any) -> None:
    """Check that it is a Program; it needs no operators for `run_fast_nan_inf_debug`.

    Raises:
        ArgumentTypeError: it is no Program.
    """
    if not isinstance(_program, Program):
        raise ArgumentTypeError(message("prepare_fast_nan_inf_debug", "_program", describe(_program), "a Program"))


def run_fast_nan_inf_debug(
    executor: Any,
    program: Any = None,
    feed: Any = None,
    fetch_list: Any = None,
    feed_var_name: str = "feed",
    fetch_var_name: str = "fetch",
    scope: Any = None,
    return_numpy: bool = True,
    use_program_cache: bool = False,
    dump_core: bool = True,
) -> Any:
    """Run a Program with FLAGS_check_nan_inf, and return what was fetched.

    Arguments:
        executor: the Executor.
        program, feed, fetch_list, feed_var_name, fetch_var_name, scope, return_numpy, use_program_cache: as in `Executor.run`.
        dump_core: accepted for Fluid code, ignored: the process goes on.

    Returns:
        What `Executor.run` returns.

    Raises:
        EnforceNotMet: an operator has computed NaN or infinity; the text names it and the line that created it.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program(), fluid.Program()):
    ...     y = fluid.layers.log(fluid.data('x', [1], 'float32'))
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     fluid.debugger.run_fast_nan_inf_debug(exe, feed={'x': np.ones(1, 'float32')}, fetch_list=[y])
    [array([0.], dtype=float32)]
    """
    name = "FLAGS_check_nan_inf"
    before = get_flags(name)
    set_flags({name: True})
    try:
        return executor.run(
            program, feed, fetch_list, feed_var_name, fetch_var_name, scope, return_numpy, use_program_cache
        )
    finally:
        set_flags(before)
