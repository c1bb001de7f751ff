"""Functions that factories make. Made by `python -m stubs`."""

from collections.abc import Callable
from collections.abc import Iterable
from collections.abc import Iterator
from collections.abc import Sequence
from paddle_lite.core.typing import Variable
from paddle_lite.core.typing import Variable as VariableType
from paddle_lite.ops.framework.complex_variable import ComplexVariable
from paddle_lite.static.program.block import Block
from paddle_lite.static.program.operator import Operator
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

def autoincreased_step_counter(counter_name: str | None = None, begin: int = 1, step: int = 1) -> Variable:
    """Return a counter of the runs of a Program: an int64 Variable [1] that each run increases by `step` at its start.

    Arguments:
        counter_name: its name; calls with the same name share one counter.
        begin: its value in the first run if `step` is 1: the counter starts at begin - 1, as in Paddle.
        step: the increase in each run.

    Returns:
        The counter, an int64 Variable [1].

    Raises:
        ModeError: in imperative mode, where no Program runs.

    >>> import paddle_lite.fluid as fluid
    >>> main, startup = fluid.Program(), fluid.Program()
    >>> with fluid.program_guard(main, startup), fluid.scope_guard(fluid.Scope()):
    ...     counter = fluid.layers.autoincreased_step_counter(begin=10, step=5)
    ...     exe = fluid.Executor()
    ...     none = exe.run(startup)
    ...     [exe.run(main, fetch_list=[counter])[0].item() for _ in range(3)]
    [14, 19, 24]
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

def convert_call(function: Any) -> Any:
    """Return the function to call in place of a function."""
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

def cross_entropy(input: Any, label: Any, soft_label: bool = False, ignore_index: int = -100) -> Variable:
    """Compute the cross entropy -log(probability of the label) for each row.

    Arguments:
        input: probabilities [N, ..., classes], float32 or float64, for example from softmax.
        label: int64 [N, ..., 1], the class of each row; with `soft_label` probabilities of the shape and dtype of
            `input`.
        soft_label: whether labels are probabilities.
        ignore_index: a label whose rows have the loss 0.

    Returns:
        A Variable [N, ..., 1] of the dtype of `input`.

    Raises:
        ArgumentTypeError: input or label is not a Variable.
        IndexRangeError: a label is not a class.
        ShapeError: the shapes do not fit, or there are no classes.
        DtypeError: input is not float32 or float64, or label is not int64 (with soft_label: of another dtype than
            input).

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     p = fluid.dygraph.to_variable(np.array([[0.5, 0.5]], 'float32'))
    ...     fluid.layers.cross_entropy(p, fluid.dygraph.to_variable(np.array([[1]]))).numpy()
    array([[0.6931472]], dtype=float32)
    """
    ...

def cum_sum(*args: Any, **kwargs: Any) -> Any:
    """"""
    ...

def data(name: str, shape: Sequence[int | None], dtype: Any = 'float32', lod_level: int = 0) -> VariableType:
    """Return a Variable that must be fed when the Program runs; feeds must have this shape and dtype.

    Arguments:
        name: its name, the key in `feed`.
        shape: its shape, including the batch; None or -1 for dimensions of any size.
        dtype: its dtype.
        lod_level: the number of LoD levels of a feed.

    Returns:
        A Variable of the default main Program.

    Raises:
        ArgumentTypeError: `name` is not a string, or `shape` is not a list.
        ShapeError: the Program has a Variable of this name with another shape.
        ArgumentValueError: that Variable has another dtype or number of LoD levels.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.data('image', [None, 1, 28, 28]).shape
    (-1, 1, 28, 28)
    """
    ...

def delete_ops(block: Block, ops: Iterable[Operator]) -> None:
    """Remove operators from a block.

    Raises:
        ArgumentValueError: one of them is not in the block.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.transpiler.details import delete_ops
    >>> with fluid.program_guard(fluid.Program()):
    ...     y = fluid.layers.relu(fluid.layers.tanh(fluid.data('x', [2])))
    >>> delete_ops(y.block, [y.op])
    >>> [op.type for op in y.block.ops]
    ['tanh']
    """
    ...

def dygraph_to_static_func(function: Callable) -> Callable:
    """Translate a function for imperative mode into a Program, including `if` and loops on Variables.

    A call in imperative mode is one entry of the tape, so that the function can be trained. A call with new numbers,
    strings or objects as arguments, with other dtypes or ranks, or after `train()` or `eval()` translates the function
    again. A call with another batch size does not, nor does a change of globals or of attributes of a Layer.

    The backward pass is one Program for all results, as in PaddlePaddle 1.8.5: a result that the loss does not depend on has a
    gradient of zeros. Where its derivative is infinite, zero times infinity makes NaN, which imperative mode does not. Return only
    results that are used if they may be infinite.

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

def elementwise_div_of_layer_functions(*args: Any, **kwargs: Any) -> Any:
    """"""
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
    """Compute Out = X * Y. X may be SelectedRows where Y has one element.

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

def erf(*args: Any, **kwargs: Any) -> Any:
    """"""
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

def fill_constant(shape: Any, dtype: Any, value: Any, force_cpu: bool = False, out: Any = None) -> Variable:
    """Make a Variable that is filled with one number.

    Arguments:
        shape: its sizes: a list of ints and Variables of one element, or an integer Variable.
        dtype: a dtype: its name, a NumPy dtype or a VarType.
        value: a number (truncated for an integer dtype), or a Variable of one element.
        force_cpu: accepted for Fluid code, ignored.
        out: a Variable to write the result into; a new one where it is None.

    Returns:
        A Variable of this shape and dtype.

    Raises:
        ArgumentTypeError: value is not a number, or shape has another form.
        ArgumentValueError: the dtype cannot hold the value.
        ShapeError: a size is negative.
        DtypeError: there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.fill_constant([2, 1], 'int64', 5).numpy()
    array([[5],
           [5]])
    """
    ...

def find_op_by_output_arg(block: Block, arg_name: str, reverse: bool = False) -> int:
    """Return the index of the first operator that writes a Variable, of the last one with `reverse`; -1 if none does."""
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

def gelu(*args: Any, **kwargs: Any) -> Any:
    """"""
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

def hard_shrink(*args: Any, **kwargs: Any) -> Any:
    """"""
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

def mean(x: Any, name: str | None = None) -> Variable:
    """Compute the mean of all elements.

    Arguments:
        x: a Variable of any shape, float32 or float64, with at least one element.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable [1] of the dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable.
        DtypeError: x is not float32 or float64.
        ShapeError: x has no elements.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.mean(fluid.dygraph.to_variable(np.array([1., 3.], 'float32'))).numpy()
    array([2.], dtype=float32)
    """
    ...

def monkey_patch_variable() -> None:
    """Make sure that Variables have their operators and methods, which they do here from the start."""
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

def param_guard(parameters: Any) -> Iterator[None]:
    """Do nothing: parameters are known to functions that are being translated without a guard.

    Arguments:
        parameters: a Layer's dict of them.

    Returns:
        A context manager.
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
    """Compute Out = the sum over the dimensions `dim`.

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

def reshape(x: Variable, shape: Any, actual_shape: Variable | None = None, act: str | None = None, inplace: bool = False, name: str | None = None) -> Variable:
    """Give the elements of x another shape; their order stays the same.

    Arguments:
        x: a Variable of any shape.
        shape: the sizes: a list of ints and Variables of one element, or an integer Variable. 0 copies the size of x at
            the same position; one size may be -1 and is computed from the others.
        actual_shape: an integer Variable with the sizes, used instead of `shape`; or None.
        act: the name of an activation to apply to the result, or None.
        inplace: whether x itself takes the new shape in a Program; in imperative mode x is never changed.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the dtype of x; with `inplace` in a Program, and without `act`, x.

    Raises:
        ArgumentTypeError: x is not a Variable, or shape has another form.
        ShapeError: the sizes hold more or fewer elements than x has.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.zeros([2, 3, 4], 'float32'))
    ...     fluid.layers.reshape(x, shape=[0, -1]).shape
    [2, 12]
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

def same_or_split_var(p_name: str, var_name: str) -> bool:
    """Return whether the first name is the second, or that of a block of it.

    >>> same_or_split_var('w', 'w'), same_or_split_var('w.block0', 'w'), same_or_split_var('wide', 'w')
    (True, True, False)
    """
    ...

def scale(x: Variable, scale: Any = 1.0, bias: float = 0.0, bias_after_scale: bool = True, act: str | None = None, name: str | None = None) -> Variable:
    """Compute scale * x + bias, or scale * (x + bias).

    Arguments:
        x: a Variable of any shape, any dtype but bool.
        scale: a number or a Variable [1].
        bias: a number.
        bias_after_scale: add the bias after the multiplication, rather than before it.
        act: the name of an activation to apply to the result, or None.
        name: accepted for Fluid code, ignored.

    Returns:
        A Variable of the shape and dtype of x.

    Raises:
        ArgumentTypeError: x is not a Variable, or scale or bias is not a number.
        DtypeError: x is bool.
        ShapeError: scale is a Variable of more than one element.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     fluid.layers.scale(fluid.dygraph.to_variable(np.array([1., 3.], 'float32')), 2.0, 1.0).numpy()
    array([3., 7.], dtype=float32)
    """
    ...

def scale_of_layer_functions(*args: Any, **kwargs: Any) -> Any:
    """"""
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

def slice(input: Any, axes: Any, starts: Any, ends: Any) -> Variable:
    """Slice a Variable along some of its axes: input[start:end] for each.

    Arguments:
        input: a Variable of rank 1 or more.
        axes: the axes to slice, a list of ints.
        starts: the first index to keep, for each of the axes: a list of ints and Variables of one element, or an
            integer Variable. Negative ones count from the end; ones out of range are clamped.
        ends: the index after the last one to keep, in the same forms.

    Returns:
        A Variable of the dtype of `input`.

    Raises:
        ArgumentTypeError: input is not a Variable, or axes, starts or ends has another form.
        ShapeError: no elements are left, there is no such axis, or starts or ends has another length than axes.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     x = fluid.dygraph.to_variable(np.arange(12).reshape(3, 4))
    ...     fluid.layers.slice(x, axes=[0, 1], starts=[1, -3], ends=[3, 100]).numpy()
    array([[ 5,  6,  7],
           [ 9, 10, 11]])
    """
    ...

def slice_variable(var_list: Iterable[Any], slice_count: int, min_block_size: int) -> list[str]:
    """Return the blocks into which Variables are divided for servers: whole rows, and as equal as they can be.

    A block is written as "name:number:elements", see VarBlock.

    Arguments:
        var_list: Variables.
        slice_count: the number of servers, and of blocks of a Variable at most.
        min_block_size: the least number of elements of a block.
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

def softshrink(*args: Any, **kwargs: Any) -> Any:
    """"""
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

def thresholded_relu(*args: Any, **kwargs: Any) -> Any:
    """"""
    ...

def to_variable(value: Any, name: str | None = None, zero_copy: bool | None = None) -> Any:
    """Return a Variable with the values of an array. It gets no gradient unless `stop_gradient` is set to False.

    Arguments:
        value: an ndarray of any shape, or an array of another library that supports DLPack (PyTorch, CuPy, JAX
            ...); a LoDTensor, whose LoD the Variable gets; a Variable, which is returned itself. A complex array
            becomes two Variables, the parts of a ComplexVariable, named NAME.real and NAME.imag. A number becomes a
            Variable [1], a nested list of numbers one of its shape: floats of the default dtype, integers as int64.
        name: the name of the Variable; generated when it is None.
        zero_copy: False copies the array. By default a contiguous array on the CPU shares its memory with the Variable.

    Returns:
        A Variable or a ComplexVariable.

    Raises:
        ArgumentTypeError: `value` is neither an array nor a number nor a list of numbers.
        ShapeError: the lists in a list are of different lengths.
        LoDError: the LoD of a LoDTensor does not cover its rows.
        DtypeError: Paddle does not have the dtype of the array, e.g. objects or texts.
        ModeError: imperative mode is off.

    >>> import numpy as np, paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> paddle.imperative.to_variable(np.zeros([2, 3], 'float32')).shape
    [2, 3]
    >>> import paddle_lite.fluid as fluid
    >>> ragged = fluid.create_lod_tensor([[1, 2], [3]], [[2, 1]], fluid.CPUPlace())
    >>> paddle.imperative.to_variable(ragged).lod()
    [[0, 2, 3]]
    """
    ...

def wait_server_ready(endpoints: Sequence[str]) -> None:
    """Wait until a connection to each of the endpoints can be made.

    Arguments:
        endpoints: "address:port" each.

    Raises:
        ArgumentValueError: it is a string, or an endpoint has another form.
    """
    ...
