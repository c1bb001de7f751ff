"""`python -m paddle_lite inspect MODEL`: what a saved model takes, gives and holds, and with --plan how it runs."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from math import prod

from paddle_lite.core.dtype import to_numpy
from paddle_lite.core.errors import ArgumentValueError, EnforceNotMet, NotYetAvailable, message
from paddle_lite.core.text import format_bytes, format_columns
from paddle_lite.io.inference_model import interface, read_program
from paddle_lite.io.locating import located
from paddle_lite.io.program_state import PROGRAM
from paddle_lite.io.state import OPTIMIZER, PARAMETERS
from paddle_lite.io.variables import is_persistable
from paddle_lite.static.execution.plan_cache import plan_of
from paddle_lite.static.plan.needed import PASSED_BY
from paddle_lite.static.program.operator import Operator
from paddle_lite.static.program.program import Program
from paddle_lite.static.program.variable import Variable

CALL = "inspect"


def report(path: str, model_filename: str | None = None, rows: int = 40) -> str:
    """Describe the inputs, outputs, operators and parameters of a model.

    Arguments:
        path: a folder of `save_inference_model`; a .pdmodel file, or its path without the suffix.
        model_filename: the file of the Program in the folder; by default `__model__`, or the only .pdmodel file.
        rows: how many parameters are listed, the largest first.

    Returns:
        Text of several lines.

    Raises:
        MissingFileError: there is no such model.
        FileFormatError: the file holds no Program.
    """
    folder, file = located(CALL, path, model_filename)
    program = read_program(CALL, folder, file)
    blocks = f", {program.num_blocks} blocks" if program.num_blocks > 1 else ""
    ops = [op for op in program.all_ops() if op.type not in ("feed", "fetch")]
    parts = [
        f"{os.path.join(folder, file)}: {len(ops)} operators{blocks}",
        _interface(program),
        _operators(ops),
        _parameters(program, folder, file, rows),
    ]
    return "\n\n".join(part for part in parts if part)


def _interface(program: Program) -> str:
    feeds, fetches = interface(program)
    block = program.global_block()
    if not feeds and not fetches:
        feeds = [v.name for v in block.vars.values() if v.is_data]
    lines = [f"{title}\n{format_columns(_variables(block.vars.get(name), name) for name in names)}"
             for title, names in (("Inputs", feeds), ("Outputs", fetches)) if names]  # fmt: skip
    return "\n\n".join(lines)


def _variables(variable: Variable | None, name: str) -> list[str]:
    if variable is None:
        return [name, "unknown"]
    level = f"LoD of {variable.lod_level} level{'s' * (variable.lod_level > 1)}" if variable.lod_level else ""
    return [name, _shape(variable), _dtype(variable), level]


def _shape(variable: Variable) -> str:
    return "[" + ", ".join("any" if n < 0 else str(n) for n in variable.shape) + "]"


def _dtype(variable: Variable) -> str:
    return "unknown" if variable._dtype is None else to_numpy(variable._dtype).name


def _operators(ops: Sequence[Operator]) -> str:
    counts = Counter(op.type for op in ops)
    lacking = {op.type for op in ops if op.declared is None}
    rows = [
        [type, str(count), "not available in this version" if type in lacking else ""]
        for type, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    ]
    return f"Operators\n{format_columns(rows)}" if rows else ""


def _parameters(program: Program, folder: str, file: str, rows: int) -> str:
    stored = [v for v in program.list_vars() if is_persistable(v)]
    if not stored:
        return ""
    stored.sort(key=lambda v: (-_bytes(v), v.name))
    total = sum(_bytes(v) for v in stored)
    numbers = sum(_numbers(v) for v in stored)
    lines = [f"Parameters: {len(stored)} with {numbers:,} numbers, {format_bytes(total)}{_files(folder, file, stored)}"]
    lines.append(format_columns([v.name, _shape(v), _dtype(v), format_bytes(_bytes(v))] for v in stored[:rows]))
    if len(stored) > rows:
        lines.append(
            f"  ... and {len(stored) - rows} smaller ones, {format_bytes(sum(_bytes(v) for v in stored[rows:]))}"
        )
    return "\n".join(lines)


def _files(folder: str, file: str, stored: Sequence[Variable]) -> str:
    """Return where the parameters are."""
    absent = [v.name for v in stored if not os.path.isfile(os.path.join(folder, v.name))]
    if not absent:
        return ", a file for each"
    beside = [file.removesuffix(PROGRAM) + suffix for suffix in (".pdiparams", PARAMETERS, OPTIMIZER)]
    beside = [name for name in beside if os.path.isfile(os.path.join(folder, name))]
    if beside:
        return f", in {' and '.join(beside)}"
    others = sorted(n for n in os.listdir(folder) if n != file and os.path.isfile(os.path.join(folder, n)))
    if len(absent) == len(stored) and len(others) == 1:
        return f", in {others[0]}"
    if len(absent) == len(stored):
        return ""
    return f"; no file of {', '.join(absent[:5])}{' ...' if len(absent) > 5 else ''}"


def _numbers(variable: Variable) -> int:
    return prod(max(n, 0) for n in variable.shape)


def _bytes(variable: Variable) -> int:
    return _numbers(variable) * (0 if variable._dtype is None else to_numpy(variable._dtype).itemsize)


def plan_report(path: str, model_filename: str | None = None, batch: int | None = None) -> str:
    """Describe how a model runs: the listing of its Plan.

    Arguments:
        path, model_filename: as of `report`.
        batch: the number that stands for sizes which are known only at run time; they are shown as N where it is None.

    Returns:
        Text of several lines.

    Raises:
        MissingFileError, FileFormatError: as `report`.
        ArgumentValueError: the batch is not 1 or more; the file holds a Program that gives nothing.
        NotYetAvailable: there are operators that this version does not have.
    """
    if batch is not None and batch < 1:
        raise ArgumentValueError(message(CALL, "--batch", batch, "1 or more"))
    folder, file = located(CALL, path, model_filename)
    program = read_program(CALL, folder, file)
    lacking = sorted({op.type for op in program.all_ops() if op.declared is None and op.type not in PASSED_BY})
    if lacking:
        raise NotYetAvailable(f"{CALL} --plan: not available in this version: {', '.join(lacking)}.")
    feeds, fetches = interface(program)
    plan = plan_of(program, feeds if fetches else None, fetches)
    if not plan.ops:
        fix = "Save it with fluid.io.save_inference_model."
        raise ArgumentValueError(message(CALL, "MODEL", "a Program that gives nothing", "an inference model", fix))
    return f"{os.path.join(folder, file)}\n\n{plan.listing().text(batch)}"


def main(path: str, model_filename: str | None, plan: bool = False, batch: int | None = None) -> int:
    """Print the report, or the Plan; an error is one line, with exit code 1."""
    try:
        if batch is not None and not plan:
            raise ArgumentValueError(message(CALL, "--batch", batch, "--plan beside it, which it belongs to"))
        print(plan_report(path, model_filename, batch) if plan else report(path, model_filename))
    except (EnforceNotMet, NotYetAvailable) as error:
        print(f"python -m paddle_lite {error}", file=sys.stderr)
        return 1
    return 0
