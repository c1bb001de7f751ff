"""Calls of fluid.layers' functions for detectors, as Programs; read by Python 3.7 too (record_detection_programs.py)."""


def boxes(fluid, name, columns=4, dtype="float32"):
    return fluid.data(name, [None, columns], dtype, lod_level=1)


def true(fluid):
    """Boxes, their classes, which are crowds, and the sizes of images."""
    labels, crowd = (boxes(fluid, name, 1, "int32") for name in ("labels", "crowd"))
    return boxes(fluid, "true"), labels, crowd, fluid.data("info", [None, 3])


def priors(fluid):
    return fluid.data("priors", [9, 4]), fluid.data("spread", [9, 4])


def ssd_loss(fluid, **more):
    location, confidence = fluid.data("location", [None, 9, 4]), fluid.data("confidence", [None, 9, 3])
    box, label, _, _ = true(fluid)
    return fluid.layers.ssd_loss(location, confidence, box, label, *priors(fluid), **more)


def ssd_loss_plain(fluid):
    return ssd_loss(fluid, normalize=False, match_type="bipartite", loc_loss_weight=2.0)


def detection_output(fluid, **more):
    location, confidence = fluid.data("location", [None, 9, 4]), fluid.data("confidence", [None, 9, 3])
    return fluid.layers.detection_output(location, confidence, *priors(fluid), **more)


def detection_output_with_index(fluid):
    return detection_output(fluid, return_index=True)


def yolov3_loss(fluid):
    x, box = fluid.data("x", [None, 21, 4, 4]), fluid.data("box", [None, 5, 4])
    label, score = fluid.data("label", [None, 5], "int32"), fluid.data("score", [None, 5])
    return fluid.layers.yolov3_loss(x, box, label, [1, 2, 3, 4, 5, 6], [0, 1, 2], 2, 0.5, 32, score)


def generate_proposals(fluid):
    scores, deltas = fluid.data("scores", [None, 3, 4, 4]), fluid.data("deltas", [None, 12, 4, 4])
    anchors, spread = fluid.data("anchors", [4, 4, 3, 4]), fluid.data("spread", [4, 4, 3, 4])
    return fluid.layers.generate_proposals(scores, deltas, fluid.data("info", [None, 3]), anchors, spread)


def pyramid(fluid):
    regions, places = fluid.layers.distribute_fpn_proposals(boxes(fluid, "regions"), 2, 4, 4, 224)
    scores = [boxes(fluid, name, 1) for name in ("fine", "middle", "coarse")]
    return [places, fluid.layers.collect_fpn_proposals(regions, scores, 2, 4, 100)]


def rpn_target_assign(fluid):
    said = fluid.data("location", [None, 9, 4]), fluid.data("confidence", [None, 9, 1])
    box, _, crowd, info = true(fluid)
    return fluid.layers.rpn_target_assign(*(said + priors(fluid)), gt_boxes=box, is_crowd=crowd, im_info=info)


def retinanet_target_assign(fluid):
    said = fluid.data("location", [None, 9, 4]), fluid.data("confidence", [None, 9, 3])
    return fluid.layers.retinanet_target_assign(*(said + priors(fluid) + true(fluid)), num_classes=3)


def generate_proposal_labels(fluid):
    box, label, crowd, info = true(fluid)
    return fluid.layers.generate_proposal_labels(boxes(fluid, "regions"), label, crowd, box, info, class_nums=5)


def retinanet_detection_output(fluid):
    location, confidence = fluid.data("location", [None, 9, 4]), fluid.data("confidence", [None, 9, 3])
    anchors, info = fluid.data("anchors", [9, 4]), fluid.data("info", [None, 3])
    return fluid.layers.retinanet_detection_output([location] * 2, [confidence] * 2, [anchors] * 2, info)


def box_decoder_and_assign(fluid):
    codes, scores = fluid.data("codes", [None, 12]), fluid.data("scores", [None, 3])
    return fluid.layers.box_decoder_and_assign(
        fluid.data("priors", [None, 4]), fluid.data("spread", [4]), codes, scores, 4.0
    )


def pools(fluid):
    maps, regions = fluid.data("maps", [None, 8, 6, 6]), boxes(fluid, "regions")
    return [
        fluid.layers.psroi_pool(maps, regions, 2, 0.5, 2, 2),
        fluid.layers.prroi_pool(maps, regions, 0.5, 2, 2),
        fluid.layers.roi_align(maps, regions, 2, 2),
        fluid.layers.roi_pool(maps, regions, 2, 2),
    ]


def deformable_pools(fluid):
    maps, regions = fluid.data("maps", [None, 8, 6, 6]), boxes(fluid, "regions")
    offsets = fluid.data("offsets", [None, 2, 2, 2])
    return [
        fluid.layers.deformable_roi_pooling(maps, regions, offsets, pooled_height=2, pooled_width=2),
        fluid.layers.deformable_roi_pooling(maps, regions, offsets, True, 0.5, part_size=[1, 2], sample_per_part=2),
    ]


def generate_mask_labels(fluid):
    _, label, crowd, info = true(fluid)
    points = fluid.data("points", [None, 2], lod_level=3)
    labels = fluid.data("labels", [None, 1], "int32", lod_level=1)
    return fluid.layers.generate_mask_labels(info, label, crowd, points, boxes(fluid, "regions"), labels, 5, 14)


def suppressions(fluid):
    box, scores, one = (fluid.data(n, s) for n, s in (("b", [None, 6, 4]), ("s", [None, 3, 6]), ("o", [None, 1, 6])))
    return [
        fluid.layers.matrix_nms(box, scores, 0.1, 0.1, 9, 9),
        fluid.layers.multiclass_nms(box, scores, 0.1, 9, 9),
        fluid.layers.locality_aware_nms(box, one, 0.1, 9, 9),
    ]


CASES = [
    ssd_loss, ssd_loss_plain, detection_output, detection_output_with_index, yolov3_loss, generate_proposals, pyramid,
    rpn_target_assign, retinanet_target_assign, generate_proposal_labels, retinanet_detection_output,
    box_decoder_and_assign, pools, deformable_pools, generate_mask_labels, suppressions,
]  # fmt: skip
CASES = {case.__name__: case for case in CASES}
