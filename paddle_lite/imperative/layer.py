"""Layer: parameters, sublayers and a forward function."""

from __future__ import annotations

import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ..core import result_names, unique_name
from ..core.dtype import name_of, to_numpy
from ..core.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    EnforceNotMet,
    MissingKeyError,
    describe,
    message,
)
from ..core.mode import in_imperative_mode, state
from ..params.attr import WeightNormParamAttr
from ..params.create import create_parameter
from .layer_helper import LayerObjectHelper
from .parameter import Parameter
from .variable import Variable
from .weight_norm import NormalizedWeight, normalized_weight

LIBRARY = __name__.split(".", 1)[0] + ".nn."  # prefix of the modules with the layers of this package
NAME_TABLE = "StructuredToParameterName@@"  # an entry of saved state dicts that is not a parameter
SPELLED = {
    "_stride": "strides", "_padding": "paddings", "_dilation": "dilations", "_pool_type": "pooling_type",
    "_pool_size": "ksize", "_pool_padding": "paddings", "_pool_stride": "strides",
}  # fmt: skip
"""Attributes of layers in Paddle, which subclasses read, whose operators spell them differently."""
NOT_STARTED = "super({0}, self).__init__() should be called first: {0} is used, or gets a parameter or sublayer, before it is a Layer."


class HookRemoveHelper:
    """Handle of a registered hook; `remove()` unregisters it."""

    _next = 0

    def __init__(self, hooks: dict[int, Callable]) -> None:
        self._hooks = hooks
        self._id = HookRemoveHelper._next
        HookRemoveHelper._next += 1

    def remove(self) -> None:
        self._hooks.pop(self._id, None)


def snake_case(name: str) -> str:
    """Return a class name in snake case, as Paddle names layers: HelloWorldNet -> hello_world_net."""
    partly = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", partly).lower()


class Layer:
    """A part of a network. Subclasses make parameters and sublayers in `__init__` and compute in `forward`.

    Arguments:
        name_scope: the prefix of its parameters' names; by default the class name in snake case.
        dtype: the default dtype of its parameters.

    >>> import paddle_lite as paddle
    >>> paddle.enable_imperative()
    >>> class Net(paddle.nn.Layer):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.fc = paddle.nn.Linear(4, 2)
    ...     def forward(self, x):
    ...         return self.fc(x)
    >>> [name for name, _ in Net().named_parameters()]
    ['fc.weight', 'fc.bias']
    """

    _names_results = False  # whether results in Programs get names of this Layer; not those of a user's Layer

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._names_results = cls.__module__.startswith(LIBRARY)

    def __init__(self, name_scope: str | None = None, dtype: Any = "float32") -> None:
        scope = snake_case(type(self).__name__) if name_scope is None else name_scope
        values = self.__dict__
        values["training"] = True
        values["_full_name"] = unique_name.generate(scope)
        values["_dtype"] = to_numpy(dtype).name
        values["_parameters"] = OrderedDict()
        values["_normalized"] = {}
        values["_buffers"] = OrderedDict()
        values["_non_persistable_buffers"] = set()
        values["_sub_layers"] = OrderedDict()
        values["_forward_pre_hooks"] = OrderedDict()
        values["_forward_post_hooks"] = OrderedDict()

    # --- attributes -----------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        for kind in ("_parameters", "_sub_layers", "_buffers"):
            found = self.__dict__.get(kind)
            if found is not None and name in found:
                return found[name] if state.redirect is None else state.mode.layer_attribute(self, found[name])
        if name in self.__dict__.get("_normalized", ()):
            return self.__dict__["_normalized"][name].weight()
        if name == "_helper" and "_parameters" in self.__dict__:
            return LayerObjectHelper(self)
        attributes = self.__dict__.get("_attrs", {})
        for key in (name[1:], SPELLED.get(name)) if name.startswith("_") else ():
            if key in attributes:
                return attributes[key]
        if "_parameters" not in self.__dict__ and (name.startswith("_") or name == "training"):
            raise AttributeError(NOT_STARTED.format(type(self).__name__))
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __setattr__(self, name: str, value: Any) -> None:
        values = self.__dict__
        if isinstance(value, NormalizedWeight):
            setattr(self, f"{name}_g", value.g)
            setattr(self, f"{name}_v", value.v)
            values["_normalized"][name] = value
            return
        if isinstance(getattr(type(self), name, None), property):
            object.__setattr__(self, name, value)  # its setter; a parameter is registered under the name, too
            if not isinstance(value, (Parameter, Layer)) and not _is_static_parameter(value):
                return
        is_parameter, is_layer = isinstance(value, Parameter) or _is_static_parameter(value), isinstance(value, Layer)
        if is_parameter or is_layer:
            if "_parameters" not in values:
                raise ArgumentValueError(NOT_STARTED.format(type(self).__name__))
            home = values["_parameters" if is_parameter else "_sub_layers"]
            for other in (values, values["_parameters"], values["_sub_layers"], values["_buffers"]):
                if other is not home:
                    other.pop(name, None)
            home[name] = value
            return
        for kind, what, needs in (
            ("_parameters", "parameter", "Parameter"),
            ("_sub_layers", "sublayer", "Layer"),
            ("_buffers", "buffer", "Variable"),
        ):
            slots = values.get(kind)
            if slots is not None and name in slots:
                if value is not None and not (kind == "_buffers" and isinstance(value, Variable)):
                    raise ArgumentTypeError(
                        f"assignment to {what} {name!r} should be of type {needs} or None, but got {type(value).__name__!r}. "
                        f"Delete it first (del layer.{name}) to use the name for something else."
                    )
                slots[name] = value
                return
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        for kind in ("_parameters", "_sub_layers", "_buffers"):
            if name in self.__dict__.get(kind, ()):
                del self.__dict__[kind][name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._parameters, *self._sub_layers, *self._buffers})

    # --- building -------------------------------------------------------------------------------------------------

    def full_name(self) -> str:
        """Return the unique name, for example "linear_0", the prefix of its parameters' names."""
        return self._full_name

    def create_parameter(
        self,
        shape: list[int],
        attr: Any = None,
        dtype: Any = None,
        is_bias: bool = False,
        default_initializer: Any = None,
    ) -> Any:
        """Return a new parameter, named after this layer. Assign it to an attribute to register it.

        Arguments:
            shape: its shape.
            attr: a ParamAttr, a name, an initializer, or False for no parameter.
            dtype: its dtype; by default the layer's.
            is_bias: whether it is a bias: named "....b_N" rather than "....w_N", and 0 by default.
            default_initializer: used when `attr` has no initializer; Xavier by default.

        Returns:
            A Parameter; None if `attr` is False.

        Raises:
            ArgumentValueError: another parameter has the name that `attr` gives.
        """
        dtype = self._dtype if dtype is None else name_of(dtype)
        if isinstance(attr, WeightNormParamAttr) and in_imperative_mode():
            return normalized_weight(shape, dtype, attr, is_bias, default_initializer, self._full_name)
        return create_parameter(
            shape,
            dtype,
            attr,
            is_bias,
            default_initializer,
            prefix=self._full_name,
        )

    def create_variable(
        self, name: str | None = None, persistable: bool | None = None, dtype: Any = None, type: Any = None
    ) -> Variable:
        """Return a Variable without elements, to be set by `value().get_tensor().set(array, place)`.

        Arguments:
            name: the second part of its name, after the layer's; generated when None.
            persistable: whether it is kept between runs.
            dtype: its dtype; by default the layer's.
            type: ignored; accepted since Fluid code passes it.
        """
        key = f"{self._full_name}.{name or '_generated_var'}"
        full = key if name is not None else unique_name.generate(key)
        return Variable(np.zeros([0], to_numpy(dtype or self._dtype)), name=full, persistable=bool(persistable))

    def add_parameter(self, name: str, parameter: Any) -> Any:
        """Register a parameter under a name and return it.

        Raises:
            ArgumentTypeError: `parameter` is neither a Parameter nor None.
        """
        if isinstance(parameter, NormalizedWeight):
            setattr(self, str(name), parameter)
            return parameter.weight()
        if parameter is not None and not isinstance(parameter, Parameter) and not _is_static_parameter(parameter):
            raise ArgumentTypeError(message("add_parameter", "parameter", describe(parameter), "a Parameter or None"))
        self._parameters[str(name)] = parameter
        return parameter

    def add_sublayer(self, name: str, sublayer: Layer) -> Layer:
        """Register a sublayer under a name and return it.

        Raises:
            ArgumentTypeError: `sublayer` is not a Layer.
        """
        if not isinstance(sublayer, Layer):
            raise ArgumentTypeError(message("add_sublayer", "sublayer", describe(sublayer), "a Layer"))
        self._sub_layers[str(name)] = sublayer
        return sublayer

    def register_buffer(self, name: str, variable: Variable | None, persistable: bool = True) -> None:
        """Register a Variable that is part of the state and is not trained.

        Arguments:
            name: the attribute's name.
            variable: the Variable, or None.
            persistable: whether `state_dict` contains it.

        Raises:
            ArgumentTypeError: `variable` is neither a Variable nor None, or `name` cannot be a new attribute.
        """
        if variable is not None and not isinstance(variable, Variable) and not hasattr(variable, "grad_name"):
            raise ArgumentTypeError(message("register_buffer", "variable", describe(variable), "a Variable or None"))
        if not isinstance(name, str) or "." in name or not name or hasattr(self, name):
            raise ArgumentTypeError(message("register_buffer", "name", repr(name), "a new attribute name without dots"))
        self._buffers[name] = variable
        if persistable:
            self._non_persistable_buffers.discard(name)
        else:
            self._non_persistable_buffers.add(name)

    # --- walking --------------------------------------------------------------------------------------------------

    def named_sublayers(
        self,
        prefix: str = "",
        include_sublayers: bool = True,
        include_self: bool = False,
        layers_set: set | None = None,
    ) -> Iterator[tuple[str, Layer]]:
        """Yield (path, sublayer) for each sublayer once, parents before children."""
        seen = set() if layers_set is None else layers_set
        if include_self and self not in seen:
            seen.add(self)
            yield prefix, self
        for name, layer in self._sub_layers.items():
            if layer is None or layer in seen:
                continue
            path = f"{prefix}.{name}" if prefix else name
            seen.add(layer)
            yield path, layer
            if include_sublayers:
                yield from layer.named_sublayers(path, layers_set=seen)

    def sublayers(self, include_sublayers: bool = True) -> list[Layer]:
        """Return all sublayers, parents before children."""
        return [layer for _, layer in self.named_sublayers(include_sublayers=include_sublayers)]

    def _named(self, kind: str, prefix: str, include_sublayers: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        layers = [(prefix, self), *(self.named_sublayers(prefix) if include_sublayers else ())]
        for path, layer in layers:
            for name, value in layer.__dict__[kind].items():
                if value is not None and id(value) not in seen:
                    seen.add(id(value))
                    yield f"{path}.{name}" if path else name, value

    def named_parameters(self, prefix: str = "", include_sublayers: bool = True) -> Iterator[tuple[str, Any]]:
        """Return an iterator of (path, parameter), with each parameter once."""
        return self._named("_parameters", prefix, include_sublayers)

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """Return all parameters, each once, e.g. as the `parameter_list` of an optimizer."""
        return [p for _, p in self.named_parameters(include_sublayers=include_sublayers)]

    def named_buffers(self, prefix: str = "", include_sublayers: bool = True) -> Iterator[tuple[str, Variable]]:
        """Return an iterator of (path, buffer), with each buffer once."""
        return self._named("_buffers", prefix, include_sublayers)

    def buffers(self, include_sublayers: bool = True) -> list[Variable]:
        """Return all buffers, each once."""
        return [b for _, b in self.named_buffers(include_sublayers=include_sublayers)]

    # --- mode -----------------------------------------------------------------------------------------------------

    def train(self) -> None:
        """Set this layer and its sublayers to training: dropout drops, batch_norm uses the batch's statistics.

        The function `layers.dropout` follows the latest train() or eval() of any Layer.
        """
        self._set_training(True)

    def eval(self) -> None:
        """Set this layer and its sublayers to evaluation, and `layers.dropout` too; see `train`."""
        self._set_training(False)

    def _set_training(self, training: bool) -> None:
        state.training = training
        for layer in (self, *self.sublayers()):
            layer.training = training

    def clear_gradients(self) -> None:
        """Set the gradient of every parameter to zeros."""
        for parameter in self.parameters():
            if not parameter.stop_gradient:
                parameter.clear_gradient()

    # --- calling --------------------------------------------------------------------------------------------------

    def register_forward_pre_hook(self, hook: Callable) -> HookRemoveHelper:
        """Call `hook(layer, inputs)` before each forward. A result other than None replaces the inputs.

        Returns:
            A handle whose `remove()` unregisters the hook.
        """
        helper = HookRemoveHelper(self._forward_pre_hooks)
        self._forward_pre_hooks[helper._id] = hook
        return helper

    def register_forward_post_hook(self, hook: Callable) -> HookRemoveHelper:
        """Call `hook(layer, inputs, output)` after each forward. A result other than None replaces the output.

        Returns:
            A handle whose `remove()` unregisters the hook.
        """
        helper = HookRemoveHelper(self._forward_post_hooks)
        self._forward_post_hooks[helper._id] = hook
        return helper

    def forward(self, *inputs: Any, **keywords: Any) -> Any:
        """Compute the output of the layer. Subclasses define it.

        Raises:
            NotImplementedError: the subclass does not define it.
        """
        raise NotImplementedError(
            f"{type(self).__name__}.forward is not defined: a Layer computes in its forward method"
        )

    def backward(self, *inputs: Any) -> Any:
        raise ArgumentValueError("Layer shouldn't implement backward: call backward() on the loss Variable.")

    _built = False  # whether _build_once has been called

    def _build_once(self, *inputs: Any, **keywords: Any) -> None:
        """Do nothing; the first call of a Layer calls this with its arguments, so a subclass may create parameters here."""

    def __call__(self, *inputs: Any, **keywords: Any) -> Any:
        forward = self.forward
        if state.redirect is not None and not state.mode.imperative:
            key = f"{self._full_name}.tmp" if self._names_results else None
            if result_names.current.key != key:
                with result_names.results(key):
                    return self(*inputs, **keywords)
            forward = state.mode.layer_forward(forward)
        if self._forward_pre_hooks:
            for hook in tuple(self._forward_pre_hooks.values()):
                changed = hook(self, inputs)
                if changed is not None:
                    inputs = changed if isinstance(changed, tuple) else (changed,)
        if not self._built:
            self._build_once(*inputs, **keywords)
            self._built = True
        output = forward(*inputs, **keywords)
        if self._forward_post_hooks:
            for hook in tuple(self._forward_post_hooks.values()):
                changed = hook(self, inputs, output)
                if changed is not None:
                    output = changed
        return output

    # --- state ----------------------------------------------------------------------------------------------------

    def state_dict(
        self, destination: dict | None = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> dict[str, Any]:
        """Return parameters and persistable buffers by path, a shared one under each of its paths."""
        state: dict[str, Any] = OrderedDict() if destination is None else destination
        for name, value in self._parameters.items():
            if value is not None:
                state[structured_name_prefix + name] = value
        for name, value in self._buffers.items():
            if value is not None and name not in self._non_persistable_buffers:
                state[structured_name_prefix + name] = value
        if include_sublayers:
            for name, layer in self._sub_layers.items():
                if layer is not None:
                    layer.state_dict(state, True, f"{structured_name_prefix}{name}.")
        return state

    def set_dict(
        self, stat_dict: dict[str, Any], include_sublayers: bool = True, use_structured_name: bool = True
    ) -> None:
        """Set the values of parameters and buffers from a state dict.

        Nothing changes when an error is raised. Entries that the layer does not have give a UserWarning.

        Arguments:
            stat_dict: name -> ndarray or Variable, e.g. what `load_dygraph` returns.
            include_sublayers: whether to set those of sublayers too.
            use_structured_name: whether keys are paths ("fc.weight") or parameter names ("linear_0.w_0").

        Raises:
            ArgumentTypeError: `stat_dict` is not a dict.
            MissingKeyError: entries are missing. The error lists all faults.
            ShapeError, DtypeError: entries have another shape or dtype. The error lists all faults.
        """
        where = f"{self._full_name}.set_dict"
        if not isinstance(stat_dict, Mapping):
            raise ArgumentTypeError(message(where, "stat_dict", describe(stat_dict), "a dict, e.g. from load_dygraph"))
        own = self.state_dict(include_sublayers=include_sublayers)
        wanted = {(path if use_structured_name else v.name): v for path, v in own.items()}
        missing = [name for name in wanted if name not in stat_dict]
        unused = [str(name) for name in stat_dict if name not in wanted and name != NAME_TABLE]
        misfits = [
            error
            for name, variable in wanted.items()
            if name in stat_dict and (error := _misfit(variable, stat_dict[name], f"entry {name}")) is not None
        ]
        faults = [f"no entry for {', '.join(missing)}."] if missing else []
        faults += map(str, misfits)
        if faults:
            faults += [f"Not in the layer: {', '.join(unused)}."] if unused else []
            kind = MissingKeyError if missing else type(misfits[0])
            raise kind(f"{where}: {' '.join(faults)} (use_structured_name={use_structured_name})")
        if unused:
            warnings.warn(f"{where}: {', '.join(unused)} not used, the layer has no such entry", stacklevel=2)
        for name, variable in wanted.items():
            variable.set_value(stat_dict[name])

    load_dict = set_dict

    def __repr__(self) -> str:
        lines = []
        for name, layer in self._sub_layers.items():
            lines.append(f"({name}): " + repr(layer).replace("\n", "\n  "))
        for name, value in self._parameters.items():
            if value is not None:
                lines.append(f"({name}): Parameter{list(value.shape)}")
        body = "".join(f"\n  {line}" for line in lines)
        return f"{type(self).__name__}({body}\n)" if body else f"{type(self).__name__}()"


def _misfit(variable: Variable, value: Any, where: str) -> EnforceNotMet | None:
    """Return the error that setting the value would raise; None if the value fits."""
    try:
        variable.fitting(value, where)
    except EnforceNotMet as error:
        return error
    return None


def _is_static_parameter(value: Any) -> bool:
    """Return whether a value is a parameter of a static Program, which a Layer holds in static mode."""
    return not isinstance(value, Variable) and getattr(value, "is_parameter", False) is True
