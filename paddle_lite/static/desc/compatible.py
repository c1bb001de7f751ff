"""The table of PaddlePaddle 1.8.5 that says since which version operators have their present semantics."""

from __future__ import annotations

from ..proto import Compatible

_CHANGED_IN = "1.6.0"
OTHERS = "1.5.0"
"""The version since which all operators that the table does not name have their present semantics."""

_DIFFERENT = """
    center_loss coalesce_tensor crop_tensor deformable_conv deformable_conv_v1 dpsgd eye fill_any_like filter_by_instag gather_nd
    hard_swish instance_norm lookup_table_v2 match_matrix_tensor multiclass_nms2 one_hot_v2 prroi_pool pull_box_sparse
    scatter_nd_add sequence_pad sequence_topk_avg_pooling sequence_unpad shard_index size strided_slice trilinear_interp unfold
    unique unique_with_counts var_conv_2d
"""
_PERHAPS_DIFFERENT = """
    bilinear_interp chunk_eval conditional_block conditional_block_infer conv2d conv2d_transpose conv3d conv3d_transpose
    crf_decoding ctc_align data_norm depthwise_conv2d depthwise_conv2d_transpose edit_distance expand fc
    fused_embedding_seq_pool group_norm hash leaky_relu linear_chain_crf lod_reset matmul mul nearest_interp one_hot pow prior_box
    reshape2 slice uniform_random uniform_random_batch_size_like warpctc
"""
_REPAIRED = "layer_norm"

_KINDS = ((1, _DIFFERENT), (2, _PERHAPS_DIFFERENT), (3, _REPAIRED))  # the numbers of CompatibleInfo.Type
TABLE = sorted(Compatible(op, _CHANGED_IN, kind) for kind, names in _KINDS for op in names.split())
