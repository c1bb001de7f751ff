"""Resizing of images and volumes by interpolation."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, ShapeError, describe, message
from ...core.typing import Variable
from ...ops.vision import interpolate as ops
from ..support.arguments import check_number, check_variable, is_variable, shape_inputs, truncated

__all__ = [
    "image_resize",
    "image_resize_short",
    "interpolate",
    "resize_bilinear",
    "resize_nearest",
    "resize_trilinear",
]

OPS = {
    "BILINEAR": ops.bilinear_interp,
    "NEAREST": ops.nearest_interp,
    "BICUBIC": ops.bicubic_interp,
    "TRILINEAR": ops.trilinear_interp,
}
LAYOUTS = {4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}


def size_inputs(where: str, rank: int, out_shape: Any, actual_shape: Any) -> tuple[list[int], Any, Any]:
    """Convert the size arguments of a call to ([depth, height, width] or zeros, OutSize, SizeTensor) of the operator."""
    if actual_shape is not None:
        check_variable(where, "actual_shape", actual_shape)
    if out_shape is None:
        return [0, 0, 0], actual_shape, None
    sizes, tensor, tensors = shape_inputs(where, truncated(out_shape), "out_shape")
    if tensor is not None:
        return [0, 0, 0], tensor if actual_shape is None else actual_shape, None
    if len(sizes) != rank - 2:
        needs = f"{rank - 2} sizes, for an input of rank {rank}"
        raise ShapeError(message(where, "out_shape", describe(out_shape), needs))
    return [0] * (5 - rank) + sizes, actual_shape, tensors


def scale_inputs(where: str, scale: Any) -> tuple[float, Any]:
    """Split a scale, a number or a Variable that holds it, into (attribute, tensor input)."""
    if scale is None or is_variable(scale):
        return 0.0, scale
    factor = check_number(where, "scale", scale)
    if factor <= 0:
        raise ArgumentValueError(message(where, "scale", scale, "a number above 0"))
    return factor, None


def resized(
    where: str,
    input: Variable,
    out_shape: Any,
    scale: Any,
    resample: Any,
    actual_shape: Any,
    align_corners: bool,
    align_mode: int,
    data_format: str,
) -> Variable:
    """Implement `image_resize` and the functions derived from it; errors name the function `where`."""
    rank = len(check_variable(where, "input", input).shape)
    if not isinstance(resample, str):
        raise ArgumentTypeError(message(where, "resample", describe(resample), f"one of {', '.join(OPS)}"))
    method = resample.upper()
    if method not in OPS:
        raise ArgumentValueError(message(where, "resample", repr(resample), f"one of {', '.join(OPS)}"))
    if not isinstance(align_corners, bool):
        raise ArgumentTypeError(message(where, "align_corners", describe(align_corners), "a bool"))
    if align_mode not in (0, 1):
        raise ArgumentValueError(message(where, "align_mode", repr(align_mode), "0 or 1"))
    needed = 5 if method == "TRILINEAR" else 4
    if rank != needed:
        raise ShapeError(message(where, "input", f"shape {list(input.shape)}", f"rank {needed}, to resample {method}"))
    if data_format not in LAYOUTS[rank]:
        needs = " or ".join(f'"{layout}"' for layout in LAYOUTS[rank])
        raise ArgumentValueError(message(where, "data_format", repr(data_format), needs))
    if out_shape is None and scale is None and actual_shape is None:
        raise ArgumentValueError(message(where, "out_shape and scale", "None for both", "one of them"))
    asked, OutSize, SizeTensor = size_inputs(where, rank, out_shape, actual_shape)
    factor, Scale = scale_inputs(where, scale) if out_shape is None else (0.0, None)
    return OPS[method].call(
        input,
        OutSize,
        SizeTensor,
        Scale,
        out_d=asked[0],
        out_h=asked[1],
        out_w=asked[2],
        scale=factor,
        data_layout="NCHW" if data_format[1] == "C" else "NHWC",
        interp_method=method.lower(),
        align_corners=align_corners,
        align_mode=align_mode,
    )


def image_resize(
    input: Any,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    resample: str = "BILINEAR",
    actual_shape: Any = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCHW",
) -> Variable:
    """Resize an image or a volume by interpolation.

    Point k of the result is at position k * r of `input`, where r = (in - 1) / (out - 1) with `align_corners`, else in
    / out. Without `align_corners`, with `align_mode` 0 or for "BICUBIC", it is at (k + 0.5) * r - 0.5.

    Source of "BICUBIC": Keys, "Cubic convolution interpolation for digital image processing", 1981.

    Arguments:
        input: [N, C, H, W], or [N, C, D, H, W] for "TRILINEAR"; float32, float64 or (except for "BICUBIC") uint8.
        out_shape: the new [H, W] or [D, H, W]: ints and int32 Variables of one element, or one int32 Variable.
        scale: the factor of the size where `out_shape` is None: a number, or a Variable of one element.
        name: accepted for Fluid code, ignored.
        resample: "BILINEAR", "NEAREST", "BICUBIC" or "TRILINEAR".
        actual_shape: an int32 Variable that holds the new size; it has priority over `out_shape` and `scale`.
        align_corners: whether the corners of the result are those of `input`.
        align_mode: 0 or 1, see above.
        data_format: "NCHW" or "NHWC"; "NCDHW" or "NDHWC" for volumes.

    Returns:
        A Variable of the dtype and layout of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or an argument has another type.
        ArgumentValueError: the method, align_mode or data_format is unknown, scale is not above 0, or no size is given.
        ShapeError: the rank of input, or the number of sizes, does not fit.
        DtypeError: the dtype of input is not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[[0, 2], [4, 6]]]], 'float32'))
    ...     fluid.layers.image_resize(x, [3, 3]).numpy()
    array([[[[0., 1., 2.],
             [2., 3., 4.],
             [4., 5., 6.]]]], dtype=float32)
    """
    return resized(
        "image_resize", input, out_shape, scale, resample, actual_shape, align_corners, align_mode, data_format
    )


interpolate = image_resize


def resize_bilinear(
    input: Any,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    actual_shape: Any = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCHW",
) -> Variable:
    """Resize an image by bilinear interpolation; see `image_resize` for the positions.

    Arguments:
        input: [N, C, H, W], or with the channels last; float32, float64 or uint8.
        out_shape: the new [H, W]: ints and int32 Variables of one element, or one int32 Variable.
        scale: the factor of the size where `out_shape` is None: a number, or a Variable of one element.
        name: accepted for Fluid code, ignored.
        actual_shape: an int32 Variable that holds the new size; it has priority over `out_shape` and `scale`.
        align_corners: whether the corners of the result are those of `input`.
        align_mode: 0 or 1, as in `image_resize`.
        data_format: "NCHW" or "NHWC".

    Returns:
        A Variable of the dtype and layout of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or an argument has another type.
        ArgumentValueError: the method, align_mode or data_format is unknown, scale is not above 0, or no size is given.
        ShapeError: the rank of input, or the number of sizes, does not fit.
        DtypeError: the dtype of input is not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[[0, 2, 4]]]], 'float32'))
    ...     fluid.layers.resize_bilinear(x, [1, 6], align_corners=False, align_mode=0).numpy()
    array([[[[0. , 0.5, 1.5, 2.5, 3.5, 4. ]]]], dtype=float32)
    """
    return resized(
        "resize_bilinear", input, out_shape, scale, "BILINEAR", actual_shape, align_corners, align_mode, data_format
    )


def resize_nearest(
    input: Any,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    actual_shape: Any = None,
    align_corners: bool = True,
    data_format: str = "NCHW",
) -> Variable:
    """Resize an image by nearest-neighbour interpolation; see `image_resize` for the positions.

    Arguments:
        input: [N, C, H, W], or with the channels last; float32, float64 or uint8.
        out_shape: the new [H, W]: ints and int32 Variables of one element, or one int32 Variable.
        scale: the factor of the size where `out_shape` is None: a number, or a Variable of one element.
        name: accepted for Fluid code, ignored.
        actual_shape: an int32 Variable that holds the new size; it has priority over `out_shape` and `scale`.
        align_corners: whether the corners of the result are those of `input`.
        data_format: "NCHW" or "NHWC".

    Returns:
        A Variable of the dtype and layout of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or an argument has another type.
        ArgumentValueError: the method, align_mode or data_format is unknown, scale is not above 0, or no size is given.
        ShapeError: the rank of input, or the number of sizes, does not fit.
        DtypeError: the dtype of input is not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[[1, 2], [3, 4]]]], 'float32'))
    ...     fluid.layers.resize_nearest(x, scale=1.5, align_corners=False).numpy()
    array([[[[1., 1., 2.],
             [1., 1., 2.],
             [3., 3., 4.]]]], dtype=float32)
    """
    return resized("resize_nearest", input, out_shape, scale, "NEAREST", actual_shape, align_corners, 1, data_format)


def resize_trilinear(
    input: Any,
    out_shape: Any = None,
    scale: Any = None,
    name: str | None = None,
    actual_shape: Any = None,
    align_corners: bool = True,
    align_mode: int = 1,
    data_format: str = "NCDHW",
) -> Variable:
    """Resize a volume by trilinear interpolation; see `image_resize` for the positions.

    Arguments:
        input: [N, C, D, H, W], or with the channels last; float32, float64 or uint8.
        out_shape: the new [D, H, W]: ints and int32 Variables of one element, or one int32 Variable.
        scale: the factor of the size where `out_shape` is None: a number, or a Variable of one element.
        name: accepted for Fluid code, ignored.
        actual_shape: an int32 Variable that holds the new size; it has priority over `out_shape` and `scale`.
        align_corners: whether the corners of the result are those of `input`.
        align_mode: 0 or 1, as in `image_resize`.
        data_format: "NCDHW" or "NDHWC".

    Returns:
        A Variable of the dtype and layout of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or an argument has another type.
        ArgumentValueError: the method, align_mode or data_format is unknown, scale is not above 0, or no size is given.
        ShapeError: the rank of input, or the number of sizes, does not fit.
        DtypeError: the dtype of input is not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0, 4], 'float32').reshape(1, 1, 2, 1, 1))
    ...     fluid.layers.resize_trilinear(x, [3, 1, 1]).numpy().ravel()
    array([0., 2., 4.], dtype=float32)
    """
    return resized(
        "resize_trilinear", input, out_shape, scale, "TRILINEAR", actual_shape, align_corners, align_mode, data_format
    )


def image_resize_short(input: Variable, out_short_len: float, resample: str = "BILINEAR") -> Variable:
    """Resize an image so that its shorter side has a given length, and keep its aspect ratio.

    Arguments:
        input: [N, C, H, W], float32 or float64.
        out_short_len: the length of the shorter side, a number.
        resample: "BILINEAR", "NEAREST" or "BICUBIC".

    Returns:
        A Variable [N, C, new H, new W] of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or out_short_len is not a number.
        ArgumentValueError: resample is unknown.
        ShapeError: the rank of input is not 4, or H or W is unknown.
        DtypeError: input is not float32 or float64.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([1, 3, 4, 6], 'float32'))
    ...     fluid.layers.image_resize_short(x, 2).shape
    [1, 3, 2, 3]
    """
    where = "image_resize_short"
    shape = check_variable(where, "input", input).shape
    if len(shape) != 4:
        raise ShapeError(message(where, "input", f"shape {list(shape)}", "shape [N, C, H, W]"))
    size = list(shape[2:])
    if min(size) < 1:
        raise ShapeError(message(where, "input", f"shape {list(shape)}", "a height and a width that are known"))
    length = check_number(where, "out_short_len", out_short_len)
    out = [int(n * length / min(size) + 0.5) for n in size]
    out[size.index(min(size))] = int(length)
    return resized(where, input, out, None, resample, None, True, 1, "NCHW")
