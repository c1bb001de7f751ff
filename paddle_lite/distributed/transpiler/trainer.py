"""The Programs of a trainer: gradients are sent where they are made, parameters received at the end of a step."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from ...core.dtype import VarType
from ...optimizer.static_schedules import COUNTER
from ...static.program.roles import OpRole
from .blocks import TABLES, Trained
from .job import Job


def rewrite_main(program: Any, job: Job) -> None:
    """Make the main Program that of a trainer, but for the updates, which `remove_updates` removes."""
    block = program.global_block()
    _look_up_on_servers(block, job)
    control = {each.name: _send(block, each, job) for each in job.trained}
    if COUNTER in block.vars and not job.barriers:
        _tell_step(block, job)
    barrier = control_variable(block)  # without a use in asynchronous training, as in 1.8.5
    waits = job.barriers or job.half_async
    if waits:
        attrs: dict[str, Any] = {"trainer_id": job.trainer_id, "endpoints": job.endpoints, "half_async": job.half_async}
        _rpc(block, "send_barrier", list(control.values()), [barrier], **attrs)
    received = []
    for each in job.trained:
        if not each.table:
            received += _receive(block, each, job, barrier if waits else control[each.name])
    if job.barriers:
        _rpc(block, "fetch_barrier", [barrier], received, trainer_id=job.trainer_id, endpoints=job.endpoints)
    if not job.splits_when_sent:
        _join(block, job.trained, OpRole.Dist)


def remove_updates(program: Any, startup: Any) -> None:
    """Remove what runs on the servers: optimizers and learning rates, and what initialises the state of optimizers."""
    block, first = program.global_block(), startup.global_block()
    moved = [op for op in block.ops if op.role & (OpRole.Optimize | OpRole.LRSched)]
    block.ops[:] = [op for op in block.ops if op not in moved]
    used = {name for each in program.blocks for op in each.ops for name in (*op.input_arg_names, *op.output_arg_names)}
    updates = [op for op in moved if not op.role & OpRole.LRSched]
    state = {name for op in updates for name in (*op.input_arg_names, *op.output_arg_names)} - used
    first.ops[:] = [op for op in first.ops if not state & set(op.output_arg_names)]
    for each in (program, startup):
        each._changed()


def rewrite_startup(program: Any, job: Job) -> None:
    """Make the startup Program that of a trainer, which receives the parameters from the servers."""
    block = program.global_block()
    if COUNTER in block.vars and not job.barriers:
        counter = _declare_counter(block, job)
        attrs = {"shape": [1], "dtype": int(VarType.INT64), "value": 1.0}
        block.append_op("fill_constant", {}, {"Out": [counter]}, attrs)
    receive_all(block, job)
    tables = {each.name: each for each in job.trained if each.table}
    block.ops[:] = [op for op in block.ops if not tables.keys() & set(op.output_arg_names)]
    for name, each in tables.items():
        block.append_op("fake_init", {}, {"Out": [name]}, {"shape": list(each.shape)})


def receive_all(block: Any, job: Job) -> None:
    """Append what receives all parameters but tables, to a startup Program."""
    for each in job.trained:
        if not each.table:
            _receive(block, each, job)
    _rpc(block, "fetch_barrier", [], [control_variable(block)], trainer_id=job.trainer_id, endpoints=job.endpoints)
    _join(block, job.trained, OpRole.Forward)


# --- sending --------------------------------------------------------------------------------------------------------------


def _send(block: Any, trained: Trained, job: Job) -> Any:
    """Insert a `send` behind the operator that makes the gradient; return the variable that orders others after it."""
    at = max(
        i for i, op in enumerate(block.ops) if trained.gradient in op.output_arg_names and not op.role & OpRole.Optimize
    )
    names = [job.sent_name(each.gradient) for each in trained.blocks]
    made = block.var(trained.gradient)
    if trained.cut and not job.splits_when_sent:
        for each, name in zip(trained.blocks, names, strict=True):
            block.create_var(name=name, shape=each.shape, dtype=made.dtype, type=made.type)
        rows = [each.shape[0] for each in trained.blocks]
        kind, attribute = ("split_selected_rows", "height_sections") if trained.table else ("split_byref", "sections")
        attrs = {attribute: rows, "op_role": int(OpRole.Dist)}
        block._insert_op(at + 1, type=kind, inputs={"X": [trained.gradient]}, outputs={"Out": names}, attrs=attrs)
        at += 1
    elif not job.splits_when_sent and names[0] != trained.gradient:
        _rename(block, trained.gradient, names[0])
        trained.sent = names[0]
    control = control_variable(block)
    attrs = {
        "epmap": [each.endpoint for each in trained.blocks], "trainer_id": job.trainer_id, "op_role": int(OpRole.RPC),
        "op_role_var": [trained.name, trained.sent],
    }  # fmt: skip
    inputs = names
    if job.splits_when_sent:
        inputs = [trained.gradient]
        attrs |= {"send_varnames": names, "sections": [each.shape[0] for each in trained.blocks]}
    block._insert_op(at + 1, type="send", inputs={"X": inputs}, outputs={"Out": [control]}, attrs=attrs)
    return control


def _tell_step(block: Any, job: Job) -> None:
    """Append the `send` of a notice: servers of PaddlePaddle 1.8.5 count the steps of each trainer by it, for the learning rate."""
    counter = _declare_counter(block, job)
    attrs = {
        "epmap": job.endpoints, "trainer_id": job.trainer_id, "op_role": int(OpRole.RPC), "op_role_var": [counter, counter],
        "send_varnames": [counter] if job.splits_when_sent else [], "merge_add": True, "use_send_handler": False,
    }  # fmt: skip
    block.append_op("send", {"X": [counter]}, {"Out": [control_variable(block)]}, attrs)


def _declare_counter(block: Any, job: Job) -> str:
    """Declare the variable that the notice sends: one step."""
    name = f"{COUNTER}.trainer_{job.trainer_id}"
    block.create_var(name=name, shape=[1], dtype="int64", persistable=True)
    return name


def _rename(block: Any, old: str, new: str) -> None:
    """Rename a gradient, in `op_role_var` as well."""
    block._rename_var(old, new)
    for op in block.ops:
        names = op.attrs.get("op_role_var")
        if names and old in names:
            op.attrs["op_role_var"] = [new if name == old else name for name in names]


def control_variable(block: Any) -> Any:
    """Return a new variable without a value, which only orders operators.

    Its name takes a number of `random`, as in 1.8.5: programs that seed it and shuffle later get the same order.
    """
    return block.create_var(name=f"__control_var@{random.random()}", type=VarType.RAW)


def _rpc(block: Any, type: str, inputs: Sequence[Any], outputs: Sequence[Any], **attrs: Any) -> None:
    slots = {"X": list(inputs)} if inputs else {}
    block.append_op(type, slots, {"Out": list(outputs)}, {**attrs, "op_role": int(OpRole.RPC)})


# --- receiving ------------------------------------------------------------------------------------------------------------


def _receive(block: Any, trained: Trained, job: Job, after: Any = None) -> list[str]:
    """Append the `recv` of a parameter; return the names that it writes.

    Arguments:
        after: the control variable of what it waits for; None in a startup Program.
    """
    whole = block.vars.get(trained.name)
    names = [each.parameter for each in trained.blocks]
    attrs: dict[str, Any] = {"trainer_id": job.trainer_id, "with_barrier": True}
    if after is not None:
        attrs["op_role_var"] = [trained.name, trained.sent]
    if after is not None and job.splits_when_sent:
        attrs["recv_varnames"], names = names, [trained.name]
    elif trained.cut:
        for each in trained.blocks:
            block.create_var(name=each.parameter, shape=each.shape, dtype=whole.dtype, type=whole.type)
    _rpc(
        block,
        "recv",
        [] if after is None else [after],
        names,
        epmap=[each.endpoint for each in trained.blocks],
        **attrs,
    )
    return names


def _join(block: Any, trained: Sequence[Trained], role: int) -> None:
    """Append the operators that put cut parameters together."""
    for each in trained:
        if each.cut and not each.table:
            blocks = [b.parameter for b in each.blocks]
            block.append_op("concat", {"X": blocks}, {"Out": [each.name]}, {"axis": 0, "op_role": int(role)})


# --- tables ---------------------------------------------------------------------------------------------------------------


def _look_up_on_servers(block: Any, job: Job) -> None:
    """Replace look-ups in tables by look-ups on the servers, one for all look-ups of a table where the order allows it."""
    for table in (each for each in job.trained if each.table):
        ops = [op for op in block.ops if op.type in TABLES and op.input("W") == [table.name]]
        for group in _groups(block, ops):
            _replace(block, group, table, job)
        for op in block.ops:
            if op.type in [f"{kind}_grad" for kind in TABLES] and op.input("W") == [table.name]:
                op._set_attr("remote_prefetch", True)
                op._set_attr("is_sparse", True)
                made = block.var(op.output("W@GRAD")[0])
                made.type = VarType.SELECTED_ROWS
        block.var(table.gradient).type = VarType.SELECTED_ROWS


def _groups(block: Any, ops: list[Any]) -> list[list[Any]]:
    """Return the look-ups that may run as one: all ids are made before the first result is read."""
    same = {(op.type, op.attr("padding_idx")) for op in ops}
    results = {name for op in ops for name in op.output_arg_names}
    places = [i for i, op in enumerate(block.ops) if results & set(op.input_arg_names)]
    ids = {name for op in ops for name in op.input("Ids")}
    made = [i for i, op in enumerate(block.ops) if ids & set(op.output_arg_names)]
    together = len(same) == 1 and max(made, default=-1) < min(places, default=len(block.ops))
    return [ops] if together else [[op] for op in ops]


def _replace(block: Any, ops: list[Any], table: Trained, job: Job) -> None:
    first = ops[0]
    ids, results = ([name for op in ops for name in op.input("Ids")], [name for op in ops for name in op.output("Out")])
    made = [i for i, op in enumerate(block.ops) if set(ids) & set(op.output_arg_names)]
    attrs = {
        "table_names": [each.parameter for each in table.blocks], "endpoints": [each.endpoint for each in table.blocks],
        "height_sections": [each.shape[0] for each in table.blocks], "trainer_id": job.trainer_id,
        "lookup_table_version": first.type, "padding_idx": first.attr("padding_idx"),
        "dtype": int(block.var(table.name).dtype), "op_role": first.role,
    }  # fmt: skip
    at = max([block.ops.index(first), *(i + 1 for i in made)])
    inputs, outputs = {"Ids": ids, "W": [table.name]}, {"Outputs": results}
    block._insert_op(at, type="distributed_lookup_table", inputs=inputs, outputs=outputs, attrs=attrs)
    block.ops[:] = [op for op in block.ops if op not in ops]
    block.program._changed()
    for each in table.blocks:
        if table.cut:
            whole = block.var(table.name)
            block.create_var(name=each.parameter, shape=each.shape, dtype=whole.dtype, type=whole.type)
