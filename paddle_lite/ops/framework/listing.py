"""`python -m paddle_lite ops`: the declared operators, and the source location of each of their parts.

All facts are derived: operators come from the registry, locations from the functions and from the source
of the modules that declare them.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import functools
import importlib
import importlib.util
import inspect
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ...kernels import registry as kernels
from ...kernels.registry import module_exists
from . import registry
from .spec import Grad, OpDef

ROOT = Path(__file__).resolve().parents[3]
DEVICES = ("cpu", "gpu")


# --- places in the source -----------------------------------------------------------------------------------------------


def place(path: Path, line: int) -> str:
    """Return `file:line`, with the file relative to the root of the repository."""
    return f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{line}"


@functools.cache
def _module(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _source_of(module: str) -> Path | None:
    """Return the file of a module without importing it; None if there is no such module."""
    found = importlib.util.find_spec(module) if module_exists(module) else None
    return None if found is None or found.origin is None else Path(found.origin).resolve()


def line_of(path: Path, name: str) -> int:
    """Return the line of the first call in a file whose first argument is the string `name`; 1 if there is none."""
    calls = (n for n in ast.walk(_module(path)) if isinstance(n, ast.Call) and n.args)
    return min((c.lineno for c in calls if isinstance(c.args[0], ast.Constant) and c.args[0].value == name), default=1)


def declaration_of(op: OpDef) -> str:
    """Return where an operator is declared; for a gradient operator, where its forward operator is declared."""
    if op.outside and op.origin is not None:
        return place(Path(op.origin.file), op.origin.line)
    if op.root.type in registry.only_in_programs:
        return _declaration_in_programs(op.root.type)
    path = _source_of(f"{registry.OPS}.{op.family}")
    assert path is not None
    return place(path, line_of(path, op.root.type))


def _declaration_in_programs(type: str) -> str:
    """Return where static mode declares an operator: a call of `structural`."""
    for path in sorted((ROOT / "paddle_lite" / "static" / "operators").glob("*.py")):
        for node in ast.walk(_module(path)):
            if not isinstance(node, ast.Call) or not node.args or getattr(node.func, "id", "") != "structural":
                continue
            if isinstance(node.args[0], ast.Constant) and node.args[0].value == type:
                return place(path, node.lineno)
    return "paddle_lite/static/operators"


def function_at(function: Callable, op: OpDef) -> str:
    """Return where a function is defined; for a closure, where the enclosing function defines it."""
    function = inspect.unwrap(function)
    while isinstance(function, functools.partial):
        function = function.func
    code = getattr(function, "__code__", None)
    if code is None:
        return f"{getattr(function, '__module__', '?')}.{getattr(function, '__qualname__', function)}"
    path = Path(code.co_filename).resolve()
    here = place(path, code.co_firstlineno)
    declaring = _source_of(f"{registry.OPS}.{op.family}")
    if op.outside and op.origin is not None:
        declaring = Path(op.origin.file).resolve()
    return here if path == declaring else f"made by {here} from the declaration"


@functools.cache
def registered(device: str, family: str) -> dict[str, str]:
    """Return the locations of a family's kernels on a device by operator type, without importing Numba or CuPy."""
    path = _source_of(f"paddle_lite.kernels.{device}.{family}_kernels")
    found: dict[str, str] = {}
    for node in [] if path is None else ast.walk(_module(path)):
        for call in getattr(node, "decorator_list", []):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "kernel":
                types = [a.value for a in call.args if isinstance(a, ast.Constant)]
                assert path is not None and isinstance(node, ast.FunctionDef)
                found.update({str(t): place(path, node.lineno) for t in types})
    return found


def kernel_of(op: OpDef, device: str) -> str | None:
    """Return the location of an operator's kernel on a device, or None; a user's kernel is found in the registry."""
    if not op.outside:
        return registered(device, op.family).get(op.type)
    found = kernels.registered(op.type, device)
    return (
        None if found is None else function_at(found, op).removeprefix("made by ").removesuffix(" from the declaration")
    )


def kernel_on(op: OpDef, device: str) -> str:
    """Return what runs an operator on a device: "kernel", "generated", "direct" (a binary function) or "reference".

    For an operator that exists only in Programs it is "Program".
    """
    if op.type in registry.only_in_programs:
        return "Program"
    if kernel_of(op, device) is not None:
        return "kernel"
    if op.make_kernel is not None:
        return "generated"
    return "direct" if op.ufunc is not None and device == "cpu" else "reference"


def kernel_at(op: OpDef, device: str) -> str:
    """Return what runs an operator on a device, and its location."""
    kind = kernel_on(op, device)
    if kind == "kernel":
        return str(kernel_of(op, device))
    if kind == "generated":
        return "generated from the expression in the declaration"
    if kind == "direct":
        return f"{_name_of(op.ufunc)} where shapes broadcast as in NumPy, else the reference"
    return "the reference"


def _name_of(function: Any) -> str:
    """Return the name of a NumPy function, or the location of a function of paddle_lite."""
    if isinstance(function, np.ufunc):
        return f"numpy.{function.__name__}"
    return place(Path(function.__code__.co_filename).resolve(), function.__code__.co_firstlineno)


def gradient_at(grad: Grad | None, op: OpDef) -> str:
    """Return which operator computes the gradient of an operator, and where it is defined."""
    if grad is None:
        return "none"
    reads = f"{', '.join(grad.reads)} -> {', '.join(grad.gives)}"
    if grad.via is not None:
        return f"{grad.via} ({reads}), {declaration_of(registry.get(grad.via))}"
    if grad.op is not None:
        return f"{grad.op.type} ({reads}), {function_at(grad.op.reference, op)}"
    assert grad.compose is not None
    return f"composed of operators ({reads}), {function_at(grad.compose, op)}"


def row_at(op: OpDef) -> str:
    """Return the location of an operator's test row; the tests are in the repository, not in an installed package."""
    if op.outside:
        return "none: rows are of the operators in paddle_lite"
    folder = ROOT / "tests" / "ops" / "rows"
    if not folder.exists():
        return "not installed: tests come with the repository"
    path = folder.joinpath(*op.family.split(".")).with_suffix(".py")
    return place(path, line_of(path, op.root.type)) if path.exists() else "none"


# --- what is printed ----------------------------------------------------------------------------------------------------


def facts(op: OpDef) -> dict[str, Any]:
    """Return the table's row for an operator."""
    return {
        "type": op.type,
        "family": op.family,
        "inputs": [s.name for s in op.inputs],
        "outputs": [s.name for s in op.outputs],
        "slots": op.slots,
        "attributes": len(op.attrs),
        "gradient": "" if op.grad is None else op.grad.via or (op.grad.op.type if op.grad.op else "composed"),
        **{device: kernel_on(op, device) for device in DEVICES},
    }


def table(ops: list[OpDef]) -> str:
    """Return the table: a line for each operator, and totals."""
    shown = ("type", "family", "attributes", "gradient", *DEVICES, "slots")
    rows = [shown, *(tuple(str(said[key]) for key in shown) for said in map(facts, ops))]
    widths = [max(len(row[i]) for row in rows) for i in range(len(shown))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
    counts = [f"{len(ops)} operators", f"{sum(op.grad is not None for op in ops)} with a gradient"]
    for device in DEVICES:
        own = sum(kernel_on(op, device) not in ("reference", "Program") for op in ops)
        counts.append(f"{own} with a {device.upper()} kernel")
    return "\n".join([*lines, "", ", ".join(counts)])


def where(op: OpDef) -> str:
    """Return the location of each part of an operator."""
    if op.type in registry.only_in_programs:
        return f"{repr(op)[1:-1]}\n  declaration  {declaration_of(op)}\n  runs         in Programs only, see paddle_lite/static/plan"
    parts = {
        "declaration": declaration_of(op),
        "reference": function_at(op.reference, op),
        **{f"{device.upper()} kernel": kernel_at(op, device) for device in DEVICES},
        "gradient": gradient_at(op.grad, op),
        "traits": str(op.traits) or "none",
        "test row": row_at(op),
    }
    if op.forward is not None:
        parts = {"gradient of": op.forward.type, **parts}
    return "\n".join([repr(op)[1:-1], *(f"  {name:<12} {text}" for name, text in parts.items())])


def main(argv: list[str]) -> int:
    """Run `python -m paddle_lite ops ...` and return the exit code.

    Arguments:
        argv: the command-line arguments after `ops`.

    >>> main(["where", "elementwise_add"])  # doctest: +ELLIPSIS
    op elementwise_add: X Y -> Out; axis
      declaration  paddle_lite/ops/math/elementwise.py:...
      ...
    0
    """
    arguments = _parser().parse_args(argv)
    for module in arguments.modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            print(f"ops: --import {module}: {error}.", file=sys.stderr)
            return 1
    declared = {op.type: op for op in registry.all_ops()} | registry.only_in_programs
    every = dict(sorted(declared.items()))
    if arguments.command == "where":
        if arguments.name in every:
            print(where(every[arguments.name]))
            return 0
        near = difflib.get_close_matches(arguments.name, every, 5, 0.5)
        hint = f" Near it: {', '.join(near)}." if near else " `python -m paddle_lite ops` lists them all."
        print(f"ops where: there is no operator {arguments.name!r}.{hint}", file=sys.stderr)
        return 1
    ops = [op for op in every.values() if op.forward is None]
    if arguments.family is not None:
        families = sorted({op.family for op in ops})
        chosen = [family for family in families if f"{family}.".startswith(f"{arguments.family}.")]
        if not chosen:
            message = f"ops: there is no family {arguments.family!r}; the families are {', '.join(families)}."
            print(message, file=sys.stderr)
            return 1
        ops = [op for op in ops if op.family in chosen]
    print(json.dumps([facts(op) for op in ops], indent=1) if arguments.json else table(ops))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m paddle_lite ops",
        description="List the operators: slots (* a list, ? may be absent, ~ for the gradient only), how many attributes, "
        "the operator that computes the gradient, and what runs on each device.",
    )
    parser.add_argument(
        "--family", help="list only the operators of one folder or file in paddle_lite/ops, e.g. nn or nn.conv"
    )
    parser.add_argument(
        "--import", dest="modules", action="append", default=[], metavar="MODULE",
        help="first import a module that declares operators of your own",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the list as JSON")
    commands = parser.add_subparsers(dest="command", metavar="where NAME")
    one = commands.add_parser("where", help="show where an operator is declared, computed and tested")
    one.add_argument("name", metavar="NAME", help="the type of an operator, e.g. relu or relu_grad")
    return parser
