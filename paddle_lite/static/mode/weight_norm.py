"""Weight normalisation for WeightNormParamAttr: a Program stores length and direction, and computes the weight."""

from __future__ import annotations

from typing import Any

from ...core import result_names, unique_name
from ...core.errors import ArgumentValueError, message
from ...ops.framework import registry
from ...ops.math import elementwise
from ..program import program as programs
from ..program.variable import Variable
from .parameter import make_parameter


class Labels:
    """Generates names for the operators' results from the layer's name."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def new(self, what: str) -> str:
        """Return a new name for a kind of result."""
        return unique_name.generate(f"{self.prefix}.weight_norm_{what}")


def _step(op: str, x: Any, name: str, **attrs: Any) -> Any:
    """Append an operator whose result is called `name`, and return the result."""
    definition = registry.get(op)
    inputs = [x] + [None] * (len(definition.inputs) - 1)
    with result_names.results(None, into={"Out": name}):
        return definition.call(*inputs, **attrs)


def _norm(x: Any, labels: Labels, name: str, axis: int | None) -> Any:
    """Append the Euclidean norm along an axis, or of all elements; return it as a Variable called `name`."""
    size = _step("abs", x, labels.new("abs"))
    squares = _step("pow", size, labels.new("pow"), factor=2.0)
    total = _step("reduce_sum", squares, labels.new("sum"), dim=[axis or 0], keep_dim=False, reduce_all=axis is None)
    return _step("pow", total, name, factor=0.5)


def _lengths(v: Any, dim: int | None, labels: Labels, name: str) -> Any:
    """Append the norm of v for each index of `dim`, in a shape that broadcasts to v."""
    shape = list(v.shape)
    if dim is None:
        return _norm(v, labels, name, None)
    if dim == 0:
        rows = _step("reshape", v, labels.new("reshape"), shape=[shape[0], -1])
        norm = _norm(rows, labels, labels.new("norm"), 1)
        return _step("reshape", norm, name, shape=[shape[0]] + [1] * (len(shape) - 1))
    if dim == len(shape) - 1:
        columns = _step("reshape", v, labels.new("reshape"), shape=[-1, shape[-1]])
        norm = _norm(columns, labels, labels.new("norm"), 0)
        return _step("reshape", norm, name, shape=[1] * (len(shape) - 1) + [shape[-1]])
    order = list(range(len(shape)))
    order[0], order[dim] = dim, 0
    turned = _step("transpose", v, labels.new("transpose"), axis=order)
    rows = _step("reshape", turned, labels.new("reshape"), shape=[shape[dim], -1])
    norm = _norm(rows, labels, labels.new("norm"), 1)
    wide = _step("reshape", norm, labels.new("reshape"), shape=[shape[dim]] + [1] * (len(shape) - 1))
    return _step("transpose", wide, name, axis=order)


def make_weight(shape: list[int], dtype: str, name: str, attr: Any, initializer: Any, prefix: str) -> Variable:
    """Return the weight g * v / ||v|| of new Parameters g and v of the main Program.

    Arguments:
        shape, dtype: the shape and the dtype of the weight.
        name: the prefix of the names of g and v.
        attr: a WeightNormParamAttr.
        initializer: the initializer of v; g is initialised to the norm of v.
        prefix: the layer's name.

    Raises:
        ArgumentValueError: the weight has no dimension `attr.dim`.
    """
    dim = attr.dim
    if dim is not None and not 0 <= dim < len(shape):
        needs = f"0 to {len(shape) - 1}, or None, for a weight of shape {shape}"
        raise ArgumentValueError(message("WeightNormParamAttr", "dim", dim, needs))
    labels, startup = Labels(prefix), programs.default_startup_program()
    sizes = [n if axis == dim else 1 for axis, n in enumerate(shape)]
    g = make_parameter(sizes, dtype, f"{name}_g", attr.part(f"{name}_g"), None)
    v = make_parameter(shape, dtype, f"{name}_v", attr.part(f"{name}_v"), initializer)
    with programs.program_guard(startup, startup):
        first = startup.global_block()
        _lengths(first.var(v.name), dim, labels, g.name)
        _step("reshape", first.var(g.name), g.name, shape=sizes)
    with result_names.results(None):
        norm = _lengths(v, dim, labels, labels.new("norm"))
        scale = elementwise.elementwise_div.call(g, norm, axis=-1)
        if dim is None:
            return elementwise.elementwise_mul.call(v, scale, axis=-1)
        flat = registry.get("reshape2").call(scale, None, None, shape=[shape[dim]])[0]
        return elementwise.elementwise_mul.call(v, flat, axis=dim)
