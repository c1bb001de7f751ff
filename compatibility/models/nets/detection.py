"""Networks that detect objects."""

import numpy as np

from . import Net, net, pictures, rng


@net("adam")
def ssd(fluid):
    """SSD: prior boxes, matching, its loss and its output."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 32, 32])
    gb = fluid.data("gb", [None, 4], lod_level=1)
    gl = fluid.data("gl", [None, 1], "int32", lod_level=1)
    a = layers.conv2d(x, 6, 3, stride=4, padding=1, act="relu")
    b = layers.conv2d(a, 6, 3, stride=2, padding=1, act="relu")
    c = layers.conv2d(b, 6, 3, stride=2, padding=1, act="relu")
    loc, conf, box, var = layers.multi_box_head(
        [a, b, c],
        x,
        32,
        3,
        [[2.0], [2.0, 3.0], [2.0]],
        min_ratio=20,
        max_ratio=90,
        offset=0.5,
        flip=True,
        min_sizes=[4.0, 8.0, 16.0],
        max_sizes=[8.0, 16.0, 30.0],
    )
    regression_of_rows = layers.detection_output(
        loc, conf, box, var, nms_threshold=0.45, keep_top_k=20, score_threshold=0.05
    )
    loss = layers.reduce_sum(layers.ssd_loss(loc, conf, gb, gl, box, var))
    g = rng(5)
    b0 = g.rand(3, 4) * 0.4
    b0[:, 2:] += 0.5
    return Net(
        feeds={"x": pictures(2, 3, 32, 32)},
        labels={"gb": (b0.astype("float32"), [[1, 2]]), "gl": (np.array([[1], [2], [1]], "int32"), [[1, 2]])},
        results=[regression_of_rows],
        loss=loss,
    )


@net("momentum")
def yolov3(fluid):
    """YOLOv3 with two scales."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 32, 32])
    size = fluid.data("size", [None, 2], "int32")
    gb = fluid.data("gb", [None, 3, 4])
    gl = fluid.data("gl", [None, 3], "int32")
    h = layers.conv2d(x, 8, 3, stride=8, padding=1)
    h = layers.leaky_relu(layers.batch_norm(h), 0.1)
    outs = [h]
    up = layers.resize_nearest(h, scale=2.0)
    outs.append(up)
    an = [10, 13, 16, 30, 33, 23, 30, 61]
    masks = [[2, 3], [0, 1]]
    losses, boxes, scores = ([], [], [])
    for i, o in enumerate(outs):
        o = layers.conv2d(o, 2 * (5 + 3), 1, param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.1)))
        am = [an[2 * m + k] for m in masks[i] for k in (0, 1)]
        losses.append(
            layers.reduce_mean(
                layers.yolov3_loss(o, gb, gl, an, masks[i], 3, 0.7, 8 // (i + 1), use_label_smooth=False)
            )
        )
        b, s = layers.yolo_box(o, size, am, 3, 0.01, 8 // (i + 1))
        boxes.append(b)
        scores.append(layers.transpose(s, [0, 2, 1]))
    pred = layers.multiclass_nms(
        layers.concat(boxes, 1), layers.concat(scores, 2), 0.01, 100, 10, 0.45, background_label=-1
    )
    g = rng(5)
    return Net(
        feeds={"x": pictures(2, 3, 32, 32), "size": np.array([[40, 50], [32, 32]], "int32")},
        labels={
            "gb": np.array(
                [
                    [[0.1, 0.1, 0.3, 0.2], [0.5, 0.8, 0.2, 0.4], [0.8, 0.3, 0.5, 0.3]],
                    [[0.2, 0.7, 0.3, 0.2], [0.6, 0.2, 0.1, 0.1], [0.4, 0.4, 0.3, 0.6]],
                ],
                "float32",
            ),
            "gl": g.randint(0, 3, (2, 3)).astype("int32"),
        },
        results=[pred],
        loss=sum(losses),
    )


@net()
def region_proposals(fluid):
    """Faster R-CNN: anchors, proposals, and three ways to pool regions."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 32, 32])
    info = fluid.data("info", [None, 3])
    h = layers.conv2d(x, 8, 3, stride=4, padding=1, act="relu")
    anchor, var = layers.anchor_generator(h, [8, 16], [0.5, 1.0, 2.0], variance=[0.1, 0.1, 0.2, 0.2], stride=[4.0, 4.0])
    s = layers.sigmoid(layers.conv2d(h, 6, 1))
    d = layers.conv2d(h, 24, 1)
    rois, probs = layers.generate_proposals(s, d, info, anchor, var, 50, 8, 0.7, 0.1, 1.0)
    f = layers.roi_align(h, rois, 3, 3, 0.25, 2)
    g = layers.roi_pool(h, rois, 3, 3, 0.25)
    k = layers.psroi_pool(layers.conv2d(h, 2 * 4, 1), rois, 2, 0.25, 2, 2)
    cls = layers.softmax(layers.fc(f, 4))
    reg = layers.fc(g, 16)
    dec = layers.box_coder(
        rois, [0.1, 0.1, 0.2, 0.2], layers.reshape(reg, [-1, 4, 4]), "decode_center_size", box_normalized=False, axis=1
    )
    pred = layers.multiclass_nms(dec, cls, 0.05, 50, 10, 0.5, normalized=False)
    return Net(
        feeds={"x": pictures(2, 3, 32, 32), "info": np.array([[32, 32, 1.0], [30, 28, 1.0]], "float32")},
        results=[rois, probs, cls, k, dec, pred],
    )


@net()
def feature_pyramid(fluid):
    """Regions on levels of a pyramid, priors, matching and targets."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 32, 32])
    rois = fluid.data("rois", [None, 4], lod_level=1)
    c = layers.conv2d(x, 4, 3, stride=4, padding=1)
    d = layers.conv2d(c, 4, 3, stride=2, padding=1)
    e = layers.conv2d(d, 4, 3, stride=2, padding=1)
    multi, restore = layers.distribute_fpn_proposals(rois, 2, 4, 3, 16)
    fs = [layers.roi_align(f, r, 2, 2, 1.0 / s) for f, r, s in zip((c, d, e), multi, (4, 8, 16))]
    f = layers.gather(layers.concat(fs, 0), restore)
    o = layers.fc(f, 4)
    prior, pv = layers.prior_box(c, x, [4.0], [8.0], [2.0], [0.1, 0.1, 0.2, 0.2], flip=True, clip=True)
    den, _ = layers.density_prior_box(
        d, x, densities=[2, 1], fixed_sizes=[4.0, 8.0], fixed_ratios=[1.0], clip=True, flatten_to_2d=True
    )
    iou = layers.iou_similarity(rois, layers.reshape(prior, [-1, 4]) * 32.0)
    enc = layers.box_coder(
        layers.reshape(prior, [-1, 4]), layers.reshape(pv, [-1, 4]), rois / 32.0, "encode_center_size"
    )
    m, _ = layers.bipartite_match(iou)
    t, w = layers.target_assign(layers.unsqueeze(rois, [1]), m)
    g = rng(4)
    b = g.rand(6, 4) * 12
    b[:, 2:] = b[:, :2] + 3 + g.rand(6, 2) * 16
    return Net(
        feeds={
            "x": pictures(2, 3, 32, 32),
            "rois": (b.astype("float32"), [[2, 4]]),
        },
        results=[o, restore, den, iou, enc, m, t, w],
    )


@net()
def suppression(fluid):
    """Four ways to suppress boxes that overlap."""
    layers = fluid.layers
    b = fluid.data("b", [None, 12, 4])
    s = fluid.data("s", [None, 3, 12])
    q = fluid.data("q", [None, 12, 8])
    s1 = fluid.data("s1", [None, 1, 12])
    o1 = layers.matrix_nms(b, s, 0.1, 0.05, 10, 6, use_gaussian=True)
    o2 = layers.locality_aware_nms(b, s1, 0.1, 10, 5, 0.4)
    o3 = fluid.contrib.layers.multiclass_nms2(b, s, 0.1, 10, 5, return_index=True)
    o4 = layers.polygon_box_transform(fluid.layers.reshape(q, [-1, 8, 3, 4]))
    g = rng(6)
    bb = g.rand(2, 12, 4)
    bb[..., 2:] = bb[..., :2] + 0.3 * g.rand(2, 12, 2) + 0.1
    return Net(
        feeds={
            "b": bb.astype("float32"),
            "s": g.rand(2, 3, 12).astype("float32"),
            "s1": g.rand(2, 1, 12).astype("float32"),
            "q": g.rand(2, 12, 8).astype("float32"),
        },
        results=[o1, o2, o3[0], o3[1], o4],
    )


@net()
def retinanet(fluid):
    """RetinaNet's output."""
    layers = fluid.layers
    x = fluid.data("x", [None, 3, 32, 32])
    info = fluid.data("info", [None, 3])
    bs, ss, an = ([], [], [])
    for i, st in enumerate((4, 8)):
        f = layers.conv2d(x, 4, 3, stride=st, padding=1, act="relu")
        a, _ = layers.anchor_generator(
            f, [8.0 * (i + 1)], [1.0, 2.0], stride=[float(st)] * 2, variance=[1.0, 1.0, 1.0, 1.0]
        )
        bs.append(layers.reshape(layers.transpose(layers.conv2d(f, 8, 1), [0, 2, 3, 1]), [0, -1, 4]))
        ss.append(layers.sigmoid(layers.reshape(layers.transpose(layers.conv2d(f, 6, 1), [0, 2, 3, 1]), [0, -1, 3])))
        an.append(layers.reshape(a, [-1, 4]))
    o = layers.retinanet_detection_output(bs, ss, an, info, 0.05, 30, 10, 0.3, 1.0)
    return Net(
        feeds={"x": pictures(2, 3, 32, 32), "info": np.array([[32, 32, 1.0], [30, 28, 1.0]], "float32")}, results=[o]
    )
