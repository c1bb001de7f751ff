"""Updates of parameters by proximal steps, which keep the L1 and L2 norm of a parameter small."""

from __future__ import annotations

from typing import Any

from ..framework.costs import PerElement
from ..framework.spec import Declaration, op
from .update import dense, need_update, numbers, rate_of

NORMS: dict[str, Any] = {"l1": 0.0, "l2": 0.0}


def _proximal(xp: Any, moved: Any, rate: Any, l1: float, l2: float) -> Any:
    """Return sign(moved) * max(|moved| - rate * l1, 0) / (1 + rate * l2)."""
    l1, l2, one = numbers(moved, l1, l2, 1.0)
    if l1 > 0:
        moved = xp.sign(moved) * xp.maximum(xp.abs(moved) - rate * l1, 0)
    return moved / (one + rate * l2)


@op(
    "proximal_gd", inputs="Param Grad LearningRate", outputs="ParamOut", attrs=NORMS, flops=PerElement(6, "Param"),
)  # fmt: skip
class proximal_gd(Declaration):
    """ParamOut = prox(Param - LearningRate * Grad), prox(p) = sign(p) max(|p| - LearningRate l1, 0) / (1 + LearningRate l2).

    Duchi and Singer, "Efficient online and batch learning using forward backward splitting", 2009.
    """

    def infer(Param, Grad, LearningRate, **_):
        need_update("proximal_gd", Param, Grad, LearningRate)
        return Param

    def reference(xp, Param, Grad, LearningRate, *, l1, l2):
        rate = rate_of(LearningRate, Param)
        return _proximal(xp, Param - rate * dense(xp, Grad), rate, l1, l2)


@op(
    "proximal_adagrad", inputs="Param Moment Grad LearningRate", outputs="ParamOut MomentOut", attrs=NORMS,
    flops=PerElement(10, "Param"),
)  # fmt: skip
class proximal_adagrad(Declaration):
    """MomentOut = Moment + Grad^2; ParamOut = prox(Param - LearningRate * Grad / sqrt(MomentOut)), as proximal_gd has it."""

    def infer(Param, Moment, Grad, LearningRate, **_):
        need_update("proximal_adagrad", Param, Grad, LearningRate, Moment=Moment)
        return Param, Moment

    def reference(xp, Param, Moment, Grad, LearningRate, *, l1, l2):
        rate, gradient = rate_of(LearningRate, Param), dense(xp, Grad)
        moment = Moment + gradient * gradient
        return _proximal(xp, Param - rate * gradient / xp.sqrt(moment), rate, l1, l2), moment
