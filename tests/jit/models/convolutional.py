"""Digits, with convolutions and pooling."""

from __future__ import annotations

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import BatchNorm, Conv2D, Layer, Linear, Pool2D, declarative, to_variable

from .base import Model

L = fluid.layers


class SimpleImgConvPool(Layer):
    def __init__(self, channels, filters, filter_size, pool_size, pool_stride, act=None, norm=False):
        super().__init__()
        scale = (2.0 / (filter_size**2 * channels)) ** 0.5
        self._conv2d = Conv2D(
            num_channels=channels,
            num_filters=filters,
            filter_size=filter_size,
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.NormalInitializer(0.0, scale)),
            act=act,
        )
        self._norm = BatchNorm(filters) if norm else None
        self._pool2d = Pool2D(pool_size=pool_size, pool_type="max", pool_stride=pool_stride)

    def forward(self, inputs):
        x = self._conv2d(inputs)
        if self._norm:
            x = self._norm(x)
        return self._pool2d(x)


class MNIST(Layer):
    def __init__(self):
        super().__init__()
        self._simple_img_conv_pool_1 = SimpleImgConvPool(1, 4, 5, 2, 2, act="relu", norm=True)
        self._simple_img_conv_pool_2 = SimpleImgConvPool(4, 6, 3, 2, 2, act="relu")
        self.pool_2_shape = 6 * 5 * 5
        scale = (2.0 / (self.pool_2_shape**2 * 10)) ** 0.5
        self._fc = Linear(
            self.pool_2_shape,
            10,
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.NormalInitializer(loc=0.0, scale=scale)),
            act="softmax",
        )

    @declarative
    def forward(self, inputs, label=None):
        x = self._simple_img_conv_pool_1(inputs)
        x = self._simple_img_conv_pool_2(x)
        x = L.reshape(x, shape=[-1, self.pool_2_shape])
        x = self._fc(x)
        if label is not None:
            acc = L.accuracy(input=x, label=label)
            avg_loss = L.mean(L.cross_entropy(x, label))
            return avg_loss, x, acc
        return x


class Digits(Model):
    def build(self):
        return MNIST()

    def batch(self, numbers):
        [images] = self.inputs(numbers, 6)
        return [to_variable(images), to_variable(numbers.randint(0, 10, [6, 1]).astype("int64"))]

    def inputs(self, numbers, size):
        return [(numbers.rand(size, 1, 28, 28) * 2 - 1).astype("float32")]
