"""A transformer encoder that classifies: two layers of width 128, four heads, dropout; batch 16, 32 words, Adam."""

import numpy as np
import paddle.fluid as fluid
from steps import train

BATCH, LENGTH, WORDS, CLASSES = 16, 32, 5000, 2
WIDTH, HEADS, INNER, LAYERS, DROPOUT = 128, 4, 512, 2, 0.1
layers = fluid.layers


def linear(x, size, act=None):
    return layers.fc(x, size, num_flatten_dims=2, act=act)


def heads(x):
    return layers.transpose(layers.reshape(x, [0, 0, HEADS, WIDTH // HEADS]), [0, 2, 1, 3])


def dropout(x):
    return layers.dropout(x, DROPOUT, dropout_implementation="upscale_in_train")


def attention(x, mask):
    query, key, value = (heads(linear(x, WIDTH)) for _ in range(3))
    weights = layers.matmul(query, key, transpose_y=True, alpha=(WIDTH // HEADS) ** -0.5)
    weights = dropout(layers.softmax(layers.elementwise_add(weights, mask)))
    y = layers.transpose(layers.matmul(weights, value), [0, 2, 1, 3])
    return linear(layers.reshape(y, [0, 0, WIDTH]), WIDTH)


def encoder(x, mask):
    for _ in range(LAYERS):
        x = layers.layer_norm(layers.elementwise_add(x, dropout(attention(x, mask))), begin_norm_axis=2)
        y = linear(dropout(linear(x, INNER, act="relu")), WIDTH)
        x = layers.layer_norm(layers.elementwise_add(x, dropout(y)), begin_norm_axis=2)
    return x


words = fluid.data(name="words", shape=[None, LENGTH], dtype="int64")
mask = fluid.data(name="mask", shape=[None, 1, 1, LENGTH], dtype="float32")
label = fluid.data(name="label", shape=[None, 1], dtype="int64")
position = layers.create_parameter([1, LENGTH, WIDTH], "float32")
embedded = layers.elementwise_add(fluid.embedding(words, size=[WORDS, WIDTH]), layers.expand(position, [BATCH, 1, 1]))
found = layers.reduce_mean(encoder(dropout(embedded), mask), dim=1)
loss = layers.mean(layers.softmax_with_cross_entropy(layers.fc(found, CLASSES), label))
fluid.optimizer.Adam(learning_rate=0.0005).minimize(loss)

exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
lengths = rng.randint(LENGTH // 2, LENGTH + 1, BATCH)
feed = {
    "words": rng.randint(0, WORDS, (BATCH, LENGTH)).astype("int64"),
    "mask": np.where(np.arange(LENGTH) < lengths[:, None], 0, -1e9).astype("float32")[:, None, None],
    "label": rng.randint(0, CLASSES, (BATCH, 1)).astype("int64"),
}


def step(k):
    return exe.run(fluid.default_main_program(), feed=feed, fetch_list=[loss])[0]


train(step)
