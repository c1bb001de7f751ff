"""GPU kernel of momentum."""

from __future__ import annotations

from .updates import update

update("momentum", "Param Grad Velocity LearningRate", "Param Velocity", "mu use_nesterov")
