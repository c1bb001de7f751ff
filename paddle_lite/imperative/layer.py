"""Layer: parameters, sublayers and a forward function."""

from __future__ import annotations

import itertools
import re
import warnings
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any, TypeVar

from ..core import result_names, unique_name
from ..core.dtype import VarType, name_of, to_numpy
from ..core.errors import ArgumentTypeError, ArgumentValueError, DtypeError, describe, message, missing_name
from ..core.foreign_names import OF_LAYERS, missing_on, operator_attribute
from ..core.mode import change, changed, in_imperative_mode, now, state
from ..core.text import closest
from ..core.tracebacks import about_the_call, shortened, user_level
from ..core.typing import Computes, P, R
from ..core.typing import Parameter as ParameterType
from ..core.typing import Variable as VariableType
from ..params.attr import WeightNormParamAttr
from ..params.create import create_parameter
from .layer_helper import LayerObjectHelper
from .layers.metaclass import LayerType
from .layers.names import INCOMPLETE, NOT_BUILT, attr_before_1_7, attribute_before_1_7, name_before_1_7, scoped_name
from .layers.state import set_held, set_state
from .layers.variables import empty
from .parameter import Parameter
from .variable import Variable
from .views.text import hyperparameters, layer_text, plain_arguments
from .weight_norm import NormalizedWeight, normalized_weight

Item = TypeVar("Item")
LIBRARY = __name__.split(".", 1)[0] + ".nn."  # prefix of the modules with the layers of this package
FLOATS = (VarType.FP16, VarType.FP32, VarType.FP64)
SPELLED = {
    "_stride": "strides", "_padding": "paddings", "_dilation": "dilations", "_pool_type": "pooling_type",
    "_pool_size": "ksize", "_pool_padding": "paddings", "_pool_stride": "strides",
}  # fmt: skip
"""Attributes of layers in Paddle, which subclasses read and set, whose operators spell them differently."""
NOT_STARTED = "super({0}, self).__init__() should be called first: {0} is used, or gets a parameter or sublayer, before it is a Layer."


class HookRemoveHelper:
    """Handle of a registered hook; `remove()` unregisters it."""

    _numbers = itertools.count()

    def __init__(self, hooks: dict[int, Callable]) -> None:
        self._hooks = hooks
        self._id = next(self._numbers)

    def remove(self) -> None:
        self._hooks.pop(self._id, None)


def snake_case(name: str) -> str:
    """Return a class name in snake case, as Paddle names layers: HelloWorldNet -> hello_world_net."""
    partly = re.sub(r"(.)([A-Z][a-z]+)", r"\1_\2", name)
    return re.sub(r"([a-z])([A-Z])", r"\1_\2", partly).lower()


class Layer(metaclass=LayerType):
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

    _unless_given: Mapping[str, Any] = {}
    """What `_attrs` of a layer of the library holds for subclasses that assign `_stride` and the like in place of its `__init__`."""
    _names_results = False  # whether results in Programs get names of this Layer; not those of a user's Layer

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._names_results = cls.__module__.startswith(LIBRARY)

    if not TYPE_CHECKING:  # which look at the arguments of __init__

        def __new__(cls, *args: Any, **keywords: Any) -> Any:
            made = super().__new__(cls)
            if cls._unless_given:
                made.__dict__["_attrs"] = deepcopy(cls._unless_given)
            if cls._names_results:  # a Layer of the library shows what it was made with
                made.__dict__["_given"] = plain_arguments(args, keywords)
            return made

    def __init__(self, name_scope: str | None = None, dtype: Any = "float32") -> None:
        if self.__dict__.pop("_begun", False):
            self.__dict__["_dtype"] = to_numpy(dtype).name
        elif name_scope is None or self._names_results:
            self._begin(
                unique_name.generate(snake_case(type(self).__name__) if name_scope is None else name_scope), dtype
            )
        else:
            self._begin(scoped_name(name_scope, type(self).__name__), dtype)
            unique_name.current().before_1_7 = True

    def _begin(self, full_name: str, dtype: Any = "float32") -> None:
        values = self.__dict__
        values["training"] = True
        values["_full_name"] = full_name
        values["_dtype"] = to_numpy(dtype).name
        values["_parameters"] = OrderedDict()
        values["_normalized"] = {}
        values["_buffers"] = OrderedDict()
        values["_non_persistable_buffers"] = set()
        values["_sub_layers"] = OrderedDict()
        values["_forward_pre_hooks"] = OrderedDict()
        values["_forward_post_hooks"] = OrderedDict()

    def _begin_before_1_7(self, name_scope: str) -> None:
        """Become a Layer with the names that Fluid 1.3 to 1.6 gave; the next Layer.__init__ keeps what is there."""
        self._begin(name_before_1_7(name_scope, type(self).__name__))
        self.__dict__.update(_before_1_7=True, _begun=True)
        unique_name.current().before_1_7 = True

    # --- attributes -----------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        for kind in ("_parameters", "_sub_layers", "_buffers"):
            found = self.__dict__.get(kind)
            if found is not None and name in found:
                return found[name] if now().entered.redirect is None else state.mode.layer_attribute(self, found[name])
        if name in self.__dict__.get("_normalized", ()):
            return self.__dict__["_normalized"][name].weight()
        if name == "_helper" and "_parameters" in self.__dict__:
            return LayerObjectHelper(self)
        key = self._operator_attribute(name)
        if key is not None:
            return self.__dict__["_attrs"][key]
        if "_parameters" not in self.__dict__ and (name.startswith("_") or name == "training"):
            raise missing_name(NOT_STARTED.format(type(self).__name__), name)
        if self._before_1_7 and (today := attribute_before_1_7(name)) is not None:
            return getattr(self, today)
        if "_pending" in self.__dict__:
            if name[1:] in self.__dict__["_pending"]:
                return self.__dict__["_pending"][name[1:]]
            raise AttributeError(NOT_BUILT.format(self._full_name, name))
        raise missing_on(self, name, OF_LAYERS)

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
        key = self._operator_attribute(name)
        if key is not None:
            former = values["_attrs"][key]
            if value is None:  # no number of groups
                return
            values["_attrs"][key] = (
                [value] * len(former) if isinstance(former, list) and isinstance(value, int) else value
            )
            return
        object.__setattr__(self, name, value)

    def _operator_attribute(self, name: str) -> str | None:
        """Return the attribute of the layer's operator that Paddle keeps under a name: `strides` for `_stride`; or None."""
        attributes = self.__dict__.get("_attrs")
        key = operator_attribute(name, attributes, SPELLED) if isinstance(attributes, dict) else None
        ours = key is not None and any(base.__module__.startswith(LIBRARY) for base in type(self).__mro__)
        return key if ours else None  # a class of the user's may keep other things in _attrs

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
        dtype: Any = "float32",
        is_bias: bool = False,
        default_initializer: Any = None,
    ) -> ParameterType:
        """Return a new parameter, named after this layer. Assign it to an attribute to register it.

        Arguments:
            shape: its shape.
            attr: a ParamAttr, a name, an initializer, or False for no parameter.
            dtype: its dtype; None: that of the layer.
            is_bias: whether it is a bias: named "....b_N" rather than "....w_N", and 0 by default.
            default_initializer: used when `attr` has no initializer; Xavier by default.

        Returns:
            A Parameter; None if `attr` is False.

        Raises:
            ArgumentValueError: another parameter has the name that `attr` gives.
        """
        if isinstance(attr, (list, tuple)) and not isinstance(shape, (list, tuple)):
            shape, attr = attr, shape  # the order of Fluid 1.3 to 1.6
        if self._before_1_7:
            attr = attr_before_1_7(attr, self._full_name)
        dtype = self._dtype if dtype is None else name_of(dtype)
        if isinstance(attr, WeightNormParamAttr) and in_imperative_mode():
            made: Any = normalized_weight(shape, dtype, attr, is_bias, default_initializer, self._full_name)
            return made
        made = create_parameter(
            shape,
            dtype,
            attr,
            is_bias,
            default_initializer,
            prefix=self._full_name,
        )
        return made

    def create_variable(
        self, name: str | None = None, persistable: bool | None = None, dtype: Any = None, type: Any = None
    ) -> VariableType:
        """Return a Variable without elements, to be set by `value().get_tensor().set(array, place)`, or by an operator.

        Arguments:
            name: the second part of its name, after the layer's; generated when None.
            persistable: whether it is kept between runs.
            dtype: its dtype; by default the layer's.
            type: ignored; accepted since Fluid code passes it.
        """
        key = f"{self._full_name}.{name or '_generated_var'}"
        full = key if name is not None else unique_name.generate(key)
        return empty(full, dtype or self._dtype, bool(persistable))

    def add_parameter(self, name: str, parameter: Item) -> Item:
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

    def add_sublayer(self, name: str, sublayer: Item) -> Item:
        """Register a sublayer under a name and return it.

        Raises:
            ArgumentTypeError: `sublayer` is not a Layer.
        """
        if not isinstance(sublayer, Layer):
            raise ArgumentTypeError(message("add_sublayer", "sublayer", describe(sublayer), "a Layer"))
        self._sub_layers[str(name)] = sublayer
        return sublayer

    def register_buffer(self, name: str, variable: VariableType | None, persistable: bool = True) -> None:
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
        """Yield (path, sublayer) for each sublayer once, parents before children; with `include_self` first (`prefix`, this layer)."""
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
        """Return all sublayers, parents before children; without `include_sublayers` only the direct ones."""
        return list(self._add_sublayers({}, include_sublayers))

    def _add_sublayers(self, found: dict[Layer, None], include_sublayers: bool) -> dict[Layer, None]:
        for layer in self._sub_layers.values():
            if layer is not None and layer not in found:
                found[layer] = None
                if include_sublayers:
                    layer._add_sublayers(found, True)
        return found

    def _named(self, kind: str, prefix: str, include_sublayers: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        layers = [(prefix, self), *(self.named_sublayers(prefix) if include_sublayers else ())]
        for path, layer in layers:
            for name, value in layer.__dict__[kind].items():
                if value is not None and id(value) not in seen:
                    seen.add(id(value))
                    yield f"{path}.{name}" if path else name, value

    def named_parameters(self, prefix: str = "", include_sublayers: bool = True) -> Iterator[tuple[str, ParameterType]]:
        """Return an iterator of (path, parameter), with each parameter once; paths begin with `prefix`."""
        return self._named("_parameters", prefix, include_sublayers)

    def parameters(self, include_sublayers: bool = True) -> list[ParameterType]:
        """Return all parameters, each once, as the `parameter_list` of an optimizer; with `include_sublayers` those of sublayers, too."""
        layers = [self, *self._add_sublayers({}, True)] if include_sublayers else [self]
        waiting = [] if self._built else [each._full_name for each in layers if each._names_results and each._waits()]
        if waiting:
            warnings.warn(INCOMPLETE.format(self._full_name, ", ".join(waiting)), stacklevel=user_level())
        found = {id(each): each for layer in layers for each in layer._parameters.values() if each is not None}
        return list(found.values())

    def named_buffers(self, prefix: str = "", include_sublayers: bool = True) -> Iterator[tuple[str, VariableType]]:
        """Return an iterator of (path, buffer), with each buffer once; paths begin with `prefix`."""
        return self._named("_buffers", prefix, include_sublayers)

    def buffers(self, include_sublayers: bool = True) -> list[VariableType]:
        """Return all buffers, each once; with `include_sublayers` those of sublayers, too."""
        return [b for _, b in self.named_buffers(include_sublayers=include_sublayers)]

    # --- mode -----------------------------------------------------------------------------------------------------

    def train(self) -> None:
        """Set this layer and its sublayers to training: dropout drops, batch_norm uses the batch's statistics.

        The latest train() or eval() of any Layer decides also what the function `layers.dropout` does, and whether
        operators record gradients, as in PaddlePaddle 1.8.5; but each thread and task of asyncio has a latest one of its own.
        """
        self._set_training(True)

    def eval(self) -> None:
        """Set this layer and its sublayers to evaluation.

        `layers.dropout` infers too, and no operator records gradients, not even one of another Layer, until the next
        `train()` of any Layer. Inside of `no_grad` this lasts until its end. To differentiate what a layer computes
        without dropout, set `training` of the layers concerned. In a thread that has called neither `train()` nor `eval()`,
        the same holds while this Layer is called, and not beyond.

        >>> import numpy as np, paddle_lite.fluid as fluid
        >>> with fluid.dygraph.guard():
        ...     layer = fluid.dygraph.Linear(2, 2)
        ...     layer.eval()
        ...     print(layer(fluid.dygraph.to_variable(np.ones([1, 2], 'float32'))).stop_gradient)
        True
        """
        self._set_training(False)

    def _set_training(self, training: bool) -> None:
        recorded = training if in_imperative_mode() else state.grad_enabled
        change(training=training, grad_enabled=recorded, told=True)
        for layer in (self, *self.sublayers()):
            layer.training = training
            layer._infers = not training

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
        text = f"{type(self).__name__}.forward is not defined: a Layer computes in its forward method"
        near = closest("forward", set(dir(type(self))) - set(dir(Layer)))
        raise NotImplementedError(f"{text}. Is it {near!r}?" if near else text)

    def backward(self, *inputs: Any) -> Any:
        """Raise an ArgumentValueError: gradients are computed by `backward()` of the loss."""
        raise ArgumentValueError("Layer shouldn't implement backward: call backward() on the loss Variable.")

    _built = False  # whether _build_once has been called
    _before_1_7 = False  # whether it was made in the form of Fluid 1.3 to 1.6
    _infers = False  # whether the latest of train() and eval() was eval(); `training` may be set by itself

    def _build_once(self, *inputs: Any, **keywords: Any) -> None:
        """Do nothing; the first call of a Layer calls this with its arguments, so a subclass may create parameters here."""

    def _waits(self) -> bool:
        """Return whether parameters are missing that the first call makes."""
        return not self._built and type(self)._build_once is not Layer._build_once

    def _call(self, *inputs: Any, **keywords: Any) -> Any:
        try:
            here = now()
            if self._infers and here.training and not here.told:
                with changed(training=False, grad_enabled=False, told=True):
                    return self(*inputs, **keywords)
            forward = self.forward
            if here.entered.redirect is not None and not here.entered.imperative:
                key = f"{self._full_name}.tmp" if self._names_results else None
                if result_names.current().key != key:
                    with result_names.results(key):
                        return self(*inputs, **keywords)
                forward = state.mode.layer_forward(forward)
            if self._forward_pre_hooks:
                for hook in tuple(self._forward_pre_hooks.values()):
                    given = hook(self, inputs)
                    if given is not None:
                        inputs = given if isinstance(given, tuple) else (given,)
            if not self._built:
                self._build_once(*inputs, **keywords)
                self._built = True
                set_held(self)
            output = forward(*inputs, **keywords)
            if self._forward_post_hooks:
                for hook in tuple(self._forward_post_hooks.values()):
                    given = hook(self, inputs, output)
                    if given is not None:
                        output = given
            return output
        except DtypeError as error:
            raise shortened(_of_input(self, inputs, error))  # noqa: B904 - the same error, or one in its place
        except Exception as error:
            raise about_the_call(self.forward, inputs, keywords, error)  # noqa: B904 - the same error, or one in its place

    if TYPE_CHECKING:

        def __call__(self: Computes[P, R], *inputs: P.args, **keywords: P.kwargs) -> R:
            """Compute what `forward` does; its arguments and its result are those of `forward`."""

    else:
        __call__ = _call

    # --- state ----------------------------------------------------------------------------------------------------

    def state_dict(
        self, destination: dict | None = None, include_sublayers: bool = True, structured_name_prefix: str = ""
    ) -> dict[str, Any]:
        """Return parameters and persistable buffers by path, a shared one under each of its paths.

        `destination` is the dict to add them to, a new one by default; paths begin with `structured_name_prefix`.
        """
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
        set_state(self, stat_dict, include_sublayers, use_structured_name)

    load_dict = set_dict

    # --- looks ----------------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """Return what the text of this Layer shows in parentheses: the hyperparameters of a Layer of the library.

        A subclass may override it, as in PyTorch.
        """
        return hyperparameters(self) if self._names_results else ""

    def __repr__(self) -> str:
        return layer_text(self)

    __repr__.shows_the_tree = True  # type: ignore[attr-defined]

    def _repr_html_(self) -> str:
        from .views.html import layer_html

        return layer_html(self)


def _of_input(layer: Layer, inputs: Sequence[Any], error: DtypeError) -> DtypeError:
    """Return the error that names the input of a Layer, if it is of another float dtype than the parameters; else `error`."""
    own = {p.dtype for p in layer._parameters.values() if p is not None}
    for position, value in enumerate(inputs):
        dtype = getattr(value, "dtype", None)
        if len(own) == 1 and dtype in FLOATS and dtype not in own:
            needs = f"{name_of(own.pop())}, the dtype of its parameters"
            fix = f"Convert it: x.astype({needs.partition(',')[0]!r})."
            better = DtypeError(message(layer._full_name, f"input {position}", f"dtype {name_of(dtype)}", needs, fix))
            better.__suppress_context__ = True
            return better.with_traceback(error.__traceback__)
    return error


def _is_static_parameter(value: Any) -> bool:
    """Return whether a value is a parameter of a static Program, which a Layer holds in static mode."""
    return not isinstance(value, Variable) and getattr(value, "is_parameter", False) is True
