"""Layer classes in static mode, as Programs; see program_cases.py, which Python 3.7 reads too."""

from .program_cases import image


def linear(fluid):
    return fluid.dygraph.Linear(4, 3, act="relu")(fluid.data("x", [None, 4]))


def conv2d(fluid):
    return fluid.dygraph.Conv2D(3, 6, 3, act="relu")(image(fluid))


def conv2d_plain(fluid):
    return fluid.dygraph.Conv2D(3, 6, 3, groups=3, bias_attr=False)(image(fluid))


def conv3d(fluid):
    return fluid.dygraph.Conv3D(2, 4, 3)(image(fluid, (None, 2, 5, 6, 7)))


def conv2d_transpose(fluid):
    return fluid.dygraph.Conv2DTranspose(3, 6, 3, act="relu")(image(fluid))


def conv3d_transpose(fluid):
    return fluid.dygraph.Conv3DTranspose(2, 4, 3)(image(fluid, (None, 2, 5, 6, 7)))


def pool2d(fluid):
    return fluid.dygraph.Pool2D(2, "max", 2)(image(fluid))


def batch_norm(fluid):
    return fluid.dygraph.BatchNorm(3, act="relu")(image(fluid))


def batch_norm_twice(fluid):
    layer = fluid.dygraph.BatchNorm(3, is_test=True)
    return layer(layer(image(fluid)))


def layer_norm(fluid):
    return fluid.dygraph.LayerNorm([3, 8, 8], act="relu")(image(fluid))


def instance_norm(fluid):
    return fluid.dygraph.InstanceNorm(3)(image(fluid))


def group_norm(fluid):
    return fluid.dygraph.GroupNorm(8, 2, act="relu")(image(fluid, (None, 8, 4, 4)))


def spectral_norm(fluid):
    weight = fluid.layers.create_parameter([4, 3], "float32", name="weight")
    return fluid.dygraph.SpectralNorm([4, 3])(weight)


def embedding(fluid):
    return fluid.dygraph.Embedding([10, 4], padding_idx=1)(fluid.data("ids", [None, 3], "int64"))


def dropout(fluid):
    return fluid.dygraph.Dropout(0.3)(fluid.data("x", [None, 4]))


def prelu(fluid):
    return fluid.dygraph.PRelu("channel", channel=3)(image(fluid))


def bilinear(fluid):
    x, y = fluid.data("x", [None, 3]), fluid.data("y", [None, 4])
    return fluid.dygraph.BilinearTensorProduct(3, 4, 5, act="tanh")(x, y)


def gru_unit(fluid):
    return fluid.dygraph.GRUUnit(12)(fluid.data("x", [None, 12]), fluid.data("h", [None, 4]))


def nce(fluid):
    x, label = fluid.data("x", [None, 4]), fluid.data("label", [None, 1], "int64")
    return fluid.dygraph.NCE(20, 4, num_neg_samples=5, seed=3)(x, label)


def weight_norm(fluid):
    return fluid.dygraph.Linear(4, 3, param_attr=fluid.WeightNormParamAttr(dim=1))(fluid.data("x", [None, 4]))


def network(fluid):
    """A Layer of a user's own: with layers in it, a parameter of its own and functions."""

    class Net(fluid.dygraph.Layer):
        def __init__(self):
            super().__init__()
            self.conv = fluid.dygraph.Conv2D(3, 4, 3, act="relu")
            self.norm = fluid.dygraph.BatchNorm(4)
            self.pool = fluid.dygraph.Pool2D(2, "max", 2)
            self.weight = self.create_parameter([36, 5])

        def forward(self, x):
            x = self.pool(self.norm(self.conv(x)))
            x = fluid.layers.reshape(x, [-1, 36])
            return fluid.layers.softmax(fluid.layers.matmul(x, self.weight))

    net = Net()
    return [net(image(fluid)), net(image(fluid, name="other"))]


CASES = {
    "layer_" + name: value
    for name, value in list(globals().items())
    if callable(value) and name != "image" and not name.startswith("_")
}
