"""`fluid.transpiler`: from the Program of one process to those of a job; calls of 1.x that have nothing left to do.

The table below says where each name is; `core/lazy.py` explains its form. Names are imported at their first use.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    distributed.transpiler.config: DistributeTranspilerConfig
    distributed.transpiler.dispatch: HashName RoundRobin
    distributed.transpiler.transpiler: DistributeTranspiler
    within fluid.imports: *
    fluid.memory_transpiler: memory_optimize release_memory
    within distributed.transpiler.config: DistributedMode ServerRuntimeConfig
    here: distribute_transpiler memory_optimization_transpiler
    within distributed.transpiler.details: CLIP_OP_NAME_SCOPE DIST_OP_ROLE_ATTR_VALUE LOOKUP_TABLE_GRAD_TYPE OP_NAME_SCOPE
    within distributed.transpiler.details: LR_SCHED_OP_ROLE_ATTR_VALUE OPT_OP_ROLE_ATTR_VALUE OP_ROLE_VAR_ATTR_NAME PRINT_LOG
    within distributed.transpiler.details: RPC_OP_ROLE_ATTR_NAME RPC_OP_ROLE_ATTR_VALUE VarBlock log op_role_attr_name same_or_split_var
    within distributed.transpiler.details: slice_variable
    within distributed.transpiler.tables: LOOKUP_TABLE_TYPE

    [geo_sgd_transpiler] Training in which trainers update parameters and servers add up changes.
    distributed.transpiler.transpiler: GeoSgdTranspiler
    within distributed.transpiler.details: RPC_OP_ROLE_ATTR_NAME RPC_OP_ROLE_ATTR_VALUE op_role_attr_name

    [collective] Programs of workers without servers.
    distributed.transpiler.collective: Collective GradAllReduce LocalSGD SingleProcessMultiThread

    [ps_dispatcher] Which server gets which block.
    distributed.transpiler.dispatch: HashName PSDispatcher RoundRobin

    [details] Programs as text, and operators by what they read and write.
    within fluid.internals.constants: string_types
    fluid.internals.program_texts: block_to_code delete_ops find_op_by_input_arg find_op_by_output_arg get_indent_space
    fluid.internals.program_texts: op_to_code program_to_code variable_to_code
    here: checkport program_utils ufind vars_distributed
    distributed.transpiler.details: UnionFind VarDistributed VarStruct VarsDistributed wait_server_ready
    """,
)
