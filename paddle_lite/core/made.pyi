"""Functions that factories make. Made by `python -m stubs`."""

from collections.abc import Callable
from paddle_lite.core.typing import Variable
from paddle_lite.ops.framework.complex_variable import ComplexVariable
from typing import Any

def abs(x: Any, name: str | None = None) -> Variable:
    """Compute Out = |X|.

    Arguments:
        x: a Variable of any shape, float32, float64 or integers.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.abs(x).shape
    [2]
    """
    ...

def acos(x: Any, name: str | None = None) -> Variable:
    """Compute Out = arccos(X) in radians.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.acos(x).shape
    [2]
    """
    ...

def asin(x: Any, name: str | None = None) -> Variable:
    """Compute Out = arcsin(X) in radians.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.asin(x).shape
    [2]
    """
    ...

def atan(x: Any, name: str | None = None, out: Any = None) -> Variable:
    """Compute Out = arctan(X) in radians.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Paddle code, ignored.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.atan(paddle.imperative.to_variable(np.zeros(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    ...

def atan_of_activation(x: Any, name: str | None = None) -> Variable:
    """Compute Out = arctan(X) in radians.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.atan(x).shape
    [2]
    """
    ...

def ceil(x: Any, name: str | None = None) -> Variable:
    """Compute Out = X rounded up.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.ceil(x).shape
    [2]
    """
    ...

def cos(x: Any, name: str | None = None) -> Variable:
    """Compute Out = cos(X), X in radians.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.cos(x).shape
    [2]
    """
    ...

def dygraph_to_static_func(function: Callable) -> Callable:
    """Translate a function for imperative mode into a Program, including `if` and loops on Variables.

    A call in imperative mode is one entry of the tape, so that the function can be trained. A call with new numbers,
    strings or objects as arguments, with other dtypes or ranks, or after `train()` or `eval()` translates the function
    again. A call with another batch size does not, nor does a change of globals or of attributes of a Layer.

    Arguments:
        function: a function or method.

    Returns:
        A function with the same arguments that runs the Program.

    Raises:
        ArgumentTypeError: `function` is not a Python function or method.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> @fluid.dygraph.declarative
    ... def halve(x):
    ...     return x / 2
    >>> fluid.dygraph.ProgramTranslator().enable(False)
    >>> with fluid.dygraph.guard():
    ...     halve(fluid.dygraph.to_variable(np.array([3.0], 'float32'))).numpy()
    array([1.5], dtype=float32)
    >>> fluid.dygraph.ProgramTranslator().enable(True)
    """
    ...

def elementwise_add(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = X + Y.

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_add(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_add_of_complex_numbers(x: Any, y: Any, axis: int = -1, name: str | None = None) -> ComplexVariable:
    """Compute x + y of complex Variables, with broadcasting.

    Arguments:
        x, y: ComplexVariables; one of them may be a real Variable.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable of the broadcast shape.

    Raises:
        ArgumentTypeError: neither is complex, or one is no Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes of the parts differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1 + 2j, 4]))
    >>> y = paddle.imperative.to_variable(np.array([2j, 2.]))
    >>> paddle.complex.elementwise_add(x, y).numpy()
    array([1.+4.j, 6.+0.j])
    """
    ...

def elementwise_div(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = X / Y; the quotient of integers is truncated towards zero.

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_div(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_div_of_complex_numbers(x: Any, y: Any, axis: int = -1, name: str | None = None) -> ComplexVariable:
    """Compute x / y of complex Variables, with broadcasting.

    Arguments:
        x, y: ComplexVariables; one of them may be a real Variable.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable of the broadcast shape.

    Raises:
        ArgumentTypeError: neither is complex, or one is no Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes of the parts differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1 + 2j, 4]))
    >>> y = paddle.imperative.to_variable(np.array([2j, 2.]))
    >>> paddle.complex.elementwise_div(x, y).numpy()
    array([1.-0.5j, 2.+0.j ])
    """
    ...

def elementwise_floordiv(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = X / Y of integers, truncated towards zero.

    Arguments:
        x, y: Variables of one dtype (int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'int64'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'int64'))
    ...     fluid.layers.elementwise_floordiv(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_max(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = the larger of X and Y, NaN where either is; where they are equal the gradient goes to Y.

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_max(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_min(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = the smaller of X and Y, NaN where either is; where they are equal the gradient goes to Y.

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_min(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_mod(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = the remainder of X / Y: with the sign of Y for floats, of X for integers (as in C).

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_mod(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_mul(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = X * Y.

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_mul(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_mul_of_complex_numbers(x: Any, y: Any, axis: int = -1, name: str | None = None) -> ComplexVariable:
    """Compute x * y of complex Variables, with broadcasting.

    Arguments:
        x, y: ComplexVariables; one of them may be a real Variable.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable of the broadcast shape.

    Raises:
        ArgumentTypeError: neither is complex, or one is no Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes of the parts differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1 + 2j, 4]))
    >>> y = paddle.imperative.to_variable(np.array([2j, 2.]))
    >>> paddle.complex.elementwise_mul(x, y).numpy()
    array([-4.+2.j,  8.+0.j])
    """
    ...

def elementwise_pow(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = X ** Y; a negative power of an integer is cut off to 0.

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_pow(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_sub(x: Any, y: Any, axis: int = -1, act: str | None = None, name: str | None = None) -> Variable:
    """Compute Out = X - Y.

    Arguments:
        x, y: Variables of one dtype (float32, float64, int32 or int64); their shapes are broadcast together.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x or y is not a Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes differ or are not supported.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     y = fluid.dygraph.to_variable(np.ones([2], 'float32'))
    ...     fluid.layers.elementwise_sub(x, y, axis=0).shape
    [2, 3]
    """
    ...

def elementwise_sub_of_complex_numbers(x: Any, y: Any, axis: int = -1, name: str | None = None) -> ComplexVariable:
    """Compute x - y of complex Variables, with broadcasting.

    Arguments:
        x, y: ComplexVariables; one of them may be a real Variable.
        axis: the dimension of x that the first dimension of y is aligned with; -1 aligns the trailing dimensions.
        name: accepted for Fluid code, ignored.

    Returns:
        A ComplexVariable of the broadcast shape.

    Raises:
        ArgumentTypeError: neither is complex, or one is no Variable.
        ShapeError: the shapes cannot be broadcast together.
        DtypeError: the dtypes of the parts differ.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> x = paddle.imperative.to_variable(np.array([1 + 2j, 4]))
    >>> y = paddle.imperative.to_variable(np.array([2j, 2.]))
    >>> paddle.complex.elementwise_sub(x, y).numpy()
    array([1.+0.j, 2.+0.j])
    """
    ...

def empty_var_name() -> str:
    """Return the name of a Variable that is not there."""
    ...

def equal(x: Any, y: Any, cond: Any = None) -> Variable:
    """Compute Out = X == Y.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or cond is not a Variable.
        DtypeError: the dtypes differ.
        ShapeError: the shapes cannot be broadcast together.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2, 3]))
    ...     fluid.layers.equal(x, x).shape
    [3]
    """
    ...

def exp(x: Any, name: str | None = None) -> Variable:
    """Compute Out = e ** X.

    Arguments:
        x: a Variable of any shape, float32, float64 or integers.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.exp(x).shape
    [2]
    """
    ...

def floor(x: Any, name: str | None = None) -> Variable:
    """Compute Out = X rounded down.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.floor(x).shape
    [2]
    """
    ...

def get_world_size() -> int:
    """Return the number of trainers, from PADDLE_TRAINERS_NUM; 1 by default."""
    ...

def grad_var_suffix() -> str:
    """Return what follows the name of a Variable in that of its gradient."""
    ...

def greater_equal(x: Any, y: Any, cond: Any = None) -> Variable:
    """Compute Out = X >= Y.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or cond is not a Variable.
        DtypeError: the dtypes differ.
        ShapeError: the shapes cannot be broadcast together.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2, 3]))
    ...     fluid.layers.greater_equal(x, x).shape
    [3]
    """
    ...

def greater_than(x: Any, y: Any, cond: Any = None) -> Variable:
    """Compute Out = X > Y.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or cond is not a Variable.
        DtypeError: the dtypes differ.
        ShapeError: the shapes cannot be broadcast together.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2, 3]))
    ...     fluid.layers.greater_than(x, x).shape
    [3]
    """
    ...

def interpolate(input: Any, out_shape: Any = None, scale: Any = None, name: str | None = None, resample: str = 'BILINEAR', actual_shape: Any = None, align_corners: bool = True, align_mode: int = 1, data_format: str = 'NCHW') -> Variable:
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
    ...

def less_equal(x: Any, y: Any, cond: Any = None) -> Variable:
    """Compute Out = X <= Y.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or cond is not a Variable.
        DtypeError: the dtypes differ.
        ShapeError: the shapes cannot be broadcast together.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2, 3]))
    ...     fluid.layers.less_equal(x, x).shape
    [3]
    """
    ...

def log(x: Any, name: str | None = None) -> Variable:
    """Compute Out = ln(X).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.log(x).shape
    [2]
    """
    ...

def logical_and(x: Any, y: Any, out: Any = None, name: str | None = None) -> Variable:
    """Compute Out = X and Y.

    Arguments:
        x, y: bool Variables of one shape.
        out: a bool Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A bool Variable of their shape.

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        DtypeError: x or y is not bool.
        ShapeError: the shapes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([True, False]))
    ...     fluid.layers.logical_and(x, x).shape
    [2]
    """
    ...

def logical_or(x: Any, y: Any, out: Any = None, name: str | None = None) -> Variable:
    """Compute Out = X or Y.

    Arguments:
        x, y: bool Variables of one shape.
        out: a bool Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A bool Variable of their shape.

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        DtypeError: x or y is not bool.
        ShapeError: the shapes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([True, False]))
    ...     fluid.layers.logical_or(x, x).shape
    [2]
    """
    ...

def logical_xor(x: Any, y: Any, out: Any = None, name: str | None = None) -> Variable:
    """Compute Out = X xor Y.

    Arguments:
        x, y: bool Variables of one shape.
        out: a bool Variable to write the result into; a new one where it is None.
        name: accepted for Fluid code, ignored.

    Returns:
        A bool Variable of their shape.

    Raises:
        ArgumentTypeError: x, y or out is not a Variable.
        DtypeError: x or y is not bool.
        ShapeError: the shapes differ.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([True, False]))
    ...     fluid.layers.logical_xor(x, x).shape
    [2]
    """
    ...

def logsigmoid(x: Any, name: str | None = None) -> Variable:
    """Compute Out = log(1 / (1 + exp(-X))), without overflow.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.logsigmoid(x).shape
    [2]
    """
    ...

def not_equal(x: Any, y: Any, cond: Any = None) -> Variable:
    """Compute Out = X != Y.

    Arguments:
        x, y: Variables of one dtype; their shapes are broadcast together.
        cond: a bool Variable to write the result into; a new one where it is None.

    Returns:
        A bool Variable of the broadcast shape.

    Raises:
        ArgumentTypeError: x, y or cond is not a Variable.
        DtypeError: the dtypes differ.
        ShapeError: the shapes cannot be broadcast together.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([1, 2, 3]))
    ...     fluid.layers.not_equal(x, x).shape
    [3]
    """
    ...

def reciprocal(x: Any, name: str | None = None) -> Variable:
    """Compute Out = 1 / X.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.reciprocal(x).shape
    [2]
    """
    ...

def reduce_all(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
    """Compute Out = whether all are true over the dimensions `dim`.

    Arguments:
        input: a Variable of any shape, bool.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'bool'))
    ...     fluid.layers.reduce_all(x, dim=1).shape, fluid.layers.reduce_all(x).shape
    ([2], [1])
    """
    ...

def reduce_any(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
    """Compute Out = whether one is true over the dimensions `dim`.

    Arguments:
        input: a Variable of any shape, bool.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'bool'))
    ...     fluid.layers.reduce_any(x, dim=1).shape, fluid.layers.reduce_any(x).shape
    ([2], [1])
    """
    ...

def reduce_max(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
    """Compute Out = the largest element over the dimensions `dim`.

    Arguments:
        input: a Variable of any shape, float32, float64, int32 or int64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     fluid.layers.reduce_max(x, dim=1).shape, fluid.layers.reduce_max(x).shape
    ([2], [1])
    """
    ...

def reduce_mean(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
    """Compute Out = the mean over the dimensions `dim`; that of integers is cut off.

    Arguments:
        input: a Variable of any shape, float32 or float64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     fluid.layers.reduce_mean(x, dim=1).shape, fluid.layers.reduce_mean(x).shape
    ([2], [1])
    """
    ...

def reduce_min(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
    """Compute Out = the smallest element over the dimensions `dim`.

    Arguments:
        input: a Variable of any shape, float32, float64, int32 or int64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     fluid.layers.reduce_min(x, dim=1).shape, fluid.layers.reduce_min(x).shape
    ([2], [1])
    """
    ...

def reduce_prod(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
    """Compute Out = the product over the dimensions `dim`.

    Arguments:
        input: a Variable of any shape, float32, float64, int32 or int64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     fluid.layers.reduce_prod(x, dim=1).shape, fluid.layers.reduce_prod(x).shape
    ([2], [1])
    """
    ...

def reduce_sum(input: Variable, dim: Any = None, keep_dim: bool = False, name: str | None = None) -> Variable:
    """Compute Out = the sum over the dimensions `dim`; computed in `out_dtype` where that is given.

    Arguments:
        input: a Variable of any shape, float32, float64, int32 or int64.
        dim: the dimensions to reduce, an int or a list of ints; all of them where it is None.
        keep_dim: keep the reduced dimensions with size 1.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable; [1] where all dimensions are reduced.

    Raises:
        ArgumentTypeError: input is not a Variable, or dim is not an int or a list of ints.
        ShapeError: input has no such dimension, or a dimension is named twice.
        DtypeError: input has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.ones([2, 3], 'float32'))
    ...     fluid.layers.reduce_sum(x, dim=1).shape, fluid.layers.reduce_sum(x).shape
    ([2], [1])
    """
    ...

def relu(x: Any, name: str | None = None) -> Variable:
    """Compute Out = max(X, 0).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.relu(x).shape
    [2]
    """
    ...

def round(x: Any, name: str | None = None) -> Variable:
    """Compute Out = X rounded, halves away from 0.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.round(x).shape
    [2]
    """
    ...

def rsqrt(x: Any, name: str | None = None) -> Variable:
    """Compute Out = 1 / sqrt(X).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.rsqrt(x).shape
    [2]
    """
    ...

def sigmoid(x: Any, name: str | None = None) -> Variable:
    """Compute Out = 1 / (1 + exp(-X)).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.sigmoid(x).shape
    [2]
    """
    ...

def signature_safe_contextmanager(func: Any) -> Any:
    """@contextmanager decorator.

    Typical usage:

        @contextmanager
        def some_generator(<arguments>):
            <setup>
            try:
                yield <value>
            finally:
                <cleanup>

    This makes this:

        with some_generator(<arguments>) as <variable>:
            <body>

    equivalent to this:

        <setup>
        try:
            <variable> = <value>
            <body>
        finally:
            <cleanup>
    """
    ...

def sin(x: Any, name: str | None = None, out: Any = None) -> Variable:
    """Compute Out = sin(X), X in radians.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Paddle code, ignored.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.sin(paddle.imperative.to_variable(np.zeros(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    ...

def sin_of_activation(x: Any, name: str | None = None) -> Variable:
    """Compute Out = sin(X), X in radians.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.sin(x).shape
    [2]
    """
    ...

def softplus(x: Any, name: str | None = None) -> Variable:
    """Compute Out = log(1 + exp(X)).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.softplus(x).shape
    [2]
    """
    ...

def softsign(x: Any, name: str | None = None) -> Variable:
    """Compute Out = X / (1 + |X|).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.softsign(x).shape
    [2]
    """
    ...

def sqrt(x: Any, name: str | None = None, out: Any = None) -> Variable:
    """Compute Out = the square root of X.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Paddle code, ignored.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.sqrt(paddle.imperative.to_variable(np.zeros(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    ...

def sqrt_of_activation(x: Any, name: str | None = None) -> Variable:
    """Compute Out = the square root of X.

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.sqrt(x).shape
    [2]
    """
    ...

def square(x: Any, name: str | None = None) -> Variable:
    """Compute Out = X * X.

    Arguments:
        x: a Variable of any shape, float32, float64 or integers.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.square(x).shape
    [2]
    """
    ...

def tanh(x: Any, name: str | None = None, out: Any = None) -> Variable:
    """Compute Out = tanh(X).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Paddle code, ignored.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x or out is not a Variable.
        DtypeError: x is not float32 or float64.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.tanh(paddle.imperative.to_variable(np.zeros(2, 'float32'))).numpy()
    array([0., 0.], dtype=float32)
    """
    ...

def tanh_of_activation(x: Any, name: str | None = None) -> Variable:
    """Compute Out = tanh(X).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.tanh(x).shape
    [2]
    """
    ...

def tanh_shrink(x: Any, name: str | None = None) -> Variable:
    """Compute Out = X - tanh(X).

    Arguments:
        x: a Variable of any shape, float32 or float64.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x has another dtype.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.array([0.25, 0.5], 'float32'))
    ...     fluid.layers.tanh_shrink(x).shape
    [2]
    """
    ...
