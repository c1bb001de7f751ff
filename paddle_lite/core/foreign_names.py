"""What attributes of PyTorch, Keras and Paddle 2 are called here, for the errors about attributes that an object does not have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .errors import missing_name

OF_VARIABLES = {
    "view": "x.reshape(shape)",
    "view_as": "x.reshape(y.shape)",
    "permute": "x.transpose(axes)",
    "t": "x.T",
    "size": "x.shape, or len(x) for the first dimension",
    "dim": "x.ndim",
    "ndimension": "x.ndim",
    "numel": "fluid.layers.size(x), or x.numpy().size",
    "cuda": "the place of the guard: fluid.dygraph.guard(fluid.CUDAPlace(0)) makes Variables there",
    "cpu": "x.numpy() for a copy on the host",
    "to": "x.astype(dtype); the place is that of the guard, fluid.dygraph.guard(place)",
    "device": "the place of the guard, fluid.dygraph.guard(place)",
    "is_cuda": "the place of the guard, fluid.dygraph.guard(place)",
    "requires_grad": "x.stop_gradient, which is the opposite: x.stop_gradient = False",
    "requires_grad_": "x.stop_gradient = False",
    "grad_fn": "the tape, which paddle_lite keeps by itself; x.stop_gradient says whether x has a gradient",
    "data": "x.numpy() to read and x.set_value(array) to write",
    "contiguous": "nothing: results are contiguous",
    "float": "x.astype('float32')",
    "double": "x.astype('float64')",
    "half": "x.astype('float16')",
    "long": "x.astype('int64')",
    "int": "x.astype('int32')",
    "bool": "x.astype('bool')",
    "type_as": "x.astype(y.dtype)",
    "cast": "x.astype(dtype)",
    "zero_grad": "x.clear_gradient()",
    "clear_grad": "x.clear_gradient()",
    "clone": "fluid.layers.assign(x)",
    "copy": "fluid.layers.assign(x)",
    "copy_": "x.set_value(array)",
    "add_": "x = x + y; no operator changes its input",
    "mul_": "x = x * y; no operator changes its input",
    "add": "x + y",
    "sub": "x - y",
    "mul": "x * y",
    "div": "x / y",
    "mm": "x @ y",
    "bmm": "x @ y",
    "dot": "x @ y",
    "expand": "fluid.layers.expand(x, times)",
    "expand_as": "fluid.layers.expand_as(x, y)",
    "repeat": "fluid.layers.expand(x, times)",
    "split": "fluid.layers.split(x, number_or_sizes, dim)",
    "chunk": "fluid.layers.split(x, number, dim)",
    "unbind": "fluid.layers.unstack(x, axis)",
    "masked_fill": "fluid.layers.where(condition, x, y)",
    "masked_select": "paddle.masked_select(x, mask)",
    "gather": "fluid.layers.gather(x, index)",
    "topk": "fluid.layers.topk(x, k)",
    "sort": "fluid.layers.argsort(x)",
    "argsort": "fluid.layers.argsort(x)",
    "cumsum": "fluid.layers.cumsum(x)",
    "norm": "paddle.norm(x)",
    "std": "paddle.std(x)",
    "var": "paddle.var(x)",
    "softmax": "fluid.layers.softmax(x)",
    "sigmoid": "fluid.layers.sigmoid(x)",
    "relu": "fluid.layers.relu(x)",
    "clamp": "x.clip(min, max)",
    "eq": "x == y",
    "ne": "x != y",
    "lt": "x < y",
    "gt": "x > y",
    "all": "fluid.layers.reduce_all(x)",
    "any": "fluid.layers.reduce_any(x)",
    "register_hook": "fluid.dygraph.grad(outputs, inputs), which returns gradients as Variables",
    "is_leaf": "x.stop_gradient, and whether x was made by to_variable",
}
_PLACE = "the place of the guard: fluid.dygraph.guard(fluid.CUDAPlace(0)) makes Layers and Variables there"
OF_LAYERS = {
    "zero_grad": "layer.clear_gradients()",
    "clear_grad": "layer.clear_gradients()",
    "load_state_dict": "layer.set_dict(state)",
    "set_state_dict": "layer.set_dict(state)",
    "get_weights": "layer.state_dict()",
    "set_weights": "layer.set_dict(state)",
    "weights": "layer.parameters()",
    "trainable_variables": "layer.parameters()",
    "modules": "layer.sublayers()",
    "named_modules": "layer.named_sublayers()",
    "children": "layer.sublayers(include_sublayers=False)",
    "named_children": "layer.named_sublayers(include_sublayers=False)",
    "add_module": "layer.add_sublayer(name, sublayer)",
    "register_module": "layer.add_sublayer(name, sublayer)",
    "register_parameter": "layer.add_parameter(name, parameter)",
    "register_forward_hook": "layer.register_forward_post_hook(hook)",
    "requires_grad_": "p.stop_gradient = True for the parameters p that are not to be trained",
    "apply": "a loop over layer.sublayers()",
    "to": _PLACE,
    "cuda": _PLACE,
    "cpu": _PLACE,
    "half": "the argument dtype of the Layer",
    "double": "the argument dtype of the Layer",
    "fit": "paddle.hapi.Model(layer).fit(data)",
    "compile": "paddle.hapi.Model(layer).prepare(optimizer, loss)",
    "predict": "paddle.hapi.Model(layer).predict(data)",
    "summary": "paddle.summary(layer, input_shape)",
}
OF_OPTIMIZERS = {
    "zero_grad": "optimizer.clear_gradients()",
    "clear_grad": "optimizer.clear_gradients()",
    "step": "optimizer.minimize(loss), after loss.backward()",
    "apply_gradient": "optimizer.apply_gradients(params_grads)",
    "load_state_dict": "optimizer.set_dict(state)",
    "set_state_dict": "optimizer.set_dict(state)",
    "get_lr": "optimizer.current_step_lr()",
    "lr": "optimizer.current_step_lr()",
    "learning_rate": "optimizer.current_step_lr()",
    "set_lr": "a LearningRateDecay as learning_rate of the optimizer",
    "param_groups": "one optimizer for each group of parameters, by its parameter_list",
    "parameters": "the argument parameter_list, which was given",
}


def operator_attribute(name: str, attributes: Mapping[str, Any], spelled: Mapping[str, str]) -> str | None:
    """Return the key of what Paddle keeps in a private attribute, such as `_beta1`, among the attributes of an operator.

    Arguments:
        name: the name of the private attribute.
        attributes: those of the operator.
        spelled: the keys that are not the name without its underscore.

    Returns:
        The key; None if there is none.
    """
    if not name.startswith("_"):
        return None
    return next((key for key in (name[1:], spelled.get(name)) if key in attributes), None)


def missing_on(value: Any, name: str, elsewhere: Mapping[str, str]) -> AttributeError:
    """Return the error for an attribute that an object does not have, with what it is called here."""
    text = f"{type(value).__name__!r} object has no attribute {name!r}"
    if name in elsewhere:
        return missing_name(f"{text}. Here it is {elsewhere[name]}.", name)
    return missing_name(text, name, value)


class Elsewhere:
    """An attribute that a class does not have: reading it raises the AttributeError that says what it is called here.

    Such descriptors leave the access to other attributes as fast as it is, which a `__getattr__` does not.
    """

    def __init__(self, name: str, elsewhere: Mapping[str, str]) -> None:
        self._name, self._elsewhere = name, elsewhere

    def __get__(self, owner: Any, kind: type) -> Any:
        raise missing_on(owner, self._name, self._elsewhere)


class NeverSet(Elsewhere):
    """An attribute that cannot be set either, since that would have no effect."""

    def __set__(self, owner: Any, value: Any) -> None:
        raise missing_on(owner, self._name, self._elsewhere)


def name_elsewhere(kind: type, elsewhere: Mapping[str, str], never_set: Sequence[str] = ()) -> None:
    """Give a class a descriptor for each name of a table; none may be an attribute of the class."""
    for name in elsewhere:
        if hasattr(kind, name):
            raise AssertionError(f"{kind.__name__} has {name}, which a table says is elsewhere")
        setattr(kind, name, (NeverSet if name in never_set else Elsewhere)(name, elsewhere))


def names_here(value: Any) -> list[str]:
    """Return the names that an object has, for its `__dir__`."""
    kinds = type(value).__mro__
    absent = {name for kind in kinds for name, held in vars(kind).items() if isinstance(held, Elsewhere)}
    return [name for name in object.__dir__(value) if name not in absent]
