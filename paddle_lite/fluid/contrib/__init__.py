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
    here: memory_usage_calc op_frequence utils
    distributed.data.reading: distributed_batch_reader
    to come: Compressor
    contrib.quantize.transpiler: QuantizeTranspiler
    to come: load_persistables_for_increment load_persistables_for_inference convert_dist_to_sparse_program HDFSClient
    to come: multi_download multi_upload
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

    [extend_optimizer] Weight decay apart from the gradient.
    within fluid.imports: *
    optimizer.decoupled: extend_with_decoupled_weight_decay
    within optimizer.decoupled: DecoupledWeightDecay
    here: extend_optimizer_with_weight_decay

    [layers] Functions for ranking, recommendation, trees and pairs of sequences; the others are yet to come.
    within fluid.imports: *
    layers.detection: indexed_nms.*
    layers.loss: ctr_metrics.*
    layers.math: fused_elementwise.*
    layers.nn: embedding_pool.* rank_attention.* tdm.*
    layers.random: shuffle.*
    layers.sequence: sequence_match.* tree_conv.*
    layers.shape: partial.*
    here: metric_op nn rnn_impl
    layers.rnn: basic_rnn.* basic_units.*
    to come: search_pyramid_hash

    [mixed_precision] Training in float16.
    within fluid.imports: *
    contrib.mixed_precision.op_lists: AutoMixedPrecisionLists
    contrib.mixed_precision.optimizer: decorate

    [mixed_precision.decorator] The optimizer that trains in float16.
    within fluid.imports: *
    contrib.mixed_precision.op_lists: AutoMixedPrecisionLists
    contrib.mixed_precision.optimizer: OptimizerWithMixedPrecision decorate
    within contrib.mixed_precision.loss_scaling: update_loss_scaling
    within contrib.mixed_precision.rewriting: rewrite_program update_role_var_grad
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

    [quantize] Quantization of Programs in place.
    within fluid.imports: *
    contrib.quantize.transpiler: QuantizeTranspiler
    within contrib.slim.quantization.freeze_pass: _original_var_name=original_name
    here: quantize_transpiler

    [reader] Readers that several processes share.
    distributed.data.reading: distributed_batch_reader
    here: distributed_reader

    [slim] Compression of models; the Compressor is yet to come.
    to come: Compressor

    [slim.quantization] Training with quantized values, and quantization of trained models.
    within fluid.imports: *
    contrib.slim.quantization.freeze_pass: QuantizationFreezePass
    contrib.slim.quantization.int8_passes: ConvertToInt8Pass TransformForMobilePass
    contrib.slim.quantization.out_scale_passes: OutScaleForInferencePass OutScaleForTrainingPass
    contrib.slim.quantization.quant_dequant_pass: AddQuantDequantPass
    contrib.slim.quantization.transform_pass: QuantizationTransformPass
    contrib.slim.quantization.post_training: PostTrainingQuantization
    contrib.slim.quantization.weight_quantization: WeightQuantization
    here: post_training_quantization quantization_pass
    within contrib.slim.quantization.operator_slots: _fake_quant_op_list=FAKE_QUANT _fake_dequant_op_list=FAKE_DEQUANT
    within contrib.slim.quantization.operator_slots: _fake_quant_dequant_op_list=FAKE_QUANT_DEQUANT
    within contrib.slim.quantization.operator_slots: _out_scale_op_list=OUT_SCALE _op_real_in_out_name=SLOTS
    within contrib.slim.quantization.operator_slots: _get_op_input_var_names=values_read
    within contrib.slim.quantization.operator_slots: _get_op_output_var_names=values_written
    within contrib.slim.quantization.graph_tools: _is_input_all_not_persistable=reads_computed_values_only
    within layers.math.arithmetic: mean
    within static.execution.scope: scope_guard
    within static.ir_graph.ir_graph: IrGraph
    within static.ir_graph.ir_node: IrNode
    within static.program.data: data
    within static.program.operator: Operator
    """,
)
