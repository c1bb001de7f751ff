"""The kinds of steps: name -> a function of a Builder, the choices and the inner steps."""

from __future__ import annotations

from . import control, inputs, layers, losses, pointwise, reductions, sequences, shapes, whole_numbers

# how often each is drawn
WEIGHTS = {
    **inputs.WEIGHTS, **pointwise.WEIGHTS, **reductions.WEIGHTS, **shapes.WEIGHTS, **layers.WEIGHTS, **sequences.WEIGHTS,
    **losses.WEIGHTS, **whole_numbers.WEIGHTS, **control.WEIGHTS,
}  # fmt: skip
KINDS = {
    name: getattr(module, name)
    for module in (inputs, pointwise, reductions, shapes, layers, sequences, losses, whole_numbers, control)
    for name in module.WEIGHTS
}
NAMES = [name for name, weight in WEIGHTS.items() for _ in range(weight)]
