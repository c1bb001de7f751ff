"""The Programs of GEO training: trainers update their parameters, servers add up what the trainers changed."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...static.program.program import Program
from .blocks import TABLES
from .config import DistributedMode
from .job import Job
from .server import THREADS
from .trainer import control_variable, receive_all

INITIAL = "param_init"
"""The name with which a startup Program tells the Communicator that all parameters have their first values."""


def changed_name(name: str) -> str:
    """Return the name of what a trainer has changed in a parameter or block."""
    return f"{name}.delta"


def rewrite_main(program: Any, job: Job) -> None:
    """Append to the main Program the `send` that ends a step; it has the ids that were looked up in tables."""
    block = program.global_block()
    tables = {each.name for each in job.trained if each.table}
    looked_up = [op for op in block.ops if op.type in TABLES and op.input("W")[0] in tables]
    for op in block.ops:
        if op.type in [f"{kind}_grad" for kind in TABLES] and op.input("W")[0] in tables:
            op._set_attr("remote_prefetch", True)  # as in PaddlePaddle's Programs; it has no effect here
    for each in job.trained:
        whole = block.var(each.name)
        kind = VarType.SELECTED_ROWS if each.table else whole.type
        if each.cut:
            for part in each.blocks:
                block.create_var(name=part.parameter, shape=part.shape, dtype=whole.dtype, type=whole.type)
        shapes = {each.name: each.shape} | {part.parameter: part.shape for part in each.blocks}
        for name, shape in shapes.items():
            block.create_var(name=changed_name(name), shape=shape, dtype=whole.dtype, type=kind)
    names = [op.input("W")[0] for op in looked_up]
    _tell(block, [op.input("Ids")[0] for op in looked_up], names)


def rewrite_startup(program: Any, job: Job) -> None:
    """Append to the startup Program what receives the dense parameters; tables keep their own first values."""
    block = program.global_block()
    receive_all(block, job)
    block.create_var(name=INITIAL, type=VarType.LOD_TENSOR)
    _tell(block, [INITIAL], [INITIAL])


def _tell(block: Any, inputs: list[str], names: list[str]) -> None:
    """Append a `send` that does nothing but call the Communicator."""
    block.append_op("send", {"X": inputs}, {"Out": [control_variable(block)]}, {"send_varnames": names})


def server_program(source: Program, job: Job, endpoint: str) -> Program:
    """Return the main Program of a server: a block for each parameter adds a change to it.

    Arguments:
        source: the Program of one process.
        job: the job.
        endpoint: the server.
    """
    program = Program()
    program.random_seed = source.random_seed
    home, blocks, pairs, tables = program.global_block(), [], [], []
    for trained in job.trained:
        for part in trained.blocks:
            if part.endpoint != endpoint:
                continue
            dtype, name = source.global_block().var(trained.name).dtype, changed_name(part.parameter)
            home.create_var(name=part.parameter, shape=part.shape, dtype=dtype, persistable=True)
            kind = VarType.SELECTED_ROWS if trained.table else VarType.LOD_TENSOR
            home.create_var(name=name, shape=part.shape, dtype=dtype, type=kind)
            made = program._create_block(0)
            program._rollback()
            made.append_op("sum", {"X": [part.parameter, name]}, {"Out": [part.parameter]})
            blocks.append(made)
            pairs.append(f"{name}:{made.idx}")
            if trained.table:
                tables.append(f"{name}:{part.parameter}")
    home.append_op("listen_and_serv", {"X": []}, {}, {
        "endpoint": endpoint, "Fanin": job.trainers, "optimize_blocks": blocks, "distributed_mode": DistributedMode.GEO,
        "grad_to_block_id": pairs, "sparse_grad_to_param": tables, "lr_decay_block_id": -1, "dc_asgd": False,
        "checkpint_block_id": -1, "rpc_get_thread_num": THREADS, "rpc_send_thread_num": THREADS,
        "rpc_prefetch_thread_num": THREADS,
    })  # fmt: skip
    return program
