"""Reading a Variable from a file when a Program runs."""

from __future__ import annotations

import os
from typing import Any

from ...core.errors import ArgumentTypeError, describe, message
from ...core.mode import require_program, state
from ..support.arguments import check_variable, flag

__all__ = ["load"]


def load(out: Any, file_path: str | os.PathLike[str], load_as_fp16: bool | None = None) -> None:
    """Append an operator that reads a Variable from a file in each run.

    Arguments:
        out: the Variable to write into.
        file_path: the path of a file with one tensor, as `fluid.io.save_vars` writes it, here or in PaddlePaddle.
        load_as_fp16: whether floating numbers become float16.

    Returns:
        None.

    Raises:
        ArgumentTypeError: out is not a Variable, or file_path is no path.
        ModeError: in imperative mode, where `fluid.load_dygraph` reads files.
        MissingFileError, FileFormatError: from `Executor.run`: there is no such file, or it holds something else.

    >>> import numpy as np, os, tempfile, paddle_lite.fluid as fluid
    >>> path, main = os.path.join(tempfile.mkdtemp(), 'w'), fluid.Program()
    >>> with fluid.program_guard(main, fluid.Program()), fluid.scope_guard(fluid.Scope()):
    ...     w = fluid.layers.create_global_var([2], 3.0, 'float32', persistable=True, name='w')
    ...     exe = fluid.Executor(fluid.CPUPlace())
    ...     _ = exe.run(fluid.default_startup_program())
    ...     fluid.io.save_vars(exe, os.path.dirname(path), main, vars=[w])
    ...     found = fluid.layers.create_tensor('float32', name='found')
    ...     fluid.layers.load(found, path)
    ...     exe.run(main, fetch_list=[found + 1.0])
    [array([4., 4.], dtype=float32)]
    """
    where = "load"
    require_program("layers.load: an operator of Programs only. In imperative mode call fluid.load_dygraph.")
    check_variable(where, "out", out)
    if not isinstance(file_path, (str, os.PathLike)):
        raise ArgumentTypeError(message(where, "file_path", describe(file_path), "a path"))
    attrs: dict[str, Any] = {"file_path": os.fspath(file_path)}
    if load_as_fp16 is not None:
        attrs["load_as_fp16"] = flag(where, "load_as_fp16", load_as_fp16)
    state.mode.append_op("load", {}, {"Out": [out]}, attrs, False)
