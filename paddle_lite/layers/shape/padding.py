"""Pad Variables, and crop windows out of them."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...core.typing import Variable
from ...ops.shape import padding as ops
from ..support.arguments import check_variable, int_list, is_int, is_variable, shape_inputs
from ..support.taken import inputs_taken, variable_taken

__all__ = ["crop", "crop_tensor", "pad", "pad2d", "pad_constant_like"]


def pad(x: Variable, paddings: Any, pad_value: float = 0.0, name: str | None = None) -> Variable:
    """Pad a Variable with a constant along each axis.

    Arguments:
        x: a Variable of any shape.
        paddings: ints, two for each axis: how many elements to add before and after.
        pad_value: the constant.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or paddings is not a list of ints.
        ShapeError: paddings has another length, or a negative number.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([1, 2], 'float32'))
    ...     fluid.layers.pad(x, [0, 1, 1, 0]).numpy()
    array([[0., 1., 1.],
           [0., 0., 0.]], dtype=float32)
    """
    inputs_taken("pad", "x", x)
    return ops.pad.call(x, paddings=int_list("pad", "paddings", paddings), pad_value=float(pad_value))


def pad2d(
    input: Any,
    paddings: Any = (0, 0, 0, 0),
    mode: str = "constant",
    pad_value: float = 0.0,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Variable:
    """Pad the height and width of images.

    Arguments:
        input: [N, C, H, W], or [N, H, W, C] for data_format "NHWC".
        paddings: [top, bottom, left, right]: ints, or an int32 Variable of four.
        mode: "constant" (pad with `pad_value`), "edge" (repeat the outermost elements) or "reflect" (mirror the image
            at its edge; the edge is not repeated).
        pad_value: the constant for the mode "constant".
        data_format: "NCHW" or "NHWC".
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype and layout of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or paddings has another form.
        ArgumentValueError: mode or data_format is unknown.
        ShapeError: input has another rank, paddings has not four numbers, or the image is too small for them.
        DtypeError: paddings is a Variable but not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[[[1., 2., 3.]]]], 'float32'))
    ...     fluid.layers.pad2d(x, [0, 0, 2, 0], mode='reflect').numpy()
    array([[[[3., 2., 1., 2., 3.]]]], dtype=float32)
    """
    inputs_taken("pad2d", "input", input)
    tensor = paddings if is_variable(paddings) else None
    numbers = [0, 0, 0, 0] if tensor is not None else int_list("pad2d", "paddings", paddings)
    return ops.pad2d.call(
        input, tensor, paddings=numbers, pad_value=float(pad_value), mode=mode, data_format=data_format
    )


def pad_constant_like(x: Variable, y: Variable, pad_value: float = 0.0, name: str | None = None) -> Variable:
    """Pad `y` with a constant at the end of each axis, to the shape of `x`.

    Arguments:
        x: a Variable of the wanted shape.
        y: a Variable of the rank and dtype of x; no size is larger than that of x.
        pad_value: the constant.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the ranks differ, or a size of y is larger.
        DtypeError: the dtypes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3], 'float32'))
    ...     fluid.layers.pad_constant_like(x, x[0:1, 0:2] + 1).numpy()
    array([[1., 1., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    return ops.pad_constant_like.call(x, y, pad_value=float(pad_value))


def crop(x: Variable, shape: Any = None, offsets: Any = None, name: str | None = None) -> Variable:
    """Crop a window that starts at `offsets` (the older form of crop_tensor).

    Arguments:
        x: a Variable of rank 1 or more.
        shape: the sizes of the window: ints, one for each axis, or a Variable of the wanted shape; -1 for all elements
            from the offset on.
        offsets: ints, or an int32 Variable; 0 for each axis where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or shape or offsets has another form.
        ShapeError: the window is not inside of x, or a list has not one number for each axis.
        DtypeError: offsets is a Variable but not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2., 3.]], 'float32'))
    ...     fluid.layers.crop(x, shape=[1, 2], offsets=[0, 1]).numpy()
    array([[2., 3.]], dtype=float32)
    """
    rank = len(check_variable("crop", "x", x).shape)
    if shape is None:
        raise ArgumentTypeError(message("crop", "shape", "None", "a list of ints, or a Variable of the shape wanted"))
    like = shape if is_variable(shape) else None
    starts = offsets if is_variable(offsets) else None
    numbers = [0] * rank if offsets is None else [] if starts is not None else int_list("crop", "offsets", offsets)
    sizes = [] if like is not None else int_list("crop", "shape", shape)
    return ops.crop.call(x, like, starts, offsets=numbers, shape=sizes)


def crop_tensor(x: Variable, shape: Any = None, offsets: Any = None, name: str | None = None) -> Variable:
    """Crop a window that starts at `offsets`.

    Arguments:
        x: a Variable of rank 1 or more.
        shape: the sizes of the window, one for each axis: ints and int32 Variables of one element, or one int32
            Variable; -1 for all elements from the offset on.
        offsets: the start of the window, in the same forms; 0 for each axis where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or shape or offsets has another form.
        ArgumentValueError: a size is 0 or below -1, or an offset is negative.
        ShapeError: the window is not inside of x, or a list has not one number for each axis.
        DtypeError: shape or offsets is a Variable but not int32.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([[1., 2., 3.]], 'float32'))
    ...     fluid.layers.crop_tensor(x, shape=[-1, 2], offsets=[0, 1]).numpy()
    array([[2., 3.]], dtype=float32)
    """
    rank = len(variable_taken("crop_tensor", "x", x).shape)
    if isinstance(shape, (list, tuple)) and any(is_int(n) and (n == 0 or n < -1) for n in shape):
        raise ArgumentValueError(message("crop_tensor", "shape", describe(shape), "sizes above 0, or -1"))
    if isinstance(offsets, (list, tuple)) and any(is_int(n) and n < 0 for n in offsets):
        raise ArgumentValueError(message("crop_tensor", "offsets", describe(offsets), "offsets of 0 or more"))
    sizes, shape_tensor, shape_tensors = shape_inputs("crop_tensor", shape)
    starts, offset_tensor, offset_tensors = shape_inputs(
        "crop_tensor", [0] * rank if offsets is None else offsets, "offsets"
    )
    return ops.crop_tensor.call(
        x, shape_tensor, offset_tensor, shape_tensors, offset_tensors, offsets=starts, shape=sizes
    )
