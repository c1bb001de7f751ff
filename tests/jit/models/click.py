"""Whether someone clicks: a factorization machine and a deep network over the same embeddings, whose gradients are rows."""

from __future__ import annotations

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import Embedding, Layer, Linear, declarative, to_variable

from .base import Model

L = fluid.layers


class DeepFM(Layer):
    def __init__(self, feature_size=20, factor_size=4, fields=3, dense=2):
        super().__init__()
        self.width = (fields + dense) * factor_size
        init = fluid.initializer.TruncatedNormalInitializer(loc=0.0, scale=0.3)
        attr = fluid.ParamAttr(initializer=init)
        self.embedding_w = Embedding(size=[feature_size, 1], is_sparse=True, padding_idx=0, param_attr=attr)
        self.embedding = Embedding(size=[feature_size, factor_size], is_sparse=True, padding_idx=0, param_attr=attr)
        self.dense_w = self.create_parameter(shape=[1, dense, factor_size], dtype="float32", attr=attr)
        self.layer_list = []
        for i, (size, act) in enumerate(((8, "relu"), (1, None))):
            linear = Linear(self.width if i == 0 else 8, size, act=act, param_attr=attr)
            self.add_sublayer(f"linear_{i}", linear)
            self.layer_list.append(linear)

    @declarative
    def forward(self, ids, dense, label=None):
        first_order = L.reduce_sum(L.squeeze(self.embedding_w(ids), [2]), dim=1, keep_dim=True)
        feat_embeddings = L.concat([self.embedding(ids), L.unsqueeze(dense, [2]) * self.dense_w], axis=1)
        summed_square = L.square(L.reduce_sum(feat_embeddings, 1))
        square_summed = L.reduce_sum(L.square(feat_embeddings), 1)
        second_order = 0.5 * L.reduce_sum(summed_square - square_summed, 1, keep_dim=True)
        y_dnn = L.reshape(feat_embeddings, [-1, self.width])
        for layer in self.layer_list:
            y_dnn = layer(y_dnn)
        predict = L.sigmoid(first_order + second_order + y_dnn)
        if label is None:
            return predict
        return L.mean(L.log_loss(input=predict, label=label)), predict


class Click(Model):
    rate, falls = 0.05, 0.5

    def build(self):
        return DeepFM()

    def batch(self, numbers):
        label = numbers.randint(0, 2, [6, 1]).astype("float32")
        return [*map(to_variable, self.inputs(numbers, 6)), to_variable(label)]

    def optimizer(self, parameters):
        return fluid.optimizer.AdamOptimizer(self.rate, parameter_list=parameters, lazy_mode=True)

    def inputs(self, numbers, size):
        return [numbers.randint(0, 20, [size, 3]).astype("int64"), numbers.rand(size, 2).astype("float32")]
