"""Arrays of tensors, which loops read and write by index."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core.errors import ArgumentTypeError, message
from ...core.mode import ByMode, state
from ...core.typing import Variable
from ...static.mode.program_arrays import require_array
from ...static.operators.structural import definitions
from ..shape.shape import concat, stack
from ..support.arguments import check_variable

__all__ = ["array_length", "array_read", "array_write", "create_array", "tensor_array_to_tensor"]


def create_array(dtype: Any) -> Any:
    """Create an empty array of tensors; in imperative mode a Python list.

    Arguments:
        dtype: the dtype of the elements: its name, a NumPy dtype or a VarType.

    Returns:
        An array, a Variable of type LOD_TENSOR_ARRAY; in imperative mode [].

    Raises:
        DtypeError: in a Program, if there is no such dtype.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     fluid.layers.create_array('float32').type
    VarType.LOD_TENSOR_ARRAY
    """
    return state.mode.arrays.create(dtype)


def _position(where: str, i: Any) -> Any:
    """Return the index `i`; raise unless it is an int64 Variable [1]."""
    check_variable(where, "i", i)
    if i.dtype != "int64" or [n for n in i.shape if n != -1] != [1]:
        got = f"a Variable of dtype {i.dtype} and shape {list(i.shape)}"
        raise ArgumentTypeError(message(where, "i", got, "an int64 Variable of shape [1]"))
    return i


def array_write(x: Any, i: Any, array: Any = None) -> Any:
    """Write `x` to index `i` of an array; an index equal to its length appends.

    Arguments:
        x: a Variable.
        i: the index, an int64 Variable [1].
        array: an array from `create_array` or `array_write`; a new one where it is None.

    Returns:
        The array.

    Raises:
        ArgumentTypeError: x is not a Variable, i is not an int64 Variable [1], or (in imperative mode) array is not a
            list.
        ArgumentValueError: in a Program, if array is not an array of tensors.
        IndexRangeError: in imperative mode, if i is greater than the length of the array. In a Program such an index
            makes the array longer.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     zero = fluid.layers.fill_constant([1], 'int64', 0)
    ...     array = fluid.layers.array_write(fluid.layers.fill_constant([2], 'float32', 3.0), i=zero)
    ...     y = fluid.layers.array_read(array, i=zero)
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[y])
    [array([3., 3.], dtype=float32)]
    """
    check_variable("array_write", "x", x)
    _position("array_write", i)
    return state.mode.arrays.write(x, i, array)


def array_read(array: Any, i: Any) -> Variable:
    """Read the element at index `i` of an array.

    Arguments:
        array: an array from `create_array` or `array_write`.
        i: the index, an int64 Variable [1].

    Returns:
        The element, a Variable.

    Raises:
        ArgumentTypeError: i is not an int64 Variable [1], or (in imperative mode) array is not a list.
        ArgumentValueError: in a Program, if array is not an array of tensors.
        IndexRangeError: there is no such element; in a Program raised by `Executor.run`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.dygraph.guard():
    ...     zero = fluid.layers.fill_constant([1], 'int64', 0)
    ...     array = fluid.layers.array_write(fluid.layers.ones([2], 'float32'), i=zero)
    ...     fluid.layers.array_read(array, i=zero).numpy()
    array([1., 1.], dtype=float32)
    """
    _position("array_read", i)
    return state.mode.arrays.read(array, i)


def array_length(array: Any) -> Variable:
    """Return the number of elements of an array.

    Arguments:
        array: an array from `create_array` or `array_write`.

    Returns:
        An int64 Variable [1]; in imperative mode an int.

    Raises:
        ArgumentTypeError: in imperative mode, if array is not a list.
        ArgumentValueError: in a Program, if array is not an array of tensors.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     zero = fluid.layers.fill_constant([1], 'int64', 0)
    ...     array = fluid.layers.array_write(fluid.layers.ones([2], 'float32'), i=zero)
    ...     length = fluid.layers.array_length(array)
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[length])
    [array([1])]
    """
    return state.mode.arrays.length(array)


def tensor_array_to_tensor(
    input: Any, axis: int = 1, name: str | None = None, use_stack: bool = False
) -> tuple[Any, Any]:
    """Concatenate or stack the elements of an array along an axis.

    Arguments:
        input: an array from `create_array` or `array_write`.
        axis: the axis to concatenate along, or the position of the new axis.
        name: accepted for Fluid code, ignored.
        use_stack: stack along a new axis rather than concatenate.

    Returns:
        (the result, the size of each element along `axis` as an int32 Variable).

    Raises:
        ArgumentTypeError: in imperative mode, if input is not a list.
        ArgumentValueError: in a Program, if input is not an array of tensors.
        EnforceNotMet: the shapes of the elements do not fit together; in a Program raised by `Executor.run`.

    >>> import numpy as np, paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     zero, one = (fluid.layers.fill_constant([1], 'int64', n) for n in (0, 1))
    ...     array = fluid.layers.array_write(fluid.layers.fill_constant([2, 1], 'float32', 3.0), i=zero)
    ...     fluid.layers.array_write(fluid.layers.fill_constant([2, 2], 'float32', 4.0), i=one, array=array)
    ...     both, sizes = fluid.layers.tensor_array_to_tensor(array, axis=1)
    ...     fluid.Executor(fluid.CPUPlace()).run(fetch_list=[both, sizes])
    Variable array_write_0.out: shape=[2, 2], dtype=float32, type=LOD_TENSOR_ARRAY
    [array([[3., 4., 4.],
           [3., 4., 4.]], dtype=float32), array([1, 2], dtype=int32)]
    """
    return _joined(input, axis, use_stack)


def _join_list(items: Any, axis: int, use_stack: bool) -> tuple[Any, Any]:
    state.mode.arrays.length(items)  # raises where it is no list
    joined = stack(items, axis) if use_stack else concat(items, axis)
    sizes = np.array([1 if use_stack else v.shape[axis] for v in items], np.int32)
    return joined, state.mode.constant(sizes)


def _append_join(array: Any, axis: int, use_stack: bool) -> tuple[Any, Any]:
    require_array("tensor_array_to_tensor", array)
    return definitions["tensor_array_to_tensor"].call(array, axis=axis, use_stack=use_stack)


_joined = ByMode(imperative=_join_list, static=_append_join)
