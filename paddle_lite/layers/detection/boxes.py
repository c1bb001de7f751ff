"""Default boxes over feature maps; intersection over union, encoding and clipping of boxes."""

from __future__ import annotations

from typing import Any

from ...core.calls.former import formerly
from ...core.errors import ArgumentValueError, message
from ...core.typing import Variable
from ...ops.detection import boxes as ops
from ..support.arguments import check_number, float_list, int_list, is_variable

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
    """Return a list of two numbers: along the width, along the height."""
    numbers = float_list(where, name, value)
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
) -> tuple[Variable, Variable]:
    """Compute the default boxes of SSD at each position of a feature map.

    Source: Liu et al., "SSD: Single Shot MultiBox Detector", 2016.

    Arguments:
        input: the feature map [N, C, H, W]; only its size is used.
        image: the image [N, C, height, width]; only its size is used.
        min_sizes: sizes in pixels; there is one box for each size and aspect ratio.
        max_sizes: one for each of `min_sizes`, larger; each adds a square of side sqrt(min_size * max_size).
        aspect_ratios: width / height; 1 is always included.
        variance: four numbers that are returned for each box.
        flip: whether to add the inverse of each ratio.
        clip: whether to clip the boxes to the image.
        steps: the distance of positions in pixels, along width and height; 0 for the ratio of the sizes.
        offset: the center of a box in its cell, as a fraction.
        name: accepted for Fluid code, ignored.
        min_max_aspect_ratios_order: whether the square between min and max comes second rather than last.

    Returns:
        (boxes [H, W, P, 4] as xmin, ymin, xmax, ymax in fractions of the image, their variances [H, W, P, 4]).

    Raises:
        ArgumentTypeError: input or image is not a Variable, or a size is not a number.
        ArgumentValueError: a list of numbers is empty or of the wrong length, or a number is out of range.
        ShapeError: the rank of input or image is not 4.
        DtypeError: input or image is not float32 or float64.

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
        min_sizes=float_list(where, "min_sizes", min_sizes),
        max_sizes=[] if max_sizes is None else float_list(where, "max_sizes", max_sizes),
        aspect_ratios=float_list(where, "aspect_ratios", aspect_ratios),
        variances=float_list(where, "variance", variance),
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
) -> tuple[Variable, Variable]:
    """Compute default boxes at several positions in each cell of a feature map.

    Source: Zhang et al., "FaceBoxes", 2017.

    Arguments:
        input: the feature map [N, C, H, W]; only its size is used.
        image: the image [N, C, height, width]; only its size is used.
        densities: ints, one for each of `fixed_sizes`: boxes of this size have density * density positions in a cell.
        fixed_sizes: sizes in pixels.
        fixed_ratios: width / height; there is a box for each size and ratio.
        variance: four numbers that are returned for each box.
        clip: whether to clip the boxes to the image.
        steps: the distance of cells in pixels, along width and height; 0 for the ratio of the sizes.
        offset: the center of the boxes in their cell, as a fraction.
        flatten_to_2d: whether to return [H * W * P, 4].
        name: accepted for Fluid code, ignored.

    Returns:
        (boxes [H, W, P, 4] as xmin, ymin, xmax, ymax in fractions of the image, their variances [H, W, P, 4]).

    Raises:
        ArgumentTypeError: input or image is not a Variable, or a list holds something other than numbers.
        ArgumentValueError: the lists do not fit together, or a number is out of range.
        ShapeError: the rank of input or image is not 4.

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
        densities=int_list(where, "densities", densities),
        fixed_sizes=float_list(where, "fixed_sizes", fixed_sizes),
        fixed_ratios=float_list(where, "fixed_ratios", fixed_ratios),
        variances=float_list(where, "variance", variance),
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
) -> tuple[Variable, Variable]:
    """Compute the anchors of Faster R-CNN at each position of a feature map.

    Source: Ren et al., "Faster R-CNN", 2015.

    Arguments:
        input: the feature map [N, C, H, W]; only its size is used.
        anchor_sizes: sizes in pixels.
        aspect_ratios: height / width; there is an anchor for each size and ratio.
        variance: four numbers that are returned for each box.
        stride: the distance of positions in the image in pixels, along width and height.
        offset: the center of an anchor in its cell, as a fraction.
        name: accepted for Fluid code, ignored.

    Returns:
        (anchors [H, W, P, 4] as xmin, ymin, xmax, ymax in pixels, their variances [H, W, P, 4]).

    Raises:
        ArgumentTypeError: input is not a Variable, or a list holds something other than numbers.
        ArgumentValueError: a list is empty or of the wrong length, or a size is not positive.
        ShapeError: the rank of input is not 4.

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
        anchor_sizes=float_list(where, "anchor_sizes", anchor_sizes),
        aspect_ratios=float_list(where, "aspect_ratios", aspect_ratios),
        variances=float_list(where, "variance", variance),
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
) -> Variable:
    """Encode boxes relative to prior boxes, or decode such codes to boxes.

    The code of a box with center (x, y), width w and height h is ((x - px) / pw, (y - py) / ph, log(w / pw), log(h /
    ph)) divided by the variance, where px, py, pw and ph belong to the prior box.

    Arguments:
        prior_box: [M, 4] as xmin, ymin, xmax, ymax.
        prior_box_var: the variances: a Variable [M, 4], a list of four numbers, or None for 1.
        target_box: to encode: boxes [N, 4]; to decode: codes [N, M, 4], or [M, N, 4] where `axis` is 1.
        code_type: "encode_center_size" or "decode_center_size".
        box_normalized: whether boxes are fractions of the image. False: they are in pixels, and both ends belong to a
            box.
        name: accepted for Fluid code, ignored.
        axis: for decoding: the axis of the codes that the prior boxes are broadcast along, 0 or 1.

    Returns:
        A Variable: codes [N, M, 4], or boxes of the shape of `target_box`.

    Raises:
        ArgumentTypeError: prior_box or target_box is not a Variable, or prior_box_var has another form.
        ArgumentValueError: code_type or axis is unknown, or prior_box_var has not four numbers.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     prior = fluid.dygraph.to_variable(np.array([[0, 0, 2, 2]], 'float32'))
    ...     box = fluid.dygraph.to_variable(np.array([[1, 0, 3, 2]], 'float32'))
    ...     fluid.layers.box_coder(prior, [0.1, 0.1, 0.2, 0.2], box).numpy()
    array([[[5., 0., 0., 0.]]], dtype=float32)
    """
    spread = prior_box_var if is_variable(prior_box_var) else None
    listed = (
        [] if prior_box_var is None or spread is not None else float_list("box_coder", "prior_box_var", prior_box_var)
    )
    attrs = {"code_type": code_type, "box_normalized": box_normalized, "axis": axis, "variance": listed}
    return ops.box_coder.call(prior_box, spread, target_box, **attrs)


def box_decoder_and_assign(
    prior_box: Any, prior_box_var: Any, target_box: Any, box_score: Any, box_clip: float, name: str | None = None
) -> tuple[Variable, Variable]:
    """Decode the codes of a box for each class, and select for each row the box of the class with the best score.

    Arguments:
        prior_box: [N, 4] as xmin, ymin, xmax, ymax in pixels; both ends belong to a box.
        prior_box_var: [4], factors of the codes.
        target_box: [N, classes * 4]: for each class a code as in box_coder.
        box_score: [N, classes]; class 0 is the background.
        box_clip: the upper limit of the codes of width and height.
        name: accepted for Fluid code, ignored.

    Returns:
        (boxes [N, classes * 4], the boxes of the best class without the background [N, 4]).

    Raises:
        ArgumentTypeError: an input is not a Variable, or box_clip is not a number.
        ShapeError: the shapes do not fit.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     arrays = [[0, 0, 3, 3]], [1, 1, 1, 1], [[0] * 8 + [0.5, 0, 0, 0]], [[0.5, 0.125, 0.25]]
    ...     args = [fluid.dygraph.to_variable(np.array(a, 'float32')) for a in arrays]
    ...     fluid.layers.box_decoder_and_assign(*args, 4.0)[1].numpy()
    array([[2., 0., 5., 3.]], dtype=float32)
    """
    return ops.box_decoder_and_assign.call(
        prior_box,
        prior_box_var,
        target_box,
        box_score,
        box_clip=check_number("box_decoder_and_assign", "box_clip", box_clip),
    )


def box_clip(input: Any, im_info: Any, name: str | None = None) -> Variable:
    """Clip boxes to their images.

    Arguments:
        input: boxes [..., 4] in pixels, with a LoD of one level: one sequence of rows for each image.
        im_info: [images, 3]: height, width and scale. Boxes are clipped to round(height / scale) - 1 and round(width /
            scale) - 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable with the clipped boxes and the LoD of `input`.

    Raises:
        ArgumentTypeError: input or im_info is not a Variable.
        LoDError: input has no LoD of one level, or another number of images.
        ShapeError: the shapes do not fit.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> from paddle_lite.imperative import Variable
    >>> with fluid.dygraph.guard():
    ...     boxes = Variable(np.array([[-3, 2, 8, 30]], 'float32'), lod=((0, 1),))
    ...     fluid.layers.box_clip(boxes, fluid.dygraph.to_variable(np.array([[20, 10, 1]], 'float32'))).numpy()
    array([[ 0.,  2.,  8., 19.]], dtype=float32)
    """
    return ops.box_clip.call(input, im_info)


@formerly("x y name")
def iou_similarity(x: Any, y: Any, box_normalized: bool = True, name: str | None = None) -> Variable:
    """Compute the intersection over union of each pair of boxes.

    Arguments:
        x: [N, 4] as xmin, ymin, xmax, ymax.
        y: [M, 4], of the dtype of x.
        box_normalized: whether boxes are fractions of the image. False: they are in pixels, and both ends belong to a
            box.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [N, M] with values from 0 to 1 and the LoD of `x`.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: x or y is not [n, 4].
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[0, 0, 2, 1], [0, 0, 1, 1]], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.array([[0, 0, 1, 1]], 'float32'))
    ...     fluid.layers.iou_similarity(x, y).numpy()
    array([[0.5],
           [1. ]], dtype=float32)
    """
    return ops.iou_similarity.call(x, y, box_normalized=box_normalized)


def polygon_box_transform(input: Any, name: str | None = None) -> Variable:
    """Convert the offsets at each position of a feature map to coordinates in an image of 4 times its size.

    Source: Zhou et al., "EAST: An Efficient and Accurate Scene Text Detector", 2017.

    Arguments:
        input: [N, 2 * corners, H, W]; the channels alternate between x and y.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape of `input`: 4 * column - x, and 4 * row - y.

    Raises:
        ArgumentTypeError: input is not a Variable.
        ShapeError: the rank of input is not 4, or the number of channels is odd.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.polygon_box_transform(fluid.dygraph.to_variable(np.ones([1, 2, 1, 3], 'float32'))).numpy()
    array([[[[-1.,  3.,  7.]],
    <BLANKLINE>
            [[-1., -1., -1.]]]], dtype=float32)
    """
    return ops.polygon_box_transform.call(input)
