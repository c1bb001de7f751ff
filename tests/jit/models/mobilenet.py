"""Convolutions of each channel by itself, and others of one pixel that mix the channels."""

from __future__ import annotations

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import BatchNorm, Conv2D, Layer, Linear, Pool2D, declarative, to_variable

from .base import Model

L = fluid.layers


class ConvBNLayer(Layer):
    def __init__(self, num_channels, filter_size, num_filters, stride, padding, num_groups=1, act="relu", name=None):
        super().__init__()
        self._conv = Conv2D(
            num_channels=num_channels,
            num_filters=num_filters,
            filter_size=filter_size,
            stride=stride,
            padding=padding,
            groups=num_groups,
            act=None,
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.MSRA(), name=name + "_weights"),
            bias_attr=False,
        )
        self._batch_norm = BatchNorm(
            num_filters,
            act=act,
            param_attr=fluid.ParamAttr(name=name + "_bn_scale"),
            bias_attr=fluid.ParamAttr(name=name + "_bn_offset"),
            moving_mean_name=name + "_bn_mean",
            moving_variance_name=name + "_bn_variance",
        )

    def forward(self, inputs, if_act=True):
        y = self._conv(inputs)
        y = self._batch_norm(y)
        if if_act:
            y = L.relu6(y)
        return y


class DepthwiseSeparable(Layer):
    def __init__(self, num_channels, num_filters1, num_filters2, num_groups, stride, scale, name=None):
        super().__init__()
        self._depthwise_conv = ConvBNLayer(
            num_channels=num_channels,
            num_filters=int(num_filters1 * scale),
            filter_size=3,
            stride=stride,
            padding=1,
            num_groups=int(num_groups * scale),
            name=name + "_dw",
        )
        self._pointwise_conv = ConvBNLayer(
            num_channels=int(num_filters1 * scale),
            filter_size=1,
            num_filters=int(num_filters2 * scale),
            stride=1,
            padding=0,
            name=name + "_sep",
        )

    def forward(self, inputs):
        y = self._depthwise_conv(inputs)
        y = self._pointwise_conv(y)
        return y


class MobileNetV1(Layer):
    def __init__(self, scale=1.0, class_dim=5):
        super().__init__()
        self.scale = scale
        self.dwsl = []
        self.conv1 = ConvBNLayer(
            num_channels=3, filter_size=3, num_filters=int(8 * scale), stride=2, padding=1, name="conv1"
        )
        for name, sizes in (
            ("conv2_1", (int(8 * scale), 8, 16, 8, 1)),
            ("conv2_2", (int(16 * scale), 16, 16, 16, 2)),
            ("conv3_1", (int(16 * scale), 16, 24, 16, 1)),
        ):
            channels, first, second, groups, stride = sizes
            made = self.add_sublayer(
                sublayer=DepthwiseSeparable(
                    num_channels=channels,
                    num_filters1=first,
                    num_filters2=second,
                    num_groups=groups,
                    stride=stride,
                    scale=scale,
                    name=name,
                ),
                name=name,
            )
            self.dwsl.append(made)
        self.pool2d_avg = Pool2D(pool_type="avg", global_pooling=True)
        self.out = Linear(
            int(24 * scale),
            class_dim,
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.MSRA(), name="fc7_weights"),
            bias_attr=fluid.ParamAttr(name="fc7_offset"),
        )

    @declarative
    def forward(self, inputs):
        y = self.conv1(inputs)
        for dws in self.dwsl:
            y = dws(y)
        y = self.pool2d_avg(y)
        y = L.reshape(y, shape=[-1, y.shape[1]])
        return self.out(y)


class InvertedResidualUnit(Layer):
    """Wide inside, narrow outside."""

    def __init__(self, num_channels, num_in_filter, num_filters, stride, filter_size, padding, expansion_factor, name):
        super().__init__()
        num_expfilter = num_in_filter * expansion_factor
        self._expand_conv = ConvBNLayer(num_channels, 1, num_expfilter, 1, 0, act=None, name=name + "_expand")
        self._bottleneck_conv = ConvBNLayer(
            num_expfilter, filter_size, num_expfilter, stride, padding, num_expfilter, act=None, name=name + "_dwise"
        )
        self._linear_conv = ConvBNLayer(num_expfilter, 1, num_filters, 1, 0, act=None, name=name + "_linear")

    def forward(self, inputs, ifshortcut):
        y = self._expand_conv(inputs, if_act=True)
        y = self._bottleneck_conv(y, if_act=True)
        y = self._linear_conv(y, if_act=False)
        if ifshortcut:
            y = L.elementwise_add(inputs, y)
        return y


class MobileNetV2(Layer):
    def __init__(self, class_dim=5):
        super().__init__()
        self._conv1 = ConvBNLayer(3, 3, 8, 2, 1, act=None, name="conv1_1")
        self._units = fluid.dygraph.LayerList(
            [
                InvertedResidualUnit(8, 8, 12, 2, 3, 1, 2, "conv2_1"),
                InvertedResidualUnit(12, 12, 12, 1, 3, 1, 2, "conv2_2"),
            ]
        )
        self._pool2d_avg = Pool2D(pool_type="avg", global_pooling=True)
        self._fc = Linear(12, class_dim, act="softmax")

    @declarative
    def forward(self, inputs, label=None):
        y = self._conv1(inputs, if_act=True)
        for i, unit in enumerate(self._units):
            y = unit(y, ifshortcut=i > 0)
        y = self._pool2d_avg(y)
        y = self._fc(L.flatten(y, axis=1))
        if label is not None:
            one_hot = L.label_smooth(L.one_hot(label, depth=5), epsilon=0.1)
            loss = L.cross_entropy(y, one_hot, soft_label=True)
            return L.mean(loss), L.accuracy(y, label)
        return y


class Separable(Model):
    """The loss is outside of what is declared."""

    falls = 0.4

    def build(self):
        return MobileNetV1()

    def batch(self, numbers):
        label = numbers.randint(0, 5, [6, 1]).astype("int64")
        return [*map(to_variable, self.inputs(numbers, 6)), to_variable(label)]

    def loss(self, image, label):
        scores = self.net(image)
        loss, softmax = L.softmax_with_cross_entropy(scores, label, return_softmax=True)
        return L.mean(loss), softmax, L.accuracy(softmax, label)

    def optimizer(self, parameters):
        return fluid.optimizer.RMSPropOptimizer(
            learning_rate=L.cosine_decay(0.01, 10, 10), momentum=0.5, parameter_list=parameters
        )

    def inputs(self, numbers, size):
        return [(numbers.rand(size, 3, 16, 16) * 2 - 1).astype("float32")]


class Inverted(Model):
    falls = 0.6

    def build(self):
        return MobileNetV2()

    def batch(self, numbers):
        label = numbers.randint(0, 5, [6, 1]).astype("int64")
        return [*map(to_variable, self.inputs(numbers, 6)), to_variable(label)]

    def optimizer(self, parameters):
        clip = fluid.clip.GradientClipByGlobalNorm(5.0)
        return fluid.optimizer.MomentumOptimizer(0.1, 0.9, parameter_list=parameters, grad_clip=clip)

    def inputs(self, numbers, size):
        return [(numbers.rand(size, 3, 16, 16) * 2 - 1).astype("float32")]
