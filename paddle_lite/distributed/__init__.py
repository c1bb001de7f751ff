"""Distributed training: parameter servers, collective training, launchers, checkpoints, data sets of files."""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    core.errors: PeerError PeerLost
    distributed.checkpoints: Checkpoint latest_checkpoint load_checkpoint save_checkpoint
    distributed.cluster: get_rank get_world_size
    distributed.environment: ParallelEnv
    distributed.parallel: prepare_context
    distributed.rpc.traffic: metrics
    distributed.status: server_status
    modules: launch launch_ps

    [cloud_utils] Jobs of PaddleCloud.
    distributed.cluster: get_cloud_cluster get_trainers_num
    within distributed.cluster: Cluster Pod Trainer get_cluster get_logger logger

    [fs_wrapper] File systems for checkpoints.
    distributed.file_systems: BDFS FS LocalFS

    [utils] The machines and processes of a job; arguments of launchers.
    distributed.cluster: Cluster Hdfs JobServer Pod Trainer TrainerProc add_arguments find_free_ports get_cluster
    distributed.cluster: get_host_name_ip get_logger
    distributed.processes.local: start_local_trainers terminate_local_procs watch_local_trainers
    within distributed.cluster: logger
    """,
)
