"""A small transformer as a module of PaddleHub 1.x."""

import os
import zlib

import numpy as np
import paddle.fluid as fluid
from paddlehub import TransformerModule
from paddlehub.module.module import moduleinfo

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH = 16


def attention(x, bias, name):
    """Attend with two heads."""
    layers = fluid.layers
    parts = []
    for part in ("query", "key", "value"):
        made = layers.fc(x, WIDTH, num_flatten_dims=2, name=f"{name}_{part}")
        parts.append(layers.transpose(layers.reshape(made, [0, 0, 2, WIDTH // 2]), [0, 2, 1, 3]))
    query, key, value = parts
    scores = layers.matmul(query, key, transpose_y=True, alpha=0.35)
    mixed = layers.matmul(layers.softmax(scores + bias), value)
    mixed = layers.reshape(layers.transpose(mixed, [0, 2, 1, 3]), [0, 0, WIDTH])
    return layers.fc(mixed, WIDTH, num_flatten_dims=2, name=name + "_out")


@moduleinfo(
    name="hub_tiny",
    version="1.0.0",
    author="",
    author_email="",
    summary="a small transformer",
    type="nlp/semantic_model",
)
class Tiny(TransformerModule):
    """Two layers over the sum of the embeddings of words, positions and segments."""

    def _initialize(self):
        self.MAX_SEQ_LEN = 64
        self.params_path = HERE
        self.vocab_path = os.path.join(HERE, "vocab.txt")

    def net(self, input_ids, position_ids, segment_ids, input_mask):
        """Return what stands for the sentence, and for each word."""
        layers = fluid.layers
        tables = (("word", input_ids, 400), ("position", position_ids, 64), ("segment", segment_ids, 2))
        x = layers.sums(
            [
                layers.embedding(ids, [size, WIDTH], param_attr=fluid.ParamAttr(name + "_embedding"))
                for name, ids, size in tables
            ]
        )
        bias = layers.scale(layers.matmul(input_mask, input_mask, transpose_y=True), 1000.0, bias=-1000.0)
        bias = layers.stack([bias] * 2, axis=1)
        bias.stop_gradient = True
        for i in range(2):
            name = f"layer_{i}"
            x = layers.layer_norm(x + attention(x, bias, name), begin_norm_axis=2, name=name + "_norm")
            inner = layers.fc(x, 32, num_flatten_dims=2, act="gelu", name=name + "_inner")
            x = layers.layer_norm(
                x + layers.fc(inner, WIDTH, 2, name=name + "_outer"), begin_norm_axis=2, name=name + "_norm2"
            )
        first = layers.slice(x, [1], [0], [1])
        return layers.fc(first, WIDTH, act="tanh", name="pooled"), x

    def init_pretraining_params(self, exe, path, main_program):
        """Draw the parameters that would be read from files."""
        for parameter in main_program.global_block().all_parameters():
            drawn = np.random.RandomState(zlib.crc32(parameter.name.encode()))
            value = drawn.normal(0, 0.2, parameter.shape).astype("float32")
            if "norm" in parameter.name and ".w" in parameter.name:
                value += 1
            fluid.global_scope().var(parameter.name).get_tensor().set(value, fluid.CPUPlace())
