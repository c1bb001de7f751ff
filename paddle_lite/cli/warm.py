"""`python -m paddle_lite cache warm`: compile kernels before they are needed.

Those of a saved model, of a script, or, without either, of small training steps of common networks (`networks.py`).
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from paddle_lite.compat.launch import run_and_wait
from paddle_lite.core import unique_name
from paddle_lite.core.dtype import to_numpy
from paddle_lite.core.errors import ArgumentValueError, EnforceNotMet, MissingFileError, message
from paddle_lite.core.lod import from_lengths
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.io.inference_model import interface, load_inference_model, read_program
from paddle_lite.io.locating import located, parameters_file
from paddle_lite.kernels.compiler.unpacking import UNPACK
from paddle_lite.kernels.kernel_cache import counts, directory
from paddle_lite.static.execution.compiled import CompiledProgram
from paddle_lite.static.execution.executor import Executor
from paddle_lite.static.execution.scope import Scope, scope_guard
from paddle_lite.static.execution.strategies import BuildStrategy
from paddle_lite.static.program.program import Program, program_guard
from paddle_lite.static.program.variable import Variable

from .cache import kernels
from .networks import IMPERATIVE, PROGRAMS
from .shapes import named_shape

CALL = "cache warm"
SCRIPT = ".py"  # the suffix of what is run, not loaded
STEPS = 8  # of each sequence, where an input has a LoD


def warm(
    path: str,
    batch: int = 1,
    shapes: Mapping[str, Sequence[int]] | None = None,
    model_filename: str | None = None,
    params_filename: str | None = None,
) -> str:
    """Run a saved model, so that its kernels are compiled and kept on disk.

    Arguments:
        path: a folder of `save_inference_model`; a .pdmodel file, or its path without the suffix.
        batch: the number of samples; it decides between kernels for small and for large arrays.
        shapes: the shapes of inputs of which more than the first dimension is unknown.
        model_filename: the file of the Program in the folder; by default `__model__`, or the only .pdmodel file.
        params_filename: the file of all parameters; by default it is found.

    Returns:
        A line that says how many kernels were compiled, and how many were there.

    Raises:
        MissingFileError: there is no such model, or its parameters are not there.
        FileFormatError: a file is damaged.
        ArgumentValueError: the batch, or the shape of an input, does not fit.
    """
    if batch < 1:
        raise ArgumentValueError(message(CALL, "--batch", batch, "1 or more"))
    folder, file = located(CALL, path, model_filename)
    program = read_program(CALL, folder, file)
    feed = _feed(program, batch, dict(shapes or {}))
    params_filename = params_filename or parameters_file(program, folder, file)
    measured, executor = _Measured(), Executor()
    with scope_guard(Scope()), np.errstate(all="ignore"):
        program, _, fetches = load_inference_model(folder, executor, file, params_filename)
        compiled = CompiledProgram(program, _at_once())
        for _ in range(2):  # the first run checks its inputs, and fuses nothing
            executor.run(compiled, feed=feed, fetch_list=fetches, return_numpy=False)
    return measured.text(f"a batch of {batch}")


def warm_networks() -> str:
    """Train common networks for two steps each, so that their kernels are compiled and kept on disk.

    Returns:
        A line that says how many kernels were compiled, and how many were there.
    """
    measured = _Measured()
    with np.errstate(all="ignore"):
        for build in PROGRAMS.values():
            program, startup, executor = Program(), Program(), Executor()
            with scope_guard(Scope()), program_guard(program, startup), unique_name.guard():
                feed, fetches = build()
                executor.run(startup)
                compiled = CompiledProgram(program, _at_once())
                for _ in range(2):
                    executor.run(compiled, feed=feed, fetch_list=fetches)
        for train in IMPERATIVE.values():
            train()
    return measured.text("common networks")


def warm_script(path: str, arguments: Sequence[str]) -> tuple[str, int]:
    """Run a script as `python -m paddle_lite run` does; its fused kernels are compiled without a warm-up.

    Arguments:
        path: the script.
        arguments: what it finds in sys.argv.

    Returns:
        A line that says how many kernels were compiled, and the exit code of the script.

    Raises:
        MissingFileError: there is no such script.
    """
    if not os.path.isfile(path):
        raise MissingFileError(message(CALL, "SCRIPT", path, "a file"))
    before, started = _kept(), time.perf_counter()
    code = run_and_wait([path, *arguments], {"FLAGS_plan_warm_up": "0"})
    made, took = len(_kept() - before), time.perf_counter() - started
    return f"{kernels(made)} compiled by {os.path.basename(path)}, in {took:.1f} s", code


def _kept() -> set[str]:
    """Return the names of the kernels in the cache."""
    place = directory()
    names = os.listdir(place) if place and os.path.isdir(place) else ()
    return {name for name in names if not name.startswith(UNPACK)}  # a function that all kernels call


class _Measured:
    """What is compiled from now on."""

    def __init__(self) -> None:
        self.before, self.started = counts.copy(), time.perf_counter()

    def text(self, what: str) -> str:
        """Return it as a line."""
        made, took = counts - self.before, time.perf_counter() - self.started
        return f"{made['compiled']} kernels compiled and {made['loaded']} found for {what}, in {took:.1f} s"


def _at_once() -> BuildStrategy:
    """Return a BuildStrategy for which kernels are fused without waiting for runs that would earn them back."""
    strategy = BuildStrategy()
    strategy.enable_auto_fusion = True
    return strategy


def _feed(program: Program, batch: int, shapes: dict[str, Sequence[int]]) -> dict[str, Any]:
    """Return an array for each input: numbers from 0 to 1, or zeros where they are integers."""
    names, fetches = interface(program)
    if not fetches:
        fix = "Save it with fluid.io.save_inference_model."
        raise ArgumentValueError(message(CALL, "MODEL", "a Program without outputs", "an inference model", fix))
    for name in shapes.keys() - set(names):
        raise ArgumentValueError(message(CALL, "--shape", repr(name), f"an input: {', '.join(names) or 'it has none'}"))
    return {name: _array(program.global_block().var(name), batch, shapes.get(name)) for name in names}


def _array(variable: Variable, batch: int, given: Sequence[int] | None) -> Any:
    """Return an array to feed for an input."""
    known = [int(n) for n in variable.shape]
    lengths = [STEPS] * batch if variable.lod_level else []
    shape = (
        list(given) if given is not None else [sum(lengths) or batch, *known[1:]] if known and known[0] < 0 else known
    )
    what = f"input {variable.name!r} of shape {known}"
    if any(n < 0 for n in shape):
        fix = f"Give it: --shape {variable.name}={','.join(str(n) if n >= 0 else 'D' for n in shape)}."
        raise ArgumentValueError(message(CALL, what, "no number for a dimension after the first", "its shape", fix))
    if len(shape) != len(known) or any(n >= 0 and n != m for n, m in zip(known, shape, strict=True)):
        raise ArgumentValueError(message(CALL, f"--shape of {what}", shape, "a shape that fits"))
    dtype = to_numpy(variable._dtype) if variable._dtype is not None else np.dtype(np.float32)
    array = np.random.RandomState(0).rand(*shape).astype(dtype)  # of integers and truths: zeros
    if not lengths:
        return array
    lengths = lengths if shape[0] == sum(lengths) else [1] * shape[0]
    return LoDTensor.of(array, from_lengths([[1] * len(lengths)] * (variable.lod_level - 1) + [lengths]))


def main(arguments: argparse.Namespace, words: Sequence[str]) -> int:
    """Print what was compiled; an error is one line, with exit code 1.

    Args:
        arguments: the command line of `cache warm`.
        words: what follows a script on the command line.
    """
    path, code = arguments.path, 0
    try:
        if directory() is None:
            fix = "Unset PADDLE_LITE_KERNEL_CACHE, and set PADDLE_LITE_CACHE_DIR where there is no home directory."
            raise MissingFileError(message(CALL, "the cache", "no directory", "one to keep kernels in", fix))
        if path is None:
            said = warm_networks()
        elif path.endswith(SCRIPT):
            said, code = warm_script(path, words)
        else:
            shapes = dict(named_shape(CALL, text) for text in arguments.shape)
            said = warm(path, arguments.batch, shapes, arguments.model, arguments.params)
        print(said)
    except (EnforceNotMet, OSError) as error:
        print(f"python -m paddle_lite {error}", file=sys.stderr)
        return 1
    return code
