"""Checks of a saved model before a job deploys it: its Variables against those of training, and a run of it."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core.dtype import VarType
from ...core.errors import ArgumentValueError, GraphError, MissingFileError, MissingVariableError, message
from ...core.place import CPUPlace
from ...core.tensor import create_lod_tensor
from ...io.inference_model import load_inference_model
from ...io.variables import is_persistable
from ...static.execution.executor import Executor
from ...static.execution.scope import Scope, scope_guard
from ...static.program.program import Program
from ...static.program.variable import Variable
from .program_files import load_program, program_type_trans

__all__ = [
    "check_not_expected_ops",
    "check_pruned_program_vars",
    "check_saved_vars_try_dump",
    "feed_gen",
    "reader",
    "try_load_model_vars",
]

feed_fetch_type_list = [VarType.FEED_MINIBATCH, VarType.FETCH_LIST]
not_expected_op_types = ["lookup_table"]

logger = logging.getLogger("paddle.fluid.incubate.fleet.utils.utils")


def check_not_expected_ops(prog: Program) -> None:
    """Warn in the log of operators that a deployed Program should not have: tables of embeddings in one process.

    Arguments:
        prog: the Program.
    """
    for kind in sorted({op.type for op in prog.global_block().ops} & set(not_expected_op_types)):
        logger.warning("operator %r is in the Program: has it been pruned as intended?", kind)


def check_pruned_program_vars(train_prog: Program, pruned_prog: Program) -> bool:
    """Return whether each persistable Variable of a pruned Program is in that of the training, with its shape and dtype.

    Arguments:
        train_prog: the Program of the training.
        pruned_prog: what `fluid.io.save_inference_model` has made of it.

    Returns:
        Whether all are; the log names the others.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.incubate.fleet.utils.utils import check_pruned_program_vars
    >>> with fluid.program_guard(fluid.Program()):
    ...     y = fluid.layers.fc(fluid.data('x', [None, 2]), 3)
    ...     check_pruned_program_vars(fluid.default_main_program(), fluid.default_main_program().clone(for_test=True))
    True
    """
    variables = [each for each in pruned_prog.list_vars() if is_persistable(each)]
    logger.info("persistable Variables of the pruned Program: %s", [each.name for each in variables])
    trained = train_prog.global_block().vars
    good = True
    for each in variables:
        other = trained.get(each.name)
        if other is None:
            logger.error("Variable %r is not in the Program of the training", each.name)
        elif (tuple(other.shape), other.dtype) != (tuple(each.shape), each.dtype):
            pruned, before = (f"shape {tuple(v.shape)} and dtype {v.dtype}" for v in (each, other))
            logger.error("Variable %r has %s in the pruned Program, but %s in the training", each.name, pruned, before)
        else:
            continue
        good = False
    return good


def reader(batch_size: int, fn: str, dim: int) -> list[np.ndarray]:
    """Read batches from a file of numbers with single spaces between them.

    Each line is divided into batches; what does not fill one at its end is left out.

    Arguments:
        batch_size: the rows of a batch.
        fn: the file.
        dim: the numbers of a row.

    Returns:
        A list of float64 arrays of shape [batch_size, dim].

    Raises:
        MissingFileError: there is no such file.
        ArgumentValueError: a word in the file is no number; or `batch_size` or `dim` is below 1.

    >>> import os, tempfile
    >>> from paddle_lite.fluid.incubate.fleet.utils.utils import reader
    >>> path = os.path.join(tempfile.mkdtemp(), 'x')
    >>> with open(path, 'w') as file:
    ...     _ = file.write('1 2 3 4 5')
    >>> reader(2, path, 2)
    [array([[1., 2.],
           [3., 4.]])]
    """
    size = batch_size * dim
    if batch_size < 1 or dim < 1:
        raise ArgumentValueError(message("reader", "batch_size and dim", f"{batch_size} and {dim}", "at least 1 each"))
    batches: list[np.ndarray] = []
    try:
        with open(os.fspath(fn), encoding="utf8") as file:
            for line in file:
                numbers = [float(word) for word in line.rstrip("\n").split(" ")]
                whole = len(numbers) // size * size
                batches.extend(np.array(numbers[:whole]).reshape(-1, batch_size, dim))
    except FileNotFoundError:
        raise MissingFileError(message("reader", "fn", repr(fn), "the path of a file")) from None
    except ValueError as error:
        needs = "numbers with a space between them in each line"
        raise ArgumentValueError(message("reader", "fn", f"{fn}: {error}", needs)) from None
    return batches


def feed_gen(
    batch_size: int, feeded_vars_dims: Sequence[int], feeded_vars_filelist: Sequence[str]
) -> list[list[np.ndarray]]:
    """Read the batches of several Variables from files of numbers.

    Arguments:
        batch_size: the rows of a batch.
        feeded_vars_dims: the numbers of a row of each Variable.
        feeded_vars_filelist: the file of each Variable.

    Returns:
        A list for each file, as `reader` returns it.

    Raises:
        MissingFileError, ArgumentValueError: as `reader`.
    """
    pairs = zip(feeded_vars_filelist, feeded_vars_dims, strict=False)
    return [reader(batch_size, path, int(np.prod(dim))) for path, dim in pairs]


def check_saved_vars_try_dump(
    dump_dir: str,
    dump_prog_fn: str,
    is_text_dump_program: bool,
    feed_config: Any,
    fetch_config: Any,
    batch_size: int = 1,
    save_filename: str | None = None,
) -> list[Any]:
    """Load a saved model and run it once.

    Arguments:
        dump_dir: the folder of the model.
        dump_prog_fn: the name of the file with its Program.
        is_text_dump_program: whether this is text of protobuf.
        feed_config: an object with feeded_vars_names, feeded_vars_dims, feeded_vars_types and feeded_vars_filelist: the
            files with values, or None for random ones.
        fetch_config: an object with fetch_vars_names.
        batch_size: the rows to feed.
        save_filename: the name of the file with all parameters; None where each has its own.

    Returns:
        The arrays of fetch_vars_names.

    Raises:
        MissingFileError: the Program or a parameter is not there.
        MissingVariableError: the Program has no Variable of a name in a config.
        GraphError: shapes in the config differ from those of the Program.
        ArgumentValueError: the lists of a config have different lengths.
    """
    program = load_program(os.path.join(dump_dir, dump_prog_fn), is_text_dump_program)
    saved = [each for each in program.list_vars() if is_persistable(each)]
    logger.info("persistable Variables of the saved Program: %s", [each.name for each in saved])
    check_not_expected_ops(program)
    return try_load_model_vars(
        dump_dir, dump_prog_fn, is_text_dump_program, batch_size, feed_config, fetch_config, save_filename, saved
    )


def try_load_model_vars(
    dump_dir: str,
    dump_prog_fn: str,
    is_text_dump_program: bool,
    batch_size: int,
    feed_config: Any,
    fetch_config: Any,
    save_filename: str | None,
    saved_params: Sequence[Variable],
) -> list[Any]:
    """Load a saved model into a Scope of its own, compare its parameters with Variables, and run it once.

    Arguments:
        saved_params: the Variables; the others are those of `check_saved_vars_try_dump`.

    Returns:
        The arrays of fetch_vars_names.

    Raises:
        MissingFileError, MissingVariableError, GraphError, ArgumentValueError: as `check_saved_vars_try_dump`.
    """
    if is_text_dump_program:
        dump_prog_fn = program_type_trans(dump_dir, dump_prog_fn, True)
    scope, executor = Scope(), Executor(CPUPlace())
    with scope_guard(scope):
        program, feeds, targets = load_inference_model(dump_dir, executor, dump_prog_fn, save_filename)
        for each in saved_params:
            _need_shape("parameter", each.name, tuple(scope.find_var(each.name).get_tensor().shape()), each.shape)
        _compare("feed", feeds, feed_config.feeded_vars_names)
        _compare("fetch", [each.name for each in targets], fetch_config.fetch_vars_names)
        fetched = [_variable(program, name, "fetch_config") for name in fetch_config.fetch_vars_names]
        results = executor.run(program, _feeds(program, feed_config, batch_size), fetched, return_numpy=True)
    for variable, result in zip(fetched, results, strict=True):
        logger.info("%s: %s", variable.name, result)
    return results


def _compare(kind: str, own: list[str], asked: Sequence[str]) -> None:
    """Warn in the log where a Program and a config name different Variables."""
    if own != list(asked):
        logger.warning("the Program has the %s Variables %s, the config %s", kind, own, list(asked))


def _variable(program: Program, name: str, config: str) -> Variable:
    found = program.global_block().vars.get(name)
    if found is None:
        raise MissingVariableError(
            message("try_load_model_vars", config, repr(name), "a Variable of the saved Program")
        )
    return found


def _need_shape(kind: str, name: str, got: tuple[int, ...], declared: Sequence[int]) -> None:
    if got != tuple(declared):
        needs = f"shape {tuple(declared)}, which the saved Program has"
        raise GraphError(message("try_load_model_vars", f"{kind} {name}", f"shape {got}", needs))


def _feeds(program: Program, config: Any, batch_size: int) -> dict[str, Any]:
    """Return what a config feeds: the rows of its files, or random ones."""
    names, dims, types = config.feeded_vars_names, config.feeded_vars_dims, config.feeded_vars_types
    variables = [_variable(program, name, "feed_config") for name in names]
    counts = {len(names), len(dims), len(types)}
    if len(counts) > 1:
        got = f"{len(names)} names, {len(dims)} dims and {len(types)} types"
        raise ArgumentValueError(message("try_load_model_vars", "feed_config", got, "as many of each"))
    sizes = [tuple(dim) if isinstance(dim, (tuple, list)) else (dim,) for dim in dims]
    for variable, size in zip(variables, sizes, strict=True):
        _need_shape("feed", variable.name, size, tuple(variable.shape)[1:])
    if config.feeded_vars_filelist is None:
        logger.info("values of feed Variables are drawn at random")
        rows = [np.random.random((batch_size, *size)) for size in sizes]
    else:
        logger.info("values of feed Variables are from %s", config.feeded_vars_filelist)
        files = feed_gen(batch_size, [int(np.prod(size)) for size in sizes], config.feeded_vars_filelist)
        rows = [_joined(each, size) for each, size in zip(files, sizes, strict=True)]
    pairs = zip(variables, rows, types, strict=True)
    return {variable.name: _fed(variable, value.astype(dtype)) for variable, value, dtype in pairs}


def _joined(batches: list[np.ndarray], size: tuple[int, ...]) -> np.ndarray:
    """Return the rows of all batches of a file."""
    if not batches:
        needs = "at least one batch of rows"
        raise ArgumentValueError(message("try_load_model_vars", "feeded_vars_filelist", "a file without one", needs))
    return np.concatenate(batches).reshape(-1, *size)


def _fed(variable: Variable, value: np.ndarray) -> Any:
    """Return the value for a Variable: with LoD, each row is a sequence of its own."""
    return create_lod_tensor(value, [[1] * len(value)], CPUPlace()) if variable.lod_level else value
