"""The Programs of a parameter server: one operator that listens, and a block for each update."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import NotYetAvailable
from ...static.program.operator import Operator
from ...static.program.program import Program
from ...static.program.roles import OpRole
from .blocks import Block, Trained
from .growing import append_row_block
from .job import Job
from .updates import decay_operators, update_of

THREADS = 12


def server_program(source: Program, job: Job, endpoint: str, startup: Program) -> Program:
    """Return the main Program of a server.

    Arguments:
        source: the Program of one process.
        job: the job.
        endpoint: the server.
        startup: the startup Program of one process.
    """
    program = Program()
    program.random_seed = source.random_seed
    home, mine = program.global_block(), [(t, b) for t in job.trained for b in t.blocks if b.endpoint == endpoint]
    gradients = [name for trained, block in mine for name in _declare_gradients(home, trained, block, source, job)]
    decay = _copy_decay(program, source)
    blocks = []
    for trained, each in mine:
        made = program._create_block(0 if decay is None else decay.idx)
        program._rollback()
        _copy_update(made, source, trained, each, job)
        blocks.append(made)
    growing = [(b, append_row_block(program, source, startup, t, b)) for t, b in mine if t.grows]
    home.append_op("listen_and_serv", {"X": gradients}, {}, {
        "endpoint": endpoint, "pserver_id": job.endpoints.index(endpoint), "Fanin": job.trainers,
        "optimize_blocks": [*([] if decay is None else [decay]), *blocks], "distributed_mode": job.mode,
        "grad_to_block_id": [f"{b.gradient}:{made.idx}" for (_, b), made in zip(mine, blocks, strict=True)],
        "sparse_grad_to_param": [f"{b.gradient}:{b.parameter}" for t, b in mine if t.table],
        "prefetch_var_name_to_block_id": [f"{b.parameter}:{made.idx}" for b, made in growing],
        "lr_decay_block_id": -1 if decay is None else decay.idx, "dc_asgd": False, "checkpint_block_id": -1,
        "rpc_get_thread_num": THREADS, "rpc_send_thread_num": THREADS, "rpc_prefetch_thread_num": THREADS,
    })  # fmt: skip
    return program


def server_startup(startup: Program, main: Program) -> Program:
    """Return the startup Program of a server: it makes what the server's main Program holds, blocks in their own shape.

    Arguments:
        startup: the startup Program of one process.
        main: the main Program of the server.
    """
    program = Program()
    program.random_seed = startup.random_seed
    home, held = program.global_block(), main.global_block().vars
    program._server_parts = main._server_parts
    for variable in held.values():
        home._clone_variable(variable)
    for op in startup.global_block().ops:
        for name in op.output_arg_names:
            for target in _held_names(name, main):
                _copy_initializer(home, op, name, target, held[target])
    return program


def _held_names(name: str, main: Program) -> list[str]:
    """Return the names under which a server holds a variable: those of its parts, or its own."""
    parts = [part.name for part in main._server_parts.get(name, ())]
    return parts or [name for _ in range(name in main.global_block().vars)]


def _copy_initializer(home: Any, op: Any, name: str, target: str, variable: Any) -> None:
    """Append the operator that initialises a variable, for the shape that this server has of it."""
    attrs = dict(op.attrs)
    if "shape" in attrs or op.has_attr("shape"):
        attrs["shape"] = list(variable.shape)
    if op.input_arg_names or op.type == "assign_value":
        whole = list(op.block.var(name).shape)
        if whole != list(variable.shape):
            raise NotYetAvailable(
                f"parameter {name}: its initializer {op.type} gives the values of the whole, which a DistributeTranspiler cannot "
                "cut yet. Set config.slice_var_up = False."
            )
    outputs = {slot: [target if each == name else each for each in names] for slot, names in op.outputs.items()}
    home.place(Operator(home, op.type, {k: list(v) for k, v in op.inputs.items()}, outputs, attrs, op.line))


# --- the blocks -----------------------------------------------------------------------------------------------------------


def _declare_gradients(home: Any, trained: Trained, block: Block, source: Program, job: Job) -> list[str]:
    """Declare a block of a parameter and its gradients; return the names of those that trainers send."""
    dtype = source.global_block().var(trained.name).dtype
    for name in (block.parameter, block.gradient):
        home.create_var(name=name, shape=block.shape, dtype=dtype, persistable=True)
    if not job.synchronous or job.trainers == 1:
        return [block.gradient]
    names = [job.sent_name(block.gradient, i) for i in range(job.trainers)]
    for name in names:
        home.create_var(name=name, shape=block.shape, dtype=dtype, persistable=False)
    return names


def _copy_decay(program: Program, source: Program) -> Any:
    """Copy the operators that compute the learning rate to a block of their own; return it, or None if there are none."""
    ops = decay_operators(source)
    if not ops:
        return None
    block = program._create_block(0)
    program._rollback()
    for op in ops:
        _copy(op, block, {}, None)
    return block


def _copy_update(block: Any, source: Program, trained: Trained, part: Block, job: Job) -> None:
    """Fill the block of an update: the mean of the trainers' gradients, and what the optimizer does with it."""
    role = {"op_role": int(OpRole.Forward)}
    if job.synchronous and job.trainers > 1:
        sent = [job.sent_name(part.gradient, i) for i in range(job.trainers)]
        block.append_op("sum", {"X": sent}, {"Out": [part.gradient]}, role)
        attrs = {"scale": 1.0 / job.trainers, **role}
        block.append_op("scale", {"X": [part.gradient]}, {"Out": [part.gradient]}, attrs)
    names = {trained.name: part.parameter, trained.gradient: part.gradient}
    for op in update_of(source, trained):
        _copy(op, block, names, (trained.shape, part.shape) if trained.cut else None)


def _copy(op: Any, block: Any, names: Mapping[str, str], reshaped: tuple[Sequence[int], Sequence[int]] | None) -> None:
    """Append a copy of an operator to a block, with its variables and blocks.

    Arguments:
        names: old name -> new name.
        reshaped: the shape of the whole parameter and of its block: variables of the one get the other.
    """
    home = block.program.global_block()
    for name in (*op.input_arg_names, *op.output_arg_names):
        new = names.get(name, name)
        variable = op.block.find(name)
        if block.find(new) is None and variable is not None:
            made = home._clone_variable(variable)
            made._name = new
            home.vars[new] = home.vars.pop(name) if new != name else made
            if reshaped is not None and tuple(variable.shape) == tuple(reshaped[0]):
                made._shape, made._meta = tuple(reshaped[1]), None
    attrs = {}
    for name, value in op.attrs.items():
        if hasattr(value, "ops"):
            inner = block.program._create_block(block.idx)
            block.program._rollback()
            for each in value.ops:
                _copy(each, inner, names, reshaped)
            value = inner
        attrs[name] = value
    inputs, outputs = (
        {slot: [names.get(each, each) for each in held] for slot, held in side.items()}
        for side in (op.inputs, op.outputs)
    )
    block.place(Operator(block, op.type, inputs, outputs, attrs, op.line))
