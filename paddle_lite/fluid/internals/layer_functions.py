"""Functions and docstrings made from an operator's declaration: `fluid.layers.layer_function_generator`."""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Callable
from typing import Any

from ...core.errors import ArgumentTypeError, ArgumentValueError, describe, message
from ...layers.support.arguments import check_variable
from ...layers.support.helper import LayerHelper
from ...static.proto import AttrType
from .decorators import deprecated as _deprecated
from .operators import OpProtoHolder

__all__ = ["autodoc", "deprecated", "generate_activation_fn", "generate_layer_fn", "templatedoc"]


def _words(name: str) -> str:
    """Return the name of a slot as an argument: "ScaleTensor" is scale_tensor."""
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def _proto(op_type: str) -> Any:
    return OpProtoHolder.instance().get_op_proto(op_type)


def generate_layer_fn(op_type: str) -> Callable[..., Any]:
    """Return a function that calls an operator with one output.

    Its arguments are the input slots, by position or by their names in lower case; attributes and `name` by keyword; and `out`, or
    what the output slot is called in lower case: a Variable that takes the result.

    Arguments:
        op_type: the type of the operator.

    Returns:
        A function that returns a Variable.

    Raises:
        ArgumentValueError: there is no such operator, or it does not have one output that is no list.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.layers.layer_function_generator import generate_layer_fn
    >>> mean = generate_layer_fn('mean')
    >>> with fluid.program_guard(fluid.Program()):
    ...     mean(fluid.data('x', [2, 3])).shape
    (1,)
    """
    proto = _proto(op_type)
    outputs = [slot for slot in proto.outputs if not slot.intermediate]
    if len(outputs) != 1 or outputs[0].duplicable:
        needs = "an operator with one output that is no list"
        raise ArgumentValueError(message("generate_layer_fn", "op_type", repr(op_type), needs))

    def function(*args: Any, **kwargs: Any) -> Any:
        helper = LayerHelper(op_type, **kwargs)
        inputs: dict[str, list[Any]] = {}
        given = list(args)
        for slot in proto.inputs:
            value = kwargs.pop(_words(slot.name), None)
            if value is None and given:
                value = given.pop(0)
            values = value if isinstance(value, (list, tuple)) else [] if value is None else [value]
            if not values and not slot.dispensable:
                raise ArgumentTypeError(message(op_type, _words(slot.name), "nothing", "a Variable"))
            inputs[slot.name] = [check_variable(op_type, _words(slot.name), each) for each in values]
        if given:
            needs = f"at most {len(proto.inputs)}"
            raise ArgumentTypeError(message(op_type, "arguments", f"{len(args)} without keyword", needs))
        dtype = next((each.dtype for values in inputs.values() for each in values), "float32")
        made = {}
        for slot in proto.outputs:
            out = kwargs.pop(_words(slot.name), None)
            chosen = helper.create_variable_for_type_inference(dtype) if out is None else out
            made[slot.name] = [check_variable(op_type, _words(slot.name), chosen)]
        attributes = {key: value for key, value in kwargs.items() if key not in ("name", "act")}
        helper.append_op(type=op_type, inputs={k: v for k, v in inputs.items() if v}, outputs=made, attrs=attributes)
        return helper.append_activation(made[outputs[0].name][0])

    function.__name__ = function.__qualname__ = op_type
    function.__doc__ = _docstring(proto)
    return function


def generate_activation_fn(op_type: str) -> Callable[..., Any]:
    """Return a function of (x, name=None) that calls an operator with the input X and the output Out.

    Arguments:
        op_type: the type of the operator.

    Returns:
        A function that returns a Variable.

    Raises:
        ArgumentValueError: there is no such operator.

    >>> import paddle_lite.fluid as fluid
    >>> from paddle_lite.fluid.layers.layer_function_generator import generate_activation_fn
    >>> relu = generate_activation_fn('relu')
    >>> with fluid.program_guard(fluid.Program()):
    ...     relu(fluid.data('x', [2, 3])).shape
    (2, 3)
    """
    proto = _proto(op_type)

    def function(x: Any, name: str | None = None) -> Any:
        check_variable(op_type, "x", x)
        helper = LayerHelper(op_type, name=name)
        out = helper.create_variable_for_type_inference(x.dtype)
        helper.append_op(type=op_type, inputs={"X": x}, outputs={"Out": out})
        return out

    function.__name__ = function.__qualname__ = op_type
    function.__doc__ = _docstring(proto)
    return function


def _docstring(proto: Any) -> str:
    """Return the docstring of a function made from a declaration."""
    arguments = "\n".join(f"    {_words(slot.name)}: the input {slot.name}." for slot in proto.inputs)
    return f"{proto.comment}\n\nArguments:\n{arguments}\n\nReturns:\n    A Variable."


def type_to_str(tp: int) -> str:
    """Return the name of an attribute's type by its number.

    >>> type_to_str(1)
    'FLOAT'
    """
    return AttrType(tp).name


def escape_math(text: str) -> str:
    r"""Return a text of an operator with formulas between `$` as those of reStructuredText, `!!` as `$$`.

    >>> escape_math('$c$')
    ':math:`c`'
    """
    return re.sub(r"!!([^!]+)!!", r"$$\1$$", re.sub(r"(?<!\$)\$([^$]+)\$(?!\$)", r":math:`\1`", text))


def autodoc(comment: str = "") -> Callable[[Callable], Callable]:
    """Return a decorator that sets a function's docstring to that of the operator with the function's name.

    Arguments:
        comment: text that is put behind it.

    Returns:
        A decorator; it raises ArgumentValueError where no operator has the name.

    Raises:
        ArgumentTypeError: `comment` is no string.

    >>> from paddle_lite.fluid.layers.layer_function_generator import autodoc
    >>> @autodoc('A remark.')
    ... def mean(x):
    ...     return x
    >>> mean.__doc__.endswith('A remark.')
    True
    """
    if not isinstance(comment, str):
        raise ArgumentTypeError(message("autodoc", "comment", describe(comment), "a string"))

    def decorator(function: Callable) -> Callable:
        function.__doc__ = _docstring(_proto(function.__name__)) + comment
        return function

    return decorator


def templatedoc(op_type: str | None = None) -> Callable[[Callable], Callable]:
    """Return a decorator that fills the docstring of a function from the declaration of an operator.

    `${comment}` becomes what the operator computes, `${x_comment}` and `${x_type}` a description of the slot or attribute X.

    Arguments:
        op_type: the type of the operator; the name of the function where it is None.

    Returns:
        A decorator; it raises ArgumentValueError where there is no such operator.

    Raises:
        ArgumentTypeError: `op_type` is neither a string nor None.

    >>> from paddle_lite.fluid.layers.layer_function_generator import templatedoc
    >>> @templatedoc('mean')
    ... def average(x):
    ...     '''Average. x: ${x_comment}, a ${x_type}.'''
    >>> average.__doc__
    'Average. x: the input X of mean, a Variable.'
    """
    if op_type is not None and not isinstance(op_type, str):
        raise ArgumentTypeError(
            message("templatedoc", "op_type", describe(op_type), "the type of an operator, or None")
        )

    def decorator(function: Callable) -> Callable:
        proto = _proto(op_type or function.__name__)
        words = {"comment": proto.comment}
        for kind, slots in (("input", proto.inputs), ("output", proto.outputs)):
            for slot in slots:
                words[f"{_words(slot.name)}_comment"] = f"the {kind} {slot.name} of {proto.type}"
                words[f"{_words(slot.name)}_type"] = "Variable"
        for attr in proto.attrs:
            words[f"{_words(attr.name)}_comment"] = f"the attribute {attr.name} of {proto.type}"
            words[f"{_words(attr.name)}_type"] = attr.type
        function.__doc__ = string.Template(function.__doc__ or "").safe_substitute(words)
        return function

    return decorator


def deprecated(func_or_class: Callable) -> Callable:
    """Decorate a function that is to be replaced: a call warns.

    Arguments:
        func_or_class: the function.

    Returns:
        A function that does the same.

    Raises:
        ArgumentTypeError: it cannot be called.

    >>> from paddle_lite.fluid.layers.layer_function_generator import deprecated
    >>> @deprecated
    ... def old_name(n):
    ...     return n
    >>> old_name.__name__
    'old_name'
    """
    if not callable(func_or_class):
        raise ArgumentTypeError(message("deprecated", "func_or_class", describe(func_or_class), "a function"))
    return _deprecated("0.15.0", "another function")(func_or_class)


def _generated(op_type: str) -> Callable[..., Any]:
    """Return the function of `generate_layer_fn`, which is made at its first call."""

    def function(*args: Any, **kwargs: Any) -> Any:
        return _made(op_type)(*args, **kwargs)

    function.__name__ = function.__qualname__ = op_type
    return function


_made = functools.cache(generate_layer_fn)
cum_sum, elementwise_div, erf, gelu, hard_shrink, scale, softshrink, thresholded_relu = map(
    _generated,
    ("cumsum", "elementwise_div", "erf", "gelu", "hard_shrink", "scale", "softshrink", "thresholded_relu"),
)
