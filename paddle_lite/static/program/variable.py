"""Variables of a Program: a name, a shape and a dtype in a block; a Scope holds their values when the Program runs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ...core import result_names
from ...core.dtype import VarType, to_numpy, to_vartype
from ...core.errors import ModeError, ShapeError, message
from ...core.foreign_names import OF_VARIABLES, name_elsewhere
from ...core.mode import in_imperative_mode, state
from ...core.tracebacks import user_level
from ...ops.framework.conveniences import Conveniences
from ...ops.math import arithmetic
from ...ops.support.meta import Meta
from .described import described_text, describers
from .indexing import getitem
from .python_operators import RESULTS, PythonOperators
from .user_line import format_line, user_line

if TYPE_CHECKING:
    from ...core.typing import Variable as OneType
    from ..desc.variable import VarDesc
    from ..proto import TensorData
    from .block import Block
    from .operator import Operator
else:

    class OneType:
        """Nothing: the class is a type for type checkers."""


_VALUES = "a value, which Variables of a Program have while it runs: exe.run(fetch_list=[x]) returns it as an ndarray"
_ELSEWHERE = {
    **OF_VARIABLES,
    "item": _VALUES,
    "tolist": _VALUES,
    "grad": "fluid.gradients(targets, x), or the Variable named x.grad_name after append_backward",
}


class VariableMetaClass(type):
    """Decides what `isinstance` finds a Variable or a Parameter: those of a Program, and in imperative mode also those of
    that mode, whose classes are other ones. Programs ask for one class in both modes.
    """

    def __instancecheck__(cls, value: object) -> bool:
        if type.__instancecheck__(cls, value):
            return True
        if cls not in _IN_BOTH_MODES or not in_imperative_mode() or not state.mode.is_variable(value):
            return False
        return cls is Variable or bool(getattr(value, "is_parameter", False))


class Variable(OneType, PythonOperators, Conveniences, metaclass=VariableMetaClass):
    """One variable of a block of a static Program.

    `Block.create_var`, `fluid.data` and operators create one; it has a value only while an Executor runs the Program.

    >>> import paddle_lite.fluid as fluid
    >>> with fluid.program_guard(fluid.Program()):
    ...     x = fluid.data('x', [None, 8], 'float32')
    >>> x.name, x.shape, x.dtype, x.stop_gradient
    ('x', (-1, 8), VarType.FP32, True)
    """

    __array_priority__ = 100.0
    __getitem__ = getitem
    home = "a Program"
    is_parameter = False
    parts: Sequence[TensorData] = ()  # what a reader gives
    _notes: Mapping[str, Any] = MappingProxyType({})  # see _set_info

    def __init__(
        self,
        block: Block,
        type: int = VarType.LOD_TENSOR,
        name: str = "",
        shape: Sequence[int] | None = None,
        dtype: Any = None,
        lod_level: int | None = None,
        persistable: bool = False,
        stop_gradient: bool = False,
        is_data: bool = False,
        need_check_feed: bool = False,
        belong_to_optimizer: bool = False,
        error_clip: Any = None,
        **ignored: Any,
    ) -> None:
        if ignored:
            names = ", ".join(map(repr, ignored))
            warnings.warn(
                f"Variable {name}: {names} has no effect, here as on PaddlePaddle 1.8.5", stacklevel=user_level()
            )
        self.block = block
        self.type = type if type.__class__ is VarType else VarType(type)
        self._meta: Meta | None = None
        self._name = name
        self._shape = () if shape is None else tuple(-1 if n is None else int(n) for n in shape)
        self._dtype = None if dtype is None else to_vartype(dtype)
        self._lod_level = lod_level or 0
        self._persistable = bool(persistable)
        self.stop_gradient = bool(stop_gradient)
        self.is_data = is_data
        self.need_check_feed = need_check_feed
        self.belong_to_optimizer = belong_to_optimizer
        self.error_clip = error_clip
        self.op: Operator | None = None  # the last operator that writes it

    # --- properties ---------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The name, unique in the block."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self.block._rename_var(self._name, name)

    @property
    def shape(self) -> tuple[int, ...]:  # type: ignore[override]
        """The size of each dimension; -1 if it is known only when the Program runs."""
        return self._shape

    @property
    def dtype(self) -> VarType:
        """The data type as Paddle's code, which also equals its NumPy name."""
        return VarType.FP32 if self._dtype is None else self._dtype

    @property
    def lod_level(self) -> int:
        """The expected number of LoD levels of the value."""
        return self._lod_level

    @property
    def persistable(self) -> bool:
        """Whether the value is kept in the Scope between runs, as that of a parameter is."""
        return self._persistable

    @persistable.setter
    def persistable(self, value: bool) -> None:
        self._persistable = bool(value)
        self.block.program._changed()

    @property
    def desc(self) -> VarDesc:
        """Its description, a VarDesc: a view of this Variable, as programs use it."""
        found: VarDesc = describers["variable"](self)
        return found

    @property
    def grad_name(self) -> str:
        """The name of the Variable's gradient."""
        return self._name + "@GRAD"

    @property
    def meta(self) -> Meta:
        """Shape, dtype and LoD level as one Meta, which inference reads."""
        meta = self._meta
        if meta is None:
            meta = self._meta = Meta(self._shape, to_numpy(self.dtype), self._lod_level)
        return meta

    def set_meta(self, meta: Meta) -> None:
        """Set shape, dtype and LoD level to an inferred meta."""
        self._shape, self._dtype, self._lod_level = tuple(meta.shape), to_vartype(meta.dtype), meta.lod_level
        self._meta = meta if meta.shape.__class__ is tuple and isinstance(meta.dtype, np.dtype) else None

    def astype(self, dtype: Any) -> Any:
        """Append a conversion to another dtype and return its result.

        Arguments:
            dtype: a NumPy dtype or its name, or a VarType.

        Raises:
            DtypeError: Paddle does not have the dtype.
        """
        with result_names.results(RESULTS):
            return arithmetic.cast.call(self, in_dtype=int(self.dtype), out_dtype=int(to_vartype(dtype, "astype")))

    def detach(self) -> Variable:
        """Return a Variable with the same value through which no gradient flows."""
        result = arithmetic.assign.call(self)
        result.stop_gradient = True
        return result

    def _set_error_clip(self, error_clip: Any) -> None:
        """Set the clip of the Variable's gradient."""
        self.error_clip = error_clip

    def _set_info(self, key: str, value: Any) -> None:
        """Note something about the Variable under a key."""
        self._notes = {**self._notes, key: value}

    def _get_info(self, key: str) -> Any:
        """Return what was noted under a key, or None."""
        return self._notes.get(key)

    def take(self, result: Any) -> None:
        """Make the operator that wrote `result` write this Variable instead; implements `out` arguments."""
        result.block.redirect(result, self)

    # --- errors of imperative methods ---------------------------------------------------------------------------------

    def _needs_values(self, call: str) -> ModeError:
        if state.mode.translates:
            return ModeError(
                f"{call} of {self._name}: the value is not known while a Program is built from imperative code. Compute with "
                f"operators of fluid.layers, or outside of the declared function.\n  at {format_line(user_line())}"
            )
        return ModeError(
            f"{call} of {self._name}: a Variable of a static Program has no values before it runs. Fetch it: "
            f"exe.run(feed=..., fetch_list=[{self._name!r}]); or work in imperative mode, with fluid.dygraph.guard()."
        )

    def numpy(self) -> Any:
        """Return this Variable where a Program is built from imperative code: operators then compute what NumPy would.

        Raises:
            ModeError: elsewhere; fetch the Variable from `Executor.run` instead.
        """
        if state.mode.translates:
            return self
        raise self._needs_values("numpy()")

    def backward(self, *_: Any, **__: Any) -> None:
        """Raise ModeError: use `fluid.backward.append_backward(loss)`, or an optimizer's `minimize(loss)`."""
        raise self._needs_values("backward()")

    def gradient(self) -> Any:
        """Raise ModeError: fetch the Variable named `grad_name` instead."""
        raise self._needs_values("gradient()")

    def set_value(self, value: Any) -> None:
        """Raise ModeError: use `fluid.global_scope().find_var(name).get_tensor().set(array, place)`."""
        raise self._needs_values("set_value()")

    def clear_gradient(self) -> None:
        """Raise ModeError: each run computes new gradients."""
        raise self._needs_values("clear_gradient()")

    def fitting(self, value: Any, where: str) -> Any:
        """Raise ModeError: use `fluid.load` or `fluid.set_program_state` for the values of parameters."""
        raise self._needs_values(f"set_dict(), {where},")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """Return an array of objects that holds the Variable, so that NumPy arranges Variables: `np.squeeze([[x, y]])`.

        Raises:
            ModeError: `dtype` is a type of numbers; a Variable has none before its Program runs. Or the Program is built from
                imperative code, in which NumPy computes with numbers.
        """
        if state.mode.translates:
            raise self._needs_values("np.array()")
        if dtype is not None and np.dtype(dtype) != object:
            raise self._needs_values(f"np.array(..., {np.dtype(dtype).name!r})")
        holder = np.empty((), dtype=object)
        holder[()] = self
        return holder

    def __bool__(self) -> bool:
        """Return True, as in Fluid, where code writes `if label:` to test for None, and warn that the value is not known.

        Raises:
            ModeError: the Program is built from imperative code, in which bool() depends on the value.
        """
        if state.mode.translates:
            raise ModeError(
                f"bool() of {self._name}: the value is not known while a Program is built from imperative code, and what asks "
                "for it is not translated: a library, a function without source, a class, a comprehension's `if`, or a `try`, `match` or generator around "
                f"it. Write `if` or `while` in a function of your own.\n  at {format_line(user_line())}"
            )
        warnings.warn(
            f"bool() of {self._name}: a Variable of a static Program is always true, its value is not known before the "
            "Program runs. Choose with layers.cond; ask `is not None` for whether there is one.",
            UserWarning,
            stacklevel=user_level(),
        )
        return True

    def __len__(self) -> int:
        if not self._shape or self._shape[0] < 0:
            needs = "a first dimension that is known"
            raise ShapeError(message("len()", self._name, f"shape {list(self._shape)}", needs))
        return self._shape[0]

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __hash__(self) -> int:
        return id(self)

    # --- text ---------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        levels = f", lod_level={self._lod_level}" if self._lod_level else ""
        kind = "" if self.type == VarType.LOD_TENSOR else f", type={self.type.name}"
        return (
            f"{type(self).__name__} {self._name}: shape={list(self._shape)}, "
            f"dtype={'unknown' if self._dtype is None else to_numpy(self._dtype).name}{levels}{kind}"
            f"{', persistable' if self._persistable else ''}{', stop_gradient' if self.stop_gradient else ''}"
        )

    __str__ = __repr__

    def to_string(self, throw_on_error: bool = False, with_details: bool = False) -> str:
        """Return the Variable as a file of the Program holds it, as protobuf's text.

        Arguments:
            throw_on_error: accepted for Fluid code, ignored.
            with_details: whether to add what no file holds, such as `stop_gradient`; of a Parameter also what its training needs.

        Raises:
            ArgumentTypeError: an argument is not a bool.
        """
        return described_text("variable", self, throw_on_error, with_details)


class Parameter(Variable):
    """A persistable Variable that optimizers train; it belongs to the first block of its Program.

    trainable: whether optimizers update it.
    optimize_attr: {'learning_rate': factor of the optimizer's learning rate}.
    regularizer: a regularizer that replaces the optimizer's, or None.
    """

    is_parameter = True  # a Layer registers it as a parameter

    def __init__(
        self,
        block: Block,
        shape: Sequence[int],
        dtype: Any,
        *,
        name: str,
        trainable: bool = True,
        optimize_attr: dict[str, Any] | None = None,
        regularizer: Any = None,
        gradient_clip_attr: Any = None,
        do_model_average: bool | None = False,
        **kwargs: Any,
    ) -> None:
        kwargs.setdefault("stop_gradient", False)
        super().__init__(block, name=name, shape=shape, dtype=dtype, **{**kwargs, "persistable": True})
        if not self._shape or min(self._shape) < 1:
            got = list(self._shape)
            raise ShapeError(message(f"Parameter {name}", "shape", got, "at least one size, each of 1 or more"))
        self.trainable = trainable
        self.optimize_attr = {"learning_rate": 1.0} if optimize_attr is None else optimize_attr
        self.regularizer = regularizer
        self.gradient_clip_attr = gradient_clip_attr
        self.do_model_average = do_model_average
        self.is_distributed = False


_IN_BOTH_MODES = (Variable, Parameter)

name_elsewhere(Variable, _ELSEWHERE)
