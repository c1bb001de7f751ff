"""The namespace `fluid.incubate`: data generators; jobs of several processes.

The table below says where each name is; `core/lazy.py` explains its form.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    [data_generator] Programs that write lines of slots.
    distributed.data.generators: DataGenerator MultiSlotDataGenerator MultiSlotStringDataGenerator

    [fleet] Jobs of several processes.

    [fleet.base] Roles, and the interface of jobs.

    [fleet.base.fleet_base] The interface of jobs.
    distributed.fleet.base: DistributedOptimizer Fleet Mode

    [fleet.base.mode] Kinds of jobs.
    distributed.fleet.base: Mode

    [fleet.base.role_maker] Roles of processes.
    distributed.fleet.mpi_roles: MPIRoleMaker MPISymetricRoleMaker
    distributed.fleet.roles: GeneralRoleMaker PaddleCloudRoleMaker Role RoleMakerBase
    distributed.fleet.roles: UserDefinedCollectiveRoleMaker UserDefinedRoleMaker
    within distributed.fleet.roles: MockBarrier

    [fleet.collective] Jobs without servers.
    distributed.fleet.collective: Collective CollectiveOpBasedOptimizer CollectiveOptimizer DistFCConfig DistributedStrategy LambConfig TrainStatus fleet
    distributed.file_systems: BDFS LocalFS

    [fleet.parameter_server] Jobs with servers.

    [fleet.parameter_server.distribute_transpiler] Jobs with servers, by a DistributeTranspiler.
    distributed.fleet.parameter_server: DistributedTranspiler TranspilerOptimizer fleet

    [fleet.parameter_server.version] What kind of servers a build has.
    distributed.fleet.parameter_server: is_transpiler
    within distributed.fleet.parameter_server: BUILD_MODE
    within distributed.fleet.base: Mode

    [fleet.parameter_server.distribute_transpiler.distributed_strategy] How trainers and servers work together.
    distributed.fleet.strategies: AsyncStrategy DistributedStrategy GeoStrategy HalfAsyncStrategy StrategyFactory SyncStrategy
    distributed.fleet.strategies: TrainerRuntimeConfig

    [fleet.parameter_server.pslib] Jobs with servers of PSLib, which public builds do not have.
    distributed.fleet.pslib: DownpourOptimizer PSLib fleet fleet_embedding

    [fleet.utils] Files of jobs.

    [fleet.utils.fleet_util] Messages, metrics and Programs of jobs with servers.
    distributed.fleet.fleet_util: FleetUtil
    within distributed.fleet.fleet_util: fleet_transpiler
    within distributed.fleet.pslib: fleet fleet_pslib=fleet

    [fleet.utils.fleet_barrier_util] Waiting for all trainers by files of a Hadoop cluster.
    distributed.hadoop.barrier: check_all_trainers_ready
    within distributed.fleet.parameter_server: fleet

    [fleet.utils.utils] Programs and Variables in files, and checks of saved models.
    distributed.fleet.model_checks: check_not_expected_ops check_pruned_program_vars check_saved_vars_try_dump feed_gen
    distributed.fleet.model_checks: reader try_load_model_vars
    distributed.fleet.program_files: append_load_op append_save_op graphviz load_program load_program_binary
    distributed.fleet.program_files: load_program_text load_var parse_program program_type_trans save_program save_var
    within distributed.fleet.model_checks: feed_fetch_type_list not_expected_op_types logger
    within distributed.fleet.program_files: all_vars_out_fn ops_out_fn persistable_vars_out_fn

    [fleet.utils.hdfs] Files of a Hadoop cluster.
    within fluid.imports: *
    distributed.hadoop.fleet_client: HDFSClient
    within fluid.log_helper: get_logger
    within distributed.hadoop.commands: _logger
    """,
)
