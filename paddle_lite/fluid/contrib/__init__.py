"""Statistics of Programs, functions of contributors, training in float16, decoders, compression of models.

The table below says where each name is; `core/lazy.py` explains its form.
"""

from ...core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    within fluid.imports: *
    contrib.decoder.beam_search: BeamSearchDecoder
    contrib.decoder.state_cell: StateCell
    contrib.decoder.states: InitState
    contrib.decoder.training: TrainingDecoder
    contrib.mixed_precision.op_lists: AutoMixedPrecisionLists
    contrib.mixed_precision.optimizer: decorate
    fluid.contrib.layers: fused_elemwise_activation tree_conv multiclass_nms2 search_pyramid_hash shuffle_batch
    fluid.contrib.layers: partial_concat partial_sum tdm_child rank_attention tdm_sampler BasicGRUUnit basic_gru
    fluid.contrib.layers: BasicLSTMUnit basic_lstm ctr_metric_bundle fused_embedding_seq_pool match_matrix_tensor
    fluid.contrib.layers: sequence_topk_avg_pooling var_conv_2d
    fluid.statistics: memory_usage op_freq_statistic
    here: memory_usage_calc op_frequence
    within fluid.statistics: DEBUG dtype_to_size
    distributed.hadoop.contrib_client: HDFSClient multi_download multi_upload
    distributed.data.reading: distributed_batch_reader
    contrib.slim.core.compressor: Compressor
    contrib.quantize.transpiler: QuantizeTranspiler
    distributed.transpiler.stored_tables: convert_dist_to_sparse_program load_persistables_for_increment
    distributed.transpiler.stored_tables: load_persistables_for_inference
    optimizer.decoupled: extend_with_decoupled_weight_decay
    fluid.model_stat: summary

    [decoder] Decoders of sequences.
    within fluid.imports: *
    contrib.decoder.beam_search: BeamSearchDecoder
    contrib.decoder.state_cell: StateCell
    contrib.decoder.states: InitState
    contrib.decoder.training: TrainingDecoder
    within contrib.decoder.state_cell: _DecoderType=DecoderType
    within contrib.decoder.states: _ArrayState=ArrayState _MemoryState=MemoryState
    here: beam_search_decoder

    [trainer] Training by functions that build Programs.
    contrib.trainer.trainer: Trainer
    contrib.trainer.events: BeginEpochEvent EndEpochEvent BeginStepEvent EndStepEvent
    contrib.trainer.checkpoints: CheckpointConfig
    within contrib.trainer.inferencer: Inferencer
    within contrib.trainer.trainer: build_feed_var_list check_and_get_place
    within contrib.trainer.checkpoints: clean_checkpoint load_checkpoint save_checkpoint
    within contrib.trainer.checkpoints: CHECKPOINT_PREFIX CHECKPOINT_SEPARATOR MODEL_DIR SUCCESS_MARK_FILENAME TRAINER_PREFIX

    [inferencer] Results of nets that functions build.
    contrib.trainer.inferencer: Inferencer
    within contrib.trainer.trainer: check_and_get_place

    [extend_optimizer] Weight decay apart from the gradient.
    within fluid.imports: *
    optimizer.decoupled: extend_with_decoupled_weight_decay
    within optimizer.decoupled: DecoupledWeightDecay
    here: extend_optimizer_with_weight_decay

    [utils] Files of a Hadoop cluster.
    distributed.hadoop.contrib_client: HDFSClient multi_download multi_upload
    distributed.transpiler.stored_tables: convert_dist_to_sparse_program load_persistables_for_increment
    distributed.transpiler.stored_tables: load_persistables_for_inference

    [utils.lookup_table_utils] Embedding tables of parameter servers, as files.
    distributed.transpiler.stored_tables: convert_dist_to_sparse_program get_inference_model
    distributed.transpiler.stored_tables: load_persistables_for_increment load_persistables_for_inference
    within distributed.transpiler.stored_tables: _logger=_log lookup_table_dir model_filename

    [utils.hdfs_utils] Files of a Hadoop cluster.
    within fluid.imports: *
    distributed.hadoop.contrib_client: HDFSClient multi_download multi_upload
    within distributed.hadoop.contrib_client: getfilelist
    within distributed.hadoop.commands: _logger

    [layers] Functions for ranking, recommendation, trees and pairs of sequences.
    within fluid.imports: *
    layers.detection: indexed_nms.*
    layers.loss: ctr_metrics.*
    layers.math: fused_elementwise.*
    layers.nn: embedding_pool.* rank_attention.* tdm.*
    layers.random: shuffle.*
    layers.sequence: pyramid_hash.* sequence_match.* tree_conv.*
    layers.shape: partial.*
    here: metric_op nn rnn_impl
    layers.rnn: basic_rnn.* basic_units.*

    [mixed_precision] Training in float16.
    within fluid.imports: *
    contrib.mixed_precision.op_lists: AutoMixedPrecisionLists
    contrib.mixed_precision.optimizer: decorate

    [mixed_precision.decorator] The optimizer that trains in float16.
    within fluid.imports: *
    contrib.mixed_precision.op_lists: AutoMixedPrecisionLists
    contrib.mixed_precision.optimizer: OptimizerWithMixedPrecision decorate
    within contrib.mixed_precision.optimizer: OptimizerWithMixedPrecison=OptimizerWithMixedPrecision
    fluid.contrib.mixed_precision.fp16_utils: fp16_utils=*

    [mixed_precision.fp16_lists] Which operators run in float16.
    contrib.mixed_precision.op_lists: AutoMixedPrecisionLists black_list gray_list white_list

    [mixed_precision.fp16_utils] Casts of a Program; the factor of the loss.
    within fluid.imports: *
    contrib.mixed_precision.loss_scaling: update_loss_scaling
    contrib.mixed_precision.rewriting: find_op_index find_true_post_op find_true_prev_op
    contrib.mixed_precision.rewriting: rewrite_program update_role_var_grad
    within contrib.mixed_precision.rewriting: _dtype_to_str=dtype_suffix _insert_cast_op=insert_cast_op
    within contrib.mixed_precision.rewriting: _is_in_black_varnames=is_in_black_varnames _rename_arg=rename_arg

    [model_stat] Parameters and arithmetic of Programs.
    fluid.model_stat: summary
    within fluid.model_stat: _format_summary=table_of _print_summary=print_table _summary_model=row_of

    [quantize] Quantization of Programs in place.
    within fluid.imports: *
    contrib.quantize.transpiler: QuantizeTranspiler
    within contrib.slim.quantization.freeze_pass: _original_var_name=original_name
    within fluid.internals.layer_helpers: _dequantized_var_name=dequantized_var_name _is_float=is_float
    within fluid.internals.layer_helpers: _quantized_scale_name=quantized_scale_name _quantized_var_name=quantized_var_name
    within fluid.internals.layer_helpers: _QUANTIZABLE_OP_TYPES quant=quantized
    here: quantize_transpiler

    [reader] Readers that several processes share.
    distributed.data.reading: distributed_batch_reader
    here: distributed_reader

    [slim] Compression of models: pruning, distillation, quantization and the search for networks.
    contrib.slim.core.compressor: Compressor
    contrib.slim.core.config: ConfigFactory
    contrib.slim.core.context: Context
    contrib.slim.core.strategy: Strategy

    [slim.core] What strategies of compression share.
    contrib.slim.core.compressor: Compressor
    contrib.slim.core.config: ConfigFactory
    contrib.slim.core.context: Context
    contrib.slim.core.strategy: Strategy

    [slim.core.compressor] A training during which strategies change the network.
    contrib.slim.core.compressor: Compressor
    contrib.slim.core.context: Context
    within contrib.slim.core.context: cached_reader
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger

    [slim.core.config] Strategies from a YAML file.
    contrib.slim.core.config: ConfigFactory
    within fluid.imports: *
    within fluid.log_helper: get_logger
    within contrib.slim.core.compressor: _logger
    within contrib.slim.core.config: PLUGINS

    [slim.core.strategy] The base of strategies.
    contrib.slim.core.strategy: Strategy

    [slim.distillation] Networks that learn from other networks.
    contrib.slim.distillation.distillers: FSPDistiller L2Distiller SoftLabelDistiller
    contrib.slim.distillation.strategy: DistillationStrategy

    [slim.distillation.distiller] Losses between the results of networks.
    contrib.slim.distillation.distillers: FSPDistiller L2Distiller SoftLabelDistiller
    within contrib.slim.distillation.distillers: FSPDistillerPass L2DistillerPass SoftLabelDistillerPass
    within fluid.imports: *
    within fluid.log_helper: get_logger
    within contrib.slim.core.compressor: _logger

    [slim.distillation.distillation_strategy] Epochs in which a network learns from others.
    contrib.slim.distillation.strategy: DistillationStrategy
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger

    [slim.graph] Programs as graphs.
    contrib.slim.graph.executor: SlimGraphExecutor
    contrib.slim.graph.wrapper: GraphWrapper OpWrapper VarWrapper

    [slim.graph.executor] Graphs are run.
    contrib.slim.graph.executor: SlimGraphExecutor
    within contrib.slim.graph.wrapper: GraphWrapper
    within fluid.imports: *
    within fluid.log_helper: get_logger
    within contrib.slim.core.compressor: _logger

    [slim.graph.graph_wrapper] Programs as graphs.
    contrib.slim.graph.wrapper: GraphWrapper OpWrapper VarWrapper
    within contrib.slim.graph.wrapper: OPTIMIZER_OPS
    within fluid.imports: *
    within fluid.log_helper: get_logger
    within contrib.slim.core.compressor: _logger

    [slim.nas] Searches for networks.
    contrib.slim.nas.search_space: SearchSpace
    contrib.slim.nas.server: ControllerServer SearchAgent
    contrib.slim.nas.strategy: LightNASStrategy
    within contrib.slim.nas.lock: LOCK_EX LOCK_UN

    [slim.nas.controller_server] A controller for several processes.
    contrib.slim.nas.server: ControllerServer
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger

    [slim.nas.light_nas_strategy] A search for a network that is small enough.
    contrib.slim.nas.strategy: LightNASStrategy
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger
    within contrib.slim.nas.server: ControllerServer SearchAgent

    [slim.nas.lock] Locks of files.
    contrib.slim.nas.lock: lock unlock
    within contrib.slim.nas.lock: LOCK_EX LOCK_UN

    [slim.nas.search_agent] The other side of a ControllerServer.
    contrib.slim.nas.server: SearchAgent
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger

    [slim.nas.search_space] The networks among which a search chooses.
    contrib.slim.nas.search_space: SearchSpace

    [slim.prune] Networks whose convolutions lose filters.
    contrib.slim.prune.auto_prune: AutoPruneStrategy
    contrib.slim.prune.pruner: Pruner StructurePruner
    contrib.slim.prune.strategies: PruneStrategy SensitivePruneStrategy UniformPruneStrategy

    [slim.prune.auto_prune_strategy] A search for the shares of filters that are taken away.
    contrib.slim.prune.auto_prune: AutoPruneStrategy
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger

    [slim.prune.prune_strategy] Epochs at whose begin filters are taken away.
    contrib.slim.prune.strategies: PruneStrategy SensitivePruneStrategy UniformPruneStrategy
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger

    [slim.prune.pruner] Which filters are taken away.
    contrib.slim.prune.pruner: Pruner StructurePruner
    within fluid.imports: *
    within fluid.log_helper: get_logger
    within contrib.slim.core.compressor: _logger

    [slim.searcher] Searches for the best tokens.
    contrib.slim.searcher.controllers: EvolutionaryController SAController

    [slim.searcher.controller] Searches for the best tokens.
    contrib.slim.searcher.controllers: EvolutionaryController SAController
    within fluid.imports: *
    within contrib.slim.core.compressor: _logger

    [slim.quantization] Training with quantized values, and quantization of trained models.
    within fluid.imports: *
    contrib.slim.quantization.freeze_pass: QuantizationFreezePass
    contrib.slim.quantization.int8_passes: ConvertToInt8Pass TransformForMobilePass
    contrib.slim.quantization.out_scale_passes: OutScaleForInferencePass OutScaleForTrainingPass
    contrib.slim.quantization.quant_dequant_pass: AddQuantDequantPass
    contrib.slim.quantization.transform_pass: QuantizationTransformPass
    contrib.slim.quantization.post_training: PostTrainingQuantization
    contrib.slim.quantization.weight_quantization: WeightQuantization
    contrib.slim.quantization.mkldnn: MKLDNNPostTrainingQuantStrategy Qat2Int8MkldnnPass QatInt8MkldnnPass
    contrib.slim.quantization.strategy: QuantizationStrategy
    here: mkldnn_post_training_strategy post_training_quantization qat2_int8_mkldnn_pass qat_int8_mkldnn_pass
    here: quantization_pass quantization_strategy
    within contrib.slim.quantization.graph_tools: _init_var_node=init_var_node _load_variable_data=load _set_variable_data=store
    within static.execution.strategies: BuildStrategy
    within fluid.internals.program_traits: _all_persistable_var_names=persistable_names
    within contrib.slim.quantization.operator_slots: _fake_quant_op_list=FAKE_QUANT _fake_dequant_op_list=FAKE_DEQUANT
    within contrib.slim.quantization.operator_slots: _fake_quant_dequant_op_list=FAKE_QUANT_DEQUANT
    within contrib.slim.quantization.operator_slots: _out_scale_op_list=OUT_SCALE _op_real_in_out_name=SLOTS
    within contrib.slim.quantization.operator_slots: _get_op_input_var_names=values_read
    within contrib.slim.quantization.operator_slots: _get_op_output_var_names=values_written
    within contrib.slim.quantization.graph_tools: _is_input_all_not_persistable=reads_computed_values_only
    within contrib.slim.core.compressor: _logger
    """,
)
