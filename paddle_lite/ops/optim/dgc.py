"""Updates of deep gradient compression, for several trainers (Lin et al., "Deep gradient compression", 2018)."""

from __future__ import annotations

from typing import Any

from ...core.errors import ArgumentValueError, message
from ..framework.spec import Declaration, Required, op
from ..support.require import require_floats, require_shape
from .update import need_update, norm, numbers, rate_of


def _check_step(where: str, **steps: Any) -> None:
    """Raise unless each of these inputs is one number."""
    for slot, meta in steps.items():
        require_floats(where, **{slot: meta})
        require_shape(where, slot, meta, (1,))


@op(
    "dgc_momentum", inputs="current_step nranks Param Grad Velocity LearningRate", outputs="Grad_out ParamOut VelocityOut",
    attrs={"rampup_begin_step": -1.0, "mu": Required("FLOAT"), "use_nesterov": False}, lod=None,
)  # fmt: skip
class dgc_momentum(Declaration):
    """Grad_out = Grad / nranks; the update of momentum before step `rampup_begin_step`, that of sgd from then on.

    A negative `rampup_begin_step` leaves all as it is.
    """

    def infer(current_step, nranks, Param, Grad, Velocity, LearningRate, **_):
        _check_step("dgc_momentum", current_step=current_step, nranks=nranks)
        need_update("dgc_momentum", Param, Grad, LearningRate, Velocity=Velocity)
        return Grad, Param, Velocity

    def reference(
        xp, current_step, nranks, Param, Grad, Velocity, LearningRate, *, rampup_begin_step, mu, use_nesterov
    ):  # fmt: skip
        if rampup_begin_step < 0:
            return Grad.copy(), Param.copy(), Velocity.copy()
        trainers = float(nranks[0])
        if trainers <= 1:
            raise ArgumentValueError(message("dgc_momentum", "Input(nranks)", trainers, "two trainers or more"))
        gradient, rate = Grad / Param.dtype.type(trainers), rate_of(LearningRate, Param)
        if current_step[0] >= rampup_begin_step:
            return gradient, Param - rate * gradient, Velocity.copy()
        (mu,) = numbers(Param, mu)
        velocity = mu * Velocity + gradient
        return gradient, Param - rate * (gradient + mu * velocity if use_nesterov else velocity), velocity


@op(
    "dgc_clip_by_norm", inputs="current_step X", outputs="Out",
    attrs={"rampup_begin_step": -1.0, "max_norm": Required("FLOAT")}, lod="X",
)  # fmt: skip
class dgc_clip_by_norm(Declaration):
    """Out = X * max_norm / max(|X|, max_norm) from step `rampup_begin_step` on; X before, and where that is negative."""

    def infer(current_step, X, *, max_norm, **_):
        _check_step("dgc_clip_by_norm", current_step=current_step)
        require_floats("dgc_clip_by_norm", X=X)
        if max_norm <= 0:
            raise ArgumentValueError(message("dgc_clip_by_norm", "attribute 'max_norm'", max_norm, "more than 0"))
        return X

    def reference(xp, current_step, X, *, rampup_begin_step, max_norm):
        if rampup_begin_step < 0 or current_step[0] < rampup_begin_step:
            return X.copy()
        (most,) = numbers(X, max_norm)
        return X * (most / xp.maximum(norm(xp, X), most))
