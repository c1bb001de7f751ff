"""The settings of a DistributeTranspiler."""

from __future__ import annotations

import os
from typing import Any

from ...core.errors import ArgumentValueError


class DistributedMode:
    """Kinds of training with servers, as `listen_and_serv` and Communicators name them."""

    SYNC = 0
    ASYNC = 1
    HALF_ASYNC = 2
    GEO = 3


class DistributeTranspilerConfig:
    """The settings of a DistributeTranspiler, as attributes.

    Attributes:
        slice_var_up: cut large parameters into blocks of whole rows, at most one for each server.
        min_block_size: the least number of elements of a block, at least 8192.
        split_method: RoundRobin (where it is None) or HashName: which server gets a block.
        sync_mode: all trainers take each step together.
        runtime_split_send_recv: cut and join in `send` and `recv` rather than by operators; needs sync_mode=False.
        wait_port: trainers wait until the servers listen.
        mode: "pserver", "nccl2" or "collective".
        half_async: each trainer waits at the end of a step until a Communicator has sent and received; needs sync_mode=False.
        completely_not_async: the servers wait for all trainers although sync_mode is False, as fleet's synchronous strategy does.
        geo_sgd_mode: trainers update their parameters themselves and exchange changes with the servers.
        geo_sgd_need_push_nums: after how many steps they do so.
        enable_dc_asgd: not available.
        nccl_comm_num, use_hierarchical_allreduce, hierarchical_allreduce_inter_nranks, collective_mode: of the other modes.
        print_log: print the assignment of blocks to servers.

    >>> import paddle_lite.fluid as fluid
    >>> config = fluid.DistributeTranspilerConfig()
    >>> config.slice_var_up, config.min_block_size
    (True, 8192)
    """

    slice_var_up = True
    split_method: Any = None
    min_block_size = 8192
    enable_dc_asgd = False
    mode = "pserver"
    print_log = False
    wait_port = True
    half_async = False
    completely_not_async = False
    geo_sgd_mode = False
    geo_sgd_need_push_nums = 100
    nccl_comm_num = 1
    use_hierarchical_allreduce = False
    hierarchical_allreduce_inter_nranks = 0
    collective_mode: str | None = None
    sync_mode = True

    def __init__(self) -> None:
        self._runtime_split = False

    @property
    def runtime_split_send_recv(self) -> bool:
        """Whether `send` and `recv` cut and join variables themselves."""
        return self._runtime_split

    @runtime_split_send_recv.setter
    def runtime_split_send_recv(self, value: bool) -> None:
        if value and self.sync_mode:
            raise ArgumentValueError(
                "if you want to set runtime_split_send_recv to be true, make ensure config.sync_mode is false at first"
            )
        self._runtime_split = value


class ServerRuntimeConfig:
    """The settings of servers, accepted for Fluid code: how many threads take calls follows from the calls that wait.

    Attributes:
        rpc_send_thread_num, rpc_get_thread_num, rpc_prefetch_thread_num: numbers of threads, under these names with "_" before.
    """

    def __init__(self) -> None:
        self._rpc_send_thread_num = int(os.environ.get("FLAGS_rpc_send_thread_num", "12"))
        self._rpc_get_thread_num = int(os.environ.get("FLAGS_rpc_get_thread_num", "12"))
        self._rpc_prefetch_thread_num = int(os.environ.get("FLAGS_rpc_prefetch_thread_num", "12"))
