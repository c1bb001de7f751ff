"""Every operator in a static Program: results, LoDs and gradients as the imperative call gives them; also out of a file."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from paddle_lite.core import unique_name
from paddle_lite.core.errors import DtypeError
from paddle_lite.core.lod import level_of, offsets
from paddle_lite.core.mode import switched
from paddle_lite.core.place import CPUPlace
from paddle_lite.core.selected_rows import SelectedRows
from paddle_lite.core.tensor import LoDTensor
from paddle_lite.imperative.variable import Variable as Imperative
from paddle_lite.ops.framework.spec import OpDef
from paddle_lite.static import (
    Executor,
    Program,
    Scope,
    Variable,
    default_main_program,
    gradients,
    program_guard,
)
from paddle_lite.static.mode.static_mode import static_mode
from tests.ops.case import Case, dense, device, flat
from tests.ops.checks import bad_call, each, equal
from tests.ops.row import Row
from tests.static.passes import passes
from tests.static.plan.running import interpreted, looked_at


def programs_equal_calls(op: OpDef, row: Row) -> None:
    """A Program of this one operator gives what the imperative call gives, its gradients too.

    It is written to a file and read, and goes through all passes, once for all samples of the same dtypes and attributes.
    """
    known: set[tuple[Any, ...]] = set()

    def compared(case: Case) -> None:
        kind = (repr(case.attrs), *(array.dtype for array in case.named_inputs().values()))
        _programs_equal_calls(case, kind not in known)
        known.add(kind)

    each(op, row, compared)


def _programs_equal_calls(case: Case, of_new_kind: bool) -> None:
    with device("cpu"):
        outputs = case.call(case.variables([]))
        seeds = case.seeds({n: v.array for n, v in outputs.items()})
        wanted = case.wanted()
        slopes = case.differentiate(seeds, wanted) if seeds and wanted and case.repeatable else {}
    with switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()):
        built = Built(case, seeds if slopes else {}, list(slopes))
    programs = [(built.program, "")]
    if of_new_kind:
        again = Program.parse_from_string(built.program.desc.serialize_to_string())
        programs.append((again, " of a Program that was written and read"))
    for program, whence in programs:
        problems = program.lint()
        if problems:
            raise AssertionError(f"{case}{whence}: {problems}")
        got = built.run(program)
        results = {n: array for n, (array, _) in got.items()}
        values = {n: v.array for n, v in outputs.items()}
        if case.op.traits.out_of_place is not None:  # the call replaces its input, the Program does not
            values = dict(
                zip(values, case.op.traits.out_of_place.reference(np, *case.inputs, **case.attrs), strict=True)
            )
        if case.op.traits.leaves is not None:  # the call returns what the Program keeps
            left = case.op.traits.leaves(case.attrs)
            values = {n: v for n, v in values.items() if n not in left}
        what = f"{case}: results{whence}"
        rounded = None if program is built.program else (1e-5, 1e-5)  # FLOAT attributes are float32 in files
        equal(what, {n: results[n] for n in values}, values, rounded, numbers=case.repeatable)
        if case.repeatable:
            lods = {n: offsets(got[n][1]) for n in values}
            expected = {n: outputs[n].lod() for n in values}
            if lods != expected:
                raise AssertionError(f"{case}: LoDs{whence} are {lods}, the call has {expected}")
        equal(f"{case}: gradients{whence}", {n: results[f"{n}@GRAD"] for n in slopes}, slopes, rounded or (1e-5, 1e-6))
        if program is built.program and of_new_kind and case.repeatable:
            _passes_change_nothing(case, built, got)


def _passes_change_nothing(case: Case, built: Built, expected: dict[str, tuple[Any, Any]]) -> None:
    """The Program computes the same through all passes, of which a checker finds no fault."""
    built.program._plans.clear()
    executor = Executor()
    with passes("all", 0), looked_at(), interpreted():
        plan, arrays, lods = executor.ready(built.program, built.feed, list(built.fetches.values()), built.scope)
        assert plan.source
        made, levels = plan._call(plan._function(checked=False, fused=True), arrays, lods)
    got = dict(zip(built.fetches, zip(made, levels, strict=True), strict=False))
    what, there = f"{case} through all passes", [n for n, (value, _) in expected.items() if value is not None]
    equal(what, {n: got[n][0] for n in there}, {n: expected[n][0] for n in there}, (1e-4, 1e-5))
    if any(offsets(got[n][1]) != offsets(expected[n][1]) for n in there):
        raise AssertionError(f"{what}: other LoDs")


class Built:
    """A Program with one call, and what it is fed with."""

    def __init__(self, case: Case, seeds: dict[str, np.ndarray], wanted: list[str]) -> None:
        self.program = default_main_program()
        self.scope = Scope()
        self.feed: dict[str, Any] = {}
        variables = [
            [self._input(f"{slot.name}.{i}", a, o) for i, (a, o) in enumerate(zip(value, lod, strict=True))]
            if isinstance(value, list)
            else None
            if value is None
            else self._input(slot.name, value, lod)
            for slot, value, lod in zip(case.op.inputs, case.inputs, case.lods(), strict=True)
        ]
        result = case.op.call(*variables, **case.attrs)
        outputs = flat(case.op.outputs, result if len(case.op.outputs) != 1 else (result,))
        self.fetches = {name: variable.name for name, variable in outputs.items()}
        if wanted:
            inputs = flat(case.op.inputs, variables)
            roots = [outputs[n] for n in seeds]
            for root in roots:  # a result of top_k and argsort stops gradients, unless a program says that it does not
                root.stop_gradient = False
            arriving = [self._input(f"{n}@SEED", array, None) for n, array in seeds.items()]
            found = gradients(roots, [inputs[n] for n in wanted], arriving)
            missing = [n for n, g in zip(wanted, found, strict=True) if g is None]
            if missing:
                raise AssertionError(f"{case}: no gradient of {', '.join(missing)} in the Program")
            self.fetches.update({f"{n}@GRAD": g.name for n, g in zip(wanted, found, strict=True) if g is not None})

    def _input(self, name: str, array: Any, lod: Any) -> Variable:
        key = f"in.{name}"
        block = self.program.global_block()
        if isinstance(array, SelectedRows):
            self.scope.values[key] = array
            return block.create_var(name=key, shape=array.shape, dtype=array.dtype, persistable=True)
        if lod is None:
            self.feed[key] = array
        else:
            tensor = LoDTensor()
            tensor.array, tensor.levels = array, lod
            self.feed[key] = tensor
        return block.create_var(
            name=key, shape=array.shape, dtype=array.dtype, lod_level=level_of(lod), is_data=True, stop_gradient=False
        )

    def run(self, program: Program) -> dict[str, tuple[Any, Any]]:
        """(array, LoD) by flat name; gradients as `name@GRAD`."""
        results = Executor().execute(program, self.feed, list(self.fetches.values()), self.scope)
        return {name: (dense(v), lod) for name, (v, lod) in zip(self.fetches, results, strict=True)}


# --- bad calls -------------------------------------------------------------------------------------------------------------


def bad_calls_raise_the_same_in_programs(op: OpDef, row: Row) -> None:
    """A bad call raises the imperative error while a Program is built; one that depends on values or LoDs, when it runs."""
    for number, bad in enumerate(row.errors):
        with device("cpu"):
            expected = bad_call(op, bad, lambda name, array, lod: Imperative(array, lod=lod, name=name))
        with switched(static_mode, CPUPlace(), np), unique_name.guard(), program_guard(Program(), Program()):
            feed: dict[str, Any] = {}
            error = bad_call(op, bad, partial(_fed, feed))
            known_before = error is not None
            if error is None:
                error = _error_of_a_run(feed)
        where = f"{op.type} bad call {number} in a Program"
        if type(error) is not type(expected):
            raise AssertionError(f"{where}: raised {error!r}, the imperative call {expected!r}") from error
        if _without_lines(error) != _without_lines(expected):
            raise AssertionError(f"{where}: the text is {error}; that of the imperative call is {expected}")
        if isinstance(error, DtypeError) and not known_before and not op.traits.fed_as:
            raise AssertionError(f"{where}: dtypes are known to inference, which says nothing")


def _fed(feed: dict[str, Any], name: str, array: np.ndarray, lod: Any) -> Variable:
    """A Variable of the Program that is fed with an array."""
    feed[name] = array
    if lod is not None:
        feed[name] = tensor = LoDTensor()
        tensor.array, tensor.levels = array, lod
    block = default_main_program().global_block()
    return block.create_var(name=name, shape=array.shape, dtype=array.dtype, lod_level=level_of(lod), is_data=True)


def _error_of_a_run(feed: dict[str, Any]) -> Exception | None:
    """The error of a run of the Program; None if it has none."""
    program = default_main_program()
    [operator] = program.global_block().ops
    try:
        Executor().execute(program, feed, operator.output_arg_names[:1], Scope())
    except Exception as error:
        return error
    return None


def _without_lines(error: Exception | None) -> str:
    """The text of an error without the lines that say where the operator was made."""
    return str(error).split("\n  ")[0]
