"""GPU kernel of ftrl."""

from __future__ import annotations

from .updates import update

KEPT = "SquaredAccumulator LinearAccumulator"
update("ftrl", f"Param {KEPT} Grad LearningRate", f"Param {KEPT}", "l1 l2 lr_power")
