"""What operators that update parameters and their accumulators share.

Each output `SlotOut` is the new value of the input `Slot`; in a Program the two are one variable. A gradient is an array
of the parameter's shape, or SelectedRows. LearningRate is one number.
"""

from __future__ import annotations

from typing import Any

from ...core.errors import DtypeError, ShapeError, message
from ...core.selected_rows import SelectedRows
from ..math.arithmetic import attribute_scalar
from ..support.meta import Meta
from ..support.require import require_dtype


def need_update(where: str, Param: Meta, Grad: Meta, LearningRate: Meta | None, **accumulators: Meta) -> None:
    """Raise unless gradient and accumulators fit the parameter and the learning rate, if there is one, is one number.

    Programs of PaddlePaddle 2 have a learning rate without dimensions.
    """
    if Param.dtype.kind != "f":
        raise DtypeError(message(where, "Input(Param)", f"dtype {Param.dtype}", "a float dtype"))
    for slot, meta in {"Grad": Grad, **accumulators}.items():
        if meta.dtype != Param.dtype:
            raise DtypeError(message(where, f"Input({slot})", f"dtype {meta.dtype}", f"{Param.dtype}, the parameter's"))
        if not _agree(meta.shape, Param.shape):
            needs = f"{list(Param.shape)}, the parameter's"
            raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", needs))
    if LearningRate is not None and LearningRate.shape and not _agree(LearningRate.shape, (1,)):
        raise ShapeError(message(where, "Input(LearningRate)", f"shape {list(LearningRate.shape)}", "[1]"))


def need_one(where: str, **numbers: Meta) -> None:
    """Raise unless each of these accumulators is one number."""
    for slot, meta in numbers.items():
        if not _agree(meta.shape, (1,)):
            raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", "[1]"))


def need_powers(where: str, Param: Meta, **powers: Meta) -> None:
    """Raise unless each of these powers is one number of the parameter's dtype."""
    need_one(where, **powers)
    for slot, meta in powers.items():
        require_dtype(where, slot, meta, Param.dtype)


def _agree(shape: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return len(shape) == len(other) and all(a == b or -1 in (a, b) for a, b in zip(shape, other, strict=True))


def dense(xp: Any, gradient: Any) -> Any:
    """Return the gradient as an array of the parameter's shape."""
    return gradient.to_dense(xp) if isinstance(gradient, SelectedRows) else gradient


def rate_of(LearningRate: Any, Param: Any) -> Any:
    """Return the learning rate in the dtype of the parameter, of shape []."""
    return LearningRate.astype(Param.dtype).reshape(())


def numbers(Param: Any, *attributes: float) -> list[Any]:
    """Return FLOAT attributes in the dtype of the parameter; 1 - beta is rounded in that dtype."""
    return [Param.dtype.type(attribute_scalar(a, Param.dtype)) for a in attributes]


def norm(xp: Any, array: Any) -> Any:
    """Return the Euclidean norm of all elements, of shape []."""
    return xp.sqrt(xp.sum(xp.square(array)))
