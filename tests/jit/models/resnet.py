"""A residual network: convolutions with batch_norm, and shortcuts past two or three of them."""

from __future__ import annotations

import math

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import BatchNorm, Conv2D, Layer, Linear, Pool2D, declarative, to_variable

from .base import Model

L = fluid.layers


class ConvBNLayer(Layer):
    def __init__(self, num_channels, num_filters, filter_size, stride=1, groups=1, act=None):
        super().__init__()
        self._conv = Conv2D(
            num_channels=num_channels,
            num_filters=num_filters,
            filter_size=filter_size,
            stride=stride,
            padding=(filter_size - 1) // 2,
            groups=groups,
            act=None,
            bias_attr=False,
        )
        self._batch_norm = BatchNorm(num_filters, act=act)

    def forward(self, inputs):
        y = self._conv(inputs)
        y = self._batch_norm(y)
        return y


class BottleneckBlock(Layer):
    """1x1, 3x3 and 1x1, of which the last has twice the channels."""

    def __init__(self, num_channels, num_filters, stride, shortcut=True):
        super().__init__()
        self.conv0 = ConvBNLayer(num_channels=num_channels, num_filters=num_filters, filter_size=1, act="relu")
        self.conv1 = ConvBNLayer(
            num_channels=num_filters, num_filters=num_filters, filter_size=3, stride=stride, act="relu"
        )
        self.conv2 = ConvBNLayer(num_channels=num_filters, num_filters=num_filters * 2, filter_size=1, act=None)
        if not shortcut:
            self.short = ConvBNLayer(
                num_channels=num_channels, num_filters=num_filters * 2, filter_size=1, stride=stride
            )
        self.shortcut = shortcut
        self._num_channels_out = num_filters * 2

    def forward(self, inputs):
        y = self.conv0(inputs)
        conv1 = self.conv1(y)
        conv2 = self.conv2(conv1)
        if self.shortcut:
            short = inputs
        else:
            short = self.short(inputs)
        y = L.elementwise_add(x=short, y=conv2, act="relu")
        return y


class BasicBlock(Layer):
    """3x3 twice."""

    def __init__(self, num_channels, num_filters, stride, shortcut=True):
        super().__init__()
        self.stride = stride
        self.conv0 = ConvBNLayer(num_channels, num_filters, 3, stride=stride, act="relu")
        self.conv1 = ConvBNLayer(num_filters, num_filters, 3)
        if not shortcut:
            self.short = ConvBNLayer(num_channels, num_filters, 1, stride=stride)
        self.shortcut = shortcut
        self._num_channels_out = num_filters

    def forward(self, inputs):
        y = self.conv0(inputs)
        y = self.conv1(y)
        short = inputs if self.shortcut else self.short(inputs)
        return L.relu(L.elementwise_add(x=short, y=y))


class ResNet(Layer):
    def __init__(self, block, depth, num_filters, class_dim=4):
        super().__init__()
        num_channels = num_filters[0]
        self.conv = ConvBNLayer(num_channels=3, num_filters=num_channels, filter_size=3, stride=1, act="relu")
        self.pool2d_max = Pool2D(pool_size=3, pool_stride=2, pool_padding=1, pool_type="max")

        self.block_list = []
        for stage in range(len(depth)):
            shortcut = False
            for i in range(depth[stage]):
                made = self.add_sublayer(
                    f"bb_{stage}_{i}",
                    block(
                        num_channels=num_channels,
                        num_filters=num_filters[stage],
                        stride=2 if i == 0 and stage != 0 else 1,
                        shortcut=shortcut,
                    ),
                )
                num_channels = made._num_channels_out
                self.block_list.append(made)
                shortcut = True

        self.pool2d_avg = Pool2D(pool_size=4, pool_type="avg", global_pooling=True)
        self.pool2d_avg_output = num_channels
        stdv = 1.0 / math.sqrt(num_channels * 1.0)
        self.out = Linear(
            num_channels,
            class_dim,
            act="softmax",
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.Uniform(-stdv, stdv)),
        )

    @declarative
    def forward(self, inputs, label=None):
        y = self.conv(inputs)
        y = self.pool2d_max(y)
        for bottleneck_block in self.block_list:
            y = bottleneck_block(y)
        y = self.pool2d_avg(y)
        y = L.reshape(y, shape=[-1, self.pool2d_avg_output])
        pred = self.out(y)
        if label is None:
            return pred
        loss = L.cross_entropy(input=pred, label=label)
        avg_loss = L.mean(x=loss)
        acc_top1 = L.accuracy(input=pred, label=label, k=1)
        acc_top2 = L.accuracy(input=pred, label=label, k=2)
        return avg_loss, pred, acc_top1, acc_top2


class Bottlenecks(Model):
    """The learning rate falls with the steps, and the weights decay, as such networks are trained."""

    falls, rate = 0.3, 0.1

    def build(self):
        return ResNet(BottleneckBlock, depth=[2, 1], num_filters=[4, 6])

    def batch(self, numbers):
        label = numbers.randint(0, 4, [6, 1]).astype("int64")
        return [*map(to_variable, self.inputs(numbers, 6)), to_variable(label)]

    def optimizer(self, parameters):
        return fluid.optimizer.MomentumOptimizer(
            learning_rate=L.piecewise_decay(boundaries=[1, 40], values=[self.rate, self.rate * 0.5, self.rate * 0.1]),
            momentum=0.9,
            regularization=fluid.regularizer.L2Decay(1e-4),
            parameter_list=parameters,
        )

    def inputs(self, numbers, size, side=12):
        return [(numbers.rand(size, 3, side, side) * 2 - 1).astype("float32")]

    def examples(self, numbers):
        return [self.inputs(numbers, size, side) for size, side in ((2, 12), (1, 12), (3, 15))]


class BasicBlocks(Bottlenecks):
    def build(self):
        return ResNet(BasicBlock, depth=[1, 2], num_filters=[4, 6])
