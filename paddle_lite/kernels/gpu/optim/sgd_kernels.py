"""GPU kernel of sgd."""

from __future__ import annotations

from .updates import update

update("sgd", "Param LearningRate Grad", "Param", few=lambda attrs: True)
