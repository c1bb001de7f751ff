"""A detector that looks at feature maps of three sizes, from the smallest on; each gets what the one before has found."""

from __future__ import annotations

import numpy as np

from paddle_lite import fluid
from paddle_lite.fluid.dygraph import BatchNorm, Conv2D, Layer, declarative, to_variable

from .base import Model

L = fluid.layers


class Config:
    anchors = [4, 5, 7, 6, 8, 12, 13, 10, 18, 24, 28, 20]
    anchor_masks = [[4, 5], [2, 3], [0, 1]]
    class_num = 2
    size = 32
    valid_thresh, nms_thresh = 0.01, 0.45


cfg = Config()


class ConvBNLayer(Layer):
    def __init__(self, ch_in, ch_out, filter_size=3, stride=1, groups=1, padding=0, act="leaky", is_test=False):
        super().__init__()
        self.conv = Conv2D(
            num_channels=ch_in,
            num_filters=ch_out,
            filter_size=filter_size,
            stride=stride,
            padding=padding,
            groups=groups,
            param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.2)),
            bias_attr=False,
            act=None,
        )
        self.batch_norm = BatchNorm(
            num_channels=ch_out,
            is_test=is_test,
            param_attr=fluid.ParamAttr(
                initializer=fluid.initializer.Normal(1.0, 0.02), regularizer=fluid.regularizer.L2Decay(0.0)
            ),
            bias_attr=fluid.ParamAttr(
                initializer=fluid.initializer.Constant(0.0), regularizer=fluid.regularizer.L2Decay(0.0)
            ),
        )
        self.act = act

    def forward(self, inputs):
        out = self.conv(inputs)
        out = self.batch_norm(out)
        if self.act == "leaky":
            out = L.leaky_relu(x=out, alpha=0.1)
        return out


class BasicBlock(Layer):
    def __init__(self, ch_in, ch_out):
        super().__init__()
        self.conv1 = ConvBNLayer(ch_in=ch_in, ch_out=ch_out, filter_size=1)
        self.conv2 = ConvBNLayer(ch_in=ch_out, ch_out=ch_out * 2, padding=1)

    def forward(self, inputs):
        conv1 = self.conv1(inputs)
        conv2 = self.conv2(conv1)
        out = L.elementwise_add(x=inputs, y=conv2, act=None)
        return out


class DarkNet(Layer):
    """Feature maps of 1/4, 1/8 and 1/16 of the size."""

    def __init__(self):
        super().__init__()
        self.conv0 = ConvBNLayer(ch_in=3, ch_out=4, filter_size=3, stride=2, padding=1)
        self.stages = 3
        self.blocks, self.downsample_list = [], []
        for i in range(self.stages):
            self.downsample_list.append(
                self.add_sublayer(f"stage_{i}_downsample", ConvBNLayer(4 + 2 * i, 6 + 2 * i, 3, stride=2, padding=1))
            )
            self.blocks.append(self.add_sublayer(f"stage_{i}", BasicBlock(6 + 2 * i, 3 + i)))

    def forward(self, inputs):
        out = self.conv0(inputs)
        blocks = []
        for i in range(self.stages):
            out = self.downsample_list[i](out)
            out = self.blocks[i](out)
            blocks.append(out)
        return blocks[-1::-1]


class YoloDetectionBlock(Layer):
    def __init__(self, ch_in, channel):
        super().__init__()
        self.conv0 = ConvBNLayer(ch_in=ch_in, ch_out=channel, filter_size=1)
        self.route = ConvBNLayer(ch_in=channel, ch_out=channel * 2, padding=1)
        self.tip = ConvBNLayer(ch_in=channel * 2, ch_out=channel * 2, filter_size=1)

    def forward(self, inputs):
        out = self.conv0(inputs)
        route = self.route(out)
        tip = self.tip(route)
        return route, tip


class Upsample(Layer):
    def __init__(self, scale=2):
        super().__init__()
        self.scale = scale

    def forward(self, inputs):
        shape_nchw = L.shape(inputs)
        shape_hw = L.slice(shape_nchw, axes=[0], starts=[2], ends=[4])
        shape_hw.stop_gradient = True
        in_shape = L.cast(shape_hw, dtype="int32")
        out_shape = in_shape * self.scale
        out_shape.stop_gradient = True
        out = L.resize_nearest(input=inputs, scale=self.scale, actual_shape=out_shape)
        return out


class YOLOv3(Layer):
    def __init__(self):
        super().__init__()
        self.block = DarkNet()
        self.block_outputs, self.yolo_blocks, self.route_blocks_2 = [], [], []
        for i, channels in enumerate((10, 8 + 2, 6 + 2)):
            self.yolo_blocks.append(self.add_sublayer(f"yolo_detecton_block_{i}", YoloDetectionBlock(channels, 4)))
            num_filters = len(cfg.anchor_masks[i]) * (cfg.class_num + 5)
            self.block_outputs.append(
                self.add_sublayer(
                    f"block_out_{i}",
                    Conv2D(
                        num_channels=8,
                        num_filters=num_filters,
                        filter_size=1,
                        act=None,
                        param_attr=fluid.ParamAttr(initializer=fluid.initializer.Normal(0.0, 0.02)),
                        bias_attr=fluid.ParamAttr(
                            initializer=fluid.initializer.Constant(0.0), regularizer=fluid.regularizer.L2Decay(0.0)
                        ),
                    ),
                )
            )
            if i < 2:
                self.route_blocks_2.append(self.add_sublayer(f"route2_{i}", ConvBNLayer(8, 2, filter_size=1)))
        self.upsample = Upsample()

    def _loss(self, out, anchor_mask, gtbox, gtlabel):
        loss = L.yolov3_loss(
            x=out,
            gt_box=gtbox,
            gt_label=gtlabel,
            anchors=cfg.anchors,
            anchor_mask=anchor_mask,
            class_num=cfg.class_num,
            ignore_thresh=0.7,
            downsample_ratio=self.downsample,
            use_label_smooth=False,
        )
        return L.reduce_mean(loss)

    def _found(self, out, anchor_mask, im_shape, name):
        mask_anchors = []
        for m in anchor_mask:
            mask_anchors.append(cfg.anchors[2 * m])
            mask_anchors.append(cfg.anchors[2 * m + 1])
        return L.yolo_box(
            x=out,
            img_size=im_shape,
            anchors=mask_anchors,
            class_num=cfg.class_num,
            conf_thresh=cfg.valid_thresh,
            downsample_ratio=self.downsample,
            name=name,
        )

    @declarative
    def forward(self, inputs, gtbox=None, gtlabel=None, im_shape=None):
        self.outputs = []
        self.boxes = []
        self.scores = []
        self.losses = []
        self.downsample = 16
        blocks = self.block(inputs)
        for i, block in enumerate(blocks):
            if i > 0:
                block = L.concat(input=[route, block], axis=1)  # noqa: F821 - set in the round before
            route, tip = self.yolo_blocks[i](block)
            block_out = self.block_outputs[i](tip)
            self.outputs.append(block_out)
            if i < 2:
                route = self.route_blocks_2[i](route)
                route = self.upsample(route)

        for i, out in enumerate(self.outputs):
            anchor_mask = cfg.anchor_masks[i]
            if gtbox is not None:
                self.losses.append(self._loss(out, anchor_mask, gtbox, gtlabel))
            else:
                boxes, scores = self._found(out, anchor_mask, im_shape, f"yolo_box{i}")
                self.boxes.append(boxes)
                self.scores.append(L.transpose(scores, perm=[0, 2, 1]))
            self.downsample //= 2

        if gtbox is not None:
            return sum(self.losses)
        yolo_boxes = L.concat(self.boxes, axis=1)
        yolo_scores = L.concat(self.scores, axis=2)
        pred = L.multiclass_nms(
            bboxes=yolo_boxes,
            scores=yolo_scores,
            score_threshold=cfg.valid_thresh,
            nms_top_k=20,
            keep_top_k=5,
            nms_threshold=cfg.nms_thresh,
            background_label=-1,
        )
        return pred, yolo_scores


class Yolo(Model):
    falls, rate = 0.5, 0.02

    def build(self):
        return YOLOv3()

    def batch(self, numbers):
        size, boxes = 3, 4
        [image, _] = self.inputs(numbers, size)
        centre = numbers.rand(size, boxes, 2) * 0.6 + 0.2
        box = np.concatenate([centre, numbers.rand(size, boxes, 2) * 0.3 + 0.05], axis=2)
        box[:, 3:] = 0  # no object
        label = numbers.randint(0, cfg.class_num, [size, boxes])
        return [to_variable(a) for a in (image, box.astype("float32"), label.astype("int32"))]

    def optimizer(self, parameters):
        return fluid.optimizer.AdamOptimizer(
            self.rate, regularization=fluid.regularizer.L2Decay(0.0005), parameter_list=parameters
        )

    def inputs(self, numbers, size, side=cfg.size):
        image = numbers.rand(size, 3, side, side) * 2 - 1
        return [image.astype("float32"), np.tile(np.array([[side, side]], "int32"), [size, 1])]

    def examples(self, numbers):
        return [self.inputs(numbers, 2), self.inputs(numbers, 1, 48), self.inputs(numbers, 3, 64)]

    def predict(self, image, im_shape):
        return self.net(image, im_shape=im_shape)
