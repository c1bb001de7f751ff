"""Layer classes and `nn.functional`, the 2.0-alpha's functions without parameters.

The table below says where each name is; `core/lazy.py` explains its form. `Conv2D` and `Conv2d` are both spellings of the
2.0-alpha; `fluid.dygraph.Conv2D` has Fluid's argument order.
"""

from ..core.lazy import namespace as _namespace

__getattr__, __dir__ = _namespace(
    __name__,
    """
    imperative.container: LayerList ParameterList Sequential
    imperative.layer: Layer
    layers.control.control_flow: case cond switch_case while_loop
    layers.math.arithmetic: clip
    layers.math.distance: clip_by_norm
    layers.loss.nce: hsigmoid
    layers.nn.conv: conv3d
    layers.nn.conv_transpose: conv2d_transpose conv3d_transpose
    layers.rnn.beam: beam_search beam_search_decode gather_tree
    layers.sequence.row_conv: row_conv
    nn: functional.*
    nn.activation: LogSoftmax ReLU
    nn.activations: ELU GELU Hardshrink Hardsigmoid Hardswish LeakyReLU LogSigmoid Maxout ReLU6 SELU Sigmoid Softmax
    nn.activations: Softplus Softshrink Softsign Swish Tanh Tanhshrink ThresholdedReLU
    nn.bilinear: BilinearTensorProduct
    nn.common: Dropout Embedding
    nn.conv: Conv2D=Conv2d Conv2d
    nn.conv_line: Conv1D
    nn.conv_transpose: Conv2DTranspose Conv3DTranspose
    nn.conv_volume: Conv3D
    nn.group_norm: GroupNorm InstanceNorm
    nn.linear: Linear
    nn.loss: BCELoss CrossEntropyLoss L1Loss MSELoss NLLLoss
    nn.norm: BatchNorm LayerNorm
    nn.pool: Pool2D
    nn.reshaping: Flatten Pad2D
    nn.resize: UpSample Upsample
    nn.spectral_norm: SpectralNorm
    params.clip: GradientClipByGlobalNorm GradientClipByNorm GradientClipByValue
    params.initializer: initializer=*
    static.program.data: data
    modules: activation loss
    within nn.common: common=*
    within nn.conv: conv=*
    within nn.linear: linear=*
    within nn.norm: norm=*
    within nn.pool: pool=*
    within nn.functional.lod: hash
    here: clip control_flow input

    [decode] Searching for the best sequences.
    layers.rnn.beam: beam_search beam_search_decode gather_tree

    [functional] Functions without parameters, under the 2.0-alpha's names and in its modules.
    nn.functional: activation.* common.* extension.* learning_rate.* lod.* loss.* norm.* pooling.* vision.*
    within nn.functional.lod: hash

    [functional.activation] Activations.
    layers.nn.activation: erf gelu hard_shrink leaky_relu log_softmax logsigmoid relu sigmoid softmax softplus softshrink
    layers.nn.activation: softsign tanh_shrink thresholded_relu
    layers.nn.parametric_activation: brelu elu hard_sigmoid hard_swish maxout relu6 selu soft_relu swish

    [functional.common] Copies, dropout, padding, one-hot vectors, smoothed labels.
    layers.loss.loss_classes: label_smooth
    layers.math.arithmetic: assign
    layers.random.random: dropout
    layers.shape.padding: pad pad2d pad_constant_like
    layers.shape.select: one_hot=one_hot_v2
    layers.vision.interpolate: interpolate
    layers.vision.patches: unfold

    [functional.extension] Functions for detection, sequences and click-through rates.
    layers.detection.boxes: polygon_box_transform
    layers.detection.match: target_assign
    layers.detection.select: multiclass_nms
    layers.detection.targets: rpn_target_assign
    layers.nn.ctr: continuous_value_model filter_by_instag
    layers.random.random: random_crop
    layers.sequence.ctc: warpctc
    layers.sequence.position: add_position_encoding
    layers.shape.rearrange: diag_embed
    layers.vision.channels: temporal_shift
    layers.vision.feature_maps: similarity_focus

    [functional.learning_rate] Learning rates as functions of the step.
    optimizer.learning_rate: cosine_decay exponential_decay inverse_time_decay linear_lr_warmup natural_exp_decay
    optimizer.learning_rate: noam_decay piecewise_decay polynomial_decay

    [functional.lod] Sequences of ids.
    layers.nn.ctr: hash

    [functional.loss] Losses.
    layers.detection.boxes: iou_similarity
    layers.detection.ssd: ssd_loss
    layers.loss.loss: cross_entropy softmax_with_cross_entropy square_error_cost
    layers.loss.loss_classes: bpr_loss center_loss dice_loss npair_loss sigmoid_focal_loss
    layers.loss.loss_pairs: huber_loss kldiv_loss log_loss margin_rank_loss mse_loss rank_loss
    layers.loss.loss_pairs: sigmoid_cross_entropy_with_logits smooth_l1 teacher_student_sigmoid_loss
    layers.loss.sampled_softmax: sampled_softmax_with_cross_entropy
    layers.sequence.ctc: edit_distance

    [functional.norm] Normalisation.
    layers.math.distance: l2_normalize
    layers.nn.lrn: lrn

    [functional.pooling] Pooling.
    layers.nn.pool: adaptive_pool2d adaptive_pool3d pool2d pool3d

    [functional.vision] Images: channels, sizes, grids; boxes and regions of detectors.
    layers.detection.boxes: anchor_generator box_clip box_coder box_decoder_and_assign density_prior_box prior_box
    layers.detection.deformable_pool: deformable_roi_pooling
    layers.detection.loss: yolov3_loss
    layers.detection.masks: generate_mask_labels
    layers.detection.match: bipartite_match
    layers.detection.perspective: roi_perspective_transform
    layers.detection.pool: prroi_pool psroi_pool roi_align roi_pool
    layers.detection.proposals: collect_fpn_proposals distribute_fpn_proposals generate_proposals
    layers.detection.retinanet: retinanet_detection_output retinanet_target_assign
    layers.detection.select: yolo_box
    layers.detection.ssd: detection_output
    layers.detection.targets: generate_proposal_labels
    layers.vision.channels: affine_channel pixel_shuffle shuffle_channel space_to_depth
    layers.vision.feature_maps: fsp_matrix
    layers.vision.grid: affine_grid grid_sampler
    layers.vision.interpolate: image_resize image_resize_short resize_bilinear resize_nearest resize_trilinear

    [layer] The Layer classes of the 2.0-alpha in its modules.
    nn.layer: activation.* common.* conv.* loss.* norm.*

    [layer.activation] Activations.
    nn.activation: LogSoftmax ReLU
    nn.activations: ELU GELU Hardshrink Hardsigmoid Hardswish LeakyReLU LogSigmoid Maxout ReLU6 SELU Sigmoid Softmax
    nn.activations: Softplus Softshrink Softsign Swish Tanh Tanhshrink ThresholdedReLU

    [layer.common] Linear and bilinear layers, tables, pooling, dropout, padding, larger images.
    nn.bilinear: BilinearTensorProduct
    nn.common: Dropout Embedding
    nn.linear: Linear
    nn.pool: Pool2D
    nn.reshaping: Flatten Pad2D
    nn.resize: UpSample Upsample

    [layer.conv] Convolution.
    nn.conv: Conv2D=Conv2d Conv2d
    nn.conv_line: Conv1D
    nn.conv_transpose: Conv2DTranspose Conv3DTranspose
    nn.conv_volume: Conv3D

    [layer.loss] Losses.
    nn.loss: BCELoss CrossEntropyLoss L1Loss MSELoss NLLLoss

    [layer.norm] Normalisation.
    nn.group_norm: GroupNorm InstanceNorm
    nn.norm: BatchNorm LayerNorm
    nn.spectral_norm: SpectralNorm
    """,
)
