"""The kinds of steps: name -> a function of a Builder, the choices and the inner steps."""

from __future__ import annotations

from . import (
    control,
    images,
    inputs,
    layers,
    losses,
    paragraphs,
    pointwise,
    recurrences,
    recurrent,
    reductions,
    sequences,
    shapes,
    small_integers,
    whole_numbers,
)

MODULES = (
    inputs, pointwise, reductions, shapes, layers, images, sequences, paragraphs, recurrent, losses, whole_numbers, small_integers,
    control, recurrences,
)  # fmt: skip
# how often each is drawn
WEIGHTS = {name: weight for module in MODULES for name, weight in module.WEIGHTS.items()}
KINDS = {name: getattr(module, name) for module in MODULES for name in module.WEIGHTS}
NAMES = [name for name, weight in WEIGHTS.items() for _ in range(weight)]
