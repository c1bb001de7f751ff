"""The modes of a DistributeTranspiler without servers: "nccl2" and "collective"."""

from __future__ import annotations

from typing import Any

from ...core.dtype import VarType
from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...static.program.program import Program
from ..rpc.ports import address
from .collective import Collective, GradAllReduce, LocalSGD
from .config import DistributeTranspilerConfig

KINDS: dict[str, type[Collective]] = {"grad_allreduce": GradAllReduce, "local_sgd": LocalSGD}


def without_servers(
    main: Program, startup: Program, config: DistributeTranspilerConfig, trainer_id: int, trainers: Any, current: str
) -> None:
    """Change the Programs of one process to those of a worker.

    In the mode "nccl2" the startup Program joins the workers, and a ParallelExecutor averages gradients. In the mode
    "collective" operators of the main Program do so.

    Raises:
        ArgumentTypeError: `trainers` is no string.
        ArgumentValueError: it does not hold endpoints, or not `current`; or there is no such collective_mode.
    """
    if not isinstance(trainers, str):
        needs = "the endpoints of the workers, separated by commas"
        raise ArgumentTypeError(message("transpile", "trainers", describe(trainers), needs))
    endpoints = [each.strip() for each in trainers.split(",")]
    for endpoint in endpoints:
        address(endpoint, "transpile")
    if config.mode == "collective":
        if config.collective_mode not in KINDS:
            needs = f"one of {', '.join(KINDS)}"
            raise ArgumentValueError(
                message("transpile", "config.collective_mode", repr(config.collective_mode), needs)
            )
        made = KINDS[config.collective_mode](config.nccl_comm_num)
        made.transpile(startup, main, trainer_id, endpoints, current, config.wait_port)
        return
    if not 0 <= trainer_id < len(endpoints):
        raise ArgumentValueError(message("transpile", "trainer_id", trainer_id, f"0 to {len(endpoints) - 1}"))
    main._trainers_endpoints = endpoints
    main._nccl_comm_num = config.nccl_comm_num
    main._use_hierarchical_allreduce = config.use_hierarchical_allreduce
    main._hierarchical_allreduce_inter_nranks = config.hierarchical_allreduce_inter_nranks
    block = startup.global_block()
    block.create_var(name="NCCLID", persistable=True, type=VarType.RAW)
    attrs = {
        "trainers": endpoints, "trainer_id": trainer_id, "nccl_comm_num": config.nccl_comm_num,
        "use_hierarchical_allreduce": config.use_hierarchical_allreduce,
        "hierarchical_allreduce_inter_nranks": config.hierarchical_allreduce_inter_nranks,
    }  # fmt: skip
    block.append_op("gen_nccl_id", {}, {"NCCLID": ["NCCLID"]}, attrs)
    startup._changed()
