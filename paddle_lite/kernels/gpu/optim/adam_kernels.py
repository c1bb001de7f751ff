"""GPU kernels of adam and adamax."""

from __future__ import annotations

from .updates import update

update(
    "adam", "Param Grad LearningRate Moment1 Moment2 Beta1Pow Beta2Pow", "Param Moment1 Moment2 Beta1Pow Beta2Pow",
    "beta1 beta2 epsilon", more="Beta1Tensor Beta2Tensor",
)  # fmt: skip
update("adamax", "Param Grad LearningRate Moment InfNorm Beta1Pow", "Param Moment InfNorm", "beta1 beta2 epsilon")
