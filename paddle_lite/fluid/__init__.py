"""The Fluid 1.x namespace: names and argument orders of PaddlePaddle 1.8, no logic of its own.

The table below says where each name is; `core/lazy.py` explains its form. Names are imported at their first use.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    core.flags: get_flags set_flags
    core.mode: in_dygraph_mode=in_imperative_mode
    core.place: CPUPlace CUDAPinnedPlace CUDAPlace cpu_places cuda_pinned_places cuda_places is_compiled_with_cuda
    core.tensor: LoDTensor LoDTensorArray Tensor=LoDTensor create_lod_tensor create_random_int_lodtensor
    imperative.base: disable_imperative enable_dygraph disable_dygraph=disable_imperative enable_imperative=enable_dygraph
    imperative.layer: Layer
    io.program_state: load load_program_state save set_program_state
    io.state: load_dygraph save_dygraph
    layers.nn.embedding: embedding=embedding_v2
    layers.shape.select: one_hot=one_hot_v2
    nn.bilinear: BilinearTensorProduct
    nn.common: Dropout Embedding
    nn.conv: Conv2D
    nn.conv_transpose: Conv2DTranspose Conv3DTranspose
    nn.conv_volume: Conv3D
    nn.activation: PRelu
    nn.group_norm: GroupNorm InstanceNorm
    nn.linear: Linear
    nn.loss: BCELoss L1Loss MSELoss NLLLoss
    nn.nce: NCE
    nn.norm: BatchNorm LayerNorm
    nn.rnn_unit: GRUUnit
    nn.spectral_norm: SpectralNorm
    nn.tree_conv: TreeConv
    ops.framework.complex_variable: ComplexVariable
    nn.pool: Pool2D
    params.attr: ParamAttr WeightNormParamAttr set_global_initializer
    reader.feeder: DataFeeder
    static.autodiff.backward: gradients
    static.execution.compiled: CompiledProgram ParallelExecutor
    static.execution.executor: Executor
    static.execution.scope: Scope global_scope scope_guard
    static.execution.strategies: BuildStrategy ExecutionStrategy
    static.program.data: data
    static.program.naming: name_scope
    static.program.program: Program default_main_program default_startup_program program_guard
    static.program.roles: device_guard OpRole
    static.program.variable: Parameter Variable
    fluid.versions: require_version
    fluid.core: core_avx=* core_noavx=*
    fluid.dataset: DatasetFactory InMemoryDataset QueueDataset
    fluid.io: reader=*
    fluid.incubate.data_generator: data_generator=*
    fluid.incubate.fleet: fleet=*
    fluid.transpiler: memory_optimize release_memory DistributeTranspiler DistributeTranspilerConfig
    fluid.native: load_op_library
    modules: average backward contrib debugger dygraph_grad_clip executor framework graphviz incubate install_check net_drawer optimizer profiler transpiler
    within nn.fc: FC
    fluid.contrib.trainer: trainer=*
    fluid.contrib.inferencer: inferencer=*
    fluid.dygraph: imperative=*
    within fluid.contrib.trainer: BeginEpochEvent BeginStepEvent CheckpointConfig EndEpochEvent EndStepEvent Inferencer Trainer
    distributed.data.async_executor: AsyncExecutor
    distributed.data.description: DataFeedDesc
    here: data input parallel_executor
    within core.mode: _current_expected_place=current_place
    within fluid.data_feeder: convert_dtype
    within fluid.internals.native.libraries: core_suffix legacy_core

    [annotations] The decorator of functions that are to be replaced.
    fluid.internals.decorators: deprecated

    [lod_tensor] Tensors with LoD.
    core.tensor: create_lod_tensor create_random_int_lodtensor

    [param_attr] Attributes of parameters.
    params.attr: ParamAttr WeightNormParamAttr

    [clip] Gradient clipping.
    within fluid.imports: *
    params.clip: ErrorClipByValue GradientClipByGlobalNorm GradientClipByNorm GradientClipByValue
    within params.clip: BaseErrorClipAttr=ErrorClipByValue ClipByGlobalNorm=GradientClipByGlobalNorm ClipByNorm=GradientClipByNorm
    within params.clip: BaseGradientClipAttr=GradientClipBase ClipByValue=GradientClipByValue _correct_clip_op_role_var=correct_role_variables
    static.autodiff.gradient_clip: set_gradient_clip
    within optimizer.static_gradients: append_gradient_clip_ops
    within fluid.internals.layer_helpers: error_clip_callback

    [compiler] Programs for several places, and how they run.
    within fluid.imports: *
    static.execution.compiled: CompiledProgram
    static.execution.strategies: BuildStrategy ExecutionStrategy
    within fluid.internals.program_traits: _has_backward_op=has_backward_op _has_optimize_op=has_optimize_op _prune_feed_ops=prune_feed_ops
    within fluid.internals.program_traits: _has_optimizer_in_control_flow=has_optimizer_in_control_flow _is_pserver_mode=is_pserver_mode
    within fluid.internals.native.places: _place_obj=place_object

    [core] What Fluid code takes from the native module.
    core.dtype: VarType
    core.errors: EnforceNotMet EOFException
    reader.static_loader: LoDTensorBlockingQueue=LoaderQueue
    core.flags: get_flags set_flags
    core.place: CPUPlace CUDAPinnedPlace CUDAPlace Place=AnyPlace is_compiled_with_cuda
    core.tensor: LoDTensor LoDTensorArray SelectedRows Tensor
    fluid.native: get_cuda_device_count is_compiled_with_brpc is_compiled_with_dist is_compiled_with_mkldnn _set_eager_deletion_mode
    fluid.native: empty_var_name globals grad_var_suffix init_devices init_gflags init_glog kControlDepVarName kEmptyVarName kGradVarSuffix
    fluid.native: kNewGradSuffix kTempVarName kZeroVarSuffix load_op_library loaded_var_suffix size_of_dtype
    fluid.inference.config: AnalysisConfig NativeConfig
    fluid.inference.predictor: PaddlePredictor create_paddle_predictor AnalysisPredictor=PaddlePredictor NativePaddlePredictor=PaddlePredictor
    fluid.inference.tensors: paddle_dtype_size PaddleBuf PaddleDType PaddleTensor ZeroCopyTensor
    fluid.internals.dygraph: Tracer
    fluid.internals.op_functions: ops
    fluid.internals.gradients.operators: get_grad_op_desc
    fluid.internals.operators: _get_all_register_op_kernels get_all_op_protos get_op_attrs_default_value
    fluid.internals.operators: has_grad_op_maker has_infer_inplace infer_no_need_buffer_slots op_support_gpu
    fluid.internals.native.tensors: from_dlpack get_fetch_variable get_variable_tensor set_feed_variable
    distributed.data.engine: Dataset=NativeDataset
    distributed.fleet.pslib: Fleet=FleetWrapper
    fluid.internals.native.processes: _cleanup_mmap_fds _erase_process_pids _set_process_pids _set_process_signal_handler _throw_error_if_process_failed
    distributed.parallel: ParallelStrategy
    static.execution.compiled: ParallelExecutor
    static.desc.block: BlockDesc
    static.desc.operator: OpDesc
    static.desc.program: ProgramDesc save_op_compatible_info
    static.desc.variable: VarDesc
    static.desc.pruning: prune prune_backward
    static.ir_graph.graph: Graph
    static.ir_graph.node: Node
    static.ir_graph.passes: Pass PassBuilder get_pass
    static.ir_graph.order: build_adjacency_list graph_num graph_safe_remove_nodes has_circle topology_sort
    static.proto: AttrType
    imperative.gradients: BackwardStrategy
    imperative.layer: Layer
    imperative.variable: VarBase=Variable
    static.execution.native: Executor=NativeExecutor
    static.execution.scope: Scope _Scope=Scope Variable=ScopeVariable
    fluid.internals.profiling: EventSortingKey ProfilerState TracerOption disable_profiler enable_profiler is_profiler_enabled
    fluid.internals.profiling: kAll kAllOpDetail kAve kCPU kCUDA kCalls kDefault kDisabled kMax kMin kOpDetail kTotal set_tracer_option
    fluid.profiler: reset_profiler
    fluid.internals.native.tensors: _convert_to_tensor_list=convert_to_tensor_list _remove_tensor_list_mmap_fds=remove_tensor_list_mmap_fds
    fluid.native: _dygraph_debug_level _is_dygraph_debug_enabled _is_program_version_supported avx_supported
    fluid.native: _set_fuse_parameter_group_size _set_fuse_parameter_memory_size
    core.tensor_array: LodRankTable=RankTable
    fluid.internals.constants: has_avx_core has_noavx_core load_noavx
    core.tensor: FetchList=LoDTensorArray
    fluid.inference.tensors: PaddlePlace paddle_tensor_to_bytes
    fluid.internals.native.libraries: core_suffix current_path get_dso_path get_glibc_ver less_than_ver load_dso run_cmd run_shell_command
    fluid.internals.native.files: _create_loaded_parameter=create_loaded_parameter _load_dygraph_dict=load_dygraph_dict
    fluid.internals.native.files: _load_static_dict=load_static_dict _save_dygraph_dict=save_dygraph_dict _save_static_dict=save_static_dict
    fluid.internals.native.functions: diff_tensor_shape dygraph_partial_grad init_lod_tensor_blocking_queue set_num_threads
    fluid.internals.operators: Operator=ScopeOperator has_non_empty_grad_op_maker=has_grad_op_maker
    fluid.internals.profiling: start_imperative_gperf_profiler=start_gperf_profiler stop_imperative_gperf_profiler=stop_gperf_profiler
    fluid.native: GlobalVarGetterSetterRegistry=Flags
    static.operators.py_func: _append_python_callable_object_and_return_id=register_for_good

    [core.var_names] Names of Variables that stand for none, or for none yet.
    fluid.native: empty=kEmptyVarName temp=kTempVarName

    [core.op_proto_and_checker_maker] Roles of operators.
    fluid.native: kOpCreationCallstackAttrName kOpDeviceAttrName kOpNameScopeAttrName kOpRoleAttrName kOpRoleVarAttrName
    static.program.roles: OpRole

    [data_feeder] Feeding of Programs; the checks with which layers start.
    within fluid.imports: *
    fluid.internals.checking: check_dtype check_type check_variable_and_dtype convert_dtype
    reader.feeder: DataFeeder
    within core.place: is_compiled_with_cuda
    within fluid.internals.providers: BatchedTensorProvider DataToLoDTensorConverter
    within fluid.internals.dygraph: _cpu_num _cuda_ids

    [dataloader] Data sets and samplers.
    reader.dataset: BatchSampler Dataset
    here: batch_sampler dataset

    [dataloader.dataloader_iter] Batches from samples; what is done when processes end.
    reader.dataset: default_collate_fn
    within fluid.internals.native.processes: CleanupFuncRegistrar _cleanup_mmap=_cleanup_mmap_fds _set_SIGCHLD_handler ParentWatchDog
    within fluid.internals.constants: MP_INDICES_CHECK_INTERVAL
    within reader.loader: _DataLoaderIterBase=DataLoaderIterBase _DataLoaderIterMultiProcess=DataLoaderIterMultiProcess _DataLoaderIterSingleProcess=DataLoaderIterSingleProcess

    [data_feed_desc] Descriptions of data sets of files.
    distributed.data.description: DataFeedDesc

    [dataset] Data sets of files for training.
    distributed.data.base: DatasetBase
    distributed.data.datasets: BoxPSDataset DatasetFactory FileInstantDataset QueueDataset
    distributed.data.in_memory: InMemoryDataset

    [device_worker] Descriptions of what each thread of a training does.
    distributed.trainers.workers: DeviceWorker DeviceWorkerFactory DownpourSGD DownpourSGDOPT Hogwild Section

    [dygraph] Imperative mode under its Fluid 1.x names.
    within fluid.imports: *
    imperative.base: disable_imperative enable_dygraph enabled guard no_grad to_variable
    imperative.base: disable_dygraph=disable_imperative enable_imperative=enable_dygraph
    imperative.container: LayerList ParameterList Sequential
    imperative.gradients: BackwardStrategy grad
    imperative.layer: Layer
    imperative.entries.recompute: recompute
    distributed.environment: Env ParallelEnv
    distributed.parallel: DataParallel ParallelStrategy prepare_context
    io.state: load_dygraph save_dygraph
    jit.declared: ProgramTranslator declarative dygraph_to_static_func
    jit.static_runner: StaticModelRunner
    jit.traced: TracedLayer
    nn.activation: PRelu
    nn.bilinear: BilinearTensorProduct
    nn.common: Dropout Embedding
    nn.conv: Conv2D
    nn.conv_rows: RowConv
    nn.sequence_conv: SequenceConv
    nn.conv_transpose: Conv2DTranspose Conv3DTranspose
    nn.conv_volume: Conv3D
    nn.fc: FC
    fluid.dropped: load_persistables save_persistables
    nn.group_norm: GroupNorm InstanceNorm
    nn.linear: Linear
    nn.loss: BCELoss L1Loss MSELoss NLLLoss
    nn.nce: NCE
    nn.norm: BatchNorm LayerNorm
    nn.pool: Pool2D
    nn.rnn_cells: GRUCell LSTMCell
    nn.rnn_unit: GRUUnit
    nn.spectral_norm: SpectralNorm
    nn.tree_conv: TreeConv
    ops.framework.complex_variable: ComplexVariable
    optimizer.schedule_base: LearningRateDecay
    optimizer.schedule_epochs: LambdaDecay MultiStepDecay StepDecay _LearningRateEpochDecay=EpochDecay
    optimizer.schedule_plateau: ReduceLROnPlateau
    optimizer.schedule_steps: CosineDecay ExponentialDecay InverseTimeDecay LinearLrWarmup NaturalExpDecay NoamDecay PiecewiseDecay PolynomialDecay
    within fluid.internals.nested: extract_vars
    within fluid.internals.dygraph: dygraph_only=_dygraph_only_ _switch_tracer_mode_guard_ param_guard program_desc_tracing_guard
    within fluid.internals.dygraph: switch_to_static_graph _switch_to_static_graph_=switch_to_static_graph _functional_dygraph_context_manager=functional_context()
    within fluid.internals.program_traits: create_program_from_desc
    within fluid.internals.loggers: logger=jit
    within fluid.internals.constants: _all_cap_re=all_cap _first_cap_re=first_cap
    within jit.declared: _declarative_=declarative _dygraph_to_static_func_=dygraph_to_static_func
    within fluid.internals.profiling: start_gperf_profiler stop_gperf_profiler _print_debug_msg=print_counts
    here: backward_strategy base checkpoint container jit layers learning_rate_scheduler nn parallel profiler static_runner tracer
    within fluid.internals.traced: _trace=trace
    within imperative.layer: HookRemoveHelper _convert_camel_to_snake=snake_case
    within fluid.internals.dygraph: Tracer
    within fluid.internals.nested: _extract_vars=extract_vars
    within fluid.layers: square

    [dygraph.parallel_helper] Workers that train together.
    distributed.parallel_helper: _broadcast_parameters _is_data_parallel_mode
    within distributed.parallel_helper: _init_parallel_ctx _set_parallel_ctx

    [dygraph.math_op_patch] The operators of Variables.
    within fluid.internals.patches: _supported_int_dtype_=supported_int_dtypes monkey_patch_math_varbase=monkey_patch

    [dygraph.varbase_patch_methods] The methods of Variables.
    within fluid.internals.patches: monkey_patch_varbase=monkey_patch

    [dygraph.layer_object_helper] The helper with which Layers are written.
    imperative.layer_helper: LayerObjectHelper

    [dygraph.dygraph_to_static] The translation of imperative code, and what 1.8.5's says of syntax trees.
    jit.declared: ProgramTranslator
    fluid.internals.syntax.var_types: AstNodeWrapper NodeVarType StaticAnalysisVisitor
    fluid.internals.syntax.variables: data_layer_not_check
    fluid.internals.syntax.apis: convert_call
    jit.convert: convert_function_with_cache=converted convert_to_static=converted
    fluid.internals.syntax.building: create_static_variable_gast_node to_static_variable_gast_node
    fluid.internals.syntax.steps: DygraphToStaticAst LoopTransformer
    fluid.internals.syntax.loop_names: NameVisitor
    [dygraph.dygraph_to_static.ast_transformer] From functions to functions that build Programs.
    jit.convert: convert_to_static=converted
    within fluid.internals.syntax.apis: DECORATOR_NAMES
    fluid.internals.syntax.schedules: BasicApiTransformer
    fluid.internals.syntax.steps: BreakContinueTransformer CallTransformer DygraphToStaticAst IfElseTransformer ListTransformer LoopTransformer TensorShapeTransformer
    [dygraph.dygraph_to_static.convert_call_func] Functions that translated code calls.
    fluid.internals.syntax.apis: convert_call is_builtin is_paddle_func
    within fluid.internals.syntax.apis: DECORATOR_NAMES to_static_func=translated
    within jit.declared: program_translator=ProgramTranslator()
    within jit.convert: convert_to_static=converted
    [dygraph.dygraph_to_static.ifelse_transformer] Conditions and branches in syntax trees.
    fluid.internals.syntax.building: create_cond_node
    fluid.internals.syntax.conditions: IfConditionVisitor NodeTestTransformer
    fluid.internals.syntax.name_uses: get_name_ids NameVisitor parse_cond_args parse_cond_return transform_if_else
    within fluid.internals.constants: FALSE_FUNC_PREFIX LOGIC_AND_PREFIX LOGIC_NOT_PREFIX LOGIC_OR_PREFIX PLAIN_TENSOR_PREFIX TRUE_FUNC_PREFIX
    fluid.internals.syntax.steps: IfElseTransformer
    [dygraph.dygraph_to_static.loop_transformer] Loops in syntax trees.
    fluid.internals.syntax.building: LogicalOpTransformer create_while_node
    within fluid.internals.constants: FOR_BODY_PREFIX FOR_CONDITION_PREFIX GENERATE_VARIABLE_PREFIX WHILE_BODY_PREFIX WHILE_CONDITION_PREFIX
    fluid.internals.syntax.steps: LoopTransformer
    fluid.internals.syntax.loop_names: NameVisitor
    [dygraph.dygraph_to_static.program_translator] Declared functions, and the Programs that are built of them.
    jit.concrete_program: ConcreteProgram
    jit.convert: convert_function_with_cache=converted
    jit.declared: ProgramTranslator
    jit.program_cache: ProgramCache
    within jit.convert: convert_to_static=converted
    within fluid.internals.loggers: logger=jit
    within fluid.internals.decorators: _CACHE_LOCK=cache_lock synchronized
    within fluid.internals.dygraph: switch_to_static_graph
    fluid.internals.syntax.steps: DygraphToStaticAst
    jit.partial_program: partial_program_from
    fluid.internals.syntax.function_cache: FunctionCache
    jit.function_spec: FunctionSpec
    within fluid.internals.syntax.function_cache: _FUNCTION_CACHE=everything
    [dygraph.dygraph_to_static.basic_api_transformer] Calls in syntax trees.
    fluid.unique_name: unique_name=*
    fluid.internals.syntax.apis: is_dygraph_api is_to_variable
    fluid.internals.syntax.building: dygraph_class_to_static_api to_assign_node
    fluid.internals.syntax.var_types: AstNodeWrapper
    fluid.internals.syntax.schedules: BasicApiTransformer to_static_ast update_args_of_func
    [dygraph.dygraph_to_static.break_continue_transformer] break and continue in syntax trees.
    fluid.internals.constants: BREAK_NAME_PREFIX CONTINUE_NAME_PREFIX
    fluid.internals.syntax.building: get_constant_variable_node
    fluid.internals.syntax.trees: create_fill_constant_node index_in_list
    fluid.internals.syntax.steps: BreakContinueTransformer
    fluid.internals.syntax.loop_names: ForToWhileTransformer
    [dygraph.dygraph_to_static.call_transformer] Calls of functions in syntax trees.
    fluid.internals.syntax.apis: is_paddle_api
    fluid.internals.syntax.trees: ast_to_source_code
    fluid.internals.syntax.var_types: AstNodeWrapper
    fluid.internals.syntax.steps: CallTransformer
    [dygraph.dygraph_to_static.list_transformer] Lists in syntax trees.
    fluid.internals.syntax.conditions: is_control_flow_to_transform
    fluid.internals.syntax.trees: ast_to_source_code
    fluid.internals.syntax.var_types: AstNodeWrapper NodeVarType StaticAnalysisVisitor
    fluid.internals.syntax.steps: ListTransformer
    [dygraph.dygraph_to_static.partial_program] What the file of a translated function's Layer imports.
    jit.partial_program: PartialProgramLayer partial_program_from valid_vars
    within fluid.internals.dygraph: switch_to_static_graph
    [dygraph.dygraph_to_static.print_transformer] Calls of print in syntax trees.
    fluid.internals.syntax.var_types: AstNodeWrapper NodeVarType StaticAnalysisVisitor
    fluid.internals.syntax.steps: PrintTransformer
    [dygraph.dygraph_to_static.tensor_shape_transformer] Shapes in syntax trees.
    fluid.internals.syntax.apis: is_paddle_api
    fluid.internals.syntax.building: create_api_shape_node
    fluid.internals.syntax.var_types: AstNodeWrapper NodeVarType StaticAnalysisVisitor
    fluid.internals.syntax.steps: TensorShapeTransformer
    [dygraph.dygraph_to_static.static_analysis] Types of names and expressions in syntax trees.
    fluid.internals.syntax.var_types: AstNodeWrapper NodeVarType StaticAnalysisVisitor AstVarEnv AstVarScope
    [dygraph.dygraph_to_static.utils] Syntax trees as text, and what is known of them.
    fluid.internals.syntax.apis: ast_to_func is_api_in_module is_dygraph_api is_numpy_api is_paddle_api is_to_variable
    fluid.internals.syntax.apis: recover_globals_attribute
    within fluid.internals.syntax.apis: _is_api_in_module_helper=is_defined_in
    fluid.internals.syntax.building: RenameTransformer compare_with_none create_api_shape_node create_assign_node create_funcDef_node
    fluid.internals.syntax.building: dygraph_class_to_static_api generate_name_node get_attribute_full_name get_constant_variable_node
    fluid.internals.syntax.building: is_candidate_node to_assign_node to_static_api
    fluid.internals.syntax.conditions: IsControlFlowVisitor is_control_flow_to_transform
    fluid.internals.syntax.trees: ast_to_source_code index_in_list
    fluid.internals.syntax.schedules: to_static_ast update_args_of_func
    within fluid.internals.syntax.schedules: _add_keywords_to _delete_keywords_from
    [dygraph.dygraph_to_static.variable_trans_func] Variables for names and constants.
    fluid.internals.syntax.building: create_static_variable_gast_node to_static_variable_gast_node
    fluid.internals.syntax.trees: create_fill_constant_node
    fluid.internals.syntax.variables: data_layer_not_check to_static_variable

    [default_scope_funcs] A stack of Scopes.
    within fluid.imports: *
    fluid.internals.local_scopes: enter_local_scope find_var get_cur_scope leave_local_scope scoped_function var

    [dygraph_utils] Biases and activations of layers in imperative mode.
    within fluid.imports: *
    within fluid.internals.dygraph: _append_activation_in_dygraph _append_bias_in_dygraph dygraph_only=_dygraph_only_

    [evaluator] Metrics that add operators to a Program, as Fluid had them before `fluid.metrics`.
    within fluid.imports: *
    metric.evaluators: ChunkEvaluator DetectionMAP EditDistance Evaluator
    within fluid.internals.program_traits: _clone_var_=clone_var

    [imports] Names that the files of Fluid import from each other, so that programs find them in each.
    core.mode: in_dygraph_mode=in_imperative_mode _current_expected_place=current_place
    core.place: cpu_places cuda_places
    core.tensor: LoDTensor
    fluid.unique_name: unique_name=*
    fluid.backward: backward=*
    fluid.compiler: compiler=*
    fluid.core: core=*
    fluid.dygraph: imperative_base=*
    fluid.framework: framework=*
    fluid.layers: layers=*
    fluid.layers.utils: utils=*
    static.proto.messages: framework_pb2=*
    fluid.internals.dygraph: _dygraph_tracer _varbase_creator
    fluid.internals.values: _append_grad_suffix_=grad_var_name
    fluid.internals.checking: check_dtype check_type check_variable_and_dtype convert_dtype convert_np_dtype_to_dtype_
    fluid.internals.decorators: deprecated get_logger wrap_decorator
    fluid.internals.layer_functions: templatedoc autodoc
    fluid.internals.operators: OpProtoHolder
    imperative.base: no_grad
    imperative.layer: Layer
    imperative.parameter: ParamBase=Parameter
    layers.support.helper: LayerHelper LayerHelperBase=LayerHelper
    optimizer.schedule_base: LearningRateDecay
    params.attr: ParamAttr WeightNormParamAttr
    params.clip: GradientClipBase GradientClipByNorm
    params.initializer: Constant Initializer Normal NumpyArrayInitializer Xavier
    params.regularizer: WeightDecayRegularizer
    reader.feeder: DataFeeder
    static.autodiff.backward: append_backward
    static.execution.compiled: CompiledProgram
    static.execution.executor: Executor
    static.execution.scope: global_scope
    static.program.naming: name_scope
    static.program.program: Program default_main_program default_startup_program program_guard
    static.program.roles: device_guard OpRole
    static.program.variable: Parameter Variable
    static.desc.variable: VarDesc

    [initializer] First values of parameters.
    within fluid.imports: *
    params.attr: set_global_initializer
    params.initializer: Bilinear BilinearInitializer Constant ConstantInitializer Initializer MSRA MSRAInitializer
    params.initializer: Normal NormalInitializer NumpyArrayInitializer TruncatedNormal TruncatedNormalInitializer
    params.initializer: Uniform UniformInitializer Xavier XavierInitializer
    fluid.dropped: force_init_on_cpu init_on_cpu

    [io] Readers; saving and loading of static Programs.
    within reader: Fake PipeReader
    within fluid.imports: *
    within io.graph_variables: _load_persistable_nodes=load_persistable_nodes _save_persistable_nodes=save_persistable_nodes
    io.inference_model: load_inference_model save_inference_model
    io.program_state: load load_program_state save set_program_state
    io.variables: get_parameter_value get_parameter_value_by_name get_program_parameter get_program_persistable_vars
    io.variables: is_belong_to_optimizer is_parameter is_persistable load_params load_persistables load_vars save_params
    io.variables: _load_distributed_persistables _save_distributed_persistables save_persistables save_vars
    reader.batching: batch
    reader.buffering: buffered
    reader.caching: cache
    reader.chaining: chain
    reader.composing: ComposeNotAligned compose
    reader.dataset: BatchSampler Dataset default_collate_fn
    reader.limiting: firstn
    reader.loader: DataLoader PyReader
    within reader.generator_loader: DataLoaderBase keep_data_loader_order
    within reader.dataset_loader: DatasetLoader
    within distributed.data.base: DatasetBase
    within distributed.data.in_memory: InMemoryDataset
    within fluid.internals.native.processes: CleanupFuncRegistrar _cleanup _cleanup_mmap=_cleanup_mmap_fds
    within fluid.internals.native.processes: _set_SIGCHLD_handler multiprocess_queue_set
    reader.mapping: map_readers
    reader.processes: multiprocess_reader
    reader.shuffling: shuffle
    reader.xmapping: xmap_readers
    within fluid.internals.program_traits: _clone_var_in_block_=clone_var _get_valid_program=valid_program append_fetch_ops prepend_feed_ops
    within fluid.internals.providers: BatchedTensorProvider
    within reader.py_reader: double_buffer
    within core.unique_name: UniqueNameGenerator=Generator data_loader_unique_name_generator=generate
    within fluid.internals.program_traits: _load_program_scope=program_scope
    within reader.generator_loader: GeneratorLoader
    within reader.imperative_loader: DygraphGeneratorLoader=ImperativeLoader
    within reader.loader: _DataLoaderIterMultiProcess=DataLoaderIterMultiProcess _DataLoaderIterSingleProcess=DataLoaderIterSingleProcess
    within fluid.internals.patches: monkey_patch_reader_methods=monkey_patch_reader
    within fluid.internals.native.places: _convert_places=place_objects
    within fluid.internals.loggers: _logger=io
    within reader.generator_loader: KEEP_DATA_LOADER_ORDER=keeps_order()
    within fluid.internals.by_hand.files: _endpoints_replacement=replace_endpoints
    within fluid.internals.by_hand.readers: _copy_reader_var_=copy_reader_variable
    within fluid.internals.constants: QUEUE_GET_TIMEOUT

    [layer_helper] The helper with which layers are written.
    within fluid.imports: *
    layers.support.helper: LayerHelper

    [layer_helper_base] The helper of layers under the name of its base class.
    within fluid.imports: *
    layers.support.helper: LayerHelperBase=LayerHelper

    [layers] The functions of `fluid.layers`, under their Fluid 1.x names and signatures.
    within fluid.imports: *
    within fluid.internals.dygraph: dygraph_only=_dygraph_only_
    layers.control: control_flow.* debugging.* dynamic_rnn.* files.* global_variables.* if_else.* parameter.* py_func.* rank_table.* static_rnn.* tensor_array.*
    layers.detection: boxes.* deformable_pool.* loss.* masks.* match.* perspective.* pool.* proposals.* retinanet.* select.* ssd.* ssd_head.*
    layers.detection: targets.*
    layers.loss: loss.* loss_classes.* loss_pairs.* metric.* nce.* sampled_softmax.*
    layers.math: arithmetic.* compare.* distance.* elementwise.* linalg.* matmul.* reduce.*
    layers.nn: activation.* conv.* conv_transpose.* ctr.* data_norm.* deformable_conv.* dense.* embedding.*
    layers.nn: inplace_abn.* lrn.* norm.* parametric_activation.* pool.* sparse_rows.*
    layers.paddle2.arithmetic: addcmul clamp
    layers.paddle2.compare: elementwise_equal
    layers.paddle2.creation: arange full full_like
    layers.paddle2.linalg: t
    layers.paddle2.random: randint randperm
    layers.random: distributions.* normal.* random.*
    layers.rnn: basic_decoder.* beam.* beam_search_decoder.* cells.* decoder.* decoding.* ragged_rnn.* rnn.* rnn_unit.* stacked_lstm.*
    layers.sequence: crf.* ctc.* position.* row_conv.* sequence.* sequence_shape.*
    layers.shape: fill.* index.* padding.* rearrange.* scatter.* select.* shape.* sort.*
    layers.vision: channels.* feature_maps.* grid.* interpolate.* patches.*
    optimizer: learning_rate.*
    reader: py_reader.*
    static.program.data: data=layers_data
    here: control_flow detection distributions io learning_rate_scheduler loss math_op_patch metric_op nn ops rnn sequence_lod tensor
    within core.dtype: VarType
    within layers.control.rank_table: array_to_lod_tensor lod_rank_table lod_tensor_to_array max_sequence_len merge_lod_tensor
    within layers.control.rank_table: shrink_memory split_lod_tensor
    within layers.control.selection: select_input select_output
    within layers.control.conditional: ConditionalBlock
    within optimizer.static_schedules: _decay_step_counter=steps
    within static.program.block: Block
    within fluid.internals.guards: BlockGuard BlockGuardWithCompletion ConditionalBlockGuard IfElseBlockGuard WhileGuard
    within fluid.internals.guards: StaticRNNMemoryLink _error_message=error_message
    within layers.detection.mean_average_precision: detection_map
    within layers.loss.loss: cross_entropy2 kIgnoreIndex
    within layers.random.distributions: Distribution
    within fluid.internals.patches: _supported_int_dtype_=supported_int_dtypes compare_ops monkey_patch_variable=monkey_patch
    within fluid.internals.layer_functions: _cum_sum_=cum_sum _elementwise_div=elementwise_div _erf_=erf _gelu_=gelu
    within fluid.internals.layer_functions: _hard_shrink_=hard_shrink _scale=scale _softshrink_=softshrink _thresholded_relu_=thresholded_relu
    within fluid.internals.native.python_functions: PyFuncRegistry
    within fluid.internals.patches: monkey_patch_reader_methods=monkey_patch_reader
    within fluid.layers: func=elementwise_floordiv
    within fluid.contrib.layers: match_matrix_tensor multiclass_nms2 sequence_topk_avg_pooling tree_conv var_conv_2d
    within fluid.dropped: force_init_on_cpu init_on_cpu
    within fluid.internals.layer_helpers: _elementwise_op=elementwise_op _logical_op=logical_op _tril_triu_op=tril_triu_op
    within fluid.internals.layer_helpers: _elementwise_op_in_dygraph=elementwise_in_imperative_mode copy_var_to_parent_block
    within fluid.internals.by_hand.files: load_combine save save_combine
    within fluid.internals.by_hand.rpc: BlockGuardServ ListenAndServ Recv Send
    within fluid.internals.by_hand.readers: _copy_reader_create_op_=copy_reader_operator _copy_reader_var_=copy_reader_variable _py_reader
    within fluid.internals.by_hand.tables: _pull_box_sparse=pull_box_sparse _pull_sparse=pull_sparse _pull_sparse_v2=pull_sparse_v2
    within fluid.internals.op_descriptions: _OP=last_activation() op_proto=last_operator()

    [layers.collective] Calls that all workers of a job take part in.
    within layers.control.collective: _allreduce _broadcast _c_allgather _c_allreduce _c_broadcast _c_reducescatter _c_sync_calc_stream _c_sync_comm_stream

    [layers.device] Lists of places in Programs.
    within fluid.imports: *
    layers.control.places: get_places

    [layers.layer_function_generator] Functions and docstrings made from the declarations of operators.
    within fluid.imports: *
    fluid.internals.layer_functions: autodoc deprecated generate_activation_fn generate_layer_fn templatedoc
    within fluid.internals.layer_functions: _convert_=_words _generate_doc_string_=_docstring _type_to_str_=type_to_str escape_math
    within fluid.internals.constants: _single_dollar_pattern_=single_dollar _two_bang_pattern_=two_bangs _two_dollar_pattern_=two_dollars

    [layers.utils] Nested lists, tuples and dicts.
    within fluid.imports: *
    fluid.internals.nested: assert_same_structure convert_to_list copy_mutable_vars flatten hold_mutable_vars
    fluid.internals.nested: is_sequence map_structure pack_sequence_as
    within fluid.internals.nested: _contain_var _is_symmetric_padding _sorted
    within fluid.internals.nested: _packed_nest_with_indices=packed_nest_with_indices _recursive_assert_same_structure=_compare
    within fluid.internals.nested: _sequence_like=sequence_like _yield_flat_nest=_leaves _yield_value=_items
    within fluid.internals.layer_helpers: _get_shape_tensor_inputs=shape_tensor_inputs

    [log_helper] Loggers.
    fluid.internals.decorators: get_logger

    [metrics] How good predictions are.
    within fluid.imports: *
    metric.base: CompositeMetric MetricBase
    metric.classes: Accuracy Auc Precision Recall
    metric.detection: DetectionMAP
    metric.sequences: ChunkEvaluator EditDistance
    within fluid.internals.numbers: _is_number_=is_number _is_number_or_matrix_=is_number_or_matrix _is_numpy_=is_numpy

    [multiprocess_utils] What is done when processes end.
    fluid.internals.native.processes: CleanupFuncRegistrar multiprocess_queue_set _cleanup _cleanup_mmap=_cleanup_mmap_fds
    fluid.internals.native.processes: _clear_multiprocess_queue_set=_cleanup _set_SIGCHLD_handler
    within fluid.internals.native.processes: _SIGCHLD_handler_set=has_SIGCHLD_handler()

    [nets] Layers that often stand together.
    within fluid.imports: *
    nets: glu img_conv_group scaled_dot_product_attention sequence_conv_pool simple_img_conv_pool

    [op] Operators on the values of a Scope.
    within fluid.imports: *
    fluid.internals.op_descriptions: OpDescCreationMethod OpInfo is_str
    within fluid.internals.op_descriptions: CondOp DynamicRecurrentOp RecurrentOp
    fluid.internals.operators: Operator OperatorFactory create_op_creation_method get_all_op_protos

    [proto] The messages of files.
    static.proto.messages: framework_pb2=*
    distributed.data.feed_messages: data_feed_pb2=*
    distributed.trainers.messages: trainer_desc_pb2=*

    [regularizer] Weight decay.
    within fluid.imports: *
    params.regularizer: L1Decay L1DecayRegularizer L2Decay L2DecayRegularizer
    within optimizer.static_gradients: append_regularization_ops _create_regularization_of_grad=penalised

    [trainer_desc] Descriptions of trainings by threads.
    distributed.trainers.descriptions: DistMultiTrainer MultiTrainer PipelineTrainer TrainerDesc

    [trainer_factory] Descriptions of trainings, by names.
    distributed.trainers.factory: TrainerFactory
    static.execution.fetch_handler: FetchHandlerMonitor
    within fluid.internals.loggers: local_logger=trainer_factory

    [distributed] The package of a client of PSLib of 2018, whose modules public builds cannot use.

    [distribute_lookup_table] The embedding table that servers hold.
    distributed.transpiler.tables: find_distributed_lookup_table find_distributed_lookup_table_inputs
    distributed.transpiler.tables: find_distributed_lookup_table_outputs
    within distributed.transpiler.tables: LOOKUP_TABLE_TYPE

    [communicator] Sending and receiving in the background of a trainer.
    distributed.communicator.api: Communicator

    [unique_name] Names that no other Variable of a Program has.
    core.unique_name: generate guard switch
    within core.unique_name: UniqueNameGenerator=Generator generate_with_ignorable_key=generate generator=current()
    within core.unique_name: DygraphParameterNameChecker=ParameterNameChecker dygraph_parameter_name_checker=parameter_name_checker

    [wrapped_decorator] Decorators that keep names and signatures.
    fluid.internals.decorators: wrap_decorator
    within fluid.internals.decorators: signature_safe_contextmanager
    """,
)
