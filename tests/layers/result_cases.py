"""Calls of layer functions in Programs, and what their results declare; run by Paddle (record_results.py) and by the tests.

It is read by Python 3.7 too, which PaddlePaddle 1.8.5 needs.
"""

import numpy as np

CALLS = """
layers.accuracy(V([-1, 5], 'float32'), V([-1, 1], 'int64'))
layers.allclose(V([2], 'float32'), V([2], 'float32'))
layers.anchor_generator(V([1, 3, 4, 4], 'float32'), [32.0], [1.0], [0.1, 0.1, 0.2, 0.2], [16.0, 16.0])
layers.batch_norm(V([2, 3, 4, 4], 'float32'))
layers.beam_search(V([-1, 1], 'int64', 2), V([-1, 1], 'float32', 2), V([-1, 3], 'int64'), V([-1, 3], 'float32'), 3, 0)
layers.box_clip(V([-1, 4], 'float32', 1), V([-1, 3], 'float32'))
layers.box_coder(V([5, 4], 'float32'), [0.1, 0.1, 0.2, 0.2], V([-1, 4], 'float32', 1))
layers.box_decoder_and_assign(V([-1, 4], 'float32'), V([4], 'float32'), V([-1, 8], 'float32'), V([-1, 2], 'float32'), 4.0)
layers.chunk_eval(V([-1, 1], 'int64', 1), V([-1, 1], 'int64', 1), 'IOB', 2)
layers.clip_by_norm(V([3], 'float32'), 1.0)
layers.cos_sim(V([3, 4], 'float32'), V([3, 4], 'float32'))
layers.density_prior_box(V([1, 3, 4, 4], 'float32'), V([1, 3, 8, 8], 'float32'), [2], [8.0], [1.0])
layers.distribute_fpn_proposals(V([-1, 4], 'float32', 1), 2, 3, 2, 224)
layers.collect_fpn_proposals([V([-1, 4], 'float32', 1)] * 2, [V([-1, 1], 'float32', 1)] * 2, 2, 3, 9)
layers.fill_constant([2], 'float32', 1.0)
layers.fill_constant_batch_size_like(V([2, 3], 'float32'), [-1, 4], 'float32', 1.0)
layers.flatten(V([2, 3, 4], 'float32'))
layers.gather_tree(V([5, 2, 2], 'int64'), V([5, 2, 2], 'int64'))
layers.gaussian_random_batch_size_like(V([2, 3], 'float32'), [-1, 4])
layers.group_norm(V([2, 4, 3, 3], 'float32'), 2)
layers.hsigmoid(V([3, 4], 'float32'), V([3, 1], 'int64'), 6)
layers.huber_loss(V([3, 1], 'float32'), V([3, 1], 'float32'), 1.0)
layers.instance_norm(V([2, 4, 3, 3], 'float32'))
layers.iou_similarity(V([-1, 4], 'float32'), V([-1, 4], 'float32'))
layers.layer_norm(V([2, 4], 'float32'))
layers.linear_chain_crf(V([-1, 4], 'float32', 1), V([-1, 1], 'int64', 1))
layers.locality_aware_nms(V([-1, 9, 8], 'float32'), V([-1, 1, 9], 'float32'), 0.5, 9, 9)
layers.logical_and(V([2], 'bool'), V([2], 'bool'))
layers.logical_or(V([2], 'bool'), V([2], 'bool'))
layers.logical_xor(V([2], 'bool'), V([2], 'bool'))
layers.logical_not(V([2], 'bool'))
layers.margin_rank_loss(V([3, 1], 'float32'), V([3, 1], 'float32'), V([3, 1], 'float32'))
layers.mean_iou(V([3, 4], 'int32'), V([3, 4], 'int32'), 3)
layers.multi_box_head([V([2, 8, 3, 3], 'float32')] * 3, V([2, 3, 30, 30], 'float32'), 30, 4, [[2.0]] * 3, min_ratio=20, max_ratio=90)
layers.multiclass_nms(V([-1, 9, 4], 'float32'), V([-1, 3, 9], 'float32'), 0.1, 9, 9)
layers.ones_like(V([3], 'float32'))
layers.polygon_box_transform(V([2, 8, 3, 3], 'float32'))
layers.prior_box(V([1, 3, 4, 4], 'float32'), V([1, 3, 8, 8], 'float32'), [4.0])
layers.random_crop(V([2, 8, 8], 'float32'), [4, 4])
layers.reduce_any(V([3], 'bool'))
layers.reshape(V([2, 3], 'float32'), [3, 2])
layers.retinanet_detection_output([V([1, 9, 4], 'float32')], [V([1, 9, 2], 'float32')], [V([9, 4], 'float32')], V([1, 3], 'float32'))
layers.roi_perspective_transform(V([1, 3, 8, 8], 'float32'), V([-1, 8], 'float32', 1), 4, 4)
layers.sequence_enumerate(V([-1, 1], 'int64', 1), 2)
layers.sequence_pool(V([-1, 4], 'float32', 1), 'max')
layers.shape(V([2, 3], 'float32'))
layers.similarity_focus(V([2, 3, 2, 2], 'float32'), 1, [0])
layers.smooth_l1(V([3, 4], 'float32'), V([3, 4], 'float32'))
layers.squeeze(V([2, 1], 'float32'), [1])
layers.target_assign(V([-1, 3, 4], 'float32', 1), V([2, 3], 'int32'))
layers.transpose(V([2, 3], 'float32'), [1, 0])
layers.uniform_random_batch_size_like(V([2, 3], 'float32'), [-1, 4])
layers.unsqueeze(V([2, 3], 'float32'), [1])
layers.where(V([3], 'bool'))
layers.yolov3_loss(V([2, 14, 4, 4], 'float32'), V([2, 3, 4], 'float32'), V([2, 3], 'int32'), [9, 9, 8, 8], [0, 1], 2, 0.7, 8)
layers.equal(V([2], 'int32'), V([2], 'int32'))
layers.not_equal(V([2], 'int32'), V([2], 'int32'))
layers.less_equal(V([2], 'int32'), V([2], 'int32'))
layers.greater_than(V([2], 'int32'), V([2], 'int32'))
layers.greater_equal(V([2], 'int32'), V([2], 'int32'))
fluid.one_hot(V([3], 'int64'), 5)
layers.argmax(V([3, 4], 'float32'))
layers.argmin(V([3, 4], 'float32'))
layers.argsort(V([3, 4], 'float32'))
layers.bipartite_match(V([3, 4], 'float32', 1))
layers.center_loss(V([3, 4], 'float32'), V([3, 1], 'int64'), 5, 0.1, None)
layers.deformable_roi_pooling(V([2, 8, 4, 4], 'float32'), V([2, 4], 'float32', 1), V([2, 2, 2, 2], 'float32'), group_size=(1, 1), pooled_height=2, pooled_width=2)
layers.diag_embed(V([2, 3], 'float32'))
layers.elementwise_equal(V([2], 'int32'), V([2], 'int32'))
layers.zeros_like(V([2], 'float32'))
layers.generate_proposal_labels(V([-1, 4], 'float32', 1), V([-1, 1], 'int32', 1), V([-1, 1], 'int32', 1), V([-1, 4], 'float32', 1), V([-1, 3], 'float32'), class_nums=10)
layers.ssd_loss(V([-1, 10, 4], 'float32'), V([-1, 10, 5], 'float32'), V([-1, 4], 'float32', 1), V([-1, 1], 'int64', 1), V([10, 4], 'float32'), V([10, 4], 'float32'))
layers.nce(V([3, 4], 'float32'), V([3, 1], 'int64'), 10)
layers.l2_normalize(V([3, 4], 'float32'), 1)
layers.randperm(5)
layers.randint(0, 5, [2])
layers.rpn_target_assign(V([-1, 10, 4], 'float32'), V([-1, 10, 1], 'float32'), V([10, 4], 'float32'), V([10, 4], 'float32'), V([-1, 4], 'float32', 1), V([-1, 1], 'int32', 1), V([-1, 3], 'float32'))
layers.retinanet_target_assign(V([-1, 10, 4], 'float32'), V([-1, 10, 5], 'float32'), V([10, 4], 'float32'), V([10, 4], 'float32'), V([-1, 4], 'float32', 1), V([-1, 1], 'int32', 1), V([-1, 1], 'int32', 1), V([-1, 3], 'float32'), 5)
fluid.contrib.layers.tdm_child(V([3, 1], 'int32'), 6, 2, param_attr=fluid.ParamAttr(name='t'))
fluid.contrib.layers.tdm_sampler(V([3, 1], 'int32'), [1, 1], [2, 4], 4, seed=0)
layers.unique(V([3], 'int64'))
layers.unique_with_counts(V([3], 'int64'))
fluid.contrib.layers.var_conv_2d(V([-1, 1], 'float32', 1), V([-1, 1], 'float32', 1), V([-1, 1], 'float32', 1), 1, 1, 2)
fluid.contrib.layers.sequence_topk_avg_pooling(V([-1, 1], 'float32', 1), V([-1, 1], 'float32', 1), V([-1, 1], 'float32', 1), [1, 2], 2)
fluid.contrib.layers.fused_elemwise_activation(V([2, 3], 'float32'), V([2, 3], 'float32'), ['elementwise_add', 'relu'])
layers.get_tensor_from_selected_rows(layers.merge_selected_rows(fluid.default_main_program().global_block().create_var(name='q', shape=[2, 3], dtype='float32', type=fluid.core.VarDesc.VarType.SELECTED_ROWS)))
layers.zeros([2], 'float32')
layers.ones([2], 'int64')
layers.create_tensor('float32')
layers.assign(np.ones([2], 'float32'))
layers.assign(V([2, 3], 'float32'))
layers.sums([V([2, 3], 'float32'), V([2, 3], 'float32')])
layers.array_length(layers.create_array('float32'))
layers.lod_append(V([4, 1], 'float32'), [0, 2, 4])
layers.less_than(V([2], 'float32'), V([2], 'float32'))
layers.cond(layers.less_than(V([1], 'float32'), V([1], 'float32')), lambda: layers.ones([1], 'float32'), lambda: layers.zeros([1], 'float32'))
V([2, 3], 'float32') > V([2, 3], 'float32')
V([2, 3], 'float32') + 1
V([2, 3], 'int32') // 2
V([2, 3], 'int32') % 2
V([2, 3], 'float32')[0]
-V([2, 3], 'float32')
V([2, 3], 'float32').astype('int64')
layers.auc(V([3, 2], 'float32'), V([3, 1], 'int64'))
layers.cross_entropy(V([3, 2], 'float32'), V([3, 1], 'int64'))
layers.softmax_with_cross_entropy(V([3, 2], 'float32'), V([3, 1], 'int64'), return_softmax=True)
layers.sampled_softmax_with_cross_entropy(V([3, 20], 'float32'), V([3, 1], 'int64'), 5)
layers.create_global_var([1], 1.0, 'float32')
layers.autoincreased_step_counter()
layers.noam_decay(4, 10)
layers.cosine_decay(0.1, 10, 10)
layers.piecewise_decay([1, 2], [.1, 0.2, 0.3])
layers.has_inf(V([3], 'float32'))
layers.isfinite(V([3], 'float32'))
layers.multiplex([V([3, 2], 'float32'), V([3, 2], 'float32')], V([3, 1], 'int32'))
layers.beam_search_decode(layers.create_array('int64'), layers.create_array('float32'), 4, 1)
layers.rank(V([3, 2], 'float32'))
layers.size(V([3, 2], 'float32'))
layers.eye(3)
layers.diag(V([3], 'float32'))
layers.linspace(0, 1, 3, 'float32')
layers.range(0, 3, 1, 'int64')
layers.triu(V([3, 3], 'float32'))
layers.gaussian_random([2])
layers.uniform_random([2])
layers.Normal(0.0, 1.0).sample([2])
layers.Uniform(0.0, 1.0).sample([2])
layers.Categorical(V([2, 3], 'float32')).entropy()
layers.roi_pool(V([1, 1, 4, 4], 'float32'), V([2, 4], 'float32', 1))
layers.dropout(V([3], 'float32'), 0.5)
layers.lrn(V([1, 2, 3, 4], 'float32'))
layers.shard_index(V([3, 1], 'int64'), 20, 2, 0)
layers.yolo_box(V([1, 255, 13, 13], 'float32'), V([1, 2], 'int32'), [10, 13, 16, 30, 33, 23], 80, 0.01, 32)
layers.generate_proposals(V([1, 3, 4, 4], 'float32'), V([1, 12, 4, 4], 'float32'), V([1, 3], 'float32'), V([4, 4, 3, 4], 'float32'), V([4, 4, 3, 4], 'float32'))
layers.matrix_nms(V([-1, 81, 4], 'float32'), V([-1, 5, 81], 'float32'), 0.1, 0.1, 10, 10, return_index=True)
layers.spectral_norm(V([3, 4], 'float32'))
layers.sequence_mask(V([3], 'int64'), 5)
layers.sequence_pad(V([-1, 4], 'float32', 1), V([1], 'float32'))
layers.hard_shrink(V([3], 'float32'))
layers.embedding(V([3, 1], 'int64'), [4, 5])
fluid.embedding(V([3], 'int64'), [4, 5])
layers.one_hot(V([3, 1], 'int64'), 5)
layers.isfinite(V([3], 'float32'))
layers.reduce_all(V([3], 'bool'))
layers.is_empty(V([3], 'float32'))
layers.topk(V([3, 4], 'float32'), 2)
layers.edit_distance(V([-1, 1], 'int64', 1), V([-1, 1], 'int64', 1))
layers.ctc_greedy_decoder(V([-1, 8], 'float32', 1), 0)
layers.filter_by_instag(V([3, 4], 'float32'), V([3, 1], 'int64'), V([1], 'int64'), True)
layers.tensor_array_to_tensor(layers.create_array('float32'))
layers.unfold(V([1, 2, 4, 4], 'float32'), 2)
layers.dynamic_lstmp(V([-1, 16], 'float32', 1), 16, 3)
layers.dynamic_lstm(V([-1, 16], 'float32', 1), 16)
layers.dynamic_gru(V([-1, 12], 'float32', 1), 4)
layers.gru_unit(V([-1, 12], 'float32'), V([-1, 4], 'float32'), 12)
layers.lstm_unit(V([-1, 4], 'float32'), V([-1, 4], 'float32'), V([-1, 4], 'float32'))
layers.lstm(V([5, 2, 4], 'float32'), V([1, 2, 4], 'float32'), V([1, 2, 4], 'float32'), 5, 4, 1)
"""

KINDS = """
layers.image_resize_short(V([2, 3, 6, 9], 'float32'), 4.0)
layers.image_resize_short(V([2, 3, 7, 9], 'float32'), 4.5)
layers.image_resize_short(V([2, 3, 7, 7], 'float32'), 4.5)
layers.image_resize_short(V([2, 3, 9, 7], 'float32'), 4.5)
layers.reduce_sum(V([2, 3], 'float32'), dim=np.array([1.0]))
layers.reduce_mean(V([2, 3], 'float32'), dim=np.array(1))
layers.fc(V([2, 3], 'float32'), size=np.float32(10))
layers.fc(V([2, 3], 'float32'), size=np.array([10]))
layers.fc(V([2, 3], 'float32'), size=True)
layers.fc(V([2, 3, 4], 'float32'), 5, num_flatten_dims=np.array(2))
layers.scale(V([2, 3], 'float32'), '2', bias='1.5')
layers.matmul(V([2, 4], 'float32'), V([2, 4], 'float32'), 0, 1, '2')
layers.increment(layers.fill_constant([1], 'float32', 1), '2')
layers.create_global_var([1], '1.5', 'float32')
layers.embedding(V([2, 1], 'int64'), (np.float32(10), 4))
layers.embedding(V([2, 1], 'int64'), np.array([10, 4], 'float32'))
layers.cumsum(V([2, 4], 'float32'), axis=np.float32(1))
layers.maxout(V([2, 4, 3, 3], 'float32'), 2, axis=np.array([1]))
layers.tril(V([3, 3], 'float32'), diagonal=True)
layers.bilinear_tensor_product(V([2, 3], 'float32'), V([2, 4], 'float32'), size=np.float32(5))
layers.randint(np.float32(1), np.array(5), [2])
layers.pad(V([2, 3], 'float32'), range(4))
layers.pad(V([2, 3], 'float32'), np.array([0, 1, 2, 3], 'float32'))
layers.slice(V([2, 3], 'float32'), range(2), [0, 0], [1, 2])
layers.fill_constant_batch_size_like(V([2, 3], 'float32'), np.array([-1, 4], 'float32'), 'float32', 1)
layers.lod_append(V([4, 1], 'float32'), np.array([0, 2, 4]))
layers.multi_box_head([V([2, 8, 3, 3], 'float32')] * 3, V([2, 3, 30, 30], 'float32'), 30, 4, [[2.0]] * 3, np.int64(20), np.int64(90))
fluid.contrib.layers.BasicLSTMUnit('unit', 4, forget_bias='1.0')(V([2, 3], 'float32'), V([2, 4], 'float32'), V([2, 4], 'float32'))
fluid.data('x', [None, 3], 'float32', np.float32(1))
fluid.data('x', [None, 3], 'float32', None)
layers.data('x', [3], lod_level=True)
"""
"""Calls with numbers of other kinds than the documented ones, which 1.8.5 takes."""


def calls():
    """Return the calls, as text."""
    return CALLS.strip().split("\n")


def kinds():
    """Return the calls with numbers of other kinds, as text."""
    return KINDS.strip().split("\n")


def built(fluid, call):
    """Return [shape, lod_level] of each Variable that a call in a new Program returns, and the numbers that its operators have."""
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
        found = flat(run(fluid, call))
        program = fluid.default_main_program()
        numbers = {}
        for op in program.global_block().ops:
            for name in ATTRIBUTES:
                if op.has_attr(name):
                    numbers[op.type + "." + name] = op.attr(name)
        rows = [[[n if n > 0 else -1 for n in v.shape][1:], v.lod_level] for v in found]
        return [rows, {key: numbers[key] for key in sorted(numbers)}]


ATTRIBUTES = (
    "alpha",
    "axis",
    "axes",
    "beta",
    "bias",
    "diagonal",
    "dim",
    "dropout_prob",
    "high",
    "low",
    "scale",
    "step",
    "x_num_col_dims",
)


def described(fluid, call):
    """Return [dtype, stop_gradient, persistable] of each Variable that a call in a new Program returns."""
    with fluid.unique_name.guard(), fluid.program_guard(fluid.Program(), fluid.Program()):
        found = flat(run(fluid, call))
        return [
            [int(v.dtype), bool(v.stop_gradient), bool(v.persistable)] for v in found if hasattr(v, "stop_gradient")
        ]


def run(fluid, call):
    """Return what a call returns; V in it makes a new data Variable."""
    count = []

    def V(shape, dtype, lod_level=0):
        count.append(shape)
        return fluid.data("v" + str(len(count)), shape, dtype, lod_level)

    return eval(call, {"fluid": fluid, "layers": fluid.layers, "np": np, "V": V})


def flat(value):
    """Return the elements of lists and tuples in each other."""
    if isinstance(value, (list, tuple)):
        return [v for each in value for v in flat(each)]
    return [value]
