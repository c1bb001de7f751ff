"""Boxes over feature maps; boxes measured, coded and clipped."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ...ops.detection import boxes as ops
from ..support.arguments import floats, ints, is_variable, number

__all__ = [
    "anchor_generator",
    "box_clip",
    "box_coder",
    "box_decoder_and_assign",
    "density_prior_box",
    "iou_similarity",
    "polygon_box_transform",
    "prior_box",
]

VARIANCE = (0.1, 0.1, 0.2, 0.2)


def two(where: str, name: str, value: Any) -> list[float]:
    """The numbers along x and along y."""
    numbers = floats(where, name, value)
    if len(numbers) != 2:
        raise ArgumentValueError(message(where, name, value, "two numbers, the first along the width"))
    return numbers


def prior_box(
    input: Any,
    image: Any,
    min_sizes: Any,
    max_sizes: Any = None,
    aspect_ratios: Any = (1.0,),
    variance: Any = VARIANCE,
    flip: bool = False,
    clip: bool = False,
    steps: Any = (0.0, 0.0),
    offset: float = 0.5,
    name: str | None = None,
    min_max_aspect_ratios_order: bool = False,
) -> tuple:
    """The default boxes of SSD at each place of a feature map (Liu et al. 2016, "SSD: Single Shot MultiBox Detector").

    Arguments:
        input: the feature map, [N, C, H, W].
        image: [N, C, height, width]; like `input` only its size counts.
        min_sizes: for each of these sizes (pixels) there is a box of each aspect ratio.
        max_sizes: one for each of `min_sizes`, larger; there is then also a square of side sqrt(min_size * max_size).
        aspect_ratios: width / height; 1 is always among them.
        variance: four numbers, handed on with each box.
        flip: also the inverse of each ratio.
        clip: cut the boxes at the image.
        steps: how far places lie apart, along width and height (pixels); 0 takes the ratio of the sizes.
        offset: where in its cell a box is centred, as a fraction.
        name: kept for Fluid code.
        min_max_aspect_ratios_order: the square between min and max comes second rather than last.

    Returns:
        (boxes [H, W, P, 4] as xmin, ymin, xmax, ymax in fractions of the image, their variances [H, W, P, 4]).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     features = fluid.dygraph.to_variable(np.zeros([1, 8, 1, 2], 'float32'))
    ...     image = fluid.dygraph.to_variable(np.zeros([1, 3, 10, 20], 'float32'))
    ...     boxes, variances = fluid.layers.prior_box(features, image, min_sizes=[4.0])
    ...     boxes.numpy()[0, :, 0]
    array([[0.15, 0.3 , 0.35, 0.7 ],
           [0.65, 0.3 , 0.85, 0.7 ]], dtype=float32)
    """
    where = "prior_box"
    step_w, step_h = two(where, "steps", steps)
    return ops.prior_box.call(
        input,
        image,
        min_sizes=floats(where, "min_sizes", min_sizes),
        max_sizes=[] if max_sizes is None else floats(where, "max_sizes", max_sizes),
        aspect_ratios=floats(where, "aspect_ratios", aspect_ratios),
        variances=floats(where, "variance", variance),
        flip=flip,
        clip=clip,
        step_w=step_w,
        step_h=step_h,
        offset=offset,
        min_max_aspect_ratios_order=min_max_aspect_ratios_order,
    )


def density_prior_box(
    input: Any,
    image: Any,
    densities: Any = None,
    fixed_sizes: Any = None,
    fixed_ratios: Any = None,
    variance: Any = VARIANCE,
    clip: bool = False,
    steps: Any = (0.0, 0.0),
    offset: float = 0.5,
    flatten_to_2d: bool = False,
    name: str | None = None,
) -> tuple:
    """Boxes at several places of each cell of a feature map (Zhang et al. 2017, "FaceBoxes").

    Arguments:
        input: the feature map, [N, C, H, W].
        image: [N, C, height, width]; like `input` only its size counts.
        densities: ints, one for each of `fixed_sizes`: boxes of that size stand at density * density places.
        fixed_sizes: the sizes (pixels).
        fixed_ratios: width / height; each size comes in each of them.
        variance: four numbers, handed on with each box.
        clip: cut the boxes at the image on every side.
        steps: how far cells lie apart, along width and height (pixels); 0 takes the ratio of the sizes.
        offset: where in its cell the boxes are centred, as a fraction.
        flatten_to_2d: return [H * W * P, 4].
        name: kept for Fluid code.

    Returns:
        (boxes [H, W, P, 4] as xmin, ymin, xmax, ymax in fractions of the image, their variances [H, W, P, 4]).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     features = fluid.dygraph.to_variable(np.zeros([1, 8, 1, 1], 'float32'))
    ...     image = fluid.dygraph.to_variable(np.zeros([1, 3, 16, 16], 'float32'))
    ...     boxes, _ = fluid.layers.density_prior_box(features, image, [2], [4.0], [1.0], flatten_to_2d=True)
    ...     boxes.numpy()
    array([[0.125, 0.125, 0.375, 0.375],
           [0.625, 0.125, 0.875, 0.375],
           [0.125, 0.625, 0.375, 0.875],
           [0.625, 0.625, 0.875, 0.875]], dtype=float32)
    """
    where = "density_prior_box"
    step_w, step_h = two(where, "steps", steps)
    return ops.density_prior_box.call(
        input,
        image,
        densities=ints(where, "densities", densities),
        fixed_sizes=floats(where, "fixed_sizes", fixed_sizes),
        fixed_ratios=floats(where, "fixed_ratios", fixed_ratios),
        variances=floats(where, "variance", variance),
        clip=clip,
        step_w=step_w,
        step_h=step_h,
        offset=offset,
        flatten_to_2d=flatten_to_2d,
    )


def anchor_generator(
    input: Any,
    anchor_sizes: Any = None,
    aspect_ratios: Any = None,
    variance: Any = VARIANCE,
    stride: Any = None,
    offset: float = 0.5,
    name: str | None = None,
) -> tuple:
    """The anchors of Faster R-CNN at each place of a feature map (Ren et al. 2015).

    Arguments:
        input: the feature map, [N, C, H, W].
        anchor_sizes: sizes in pixels.
        aspect_ratios: height / width; each size comes in each of them.
        variance: four numbers, handed on with each anchor.
        stride: how far places lie apart in the image, along width and height (pixels).
        offset: where in its cell an anchor is centred, as a fraction.
        name: kept for Fluid code.

    Returns:
        (anchors [H, W, P, 4] as xmin, ymin, xmax, ymax in pixels, their variances [H, W, P, 4]).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     features = fluid.dygraph.to_variable(np.zeros([1, 8, 1, 1], 'float32'))
    ...     anchors, _ = fluid.layers.anchor_generator(features, [32, 64], [1.0], stride=[16.0, 16.0])
    ...     anchors.numpy()[0, 0]
    array([[ -8.,  -8.,  23.,  23.],
           [-24., -24., 39., 39.]], dtype=float32)
    """
    where = "anchor_generator"
    return ops.anchor_generator.call(
        input,
        anchor_sizes=floats(where, "anchor_sizes", anchor_sizes),
        aspect_ratios=floats(where, "aspect_ratios", aspect_ratios),
        variances=floats(where, "variance", variance),
        stride=two(where, "stride", stride),
        offset=offset,
    )


def box_coder(
    prior_box: Any,
    prior_box_var: Any,
    target_box: Any,
    code_type: str = "encode_center_size",
    box_normalized: bool = True,
    name: str | None = None,
    axis: int = 0,
) -> Any:
    """Boxes relative to prior boxes, or such codes back as boxes.

    The code of a box with centre (x, y), width w and height h is ((x - px) / pw, (y - py) / ph, log(w / pw), log(h / ph)),
    divided by the variance.

    Arguments:
        prior_box: [M, 4] as xmin, ymin, xmax, ymax.
        prior_box_var: their variances: a Variable [M, 4], a list of four numbers, or None for 1.
        target_box: to encode, boxes [N, 4]; to decode, codes [N, M, 4] ([M, N, 4] where `axis` is 1).
        code_type: "encode_center_size" or "decode_center_size".
        box_normalized: boxes are fractions; False: they count pixels, and both ends belong to a box.
        name: kept for Fluid code.
        axis: the axis of the codes that the priors belong to: 0 for columns, 1 for rows. Encoding ignores it.

    Returns:
        codes [N, M, 4], or boxes of the shape of `target_box`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     prior = fluid.dygraph.to_variable(np.array([[0, 0, 2, 2]], 'float32'))
    ...     box = fluid.dygraph.to_variable(np.array([[1, 0, 3, 2]], 'float32'))
    ...     fluid.layers.box_coder(prior, [0.1, 0.1, 0.2, 0.2], box).numpy()
    array([[[5., 0., 0., 0.]]], dtype=float32)
    """
    spread = prior_box_var if is_variable(prior_box_var) else None
    listed = [] if prior_box_var is None or spread is not None else floats("box_coder", "prior_box_var", prior_box_var)
    attrs = {"code_type": code_type, "box_normalized": box_normalized, "axis": axis, "variance": listed}
    return ops.box_coder.call(prior_box, spread, target_box, **attrs)


def box_decoder_and_assign(
    prior_box: Any, prior_box_var: Any, target_box: Any, box_score: Any, box_clip: float, name: str | None = None
) -> tuple:
    """Codes of a box for each class as boxes, and of each row the box of the class with the best score.

    Arguments:
        prior_box: [N, 4] as xmin, ymin, xmax, ymax in pixels; both ends belong to a box.
        prior_box_var: [4], by which the codes are multiplied.
        target_box: [N, classes * 4], for each class x, y, w, h, coded as in box_coder.
        box_score: [N, classes]; class 0 is the background.
        box_clip: how large the codes w and h may be.
        name: kept for Fluid code.

    Returns:
        (boxes [N, classes * 4], of each row the box of the class with the best score, without the background: [N, 4]).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     arrays = [[0, 0, 3, 3]], [1, 1, 1, 1], [[0] * 8 + [0.5, 0, 0, 0]], [[0.5, 0.125, 0.25]]
    ...     args = [fluid.dygraph.to_variable(np.array(a, 'float32')) for a in arrays]
    ...     fluid.layers.box_decoder_and_assign(*args, 4.0)[1].numpy()
    array([[2., 0., 5., 3.]], dtype=float32)
    """
    return ops.box_decoder_and_assign.call(
        prior_box, prior_box_var, target_box, box_score, box_clip=number("box_decoder_and_assign", "box_clip", box_clip)
    )


def box_clip(input: Any, im_info: Any, name: str | None = None) -> Any:
    """Boxes cut at the edges of their images.

    Arguments:
        input: boxes [..., 4] in pixels, with a LoD of one level that tells which rows belong to which image.
        im_info: [images, 3]: height, width and scale. Boxes are cut at round(height / scale) - 1 and alike.
        name: kept for Fluid code.

    Returns:
        the boxes, with the LoD of `input`.

    Raises:
        LoDError: `input` has no LoD, or not one of as many images.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     boxes = Variable(np.array([[-3, 2, 8, 30]], 'float32'), lod=((0, 1),))
    ...     fluid.layers.box_clip(boxes, fluid.dygraph.to_variable(np.array([[20, 10, 1]], 'float32'))).numpy()
    array([[ 0.,  2.,  8., 19.]], dtype=float32)
    """
    return ops.box_clip.call(input, im_info)


def iou_similarity(x: Any, y: Any, box_normalized: bool = True, name: str | None = None) -> Any:
    """How well boxes cover each other: the area that two share over the area that they cover together.

    Arguments:
        x: [N, 4] as xmin, ymin, xmax, ymax.
        y: [M, 4]
        box_normalized: boxes are fractions; False: they count pixels, and both ends belong to a box.
        name: kept for Fluid code.

    Returns:
        [N, M], from 0 to 1, with the LoD of `x`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0, 0, 2, 1], [0, 0, 1, 1]], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.array([[0, 0, 1, 1]], 'float32'))
    ...     fluid.layers.iou_similarity(x, y).numpy()
    array([[0.5],
           [1. ]], dtype=float32)
    """
    return ops.iou_similarity.call(x, y, box_normalized=box_normalized)


def polygon_box_transform(input: Any, name: str | None = None) -> Any:
    """Offsets at each place of a feature map as coordinates in an image 4 times as fine (text detection, Zhou et al. 2017).

    Arguments:
        input: [N, 2 * corners, H, W]; along the channels x and y in turn.
        name: kept for Fluid code.

    Returns:
        the same shape: 4 * column - x, and 4 * row - y.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.polygon_box_transform(fluid.dygraph.to_variable(np.ones([1, 2, 1, 3], 'float32'))).numpy()
    array([[[[-1.,  3.,  7.]],
    <BLANKLINE>
            [[-1., -1., -1.]]]], dtype=float32)
    """
    return ops.polygon_box_transform.call(input)
