"""gru_unit and its gradient composed of other operators, which loops that run as one kernel compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..framework.double_gradients import call, total

NAMES = {1: "sigmoid", 2: "tanh", 3: "relu"}
"""The code of an activation -> its operator; the others change nothing."""


def _split(whole: Any, count: int) -> Sequence[Any]:
    """Return equal parts of rows."""
    return call("split", whole, None, None, num=count, axis=1)


def _joined(parts: Sequence[Any], axis: int = 1) -> Any:
    return call("concat", list(parts), None, axis=axis)


def _times(a: Any, b: Any) -> Any:
    return call("elementwise_mul", a, b)


def _activated(x: Any, code: int) -> Any:
    return call(NAMES[code], x) if code in NAMES else x


def _before(y: Any, dy: Any, code: int) -> Any:
    """Return the gradient of what an activation gets from its result and the gradient of this."""
    return call(f"{NAMES[code]}_grad", y, dy) if code in NAMES else dy


def _weights(Weight: Any) -> tuple[Any, Any]:
    """Return the weights of both gates, and of the candidate, which are stored one after another."""
    size = Weight.shape[0]
    flat, cut = call("reshape2", Weight, None, None, shape=[-1])[0], 2 * size * size
    found = []
    for start, end, width in ((0, cut, 2 * size), (cut, 3 * size * size, size)):
        part = call("slice", flat, None, None, None, None, axes=[0], starts=[start], ends=[end])
        found.append(call("reshape2", part, None, None, shape=[size, width])[0])
    return found[0], found[1]


def step(
    Input: Any, HiddenPrev: Any, Weight: Any, Bias: Any, *, activation: int, gate_activation: int, origin_mode: bool
) -> tuple[Any, Any, Any]:
    """Return what gru_unit computes."""
    of_gates, of_candidate = _weights(Weight)
    xu, xr, xc = _split(Input if Bias is None else call("elementwise_add", Input, Bias), 3)
    hu, hr = _split(call("matmul", HiddenPrev, of_gates), 2)
    u = _activated(call("elementwise_add", xu, hu), gate_activation)
    r = _activated(call("elementwise_add", xr, hr), gate_activation)
    reset = _times(r, HiddenPrev)
    c = _activated(call("elementwise_add", xc, call("matmul", reset, of_candidate)), activation)
    one, other = (c, HiddenPrev) if origin_mode else (HiddenPrev, c)
    hidden = call("elementwise_add", one, _times(u, call("elementwise_sub", other, one)))
    return _joined([u, r, c]), reset, hidden


def step_back(
    Input: Any, HiddenPrev: Any, Weight: Any, Bias: Any, Gate: Any, ResetHiddenPrev: Any, dHidden: Any,
    *, activation: int, gate_activation: int, origin_mode: bool,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """Return the gradients of what gru_unit reads."""
    of_gates, of_candidate = _weights(Weight)
    u, r, c = _split(Gate, 3)
    rest = call("scale", u, None, scale=-1.0, bias=1.0)
    of_c, of_h = (rest, u) if origin_mode else (u, rest)
    apart = call("elementwise_sub", HiddenPrev, c) if origin_mode else call("elementwise_sub", c, HiddenPrev)
    dc = _before(c, _times(dHidden, of_c), activation)
    dreset, dcandidate = call("matmul_grad", ResetHiddenPrev, of_candidate, dc)
    du = _before(u, _times(dHidden, apart), gate_activation)
    dr = _before(r, _times(dreset, HiddenPrev), gate_activation)
    through, dgates = call("matmul_grad", HiddenPrev, of_gates, _joined([du, dr]))
    dhidden = total(_times(dHidden, of_h), _times(dreset, r), through)
    dgate = _joined([du, dr, dc])
    flat = [call("reshape2", each, None, None, shape=[-1])[0] for each in (dgates, dcandidate)]
    dweight = call("reshape2", _joined(flat, axis=0), None, None, shape=list(Weight.shape))[0]
    dbias = None if Bias is None else call("elementwise_add_grad", Input, Bias, dgate, need=(False, True))[1]
    return dgate, dhidden, dweight, dbias
