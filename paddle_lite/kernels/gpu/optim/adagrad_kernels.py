"""GPU kernels of adagrad, decayed_adagrad, adadelta and rmsprop."""

from __future__ import annotations

from .updates import update

update("adagrad", "Param Grad Moment LearningRate", "Param Moment", "epsilon", few=lambda attrs: True)
update("decayed_adagrad", "Param Grad Moment LearningRate", "Param Moment", "decay epsilon")
SQUARES = "AvgSquaredGrad AvgSquaredUpdate"
update("adadelta", f"Param Grad {SQUARES}", f"Param {SQUARES}", "rho epsilon")
update(
    "rmsprop", "Param MeanSquare MeanGrad LearningRate Grad Moment", "Param Moment MeanSquare MeanGrad",
    "epsilon decay momentum centered",
)  # fmt: skip
