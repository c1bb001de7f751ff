"""One drawn Program, run in every way: those that give values and gradients, and those that train."""

from __future__ import annotations

from collections.abc import Sequence

from . import training, trial
from .trial import Outcome, Trial


def tried(each: Trial, only: Sequence[str] = ()) -> Outcome:
    """Run a trial in every way. only: these ways."""
    return training.tried(each, only) if each.trains else trial.tried(each, only)
