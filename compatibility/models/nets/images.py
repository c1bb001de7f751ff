"""Networks for images: classification, segmentation, generation, video."""

import numpy as np

from . import Net, classes, cross_entropy, net, pictures, rng


@net("momentum")
def convolutions(fluid):
    """Convolutions, batch normalization, dropout and pooling."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 16, 16])
    y = fluid.data("y", [None, 1], "int64")
    h = layers.conv2d(x, 8, 3, padding=1, bias_attr=False)
    h = layers.batch_norm(h, act="relu", momentum=0.8)
    h = layers.pool2d(h, 2, "max", 2)
    h = layers.conv2d(h, 8, 3, stride=2, padding="SAME", act="leaky_relu")
    h = layers.batch_norm(h)
    h = layers.dropout(h, 0.3)
    h = layers.pool2d(h, pool_type="avg", global_pooling=True)
    p = layers.fc(h, 4, act="softmax")
    return Net(feeds={"x": pictures()}, labels={"y": classes()}, results=[p], loss=cross_entropy(fluid, p, y))


@net("adam")
def mobilenet(fluid):
    """MobileNet 2: depthwise convolutions, named parameters, one of them with a regularizer of its own."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 16, 16])
    y = fluid.data("y", [None, 1], "int64")

    def conv_norm(h, n, k, s=1, g=1, act="relu6", name=None):
        h = layers.conv2d(
            h,
            n,
            k,
            stride=s,
            padding=(k - 1) // 2,
            groups=g,
            bias_attr=False,
            param_attr=fluid.ParamAttr(name=name + "_w", initializer=fluid.initializer.MSRA()),
            use_cudnn=g == 1,
        )
        return layers.batch_norm(
            h,
            act=act,
            param_attr=fluid.ParamAttr(name + "_bn_s", regularizer=fluid.regularizer.L2Decay(0.0)),
            bias_attr=fluid.ParamAttr(name + "_bn_o"),
            moving_mean_name=name + "_m",
            moving_variance_name=name + "_v",
        )

    h = conv_norm(x, 8, 3, 2, name="stem")
    for i in range(2):
        e = conv_norm(h, 24, 1, name="e" + str(i))
        d = conv_norm(e, 24, 3, g=24, name="d" + str(i))
        linear = conv_norm(d, 8, 1, act=None, name="l" + str(i))
        h = layers.elementwise_add(h, linear)
    h = layers.hard_swish(h)
    h = layers.pool2d(h, 7, "avg", global_pooling=True)
    p = layers.fc(h, 4, act="softmax")
    return Net(feeds={"x": pictures()}, labels={"y": classes()}, results=[p], loss=cross_entropy(fluid, p, y))


@net("rmsprop")
def squeeze_and_excitation(fluid):
    """SE-ResNeXt: groups of convolutions, and weights of channels."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 16, 16])
    y = fluid.data("y", [None, 1], "int64")

    def conv_norm(h, n, k, s=1, g=1, act=None):
        return layers.batch_norm(layers.conv2d(h, n, k, s, (k - 1) // 2, groups=g, bias_attr=False), act=act)

    def se(h, n, r=4):
        s = layers.pool2d(h, pool_type="avg", global_pooling=True)
        s = layers.fc(s, n // r, act="relu")
        s = layers.fc(s, n, act="sigmoid")
        return layers.elementwise_mul(h, s, axis=0)

    h = conv_norm(x, 8, 7, 2, act="relu")
    h = layers.pool2d(h, 3, "max", 2, 1)
    a = conv_norm(h, 8, 1, act="relu")
    a = conv_norm(a, 8, 3, 1, 4, "relu")
    a = conv_norm(a, 16, 1)
    a = se(a, 16)
    h = layers.elementwise_add(conv_norm(h, 16, 1), a, act="relu")
    h = layers.reshape(layers.pool2d(h, pool_type="avg", global_pooling=True), [-1, 16])
    h = layers.dropout(h, 0.2, dropout_implementation="upscale_in_train")
    p = layers.fc(h, 4, act="softmax", param_attr=fluid.ParamAttr(initializer=fluid.initializer.Uniform(-0.2, 0.2)))
    return Net(feeds={"x": pictures()}, labels={"y": classes()}, results=[p], loss=cross_entropy(fluid, p, y))


@net("adagrad")
def pyramid_pooling(fluid):
    """Adaptive pooling of images of any size."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, -1, -1])
    y = fluid.data("y", [None, 1], "int64")
    h = layers.conv2d(x, 6, 3, padding=[1, 1], act="tanh")
    parts = []
    for s in (1, 2, 4):
        q = layers.adaptive_pool2d(h, [s, s], "avg" if s != 2 else "max")
        parts.append(layers.reshape(q, [-1, 6 * s * s]))
    h = layers.concat(parts, 1)
    p = layers.fc(h, 4, act="softmax")
    return Net(
        feeds={"x": pictures(2, 3, 13, 17)}, labels={"y": classes()}, results=[p], loss=cross_entropy(fluid, p, y)
    )


@net("lars")
def inception(fluid):
    """Inception: parallel convolutions, local response normalization, padding on four sides."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 16, 16])
    y = fluid.data("y", [None, 1], "int64")
    h = layers.conv2d(x, 8, 5, stride=2, padding=[1, 2, 1, 2], act="relu")
    h = layers.lrn(h, n=5)
    h = layers.pool2d(h, 3, "max", 2, ceil_mode=True)
    a = layers.conv2d(h, 4, 1, act="relu")
    b = layers.conv2d(layers.conv2d(h, 4, 1, act="relu"), 4, 3, padding=1, act="relu")
    c = layers.conv2d(layers.conv2d(h, 4, 1), 4, [1, 5], padding=[0, 2], act="relu")
    d = layers.conv2d(layers.pool2d(h, 3, "avg", 1, 1, exclusive=False), 4, 1)
    h = layers.concat([a, b, c, d], axis=1)
    h = layers.pool2d(h, 2, "avg", 2)
    p = layers.fc(h, 4, act="softmax")
    return Net(feeds={"x": pictures()}, labels={"y": classes()}, results=[p], loss=cross_entropy(fluid, p, y))


@net("sgd")
def vgg(fluid):
    """VGG of `fluid.nets.img_conv_group`."""
    x = fluid.layers.data("x", [3, 16, 16])
    y = fluid.layers.data("y", [1], dtype="int64")

    def b(i, n, g, d):
        return fluid.nets.img_conv_group(
            input=i,
            pool_size=2,
            pool_stride=2,
            conv_num_filter=[n] * g,
            conv_filter_size=3,
            conv_act="relu",
            conv_with_batchnorm=True,
            conv_batchnorm_drop_rate=d,
            pool_type="max",
        )

    h = b(x, 4, 2, [0.3, 0])
    h = b(h, 8, 2, [0.4, 0])
    h = fluid.layers.dropout(h, 0.5)
    h = fluid.layers.fc(h, 12)
    h = fluid.layers.batch_norm(h, act="relu", data_layout="NHWC")
    h = fluid.layers.dropout(h, 0.5)
    p = fluid.layers.fc(h, 4, act="softmax")
    c = fluid.layers.cross_entropy(input=p, label=y)
    return Net(feeds={"x": pictures()}, labels={"y": classes()}, results=[p], loss=fluid.layers.mean(c))


@net(
    "adamax", apart="1.8.5's gradient of `softmax_with_cross_entropy` does not pass over the rows that its loss ignores"
)
def fcn(fluid):
    """A fully convolutional network: transposed convolutions, resizing, labels that are ignored."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 16, 16])
    y = fluid.data("y", [None, 1, 16, 16], "int64")
    h = layers.conv2d(x, 6, 3, stride=2, padding=1, act="relu")
    s = h
    h = layers.conv2d(h, 8, 3, stride=2, padding=1, dilation=1, act="relu")
    h = layers.conv2d_transpose(h, 6, filter_size=4, stride=2, padding=1)
    h = layers.elementwise_add(h, s)
    h = layers.conv2d_transpose(h, 4, output_size=[16, 16], filter_size=3, stride=2, padding=1, groups=2)
    h = layers.resize_bilinear(h, out_shape=[16, 16])
    t = layers.transpose(h, [0, 2, 3, 1])
    p = layers.softmax(t)
    loss = layers.mean(
        layers.softmax_with_cross_entropy(
            layers.reshape(t, [-1, 4]), layers.reshape(layers.transpose(y, [0, 2, 3, 1]), [-1, 1]), ignore_index=3
        )
    )
    return Net(
        feeds={"x": pictures()},
        labels={"y": rng(3).randint(0, 4, (2, 1, 16, 16)).astype("int64")},
        results=[p, layers.argmax(t, axis=3)],
        loss=loss,
    )


@net("decayed_adagrad")
def unet(fluid):
    """U-Net: resizing, cropping and padding by reflection; dice loss."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 16, 16])
    y = fluid.data("y", [None, 1, 16, 16])
    a = layers.conv2d(x, 4, 3, padding=1, act="elu")
    b = layers.pool2d(a, 2, "max", 2)
    b = layers.conv2d(b, 6, 3, padding=1, act="swish")
    u = layers.resize_nearest(b, scale=2.0, align_corners=False)
    u = layers.image_resize(u, out_shape=[17, 17], resample="BILINEAR", align_mode=0, align_corners=False)
    u = layers.crop_tensor(u, shape=[-1, 6, 16, 16], offsets=[0, 0, 0, 0])
    u = layers.concat([u, a], 1)
    u = layers.pad2d(u, [1, 1, 1, 1], "reflect")
    o = layers.conv2d(u, 1, 3)
    p = layers.sigmoid(o)
    i = layers.reduce_sum(p * y, dim=[1, 2, 3])
    un = layers.reduce_sum(p, dim=[1, 2, 3]) + layers.reduce_sum(y, dim=[1, 2, 3])
    loss = layers.mean(1.0 - 2.0 * i / (un + 1e-05)) + layers.mean(layers.sigmoid_cross_entropy_with_logits(o, y))
    return Net(
        feeds={"x": pictures()},
        labels={"y": (rng(3).rand(2, 1, 16, 16) > 0.5).astype("float32")},
        results=[p],
        loss=loss,
    )


@net("sgd")
def deeplab(fluid):
    """DeepLab: dilated convolutions side by side, in name scopes."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 16, 16])
    y = fluid.data("y", [None, 16, 16, 1], "int64")
    with fluid.name_scope("encoder"):
        h = layers.conv2d(x, 6, 3, padding=2, dilation=2, act="relu")
        im = layers.reduce_mean(h, [2, 3], keep_dim=True)
        im = layers.conv2d(im, 4, 1)
        im = layers.resize_bilinear(im, [16, 16])
        at = [layers.conv2d(h, 4, 3, padding=d, dilation=d) for d in (1, 2, 4)]
    with fluid.name_scope("decoder"):
        h = layers.concat([im] + at, 1)
        h = layers.batch_norm(h, act="relu")
        h = layers.conv2d(h, 3, 1)
    h = layers.transpose(h, [0, 2, 3, 1])
    p = layers.softmax(h)
    loss = layers.mean(layers.softmax_with_cross_entropy(h, y))
    return Net(
        feeds={"x": pictures()},
        labels={"y": rng(3).randint(0, 3, (2, 16, 16, 1)).astype("int64")},
        results=[p],
        loss=loss,
    )


@net("adadelta")
def deformable(fluid):
    """Deformable convolutions, with and without weights."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 10, 10])
    y = fluid.data("y", [None, 1], "int64")
    o = layers.conv2d(x, 18, 3, padding=1, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(0, 0.1)))
    m = layers.sigmoid(layers.conv2d(x, 9, 3, padding=1))
    h = layers.deformable_conv(x, o, m, 4, 3, padding=1, im2col_step=1)
    h2 = layers.deformable_conv(x, o, None, 4, 3, padding=1, modulated=False, im2col_step=1)
    p = layers.fc(layers.relu(h + h2), 4, act="softmax")
    return Net(
        feeds={"x": pictures(2, 3, 10, 10)}, labels={"y": classes()}, results=[p], loss=cross_entropy(fluid, p, y)
    )


@net()
def spatial_transformer(fluid):
    """A spatial transformer: a grid of samples that is predicted."""
    layers = fluid.layers
    x = fluid.data("x", [None, 1, 8, 8])
    th = layers.fc(
        x,
        6,
        bias_attr=fluid.ParamAttr(
            initializer=fluid.initializer.NumpyArrayInitializer(np.array([1, 0, 0, 0, 1, 0], "float32"))
        ),
        param_attr=fluid.ParamAttr(initializer=fluid.initializer.Constant(0.01)),
    )
    g = layers.affine_grid(layers.reshape(th, [-1, 2, 3]), [2, 1, 8, 8])
    s = layers.grid_sampler(x, g)
    p = layers.fc(s, 4, act="softmax")
    return Net(feeds={"x": pictures(2, 1, 8, 8)}, results=[p, s])


@net("adam")
def generator(fluid):
    """A generator of images: transposed convolutions, normalization by instances and groups, a spectral norm."""
    layers = fluid.layers
    z = fluid.data("z", [None, 6])
    y = fluid.data("y", [None, 3, 8, 8])
    h = layers.fc(z, 4 * 4 * 8)
    h = layers.reshape(h, [-1, 8, 4, 4])
    h = layers.instance_norm(h)
    h = layers.relu(h)
    h = layers.conv2d_transpose(h, 6, filter_size=5, stride=2, padding=2, output_size=8)
    h = layers.group_norm(h, 2, act="relu", param_attr="gns", bias_attr="gnb")
    w = layers.create_parameter([3, 6, 3, 3], "float32", name="sn_w")
    w2 = layers.spectral_norm(w, power_iters=2)
    h = layers.pad2d(h, [1, 1, 1, 1], "edge")
    o = layers.tanh(layers.conv2d(h, 3, 3))
    o = o * layers.reduce_sum(w2)
    return Net(
        feeds={"z": rng(2).rand(2, 6).astype("float32")},
        labels={"y": pictures(2, 3, 8, 8)},
        results=[o],
        loss=layers.mean(layers.abs(o - y)),
    )


@net("momentum")
def video3d(fluid):
    """Convolutions over time and space."""
    layers = fluid.layers
    x = fluid.data("x", [None, 2, 4, 8, 8])
    y = fluid.data("y", [None, 1], "int64")
    h = layers.conv3d(x, 4, 3, padding=1, act="relu")
    h = layers.batch_norm(h)
    h = layers.pool3d(h, 2, "max", 2)
    h = layers.conv3d_transpose(h, 3, filter_size=2, stride=2)
    h = layers.adaptive_pool3d(h, [2, 2, 2], "avg")
    h = layers.resize_trilinear(h, out_shape=[3, 3, 3])
    p = layers.fc(h, 4, act="softmax")
    return Net(
        feeds={"x": rng(3).rand(2, 2, 4, 8, 8).astype("float32")},
        labels={"y": classes()},
        results=[p],
        loss=cross_entropy(fluid, p, y),
    )


@net("momentum")
def temporal_shift(fluid):
    """TSM: channels that move between frames."""
    layers = fluid.layers
    x = fluid.data("x", [None, 4, 3, 8, 8])
    y = fluid.data("y", [None, 1], "int64")
    h = layers.reshape(x, [-1, 3, 8, 8])
    h = layers.conv2d(h, 8, 3, padding=1, act="relu")
    h = layers.temporal_shift(h, 4, 0.25)
    h = layers.conv2d(h, 8, 3, act="relu")
    h = layers.pool2d(h, global_pooling=True, pool_type="avg")
    h = layers.reshape(h, [-1, 4, 8])
    h = layers.reduce_mean(h, 1)
    p = layers.fc(h, 4, act="softmax")
    return Net(
        feeds={"x": rng(3).rand(2, 4, 3, 8, 8).astype("float32")},
        labels={"y": classes()},
        results=[p],
        loss=cross_entropy(fluid, p, y),
    )


@net("adam", apart="1.8.5 shuffles the gradient of `shuffle_channel` once more, not back")
def super_resolution(fluid):
    """Channels that become pixels, and back."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 8, 8])
    y = fluid.data("y", [None, 3, 16, 16])
    h = layers.conv2d(x, 12, 3, padding=1)
    h = layers.prelu(h, "channel")
    h = layers.shuffle_channel(h, 3)
    s = layers.space_to_depth(h, 2)
    h = layers.pixel_shuffle(h, 2)
    s = layers.prelu(s, "all")
    a = layers.affine_channel(
        h,
        layers.create_parameter([3], "float32", name="ac_s", default_initializer=fluid.initializer.Constant(1.5)),
        layers.create_parameter([3], "float32", name="ac_b", is_bias=True),
    )
    m = layers.maxout(s, 3)
    o = layers.image_resize(a, scale=1.0, resample="NEAREST")
    return Net(
        feeds={"x": pictures(2, 3, 8, 8)},
        labels={"y": pictures(2, 3, 16, 16)},
        results=[o, m],
        loss=layers.mean(layers.huber_loss(o, y, 1.0)) + layers.mean(m),
    )


@net("sgd")
def channels_last(fluid):
    """A network with the channels last."""
    layers = fluid.layers
    x = fluid.data("x", [None, 8, 8, 3])
    y = fluid.data("y", [None, 1], "int64")
    h = layers.conv2d(x, 4, 3, padding="SAME", data_format="NHWC", act="relu")
    h = layers.batch_norm(h, data_layout="NHWC")
    h = layers.pool2d(h, 2, "avg", 2, data_format="NHWC")
    h = layers.group_norm(h, 2, data_layout="NHWC", param_attr="gns", bias_attr="gnb")
    h = layers.resize_bilinear(h, [6, 6], data_format="NHWC")
    h = layers.pad2d(h, [1, 1, 0, 0], data_format="NHWC", pad_value=1.0)
    p = layers.fc(h, 4, act="softmax")
    return Net(feeds={"x": pictures(2, 8, 8, 3)}, labels={"y": classes()}, results=[p], loss=cross_entropy(fluid, p, y))
