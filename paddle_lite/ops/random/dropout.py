"""Dropout. With a seed it keeps the elements that Paddle 1.8.5's CPU kernel keeps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ...core.dtype import to_numpy
from ...core.errors import ArgumentValueError, DtypeError, message
from ...kernels.codegen.expression import Node, make, number
from ...kernels.cpu.random import dropout as hashed
from ...kernels.cpu.random import random as draw
from ..framework.call import Call, PlannedCall
from ..framework.costs import Amount, PerElement
from ..framework.frame import Frame, placed
from ..framework.fusion import Builder, Rule, equal_frame, expression, per_part, plain_frame
from ..framework.spec import Declaration, Grad, op
from ..framework.traits import Identity
from ..support.meta import Meta
from ..support.scalar_inputs import require_one_integer

ZERO = 2**31 - 1  # the seed that starts the generator where 0 would; 0 itself asks for other numbers each time


def _dropout_flops(call: Call) -> Amount | None:
    x = call.one("X")
    return None if x is None else Amount.of(x.shape) * (1 if call.attrs["is_test"] else 3)


def _keeps_everything(call: Call) -> bool:
    """Return whether a dropout returns its input when it does not drop."""
    return dropout_factors(call.attrs["dropout_prob"], call.attrs["dropout_implementation"])[1] == 1.0


def _keyed_dropout(call: Call) -> Callable | None:
    """Return the dropout of training that hashes places with a key, as kernels/cpu/random/dropout.py does."""
    attrs, mask = call.attrs, call.out("Mask")
    p, implementation = attrs["dropout_prob"], attrs["dropout_implementation"]
    fit = 0 <= p < 1 and (mask is None or mask.dtype == np.uint8)
    if attrs["is_test"] or attrs["fix_seed"] or call.one("Seed") is not None or not fit:
        return None
    return partial(_dropped_by_key, p=p, scale=hashed.scale_of(p, implementation))


def _dropped_by_key(x: Any, p: float, scale: float, drawn: Any) -> tuple[Any, Any]:
    """Return the kept elements, and the mask, by the hash of places: on the device that holds the key."""
    if isinstance(drawn, np.ndarray):
        return hashed.dropout(x, p, scale, drawn)
    from ...kernels.gpu.random.dropout_kernels import by_key  # no GPU is used before

    return by_key(x, p, scale, drawn)


def _dropout_frame(call: PlannedCall) -> Frame | None:
    """Return the frame of a dropout that only multiplies, or draws a key and no more."""
    return equal_frame(call) if not call.used(call.out("Mask")) or _keyed_dropout(call) is not None else None


def _factors(call: Call) -> tuple[Node, Node]:
    """Return what a dropout multiplies kept elements by in training, and all in tests."""
    given = call.attrs["dropout_prob"], call.attrs["dropout_implementation"]
    return number(hashed.scale_of(*given)), number(dropout_factors(*given)[1])


def _build_dropout(call: Call, builder: Builder) -> None:
    x, out, mask = call.one("X"), call.out("Out"), call.out("Mask")
    assert x is not None and out is not None
    in_training, in_tests = _factors(call)
    layout = placed(builder.frame, out.shape, out.shape)
    parts = builder.read(x, layout)
    if call.attrs["is_test"]:
        builder.write(out, layout, [make("*", part, in_tests) for part in parts])
        return
    kept, zero = builder.draw(call, layout, int(hashed.threshold(call.attrs["dropout_prob"]))), number(0)
    builder.write(out, layout, per_part([kept, parts], lambda k, a: make("if", k, make("*", a, in_training), zero)))
    if mask is not None:
        builder.write(mask, layout, [make("if", part, number(1), zero) for part in kept])


def _dropout_gradient_frame(call: Call) -> Frame | None:
    mask = call.one("Mask")
    fit = call.attrs["is_test"] or (mask is not None and mask.dtype is not None and mask.dtype.itemsize == 1)
    return plain_frame(call.one("Out@GRAD")) if fit and call.out("X@GRAD") is not None else None


def _build_dropout_gradient(call: Call, builder: Builder) -> None:
    d, mask, dx = call.one("Out@GRAD"), call.one("Mask"), call.out("X@GRAD")
    assert d is not None and dx is not None
    in_training, in_tests = _factors(call)
    layout = placed(builder.frame, d.shape, d.shape)
    parts = builder.read(d, layout)
    if call.attrs["is_test"]:
        made = [make("*", part, in_tests) for part in parts]
    else:
        assert mask is not None
        masks = builder.read(mask, layout)
        made = per_part([parts, masks], lambda a, m: expression("a * m * k", a=a, m=m, k=in_training))
    builder.write(dx, layout, made)


@op(
    "dropout",
    inputs="X Seed?",
    outputs="Out Mask~",
    attrs={
        "dropout_prob": 0.5,
        "is_test": False,
        "fix_seed": False,
        "seed": 0,
        "dropout_implementation": "downgrade_in_infer",
    },
    effects="random",
    lod=lambda lods, ins, outs, attrs: (lods[0], None),
    flops=_dropout_flops,
    fresh=True,
    view=Identity(_keeps_everything),
    fuses=Rule(_dropout_frame, _build_dropout, keyed=_keyed_dropout),
    training=lambda attrs: not attrs["is_test"],
    self_adjoint=True,
    stopped="Mask",
)
class dropout(Declaration):
    """Set random elements of X to 0; Mask is 1 at the elements that are kept.

    "downgrade_in_infer" keeps the other elements unchanged and multiplies by 1 - p in tests; "upscale_in_train" divides
    them by 1 - p and changes nothing in tests.
    """

    def infer(X, Seed, *, dropout_prob, is_test, dropout_implementation, **_):
        if X.dtype.kind != "f":
            raise DtypeError(message("dropout", "Input(X)", f"dtype {X.dtype}", "float32 or float64"))
        if Seed is not None:
            require_one_integer("dropout", "Seed", Seed)
        dropout_factors(dropout_prob, dropout_implementation)
        return X, None if is_test else Meta(X.shape, to_numpy("uint8"))

    def reference(xp, X, Seed, *, dropout_prob, is_test, fix_seed, seed, dropout_implementation):
        in_training, in_tests = dropout_factors(dropout_prob, dropout_implementation)
        if is_test:
            return X * X.dtype.type(in_tests), None
        seed = 0 if Seed is None and not fix_seed else (Seed.item() if Seed is not None else seed) or ZERO
        mask = xp.asarray(draw.dropout_mask(X.shape, dropout_prob, seed))
        return X * mask.astype(X.dtype) / X.dtype.type(in_training), mask

    def gradient(xp, Mask, dOut, *, dropout_prob, is_test, dropout_implementation):
        in_training, in_tests = dropout_factors(dropout_prob, dropout_implementation)
        if is_test:
            return dOut * dOut.dtype.type(in_tests)
        if Mask is None:
            raise ArgumentValueError(message("dropout_grad", "Input(Mask)", "nothing", "the mask that dropout made"))
        return dOut * Mask.astype(dOut.dtype) / dOut.dtype.type(in_training)

    grad = Grad(
        "Mask? Out@GRAD",
        "X@GRAD",
        gradient,
        flops=PerElement(1, "Out@GRAD"),
        fuses=Rule(_dropout_gradient_frame, _build_dropout_gradient),
    )


def dropout_factors(p: float, implementation: str) -> tuple[float, float]:
    """Return (what the kept elements are divided by in training, what all are multiplied by in tests)."""
    if not 0 <= p <= 1:
        raise ArgumentValueError(message("dropout", "attribute 'dropout_prob'", p, "0 to 1"))
    if implementation == "downgrade_in_infer":
        return 1.0, 1.0 - p
    if implementation == "upscale_in_train":
        return 1.0 - p or 1.0, 1.0
    needs = '"downgrade_in_infer" or "upscale_in_train"'
    raise ArgumentValueError(message("dropout", "attribute 'dropout_implementation'", repr(implementation), needs))
