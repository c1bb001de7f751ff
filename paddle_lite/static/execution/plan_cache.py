"""The cache of Plans: a Plan is compiled once for the same feeds and fetches, and stored with its Program."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from threading import RLock
from typing import Any

from ...core import flags
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.place import Place, resolve
from ...core.text import closest
from ...core.threads.forking import PLANS, hold_while_forking
from ..plan.loops.runtime import MOST
from ..plan.needed import needed_operators, outer_reads
from ..plan.passes import switched_on
from ..plan.plan import PassSelection, Plan
from ..program import program as programs
from ..program.program import Program
from ..program.variable import Variable
from .feeding import convert_feed, lods_of
from .scope import global_scope

PLANS_KEPT = 32  # the largest number of Plans of one Program
_compiling = RLock()  # a finalizer that runs meanwhile may run a Program, too
hold_while_forking(_compiling, PLANS)


def cached_plan(
    program: Program,
    feeds: Sequence[str],
    ragged: Iterable[str],
    fetches: Sequence[str],
    device: str,
    selection: PassSelection | None,
) -> Plan:
    """Return the cached or new Plan of a Program; see Plan for the arguments."""
    key = (program.changes, feeds, ragged, fetches, device, selection, switched_on(), flags.value(MOST))
    plan: Plan | None = program._plans.get(key)
    if plan is None:
        with _compiling:
            plan = program._plans.get(key)
            if plan is not None:  # another thread has compiled it meanwhile
                return plan
            for old in [k for k in program._plans if k[0] != program.changes]:
                del program._plans[old]
            if len(program._plans) >= PLANS_KEPT:
                program._plans.clear()
            plan = program._plans[key] = Plan(program, feeds, ragged, fetches, device, selection)
    return plan


def plan_of(program: Any = None, feed: Any = None, fetch_list: Any = None, place: Place | None = None) -> Plan:
    """Return the Plan that `Executor.run` uses for the same feed and fetches.

    `print(plan.listing())` shows which operators became which kernel, with bytes and FLOPs; `print(plan.source)` shows the
    Python function that runs. A notebook displays the listing automatically.

    Arguments:
        program: a Program, or a CompiledProgram with its BuildStrategy; None means the default main Program.
        feed: the dict that `run` takes, or the names of the fed Variables; None means all data Variables that are needed.
            Variables with LoD levels are assumed to be fed with a LoD if only names are given.
        fetch_list: the Variables to return, as for `run`.
        place: the place, as for an Executor.

    Returns:
        The Plan.

    Raises:
        ArgumentTypeError: `program` is not a Program, or `feed` has no names.
        ArgumentValueError: the Program does not have a Variable of a given name.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.static import plan_of
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 8], 'float32')
    ...     y = fluid.layers.relu(fluid.layers.scale(x, 2.0))
    ...     plan = plan_of(fluid.default_main_program(), ['x'], [y])
    >>> plan
    <Plan of 2 operators: x -> relu_0.tmp_0>
    >>> [row.kernel for row in plan.listing().rows]
    ['fused: scale + relu']
    """
    program = programs.default_main_program() if program is None else program
    selection = None
    if hasattr(program, "run_by"):  # a CompiledProgram
        selection, program = program.pass_selection, program.program
    if not isinstance(program, Program):
        needs = "a fluid.Program or a CompiledProgram"
        raise ArgumentTypeError(message("plan_of", "program", describe(program), needs))
    device = "gpu" if resolve(place, "plan_of").kind == "gpu" else "cpu"
    fetches = fetch_names(program, fetch_list, "plan_of")
    if isinstance(feed, Mapping):
        values = convert_feed(program, feed)
        return cached_plan(
            program,
            tuple(values),
            tuple(sorted(lods_of(program, values, global_scope()))),
            tuple(fetches),
            device,
            selection,
        )
    names = _needed_data(program, fetches) if feed is None else _names(program, feed)
    block = program.global_block()
    ragged = sorted(name for name in names if block.vars[name].lod_level)
    return cached_plan(program, tuple(names), tuple(ragged), tuple(fetches), device, selection)


def _needed_data(program: Program, fetches: Sequence[str]) -> list[str]:
    """Return the data Variables that a run needs."""
    block = program.global_block()
    read = outer_reads(needed_operators(block, fetches), fetches)
    return [name for name in read if (v := block.vars.get(name)) is not None and v.is_data]


def _names(program: Program, feed: Any) -> list[str]:
    """Return the names in a list of names or Variables that are fed."""
    if not isinstance(feed, (list, tuple, set, frozenset)):
        needs = "a dict as Executor.run takes it, or a list of names"
        raise ArgumentTypeError(message("plan_of", "feed", describe(feed), needs))
    names = [each.name if isinstance(each, Variable) else each for each in feed]
    known = program.global_block().vars
    for name in names:
        if name not in known:
            raise ArgumentValueError(message("plan_of", "feed", repr(name), "names of Variables of the Program"))
    return names


def fetch_names(program: Program, fetch_list: Any, where: str = "Executor.run") -> list[str]:
    """Return the names in a fetch_list; raise for Variables that the Program does not have."""
    if fetch_list is None:
        return []
    if isinstance(fetch_list, (str, Variable)):
        fetch_list = [fetch_list]
    if not isinstance(fetch_list, (list, tuple)):
        raise ArgumentTypeError(message(where, "fetch_list", describe(fetch_list), "a list of Variables"))
    names = []
    for item in fetch_list:
        if isinstance(item, (list, tuple)):
            names += fetch_names(program, item, where)
            continue
        name = item if isinstance(item, str) else getattr(item, "name", None)
        if not isinstance(name, str):
            needs = "Variables, or their names"
            raise ArgumentTypeError(message(where, "fetch_list", describe(item), needs))
        if not any(block.has_var(name) for block in program.blocks):
            close = closest(name, (each for block in program.blocks for each in block.vars))
            meant = f"Did you mean {close!r}? " if close else ""
            fix = f"{meant}Was it made in another Program? Pass that one to run()."
            raise ArgumentValueError(
                message(where, "fetch_list", repr(name), "a Variable of the Program that is run", fix)
            )
        names.append(name)
    return names
