"""Checks of the dtypes and shapes of operators' inputs; they accept arrays and Metas."""

from __future__ import annotations

from typing import Any

from ...core.errors import DtypeError, ShapeError, message


def require_floats(where: str, **metas: Any) -> None:
    """Raise unless all inputs have the same floating dtype."""
    (first, like), *others = metas.items()
    if like.dtype.kind != "f":
        needs = "float32 or float64"
        raise DtypeError(message(where, f"Input({first})", f"dtype {like.dtype}", needs, "Convert it with cast()."))
    for slot, meta in others:
        if meta.dtype != like.dtype:
            needs = f"{like.dtype}, as {first} has"
            raise DtypeError(message(where, f"Input({slot})", f"dtype {meta.dtype}", needs, "Convert it with cast()."))


def shapes_match(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Return whether two shapes are equal in all known dimensions."""
    return len(a) == len(b) and all(m == n or -1 in (m, n) for m, n in zip(a, b, strict=True))


def require_elements(where: str, slot: str, meta: Any) -> None:
    """Raise ShapeError if an input has no elements."""
    if 0 in meta.shape:
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", "at least one element"))


def require_one_shape(where: str, **metas: Any) -> None:
    """Raise unless all inputs have the same shape."""
    (first, like), *others = metas.items()
    for slot, meta in others:
        if not shapes_match(meta.shape, like.shape):
            needs = f"{list(like.shape)}, the shape of {first}"
            raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", needs))


def require_same(where: str, **metas: Any) -> None:
    """Raise unless all inputs have the same floating dtype and the same shape."""
    require_floats(where, **metas)
    require_one_shape(where, **metas)


def require_dtype(where: str, slot: str, meta: Any, dtype: Any) -> None:
    """Raise unless the input has this dtype."""
    if meta.dtype != dtype:
        fix = "Convert it with cast()."
        raise DtypeError(message(where, f"Input({slot})", f"dtype {meta.dtype}", dtype, fix))


def require_shape(where: str, slot: str, meta: Any, *needs: tuple[int, ...]) -> None:
    """Raise unless the input has one of these shapes."""
    if not any(shapes_match(meta.shape, shape) for shape in needs):
        shown = " or ".join(str(list(shape)) for shape in needs)
        raise ShapeError(message(where, f"Input({slot})", f"shape {list(meta.shape)}", f"shape {shown}"))


def is_number(value: Any) -> bool:
    """Return whether a value is one real number: of Python, of NumPy, or an array of one element. Bools of Python and texts are none.

    >>> import numpy as np
    >>> is_number(2), is_number(np.ones([1])), is_number(np.ones([2])), is_number(True), is_number('2'), is_number(int)
    (True, True, False, False, False, False)
    """
    if isinstance(value, (bool, str, type)) or not hasattr(value, "__float__") or getattr(value, "size", 1) != 1:
        return False
    return getattr(getattr(value, "dtype", None), "kind", "f") in ("b", "i", "u", "f")
