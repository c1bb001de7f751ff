"""Programs and what they consist of; the current mode.

The table below says where each name is; `core/lazy.py` explains its form. Names are imported at their first use.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    within fluid.imports: *
    core.flags: get_flags set_flags
    core.mode: in_dygraph_mode=in_imperative_mode
    core.place: cpu_places cuda_pinned_places cuda_places is_compiled_with_cuda
    fluid.native: load_op_library
    fluid.versions: require_version
    imperative.parameter: ParamBase=Parameter
    ops.framework.complex_variable: ComplexVariable
    static.program.naming: name_scope
    static.program.program: Program default_main_program default_startup_program program_guard
    static.program.roles: device_guard OpRole
    static.program.variable: Parameter Variable
    within static.program.roles: switch_device
    within core.place: CPUPlace CUDAPinnedPlace CUDAPlace
    within fluid.internals.checking: dtype_is_floating
    within fluid.internals.dygraph: _dygraph_guard _var_base_to_np
    within fluid.internals.operators: get_all_op_protos
    within fluid.internals.dygraph: _cpu_num _cuda_ids _dygraph_not_support_ _dygraph_only_
    within fluid.internals.dygraph: dygraph_not_support=_dygraph_not_support_ dygraph_only=_dygraph_only_
    within static.program.naming: _full_name_scope=namescope
    within static.program.variable: ParameterMetaClass=VariableMetaClass VariableMetaClass
    within fluid.internals.values: EMPTY_VAR_NAME GRAD_VAR_SUFFIX TEMP_VAR_NAME ZERO_VAR_SUFFIX _get_var grad_var_name
    within static.ir_graph.ir_graph: IrGraph
    within static.ir_graph.ir_node: IrNode IrOpNode IrVarNode
    within static.program.block: Block
    within static.program.operator: Operator
    within static.program.program: switch_main_program switch_startup_program
    within fluid.internals.values: CONTROL_DEP_VAR_PREFIX _getitem_impl_=getitem generate_control_dev_var_name
    within fluid.internals.name_scopes: NameScope
    within fluid.internals.dygraph: _fake_interface_only_ fake_interface_only=_fake_interface_only_
    within fluid.internals.message_texts: _debug_string_=debug_string
    within static.program.program: _main_program_=default_main_program() _startup_program_=default_startup_program()
    within fluid.internals.dygraph: _dygraph_tracer_=_dygraph_tracer()
    within fluid.internals.dygraph: _dygraph_current_expected_place_=expected_place()
    within imperative.base: _dygraph_place_guard=place_guard
    within static.program.roles: _current_device=current_device()
    within static.program.program: global_prog_seed=first_seed()
    within fluid.internals.name_scopes: _name_scope=open_scope()
    """,
)
