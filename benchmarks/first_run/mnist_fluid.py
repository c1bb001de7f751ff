"""The tutorials' network for MNIST: two convolutions with pooling, batch normalisation, a product; batch 64, Adam."""

import numpy as np
import paddle.fluid as fluid
from steps import train

BATCH = 64


def network(image):
    y = fluid.nets.simple_img_conv_pool(
        input=image, filter_size=5, num_filters=20, pool_size=2, pool_stride=2, act="relu"
    )
    y = fluid.layers.batch_norm(y)
    y = fluid.nets.simple_img_conv_pool(input=y, filter_size=5, num_filters=50, pool_size=2, pool_stride=2, act="relu")
    return fluid.layers.fc(input=y, size=10, act="softmax")


image = fluid.data(name="image", shape=[None, 1, 28, 28], dtype="float32")
label = fluid.data(name="label", shape=[None, 1], dtype="int64")
prediction = network(image)
loss = fluid.layers.mean(fluid.layers.cross_entropy(input=prediction, label=label))
accuracy = fluid.layers.accuracy(input=prediction, label=label)
fluid.optimizer.Adam(learning_rate=0.001).minimize(loss)

exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
images = rng.rand(BATCH, 1, 28, 28).astype("float32")
labels = rng.randint(0, 10, (BATCH, 1)).astype("int64")


def step(k):
    feed = {"image": images, "label": labels}
    return exe.run(fluid.default_main_program(), feed=feed, fetch_list=[loss, accuracy])[0]


train(step)
