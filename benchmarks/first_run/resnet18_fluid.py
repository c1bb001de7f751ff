"""ResNet-18 on images of 32 x 32: the network for ImageNet, ten classes; batch 16, Momentum with weight decay."""

import numpy as np
import paddle.fluid as fluid
from steps import train

BATCH, CLASSES = 16, 10


def conv_bn(x, filters, size, stride=1, act=None):
    y = fluid.layers.conv2d(x, filters, size, stride=stride, padding=(size - 1) // 2, bias_attr=False)
    return fluid.layers.batch_norm(y, act=act)


def block(x, filters, stride):
    y = conv_bn(x, filters, 3, stride, act="relu")
    y = conv_bn(y, filters, 3)
    if stride != 1 or x.shape[1] != filters:
        x = conv_bn(x, filters, 1, stride)
    return fluid.layers.elementwise_add(x, y, act="relu")


def resnet18(image):
    y = conv_bn(image, 64, 7, 2, act="relu")
    y = fluid.layers.pool2d(y, pool_size=3, pool_stride=2, pool_padding=1, pool_type="max")
    for stage, filters in enumerate((64, 128, 256, 512)):
        for k in range(2):
            y = block(y, filters, 2 if stage and k == 0 else 1)
    y = fluid.layers.pool2d(y, pool_type="avg", global_pooling=True)
    return fluid.layers.fc(y, CLASSES)


image = fluid.data(name="image", shape=[None, 3, 32, 32], dtype="float32")
label = fluid.data(name="label", shape=[None, 1], dtype="int64")
scores = resnet18(image)
loss = fluid.layers.mean(fluid.layers.softmax_with_cross_entropy(scores, label))
accuracy = fluid.layers.accuracy(fluid.layers.softmax(scores), label)
decay = fluid.regularizer.L2Decay(1e-4)
fluid.optimizer.Momentum(learning_rate=0.01, momentum=0.9, regularization=decay).minimize(loss)

exe = fluid.Executor(fluid.CPUPlace())
exe.run(fluid.default_startup_program())
rng = np.random.RandomState(0)
images = rng.rand(BATCH, 3, 32, 32).astype("float32")
labels = rng.randint(0, CLASSES, (BATCH, 1)).astype("int64")


def step(k):
    feed = {"image": images, "label": labels}
    return exe.run(fluid.default_main_program(), feed=feed, fetch_list=[loss, accuracy])[0]


train(step)
